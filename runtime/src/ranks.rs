//! Sets of ranks, kept and printed as ranges.

use serde::Serialize;
use std::fmt;

/// Ascending ranks as inclusive ranges; prints as `0-3, 7`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct RankSet {
    ranges: Vec<(usize, usize)>,
}

impl RankSet {
    /// Whether the set holds no rank.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many ranks the set holds.
    pub fn len(&self) -> usize {
        self.ranges
            .iter()
            .map(|(first, last)| last - first + 1)
            .sum()
    }

    /// Whether the set holds `rank`.
    pub fn contains(&self, rank: usize) -> bool {
        self.ranges
            .iter()
            .any(|&(first, last)| (first..=last).contains(&rank))
    }

    /// The inclusive ranges, ascending.
    pub fn ranges(&self) -> &[(usize, usize)] {
        &self.ranges
    }
}

impl FromIterator<usize> for RankSet {
    /// Collects ranks that come in ascending order.
    fn from_iter<I: IntoIterator<Item = usize>>(ranks: I) -> Self {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for rank in ranks {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == rank => *last = rank,
                _ => ranges.push((rank, rank)),
            }
        }
        Self { ranges }
    }
}

impl fmt::Display for RankSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        for (i, (first, last)) in self.ranges.iter().take(SHOWN).enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            match last - first {
                0 => write!(f, "{separator}{first}")?,
                1 => write!(f, "{separator}{first}, {last}")?,
                _ => write!(f, "{separator}{first}-{last}")?,
            }
        }
        if self.ranges.len() > SHOWN {
            write!(f, ", ...")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges are what keeps a report of thousands of ranks readable.
    #[test]
    fn prints_ranges() {
        let set: RankSet = [0, 1, 2, 3, 7, 9, 10].into_iter().collect();
        assert_eq!(set.to_string(), "0-3, 7, 9, 10");
        assert_eq!(set.len(), 7);
        assert!(set.contains(2) && !set.contains(8));
        assert!(RankSet::default().is_empty());
    }
}
