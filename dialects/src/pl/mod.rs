//! The tile dialect, one file per family of operations.

pub mod elementwise;
pub mod memory;
