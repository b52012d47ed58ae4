//! `exp` and `log` of f32, by the polynomials of Cephes (S. Moshier, netlib `expf.c`,
//! `logf.c`). Errors are below 1 ulp; NaN, infinities, zeros and subnormals come out as IEEE
//! has them.

use super::{
    llvm::Llvm,
    vector::{Lanes, float},
};
use melior::ir::Value;

/// ln 2 in two parts: the first has few bits, so that its small multiples are exact.
const LN2: [f64; 2] = [0.693_359_375, -2.121_944_4e-4];

/// e to the power of x, as 2^n * e^r with r within ln(2) / 2.
pub(super) fn exp<'c, 'a>(at: Lanes<'_, 'c, 'a>, x: Value<'c, 'a>) -> Value<'c, 'a> {
    const COEFFICIENTS: [f64; 6] = [
        1.987_569_15e-4,
        1.398_199_950_7e-3,
        8.333_451_907_3e-3,
        4.166_579_589_4e-2,
        1.666_666_545_9e-1,
        5.000_000_120_1e-1,
    ];
    /// Beyond, the result is 0 or infinite.
    const RANGE: [f64; 2] = [-104.0, 89.0];
    /// 1.5 * 2^23: what is added to it is rounded to an integer, in its low bits.
    const MAGIC: f64 = 12_582_912.0;
    const MAGIC_BITS: i64 = 0x4b40_0000;

    let x = at.binary("arith.maximumf", x, at.float(RANGE[0]));
    let x = at.binary("arith.minimumf", x, at.float(RANGE[1]));
    let shifted = at.fma(x, at.float(std::f64::consts::LOG2_E), at.float(MAGIC));
    let n = at.binary("arith.subf", shifted, at.float(MAGIC));
    let minus_n = at.unary("arith.negf", n);
    let r = at.fma(minus_n, at.float(LN2[0]), x);
    let r = at.fma(minus_n, at.float(LN2[1]), r);
    let p = at.polynomial(r, &COEFFICIENTS);
    let squared = at.binary("arith.mulf", r, r);
    let p = at.fma(p, squared, r);
    let p = at.binary("arith.addf", p, at.float(1.0));

    // In two steps, since 2^n alone may overflow or be subnormal.
    let bits = at.to("arith.bitcast", shifted, at.ints(32));
    let n = at.binary("arith.subi", bits, at.int(32, MAGIC_BITS));
    let half = at.binary("arith.shrsi", n, at.int(32, 1));
    let rest = at.binary("arith.subi", n, half);
    let p = at.binary("arith.mulf", p, power_of_two(at, half));
    at.binary("arith.mulf", p, power_of_two(at, rest))
}

/// 2^n for the exponent of a normal number.
fn power_of_two<'c, 'a>(at: Lanes<'_, 'c, 'a>, n: Value<'c, 'a>) -> Value<'c, 'a> {
    let biased = at.binary("arith.addi", n, at.int(32, 127));
    let bits = at.binary("arith.shli", biased, at.int(32, 23));
    at.to("arith.bitcast", bits, at.floats())
}

/// The natural logarithm, of x = m * 2^e with m - 1 within sqrt(2) - 1.
pub(super) fn log<'c, 'a>(at: Lanes<'_, 'c, 'a>, x: Value<'c, 'a>) -> Value<'c, 'a> {
    const COEFFICIENTS: [f64; 9] = [
        7.037_683_629_2e-2,
        -1.151_461_031e-1,
        1.167_699_874e-1,
        -1.242_014_084_6e-1,
        1.424_932_278_7e-1,
        -1.666_805_766_5e-1,
        2.000_071_476_5e-1,
        -2.499_999_399_3e-1,
        3.333_333_117_4e-1,
    ];
    const SMALLEST_NORMAL: f64 = 1.175_494_350_822_287_5e-38;
    const TWO_TO_23: f64 = 8_388_608.0;

    // A subnormal is scaled to be normal.
    let tiny = at.cmpf(float::LT, x, at.float(SMALLEST_NORMAL));
    let scaled = at.binary("arith.mulf", x, at.float(TWO_TO_23));
    let normal = at.at.select(tiny, scaled, x);
    let bits = at.to("arith.bitcast", normal, at.ints(32));
    let e = at.binary("arith.shrsi", bits, at.int(32, 23));
    let bias = at.at.select(tiny, at.int(32, 126 + 23), at.int(32, 126));
    let e = at.binary("arith.subi", e, bias);
    let m = at.binary("arith.andi", bits, at.int(32, 0x7f_ffff));
    let m = at.binary("arith.ori", m, at.int(32, 0x3f00_0000));
    let m = at.to("arith.bitcast", m, at.floats());

    // From [0.5, 1) to [sqrt(0.5), sqrt(2)), less 1.
    let low = at.cmpf(float::LT, m, at.float(std::f64::consts::FRAC_1_SQRT_2));
    let e = at
        .at
        .select(low, at.binary("arith.subi", e, at.int(32, 1)), e);
    let e = at.to("arith.sitofp", e, at.floats());
    let double = at.binary("arith.addf", m, m);
    let m = at.at.select(low, double, m);
    let m = at.binary("arith.subf", m, at.float(1.0));

    let squared = at.binary("arith.mulf", m, m);
    let p = at.polynomial(m, &COEFFICIENTS);
    let p = at.binary("arith.mulf", at.binary("arith.mulf", p, m), squared);
    let p = at.fma(e, at.float(LN2[1]), p);
    let p = at.fma(squared, at.float(-0.5), p);
    let p = at.binary("arith.addf", m, p);
    let p = at.fma(e, at.float(LN2[0]), p);

    // What is no positive finite number: NaN and infinity are their own logarithms.
    let infinite = at.cmpf(float::GE, x, at.float(f64::INFINITY));
    let not_number = at.cmpf(float::UNORDERED, x, x);
    let itself = at.binary("arith.ori", infinite, not_number);
    let p = at.at.select(itself, x, p);
    let negative = at.cmpf(float::LT, x, at.float(0.0));
    let p = at.at.select(negative, at.float(f64::NAN), p);
    let zero = at.cmpf(float::EQ, x, at.float(0.0));
    at.at.select(zero, at.float(f64::NEG_INFINITY), p)
}
