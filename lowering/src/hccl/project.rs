//! The generated project: kernels, host program, support files, build file.

use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{diag, pass::Reported};

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

/// The project of the host function `entry`: generated code, support files, build file.
///
/// `module` is a program as `--lower-pld-to-hccl` takes it; it is lowered in place.
///
/// # Errors
///
/// A module that cannot be lowered for the target; the diagnostics have been emitted.
pub fn project(module: OperationRef, entry: &str) -> Result<Vec<ProjectFile>, Reported> {
    diag::failure(
        module.location(),
        format!("cannot generate a project for @{entry}: the lowering to emitc is not built yet"),
    )
    .emit();
    Err(Reported)
}
