//! Folding: operations that give a value which is there already.
//!
//! Only what changes no bit: widening and narrowing back, a part that is the whole, two
//! transposes, reshapes back to the first shape, integers plus or minus 0, numbers times or
//! by 1. (Not a float plus 0, which turns -0 into 0.)

use crate::{
    types::{DYNAMIC, Element, Shaped},
    view,
};
use melior::ir::{
    Value, ValueLike,
    attribute::FloatAttribute,
    operation::{OperationLike, OperationRef},
};

/// The value of its type that `op`, of one result, gives without being computed.
pub(crate) fn operation<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let source = view::operand(&op, 0)?;
    let name = view::name(&op);
    let origin = || operand_of(source, name);
    let candidate = match name {
        "pl.adds" | "pl.subs" => is_integer(&op, 0).then_some(source),
        "pl.muls" | "pl.divs" => (is_integer(&op, 1) || is_one(&op)).then_some(source),
        "pl.extract_slice" => is_static(&op).then_some(source),
        "pl.reshape" if has_type_of(&op, source) => Some(source),
        "pl.reshape" | "pl.transpose" => origin(),
        "pl.cast" => origin().filter(|&origin| holds(source, origin)),
        _ => None,
    };
    candidate.filter(|&value| has_type_of(&op, value))
}

fn has_type_of(op: &OperationRef, value: Value) -> bool {
    view::result(op).is_some_and(|result| result.r#type() == value.r#type())
}

/// The first operand of what made `value`, if that is an operation of this name.
fn operand_of<'c: 'a, 'a>(value: Value<'c, 'a>, name: &str) -> Option<Value<'c, 'a>> {
    let maker = view::defining_op(value).filter(|op| view::is(op, name))?;
    view::operand(&maker, 0)
}

/// Whether the scalar on the right is this integer.
fn is_integer(op: &OperationRef, number: i64) -> bool {
    view::operand(op, 1).and_then(view::constant) == Some(number)
}

/// Whether the scalar on the right is the float 1.
fn is_one(op: &OperationRef) -> bool {
    let constant = view::operand(op, 1).and_then(view::defining_op);
    let value = constant.and_then(|constant| {
        let attribute = constant.attribute("value").ok()?;
        FloatAttribute::try_from(attribute).ok()
    });
    value.is_some_and(|value| value.value() == 1.0)
}

/// Whether no offset is a value: one that is out of bounds must still be met at run time.
fn is_static(op: &OperationRef) -> bool {
    let offsets = view::integers(op, "static_offsets");
    offsets.is_some_and(|offsets| !offsets.contains(&DYNAMIC))
}

/// Whether the elements of `wide` hold every value of those of `narrow`, so that a cast to
/// them and back, in any mode, changes nothing.
fn holds(wide: Value, narrow: Value) -> bool {
    use Element::{BF16, F16, F32, I8, I16, I32, I64};
    let element = |value: Value| Shaped::of(value.r#type())?.element();
    matches!(
        (element(narrow), element(wide)),
        (Some(F16 | BF16), Some(F32))
            | (Some(I8), Some(I16 | I32 | I64 | F16 | BF16 | F32))
            | (Some(I16), Some(I32 | I64 | F32))
            | (Some(I32), Some(I64))
    )
}
