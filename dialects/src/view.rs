//! Typed views of operations, as the verifiers and the lowerings read them.
//!
//! A view of an operation that is not well formed is `None`; none of them panics.

use crate::bridge;
use melior::ir::{
    Attribute, RegionRef, Type, Value, ValueLike,
    attribute::IntegerAttribute,
    operation::{OperationLike, OperationRef},
};
use std::ops::Range;

/// An entry of a mixed static and dynamic list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mixed<'c, 'a> {
    /// Known at compile time.
    Static(i64),
    /// An `index` value.
    Dynamic(Value<'c, 'a>),
}

impl Mixed<'_, '_> {
    /// The same entry; static if its value is an `arith.constant`.
    pub fn folded(self) -> Self {
        match self {
            Self::Dynamic(value) => constant(value).map_or(self, Self::Static),
            Self::Static(_) => self,
        }
    }

    /// The number, if it is static.
    pub fn as_static(&self) -> Option<i64> {
        match self {
            Self::Static(value) => Some(*value),
            Self::Dynamic(_) => None,
        }
    }
}

impl<'c, 'a> From<Value<'c, 'a>> for Mixed<'c, 'a> {
    fn from(value: Value<'c, 'a>) -> Self {
        Self::Dynamic(value)
    }
}

impl From<i64> for Mixed<'_, '_> {
    fn from(value: i64) -> Self {
        Self::Static(value)
    }
}

/// The type that a literal has by default.
impl From<i32> for Mixed<'_, '_> {
    fn from(value: i32) -> Self {
        Self::Static(value.into())
    }
}

/// The name of an operation, such as `pl.load`.
pub fn name<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>) -> &'c str {
    bridge::operation_name(op)
}

/// Whether an operation has this name.
pub fn is<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, name: &str) -> bool {
    bridge::operation_name_bytes(op) == name.as_bytes()
}

/// Operand `index`, if there is one.
///
/// `OperationLike::operand` prints the operation to say that there is none. Inside a
/// verifier that verifies it again, without end.
pub fn operand<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, index: usize) -> Option<Value<'c, 'a>> {
    (index < op.operand_count())
        .then(|| op.operand(index).ok())
        .flatten()
}

/// Region `index`, if there is one; for the reason of [`operand`].
pub fn region<'c: 'a, 'a>(
    op: &impl OperationLike<'c, 'a>,
    index: usize,
) -> Option<RegionRef<'c, 'a>> {
    (index < op.region_count())
        .then(|| op.region(index).ok())
        .flatten()
}

/// The operands of an operation by segments.
struct Segments<'c, 'a> {
    op: OperationRef<'c, 'a>,
    sizes: &'a [i32],
}

impl<'c, 'a> Segments<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let sizes = bridge::operand_segments(op)?;
        Some(Self { op, sizes })
    }

    fn range(&self, index: usize) -> Option<Range<usize>> {
        let mut end = 0usize;
        let mut start = 0;
        for &size in self.sizes.get(..=index)? {
            start = end;
            end = end.checked_add(usize::try_from(size).ok()?)?;
        }
        Some(start..end)
    }

    fn first(&self, index: usize) -> Option<Value<'c, 'a>> {
        let range = self.range(index)?;
        operand(&self.op, range.start).filter(|_| !range.is_empty())
    }
}

fn operands<'c, 'a>(op: OperationRef<'c, 'a>, range: Range<usize>) -> Option<Vec<Value<'c, 'a>>> {
    range.map(|index| operand(&op, index)).collect()
}

/// The integers of a dense i64 array attribute; `None` if there is none.
pub fn integers<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, attribute: &str) -> Option<Vec<i64>> {
    bridge::integers(bridge::attribute(op, attribute)?).map(<[i64]>::to_vec)
}

/// The value of an integer attribute.
pub fn integer<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, attribute: &str) -> Option<i64> {
    Some(
        IntegerAttribute::try_from(bridge::attribute(op, attribute)?)
            .ok()?
            .signed_value(),
    )
}

/// Joins a static list with the values of its dynamic entries, which are the operands
/// `values`.
fn mixed<'c, 'a>(
    op: OperationRef<'c, 'a>,
    attribute: &str,
    values: Range<usize>,
) -> Option<Vec<Mixed<'c, 'a>>> {
    join(op, bridge::attribute(&op, attribute)?, values)
}

/// As [`mixed`], of a list that may be left out, with its operands.
fn optional_mixed<'c, 'a>(
    op: OperationRef<'c, 'a>,
    attribute: &str,
    values: Range<usize>,
) -> Option<Option<Vec<Mixed<'c, 'a>>>> {
    match bridge::attribute(&op, attribute) {
        Some(list) => join(op, list, values).map(Some),
        None => values.is_empty().then_some(None),
    }
}

fn join<'c, 'a>(
    op: OperationRef<'c, 'a>,
    list: Attribute<'c>,
    mut values: Range<usize>,
) -> Option<Vec<Mixed<'c, 'a>>> {
    let entries = bridge::integers(list)?;
    let mut joined = Vec::with_capacity(entries.len());
    for &entry in entries {
        joined.push(match entry {
            crate::types::DYNAMIC => Mixed::Dynamic(operand(&op, values.next()?)?),
            entry => Mixed::Static(entry),
        });
    }
    values.is_empty().then_some(joined)
}

/// The offsets of an operation whose only variadic operands, from `first` on, are offsets.
pub fn offsets<'c, 'a>(op: OperationRef<'c, 'a>, first: usize) -> Option<Vec<Mixed<'c, 'a>>> {
    mixed(op, "static_offsets", first..op.operand_count())
}

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

/// A collective: what it moves and the signal it synchronises by.
#[derive(Clone, Debug)]
pub struct Collective<'c, 'a> {
    /// The window or array that is read; the data in place.
    pub source: Value<'c, 'a>,
    /// The window that is written, if it is another one.
    pub destination: Option<Value<'c, 'a>>,
    /// The signal; absent on the host if the window's tail serves.
    pub signal: Option<Value<'c, 'a>>,
    /// Send and receive counts of an all-to-all-v.
    pub counts: Option<(Value<'c, 'a>, Value<'c, 'a>)>,
}

impl<'c, 'a> Collective<'c, 'a> {
    /// The view of `op`, if it is a collective other than a barrier.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let operand = |index| op.operand(index).ok();
        let (has_destination, has_counts) = match name(&op) {
            "pld.allreduce" | "pld.broadcast" | "pld.reduce_scatter" => (false, false),
            "pld.allgather" | "pld.all_to_all" => (true, false),
            "pld.all_to_all_v" => (true, true),
            _ => return None,
        };
        let fixed = 1 + usize::from(has_destination) + 2 * usize::from(has_counts);
        let count = op.operand_count();
        let has_signal = count == fixed + 1;
        if count != fixed && !has_signal {
            return None;
        }
        let signal_index = 1 + usize::from(has_destination);
        Some(Self {
            source: operand(0)?,
            destination: if has_destination {
                Some(operand(1)?)
            } else {
                None
            },
            signal: if has_signal {
                Some(operand(signal_index)?)
            } else {
                None
            },
            counts: if has_counts {
                Some((operand(count - 2)?, operand(count - 1)?))
            } else {
                None
            },
        })
    }
}

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

/// `pld.alloc_window_buffer SIZES of ELEMENT`.
#[derive(Clone, Debug)]
pub struct AllocWindowBuffer<'c, 'a> {
    /// Extents in elements.
    pub sizes: Vec<Mixed<'c, 'a>>,
    /// Element type.
    pub element_type: Type<'c>,
    /// World ranks of the group; all ranks if absent.
    pub ranks: Option<Vec<i64>>,
}

impl<'c, 'a> AllocWindowBuffer<'c, 'a> {
    /// The view of `op`, if it allocates a window buffer.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        if !is(&op, "pld.alloc_window_buffer") {
            return None;
        }
        let element_type = bridge::attribute(&op, "element_type")?;
        Some(Self {
            sizes: mixed(op, "static_sizes", 0..op.operand_count())?,
            element_type: melior::ir::attribute::TypeAttribute::try_from(element_type)
                .ok()?
                .value(),
            ranks: integers(&op, "ranks"),
        })
    }

    /// Bytes of data, if all sizes are static.
    pub fn static_bytes(&self) -> Option<i64> {
        let element = crate::types::Element::of(self.element_type)?;
        self.sizes
            .iter()
            .try_fold(element.bytes(), |product, size| {
                product.checked_mul(size.as_static()?)
            })
    }

    /// Bytes of the tail, if the group is stated.
    pub fn tail_bytes(&self) -> Option<i64> {
        let ranks = i64::try_from(self.ranks.as_ref()?.len()).ok()?;
        ranks.checked_mul(crate::pld::TAIL_LINE)
    }
}

/// Whether a `pld.window` views its buffer's tail.
pub fn is_tail<'c: 'a, 'a>(window: &OperationRef<'c, 'a>) -> bool {
    bridge::attribute(window, "tail").is_some()
}

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

/// The name in a flat symbol reference attribute.
pub fn symbol<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, attribute: &str) -> Option<String> {
    bridge::symbol_value(bridge::attribute(op, attribute)?).map(str::to_owned)
}

/// The text of a string attribute.
pub fn string<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, attribute: &str) -> Option<String> {
    bridge::string_value(bridge::attribute(op, attribute)?).map(str::to_owned)
}

/// The operation that defines `value`; `None` for a block argument.
pub fn defining_op<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    if !value.is_operation_result() {
        return None;
    }
    melior::ir::operation::OperationResult::try_from(value)
        .ok()
        .map(|result| result.owner())
}

/// The value of an `arith.constant` of integer or index type.
pub fn constant(value: Value) -> Option<i64> {
    let op = defining_op(value)?;
    if is(&op, "arith.constant") {
        integer(&op, "value")
    } else {
        None
    }
}
