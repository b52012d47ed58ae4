//! Orders and memory of the acceptance programs: counts, time by the model, and equal results
//! with a full barrier behind each statement.

use super::{
    harness::{Schedule, built_by, program_files, register},
    programs::{entries, entry, is_lowered},
};
use crate::cpu::values::Random;
use pld_dialects::melior::ir::Module;
use pld_lowering::hccl::{Choices, Measures, measure};

fn measured(text: &str, entry: &str) -> Measures {
    register();
    let context = pld_dialects::context();
    let module = Module::parse(&context, text).expect("parses");
    measure(module.as_operation(), entry, "a2a3").expect("lowered")
}

/// Orders by need never take longer than full barriers, and shared memory is within a tenth
/// of what lives at the same time.
#[test]
fn all_programs() {
    for (name, text) in program_files() {
        for entry in entries(&text) {
            if !is_lowered(&text, &entry) {
                continue;
            }
            let measures = measured(&text, &entry);
            for orderings in &measures.orderings {
                let (auto, conservative) = (orderings.auto.1, orderings.conservative.1);
                assert!(auto <= conservative, "{name} @{entry}: {orderings:?}");
            }
            for peak in &measures.peaks {
                assert!(peak.bound <= peak.shared && peak.shared <= peak.spread);
                assert!(
                    10 * peak.shared <= 11 * peak.bound,
                    "{name} @{entry}: {peak:?}"
                );
            }
        }
    }
}

/// Two buffers in turn overlap what goes in with what goes out.
#[test]
fn pipelined_put_overlaps() {
    let text = include_str!("../../../test/programs/put_pipelined.mlir");
    let measures = measured(text, "main");
    let [orderings] = &measures.orderings[..] else {
        panic!("one kernel: {measures:?}");
    };
    let (auto, conservative) = (orderings.auto.1, orderings.conservative.1);
    assert!(10 * auto <= 7 * conservative, "{orderings:?}");
}

/// Full barriers change no result.
#[track_caller]
fn check_conservative(text: &str, name: &str) {
    let entry = entry(text, name);
    let [auto, conservative] = [false, true].map(|conservative| {
        let choices = Choices {
            conservative,
            ..Choices::default()
        };
        built_by(text, name, choices)
    });
    let mut random = Random::new(3);
    for n in (1..=4).filter(|&n| entry.admits(n)) {
        let arrays = entry.arguments(n, &mut random);
        let expected = auto.run(n, &arrays, Schedule::SOME[0]);
        for schedule in Schedule::SOME {
            let found = conservative.run(n, &arrays, schedule);
            assert!(found == expected, "@{name}, n={n} {schedule:?}");
        }
    }
}

/// A program with two buffers in turn.
#[test]
fn conservative() {
    check_conservative(
        include_str!("../../../test/programs/put_pipelined.mlir"),
        "main",
    );
}

/// A statement of several lines, which has a loop with barriers of its own: what is behind it
/// is behind all of them.
#[test]
fn conservative_lines() {
    let text = "
func.func @core(%x: memref<8x16xf32>, %y: memref<1x16xf32> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<8x16xf32> -> !pl.tile<8x16xf32>
  %s = pl.col_sum %t : !pl.tile<8x16xf32> -> !pl.tile<1x16xf32>
  %u = pl.add %s, %s : !pl.tile<1x16xf32>
  pl.store %u, %y[0, 0] : !pl.tile<1x16xf32>, memref<1x16xf32>
  return
}
func.func @device(%x: memref<8x16xf32>, %y: memref<1x16xf32> {pl.out}) attributes {pl.device} {
  call @core(%x, %y) : (memref<8x16xf32>, memref<1x16xf32>) -> ()
  return
}
func.func @main(%x: memref<?x8x16xf32>, %y: memref<?x1x16xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x8x16xf32> -> memref<8x16xf32>
    %yr = pl.shard %y[%r] : memref<?x1x16xf32> -> memref<1x16xf32>
    pld.dispatch @device(%xr, %yr) on %r : (memref<8x16xf32>, memref<1x16xf32>)
  }
  return
}
func.func @golden(%x: memref<?x8x16xf32>, %y: memref<?x1x16xf32> {pl.out})
    attributes {pl.golden} {
  return
}
";
    check_conservative(text, "main");
}

/// All programs.
#[test]
#[ignore = "long"]
fn conservative_all() {
    for (_, text) in program_files() {
        for entry in entries(&text) {
            if is_lowered(&text, &entry) {
                check_conservative(&text, &entry);
            }
        }
    }
}
