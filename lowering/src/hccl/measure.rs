//! What a program's kernels cost on a target: on-core memory, orders, time by the model.

use super::{
    insert_sync::{self, Orderings},
    pipeline,
    plan_memory::{self, Peak},
    profile::Profile,
};
use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{bridge, diag, pass::Reported};
use pld_passes::{lint, select_entry};

/// What [`measure`] finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measures {
    /// On-core memory, by kernel.
    pub peaks: Vec<Peak>,
    /// Orders, by kernel.
    pub orderings: Vec<Orderings>,
}

/// Measures the kernels of the host function `entry` (empty: the only one, or `@main`) on a
/// target, as `a2a3`. `module` is lowered in place; the passes must have been registered.
///
/// # Errors
///
/// A module that cannot be lowered for the target; the diagnostics have been emitted.
pub fn measure(module: OperationRef, entry: &str, arch: &str) -> Result<Measures, Reported> {
    let Some(profile) = Profile::named(arch) else {
        diag::failure(module.location(), format!("knows no target {arch}")).emit();
        return Err(Reported);
    };
    lint::check(module)?;
    select_entry::select(module, entry)?;
    bridge::run_pipeline(module, &pipeline::legalized_by_default(arch))?;
    let peaks = plan_memory::peaks(module, profile);
    let reuse = plan_memory::REUSE.default;
    bridge::run_pipeline(module, &pipeline::statements(arch, reuse))?;
    Ok(Measures {
        peaks,
        orderings: insert_sync::orderings(module, profile),
    })
}
