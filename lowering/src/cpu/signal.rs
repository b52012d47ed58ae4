//! Groups and signals.
//!
//! | operation | becomes |
//! | --- | --- |
//! | `pld.get_comm_ctx` | the own slice's address: it stands for the window's group |
//! | `pld.rank`, `pld.nranks` | `pld_rt_rank`, `pld_rt_nranks` |
//! | `pld.notify`, `pld.wait` | `pld_rt_notify`, `pld_rt_wait` |
//! | back edge of `scf.while` | `pld_rt_yield`: the loop may poll |

use super::{
    frame::{Frame, Memory},
    host::{malformed, query, replace},
    llvm::Llvm,
    memory::{check_dim, linear},
};
use melior::ir::{
    BlockLike, RegionLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    types::{Element, Shaped},
    view::{Mixed, Notify, Wait},
};

type Lowered = Result<(), Reported>;

pub(super) fn comm_ctx<'c, 'a>(_: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let window = op.operand(0).map_err(|_| malformed(op))?;
    let shaped = Shaped::of(window.r#type()).ok_or_else(|| malformed(op))?;
    replace(op, Memory::of(&at, window, &shaped.shape).base)
}

pub(super) fn rank<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    query(frame, op, "pld_rt_rank")
}

pub(super) fn nranks<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    query(frame, op, "pld_rt_nranks")
}

/// The own slice of a signal, and the offset of a cell in bytes, checked.
fn cell<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    signal: Value<'c, 'a>,
    offsets: &[Mixed<'c, 'a>],
) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Reported> {
    let shaped = Shaped::of(signal.r#type()).ok_or_else(|| malformed(op))?;
    let memory = Memory::of(at, signal, &shaped.shape);
    if frame.shared.bounds {
        for (dim, (&offset, &extent)) in offsets.iter().zip(&shaped.shape).enumerate() {
            let extent = (extent, memory.extents[dim]);
            check_dim(frame, at, op, dim, offset, Mixed::Static(1), extent);
        }
    }
    let number = linear(at, offsets, &memory);
    let offset = at.mul(number, at.word(Element::I32.bytes()));
    Ok((memory.base, offset))
}

/// A signal value as a word.
fn extended<'c, 'a>(at: &Emitter<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    at.value("arith.extsi", &[value], at.word_type(), &[])
}

pub(super) fn notify<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let notify = Notify::of(op).ok_or_else(|| malformed(op))?;
    let (slice, offset) = cell(frame, &at, op, notify.signal, &notify.offsets)?;
    let (kind, value) = (at.word(notify.kind as i64), extended(&at, notify.value));
    let (peer, site) = (at.to_i64(notify.peer), frame.site(&at, op));
    frame.runtime(
        &at,
        "pld_rt_notify",
        &[kind, value, slice, offset, peer, site],
    );
    Ok(())
}

pub(super) fn wait<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let wait = Wait::of(op).ok_or_else(|| malformed(op))?;
    let (slice, offset) = cell(frame, &at, op, wait.signal, &wait.offsets)?;
    let (compare, value) = (at.word(wait.cmp as i64), extended(&at, wait.value));
    let site = frame.site(&at, op);
    frame.runtime(&at, "pld_rt_wait", &[compare, value, slice, offset, site]);
    Ok(())
}

/// Lets other ranks run before each further round of an `scf.while`.
pub(super) fn back_edge<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let body = op.region(1).ok().and_then(|region| region.first_block());
    let end = body.and_then(|body| body.terminator());
    let at = end.and_then(Emitter::before).ok_or_else(|| malformed(op))?;
    let site = frame.site(&at, op);
    frame.runtime(&at, "pld_rt_yield", &[site]);
    Ok(())
}
