//! Tests of the whole check: rules on small programs, and agreement with plain search.

mod agree;
mod barrier;
mod brute;
mod build;
mod data;
mod deadlocks;
pub(crate) mod faults;
mod mend;
mod races;
mod random;
mod report;
mod schedule;
