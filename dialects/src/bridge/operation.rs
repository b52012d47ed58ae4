//! Operations: their names and context, and changes that melior has not.

use melior::{
    Context, ContextRef,
    ir::{
        Value, ValueLike,
        operation::{OperationLike, OperationRef, WalkOrder, WalkResult},
    },
};
use std::{
    cell::Cell,
    collections::BTreeMap,
    slice,
    sync::{Mutex, PoisonError},
};

/// The name of an operation.
pub(crate) fn operation_name<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>) -> &'c str {
    std::str::from_utf8(operation_name_bytes(op)).unwrap_or_default()
}

/// As [`operation_name`], for what only compares it.
pub(crate) fn operation_name_bytes<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>) -> &'c [u8] {
    // SAFETY: the operation is alive, and its name, which is not empty, belongs to the context.
    unsafe {
        let name = mlir_sys::mlirIdentifierStr(mlir_sys::mlirOperationGetName(op.to_raw()));
        slice::from_raw_parts(name.data.cast(), name.length)
    }
}

/// The context of an operation as a reference that melior's constructors take.
///
/// `ContextRef::to_ref` answers with a reference to the `ContextRef` itself, so one is
/// kept for each context address; it never owns the context.
pub fn context_of<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>) -> &'c Context {
    /// Handles by the address of their context; one each for the life of the process.
    static HANDLES: Mutex<BTreeMap<usize, Handle>> = Mutex::new(BTreeMap::new());
    thread_local! {
        static LAST: Cell<Option<(usize, Handle)>> = const { Cell::new(None) };
    }
    // SAFETY: the operation is alive, and so is its context for `'c`.
    let raw = unsafe { mlir_sys::mlirOperationGetContext(op.to_raw()) };
    let key = raw.ptr as usize;
    let handle = match LAST.get() {
        Some((last, handle)) if last == key => handle,
        _ => {
            let mut handles = HANDLES.lock().unwrap_or_else(PoisonError::into_inner);
            let handle = *handles.entry(key).or_insert_with(|| {
                // SAFETY: the handle holds nothing but the context's address.
                Handle(Box::leak(Box::new(unsafe { ContextRef::from_raw(raw) })))
            });
            LAST.set(Some((key, handle)));
            handle
        }
    };
    // SAFETY: the handle outlives every use, and its context is alive for `'c`.
    unsafe { handle.0.to_ref() }
}

/// What melior's references to a context point to.
#[derive(Clone, Copy)]
struct Handle(&'static ContextRef<'static>);

// SAFETY: it is an address that is never changed.
unsafe impl Send for Handle {}

/// Erases an operation from its block.
///
/// Its results must have no uses; no reference to it may be used afterwards.
pub fn erase(op: OperationRef) {
    // SAFETY: the operation is detached first, then destroyed exactly once.
    unsafe {
        mlir_sys::mlirOperationRemoveFromParent(op.to_raw());
        mlir_sys::mlirOperationDestroy(op.to_raw());
    }
}

/// Moves an operation to stand before another.
pub fn move_before(op: OperationRef, before: OperationRef) {
    // SAFETY: both operations are alive and stand in blocks.
    unsafe { mlir_sys::mlirOperationMoveBefore(op.to_raw(), before.to_raw()) }
}

/// Inserts a deep copy of an operation before another.
pub fn clone_before<'c, 'a>(
    op: OperationRef<'c, 'a>,
    before: OperationRef<'c, 'a>,
) -> OperationRef<'c, 'a> {
    // SAFETY: both are alive and `before` stands in a block, which becomes the copy's owner.
    unsafe {
        let copy = mlir_sys::mlirOperationClone(op.to_raw());
        let block = mlir_sys::mlirOperationGetBlock(before.to_raw());
        mlir_sys::mlirBlockInsertOwnedOperationBefore(block, before.to_raw(), copy);
        OperationRef::from_raw(copy)
    }
}

/// All operations below `op` whose name is wanted, in program order.
///
/// Collected first, so that the caller may then change the IR one by one; a reference must
/// not be used after its operation is erased.
pub fn collect<'c, 'a>(
    op: OperationRef<'c, 'a>,
    wanted: impl Fn(&str) -> bool,
) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    op.walk(WalkOrder::PreOrder, |inner| {
        if inner.name().as_string_ref().as_str().is_ok_and(&wanted) {
            found.push(inner.to_raw());
        }
        WalkResult::Advance
    });
    // SAFETY: they live inside `op`, hence as long as it.
    found
        .into_iter()
        .map(|raw| unsafe { OperationRef::from_raw(raw) })
        .collect()
}

/// Replaces an operand of an operation.
///
/// # Panics
///
/// If the operation has no such operand: an error of the caller.
pub fn set_operand<'c>(op: OperationRef<'c, '_>, index: usize, value: Value<'c, '_>) {
    assert!(index < op.operand_count(), "operand {index} exists");
    // SAFETY: operation and value are alive, and the index is in range.
    unsafe {
        mlir_sys::mlirOperationSetOperand(op.to_raw(), index as isize, value.to_raw());
    }
}
