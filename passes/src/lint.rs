//! `pld-lint`.
use melior::ir::operation::OperationRef;
use pld_dialects::pass::{Options, Pass, Reported};
/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-lint",
    description: "Warn of what is legal but odd.",
    options: &[],
    run,
};
fn run(_: OperationRef, _: &Options) -> Result<(), Reported> {
    Ok(())
}
