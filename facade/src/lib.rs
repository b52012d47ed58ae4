//! What a frontend embeds: text in; diagnostics, results or a generated project out.
//!
//! ```text
//!  Source --parse--> Program --check--> warnings
//!                     |--entry--> Entry (signature, golden)
//!                     |--Simulation--> Outcome: findings, mismatches, arrays
//!                     '--project--> AscendC and HCCL sources
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | `diagnostic` | diagnostics as values, and their text with source line and caret |
//! | `explain` | what a diagnostic code means |
//! | `source` | a parsed module and its checks |
//! | `entry` | host functions: arguments, golden, world sizes |
//! | `bind` | extents and initial values of an entry's arguments |
//! | `array`, `fill`, `npy` | arrays, what fills them, NumPy files |
//! | `compare` | results against goldens |
//! | `project` | the generated project on disk |
//! | `simulate` | a run on the simulator |
//! | `emulate` | a run of the generated project under the emulation |
//! | `report` | an outcome as JSON |
//!
//! Nothing here panics or exits on a bad program or a bad input: both give [`Error`].

mod array;
mod bind;
mod compare;
mod diagnostic;
mod emulate;
mod entry;
mod explain;
mod fill;
mod npy;
mod project;
mod report;
mod simulate;
mod source;
#[cfg(test)]
mod tests;

pub use array::Array;
pub use bind::{Extent, Input};
pub use compare::{Mismatch, Tolerance};
pub use diagnostic::{Diagnostic, Error, Note, Position, Severity};
pub use entry::{Argument, ArgumentKind, Entry, Golden};
pub use explain::{codes, explain};
pub use fill::{Bound, Fill};
pub use pld_dialects::{Direction, diag::Code, types::Element};
pub use pld_lowering::hccl::ProjectFile;
pub use pld_runtime::Finding;
pub use project::write_project;
pub use report::Report;
pub use simulate::{Outcome, Simulation, Verdict};
pub use source::{Program, Source};
