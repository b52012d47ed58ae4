//! One task: the context that compiled code passes to every runtime call, and the coroutine that runs it.

use crate::blocks::{Block as Spmd, Job};
use crate::engine::Engine;
use crate::fiber::Pause;
use crate::finding::Finding;
use crate::host::{Dispatch, Host};
use crate::memory::{Arena, Block};
use crate::races::Tracker;
use crate::run::{Counters, Shared, Site};
use crate::wait::WaitRecord;
use crate::weak::StoreBuffer;
use corosensei::Yielder;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicU8;

/// The one signature of code that the runtime starts: its context, and its arguments as 64-bit words.
pub type Function = extern "C" fn(*const Ctx, *const u64);

/// What stops a task in the middle of a runtime call.
pub(crate) enum Fault {
    Finding(Box<Finding>),
    /// Not the program's meaning, but the tool, the machine or the lowering is at fault.
    Error(String),
    /// The program does not follow the order that was asked for.
    Stray(String),
}

/// Task states; only WAITING and READY are ever compared, the rest is for the report.
pub(crate) mod state {
    pub(crate) const READY: u8 = 0;
    pub(crate) const RUNNING: u8 = 1;
    pub(crate) const WAITING: u8 = 2;
    pub(crate) const DONE: u8 = 3;
    pub(crate) const STOPPED: u8 = 4;
}

#[derive(Clone, Copy)]
enum Side {
    Host(*const Host),
    Device(*const Engine),
}

/// A task's context; opaque to compiled code.
///
/// Aligned so that neighbours share no cache line.
#[repr(align(128))]
pub struct Ctx {
    shared: *const Shared,
    side: Cell<Side>,
    /// `None` on the host.
    rank: Option<usize>,
    /// What a rank runs, in order.
    pub(crate) dispatches: Vec<Dispatch>,
    pub(crate) yielder: Cell<*const Yielder<(), Pause>>,
    /// The lowest stack address at which a runtime call may start.
    pub(crate) floor: Cell<usize>,
    /// The stack pointer at the last poll.
    pub(crate) resting: Cell<usize>,
    /// The worker that runs this task, or ran it last; [`Ctx::NO_WORKER`] before the first step.
    pub(crate) worker: Cell<usize>,
    /// The block of the rank that it runs.
    pub(crate) block: Cell<Spmd>,
    /// What to run, if it is the task of a block other than 0.
    pub(crate) job: Cell<Option<Job>>,
    pub(crate) local: RefCell<Local>,
    pub(crate) state: AtomicU8,
    pub(crate) wait: WaitRecord,
}

/// State that only the task itself touches.
#[derive(Default)]
pub(crate) struct Local {
    pub(crate) arena: Arena,
    pub(crate) blocks: Vec<Block>,
    pub(crate) counters: Counters,
    /// Present if the run checks races.
    pub(crate) tracker: Option<Box<Tracker>>,
    /// Present if the run delays stores.
    pub(crate) delayed: Option<StoreBuffer>,
    /// Site of the dispatch that runs.
    pub(crate) dispatch: i64,
}

// SAFETY: cells and `local` are touched only by the coroutine or by the worker that holds the task, and tasks pass from
// worker to worker through a mutex; what several workers read at once is atomic.
unsafe impl Sync for Ctx {}
// SAFETY: the pointers lead to values that outlive all workers of a run.
unsafe impl Send for Ctx {}

impl Ctx {
    pub(crate) const NO_WORKER: usize = usize::MAX;

    pub(crate) fn of_host(shared: &Shared, host: &Host) -> Self {
        Self::new(shared, Side::Host(host), None, Vec::new())
    }

    /// A rank's context; [`Ctx::attach`] must follow before it runs.
    pub(crate) fn of_rank(shared: &Shared, rank: usize, dispatches: Vec<Dispatch>) -> Self {
        Self::new(
            shared,
            Side::Device(std::ptr::null()),
            Some(rank),
            dispatches,
        )
    }

    fn new(shared: &Shared, side: Side, rank: Option<usize>, dispatches: Vec<Dispatch>) -> Self {
        let first = if dispatches.is_empty() {
            state::DONE
        } else {
            state::READY
        };
        Self {
            shared,
            side: Cell::new(side),
            rank,
            dispatches,
            yielder: Cell::new(std::ptr::null()),
            floor: Cell::new(0),
            resting: Cell::new(0),
            worker: Cell::new(Self::NO_WORKER),
            block: Cell::new(Spmd::ONLY),
            job: Cell::new(None),
            local: RefCell::default(),
            state: AtomicU8::new(first),
            wait: WaitRecord::new(),
        }
    }

    pub(crate) fn attach(&self, engine: &Engine) {
        self.side.set(Side::Device(engine));
    }

    pub(crate) fn shared(&self) -> &Shared {
        // SAFETY: set from a reference that outlives the run's tasks.
        unsafe { &*self.shared }
    }

    pub(crate) fn host(&self) -> Result<&Host, Fault> {
        match self.side.get() {
            Side::Host(host) => {
                self.check_stopped();
                // SAFETY: set from a reference that outlives the host coroutine.
                Ok(unsafe { &*host })
            }
            Side::Device(_) => Err(Fault::Error(format!(
                "{} made a call that only the host may make",
                self.name()
            ))),
        }
    }

    pub(crate) fn engine(&self) -> Result<&Engine, Fault> {
        match self.side.get() {
            // SAFETY: attached before the task first ran, and the engine outlives its tasks.
            Side::Device(engine) if !engine.is_null() => Ok(unsafe { &*engine }),
            _ => Err(Fault::Error(format!(
                "{} made a call that only ranks may make",
                self.name()
            ))),
        }
    }

    /// The rank's number.
    ///
    /// # Errors
    /// On the host.
    pub(crate) fn rank(&self) -> Result<usize, Fault> {
        self.rank
            .ok_or_else(|| Fault::Error("the host function has no rank".into()))
    }

    pub(crate) fn name(&self) -> String {
        let Some(rank) = self.rank else {
            return "the host function".into();
        };
        match self.block.get() {
            Spmd { count: 1, .. } => format!("rank {rank}"),
            Spmd { index, .. } => format!("rank {rank}, block {index}"),
        }
    }

    pub(crate) fn site(&self, site: i64) -> Site {
        self.shared().site(site)
    }

    /// Completes a finding that this task met at `site`.
    pub(crate) fn fault(&self, finding: Box<Finding>, site: i64) -> Fault {
        Fault::Finding(finding.at(self.site(site)).on(self.rank))
    }

    pub(crate) fn counters(&self) -> Counters {
        // Borrowed only if the task was given up in the middle of a runtime call, by a stack overflow.
        self.local
            .try_borrow()
            .map(|local| local.counters)
            .unwrap_or_default()
    }

    /// Runs the body of a runtime call. A fault or a panic in it ends the run; neither returns to compiled code.
    pub(crate) fn call<T>(&self, body: impl FnOnce(&Self) -> Result<T, Fault>) -> T {
        let here = 0u8;
        if (&raw const here as usize) < self.floor.get() {
            self.stop(Fault::Error(self.overflow()));
        }
        match catch_unwind(AssertUnwindSafe(|| body(self))) {
            Ok(Ok(value)) => value,
            Ok(Err(fault)) => self.stop(fault),
            Err(panic) => self.stop(Fault::Error(format!(
                "{}: {}",
                self.name(),
                panic_text(&*panic)
            ))),
        }
    }

    pub(crate) fn overflow(&self) -> String {
        format!(
            "stack overflow in {}: its functions need more than the {} KiB of a stack",
            self.name(),
            self.shared().options.stack_bytes / 1024
        )
    }

    /// Ends the run and suspends this task for ever.
    pub(crate) fn stop(&self, fault: Fault) -> ! {
        match fault {
            Fault::Finding(finding) => self.shared().conclude(|| finding),
            Fault::Error(error) => self.shared().fail(error),
            Fault::Stray(why) => self.shared().stray(why),
        }
        self.halt()
    }

    /// Does not return if the run is over, as where it was cancelled.
    #[inline(always)]
    pub(crate) fn check_stopped(&self) {
        if self.shared().stopped() {
            self.halt();
        }
    }

    /// Suspends this task for ever.
    #[cold]
    fn halt(&self) -> ! {
        loop {
            self.pause(Pause::Stopped);
        }
    }

    /// Lets other tasks go first, and remembers what the stack looks like.
    pub(crate) fn poll(&self) {
        /// More than the frames of a pause, which hold the caller's registers.
        const FRAMES: usize = 1024;
        let here = 0u8;
        self.resting.set((&raw const here as usize) - FRAMES);
        self.pause(Pause::Poll);
    }

    pub(crate) fn pause(&self, why: Pause) {
        // SAFETY: runtime calls come from the coroutine, whose yielder lives as long as its stack is in use.
        unsafe { &*self.yielder.get() }.suspend(why);
    }

    /// Runs `work`, which must not pause, on the worker's own large stack.
    pub(crate) fn deep<T>(&self, work: impl FnOnce() -> T) -> T {
        struct SameThread<F>(F);
        // SAFETY: `on_parent_stack` stays on this thread; it asks for `Send` to keep yielders away, and `work` must not
        // pause.
        unsafe impl<F> Send for SameThread<F> {}
        impl<T, F: FnOnce() -> T> SameThread<F> {
            fn run(self) -> T {
                (self.0)()
            }
        }
        let work = SameThread(work);
        // SAFETY: as in `pause`.
        unsafe { &*self.yielder.get() }.on_parent_stack(move || work.run())
    }
}

/// What to say about a panic of the runtime itself.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("internal error in the runtime: {}", text.unwrap_or("panic"))
}
