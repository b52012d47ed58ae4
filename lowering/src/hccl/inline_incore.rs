//! `pl-inline-incore`: calls between in-core functions become the callee's body.

use melior::ir::{
    BlockLike, RegionLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    Kind, bridge, diag, entry_arguments, function_kind, functions_beside,
    pass::{Options, Pass, Reported},
    view,
};
use std::collections::HashSet;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-inline-incore",
    description: "Replace each call of an in-core function in another by the callee's body, so \
                  that one plan of on-core memory covers both; erase in-core functions that no \
                  device function calls. Recursion is an error.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    let functions = incore_functions(module);
    let mut names = HashSet::new();
    // Each round inlines the calls of leaves; a chain of calls is no longer than the functions.
    for _ in 0..=functions.len() {
        let mut left = 0;
        for &function in &functions {
            for call in calls(function) {
                let callee = callee(call)?;
                if calls(callee).is_empty() {
                    names.extend(view::symbol(&call, "callee"));
                    inline(call, callee)?;
                } else {
                    left += 1;
                }
            }
        }
        if left == 0 {
            return erase_uncalled(module, &functions, &names);
        }
    }
    diag::failure(
        module.location(),
        "in-core functions call each other in a cycle, expected no recursion",
    )
    .emit();
    Err(Reported)
}

fn incore_functions<'c, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut functions = bridge::collect(module, |name| name == "func.func");
    functions.retain(|function| function_kind(function) == Some(Kind::InCore));
    functions
}

fn calls<'c, 'a>(function: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    bridge::collect(function, |name| name == "func.call")
}

fn callee<'c, 'a>(call: OperationRef<'c, 'a>) -> Result<OperationRef<'c, 'a>, Reported> {
    let function = pld_dialects::enclosing_function(call).ok_or(Reported)?;
    let name = view::symbol(&call, "callee").ok_or(Reported)?;
    let module = function.parent_operation().ok_or(Reported)?;
    let first = module
        .region(0)
        .ok()
        .and_then(|region| region.first_block()?.first_operation());
    let found = first.and_then(|first| functions_beside(first).get(&name).copied());
    found.ok_or_else(|| {
        diag::failure(call.location(), format!("calls @{name}, which has no body")).emit();
        Reported
    })
}

/// Moves a copy of the callee's operations before the call.
fn inline<'c, 'a>(
    call: OperationRef<'c, 'a>,
    callee: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let copy = bridge::clone_before(callee, callee);
    let block = copy
        .region(0)
        .ok()
        .and_then(|region| region.first_block())
        .ok_or(Reported)?;
    for (index, argument) in entry_arguments(copy).into_iter().enumerate() {
        bridge::replace_all_uses(argument, call.operand(index).map_err(|_| Reported)?);
    }
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        if view::is(&op, "func.return") {
            for (index, value) in op.operands().enumerate() {
                let result = call.result(index).map_err(|_| Reported)?;
                bridge::replace_all_uses(result.into(), value);
            }
        } else {
            bridge::move_before(op, call);
        }
    }
    bridge::erase(copy);
    bridge::erase(call);
    Ok(())
}

/// Erases what was inlined and is called from nowhere else.
fn erase_uncalled(
    module: OperationRef,
    functions: &[OperationRef],
    inlined: &HashSet<String>,
) -> Result<(), Reported> {
    let called: HashSet<_> = bridge::collect(module, |name| name == "func.call")
        .iter()
        .filter_map(|call| view::symbol(call, "callee"))
        .collect();
    for &function in functions {
        let name = view::string(&function, "sym_name").unwrap_or_default();
        if inlined.contains(&name) && !called.contains(&name) {
            bridge::erase(function);
        }
    }
    Ok(())
}
