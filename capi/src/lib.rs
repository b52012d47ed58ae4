//! The C interface; `include/pld-c/pld.h` is its documentation.
//!
//! | module | holds |
//! | --- | --- |
//! | `handle` | the table of live objects: a handle is a number, never followed |
//! | `input` | pointers and text of the caller, and the guard around every function |
//! | `session` | the callback for diagnostics |
//! | `module`, `artifact`, `simulation` | the functions of their names |

mod artifact;
mod handle;
mod input;
mod module;
mod session;
mod simulation;

use std::ffi::c_char;

/// Grows with what is added to the header.
const API_VERSION: u32 = 2;

/// The version of the header that this was built with.
#[unsafe(no_mangle)]
pub extern "C" fn pld_api_version() -> u32 {
    API_VERSION
}

/// The version of pld.
#[unsafe(no_mangle)]
pub extern "C" fn pld_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
