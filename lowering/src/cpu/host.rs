//! Operations of host functions.
//!
//! | operation | becomes |
//! | --- | --- |
//! | `pld.world_size` | `pld_rt_world_size` |
//! | `pld.alloc_window_buffer` | `pld_rt_alloc_window`: a handle |
//! | `pld.window` | `pld_rt_window`, `pld_rt_window_tail`: rank 0's slice |
//! | `pl.shard` | a bounds check and pointer arithmetic |
//! | `pld.dispatch` | words on the stack, `pld_rt_window_on` per window, `pld_rt_dispatch` |
//! | `memref.alloc`, here and in device functions | `pld_rt_alloc` |
//! | `memref.cast`, likewise | a check of the extents that it states |

use super::{
    frame::{Frame, Memory},
    function,
    llvm::Llvm,
};
use melior::ir::{
    Type, Value, ValueLike,
    operation::{OperationLike, OperationRef},
    r#type::FunctionType,
};
use pld_dialects::{
    bridge, diag,
    emit::Emitter,
    pass::Reported,
    types::{DYNAMIC, Element, Level, Shaped},
    view::{self, AllocWindowBuffer, Dispatch, Mixed},
};

type Lowered = Result<(), Reported>;

/// What gives up when the verifier has let through what cannot be.
pub(super) fn malformed(op: OperationRef) -> Reported {
    diag::failure(
        op.location(),
        format!("'{}' op is malformed", view::name(&op)),
    )
    .emit();
    Reported
}

pub(super) fn world_size<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    query(frame, op, "pld_rt_world_size")
}

/// Asks the runtime for a number, by what the operation asks about.
pub(super) fn query<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    name: &'static str,
) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let about: Vec<_> = op.operands().collect();
    let answer = frame.runtime_value(&at, name, &about);
    replace(op, at.to_index(answer))
}

/// Replaces the only result of an operation.
pub(super) fn replace<'c>(op: OperationRef<'c, '_>, with: Value<'c, '_>) -> Lowered {
    let result = op.result(0).map_err(|_| malformed(op))?;
    bridge::replace_all_uses(result.into(), with);
    Ok(())
}

/// Bytes of an array of these extents: the most that a word holds if they overflow one, and
/// negative if an extent is.
fn bytes<'c, 'a>(
    at: &Emitter<'c, 'a>,
    extents: impl IntoIterator<Item = Value<'c, 'a>>,
    element: i64,
) -> Value<'c, 'a> {
    let (zero, most, sign) = (at.word(0), at.word(i64::MAX), at.word(63));
    let mut bytes = at.word(element);
    let mut negative = at.int(at.int_type(1), 0);
    for extent in extents {
        let word = at.word_type();
        let product = at.op("arith.mulsi_extended", &[bytes, extent], &[word, word], &[]);
        let part = |index| -> Value {
            let part = product.result(index);
            part.expect("a product has two halves").into()
        };
        let fits = at.binary("arith.shrsi", part(0), sign);
        let overflow = at.cmpi(1, fits, part(1));
        bytes = at.select(overflow, most, part(0));
        let below = at.cmpi(2, extent, zero);
        negative = at.binary("arith.ori", negative, below);
    }
    at.select(negative, at.word(-1), bytes)
}

pub(super) fn alloc_window_buffer<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let alloc = AllocWindowBuffer::of(op).ok_or_else(|| malformed(op))?;
    let element = Element::of(alloc.element_type).ok_or_else(|| malformed(op))?;
    let sizes = alloc.sizes.iter().map(|&size| mixed(&at, size));
    let bytes = bytes(&at, sizes.collect::<Vec<_>>(), element.bytes());
    let ranks = alloc.ranks.unwrap_or_default();
    let group = if ranks.is_empty() {
        at.value("llvm.mlir.zero", &[], at.ptr_type(), &[])
    } else {
        let ranks: Vec<_> = ranks.iter().map(|&rank| at.word(rank)).collect();
        words(frame, &at, &ranks)
    };
    let (count, site) = (at.word(ranks.len() as i64), frame.site(&at, op));
    let buffer = frame.runtime_value(&at, "pld_rt_alloc_window", &[bytes, group, count, site]);
    replace(op, buffer)
}

/// The entry of a mixed list as a word.
pub(super) fn mixed<'c, 'a>(at: &Emitter<'c, 'a>, entry: Mixed<'c, 'a>) -> Value<'c, 'a> {
    match entry {
        Mixed::Static(value) => at.word(value),
        Mixed::Dynamic(value) => at.to_i64(value),
    }
}

/// Stores words to the stack; their address. The room is taken once per call of the
/// function, not once per round of a loop.
pub(super) fn words<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    words: &[Value<'c, 'a>],
) -> Value<'c, 'a> {
    let base = frame.entry.alloca(words.len() as i64);
    for (index, &word) in words.iter().enumerate() {
        at.store(word, at.gep(base, at.word(index as i64 * 8)), 8);
    }
    base
}

/// Extents of a type, whose dynamic ones are given.
fn extents<'c, 'a>(
    at: &Emitter<'c, 'a>,
    shape: &[i64],
    dynamic: impl IntoIterator<Item = Value<'c, 'a>>,
) -> Option<Vec<Value<'c, 'a>>> {
    let mut dynamic = dynamic.into_iter();
    let extents = shape.iter().map(|&extent| match extent {
        DYNAMIC => dynamic.next().map(|value| at.to_i64(value)),
        extent => Some(at.word(extent)),
    });
    extents.collect()
}

fn result_shape<'c>(op: OperationRef<'c, '_>) -> Option<(Type<'c>, Shaped<'c>, Element)> {
    let r#type = op.result(0).ok()?.r#type();
    let shaped = Shaped::of(r#type)?;
    let element = shaped.element()?;
    Some((r#type, shaped, element))
}

pub(super) fn window<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let (r#type, shaped, element) = result_shape(op).ok_or_else(|| malformed(op))?;
    let extents = extents(&at, &shaped.shape, op.operands().skip(1));
    let extents = extents.ok_or_else(|| malformed(op))?;
    let bytes = bytes(&at, extents.iter().copied(), element.bytes());
    let buffer = op.operand(0).map_err(|_| malformed(op))?;
    let site = frame.site(&at, op);
    let name = if view::is_tail(&op) {
        "pld_rt_window_tail"
    } else {
        "pld_rt_window"
    };
    let base = frame.runtime_value(&at, name, &[buffer, bytes, site]);
    replace(op, Memory { base, extents }.build(&at, r#type))
}

pub(super) fn alloc<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let Some((r#type, shaped, element)) = result_shape(op).filter(|(r#type, shaped, _)| {
        bridge::has_identity_layout(*r#type) && op.operand_count() == shaped.dynamic_count()
    }) else {
        diag::failure(
            op.location(),
            "'memref.alloc' op makes no array of identity layout and of f32, f16, bf16, i8, i16, \
             i32, i64 or i1, expected one",
        )
        .emit();
        return Err(Reported);
    };
    let extents = extents(&at, &shaped.shape, op.operands()).ok_or_else(|| malformed(op))?;
    let bytes = bytes(&at, extents.iter().copied(), element.bytes());
    let site = frame.site(&at, op);
    let base = frame.runtime_value(&at, "pld_rt_alloc", &[bytes, site]);
    replace(op, Memory { base, extents }.build(&at, r#type))
}

/// `memref.cast`, which stays: an extent that it states is the one that there is.
pub(super) fn check_cast<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let (Ok(source), Ok(result)) = (op.operand(0), op.result(0)) else {
        return Err(malformed(op));
    };
    let (Some(from), Some(to)) = (Shaped::of(source.r#type()), Shaped::of(result.r#type())) else {
        return Ok(());
    };
    let memory = Memory::of(&at, source, &from.shape);
    for (dim, (&found, &stated)) in from.shape.iter().zip(&to.shape).enumerate() {
        if found == DYNAMIC && stated != DYNAMIC {
            let (stated, extent) = (at.word(stated), memory.extents[dim]);
            let bad = at.cmpi(1, stated, extent);
            frame.fail_if(
                &at,
                op,
                bad,
                [at.word(dim as i64), at.word(0), stated, extent],
            );
        }
    }
    Ok(())
}

pub(super) fn shard<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let (r#type, shaped, element) = result_shape(op).ok_or_else(|| malformed(op))?;
    let (Ok(source), Ok(rank)) = (op.operand(0), op.operand(1)) else {
        return Err(malformed(op));
    };
    let whole = Shaped::of(source.r#type()).ok_or_else(|| malformed(op))?;
    let memory = Memory::of(&at, source, &whole.shape);
    let rank = at.to_i64(rank);
    let count = memory.extents[0];
    if frame.shared.bounds {
        let negative = at.cmpi(2, rank, at.word(0));
        let beyond = at.cmpi(5, rank, count);
        let bad = at.binary("arith.ori", negative, beyond);
        // A dim of -1 says that the access is a shard.
        frame.fail_if(&at, op, bad, [at.word(-1), rank, at.word(1), count]);
    }
    let mut offset = at.mul(rank, at.word(element.bytes()));
    for &extent in &memory.extents[1..] {
        offset = at.mul(offset, extent);
    }
    let slice = Memory {
        base: at.gep(memory.base, offset),
        extents: memory.extents[1..].to_vec(),
    };
    debug_assert_eq!(shaped.rank() + 1, whole.rank());
    replace(op, slice.build(&at, r#type))
}

pub(super) fn dispatch<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let dispatch = Dispatch::of(op).ok_or_else(|| malformed(op))?;
    let rank = at.to_i64(dispatch.rank);
    let site = frame.site(&at, op);
    let mut arguments = Vec::new();
    for value in dispatch.arguments {
        let is_window =
            Shaped::of(value.r#type()).is_some_and(|shaped| shaped.level == Level::Window);
        let words = function::dispatch_words(&at, value, |base| {
            if is_window {
                frame.runtime_value(&at, "pld_rt_window_on", &[base, rank, site])
            } else {
                base
            }
        });
        arguments.extend(words.ok_or_else(|| malformed(op))?);
    }
    let base = words(frame, &at, &arguments);
    let signature = FunctionType::new(at.context, &[at.ptr_type(), at.ptr_type()], &[]);
    let callee = at.function_address(&dispatch.callee, signature);
    let count = at.word(arguments.len() as i64);
    frame.runtime(&at, "pld_rt_dispatch", &[rank, callee, base, count, site]);
    Ok(())
}
