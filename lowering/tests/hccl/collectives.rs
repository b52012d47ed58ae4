//! Collectives of the host, by calls of HCCL and by kernels of our own: equal results.

use super::{
    harness::{Schedule, built_by, generated},
    programs::entry,
};
use crate::cpu::values::Random;
use pld_lowering::hccl::Choices;

const BY_KERNELS: Choices = Choices {
    kernel_collectives: true,
    conservative: false,
    barrier: pld_lowering::Barrier::Dissemination,
    arch: None,
};

fn host_code(text: &str, name: &str, choices: Choices) -> String {
    let files = generated(text, name, choices);
    let host = files
        .into_iter()
        .find(|file| file.path == "host/program.cpp");
    host.expect("host code").text
}

/// The host code calls `callee` by default, and not where kernels are wanted; the results are
/// equal. Small integers are exact whatever the order of additions.
#[track_caller]
fn check(text: &str, name: &str, callee: &str) {
    let call = format!("pld::{callee}(rank");
    assert!(host_code(text, name, Choices::default()).contains(&call));
    assert!(!host_code(text, name, BY_KERNELS).contains(&call));
    let [calls, kernels] =
        [Choices::default(), BY_KERNELS].map(|choices| built_by(text, name, choices));
    let entry = entry(text, name);
    let mut random = Random::new(5);
    for n in (1..=4).filter(|&n| entry.admits(n)) {
        let arrays = entry.arguments(n, &mut random);
        let expected = kernels.run(n, &arrays, Schedule::SOME[0]);
        for schedule in Schedule::SOME {
            let found = calls.run(n, &arrays, schedule);
            assert!(found == expected, "@{name}, n={n} {schedule:?}");
        }
    }
}

macro_rules! program {
    ($name:literal) => {
        include_str!(concat!("../../../test/programs/", $name, ".mlir"))
    };
}

/// The one whose result may lie in the operand of the call, and a reduction of all.
#[test]
fn reductions() {
    check(program!("reduce_scatter"), "host", "ReduceScatter");
    check(program!("allreduce_host"), "few", "AllReduce");
}

/// The others, and without a signal.
#[test]
#[ignore = "long"]
fn all() {
    for name in ["main", "omitted", "few_omitted"] {
        check(program!("allreduce_host"), name, "AllReduce");
    }
    for name in ["host", "host_alone"] {
        check(program!("allgather"), name, "AllGather");
        check(program!("all_to_all"), name, "AllToAll");
        check(program!("broadcast"), name, "Broadcast");
    }
    check(program!("reduce_scatter"), "host_alone", "ReduceScatter");
}

/// HCCL multiplies no i16 and no bf16; such a product is a kernel.
#[test]
fn what_hccl_does_not_do() {
    let text = |r#type: &str| {
        format!(
            "func.func @main() attributes {{pl.host}} {{
  %buffer = pld.alloc_window_buffer [1, 64] of {type}
  %data = pld.window %buffer : !pld.dtensor<1x64x{type}>
  pld.allreduce prod %data : !pld.dtensor<1x64x{type}>
  return
}}"
        )
    };
    for (r#type, calls) in [
        ("i16", false),
        ("bf16", false),
        ("i32", true),
        ("f16", true),
    ] {
        let code = host_code(&text(r#type), "main", Choices::default());
        assert_eq!(
            code.contains("pld::AllReduce(rank"),
            calls,
            "{type}: {code}"
        );
    }
}
