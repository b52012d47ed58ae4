//! `pld-verify-lowerable`: the gate before the lowerings.
//!
//! Each lowering has one list of the operations it does not know yet; a pipeline looks at it
//! first, so that its passes meet only what they know.

use crate::{cpu, hccl};
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
    let (target, unlowered) = match options.get("target") {
        "cpu" => ("the CPU", cpu::UNLOWERED),
        "hccl" => ("AscendC", hccl::UNLOWERED),
        other => {
            diag::failure(
                module.location(),
                format!("option target is '{other}', expected cpu or hccl"),
            )
            .emit();
            return Err(Reported);
        }
    };
    let refused = bridge::collect(module, |name| unlowered.contains(&name));
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
