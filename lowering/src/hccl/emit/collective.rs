//! Collectives of the host as calls of HCCL, in the order of the rank's stream.
//!
//! | operation | emitted |
//! | --- | --- |
//! | `pld.barrier` | `pld::Meet(rank)` |
//! | `pld.allreduce` | `pld::AllReduce(rank, data, count, type, op)` |
//! | `pld.reduce_scatter` | `pld::ReduceScatter(rank, data, count, bytes, type, op)` |
//! | `pld.broadcast` | `pld::Broadcast(rank, data, count, type, root)` |
//! | `pld.allgather` | `pld::AllGather(rank, chunk, all, count, type)` |
//! | `pld.all_to_all` | `pld::AllToAll(rank, in, out, count, type)` |

use super::{
    scope::{Base, Memory, Scope, unsupported},
    text::{Num, Text},
};
use melior::ir::{Value, operation::OperationRef};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    types::Element,
    view::{self, Collective},
};

/// Whether an operation is one of them.
pub fn knows(name: &str) -> bool {
    const NAMES: [&str; 6] = [
        "pld.barrier",
        "pld.allreduce",
        "pld.reduce_scatter",
        "pld.broadcast",
        "pld.allgather",
        "pld.all_to_all",
    ];
    NAMES.contains(&name)
}

/// Emits the call.
pub fn emit<'c, 'a>(
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let call = match Collective::of(op) {
        Some(parts) => collective(scope, at, op, &parts)?,
        None => Text::new("Meet(rank"),
    };
    Text::new("PLD_TRY(pld::")
        .text(call)
        .lit("));")
        .emit(at, None);
    Ok(())
}

fn collective<'c, 'a>(
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    parts: &Collective<'c, 'a>,
) -> Result<Text<'c, 'a>, Reported> {
    let source = scope.memory(op, parts.source)?;
    let data = Text::default().value(address(op, &source)?);
    let whole = count(at, &source.dims);
    let row = count(at, source.dims.get(1..).unwrap_or_default());
    let r#type = data_type(op, source.element)?;
    let begin = |callee: &str, data, count| {
        let begin = Text::new(format!("{callee}(rank, "));
        begin.text(data).lit(", ").num(count)
    };
    let to = |destination: Value<'c, 'a>| -> Result<_, Reported> {
        let memory = scope.memory(op, destination)?;
        Ok(data.clone().lit(", ").value(address(op, &memory)?))
    };
    let text = match (view::name(&op), parts.destination) {
        ("pld.allreduce", _) => {
            begin("AllReduce", data, whole).lit(format!(", {type}, {}", reduction(op)?))
        }
        ("pld.reduce_scatter", _) => {
            let bytes = source.element.bytes();
            let begin = begin("ReduceScatter", data, row);
            begin.lit(format!(", {bytes}, {type}, {}", reduction(op)?))
        }
        ("pld.broadcast", _) => {
            let root = view::integer(&op, "root").ok_or(Reported)?;
            begin("Broadcast", data, whole).lit(format!(", {type}, {root}"))
        }
        ("pld.allgather", Some(all)) => {
            begin("AllGather", to(all)?, whole).lit(format!(", {type}"))
        }
        ("pld.all_to_all", Some(out)) => begin("AllToAll", to(out)?, row).lit(format!(", {type}")),
        _ => return Err(unsupported(op, "a collective that HCCL has not")),
    };
    Ok(text)
}

fn address<'c, 'a>(
    op: OperationRef<'c, 'a>,
    memory: &Memory<'c, 'a>,
) -> Result<Value<'c, 'a>, Reported> {
    match memory.base {
        Base::Address(address) => Ok(address),
        _ => Err(unsupported(op, "a collective on what is no window")),
    }
}

fn count<'c, 'a>(at: &Emitter<'c, 'a>, dims: &[Num<'c, 'a>]) -> Num<'c, 'a> {
    let one = Num::Known(1);
    dims.iter().fold(one, |product, &dim| product.mul(at, dim))
}

fn data_type(op: OperationRef, element: Element) -> Result<&'static str, Reported> {
    Ok(match element {
        Element::F32 => "HCCL_DATA_TYPE_FP32",
        Element::F16 => "HCCL_DATA_TYPE_FP16",
        Element::BF16 => "HCCL_DATA_TYPE_BFP16",
        Element::I8 => "HCCL_DATA_TYPE_INT8",
        Element::I16 => "HCCL_DATA_TYPE_INT16",
        Element::I32 => "HCCL_DATA_TYPE_INT32",
        Element::I64 => "HCCL_DATA_TYPE_INT64",
        Element::I1 => return Err(unsupported(op, "a collective of masks")),
    })
}

fn reduction(op: OperationRef) -> Result<&'static str, Reported> {
    const NAMES: [&str; 4] = [
        "HCCL_REDUCE_SUM",
        "HCCL_REDUCE_MAX",
        "HCCL_REDUCE_MIN",
        "HCCL_REDUCE_PROD",
    ];
    let kind = view::integer(&op, "op").and_then(|kind| usize::try_from(kind).ok());
    let name = kind.and_then(|kind| NAMES.get(kind));
    name.copied().ok_or(Reported)
}
