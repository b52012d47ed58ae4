//! Tensors over global memory, and addresses on peers.

use super::{
    cpp, function,
    scope::{Base, Memory, Scope, unsupported},
    text::{Text, parse},
};
use melior::ir::{Value, operation::OperationRef};
use pld_dialects::{emit::Emitter, pass::Reported, pl::NAME, view::Access};

/// `AscendC::GlobalTensor<ELEMENT> NAME;`
pub fn global<'c, 'a>(at: &Emitter<'c, 'a>, element: &str, name: &str) -> Value<'c, 'a> {
    let r#type = cpp::r#type(
        at.context,
        &format!("!emitc.lvalue<!emitc.opaque<\"AscendC::GlobalTensor<{element}>\">>"),
    );
    let empty = parse(at.context, "#emitc.opaque<\"\">");
    at.value(
        "emitc.variable",
        &[],
        r#type,
        &[("value", empty), (NAME, at.str_attr(name))],
    )
}

/// The address of a peer's slice of a window, and its tensor, at the place of use.
pub fn peer_global<'c, 'a>(
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    access: &Access<'c, 'a>,
    element: &str,
) -> Result<Value<'c, 'a>, Reported> {
    let memory = scope.memory(access.op, access.memory)?;
    let peer = scope.scalar(access.op, access.peer.ok_or(Reported)?)?;
    let tensor = global(
        at,
        element,
        &format!("g_{}_peer", function::argument_name(access.memory)),
    );
    Text::default()
        .value(tensor)
        .lit(format!(
            ".SetGlobalBuffer(reinterpret_cast<__gm__ {element}*>("
        ))
        .text(peer_address(access.op, &memory, peer)?)
        .lit("));")
        .emit(at, None);
    Ok(tensor)
}

/// `pld::PeerAddr(CONTEXT, WINDOW, PEER)`.
pub fn peer_address<'c, 'a>(
    op: OperationRef<'c, 'a>,
    window: &Memory<'c, 'a>,
    peer: Value<'c, 'a>,
) -> Result<Text<'c, 'a>, Reported> {
    let Base::Address(base) = window.base else {
        return Err(unsupported(op, "a window without an address"));
    };
    let context = window.context.as_ref().map_or("ctx", |group| &group.name);
    Ok(Text::new(format!("pld::PeerAddr({context}, "))
        .value(base)
        .lit(", ")
        .value(peer)
        .lit(")"))
}
