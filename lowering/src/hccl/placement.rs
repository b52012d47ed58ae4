//! Offsets of tiles: apart, or shared by those that do not live at the same time.

/// A tile to place: statements are numbered in program order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its bytes.
    pub bytes: i64,
    /// The statement that touches it first.
    pub first: usize,
    /// The statement that touches it last, or ends the loop that needs it.
    pub last: usize,
    /// Its first byte.
    pub offset: i64,
}

impl Tile {
    fn meets(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    /// Whether it lives at a statement.
    pub fn lives_at(&self, position: usize) -> bool {
        (self.first..=self.last).contains(&position)
    }
}

/// Memory of its own for each tile; the bytes of all.
pub fn spread(tiles: &mut [Tile]) -> i64 {
    let mut end = 0;
    for tile in tiles {
        tile.offset = end;
        end += tile.bytes;
    }
    end
}

/// Shared memory for tiles that do not meet; the bytes of all.
pub fn squeeze(tiles: &mut [Tile]) -> i64 {
    let mut order: Vec<_> = (0..tiles.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(tiles[index].bytes), tiles[index].first));
    let mut placed: Vec<usize> = Vec::new();
    let mut end = 0i64;
    for index in order {
        let mut busy: Vec<_> = placed
            .iter()
            .filter(|&&other| tiles[other].meets(&tiles[index]))
            .map(|&other| {
                (
                    tiles[other].offset,
                    tiles[other].offset.saturating_add(tiles[other].bytes),
                )
            })
            .collect();
        busy.sort_unstable();
        let mut offset = 0i64;
        for (begin, past) in busy {
            if begin >= offset.saturating_add(tiles[index].bytes) {
                break;
            }
            offset = offset.max(past);
        }
        tiles[index].offset = offset;
        end = end.max(offset.saturating_add(tiles[index].bytes));
        placed.push(index);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(bytes: i64, first: usize, last: usize) -> Tile {
        Tile {
            bytes,
            first,
            last,
            offset: 0,
        }
    }

    /// No two tiles that live at the same time overlap, whatever their sizes and lives.
    #[test]
    fn squeezed_tiles_do_not_overlap() {
        let mut state = 1u64;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for _ in 0..500 {
            let mut tiles: Vec<_> = (0..next(20) + 1)
                .map(|_| {
                    let first = next(30) as usize;
                    tile(32 * (next(40) as i64 + 1), first, first + next(10) as usize)
                })
                .collect();
            let end = squeeze(&mut tiles);
            for (index, one) in tiles.iter().enumerate() {
                assert!(one.offset >= 0 && one.offset + one.bytes <= end);
                for other in &tiles[..index] {
                    let apart = one.offset + one.bytes <= other.offset
                        || other.offset + other.bytes <= one.offset;
                    assert!(apart || !one.meets(other), "{one:?} {other:?}");
                }
            }
        }
    }

    /// Tiles one after another in time share the same bytes.
    #[test]
    fn a_chain_needs_two() {
        let mut tiles: Vec<_> = (0..10).map(|i| tile(64, i, i + 1)).collect();
        assert_eq!(squeeze(&mut tiles), 128);
        assert_eq!(spread(&mut tiles), 640);
    }
}
