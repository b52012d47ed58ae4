//! Regions of values: where they start, which may depend on loops, and how large they are.

/// A loop of the plan.
pub(super) type LoopId = usize;

/// What a loop runs through: `from`, `from + step`, ... below `to`, all whole steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) step: i64,
}

/// Consecutive rows or columns: they start at `base` plus the counters of `loops`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Range {
    pub(super) base: i64,
    pub(super) loops: Vec<LoopId>,
    pub(super) size: i64,
}

impl Range {
    /// From `base` on, whatever the loops do.
    pub(super) const fn fixed(base: i64, size: i64) -> Self {
        Self {
            base,
            loops: Vec::new(),
            size,
        }
    }

    /// The part of `size` from `offset` and the counter of `within` on.
    pub(super) fn part(&self, offset: i64, within: Option<LoopId>, size: i64) -> Self {
        let mut loops = self.loops.clone();
        loops.extend(within);
        loops.sort_unstable();
        Self {
            base: self.base + offset,
            loops,
            size,
        }
    }

    pub(super) fn shifted(&self, by: i64) -> Self {
        self.part(by, None, self.size)
    }

    pub(super) fn is_fixed(&self) -> bool {
        self.loops.is_empty()
    }

    /// Whether it is all of an extent.
    pub(super) fn is_all(&self, extent: i64) -> bool {
        self.is_fixed() && self.base == 0 && self.size == extent
    }

    /// The first element that it ever holds, and the one past the last.
    pub(super) fn hull(&self, loops: &[Bounds]) -> (i64, i64) {
        let sum = |of: fn(&Bounds) -> i64| self.loops.iter().map(|&id| of(&loops[id])).sum::<i64>();
        let first = sum(|bounds| bounds.from);
        let last = sum(|bounds| bounds.to - bounds.step);
        (self.base + first, self.base + last + self.size)
    }
}

/// Rows and columns of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Region {
    pub(super) rows: Range,
    pub(super) cols: Range,
}

impl Region {
    pub(super) const fn new(rows: Range, cols: Range) -> Self {
        Self { rows, cols }
    }

    /// All of a value of these extents.
    pub(super) const fn all(rows: i64, cols: i64) -> Self {
        Self::new(Range::fixed(0, rows), Range::fixed(0, cols))
    }

    pub(super) fn swapped(&self) -> Self {
        Self::new(self.cols.clone(), self.rows.clone())
    }

    /// The loops that it depends on.
    pub(super) fn loops(&self) -> impl Iterator<Item = LoopId> + '_ {
        self.rows.loops.iter().chain(&self.cols.loops).copied()
    }

    pub(super) const fn dim(&self, dim: usize) -> &Range {
        if dim == 0 { &self.rows } else { &self.cols }
    }

    /// The same region with another range in a dim.
    pub(super) fn with(&self, dim: usize, range: Range) -> Self {
        let mut region = self.clone();
        *(if dim == 0 {
            &mut region.rows
        } else {
            &mut region.cols
        }) = range;
        region
    }
}

/// Splits the extent from 0 to `size` at `cuts`, which ascend, and each part into blocks of at
/// most `limit`: a loop of equal blocks, and a rest.
pub(super) fn blocks(size: i64, cuts: impl IntoIterator<Item = i64>, limit: i64) -> Vec<Bounds> {
    let mut blocks = Vec::new();
    let mut from = 0;
    for end in cuts.into_iter().chain([size]) {
        if !(from + 1..=size).contains(&end) {
            continue;
        }
        let step = step(end - from, limit.max(1));
        let whole = from + (end - from) / step * step;
        for (from, to) in [(from, whole), (whole, end)] {
            if from < to {
                let step = step.min(to - from);
                blocks.push(Bounds { from, to, step });
            }
        }
        from = end;
    }
    blocks
}

/// The step for an extent: one that leaves no rest if it is not much smaller than it could
/// be.
fn step(size: i64, limit: i64) -> i64 {
    if size <= limit {
        return size;
    }
    let divisor = (limit / 2 + 1..=limit).rev().find(|step| size % step == 0);
    divisor.unwrap_or(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks cover an extent without gap or overlap, are whole steps of at most the limit,
    /// and straddle no cut.
    #[test]
    fn blocks_partition_an_extent() {
        for size in 1..40 {
            for limit in 1..45 {
                for cuts in [vec![], vec![size / 2], vec![1, size / 3 + 1, 50]] {
                    let mut next = 0;
                    for Bounds { from, to, step } in blocks(size, cuts.clone(), limit) {
                        assert_eq!(from, next);
                        assert!(step <= limit && (to - from) % step == 0 && to > from);
                        assert!(cuts.iter().all(|&cut| cut <= from || cut >= to));
                        next = to;
                    }
                    assert_eq!(next, size);
                }
            }
        }
    }
}
