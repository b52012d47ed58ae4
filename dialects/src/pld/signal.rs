//! `pld.notify`, `pld.wait`, `pld.barrier`: verifiers.

use crate::{
    diag::{self, Code},
    pl::memory::check_offsets,
    pld::window,
    types::{DYNAMIC, Element, Shaped},
    view::{self, Mixed, Notify, Wait},
};
use melior::ir::{Value, ValueLike, operation::OperationRef};

/// `pld.notify`, `pld.wait`.
///
/// # Verification
///
/// - the signal is a window (101) of i32 (105)
/// - one offset per dim, inside static extents (104)
pub(crate) fn verify_cell(op: OperationRef) -> bool {
    let Some((signal, offsets)) = cell(op) else {
        diag::error(
            &op,
            Code(104),
            "has a list of offsets that does not match its operands",
        )
        .note("one dynamic operand per dynamic entry")
        .emit();
        return false;
    };
    let window = Shaped::of(signal.r#type());
    check_signal(op, signal) & window.is_none_or(|window| check_cell(op, &offsets, &window))
}

/// The signal and the offsets of a notify or wait.
pub(crate) fn cell<'c, 'a>(
    op: OperationRef<'c, 'a>,
) -> Option<(Value<'c, 'a>, Vec<Mixed<'c, 'a>>)> {
    Notify::of(op)
        .map(|notify| (notify.signal, notify.offsets))
        .or_else(|| Wait::of(op).map(|wait| (wait.signal, wait.offsets)))
}

/// One offset per dim, inside the extents (104).
pub(crate) fn check_cell(op: OperationRef, offsets: &[Mixed], window: &Shaped) -> bool {
    let mut fine = check_offsets(op, offsets, window);
    if offsets.len() != window.rank() {
        return false;
    }
    for (dim, (offset, &size)) in offsets.iter().zip(&window.shape).enumerate() {
        if let Some(offset) = offset
            .as_static()
            .filter(|&offset| size != DYNAMIC && offset >= size)
        {
            diag::error(
                &op,
                Code(104),
                format!(
                    "cell is {offset} in dim {dim}, expected at most {}",
                    size - 1
                ),
            )
            .note("a signal has as many cells as its window has elements")
            .emit();
            fine = false;
        }
    }
    fine
}

/// `pld.barrier`: the signal is a window (101) of i32 (105).
pub(crate) fn verify_barrier(op: OperationRef) -> bool {
    view::operand(&op, 0).is_some_and(|signal| check_signal(op, signal))
}

/// A signal is a window (101) of i32 (105).
pub(crate) fn check_signal(op: OperationRef, signal: Value) -> bool {
    let Some(window) = window::operand(op, signal.r#type(), "signal") else {
        return false;
    };
    if window.element() == Some(Element::I32) {
        return true;
    }
    diag::error(
        &op,
        Code(105),
        format!(
            "signal has element type {}, expected i32",
            window.element_type
        ),
    )
    .note("allocate a window of i32 for signals")
    .emit();
    false
}
