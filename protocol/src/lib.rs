//! What a program says to its peers, and whether it can go wrong in any schedule.
//!
//! It knows nothing of MLIR: the pass `pld-check-protocol` reads the IR and writes down, for one
//! number of ranks, the [`Skeleton`] of the program; the rest works on that.

mod finding;
mod skeleton;

pub use finding::*;
pub use skeleton::*;

/// Checks all skeletons of one program: one for each number of ranks and, where data decides
/// branches that hold signals, for each way through them.
///
/// Sites of two skeletons are the same operation where their [`Site`]s are equal and name a place.
pub fn check(skeletons: &[Skeleton], _limits: &Limits) -> Report {
    let undecided = skeletons.iter().enumerate().map(|(at, skeleton)| Note {
        skeleton: at,
        world: skeleton.world,
        site: None,
        text: "races and deadlocks are not decided".to_string(),
        incomplete: true,
    });
    Report {
        notes: undecided.collect(),
        incomplete: !skeletons.is_empty(),
        ..Report::default()
    }
}
