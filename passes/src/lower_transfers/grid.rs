//! A region of memory cut into pieces, each of which one tile holds.

use super::mixed::Arithmetic;
use pld_dialects::{emit::Emitter, types::DYNAMIC, view::Mixed};

/// Bytes of a tile that data is moved through, unless the program says its extents.
pub(crate) const CHUNK_BYTES: i64 = 16 * 1024;

/// Tiles are padded to whole blocks of these bytes on-core, row by row.
const BLOCK_BYTES: i64 = 32;

/// The extents of a tile for a region whose two innermost extents are these: at most `bytes`,
/// if possible so that the tiles cover the region without a rest.
///
/// [`DYNAMIC`] extents are cut to what a tile of known extents leaves.
pub(crate) fn tile_for([rows, cols]: [i64; 2], element_bytes: i64, bytes: i64) -> [i64; 2] {
    let cols = part(cols, (bytes / element_bytes).max(1));
    let row_bytes = (cols * element_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    let rows = match rows {
        // Rows that are dynamic are long, or few.
        DYNAMIC => (bytes / row_bytes).max(1),
        rows => part(rows, (bytes / row_bytes).max(1)),
    };
    [rows, cols]
}

/// At most `most` of an extent: all of it; else what divides it, if that is half of the most
/// or more; else the most.
fn part(extent: i64, most: i64) -> i64 {
    if extent == DYNAMIC {
        return most;
    }
    if extent <= most {
        return extent;
    }
    let divides = |part: &i64| extent % part == 0;
    (most / 2 + 1..=most).rev().find(divides).unwrap_or(most)
}

/// Pieces of a region, numbered along its rows.
pub(crate) struct Grid<'c, 'a> {
    /// Extents of the region, as many as the memory has dims.
    sizes: Vec<Mixed<'c, 'a>>,
    /// Extents of the tile.
    tile: [i64; 2],
    /// Pieces down and along the two innermost dims.
    steps: [Mixed<'c, 'a>; 2],
    /// Number of pieces.
    pub(crate) count: Mixed<'c, 'a>,
}

/// One of them.
pub(crate) struct Piece<'c, 'a> {
    /// Extents of the tile.
    pub(crate) tile: [i64; 2],
    /// From the start of the region, one for each dim.
    pub(crate) offsets: Vec<Mixed<'c, 'a>>,
    /// The part of the tile that is in the region; `None` if all of it is.
    pub(crate) valid: Option<[Mixed<'c, 'a>; 2]>,
}

impl<'c, 'a> Grid<'c, 'a> {
    /// `sizes` has one entry or more.
    pub(crate) fn new(at: &Emitter<'c, 'a>, sizes: &[Mixed<'c, 'a>], tile: [i64; 2]) -> Self {
        let sizes: Vec<_> = sizes.iter().map(|size| size.folded()).collect();
        let pieces = |size, part: i64| {
            let above = at.sum(size, (part - 1).into());
            at.quotient(above, part.into())
        };
        let [rows, cols] = innermost(&sizes);
        let steps = [pieces(rows, tile[0]), pieces(cols, tile[1])];
        let leading = sizes.len().saturating_sub(2);
        let count = sizes[..leading]
            .iter()
            .fold(at.product(steps[0], steps[1]), |count, &size| {
                at.product(count, size)
            });
        Self {
            sizes,
            tile,
            steps,
            count,
        }
    }

    /// The numbers of all pieces: the first, and that after the last.
    pub(crate) fn all(&self) -> [Mixed<'c, 'a>; 2] {
        [0.into(), self.count]
    }

    /// Piece `number`, from 0 to `count`.
    pub(crate) fn piece(&self, at: &Emitter<'c, 'a>, number: Mixed<'c, 'a>) -> Piece<'c, 'a> {
        let [down, along] = self.steps;
        let mut rest = number;
        // The number's digit of this base; of the last digit nothing is left over.
        let mut digit = |base: Mixed<'c, 'a>, last: bool| {
            if base.as_static() == Some(1) {
                return 0.into();
            }
            if last {
                return rest;
            }
            let digit = at.remainder(rest, base);
            rest = at.quotient(rest, base);
            digit
        };
        let rank = self.sizes.len();
        let col = digit(along, rank == 1);
        let mut offsets = vec![at.product(col, self.tile[1].into())];
        if rank > 1 {
            let row = digit(down, rank == 2);
            offsets.push(at.product(row, self.tile[0].into()));
        }
        for dim in (0..rank.saturating_sub(2)).rev() {
            offsets.push(digit(self.sizes[dim], dim == 0));
        }
        offsets.reverse();
        Piece {
            tile: self.tile,
            valid: self.valid(at, &offsets),
            offsets,
        }
    }

    fn valid(&self, at: &Emitter<'c, 'a>, offsets: &[Mixed<'c, 'a>]) -> Option<[Mixed<'c, 'a>; 2]> {
        let sizes = innermost(&self.sizes);
        let fits =
            |dim: usize| matches!(sizes[dim], Mixed::Static(size) if size % self.tile[dim] == 0);
        if fits(0) && fits(1) {
            return None;
        }
        let offsets = innermost_or(offsets, 0);
        Some([0, 1].map(|dim| {
            let tile = self.tile[dim].into();
            if fits(dim) {
                return tile;
            }
            let left = at.difference(sizes[dim], offsets[dim]);
            at.least(left, tile)
        }))
    }
}

/// The two innermost extents; a region of rank 1 is one row.
pub(crate) fn innermost<'c, 'a>(sizes: &[Mixed<'c, 'a>]) -> [Mixed<'c, 'a>; 2] {
    innermost_or(sizes, 1)
}

fn innermost_or<'c, 'a>(list: &[Mixed<'c, 'a>], absent: i64) -> [Mixed<'c, 'a>; 2] {
    match list {
        [.., rows, cols] => [*rows, *cols],
        [cols] => [absent.into(), *cols],
        [] => [absent.into(); 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tile is at most what was asked for, rows padded, and at most the region.
    #[test]
    fn tiles_are_bounded() {
        for bytes in [1, 2, 4, 8] {
            for rows in [1, 7, 64, 4097, DYNAMIC] {
                for cols in [1, 17, 4096, 65537, 1 << 20, DYNAMIC] {
                    let [r, c] = tile_for([rows, cols], bytes, CHUNK_BYTES);
                    let padded = (c * bytes + 31) / 32 * 32;
                    assert!(
                        r * padded <= CHUNK_BYTES,
                        "{rows}x{cols} of {bytes}: {r}x{c}"
                    );
                    assert!((rows == DYNAMIC || r <= rows) && (cols == DYNAMIC || c <= cols));
                    assert!(r >= 1 && c >= 1);
                }
            }
        }
    }

    /// What can be cut without a rest is, also where the largest tile would leave one.
    #[test]
    fn tiles_divide() {
        assert_eq!(tile_for([1, 16384], 4, CHUNK_BYTES), [1, 4096]);
        assert_eq!(tile_for([1, 6000], 4, CHUNK_BYTES), [1, 3000]);
        assert_eq!(tile_for([1024, 8], 4, CHUNK_BYTES), [512, 8]);
        // 65537 is prime.
        assert_eq!(tile_for([1, 65537], 4, CHUNK_BYTES), [1, 4096]);
    }
}
