//! Parsing, verifying and printing: modules of 100,000 operations of `pl` and `pld` with
//! `pld-opt`, against as many `memref` and `arith` operations of as many operands with
//! `mlir-opt`. The two take turns, so that what else the machine does falls on both.
//!
//! `PLD_BENCH_RUNS` sets how many runs the medians are of (7).

use std::{
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

const OPERATIONS: usize = 100_000;
/// The ratio that is allowed.
const LIMIT: f64 = 1.5;

/// A shape of program: its name, ours and upstream's.
struct Shape {
    name: &'static str,
    ours: String,
    upstream: String,
}

/// Loads, sums and stores; every 20th operation is a notify, or there a store.
fn body(ours: &mut String, upstream: &mut String, count: usize) {
    for group in 0..count / 4 {
        let (row, i) = (group % 64, group % 2);
        let _ = write!(
            ours,
            "  %a{group} = pl.load %x[%i{i}, 0] : memref<64x64xf32> -> !pl.tile<1x64xf32>
  %b{group} = pl.load %w[%i{i}, 0] : !pld.dtensor<64x64xf32> -> !pl.tile<1x64xf32>
  %c{group} = pl.add %a{group}, %b{group} : !pl.tile<1x64xf32>
"
        );
        let _ = write!(
            upstream,
            "  %a{group} = memref.load %x[%i{i}] : memref<64xf32>
  %b{group} = memref.load %w[%i{i}] : memref<64xf32>
  %c{group} = arith.addf %a{group}, %b{group} : f32
"
        );
        if group % 5 == 4 {
            let _ = writeln!(
                ours,
                "  pld.notify add %v, %s[{row}, 0] to %i{i} : !pld.dtensor<64x1xi32>"
            );
            let _ = writeln!(upstream, "  memref.store %v, %s[%i{i}] : memref<64xi32>");
        } else {
            let _ = writeln!(
                ours,
                "  pl.store %c{group}, %y[%i{i}, 0] : !pl.tile<1x64xf32>, memref<64x64xf32>"
            );
            let _ = writeln!(
                upstream,
                "  memref.store %c{group}, %y[%i{i}] : memref<64xf32>"
            );
        }
    }
}

const PARAMETERS: [&str; 2] = [
    "%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %w: !pld.dtensor<64x64xf32>, \
     %s: !pld.dtensor<64x1xi32>, %v: i32, %i0: index, %i1: index",
    "%x: memref<64xf32>, %y: memref<64xf32>, %w: memref<64xf32>, \
     %s: memref<64xi32>, %v: i32, %i0: index, %i1: index",
];
const TYPES: [&str; 2] = [
    "(memref<64x64xf32>, memref<64x64xf32>, !pld.dtensor<64x64xf32>, !pld.dtensor<64x1xi32>, \
     i32, index, index) -> ()",
    "(memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xi32>, i32, index, index) -> ()",
];

fn one_function() -> Shape {
    let mut texts = [
        format!(
            "func.func @f({}) attributes {{pl.incore}} {{\n",
            PARAMETERS[0]
        ),
        format!("func.func @f({}) {{\n", PARAMETERS[1]),
    ];
    let [ours, upstream] = &mut texts;
    body(ours, upstream, OPERATIONS);
    let [ours, upstream] = texts.map(|text| text + "  return\n}\n");
    Shape {
        name: "one function",
        ours,
        upstream,
    }
}

/// Functions of ten operations, each of which calls the one before.
fn many_functions() -> Shape {
    let mut texts = [String::new(), String::new()];
    for index in 0..OPERATIONS / 10 {
        for (text, (parameters, kind)) in texts
            .iter_mut()
            .zip(PARAMETERS.into_iter().zip([" attributes {pl.incore}", ""]))
        {
            let _ = writeln!(text, "func.func @f{index}({parameters}){kind} {{");
        }
        let [ours, upstream] = &mut texts;
        body(ours, upstream, 8);
        for (text, types) in texts.iter_mut().zip(TYPES) {
            if index > 0 {
                let _ = writeln!(
                    text,
                    "  call @f{}(%x, %y, %w, %s, %v, %i0, %i1) : {types}",
                    index - 1
                );
            }
            *text += "  return\n}\n";
        }
    }
    let [ours, upstream] = texts;
    Shape {
        name: "10,000 functions",
        ours,
        upstream,
    }
}

/// Dispatches of one host function, or calls.
fn many_dispatches() -> Shape {
    let mut ours = String::from(
        "func.func @f(%w: !pld.dtensor<64xf32>, %v: i32) attributes {pl.device} { return }
func.func @main(%v: i32, %r: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [64] of f32
  %w = pld.window %b : !pld.dtensor<64xf32>\n",
    );
    let mut upstream = String::from(
        "func.func @f(%w: memref<64xf32>, %v: i32, %r: index) { return }
func.func @main(%w: memref<64xf32>, %v: i32, %r: index) {\n",
    );
    for _ in 0..OPERATIONS {
        ours += "  pld.dispatch @f(%w, %v) on %r : (!pld.dtensor<64xf32>, i32)\n";
        upstream += "  call @f(%w, %v, %r) : (memref<64xf32>, i32, index) -> ()\n";
    }
    ours += "  return\n}\n";
    upstream += "  return\n}\n";
    Shape {
        name: "100,000 dispatches",
        ours,
        upstream,
    }
}

/// Wall time of a tool that reads `file` and prints to nowhere.
fn time(tool: &Path, file: &Path) -> Result<Duration, String> {
    let start = Instant::now();
    let status = Command::new(tool)
        .arg(file)
        .stdout(Stdio::null())
        .status()
        .map_err(|error| format!("{}: {error}", tool.display()))?;
    if !status.success() {
        return Err(format!("{} fails on {}", tool.display(), file.display()));
    }
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn run() -> Result<bool, String> {
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let tools = [
        PathBuf::from(env!("CARGO_BIN_EXE_pld-opt")),
        Path::new(&prefix).join("bin/mlir-opt"),
    ];
    let runs = env::var("PLD_BENCH_RUNS").ok();
    let runs = runs.and_then(|runs| runs.parse().ok()).unwrap_or(7).max(1);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    println!(
        "parse, verify and print {OPERATIONS} operations; medians of {runs} runs\n\n\
         {:<20} {:>12} {:>12} {:>7}",
        "", "pld-opt", "mlir-opt", "ratio"
    );
    let mut fine = true;
    for shape in [one_function(), many_functions(), many_dispatches()] {
        let files = ["ours", "upstream"].map(|name| folder.join(format!("compile-{name}.mlir")));
        for (file, text) in files.iter().zip([&shape.ours, &shape.upstream]) {
            fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..runs {
            for ((times, tool), file) in times.iter_mut().zip(&tools).zip(&files) {
                times.push(time(tool, file)?);
            }
        }
        let [ours, upstream] = times.map(median);
        let ratio = ours / upstream;
        fine &= ratio <= LIMIT;
        println!(
            "{:<20} {ours:>9.0} ms {upstream:>9.0} ms {ratio:>7.2}",
            shape.name
        );
    }
    Ok(fine)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("compile: a ratio is above {LIMIT}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("compile: {error}");
            ExitCode::FAILURE
        }
    }
}
