//! Lowering to the CPU: compiled code for the simulator.

use melior::ir::{operation::OperationLike, operation::OperationRef};
use pld_dialects::{
    diag,
    pass::{self, Pass, Pipeline, Reported},
};
use pld_runtime::{Function, Site};

static PASSES: &[Pass] = &[];
static PIPELINES: &[Pipeline] = &[];

pub(crate) fn register() {
    pass::register(PASSES, PIPELINES);
}

/// What compiled code checks while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompileOptions {
    /// Check every dynamic access to memory and windows (401).
    pub bounds: bool,
    /// Tell the race detector of accesses to the own window slice.
    pub races: bool,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            bounds: true,
            races: true,
        }
    }
}

/// A compiled module.
#[derive(Debug)]
pub struct Compiled {
    sites: Vec<Site>,
}

impl Compiled {
    /// The code of a `pl.host`, `pl.device` or `pl.golden` function; valid as long as `self`.
    pub fn function(&self, _name: &str) -> Option<Function> {
        None
    }

    /// What the `site` argument of runtime calls indexes.
    pub fn sites(&self) -> Vec<Site> {
        self.sites.clone()
    }
}

/// Lowers a module in place and compiles it for this machine.
///
/// # Errors
///
/// What is wrong has been reported by a diagnostic.
pub fn compile(module: OperationRef, _: &CompileOptions) -> Result<Compiled, Reported> {
    diag::failure(module.location(), "compiling for the CPU is not built yet").emit();
    Err(Reported)
}
