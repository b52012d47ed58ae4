//! The CPU lowering, by running what it compiles.

mod bounds;
mod casts;
mod control;
mod elementwise;
mod examples;
mod goldens;
mod harness;
mod memory;
mod random;
mod values;
