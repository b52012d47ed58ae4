//! A column repeated along rows, a row repeated along columns, alone or combined with a tile.

use super::{
    elementwise,
    frame::Frame,
    host::malformed,
    llvm::Llvm,
    nest,
    tiles::{Lowered, Slot},
    vector::{Lanes, storage},
};
use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{emit::Emitter, pass::Reported, view};

/// Operation, and what it combines with; empty for nothing.
const COLUMN_ALONG_ROWS: &[(&str, &str)] = &[
    ("pl.row_expand", ""),
    ("pl.row_expand_add", "pl.add"),
    ("pl.row_expand_sub", "pl.sub"),
    ("pl.row_expand_mul", "pl.mul"),
    ("pl.row_expand_div", "pl.div"),
    ("pl.row_expand_max", "pl.max"),
    ("pl.row_expand_min", "pl.min"),
];
const ROW_ALONG_COLUMNS: &[(&str, &str)] = &[
    ("pl.col_expand", ""),
    ("pl.col_expand_add", "pl.add"),
    ("pl.col_expand_sub", "pl.sub"),
    ("pl.col_expand_mul", "pl.mul"),
    ("pl.col_expand_div", "pl.div"),
    ("pl.col_expand_max", "pl.max"),
    ("pl.col_expand_min", "pl.min"),
];

/// Whether an operation is one of these.
pub(super) fn knows(name: &str) -> bool {
    let mut rows = COLUMN_ALONG_ROWS.iter().chain(ROW_ALONG_COLUMNS);
    rows.any(|row| row.0 == name)
}

pub(super) fn lower<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let name = view::name(&op);
    let find = |table: &'static [(&str, &'static str)]| table.iter().find(|row| row.0 == name);
    let (of_column, found) = match find(COLUMN_ALONG_ROWS) {
        Some(found) => (true, found),
        None => (false, find(ROW_ALONG_COLUMNS).ok_or_else(|| malformed(op))?),
    };
    let result = Slot::result(frame, &at, op)?;
    let repeated = Slot::operand(frame, &at, op, op.operand_count() - 1)?;
    let tile = Slot::operand(frame, &at, op, 0)?;
    let element = result.element;
    let mut done = Some(());
    nest::strips(&at, result.rows, result.columns, &mut |at, strip| {
        let lanes = strip.lanes;
        let other = if of_column {
            let address = strip.row_start(at);
            let address = address.address(at, repeated.base, repeated.pitch(at), element.bytes());
            let scalar = at.load(address, storage(at, element), element.bytes());
            at.broadcast(scalar, lanes)
        } else {
            repeated.load(at, strip.in_row(at.word(0)))
        };
        let value = if found.1.is_empty() {
            Some(other)
        } else {
            let own = tile.load(at, strip);
            elementwise::binary(Lanes { at, lanes }, found.1, element, own, other)
        };
        match value {
            Some(value) => result.store(at, strip, value),
            None => done = None,
        }
    });
    done.ok_or_else(|| malformed(op))
}
