//! Calls and dispatches: their arguments, and stores through them.

use super::{Direction, Kind, LEVEL_RULE, Place, arg_direction, function_kind, signature};
use crate::{
    diag::{self, Code},
    flow,
    types::{Level, Shaped},
    view,
};
use melior::ir::{
    TypeLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};

/// Checks a `func.call` of `callee`, a `func.func`, if it stands in a function of a kind.
pub(crate) fn verify(op: OperationRef, callee: OperationRef) -> bool {
    let (Some(kind), Some(name)) = (Place::of(op).kind, view::symbol(&op, "callee")) else {
        return true;
    };
    let right = kind != Kind::Host && function_kind(&callee) == Some(Kind::InCore);
    if !right {
        diag::error(
            &op,
            LEVEL_RULE,
            format!(
                "calls @{name} from a {kind} function, expected {}",
                match kind {
                    Kind::Host => "pld.dispatch of a pl.device function",
                    _ => "a call of a pl.incore function",
                }
            ),
        )
        .note_at(callee.location(), "the callee is here")
        .emit();
    }
    let arguments: Vec<_> = op.operands().collect();
    check_arguments(op, &name, callee, &arguments) && right
}

/// Checks the arguments of a call or dispatch against the callee (101, 108, 111).
pub(crate) fn check_arguments(
    op: OperationRef,
    name: &str,
    callee: OperationRef,
    arguments: &[Value],
) -> bool {
    let Some(signature) = signature(&callee) else {
        return true;
    };
    if signature.input_count() != arguments.len() {
        diag::error(
            &op,
            Code(111),
            format!(
                "passes {} arguments to @{name}, expected {}",
                arguments.len(),
                signature.input_count()
            ),
        )
        .note_at(callee.location(), "the callee is here")
        .emit();
        return false;
    }
    let mut fine = true;
    for (index, &argument) in arguments.iter().enumerate() {
        let (found, Ok(expected)) = (argument.r#type(), signature.input(index)) else {
            continue;
        };
        if found != expected {
            let level = |r#type| {
                Shaped::of(r#type)
                    .filter(Shaped::is_memory)
                    .map(|shaped| shaped.level)
            };
            let (report, mend) = match (level(found), level(expected)) {
                (Some(Level::Memory), Some(Level::Window)) => (
                    Code(101),
                    "pass a view of a window buffer (pld.window): a memref is local to its rank",
                ),
                (Some(Level::Window), Some(Level::Memory)) => (
                    Code(101),
                    "make the parameter a !pld.dtensor: a window is no local array",
                ),
                _ => (
                    Code(111),
                    "make the types equal; memref.cast forgets or states an extent",
                ),
            };
            diag::error(
                &op,
                report,
                format!("argument #{index} of @{name} is {found}, expected {expected}"),
            )
            .note(mend)
            .note_at(callee.location(), "the callee is here")
            .emit();
            fine = false;
        } else if arg_direction(&callee, index) != Direction::In {
            fine &= check_writable(
                op,
                argument,
                &format!("passes to parameter #{index} of @{name}, which writes it,"),
            );
        }
    }
    fine
}

/// Reports a store through a `pl.in` argument (108); `what` says how it is stored to.
pub(crate) fn check_writable(op: OperationRef, memory: Value, what: &str) -> bool {
    if !memory.r#type().is_mem_ref() {
        return true;
    }
    let read_only = flow::roots(memory).into_iter().find_map(|root| {
        let (function, index) = flow::function_argument(root)?;
        let read_only =
            function_kind(&function).is_some() && arg_direction(&function, index) == Direction::In;
        read_only.then_some(index)
    });
    let Some(index) = read_only else {
        return true;
    };
    diag::error(
        &op,
        Code(108),
        format!("{what} argument #{index}, which is pl.in, expected pl.out or pl.inout"),
    )
    .note(format!(
        "mark argument #{index} of the function {{pl.out}} or {{pl.inout}}"
    ))
    .emit();
    false
}
