//! Loads, stores and their like, local and remote.

use super::{Mixed, Segments, is, mixed, name, operand, optional_mixed};
use crate::bridge;
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};

/// A load, store, read, write, slice, assemble, remote load or remote store.
#[derive(Clone, Debug)]
pub struct Access<'c, 'a> {
    /// The operation itself.
    pub op: OperationRef<'c, 'a>,
    /// The array or window it accesses.
    pub memory: Value<'c, 'a>,
    /// One entry per dim of the memory operand.
    pub offsets: Vec<Mixed<'c, 'a>>,
    /// The part of the tile that is accessed (rows, columns); all of it if absent.
    pub valid: Option<Vec<Mixed<'c, 'a>>>,
    /// What fills the rest of a loaded tile; 0 if absent.
    pub pad: Option<Value<'c, 'a>>,
    /// The peer of a remote access.
    pub peer: Option<Value<'c, 'a>>,
    /// What is stored, or the result of a load: a tile, or a scalar of read and write.
    pub value: Value<'c, 'a>,
    /// Whether it writes memory.
    pub writes: bool,
    /// Whether a write adds to memory atomically.
    pub atomic: bool,
}

impl<'c, 'a> Access<'c, 'a> {
    /// The view of `op`, if it is one of them.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let result = || op.result(0).ok().map(Into::into);
        let count = op.operand_count();
        let parts = || Segments::of(op);
        let name = name(&op);
        let (memory, value, offsets, valid, pad, peer) = match name {
            "pl.load" | "pld.remote_load" => {
                let parts = parts()?;
                let (offsets, valid) = (parts.range(1)?, parts.range(2)?);
                let (pad, peer) = (parts.first(3), parts.first(4));
                (operand(&op, 0)?, result()?, offsets, valid, pad, peer)
            }
            "pl.store" | "pld.remote_store" => {
                let parts = parts()?;
                let (offsets, valid) = (parts.range(2)?, parts.range(3)?);
                let (value, memory) = (operand(&op, 0)?, operand(&op, 1)?);
                (memory, value, offsets, valid, None, parts.first(4))
            }
            "pl.read" | "pl.slice" => (operand(&op, 0)?, result()?, 1..count, 0..0, None, None),
            "pl.write" | "pl.assemble" => (
                operand(&op, 1)?,
                operand(&op, 0)?,
                2..count,
                0..0,
                None,
                None,
            ),
            _ => return None,
        };
        let writes = matches!(
            name,
            "pl.store" | "pld.remote_store" | "pl.write" | "pl.assemble"
        );
        Some(Self {
            op,
            memory,
            offsets: mixed(op, "static_offsets", offsets)?,
            valid: optional_mixed(op, "static_valid", valid)?,
            pad,
            peer,
            value,
            writes,
            atomic: writes && bridge::attribute(&op, "atomic").is_some(),
        })
    }

    /// Whether it moves one scalar: read or write.
    pub fn is_scalar(&self) -> bool {
        is(&self.op, "pl.read") || is(&self.op, "pl.write")
    }

    /// Whether it reaches a peer's slice.
    pub fn is_remote(&self) -> bool {
        is(&self.op, "pld.remote_load") || is(&self.op, "pld.remote_store")
    }
}
