//! Matrix products: what they read in place, in what form they want it, and where they
//! accumulate.

use super::{
    DIRECT,
    body::Body,
    groups::{REMOTE_LOAD, is_transparent, row_wise},
    slots::{Holds, Slot},
};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    types::{Element, Shaped},
    view,
};
use std::collections::HashSet;

/// Whether an operation is a matrix product.
pub(in super::super) fn is_product(op: OperationRef) -> bool {
    matches!(view::name(&op), "pl.matmul" | "pl.matmul_acc")
}

/// The left and the right side of a product.
pub(in super::super) fn sides<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<[Value<'c, 'a>; 2]> {
    let first = usize::from(view::is(&op, "pl.matmul_acc"));
    Some([op.operand(first).ok()?, op.operand(first + 1).ok()?])
}

/// With more rows than these, a right side in memory is worth a copy. It is read again for every
/// few rows, and its rows are often a power of two of bytes apart: they share a few sets of the
/// cache then.
const ROWS_IN_PLACE: i64 = 16;

/// Loads that are made by their only user, a product: nothing in between changes memory.
pub(super) fn direct(body: &Body) -> HashSet<usize> {
    let is_direct = |&number: &usize| {
        let op = body.ops[number];
        let Some(tile) = view::result(&op).filter(|_| view::is(&op, "pl.load")) else {
            return false;
        };
        let &[user] = body.uses(tile) else {
            return false;
        };
        let product = body.ops[user];
        row_wise(op).is_some()
            && is_product(product)
            && sides(product).is_some_and(|sides| sides.contains(&tile))
            && product.block() == op.block()
            && (number + 1..user).all(|between| is_harmless(body.ops[between]))
    };
    (0..body.ops.len()).filter(is_direct).collect()
}

/// Whether a side of a product is brought to a slot: it is not f32 by rows, or in memory and
/// read often.
fn is_packed(product: OperationRef, side: usize, tile: Value) -> bool {
    if side == 1 && (product.has_attribute("transpose_b") || is_read_often(product, tile)) {
        return true;
    }
    Shaped::of(tile.r#type()).and_then(|shaped| shaped.element()) != Some(Element::F32)
}

/// Whether a right side is in memory still, and has many rows beside it.
fn is_read_often(product: OperationRef, tile: Value) -> bool {
    let result = view::result(&product).and_then(|result| Shaped::of(result.r#type()));
    view::defining_op(tile).is_some_and(|load| load.has_attribute(DIRECT))
        && result
            .is_some_and(|shaped| matches!(shaped.shape[..], [rows, _] if rows > ROWS_IN_PLACE))
}

/// Neither changes memory nor lets others do so.
fn is_harmless(op: OperationRef) -> bool {
    let acts = matches!(view::name(&op), "pl.store" | REMOTE_LOAD);
    is_transparent(op) || is_product(op) || (row_wise(op).is_some() && !acts)
}

/// Slots for the sides of a product that are packed. Loads are marked as direct before.
pub(super) fn packed(body: &Body, number: usize) -> Vec<Slot> {
    let op = body.ops[number];
    let Some(sides) = is_product(op).then(|| sides(op)).flatten() else {
        return Vec::new();
    };
    let mut slots = Vec::new();
    for (side, tile) in sides.into_iter().enumerate() {
        let Some(shaped) = Shaped::of(tile.r#type()) else {
            continue;
        };
        if !is_packed(op, side, tile) {
            continue;
        }
        let elements = shaped
            .shape
            .iter()
            .try_fold(1i64, |all, &n| all.checked_mul(n));
        slots.push(Slot {
            holds: Holds::Packed(number, side),
            bytes: elements.and_then(|elements| elements.checked_mul(4)),
            first: number,
            last: number,
            offset: 0,
        });
    }
    slots
}
