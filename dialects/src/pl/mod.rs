//! The tile dialect, one file per family of operations.

pub mod broadcast;
pub mod elementwise;
pub mod matmul;
pub mod memory;

/// Attribute of an in-core function made of a `pl.at` region: its values are tensors still.
pub const TENSORS: &str = "pl.tensors";
/// Attribute that the memory planner leaves: where the tiles of an operation are on-core.
pub const UB: &str = "pl.ub";
/// Attribute of an emitted statement: the pipe it runs on, and what it reads and writes.
pub const EFFECTS: &str = "pl.effects";
/// Attribute that proposes a name in emitted code.
pub const NAME: &str = "pl.name";
/// Attribute of an emitted statement: file and line of the program that it comes from.
pub const SOURCE: &str = "pl.source";
pub mod reduce;
pub mod shape;
