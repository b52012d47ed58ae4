//! `pld-select-entry`: keeps one entry and what it reaches. Both targets generate code for no
//! more than that.

use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{BlockLike, RegionLike};
use pld_dialects::{
    Kind, bridge, diag, function_kind, functions_beside,
    pass::{OptionSpec, Options, Pass, Reported},
    view,
};
use std::collections::{HashMap, HashSet};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-select-entry",
    description: "Keep the host function that is generated for and the functions it reaches by \
                  dispatch and call; erase all others, goldens too.",
    options: &[ENTRY],
    run,
};

/// Option: which host function.
pub const ENTRY: OptionSpec = OptionSpec {
    name: "entry",
    description: "host function to generate for (default: the only one, or @main)",
    default: "",
};

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    select(module, options.get("entry"))
}

/// Keeps the host function `wanted`, or the only one or `@main` if that is empty, and what it
/// reaches.
///
/// # Errors
///
/// There is no such function, after its diagnostic.
pub fn select(module: OperationRef, wanted: &str) -> Result<(), Reported> {
    let entry = entry(module, wanted)?;
    keep(module, [entry]);
    Ok(())
}

/// Erases all functions of a module but `roots` and those that they reach by dispatch and call.
pub fn keep(module: OperationRef, roots: impl IntoIterator<Item = String>) {
    let functions = first_operation(module).map_or_else(HashMap::new, functions_beside);
    let mut kept = HashSet::new();
    let mut open: Vec<_> = roots.into_iter().collect();
    while let Some(name) = open.pop() {
        let Some(function) = functions.get(&name) else {
            continue;
        };
        if kept.insert(name) {
            let uses = bridge::collect(*function, |name| {
                name == "func.call" || name == "pld.dispatch"
            });
            open.extend(uses.iter().filter_map(|op| view::symbol(op, "callee")));
        }
    }
    for (name, function) in functions {
        if view::is(&function, "func.func") && !kept.contains(&name) {
            bridge::erase(function);
        }
    }
}

fn first_operation<'c, 'a>(module: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    module.region(0).ok()?.first_block()?.first_operation()
}

fn entry(module: OperationRef, wanted: &str) -> Result<String, Reported> {
    let hosts: Vec<_> = bridge::collect(module, |name| name == "func.func")
        .into_iter()
        .filter(|function| function_kind(function) == Some(Kind::Host))
        .filter_map(|function| view::string(&function, "sym_name"))
        .collect();
    let known = hosts
        .iter()
        .map(|name| format!("@{name}"))
        .collect::<Vec<_>>()
        .join(", ");
    let is_host = |name: &str| hosts.iter().any(|host| host == name);
    match &hosts[..] {
        [] => Err(refuse(
            module,
            "no pl.host function, expected one as the entry".into(),
        )),
        _ if !wanted.is_empty() && !is_host(wanted) => Err(refuse(
            module,
            format!("@{wanted} is no pl.host function, expected one of {known}"),
        )),
        _ if !wanted.is_empty() => Ok(wanted.into()),
        [only] => Ok(only.clone()),
        _ if is_host("main") => Ok("main".into()),
        _ => Err(refuse(
            module,
            format!("several pl.host functions and no @main: {known}; choose by entry=NAME"),
        )),
    }
}

fn refuse(module: OperationRef, message: String) -> Reported {
    diag::failure(module.location(), message).emit();
    Reported
}
