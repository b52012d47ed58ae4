//! Lowering to the CPU: compiled code for the simulator.
//!
//! ```text
//!  pl/pld --to tile--> plan --> emit --> gate --> upstream --> llvm --JIT--> code
//! ```
//!
//! | pass | file |
//! | --- | --- |
//! | `pl-cpu-plan` | `plan/`: groups of row-wise operations, slots of tiles |
//! | `pl-cpu-emit` | `emit.rs` |
//! | `pl-cpu-verify-lowered` | `verify_lowered.rs` |
//!
//! | family | file |
//! | --- | --- |
//! | signatures, calls, words | `function.rs` |
//! | checks of goldens | `golden.rs` |
//! | windows, dispatch, `pl.shard`, `memref.alloc` | `host.rs` |
//! | addresses, bounds, `pl.read`, `pl.write`, `pl.dim` | `memory.rs` |
//! | groups: whole-tile load and store, elementwise, cast, reductions of rows, broadcasts | `group.rs`, `row.rs`, `transfer.rs`, `elementwise.rs`, `math.rs`, `cast.rs`, `reduce.rs`, `broadcast.rs` |
//! | reductions of columns, shapes | `reduce.rs`, `shape.rs` |
//! | matrix products | `matmul.rs` |
//! | other tile operations, tiles carried by `scf` | `tiles.rs` |
//! | groups of ranks, notify, wait | `signal.rs` |
//! | blocks | `spmd.rs` |
//! | scalar arithmetic without a result | `scalar.rs` |
//! | conversions that a CPU lacks | `soft_float.rs` |

mod broadcast;
mod cast;
mod elementwise;
mod emit;
mod frame;
mod function;
mod golden;
mod group;
mod host;
mod jit;
mod llvm;
mod math;
mod matmul;
mod memory;
mod nest;
mod objects;
mod pipeline;
mod plan;
mod reduce;
mod row;
mod scalar;
mod shape;
mod signal;
mod sites;
mod soft_float;
mod spmd;
mod tiles;
mod transfer;
mod vector;
mod verify_lowered;

pub use jit::{CompileOptions, Compiled, Cpu, compile};

use pld_dialects::pass::{self, Pass, Pipeline};

static PASSES: &[Pass] = &[plan::PASS, emit::PASS, verify_lowered::PASS];
static PIPELINES: &[Pipeline] = &[pipeline::TO_CPU];

pub(crate) fn register() {
    pass::register(PASSES, PIPELINES);
}
