//! What a program says to its peers, and whether it can go wrong in any schedule.
//!
//! It knows nothing of MLIR: the pass `pld-check-protocol` reads the IR and writes down, for one
//! number of ranks, the [`Skeleton`] of the program; the rest works on that. [`check`] is the
//! whole of it.

/// The first expression; in tests that plant this fault the second.
#[cfg(test)]
macro_rules! planted {
    ($fault:ident, $right:expr, $wrong:expr) => {
        match crate::tests::faults::is_planted(crate::tests::faults::Fault::$fault) {
            false => $right,
            true => $wrong,
        }
    };
}
#[cfg(not(test))]
macro_rules! planted {
    ($fault:ident, $right:expr, $wrong:expr) => {
        $right
    };
}

mod bytes;
mod check;
mod class;
mod describe;
mod explore;
mod finding;
mod footprint;
mod meeting;
mod mend;
mod merge;
mod order;
mod record;
mod rules;
mod skeleton;
mod system;
mod witness;

pub use check::{check, find};
pub use finding::*;
pub use record::*;
pub use skeleton::*;

#[cfg(test)]
mod tests;
