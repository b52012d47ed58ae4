//! What C++ calls.
//!
//! Every callback catches panics and turns them into a diagnostic and a failure, since
//! nothing may unwind into C++.

use super::ffi::{string_ref, text_of};
use crate::{
    diag, fold, level,
    pass::{Options, Pass, Pipeline, Translation},
    source, types, verify,
};
use melior::ir::{
    Attribute, Identifier, Location, Type, ValueLike,
    operation::{OperationLike, OperationRef},
};
use mlir_sys::{
    MlirAttribute, MlirIdentifier, MlirOperation, MlirStringCallback, MlirStringRef, MlirType,
    MlirValue,
};
use std::{
    ffi::{c_uint, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    slice,
};

/// Runs a callback; a panic becomes a diagnostic at `location` and a failure.
fn guarded(location: impl Fn() -> Location<'static>, run: impl FnOnce() -> bool) -> bool {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        diag::failure(
            location(),
            format!("internal error, please report it: {text}"),
        )
        .emit();
        false
    })
}

fn guarded_op(op: MlirOperation, run: impl FnOnce(OperationRef<'static, 'static>) -> bool) -> bool {
    // SAFETY: C++ hands over a live operation that outlives the callback.
    let op = unsafe { OperationRef::from_raw(op) };
    guarded(|| op.location(), || run(op))
}

#[unsafe(no_mangle)]
extern "C" fn pldRustVerifyOp(op: MlirOperation) -> bool {
    guarded_op(op, |op| verify::operation(op))
}

#[unsafe(no_mangle)]
extern "C" fn pldRustFoldOp(op: MlirOperation) -> MlirValue {
    let mut folded = MlirValue {
        ptr: std::ptr::null(),
    };
    guarded_op(op, |op| {
        if let Some(value) = fold::operation(op) {
            folded = value.to_raw();
        }
        true
    });
    folded
}

#[unsafe(no_mangle)]
extern "C" fn pldRustMayInline(op: MlirOperation, into: MlirOperation) -> bool {
    // SAFETY: C++ hands over a live operation.
    let into = unsafe { OperationRef::from_raw(into) };
    guarded_op(op, |op| level::may_inline(op, into))
}

#[unsafe(no_mangle)]
extern "C" fn pldRustVerifySymbolUse(op: MlirOperation, callee: MlirOperation) -> bool {
    // SAFETY: the callee is null or a live operation.
    let callee = unsafe { OperationRef::from_option_raw(callee) };
    guarded_op(op, |op| verify::symbol_use(op, callee))
}

#[unsafe(no_mangle)]
extern "C" fn pldRustVerifyOpAttribute(
    op: MlirOperation,
    name: MlirIdentifier,
    attribute: MlirAttribute,
) -> bool {
    // SAFETY: name and attribute are alive and not null.
    let (name, attribute) = unsafe { (Identifier::from_raw(name), Attribute::from_raw(attribute)) };
    guarded_op(op, |op| {
        verify::op_attribute(
            op,
            name.as_string_ref().as_str().unwrap_or_default(),
            attribute,
        )
    })
}

#[unsafe(no_mangle)]
extern "C" fn pldRustVerifyArgAttribute(
    op: MlirOperation,
    argument: c_uint,
    name: MlirIdentifier,
    attribute: MlirAttribute,
) -> bool {
    // SAFETY: name and attribute are alive and not null.
    let (name, attribute) = unsafe { (Identifier::from_raw(name), Attribute::from_raw(attribute)) };
    guarded_op(op, |op| {
        let name = name.as_string_ref().as_str().unwrap_or_default();
        verify::arg_attribute(op, argument as usize, name, attribute)
    })
}

#[unsafe(no_mangle)]
extern "C" fn pldRustVerifyCall(call: MlirOperation, callee: MlirOperation) -> bool {
    guarded_op(call, |call| {
        // SAFETY: C++ hands over a live operation.
        let callee = unsafe { OperationRef::from_raw(callee) };
        level::call::verify(call, callee)
    })
}

#[unsafe(no_mangle)]
extern "C" fn pldRustVerifyResultAttribute(
    op: MlirOperation,
    result: c_uint,
    name: MlirIdentifier,
) -> bool {
    // SAFETY: the name is alive and not null.
    let name = unsafe { Identifier::from_raw(name) };
    guarded_op(op, |op| {
        let name = name.as_string_ref().as_str().unwrap_or_default();
        verify::result_attribute(op, result as usize, name)
    })
}

#[unsafe(no_mangle)]
extern "C" fn pldRustFindSourceFault(
    text: MlirStringRef,
    message: *mut MlirStringRef,
    mend: *mut MlirStringRef,
) -> isize {
    let find = || {
        let text = match text.length {
            // It may be null.
            0 => &[],
            // SAFETY: C++ hands over a live text.
            length => unsafe { slice::from_raw_parts(text.data.cast::<u8>(), length) },
        };
        source::find(text)
    };
    let Ok(Some(fault)) = catch_unwind(find) else {
        return -1;
    };
    // SAFETY: the out-pointers are valid; the texts live as long as the process.
    unsafe {
        *message = string_ref(fault.message);
        *mend = string_ref(fault.mend);
    }
    fault.offset as isize
}

#[unsafe(no_mangle)]
extern "C" fn pldRustVerifyShapedType(
    kind: MlirStringRef,
    shape: *const i64,
    rank: usize,
    element: MlirType,
    report: MlirStringCallback,
    user_data: *mut c_void,
) -> bool {
    let check = || {
        // SAFETY: C++ hands over a live array, string and type.
        let (kind, shape, element) = unsafe {
            let shape = if rank == 0 {
                &[]
            } else {
                slice::from_raw_parts(shape, rank)
            };
            (text_of(kind), shape, Type::from_raw(element))
        };
        types::check_shaped(kind, shape, element)
    };
    let result = catch_unwind(check).unwrap_or_else(|_| Err("internal error".into()));
    if let (Err(message), Some(report)) = (&result, report) {
        // SAFETY: `report` copies the text.
        unsafe { report(string_ref(message), user_data) };
    }
    result.is_ok()
}

/// The option values of a pass or pipeline, in the order of its specification.
///
/// # Safety
///
/// `values` holds `count` strings that outlive `'a`.
unsafe fn option_values<'a>(values: *const MlirStringRef, count: usize) -> Vec<&'a str> {
    if count == 0 {
        return Vec::new();
    }
    // SAFETY: guaranteed by the caller.
    let values = unsafe { slice::from_raw_parts(values, count) };
    values
        .iter()
        // SAFETY: each is a live string.
        .map(|&value| unsafe { text_of(value) })
        .collect()
}

#[unsafe(no_mangle)]
extern "C" fn pldRustRunPass(
    callback: *const c_void,
    op: MlirOperation,
    values: *const MlirStringRef,
    count: usize,
) -> bool {
    // SAFETY: the callback is the `&'static Pass` that was registered; values outlive the call.
    let (pass, values) = unsafe { (&*callback.cast::<Pass>(), option_values(values, count)) };
    guarded_op(op, |op| {
        (pass.run)(op, &Options::new(pass.options, values)).is_ok()
    })
}

#[unsafe(no_mangle)]
extern "C" fn pldRustBuildPipeline(
    callback: *const c_void,
    values: *const MlirStringRef,
    count: usize,
    append: MlirStringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: as in `pldRustRunPass`.
    let (pipeline, values) =
        unsafe { (&*callback.cast::<Pipeline>(), option_values(values, count)) };
    let built = catch_unwind(AssertUnwindSafe(|| {
        (pipeline.build)(&Options::new(pipeline.options, values))
    }))
    .unwrap_or_else(|_| Err("internal error".into()));
    let (Ok(text) | Err(text)) = &built;
    if let Some(append) = append {
        // SAFETY: `append` copies the text.
        unsafe { append(string_ref(text), user_data) };
    }
    built.is_ok()
}

#[unsafe(no_mangle)]
extern "C" fn pldRustTranslate(
    callback: *const c_void,
    op: MlirOperation,
    write: MlirStringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: the callback is the `&'static Translation` that was registered.
    let translation = unsafe { &*callback.cast::<Translation>() };
    guarded_op(op, |op| match (translation.run)(op) {
        Ok(text) => {
            if let Some(write) = write {
                // SAFETY: `write` copies the text.
                unsafe { write(string_ref(&text), user_data) };
            }
            true
        }
        Err(_) => false,
    })
}
