//! `pld.remote_load`, `pld.remote_store`: verifiers.

use crate::{
    pl::memory::{check_access, view_of},
    pld::window,
};
use melior::ir::{ValueLike, operation::OperationRef};

/// # Verification
///
/// - the memory operand is a window (101)
/// - the rules of every access (104, 105, 106), as for `pl.load` and `pl.store`
pub(crate) fn verify_access(op: OperationRef) -> bool {
    let Some(access) = view_of(op) else {
        return false;
    };
    let window = window::operand(op, access.memory.r#type(), "memory operand");
    window.is_some() & check_access(&access, window)
}
