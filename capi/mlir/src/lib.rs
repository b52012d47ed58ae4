//! The part of `pld-c/Passes.h` that is Rust. `pld-c/Dialects.h` is `dialects/cpp/CApi.cpp`.
//!
//! `scripts/install.sh` makes `libpld_mlir_c.a` of this crate: all of pld and nothing of MLIR,
//! so that a frontend and pld share one MLIR, static or shared.

use mlir_sys::{MlirLogicalResult, MlirOperation, MlirStringCallback, MlirStringRef};
use pld_dialects::{
    bridge, diag,
    melior::ir::operation::{OperationLike, OperationRef},
    pass,
};
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Registers all passes, pipelines and translations.
#[unsafe(no_mangle)]
pub extern "C" fn pldRegisterAllPasses() {
    let registered = catch_unwind(|| {
        bridge::register_upstream_passes();
        pld_passes::register();
        pld_lowering::register();
    });
    // Nothing to undo and nobody to tell: a pipeline that is missing says so when it is parsed.
    drop(registered);
}

/// Prints a lowered module as C++.
///
/// # Safety
///
/// `module` is a live operation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pldTranslateToAscendC(
    module: MlirOperation,
    callback: MlirStringCallback,
    user: *mut c_void,
) -> MlirLogicalResult {
    let translate = || {
        // SAFETY: as the caller promises; a null operation is none.
        let module = unsafe { OperationRef::from_option_raw(module) }?;
        pld_lowering::register();
        let known = pass::registered().translations;
        let ours = known.iter().find(|it| it.argument == "mlir-to-ascendc")?;
        let printed = catch_unwind(AssertUnwindSafe(|| (ours.run)(module)));
        if printed.is_err() {
            diag::failure(module.location(), "internal error, please report it").emit();
        }
        printed.ok()?.ok()
    };
    let text = catch_unwind(AssertUnwindSafe(translate)).ok().flatten();
    if let (Some(text), Some(callback)) = (&text, callback) {
        let text = MlirStringRef {
            data: text.as_ptr().cast(),
            length: text.len(),
        };
        // SAFETY: the text outlives the call.
        unsafe { callback(text, user) };
    }
    MlirLogicalResult {
        value: i8::from(text.is_some()),
    }
}
