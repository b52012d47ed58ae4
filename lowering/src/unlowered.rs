//! `pld-verify-lowerable`: the gate before the lowerings.
//!
//! A pipeline looks at tile level, where all that is left shows, whether there is an
//! operation that its lowering does not know yet, so that its passes meet only what they know.

use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{
    bridge, diag,
    pass::{OptionSpec, Options, Pass, Reported},
    view,
};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-verify-lowerable",
    description: "Refuse operations that a target's lowering does not know yet. Changes nothing.",
    options: &[OptionSpec {
        name: "target",
        description: "the lowering to come: cpu or hccl",
        default: "cpu",
    }],
    run,
};

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let (target, unknown): (_, &[&str]) = match options.get("target") {
        "cpu" => ("the CPU", &[]),
        "hccl" => ("AscendC", UNLOWERED_TO_ASCENDC),
        other => {
            diag::failure(
                module.location(),
                format!("option target is '{other}', expected cpu or hccl"),
            )
            .emit();
            return Err(Reported);
        }
    };
    let refused = bridge::collect(module, |name| unknown.contains(&name));
    for op in &refused {
        let name = view::name(op);
        diag::failure(
            op.location(),
            format!("'{name}' is not lowered to {target} yet"),
        )
        .emit();
    }
    if refused.is_empty() {
        Ok(())
    } else {
        Err(Reported)
    }
}

/// Operations of the language that only the lowering to AscendC refuses. One leaves the list
/// when its lowering comes.
const UNLOWERED_TO_ASCENDC: &[&str] = &[];
