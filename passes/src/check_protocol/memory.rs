//! Integers in arrays, as far as they are known.

use super::{interval::Interval, value::Int};
use pld_protocol::Run;
use std::collections::BTreeMap;

/// More elements of one array than these are not kept.
const MOST_ELEMENTS: usize = 4096;

/// The integers of one array on one rank: by byte; those that are not here may be anything.
#[derive(Clone, Debug, Default)]
pub(super) struct Integers {
    known: BTreeMap<u64, Int>,
    /// Whether anything has been written.
    pub is_written: bool,
}

impl Integers {
    pub(super) fn get(&self, byte: u64) -> Option<Int> {
        self.known.get(&byte).copied()
    }

    /// What an element somewhere in these bytes may be; `None` for anything.
    pub(super) fn within(&self, runs: &[Run], element: u64) -> Option<Int> {
        let mut found: Option<Interval> = None;
        for run in runs {
            for piece in 0..run.count {
                let base = run.base + piece * run.stride;
                let elements = run.length / element.max(1);
                if elements > self.known.len() as u64 {
                    return None;
                }
                for k in 0..elements {
                    let range = self.known.get(&(base + k * element))?.range;
                    found = Some(found.map_or(range, |all| all.join(range)));
                }
            }
        }
        found.map(Int::of)
    }

    /// Replaces an element.
    pub(super) fn set(&mut self, byte: u64, value: Int) {
        self.is_written = true;
        if self.known.len() < MOST_ELEMENTS || self.known.contains_key(&byte) {
            self.known.insert(byte, value);
        }
    }

    /// Perhaps replaces elements in these bytes; with `widen`, those that change may then be
    /// anything. Returns whether any has changed.
    pub(super) fn perhaps(&mut self, runs: &[Run], value: Int, widen: bool) -> bool {
        self.is_written = true;
        let mut changed = Vec::new();
        for (&byte, old) in self.known.range(span(runs)) {
            let joined = old.range.join(value.range);
            if joined != old.range && holds(runs, byte) {
                changed.push((byte, joined));
            }
        }
        for &(byte, range) in &changed {
            if widen {
                self.known.remove(&byte);
            } else {
                self.known.insert(byte, Int::of(range));
            }
        }
        !changed.is_empty()
    }

    /// Elements in these bytes may be anything from now on.
    pub(super) fn forget(&mut self, runs: &[Run]) -> bool {
        self.is_written = true;
        let before = self.known.len();
        let span = span(runs);
        self.known
            .retain(|&byte, _| !span.contains(&byte) || !holds(runs, byte));
        self.known.len() != before
    }
}

/// From the first byte to the last.
fn span(runs: &[Run]) -> std::ops::Range<u64> {
    let from = runs.iter().map(|run| run.base).min().unwrap_or(0);
    let end = |run: &Run| {
        let last = run.stride.saturating_mul(run.count.saturating_sub(1));
        run.base.saturating_add(last).saturating_add(run.length)
    };
    from..runs.iter().map(end).max().unwrap_or(0).max(from)
}

fn holds(runs: &[Run], byte: u64) -> bool {
    runs.iter().any(|run| {
        let Some(distance) = byte.checked_sub(run.base) else {
            return false;
        };
        let stride = run.stride.max(1);
        distance / stride < run.count && distance % stride < run.length
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(base: u64, stride: u64, count: u64, length: u64) -> Run {
        Run {
            base,
            stride,
            count,
            length,
        }
    }

    /// A write that may not happen keeps the old value as one of two; one to anywhere touches
    /// the elements in reach only.
    #[test]
    fn perhaps_keeps_the_old() {
        let mut integers = Integers::default();
        for byte in [0, 4, 8] {
            integers.set(byte, Int::point(1));
        }
        assert!(integers.perhaps(&[run(0, 8, 2, 4)], Int::point(3), false));
        let both = Interval::new(1, 3);
        assert_eq!(integers.get(0).map(|int| int.range), Some(both));
        assert_eq!(integers.get(4), Some(Int::point(1)));
        assert!(!integers.perhaps(&[run(0, 8, 2, 4)], Int::point(2), false));
        assert!(integers.perhaps(&[run(0, 12, 1, 12)], Int::point(4), true));
        assert_eq!(integers.get(8), None);
    }

    /// An element that is not known makes all of a region unknown.
    #[test]
    fn hull_of_a_region() {
        let mut integers = Integers::default();
        integers.set(0, Int::point(1));
        assert_eq!(integers.within(&[run(0, 8, 1, 8)], 4), None);
        integers.set(4, Int::point(5));
        let hull = integers.within(&[run(0, 8, 1, 8)], 4);
        assert_eq!(hull.map(|int| int.range), Some(Interval::new(1, 5)));
        assert!(integers.forget(&[run(4, 4, 1, 4)]));
        assert_eq!(
            (integers.get(0), integers.get(4)),
            (Some(Int::point(1)), None)
        );
    }
}
