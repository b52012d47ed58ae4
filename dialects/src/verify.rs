//! From an operation's name to its verifier.

use crate::{
    level, pl, pld,
    types::Shaped,
    view::{self, Access, Mixed},
};
use melior::ir::{Attribute, ValueLike, operation::OperationRef};

/// Verifies one operation of `pl` or `pld`; reports every broken rule.
///
/// Not verified here but elsewhere: symbol uses of a dispatch (`symbol_use`), upstream
/// operations inside functions of a kind (`level::function`), whole-function warnings
/// (the lint pass), and everything that needs a world size (the protocol check and the
/// simulator).
pub(crate) fn operation(op: OperationRef) -> bool {
    let name = view::name(&op);
    let level = level::operation(op, name);
    let own = match name {
        "pl.load" | "pl.store" | "pl.read" | "pl.write" | "pl.slice" | "pl.assemble" => {
            pl::memory::verify_access(op)
        }
        "pl.dim" => pl::memory::verify_dim(op),
        "pl.shard" => pl::memory::verify_shard(op),
        "pl.iota" => pl::elementwise::verify_iota(op),
        "pl.add" | "pl.sub" | "pl.mul" | "pl.div" | "pl.max" | "pl.min" | "pl.neg" | "pl.abs"
        | "pl.relu" | "pl.exp" | "pl.log" | "pl.sqrt" | "pl.rsqrt" | "pl.recip" | "pl.and"
        | "pl.or" | "pl.xor" | "pl.not" | "pl.shl" | "pl.shr" => pl::elementwise::verify_same(op),
        "pl.adds" | "pl.subs" | "pl.muls" | "pl.divs" | "pl.maxs" | "pl.mins" => {
            pl::elementwise::verify_scalar(op)
        }
        "pl.cmp" => pl::elementwise::verify_cmp(op),
        "pl.select" => pl::elementwise::verify_select(op),
        "pl.cast" => pl::elementwise::verify_cast(op),
        "pl.row_sum" | "pl.row_max" | "pl.row_min" | "pl.row_prod" | "pl.col_sum"
        | "pl.col_max" | "pl.col_min" | "pl.col_prod" => pl::reduce::verify(op),
        "pl.row_expand" | "pl.row_expand_add" | "pl.row_expand_sub" | "pl.row_expand_mul"
        | "pl.row_expand_div" | "pl.row_expand_max" | "pl.row_expand_min" | "pl.col_expand"
        | "pl.col_expand_add" | "pl.col_expand_sub" | "pl.col_expand_mul" | "pl.col_expand_div"
        | "pl.col_expand_max" | "pl.col_expand_min" => pl::broadcast::verify(op),
        "pl.extract_slice" | "pl.insert_slice" => pl::shape::verify_part(op),
        "pl.concat" => pl::shape::verify_concat(op),
        "pl.reshape" => pl::shape::verify_reshape(op),
        "pl.transpose" => pl::shape::verify_transpose(op),
        "pl.gather" => pl::shape::verify_gather(op),
        "pl.matmul" | "pl.matmul_acc" => pl::matmul::verify(op),
        "pld.alloc_window_buffer" => pld::window::verify_alloc(op),
        "pld.window" => pld::window::verify_window(op),
        "pld.get_comm_ctx" => pld::window::verify_comm_ctx(op),
        "pld.notify" | "pld.wait" => pld::signal::verify_cell(op),
        "pld.barrier" => pld::signal::verify_barrier(op),
        "pld.remote_load" | "pld.remote_store" => pld::remote::verify_access(op),
        "pld.put" | "pld.get" => pld::transfer::verify(op),
        "pld.allreduce" | "pld.broadcast" | "pld.reduce_scatter" | "pld.allgather"
        | "pld.all_to_all" | "pld.all_to_all_v" => pld::collective::verify(op),
        // Nothing beyond ODS and the level rules.
        "pl.full" | "pl.at" | "pl.spmd" | "pl.block_idx" | "pl.block_num" | "pl.sync_blocks"
        | "pld.world_size" | "pld.rank" | "pld.nranks" | "pld.dispatch" => true,
        other => unreachable!("{other} has a verifier in td/ but none here"),
    };
    level && own
}

/// Checks the bounds (104) of an access or of a signal's cell once more, with its operands
/// that are constants taken as numbers.
///
/// Verifiers look at static entries only: a constant may stand in a branch that never runs,
/// where a pass has put it. So this is for code as written that is sure to run.
pub fn verify_constants(op: OperationRef) -> bool {
    if let Some(access) = Access::of(op) {
        let Some(memory) = Shaped::of(access.memory.r#type()) else {
            return true;
        };
        let access = Access {
            offsets: folded(access.offsets),
            valid: access.valid.map(folded),
            ..access
        };
        return pl::memory::check_bounds(&access, &memory);
    }
    pld::signal::cell(op).is_none_or(|(signal, offsets)| {
        let window = Shaped::of(signal.r#type());
        window.is_none_or(|window| pld::signal::check_cell(op, &folded(offsets), &window))
    })
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

fn folded<'c, 'a>(entries: Vec<Mixed<'c, 'a>>) -> Vec<Mixed<'c, 'a>> {
    entries.into_iter().map(Mixed::folded).collect()
}
