//! The pipeline from programs to emitc, readable in one place.

use super::{plan_memory, select_entry, verify_target};
use pld_dialects::pass::{Options, Pipeline};
use pld_passes::lower_collectives::{BARRIER, Barrier};

/// `--lower-pld-to-hccl`.
pub const TO_HCCL: Pipeline = Pipeline {
    argument: "lower-pld-to-hccl",
    description: "Lower a program to emitc: in-core functions to AscendC kernels with on-core \
                  memory planned and pipes synchronised, device and host functions to ACL and \
                  HCCL code. Print it by pld-translate --mlir-to-ascendc.",
    options: &[
        select_entry::ENTRY,
        verify_target::ARCH,
        plan_memory::REUSE,
        BARRIER,
    ],
    build: |options| Ok(to_hccl(options)),
};

/// The textual pipeline.
pub fn to_hccl(options: &Options) -> String {
    let arch = options.get("arch");
    [
        planned(
            options.get("entry"),
            arch,
            options.get("reuse"),
            options.get("barrier"),
        ),
        // Statements, with the bytes that they touch.
        format!("pld-to-emitc{{arch={arch}}}"),
        // After planning, so that shared memory is seen.
        "pl-insert-sync".into(),
        // Whatever is left would not print.
        "pld-verify-emitc".into(),
    ]
    .join(",")
}

/// Up to where all is known that the target could refuse.
fn planned(entry: &str, arch: &str, reuse: &str, barrier: &str) -> String {
    [
        // To tile level; lints the program as written.
        pld_passes::pipeline::to_tile(barrier),
        // What comes now knows all that is left.
        "pld-verify-lowerable{target=hccl}".into(),
        // One program is generated at a time.
        format!("pld-select-entry{{entry={entry}}}"),
        // One kernel for each body that blocks run.
        "pl-outline-blocks".into(),
        // One plan of memory for each kernel: helpers first become part of it.
        "pl-inline-incore".into(),
        // Before anything is rewritten, so that findings name user code.
        format!("pl-verify-target{{arch={arch}}}"),
        // One instruction for each operation: only then is it known which tiles there are.
        format!("pl-legalize{{arch={arch}}}"),
        format!("pl-plan-memory{{arch={arch} reuse={reuse}}}"),
    ]
    .join(",")
}

/// The textual pipeline that checks an entry against a target and generates nothing.
pub fn check(entry: &str, arch: &str) -> String {
    planned(entry, arch, plan_memory::REUSE.default, BARRIER.default)
}

/// The textual pipeline for an entry and a form of barrier, with defaults for all else.
pub fn for_entry(entry: &str, barrier: Barrier) -> String {
    format!("{}{{entry={entry} barrier={barrier}}}", TO_HCCL.argument)
}

/// The textual pipeline that only selects an entry.
pub fn select(entry: &str) -> String {
    format!("{}{{entry={entry}}}", select_entry::PASS.argument)
}
