//! Typed views of operations, as the verifiers and the lowerings read them.
//!
//! A view of an operation that is not well formed is `None`; none of them panics.

mod collective;
mod dispatch;
mod memory;
mod signal;
mod transfer;
mod window;

pub use collective::Collective;
pub use dispatch::Dispatch;
pub use memory::Access;
pub use signal::{Notify, NotifyKind, Wait, WaitCmp};
pub use transfer::Transfer;
pub use window::{AllocWindowBuffer, is_tail};

use crate::bridge;
use melior::ir::{
    Attribute, RegionRef, Value, ValueLike,
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

/// The first result, if there is one; for the reason of [`operand`]. Printing also numbers all
/// values of the module.
pub fn result<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>) -> Option<Value<'c, 'a>> {
    op.results().next().map(Into::into)
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

/// The value of a constant of integer or index type, of `arith` or `llvm`.
pub fn constant(value: Value) -> Option<i64> {
    let op = defining_op(value)?;
    if is(&op, "arith.constant") || is(&op, "llvm.mlir.constant") {
        integer(&op, "value")
    } else {
        None
    }
}
