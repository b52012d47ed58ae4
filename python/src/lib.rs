//! `pld._native`: programs as text in; diagnostics, lowered text, projects and runs out.
//!
//! Plain types only: what they mean to a user is `python/pld`.

mod diagnostic;
mod outcome;
mod program;
mod run;

use pyo3::prelude::*;

/// The native part of the package `pld`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::{
        diagnostic::{Refused, explain},
        outcome::Outcome,
        program::Program,
    };

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
