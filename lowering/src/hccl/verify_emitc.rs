//! `pld-verify-emitc`: the gate at the end of the pipeline.

use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{
    bridge, diag,
    pass::{Options, Pass, Reported},
    pl::EFFECTS,
    view,
};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-verify-emitc",
    description: "Refuse what pld-translate --mlir-to-ascendc cannot print, and say which pass \
                  should have lowered it: only emitc operations are left, and none waits for \
                  synchronisation.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for op in bridge::collect(module, |name| name != "builtin.module") {
        if let Some(message) = refusal(op) {
            diag::failure(op.location(), message).emit();
            outcome = Err(Reported);
        }
    }
    outcome
}

fn refusal(op: OperationRef) -> Option<String> {
    let name = view::name(&op);
    if !name.starts_with("emitc.") {
        return Some(format!(
            "'{name}' op is left, expected --pld-to-emitc to have lowered it"
        ));
    }
    op.has_attribute(EFFECTS).then(|| {
        format!("'{name}' op still has {EFFECTS}, expected --pl-insert-sync to have ordered it")
    })
}
