//! Notify and wait.

use super::{Mixed, integer, is, mixed, operand};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};

/// How a notify changes its cell; values are those of the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotifyKind {
    /// Adds to the cell.
    Add = 0,
    /// Replaces the cell.
    Set = 1,
}

/// What a wait compares by; values are those of the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitCmp {
    /// Equal.
    Eq = 0,
    /// Not equal.
    Ne = 1,
    /// Greater.
    Gt = 2,
    /// Greater or equal.
    Ge = 3,
    /// Less.
    Lt = 4,
    /// Less or equal.
    Le = 5,
}

/// `pld.notify OP VALUE, SIGNAL[OFFSETS] to PEER`.
#[derive(Clone, Debug)]
pub struct Notify<'c, 'a> {
    /// Add or set.
    pub kind: NotifyKind,
    /// An i32.
    pub value: Value<'c, 'a>,
    /// A window of i32 cells.
    pub signal: Value<'c, 'a>,
    /// The cell, one entry per dim.
    pub offsets: Vec<Mixed<'c, 'a>>,
    /// Whose cell.
    pub peer: Value<'c, 'a>,
}

impl<'c, 'a> Notify<'c, 'a> {
    /// The view of `op`, if it is a notify.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let count = op.operand_count();
        if !is(&op, "pld.notify") || count < 3 {
            return None;
        }
        Some(Self {
            kind: if integer(&op, "op")? == 0 {
                NotifyKind::Add
            } else {
                NotifyKind::Set
            },
            value: operand(&op, 0)?,
            signal: operand(&op, 1)?,
            offsets: mixed(op, "static_offsets", 2..count - 1)?,
            peer: operand(&op, count - 1)?,
        })
    }
}

/// `pld.wait CMP VALUE, SIGNAL[OFFSETS]`.
#[derive(Clone, Debug)]
pub struct Wait<'c, 'a> {
    /// The comparison.
    pub cmp: WaitCmp,
    /// An i32.
    pub value: Value<'c, 'a>,
    /// A window of i32 cells.
    pub signal: Value<'c, 'a>,
    /// The cell, one entry per dim.
    pub offsets: Vec<Mixed<'c, 'a>>,
}

impl<'c, 'a> Wait<'c, 'a> {
    /// The view of `op`, if it is a wait.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        if !is(&op, "pld.wait") {
            return None;
        }
        use WaitCmp::*;
        Some(Self {
            cmp: *[Eq, Ne, Gt, Ge, Lt, Le].get(usize::try_from(integer(&op, "cmp")?).ok()?)?,
            value: operand(&op, 0)?,
            signal: operand(&op, 1)?,
            offsets: mixed(op, "static_offsets", 2..op.operand_count())?,
        })
    }
}
