//! Blocks of a rank: in what `pl.spmd` runs, a collective acts once per rank.

use melior::ir::operation::OperationRef;
use pld_dialects::{bridge, emit::Emitter, functions_beside, pass::Reported, view};
use std::collections::HashSet;

/// The names of all functions that blocks may run.
pub(super) fn reached(module: OperationRef) -> HashSet<String> {
    let spmds = bridge::collect(module, |name| name == "pl.spmd");
    let mut reached = HashSet::new();
    let mut open = spmds;
    while let Some(op) = open.pop() {
        let beside = pld_dialects::enclosing_function(op).unwrap_or(op);
        let functions = functions_beside(beside);
        for call in bridge::collect(op, |name| name == "func.call") {
            let Some(callee) = view::symbol(&call, "callee") else {
                continue;
            };
            if let Some(function) = functions.get(&callee)
                && reached.insert(callee)
            {
                open.push(*function);
            }
        }
    }
    reached
}

/// Lets all blocks of a rank meet, the first of them do `body`, and all meet again.
pub(super) fn once_per_rank<'c, 'a>(
    at: &Emitter<'c, 'a>,
    body: impl FnOnce(&Emitter<'c, 'a>) -> Result<(), Reported>,
) -> Result<(), Reported> {
    let meet = || at.op("pl.sync_blocks", &[], &[], &[]);
    meet();
    let block = at.value("pl.block_idx", &[], at.index_type(), &[]);
    let first = at.cmpi(0, block, at.index(0));
    let mut done = Ok(());
    at.if_then(first, |at| done = body(at));
    meet();
    done
}
