//! Signals: `pld::Notify` and `pld::Wait`, with their fences.

use super::{
    alias::runs_in_blocks, function::window_of, global::peer_address, kernel::num_of_offsets,
    scope::Scope, text::Text,
};
use melior::ir::{
    Attribute,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    emit::Emitter,
    enclosing_function,
    pass::Reported,
    view::{self, Notify, NotifyKind, Wait, WaitCmp},
};

/// A signal after a fence, as all are emitted.
pub const FENCED: &str = "pld::Release::Fence>(";
/// One without.
pub const NOT_FENCED: &str = "pld::Release::None>(";

/// `pld::Notify`: release, one atomic or plain DMA to the peer's cell, and a fence after, so
/// that the signal has left before this core polls.
pub fn notify<'c, 'a>(
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let notify = Notify::of(op).ok_or(Reported)?;
    let window = scope.memory(op, notify.signal)?;
    let offsets = num_of_offsets(scope, op, &notify.offsets)?;
    let cell = window.linear(at, &offsets);
    let kind = match notify.kind {
        NotifyKind::Add => "Add",
        NotifyKind::Set => "Set",
    };
    let release = if tells_itself(scope, op, &notify) {
        NOT_FENCED
    } else {
        FENCED
    };
    let peer = scope.scalar(op, notify.peer)?;
    Text::new(format!("pld::Notify<pld::SignalOp::{kind}, {release}"))
        .text(peer_address(op, &window, peer)?)
        .lit(", ")
        .num(cell)
        .lit(", ")
        .value(scope.scalar(op, notify.value)?)
        .lit(", signal_slot);")
        .emit(at, Some(effects));
    Ok(())
}

/// Whether a signal is of a rank to itself and from its only block: nobody else sees it.
fn tells_itself(scope: &Scope, op: OperationRef, notify: &Notify) -> bool {
    let group = |window| Some(scope.memory(op, window).ok()?.context?.name);
    let is_own = || {
        let peer = view::defining_op(notify.peer).filter(|peer| view::is(peer, "pld.rank"))?;
        let same_group = group(window_of(peer)?)? == group(notify.signal)?;
        let function = enclosing_function(op)?;
        let module = function.parent_operation()?;
        Some(same_group && !runs_in_blocks(module, function))
    };
    is_own().unwrap_or(false)
}

/// `pld::Wait`: polls the own cell, then acquires.
pub fn wait<'c, 'a>(
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let wait = Wait::of(op).ok_or(Reported)?;
    let window = scope.memory(op, wait.signal)?;
    let offsets = num_of_offsets(scope, op, &wait.offsets)?;
    let cell = window.linear(at, &offsets);
    let compare = match wait.cmp {
        WaitCmp::Eq => "Eq",
        WaitCmp::Ne => "Ne",
        WaitCmp::Gt => "Gt",
        WaitCmp::Ge => "Ge",
        WaitCmp::Lt => "Lt",
        WaitCmp::Le => "Le",
    };
    Text::new(format!("pld::Wait<pld::Compare::{compare}>("))
        .value(window.address(op)?)
        .lit(", ")
        .num(cell)
        .lit(", ")
        .value(scope.scalar(op, wait.value)?)
        .lit(", poll_slot);")
        .emit(at, Some(effects));
    Ok(())
}
