//! Tells polling that nothing can satisfy from polling that makes progress.
//!
//! A run is stuck when every live task waits or polls, and all pollers have gone around their loops again and again
//! without any task having changed a cell, a byte or even its own stack. Loops that count, on the stack or in
//! registers, change it and so are never taken for stuck ones.

use crate::context::{Ctx, state};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Polls without a change after which stacks are compared; before that nothing but counting is done.
const COMPARE_AFTER: u64 = 1 << 12;
/// Each task's stack is compared once in so many of its polls: a run that repeats itself does so at any stride.
const COMPARE_EACH: u64 = 16;
/// Polls without a change after which the run is examined; it is stuck if twice in a row. Generous, since a loop whose only state is in memory of its
/// own looks the same as one that polls.
const STUCK_AFTER: u64 = 1 << 18;

/// Counts the run's polls since the last change.
pub(crate) struct Quiet {
    /// Grows with each change.
    epoch: AtomicU64,
    polls: AtomicU64,
    shared: bool,
}

/// A task's last poll.
#[derive(Default)]
pub(crate) struct LastPoll {
    polls: AtomicU64,
    /// `polls` when the run was last examined.
    asked: AtomicU64,
    epoch: AtomicU64,
    stack: AtomicU64,
    worker: AtomicUsize,
}

impl Quiet {
    /// `shared`: more than one worker counts.
    pub(crate) fn new(shared: bool) -> Self {
        Self {
            epoch: AtomicU64::new(1),
            polls: AtomicU64::new(0),
            shared,
        }
    }

    /// A task changed something that another may see, or ended.
    #[inline]
    pub(crate) fn changed(&self) {
        // Nobody has polled since the last change, so nobody knows of the state before this one.
        if self.polls.load(Ordering::Relaxed) == 0 {
            return;
        }
        match self.shared {
            true => drop(self.epoch.fetch_add(1, Ordering::Relaxed)),
            false => self
                .epoch
                .store(self.epoch.load(Ordering::Relaxed) + 1, Ordering::Relaxed),
        }
        self.polls.store(0, Ordering::Relaxed);
    }

    /// Counts a poll of the suspended task `ctx`, whose stack ends at `top`.
    pub(crate) fn polled(&self, ctx: &Ctx, last: &LastPoll, top: usize) {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed) + 1;
        let own = last.polls.fetch_add(1, Ordering::Relaxed);
        if polls < COMPARE_AFTER || !own.is_multiple_of(COMPARE_EACH) {
            return;
        }
        let stack = fingerprint(ctx.resting.get(), top);
        let worker = ctx.worker.get();
        let same_stack = last.stack.swap(stack, Ordering::Relaxed) == stack;
        let same_worker = last.worker.swap(worker, Ordering::Relaxed) == worker;
        match (same_worker, same_stack) {
            (true, false) => self.changed(),
            (true, true) => last
                .epoch
                .store(self.epoch.load(Ordering::Relaxed), Ordering::Relaxed),
            // A stack links to its worker's, so the comparison says nothing.
            (false, _) => {}
        }
    }

    /// How often it has been time to look for a stuck run since the last change; `None` if it is not time now.
    pub(crate) fn due(&self) -> Option<u64> {
        let polls = self.polls.load(Ordering::Relaxed) + 1;
        (polls.is_multiple_of(STUCK_AFTER)).then_some(polls / STUCK_AFTER)
    }

    /// Whether a task can neither go on nor has anything to go on for: it waits, has ended, or has done nothing but
    /// poll since this was last asked.
    pub(crate) fn is_idle(&self, ctx: &Ctx, last: &LastPoll) -> bool {
        if matches!(
            ctx.state.load(Ordering::SeqCst),
            state::WAITING | state::DONE
        ) {
            return true;
        }
        let polls = last.polls.load(Ordering::Relaxed);
        let polled = last.asked.swap(polls, Ordering::Relaxed) < polls;
        polled && last.epoch.load(Ordering::Relaxed) == self.epoch.load(Ordering::Relaxed)
    }
}

/// A hash of the words in `[from, to)`, the live part of a suspended stack.
fn fingerprint(from: usize, to: usize) -> u64 {
    let words = (from & !7..to).step_by(8);
    words.fold(0, |hash: u64, address| {
        // SAFETY: an aligned word of a stack that is mapped and not running.
        let word = unsafe { (address as *const u64).read_volatile() };
        (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}
