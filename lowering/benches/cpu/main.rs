//! Compiled kernels on one rank and one thread, against NumPy in place; and what compiling
//! costs. NumPy runs in a process of its own and takes turns with us, so that what else the
//! machine does falls on both. Results are compared in the same run.
//!
//! `PLD_BENCH_RUNS` sets how many runs the medians are of (15).

mod compile;
mod peer;

use peer::Peer;
use pld_dialects::melior::ir::Module;
use pld_lowering::cpu::{self, CompileOptions, Compiled};
use pld_runtime::{Options, Program, run};
use std::{env, process::ExitCode, time::Instant};

const SIZE: usize = 512;
const ROWS: usize = 4096;
const COLUMNS: usize = 1024;

/// A computation: its name, program, and how much faster than NumPy it has to be.
struct Kernel {
    name: &'static str,
    title: &'static str,
    text: &'static str,
    bar: f64,
    /// Numbers of the result.
    size: usize,
    /// What is read besides, and whether the result starts as the input.
    inputs: &'static [&'static str],
    in_place: bool,
    /// How far from NumPy's a number may be, relative to the larger and to 1.
    tolerance: f32,
}

const KERNELS: [Kernel; 4] = [
    Kernel {
        name: "softmax",
        title: "softmax 4096x1024 f32",
        text: include_str!("softmax.mlir"),
        bar: 1.5,
        size: ROWS * COLUMNS,
        inputs: &[],
        in_place: true,
        tolerance: 1e-6,
    },
    Kernel {
        name: "rmsnorm",
        title: "rmsnorm 4096x1024 f32",
        text: include_str!("rmsnorm.mlir"),
        bar: 1.5,
        size: ROWS * COLUMNS,
        inputs: &["gain"],
        in_place: true,
        tolerance: 1e-6,
    },
    Kernel {
        name: "chain",
        title: "five elementwise 4096x1024 f32",
        text: include_str!("chain.mlir"),
        bar: 2.0,
        size: ROWS * COLUMNS,
        inputs: &[],
        in_place: true,
        tolerance: 0.0,
    },
    Kernel {
        name: "gemm",
        title: "gemm 512x512x512 f32",
        text: include_str!("gemm.mlir"),
        bar: 0.8,
        size: SIZE * SIZE,
        inputs: &["a", "b"],
        in_place: false,
        tolerance: 1e-4,
    },
];

/// Numbers between -2 and 2 that look random.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = u64::from(seed);
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as i32 as f32 / (1u32 << 29) as f32 - 2.0
    };
    (0..count).map(|_| next()).collect()
}

fn compiled(text: &str, options: &CompileOptions) -> Compiled {
    let context = pld_dialects::context();
    let module = Module::parse(&context, text).expect("the program parses");
    cpu::compile(module.as_operation(), options).expect("the program compiles")
}

/// Runs a program once on one rank; milliseconds.
fn time(program: &Program, words: &[u64]) -> f64 {
    let options = Options {
        races: false,
        ..Options::default()
    };
    let start = Instant::now();
    let report = run(program, words, &options);
    let elapsed = start.elapsed();
    assert!(report.findings.is_empty() && report.error.is_none());
    elapsed.as_secs_f64() * 1e3
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs a kernel and NumPy in turns; whether it is as fast as it has to be.
fn compare(kernel: &Kernel, peer: &mut Peer, runs: usize) -> bool {
    let options = CompileOptions {
        races: false,
        ..CompileOptions::default()
    };
    let code = compiled(kernel.text, &options);
    let program = Program {
        entry: code.function("main").expect("the entry is compiled"),
        sites: code.sites(),
    };
    let input = peer.array("x").to_vec();
    let mut result = vec![0f32; kernel.size];
    let mut words = vec![result.as_mut_ptr() as u64, 1];
    words.extend(
        kernel
            .inputs
            .iter()
            .map(|name| peer.array(name).as_ptr() as u64),
    );
    let mut turn = || {
        if kernel.in_place {
            result.copy_from_slice(&input);
        }
        let ours = time(&program, &words);
        (ours, result.clone())
    };
    let (_, ours) = turn();
    let theirs = peer.result(kernel.name, kernel.size);
    let worst = ours.iter().zip(&theirs).find(|(a, b)| {
        let size = a.abs().max(b.abs()).max(1.0);
        a.is_nan() || (*a - *b).abs() > kernel.tolerance * size
    });
    assert!(worst.is_none(), "{}: {worst:?} differ", kernel.name);
    let (mut ours, mut theirs, mut ratios) = (vec![], vec![], vec![]);
    for _ in 0..runs {
        let (mine, _) = turn();
        let numpy = peer.time(kernel.name);
        ours.push(mine);
        theirs.push(numpy);
        ratios.push(numpy / mine);
    }
    let (ours, theirs, ratio) = (median(ours), median(theirs), median(ratios));
    let verdict = if ratio >= kernel.bar { "" } else { "  MISSED" };
    println!(
        "{:<34}{ours:>10.2} ms{theirs:>10.2} ms{ratio:>8.2}{:>8.2}{verdict}",
        kernel.title, kernel.bar
    );
    ratio >= kernel.bar
}

fn main() -> ExitCode {
    let runs = env::var("PLD_BENCH_RUNS")
        .ok()
        .and_then(|runs| runs.parse().ok());
    let runs = runs.unwrap_or(15);
    let arrays = vec![
        ("x", numbers(ROWS * COLUMNS, 1)),
        ("gain", numbers(COLUMNS, 2)),
        ("a", numbers(SIZE * SIZE, 3)),
        ("b", numbers(SIZE * SIZE, 4)),
    ];
    let mut peer = match Peer::start(arrays) {
        Ok(peer) => peer,
        Err(error) => {
            eprintln!("cannot run NumPy: {error}");
            return ExitCode::FAILURE;
        }
    };
    println!("one rank, one thread; {} ; medians of {runs}", peer.version);
    println!(
        "{:<34}{:>13}{:>13}{:>8}{:>8}",
        "", "ours", "NumPy", "ratio", "bar"
    );
    let fast: Vec<_> = KERNELS
        .iter()
        .map(|kernel| compare(kernel, &mut peer, runs))
        .collect();
    let quick = compile::report(&KERNELS.map(|kernel| kernel.text), runs);
    if fast.into_iter().all(|fast| fast) && quick {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
