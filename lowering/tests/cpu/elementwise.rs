//! Elementwise operations against a reference, for all element types and for sizes with and
//! without whole strips and rests.

use super::{
    harness::{assert_fine, compiled, kernel, run_main},
    values::{Random, Type, assert_same},
};
use pld_lowering::cpu::CompileOptions;

const ARITHMETIC: &[&str] = &["add", "sub", "mul", "div", "max", "min"];
const UNARY: &[&str] = &["neg", "abs", "relu"];
const OF_FLOATS: &[&str] = &["sqrt", "rsqrt", "recip"];
const OF_INTS: &[&str] = &["and", "or", "xor", "shl", "shr"];
const COMPARISONS: &[&str] = &["eq", "ne", "lt", "le", "gt", "ge"];
/// Sizes below, at and above a strip.
const COLUMNS: [usize; 5] = [1, 7, 16, 29, 64];

fn float_reference(operation: &str, a: f32, b: f32) -> f32 {
    let pick = |first: bool| match (a.is_nan(), b.is_nan()) {
        (false, false) if first => a,
        (false, false) => b,
        _ => f32::NAN,
    };
    // Of the zeros, -0 is the smaller.
    let less = a < b || (a == b && a.is_sign_negative());
    match operation {
        "add" => a + b,
        "sub" => a - b,
        "mul" => a * b,
        "div" => a / b,
        "max" => pick(!less),
        "min" => pick(less),
        "neg" => -a,
        "abs" => a.abs(),
        "relu" => float_reference("max", a, 0.0),
        "sqrt" => a.sqrt(),
        "rsqrt" => 1.0 / a.sqrt(),
        "recip" => 1.0 / a,
        _ => panic!("{operation}"),
    }
}

fn int_reference(operation: &str, bits: i64, a: i64, b: i64) -> i64 {
    let shift = (0..bits).contains(&b).then_some(b as u32);
    match operation {
        "add" => a.wrapping_add(b),
        "sub" => a.wrapping_sub(b),
        "mul" => a.wrapping_mul(b),
        "div" if b == 0 => 0,
        "div" => a.wrapping_div(b),
        "max" => a.max(b),
        "min" => a.min(b),
        "neg" => a.wrapping_neg(),
        "abs" => a.wrapping_abs(),
        "relu" => a.max(0),
        "not" => !a,
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        "shl" => shift.map_or(0, |by| a << by),
        "shr" => a >> shift.unwrap_or(63),
        _ => panic!("{operation}"),
    }
}

fn reference(operation: &str, t: Type, a: u64, b: u64) -> u64 {
    if t.is_float() {
        let (a, b) = (t.float(a) as f32, t.float(b) as f32);
        t.nearest(float_reference(operation, a, b))
    } else {
        t.wrap(int_reference(
            operation,
            8 * t.bytes() as i64,
            t.int(a),
            t.int(b),
        ))
    }
}

fn holds(comparison: &str, t: Type, a: u64, b: u64) -> bool {
    let order = if t.is_float() {
        t.float(a).partial_cmp(&t.float(b))
    } else {
        Some(t.int(a).cmp(&t.int(b)))
    };
    match comparison {
        "eq" => order.is_some_and(|order| order.is_eq()),
        "ne" => order.is_none_or(|order| order.is_ne()),
        "lt" => order.is_some_and(|order| order.is_lt()),
        "le" => order.is_some_and(|order| order.is_le()),
        "gt" => order.is_some_and(|order| order.is_gt()),
        "ge" => order.is_some_and(|order| order.is_ge()),
        _ => panic!("{comparison}"),
    }
}

/// One result of a kernel over `%ta`, `%tb` and the scalar `%s`, its first element of b.
struct Output {
    /// What follows `pl.`, with `T` for the tile type, `E` for the element type and `M` for the
    /// type of a mask.
    text: String,
    r#type: Type,
    /// From an element of a, one of b, and s.
    expected: Box<dyn Fn(u64, u64, u64) -> u64>,
}

impl Output {
    fn new(
        text: impl Into<String>,
        r#type: Type,
        expected: impl Fn(u64, u64, u64) -> u64 + 'static,
    ) -> Self {
        Self {
            text: text.into(),
            r#type,
            expected: Box::new(expected),
        }
    }
}

/// Compiles and runs one kernel with an output for each, and compares them.
fn check(t: Type, rows: usize, columns: usize, outputs: &[Output]) {
    let shape = |t: Type| format!("{rows}x{columns}x{}", t.name());
    let tile = |t: Type| format!("!pl.tile<{}>", shape(t));
    let memory = |t: Type| format!("memref<{}>", shape(t));
    let mut body = [
        format!("  %s = pl.read %b[0, 0] : {}\n", memory(t)),
        format!("  %ta = pl.load %a[0, 0] : {} -> {}\n", memory(t), tile(t)),
        format!("  %tb = pl.load %b[0, 0] : {} -> {}\n", memory(t), tile(t)),
    ]
    .concat();
    let mut parameters = vec![
        ("a".to_owned(), shape(t), "in"),
        ("b".to_owned(), shape(t), "in"),
    ];
    for (index, output) in outputs.iter().enumerate() {
        let text = output
            .text
            .replace('T', &tile(t))
            .replace('M', &tile(Type::I1));
        let text = text.replace('E', t.name());
        let to = output.r#type;
        body += &format!("  %t{index} = pl.{text}\n");
        body += &format!(
            "  pl.store %t{index}, %o{index}[0, 0] : {}, {}\n",
            tile(to),
            memory(to)
        );
        parameters.push((format!("o{index}"), shape(to), "out"));
    }
    let parameters: Vec<_> = parameters
        .iter()
        .map(|(name, shape, direction)| (name.as_str(), shape.as_str(), *direction))
        .collect();
    let code = compiled(&kernel(&parameters, &body), CompileOptions::default());

    let count = rows * columns;
    let mut random = Random::new(count as u64);
    let mut inputs = || -> Vec<u64> { (0..count).map(|_| t.random(&mut random)).collect() };
    let (a, mut b) = (inputs(), inputs());
    // Equal elements, and shifts that are no nonsense.
    for (index, b) in b.iter_mut().enumerate().skip(1) {
        match index % 5 {
            0 => *b = a[index],
            1 if !t.is_float() => *b %= 8 * t.bytes() as u64 + 1,
            _ => {}
        }
    }
    let mut arrays = vec![t.encode(&a), t.encode(&b)];
    arrays.extend(
        outputs
            .iter()
            .map(|output| vec![0; count * output.r#type.bytes()]),
    );
    assert_fine(&run_main(&code, 1, &mut arrays));

    let s = b[0];
    for (output, array) in outputs.iter().zip(&arrays[2..]) {
        let pairs = a.iter().zip(&b);
        let expected: Vec<_> = pairs.map(|(&a, &b)| (output.expected)(a, b, s)).collect();
        let found = output.r#type.decode(array);
        assert_same(
            output.r#type,
            &found,
            &expected,
            &format!("{} of {}", output.text, shape(t)),
        );
    }
}

/// All sizes, of one kernel for each type.
fn check_sizes(t: Type, outputs: &[Output]) {
    for columns in COLUMNS {
        for rows in [1, 8] {
            check(t, rows, columns, outputs);
        }
    }
}

/// Arithmetic of tiles, and of a tile and a scalar.
#[test]
fn operations_equal_the_reference_bit_for_bit() {
    for t in Type::NUMBERS {
        let mut outputs = vec![Output::new("full %s : T", t, |_, _, s| s)];
        for &name in ARITHMETIC {
            let of = move |a, b| reference(name, t, a, b);
            outputs.push(Output::new(
                format!("{name} %ta, %tb : T"),
                t,
                move |a, b, _| of(a, b),
            ));
            outputs.push(Output::new(
                format!("{name}s %ta, %s : T, E"),
                t,
                move |a, _, s| of(a, s),
            ));
        }
        // On results of others, so that rounding after each operation shows.
        outputs.push(Output::new("mul %t1, %t0 : T", t, move |a, b, s| {
            reference("mul", t, reference("add", t, a, b), s)
        }));
        check_sizes(t, &outputs);
    }
}

/// Operations of one tile, and bits of integers.
#[test]
fn unary_and_bits() {
    for t in Type::NUMBERS {
        let more = if t.is_float() { OF_FLOATS } else { &["not"] };
        let mut outputs: Vec<_> = UNARY
            .iter()
            .chain(more)
            .map(|&name| {
                Output::new(format!("{name} %ta : T"), t, move |a, _, _| {
                    reference(name, t, a, 0)
                })
            })
            .collect();
        if !t.is_float() {
            outputs.extend(OF_INTS.iter().map(|&name| {
                Output::new(format!("{name} %ta, %tb : T"), t, move |a, b, _| {
                    reference(name, t, a, b)
                })
            }));
        }
        check_sizes(t, &outputs);
    }
    // Masks have bits, too; their complement is no byte of ones.
    let t = Type::I1;
    let mask = |name: &'static str| {
        Output::new(format!("{name} %ta, %tb : T"), t, move |a, b, _| {
            reference(name, t, a, b)
        })
    };
    let not = Output::new("not %ta : T", t, |a, _, _| 1 - a);
    check_sizes(t, &[mask("and"), mask("or"), mask("xor"), not]);
}

/// Comparisons with NaN, with equal and with negative numbers; and what masks choose.
#[test]
fn comparisons_and_choices() {
    for t in Type::NUMBERS {
        let mut outputs = Vec::new();
        for (index, &name) in COMPARISONS.iter().enumerate() {
            let of = move |a, b| holds(name, t, a, b);
            let text = format!("cmp {name}, %ta, %tb : T -> M");
            outputs.push(Output::new(text, Type::I1, move |a, b, _| {
                u64::from(of(a, b))
            }));
            let text = format!("select %t{}, %ta, %tb : M, T", 2 * index);
            outputs.push(Output::new(
                text,
                t,
                move |a, b, _| if of(a, b) { a } else { b },
            ));
        }
        check_sizes(t, &outputs);
    }
}

/// How far a result is from the exact one, in units of its last place.
fn ulps(t: Type, found: u64, exact: f64) -> f64 {
    let found = t.float(found);
    if found.is_nan() || exact.is_nan() || found == exact {
        return if found.is_nan() == exact.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let (digits, least): (i32, i32) = match t {
        Type::F32 => (24, -149),
        Type::F16 => (11, -24),
        _ => (8, -133),
    };
    let largest = t.float(t.nearest(exact as f32));
    if largest.is_infinite() || found.is_infinite() {
        return if largest == found { 0.0 } else { f64::INFINITY };
    }
    let exponent = exact.abs().log2().floor() as i32;
    (found - exact).abs()
        / f64::from(exponent - digits + 1)
            .max(f64::from(least))
            .exp2()
}

/// Exponential and logarithm stay within one unit of the last place, with NaN, infinities,
/// zeros and subnormals in and out as they should be.
#[test]
fn exponential_and_logarithm() {
    for t in [Type::F32, Type::F16, Type::BF16] {
        let edges = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            88.7,
            88.8,
            -87.4,
            -103.9,
            -104.5,
            1e-40,
            1e38,
            -5.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MIN_POSITIVE,
            f32::MAX,
        ];
        let mut random = Random::new(7);
        let mut input: Vec<_> = edges.map(|edge| t.nearest(edge)).into();
        while input.len() < 4096 {
            let place = random.next() as i32 as f32 / (1u32 << 24) as f32;
            input.push(if input.len() % 2 == 0 {
                t.nearest(place)
            } else {
                t.random(&mut random)
            });
        }
        let shape = format!("1x4096x{}", t.name());
        let (tile, memory) = (format!("!pl.tile<{shape}>"), format!("memref<{shape}>"));
        let body = format!(
            "  %t = pl.load %x[0, 0] : {memory} -> {tile}\n\
             \x20 %e = pl.exp %t : {tile}\n\
             \x20 pl.store %e, %y[0, 0] : {tile}, {memory}\n\
             \x20 %l = pl.log %t : {tile}\n\
             \x20 pl.store %l, %z[0, 0] : {tile}, {memory}\n"
        );
        let parameters = [
            ("x", shape.as_str(), "in"),
            ("y", shape.as_str(), "out"),
            ("z", shape.as_str(), "out"),
        ];
        let code = compiled(&kernel(&parameters, &body), CompileOptions::default());
        let bytes = t.encode(&input);
        let mut arrays = vec![bytes.clone(), bytes.clone(), bytes];
        assert_fine(&run_main(&code, 1, &mut arrays));
        let (exp, log) = (t.decode(&arrays[1]), t.decode(&arrays[2]));
        for (index, &x) in input.iter().enumerate() {
            let value = t.float(x);
            let apart = ulps(t, exp[index], value.exp());
            assert!(
                apart <= 1.0,
                "exp({value:e}) as {t:?} is {apart} ulp off: {:e}",
                t.float(exp[index])
            );
            let apart = ulps(t, log[index], value.ln());
            assert!(
                apart <= 1.0,
                "log({value:e}) as {t:?} is {apart} ulp off: {:e}",
                t.float(log[index])
            );
        }
    }
}
