//! Random programs on tensors, compared with an interpreter that runs them statement by
//! statement: however they are tiled, what they write is the same, bit for bit.
//!
//! Numbers are integers that f32 holds exactly, so that the order of a sum, which depends on
//! the shape of tiles, is not seen.

mod interpreter;
mod print;
mod program;

use super::{
    harness::{assert_fine, bytes, numbers, run_main},
    values::Random,
};
use interpreter::Interpreter;
use pld_dialects::{bridge, melior::ir::Module};
use pld_lowering::cpu::{CompileOptions, Compiled, compile};
use print::Printer;
use program::Maker;
use std::collections::HashMap;

/// A random program, its arrays at the start and at the end.
struct Case {
    text: String,
    start: Vec<f32>,
    expected: [Vec<f32>; 2],
}

/// The random program of a seed; `one` passes one array as both.
fn case(seed: u64, one: bool) -> Case {
    let mut random = Random::new(seed);
    let large = seed.is_multiple_of(2);
    let array = if large { [70, 300] } else { [9, 41] };
    let array = array.map(|extent| 1 + random.below(extent) as usize);
    let mut maker = Maker {
        random,
        array,
        shapes: vec![],
        bounds: vec![],
        body: vec![],
    };
    let mut known = vec![maker.slice()];
    maker.block(&mut known, 2, 14);
    let memory = format!("memref<{}x{}xf32>", array[0], array[1]);
    let mut printer = Printer {
        random: &mut maker.random,
        memory: memory.clone(),
        shapes: &maker.shapes,
        text: String::new(),
    };
    printer.block(&maker.body);
    let text = program(&printer.text, &memory, one);
    let start: Vec<f32> = (0..array[0] * array[1])
        .map(|i| (i % 7) as f32 - 3.0)
        .collect();
    let mut interpreter = Interpreter {
        array,
        arrays: [start.clone(), start.clone()],
        one,
        shapes: &maker.shapes,
        tensors: HashMap::new(),
    };
    interpreter.block(&maker.body);
    Case {
        text,
        start,
        expected: interpreter.arrays,
    }
}

/// A program of one region on indices and two arrays.
fn program(body: &str, memory: &str, one: bool) -> String {
    let world = memory.replace("memref<", "memref<?x");
    let second = if one { "%m0r" } else { "%m1r" };
    format!(
        "func.func @d(%k: memref<1x301xi32>, %m0: {memory} {{pl.inout}}, %m1: {memory} {{pl.inout}})\n\
         \x20   attributes {{pl.device}} {{\n\
         \x20 %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n\
         \x20 %yes = arith.constant true\n  %no = arith.constant false\n\
         \x20 pl.at core_group {{\n{body}  }}\n  return\n}}\n\
         func.func @main(%k: memref<?x1x301xi32>, %m0: {world} {{pl.inout}}, %m1: {world} {{pl.inout}})\n\
         \x20   attributes {{pl.host}} {{\n\
         \x20 %c0 = arith.constant 0 : index\n\
         \x20 %kr = pl.shard %k[%c0] : memref<?x1x301xi32> -> memref<1x301xi32>\n\
         \x20 %m0r = pl.shard %m0[%c0] : {world} -> {memory}\n\
         \x20 %m1r = pl.shard %m1[%c0] : {world} -> {memory}\n\
         \x20 pld.dispatch @d(%kr, %m0r, {second}) on %c0 : (memref<1x301xi32>, {memory}, {memory})\n\
         \x20 return\n}}\n"
    )
}

/// The program in tiles that take so many bytes; `None` if they do not fit.
fn tiled(text: &str, budget: i64) -> Option<Compiled> {
    let context = pld_dialects::context();
    pld_passes::register();
    pld_lowering::register();
    let module = Module::parse(&context, text).unwrap_or_else(|| panic!("does not parse:\n{text}"));
    let passes = format!("pl-outline-at,pl-tile-tensors{{budget={budget}}},pl-verify-tiled");
    let codes = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = codes.clone();
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        seen.lock().expect("no panic").push(diagnostic.to_string());
        true
    });
    let fits = bridge::run_pipeline(module.as_operation(), &passes).is_ok();
    context.detach_diagnostic_handler(handler);
    if !fits {
        let codes = codes.lock().expect("no panic");
        let too_large = codes.iter().any(|text| text.contains("[pld-301]"));
        assert!(too_large, "{codes:?}\n{text}");
        return None;
    }
    let compiled = compile(module.as_operation(), &CompileOptions::default());
    Some(
        compiled.unwrap_or_else(|_| panic!("does not compile:\n{text}\n{}", module.as_operation())),
    )
}

/// Random programs do what the interpreter says, in tiles of any size; of the largest
/// budgets few do not fit.
#[test]
fn random_tensor_programs_equal_the_interpreter() {
    let seeds = std::env::var("PLD_TENSOR_SEEDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let indices: Vec<i32> = (0..=300).collect();
    let mut fitting = HashMap::new();
    for seed in 0..seeds.unwrap_or(24) {
        for one in [false, true] {
            let case = case(seed, one);
            for budget in [1 << 20, 131_072, 24_000, 3_000] {
                let Some(code) = tiled(&case.text, budget) else {
                    continue;
                };
                *fitting.entry(budget).or_insert(0) += 1;
                let mut arrays = [bytes(&indices), bytes(&case.start), bytes(&case.start)];
                assert_fine(&run_main(&code, 1, &mut arrays));
                for (index, expected) in case.expected.iter().enumerate() {
                    let found = numbers::<f32>(&arrays[index + 1]);
                    let pairs = found.iter().zip(expected);
                    let differ = pairs.clone().position(|(a, b)| a.to_bits() != b.to_bits());
                    assert_eq!(
                        differ,
                        None,
                        "seed {seed}, one array: {one}, budget {budget}, array {index}: {:?}\n{}",
                        differ.map(|at| (found[at], expected[at])),
                        case.text
                    );
                }
            }
        }
    }
    let all = 2 * seeds.unwrap_or(24);
    assert_eq!(fitting.get(&(1 << 20)), Some(&all), "{fitting:?}");
    assert!(
        fitting.get(&3_000).is_some_and(|&some| some > all / 8),
        "{fitting:?}"
    );
}
