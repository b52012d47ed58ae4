//! Where a value that refers to memory comes from, inside its function.
//!
//! Memory reaches an operation through casts, shards, views of window buffers, selects,
//! and the results and arguments of `scf` regions. Each is followed exactly, so that a loop
//! that carries an input and an output array keeps them apart.

use crate::{bridge, view};
use melior::ir::{
    BlockLike, RegionLike, RegionRef, Value, ValueLike,
    block::BlockArgument,
    operation::{OperationLike, OperationRef, OperationResult},
};
use std::collections::HashSet;

/// The values at which `value` may have begun: arguments of functions, allocations, and
/// results of operations that this module does not see through. Each once.
pub fn roots<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
    // Most memory is an argument of its function.
    let Some(mut open) = sources(value) else {
        return vec![value];
    };
    let mut seen = HashSet::from([bridge::value_key(value)]);
    open.retain(|&source| seen.insert(bridge::value_key(source)));
    let mut roots = Vec::new();
    while let Some(value) = open.pop() {
        match sources(value) {
            None => roots.push(value),
            Some(sources) => open.extend(
                sources
                    .into_iter()
                    .filter(|source| seen.insert(bridge::value_key(*source))),
            ),
        }
    }
    roots
}

/// Where `value` surely began: its only root.
pub fn origin<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    match *roots(value) {
        [root] => Some(root),
        _ => None,
    }
}

/// Whether two values surely refer to one memory.
pub fn is_same<'c: 'a, 'a>(a: Value<'c, 'a>, b: Value<'c, 'a>) -> bool {
    let key = |value| origin(value).map(bridge::value_key);
    a == b || key(a).is_some_and(|origin| key(b) == Some(origin))
}

/// The function and the number of an argument of its entry block.
pub fn function_argument<'c, 'a>(value: Value<'c, 'a>) -> Option<(OperationRef<'c, 'a>, usize)> {
    if !value.is_block_argument() {
        return None;
    }
    let argument = BlockArgument::try_from(value).ok()?;
    let function = bridge::owner_block(argument).parent_operation()?;
    view::is(&function, "func.func").then(|| (function, argument.argument_number()))
}

/// The values that `value` is one of, or refers to the memory of; `None` for a root.
fn sources<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    if value.is_block_argument() {
        of_argument(BlockArgument::try_from(value).ok()?)
    } else {
        of_result(OperationResult::try_from(value).ok()?)
    }
}

fn of_result<'c: 'a, 'a>(result: OperationResult<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let (op, index) = (view::defining_op(result.into())?, result.result_number());
    let operands = |indices: &[usize]| indices.iter().map(|&i| view::operand(&op, i)).collect();
    match view::name(&op) {
        "memref.cast" | "pl.shard" | "pld.window" => operands(&[0]),
        "arith.select" => operands(&[1, 2]),
        "scf.if" | "scf.index_switch" => op
            .regions()
            .map(|region| passed_on(region, index))
            .collect(),
        "scf.for" => Some(vec![
            view::operand(&op, 3 + index)?,
            passed_on(view::region(&op, 0)?, index)?,
        ]),
        "scf.while" => Some(vec![passed_on(view::region(&op, 0)?, 1 + index)?]),
        _ => None,
    }
}

fn of_argument<'c: 'a, 'a>(argument: BlockArgument<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let block = bridge::owner_block(argument);
    let (op, index) = (block.parent_operation()?, argument.argument_number());
    let entry = view::operand(&op, index);
    match view::name(&op) {
        // The loop counter comes first.
        "scf.for" => Some(vec![
            view::operand(&op, 3 + index.checked_sub(1)?)?,
            passed_on(view::region(&op, 0)?, index - 1)?,
        ]),
        "scf.while" if view::region(&op, 0)?.first_block() == Some(block) => {
            Some(vec![entry?, passed_on(view::region(&op, 1)?, index)?])
        }
        "scf.while" => Some(vec![passed_on(view::region(&op, 0)?, 1 + index)?]),
        _ => None,
    }
}

/// Operand `index` of the terminator of a region of one block.
fn passed_on<'c: 'a, 'a>(region: RegionRef<'c, 'a>, index: usize) -> Option<Value<'c, 'a>> {
    view::operand(&region.first_block()?.terminator()?, index)
}
