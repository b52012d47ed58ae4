//! A column repeated along rows, a row repeated along columns, alone or combined with a tile.

use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::view;

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

/// What an operation of this family combines a tile with what is repeated by; `None` if it
/// only repeats.
pub(super) fn combination(name: &str) -> Option<&'static str> {
    let mut rows = COLUMN_ALONG_ROWS.iter().chain(ROW_ALONG_COLUMNS);
    let found = rows.find(|row| row.0 == name)?;
    Some(found.1).filter(|combination| !combination.is_empty())
}

/// Whether an operation is one of these.
pub(super) fn knows(name: &str) -> bool {
    let mut rows = COLUMN_ALONG_ROWS.iter().chain(ROW_ALONG_COLUMNS);
    rows.any(|row| row.0 == name)
}

/// The tile of one row that an operation repeats, if it is one that repeats a row.
pub(super) fn repeated_row<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let name = view::name(&op);
    let repeats = ROW_ALONG_COLUMNS.iter().any(|row| row.0 == name);
    repeats.then(|| op.operand(op.operand_count() - 1).ok())?
}
