//! Elementwise operations on the vectors of a strip.
//!
//! f16 and bf16 are widened to f32, and the result is rounded after each operation. Integers
//! wrap. `x / 0` is 0 for integers, as the machine would stop.

use super::{
    cast::{self, Mode},
    llvm::Llvm,
    math,
    vector::{Lanes, float, int, scalar},
};
use melior::ir::{Value, operation::OperationRef};
use pld_dialects::{types::Element, view};

/// Operations of two tiles, or of a tile and a scalar: on floats and on integers, where the
/// language has them.
const BINARY: &[(&str, &str, &str)] = &[
    ("pl.add", "arith.addf", "arith.addi"),
    ("pl.adds", "arith.addf", "arith.addi"),
    ("pl.sub", "arith.subf", "arith.subi"),
    ("pl.subs", "arith.subf", "arith.subi"),
    ("pl.mul", "arith.mulf", "arith.muli"),
    ("pl.muls", "arith.mulf", "arith.muli"),
    ("pl.div", "arith.divf", "arith.divsi"),
    ("pl.divs", "arith.divf", "arith.divsi"),
    ("pl.max", "arith.maximumf", "arith.maxsi"),
    ("pl.maxs", "arith.maximumf", "arith.maxsi"),
    ("pl.min", "arith.minimumf", "arith.minsi"),
    ("pl.mins", "arith.minimumf", "arith.minsi"),
    ("pl.and", "", "arith.andi"),
    ("pl.or", "", "arith.ori"),
    ("pl.xor", "", "arith.xori"),
    ("pl.shl", "", "arith.shli"),
    ("pl.shr", "", "arith.shrsi"),
];

const UNARY: &[&str] = &[
    "pl.neg", "pl.abs", "pl.relu", "pl.not", "pl.exp", "pl.log", "pl.sqrt", "pl.rsqrt", "pl.recip",
];

/// Whether an operation is one of these.
pub(super) fn knows(name: &str) -> bool {
    binary_row(name).is_some() || UNARY.contains(&name) || ["pl.cmp", "pl.select"].contains(&name)
}

fn binary_row(name: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    BINARY.iter().find(|row| row.0 == name)
}

/// Emits an operation on one strip. `operands` are vectors in the form of `vector::storage`,
/// of the element type `element` but for a mask.
pub(super) fn emit<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    op: OperationRef,
    element: Element,
    operands: &[Value<'c, 'a>],
) -> Option<Value<'c, 'a>> {
    let name = view::name(&op);
    match *operands {
        [value] if element.is_float() => Some(rounded(
            at,
            element,
            float_unary(at, name, cast::widen(at, element, value))?,
        )),
        [value] => int_unary(at, name, element, value),
        [left, right] if name == "pl.cmp" => {
            compare(at, view::integer(&op, "predicate")?, element, left, right)
        }
        [left, right] => binary(at, name, element, left, right),
        [mask, left, right] => {
            let mask = at.cmpi(int::NE, mask, at.int(8, 0));
            Some(at.at.select(mask, left, right))
        }
        _ => None,
    }
}

/// An operation of two vectors.
pub(super) fn binary<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    name: &str,
    element: Element,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let row = binary_row(name)?;
    if !element.is_float() {
        return Some(int_binary(at, row.2, element, left, right));
    }
    let left = cast::widen(at, element, left);
    let right = cast::widen(at, element, right);
    Some(rounded(at, element, at.binary(row.1, left, right)))
}

fn rounded<'c, 'a>(at: Lanes<'_, 'c, 'a>, element: Element, value: Value<'c, 'a>) -> Value<'c, 'a> {
    cast::narrow(at, element, Mode::Rint, value)
}

fn float_unary<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    name: &str,
    value: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let reciprocal = |value| at.binary("arith.divf", at.float(1.0), value);
    Some(match name {
        "pl.neg" => at.unary("arith.negf", value),
        "pl.abs" => at.unary("math.absf", value),
        "pl.relu" => at.binary("arith.maximumf", value, at.float(0.0)),
        "pl.exp" => math::exp(at, value),
        "pl.log" => math::log(at, value),
        "pl.sqrt" => at.unary("math.sqrt", value),
        "pl.rsqrt" => reciprocal(at.unary("math.sqrt", value)),
        "pl.recip" => reciprocal(value),
        _ => return None,
    })
}

fn int_unary<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    name: &str,
    element: Element,
    value: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let constant = |number| at.int(bits(element), number);
    let negated = || at.binary("arith.subi", constant(0), value);
    Some(match name {
        "pl.neg" => negated(),
        "pl.abs" => at.binary("arith.maxsi", value, negated()),
        "pl.relu" => at.binary("arith.maxsi", value, constant(0)),
        "pl.not" if element == Element::I1 => at.binary("arith.xori", value, constant(1)),
        "pl.not" => at.binary("arith.xori", value, constant(-1)),
        _ => return None,
    })
}

/// Width of an integer as it is held in vectors.
fn bits(element: Element) -> u32 {
    8 * element.bytes() as u32
}

fn int_binary<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    operation: &str,
    element: Element,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let width = bits(element);
    let constant = |number| at.int(width, number);
    match operation {
        "arith.divsi" => {
            // Both cases stop the machine; MIN / -1 wraps to MIN, which is MIN / 1.
            let zero = at.cmpi(int::EQ, right, constant(0));
            let minus_one = at.cmpi(int::EQ, right, constant(-1));
            let least = at.cmpi(int::EQ, left, constant(i64::MIN >> (64 - width)));
            let overflow = at.binary("arith.andi", minus_one, least);
            let refused = at.binary("arith.ori", zero, overflow);
            let divisor = at.at.select(refused, constant(1), right);
            let quotient = at.binary(operation, left, divisor);
            at.at.select(zero, constant(0), quotient)
        }
        "arith.shli" | "arith.shrsi" => {
            // Beyond the width, and below 0, all bits are shifted out.
            let within = at.cmpi(int::ULT, right, constant(i64::from(width)));
            let last = constant(i64::from(width) - 1);
            let amount = at.at.select(within, right, last);
            let shifted = at.binary(operation, left, amount);
            if operation == "arith.shrsi" {
                return shifted;
            }
            at.at.select(within, shifted, constant(0))
        }
        _ => at.binary(operation, left, right),
    }
}

/// A mask: 1 where it holds. With a NaN only "not equal" does.
fn compare<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    predicate: i64,
    element: Element,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let index = usize::try_from(predicate).ok()?;
    // eq ne lt le gt ge
    let holds = if element.is_float() {
        const PREDICATES: [i64; 6] = [
            float::EQ,
            float::UNEQUAL_OR_UNORDERED,
            float::LT,
            float::LE,
            float::GT,
            float::GE,
        ];
        let left = cast::widen(at, element, left);
        let right = cast::widen(at, element, right);
        at.cmpf(*PREDICATES.get(index)?, left, right)
    } else {
        const PREDICATES: [i64; 6] = [int::EQ, int::NE, int::LT, int::LE, int::GT, int::GE];
        at.cmpi(*PREDICATES.get(index)?, left, right)
    };
    Some(at.to("arith.extui", holds, at.ints(8)))
}

/// A scalar of the program in all lanes.
pub(super) fn fill<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    element: Element,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    at.at.broadcast(scalar(at.at, value, element), at.lanes)
}
