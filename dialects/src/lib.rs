//! The MLIR dialects `pl` (tile programs) and `pld` (distributed tile programs).
//!
//! ```text
//!  in.mlir --parse--> pl/pld --verify--> pl/pld --passes--> pl/pld --lower--> emitc | llvm
//!            ^^^^^^^^^^^^^^^^^^^^^^^^^^
//!            you are here
//! ```
//!
//! Operations, types and attributes are defined once, in `td/`. From there come the C++
//! classes (compiled by the build script) and the builders in [`ods`]. Their meaning, the
//! verifiers, is Rust: one file per family under [`pl`] and [`pld`]. All FFI is in
//! [`bridge`].

pub mod bridge;
pub mod diag;
pub mod emit;
pub mod file;
pub mod flow;
pub mod jit;
pub mod pass;
pub mod pl;
pub mod pld;
pub mod types;
pub mod view;

mod fold;
mod level;
mod shape;
mod source;
mod verify;

pub use level::{
    Direction, Kind, arg_attribute_of, arg_direction, enclosing_function, entry_arguments,
    function_kind, functions_beside, kinds_for, signature,
};
pub use melior;
pub use verify::verify_constants;

use melior::{Context, dialect::DialectRegistry};

/// Builders and accessors generated from `td/`.
pub mod ods {
    melior::dialect! {
        name: "pl",
        files: ["pl/Pl.td"],
        include_directory_env_vars: ["PLD_TD_DIR"],
    }
    melior::dialect! {
        name: "pld",
        files: ["pld/Pld.td"],
        include_directory_env_vars: ["PLD_TD_DIR"],
    }
}

/// A context with both dialects and all of upstream's registered and loaded.
///
/// Use it instead of `Context::new`: asking for a type of a dialect that is not loaded
/// crashes in MLIR.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    bridge::register_everything(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// A context of one thread with everything registered, but nothing loaded except both
/// dialects: the parser and the pass manager load the others when they meet them.
///
/// For tools that must start at once; loading all of upstream takes longer than running
/// a small program.
pub fn lazy_context() -> Context {
    let registry = DialectRegistry::new();
    bridge::register_everything(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.get_or_load_dialect("pl");
    context.get_or_load_dialect("pld");
    context
}
