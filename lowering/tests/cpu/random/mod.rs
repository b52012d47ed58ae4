//! Random programs over two arrays that may be one, compared with an interpreter: groups,
//! slots, overlaps and carried tiles in combinations that nobody thought of.

mod interpreter;
mod print;
mod program;

use super::{
    harness::{CPUS, assert_fine, bytes, compiled, kernel, numbers, run_main},
    values::Random,
};
use interpreter::Interpreter;
use pld_lowering::cpu::CompileOptions;
use print::Printer;
use program::{ARRAY, Maker, Statement::Full, TILE};
use std::collections::HashMap;

/// A random program on three arrays: numbers 0 to 35, and two of random use, which may be
/// one and the same.
pub struct Case {
    /// The module.
    pub text: String,
    /// Both arrays at the start.
    pub start: Vec<f32>,
    /// What the interpreter makes of them.
    pub expected: [Vec<f32>; 2],
}

/// The numbers that programs read their run-time offsets from.
pub fn indices() -> Vec<i32> {
    (0..=TILE[1] as i32).collect()
}

/// The random program of a seed; `one` passes one array as both.
pub fn case(seed: u64, one: bool) -> Case {
    case_with(seed, one, false)
}

/// As [`case`]; `rows` are reduced, too.
fn case_with(seed: u64, one: bool, rows: bool) -> Case {
    let mut maker = Maker {
        rows,
        random: Random::new(seed),
        next: 0,
    };
    let mut known = vec![maker.tile()];
    let mut program = vec![Full(known[0], 1)];
    program.extend(maker.block(&mut known, 2));
    program.extend(maker.block(&mut known, 2));
    let mut printer = Printer {
        random: &mut maker.random,
        text: String::from("  %yes = arith.constant true\n  %no = arith.constant false\n"),
    };
    for i in 0..=TILE[1] {
        printer.line(&format!("%k{i} = pl.read %k[0, {i}] : memref<1x36xi32>"));
        printer.line(&format!("%i{i} = arith.index_cast %k{i} : i32 to index"));
    }
    printer.block(&program);
    let parameters = [
        ("k", "1x36xi32", "in"),
        ("m0", "9x41xf32", "inout"),
        ("m1", "9x41xf32", "inout"),
    ];
    let text = kernel(&parameters, &printer.text);
    let text = format!("!t = !pl.tile<{}x{}xf32>\n{text}", TILE[0], TILE[1]);
    let text = match one {
        true => text.replace("@d(%k_r, %m0_r, %m1_r)", "@d(%k_r, %m0_r, %m0_r)"),
        false => text,
    };
    let start: Vec<f32> = (0..ARRAY[0] * ARRAY[1])
        .map(|i| (i % 7) as f32 - 3.0)
        .collect();
    let mut interpreter = Interpreter {
        arrays: [start.clone(), start.clone()],
        one,
        tiles: HashMap::new(),
    };
    interpreter.block(&program);
    Case {
        text,
        start,
        expected: interpreter.arrays,
    }
}

/// Random programs do what an interpreter of them does, whatever the CPU.
#[test]
fn random_programs_equal_the_interpreter() {
    check(0..30, false);
}

/// Also if rows are reduced on the way: several strip loops for one row.
#[test]
fn random_programs_with_rows_equal_the_interpreter() {
    check(100..140, true);
}

fn check(seeds: std::ops::Range<u64>, rows: bool) {
    for seed in seeds {
        for one in [false, true] {
            let Case {
                text,
                start,
                expected,
            } = case_with(seed, one, rows);
            let mut arrays = [bytes(&indices()), bytes(&start), bytes(&start)];
            let options = CompileOptions {
                cpu: CPUS[seed as usize % 2],
                ..CompileOptions::default()
            };
            let code = compiled(&text, options);
            assert_fine(&run_main(&code, 1, &mut arrays));
            for (index, expected) in expected.iter().enumerate() {
                let found = numbers::<f32>(&arrays[index + 1]);
                let differ = found
                    .iter()
                    .zip(expected)
                    .position(|(a, b)| a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan()));
                let pair = differ.map(|place| (place, found[place], expected[place]));
                assert_eq!(
                    pair, None,
                    "seed {seed}, one array: {one}, array {index}\n{text}"
                );
            }
        }
    }
}
