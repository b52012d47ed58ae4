//! `pl.adds`, `pl.muls`, `pl.cast`: verifiers. The others need none beyond ODS.

use crate::{
    diag::{self, Code},
    types::Shaped,
    view,
};
use melior::ir::{Value, ValueLike, operation::OperationRef};

/// An elementwise operation with a scalar on the right: it has the element type (105).
pub(crate) fn verify_scalar(op: OperationRef) -> bool {
    let (Some(left), Some(right)) = (view::operand(&op, 0), view::operand(&op, 1)) else {
        return false;
    };
    let Some(tile) = Shaped::of(left.r#type()) else {
        return false;
    };
    if right.r#type() != tile.element_type {
        diag::error(
            &op,
            Code(105),
            format!(
                "scalar is {}, expected {} as the elements",
                right.r#type(),
                tile.element_type
            ),
        )
        .note("give a scalar of the element type; an integer becomes a float by arith.sitofp")
        .emit();
        return false;
    }
    true
}

/// `pl.cast`: shapes are equal (104), element types differ (105).
pub(crate) fn verify_cast(op: OperationRef) -> bool {
    let (Some(source), Ok(result)) = (view::operand(&op, 0), op.result(0)) else {
        return false;
    };
    let result: Value = result.into();
    let (Some(from), Some(to)) = (Shaped::of(source.r#type()), Shaped::of(result.r#type())) else {
        return false;
    };
    let mut fine = true;
    if from.shape != to.shape || from.level != to.level {
        diag::error(
            &op,
            Code(104),
            format!(
                "result is {}, expected the shape of {}",
                result.r#type(),
                source.r#type()
            ),
        )
        .note("a cast converts elements only")
        .emit();
        fine = false;
    }
    if from.element_type == to.element_type {
        diag::error(
            &op,
            Code(105),
            format!("casts {} to itself", from.element_type),
        )
        .note("remove the cast")
        .emit();
        fine = false;
    }
    fine
}
