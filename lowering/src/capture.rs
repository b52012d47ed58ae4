//! What a region takes from outside when it becomes a function.

use melior::ir::{
    BlockLike, RegionLike, Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{bridge, view};
use std::collections::HashSet;

/// What operations use and do not define, each once.
pub(crate) fn captured<'c, 'a>(inner: &[OperationRef<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    let mut known = HashSet::new();
    for op in inner {
        known.extend(op.results().map(|result| bridge::value_key(result.into())));
        for block in op.regions().filter_map(|region| region.first_block()) {
            let arguments = (0..block.argument_count()).filter_map(|i| block.argument(i).ok());
            known.extend(arguments.map(|argument| bridge::value_key(argument.into())));
        }
    }
    let operands = inner.iter().flat_map(|op| op.operands());
    operands
        .filter(|&operand| known.insert(bridge::value_key(operand)))
        .collect()
}

/// Repeats the operations of these names from outside inside, before each use, so that they
/// are not captured.
pub(crate) fn repeat_inside(inner: &[OperationRef], names: &[&str]) {
    for &op in inner {
        for index in 0..op.operand_count() {
            let source = op.operand(index).ok().and_then(view::defining_op);
            let source = source.filter(|source| names.contains(&view::name(source)));
            if let Some(source) = source
                && let Ok(copy) = bridge::clone_before(source, op).result(0)
            {
                bridge::set_operand(op, index, copy.into());
            }
        }
    }
}
