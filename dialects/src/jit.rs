//! Compiling a module of the llvm dialect in this process; the FFI of `cpp/Jit.cpp`.

use crate::bridge::string_ref;
use melior::{StringRef, ir::operation::OperationRef};
use mlir_sys::{MlirOperation, MlirStringCallback, MlirStringRef};
use std::{
    ffi::{c_int, c_void},
    ptr::NonNull,
};

#[repr(C)]
struct RawSymbol {
    name: MlirStringRef,
    address: *const c_void,
}

#[repr(C)]
struct RawOptions {
    passes: MlirStringRef,
    codegen_level: c_int,
    symbols: *const RawSymbol,
    symbol_count: usize,
}

unsafe extern "C" {
    fn pldJitCreate(
        op: MlirOperation,
        options: *const RawOptions,
        on_error: MlirStringCallback,
        user_data: *mut c_void,
    ) -> *mut c_void;
    fn pldJitLookup(
        jit: *mut c_void,
        name: MlirStringRef,
        on_error: MlirStringCallback,
        user_data: *mut c_void,
    ) -> *mut c_void;
    fn pldJitDestroy(jit: *mut c_void);
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct JitOptions<'a> {
    /// LLVM passes, in the syntax of `opt -passes`.
    pub passes: &'a str,
    /// Effort of the code generator, 0 to 3.
    pub codegen_level: u8,
    /// Functions of this process that compiled code may call, by name. Their addresses
    /// must be those of functions with the signature that the module declares.
    pub symbols: Vec<(&'a str, *const ())>,
}

/// Compiled code. It is freed on drop, so addresses from [`Jit::address`] are valid as long
/// as this.
#[derive(Debug)]
pub struct Jit(NonNull<c_void>);

// SAFETY: LLJIT locks its session in lookups, and is otherwise only dropped.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

impl Jit {
    /// Compiles a module all of whose operations are of the llvm dialect, for this host.
    ///
    /// # Errors
    ///
    /// LLVM's own text: the module does not translate, a pass is unknown, or the CPU lacks
    /// what the code needs.
    pub fn new(module: OperationRef, options: &JitOptions) -> Result<Self, String> {
        let symbols: Vec<_> = options
            .symbols
            .iter()
            .map(|&(name, address)| RawSymbol {
                name: string_ref(name),
                address: address.cast(),
            })
            .collect();
        let raw = RawOptions {
            passes: string_ref(options.passes),
            codegen_level: c_int::from(options.codegen_level),
            symbols: symbols.as_ptr(),
            symbol_count: symbols.len(),
        };
        let mut error = String::new();
        // SAFETY: module, options and the error text outlive the call.
        let jit =
            unsafe { pldJitCreate(module.to_raw(), &raw, Some(append), (&raw mut error).cast()) };
        NonNull::new(jit).map(Self).ok_or(error)
    }

    /// The address of a function of the module, compiling it first if need be.
    ///
    /// # Errors
    ///
    /// LLVM's own text: there is no such function, or it calls one that is nowhere defined.
    pub fn address(&self, name: &str) -> Result<NonNull<()>, String> {
        let mut error = String::new();
        // SAFETY: the handle is live, name and the error text outlive the call.
        let address = unsafe {
            pldJitLookup(
                self.0.as_ptr(),
                string_ref(name),
                Some(append),
                (&raw mut error).cast(),
            )
        };
        NonNull::new(address.cast()).ok_or(error)
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: destroyed exactly once.
        unsafe { pldJitDestroy(self.0.as_ptr()) }
    }
}

/// Appends a piece of text from C++ to the `String` behind `user_data`.
unsafe extern "C" fn append(text: MlirStringRef, user_data: *mut c_void) {
    // SAFETY: C++ hands over a live string and the pointer it was given.
    let (text, target) = unsafe { (StringRef::from_raw(text), &mut *user_data.cast::<String>()) };
    target.push_str(text.as_str().unwrap_or("(text that is not UTF-8)"));
}
