//! Each elementwise operation, fill and cast on every element type that has a form, against
//! the CPU lowering, whose own tests compare it with references.

use super::harness::{Array, check_against_cpu};
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
        check_against_cpu(&text, world, arrays);
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
