//! The generated project: kernels, host program, support files, build file.

use super::{pipeline, print};
use melior::ir::operation::OperationRef;
use pld_dialects::{bridge, pass::Reported};

/// A file of a generated project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFile {
    /// Path below the project's folder, with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// A file that is embedded in this library.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedFile {
    /// Path below its folder, with `/`.
    pub path: &'static str,
    /// The whole text.
    pub text: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The project of the host function `entry` (empty: the only one, or `@main`): generated
/// code, support files, build file.
///
/// `module` is a program as `--lower-pld-to-hccl` takes it; it is lowered in place. The
/// passes must have been registered ([`crate::register`] and [`pld_passes::register`]).
///
/// # Errors
///
/// A module that cannot be lowered for the target; the diagnostics have been emitted.
pub fn project(module: OperationRef, entry: &str) -> Result<Vec<ProjectFile>, Reported> {
    bridge::run_pipeline(module, &pipeline::for_entry(entry))?;
    let generated = print::files(module)?
        .into_iter()
        .map(|(path, text)| ProjectFile { path, text });
    let support = SUPPORT.iter().map(|file| ProjectFile {
        path: file.path.into(),
        text: file.text.into(),
    });
    Ok(generated.chain(support).collect())
}

/// Checks the host function `entry` against the limits of a target, as `a2a3`; `module` is
/// lowered in place.
///
/// # Errors
///
/// What the target cannot do; the diagnostics have been emitted.
pub fn check_target(module: OperationRef, entry: &str, arch: &str) -> Result<(), Reported> {
    bridge::run_pipeline(module, &pipeline::check(entry, arch))
}
