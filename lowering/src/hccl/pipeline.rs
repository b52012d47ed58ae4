//! The pipeline from programs to emitc, readable in one place.

use super::{plan_memory, verify_target};
use pld_dialects::pass::{Options, Pipeline};
use pld_passes::{
    lower_collectives::{BARRIER, Barrier},
    pipeline::{PROTOCOL, checks, to_tile},
    select_entry,
};

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
        PROTOCOL,
    ],
    build: to_hccl,
};

/// The textual pipeline.
fn to_hccl(options: &Options) -> Result<String, String> {
    let entry = options.get("entry");
    let stages = [
        // The whole program, as written.
        checks(options, entry)?,
        // One program is generated at a time.
        format!("pld-select-entry{{entry={entry}}}"),
        selected(
            options.get("arch"),
            options.get("reuse"),
            options.get("barrier"),
        ),
    ];
    Ok(stages.join(","))
}

/// From a program of one entry.
fn selected(arch: &str, reuse: &str, barrier: &str) -> String {
    [
        planned(arch, reuse, barrier),
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
fn planned(arch: &str, reuse: &str, barrier: &str) -> String {
    [
        to_tile(barrier),
        // What comes now knows all that is left.
        "pld-verify-lowerable{target=hccl}".into(),
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

/// The textual pipeline that checks a program of one entry against a target and generates
/// nothing.
pub fn check(arch: &str) -> String {
    planned(arch, plan_memory::REUSE.default, BARRIER.default)
}

/// The textual pipeline for a program of one entry and a form of barrier, with defaults for all
/// else.
pub fn with_barrier(barrier: Barrier) -> String {
    let [arch, reuse] = [verify_target::ARCH, plan_memory::REUSE].map(|option| option.default);
    selected(arch, reuse, &barrier.to_string())
}
