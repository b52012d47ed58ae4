//! Row-wise operations: each group of the plan becomes one loop nest.
//!
//! | operation | in each strip |
//! | --- | --- |
//! | `pl.load`, `pl.store` of whole tiles | one vector load or store |
//! | `pld.remote_load` of one that is used at once | the same, of the peer's memory: `pld_rt_reach` |
//! | `pl.full` | a broadcast |
//! | elementwise | see `elementwise` |
//! | `pl.cast` | see `cast` |
//! | `pl.row_sum` and its like | a step of an accumulator, see `reduce` |
//! | `pl.row_expand`, `pl.col_expand` and their like | an element, or the strip of a row, see `broadcast` |
//!
//! A row has several strip loops where a reduction of it must be known, see `plan::stages`. A
//! tile that is used outside its group is also stored to its slot.

use super::{
    frame::Frame,
    host::malformed,
    llvm::Llvm,
    nest,
    plan::{
        groups::{Form, row_wise},
        stages::Stages,
    },
    row::Group,
    transfer::{Transfers, copy_out, key, transfers},
};
use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{emit::Emitter, pass::Reported, view};
use std::collections::HashMap;

/// Lowers the operations of one group, given in program order.
pub(super) fn lower<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    ops: &[OperationRef<'c, 'a>],
) -> Result<(), Reported> {
    let (Some(&first), Some(&last)) = (ops.first(), ops.last()) else {
        return Ok(());
    };
    // At the last one, where all operands are there.
    let at = Emitter::before(last).ok_or(Reported)?;
    let forms = ops.iter().filter_map(|&op| row_wise(op));
    let form = forms.reduce(|all, form| all.with(form).unwrap_or(all));
    let form: Form = form.ok_or_else(|| malformed(first))?;
    let (rows, columns) = (form.rows, form.columns());
    let stages = Stages::of(ops, columns);
    let transfers = transfers(frame, &at, ops, columns)?;
    if !leaves_anything(frame, ops, &transfers) {
        return Ok(());
    }
    let dense = transfers
        .values()
        .all(|transfer| transfer.region.row_length == Some(columns));
    // Rows that follow each other without a gap are one long row.
    let is_one_row = dense && stages.is_flat;
    if is_one_row && copies(frame, &at, ops, &transfers, rows * columns) {
        return Ok(());
    }
    let mut group = Group {
        frame,
        ops,
        stages: &stages,
        transfers: &transfers,
        wide: HashMap::new(),
        narrow: HashMap::new(),
        sums: Vec::new(),
        columns: if is_one_row { rows * columns } else { columns },
        is_wide: columns > 1,
    };
    let mut outcome = Ok(());
    let mut row = |at: &Emitter<'c, 'a>, row| {
        if outcome.is_ok() {
            outcome = group.row(at, row);
        }
    };
    if is_one_row {
        row(&at, at.word(0));
    } else {
        nest::each_row(&at, rows, &mut row);
    }
    outcome?;
    for transfer in ops.iter().filter_map(|op| transfers.get(&key(*op))) {
        if let Some((slot, used)) = transfer.fallback {
            let at = at.with_location(transfer.access.op.location());
            at.if_then(used, |at| copy_out(at, transfer, slot, rows, columns));
        }
    }
    Ok(())
}

/// From so many bytes on, the C library's copy is faster than a loop of ours.
const COPIED_FROM: i64 = 2048;

/// Emits one copy, if all that a group does is to load so many elements and to store them; it
/// needs no fallback, since the two may overlap. Whether it did.
fn copies<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    ops: &[OperationRef<'c, 'a>],
    transfers: &Transfers<'c, 'a>,
    elements: i64,
) -> bool {
    let &[load, store] = ops else {
        return false;
    };
    let [Some(from), Some(to)] = [load, store].map(|op| transfers.get(&key(op))) else {
        return false;
    };
    let bytes = elements * from.region.element.bytes();
    let copies = !from.access.writes
        && to.access.writes
        && from.access.value == to.access.value
        && frame.slots.of(from.access.value).is_none()
        && bytes >= COPIED_FROM;
    if copies {
        let at = &at.with_location(store.location());
        at.memmove(to.region.address(at), from.region.address(at), bytes);
    }
    copies
}

/// Whether a group stores anything: one of `pl.full` alone, which others make again, does not.
fn leaves_anything<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    ops: &[OperationRef<'c, 'a>],
    transfers: &Transfers<'c, 'a>,
) -> bool {
    let has_slot = |op: &OperationRef<'c, 'a>| {
        view::result(op).is_some_and(|result| frame.slots.of(result).is_some())
    };
    transfers.values().any(|transfer| transfer.access.writes) || ops.iter().any(has_slot)
}
