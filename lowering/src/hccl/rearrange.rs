//! Parts and arrangements of tiles.
//!
//! | operation | statements |
//! | --- | --- |
//! | `extract_slice`, `insert_slice`, `concat`, `reshape` | copies of whole blocks (V) |
//! | `transpose` | each element by the scalar unit (S) |
//! | `gather` | a copy of each row that the index names (V), which the scalar unit reads |
//! | `iota` | the first row by the scalar unit (S), copies of it (V) |
//!
//! Copies move blocks: what does not begin or end with one is refused.

use super::{
    layout::Layout,
    profile::Profile,
    statement::{Form, Pipe, Place, Row, home},
};
use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::view::{self, Mixed};

/// Whether an operation is one of this file.
pub fn knows(op: &str) -> bool {
    matches!(
        op,
        "pl.extract_slice"
            | "pl.insert_slice"
            | "pl.concat"
            | "pl.reshape"
            | "pl.transpose"
            | "pl.gather"
            | "pl.iota"
    )
}

/// The rows of an operation.
pub fn rows<'c, 'a>(profile: &Profile, op: OperationRef<'c, 'a>) -> Option<Vec<Row<'c, 'a>>> {
    let value = op.result(0).ok()?.into();
    let result = Place::Tile(value);
    let tile = |index| Some(Place::Tile(home(op.operand(index).ok()?)));
    let vector = |form, source| Row::new(form, Pipe::V, &[source], &[result]);
    Some(match view::name(&op) {
        "pl.reshape" => vec![vector(Form::Copy, tile(0)?)],
        "pl.extract_slice" => vec![vector(Form::Blocks(0), tile(0)?)],
        "pl.insert_slice" => vec![
            vector(Form::Copy, tile(1)?),
            vector(Form::Blocks(0), tile(0)?),
        ],
        "pl.concat" => vec![
            vector(Form::Blocks(0), tile(0)?),
            vector(Form::Blocks(1), tile(1)?),
        ],
        "pl.transpose" => vec![Row::new(Form::Transpose, Pipe::S, &[tile(0)?], &[result])],
        "pl.gather" => vec![Row {
            scalars: vec![tile(1)?],
            ..vector(Form::Gather, tile(0)?)
        }],
        _ => {
            let mut rows = vec![Row::new(Form::Count, Pipe::S, &[], &[result])];
            if Layout::of(profile, value)?.rows > 1 {
                rows.push(vector(Form::CopyDown, result));
            }
            rows
        }
    })
}

/// Why an operation cannot be done with whole blocks, and how to mend it.
pub fn refusal(profile: &Profile, op: OperationRef) -> Option<(String, String)> {
    let layout = |index| Layout::of(profile, op.operand(index).ok()?);
    let result = Layout::of(profile, op.result(0).ok()?.into())?;
    let elements = profile.align / result.element.bytes();
    let whole = |what: &str, layout: &Layout| {
        let bytes = layout.cols * layout.element.bytes();
        (bytes != layout.pitch).then(|| {
            let reason = format!(
                "has {what} rows of {bytes} bytes, but {} rearranges whole blocks of {} bytes",
                profile.name, profile.align
            );
            (
                reason,
                format!("use rows of a multiple of {elements} elements"),
            )
        })
    };
    let begins = |column: Mixed| match column.folded() {
        Mixed::Static(column) if column % elements == 0 => None,
        column => {
            let at = match column {
                Mixed::Static(column) => format!("column {column}"),
                Mixed::Dynamic(_) => "a column known at run time only".into(),
            };
            let reason = format!(
                "begins at {at}, but {} rearranges whole blocks of {} bytes",
                profile.name, profile.align
            );
            let mend = format!("begin at a constant multiple of {elements} columns");
            Some((reason, mend))
        }
    };
    match view::name(&op) {
        "pl.reshape" => whole("source", &layout(0)?).or_else(|| whole("result", &result)),
        "pl.concat" if view::integer(&op, "dim") == Some(1) => whole("left", &layout(0)?),
        "pl.extract_slice" => begins(*view::offsets(op, 1)?.get(1)?),
        "pl.insert_slice" => {
            let (part, column) = (layout(0)?, *view::offsets(op, 2)?.get(1)?);
            begins(column).or_else(|| match column.folded() {
                // The rest of the last block is padding.
                Mixed::Static(column) if column + part.cols == result.cols => None,
                _ => whole("inserted", &part),
            })
        }
        _ => None,
    }
}
