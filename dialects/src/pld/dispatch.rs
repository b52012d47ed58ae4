//! `pld.dispatch`: verifier of its symbol use.

use crate::{
    diag::{self, Code},
    level::{self, Kind, function_kind},
    view::{self, Dispatch},
};
use melior::ir::operation::{OperationLike, OperationRef};

/// # Verification
///
/// - the callee is a public `pl.device` function (111 if there is none, 103)
/// - arguments match its parameters (111; 101 where array and window are confused)
/// - no `pl.in` array is passed to a parameter that is written (108)
pub(crate) fn verify_callee(op: OperationRef, callee: Option<OperationRef>) -> bool {
    let Some(dispatch) = Dispatch::of(op) else {
        return false;
    };
    let name = &dispatch.callee;
    let Some(callee) = callee.filter(|callee| view::is(callee, "func.func")) else {
        diag::error(
            &op,
            Code(111),
            format!("names @{name}, which is no function of this module"),
        )
        .note("dispatch a function marked pl.device")
        .emit();
        return false;
    };
    let mut fine = true;
    let kind = function_kind(&callee);
    if kind != Some(Kind::Device) {
        let found = kind.map_or("has no kind".into(), |kind| format!("is {kind}"));
        diag::error(
            &op,
            Code(103),
            format!("names @{name}, which {found}, expected pl.device"),
        )
        .note("call the pl.incore function from a pl.device function, and dispatch that")
        .note_at(callee.location(), "the callee is here")
        .emit();
        fine = false;
    } else if view::string(&callee, "sym_visibility").as_deref() == Some("private") {
        diag::error(
            &op,
            Code(103),
            format!("names @{name}, which is private, expected a public function"),
        )
        .note("remove 'private': passes may change a private function's signature")
        .note_at(callee.location(), "the callee is here")
        .emit();
        fine = false;
    }
    fine & level::call::check_arguments(op, name, callee, &dispatch.arguments)
}
