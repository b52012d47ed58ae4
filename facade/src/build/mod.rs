//! Building a program in Rust as its text reads.
//!
//! ```
//! use pld::{Element::{F32, I32}, Program};
//! use pld::build::{DYNAMIC, input, memref, output, tile, window};
//!
//! let program = Program::build(|m| {
//!     let parameters = [
//!         input(memref([1, 64], F32)),
//!         output(memref([1, 64], F32)),
//!         input(window([1, 64], F32)),
//!         input(window([DYNAMIC, 1], I32)),
//!     ];
//!     m.incore("pull", parameters, |f, [x, y, data, signal]| {
//!         let t = tile([1, 64], F32);
//!         let ctx = f.get_comm_ctx(data);
//!         let (me, n) = (f.rank(ctx), f.nranks(ctx));
//!         let local = f.load(x, [0, 0], &t);
//!         f.store(local, data, [0, 0]);
//!         f.barrier(signal);
//!         let peer = f.remsi(f.addi(me, 1), n);
//!         let recv = f.remote_load(data, [0, 0], peer, &t);
//!         f.store(recv, y, [0, 0]);
//!     });
//! })?;
//! assert!(program.to_string().contains("pld.remote_load"));
//! # Ok::<(), pld::Error>(())
//! ```
//!
//! A [`Body`] has one method for each operation of both dialects, of its name (but
//! [`Body::core_group`] for `pl.at core_group`), which takes operands in the order of the text
//! and gives the result. Offsets are arrays or tuples, in
//! which numbers and values mix: `(i, 0)`. A scalar operand is a value or a number. Optional
//! parts go through a second form: [`Body::load_part`].
//!
//! Nothing is checked on the way: verifiers look at the module when it is complete, and
//! [`Program::build`](crate::Program::build) returns what they say, each diagnostic at the
//! line of Rust that built the operation.
//!
//! | file | holds |
//! | --- | --- |
//! | `types` | types, by their spelling |
//! | `operand` | offsets, scalars, optional parts |
//! | `module` | functions and their parameters |
//! | `body` | a place to build at; constants, arithmetic, calls |
//! | `control` | loops and branches |
//! | `pl`, `values`, `pld`, `collective` | the operations of the dialects |

mod body;
mod collective;
mod control;
mod module;
mod operand;
mod pl;
mod pld;
mod types;
mod values;

pub use body::Body;
pub use module::{Function, Module, Parameter, inout, input, output};
pub use operand::{Cmp, Indices, Part, Reduce, Round, Scalar, Transfer};
pub use pld_dialects::types::DYNAMIC;
pub use pld_dialects::view::{Mixed, NotifyKind, WaitCmp};
pub use types::{Type, index, memref, scalar, tensor, tile, window};

/// A value of the program that is built.
pub type Value<'c, 'a> = melior::ir::Value<'c, 'a>;
