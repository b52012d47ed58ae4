//! Finds the LLVM and MLIR 22 that pld is built on: by variable, by `llvm-config-22`, or where
//! packages put it.

mod find;
#[cfg(test)]
mod tests;

pub use find::{Host, Llvm, Machine, Missing, VARIABLES, find};
