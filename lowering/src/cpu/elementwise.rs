//! Elementwise operations, one row of a table each.
//!
//! f16 and bf16 are widened to f32, and the result is rounded after each operation.

use super::{
    cast::{self, Mode},
    llvm::Llvm,
    vector::{Lanes, scalar},
};
use melior::ir::Value;
use pld_dialects::types::Element;

/// Operation; what it is on floats and on integers; whether its right operand is a scalar.
const TABLE: &[(&str, &str, &str, bool)] = &[
    ("pl.add", "arith.addf", "arith.addi", false),
    ("pl.mul", "arith.mulf", "arith.muli", false),
    ("pl.adds", "arith.addf", "arith.addi", true),
    ("pl.muls", "arith.mulf", "arith.muli", true),
];

/// Whether the right operand of an operation is a scalar; `None` if it is not in the table.
pub(super) fn takes_scalar(name: &str) -> Option<bool> {
    TABLE.iter().find(|row| row.0 == name).map(|row| row.3)
}

/// Emits an operation of the table on one strip; both operands are vectors.
pub(super) fn emit<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    name: &str,
    element: Element,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let row = TABLE.iter().find(|row| row.0 == name)?;
    if element.is_float() {
        let left = cast::widen(at, element, left);
        let right = cast::widen(at, element, right);
        let result = at.binary(row.1, left, right);
        return Some(cast::narrow(at, element, Mode::Rint, result));
    }
    let result = at.binary(row.2, left, right);
    Some(match element {
        Element::I1 => at.binary("arith.andi", result, at.int(8, 1)),
        _ => result,
    })
}

/// A scalar of the program in all lanes.
pub(super) fn fill<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    element: Element,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    at.at.broadcast(scalar(at.at, value, element), at.lanes)
}
