//! Compiles a program from text and runs it on byte buffers.

use pld_dialects::melior::ir::Module;
use pld_lowering::cpu::{CompileOptions, Compiled, Cpu, compile};
use pld_runtime::{Options, Program, Report, run};
use std::fmt::Write;

/// Whose code has to come to the same: vectors differ, and what a CPU has no instruction for.
pub const CPUS: [Cpu; 2] = [Cpu::Host, Cpu::X86_64V3];

/// Compiles the text of a module.
pub fn compiled(text: &str, options: CompileOptions) -> Compiled {
    let context = pld_dialects::context();
    let module = Module::parse(&context, text).unwrap_or_else(|| panic!("does not parse:\n{text}"));
    compile(module.as_operation(), &options).unwrap_or_else(|_| panic!("does not compile:\n{text}"))
}

/// As [`compiled`], with all checks.
pub fn checked(text: &str) -> Compiled {
    compiled(text, CompileOptions::default())
}

/// Reads the first numbers of `%p` as indices `%i0`, `%i1`, ...
pub fn indices(count: usize) -> String {
    (0..count)
        .map(|i| {
            format!(
                "  %p{i} = pl.read %p[0, {i}] : memref<1x4xi32>\n\
                 \x20 %i{i} = arith.index_cast %p{i} : i32 to index\n"
            )
        })
        .collect()
}

/// Runs `@main` on `world` ranks; each argument is the bytes of a world array of type
/// `memref<?x...>`.
pub fn run_main(code: &Compiled, world: usize, arrays: &mut [Vec<u8>]) -> Report {
    let words: Vec<_> = arrays
        .iter_mut()
        .flat_map(|array| [array.as_mut_ptr() as u64, world as u64])
        .collect();
    run_entry(code, "main", world, &words)
}

/// Runs an entry on argument words.
pub fn run_entry(code: &Compiled, entry: &str, world: usize, words: &[u64]) -> Report {
    let program = Program {
        entry: code.function(entry).expect("the entry is compiled"),
        sites: code.sites(),
    };
    let options = Options {
        world,
        ..Options::default()
    };
    run(&program, words, &options)
}

/// Panics unless a run ended well.
#[track_caller]
pub fn assert_fine(report: &Report) {
    assert!(
        report.findings.is_empty() && report.error.is_none(),
        "{:?} {:#?}",
        report.error,
        report.findings
    );
}

/// A program of one in-core function `@k` on memrefs, each given as `name, type, direction`,
/// that every rank runs on its shards of world arrays.
pub fn kernel(parameters: &[(&str, &str, &str)], body: &str) -> String {
    let list = |shape: fn(&str) -> String, directions: bool| {
        let mut text = String::new();
        for (index, (name, r#type, direction)) in parameters.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let mark = if directions {
                format!(" {{pl.{direction}}}")
            } else {
                String::new()
            };
            write!(text, "{comma}%{name}: {}{mark}", shape(r#type)).expect("a string");
        }
        text
    };
    let own = |t: &str| format!("memref<{t}>");
    let world = |t: &str| format!("memref<?x{t}>");
    let names = |prefix: &str| {
        let names: Vec<_> = parameters
            .iter()
            .map(|p| format!("%{}{prefix}", p.0))
            .collect();
        names.join(", ")
    };
    let types: Vec<_> = parameters.iter().map(|p| own(p.1)).collect();
    let types = types.join(", ");
    let shards: String = parameters
        .iter()
        .map(|(name, t, _)| {
            format!("    %{name}_r = pl.shard %{name}[%r] : memref<?x{t}> -> memref<{t}>\n")
        })
        .collect();
    format!(
        "func.func @k({}) attributes {{pl.incore}} {{\n{body}\n  return\n}}\n\
         func.func @d({}) attributes {{pl.device}} {{\n  call @k({}) : ({types}) -> ()\n  return\n}}\n\
         func.func @main({}) attributes {{pl.host}} {{\n\
         \x20 %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n\
         \x20 %n = pld.world_size\n  scf.for %r = %c0 to %n step %c1 {{\n{shards}\
         \x20   pld.dispatch @d({}) on %r : ({types})\n  }}\n  return\n}}\n",
        list(own, true),
        list(own, true),
        names(""),
        list(world, true),
        names("_r"),
    )
}

/// The bytes of a slice of numbers.
pub fn bytes<T: Copy>(values: &[T]) -> Vec<u8> {
    // SAFETY: any number is bytes.
    let bytes =
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) };
    bytes.to_vec()
}

/// The numbers in a buffer.
pub fn numbers<T: Copy>(bytes: &[u8]) -> Vec<T> {
    let size = size_of::<T>();
    assert_eq!(bytes.len() % size, 0);
    bytes
        .chunks_exact(size)
        // SAFETY: a chunk holds one number, of a type for which any bits are one.
        .map(|chunk| unsafe { chunk.as_ptr().cast::<T>().read_unaligned() })
        .collect()
}
