//! `pl.cast`: exact for every pair of element types and every mode.
//!
//! | from, to | how |
//! | --- | --- |
//! | float to f16 | round to nearest, compare with the exact value, step the code by one |
//! | float to bf16 | add a bias to the bits, which depends on the mode, and drop the low half |
//! | float to integer | round, clamp, convert; NaN is 0 |
//! | integer to float | round the magnitude as an integer, then convert exactly |
//! | integer to integer | sign-extend or truncate |
//!
//! `arith.truncf` with a rounding mode is of no use: the mode states how the FPU is set and
//! does not set it. A mask (i1) is 0 or 1; a float saturates to it like to any integer.

use super::{
    llvm::Llvm,
    vector::{Lanes, float, int},
};
use melior::ir::Value;
use pld_dialects::types::Element;

/// Rounding of a cast; `none` of the language is `Rint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// To nearest, ties to even.
    Rint,
    /// To nearest, ties away from zero.
    Round,
    /// Down.
    Floor,
    /// Up.
    Ceil,
    /// Towards zero.
    Trunc,
}

impl Mode {
    /// The mode of an attribute's value.
    pub(super) fn of(code: i64) -> Option<Self> {
        use Mode::{Ceil, Floor, Rint, Round, Trunc};
        let modes = [Rint, Rint, Round, Floor, Ceil, Trunc];
        modes.get(usize::try_from(code).ok()?).copied()
    }

    const fn operation(self) -> &'static str {
        match self {
            Self::Rint => "math.roundeven",
            Self::Round => "math.round",
            Self::Floor => "math.floor",
            Self::Ceil => "math.ceil",
            Self::Trunc => "math.trunc",
        }
    }
}

/// Casts a vector; both are in the form of `vector::storage`.
pub(super) fn emit<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    mode: Mode,
    from: Element,
    to: Element,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    match (from.is_float(), to.is_float()) {
        (true, true) => narrow(at, to, mode, widen(at, from, value)),
        (true, false) => float_to_int(at, mode, widen(at, from, value), to),
        (false, true) => int_to_float(at, mode, from, value, to),
        (false, false) => int_to_int(at, value, from, to),
    }
}

/// A float as f32, exactly; an integer as it is.
pub(super) fn widen<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    element: Element,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    match element {
        Element::F16 => at.to("arith.extf", value, at.floats()),
        Element::BF16 => {
            let bits = at.to("arith.extui", value, at.ints(32));
            let bits = at.binary("arith.shli", bits, at.int(32, 16));
            at.to("arith.bitcast", bits, at.floats())
        }
        _ => value,
    }
}

/// An f32 rounded to a float type.
pub(super) fn narrow<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    element: Element,
    mode: Mode,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    match element {
        Element::F16 => to_half(at, mode, value),
        Element::BF16 => to_bfloat(at, mode, value),
        _ => value,
    }
}

fn to_half<'c, 'a>(at: Lanes<'_, 'c, 'a>, mode: Mode, exact: Value<'c, 'a>) -> Value<'c, 'a> {
    let half = at.of(Element::F16);
    let nearest = at.to("arith.truncf", exact, half);
    if mode == Mode::Rint {
        return nearest;
    }
    let code = at.to("arith.bitcast", nearest, at.ints(16));
    let back = at.to("arith.extf", nearest, at.floats());
    let bits = at.to("arith.bitcast", exact, at.ints(32));
    let negative = at.cmpi(int::LT, bits, at.int(32, 0));
    let abs = |value| at.unary("math.absf", value);
    let (one, minus_one) = (at.int(16, 1), at.int(16, -1));
    // Codes are sign and magnitude: +1 leads away from zero.
    let (wrong, step) = match mode {
        Mode::Floor => (
            at.cmpf(float::GT, back, exact),
            at.at.select(negative, one, minus_one),
        ),
        Mode::Ceil => (
            at.cmpf(float::LT, back, exact),
            at.at.select(negative, minus_one, one),
        ),
        Mode::Trunc => (at.cmpf(float::GT, abs(back), abs(exact)), minus_one),
        Mode::Round | Mode::Rint => {
            // A tie that went to the even code nearer to zero; both distances are exact.
            let next = at.binary("arith.addi", code, one);
            let next = at.to("arith.bitcast", next, half);
            let next = at.to("arith.extf", next, at.floats());
            let below = at.binary("arith.subf", abs(exact), abs(back));
            let above = at.binary("arith.subf", abs(next), abs(exact));
            let tie = at.cmpf(float::EQ, below, above);
            let inside = at.cmpf(float::LT, abs(back), abs(exact));
            (at.binary("arith.andi", tie, inside), one)
        }
    };
    let stepped = at.binary("arith.addi", code, step);
    let code = at.at.select(wrong, stepped, code);
    at.to("arith.bitcast", code, half)
}

fn to_bfloat<'c, 'a>(at: Lanes<'_, 'c, 'a>, mode: Mode, exact: Value<'c, 'a>) -> Value<'c, 'a> {
    let bits = at.to("arith.bitcast", exact, at.ints(32));
    let high = at.binary("arith.shrui", bits, at.int(32, 16));
    let negative = || at.cmpi(int::LT, bits, at.int(32, 0));
    let (none, all) = (at.int(32, 0), at.int(32, 0xffff));
    let bias = match mode {
        Mode::Rint => {
            let odd = at.binary("arith.andi", high, at.int(32, 1));
            at.binary("arith.addi", odd, at.int(32, 0x7fff))
        }
        Mode::Round => at.int(32, 0x8000),
        Mode::Floor => at.at.select(negative(), all, none),
        Mode::Ceil => at.at.select(negative(), none, all),
        Mode::Trunc => none,
    };
    let rounded = at.binary("arith.addi", bits, bias);
    let rounded = at.binary("arith.shrui", rounded, at.int(32, 16));
    // A NaN keeps its sign and high payload, and becomes quiet.
    let quiet = at.binary("arith.ori", high, at.int(32, 0x40));
    let nan = at.cmpf(float::UNORDERED, exact, exact);
    let code = at.at.select(nan, quiet, rounded);
    at.to("arith.trunci", code, at.ints(16))
}

/// Bits of an integer, of which a mask has 8 in memory.
const fn bits(element: Element) -> u32 {
    element.bytes() as u32 * 8
}

fn float_to_int<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    mode: Mode,
    value: Value<'c, 'a>,
    to: Element,
) -> Value<'c, 'a> {
    let value = at.unary(mode.operation(), value);
    // The least integer, and the first float beyond the largest.
    let (least, most, beyond) = match to {
        Element::I1 => (0, 1, 2.0),
        _ => {
            let most = i64::MAX >> (64 - bits(to));
            (-1 - most, most, 2f64.powi(bits(to) as i32 - 1))
        }
    };
    let wide = bits(to).max(32);
    let low = at.cmpf(float::LT, value, at.float(least as f64));
    let high = at.cmpf(float::GE, value, at.float(beyond));
    let nan = at.cmpf(float::UNORDERED, value, value);
    let outside = at.binary("arith.ori", low, high);
    let outside = at.binary("arith.ori", outside, nan);
    // Converting what does not fit is undefined.
    let inside = at.at.select(outside, at.float(0.0), value);
    let result = at.to("arith.fptosi", inside, at.ints(wide));
    let result = at.at.select(low, at.int(wide, least), result);
    let result = at.at.select(high, at.int(wide, most), result);
    if wide == bits(to) {
        result
    } else {
        at.to("arith.trunci", result, at.ints(bits(to)))
    }
}

fn int_to_int<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    from: Element,
    to: Element,
) -> Value<'c, 'a> {
    let resized = match bits(to).cmp(&bits(from)) {
        std::cmp::Ordering::Less => at.to("arith.trunci", value, at.ints(bits(to))),
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => at.to("arith.extsi", value, at.ints(bits(to))),
    };
    match to {
        Element::I1 => at.binary("arith.andi", resized, at.int(8, 1)),
        _ => resized,
    }
}

/// Bits of an f32's significand.
const PRECISION: i64 = 24;

fn int_to_float<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    mode: Mode,
    from: Element,
    value: Value<'c, 'a>,
    to: Element,
) -> Value<'c, 'a> {
    let exact = bits(from) < 32;
    if exact || to == Element::F32 && mode == Mode::Rint {
        let value = at.to("arith.sitofp", value, at.floats());
        return narrow(at, to, mode, value);
    }
    let value = if bits(from) < 64 {
        at.to("arith.extsi", value, at.ints(64))
    } else {
        value
    };
    let negative = at.cmpi(int::LT, value, at.int(64, 0));
    let opposite = at.binary("arith.subi", at.int(64, 0), value);
    let magnitude = at.at.select(negative, opposite, value);
    let rounding = if to == Element::F32 {
        Rounding::To(mode)
    } else {
        Rounding::Sticky
    };
    let rounded = round_magnitude(at, rounding, magnitude, negative);
    let float = at.to("arith.uitofp", rounded, at.floats());
    let float = at.at.select(negative, at.unary("arith.negf", float), float);
    narrow(at, to, mode, float)
}

/// How a magnitude loses its low bits.
enum Rounding {
    /// As a cast does.
    To(Mode),
    /// To the odd neighbour, so that a later rounding to fewer bits sees that it was not
    /// exact.
    Sticky,
}

/// An unsigned 64-bit integer rounded to the precision of an f32.
fn round_magnitude<'c, 'a>(
    at: Lanes<'_, 'c, 'a>,
    rounding: Rounding,
    magnitude: Value<'c, 'a>,
    negative: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let constant = |value| at.int(64, value);
    let (zero, one) = (constant(0), constant(1));
    let leading = at.unary("math.ctlz", magnitude);
    let shift = at.binary("arith.subi", constant(64 - PRECISION), leading);
    let shift = at.binary("arith.maxsi", shift, zero);
    let kept = at.binary("arith.shrui", magnitude, shift);
    let back = at.binary("arith.shli", kept, shift);
    let rest = at.binary("arith.subi", magnitude, back);
    let inexact = at.cmpi(int::NE, rest, zero);
    let twice = at.binary("arith.shli", rest, one);
    let unit = at.binary("arith.shli", one, shift);
    let and = |left, right| at.binary("arith.andi", left, right);
    let up = match rounding {
        Rounding::Sticky => {
            let odd = at.binary("arith.ori", kept, one);
            let kept = at.at.select(inexact, odd, kept);
            return at.binary("arith.shli", kept, shift);
        }
        Rounding::To(Mode::Rint) => {
            let above = at.cmpi(int::UGT, twice, unit);
            let tie = at.cmpi(int::EQ, twice, unit);
            let odd = at.cmpi(int::NE, and(kept, one), zero);
            at.binary("arith.ori", above, and(tie, odd))
        }
        Rounding::To(Mode::Round) => and(inexact, at.cmpi(int::UGE, twice, unit)),
        Rounding::To(Mode::Floor) => and(inexact, negative),
        Rounding::To(Mode::Ceil) => {
            let positive = at.binary("arith.xori", negative, at.int(1, 1));
            and(inexact, positive)
        }
        Rounding::To(Mode::Trunc) => at.int(1, 0),
    };
    let up = at.to("arith.extui", up, at.ints(64));
    let kept = at.binary("arith.addi", kept, up);
    at.binary("arith.shli", kept, shift)
}
