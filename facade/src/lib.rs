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
//! | [`build`] | programs built in Rust instead of parsed |
//! | [`ir`] | the module itself: views of operations, passes, melior |
//! | `source` | a parsed module and its checks |
//! | `entry` | host functions: arguments, golden, world sizes |
//! | `bind` | extents and initial values of an entry's arguments |
//! | `array`, `fill`, `npy` | arrays, what fills them, NumPy files |
//! | `compare` | results against goldens |
//! | `project` | the generated project on disk |
//! | `simulate`, `outcome` | a run on the simulator, and what comes of it |
//! | `emulate` | a run of the generated project under the emulation |
//! | `cost`, `trace`, `progress` | what a run cost, its timeline, how far it is |
//! | `report` | an outcome as JSON |
//!
//! A program, a world size, inputs, a schedule and checks in; results, findings and a cost
//! card out:
//!
//! ```
//! use pld::{Array, Element, Input, Program, Simulation, Source, Verdict};
//!
//! let text = include_str!("../../examples/05_remote_load_store.mlir");
//! let program = Program::parse(&Source::new("shift.mlir", text))?;
//! let x = Array::zeros(Element::F32, &[2, 1, 64]).expect("a small array");
//! let outcome = Simulation::new(&program, 2)
//!     .input(0, Input::Array(x))
//!     .seed(7)
//!     .races(true)
//!     .weak(true)
//!     .cost(true)
//!     .run()?;
//! assert_eq!(outcome.verdict(), Verdict::Agrees);
//! assert!(outcome.findings().is_empty());
//! let cost = outcome.cost.expect("asked for");
//! assert_eq!(cost.ranks[0].counters.load_bytes, 256);
//! assert_eq!(cost.total.counters.rounds, 1);
//! # Ok::<(), pld::Error>(())
//! ```
//!
//! Nothing here panics or exits on a bad program or a bad input: both give [`Error`].

mod array;
mod bind;
pub mod build;
mod compare;
mod cost;
mod diagnostic;
mod emulate;
mod entry;
mod explain;
mod fill;
mod npy;
mod outcome;
mod progress;
mod project;
mod protocol;
mod replay;
mod report;
mod simulate;
mod source;
#[cfg(test)]
mod tests;
mod trace;

pub use array::Array;
pub use bind::{Extent, Input};
pub use compare::{Mismatch, Tolerance};
pub use cost::{Cost, RankCost};
pub use diagnostic::{Diagnostic, Error, Note, Position, Severity};
pub use emulate::refuses_world;
pub use entry::{Argument, ArgumentKind, Entry, Golden};
pub use explain::{codes, explain};
pub use fill::{Bound, Fill};
pub use outcome::{Outcome, Verdict, exit_code};
pub use pld_dialects::{Direction, diag::Code, types::Element};
pub use pld_lowering::{Barrier, hccl::ProjectFile};
pub use pld_protocol::Record as ProtocolFinding;
pub use pld_runtime::{Counters, Finding, WindowInfo};
pub use progress::{Phase, Progress};
pub use project::write_project;
pub use replay::read_finding;
pub use report::{Content, Report};
pub use simulate::Simulation;
pub use source::{Program, Source};

/// The IR below: views of operations as verifiers and passes read them, the builders
/// generated from `dialects/td`, and melior, in the version that all of it is built on.
///
/// [`Program::module`](crate::Program::module) hands over a program's module:
///
/// ```
/// use pld::ir::{bridge, view};
/// # let text = "func.func @f(%w: !pld.dtensor<4x1xi32>, %v: i32, %p: index) attributes {pl.incore} {
/// #   pld.notify add %v, %w[2, 0] to %p : !pld.dtensor<4x1xi32>
/// #   return }";
/// let program = pld::Program::parse(&pld::Source::new("kernel.mlir", text))?;
/// program.module(|module| {
///     for op in bridge::collect(module, |name| name == "pld.notify") {
///         let notify = view::Notify::of(op).expect("a verified notify");
///         assert_eq!(notify.offsets[0].as_static(), Some(2));
///     }
/// });
/// # Ok::<(), pld::Error>(())
/// ```
pub mod ir {
    pub use melior;
    pub use pld_dialects::{Kind, bridge, diag, emit, ods, pass, types, view};
}
