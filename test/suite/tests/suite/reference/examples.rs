//! The examples in the descriptions of operations are right, although they say nothing of
//! where their operands come from: the parser is asked for their types.

use super::dialect;
use melior::Context;
use pld_dialects::{Kind, kinds_for};
use pld_suite as session;
use std::collections::BTreeSet;

/// An example's statements: a line, and what is indented below it.
fn statements(example: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in example.lines() {
        match all.last_mut() {
            Some(last) if line.starts_with([' ', '}']) => *last += &format!("\n{line}"),
            _ => all.push(line.into()),
        }
    }
    all
}

/// The names of values in a text, as `%x`.
fn names(text: &str) -> BTreeSet<&str> {
    let starts = text.match_indices('%').map(|(at, _)| &text[at..]);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    starts
        .map(|rest| {
            let end = rest[1..].find(|c| !is_part(c));
            &rest[..end.map_or(rest.len(), |end| end + 1)]
        })
        .collect()
}

/// The values that a statement takes and does not define.
fn free(statement: &str) -> Vec<&str> {
    let defined: BTreeSet<_> = statement
        .lines()
        .filter_map(|line| Some(line.trim().split_once(" = ")?.0))
        .collect();
    let used = names(statement).into_iter();
    used.filter(|name| !defined.contains(name)).collect()
}

/// The type that a statement needs a value to have: the parser says so when the value is
/// defined later with another one.
fn type_of(context: &Context, statement: &str, name: &str) -> Option<String> {
    let text = format!("{statement}\n{name} = builtin.unrealized_conversion_cast to none\n");
    let said = session::run(context, &text, "").said;
    said.iter().find_map(|said| {
        let rest = said
            .message
            .strip_prefix("previously used here with type '")?;
        rest.strip_suffix('\'').map(str::to_owned)
    })
}

/// What makes a value of a type that is no parameter's, from parameters of [`PARAMETERS`].
fn source(found: &str) -> Option<String> {
    let element = found.trim_end_matches('>').rsplit('x').next()?;
    match found {
        "!pld.comm_ctx" => Some("pld.get_comm_ctx %a_window : !pld.dtensor<1xi32>".into()),
        "!pld.window_buffer" => Some("pld.alloc_window_buffer [1024, 1024] of i32".into()),
        _ if found.starts_with("tensor") || found.starts_with("!pl.tile") => {
            Some(format!("pl.full %a_{element} : {found}"))
        }
        _ => None,
    }
}

const PARAMETERS: &str = "%a_f32: f32, %a_f16: f16, %a_bf16: bf16, %a_i8: i8, %a_i16: i16, \
                          %a_i32: i32, %a_i64: i64, %a_i1: i1, %a_window: !pld.dtensor<1xi32>";

/// Verifies a statement in a function of a kind that may hold it.
fn verify(context: &Context, operation: &str, statement: &str) -> Result<(), String> {
    // Tensors live in a region of a device function.
    let in_region = statement.contains(" tensor<") && !statement.contains("pl.at");
    let kind = kinds_for(operation).last().copied();
    let kind = kind.filter(|_| !in_region).unwrap_or(Kind::Device);
    let (mut parameters, mut body) = (String::new(), String::new());
    for name in free(statement) {
        let found = type_of(context, statement, name);
        let found = found.ok_or_else(|| format!("the parser knows no type of {name}"))?;
        if let Some(source) = source(&found) {
            body += &format!("{name} = {source}\n");
        } else if found.starts_with("memref") && kind != Kind::Host {
            parameters += &format!("{name}: {found} {{pl.inout}}, ");
        } else {
            parameters += &format!("{name}: {found}, ");
        }
    }
    // A host passes windows on and gets none.
    if kind != Kind::Host {
        parameters += PARAMETERS;
    }
    body += statement;
    if in_region {
        body = format!("pl.at core_group {{\n{body}\n}}");
    }
    let text = format!(
        "func.func @example({}) attributes {{{}}} {{\n{body}\nreturn\n}}",
        parameters.trim_end_matches(", "),
        kind.attribute()
    );
    let outcome = session::run(context, &text, "");
    match outcome.printed {
        Some(_) => Ok(()),
        None => Err(format!("{:#?}\n{text}", outcome.said)),
    }
}

#[test]
fn examples_are_right() {
    let context = session::context();
    let mut wrong = Vec::new();
    let mut count = 0;
    for operation in dialect::all() {
        for statement in statements(&operation.example()) {
            // A callee is of another module.
            if statement.contains('@') {
                continue;
            }
            count += 1;
            if let Err(message) = verify(&context, &operation.name, &statement) {
                wrong.push(format!("{}: {message}", operation.name));
            }
        }
    }
    assert!(count > 90, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
