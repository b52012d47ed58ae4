//! Elementwise operations: verifiers.

use crate::{
    bridge,
    diag::{self, Code},
    shape::{self, Class, expect_class, expect_element, expect_shape},
    types::Element,
    view,
};
use melior::ir::{ValueLike, operation::OperationRef};

/// `pl.iota`: integers (105).
pub(crate) fn verify_iota(op: OperationRef) -> bool {
    shape::result(op).is_some_and(|result| expect_class(op, "result", &result, Class::Integer))
}

/// Operations of one type: elements of the operation's class (105).
pub(crate) fn verify_same(op: OperationRef) -> bool {
    let Some(result) = shape::result(op) else {
        return false;
    };
    let class = match view::name(&op) {
        "pl.exp" | "pl.log" | "pl.sqrt" | "pl.rsqrt" | "pl.recip" => Class::Float,
        "pl.and" | "pl.or" | "pl.xor" | "pl.not" => Class::Bits,
        "pl.shl" | "pl.shr" => Class::Integer,
        _ => Class::Number,
    };
    expect_class(op, "result", &result, class)
}

/// Operations with a scalar on the right: as [`verify_same`], and the scalar has the
/// element type (105).
pub(crate) fn verify_scalar(op: OperationRef) -> bool {
    let (Some(tile), Some(scalar)) = (shape::operand(op, 0), view::operand(&op, 1)) else {
        return false;
    };
    let mut fine = verify_same(op);
    if scalar.r#type() != tile.element_type {
        diag::error(
            &op,
            Code(105),
            format!(
                "scalar is {}, expected {} as the elements",
                scalar.r#type(),
                tile.element_type
            ),
        )
        .note("give a scalar of the element type; an integer becomes a float by arith.sitofp")
        .emit();
        fine = false;
    }
    fine
}

/// `pl.cmp`: numbers (105) to a mask (105) of the same shape (104).
pub(crate) fn verify_cmp(op: OperationRef) -> bool {
    let (Some(a), Some(result)) = (shape::operand(op, 0), shape::result(op)) else {
        return false;
    };
    let mask = Element::I1.mlir(bridge::context_of(&op));
    expect_class(op, "operand", &a, Class::Number)
        & expect_shape(
            op,
            "result",
            &result,
            &a.shape,
            "a mask has the shape of what is compared",
        )
        & expect_element(
            op,
            "result",
            &result,
            mask,
            "a comparison gives a mask of i1",
        )
}

/// `pl.select`: the mask is of i1 (105) and has the shape of the values (104).
pub(crate) fn verify_select(op: OperationRef) -> bool {
    let (Some(mask), Some(result)) = (shape::operand(op, 0), shape::result(op)) else {
        return false;
    };
    let i1 = Element::I1.mlir(bridge::context_of(&op));
    expect_element(op, "mask", &mask, i1, "compare with pl.cmp")
        & expect_shape(
            op,
            "mask",
            &mask,
            &result.shape,
            "the mask has the shape of the values",
        )
}

/// `pl.cast`: shapes are equal (104), element types differ (105).
pub(crate) fn verify_cast(op: OperationRef) -> bool {
    let (Some(from), Some(to)) = (shape::operand(op, 0), shape::result(op)) else {
        return false;
    };
    let mut fine = expect_shape(
        op,
        "result",
        &to,
        &from.shape,
        "a cast converts elements only",
    );
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
