//! The pipeline from any level to the llvm dialect, readable in one place.

use super::{
    CompileOptions,
    emit::{BOUNDS, RACES, REGISTERS},
};
use melior::ir::operation::OperationRef;
use pld_dialects::{
    bridge,
    pass::{Options, Pipeline},
};
use pld_passes::{
    lower_collectives::BARRIER,
    pipeline::{PROTOCOL, checks, to_tile},
};

/// `--lower-pld-to-cpu`.
pub const TO_CPU: Pipeline = Pipeline {
    argument: "lower-pld-to-cpu",
    description: "Lower pl and pld to the llvm dialect and calls of the simulator's runtime.",
    options: &[BOUNDS, RACES, REGISTERS, BARRIER, PROTOCOL],
    build: |options| Ok(format!("{},{}", checks(options, "")?, checked(options))),
};

fn checked(options: &Options) -> String {
    let [bounds, races, registers, barrier] =
        [BOUNDS, RACES, REGISTERS, BARRIER].map(|option| options.get(option.name));
    let vectors = to_vectors(bounds, races, registers, barrier);
    format!("{vectors},{}", to_llvm(true))
}

/// After [`checks`].
fn to_vectors(bounds: &str, races: &str, registers: &str, barrier: &str) -> String {
    [
        // ---- To tile level: barriers become notify and wait.
        &to_tile(barrier),
        // ---- Tiles to vectors: what becomes one loop nest, and where tiles are kept ...
        "pl-cpu-plan",
        // ... then loops, runtime calls and the calling convention.
        &format!("pl-cpu-emit{{bounds={bounds} races={races} registers={registers}}}"),
        "pl-cpu-verify-lowered",
    ]
    .join(",")
}

/// Upstream passes, after [`to_vectors`].
fn to_llvm(has_tensors: bool) -> String {
    // Linear algebra and memory references, which only goldens have left.
    let tensors: &[&str] = match has_tensors {
        true => &[
            "convert-linalg-to-loops",
            "expand-strided-metadata",
            "lower-affine",
        ],
        false => &[],
    };
    let rest = [
        // Neither conversion ever takes a pattern back, and keeping what that needs costs time.
        "convert-scf-to-cf{allow-pattern-rollback=false}",
        // bf16 arithmetic by f32, and its conversions by integers: LLVM would call a function for
        // each. Also expands what has no form in LLVM, as arith.ceildivsi.
        "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}",
        "arith-expand{include-bf16=true}",
    ];
    // Functions at once on the processors, then all dialects at once, which takes half the time of
    // one after another.
    format!(
        "func.func({}),convert-to-llvm{{allow-pattern-rollback=false}},\
         llvm.func(reconcile-unrealized-casts)",
        [tensors, &rest].concat().join(",")
    )
}

/// The textual pipeline for these options, of a module that has been linted, up to the gate behind
/// our own passes.
pub(super) fn own_passes(options: &CompileOptions) -> String {
    to_vectors(
        &options.bounds.to_string(),
        &options.races.to_string(),
        &options.cpu.registers().to_string(),
        &options.barrier.to_string(),
    )
}

/// The rest of it.
pub(super) fn upstream_passes(module: OperationRef) -> String {
    const TENSORS: [&str; 3] = ["linalg.", "affine.", "memref."];
    let has_tensors = !bridge::collect(module, |name| {
        TENSORS.iter().any(|dialect| name.starts_with(dialect))
    })
    .is_empty();
    to_llvm(has_tensors)
}
