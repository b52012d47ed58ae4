//! Dispatches.

use super::{is, operand, operands, symbol};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};

/// `pld.dispatch @CALLEE(ARGUMENTS) on RANK`.
#[derive(Clone, Debug)]
pub struct Dispatch<'c, 'a> {
    /// Name of the device function.
    pub callee: String,
    /// What it is called with.
    pub arguments: Vec<Value<'c, 'a>>,
    /// World rank it starts on.
    pub rank: Value<'c, 'a>,
}

impl<'c, 'a> Dispatch<'c, 'a> {
    /// The view of `op`, if it is a dispatch.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let count = op.operand_count();
        if !is(&op, "pld.dispatch") || count < 1 {
            return None;
        }
        Some(Self {
            callee: symbol(&op, "callee")?,
            arguments: operands(op, 0..count - 1)?,
            rank: operand(&op, count - 1)?,
        })
    }
}
