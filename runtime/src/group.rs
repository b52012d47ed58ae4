//! Groups of ranks that share a window buffer.

use crate::finding::Finding;
use std::collections::HashMap;

/// The ranks that share a buffer; dense numbers count its members in order.
#[derive(Clone)]
pub(crate) enum Group {
    World(usize),
    Members {
        world: Vec<usize>,
        dense: HashMap<usize, usize>,
    },
}

impl Group {
    /// The group of these world ranks, in this order.
    pub(crate) fn new(members: &[i64], world: usize) -> Result<Self, Box<Finding>> {
        let mut group = Vec::with_capacity(members.len());
        let mut dense = HashMap::with_capacity(members.len());
        for &member in members {
            let rank = usize::try_from(member)
                .ok()
                .filter(|&rank| rank < world)
                .ok_or_else(|| {
                    Finding::new(
                        "pld-406",
                        format!("group member {member} is not a rank of a world of {world}"),
                    )
                    .note("start the program with more ranks, or name only ranks that exist")
                })?;
            if dense.insert(rank, group.len()).is_some() {
                return Err(Finding::new(
                    "pld-406",
                    format!("group member {rank} is listed twice"),
                ));
            }
            group.push(rank);
        }
        Ok(Self::Members {
            world: group,
            dense,
        })
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::World(n) => *n,
            Self::Members { world, .. } => world.len(),
        }
    }

    /// Dense number of a world rank.
    pub(crate) fn dense(&self, rank: usize) -> Option<usize> {
        match self {
            Self::World(n) => (rank < *n).then_some(rank),
            Self::Members { dense, .. } => dense.get(&rank).copied(),
        }
    }

    /// World rank of a dense number.
    pub(crate) fn member(&self, dense: i64) -> Option<usize> {
        let dense = usize::try_from(dense).ok()?;
        match self {
            Self::World(n) => (dense < *n).then_some(dense),
            Self::Members { world, .. } => world.get(dense).copied(),
        }
    }

    /// World ranks, ascending.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = usize> {
        let mut ranks: Vec<usize> = match self {
            Self::World(n) => (0..*n).collect(),
            Self::Members { world, .. } => world.clone(),
        };
        ranks.sort_unstable();
        ranks.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups number their members densely, in the order given.
    #[test]
    fn dense_ranks() {
        let group = Group::new(&[2, 1], 4).unwrap();
        assert_eq!(
            (group.dense(2), group.dense(1), group.dense(0)),
            (Some(0), Some(1), None)
        );
        assert_eq!(
            (group.member(0), group.member(2), group.member(-1)),
            (Some(2), None, None)
        );
        assert!(Group::new(&[4], 4).is_err());
        assert!(Group::new(&[-1], 4).is_err());
        assert!(Group::new(&[1, 1], 4).is_err());
    }
}
