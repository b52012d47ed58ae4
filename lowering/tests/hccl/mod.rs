//! The AscendC backend, by building what it generates over the emulation and running it.

mod collectives;
mod control;
mod elementwise;
mod exchange;
mod failures;
mod harness;
mod hosts;
mod measures;
mod memory;
mod mutants;
mod names;
mod products;
mod programs;
mod random;
mod rearrange;
mod rows;
mod spmd;
mod tiles;
