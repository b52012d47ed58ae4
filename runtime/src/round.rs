//! Numbers as halves, rounded once: to the nearest, ties to even. Through the nearest `f32`, or
//! without the low bits of an `f64`, a value beside a midpoint goes to the wrong side.

use half::{bf16, f16};

/// The nearest f16; what is too great is infinite.
pub fn f16_from_f64(value: f64) -> f16 {
    f16::from_f32(to_odd(value))
}

/// The nearest bf16; what is too great is infinite.
pub fn bf16_from_f64(value: f64) -> bf16 {
    bf16::from_f32(to_odd(value))
}

/// As `f32`, inexact values to the neighbour whose last bit is 1: rounding that once more to
/// fewer bits comes to the same as rounding once (Boldo and Melquiond, 2008).
fn to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    if value.is_nan() || f64::from(nearest) == value {
        return nearest;
    }
    let is_past = f64::from(nearest).abs() > value.abs();
    let toward_zero = nearest.to_bits() - u32::from(is_past);
    f32::from_bits(toward_zero | 1)
}

/// As `f64`, inexact values to a neighbour whose last bit is 1, as above.
pub fn odd_f64_from_i64(value: i64) -> f64 {
    match value.unsigned_abs() >> 53 {
        0 => value as f64,
        _ => (value >> 12 << 12 | i64::from(value & 0xfff != 0) << 12) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Midpoints go to even, and the least step beside one decides, which an `f32` in between
    /// would lose.
    #[test]
    fn f64_is_rounded_once() {
        fn check(last: u16, wide: fn(u16) -> f64, nearest: fn(f64) -> u16) {
            let step =
                |value: f64, by: i64| f64::from_bits(value.to_bits().wrapping_add_signed(by));
            for low in (0..last).step_by(7) {
                let middle = (wide(low) + wide(low + 1)) / 2.0;
                let even = low + low % 2;
                for (by, expected) in [(0, even), (-1, low), (1, low + 1)] {
                    assert_eq!(nearest(step(middle, by)), expected);
                    assert_eq!(nearest(-step(middle, by)), expected | 0x8000);
                }
            }
        }
        let wide = |bits| f16::from_bits(bits).to_f64();
        check(0x7bff, wide, |value| f16_from_f64(value).to_bits());
        let wide = |bits| bf16::from_bits(bits).to_f64();
        check(0x7f7f, wide, |value| bf16_from_f64(value).to_bits());
    }

    /// What is too great or no number stays so.
    #[test]
    fn infinity_and_nan() {
        for (value, f16_bits, bf16_bits) in [
            (f64::INFINITY, 0x7c00, 0x7f80),
            (1e300, 0x7c00, 0x7f80),
            (-1e300, 0xfc00, 0xff80),
            (1e-300, 0, 0),
        ] {
            assert_eq!(f16_from_f64(value).to_bits(), f16_bits);
            assert_eq!(bf16_from_f64(value).to_bits(), bf16_bits);
        }
        assert!(f16_from_f64(f64::NAN).is_nan());
        assert!(bf16_from_f64(f64::NAN).is_nan());
    }

    /// Integers that an `f64` cannot hold, beside the midpoint of two halves.
    #[test]
    fn integers_are_rounded_once() {
        let nearest = |value| bf16_from_f64(odd_f64_from_i64(value)).to_f64();
        let (low, middle) = (1_i64 << 62, (1_i64 << 62) + (1 << 54));
        for (by, expected) in [(0, low), (-1, low), (1, low + (1 << 55))] {
            assert_eq!(nearest(middle + by), expected as f64);
            assert_eq!(nearest(-middle - by), -(expected as f64));
        }
        for value in [0, 1, -1, (1 << 53) - 1, i64::MIN] {
            assert_eq!(odd_f64_from_i64(value) as i64, value, "exact");
        }
    }
}
