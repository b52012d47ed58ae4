//! Element types and numbers of them, as the tests compare them.

use half::{bf16, f16};

/// Element types of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    F32,
    F16,
    BF16,
    I8,
    I16,
    I32,
    I64,
    I1,
}

use Type::{BF16, F16, F32, I1, I8, I16, I32, I64};

impl Type {
    pub const ALL: [Self; 8] = [F32, F16, BF16, I8, I16, I32, I64, I1];

    /// All but masks.
    pub const NUMBERS: [Self; 7] = [F32, F16, BF16, I8, I16, I32, I64];

    pub const fn name(self) -> &'static str {
        match self {
            F32 => "f32",
            F16 => "f16",
            BF16 => "bf16",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            I1 => "i1",
        }
    }

    pub const fn bytes(self) -> usize {
        match self {
            I8 | I1 => 1,
            F16 | BF16 | I16 => 2,
            F32 | I32 => 4,
            I64 => 8,
        }
    }

    pub const fn is_float(self) -> bool {
        matches!(self, F32 | F16 | BF16)
    }

    /// A float's code as a number.
    pub fn float(self, code: u64) -> f64 {
        match self {
            F32 => f64::from(f32::from_bits(code as u32)),
            F16 => f16::from_bits(code as u16).to_f64(),
            BF16 => bf16::from_bits(code as u16).to_f64(),
            _ => panic!("{self:?} is no float"),
        }
    }

    /// An integer's code as a number.
    pub fn int(self, code: u64) -> i64 {
        match self {
            I8 => i64::from(code as i8),
            I16 => i64::from(code as i16),
            I32 => i64::from(code as i32),
            I64 => code as i64,
            I1 => i64::from(code & 1 == 1),
            _ => panic!("{self:?} is no integer"),
        }
    }

    /// The code of an integer, whose high bits are lost.
    pub fn wrap(self, value: i64) -> u64 {
        match self {
            I1 => value as u64 & 1,
            _ => value as u64 & (u64::MAX >> (64 - 8 * self.bytes())),
        }
    }

    /// The code of an f32, rounded to nearest.
    pub fn nearest(self, value: f32) -> u64 {
        match self {
            F32 => u64::from(value.to_bits()),
            F16 => u64::from(f16::from_f32(value).to_bits()),
            BF16 => u64::from(bf16::from_f32(value).to_bits()),
            _ => panic!("{self:?} is no float"),
        }
    }

    fn is_nan(self, code: u64) -> bool {
        self.is_float() && self.float(code).is_nan()
    }

    /// Whether two codes are one result: equal bits, or both NaN.
    pub fn same(self, one: u64, other: u64) -> bool {
        one == other || self.is_nan(one) && self.is_nan(other)
    }

    /// Codes in memory.
    pub fn encode(self, codes: &[u64]) -> Vec<u8> {
        let bytes = codes
            .iter()
            .flat_map(|code| code.to_le_bytes().into_iter().take(self.bytes()));
        bytes.collect()
    }

    pub fn decode(self, memory: &[u8]) -> Vec<u64> {
        memory
            .chunks_exact(self.bytes())
            .map(|chunk| {
                let mut code = [0; 8];
                code[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(code)
            })
            .collect()
    }

    /// A random code: any bits, or one near a place where something changes.
    pub fn random(self, random: &mut Random) -> u64 {
        let any = random.next();
        let code = match random.below(8) {
            0 if self.is_float() => self.nearest((random.next() as i32 >> random.below(32)) as f32),
            1 if self.is_float() => self.nearest((random.next() as i16) as f32 / 256.0),
            0 => (any as i64 >> random.below(64)) as u64,
            1 => (1u64 << random.below(64))
                .wrapping_add(random.below(5))
                .wrapping_sub(2),
            _ => any,
        };
        if self == I1 {
            code & 1
        } else {
            code & (u64::MAX >> (64 - 8 * self.bytes()))
        }
    }
}

/// A small generator, so that a failing test can be repeated.
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    /// 64 random bits (xorshift64*).
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 32) % bound
    }
}

/// Panics where two arrays of codes first differ.
#[track_caller]
pub fn assert_same(r#type: Type, found: &[u64], expected: &[u64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (index, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            r#type.same(found, expected),
            "{what}: element {index} is {found:#x}, expected {expected:#x}"
        );
    }
}
