//! `pld-select-entry`: keeps one entry and what it reaches.

use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{BlockLike, RegionLike};
use pld_dialects::{
    Kind, bridge, diag, function_kind, functions_beside,
    pass::{OptionSpec, Options, Pass, Reported},
    view,
};
use std::collections::HashSet;

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
    let Some(first) = first_operation(module) else {
        return Err(refuse(
            module,
            "the module is empty, expected a pl.host function".into(),
        ));
    };
    let functions = functions_beside(first);
    let entry = entry(module, options.get("entry"))?;
    let mut kept = HashSet::new();
    let mut open = vec![entry];
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
    Ok(())
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
