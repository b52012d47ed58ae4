//! All FFI of this crate: calls into `cpp/`, and the callbacks that `cpp/` makes.
//!
//! Every callback catches panics and turns them into a diagnostic and a failure, since
//! nothing may unwind into C++.

use crate::{
    diag, fold, level,
    pass::{Options, Pass, Pipeline, Reported, Translation},
    source, types, verify,
};
use melior::{
    Context, ContextRef,
    dialect::DialectRegistry,
    ir::{
        Attribute, BlockLike, BlockRef, Identifier, Location, Module, Type, TypeLike, Value,
        ValueLike,
        attribute::AttributeLike,
        block::BlockArgument,
        operation::{OperationLike, OperationRef, WalkOrder, WalkResult},
    },
};
use mlir_sys::{
    MlirAttribute, MlirContext, MlirDialectRegistry, MlirIdentifier, MlirLocation, MlirModule,
    MlirOperation, MlirStringCallback, MlirStringRef, MlirType, MlirValue,
};
use std::{
    cell::Cell,
    collections::BTreeMap,
    ffi::{CString, c_char, c_int, c_uint, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    slice,
    sync::{Mutex, PoisonError},
};

/// A string in a layout that C++ and Rust share.
#[repr(C)]
struct OptionSpec {
    name: MlirStringRef,
    description: MlirStringRef,
    default: MlirStringRef,
}

/// What C++ keeps of a pass or pipeline.
#[repr(C)]
struct PassSpec {
    argument: MlirStringRef,
    description: MlirStringRef,
    options: *const OptionSpec,
    option_count: usize,
    callback: *const c_void,
}

unsafe extern "C" {
    fn pldRegisterEverything(registry: MlirDialectRegistry);
    fn pldRegisterDialects(registry: MlirDialectRegistry);
    fn pldTileTypeGet(
        context: MlirContext,
        shape: *const i64,
        rank: usize,
        element: MlirType,
    ) -> MlirType;
    fn pldDTensorTypeGet(
        context: MlirContext,
        shape: *const i64,
        rank: usize,
        element: MlirType,
    ) -> MlirType;
    fn pldWindowBufferTypeGet(context: MlirContext) -> MlirType;
    fn pldCommCtxTypeGet(context: MlirContext) -> MlirType;
    fn pldShapedTypeGet(
        r#type: MlirType,
        shape: *mut *const i64,
        rank: *mut usize,
        element_type: *mut MlirType,
    ) -> c_int;
    fn pldDenseI64ArrayGet(attribute: MlirAttribute, elements: *mut *const i64) -> isize;
    fn pldOperandSegmentsGet(op: MlirOperation, sizes: *mut *const i32) -> isize;
    fn pldTypeIsTile(r#type: MlirType) -> bool;
    fn pldTypeIsDTensor(r#type: MlirType) -> bool;
    fn pldTypeIsWindowBuffer(r#type: MlirType) -> bool;
    fn pldTypeIsCommCtx(r#type: MlirType) -> bool;
    fn pldEmitDiagnostic(
        location: MlirLocation,
        severity: c_int,
        message: MlirStringRef,
        note_count: usize,
        note_locations: *const MlirLocation,
        notes: *const MlirStringRef,
    );
    fn pldLocationGetFile(
        location: MlirLocation,
        file: *mut MlirStringRef,
        line: *mut c_uint,
        column: *mut c_uint,
    ) -> bool;
    fn pldParseModule(
        context: MlirContext,
        source: MlirStringRef,
        name: MlirStringRef,
    ) -> MlirModule;
    fn pldRegisterPass(spec: *const PassSpec);
    fn pldRegisterPipeline(spec: *const PassSpec);
    fn pldRegisterTranslation(
        name: MlirStringRef,
        description: MlirStringRef,
        callback: *const c_void,
    );
    fn pldRegisterUpstreamPasses();
    fn pldOptMain(count: c_int, arguments: *mut *mut c_char) -> c_int;
    fn pldTranslateMain(count: c_int, arguments: *mut *mut c_char) -> c_int;
    fn pldLspServerMain(count: c_int, arguments: *mut *mut c_char) -> c_int;
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
unsafe fn text_of<'a>(string: MlirStringRef) -> &'a str {
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
unsafe fn array<'a, T>(get: impl FnOnce(*mut *const T) -> isize) -> Option<&'a [T]> {
    let mut elements = std::ptr::null();
    let length = usize::try_from(get(&raw mut elements)).ok()?;
    if length == 0 {
        return Some(&[]);
    }
    // SAFETY: guaranteed by the caller; the length is not 0.
    Some(unsafe { slice::from_raw_parts(elements, length) })
}

/// The elements of a dense i64 array attribute; `None` for any other attribute.
pub(crate) fn integers<'c>(attribute: Attribute<'c>) -> Option<&'c [i64]> {
    // SAFETY: the attribute is alive, and its elements belong to the context.
    unsafe { array(|elements| pldDenseI64ArrayGet(attribute.to_raw(), elements)) }
}

/// How many operands each segment of an operation of ours has; `None` for one without
/// segments. Not to be kept when the operation changes.
pub(crate) fn operand_segments<'a>(op: OperationRef<'_, 'a>) -> Option<&'a [i32]> {
    // SAFETY: the operation is alive, and owns the sizes.
    unsafe { array(|sizes| pldOperandSegmentsGet(op.to_raw(), sizes)) }
}

/// The text of a string attribute; `None` for any other attribute.
pub fn string_value<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, a string where it is asked for its text, and owned by
    // the context.
    unsafe {
        mlir_sys::mlirAttributeIsAString(raw)
            .then(|| text_of(mlir_sys::mlirStringAttrGetValue(raw)))
    }
}

/// The name in a flat symbol reference; `None` for any other attribute.
pub fn symbol_value<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, a flat symbol reference where it is asked for its
    // name, and owned by the context.
    unsafe {
        mlir_sys::mlirAttributeIsAFlatSymbolRef(raw)
            .then(|| text_of(mlir_sys::mlirFlatSymbolRefAttrGetValue(raw)))
    }
}

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

/// An attribute of an operation, inherent or not.
///
/// `OperationLike::attribute` allocates an error where there is none.
pub(crate) fn attribute<'c: 'a, 'a>(
    op: &impl OperationLike<'c, 'a>,
    name: &str,
) -> Option<Attribute<'c>> {
    // SAFETY: the operation is alive; the attribute belongs to the context.
    unsafe {
        Attribute::from_option_raw(mlir_sys::mlirOperationGetAttributeByName(
            op.to_raw(),
            string_ref(name),
        ))
    }
}

/// As [`attribute`], of those only that an operation has besides its inherent ones.
pub(crate) fn discardable_attribute<'c: 'a, 'a>(
    op: &impl OperationLike<'c, 'a>,
    name: &str,
) -> Option<Attribute<'c>> {
    // SAFETY: as above.
    unsafe {
        Attribute::from_option_raw(mlir_sys::mlirOperationGetDiscardableAttributeByName(
            op.to_raw(),
            string_ref(name),
        ))
    }
}

/// Registers both dialects and everything upstream has.
pub fn register_everything(registry: &DialectRegistry) {
    // SAFETY: the registry is alive for the call.
    unsafe { pldRegisterEverything(registry.to_raw()) }
}

/// Registers the two dialects only, for a context that an embedder made.
pub fn register_dialects(registry: &DialectRegistry) {
    // SAFETY: the registry is alive for the call.
    unsafe { pldRegisterDialects(registry.to_raw()) }
}

/// Calls a type constructor of the bridge.
fn shaped_type<'c>(
    make: unsafe extern "C" fn(MlirContext, *const i64, usize, MlirType) -> MlirType,
    context: &'c Context,
    shape: &[i64],
    element: Type<'c>,
) -> Type<'c> {
    // SAFETY: context, shape and element are alive; the result belongs to the context.
    unsafe {
        Type::from_raw(make(
            context.to_raw(),
            shape.as_ptr(),
            shape.len(),
            element.to_raw(),
        ))
    }
}

pub(crate) fn tile_type<'c>(context: &'c Context, shape: &[i64], element: Type<'c>) -> Type<'c> {
    shaped_type(pldTileTypeGet, context, shape, element)
}

pub(crate) fn dtensor_type<'c>(context: &'c Context, shape: &[i64], element: Type<'c>) -> Type<'c> {
    shaped_type(pldDTensorTypeGet, context, shape, element)
}

pub(crate) fn window_buffer_type(context: &Context) -> Type<'_> {
    // SAFETY: the context is alive and has the dialect loaded (see `crate::context`).
    unsafe { Type::from_raw(pldWindowBufferTypeGet(context.to_raw())) }
}

pub(crate) fn comm_ctx_type(context: &Context) -> Type<'_> {
    // SAFETY: as above.
    unsafe { Type::from_raw(pldCommCtxTypeGet(context.to_raw())) }
}

/// Whether `type` is `!pl.tile`.
pub fn is_tile(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { pldTypeIsTile(r#type.to_raw()) }
}

/// Whether `type` is `!pld.dtensor`.
pub fn is_dtensor(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { pldTypeIsDTensor(r#type.to_raw()) }
}

/// Whether `type` is `!pld.window_buffer`.
pub fn is_window_buffer(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { pldTypeIsWindowBuffer(r#type.to_raw()) }
}

/// Whether `type` is `!pld.comm_ctx`.
pub fn is_comm_ctx(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { pldTypeIsCommCtx(r#type.to_raw()) }
}

/// Level, shape and element type of a memref, window, ranked tensor or tile.
pub(crate) fn take_apart<'c>(r#type: Type<'c>) -> Option<(types::Level, &'c [i64], Type<'c>)> {
    use types::Level::{Memory, Tensor, Tile, Window};
    let (mut shape, mut rank) = (std::ptr::null(), 0);
    let mut element = r#type.to_raw();
    // SAFETY: the type is alive and the out-pointers are valid; shape and element type
    // belong to the context.
    unsafe {
        let level = pldShapedTypeGet(
            r#type.to_raw(),
            &raw mut shape,
            &raw mut rank,
            &raw mut element,
        );
        let level = match level {
            1 => Memory,
            2 => Window,
            3 => Tensor,
            4 => Tile,
            _ => return None,
        };
        let shape = if rank == 0 {
            &[]
        } else {
            slice::from_raw_parts(shape, rank)
        };
        Some((level, shape, Type::from_raw(element)))
    }
}

pub(crate) fn emit_diagnostic(
    location: Location,
    severity: i32,
    message: &str,
    notes: &[(Location, String)],
) {
    let locations: Vec<_> = notes
        .iter()
        .map(|(location, _)| location.to_raw())
        .collect();
    let texts: Vec<_> = notes.iter().map(|(_, text)| string_ref(text)).collect();
    // SAFETY: all arrays and strings outlive the call, which copies them.
    unsafe {
        pldEmitDiagnostic(
            location.to_raw(),
            severity,
            string_ref(message),
            notes.len(),
            locations.as_ptr(),
            texts.as_ptr(),
        );
    }
}

/// File, line and column of the first file position inside a location.
pub fn file_position(location: Location<'_>) -> Option<(&str, u32, u32)> {
    let mut file = string_ref("");
    let (mut line, mut column) = (0, 0);
    // SAFETY: the out-pointers are valid; the file name belongs to the context.
    unsafe {
        if !pldLocationGetFile(location.to_raw(), &mut file, &mut line, &mut column) {
            return None;
        }
        Some((text_of(file), line, column))
    }
}

/// The name of a location that has one, as a frontend gives the values of its program.
pub fn location_name(location: Location<'_>) -> Option<&str> {
    // SAFETY: the location is alive, the query is made of a name location only, and the
    // name belongs to the context.
    unsafe {
        let raw = location.to_raw();
        if !mlir_sys::mlirLocationIsAName(raw) {
            return None;
        }
        let name = mlir_sys::mlirIdentifierStr(mlir_sys::mlirLocationNameGetName(raw));
        Some(text_of(name))
    }
}

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

/// Builds the C++ side's view of a pass; both live as long as the process.
fn spec(
    argument: &'static str,
    description: &'static str,
    options: &'static [crate::pass::OptionSpec],
    callback: *const c_void,
) -> &'static PassSpec {
    let options: Vec<_> = options
        .iter()
        .map(|option| OptionSpec {
            name: string_ref(option.name),
            description: string_ref(option.description),
            default: string_ref(option.default),
        })
        .collect();
    let options = Box::leak(options.into_boxed_slice());
    Box::leak(Box::new(PassSpec {
        argument: string_ref(argument),
        description: string_ref(description),
        options: options.as_ptr(),
        option_count: options.len(),
        callback,
    }))
}

pub(crate) fn register_pass(pass: &'static Pass) {
    let callback: *const Pass = pass;
    // SAFETY: the spec and the pass are never freed.
    unsafe {
        pldRegisterPass(spec(
            pass.argument,
            pass.description,
            pass.options,
            callback.cast(),
        ))
    }
}

pub(crate) fn register_pipeline(pipeline: &'static Pipeline) {
    let callback: *const Pipeline = pipeline;
    // SAFETY: the spec and the pipeline are never freed.
    unsafe {
        pldRegisterPipeline(spec(
            pipeline.argument,
            pipeline.description,
            pipeline.options,
            callback.cast(),
        ));
    }
}

pub(crate) fn register_translation(translation: &'static Translation) {
    let callback: *const Translation = translation;
    // SAFETY: the translation is never freed.
    unsafe {
        pldRegisterTranslation(
            string_ref(translation.argument),
            string_ref(translation.description),
            callback.cast(),
        );
    }
}

/// Registers all of upstream's passes by name.
pub fn register_upstream_passes() {
    // SAFETY: no arguments; registering twice is harmless.
    unsafe { pldRegisterUpstreamPasses() }
}

/// An upstream tool's `main`.
#[derive(Clone, Copy, Debug)]
pub enum Tool {
    /// `mlir-opt`.
    Opt,
    /// `mlir-translate`.
    Translate,
    /// `mlir-lsp-server`.
    LspServer,
}

/// Runs an upstream tool's `main` with these arguments and returns its exit code.
pub fn tool_main(tool: Tool, arguments: impl IntoIterator<Item = String>) -> i32 {
    let owned: Vec<CString> = arguments
        .into_iter()
        .filter_map(|argument| CString::new(argument).ok())
        .collect();
    let mut pointers: Vec<*mut c_char> = owned
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .collect();
    let count = pointers.len() as c_int;
    pointers.push(std::ptr::null_mut());
    let main = match tool {
        Tool::Opt => pldOptMain,
        Tool::Translate => pldTranslateMain,
        Tool::LspServer => pldLspServerMain,
    };
    // SAFETY: `pointers` is a null-terminated argv whose strings outlive the call.
    unsafe { main(count, pointers.as_mut_ptr()) }
}

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

/// Replaces all uses of a value by another.
pub fn replace_all_uses(of: Value, with: Value) {
    // SAFETY: both values are alive.
    unsafe { mlir_sys::mlirValueReplaceAllUsesOfWith(of.to_raw(), with.to_raw()) }
}

/// Whether a value has any use.
pub fn has_uses(value: Value) -> bool {
    // SAFETY: the value is alive.
    unsafe { !mlir_sys::mlirOpOperandIsNull(mlir_sys::mlirValueGetFirstUse(value.to_raw())) }
}

/// Whether a memref has the identity layout.
pub fn has_identity_layout(memref: Type) -> bool {
    // SAFETY: only asked of a memref type.
    unsafe {
        !mlir_sys::mlirTypeIsAMemRef(memref.to_raw())
            || mlir_sys::mlirAffineMapIsIdentity(mlir_sys::mlirMemRefTypeGetAffineMap(
                memref.to_raw(),
            ))
    }
}

/// Whether a memref has the identity layout and no memory space.
pub fn is_plain_memref(memref: Type) -> bool {
    // SAFETY: the memory space is asked of a memref only.
    has_identity_layout(memref)
        && unsafe {
            !mlir_sys::mlirTypeIsAMemRef(memref.to_raw())
                || mlir_sys::mlirMemRefTypeGetMemorySpace(memref.to_raw())
                    .ptr
                    .is_null()
        }
}

/// Whether a type is a scalar float of any width.
pub fn is_float(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { mlir_sys::mlirTypeIsAFloat(r#type.to_raw()) }
}

/// The block of an argument, with the lifetime of the IR rather than of the handle.
pub fn owner_block<'c, 'a>(argument: BlockArgument<'c, 'a>) -> BlockRef<'c, 'a> {
    // SAFETY: the block owns the argument, so it lives as long.
    unsafe { BlockRef::from_raw(mlir_sys::mlirBlockArgumentGetOwner(argument.to_raw())) }
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

/// Sets an attribute of an operation, or replaces it.
pub fn set_attribute<'c>(op: OperationRef<'c, '_>, name: &str, attribute: Attribute<'c>) {
    // SAFETY: operation, name and attribute are alive.
    unsafe {
        mlir_sys::mlirOperationSetAttributeByName(
            op.to_raw(),
            string_ref(name),
            attribute.to_raw(),
        );
    }
}

/// Removes an attribute of an operation, if it has it.
pub fn remove_attribute(op: OperationRef, name: &str) {
    // SAFETY: operation and name are alive.
    unsafe { mlir_sys::mlirOperationRemoveAttributeByName(op.to_raw(), string_ref(name)) };
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

/// Erases an argument of a block; it must have no uses, and no handle of it may be used
/// afterwards.
///
/// # Panics
///
/// If the block has no such argument, or it has uses: an error of the caller.
pub fn erase_argument(block: BlockRef, index: usize) {
    let argument: Value = block.argument(index).expect("the argument exists").into();
    assert!(!has_uses(argument), "argument {index} is unused");
    // SAFETY: the argument exists and nothing refers to it.
    unsafe { mlir_sys::mlirBlockEraseArgument(block.to_raw(), index as u32) };
}

/// What tells a value from every other one, for use as a key.
pub fn value_key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

/// Runs a textual pass pipeline, such as `pld-lint,canonicalize`, on a `builtin.module`. Its
/// passes must have been registered.
///
/// # Errors
///
/// A pass failed, and has said so by a diagnostic, or the pipeline does not parse.
pub fn run_pipeline(module: OperationRef, pipeline: &str) -> Result<(), Reported> {
    let context = context_of(&module);
    let manager = melior::pass::PassManager::new(context);
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
