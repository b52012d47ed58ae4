//! Collectives of the host that stay what they are, for a host library that has them.

use super::BARRIER_OP;
use melior::ir::{ValueLike, operation::OperationRef};
use pld_dialects::{
    bridge, flow,
    pass::OptionSpec,
    types::{Element, Shaped},
    view::{self, AllocWindowBuffer, Collective},
};

/// Option: what becomes of collectives of the host.
pub const OPTION: OptionSpec = OptionSpec {
    name: "collectives",
    description: "collectives of the host: kernel (lowered like all others), hccl (kept where \
                  HCCL has them: of all ranks, on windows, reductions of the types it takes)",
    default: "kernel",
};

/// Whether HCCL has a collective of the host.
pub(super) fn is_kept(op: OperationRef) -> bool {
    match Collective::of(op) {
        Some(parts) => {
            let data = [Some(parts.source), parts.destination];
            let mut data = data.into_iter().flatten();
            let knows = match view::name(&op) {
                "pld.allreduce" | "pld.reduce_scatter" => reduces(op),
                "pld.broadcast" | "pld.allgather" | "pld.all_to_all" => true,
                _ => false,
            };
            knows && data.all(|window| moves(window.r#type()) && is_of_all(window))
        }
        None => {
            use melior::ir::operation::OperationLike;
            view::name(&op) == BARRIER_OP && op.operand(0).is_ok_and(is_of_all)
        }
    }
}

/// Whether a value is a window of elements that HCCL moves.
fn moves(r#type: melior::ir::Type) -> bool {
    let element = Shaped::of(r#type).and_then(|shaped| shaped.element());
    bridge::is_dtensor(r#type) && element.is_some_and(|element| element != Element::I1)
}

/// Whether its group is all ranks.
fn is_of_all<'c: 'a, 'a>(window: melior::ir::Value<'c, 'a>) -> bool {
    let is_of_all = |buffer| {
        let alloc = view::defining_op(buffer).and_then(AllocWindowBuffer::of);
        alloc.is_some_and(|alloc| alloc.ranks.is_none())
    };
    flow::roots(window).into_iter().all(is_of_all)
}

/// Whether HCCL on A2 and A3 reduces so: all types but i1, products not of i16 and bf16.
fn reduces(op: OperationRef) -> bool {
    const PRODUCT: i64 = 3;
    let element = Collective::of(op)
        .and_then(|parts| Shaped::of(parts.source.r#type()))
        .and_then(|shaped| shaped.element());
    let product = view::integer(&op, "op") == Some(PRODUCT);
    match element {
        Some(Element::I16 | Element::BF16) => !product,
        Some(Element::I1) | None => false,
        Some(_) => true,
    }
}
