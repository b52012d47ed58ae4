//! `pl.matmul`, `pl.matmul_acc`: verifier.

use crate::{
    bridge,
    diag::{self, Code},
    shape::{self, expect_element, expect_shape},
    types::Element,
    view,
};
use melior::ir::operation::{OperationLike, OperationRef};

/// # Verification
///
/// - both operands have one element type of f16, bf16, f32 or i8 (105); the result has
///   f32, or i32 for i8 (105)
/// - inner extents are equal, and the result has the outer ones (104)
pub(crate) fn verify(op: OperationRef) -> bool {
    let first = usize::from(view::is(&op, "pl.matmul_acc"));
    let (Some(a), Some(b), Some(c)) = (
        shape::operand(op, first),
        shape::operand(op, first + 1),
        shape::result(op),
    ) else {
        return false;
    };
    let extents = |shape: &[i64], attribute| {
        if op.has_attribute(attribute) {
            (shape[1], shape[0])
        } else {
            (shape[0], shape[1])
        }
    };
    let (rows, inner) = extents(&a.shape, "transpose_a");
    let (inner_b, cols) = extents(&b.shape, "transpose_b");
    let mut fine = true;
    let product = match a.element() {
        Some(Element::F16 | Element::BF16 | Element::F32) => Some(Element::F32),
        Some(Element::I8) => Some(Element::I32),
        _ => None,
    };
    if let Some(product) = product {
        let expected = product.mlir(bridge::context_of(&op));
        fine &= expect_element(
            op,
            "result",
            &c,
            expected,
            "floats accumulate in f32, i8 in i32",
        );
    } else {
        diag::error(
            &op,
            Code(105),
            format!(
                "multiplies {}, expected f16, bf16, f32 or i8",
                a.element_type
            ),
        )
        .note("convert with pl.cast")
        .emit();
        fine = false;
    }
    fine &= expect_element(
        op,
        "right operand",
        &b,
        a.element_type,
        "both operands have one element type",
    );
    if inner != inner_b {
        diag::error(&op, Code(104), format!("has inner extents {inner} and {inner_b}, expected them equal"))
            .note("columns of the left operand are rows of the right; transpose_a and transpose_b exchange them")
            .emit();
        fine = false;
    }
    fine & expect_shape(
        op,
        "result",
        &c,
        &[rows, cols],
        "rows of the left operand, columns of the right",
    )
}
