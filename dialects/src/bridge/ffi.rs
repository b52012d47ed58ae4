//! What C++ offers, and strings and arrays between the two languages.

use mlir_sys::{
    MlirAttribute, MlirContext, MlirDialectRegistry, MlirLocation, MlirModule, MlirOperation,
    MlirStringRef, MlirType,
};
use std::{
    ffi::{c_char, c_int, c_uint, c_void},
    slice,
};

/// A string in a layout that C++ and Rust share.
#[repr(C)]
pub(super) struct OptionSpec {
    pub(super) name: MlirStringRef,
    pub(super) description: MlirStringRef,
    pub(super) default: MlirStringRef,
}

/// What C++ keeps of a pass or pipeline.
#[repr(C)]
pub(super) struct PassSpec {
    pub(super) argument: MlirStringRef,
    pub(super) description: MlirStringRef,
    pub(super) options: *const OptionSpec,
    pub(super) option_count: usize,
    pub(super) callback: *const c_void,
}

unsafe extern "C" {
    pub(super) fn pldRegisterEverything(registry: MlirDialectRegistry);
    pub(super) fn pldRegisterDialects(registry: MlirDialectRegistry);
    pub(super) fn pldTileTypeGet(
        context: MlirContext,
        rank: isize,
        shape: *const i64,
        element: MlirType,
    ) -> MlirType;
    pub(super) fn pldDTensorTypeGet(
        context: MlirContext,
        rank: isize,
        shape: *const i64,
        element: MlirType,
    ) -> MlirType;
    pub(super) fn pldWindowBufferTypeGet(context: MlirContext) -> MlirType;
    pub(super) fn pldCommCtxTypeGet(context: MlirContext) -> MlirType;
    pub(super) fn pldShapedTypeGet(
        r#type: MlirType,
        shape: *mut *const i64,
        rank: *mut usize,
        element_type: *mut MlirType,
    ) -> c_int;
    pub(super) fn pldDenseI64ArrayGet(attribute: MlirAttribute, elements: *mut *const i64)
    -> isize;
    pub(super) fn pldOperandSegmentsGet(op: MlirOperation, sizes: *mut *const i32) -> isize;
    pub(super) fn pldTypeIsATile(r#type: MlirType) -> bool;
    pub(super) fn pldTypeIsADTensor(r#type: MlirType) -> bool;
    pub(super) fn pldTypeIsAWindowBuffer(r#type: MlirType) -> bool;
    pub(super) fn pldTypeIsACommCtx(r#type: MlirType) -> bool;
    pub(super) fn pldEmitDiagnostic(
        location: MlirLocation,
        severity: c_int,
        message: MlirStringRef,
        note_count: usize,
        note_locations: *const MlirLocation,
        notes: *const MlirStringRef,
    );
    pub(super) fn pldLocationGetFile(
        location: MlirLocation,
        file: *mut MlirStringRef,
        line: *mut c_uint,
        column: *mut c_uint,
    ) -> bool;
    pub(super) fn pldParseModule(
        context: MlirContext,
        source: MlirStringRef,
        name: MlirStringRef,
    ) -> MlirModule;
    pub(super) fn pldRegisterPass(spec: *const PassSpec);
    pub(super) fn pldRegisterPipeline(spec: *const PassSpec);
    pub(super) fn pldRegisterTranslation(
        name: MlirStringRef,
        description: MlirStringRef,
        callback: *const c_void,
    );
    pub(super) fn pldRegisterUpstreamPasses();
    pub(super) fn pldOptMain(count: c_int, arguments: *mut *mut c_char) -> c_int;
    pub(super) fn pldTranslateMain(count: c_int, arguments: *mut *mut c_char) -> c_int;
    pub(super) fn pldLspServerMain(count: c_int, arguments: *mut *mut c_char) -> c_int;
}

/// A borrowed string for C++; valid as long as `text`.
pub(crate) fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// The text of a string of MLIR; empty if it is not UTF-8.
///
/// # Safety
///
/// The string is alive for `'a`.
pub(super) unsafe fn text_of<'a>(string: MlirStringRef) -> &'a str {
    // melior's own conversion takes no empty string.
    if string.length == 0 {
        return "";
    }
    // SAFETY: guaranteed by the caller; the length is not 0.
    let bytes = unsafe { slice::from_raw_parts(string.data.cast::<u8>(), string.length) };
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// An array that C++ has; `None` if it answered with -1.
///
/// # Safety
///
/// `get` answers with the length of the array that it points to, which is alive for `'a`.
pub(super) unsafe fn array<'a, T>(get: impl FnOnce(*mut *const T) -> isize) -> Option<&'a [T]> {
    let mut elements = std::ptr::null();
    let length = usize::try_from(get(&raw mut elements)).ok()?;
    if length == 0 {
        return Some(&[]);
    }
    // SAFETY: guaranteed by the caller; the length is not 0.
    Some(unsafe { slice::from_raw_parts(elements, length) })
}
