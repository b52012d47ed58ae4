//! Loop nests over tiles: rows, and in each row strips of one vector. The only place that
//! knows how wide a strip is.

use super::llvm::Llvm;
use melior::ir::{
    Block, BlockLike, Region, RegionLike, Value, ValueLike,
    operation::{OperationBuilder, OperationLike},
};
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
    pub(super) fn element(self, at: &Emitter<'c, 'a>) -> Self {
        Self::row_start(at, self.row)
    }

    /// The first element of a row, alone.
    pub(super) fn row_start(at: &Emitter<'c, 'a>, row: Value<'c, 'a>) -> Self {
        let (column, lanes) = (at.word(0), 1);
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

/// Strips that are handled at once where one must wait for the last.
const AT_ONCE: i64 = 4;

/// Emits `body` for the strips of a row, which take turns with `AT_ONCE` sets of accumulators:
/// it gets one and gives it back; all start as `start`. Returns the sets that are used.
pub(super) fn accumulate<'c, 'a>(
    at: &Emitter<'c, 'a>,
    row: Value<'c, 'a>,
    columns: i64,
    start: &[Value<'c, 'a>],
    body: &mut Step<'_, 'c, 'a>,
) -> Vec<Vec<Value<'c, 'a>>> {
    let whole = columns / LANES;
    let rest = columns % LANES;
    let size = start.len().max(1);
    let used = (whole + i64::from(rest > 0)).min(AT_ONCE) as usize;
    let mut sets = vec![start.to_vec(); used];
    if whole > 0 {
        // The set of the strip stands first, and moves to the end: no unrolling is needed.
        let range = [0, whole * LANES, LANES];
        let all = carry(at, range, &sets.concat(), &mut |at, column, all| {
            let lanes = LANES;
            let (set, others) = all.split_at(size);
            let set = body(at, Strip { row, column, lanes }, set);
            [others, &set].concat()
        });
        sets = all.chunks(size).map(<[_]>::to_vec).collect();
        sets.rotate_right(whole as usize % used);
    }
    if rest > 0 {
        let set = whole as usize % used;
        let (column, lanes) = (at.word(whole * LANES), rest);
        sets[set] = body(at, Strip { row, column, lanes }, &sets[set]);
    }
    sets
}

/// Takes a strip and accumulators, gives new ones.
type Step<'f, 'c, 'a> =
    dyn FnMut(&Emitter<'c, 'a>, Strip<'c, 'a>, &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> + 'f;

/// Emits `body` once for all blocks of `AT_ONCE` strips of row 0, and once for the rest.
pub(super) fn blocks_of_row<'c, 'a>(
    at: &Emitter<'c, 'a>,
    columns: i64,
    body: &mut dyn FnMut(&Emitter<'c, 'a>, &[Strip<'c, 'a>]),
) {
    let row = at.word(0);
    let width = AT_ONCE * LANES;
    let whole = columns / width * width;
    if whole > 0 {
        repeat(at, whole, width, &mut |at, first| {
            let strips: Vec<_> = (0..AT_ONCE)
                .map(|index| {
                    let column = at.add(first, at.word(index * LANES));
                    let lanes = LANES;
                    Strip { row, column, lanes }
                })
                .collect();
            body(at, &strips);
        });
    }
    let rest: Vec<_> = (whole..columns)
        .step_by(LANES as usize)
        .map(|column| {
            let lanes = LANES.min(columns - column);
            let column = at.word(column);
            Strip { row, column, lanes }
        })
        .collect();
    if !rest.is_empty() {
        body(at, &rest);
    }
}

/// A loop from one number to another by steps, all of them whole.
pub(super) fn range<'c, 'a>(
    at: &Emitter<'c, 'a>,
    range: [i64; 3],
    body: &mut dyn FnMut(&Emitter<'c, 'a>, Value<'c, 'a>),
) {
    if range[1] > range[0] {
        carry(at, range, &[], &mut |at, number, _| {
            body(at, number);
            Vec::new()
        });
    }
}

/// Takes a number and values, gives new ones.
pub(super) type Round<'f, 'c, 'a> =
    dyn FnMut(&Emitter<'c, 'a>, Value<'c, 'a>, &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> + 'f;

/// A loop from one number to another by steps, that carries values of types of its own; none
/// if it has one round.
pub(super) fn carry<'c, 'a>(
    at: &Emitter<'c, 'a>,
    [from, to, step]: [i64; 3],
    start: &[Value<'c, 'a>],
    body: &mut Round<'_, 'c, 'a>,
) -> Vec<Value<'c, 'a>> {
    if to - from <= step {
        return body(at, at.word(from), start);
    }
    let types: Vec<_> = start.iter().map(|value| value.r#type()).collect();
    let mut arguments = vec![(at.index_type(), at.location)];
    arguments.extend(types.iter().map(|&r#type| (r#type, at.location)));
    let region = Region::new();
    region.append_block(Block::new(&arguments));
    let range = [at.index(from), at.index(to), at.index(step)];
    let op = at.build(
        OperationBuilder::new("scf.for", at.location)
            .add_operands(&range)
            .add_operands(start)
            .add_results(&types)
            .add_regions([region]),
    );
    let block = op.region(0).ok().and_then(|region| region.first_block());
    let block = block.expect("the region was built with a block");
    let inner = Emitter::at_end(at.context, at.location, block);
    let argument = |index| -> Value<'c, 'a> {
        block
            .argument(index)
            .expect("it was built with them")
            .into()
    };
    let values: Vec<_> = (1..=start.len()).map(argument).collect();
    let number = inner.to_i64(argument(0));
    let next = body(&inner, number, &values);
    inner.op("scf.yield", &next, &[], &[]);
    op.results().map(Into::into).collect()
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
