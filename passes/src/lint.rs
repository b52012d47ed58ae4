//! `pld-lint`: what no verifier can see, since it takes more than one function, or a
//! whole one.
//!
//! | code | rule | file |
//! | --- | --- | --- |
//! | 103, error | functions of a kind do not recurse, and are not called by functions without one | `lint/program.rs` |
//! | 104, error | a constant offset or extent is out of bounds where it is sure to run | here |
//! | 110, error | one window buffer passed on as two operands of a collective | `lint/aliases.rs` |
//! | 408, error | a constant step of a loop that is not above zero | here |
//! | 112, warning | `pl.out` never written; scalars before memory; a window buffer not used | `lint/unused.rs` |
//! | 113, warning | a window staged before a barrier or wait, and no peer's slice touched | `lint/peers.rs` |
//!
//! The cost is linear in the size of the module, but for the depth of its regions.

mod aliases;
mod peers;
mod program;
mod unused;

use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{
    bridge,
    diag::{self, Code},
    pass::{Options, Pass, Reported},
    verify_constants,
    view::{self, constant},
};
use program::Program;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-lint",
    description: "Report recursion, constant accesses out of bounds, loops whose constant \
                  step is not above zero and window buffers that reach a collective twice, and warn of what is legal but odd: outputs never written, window buffers never used, windows \
                  staged for peers that never look. Changes nothing.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    check(module)
}

/// Lints a module and those in it.
///
/// # Errors
///
/// A rule that is broken, after its diagnostic.
pub fn check(module: OperationRef) -> Result<(), Reported> {
    let mut fine = true;
    let mut modules = vec![module];
    modules.extend(bridge::collect(module, |name| name == "builtin.module"));
    modules.dedup();
    for module in modules {
        fine &= lint(module);
    }
    if fine { Ok(()) } else { Err(Reported) }
}

/// Lints the functions that stand directly in a module.
fn lint(module: OperationRef) -> bool {
    let program = Program::of(module);
    let mut fine = program.check_calls();
    for function in &program.functions {
        unused::check(&program, function);
        for &op in &function.ops {
            fine &= !is_sure_to_run(op) || verify_constants(op);
            fine &= check_step(op);
        }
    }
    // Without recursion callees can be looked at before their callers.
    if let Some(order) = &program.callees_first {
        fine &= aliases::check(&program, order);
        peers::check(&program, order);
    }
    fine
}

/// A loop of a constant step that is not above zero would never end.
fn check_step(op: OperationRef) -> bool {
    if !view::is(&op, "scf.for") {
        return true;
    }
    let step = view::operand(&op, 2).and_then(constant);
    let unsigned = op.has_attribute("unsignedCmp");
    match step.filter(|&step| step == 0 || step < 0 && !unsigned) {
        None => true,
        Some(step) => {
            let message = format!("has the step {step}, so it would never end");
            diag::error(&op, Code(408), message)
                .note("give it a step above zero; to count down, subtract from the end")
                .emit();
            false
        }
    }
}

/// Whether an operation runs whenever its function does: no branch or block around it, and only
/// loops of constant bounds that turn at least once.
fn is_sure_to_run(op: OperationRef) -> bool {
    let mut parent = op.parent_operation();
    while let Some(op) = parent {
        match view::name(&op) {
            "func.func" => return true,
            "pl.at" => {}
            "scf.for" => {
                let bound = |index| view::operand(&op, index).and_then(constant);
                match (bound(0), bound(1)) {
                    (Some(lower), Some(upper)) if lower < upper => {}
                    _ => return false,
                }
            }
            _ => return false,
        }
        parent = op.parent_operation();
    }
    false
}
