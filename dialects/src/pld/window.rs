//! `pld.alloc_window_buffer`, `pld.window`, `pld.get_comm_ctx`: verifiers.

use crate::{
    diag::{self, Code},
    types::{Element, Level, Shaped},
    view::{self, AllocWindowBuffer},
};
use melior::ir::{
    Type, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};

/// The window that an operand must be, or a report (101).
pub(crate) fn operand<'c>(op: OperationRef, r#type: Type<'c>, what: &str) -> Option<Shaped<'c>> {
    let shaped = Shaped::of(r#type).filter(|shaped| shaped.level == Level::Window);
    if shaped.is_none() {
        diag::error(
            &op,
            Code(101),
            format!("{what} is {type}, expected a !pld.dtensor"),
        )
        .note(
            "only a window is visible to other ranks: pass a view of a window buffer (pld.window)",
        )
        .emit();
    }
    shaped
}

/// `pld.alloc_window_buffer`.
///
/// # Verification
///
/// - the element type is one a window can hold (101 for an array type, else 105)
/// - there are sizes; static ones are at least 1 (104), and so few that bytes can be
///   counted (104)
/// - `ranks` names at least one rank, each once, none negative (103)
pub(crate) fn verify_alloc(op: OperationRef) -> bool {
    let Some(alloc) = AllocWindowBuffer::of(op) else {
        diag::error(
            &op,
            Code(104),
            "has a list of sizes that does not match its operands",
        )
        .note("one dynamic operand per dynamic entry")
        .emit();
        return false;
    };
    let mut fine = true;
    let mut refuse = |code, message: String, mend: &str| {
        diag::error(&op, code, message).note(mend).emit();
        fine = false;
    };
    let element_type = alloc.element_type;
    if Shaped::of(element_type).is_some() {
        refuse(
            Code(101),
            format!("allocates elements of {element_type}, expected an element type"),
            "allocate [sizes] of an element type and view it with pld.window as a !pld.dtensor",
        );
    } else if matches!(Element::of(element_type), None | Some(Element::I1)) {
        refuse(
            Code(105),
            format!(
                "allocates elements of {element_type}, expected f32, f16, bf16, i8, i16, i32 or i64"
            ),
            "choose an element type that a window can hold",
        );
    }
    if alloc.sizes.is_empty() {
        refuse(
            Code(104),
            "has no sizes, expected at least one".into(),
            "write for example [1, 64] of f32",
        );
    }
    let sizes = alloc.sizes.iter().filter_map(|size| size.as_static());
    for size in sizes.filter(|&size| size < 1) {
        refuse(
            Code(104),
            format!("has the size {size}, expected at least 1"),
            "allocate at least one element",
        );
    }
    if alloc.sizes.iter().all(|size| size.as_static().is_some())
        && Element::of(element_type).is_some()
        && alloc.static_bytes().is_none()
    {
        refuse(
            Code(104),
            "has more bytes than 64 bits can count".into(),
            "allocate a smaller buffer",
        );
    }
    if let Some(ranks) = &alloc.ranks {
        let mut sorted = ranks.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if ranks.is_empty() || sorted.len() != ranks.len() || sorted[0] < 0 {
            refuse(
                Code(103),
                format!(
                    "has the group {ranks:?}, expected at least one rank, each once, none negative"
                ),
                "write for example {ranks = array<i64: 1, 2>}",
            );
        }
    }
    fine
}

/// `pld.window`.
///
/// # Verification
///
/// - the result is a window (101)
/// - one size per `?` (104)
/// - the view is not larger than its buffer, or the buffer's tail, where both are static (104)
/// - a view of the tail is of i32 (105)
pub(crate) fn verify_window(op: OperationRef) -> bool {
    let (Some(buffer), Ok(result)) = (view::operand(&op, 0), op.result(0)) else {
        return false;
    };
    let result: Value = result.into();
    let Some(window) = operand(op, result.r#type(), "result") else {
        return false;
    };
    let mut fine = true;
    let sizes = op.operand_count() - 1;
    if sizes != window.dynamic_count() {
        diag::error(
            &op,
            Code(104),
            format!(
                "has {sizes} sizes, expected {}, one per '?'",
                window.dynamic_count()
            ),
        )
        .note("write the run-time extents between the brackets")
        .emit();
        fine = false;
    }
    let alloc = view::defining_op(buffer).and_then(|op| Some((op, AllocWindowBuffer::of(op)?)));
    let tail = view::is_tail(&op);
    if tail && window.element() != Some(Element::I32) {
        let element = window.element_type;
        let message = format!("views a buffer's tail as {element}, expected i32");
        diag::error(&op, Code(105), message)
            .note("a tail holds signals; view the data without 'tail'")
            .emit();
        fine = false;
    }
    if let Some((alloc_op, alloc)) = alloc
        && let Some(view) = window.static_bytes()
        && let Some(whole) = if tail {
            alloc.tail_bytes()
        } else {
            alloc.static_bytes()
        }
        && view > whole
    {
        let (what, mend) = match tail {
            false => ("the buffer's", "shrink the view, or allocate more"),
            true => (
                "the tail's",
                "a tail has 64 bytes for each rank of the group",
            ),
        };
        let message = format!("views {view} bytes, expected at most {what} {whole}");
        diag::error(&op, Code(104), message)
            .note(mend)
            .note_at(alloc_op.location(), "the buffer is allocated here")
            .emit();
        fine = false;
    }
    fine
}

/// `pld.get_comm_ctx`: the operand is a window (101).
pub(crate) fn verify_comm_ctx(op: OperationRef) -> bool {
    view::operand(&op, 0).is_some_and(|window| operand(op, window.r#type(), "operand").is_some())
}
