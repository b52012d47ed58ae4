//! Signal cells: what a wait acquires, and the rules of use.
//!
//! A wait is ordered after the notifies up to the owner's position in the cell's order, and after the shortest run beyond
//! it that makes its condition true. Acquiring more would hide races: at a reused barrier cell a slow rank would also be
//! ordered after the next round's notify of a fast one. What is ordered before the wait by other ways has come for sure,
//! so the position first moves over it: a count that was taken away again lets nobody pass.

use super::access::{Access, Accesses};
use super::clock::{Joined, Snapshot, TaskClock};
use crate::wait::Condition;
use smallvec::SmallVec;

/// Notifies beyond the position that are kept apart; more are folded, oldest first.
const PENDING: usize = 64;

/// How a cell is notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Add,
    Set,
}

/// A breach of the rules of signals; the access is the earlier party.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misuse {
    Mixed(Access),
    /// A set that can overwrite what the owner has not waited for.
    Overwrite {
        earlier: Access,
        later: Access,
    },
    /// A barrier that is entered while a count of a direct notify stands in its cell.
    LeftOver(Access),
    /// A wait outside of barriers that passes by the counts of one.
    Borrowed(Access),
}

/// A change of a cell.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    pub(crate) mode: Mode,
    /// The cell's value after it.
    pub(crate) value: i32,
    /// Whether the notifier is the rank that the cell lies on.
    pub(crate) owner: bool,
    /// Whether it is part of a barrier.
    pub(crate) in_barrier: bool,
}

struct Pending {
    /// The cell's value after it.
    value: i32,
    mode: Mode,
    release: Snapshot,
}

/// The latest set of a cell that is notified by set.
struct LastSet {
    by: Access,
    /// The owner's event that took notice of it: its task and epoch.
    read: Option<(u32, u32)>,
    /// An overwrite found before anybody waited on the cell; without a wait it does no harm.
    harmless_yet: Option<Misuse>,
    /// The value that the owner's waits have gone to, and those set since.
    passed: i32,
    ahead: SmallVec<[i32; 1]>,
}

/// The race detector's side of a signal cell.
#[derive(Default)]
pub(crate) struct Cell {
    /// What stands up to the owner's position, and the value there.
    base: Joined,
    base_value: i32,
    pending: SmallVec<[Pending; 1]>,
    pub(crate) notifies: Accesses,
    pub(crate) waits: Accesses,
    first: Option<(Mode, Access)>,
    last_set: Option<Box<LastSet>>,
    waited: bool,
    /// The cell's value, and what of it comes from others than barriers.
    value: i32,
    direct: i32,
    last_direct: Option<Access>,
    last_of_barrier: Option<Access>,
}

impl Cell {
    /// A notify.
    pub(crate) fn notify(
        &mut self,
        change: Change,
        by: Access,
        release: Snapshot,
        clock: &TaskClock,
    ) -> Option<Misuse> {
        let Change {
            mode,
            value,
            owner,
            in_barrier,
        } = change;
        if !in_barrier {
            self.direct = self.direct.wrapping_add(value.wrapping_sub(self.value));
            self.last_direct = Some(by);
        } else {
            self.last_of_barrier = Some(by);
        }
        self.value = value;
        let misuse = self.check(change, by, clock);
        self.pending.push(Pending {
            value,
            mode,
            release,
        });
        let folded = if owner {
            self.pending.len()
        } else {
            self.pending.len().saturating_sub(PENDING)
        };
        self.fold(folded);
        misuse
    }

    /// A wait of the owner, before it tests the cell: from now on misuse matters.
    pub(crate) fn expect(&mut self, in_barrier: bool) -> Option<Misuse> {
        self.waited = true;
        if in_barrier && self.direct != 0 {
            return self.last_direct.map(Misuse::LeftOver);
        }
        self.last_set.as_mut()?.harmless_yet.take()
    }

    /// A wait that passes.
    pub(crate) fn pass(
        &mut self,
        condition: Condition,
        in_barrier: bool,
        clock: &mut TaskClock,
    ) -> Option<Misuse> {
        let known = |p: &Pending| p.release.is_known_to(clock);
        let known = self.pending.iter().rposition(known);
        self.fold(known.map_or(0, |last| last + 1));
        if !condition.holds(self.base_value) {
            let run = self.pending.iter().position(|p| condition.holds(p.value));
            self.fold(run.map_or(0, |last| last + 1));
        }
        self.base.acquired_by(clock);
        if let Some(last) = &mut self.last_set {
            last.pass(condition, clock);
        }
        let borrows = !in_barrier && !condition.holds(self.direct);
        self.last_of_barrier
            .filter(|_| borrows)
            .map(Misuse::Borrowed)
    }

    /// Moves the position over the `n` oldest pending notifies.
    fn fold(&mut self, n: usize) {
        for Pending {
            value,
            mode,
            release,
        } in self.pending.drain(..n)
        {
            if mode == Mode::Set {
                self.base.clear();
            }
            self.base.add(release);
            self.base_value = value;
        }
    }

    fn check(&mut self, change: Change, by: Access, clock: &TaskClock) -> Option<Misuse> {
        let Change {
            mode, value, owner, ..
        } = change;
        let (first, earlier) = *self.first.get_or_insert((mode, by));
        if first != mode {
            return Some(Misuse::Mixed(earlier));
        }
        if mode == Mode::Add {
            return None;
        }
        let read = owner.then_some((by.task, by.epoch));
        let Some(last) = &mut self.last_set else {
            let mut last = LastSet {
                by,
                read,
                harmless_yet: None,
                passed: 0,
                ahead: SmallVec::new(),
            };
            last.arrive(value, owner);
            self.last_set = Some(Box::new(last));
            return None;
        };
        last.arrive(value, owner);
        let earlier = std::mem::replace(&mut last.by, by);
        let seen = std::mem::replace(&mut last.read, read);
        if earlier.task == by.task || seen.is_some_and(|(task, epoch)| clock.knows(task, epoch)) {
            return None;
        }
        let misuse = Misuse::Overwrite { earlier, later: by };
        if self.waited {
            return Some(misuse);
        }
        last.harmless_yet.get_or_insert(misuse);
        None
    }
}

impl LastSet {
    fn arrive(&mut self, value: i32, by_owner: bool) {
        if self.ahead.len() == PENDING {
            self.passed = self.ahead.remove(0);
        }
        self.ahead.push(value);
        if by_owner {
            self.ahead.clear();
            self.passed = value;
        }
    }

    /// A wait of the owner that passes: it takes notice of what it needed to.
    fn pass(&mut self, condition: Condition, clock: &mut TaskClock) {
        if !condition.holds(self.passed)
            && let Some(last) = self.ahead.iter().position(|&value| condition.holds(value))
        {
            self.passed = self.ahead[last];
            self.ahead.drain(..=last);
        }
        if self.ahead.is_empty() && self.read.is_none() {
            self.read = Some((clock.task, clock.event()));
        }
    }
}
