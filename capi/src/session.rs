//! Sessions: where diagnostics go.

use crate::{
    handle::{Object, lock},
    input::{self, Refusal, Shared, Status, guarded, object},
};
use pld::{Diagnostic, Error, Position, Severity, Source};
use std::{
    ffi::{CString, c_char, c_void},
    ptr,
    sync::{Arc, Mutex},
};

/// `pld_position`.
#[repr(C)]
pub struct RawPosition {
    file: *const c_char,
    line: u32,
    column: u32,
}

/// `pld_note`.
#[repr(C)]
pub struct RawNote {
    message: *const c_char,
    position: RawPosition,
}

/// `pld_diagnostic`.
#[repr(C)]
pub struct RawDiagnostic {
    severity: u32,
    code: u32,
    message: *const c_char,
    position: RawPosition,
    notes: *const RawNote,
    note_count: usize,
    text: *const c_char,
}

type Callback = extern "C" fn(*const RawDiagnostic, *mut c_void);

/// A session.
#[derive(Default)]
pub struct Session {
    callback: Option<(Callback, User)>,
}

/// What the caller's callback gets back.
#[derive(Clone, Copy)]
struct User(*mut c_void);

// SAFETY: it is only ever handed back.
unsafe impl Send for User {}

/// Tells the session's callback, without holding its lock, so that the callback may call us.
pub fn tell(session: &Shared<Session>, source: Option<&Source>, said: &[Diagnostic]) {
    let callback = lock(session).callback;
    let Some((callback, user)) = callback else {
        return;
    };
    for one in said {
        let text = source.map_or_else(|| one.to_string(), |source| source.render(one));
        deliver(one, &text, callback, user);
    }
}

/// Tells of an error, and gives its status.
pub fn refuse(session: &Shared<Session>, source: Option<&Source>, refusal: Refusal) -> Status {
    match refusal {
        Refusal::Misuse => Status::Misuse,
        Refusal::Said(Error::Invalid(said)) => {
            tell(session, source, &said);
            Status::Invalid
        }
        Refusal::Said(Error::Internal(message)) => {
            tell(session, None, &[Diagnostic::error(None, message)]);
            Status::Internal
        }
        Refusal::Said(Error::Cancelled) => Status::Cancelled,
    }
}

fn deliver(said: &Diagnostic, text: &str, callback: Callback, User(user): User) {
    // What the pointers below point to lives until the callback has returned.
    let mut kept = Vec::new();
    let mut keep = |text: &str| {
        let text = CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default();
        let pointer = text.as_ptr();
        kept.push(text);
        pointer
    };
    let mut place = |position: Option<&Position>| RawPosition {
        file: position.map_or(ptr::null(), |at| keep(&at.file)),
        line: position.map_or(0, |at| at.line),
        column: position.map_or(0, |at| at.column),
    };
    let position = place(said.position.as_ref());
    let places: Vec<_> = said
        .notes
        .iter()
        .map(|note| place(note.position.as_ref()))
        .collect();
    let messages = said.notes.iter().map(|note| keep(&note.message));
    let notes: Vec<_> = messages
        .collect::<Vec<_>>()
        .into_iter()
        .zip(places)
        .map(|(message, position)| RawNote { message, position })
        .collect();
    let raw = RawDiagnostic {
        severity: match said.severity {
            Severity::Error => 0,
            Severity::Warning => 1,
            Severity::Remark => 2,
        },
        code: said.code.map_or(0, |code| u32::from(code.0)),
        message: keep(&said.message),
        position,
        notes: notes.as_ptr(),
        note_count: notes.len(),
        text: keep(text),
    };
    callback(&raw, user);
}

/// # Safety
///
/// `session` is null or points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_session_create(session: *mut *mut c_void) -> Status {
    guarded(|| {
        let object = Object::Session(Arc::new(Mutex::new(Session::default())));
        // SAFETY: as the caller promises.
        match unsafe { input::hand_out(session, object) } {
            Ok(()) => Status::Ok,
            Err(_) => Status::Misuse,
        }
    })
}

/// Ends a session.
#[unsafe(no_mangle)]
pub extern "C" fn pld_session_destroy(session: *mut c_void) -> Status {
    input::destroy(session, |object| matches!(object, Object::Session(_)))
}

/// Sets the callback.
#[unsafe(no_mangle)]
pub extern "C" fn pld_session_on_diagnostic(
    session: *mut c_void,
    callback: Option<Callback>,
    user: *mut c_void,
) -> Status {
    guarded(|| match object!(session, Session) {
        Ok(session) => {
            lock(&session).callback = callback.map(|callback| (callback, User(user)));
            Status::Ok
        }
        Err(_) => Status::Misuse,
    })
}
