//! One window buffer that a collective gets as two of its operands, through calls and
//! dispatches (110). Inside of one function the collective's verifier sees it.
//!
//! Pairs of parameters that must be two buffers are handed up from the callees, until a
//! function passes one buffer as both.

use super::program::{Call, Program};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
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
                hand_up(&mut pairs, values, reason);
            }
        }
        for call in &function.calls {
            for (&[left, right], &reason) in &known[call.callee] {
                let (Some(&a), Some(&b)) = (call.arguments.get(left), call.arguments.get(right))
                else {
                    continue;
                };
                if flow::is_same(a, b) {
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

/// Asks callers for two buffers, if both values are parameters.
fn hand_up<'c: 'a, 'a>(
    pairs: &mut Pairs<'c, 'a>,
    values: [Value<'c, 'a>; 2],
    reason: Reason<'c, 'a>,
) {
    let parameter = |value| Some(flow::function_argument(flow::origin(value)?)?.1);
    let [a, b] = values;
    if let (Some(a), Some(b)) = (parameter(a), parameter(b)) {
        pairs.entry([a.min(b), a.max(b)]).or_insert(reason);
    }
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
