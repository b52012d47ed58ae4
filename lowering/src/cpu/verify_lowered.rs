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

fn refusal(op: OperationRef) -> Option<String> {
    let name = view::name(&op);
    if name.starts_with("pl.") || name.starts_with("pld.") {
        let pass = OTHERS.iter().find(|row| row.0 == name);
        let pass = pass.map_or("pl-cpu-emit", |row| row.1);
        return Some(format!(
            "'{name}' op is left for the CPU, expected --{pass} to have lowered it"
        ));
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
        "'{name}' op has a value of {}, expected --pl-cpu-emit to have lowered it",
        value.r#type()
    ))
}

fn is_ours(r#type: Type) -> bool {
    bridge::is_tile(r#type)
        || bridge::is_dtensor(r#type)
        || bridge::is_window_buffer(r#type)
        || bridge::is_comm_ctx(r#type)
}
