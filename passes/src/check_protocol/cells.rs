//! What signal cells may hold, whatever the schedule: all that is ever notified.

use super::{interval::Interval, value::Int};
use pld_protocol::{BufferId, Cell};
use std::collections::{HashMap, HashSet};

/// What is notified, gathered by an execution.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    notified: HashMap<Cell, Notified>,
    /// Buffers that are written by other than notifies.
    pub written: HashSet<BufferId>,
    /// Whether a cell has been read that could be known.
    pub is_read: bool,
    /// Whether a loop has run as often as it was chosen to, and not as often as it may.
    pub is_cut: bool,
}

#[derive(Clone, Copy, Debug)]
struct Notified {
    /// The sum of what may be added and is negative, and of what is positive.
    added: (i128, i128),
    /// What may be set, and the zero at the start.
    set: Interval,
}

impl Notified {
    const NONE: Self = Self {
        added: (0, 0),
        set: Interval::point(0),
    };
}

impl Cells {
    /// A notify.
    pub(super) fn notify(&mut self, cell: Cell, is_set: bool, value: Interval) {
        let notified = self.notified.entry(cell).or_insert(Notified::NONE);
        if is_set {
            notified.set = notified.set.join(value);
        } else {
            notified.added.0 += i128::from(value.lo.min(0));
            notified.added.1 += i128::from(value.hi.max(0));
        }
    }

    /// What a cell may hold.
    pub(super) fn holds(&self, cell: Cell) -> Int {
        let known = self.notified.get(&cell).copied().unwrap_or(Notified::NONE);
        let lo = i128::from(known.set.lo) + known.added.0;
        let hi = i128::from(known.set.hi) + known.added.1;
        Int::of(Interval::wrap(lo, hi, 32))
    }

    /// Adds what another way through the program does.
    pub(super) fn join(&mut self, other: Self) {
        for (cell, one) in other.notified {
            let all = self.notified.entry(cell).or_insert(Notified::NONE);
            all.set = all.set.join(one.set);
            all.added.0 = all.added.0.min(one.added.0);
            all.added.1 = all.added.1.max(one.added.1);
        }
        self.written.extend(other.written);
        self.is_read |= other.is_read;
        self.is_cut |= other.is_cut;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of what is added in one way through the program, the widest of all ways.
    #[test]
    fn sums() {
        let cell = Cell {
            buffer: BufferId(0),
            owner: 0,
            offset: 0,
        };
        let way = |values: &[i64]| {
            let mut cells = Cells::default();
            for &value in values {
                cells.notify(cell, false, Interval::point(value));
            }
            cells
        };
        let mut cells = way(&[1, 2, -4]);
        assert_eq!(cells.holds(cell).range, Interval::new(-4, 3));
        cells.join(way(&[7]));
        assert_eq!(cells.holds(cell).range, Interval::new(-4, 7));
        cells.notify(cell, true, Interval::point(10));
        assert_eq!(cells.holds(cell).range, Interval::new(-4, 17));
    }
}
