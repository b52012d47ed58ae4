//! Signals: `pld::Notify` and `pld::Wait`, with their fences.

use super::{
    kernel::{num_of_offsets, peer_address},
    scope::Scope,
    text::Text,
};
use melior::ir::{Attribute, operation::OperationRef};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    view::{Notify, NotifyKind, Wait, WaitCmp},
};

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
    let peer = scope.scalar(op, notify.peer)?;
    Text::new(format!(
        "pld::Notify<pld::SignalOp::{kind}, pld::Release::Fence>("
    ))
    .text(peer_address(op, &window, peer)?)
    .lit(", ")
    .num(cell)
    .lit(", ")
    .value(scope.scalar(op, notify.value)?)
    .lit(", signal_slot);")
    .emit(at, Some(effects));
    Ok(())
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
