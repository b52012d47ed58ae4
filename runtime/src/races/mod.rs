//! Race detection: every access to a window is checked against the earlier ones that no signal orders before it.

pub(crate) mod access;
mod cell;
mod clock;
#[cfg(test)]
mod model;
#[cfg(test)]
mod oracle;
mod report;
mod shadow;

use crate::copy::Rect;
use crate::run::lock;
use crate::wait::Condition;
use crate::window::Place;
use access::{Access, AccessKind, Description, Descriptions, Recent};
pub(crate) use cell::Mode;
use cell::{Change, Misuse};
use clock::{Interner, Root, TaskClock};
pub(crate) use clock::{Joined, Snapshot};
use shadow::{Conflict, Probe, Shadow};
use std::cell::UnsafeCell;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};

/// Worlds above this size run without race detection, whose clocks grow with the square of the ranks.
pub(crate) const MOST_RANKS: usize = 16_384;

/// The race detector of a run.
pub(crate) struct Races {
    /// Of each rank's memory; a cell's value changes under its rank's lock, together with its history.
    shadows: Vec<Guarded>,
    /// Several workers, so that shadows have to be locked.
    parallel: bool,
    descriptions: Descriptions,
    interner: Interner,
    zero: Root,
    /// Rank and block of the tasks behind those of the ranks.
    blocks: Mutex<Vec<(usize, usize)>>,
    /// Pairs of sites, and what was wrong between them, that are reported already.
    seen: Mutex<HashSet<(&'static str, i64, i64)>>,
}

/// A shadow, and whose turn it is to use it.
#[derive(Default)]
struct Guarded {
    turn: Mutex<()>,
    shadow: UnsafeCell<Shadow>,
}

// SAFETY: [`Races::shadow`] is the only way to a shadow.
unsafe impl Sync for Guarded {}

struct Turn<'a> {
    shadow: &'a mut Shadow,
    _turn: Option<MutexGuard<'a, ()>>,
}

/// A task's part of the detector.
pub(crate) struct Tracker {
    clock: TaskClock,
    rank: usize,
    recent: Recent,
}

impl Tracker {
    pub(crate) fn acquire(&mut self, release: &Snapshot) {
        self.clock.acquire(release);
    }

    pub(crate) fn acquire_all(&mut self, releases: &Joined) {
        releases.acquired_by(&mut self.clock);
    }
}

/// A place accessed by the op at `site`.
#[derive(Clone, Copy)]
pub(crate) struct Touch {
    pub(crate) place: Place,
    pub(crate) rect: Rect,
    pub(crate) pitch: usize,
    pub(crate) site: i64,
    /// A notify or wait that a barrier is made of.
    pub(crate) in_barrier: bool,
}

/// What is wrong with one access.
pub(crate) struct Found {
    by: Access,
    conflicts: Vec<Conflict>,
    misuse: Option<Misuse>,
}

impl Found {
    /// Whether there is something to report.
    pub(crate) fn is_empty(&self) -> bool {
        self.conflicts.is_empty() && self.misuse.is_none()
    }

    fn by(by: Access) -> Self {
        Self {
            by,
            conflicts: Vec::new(),
            misuse: None,
        }
    }
}

impl Races {
    pub(crate) fn new(ranks: usize, parallel: bool) -> Self {
        Self {
            shadows: (0..ranks).map(|_| Guarded::default()).collect(),
            parallel,
            descriptions: Descriptions::default(),
            interner: Interner::new(ranks),
            zero: Root::zero(ranks),
            blocks: Mutex::default(),
            seen: Mutex::default(),
        }
    }

    pub(crate) fn tracker(&self, rank: usize) -> Box<Tracker> {
        self.tracker_of_task(rank, rank)
    }

    /// Of a block other than 0, whose task is new.
    pub(crate) fn tracker_of_block(&self, rank: usize, block: usize) -> Box<Tracker> {
        let mut blocks = lock(&self.blocks);
        blocks.push((rank, block));
        self.tracker_of_task(self.shadows.len() + blocks.len() - 1, rank)
    }

    fn tracker_of_task(&self, task: usize, rank: usize) -> Box<Tracker> {
        Box::new(Tracker {
            clock: TaskClock::new(task, &self.zero),
            rank,
            recent: Recent::default(),
        })
    }

    /// Rank and, if it is known, block of a task. Block 0 is the task of its rank.
    fn rank_and_block(&self, task: u32) -> (usize, Option<usize>) {
        let task = task as usize;
        match task.checked_sub(self.shadows.len()) {
            None => (task, None),
            Some(number) => {
                let (rank, block) = lock(&self.blocks)[number];
                (rank, Some(block))
            }
        }
    }

    /// All that the task did until now, for others to acquire.
    pub(crate) fn release(&self, tracker: &mut Tracker) -> Snapshot {
        tracker.clock.release(&self.interner)
    }

    fn shadow(&self, rank: usize) -> Turn<'_> {
        let guarded = &self.shadows[rank];
        let turn = self.parallel.then(|| lock(&guarded.turn));
        // SAFETY: other workers wait for their turn, and without any nothing else runs before this one is over: what is
        // done in it neither pauses nor looks at shadows again.
        let shadow = unsafe { &mut *guarded.shadow.get() };
        Turn {
            shadow,
            _turn: turn,
        }
    }

    fn stamp(&self, tracker: &mut Tracker, kind: AccessKind, touch: Touch) -> Access {
        let Touch {
            place,
            rect,
            pitch,
            site,
            ..
        } = touch;
        let Rect { rows, bytes } = rect;
        let description = Description {
            kind,
            site,
            rows,
            bytes,
            pitch,
        };
        let what = self.descriptions.number(description, &mut tracker.recent);
        let (task, epoch) = (tracker.clock.task, tracker.clock.event());
        Access {
            task,
            epoch,
            what,
            low: place.offset as u32,
        }
    }

    /// A read, write or atomic add by the tracker's task.
    pub(crate) fn access(&self, tracker: &mut Tracker, kind: AccessKind, touch: Touch) -> Found {
        let access = self.stamp(tracker, kind, touch);
        let mut found = Found::by(access);
        let turn = self.shadow(touch.place.rank);
        let base = touch.place.pointer as usize;
        for (start, bytes) in touch.rect.runs(touch.pitch) {
            let mut probe = Probe {
                kind,
                access,
                clock: &tracker.clock,
                conflicts: &mut found.conflicts,
            };
            turn.shadow
                .access(base + start, base + start + bytes, &mut probe);
        }
        found
    }

    /// A notify: `change` changes the cell and returns its new value.
    pub(crate) fn notify(
        &self,
        tracker: &mut Tracker,
        mode: Mode,
        touch: Touch,
        change: impl FnOnce() -> i32,
    ) -> Found {
        let access = self.stamp(tracker, AccessKind::Notify, touch);
        let release = tracker.clock.release(&self.interner);
        let owner = tracker.rank == touch.place.rank;
        let mut found = Found::by(access);
        let address = touch.place.pointer as usize;
        let turn = self.shadow(touch.place.rank);
        let page = turn.shadow.page(address);
        let clock = &tracker.clock;
        let cell = page.cell(address);
        cell.notifies.insert(access, clock);
        let change = Change {
            mode,
            value: change(),
            owner,
            in_barrier: touch.in_barrier,
        };
        found.misuse = cell.notify(change, access, release, clock);
        let kind = AccessKind::Notify;
        page.check_signal(
            address,
            &mut Probe {
                kind,
                access,
                clock,
                conflicts: &mut found.conflicts,
            },
        );
        found
    }

    /// Tests the cell of a wait with `value`; if the condition holds, which it returns, acquires from the cell.
    pub(crate) fn wait(
        &self,
        tracker: &mut Tracker,
        condition: Condition,
        touch: Touch,
        value: impl FnOnce() -> i32,
    ) -> (bool, Found) {
        let access = self.stamp(tracker, AccessKind::Wait, touch);
        let mut found = Found::by(access);
        let address = touch.place.pointer as usize;
        let turn = self.shadow(touch.place.rank);
        let page = turn.shadow.page(address);
        let cell = page.cell(address);
        found.misuse = cell.expect(touch.in_barrier);
        if !condition.holds(value()) {
            return (false, found);
        }
        let borrowed = cell.pass(condition, touch.in_barrier, &mut tracker.clock);
        found.misuse = found.misuse.or(borrowed);
        let clock = &tracker.clock;
        cell.waits.insert(access, clock);
        let kind = AccessKind::Wait;
        page.check_signal(
            address,
            &mut Probe {
                kind,
                access,
                clock,
                conflicts: &mut found.conflicts,
            },
        );
        (true, found)
    }
}
