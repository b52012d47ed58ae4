//! Places slots in the arena: first fit in order of birth.

/// Slots start at a multiple of this, so that no two share a cache line.
const ALIGNMENT: i64 = 64;

/// What a slot is for; operations by their number.
#[derive(Debug)]
pub(super) enum Holds {
    /// Tiles, by value key, which are one.
    Tiles(Vec<usize>),
    /// One row of what an operation of a group makes.
    Row(usize),
    /// The left (0) or right (1) side of a matrix product, in the form that it is computed in.
    Packed(usize, usize),
    /// What a store writes if it overlaps a load of its group.
    Fallback(usize),
    /// A tile on its way along an edge of an `scf` operation.
    Temp(usize),
}

/// A piece of the arena.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) holds: Holds,
    /// `None` if they overflow a word.
    pub(super) bytes: Option<i64>,
    /// First and last operation between which it is alive, both included.
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) offset: i64,
}

/// Gives every slot an offset such that no two that are alive together overlap. Returns the
/// bytes of the arena; `None` if they overflow a word.
pub(super) fn place(slots: &mut [Slot]) -> Option<i64> {
    let mut order: Vec<usize> = (0..slots.len()).collect();
    order.sort_by_key(|&index| slots[index].first);
    let mut total = 0;
    // Start, end and last operation of what is alive, by start.
    let mut alive: Vec<(i64, i64, usize)> = Vec::new();
    for index in order {
        let slot = &mut slots[index];
        alive.retain(|&(_, _, last)| last >= slot.first);
        let bytes = slot.bytes?.checked_add(ALIGNMENT - 1)? / ALIGNMENT * ALIGNMENT;
        let mut offset = 0i64;
        for &(start, end, _) in &alive {
            if offset.checked_add(bytes)? <= start {
                break;
            }
            offset = offset.max(end);
        }
        let end = offset.checked_add(bytes)?;
        slot.offset = offset;
        let position = alive.partition_point(|&(start, _, _)| start < offset);
        alive.insert(position, (offset, end, slot.last));
        total = total.max(end);
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(bytes: i64, first: usize, last: usize) -> Slot {
        Slot {
            holds: Holds::Temp(0),
            bytes: Some(bytes),
            first,
            last,
            offset: -1,
        }
    }

    /// Slots that are never alive together share memory.
    #[test]
    fn memory_is_used_again() {
        let mut slots = [slot(100, 0, 1), slot(64, 1, 2), slot(100, 2, 3)];
        assert_eq!(place(&mut slots), Some(192));
        assert_eq!(slots.map(|slot| slot.offset), [0, 128, 0]);
    }

    /// For many random lifetimes no two slots alive together overlap, and each is aligned.
    #[test]
    fn slots_alive_together_are_apart() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for _ in 0..200 {
            let mut slots: Vec<_> = (0..30)
                .map(|_| {
                    let first = random(40) as usize;
                    slot(1 + random(400) as i64, first, first + random(12) as usize)
                })
                .collect();
            let total = place(&mut slots).expect("small");
            for (index, one) in slots.iter().enumerate() {
                let bytes = |slot: &Slot| slot.bytes.expect("small");
                assert!(one.offset % ALIGNMENT == 0 && one.offset + bytes(one) <= total);
                for other in &slots[index + 1..] {
                    let together = one.first <= other.last && other.first <= one.last;
                    let apart = one.offset + bytes(one) <= other.offset
                        || other.offset + bytes(other) <= one.offset;
                    assert!(!together || apart, "{one:?} {other:?}");
                }
            }
        }
    }

    /// Tiles too large to count are an error, not a wrapped size.
    #[test]
    fn overflow_is_none() {
        assert_eq!(place(&mut [slot(i64::MAX, 0, 0)]), None);
    }
}
