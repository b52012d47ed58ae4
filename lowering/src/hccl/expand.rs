//! Operations without an instruction, composed of those that have one.
//!
//! | operation | composed of |
//! | --- | --- |
//! | `subs` | `adds` of the negated scalar; of a float that is no constant, `sub` of a fill |
//! | `divs` | `muls` where the reciprocal is a power of two, else `div` by a fill |
//! | `neg`, `relu`, `abs` of integers | `muls` by -1, `maxs` with 0, both |
//! | `recip`, `rsqrt` | `div`: the instructions of these names approximate |
//! | division of 16 bits | in f32, with 0 / 1 in place of x / 0 |
//! | `xor` | `(a or b) and not (a and b)` |
//! | shift by a tile | multiplication by powers of two, made as exponents of f32 |
//! | `cmp` | differences of integers; of floats those of their bits |
//! | `select` | `(a and m) or (b and not m)`, the mask widened to whole elements |
//!
//! The target's own comparison gives packed bits of whole 256-byte repeats, so that the
//! padding of a tile would lie in the same byte as its elements; a mask here is one byte for
//! an element, like any other tile.
//!
//! Every result has the bits that the operation has.

use super::{
    legalize::{element, emit_cast, full, reinterpret, with_scalar},
    profile::Round,
    statement::AMOUNT,
};
use melior::ir::{
    Attribute, Value, ValueLike, attribute::FloatAttribute, operation::OperationLike,
};
use pld_dialects::{
    emit::Emitter,
    types::Element::{self, F16, F32, I1, I8, I16, I32, I64},
    view,
};

/// Where to emit.
pub struct Expand<'e, 'c, 'a>(pub &'e Emitter<'c, 'a>);

/// The lower half of an i32.
const LOW_BITS: f64 = 65535.0;

impl<'c, 'a> Expand<'_, 'c, 'a> {
    /// Emits an operation of the dialect in instructions; operands have an element type that
    /// it is computed in.
    pub fn operation(&self, name: &str, operands: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        let tile = *operands.first()?;
        let kind = element(tile)?;
        match (name, operands) {
            ("pl.subs", &[tile, scalar]) => self.subs(tile, scalar),
            ("pl.divs", &[tile, scalar]) => self.divs(tile, scalar),
            ("pl.neg", _) => self.with("pl.muls", tile, -1.0),
            ("pl.relu", _) => self.with("pl.maxs", tile, 0.0),
            ("pl.abs", _) if !kind.is_float() => {
                Some(self.two("pl.max", tile, self.with("pl.muls", tile, -1.0)?))
            }
            ("pl.recip", _) => Some(self.two("pl.div", full(self.0, tile, 1.0)?, tile)),
            ("pl.rsqrt", _) => {
                let root = self.one("pl.sqrt", tile);
                Some(self.two("pl.div", full(self.0, tile, 1.0)?, root))
            }
            ("pl.xor", &[a, b]) => self.xor(a, b),
            ("pl.not", _) if kind == I1 => self.xor(tile, full(self.0, tile, 1.0)?),
            ("pl.shl", &[x, amount]) => self.shl(x, amount),
            ("pl.shr", &[x, amount]) => self.shr(x, amount),
            ("pl.select", &[mask, a, b]) => self.select(mask, a, b),
            (_, &[tile]) => Some(self.one(name, tile)),
            (_, &[a, b]) => Some(self.two(name, a, b)),
            _ => None,
        }
    }

    fn one(&self, name: &str, tile: Value<'c, 'a>) -> Value<'c, 'a> {
        self.0.value(name, &[tile], tile.r#type(), &[])
    }

    /// Of two tiles, or of a tile and a scalar.
    fn two(&self, name: &str, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.0.value(name, &[a, b], a.r#type(), &[])
    }

    /// Of a tile and a number.
    fn with(&self, name: &str, tile: Value<'c, 'a>, number: f64) -> Option<Value<'c, 'a>> {
        with_scalar(self.0, name, tile, number)
    }

    /// `1 - x`
    fn complement(&self, x: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        self.with("pl.adds", self.with("pl.muls", x, -1.0)?, 1.0)
    }

    fn clamp(&self, x: Value<'c, 'a>, low: f64, high: f64) -> Option<Value<'c, 'a>> {
        self.with("pl.mins", self.with("pl.maxs", x, low)?, high)
    }

    /// The core computes no float scalars: constants only are negated.
    fn subs(&self, tile: Value<'c, 'a>, scalar: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        if !element(tile)?.is_float() {
            // Both wrap, the least integer too.
            let zero = self.0.int(scalar.r#type(), 0);
            let negated = self.0.binary("arith.subi", zero, scalar);
            return Some(self.two("pl.adds", tile, negated));
        }
        if let Some(value) = float_constant(scalar) {
            return self.with("pl.adds", tile, -value);
        }
        let fill = self.0.value("pl.full", &[scalar], tile.r#type(), &[]);
        Some(self.two("pl.sub", tile, fill))
    }

    fn divs(&self, tile: Value<'c, 'a>, scalar: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        if let Some(reciprocal) = exact_reciprocal(scalar) {
            return self.with("pl.muls", tile, reciprocal);
        }
        let divisor = self.0.value("pl.full", &[scalar], tile.r#type(), &[]);
        Some(self.two("pl.div", tile, divisor))
    }

    /// The quotient of integers of at most 16 bits, as f32 that are still to be truncated: 0
    /// where the divisor is 0.
    ///
    /// A quotient that is no integer is at least 2^-15 below the next, far more than f32 loses.
    pub fn quotient(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let by_one = self.with("pl.mins", self.one("pl.abs", b), 1.0)?;
        let divisor = self.two("pl.add", b, self.complement(by_one)?);
        Some(self.two("pl.div", self.two("pl.mul", a, by_one), divisor))
    }

    fn xor(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let own = element(a)?;
        // The complement of a mask's byte is no mask.
        let bits = if own == I1 { I8 } else { own };
        let (a, b) = (reinterpret(self.0, a, bits)?, reinterpret(self.0, b, bits)?);
        let any = self.two("pl.or", a, b);
        let not_both = self.one("pl.not", self.two("pl.and", a, b));
        reinterpret(self.0, self.two("pl.and", any, not_both), own)
    }

    /// A shift by a constant below the width.
    pub fn shift(&self, name: &str, tile: Value<'c, 'a>, amount: i64) -> Value<'c, 'a> {
        let amount = self.0.int_attr(self.0.int_type(64), amount);
        self.0
            .value(name, &[tile, tile], tile.r#type(), &[(AMOUNT, amount)])
    }

    /// i32 amounts with `instead` in place of those below 0, and at most `most`.
    fn amounts(&self, amount: Value<'c, 'a>, instead: f64, most: f64) -> Option<Value<'c, 'a>> {
        let negative = self.with("pl.muls", self.clamp(amount, -1.0, 0.0)?, -instead)?;
        Some(self.two("pl.add", self.clamp(amount, 0.0, most)?, negative))
    }

    /// 2^n as f32, of i32 that are exponents of normal numbers.
    fn power(&self, n: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let biased = self.with("pl.adds", n, 127.0)?;
        reinterpret(self.0, self.shift("pl.shl", biased, 23), F32)
    }

    /// Two factors, since 2^31 is no i32; 32 shifts everything out.
    fn shl(&self, x: Value<'c, 'a>, amount: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let amount = self.amounts(amount, 32.0, 32.0)?;
        let half = self.shift("pl.shr", amount, 1);
        let rest = self.two("pl.sub", amount, half);
        let factor = |n| emit_cast(self.0, self.power(n)?, I32, Round::Rint);
        let x = self.two("pl.mul", x, factor(half)?);
        Some(self.two("pl.mul", x, factor(rest)?))
    }

    /// The upper and the lower half, each exact in f32, times 2^-n and rounded down: where one
    /// has a fraction, the other has none that would carry.
    fn shr(&self, x: Value<'c, 'a>, amount: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let amount = self.amounts(amount, 31.0, 31.0)?;
        let factor = self.power(self.with("pl.muls", amount, -1.0)?)?;
        let low = self.two("pl.and", x, full(self.0, x, LOW_BITS)?);
        let high = self.two("pl.sub", x, low);
        let shifted = |half| {
            let float = emit_cast(self.0, half, F32, Round::Rint)?;
            emit_cast(self.0, self.two("pl.mul", float, factor), I32, Round::Floor)
        };
        Some(self.two("pl.add", shifted(high)?, shifted(low)?))
    }

    /// 1 where two integers differ, else 0.
    fn differ(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let sign = self.clamp(self.two("pl.sub", a, b), -1.0, 1.0)?;
        Some(self.two("pl.mul", sign, sign))
    }

    /// A mask; predicates are eq ne lt le gt ge.
    pub fn compare(
        &self,
        predicate: i64,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        let holds = if element(a)?.is_float() {
            self.compare_floats(predicate, a, b)?
        } else {
            let (a, b) = sides(predicate, a, b, || self.two("pl.max", a, b));
            let differ = self.differ(a, b)?;
            match is_difference(predicate) {
                true => differ,
                false => self.complement(differ)?,
            }
        };
        let float = match element(holds)? {
            I32 => emit_cast(self.0, holds, F32, Round::Rint)?,
            _ => holds,
        };
        let half = emit_cast(self.0, float, F16, Round::Rint)?;
        let bytes = emit_cast(self.0, half, I8, Round::Trunc)?;
        reinterpret(self.0, bytes, I1)
    }

    fn compare_floats(
        &self,
        predicate: i64,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        let (bits, magnitude, infinity) = match element(a)? {
            F16 => (I16, 0x7fff, 0x7c00),
            _ => (I32, 0x7fff_ffff, 0x7f80_0000),
        };
        // Only zeros have two codes; a sum with 0 leaves one.
        let (a, b) = (self.with("pl.adds", a, 0.0)?, self.with("pl.adds", b, 0.0)?);
        let (left, right) = sides(predicate, a, b, || self.two("pl.max", a, b));
        let code = |tile| reinterpret(self.0, tile, bits);
        let differ = self.differ(code(left)?, code(right)?)?;
        // Magnitudes beyond that of infinity are NaN.
        let mask = full(self.0, code(a)?, f64::from(magnitude))?;
        let a = self.two("pl.and", code(a)?, mask);
        let b = self.two("pl.and", code(b)?, mask);
        let greater = self.with("pl.maxs", self.two("pl.max", a, b), f64::from(infinity))?;
        let beyond = self.with("pl.adds", greater, -f64::from(infinity))?;
        let ordered = self.complement(self.with("pl.mins", beyond, 1.0)?)?;
        Some(match predicate {
            NE => {
                let equal = self.two("pl.mul", self.complement(differ)?, ordered);
                self.complement(equal)?
            }
            _ if is_difference(predicate) => self.two("pl.mul", differ, ordered),
            _ => self.two("pl.mul", self.complement(differ)?, ordered),
        })
    }

    fn select(
        &self,
        mask: Value<'c, 'a>,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        let own = element(a)?;
        let bits = match own.bytes() {
            1 => I8,
            2 => I16,
            4 => I32,
            _ => I64,
        };
        let bytes = reinterpret(self.0, mask, I8)?;
        let half = emit_cast(self.0, bytes, F16, Round::None)?;
        let signs = self.with("pl.muls", half, -1.0)?;
        let narrow = if bits == I64 { I32 } else { bits };
        let mut mask = emit_cast(self.0, signs, narrow, Round::Trunc)?;
        if bits == I64 {
            mask = emit_cast(self.0, mask, I64, Round::None)?;
        }
        let a = self.two("pl.and", reinterpret(self.0, a, bits)?, mask);
        let others = self.one("pl.not", mask);
        let b = self.two("pl.and", reinterpret(self.0, b, bits)?, others);
        reinterpret(self.0, self.two("pl.or", a, b), own)
    }
}

const NE: i64 = 1;
const LT: i64 = 2;
const LE: i64 = 3;
const GT: i64 = 4;
const GE: i64 = 5;

/// Whether a comparison holds where its sides differ, or where they do not.
fn is_difference(predicate: i64) -> bool {
    matches!(predicate, NE | LT | GT)
}

/// The sides of a comparison: of an order, the greater one and the one that it is not.
fn sides<'c, 'a>(
    predicate: i64,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
    greater: impl FnOnce() -> Value<'c, 'a>,
) -> (Value<'c, 'a>, Value<'c, 'a>) {
    match predicate {
        LT | GE => (greater(), a),
        GT | LE => (greater(), b),
        _ => (a, b),
    }
}

fn float_constant(scalar: Value) -> Option<f64> {
    let constant = view::defining_op(scalar).filter(|op| view::is(op, "arith.constant"))?;
    let value: Attribute = constant.attribute("value").ok()?;
    Some(FloatAttribute::try_from(value).ok()?.value())
}

/// 1 / x of a constant, if it is a power of two: then a product rounds as the quotient does.
fn exact_reciprocal(scalar: Value) -> Option<f64> {
    let value = float_constant(scalar)?;
    let most = match Element::of(scalar.r#type())? {
        F16 => 14,
        _ => 126,
    };
    let power = value.abs().log2();
    let exact = power.fract() == 0.0 && power.abs() <= f64::from(most);
    (exact && value.abs() == power.exp2()).then(|| value.recip())
}
