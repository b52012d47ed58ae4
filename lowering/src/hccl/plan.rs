//! The plan of on-core memory as attributes, written by the planner and read by the emitter.
//!
//! `pl.ub` on an operation: `results`, `args` and `scratch`, byte offsets by number, -1 where
//! there is no tile. On the function: `bytes` of the whole plan, and the offsets of `slots`.

use super::{
    layout::Layout,
    profile::Profile,
    statement::{Place, Slot, home},
};
use melior::{
    Context,
    ir::{
        Attribute, BlockLike, Identifier, Value,
        attribute::{DenseI64ArrayAttribute, DictionaryAttribute},
        block::BlockArgument,
        operation::{OperationLike, OperationRef, OperationResult},
    },
};
use pld_dialects::{bridge, pl::UB};
use std::collections::HashMap;

/// Lists of offsets by name.
pub type Lists = HashMap<&'static str, Vec<i64>>;

/// Writes the attribute.
pub fn write<'c>(context: &'c Context, op: OperationRef<'c, '_>, lists: &Lists) {
    let entries: Vec<_> = lists
        .iter()
        .map(|(name, offsets)| {
            let list: Attribute = DenseI64ArrayAttribute::new(context, offsets).into();
            (Identifier::new(context, name), list)
        })
        .collect();
    bridge::set_attribute(op, UB, DictionaryAttribute::new(context, &entries).into());
}

/// A list of the attribute of `op`.
pub fn read<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, list: &str) -> Option<Vec<i64>> {
    let all = DictionaryAttribute::try_from(op.attribute(UB).ok()?).ok()?;
    let list = DenseI64ArrayAttribute::try_from(all.element_by_name(list)?).ok()?;
    (0..list.len())
        .map(|index| list.element(index).ok())
        .collect()
}

/// Which operation, list and number hold the offset of a home.
pub fn slot_of<'c, 'a>(
    value: Value<'c, 'a>,
) -> Option<(OperationRef<'c, 'a>, &'static str, usize)> {
    let value = home(value);
    if let Ok(result) = OperationResult::try_from(value) {
        return Some((result.owner(), "results", result.result_number()));
    }
    let argument = BlockArgument::try_from(value).ok()?;
    let owner = bridge::owner_block(argument).parent_operation()?;
    Some((owner, "args", argument.argument_number()))
}

/// First byte and bytes of a place, as planned; `op` is the operation whose row it is.
pub fn range(
    profile: &Profile,
    function: OperationRef,
    op: OperationRef,
    place: Place,
) -> Option<(i64, i64)> {
    match place {
        Place::Tile(value) => {
            let (owner, list, index) = slot_of(value)?;
            let offset = *read(&owner, list)?.get(index)?;
            Some((offset, Layout::of(profile, value)?.bytes()))
        }
        Place::Scratch(index, like) => {
            let offset = *read(&op, "scratch")?.get(index)?;
            Some((offset, Layout::of(profile, like)?.bytes()))
        }
        Place::Slot(slot) => {
            let offset = *read(&function, "slots")?.get(slot as usize)?;
            Some((offset, Slot::BYTES))
        }
    }
}
