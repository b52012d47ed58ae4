//! Rules of shapes and element types that verifiers of several families share.
//!
//! Tiles and tensors come here with two static extents: the declarations in `td/` say so.

use crate::{
    diag::{self, Code},
    types::{Element, Shaped},
    view,
};
use melior::ir::{Type, Value, ValueLike, operation::OperationRef};

const SHAPE: Code = Code(104);
const ELEMENT: Code = Code(105);

/// Operand `index`, taken apart.
pub(crate) fn operand<'c>(op: OperationRef<'c, '_>, index: usize) -> Option<Shaped<'c>> {
    Shaped::of(view::operand(&op, index)?.r#type())
}

/// The only result, taken apart.
pub(crate) fn result<'c>(op: OperationRef<'c, '_>) -> Option<Shaped<'c>> {
    Shaped::of(Value::from(op.result(0).ok()?).r#type())
}

/// `what` has this shape (104).
pub(crate) fn expect_shape(
    op: OperationRef,
    what: &str,
    found: &Shaped,
    expected: &[i64],
    mend: &str,
) -> bool {
    if found.shape == expected {
        return true;
    }
    diag::error(
        &op,
        SHAPE,
        format!(
            "{what} has shape {}, expected {}",
            spell(&found.shape),
            spell(expected)
        ),
    )
    .note(mend)
    .emit();
    false
}

/// `what` has this element type (105).
pub(crate) fn expect_element(
    op: OperationRef,
    what: &str,
    found: &Shaped,
    expected: Type,
    mend: &str,
) -> bool {
    if found.element_type == expected {
        return true;
    }
    diag::error(
        &op,
        ELEMENT,
        format!(
            "{what} has element type {}, expected {expected}",
            found.element_type
        ),
    )
    .note(mend)
    .emit();
    false
}

/// A class of element types that an operation takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    /// All but masks.
    Number,
    /// f32, f16, bf16.
    Float,
    /// Integers and masks.
    Bits,
    /// i8 to i64.
    Integer,
}

impl Class {
    fn holds(self, element: Element) -> bool {
        match self {
            Self::Number => element != Element::I1,
            Self::Float => element.is_float(),
            Self::Bits => !element.is_float(),
            Self::Integer => !element.is_float() && element != Element::I1,
        }
    }

    const fn describe(self) -> &'static str {
        match self {
            Self::Number => "f32, f16, bf16, i8, i16, i32 or i64",
            Self::Float => "f32, f16 or bf16",
            Self::Bits => "i1, i8, i16, i32 or i64",
            Self::Integer => "i8, i16, i32 or i64",
        }
    }
}

/// `what` has an element type of this class (105).
pub(crate) fn expect_class(op: OperationRef, what: &str, found: &Shaped, class: Class) -> bool {
    if found.element().is_some_and(|element| class.holds(element)) {
        return true;
    }
    diag::error(
        &op,
        ELEMENT,
        format!(
            "{what} has element type {}, expected {}",
            found.element_type,
            class.describe()
        ),
    )
    .note("convert with pl.cast, or choose the operation for this element type")
    .emit();
    false
}

/// A shape as MLIR writes it.
pub(crate) fn spell(shape: &[i64]) -> String {
    let extents: Vec<_> = shape
        .iter()
        .map(|&extent| {
            if extent == crate::types::DYNAMIC {
                "?".into()
            } else {
                extent.to_string()
            }
        })
        .collect();
    if extents.is_empty() {
        "()".into()
    } else {
        extents.join("x")
    }
}
