//! The CPU lowering, by running what it compiles.

mod examples;
mod harness;
