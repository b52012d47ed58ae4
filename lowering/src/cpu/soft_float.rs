//! Conversions that the code generator calls where the CPU has no instruction for them: to bf16
//! without AVX512-BF16, which it also uses to carry a bf16 from one block of code to another, and
//! from f64 to f16 without AVX512-FP16. A compiler's runtime library has them, but a program does
//! not export those.
//!
//! A half comes back in the low 16 bits of the register that an `f32` does. All round to the
//! nearest, ties to even; what is a half already keeps its bits, those of a NaN too.

use half::bf16;
use pld_runtime::round::{bf16_from_f64, f16_from_f64};

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
    in_low_bits(bf16_from_f64(value).to_bits())
}

extern "C" fn truncate_f64_to_f16(value: f64) -> f32 {
    in_low_bits(f16_from_f64(value).to_bits())
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

    /// All come where the code generator looks for them.
    #[test]
    fn f64_comes_in_the_low_bits() {
        for (value, f16_bits, bf16_bits) in [(1.0, 0x3c00, 0x3f80), (-1e300, 0xfc00, 0xff80)] {
            assert_eq!(low(truncate_f64_to_f16(value)), f16_bits);
            assert_eq!(low(truncate_f64_to_bf16(value)), bf16_bits);
        }
        let signalling = f32::from_bits(0x7f80_0001);
        assert!(bf16::from_bits(low(truncate_f32_to_bf16(signalling))).is_nan());
    }
}
