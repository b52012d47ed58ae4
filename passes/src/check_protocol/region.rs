//! Bytes of a region of memory.

use super::interval::Interval;
use pld_protocol::Run;

/// More pieces than this are taken together as all that lies between.
const MOST_RUNS: u64 = 1024;

/// The bytes that a region may have, and whether it surely has them all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub runs: Vec<Run>,
    pub exact: bool,
}

/// A dim of a region: extent of the memory, first index, and how many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dim {
    pub shape: Interval,
    pub offset: Interval,
    pub extent: Interval,
}

/// The bytes of the region of `dims`, from the outermost on, in row-major memory of elements of
/// `element` bytes that starts at byte `base` of a buffer of `bytes`. What lies outside of the
/// memory is left out: the check of bounds is the run's.
pub(super) fn of(dims: &[Dim], element: u64, base: u64, bytes: u64) -> Region {
    strided(dims, element, base).unwrap_or_else(|| whole(base, bytes))
}

/// Everything from `base` on, perhaps.
pub(super) fn whole(base: u64, bytes: u64) -> Region {
    let length = bytes.saturating_sub(base).min(i64::MAX as u64);
    let run = Run {
        base,
        stride: length,
        count: 1,
        length,
    };
    Region {
        runs: if length == 0 { vec![] } else { vec![run] },
        exact: false,
    }
}

/// `None` where the distance of rows is not known, or nothing can be counted.
fn strided(dims: &[Dim], element: u64, base: u64) -> Option<Region> {
    // Equal steps from piece to piece, the innermost first: distance and number.
    let mut levels: Vec<(u64, u64)> = Vec::new();
    let (mut first, mut stride, mut length) = (base, element, element);
    let mut exact = true;
    let mut is_dense = true;
    for (place, dim) in dims.iter().enumerate().rev() {
        let end = dim.offset.hi.saturating_add(dim.extent.hi);
        let (from, to) = (dim.offset.lo.max(0), end.min(dim.shape.hi));
        exact &= dim.offset.as_point().is_some() && dim.extent.as_point().is_some();
        let count = u64::try_from(to.checked_sub(from)?).ok().filter(|&n| n > 0);
        let Some(count) = count else {
            return Some(Region {
                runs: vec![],
                exact,
            });
        };
        first = first.checked_add(stride.checked_mul(from as u64)?)?;
        if is_dense {
            length = length.checked_mul(count)?;
        } else if count > 1 {
            levels.push((stride, count));
        }
        if place > 0 {
            let shape = u64::try_from(dim.shape.as_point()?).ok()?;
            is_dense &= count == shape;
            stride = stride.checked_mul(shape)?;
        }
    }
    first.checked_add(span(&levels, length)?)?;
    Some(pieces(&levels, first, length, exact))
}

/// Bytes from the start of the first piece to the end of the last.
fn span(levels: &[(u64, u64)], length: u64) -> Option<u64> {
    levels.iter().try_fold(length, |sum, &(stride, count)| {
        sum.checked_add(stride.checked_mul(count - 1)?)
    })
}

fn pieces(levels: &[(u64, u64)], first: u64, length: u64, exact: bool) -> Region {
    let Some((&(stride, count), outer)) = levels.split_first() else {
        let run = Run {
            base: first,
            stride: length,
            count: 1,
            length,
        };
        return Region {
            runs: vec![run],
            exact,
        };
    };
    let number = outer
        .iter()
        .fold(1u64, |product, level| product.saturating_mul(level.1));
    if number > MOST_RUNS {
        let length = span(levels, length).unwrap_or(length);
        return pieces(&[], first, length, false);
    }
    let mut bases = vec![first];
    for &(stride, count) in outer {
        bases = (0..count)
            .flat_map(|k| bases.iter().map(move |base| base + k * stride))
            .collect();
    }
    bases.sort_unstable();
    let runs = bases
        .into_iter()
        .map(|base| Run {
            base,
            stride,
            count,
            length,
        })
        .collect();
    Region { runs, exact }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(shape: &[i64], offsets: &[i64], extents: &[i64]) -> Region {
        let dims: Vec<_> = (0..shape.len())
            .map(|i| Dim {
                shape: Interval::point(shape[i]),
                offset: Interval::point(offsets[i]),
                extent: Interval::point(extents[i]),
            })
            .collect();
        of(&dims, 4, 0, u64::MAX)
    }

    fn bytes(region: &Region) -> Vec<u64> {
        let mut bytes: Vec<u64> = region
            .runs
            .iter()
            .flat_map(|run| {
                (0..run.count).flat_map(move |k| {
                    (0..run.length).map(move |byte| run.base + k * run.stride + byte)
                })
            })
            .collect();
        bytes.sort_unstable();
        bytes
    }

    /// Each byte of each element, once: against plain counting, in three dims.
    #[test]
    fn counts() {
        let shape = [3, 4, 5];
        for a in 0..3 {
            for b in 0..4 {
                for c in 0..5 {
                    for extents in [[1, 1, 1], [2, 3, 4], [3, 4, 5], [1, 4, 5], [2, 1, 5]] {
                        let found = region(&shape, &[a, b, c], &extents);
                        let mut expected = Vec::new();
                        for i in a..(a + extents[0]).min(3) {
                            for j in b..(b + extents[1]).min(4) {
                                for k in c..(c + extents[2]).min(5) {
                                    let at = ((i * 4 + j) * 5 + k) as u64 * 4;
                                    expected.extend(at..at + 4);
                                }
                            }
                        }
                        assert_eq!(bytes(&found), expected, "{a} {b} {c} {extents:?}");
                        assert!(found.exact);
                    }
                }
            }
        }
    }

    /// Whole rows are one piece, so that regions of views of other shapes compare quickly.
    #[test]
    fn joins_rows() {
        assert_eq!(region(&[8, 64], &[2, 0], &[4, 64]).runs.len(), 1);
        let columns = region(&[8, 64], &[2, 1], &[4, 62]).runs;
        assert_eq!((columns.len(), columns[0].count), (1, 4));
    }

    /// What is not known covers all that it can be, and says so; extents at the end of what can
    /// be counted do not overflow.
    #[test]
    fn unknown() {
        let dim = |shape, offset| Dim {
            shape,
            offset,
            extent: Interval::point(1),
        };
        let any = Interval::all(64);
        let dims = [
            dim(Interval::point(4), any),
            dim(Interval::point(8), Interval::point(2)),
        ];
        let found = of(&dims, 4, 0, 128);
        assert!(!found.exact);
        assert_eq!((found.runs[0].base, found.runs[0].count), (8, 4));
        let dims = [dim(any, any), dim(any, any)];
        assert_eq!(of(&dims, 4, 0, 128).runs[0].length, 128);
        let huge = Interval::point(i64::MAX);
        let dims = [dim(huge, huge), dim(huge, huge)];
        let _ = of(&dims, 8, u64::MAX, u64::MAX);
    }
}
