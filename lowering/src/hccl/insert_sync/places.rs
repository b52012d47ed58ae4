//! Where in memory a statement touches it, as a sum of values of the kernel.
//!
//! Two accesses are apart if the distance of their first elements is at least what one of them
//! spans. Values that are the same for both cancel. What a loop counts does not, between two
//! rounds, but it has grown by a step or more from the earlier to the later one; and what is left
//! lies between the bounds of its loop, or of what else is known of it.
//!
//! Rows of two accesses may lie between each other's and be apart. That is looked at where all is
//! known: by the constants alone, or in each round of one loop whose bounds are constants.
//!
//! Nor do two accesses meet in memory of different ranks. A rank is a sum too, modulo the number n
//! of ranks: two differ if they are 1 to n - 1 apart.

use super::{
    distance::{Distance, Of, in_all_rounds},
    number::Ranks,
    sums::Sum,
};

/// Where a statement touches memory.
#[derive(Clone, Debug)]
pub struct Place {
    /// How many ranks there may be.
    pub ranks: Ranks,
    /// The rank whose memory it is, modulo the number of ranks, if that is known.
    pub rank: Option<Sum>,
    /// What of it, if that is known.
    pub part: Option<Part>,
    /// The loops around, the outermost first.
    pub loops: Vec<usize>,
}

/// A part of an array or of a slice of a window.
#[derive(Clone, Debug)]
pub struct Part {
    /// The address that it counts from.
    pub base: usize,
    /// The first element.
    pub first: Sum,
    /// Elements from the first to past the last, at most.
    pub span: i64,
    /// The rows that it is, if that is known.
    pub rows: Option<Rows>,
}

/// Rows of bytes in memory.
#[derive(Clone, Debug)]
pub struct Rows {
    /// How many.
    pub count: Sum,
    /// Bytes of each.
    pub bytes: Sum,
    /// Bytes from one to the next; 0 if there is only one.
    pub pitch: i64,
    /// Bytes of an element.
    pub element: i64,
}

impl Place {
    /// Whether nothing is touched by both: by this one earlier and by `later`, in a later round of
    /// the loop `crossed` if there is one, and else in the same round of all loops around both.
    pub fn is_apart(&self, later: &Self, crossed: Option<usize>) -> bool {
        let of_others = self.rank.as_ref().zip(later.rank.as_ref());
        let parts = self.part.as_ref().zip(later.part.as_ref());
        of_others.is_some_and(|(one, other)| differ(one, other, crossed, self.ranks))
            || parts.is_some_and(|(one, other)| one.is_apart(other, crossed))
    }
}

/// Whether two ranks differ.
fn differ(earlier: &Sum, later: &Sum, crossed: Option<usize>, ranks: Ranks) -> bool {
    let Some(distance) = Distance::between(earlier, later, crossed) else {
        return false;
    };
    let is_above_0 = |distance: Distance| distance.least().is_some_and(|least| least > 0);
    // By one to n - 1 this way, or that way.
    let way = |distance: Distance| {
        let rest = distance.opposite().and_then(|mut rest| {
            rest.add(1, &Sum::count(ranks), Of::Both)?;
            Some(rest)
        });
        is_above_0(distance) && rest.is_some_and(is_above_0)
    };
    let opposite = distance.opposite();
    way(distance) || opposite.is_some_and(way)
}

impl Part {
    fn is_apart(&self, later: &Self, crossed: Option<usize>) -> bool {
        if self.base != later.base {
            return false;
        }
        let distance = Distance::between(&self.first, &later.first, crossed);
        let at_least = |distance: Option<Distance>, span| {
            distance
                .and_then(Distance::least)
                .is_some_and(|least| least >= span)
        };
        let opposite = distance.as_ref().and_then(Distance::opposite);
        at_least(distance, self.span)
            || at_least(opposite, later.span)
            || self.rows_are_apart(later, crossed).unwrap_or(false)
    }

    fn rows_are_apart(&self, later: &Self, crossed: Option<usize>) -> Option<bool> {
        let (rows, others) = (self.rows.as_ref()?, later.rows.as_ref()?);
        let pitch = rows.pitch.max(others.pitch);
        let one_pitch = [rows.pitch, others.pitch]
            .iter()
            .all(|&other| other == 0 || other == pitch);
        if !one_pitch || rows.element != others.element {
            return None;
        }
        let sums = [
            Distance::between(&self.first, &later.first, crossed)?,
            Distance::of(&rows.count, Of::Earlier, crossed)?,
            Distance::of(&rows.bytes, Of::Earlier, crossed)?,
            Distance::of(&others.count, Of::Later, crossed)?,
            Distance::of(&others.bytes, Of::Later, crossed)?,
        ];
        in_all_rounds(&sums, |values| {
            let &[distance, count, bytes, counts, others] = values else {
                return None;
            };
            let distance = distance.checked_mul(rows.element)?;
            meet(distance, pitch, [count, bytes], [counts, others]).map(|meet| !meet)
        })
    }
}

/// Whether rows of two accesses meet: so many of so many bytes each, the first row of the second
/// one `distance` bytes behind the first one's.
fn meet(
    distance: i64,
    pitch: i64,
    [count, bytes]: [i64; 2],
    [counts, others]: [i64; 2],
) -> Option<bool> {
    if [count, bytes, counts, others]
        .iter()
        .any(|&number| number <= 0)
    {
        return Some(false);
    }
    if pitch == 0 {
        return Some(-others < distance && distance < bytes);
    }
    // Of two rows `by` rows from each other, the second begins at `distance + by * pitch` in the
    // first: the first such number that is behind -others.
    let least = (-others).checked_sub(distance)?.div_euclid(pitch) + 1;
    let by = least.max(1 - count);
    let begin = by.checked_mul(pitch)?.checked_add(distance)?;
    Some(by < counts && begin < bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all bytes of both.
    #[test]
    fn rows_that_meet() {
        let touched = |first: i64, pitch: i64, [count, bytes]: [i64; 2]| {
            let rows = (0..count).map(move |row| first + row * pitch);
            rows.flat_map(move |begin| begin..begin + bytes)
        };
        for pitch in [1, 4, 7] {
            for distance in -16..16 {
                for shapes in 0..4i64.pow(4) {
                    let number = |place: u32| shapes / 4i64.pow(place) % 4;
                    let (one, other) = ([number(0), number(1)], [number(2), number(3)]);
                    let mut first = touched(0, pitch, one);
                    let expected =
                        first.any(|byte| touched(distance, pitch, other).any(|b| b == byte));
                    let found = meet(distance, pitch, one, other);
                    assert_eq!(
                        found,
                        Some(expected),
                        "{distance} {pitch} {one:?} {other:?}"
                    );
                }
            }
        }
    }
}
