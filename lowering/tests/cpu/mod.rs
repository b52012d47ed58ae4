//! The CPU lowering, by running what it compiles.

mod bounds;
mod casts;
mod collectives;
mod control;
mod elementwise;
mod examples;
mod fused;
mod goldens;
pub mod harness;
mod in_place;
mod kept;
mod layout;
mod matmul;
mod memory;
pub mod random;
mod rearrange;
mod roots;
mod spmd;
mod tensors;
pub mod values;
