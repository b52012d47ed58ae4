//! Casts of all pairs of element types in all modes, against a reference that searches the
//! neighbours of the exact value among all values of the target.

use super::{
    harness::{assert_fine, compiled, kernel, run_main},
    values::{Random, Type, assert_same},
};
use pld_lowering::cpu::CompileOptions;
use std::cmp::Ordering;

const MODES: [&str; 6] = ["none", "rint", "round", "floor", "ceil", "trunc"];

/// Which of two neighbours of a value is nearer, and which has an even code.
fn pick(mode: &str, negative: bool, distance: Ordering, lower_is_even: bool) -> bool {
    match mode {
        "floor" => true,
        "ceil" => false,
        "trunc" => !negative,
        _ => match distance {
            Ordering::Less => true,
            Ordering::Greater => false,
            // "round": away from zero.
            Ordering::Equal if mode == "round" => negative,
            Ordering::Equal => lower_is_even,
        },
    }
}

/// An exact number: a float of the language, or an integer.
#[derive(Clone, Copy)]
enum Exact {
    Float(f64),
    Int(i64),
}

impl Exact {
    fn compare(self, other: f64) -> Ordering {
        match self {
            Self::Float(value) => value.partial_cmp(&other).expect("no NaN"),
            Self::Int(value) if other.is_infinite() || other.abs() > 1e19 => {
                (value as f64).partial_cmp(&other).expect("no NaN")
            }
            // Floats this small have a fraction, which decides only among equals.
            Self::Int(value) => {
                let whole = i128::from(value).cmp(&(other.floor() as i128));
                whole.then(if other.fract() == 0.0 {
                    Ordering::Equal
                } else {
                    Ordering::Less
                })
            }
        }
    }

    /// Compares the distances to two neighbours, of which one may be beyond all values.
    fn nearer(self, lower: f64, upper: f64) -> Ordering {
        match self {
            Self::Float(value) => (value - lower)
                .partial_cmp(&(upper - value))
                .expect("no NaN"),
            Self::Int(value) => {
                let twice = 2 * i128::from(value);
                twice.cmp(&(lower as i128 + upper as i128))
            }
        }
    }

    fn is_negative(self) -> bool {
        match self {
            Self::Float(value) => value.is_sign_negative(),
            Self::Int(value) => value < 0,
        }
    }
}

/// The position of a float's code in the order of its values, from -infinity; and back.
fn rank(t: Type, code: u64) -> i64 {
    let sign = 1u64 << (8 * t.bytes() - 1);
    if code & sign == 0 {
        code as i64
    } else {
        -((code & !sign) as i64)
    }
}

fn unrank(t: Type, rank: i64) -> u64 {
    let sign = 1u64 << (8 * t.bytes() - 1);
    if rank < 0 {
        rank.unsigned_abs() | sign
    } else {
        rank as u64
    }
}

/// An exact value rounded to a float type.
fn to_float(mode: &str, value: Exact, to: Type) -> u64 {
    let infinity = rank(to, to.nearest(f32::INFINITY));
    let of = |rank: i64| to.float(unrank(to, rank));
    // The greatest value that is not above.
    let (mut low, mut high) = (-infinity, infinity + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if value.compare(of(middle)) == Ordering::Less {
            high = middle;
        } else {
            low = middle;
        }
    }
    let negative = value.is_negative();
    let result = if value.compare(of(low)) == Ordering::Equal {
        low
    } else {
        // Rounding to nearest goes on as if the exponents did not end.
        let finite = |rank: i64| match rank {
            rank if rank == infinity => 2.0 * of(rank - 1) - of(rank - 2),
            rank if rank == -infinity => 2.0 * of(rank + 1) - of(rank + 2),
            rank => of(rank),
        };
        let beyond = matches!(value, Exact::Int(_)) && finite(low + 1) > 1e19;
        let distance = if beyond {
            Ordering::Less
        } else {
            value.nearer(finite(low), finite(low + 1))
        };
        let even = unrank(to, low).is_multiple_of(2);
        if pick(mode, negative, distance, even) {
            low
        } else {
            low + 1
        }
    };
    let code = unrank(to, result);
    let zero_of_a_negative = result == 0 && negative;
    if zero_of_a_negative {
        code | 1 << (8 * to.bytes() - 1)
    } else {
        code
    }
}

fn to_int(mode: &str, value: f64, to: Type) -> u64 {
    if value.is_nan() {
        return 0;
    }
    let value = match mode {
        "round" => value.round(),
        "floor" => value.floor(),
        "ceil" => value.ceil(),
        "trunc" => value.trunc(),
        _ => value.round_ties_even(),
    };
    let (least, most) = match to {
        Type::I1 => (0, 1),
        _ => {
            let most = i64::MAX >> (64 - 8 * to.bytes());
            (-1 - most, most)
        }
    };
    to.wrap((value as i64).clamp(least, most))
}

fn reference(mode: &str, from: Type, code: u64, to: Type) -> u64 {
    match (from.is_float(), to.is_float()) {
        (false, false) => to.wrap(from.int(code)),
        (true, false) => to_int(mode, from.float(code), to),
        (true, true) if from.float(code).is_nan() => to.nearest(f32::NAN),
        (true, true) => to_float(mode, Exact::Float(from.float(code)), to),
        (false, true) => to_float(mode, Exact::Int(from.int(code)), to),
    }
}

/// Values to cast: all, if there are few, else random ones and edges.
fn inputs(from: Type, count: usize) -> Vec<u64> {
    let mut random = Random::new(7);
    let all = 1usize << (8 * from.bytes()).min(20);
    (0..count)
        .map(|index| match from {
            Type::I1 => index as u64 & 1,
            _ if all <= count => (index % all) as u64,
            _ => from.random(&mut random),
        })
        .collect()
}

/// Casts `inputs` in all modes from one type to another.
fn check(from: Type, to: Type) {
    const COLUMNS: usize = 1031;
    let rows = if from.bytes() == 2 { 64 } else { 8 };
    let shape = |t: Type| format!("{rows}x{COLUMNS}x{}", t.name());
    let (source, target) = (shape(from), shape(to));
    let mut body = String::new();
    for (index, mode) in MODES.iter().enumerate() {
        body += &format!(
            "  %x{index} = pl.load %x[0, 0] : memref<{source}> -> !pl.tile<{source}>\n\
             \x20 %y{index} = pl.cast {mode} %x{index} : !pl.tile<{source}> -> !pl.tile<{target}>\n\
             \x20 pl.store %y{index}, %o{index}[0, 0] : !pl.tile<{target}>, memref<{target}>\n"
        );
    }
    let outputs: Vec<_> = (0..MODES.len()).map(|i| format!("o{i}")).collect();
    let mut parameters = vec![("x", source.as_str(), "in")];
    parameters.extend(
        outputs
            .iter()
            .map(|name| (name.as_str(), target.as_str(), "out")),
    );
    let code = compiled(&kernel(&parameters, &body), CompileOptions::default());
    let values = inputs(from, rows * COLUMNS);
    let mut arrays = vec![from.encode(&values)];
    arrays.extend(MODES.map(|_| vec![0; values.len() * to.bytes()]));
    assert_fine(&run_main(&code, 1, &mut arrays));
    for (mode, array) in MODES.iter().zip(&arrays[1..]) {
        let expected: Vec<_> = values
            .iter()
            .map(|&code| reference(mode, from, code, to))
            .collect();
        let what = format!("{mode} {from:?} to {to:?}");
        let found = to.decode(array);
        if let Some(wrong) = (0..values.len()).find(|&i| !to.same(found[i], expected[i])) {
            let (value, found, expected) = (values[wrong], found[wrong], expected[wrong]);
            panic!("{what}: {value:#x} becomes {found:#x}, expected {expected:#x}");
        }
        assert_same(to, &found, &expected, &what);
    }
}

/// All pairs of types in all modes; f16, bf16, i16 and narrower exhaustively.
#[test]
fn casts_equal_the_reference_bit_for_bit() {
    for from in Type::ALL {
        for to in Type::ALL {
            if from != to {
                check(from, to);
            }
        }
    }
}

/// The reference itself, on values that can be checked by hand.
#[test]
fn the_reference_is_right() {
    use Type::{BF16, F16, F32, I8, I64};
    let f = |value: f32| u64::from(value.to_bits());
    // 65519 is below the middle of the largest half and the next, 65520 is at it.
    assert_eq!(reference("rint", F32, f(65519.0), F16), 0x7bff);
    assert_eq!(reference("rint", F32, f(65520.0), F16), 0x7c00);
    assert_eq!(reference("trunc", F32, f(1e9), F16), 0x7bff);
    assert_eq!(reference("floor", F32, f(-1e-10), F16), 0x8001);
    assert_eq!(reference("ceil", F32, f(-1e-10), F16), 0x8000);
    assert_eq!(reference("rint", F32, 0x3f80_8000, BF16), 0x3f80);
    assert_eq!(reference("round", F32, 0x3f80_8000, BF16), 0x3f81);
    // 2^24 + 1 is no float.
    assert_eq!(reference("ceil", I64, (1 << 24) + 1, F32), f(16_777_218.0));
    assert_eq!(reference("rint", I64, (1 << 24) + 1, F32), f(16_777_216.0));
    assert_eq!(reference("floor", I64, i64::MAX as u64, F32), 0x5eff_ffff);
    assert_eq!(reference("trunc", F32, f(-200.5), I8), 0x80);
}
