//! Bytes in common.

use crate::Run;

fn piece(base: u64, length: u64) -> Run {
    Run {
        base,
        stride: length,
        count: 1,
        length,
    }
}

impl Run {
    /// One past its last byte.
    pub(crate) fn end(&self) -> u64 {
        let last = self.stride.saturating_mul(self.count.saturating_sub(1));
        self.base.saturating_add(last).saturating_add(self.length)
    }

    /// The first bytes in common with `from..to`.
    fn cut(&self, from: u64, to: u64) -> Option<Run> {
        let skip = match self.base.saturating_add(self.length) <= from && self.stride > 0 {
            true => (from - self.base - self.length) / self.stride + 1,
            false => 0,
        };
        if skip >= self.count {
            return None;
        }
        let base = self.base.checked_add(self.stride.checked_mul(skip)?)?;
        let first = base.max(from);
        let end = base.saturating_add(self.length).min(to);
        (first < end).then(|| piece(first, end - first))
    }
}

/// The first bytes that two sets of runs have in common.
pub(crate) fn common(a: &[Run], b: &[Run]) -> Option<Run> {
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
    pairs
        .filter_map(|(a, b)| both(a, b))
        .min_by_key(|run| run.base)
}

fn both(a: &Run, b: &Run) -> Option<Run> {
    if a.end() <= b.base || b.end() <= a.base {
        return None;
    }
    let (few, many) = if a.count <= b.count { (a, b) } else { (b, a) };
    let below = many
        .base
        .saturating_sub(few.base.saturating_add(few.length));
    let first = below.checked_div(few.stride).unwrap_or(0);
    // At equal strides all pieces but those at the ends meet alike.
    let pieces = if few.stride == many.stride {
        3
    } else {
        few.count
    };
    (first..few.count.min(first.saturating_add(pieces))).find_map(|k| {
        let from = few.base.saturating_add(few.stride.saturating_mul(k));
        many.cut(from, from.saturating_add(few.length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against sets of bytes, over all small runs: strides that divide each other and that do not.
    #[test]
    fn common_bytes_are_those_of_both_sets() {
        let mut rng = fastrand::Rng::with_seed(1);
        let set = |run: &Run| -> Vec<u64> {
            let pieces = 0..run.count;
            let bytes =
                pieces.flat_map(|k| (0..run.length).map(move |b| run.base + k * run.stride + b));
            bytes.collect()
        };
        let mut random = || {
            let length = rng.u64(1..5);
            Run {
                base: rng.u64(0..20),
                stride: length + rng.u64(0..6),
                count: rng.u64(1..5),
                length,
            }
        };
        for _ in 0..20_000 {
            let (a, b) = (random(), random());
            let expected = set(&a).into_iter().find(|byte| set(&b).contains(byte));
            let found = both(&a, &b);
            assert_eq!(found.map(|run| run.base), expected, "{a:?} {b:?}");
            if let Some(run) = found {
                assert!(
                    set(&run)
                        .iter()
                        .all(|byte| set(&a).contains(byte) && set(&b).contains(byte))
                );
            }
        }
    }
}
