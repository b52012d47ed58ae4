//! One window buffer that a collective gets as two of its operands, through calls and
//! dispatches (110). Where both are named beside the collective its verifier sees it.
//!
//! Pairs of parameters that must be two buffers are handed up from the callees, until a
//! function passes one buffer as both.

use super::program::{Call, Program};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    diag::{self, Code},
    flow,
    pld::collective,
    view,
};
use std::collections::BTreeMap;

/// Why two buffers are expected: the collective, and what it takes them as.
#[derive(Clone, Copy)]
struct Reason<'c, 'a> {
    op: OperationRef<'c, 'a>,
    parts: [&'static str; 2],
}

/// Pairs of parameters, the lower first.
type Pairs<'c, 'a> = BTreeMap<[usize; 2], Reason<'c, 'a>>;

/// Reports buffers that are passed as two; returns whether there is none.
pub(super) fn check(program: &Program, callees_first: &[usize]) -> bool {
    let mut fine = true;
    let mut known: Vec<Pairs> = vec![Pairs::new(); program.functions.len()];
    for &index in callees_first {
        let function = &program.functions[index];
        let mut pairs = Pairs::new();
        for &op in &function.ops {
            for (values, parts) in collective::distinct(op) {
                let reason = Reason { op, parts };
                if is_one(values) {
                    report_collective(reason);
                    fine = false;
                } else {
                    hand_up(&mut pairs, values, reason);
                }
            }
        }
        for call in &function.calls {
            for (&[left, right], &reason) in &known[call.callee] {
                let (Some(&a), Some(&b)) = (call.arguments.get(left), call.arguments.get(right))
                else {
                    continue;
                };
                if is_one([a, b]) {
                    report_call(call, [left, right], reason);
                    fine = false;
                } else {
                    hand_up(&mut pairs, [a, b], reason);
                }
            }
        }
        known[index] = pairs;
    }
    fine
}

/// Whether two values are surely of one buffer.
fn is_one<'c: 'a, 'a>(values: [Value<'c, 'a>; 2]) -> bool {
    match values.map(origin) {
        [Some(a), Some(b)] => bridge::value_key(a) == bridge::value_key(b),
        _ => false,
    }
}

/// Where a window surely begins: a buffer or a parameter.
fn origin<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    match *flow::roots(value) {
        [root] => Some(root),
        _ => None,
    }
}

/// Asks callers for two buffers, if both values are parameters.
fn hand_up<'c: 'a, 'a>(
    pairs: &mut Pairs<'c, 'a>,
    values: [Value<'c, 'a>; 2],
    reason: Reason<'c, 'a>,
) {
    let parameter = |value| Some(flow::function_argument(origin(value)?)?.1);
    let [a, b] = values;
    if let (Some(a), Some(b)) = (parameter(a), parameter(b)) {
        pairs.entry([a.min(b), a.max(b)]).or_insert(reason);
    }
}

fn report_collective(Reason { op, parts }: Reason) {
    let [a, b] = parts;
    diag::error(
        &op,
        Code(110),
        format!("has one window buffer as {a} and {b}, expected two"),
    )
    .note("allocate a buffer of its own for each")
    .emit();
}

fn report_call(call: &Call, [left, right]: [usize; 2], reason: Reason) {
    let ([a, b], name) = (reason.parts, view::name(&reason.op));
    let callee = view::symbol(&call.op, "callee").unwrap_or_default();
    diag::error(
        &call.op,
        Code(110),
        format!(
            "passes one window buffer as arguments #{left} and #{right} of @{callee}, expected two"
        ),
    )
    .note("allocate a buffer of its own for each")
    .note_at(
        reason.op.location(),
        format!("this {name} has them as {a} and {b}"),
    )
    .emit();
}
