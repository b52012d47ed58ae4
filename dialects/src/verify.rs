//! From an operation's name to its verifier.

use crate::{level, pl, pld, view};
use melior::ir::{Attribute, operation::OperationRef};

/// Verifies one operation of `pl` or `pld`; reports every broken rule.
///
/// Not verified here but elsewhere: symbol uses of a dispatch (`symbol_use`), upstream
/// operations inside functions of a kind (`level::function`), whole-function warnings
/// (the lint pass), and everything that needs a world size (the protocol check and the
/// simulator).
pub(crate) fn operation(op: OperationRef) -> bool {
    let level = level::operation(op);
    let own = match view::name(&op).as_str() {
        "pl.load" | "pl.store" | "pl.read" | "pl.write" => pl::memory::verify_access(op),
        "pl.dim" => pl::memory::verify_dim(op),
        "pl.shard" => pl::memory::verify_shard(op),
        "pl.adds" | "pl.muls" => pl::elementwise::verify_scalar(op),
        "pl.cast" => pl::elementwise::verify_cast(op),
        "pld.alloc_window_buffer" => pld::window::verify_alloc(op),
        "pld.window" => pld::window::verify_window(op),
        "pld.get_comm_ctx" => pld::window::verify_comm_ctx(op),
        "pld.notify" | "pld.wait" => pld::signal::verify_cell(op),
        "pld.barrier" => pld::signal::verify_barrier(op),
        "pld.remote_load" | "pld.remote_store" => pld::remote::verify_access(op),
        // Nothing beyond ODS and the level rules.
        "pl.full" | "pl.add" | "pl.mul" | "pld.world_size" | "pld.rank" | "pld.nranks"
        | "pld.dispatch" => true,
        other => unreachable!("{other} has a verifier in td/ but none here"),
    };
    level && own
}

pub(crate) fn symbol_use(op: OperationRef, callee: Option<OperationRef>) -> bool {
    pld::dispatch::verify_callee(op, callee)
}

pub(crate) fn op_attribute(op: OperationRef, name: &str, attribute: Attribute) -> bool {
    level::attribute::op_attribute(op, name, attribute)
}

pub(crate) fn arg_attribute(
    op: OperationRef,
    argument: usize,
    name: &str,
    attribute: Attribute,
) -> bool {
    level::attribute::arg_attribute(op, argument, name, attribute)
}

pub(crate) fn result_attribute(op: OperationRef, result: usize, name: &str) -> bool {
    level::attribute::result_attribute(op, result, name)
}
