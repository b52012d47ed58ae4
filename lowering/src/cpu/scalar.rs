//! Scalar arithmetic of the program that has no result: caught before the machine stops at it,
//! or LLVM takes it for what cannot happen.

use super::{frame::Frame, host::malformed, llvm::Llvm};
use melior::ir::{
    TypeLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{emit::Emitter, pass::Reported, view};

const DIVISIONS: &[&str] = &[
    "arith.divsi",
    "arith.divui",
    "arith.remsi",
    "arith.remui",
    "arith.ceildivsi",
    "arith.ceildivui",
    "arith.floordivsi",
];

/// Guards an operation, which stays as it is: a division by zero, a loop that would not end.
pub(super) fn guard<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    if !frame.shared.bounds {
        return Ok(());
    }
    const EQUAL: i64 = 0;
    const AT_MOST: i64 = 3;
    let (operand, predicate) = match view::name(&op) {
        "scf.for" if op.has_attribute("unsignedCmp") => (2, EQUAL),
        "scf.for" => (2, AT_MOST),
        name if DIVISIONS.contains(&name) => (1, EQUAL),
        _ => return Ok(()),
    };
    let value: Value = op.operand(operand).map_err(|_| malformed(op))?;
    let fine = view::constant(value).is_some_and(|value| match predicate {
        EQUAL => value != 0,
        _ => value > 0,
    });
    let is_scalar = value.r#type().is_index() || value.r#type().is_integer();
    if fine || !is_scalar {
        return Ok(());
    }
    let at = Emitter::before(op).ok_or(Reported)?;
    let r#type = value.r#type();
    let zero = if r#type.is_index() {
        at.index(0)
    } else {
        at.int(r#type, 0)
    };
    let bad = at.cmpi(predicate, value, zero);
    let shown = if predicate == EQUAL {
        at.word(0)
    } else {
        widened(&at, value)
    };
    frame.fail_without_result(&at, op, bad, shown);
    Ok(())
}

/// An integer of any width as a word.
fn widened<'c, 'a>(at: &Emitter<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    let r#type = value.r#type();
    if r#type.is_index() || r#type == at.word_type() {
        return at.to_i64(value);
    }
    at.value("arith.extsi", &[value], at.word_type(), &[])
}
