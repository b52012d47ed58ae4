//! What ranks do, told while they do it.

use crate::context::Ctx;
use crate::engine::Engine;
use crate::history::Sent;
use crate::run::{Shared, Site, lock};
use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

/// Is told what ranks do. Calls come one at a time, on a stack of ordinary size; a run that is observed uses one worker.
pub trait Observer: Debug + Send + Sync {
    /// A rank has done something.
    fn event(&self, event: &Event);
}

/// Something that a rank did. Times count from the start of the ranks.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// World rank.
    pub rank: usize,
    /// The rank's block; 0 outside of `pl.spmd`, too.
    pub block: usize,
    /// The op that asked for it, before lowering: a part of a barrier has the barrier's.
    pub site: &'a Site,
    /// When it began.
    pub start: Duration,
    /// When it ended; for [`Action::Begin`], [`Action::End`] and accesses to the own slice the same.
    pub end: Duration,
    /// What it was.
    pub action: Action,
}

/// What a rank did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A dispatched function starts, or another block than 0.
    Begin,
    /// It has ended.
    End,
    /// Remote memory: a load, a store or an atomic add.
    Transfer(Access),
    /// The own slice, by plain loads and stores; seen only in code that tells of them.
    Local(Access),
    /// A signal to a peer.
    Notify(Signal),
    /// A wait that passed. `released` is the notify that made its condition true, unless no notify had to.
    Wait {
        /// The cell, on the rank itself.
        cell: Signal,
        /// Who released it.
        released: Option<Sent>,
    },
}

/// Memory that is accessed: a window's slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Read, write or atomic add.
    pub kind: crate::AccessKind,
    /// World rank of the slice.
    pub peer: usize,
    /// Number of the window buffer, in order of allocation.
    pub window: usize,
    /// First byte, in the slice.
    pub offset: usize,
    /// Payload.
    pub bytes: u64,
}

/// A signal cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// World rank that it lies on.
    pub peer: usize,
    /// Number of the window buffer, in order of allocation.
    pub window: usize,
    /// Index in i32 elements of the buffer.
    pub element: usize,
    /// Its value, after a notify or when a wait passed.
    pub value: i32,
}

impl Engine {
    /// The time, if anybody wants to know.
    #[inline]
    pub(crate) fn now(&self) -> Option<Duration> {
        let observed = self.shared().options.observer.is_some();
        observed.then(|| self.start.elapsed())
    }

    /// Tells the observer of what `ctx` did since `start`, which is `None` if there is no observer.
    #[inline]
    pub(crate) fn tell(
        &self,
        ctx: &Ctx,
        site: i64,
        start: Option<Duration>,
        action: impl FnOnce() -> Action,
    ) {
        if let (Some(observer), Some(start)) = (&self.shared().options.observer, start) {
            let action = action();
            let end = match action {
                Action::Transfer(_) | Action::Notify(_) | Action::Wait { .. } => {
                    self.start.elapsed()
                }
                Action::Begin | Action::End | Action::Local(_) => start,
            };
            let (rank, block) = (ctx.rank().unwrap_or(0), ctx.block.get().index);
            let site = self.shared().known_site(site);
            let event = Event {
                rank,
                block,
                site,
                start,
                end,
                action,
            };
            ctx.deep(|| observer.event(&event));
        }
    }
}

/// How far a run is, and the way to end it; for other threads while it goes on.
#[derive(Default)]
pub struct Progress {
    started: AtomicBool,
    done: AtomicUsize,
    cancelled: AtomicBool,
    run: Mutex<Weak<Shared>>,
}

impl Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Progress")
            .field("ranks_done", &self.ranks_done())
            .field("cancelled", &self.is_cancelled())
            .finish()
    }
}

impl Progress {
    /// Ranks that have ended; `None` while the host function runs or no run is on.
    pub fn ranks_done(&self) -> Option<usize> {
        self.started
            .load(Ordering::Relaxed)
            .then(|| self.done.load(Ordering::Relaxed))
    }

    /// Ends the run, and each later one that is given this: where a rank next notifies, waits, reaches another rank or
    /// lets others run, so not within a loop that does nothing of this.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        if let Some(run) = lock(&self.run).upgrade() {
            run.cancel();
        }
    }

    /// Whether [`Progress::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }

    /// The run that is on from now on.
    pub(crate) fn attach(&self, run: &Arc<Shared>) {
        *lock(&self.run) = Arc::downgrade(run);
        if self.is_cancelled() {
            run.cancel();
        }
    }

    pub(crate) fn start(&self, done: usize) {
        self.done.store(done, Ordering::Relaxed);
        self.started.store(true, Ordering::Relaxed);
    }

    pub(crate) fn rank_ended(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end(&self) {
        self.started.store(false, Ordering::Relaxed);
    }
}
