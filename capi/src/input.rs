//! What the caller hands in, and the guard around every function.

use crate::handle::{self, Object};
use pld::{Diagnostic, Element, Error};
use std::{
    ffi::{CStr, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// `pld_status`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok = 0,
    WrongResult = 1,
    Invalid = 2,
    Finding = 3,
    Internal = 4,
    Misuse = 5,
    Cancelled = 6,
}

/// Why a function did nothing.
pub enum Refusal {
    /// Null, a dead handle, an order that makes no sense.
    Misuse,
    /// What the library says of it.
    Said(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Said(error)
    }
}

impl From<Diagnostic> for Refusal {
    fn from(said: Diagnostic) -> Self {
        Self::Said(said.into())
    }
}

/// Runs the body of a function: a panic is a fault of ours and becomes a status.
pub fn guarded(body: impl FnOnce() -> Status) -> Status {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(Status::Internal)
}

/// The same where the answer is a value.
pub fn guarded_or<T>(otherwise: T, body: impl FnOnce() -> Option<T>) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Some(value)) => value,
        _ => otherwise,
    }
}

/// The object of a handle that has to be a `$kind`.
macro_rules! object {
    ($handle:expr, $kind:ident) => {
        match $crate::handle::get($handle.cast()) {
            Some($crate::handle::Object::$kind(object)) => Ok(object),
            _ => Err($crate::input::Refusal::Misuse),
        }
    };
}
pub(crate) use object;

/// Hands out a new object.
///
/// # Safety
///
/// `out` is null or points to room for a handle.
pub unsafe fn hand_out(out: *mut *mut c_void, object: Object) -> Result<(), Refusal> {
    if out.is_null() {
        return Err(Refusal::Misuse);
    }
    // SAFETY: it is not null, so it points to room for a handle.
    unsafe { out.write(handle::insert(object)) };
    Ok(())
}

/// Zero-terminated text.
///
/// # Safety
///
/// `text` is null or points to text that ends with a zero.
pub unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, Refusal> {
    if text.is_null() {
        return Err(Refusal::Misuse);
    }
    // SAFETY: it is not null, so it ends with a zero.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Refusal::Misuse)
}

/// Text that may be left out.
///
/// # Safety
///
/// As [`text`].
pub unsafe fn optional_text<'a>(given: *const c_char) -> Result<Option<&'a str>, Refusal> {
    match given.is_null() {
        true => Ok(None),
        // SAFETY: as the caller promises.
        false => unsafe { text(given) }.map(Some),
    }
}

/// `count` elements.
///
/// # Safety
///
/// `data` is null or points to as many.
pub unsafe fn slice<'a, T>(data: *const T, count: usize) -> Result<&'a [T], Refusal> {
    if count == 0 {
        return Ok(&[]);
    }
    if data.is_null() || count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Refusal::Misuse);
    }
    // SAFETY: it is not null, so it points to as many, and they fit into memory.
    Ok(unsafe { std::slice::from_raw_parts(data, count) })
}

/// An array of the caller's.
///
/// # Safety
///
/// `shape` points to `rank` extents, and `data` to as many elements as they say.
pub unsafe fn array(
    element: u32,
    shape: *const usize,
    rank: usize,
    data: *const c_void,
) -> Result<pld::Array, Refusal> {
    let element = *ELEMENTS.get(element as usize).ok_or(Refusal::Misuse)?;
    // SAFETY: as the caller promises.
    let shape = unsafe { slice(shape, rank) }?;
    let mut array = pld::Array::zeros(element, shape).ok_or_else(|| {
        let message = format!("an array of shape {shape:?} does not fit in memory");
        Diagnostic::error(None, message)
    })?;
    // SAFETY: as the caller promises; `bytes` is how many the shape says.
    let given = unsafe { slice(data.cast::<u8>(), array.bytes().len()) }?;
    array.bytes_mut().copy_from_slice(given);
    Ok(array)
}

/// In the order of `pld_element`.
const ELEMENTS: [Element; 8] = [
    Element::F32,
    Element::F16,
    Element::BF16,
    Element::I8,
    Element::I16,
    Element::I32,
    Element::I64,
    Element::I1,
];

/// Ends a handle of one kind.
pub fn destroy(handle: *const c_void, is: impl Fn(&Object) -> bool) -> Status {
    guarded(|| match handle::remove(handle, is) {
        true => Status::Ok,
        false => Status::Misuse,
    })
}

/// A shared object that a lock guards.
pub type Shared<T> = Arc<std::sync::Mutex<T>>;
