//! Operations that move elements and compute nothing.
//!
//! | operation | becomes |
//! | --- | --- |
//! | `pl.reshape`, `pl.concat` of rows | copies of bytes |
//! | `pl.extract_slice`, `pl.insert_slice`, `pl.concat` of columns | copies of rectangles |
//! | `pl.transpose` | a copy of each element |
//! | `pl.gather` | a copy of each row, after a check of its index |
//! | `pl.iota` | vectors of numbers |

use super::{
    frame::Frame,
    host::{malformed, mixed},
    llvm::Llvm,
    memory::check_dim,
    nest,
    tiles::{Lowered, Slot},
    vector::{Lanes, storage},
};
use melior::ir::{Value, operation::OperationRef};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    view::{self, Mixed},
};

pub(super) fn lower<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let result = Slot::result(frame, &at, op)?;
    match view::name(&op) {
        "pl.reshape" => {
            let source = Slot::operand(frame, &at, op, 0)?;
            at.memcpy(result.base, source.base, source.bytes());
        }
        "pl.concat" => concat(frame, &at, op, &result)?,
        "pl.extract_slice" => {
            let source = Slot::operand(frame, &at, op, 0)?;
            let from = part(frame, &at, op, &source, &result, 1)?;
            rectangle(
                &at,
                &result,
                (from, source.pitch(&at)),
                (result.base, result.pitch(&at)),
            );
        }
        "pl.insert_slice" => {
            let source = Slot::operand(frame, &at, op, 0)?;
            let whole = Slot::operand(frame, &at, op, 1)?;
            let to = part(frame, &at, op, &result, &source, 2)?;
            at.memcpy(result.base, whole.base, whole.bytes());
            rectangle(
                &at,
                &source,
                (source.base, source.pitch(&at)),
                (to, result.pitch(&at)),
            );
        }
        "pl.transpose" => transpose(&at, &Slot::operand(frame, &at, op, 0)?, &result),
        "pl.gather" => gather(frame, &at, op, &result)?,
        "pl.iota" => iota(&at, &result),
        _ => return Err(malformed(op)),
    }
    Ok(())
}

/// Copies a rectangle of the extents of `shape`; places are base and bytes from row to row.
fn rectangle<'c, 'a>(
    at: &Emitter<'c, 'a>,
    shape: &Slot<'c, 'a>,
    from: (Value<'c, 'a>, Value<'c, 'a>),
    to: (Value<'c, 'a>, Value<'c, 'a>),
) {
    let row_bytes = shape.columns * shape.element.bytes();
    nest::each_row(at, shape.rows, &mut |at, row| {
        let from = at.gep(from.0, at.mul(row, from.1));
        let to = at.gep(to.0, at.mul(row, to.1));
        at.memcpy(to, from, row_bytes);
    });
}

/// The place of a part in a whole, at the offsets of `op` (from operand `first` on), after a
/// check that it lies inside.
fn part<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    whole: &Slot<'c, 'a>,
    part: &Slot<'c, 'a>,
    first: usize,
) -> Result<Value<'c, 'a>, Reported> {
    let offsets = view::offsets(op, first).ok_or_else(|| malformed(op))?;
    let [row, column] = offsets[..] else {
        return Err(malformed(op));
    };
    if frame.shared.bounds {
        let dims = [
            (row, part.rows, whole.rows),
            (column, part.columns, whole.columns),
        ];
        for (dim, (offset, size, extent)) in dims.into_iter().enumerate() {
            let size = Mixed::Static(size);
            check_dim(frame, at, op, dim, offset, size, (extent, at.word(extent)));
        }
    }
    let row = at.mul(mixed(at, row), at.word(whole.columns));
    let element = at.add(row, mixed(at, column));
    Ok(at.gep(whole.base, at.mul(element, at.word(whole.element.bytes()))))
}

fn concat<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    result: &Slot<'c, 'a>,
) -> Lowered {
    let first = Slot::operand(frame, at, op, 0)?;
    let second = Slot::operand(frame, at, op, 1)?;
    let pitch = result.pitch(at);
    let offset = if view::integer(&op, "dim") == Some(0) {
        first.bytes()
    } else {
        first.columns * first.element.bytes()
    };
    let rest = at.gep(result.base, at.word(offset));
    rectangle(
        at,
        &first,
        (first.base, first.pitch(at)),
        (result.base, pitch),
    );
    rectangle(at, &second, (second.base, second.pitch(at)), (rest, pitch));
    Ok(())
}

fn transpose<'c, 'a>(at: &Emitter<'c, 'a>, source: &Slot<'c, 'a>, result: &Slot<'c, 'a>) {
    let size = source.element.bytes();
    let r#type = storage(at, source.element);
    nest::each_row(at, source.rows, &mut |at, row| {
        nest::each_row(at, source.columns, &mut |at, column| {
            let place = |slot: &Slot<'c, 'a>, row, column| {
                let bytes = at.add(at.mul(row, slot.pitch(at)), at.mul(column, at.word(size)));
                at.gep(slot.base, bytes)
            };
            let value = at.load(place(source, row, column), r#type, size);
            at.store(value, place(result, column, row), size);
        });
    });
}

fn gather<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    result: &Slot<'c, 'a>,
) -> Lowered {
    let source = Slot::operand(frame, at, op, 0)?;
    let indices = Slot::operand(frame, at, op, 1)?;
    nest::each_row(at, result.rows, &mut |at, row| {
        let size = indices.element.bytes();
        let address = at.gep(indices.base, at.mul(row, at.word(size)));
        let index = at.load(address, storage(at, indices.element), size);
        let index = at.value("arith.extsi", &[index], at.word_type(), &[]);
        // Checked always: a wrong index is a fault of data, and no static check finds it.
        let size = Mixed::Static(1);
        let extent = (pld_dialects::types::DYNAMIC, at.word(source.rows));
        check_dim(frame, at, op, 0, Mixed::Dynamic(index), size, extent);
        let from = at.gep(source.base, at.mul(index, source.pitch(at)));
        let to = at.gep(result.base, at.mul(row, result.pitch(at)));
        at.memcpy(to, from, result.columns * result.element.bytes());
    });
    Ok(())
}

fn iota<'c, 'a>(at: &Emitter<'c, 'a>, result: &Slot<'c, 'a>) {
    let element = result.element;
    nest::strips(at, result.rows, result.columns, &mut |at, strip| {
        let lanes = Lanes {
            at,
            lanes: strip.lanes,
        };
        let first = match element.bytes() {
            8 => strip.column,
            _ => at.value("arith.trunci", &[strip.column], storage(at, element), &[]),
        };
        let first = at.broadcast(first, strip.lanes);
        let value = lanes.binary("arith.addi", first, lanes.counting(element));
        result.store(at, strip, value);
    });
}
