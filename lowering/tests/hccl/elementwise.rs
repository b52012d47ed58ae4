//! Each elementwise operation, fill and cast on every element type that has a form, against
//! the CPU lowering, whose own tests compare it with references.

use super::harness::{Array, Schedule, built, check_against_cpu, on_cpu};
use crate::cpu::{
    harness::kernel,
    values::{Random, Type},
};
use std::fmt::Write;

/// Two array types of a kernel: rows that fill no whole block, so that rows are padded.
const ROWS: usize = 5;
const COLS: usize = 13;

/// A kernel: its inputs, its outputs, its body.
struct Case {
    inputs: Vec<(String, Type)>,
    outputs: Vec<(String, Type)>,
    body: String,
}

impl Case {
    fn new() -> Self {
        Self {
            inputs: Vec::new(),
            outputs: Vec::new(),
            body: String::new(),
        }
    }

    fn line(&mut self, text: &str) {
        writeln!(self.body, "  {text}").expect("a string");
    }

    /// An input array of a type and the name of its tile.
    fn input(&mut self, r#type: Type) -> String {
        let name = format!("in{}", self.inputs.len());
        let t = r#type.name();
        self.line(&format!(
            "%{name}_t = pl.load %{name}[0, 0] : memref<{ROWS}x{COLS}x{t}> -> !pl.tile<{ROWS}x{COLS}x{t}>"
        ));
        self.inputs.push((name.clone(), r#type));
        format!("%{name}_t")
    }

    /// Stores a tile to an output array of its own.
    fn output(&mut self, tile: &str, r#type: Type) {
        let name = format!("out{}", self.outputs.len());
        let t = r#type.name();
        self.line(&format!(
            "pl.store {tile}, %{name}[0, 0] : !pl.tile<{ROWS}x{COLS}x{t}>, memref<{ROWS}x{COLS}x{t}>"
        ));
        self.outputs.push((name, r#type));
    }

    /// Runs it both ways on random numbers and compares bits.
    fn check(&self, seed: u64, tame: bool) {
        let (text, world, arrays) = self.arrays(seed, tame);
        check_against_cpu(&text, world, arrays);
    }

    /// The program, its world, and random inputs: any bits, or floats that are small.
    fn arrays(&self, seed: u64, tame: bool) -> (String, usize, Vec<Array>) {
        let shape = |t: Type| format!("{ROWS}x{COLS}x{}", t.name());
        let parameters: Vec<_> = self
            .inputs
            .iter()
            .map(|(name, t)| (name.as_str(), shape(*t), "in"))
            .chain(
                self.outputs
                    .iter()
                    .map(|(name, t)| (name.as_str(), shape(*t), "out")),
            )
            .collect();
        let parameters: Vec<_> = parameters
            .iter()
            .map(|(name, shape, d)| (*name, shape.as_str(), *d))
            .collect();
        let text = kernel(&parameters, &self.body);
        let world = 2;
        let count = world * ROWS * COLS;
        let mut random = Random::new(seed);
        let number = |random: &mut Random, t: Type| {
            if tame && t.is_float() {
                t.nearest((random.below(4096) as f32 - 2048.0) / 64.0)
            } else {
                t.random(random)
            }
        };
        let mut bytes: Vec<Vec<u8>> = Vec::new();
        for (_, t) in &self.inputs {
            let codes: Vec<_> = (0..count).map(|_| number(&mut random, *t)).collect();
            bytes.push(t.encode(&codes));
        }
        bytes.extend(self.outputs.iter().map(|(_, t)| vec![0; count * t.bytes()]));
        let types = self.inputs.iter().chain(&self.outputs);
        let arrays: Vec<_> = types
            .zip(bytes)
            .enumerate()
            .map(|(index, ((_, r#type), bytes))| {
                let make = if index < self.inputs.len() {
                    Array::input
                } else {
                    Array::output
                };
                make(*r#type, &[world, ROWS, COLS], bytes)
            })
            .collect();
        (text, world, arrays)
    }
}

/// Types that the target computes in one form or another.
const COMPUTED: [Type; 6] = [
    Type::F32,
    Type::F16,
    Type::BF16,
    Type::I8,
    Type::I16,
    Type::I32,
];

/// Arithmetic of two tiles, and of a tile and a constant.
#[test]
fn arithmetic() {
    let mut case = Case::new();
    for t in COMPUTED {
        let (a, b) = (case.input(t), case.input(t));
        let n = t.name();
        let constant = if t.is_float() { "-1.5" } else { "-3" };
        case.line(&format!("%c_{n} = arith.constant {constant} : {n}"));
        for op in ["add", "mul"] {
            let tile = format!("!pl.tile<{ROWS}x{COLS}x{n}>");
            case.line(&format!("%{op}_{n} = pl.{op} {a}, {b} : {tile}"));
            case.output(&format!("%{op}_{n}"), t);
            case.line(&format!(
                "%{op}s_{n} = pl.{op}s %{op}_{n}, %c_{n} : {tile}, {n}"
            ));
            case.output(&format!("%{op}s_{n}"), t);
        }
    }
    case.check(1, true);
}

const FLOATS: [Type; 3] = [Type::F32, Type::F16, Type::BF16];
const INTEGERS: [Type; 3] = [Type::I8, Type::I16, Type::I32];

fn tile(t: Type) -> String {
    format!("!pl.tile<{ROWS}x{COLS}x{}>", t.name())
}

/// Operations of two tiles, of the first and a constant, and of the first alone, each stored.
fn operations(case: &mut Case, t: Type, binary: &[&str], scalar: &[(&str, &str)], unary: &[&str]) {
    let (a, b) = (case.input(t), case.input(t));
    let n = t.name();
    let tile = tile(t);
    let mut texts = Vec::new();
    texts.extend(binary.iter().map(|op| format!("pl.{op} {a}, {b} : {tile}")));
    texts.extend(unary.iter().map(|op| format!("pl.{op} {a} : {tile}")));
    for (index, (op, constant)) in scalar.iter().enumerate() {
        case.line(&format!("%k{index}_{n} = arith.constant {constant} : {n}"));
        texts.push(format!("pl.{op} {a}, %k{index}_{n} : {tile}, {n}"));
    }
    for (index, text) in texts.iter().enumerate() {
        case.line(&format!("%r{index}_{n} = {text}"));
        case.output(&format!("%r{index}_{n}"), t);
    }
}

/// Floats of any bits, NaN and infinities among them; scalars of which some are powers of two.
#[test]
fn arithmetic_of_floats() {
    let mut case = Case::new();
    for t in FLOATS {
        let scalar = [
            ("subs", "1.5"),
            ("divs", "-4.0"),
            ("divs", "3.0"),
            ("maxs", "0.0"),
            ("maxs", "-0.0"),
            ("mins", "0.0"),
            ("mins", "1.0"),
        ];
        let unary = ["neg", "abs", "relu", "sqrt", "rsqrt", "recip"];
        operations(&mut case, t, &["sub", "div", "max", "min"], &scalar, &unary);
    }
    case.check(5, false);
    case.check(6, true);
}

/// Integers wrap; division by 0 and of the least by -1 are defined. The scalar is the least
/// number, whose negative is itself.
#[test]
fn arithmetic_of_integers() {
    let mut case = Case::new();
    for (t, least) in INTEGERS.into_iter().zip(["-128", "-32768", "-2147483648"]) {
        let mut binary = vec!["sub", "max", "min", "and", "or", "xor"];
        let mut scalar = vec![
            ("subs", "7"),
            ("subs", least),
            ("maxs", "-3"),
            ("mins", "100"),
        ];
        if t != Type::I32 {
            binary.push("div");
            scalar.extend([("divs", "0"), ("divs", "-1"), ("divs", "7")]);
        }
        operations(
            &mut case,
            t,
            &binary,
            &scalar,
            &["neg", "abs", "relu", "not"],
        );
    }
    let bits = ["and", "or", "xor"];
    operations(&mut case, Type::I64, &bits, &[], &["not"]);
    case.check(7, false);
}

/// Every quotient of two i8 is the one of the CPU.
#[test]
fn all_quotients_of_bytes() {
    let text = kernel(
        &[
            ("a", "256x256xi8", "in"),
            ("b", "256x256xi8", "in"),
            ("y", "256x256xi8", "out"),
        ],
        "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c1 {
    %ta = pl.load %a[%i, 0] : memref<256x256xi8> -> !pl.tile<1x256xi8>
    %tb = pl.load %b[%i, 0] : memref<256x256xi8> -> !pl.tile<1x256xi8>
    %q = pl.div %ta, %tb : !pl.tile<1x256xi8>
    pl.store %q, %y[%i, 0] : !pl.tile<1x256xi8>, memref<256x256xi8>
  }
",
    );
    let shape = [1, 256, 256];
    let a = (0..=255u8).flat_map(|a| [a; 256]).collect();
    let b = (0..=255u8).flat_map(|_| 0..=255u8).collect();
    let arrays = vec![
        Array::input(Type::I8, &shape, a),
        Array::input(Type::I8, &shape, b),
        Array::output(Type::I8, &shape, vec![0; 1 << 16]),
    ];
    check_against_cpu(&text, 1, arrays);
}

/// Shifts by a tile, whose amounts are mostly within the width, and by constants within and
/// beyond it.
#[test]
fn shifts() {
    let mut case = Case::new();
    for t in INTEGERS {
        let (x, any) = (case.input(t), case.input(t));
        let (n, tile) = (t.name(), tile(t));
        let width = 8 * t.bytes();
        // Most random amounts are far beyond the width: take low bits of some, and their negatives.
        case.line(&format!(
            "%low_{n} = arith.constant {} : {n}",
            2 * width - 1
        ));
        case.line(&format!("%lows_{n} = pl.full %low_{n} : {tile}"));
        case.line(&format!("%within_{n} = pl.and {any}, %lows_{n} : {tile}"));
        let mut amounts = vec![any, format!("%within_{n}")];
        for constant in [0, 1, 5, width as i64 - 1, width as i64, -1] {
            let name = format!("%by{}_{n}", amounts.len());
            case.line(&format!("{name}c = arith.constant {constant} : {n}"));
            case.line(&format!("{name} = pl.full {name}c : {tile}"));
            amounts.push(name);
        }
        for (index, amount) in amounts.iter().enumerate() {
            for op in ["shl", "shr"] {
                case.line(&format!(
                    "%{op}{index}_{n} = pl.{op} {x}, {amount} : {tile}"
                ));
                case.output(&format!("%{op}{index}_{n}"), t);
            }
        }
    }
    case.check(8, false);
}

/// Comparisons of a type choose between values of other ones, also through operations on masks.
/// Inputs are any bits, some of them NaN, and then small numbers, of which many are cut to 0,
/// of either sign.
fn choices(t: Type, others: &[Type]) {
    let mut case = Case::new();
    let (a, b) = (case.input(t), case.input(t));
    let (n, own, mask) = (t.name(), tile(t), tile(Type::I1));
    let zero = if t.is_float() { "-0.0" } else { "0" };
    case.line(&format!("%zero = arith.constant {zero} : {n}"));
    case.line(&format!("%cut = pl.mins {a}, %zero : {own}, {n}"));
    case.line(&format!("%cut_b = pl.neg %cut : {own}"));
    case.line(&format!("%e = pl.cmp eq, {a}, {a} : {own} -> {mask}"));
    for (index, predicate) in ["eq", "ne", "lt", "le", "gt", "ge"].iter().enumerate() {
        let other = others[index % others.len()];
        let (left, right) = (case.input(other), case.input(other));
        let (x, y) = if index < 3 {
            (a.as_str(), b.as_str())
        } else {
            ("%cut", b.as_str())
        };
        case.line(&format!(
            "%m{index} = pl.cmp {predicate}, {x}, {y} : {own} -> {mask}"
        ));
        case.line(&format!(
            "%z{index} = pl.cmp {predicate}, %cut, %cut_b : {own} -> {mask}"
        ));
        let (op, by) = [("and", "%e"), ("or", "%e"), ("xor", "%z0")][index % 3];
        case.line(&format!("%o{index} = pl.{op} %z{index}, {by} : {mask}"));
        case.line(&format!("%n{index} = pl.not %o{index} : {mask}"));
        for name in ["m", "n"] {
            case.line(&format!(
                "%{name}s{index} = pl.select %{name}{index}, {left}, {right} : {mask}, {}",
                tile(other)
            ));
            case.output(&format!("%{name}s{index}"), other);
        }
    }
    case.check(9, false);
    case.check(13, true);
}

#[test]
fn choices_by_floats() {
    choices(Type::F32, &[Type::F32, Type::I64]);
    choices(Type::F16, &[Type::I8]);
    choices(Type::BF16, &[Type::BF16]);
}

#[test]
fn choices_by_integers() {
    choices(Type::I8, &[Type::F16]);
    choices(Type::I16, &[Type::I16]);
    choices(Type::I32, &[Type::I32]);
}

/// How many numbers of a float type lie between two.
fn steps(t: Type, a: u64, b: u64) -> u64 {
    if t.same(a, b) {
        return 0;
    }
    let sign = 1i64 << (8 * t.bytes() - 1);
    let place = |code: u64| {
        let code = code as i64;
        if code & sign != 0 { sign - code } else { code }
    };
    if t.float(a).is_nan() || t.float(b).is_nan() {
        return u64::MAX;
    }
    place(a).abs_diff(place(b))
}

/// The target's exponential and logarithm are within one step of the CPU's.
#[test]
fn exponential_and_logarithm() {
    for t in FLOATS {
        let mut case = Case::new();
        let a = case.input(t);
        for op in ["exp", "log"] {
            case.line(&format!("%{op} = pl.{op} {a} : {}", tile(t)));
            case.output(&format!("%{op}"), t);
        }
        for (seed, tame) in [(10, false), (11, true)] {
            let (text, world, arrays) = case.arrays(seed, tame);
            let expected = on_cpu(&text, world, &arrays);
            for schedule in Schedule::SOME {
                let found = built(&text, "main").run(world, &arrays, schedule);
                for (found, expected) in found.iter().zip(&expected) {
                    for (found, expected) in t.decode(found).into_iter().zip(t.decode(expected)) {
                        let apart = steps(t, found, expected);
                        assert!(apart <= 1, "{t:?}: {found:#x}, on the CPU {expected:#x}");
                    }
                }
            }
        }
    }
}

/// Fills of every type; i64 by a constant of 32 bits.
#[test]
fn fills() {
    let mut case = Case::new();
    for t in Type::NUMBERS {
        let n = t.name();
        let constant = if t.is_float() { "-2.5" } else { "-7" };
        case.line(&format!("%c_{n} = arith.constant {constant} : {n}"));
        case.line(&format!(
            "%full_{n} = pl.full %c_{n} : !pl.tile<{ROWS}x{COLS}x{n}>"
        ));
        case.output(&format!("%full_{n}"), t);
    }
    case.check(2, false);
}

/// Casts of the pairs that have a form, in the six modes.
fn casts(modes: &[&str], seed: u64) {
    let refused = [
        (Type::I32, Type::BF16),
        (Type::I64, Type::BF16),
        (Type::I64, Type::I8),
        (Type::I64, Type::I16),
        (Type::I64, Type::I32),
    ];
    let mut case = Case::new();
    for from in Type::NUMBERS {
        let source = case.input(from);
        for to in Type::NUMBERS {
            if from == to || refused.contains(&(from, to)) {
                continue;
            }
            let (f, t) = (from.name(), to.name());
            for mode in modes {
                let name = format!("%{f}_{t}_{mode}");
                case.line(&format!(
                    "{name} = pl.cast {mode} {source} : !pl.tile<{ROWS}x{COLS}x{f}> -> !pl.tile<{ROWS}x{COLS}x{t}>"
                ));
                case.output(&name, to);
            }
        }
    }
    case.check(seed, false);
}

#[test]
fn casts_to_nearest() {
    casts(&["none", "rint", "round"], 3);
}

#[test]
fn casts_directed() {
    casts(&["floor", "ceil", "trunc"], 4);
}
