//! What a program says to its peers, and whether it can go wrong in any schedule.
//!
//! It knows nothing of MLIR: the pass `pld-check-protocol` reads the IR and writes down, for one
//! number of ranks, the [`Skeleton`] of the program; the rest works on that.

mod skeleton;

pub use skeleton::*;
