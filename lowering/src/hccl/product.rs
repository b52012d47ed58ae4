//! Matrix products, which the cube core of a block makes.
//!
//! The two kinds of core share global memory only. The vector core puts both sides into its
//! block's part of a workspace (MTE3), asks for the product (a fence), and gets the result back
//! (MTE2). See `common/pld_cube.h` of the generated project for the cube core's side.
//!
//! | bytes of a block's workspace | |
//! | --- | --- |
//! | from 0 | the cell that says which product is wanted: its number, from 1 |
//! | `left`, `right` | the sides, row after row |
//! | `result` | the product, row after row |

use super::statement::{Form, Pipe, Place, Row, Slot, home};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{bridge, types::Shaped};

/// Alignment of the parts of a workspace, in bytes.
const ALIGN: i64 = 512;

/// The rows of a `pl.matmul`.
pub fn rows<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<Vec<Row<'c, 'a>>> {
    let side = |index| Some(Place::Tile(home(op.operand(index).ok()?)));
    let put = |index| {
        Some(Row::new(
            Form::PutSide(index),
            Pipe::Mte3,
            &[side(index)?],
            &[],
        ))
    };
    let result = Place::Tile(op.result(0).ok()?.into());
    let multiply = Row {
        fence: true,
        ..Row::new(Form::Multiply, Pipe::All, &[], &[Place::Slot(Slot::Signal)])
    };
    Some(vec![
        put(0)?,
        put(1)?,
        multiply,
        Row::new(Form::GetProduct, Pipe::Mte2, &[], &[result]),
    ])
}

/// The products of a function; a product's number is its place, from 1.
pub fn products<'c, 'a>(function: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    bridge::collect(function, |name| name == "pl.matmul")
}

/// The parts of a block's workspace, which all products of a function share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// First byte of the left side.
    pub left: i64,
    /// First byte of the right side.
    pub right: i64,
    /// First byte of the product.
    pub result: i64,
    /// Bytes of all.
    pub bytes: i64,
}

impl Workspace {
    /// That of a function; `None` if it has no products.
    pub fn of(function: OperationRef) -> Option<Self> {
        let products = products(function);
        let most = |value: &dyn Fn(&OperationRef) -> Option<i64>| {
            let bytes = products.iter().filter_map(value).max()?;
            Some((bytes + ALIGN - 1) / ALIGN * ALIGN)
        };
        let left = ALIGN;
        let right = left + most(&|op| bytes(op.operand(0).ok()?))?;
        let result = right + most(&|op| bytes(op.operand(1).ok()?))?;
        Some(Self {
            left,
            right,
            result,
            bytes: result + most(&|op| bytes(op.result(0).ok()?.into()))?,
        })
    }
}

/// Bytes of a tile without padding.
fn bytes(tile: Value) -> Option<i64> {
    let shaped = Shaped::of(tile.r#type())?;
    let elements: i64 = shaped.shape.iter().product();
    Some(elements * shaped.element()?.bytes())
}
