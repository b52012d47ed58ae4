//! Reductions of rows and columns.
//!
//! Floats are accumulated in f32 and rounded once. A row is summed in the lanes of one strip,
//! which are then folded in halves; a column from top to bottom. So the order is fixed, and
//! the result is the same on every machine.

use super::{
    cast::{self, Mode},
    elementwise,
    frame::Frame,
    host::malformed,
    llvm::{Llvm, vector_type},
    nest::{self, LANES},
    tiles::{Lowered, Slot},
    vector::{Lanes, storage},
};
use melior::ir::{Value, operation::OperationRef};
use pld_dialects::{emit::Emitter, pass::Reported, types::Element, view};

/// Operation; how two elements are combined; the identity of that on floats.
const ROWS: &[(&str, &str, f64)] = &[
    ("pl.row_sum", "pl.add", -0.0),
    ("pl.row_max", "pl.max", f64::NEG_INFINITY),
    ("pl.row_min", "pl.min", f64::INFINITY),
    ("pl.row_prod", "pl.mul", 1.0),
];
const COLUMNS: &[(&str, &str, f64)] = &[
    ("pl.col_sum", "pl.add", -0.0),
    ("pl.col_max", "pl.max", f64::NEG_INFINITY),
    ("pl.col_min", "pl.min", f64::INFINITY),
    ("pl.col_prod", "pl.mul", 1.0),
];

/// Whether an operation is one of these.
pub(super) fn knows(name: &str) -> bool {
    ROWS.iter().chain(COLUMNS).any(|row| row.0 == name)
}

/// Lanes of partial results, in memory that LLVM makes registers of.
struct Accumulator<'c, 'a> {
    base: Value<'c, 'a>,
    /// What floats are accumulated in, or the integer type itself.
    element: Element,
    combine: &'static str,
    identity: f64,
}

impl<'c, 'a> Accumulator<'c, 'a> {
    fn load(&self, at: Lanes<'_, 'c, 'a>, from: i64) -> Value<'c, 'a> {
        let size = self.element.bytes();
        let address = at.at.gep(self.base, at.at.word(from * size));
        let vector = vector_type(storage(at.at, self.element), at.lanes);
        at.at.load(address, vector, size)
    }

    fn reset(&self, at: Lanes<'_, 'c, 'a>) {
        let identity = if self.element.is_float() {
            at.float(self.identity)
        } else {
            let bits = 8 * self.element.bytes() as u32;
            let least = i64::MIN >> (64 - bits);
            let number = match self.combine {
                "pl.max" => least,
                "pl.min" => !least,
                "pl.mul" => 1,
                _ => 0,
            };
            at.int(bits, number)
        };
        at.at.store(identity, self.base, self.element.bytes());
    }

    /// Combines the first lanes with a vector.
    fn add(&self, at: Lanes<'_, 'c, 'a>, value: Value<'c, 'a>) -> Option<()> {
        let sum = elementwise::binary(at, self.combine, self.element, self.load(at, 0), value)?;
        at.at.store(sum, self.base, self.element.bytes());
        Some(())
    }
}

pub(super) fn lower<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let name = view::name(&op);
    let find = |table: &'static [(&str, &'static str, f64)]| table.iter().find(|row| row.0 == name);
    let (row_wise, found) = match find(ROWS) {
        Some(found) => (true, found),
        None => (false, find(COLUMNS).ok_or_else(|| malformed(op))?),
    };
    let source = Slot::operand(frame, &at, op, 0)?;
    let result = Slot::result(frame, &at, op)?;
    let element = match source.element {
        element if element.is_float() => Element::F32,
        element => element,
    };
    let accumulator = Accumulator {
        base: frame.entry.alloca(LANES * element.bytes() / 8),
        element,
        combine: found.1,
        identity: found.2,
    };
    let done = if row_wise {
        rows(&at, &source, &result, &accumulator)
    } else {
        columns(&at, &source, &result, &accumulator)
    };
    done.ok_or_else(|| malformed(op))
}

fn rows<'c, 'a>(
    at: &Emitter<'c, 'a>,
    source: &Slot<'c, 'a>,
    result: &Slot<'c, 'a>,
    accumulator: &Accumulator<'c, 'a>,
) -> Option<()> {
    let mut done = Some(());
    nest::each_row(at, source.rows, &mut |at, row| {
        accumulator.reset(Lanes { at, lanes: LANES });
        nest::strips_of_row(at, row, source.columns, &mut |at, strip| {
            let at = Lanes {
                at,
                lanes: strip.lanes,
            };
            let value = cast::widen(at, source.element, source.load(at.at, strip));
            done = done.and(accumulator.add(at, value));
        });
        let mut lanes = LANES;
        while lanes > 1 {
            lanes /= 2;
            let at = Lanes { at, lanes };
            let upper = accumulator.load(at, lanes);
            done = done.and(accumulator.add(at, upper));
        }
        nest::strips_of_row(at, row, 1, &mut |at, strip| {
            let at = Lanes { at, lanes: 1 };
            let value = cast::narrow(at, result.element, Mode::Rint, accumulator.load(at, 0));
            result.store(at.at, strip, value);
        });
    });
    done
}

fn columns<'c, 'a>(
    at: &Emitter<'c, 'a>,
    source: &Slot<'c, 'a>,
    result: &Slot<'c, 'a>,
    accumulator: &Accumulator<'c, 'a>,
) -> Option<()> {
    let mut done = Some(());
    nest::strips_of_row(at, at.word(0), source.columns, &mut |at, strip| {
        let lanes = strip.lanes;
        accumulator.reset(Lanes { at, lanes });
        nest::each_row(at, source.rows, &mut |at, row| {
            let at = Lanes { at, lanes };
            let value = source.load(at.at, strip.in_row(row));
            let value = cast::widen(at, source.element, value);
            done = done.and(accumulator.add(at, value));
        });
        let at = Lanes { at, lanes };
        let value = cast::narrow(at, result.element, Mode::Rint, accumulator.load(at, 0));
        result.store(at.at, strip, value);
    });
    done
}
