//! The host phase: the entry runs to its end on a coroutine of its own, allocates windows and queues dispatches.

use crate::context::{Ctx, Fault, Function};
use crate::fiber::{End, Fiber, Pause};
use crate::finding::Finding;
use crate::memory::Block;
use crate::overflow::{self, AlternateStack};
use crate::run::Shared;
use crate::stack::{Guard, Slab};
use crate::window::Windows;
use std::cell::RefCell;

/// The host may nest deeper than a kernel, and there is only one.
const STACK_BYTES: usize = 1 << 20;

/// A function queued for a rank.
pub(crate) struct Dispatch {
    pub(crate) function: Function,
    pub(crate) args: Box<[u64]>,
    pub(crate) site: i64,
}

/// What the host phase leaves for the ranks.
pub(crate) struct Plan {
    pub(crate) windows: Windows,
    /// By rank, in program order.
    pub(crate) dispatches: Vec<Vec<Dispatch>>,
    /// Memory that the host allocated, kept to the end of the run.
    pub(crate) blocks: Vec<Block>,
}

/// State of the host phase.
pub(crate) struct Host(RefCell<Plan>);

/// Runs the host function; `None` if it could not even start. The plan is complete unless the run was stopped.
pub(crate) fn run(shared: &Shared, entry: Function, args: &[u64]) -> Option<Plan> {
    let world = shared.options.world;
    if world == 0 {
        shared.report(Finding::new(
            "pld-406",
            "the world has no ranks, expected at least 1",
        ));
        return None;
    }
    let windows = Windows::new(world);
    let dispatches = (0..world).map(|_| Vec::new()).collect();
    let host = Host(RefCell::new(Plan {
        windows,
        dispatches,
        blocks: Vec::new(),
    }));
    let slab = Slab::new(1, STACK_BYTES, Guard::Advice);
    let Some(slot) = slab.as_ref().and_then(Slab::take) else {
        shared.fail("no memory for the stack of the host function".into());
        return None;
    };
    overflow::install();
    let _stack = AlternateStack::ensure();
    let ctx = Ctx::of_host(shared, &host);
    let args = args.as_ptr();
    let mut fiber = Fiber::new(slot, &ctx, move |ctx| entry(ctx, args));
    // The host never waits, so it comes back only when it has ended or met a fault.
    match fiber.resume() {
        Ok(Pause::Stopped) | Err(End::Done) => {}
        Ok(_) => shared.fail("the host function paused".into()),
        Err(End::Overflow) => shared.fail(ctx.overflow()),
    }
    drop(fiber);
    let mut plan = host.0.into_inner();
    plan.windows.close();
    Some(plan)
}

impl Host {
    pub(crate) fn world(&self) -> i64 {
        self.0.borrow().dispatches.len() as i64
    }

    pub(crate) fn keep(&self, block: Block) {
        self.0.borrow_mut().blocks.push(block);
    }

    pub(crate) fn alloc_window(
        &self,
        bytes: i64,
        group: &[i64],
        site: i64,
    ) -> Result<i64, Box<Finding>> {
        self.0.borrow_mut().windows.alloc(bytes, group, site)
    }

    pub(crate) fn view(&self, buffer: i64, bytes: i64) -> Result<*mut u8, Box<Finding>> {
        self.0.borrow().windows.view(buffer, bytes)
    }

    pub(crate) fn tail(&self, buffer: i64, bytes: i64, site: i64) -> Result<*mut u8, Box<Finding>> {
        self.0.borrow_mut().windows.tail(buffer, bytes, site)
    }

    pub(crate) fn view_on(
        &self,
        view: *const u8,
        rank: i64,
    ) -> Result<Option<*mut u8>, Box<Finding>> {
        self.0.borrow().windows.on_rank(view, rank)
    }

    pub(crate) fn dispatch(&self, rank: i64, dispatch: Dispatch) -> Result<(), Box<Finding>> {
        let mut plan = self.0.borrow_mut();
        let Plan {
            windows,
            dispatches,
            ..
        } = &mut *plan;
        let queue = usize::try_from(rank)
            .ok()
            .and_then(|rank| dispatches.get_mut(rank));
        queue.ok_or_else(|| windows.no_rank(rank))?.push(dispatch);
        Ok(())
    }
}

/// `bytes` zero bytes for `ctx`: kept to the end of the run on the host, of the dispatch on a rank.
pub(crate) fn alloc(ctx: &Ctx, bytes: i64, site: i64) -> Result<*mut u8, Fault> {
    let block = usize::try_from(bytes)
        .ok()
        .and_then(Block::zeroed)
        .ok_or_else(|| {
            let finding = Finding::new("pld-404", format!("cannot allocate {bytes} bytes"));
            ctx.fault(
                finding.note("check the sizes that the program computes"),
                site,
            )
        })?;
    let base = block.base();
    match ctx.host() {
        Ok(host) => host.keep(block),
        Err(_) => ctx.local.borrow_mut().blocks.push(block),
    }
    Ok(base)
}
