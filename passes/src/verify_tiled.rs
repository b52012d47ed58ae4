//! `pl-verify-tiled`: the gate between tensors and tiles.

use melior::ir::{
    TypeLike, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag, enclosing_function, function_kind,
    pass::{Options, Pass, Reported},
    view,
};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-verify-tiled",
    description: "Refuse what is left of tensor-level code in functions of a kind, and name the \
                  pass that should have lowered it. Changes nothing.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    let mut fine = true;
    for op in bridge::collect(module, |_| true) {
        let function = enclosing_function(op);
        if function.is_none_or(|function| function_kind(&function).is_none()) {
            continue;
        }
        if let Some(pass) = missed_by(op) {
            let name = view::name(&op);
            let message =
                format!("'{name}' op is tensor-level code, expected --{pass} to have lowered it");
            diag::failure(op.location(), message).emit();
            fine = false;
        }
    }
    if fine { Ok(()) } else { Err(Reported) }
}

/// The pass that should have lowered an operation which is left.
fn missed_by(op: OperationRef) -> Option<&'static str> {
    let has_tensor = op.operands().any(|value| value.r#type().is_ranked_tensor())
        || op
            .results()
            .any(|result| result.r#type().is_ranked_tensor());
    match view::name(&op) {
        "pl.at" => Some("pl-outline-at"),
        "pl.slice" | "pl.assemble" => Some("pl-tile-tensors"),
        _ => has_tensor.then_some("pl-tile-tensors"),
    }
}
