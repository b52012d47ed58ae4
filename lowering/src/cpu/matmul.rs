//! Matrix products.
//!
//! Some rows and strips of the result are accumulated in registers over all of k, from 0 up,
//! each product added with one rounding (`fma`); i8 in i32, which wraps. So an element has the
//! same value however many are computed at once. f16, bf16 and i8, and a right side whose dims
//! are exchanged or that is read often, are first brought to f32 or i32 by rows; the left side is
//! read either way.

use super::{
    cast,
    frame::Frame,
    host::malformed,
    llvm::{Llvm, vector_type},
    memory::{self, Touch},
    nest::{self, LANES},
    plan::{self, NO_SLOT, products::sides},
    tiles::{Lowered, Slot},
    vector::{Lanes, storage},
};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pass::Reported,
    types::{Element, Shaped},
    view::{self, Access},
};

/// Bytes of what is multiplied and added.
const WORD: i64 = 4;

/// A side of a product in memory: bytes from row to row, and from column to column.
#[derive(Clone, Copy)]
struct Side<'c, 'a> {
    base: Value<'c, 'a>,
    row: Value<'c, 'a>,
    column: Value<'c, 'a>,
}

impl<'c, 'a> Side<'c, 'a> {
    fn address(
        &self,
        at: &Emitter<'c, 'a>,
        row: Value<'c, 'a>,
        column: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let (row, column) = (at.mul(row, self.row), at.mul(column, self.column));
        at.gep(at.gep(self.base, row), column)
    }
}

/// A load that a product reads in place: only its checks are here.
pub(super) fn load<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let access = Access::of(op).ok_or_else(|| malformed(op))?;
    let region = memory::region(frame, &at, &access)?;
    memory::touch(frame, &at, &access, &region, Touch::Read);
    let place = (region.address(&at), region.pitch);
    let key = bridge::value_key(access.value);
    frame.direct.borrow_mut().insert(key, place);
    Ok(())
}

pub(super) fn lower<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = &Emitter::before(op).ok_or(Reported)?;
    let bad = || malformed(op);
    let result = Slot::result(frame, at, op)?;
    let start = match view::is(&op, "pl.matmul_acc") {
        true => Some(Slot::operand(frame, at, op, 0)?),
        false => None,
    };
    let [left, right] = sides(op).ok_or_else(bad)?;
    let [rows, columns] = shape(left).ok_or_else(bad)?;
    let packed = view::integers(&op, plan::PACKED).unwrap_or(vec![NO_SLOT; 2]);
    let mut left = side(frame, at, left, packed[0], false).ok_or_else(bad)?;
    let transposed = op.has_attribute("transpose_b");
    let right = side(frame, at, right, packed[1], transposed).ok_or_else(bad)?;
    let turned = op.has_attribute("transpose_a");
    if turned {
        std::mem::swap(&mut left.row, &mut left.column);
    }
    let product = Product {
        left,
        right,
        start,
        result,
        depth: if turned { rows } else { columns },
        at_once: at_once(frame.shared.registers),
    };
    product.emit(at);
    Ok(())
}

/// Rows and columns.
fn shape(tile: Value) -> Option<[i64; 2]> {
    Shaped::of(tile.r#type())?.shape.try_into().ok()
}

/// A side of the product, brought to f32 or i32 by rows in the slot `packed` if it has one.
fn side<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    tile: Value<'c, 'a>,
    packed: i64,
    transposed: bool,
) -> Option<Side<'c, 'a>> {
    let [rows, columns] = shape(tile)?;
    let element = Shaped::of(tile.r#type())?.element()?;
    let direct = frame.direct.borrow().get(&bridge::value_key(tile)).copied();
    let (base, row) = match direct {
        Some(place) => place,
        None => (
            frame.slot(at, tile).ok()?,
            at.word(columns * element.bytes()),
        ),
    };
    let column = at.word(element.bytes());
    let source = Side { base, row, column };
    if packed == NO_SLOT {
        return Some(source);
    }
    let base = frame.slot_at(at, packed)?;
    let width = if transposed { rows } else { columns };
    let (row, column) = (at.word(width * WORD), at.word(WORD));
    let target = Side { base, row, column };
    if transposed {
        nest::each_row(at, rows, &mut |at, row| {
            nest::each_row(at, columns, &mut |at, column| {
                let from = source.address(at, row, column);
                copy(at, element, 1, from, target.address(at, column, row));
            });
        });
    } else {
        nest::strips(at, rows, columns, &mut |at, strip| {
            let from = strip.address(at, source.base, source.row, element.bytes());
            if direct.is_some() {
                at.prefetch(at.gep(from, at.mul(source.row, at.word(AHEAD))));
            }
            let to = strip.address(at, target.base, target.row, WORD);
            copy(at, element, strip.lanes, from, to);
        });
    }
    Some(target)
}

/// How many rows ahead memory is asked for. Rows of a part of a matrix are too short for the CPU
/// to see where the next one is, and behind the last are often those of the next tile.
const AHEAD: i64 = 8;

/// Copies some elements, as f32 or i32.
fn copy<'c, 'a>(
    at: &Emitter<'c, 'a>,
    element: Element,
    lanes: i64,
    from: Value<'c, 'a>,
    to: Value<'c, 'a>,
) {
    let vector = vector_type(storage(at, element), lanes);
    let value = at.load(from, vector, element.bytes());
    let at = Lanes { at, lanes };
    let value = if element.is_float() {
        cast::widen(at, element, value)
    } else {
        at.to("arith.extsi", value, at.ints(32))
    };
    at.at.store(value, to, WORD);
}

/// Half of the first cache of x86-64 CPUs, in bytes.
const STAYS: i64 = 16 << 10;

/// How many k a round of the innermost loop takes. What ends a round then weighs little.
const STEPS: i64 = 4;

struct Product<'c, 'a> {
    left: Side<'c, 'a>,
    right: Side<'c, 'a>,
    start: Option<Slot<'c, 'a>>,
    result: Slot<'c, 'a>,
    depth: i64,
    /// Rows and strips that are computed at once, except at the edges.
    at_once: (i64, i64),
}

/// How many rows and strips are computed at once: enough accumulators to hide the latency of the
/// multipliers, and all in registers. Of 16, each half a strip, 12 are accumulators, 2 a strip of
/// the right side, and one is of the left.
fn at_once(registers: i64) -> (i64, i64) {
    if registers >= 32 { (8, 2) } else { (6, 1) }
}

/// Rows and strips of the result that are computed at once: first row and column, how many
/// rows, lanes of each strip.
struct Block<'c, 'a> {
    row: Value<'c, 'a>,
    column: Value<'c, 'a>,
    rows: i64,
    strips: Vec<i64>,
}

impl<'c, 'a> Block<'c, 'a> {
    fn new([row, column]: [Value<'c, 'a>; 2], rows: i64, strips: &[i64]) -> Self {
        let strips = strips.to_vec();
        Self {
            row,
            column,
            rows,
            strips,
        }
    }

    fn row(&self, at: &Emitter<'c, 'a>, row: i64) -> Value<'c, 'a> {
        at.add(self.row, at.word(row))
    }

    fn column(&self, at: &Emitter<'c, 'a>, strip: usize) -> Value<'c, 'a> {
        at.add(self.column, at.word(strip as i64 * LANES))
    }
}

impl<'c, 'a> Product<'c, 'a> {
    fn emit(&self, at: &Emitter<'c, 'a>) {
        let (rows, strips) = self.at_once;
        // What is read again and again stays in the first cache: all of the right side, or some
        // columns of it.
        if self.depth * self.result.columns * WORD <= STAYS {
            self.by_rows(at, rows, &mut |at, row, rows| {
                self.by_columns(at, strips, &mut |at, column, strips| {
                    self.block(at, &Block::new([row, column], rows, strips));
                });
            });
        } else {
            self.by_columns(at, strips, &mut |at, column, strips| {
                self.by_rows(at, rows, &mut |at, row, rows| {
                    self.block(at, &Block::new([row, column], rows, strips));
                });
            });
        }
    }

    /// Emits `body` once for all whole groups of so many strips, which gets the first column and
    /// the lanes of each strip, and once for the rest.
    fn by_columns(
        &self,
        at: &Emitter<'c, 'a>,
        strips: i64,
        body: &mut dyn FnMut(&Emitter<'c, 'a>, Value<'c, 'a>, &[i64]),
    ) {
        let width = strips * LANES;
        let whole = self.result.columns / width * width;
        nest::range(at, [0, whole, width], &mut |at, column| {
            body(at, column, &vec![LANES; strips as usize]);
        });
        let rest = self.result.columns - whole;
        let mut lanes = vec![LANES; (rest / LANES) as usize];
        lanes.extend(Some(rest % LANES).filter(|&lanes| lanes > 0));
        if !lanes.is_empty() {
            body(at, at.word(whole), &lanes);
        }
    }

    /// As [`Product::by_columns`], for groups of so many rows: `body` gets the first and how many.
    fn by_rows(
        &self,
        at: &Emitter<'c, 'a>,
        rows: i64,
        body: &mut dyn FnMut(&Emitter<'c, 'a>, Value<'c, 'a>, i64),
    ) {
        let whole = self.result.rows / rows * rows;
        nest::range(at, [0, whole, rows], &mut |at, row| body(at, row, rows));
        let rest = self.result.rows - whole;
        if rest > 0 {
            body(at, at.word(whole), rest);
        }
    }

    fn block(&self, at: &Emitter<'c, 'a>, block: &Block<'c, 'a>) {
        let places: Vec<_> = (0..block.rows)
            .flat_map(|row| (0..block.strips.len()).map(move |strip| (row, strip)))
            .collect();
        let start: Vec<_> = places
            .iter()
            .map(|&place| match &self.start {
                Some(slot) => {
                    let vector = self.vector(at, block.strips[place.1]);
                    at.load(address(at, slot, block, place), vector, WORD)
                }
                None => self.zero(at, block.strips[place.1]),
            })
            .collect();
        let zero = at.word(0);
        let rows = (0..block.rows).map(|row| self.left.address(at, block.row(at, row), zero));
        let columns = (0..block.strips.len())
            .map(|strip| self.right.address(at, zero, block.column(at, strip)));
        let (rows, columns): (Vec<_>, Vec<_>) = (rows.collect(), columns.collect());
        // What is left over at an edge is not worth the code.
        let is_whole = (block.rows, block.strips.len() as i64) == self.at_once;
        let count = if is_whole { STEPS } else { 1 };
        let steps = |at: &Emitter<'c, 'a>, k, count, sums: &[Value<'c, 'a>]| {
            (0..count).fold(sums.to_vec(), |sums, next| {
                // Loads of several k moved together would leave the accumulators no registers.
                if next > 0 {
                    at.keep_order();
                }
                let k = at.add(k, at.word(next));
                self.step(at, block, [&rows, &columns], k, &sums)
            })
        };
        let whole = self.depth / count * count;
        let mut sums = start;
        if whole > 0 {
            sums = nest::carry(at, [0, whole, count], &sums, &mut |at, k, sums| {
                steps(at, k, count, sums)
            });
        }
        let sums = steps(at, at.word(whole), self.depth - whole, &sums);
        for (&place, sum) in places.iter().zip(sums) {
            at.store(sum, address(at, &self.result, block, place), WORD);
        }
    }

    /// One k of all accumulators. `rows` and `columns` are where the left side's rows and the right
    /// side's strips start.
    fn step(
        &self,
        at: &Emitter<'c, 'a>,
        block: &Block<'c, 'a>,
        [rows, columns]: [&[Value<'c, 'a>]; 2],
        k: Value<'c, 'a>,
        sums: &[Value<'c, 'a>],
    ) -> Vec<Value<'c, 'a>> {
        let (column, row) = (at.mul(k, self.left.column), at.mul(k, self.right.row));
        let right = columns
            .iter()
            .zip(&block.strips)
            .map(|(&start, &lanes)| at.load(at.gep(start, row), self.vector(at, lanes), WORD));
        let right: Vec<_> = right.collect();
        let mut next = Vec::with_capacity(sums.len());
        for (sums, &start) in sums.chunks(right.len()).zip(rows) {
            let left = at.load(
                at.gep(start, column),
                storage(at, self.result.element),
                WORD,
            );
            for ((&sum, &right), &lanes) in sums.iter().zip(&right).zip(&block.strips) {
                let left = at.broadcast(left, lanes);
                let at = Lanes { at, lanes };
                next.push(if self.result.element.is_float() {
                    at.fma(left, right, sum)
                } else {
                    at.binary("arith.addi", sum, at.binary("arith.muli", left, right))
                });
            }
        }
        next
    }

    fn vector(&self, at: &Emitter<'c, 'a>, lanes: i64) -> melior::ir::Type<'c> {
        vector_type(storage(at, self.result.element), lanes)
    }

    fn zero(&self, at: &Emitter<'c, 'a>, lanes: i64) -> Value<'c, 'a> {
        let at = Lanes { at, lanes };
        if self.result.element.is_float() {
            at.float(0.0)
        } else {
            at.int(32, 0)
        }
    }
}

/// Where a strip of a block is in the slot of the result, or of what it starts from.
fn address<'c, 'a>(
    at: &Emitter<'c, 'a>,
    slot: &Slot<'c, 'a>,
    block: &Block<'c, 'a>,
    (row, strip): (i64, usize),
) -> Value<'c, 'a> {
    let row = at.mul(block.row(at, row), slot.pitch(at));
    let column = at.mul(block.column(at, strip), at.word(WORD));
    at.gep(at.gep(slot.base, row), column)
}
