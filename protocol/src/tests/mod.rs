//! Tests of the whole check: rules on small programs, and agreement with plain search.

mod agree;
mod barrier;
mod brute;
mod build;
mod data;
pub(crate) mod faults;
mod mend;
mod random;
mod rules;
mod schedule;
