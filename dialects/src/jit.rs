//! Compiling a module of the llvm dialect in this process; the FFI of `cpp/Jit.cpp`.

use crate::bridge::ffi::string_ref;
use melior::{StringRef, ir::operation::OperationRef};
use mlir_sys::{MlirOperation, MlirStringCallback, MlirStringRef};
use std::{
    ffi::{OsString, c_int, c_void},
    os::unix::ffi::OsStringExt,
    path::PathBuf,
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
    cpu: MlirStringRef,
    threads: usize,
}

unsafe extern "C" {
    fn pldCompile(
        op: MlirOperation,
        options: *const RawOptions,
        on_object: MlirStringCallback,
        object_data: *mut c_void,
        on_error: MlirStringCallback,
        error_data: *mut c_void,
    ) -> bool;
    fn pldJitLoad(
        objects: *const MlirStringRef,
        object_count: usize,
        cpu: MlirStringRef,
        symbols: *const RawSymbol,
        count: usize,
        on_error: MlirStringCallback,
        user_data: *mut c_void,
    ) -> *mut c_void;
    fn pldCodeTarget(cpu: MlirStringRef, on_text: MlirStringCallback, user_data: *mut c_void);
    fn pldOwnFile(on_text: MlirStringCallback, user_data: *mut c_void);
    fn pldJitLookup(
        jit: *mut c_void,
        name: MlirStringRef,
        on_error: MlirStringCallback,
        user_data: *mut c_void,
    ) -> *mut c_void;
    fn pldJitDestroy(jit: *mut c_void);
}

/// How to compile.
#[derive(Clone, Copy, Debug)]
pub struct CodeOptions<'a> {
    /// LLVM passes, in the syntax of `opt -passes`.
    pub passes: &'a str,
    /// Effort of the code generator, 0 to 3.
    pub codegen_level: u8,
    /// As `llc -mcpu`; empty for this host.
    pub cpu: &'a str,
    /// Most threads that share a large module.
    pub threads: usize,
}

/// Compiles a module all of whose operations are of the llvm dialect to object files, which
/// belong together: a large module is shared among threads, and loses its functions to them.
///
/// # Errors
///
/// LLVM's own text: the module does not translate, a pass is unknown, or the CPU lacks what
/// the code needs.
pub fn compile(module: OperationRef, options: &CodeOptions) -> Result<Vec<Vec<u8>>, String> {
    let raw = RawOptions {
        passes: string_ref(options.passes),
        codegen_level: c_int::from(options.codegen_level),
        cpu: string_ref(options.cpu),
        threads: options.threads,
    };
    let (mut objects, mut error) = (Vec::<Vec<u8>>::new(), String::new());
    // SAFETY: module, options, objects and error text outlive the call.
    let done = unsafe {
        pldCompile(
            module.to_raw(),
            &raw,
            Some(push_bytes),
            (&raw mut objects).cast(),
            Some(append),
            (&raw mut error).cast(),
        )
    };
    done.then_some(objects).ok_or(error)
}

/// What the object of a module depends on besides it: LLVM's version, and the features of the
/// CPU of this name, empty for this host.
pub fn target(cpu: &str) -> String {
    let mut text = String::new();
    // SAFETY: both texts outlive the call.
    unsafe { pldCodeTarget(string_ref(cpu), Some(append), (&raw mut text).cast()) };
    text
}

/// The executable or library that this code is in.
pub fn own_file() -> Option<PathBuf> {
    let mut path = Vec::new();
    // SAFETY: the path outlives the call.
    unsafe { pldOwnFile(Some(append_bytes), (&raw mut path).cast()) };
    // A program found along PATH is told of by the name that it was called by.
    if path.contains(&b'/') {
        Some(PathBuf::from(OsString::from_vec(path)))
    } else {
        std::env::current_exe().ok()
    }
}

/// Only what all CPUs of this kind share matters to the linker, and finding out which one this
/// is takes longer than linking.
const ANY_CPU: &str = "generic";

/// Code in this process. It is freed on drop, so addresses from [`Jit::address`] are valid as
/// long as this.
#[derive(Debug)]
pub struct Jit(NonNull<c_void>);

// SAFETY: LLJIT locks its session in lookups, and is otherwise only dropped.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

impl Jit {
    /// Loads what [`compile`] made for this CPU, or one that it can do for. `symbols` are functions of this process
    /// that the code may call, by name; their addresses must be those of functions with the
    /// signature that the module declares.
    ///
    /// # Errors
    ///
    /// LLVM's own text, as far as it sees what is no such object.
    pub fn load(objects: &[Vec<u8>], symbols: &[(&str, *const ())]) -> Result<Self, String> {
        let symbols: Vec<_> = symbols
            .iter()
            .map(|&(name, address)| RawSymbol {
                name: string_ref(name),
                address: address.cast(),
            })
            .collect();
        let objects: Vec<_> = objects
            .iter()
            .map(|object| MlirStringRef {
                data: object.as_ptr().cast(),
                length: object.len(),
            })
            .collect();
        let mut error = String::new();
        // SAFETY: objects, symbols and the error text outlive the call.
        let jit = unsafe {
            pldJitLoad(
                objects.as_ptr(),
                objects.len(),
                string_ref(ANY_CPU),
                symbols.as_ptr(),
                symbols.len(),
                Some(append),
                (&raw mut error).cast(),
            )
        };
        NonNull::new(jit).map(Self).ok_or(error)
    }

    /// The address of a function of the objects.
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

/// Appends bytes from C++, as one more, to the `Vec<Vec<u8>>` behind `user_data`.
unsafe extern "C" fn push_bytes(bytes: MlirStringRef, user_data: *mut c_void) {
    let mut copy = Vec::new();
    // SAFETY: C++ hands over live bytes and the pointer it was given; the copy is our own.
    let target = unsafe {
        append_bytes(bytes, (&raw mut copy).cast());
        &mut *user_data.cast::<Vec<Vec<u8>>>()
    };
    target.push(copy);
}

/// Appends bytes from C++ to the `Vec<u8>` behind `user_data`.
unsafe extern "C" fn append_bytes(bytes: MlirStringRef, user_data: *mut c_void) {
    if bytes.length == 0 {
        return;
    }
    // SAFETY: C++ hands over live bytes and the pointer it was given.
    let (bytes, target) = unsafe {
        let bytes = std::slice::from_raw_parts(bytes.data.cast::<u8>(), bytes.length);
        (bytes, &mut *user_data.cast::<Vec<u8>>())
    };
    target.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::ir::Module;
    use std::sync::{Arc, Mutex};

    const OPTIONS: CodeOptions = CodeOptions {
        passes: "function(early-cse)",
        codegen_level: 1,
        cpu: "",
        threads: 3,
    };

    /// Functions each of which multiplies by 3 so often and calls the next; `more` stands before
    /// them, `used` in each.
    fn chain(functions: usize, length: usize, more: &str, used: &str) -> String {
        let mut text = more.to_string();
        for number in 0..functions {
            text += &format!(
                "llvm.func @f{number}(%v0: i64) -> i64 {{\n  %three = llvm.mlir.constant(3 : i64) : i64\n"
            );
            text += used;
            for step in 0..length {
                let next = step + 1;
                text += &format!("  %v{next} = llvm.mul %v{step}, %three : i64\n");
            }
            text += &match number + 1 < functions {
                true => format!(
                    "  %r = llvm.call @f{}(%v{length}) : (i64) -> i64\n  llvm.return %r : i64\n}}\n",
                    number + 1
                ),
                false => format!("  llvm.return %v{length} : i64\n}}\n"),
            };
        }
        text
    }

    fn objects(text: &str) -> Vec<Vec<u8>> {
        let context = crate::context();
        let module = Module::parse(&context, text).expect("the module parses");
        compile(module.as_operation(), &OPTIONS).expect("the module compiles")
    }

    /// Calls `@f0` with 1.
    fn call(objects: &[Vec<u8>]) -> i64 {
        let jit = Jit::load(objects, &[]).expect("the objects load");
        let address = jit.address("f0").expect("the function is there");
        // SAFETY: the function has this signature.
        let f: extern "C" fn(i64) -> i64 = unsafe { std::mem::transmute(address) };
        f(1)
    }

    /// What is shared among threads calls from one part into the other.
    #[test]
    fn large_modules_are_shared() {
        let objects = objects(&chain(40, 100, "", ""));
        assert_eq!(objects.len(), OPTIONS.threads);
        assert_eq!(call(&objects), 3i64.wrapping_pow(40 * 100));
    }

    /// A small module is not worth a second thread.
    #[test]
    fn small_modules_are_not() {
        let objects = objects(&chain(4, 5, "", ""));
        assert_eq!(objects.len(), 1);
        assert_eq!(call(&objects), 3i64.pow(20));
    }

    /// Each part has its copy of what is constant and not seen from outside.
    #[test]
    fn constants_are_copied() {
        let global = "llvm.mlir.global private constant @c(7 : i64) : i64\n";
        let used = "  %p = llvm.mlir.addressof @c : !llvm.ptr
  %q = llvm.load %p : !llvm.ptr -> i64
";
        let objects = objects(&chain(40, 100, global, used));
        assert_eq!(objects.len(), OPTIONS.threads);
        assert_eq!(call(&objects), 3i64.wrapping_pow(40 * 100));
    }

    /// A variable is one place, so what uses it stays together.
    #[test]
    fn variables_are_not() {
        let global = "llvm.mlir.global internal @v(0 : i64) : i64\n";
        let used = "  %p = llvm.mlir.addressof @v : !llvm.ptr
  llvm.store %v0, %p : i64, !llvm.ptr
";
        let objects = objects(&chain(40, 100, global, used));
        assert_eq!(objects.len(), 1);
        assert_eq!(call(&objects), 3i64.wrapping_pow(40 * 100));
    }

    /// A context for one thread is used by one.
    #[test]
    fn one_thread_keeps_its_module() {
        let context = crate::context();
        context.enable_multi_threading(false);
        let text = chain(40, 100, "", "");
        let module = Module::parse(&context, &text).expect("the module parses");
        let objects = compile(module.as_operation(), &OPTIONS).expect("the module compiles");
        assert_eq!(objects.len(), 1);
        assert_eq!(call(&objects), 3i64.wrapping_pow(40 * 100));
    }

    /// What is wrong with a part is said.
    #[test]
    fn unknown_passes_are_refused() {
        let context = crate::context();
        let text = chain(40, 100, "", "");
        let module = Module::parse(&context, &text).expect("the module parses");
        let passes = "function(no-such-pass)";
        let result = compile(module.as_operation(), &CodeOptions { passes, ..OPTIONS });
        let error = result.expect_err("no such pass");
        assert!(error.contains("no-such-pass"), "{error}");
    }

    /// So is what has no translation, at its place, from whatever thread.
    #[test]
    fn other_dialects_are_refused() {
        let context = crate::context();
        let used = "  %x = arith.constant 1 : i64\n";
        let module = Module::parse(&context, &chain(40, 100, "", used)).expect("the module parses");
        let said = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&said);
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.lock().expect("no panic").push(diagnostic.to_string());
            true
        });
        let error = compile(module.as_operation(), &OPTIONS).expect_err("arith is not llvm");
        assert!(error.contains("does not translate"), "{error}");
        let said = said.lock().expect("no panic");
        assert_eq!(said.len(), OPTIONS.threads);
        assert!(
            said.iter().all(|said| said.contains("arith.constant")),
            "{said:?}"
        );
    }

    /// Large modules of several contexts are compiled at once.
    #[test]
    fn several_at_once() {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let objects = objects(&chain(40, 100, "", ""));
                    assert_eq!(call(&objects), 3i64.wrapping_pow(40 * 100));
                });
            }
        });
    }
}
