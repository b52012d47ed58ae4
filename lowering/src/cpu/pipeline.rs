//! The pipeline from any level to the llvm dialect, readable in one place.

use super::{
    CompileOptions,
    emit::{BOUNDS, RACES, REGISTERS},
};
use pld_dialects::pass::{Options, Pipeline};
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
    text(bounds, races, registers, barrier)
}

/// After [`checks`].
fn text(bounds: &str, races: &str, registers: &str, barrier: &str) -> String {
    [
        // ---- To tile level: barriers become notify and wait.
        &to_tile(barrier),
        // ---- Tiles to vectors: what becomes one loop nest, and where tiles are kept ...
        "pl-cpu-plan",
        // ... then loops, runtime calls and the calling convention.
        &format!("pl-cpu-emit{{bounds={bounds} races={races} registers={registers}}}"),
        "pl-cpu-verify-lowered",
        // ---- Upstream, most of it for goldens only.
        "convert-linalg-to-loops",
        "convert-scf-to-cf",
        "expand-strided-metadata",
        "lower-affine",
        // bf16 arithmetic by f32, and its conversions by integers: LLVM would call a library
        // that is not there. Also expands what has no form in LLVM, as arith.ceildivsi.
        "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}",
        "arith-expand{include-bf16=true}",
        // All dialects at once, which takes half the time of one after another.
        "convert-to-llvm",
        "reconcile-unrealized-casts",
    ]
    .join(",")
}

/// The textual pipeline for these options, of a module that has been linted.
pub(super) fn to_llvm(options: &CompileOptions) -> String {
    text(
        &options.bounds.to_string(),
        &options.races.to_string(),
        &options.cpu.registers().to_string(),
        &options.barrier.to_string(),
    )
}
