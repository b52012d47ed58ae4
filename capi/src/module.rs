//! Modules: parsed, checked, lowered, printed.

use crate::{
    artifact::Artifact,
    handle::{Object, lock},
    input::{self, Refusal, Shared, Status, guarded, object},
    session::{self, Session},
};
use pld::{Barrier, Diagnostic, Program, Source};
use std::{
    ffi::{c_char, c_int, c_void},
    sync::{Arc, Mutex},
};

/// A program that one thread at a time uses.
pub struct Movable(pub Program);

// SAFETY: a context of MLIR and its operations may be used from any thread, one at a time; the
// lock around every module and simulation sees to that. Nothing of it is kept per thread.
unsafe impl Send for Movable {}

/// A module.
pub struct Module {
    pub session: Shared<Session>,
    pub source: Source,
    pub program: Arc<Mutex<Movable>>,
}

/// Runs `body` on a module, and tells its session what it says: when the module is free again,
/// so that the callback may use it.
fn on_module(
    module: *const c_void,
    body: impl FnOnce(&Module, &Program) -> Result<Vec<Diagnostic>, Refusal>,
) -> Status {
    guarded(|| {
        let Ok(module) = object!(module, Module) else {
            return Status::Misuse;
        };
        let module = lock(&module);
        let result = body(&module, &lock(&module.program).0);
        if matches!(&result, Ok(said) if said.is_empty()) {
            return Status::Ok;
        }
        let (session, source) = (Arc::clone(&module.session), module.source.clone());
        drop(module);
        match result {
            Ok(said) => {
                session::tell(&session, Some(&source), &said);
                Status::Ok
            }
            Err(refusal) => session::refuse(&session, Some(&source), refusal),
        }
    })
}

/// # Safety
///
/// `data` points to `length` bytes, `name` is null or ends with a zero, `module` points to room
/// for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_module_parse(
    session: *mut c_void,
    data: *const c_void,
    length: usize,
    name: *const c_char,
    module: *mut *mut c_void,
) -> Status {
    guarded(|| {
        let Ok(session) = object!(session, Session) else {
            return Status::Misuse;
        };
        // SAFETY: as the caller promises.
        let given = unsafe { input::slice(data.cast::<u8>(), length) };
        // SAFETY: as the caller promises.
        let name = unsafe { input::optional_text(name) };
        let (Ok(given), Ok(name), false) = (given, name, module.is_null()) else {
            return Status::Misuse;
        };
        let source = Source::new(name.unwrap_or("<memory>"), given);
        match Program::parse(&source) {
            Ok(program) => {
                let object = Object::Module(Arc::new(Mutex::new(Module {
                    session,
                    source,
                    program: Arc::new(Mutex::new(Movable(program))),
                })));
                // SAFETY: as the caller promises.
                match unsafe { input::hand_out(module, object) } {
                    Ok(()) => Status::Ok,
                    Err(_) => Status::Misuse,
                }
            }
            Err(error) => session::refuse(&session, Some(&source), error.into()),
        }
    })
}

/// Ends a module.
#[unsafe(no_mangle)]
pub extern "C" fn pld_module_destroy(module: *mut c_void) -> Status {
    input::destroy(module, |object| matches!(object, Object::Module(_)))
}

/// Lints.
#[unsafe(no_mangle)]
pub extern "C" fn pld_module_check(module: *mut c_void) -> Status {
    on_module(module, |_, program| Ok(program.check()?))
}

/// # Safety
///
/// `artifact` points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_module_text(
    module: *mut c_void,
    locations: c_int,
    artifact: *mut *mut c_void,
) -> Status {
    on_module(module, |_, program| {
        let text = match locations {
            0 => program.to_string(),
            _ => program.text_with_locations(),
        };
        // SAFETY: as the caller promises.
        unsafe { Artifact::one(text).hand_out(artifact) }?;
        Ok(Vec::new())
    })
}

/// # Safety
///
/// `artifact` points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_module_bytecode(
    module: *mut c_void,
    artifact: *mut *mut c_void,
) -> Status {
    on_module(module, |_, program| {
        // SAFETY: as the caller promises.
        unsafe { Artifact::one(program.bytecode()).hand_out(artifact) }?;
        Ok(Vec::new())
    })
}

/// # Safety
///
/// `pipeline` ends with a zero, `artifact` points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_module_lower(
    module: *mut c_void,
    pipeline: *const c_char,
    artifact: *mut *mut c_void,
) -> Status {
    on_module(module, |_, program| {
        // SAFETY: as the caller promises.
        let pipeline = unsafe { input::text(pipeline) }?;
        let text = program.lowered(pipeline)?;
        // SAFETY: as the caller promises.
        unsafe { Artifact::one(text).hand_out(artifact) }?;
        Ok(Vec::new())
    })
}

/// # Safety
///
/// `entry` and `target` are null or end with a zero, `artifact` points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_module_project(
    module: *mut c_void,
    entry: *const c_char,
    target: *const c_char,
    artifact: *mut *mut c_void,
) -> Status {
    on_module(module, |module, program| {
        // SAFETY: as the caller promises.
        let entry = program.entry(unsafe { input::optional_text(entry) }?)?;
        // SAFETY: as the caller promises.
        let target = unsafe { input::optional_text(target) }?.unwrap_or("a2a3");
        let (files, said) = program.project(&entry, Barrier::default(), target)?;
        // SAFETY: as the caller promises.
        unsafe { Artifact::project(Arc::clone(&module.session), files).hand_out(artifact) }?;
        Ok(said)
    })
}
