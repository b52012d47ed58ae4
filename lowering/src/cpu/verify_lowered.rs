//! `pl-cpu-verify-lowered`: the gate behind our own passes.

use melior::ir::{
    BlockLike, RegionLike, Type, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    pass::{Options, Pass, Reported},
    view,
};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-cpu-verify-lowered",
    description: "Refuse operations and types of pl and pld, and say which pass should have \
                  lowered them.",
    options: &[],
    run,
};

const PASS_BEFORE: &str = "pl-cpu-emit";

/// Operations that another pass than `pl-cpu-emit` lowers.
const OTHERS: &[(&str, &str)] = &[("pld.barrier", "pld-lower-collectives")];

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for op in bridge::collect(module, |_| true) {
        if let Some(message) = refusal(op) {
            diag::failure(op.location(), message).emit();
            outcome = Err(Reported);
        }
    }
    outcome
}

/// Why an operation may not be left, if it is one of ours.
pub(super) fn left_over(op: OperationRef) -> Option<String> {
    let name = view::name(&op);
    let is_ours = name.starts_with("pl.") || name.starts_with("pld.");
    let pass = OTHERS.iter().find(|row| row.0 == name);
    let pass = pass.map_or(PASS_BEFORE, |row| row.1);
    is_ours
        .then(|| format!("'{name}' op is left for the CPU, expected --{pass} to have lowered it"))
}

fn refusal(op: OperationRef) -> Option<String> {
    if let Some(message) = left_over(op) {
        return Some(message);
    }
    let mut results = op.results().map(Value::from);
    let arguments = || {
        let blocks = op.regions().filter_map(|region| region.first_block());
        blocks
            .flat_map(|block| (0..block.argument_count()).map(move |index| block.argument(index)))
            .filter_map(|argument| argument.ok().map(Value::from))
            .collect::<Vec<_>>()
    };
    let value = results.find(|value| is_ours(value.r#type())).or_else(|| {
        arguments()
            .into_iter()
            .find(|value| is_ours(value.r#type()))
    })?;
    Some(format!(
        "'{}' op has a value of {}, expected --{PASS_BEFORE} to have lowered it",
        view::name(&op),
        value.r#type()
    ))
}

fn is_ours(r#type: Type) -> bool {
    bridge::is_tile(r#type)
        || bridge::is_dtensor(r#type)
        || bridge::is_window_buffer(r#type)
        || bridge::is_comm_ctx(r#type)
}
