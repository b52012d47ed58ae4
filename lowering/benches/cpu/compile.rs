//! From the text of a program to code that can be called: one kernel, more of them in one
//! module, which the processors share, and one that was compiled before.

use crate::median;
use pld_dialects::melior::ir::Module;
use pld_lowering::cpu::{self, CompileOptions};
use std::time::Instant;

/// How many kernels the large module has.
const MANY: usize = 9;

/// Milliseconds from text to code, and of that after the parser.
fn time(text: &str, keep: bool) -> [f64; 2] {
    let options = CompileOptions {
        races: false,
        keep,
        ..CompileOptions::default()
    };
    let start = Instant::now();
    let context = pld_dialects::context();
    let module = Module::parse(&context, text).expect("the program parses");
    let parsed = Instant::now();
    let code = cpu::compile(module.as_operation(), &options).expect("the program compiles");
    assert!(code.function("main").is_some());
    [start, parsed].map(|since| since.elapsed().as_secs_f64() * 1e3)
}

/// A module of so many copies of a kernel, without those of its type aliases but the first.
fn repeated(text: &str, count: usize) -> String {
    let (aliases, code): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with('!'));
    let code = code.join("\n");
    let mut module = aliases.join("\n") + "\n" + &code + "\n";
    for copy in 1..count {
        let mut code = code.clone();
        for name in ["core", "device", "main"] {
            code = code.replace(&format!("@{name}("), &format!("@{name}_{copy}("));
        }
        module += &(code + "\n");
    }
    module
}

/// Prints what compiling the kernels costs; whether it is as quick as it has to be.
pub fn report(kernels: &[&str], runs: usize) -> bool {
    let text = kernels[0];
    let many = repeated(text, MANY);
    // The first compilation of a process also starts LLVM and MLIR.
    let first = time(text, false)[0];
    let (mut one, mut more, mut kept) = (vec![], vec![], vec![]);
    time(text, true);
    for _ in 0..runs {
        let single = time(text, false)[0];
        one.push(single);
        more.push((time(&many, false)[0] - single) / (MANY - 1) as f64);
        kept.push(time(text, true)[1]);
    }
    let rows = [
        ("softmax, text to code: first", first, 100.0),
        ("softmax, text to code", median(one), 100.0),
        ("each further kernel", median(more), 10.0),
        ("module to code, compiled before", median(kept), 1.0),
    ];
    println!("{:<34}{:>13}{:>29}", "", "ours", "at most");
    let mut quick = true;
    for (title, milliseconds, bar) in rows {
        let verdict = if milliseconds <= bar { "" } else { "  MISSED" };
        println!("{title:<34}{milliseconds:>10.2} ms{bar:>26.0} ms{verdict}");
        quick &= milliseconds <= bar;
    }
    quick
}
