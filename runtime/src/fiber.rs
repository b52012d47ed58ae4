//! A task's coroutine.

use crate::context::Ctx;
use crate::host::Dispatch;
use crate::observe::Action;
use crate::overflow::{self, Running};
use crate::stack::{PAGE, Sentinel, Slot};
use crate::weak::StoreBuffer;
use corosensei::CoroutineResult;

/// What a runtime call needs at least below it, in bytes.
const RED_ZONE: usize = 2 * PAGE;

/// Why a coroutine gives its worker back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Its wait record does not hold yet.
    Wait,
    /// The schedule lets another task go first.
    Turn,
    /// It went once around a loop that may poll.
    Poll,
    /// It met a fault and never goes on.
    Stopped,
}

/// How a coroutine ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Done,
    Overflow,
}

/// A coroutine on a stack of a slab.
pub(crate) struct Fiber {
    /// `None` only while it is taken apart.
    coroutine: Option<corosensei::Coroutine<(), Pause, End, Slot>>,
    running: Running,
    sentinel: Sentinel,
    /// The highest address of the stack.
    pub(crate) top: usize,
}

// SAFETY: neither the runtime nor compiled code keeps thread-local state across a pause, so a fiber may go on elsewhere.
unsafe impl Send for Fiber {}

impl Fiber {
    /// A coroutine that runs `body` for `ctx`, which must stay in place as long as the fiber lives.
    ///
    /// `body` is dropped only if it runs to its end, so it should own nothing.
    pub(crate) fn new(slot: Slot, ctx: &Ctx, body: impl FnOnce(&Ctx) + 'static) -> Self {
        let (guard, sentinel, top) = (slot.guard_range(), slot.sentinel(), slot.top());
        ctx.floor.set(guard.1 + RED_ZONE);
        let ctx = std::ptr::from_ref(ctx);
        let coroutine = corosensei::Coroutine::with_stack(slot, move |yielder, ()| {
            // SAFETY: the context stays in place as long as the fiber lives.
            let ctx = unsafe { &*ctx };
            ctx.yielder.set(yielder);
            body(ctx);
            End::Done
        });
        let running = Running {
            trap: coroutine.trap_handler(),
            guard,
        };
        Self {
            coroutine: Some(coroutine),
            running,
            sentinel,
            top,
        }
    }

    /// Runs until the next pause (`Ok`) or the end (`Err`).
    pub(crate) fn resume(&mut self) -> Result<Pause, End> {
        let Some(coroutine) = self.coroutine.as_mut().filter(|c| !c.done()) else {
            return Err(End::Done);
        };
        let outcome = match overflow::watched(self.running, || coroutine.resume(())) {
            CoroutineResult::Yield(pause) => Ok(pause),
            CoroutineResult::Return(end) => Err(end),
        };
        if self.sentinel.intact() {
            outcome
        } else {
            Err(End::Overflow)
        }
    }

    /// Gives up the coroutine, finished or not, and returns its stack. Its frames are never unwound: compiled ones have
    /// no tables for that.
    pub(crate) fn into_slot(mut self) -> Option<Slot> {
        self.reset();
        self.coroutine.take().map(corosensei::Coroutine::into_stack)
    }

    fn reset(&mut self) {
        if let Some(coroutine) = &mut self.coroutine {
            // SAFETY: frames that pause own nothing but plain data; runtime calls drop what they hold before they pause.
            unsafe { coroutine.force_reset() };
        }
    }
}

impl Drop for Fiber {
    fn drop(&mut self) {
        self.reset();
    }
}

/// The body of a rank's coroutine.
pub(crate) fn run_dispatches(ctx: &Ctx) {
    for Dispatch {
        function,
        args,
        site,
    } in &ctx.dispatches
    {
        {
            // Dispatches to one rank are ordered, so what the last one stored is out by now.
            let mut local = ctx.local.borrow_mut();
            local.delayed.iter_mut().for_each(StoreBuffer::drain);
            local.dispatch = *site;
        }
        tell(ctx, *site, Action::Begin);
        function(ctx, args.as_ptr());
        tell(ctx, *site, Action::End);
        let mut local = ctx.local.borrow_mut();
        // Still in the buffer: the end of a dispatch shows nothing to peers.
        local.delayed.iter_mut().for_each(StoreBuffer::settle);
        local.blocks.clear();
        local.arena.clear();
    }
}

fn tell(ctx: &Ctx, site: i64, action: Action) {
    if let Ok(engine) = ctx.engine() {
        engine.tell(ctx, site, engine.now(), || action);
    }
}
