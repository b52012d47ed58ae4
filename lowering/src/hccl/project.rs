//! The generated project: kernels, host program, support files, build file.

use super::{
    emit::program::Program,
    pipeline::{self, Choices},
    print,
    profile::A2A3,
    profile::Profile,
    verify_target,
};
use melior::ir::operation::OperationRef;
use pld_dialects::{bridge, pass::Reported, view};
use pld_passes::{lint, select_entry};

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

/// The project of the host function `entry` (empty: the only one, or `@main`), by these
/// `choices`, or a form of barrier alone: generated code, support files, build file.
///
/// `module` is a program as `--lower-pld-to-hccl` takes it; it is lowered in place. The
/// passes must have been registered ([`crate::register`] and [`pld_passes::register`]).
///
/// # Errors
///
/// A module that cannot be lowered for the target; the diagnostics have been emitted.
pub fn project(
    module: OperationRef,
    entry: &str,
    choices: impl Into<Choices>,
) -> Result<Vec<ProjectFile>, Reported> {
    lint::check(module)?;
    select_entry::select(module, entry)?;
    let choices = choices.into();
    let arch = choices.arch.unwrap_or(verify_target::ARCH.default);
    // Of an unknown one the passes say so.
    let profile = Profile::named(arch).unwrap_or(&A2A3);
    let frame = frame(module, profile)?;
    bridge::run_pipeline(module, &pipeline::with_choices(choices))?;
    let generated = print::files(module)?
        .into_iter()
        .map(|(path, text)| ProjectFile { path, text });
    let support = SUPPORT.iter().map(|file| ProjectFile {
        path: file.path.into(),
        text: file.text.into(),
    });
    Ok(generated.chain(support).chain(frame).collect())
}

/// Build file and README of a module with one entry.
fn frame(module: OperationRef, profile: &Profile) -> Result<Vec<ProjectFile>, Reported> {
    let program = Program::of(module)?;
    let name = view::string(&program.entry, "sym_name").unwrap_or_default();
    let arguments = program.arguments()?;
    let fixed = SUPPORT
        .iter()
        .map(|file| file.path)
        .filter(|path| path.ends_with(".cpp"));
    let sources: Vec<_> = ["host/program.cpp"].into_iter().chain(fixed).collect();
    let mut options = String::new();
    let mut table = Vec::new();
    for (number, argument) in arguments.iter().enumerate() {
        options.push_str(&argument.option(number));
        table.push(argument.table_row(number));
    }
    let fill = |path: &str, template: &str| ProjectFile {
        path: path.into(),
        text: template
            .replace("@NAME@", &name)
            .replace("@NPU@", profile.npu)
            .replace("@HOST_SOURCES@", &sources.join(" "))
            .replace("@ARGUMENTS@", &options)
            .replace("@TABLE@", &table.join("\n")),
    };
    Ok(vec![
        fill("CMakeLists.txt", include_str!("template/CMakeLists.txt")),
        fill("README.md", include_str!("template/README.md")),
    ])
}

/// The name of a target as the library keeps it, or a message that lists the known ones.
///
/// # Errors
///
/// There is no such target.
pub fn target(arch: &str) -> Result<&'static str, String> {
    Profile::named(arch)
        .map(|profile| profile.name)
        .ok_or_else(|| format!("target is '{arch}', expected {}", Profile::names()))
}

/// The most ranks of a program on a target, as `a2a3`; `None` for an unknown one.
pub fn most_ranks(arch: &str) -> Option<usize> {
    usize::try_from(Profile::named(arch)?.ranks).ok()
}

/// Checks the host function `entry` against the limits of a target, as `a2a3`; `module` is
/// lowered in place.
///
/// # Errors
///
/// What the target cannot do; the diagnostics have been emitted.
pub fn check_target(module: OperationRef, entry: &str, arch: &str) -> Result<(), Reported> {
    lint::check(module)?;
    select_entry::select(module, entry)?;
    bridge::run_pipeline(module, &pipeline::check(arch))
}
