//! `pl.extract_slice`, `pl.insert_slice`, `pl.concat`, `pl.reshape`, `pl.transpose`,
//! `pl.gather`: verifiers. `pl.slice` and `pl.assemble` are accesses, see `memory.rs`.

use crate::{
    bridge,
    diag::{self, Code},
    pl::memory::check_offsets,
    shape::{self, expect_element, expect_shape, spell},
    types::{Element, Shaped},
    view::{self, Mixed},
};
use melior::ir::operation::OperationRef;

const SHAPE: Code = Code(104);

/// `pl.extract_slice`, `pl.insert_slice`: the part lies inside the whole (104), element
/// types are equal (105).
pub(crate) fn verify_part(op: OperationRef) -> bool {
    let insert = view::is(&op, "pl.insert_slice");
    let (part, whole, first) = if insert {
        (shape::operand(op, 0), shape::operand(op, 1), 2)
    } else {
        (shape::result(op), shape::operand(op, 0), 1)
    };
    let (Some(part), Some(whole)) = (part, whole) else {
        return false;
    };
    let Some(offsets) = view::offsets(op, first) else {
        diag::error(
            &op,
            SHAPE,
            "has a list of offsets that does not match its operands",
        )
        .note("one dynamic operand per dynamic entry")
        .emit();
        return false;
    };
    expect_element(
        op,
        "part",
        &part,
        whole.element_type,
        "convert it with pl.cast",
    ) & check_offsets(op, &offsets, &whole)
        & check_part_inside(op, &offsets, &part, &whole)
}

fn check_part_inside(op: OperationRef, offsets: &[Mixed], part: &Shaped, whole: &Shaped) -> bool {
    let mut fine = true;
    for (dim, offset) in offsets.iter().enumerate().take(whole.rank()) {
        let offset = offset.as_static().unwrap_or(0);
        let (extent, size) = (part.shape[dim], whole.shape[dim]);
        if offset >= 0 && offset.saturating_add(extent) > size {
            diag::error(
                &op,
                SHAPE,
                format!(
                    "covers {offset} to {} of dim {dim}, expected at most {size}",
                    offset.saturating_add(extent)
                ),
            )
            .note("move the offset or shrink the part")
            .emit();
            fine = false;
        }
    }
    fine
}

/// `pl.concat`: dim 0 or 1; the other extents are equal and this one adds up (104);
/// element types are equal (105).
pub(crate) fn verify_concat(op: OperationRef) -> bool {
    let (Some(a), Some(b), Some(r)) = (
        shape::operand(op, 0),
        shape::operand(op, 1),
        shape::result(op),
    ) else {
        return false;
    };
    let elements = expect_element(
        op,
        "right operand",
        &b,
        a.element_type,
        "convert it with pl.cast",
    ) & expect_element(op, "result", &r, a.element_type, "concat converts nothing");
    let dim = view::integer(&op, "dim").unwrap_or(-1);
    let Some(dim) = usize::try_from(dim).ok().filter(|&dim| dim < 2) else {
        diag::error(
            &op,
            SHAPE,
            format!("joins along dim {dim}, expected 0 or 1"),
        )
        .note("dims count from 0")
        .emit();
        return false;
    };
    let mut right = a.shape.clone();
    right[dim] = b.shape[dim];
    let mut whole = a.shape.clone();
    whole[dim] = whole[dim].saturating_add(b.shape[dim]);
    expect_shape(
        op,
        "right operand",
        &b,
        &right,
        "the dims that are not joined have equal extents",
    ) & expect_shape(
        op,
        "result",
        &r,
        &whole,
        "the joined dim has both extents added up",
    ) & elements
}

/// `pl.reshape`: as many elements (104), of one type (105).
pub(crate) fn verify_reshape(op: OperationRef) -> bool {
    let (Some(a), Some(r)) = (shape::operand(op, 0), shape::result(op)) else {
        return false;
    };
    let mut fine = expect_element(op, "result", &r, a.element_type, "reshape converts nothing");
    if a.static_elements() != r.static_elements() {
        diag::error(
            &op,
            SHAPE,
            format!(
                "makes {} of {}, expected as many elements",
                spell(&r.shape),
                spell(&a.shape)
            ),
        )
        .note("rows times columns stay the same")
        .emit();
        fine = false;
    }
    fine
}

/// `pl.transpose`: extents exchanged (104), element types equal (105).
pub(crate) fn verify_transpose(op: OperationRef) -> bool {
    let (Some(a), Some(r)) = (shape::operand(op, 0), shape::result(op)) else {
        return false;
    };
    expect_shape(
        op,
        "result",
        &r,
        &[a.shape[1], a.shape[0]],
        "rows become columns",
    ) & expect_element(
        op,
        "result",
        &r,
        a.element_type,
        "transpose converts nothing",
    )
}

/// `pl.gather`: the index is a column of i32 (104, 105); a row of the source for each (104, 105).
pub(crate) fn verify_gather(op: OperationRef) -> bool {
    let (Some(a), Some(index), Some(r)) = (
        shape::operand(op, 0),
        shape::operand(op, 1),
        shape::result(op),
    ) else {
        return false;
    };
    let i32_type = Element::I32.mlir(bridge::context_of(&op));
    expect_element(op, "index", &index, i32_type, "convert it with pl.cast")
        & expect_shape(
            op,
            "index",
            &index,
            &[index.shape[0], 1],
            "an index is a column",
        )
        & expect_shape(
            op,
            "result",
            &r,
            &[index.shape[0], a.shape[1]],
            "one row of the source per index",
        )
        & expect_element(op, "result", &r, a.element_type, "gather converts nothing")
}
