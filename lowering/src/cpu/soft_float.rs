//! Conversions that the code generator calls where the CPU has no instruction for them: to bf16
//! without AVX512-BF16, which it also uses to carry a bf16 from one block of code to another, and
//! from f64 to f16 without AVX512-FP16. A compiler's runtime library has them, but a program does
//! not export those.
//!
//! A half comes back in the low 16 bits of the register that an `f32` does. All round to the
//! nearest, ties to even; what is a half already keeps its bits, those of a NaN too.

use half::{bf16, f16};

type Row = (&'static str, *const ());

/// Names and addresses.
pub(super) fn symbols() -> [Row; 3] {
    [
        ("__truncsfbf2", truncate_f32_to_bf16 as *const ()),
        ("__truncdfbf2", truncate_f64_to_bf16 as *const ()),
        ("__truncdfhf2", truncate_f64_to_f16 as *const ()),
    ]
}

fn in_low_bits(half: u16) -> f32 {
    f32::from_bits(half.into())
}

extern "C" fn truncate_f32_to_bf16(value: f32) -> f32 {
    let bits = value.to_bits();
    let is_exact = bits.trailing_zeros() >= 16;
    in_low_bits(match is_exact {
        true => (bits >> 16) as u16,
        false => bf16::from_f32(value).to_bits(),
    })
}

extern "C" fn truncate_f64_to_bf16(value: f64) -> f32 {
    truncate_f32_to_bf16(to_odd(value))
}

extern "C" fn truncate_f64_to_f16(value: f64) -> f32 {
    in_low_bits(f16::from_f32(to_odd(value)).to_bits())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn low(value: f32) -> u16 {
        value.to_bits() as u16
    }

    /// The code generator carries bf16 values through this, so that none may change on the way.
    #[test]
    fn a_bf16_keeps_its_bits() {
        for bits in 0..=u16::MAX {
            let wide = f32::from_bits(u32::from(bits) << 16);
            assert_eq!(low(truncate_f32_to_bf16(wide)), bits);
        }
    }

    /// Midpoints go to even, and the least step beside one decides, which an `f32` in between would
    /// lose.
    #[test]
    fn f64_is_rounded_once() {
        let step = |value: f64, by: i64| f64::from_bits(value.to_bits().wrapping_add_signed(by));
        for bits in (0..0x7bff_u16).step_by(7) {
            let [low_half, high_half] = [bits, bits + 1].map(f16::from_bits);
            let middle = (low_half.to_f64() + high_half.to_f64()) / 2.0;
            let even = if bits % 2 == 0 { low_half } else { high_half };
            for (by, expected) in [(0, even), (-1, low_half), (1, high_half)] {
                let value = step(middle, by);
                assert_eq!(low(truncate_f64_to_f16(value)), expected.to_bits());
                let negative = low(truncate_f64_to_f16(-value));
                assert_eq!(negative, expected.to_bits() | 0x8000);
            }
        }
        for bits in (0..0x7f7f_u16).step_by(7) {
            let [low_half, high_half] = [bits, bits + 1].map(bf16::from_bits);
            let middle = (low_half.to_f64() + high_half.to_f64()) / 2.0;
            let even = if bits % 2 == 0 { low_half } else { high_half };
            for (by, expected) in [(0, even), (-1, low_half), (1, high_half)] {
                let half = low(truncate_f64_to_bf16(step(middle, by)));
                assert_eq!(half, expected.to_bits());
            }
        }
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
            assert_eq!(low(truncate_f64_to_f16(value)), f16_bits);
            assert_eq!(low(truncate_f64_to_bf16(value)), bf16_bits);
        }
        assert!(f16::from_bits(low(truncate_f64_to_f16(f64::NAN))).is_nan());
        assert!(bf16::from_bits(low(truncate_f64_to_bf16(f64::NAN))).is_nan());
        assert!(bf16::from_bits(low(truncate_f32_to_bf16(f32::from_bits(0x7f80_0001)))).is_nan());
    }
}
