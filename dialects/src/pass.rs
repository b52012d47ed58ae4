//! Passes, pipelines and translations written in Rust, by name.
//!
//! Each is a constant; a crate lists its own and [`register`]s them.

use crate::bridge;
use melior::ir::operation::OperationRef;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An option of a pass or pipeline.
#[derive(Debug)]
pub struct OptionSpec {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for `--help`: meaning and choices.
    pub description: &'static str,
    /// Value when it is not given.
    pub default: &'static str,
}

/// A failure that has already been reported by a diagnostic.
#[derive(Debug, PartialEq, Eq)]
pub struct Reported;

/// A pass over a module.
#[derive(Debug)]
pub struct Pass {
    /// Command-line name, as `pld-lint`.
    pub argument: &'static str,
    /// The contract: what it expects, what holds after.
    pub description: &'static str,
    /// Options, all of them strings.
    pub options: &'static [OptionSpec],
    /// Runs it on a `builtin.module`.
    pub run: for<'c, 'a> fn(OperationRef<'c, 'a>, &Options) -> Result<(), Reported>,
}

/// A named pipeline of passes.
#[derive(Debug)]
pub struct Pipeline {
    /// Command-line name, as `lower-pld-to-hccl`.
    pub argument: &'static str,
    /// What goes in and what comes out.
    pub description: &'static str,
    /// Options, all of them strings.
    pub options: &'static [OptionSpec],
    /// The textual pipeline inside `builtin.module(...)`, or why there is none.
    pub build: fn(&Options) -> Result<String, String>,
}

/// A translation from MLIR to text.
#[derive(Debug)]
pub struct Translation {
    /// Command-line name, as `mlir-to-ascendc`.
    pub argument: &'static str,
    /// What it prints.
    pub description: &'static str,
    /// Prints a module.
    pub run: for<'c, 'a> fn(OperationRef<'c, 'a>) -> Result<String, Reported>,
}

/// Option values of one run.
#[derive(Debug)]
pub struct Options<'a> {
    specs: &'static [OptionSpec],
    values: Vec<&'a str>,
}

impl<'a> Options<'a> {
    pub(crate) fn new(specs: &'static [OptionSpec], values: Vec<&'a str>) -> Self {
        Self { specs, values }
    }

    /// The defaults of `specs`.
    pub fn defaults(specs: &'static [OptionSpec]) -> Self {
        Self {
            specs,
            values: specs.iter().map(|spec| spec.default).collect(),
        }
    }

    /// The value of an option; empty for a name that is not one.
    pub fn get(&self, name: &str) -> &str {
        let index = self.specs.iter().position(|spec| spec.name == name);
        index
            .and_then(|index| self.values.get(index).copied())
            .unwrap_or_default()
    }
}

/// All that has been registered, each list in the order it was.
#[derive(Clone, Debug)]
pub struct Registered {
    /// Passes.
    pub passes: Vec<&'static Pass>,
    /// Pipelines.
    pub pipelines: Vec<&'static Pipeline>,
    /// Translations.
    pub translations: Vec<&'static Translation>,
}

static REGISTERED: Mutex<Registered> = Mutex::new(Registered {
    passes: Vec::new(),
    pipelines: Vec::new(),
    translations: Vec::new(),
});

/// What [`register`] and [`register_translation`] have been given up to now.
pub fn registered() -> Registered {
    lock().clone()
}

fn lock() -> MutexGuard<'static, Registered> {
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers passes and pipelines by name, for the tools and for textual pipelines. Doing
/// so again changes nothing.
pub fn register(passes: &'static [Pass], pipelines: &'static [Pipeline]) {
    // Locked to the end: when it returns, all are registered, whoever did it.
    let mut known = lock();
    for pass in passes {
        if known.passes.iter().all(|it| it.argument != pass.argument) {
            bridge::register_pass(pass);
            known.passes.push(pass);
        }
    }
    for pipeline in pipelines {
        let argument = pipeline.argument;
        if known.pipelines.iter().all(|it| it.argument != argument) {
            bridge::register_pipeline(pipeline);
            known.pipelines.push(pipeline);
        }
    }
}

/// Registers a translation by name, for `pld-translate`. Doing so again changes nothing.
pub fn register_translation(translation: &'static Translation) {
    let mut known = lock();
    let argument = translation.argument;
    if known.translations.iter().all(|it| it.argument != argument) {
        bridge::register_translation(translation);
        known.translations.push(translation);
    }
}
