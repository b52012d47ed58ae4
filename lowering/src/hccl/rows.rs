//! Reductions of rows and columns, and broadcasts along them.
//!
//! | operation | statements (all on pipe V) |
//! | --- | --- |
//! | `row_sum`, `row_max`, `row_min` of f32 | a reducing instruction for each row |
//! | other row reductions | the blocks of each row are combined, then the lanes of one block |
//! | column reductions | the first row is combined with the others, from top to bottom |
//! | `row_expand*` | a fill, or an operation of a tile and a scalar, for each row |
//! | `col_expand*` | a copy, or an operation of two tiles, for each row |
//!
//! The result of a row reduction is a tile of one column like any other: each element begins a
//! block of its own. The scalar unit reads such a column, element by element, where it is
//! broadcast.

use super::{
    layout::Layout,
    profile::Profile,
    statement::{Form, Pipe, Place, Row, home},
};
use melior::ir::operation::OperationRef;
use pld_dialects::view;

/// Each operation, the elementwise one that it applies, and the same of a tile and a scalar.
const APPLIES: &[(&str, &str, &str)] = &[
    ("pl.row_sum", "pl.add", "pl.adds"),
    ("pl.row_max", "pl.max", "pl.maxs"),
    ("pl.row_min", "pl.min", "pl.mins"),
    ("pl.row_prod", "pl.mul", "pl.muls"),
    ("pl.col_sum", "pl.add", "pl.adds"),
    ("pl.col_max", "pl.max", "pl.maxs"),
    ("pl.col_min", "pl.min", "pl.mins"),
    ("pl.col_prod", "pl.mul", "pl.muls"),
    ("pl.row_expand_add", "pl.add", "pl.adds"),
    ("pl.row_expand_sub", "pl.sub", "pl.subs"),
    ("pl.row_expand_mul", "pl.mul", "pl.muls"),
    ("pl.row_expand_div", "pl.div", "pl.divs"),
    ("pl.row_expand_max", "pl.max", "pl.maxs"),
    ("pl.row_expand_min", "pl.min", "pl.mins"),
    ("pl.col_expand_add", "pl.add", "pl.adds"),
    ("pl.col_expand_sub", "pl.sub", "pl.subs"),
    ("pl.col_expand_mul", "pl.mul", "pl.muls"),
    ("pl.col_expand_div", "pl.div", "pl.divs"),
    ("pl.col_expand_max", "pl.max", "pl.maxs"),
    ("pl.col_expand_min", "pl.min", "pl.mins"),
];

/// The elementwise operation of two tiles that an operation applies to rows or columns.
pub fn elementwise(op: &str) -> Option<&'static str> {
    Some(APPLIES.iter().find(|row| row.0 == op)?.1)
}

/// As [`elementwise`], of a tile and a scalar.
pub fn with_scalar(op: &str) -> Option<&'static str> {
    Some(APPLIES.iter().find(|row| row.0 == op)?.2)
}

/// Whether an operation reduces rows or columns.
pub fn is_reduction(op: &str) -> bool {
    elementwise(op).is_some() && !op.contains("_expand_")
}

/// Whether an operation is one of this file.
pub fn knows(op: &str) -> bool {
    matches!(op, "pl.row_expand" | "pl.col_expand") || elementwise(op).is_some()
}

/// The instruction that reduces a row, if the target has one for the element type.
pub fn instruction(profile: &Profile, op: &str, layout: &Layout) -> Option<&'static str> {
    let row = profile.reductions.iter().find(|row| row.op == op)?;
    row.elements
        .contains(&layout.element)
        .then_some(row.ascendc)
}

/// Whether the reducing instruction needs more scratch than the block of its result.
fn needs_scratch(profile: &Profile, op: &str, layout: &Layout) -> bool {
    // Two elements for each 256-byte repeat.
    let repeats = (layout.cols * layout.element.bytes() / 256).max(1);
    op != "pl.row_sum" && 2 * repeats * layout.element.bytes() > profile.align
}

/// The rows of an operation.
pub fn rows<'c, 'a>(profile: &Profile, op: OperationRef<'c, 'a>) -> Option<Vec<Row<'c, 'a>>> {
    let name = view::name(&op);
    let first = view::operand(&op, 0)?;
    let source = Place::Tile(home(first));
    let result = Place::Tile(view::result(&op)?);
    let second = view::operand(&op, 1).map(|value| Place::Tile(home(value)));
    let statement = |form, reads: &[Place<'c, 'a>]| Row::new(form, Pipe::V, reads, &[result]);
    let by_scalars = |row: Row<'c, 'a>, place| Row {
        scalars: vec![place],
        ..row
    };
    Some(match (name, second) {
        ("pl.row_expand", _) => vec![by_scalars(statement(Form::ByColumn, &[]), source)],
        ("pl.col_expand", _) => vec![statement(Form::ByRow, &[source])],
        (_, Some(column)) if name.starts_with("pl.row_") => {
            vec![by_scalars(statement(Form::ByColumn, &[source]), column)]
        }
        (_, Some(row)) => vec![statement(Form::ByRow, &[source, row])],
        _ if name.starts_with("pl.col_") => vec![statement(Form::FoldRows, &[source])],
        _ => {
            let layout = Layout::of(profile, first)?;
            if instruction(profile, name, &layout).is_some() {
                let mut row = statement(Form::ReduceRows, &[source]);
                if needs_scratch(profile, name, &layout) {
                    row.writes.push(Place::Scratch(0, first));
                }
                return Some(vec![row]);
            }
            let mut rows = vec![statement(Form::FoldBlocks, &[source])];
            if layout.cols > 1 {
                let lanes = statement(Form::FoldLanes, &[result]);
                rows.push(by_scalars(lanes, result));
            }
            rows
        }
    })
}
