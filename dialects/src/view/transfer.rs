//! Bulk transfers.

use super::{Mixed, Segments, integer, is, optional_mixed};
use crate::bridge;
use melior::ir::{Value, operation::OperationRef};

/// `pld.put` or `pld.get`.
#[derive(Clone, Debug)]
pub struct Transfer<'c, 'a> {
    /// Memory that is read.
    pub source: Value<'c, 'a>,
    /// One entry per dim of the source; its start if absent.
    pub source_offsets: Option<Vec<Mixed<'c, 'a>>>,
    /// Memory that is written.
    pub destination: Value<'c, 'a>,
    /// One entry per dim of the destination; its start if absent.
    pub destination_offsets: Option<Vec<Mixed<'c, 'a>>>,
    /// Extents of the region; the whole slice if absent.
    pub sizes: Option<Vec<Mixed<'c, 'a>>>,
    /// Whose slice: the destination of a put, the source of a get.
    pub peer: Value<'c, 'a>,
    /// Rows of the staging tile.
    pub chunk_rows: Option<i64>,
    /// Columns of the staging tile.
    pub chunk_cols: Option<i64>,
    /// Whether it is double-buffered.
    pub pipeline: bool,
    /// Whether a put adds to memory atomically.
    pub atomic: bool,
    /// Whether it is a put.
    pub is_put: bool,
}

impl<'c, 'a> Transfer<'c, 'a> {
    /// The view of `op`, if it is a put or get.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let is_put = is(&op, "pld.put");
        if !is_put && !is(&op, "pld.get") {
            return None;
        }
        let parts = Segments::of(op)?;
        let list = |index, attribute: &str| optional_mixed(op, attribute, parts.range(index)?);
        let one = |index| parts.first(index);
        Some(Self {
            source: one(0)?,
            source_offsets: list(1, "static_source_offsets")?,
            destination: one(2)?,
            destination_offsets: list(3, "static_destination_offsets")?,
            sizes: list(4, "static_sizes")?,
            peer: one(5)?,
            chunk_rows: integer(&op, "chunk_rows"),
            chunk_cols: integer(&op, "chunk_cols"),
            pipeline: bridge::attribute(&op, "pipeline").is_some(),
            atomic: bridge::attribute(&op, "atomic").is_some(),
            is_put,
        })
    }
}
