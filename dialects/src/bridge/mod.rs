//! All FFI of this crate: calls into `cpp/`, and the callbacks that `cpp/` makes.

mod attribute;
mod callback;
pub(crate) mod ffi;
mod location;
mod module;
mod operation;
mod registry;
mod types;
mod value;

pub use attribute::*;
pub use location::*;
pub use module::*;
pub use operation::*;
pub use registry::*;
pub use types::*;
pub use value::*;
