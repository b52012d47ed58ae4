//! Modules as a whole: read, written, run through passes.

use super::{
    context_of,
    ffi::{pldParseModule, string_ref},
};
use crate::{diag, pass::Reported};
use melior::{
    Context,
    ir::{
        Module,
        operation::{OperationLike, OperationRef},
    },
};
use mlir_sys::MlirStringRef;
use std::{ffi::c_void, slice};

/// Parses text or bytecode and verifies it; `name` is the file name in locations.
///
/// `None` after diagnostics. From then on diagnostics of this context come without
/// upstream's "see current operation" notes.
pub fn parse_module<'c>(context: &'c Context, source: &[u8], name: &str) -> Option<Module<'c>> {
    let source = MlirStringRef {
        data: source.as_ptr().cast(),
        length: source.len(),
    };
    // SAFETY: C++ copies source and name; the module belongs to the caller.
    unsafe { Module::from_option_raw(pldParseModule(context.to_raw(), source, string_ref(name))) }
}

/// An operation as MLIR bytecode.
pub fn write_bytecode(op: OperationRef) -> Vec<u8> {
    unsafe extern "C" fn append(part: MlirStringRef, bytes: *mut c_void) {
        if part.length > 0 {
            // SAFETY: MLIR hands over live bytes, and back the vector below.
            unsafe {
                let part = slice::from_raw_parts(part.data.cast::<u8>(), part.length);
                (*bytes.cast::<Vec<u8>>()).extend_from_slice(part);
            }
        }
    }
    let mut bytes = Vec::new();
    // SAFETY: the operation is alive, and `bytes` outlives the call.
    unsafe {
        mlir_sys::mlirOperationWriteBytecode(op.to_raw(), Some(append), (&raw mut bytes).cast());
    }
    bytes
}

/// Runs a textual pass pipeline, such as `pld-lint,canonicalize`, on a `builtin.module`. Its
/// passes must have been registered.
///
/// # Errors
///
/// A pass failed, and has said so by a diagnostic, or the pipeline does not parse.
pub fn run_pipeline(module: OperationRef, pipeline: &str) -> Result<(), Reported> {
    run(module, pipeline, true)
}

/// The same without the verifier after each pass, which takes nearly as long as the passes: the
/// module is verified once, behind the last one.
///
/// # Errors
///
/// As [`run_pipeline`], and what the passes left is not valid.
pub fn run_trusted_pipeline(module: OperationRef, pipeline: &str) -> Result<(), Reported> {
    run(module, pipeline, false)?;
    match module.verify() {
        true => Ok(()),
        false => Err(Reported),
    }
}

fn run(module: OperationRef, pipeline: &str, verify_each: bool) -> Result<(), Reported> {
    let context = context_of(&module);
    let manager = melior::pass::PassManager::new(context);
    manager.enable_verifier(verify_each);
    let text = format!("builtin.module({pipeline})");
    let operations = manager.as_operation_pass_manager();
    if let Err(error) = melior::utility::parse_pass_pipeline(operations, &text) {
        diag::failure(module.location(), error).emit();
        return Err(Reported);
    }
    // SAFETY: manager and module are alive.
    let result = unsafe { mlir_sys::mlirPassManagerRunOnOp(manager.to_raw(), module.to_raw()) };
    if result.value == 0 {
        return Err(Reported);
    }
    Ok(())
}
