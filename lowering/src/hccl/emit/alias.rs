//! Which arguments of a kernel may be the same memory, by where its calls take them from.
//!
//! A window is one object for all ranks, since a peer may be the own rank; views of one
//! buffer are one object.

use melior::ir::{
    Value, ValueLike,
    block::BlockArgument,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, entry_arguments,
    view::{self, Dispatch},
};
use std::collections::BTreeSet;

/// What the names of objects begin with that no peer and no other block sees.
pub const OWN: &str = "array";

/// The object of each argument of `function`: equal names may overlap.
pub fn objects(module: OperationRef, function: OperationRef) -> Vec<String> {
    let arguments = entry_arguments(function);
    let roots: Vec<BTreeSet<_>> = arguments
        .iter()
        .map(|&argument| roots(module, argument).map(bridge::value_key).collect())
        .collect();
    let mut class: Vec<_> = (0..arguments.len()).collect();
    for later in 0..arguments.len() {
        for earlier in 0..later {
            if !roots[later].is_disjoint(&roots[earlier]) {
                let (from, to) = (class[later], class[earlier]);
                class
                    .iter_mut()
                    .filter(|c| **c == from)
                    .for_each(|c| *c = to);
            }
        }
    }
    let blocks = runs_in_blocks(module, function);
    let name = |(index, argument): (usize, &Value)| {
        let kind = if bridge::is_dtensor(argument.r#type()) {
            "window"
        } else if blocks {
            "shared"
        } else {
            OWN
        };
        format!("{kind}{}", class[index])
    };
    arguments.iter().enumerate().map(name).collect()
}

/// Whether several blocks of a rank may run a function at once.
pub fn runs_in_blocks(module: OperationRef, function: OperationRef) -> bool {
    let name = view::string(&function, "sym_name");
    let calls_it = |op: OperationRef| view::symbol(&op, "callee") == name;
    bridge::collect(module, |name| name == "pl.spmd")
        .into_iter()
        .any(|spmd| {
            let calls = bridge::collect(spmd, |name| name == "func.call");
            calls.into_iter().any(calls_it)
        })
}

/// The ranks that a window is of, in order, if that is known: none of them named if it is of all.
pub fn members(module: OperationRef, window: Value) -> Option<Vec<i64>> {
    let of_root = |root| {
        let op = view::defining_op(root).filter(|op| view::is(op, "pld.alloc_window_buffer"))?;
        Some(view::integers(&op, "ranks").unwrap_or_default())
    };
    let mut all = roots(module, window).map(of_root);
    let first = all.next()??;
    all.all(|members| members.as_ref() == Some(&first))
        .then_some(first)
}

/// Arrays that a value may be: arguments of the entry and allocations.
fn roots<'c, 'a>(
    module: OperationRef<'c, 'a>,
    value: Value<'c, 'a>,
) -> impl Iterator<Item = Value<'c, 'a>> {
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match sources(module, value) {
            Some(sources) => open.extend(sources),
            None => found.push(value),
        }
    }
    found.into_iter()
}

/// What a value is made of or given as, if it is no root.
fn sources<'c, 'a>(
    module: OperationRef<'c, 'a>,
    value: Value<'c, 'a>,
) -> Option<Vec<Value<'c, 'a>>> {
    if let Some(op) = view::defining_op(value) {
        return match (view::name(&op), op.operand(0)) {
            ("memref.cast" | "pl.shard" | "pld.window", Ok(source)) => Some(vec![source]),
            _ => None,
        };
    }
    let argument = BlockArgument::try_from(value).ok()?;
    let number = argument.argument_number();
    let function = melior::ir::BlockLike::parent_operation(&bridge::owner_block(argument));
    let name = function.and_then(|function| view::string(&function, "sym_name"));
    let uses = bridge::collect(module, |name| name == "func.call" || name == "pld.dispatch");
    let passed: Vec<_> = uses
        .into_iter()
        .filter(|op| view::symbol(op, "callee") == name)
        .filter_map(|op| match Dispatch::of(op) {
            Some(dispatch) => dispatch.arguments.get(number).copied(),
            None => op.operand(number).ok(),
        })
        .collect();
    (!passed.is_empty()).then_some(passed)
}
