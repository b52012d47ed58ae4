//! Tests of the whole check: rules on small programs, and agreement with plain search.

mod agree;
mod brute;
mod build;
pub(crate) mod faults;
mod mend;
mod random;
mod rules;
