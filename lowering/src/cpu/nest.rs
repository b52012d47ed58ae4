//! Loop nests over tiles: rows, and in each row strips of one vector. The only place that
//! knows how wide a strip is.

use super::llvm::Llvm;
use melior::ir::Value;
use pld_dialects::emit::Emitter;

/// Elements of a whole strip, whatever their type and the CPU: LLVM splits wider vectors
/// than the CPU has, so results do not depend on it.
pub(super) const LANES: i64 = 16;

/// Some elements of one row.
#[derive(Clone, Copy)]
pub(super) struct Strip<'c, 'a> {
    /// Number of the row, as a word.
    row: Value<'c, 'a>,
    /// Column of its first element, as a word.
    pub(super) column: Value<'c, 'a>,
    /// How many elements.
    pub(super) lanes: i64,
}

impl<'c, 'a> Strip<'c, 'a> {
    /// The same columns of another row.
    pub(super) fn in_row(self, row: Value<'c, 'a>) -> Self {
        Self { row, ..self }
    }

    /// The first element of its row, alone.
    pub(super) fn row_start(self, at: &Emitter<'c, 'a>) -> Self {
        let (row, column, lanes) = (self.row, at.word(0), 1);
        Self { row, column, lanes }
    }

    /// Its address in memory of this pitch and element size, both in bytes.
    pub(super) fn address(
        &self,
        at: &Emitter<'c, 'a>,
        base: Value<'c, 'a>,
        pitch: Value<'c, 'a>,
        element: i64,
    ) -> Value<'c, 'a> {
        let row = at.mul(self.row, pitch);
        let column = at.mul(self.column, at.word(element));
        at.gep(base, at.add(row, column))
    }
}

/// Emits `body` once for all whole strips, and once for the rest of a row, if any; both in
/// a loop over the rows.
pub(super) fn strips<'c, 'a>(
    at: &Emitter<'c, 'a>,
    rows: i64,
    columns: i64,
    body: &mut dyn FnMut(&Emitter<'c, 'a>, Strip<'c, 'a>),
) {
    each_row(at, rows, &mut |at, row| {
        strips_of_row(at, row, columns, body);
    });
}

/// A loop over rows, whose numbers are words.
pub(super) fn each_row<'c, 'a>(
    at: &Emitter<'c, 'a>,
    rows: i64,
    body: &mut dyn FnMut(&Emitter<'c, 'a>, Value<'c, 'a>),
) {
    repeat(at, rows, 1, body);
}

/// The strips of one row.
pub(super) fn strips_of_row<'c, 'a>(
    at: &Emitter<'c, 'a>,
    row: Value<'c, 'a>,
    columns: i64,
    body: &mut dyn FnMut(&Emitter<'c, 'a>, Strip<'c, 'a>),
) {
    let whole = columns / LANES * LANES;
    if whole > 0 {
        repeat(at, whole, LANES, &mut |at, column| {
            let lanes = LANES;
            body(at, Strip { row, column, lanes });
        });
    }
    if columns > whole {
        let (column, lanes) = (at.word(whole), columns - whole);
        body(at, Strip { row, column, lanes });
    }
}

/// A loop from 0 to `count`; none if it has one round.
fn repeat<'c, 'a>(
    at: &Emitter<'c, 'a>,
    count: i64,
    step: i64,
    body: &mut dyn FnMut(&Emitter<'c, 'a>, Value<'c, 'a>),
) {
    if count <= step {
        body(at, at.word(0));
        return;
    }
    let (zero, count, step) = (at.index(0), at.index(count), at.index(step));
    at.for_loop(zero, count, step, |at, index| {
        let word = at.to_i64(index);
        body(at, word);
    });
}

/// As [`strips`], over the first `rows` rows and `columns` columns, both known at run time
/// only; whole strips, then single elements.
pub(super) fn ragged<'c, 'a>(
    at: &Emitter<'c, 'a>,
    rows: Value<'c, 'a>,
    columns: Value<'c, 'a>,
    body: &mut dyn FnMut(&Emitter<'c, 'a>, Strip<'c, 'a>),
) {
    let (zero, one, lanes) = (at.index(0), at.index(1), at.index(LANES));
    let columns = at.to_index(columns);
    let rest = at.binary("arith.remsi", columns, lanes);
    let whole = at.binary("arith.subi", columns, rest);
    at.for_loop(zero, at.to_index(rows), one, |at, row| {
        let row = at.to_i64(row);
        at.for_loop(zero, whole, lanes, |at, column| {
            let (column, lanes) = (at.to_i64(column), LANES);
            body(at, Strip { row, column, lanes });
        });
        at.for_loop(whole, columns, one, |at, column| {
            let (column, lanes) = (at.to_i64(column), 1);
            body(at, Strip { row, column, lanes });
        });
    });
}
