//! Reductions of rows and columns.
//!
//! Floats are accumulated in f32 and rounded once. Element `j` of a row goes to lane `j % 16`
//! of accumulator `j / 16 % 4`; then accumulators 0 and 1, 2 and 3, and both results are
//! combined, and the lanes of what is left in halves. A column is reduced from top to bottom.
//! So the order is fixed, and the result is the same on every machine.

use super::{
    cast::{self, Mode},
    elementwise,
    frame::Frame,
    host::malformed,
    llvm::Llvm,
    nest::{self, LANES},
    tiles::{Lowered, Slot},
    vector::Lanes,
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

/// Whether an operation reduces rows.
pub(super) fn of_rows(name: &str) -> bool {
    ROWS.iter().any(|row| row.0 == name)
}

/// Whether an operation reduces columns.
pub(super) fn of_columns(name: &str) -> bool {
    COLUMNS.iter().any(|row| row.0 == name)
}

/// Halves are not made narrower than these lanes, of which only the first count then: the code
/// generator takes longer for vectors that fill no register.
const NARROWEST: i64 = 4;

/// How elements are reduced.
#[derive(Clone, Copy)]
pub(super) struct Reduction {
    /// Of the tile.
    source: Element,
    /// What floats are accumulated in, or the integer type itself.
    element: Element,
    combine: &'static str,
    identity: f64,
}

impl Reduction {
    /// Of an operation on a tile of this element type.
    pub(super) fn of(name: &str, source: Element) -> Option<Self> {
        let row = ROWS.iter().chain(COLUMNS).find(|row| row.0 == name)?;
        let element = if source.is_float() {
            Element::F32
        } else {
            source
        };
        Some(Self {
            source,
            element,
            combine: row.1,
            identity: row.2,
        })
    }

    /// What does not change what it is combined with.
    pub(super) fn start<'c, 'a>(self, at: Lanes<'_, 'c, 'a>) -> Value<'c, 'a> {
        if self.element.is_float() {
            return at.float(self.identity);
        }
        let bits = 8 * self.element.bytes() as u32;
        let least = i64::MIN >> (64 - bits);
        let number = match self.combine {
            "pl.max" => least,
            "pl.min" => !least,
            "pl.mul" => 1,
            _ => 0,
        };
        at.int(bits, number)
    }

    fn combine<'c, 'a>(
        self,
        at: Lanes<'_, 'c, 'a>,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        elementwise::binary(at, self.combine, self.element, left, right)
    }

    /// A strip of the tile combined with an accumulator of whole strips.
    pub(super) fn step<'c, 'a>(
        self,
        at: Lanes<'_, 'c, 'a>,
        accumulator: Value<'c, 'a>,
        strip: Value<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        let mut strip = cast::widen(at, self.source, strip);
        if at.lanes < LANES {
            // The lanes that are missing get the identity.
            let lanes = (0..LANES)
                .map(|lane| lane.min(at.lanes))
                .collect::<Vec<_>>();
            strip = at.shuffle(self.element, [strip, self.start(at)], &lanes);
        }
        let whole = Lanes {
            at: at.at,
            lanes: LANES,
        };
        self.combine(whole, accumulator, strip)
    }

    /// The element that accumulators come to, as a vector of one lane.
    pub(super) fn finish<'c, 'a>(
        self,
        at: &Emitter<'c, 'a>,
        accumulators: &[Value<'c, 'a>],
    ) -> Option<Value<'c, 'a>> {
        let whole = Lanes { at, lanes: LANES };
        let pairs = accumulators.chunks(2).map(|pair| match *pair {
            [left, right] => self.combine(whole, left, right),
            _ => pair.first().copied(),
        });
        let mut all = pairs.reduce(|left, right| self.combine(whole, left?, right?))??;
        let mut lanes = LANES;
        while lanes > 1 {
            let is_whole = lanes <= NARROWEST;
            lanes /= 2;
            let width = lanes.max(NARROWEST);
            let at = Lanes { at, lanes: width };
            let from = |first: i64| {
                let numbers = (0..width).map(|lane| first + lane % lanes);
                at.shuffle(self.element, [all, all], &numbers.collect::<Vec<_>>())
            };
            let lower = if is_whole { all } else { from(0) };
            all = self.combine(at, lower, from(lanes))?;
        }
        let all = whole.shuffle(self.element, [all, all], &[0]);
        Some(self.round(Lanes { at, lanes: 1 }, all))
    }

    /// What was accumulated as elements of the tile.
    fn round<'c, 'a>(self, at: Lanes<'_, 'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
        cast::narrow(at, self.source, Mode::Rint, value)
    }
}

/// A reduction of columns, on its own.
pub(super) fn columns<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = &Emitter::before(op).ok_or(Reported)?;
    let bad = || malformed(op);
    let source = Slot::operand(frame, at, op, 0)?;
    let result = Slot::result(frame, at, op)?;
    let reduction = Reduction::of(view::name(&op), source.element).ok_or_else(bad)?;
    let mut done = Some(());
    // Several strips at once, since the rows of one must wait for each other.
    nest::blocks_of_row(at, source.columns, &mut |at, strips| {
        let lanes = |index: usize| strips[index].lanes;
        let start: Vec<_> = (0..strips.len())
            .map(|index| {
                let lanes = lanes(index);
                reduction.start(Lanes { at, lanes })
            })
            .collect();
        let sums = nest::carry(at, [0, source.rows, 1], &start, &mut |at, row, sums| {
            let next = strips.iter().zip(sums).map(|(strip, &sum)| {
                let row = source.load(at, strip.in_row(row));
                let at = Lanes {
                    at,
                    lanes: strip.lanes,
                };
                reduction.combine(at, sum, cast::widen(at, reduction.source, row))
            });
            let next: Option<Vec<_>> = next.collect();
            next.unwrap_or_else(|| {
                done = None;
                sums.to_vec()
            })
        });
        for (strip, &sum) in strips.iter().zip(&sums) {
            let lanes = strip.lanes;
            let value = reduction.round(Lanes { at, lanes }, sum);
            result.store(at, strip.in_row(at.word(0)), value);
        }
    });
    done.ok_or_else(bad)
}
