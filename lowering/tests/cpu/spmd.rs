//! Blocks of a rank: what they run, what they are given, and how they meet.

use super::harness::{assert_fine, bytes, compiled, numbers, run_main};
use pld_lowering::cpu::CompileOptions;
use pld_runtime::{Details, Report};

/// A program whose device function holds `device`, with in-core functions `functions`. It is
/// given `%x` and `%y`, the rank's 64 numbers each, and a signal `%s`.
fn program(functions: &str, device: &str) -> String {
    format!(
        "{functions}
func.func @d(%x: memref<8x8xf32>, %y: memref<8x8xf32> {{pl.out}}, %s: !pld.dtensor<?x1xi32>, %k: index, %f: f32)
    attributes {{pl.device}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
{device}
  return
}}
func.func @main(%x: memref<?x8x8xf32>, %y: memref<?x8x8xf32> {{pl.out}}) attributes {{pl.host}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %half = arith.constant 0.5 : f32
  %n = pld.world_size
  %b = pld.alloc_window_buffer [%n, 1] of i32
  %s = pld.window %b[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {{
    %xr = pl.shard %x[%r] : memref<?x8x8xf32> -> memref<8x8xf32>
    %yr = pl.shard %y[%r] : memref<?x8x8xf32> -> memref<8x8xf32>
    pld.dispatch @d(%xr, %yr, %s, %c5, %half) on %r
        : (memref<8x8xf32>, memref<8x8xf32>, !pld.dtensor<?x1xi32>, index, f32)
  }}
  return
}}"
    )
}

fn input(ranks: usize) -> Vec<f32> {
    (0..64 * ranks).map(|i| i as f32).collect()
}

#[track_caller]
fn run(ranks: usize, functions: &str, device: &str) -> (Report, Vec<f32>) {
    let code = compiled(&program(functions, device), CompileOptions::default());
    let mut arrays = [bytes(&input(ranks)), bytes(&vec![0f32; 64 * ranks])];
    let report = run_main(&code, ranks, &mut arrays);
    (report, numbers(&arrays[1]))
}

const ROWS: &str = "
func.func @rows(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}, %f: f32) attributes {pl.incore} {
  %b = pl.block_idx
  %n = pl.block_num
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %b to %c8 step %n {
    %t = pl.load %x[%i, 0] : memref<8x8xf32> -> !pl.tile<1x8xf32>
    %h = pl.muls %t, %f : !pl.tile<1x8xf32>, f32
    pl.store %h, %y[%i, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  }
  return
}";

/// Rows shared out over any number of blocks, 0 and 1 included; a scalar and memory come from
/// outside, and in a loop the blocks start again.
#[test]
fn rows_over_blocks() {
    for ranks in [1, 3] {
        let expected: Vec<_> = input(ranks).iter().map(|x| x * 0.5).collect();
        for count in ["1", "2", "3", "5", "8", "13"] {
            let device = format!(
                "  %n = arith.constant {count} : index
  scf.for %i = %c0 to %c3 step %c1 {{
    pl.spmd %n {{
      func.call @rows(%x, %y, %f) : (memref<8x8xf32>, memref<8x8xf32>, f32) -> ()
    }}
  }}"
            );
            let (report, result) = run(ranks, ROWS, &device);
            assert_fine(&report);
            assert_eq!(result, expected, "{count} blocks");
        }
    }
    let (report, result) = run(
        2,
        ROWS,
        "  pl.spmd %c0 {
    func.call @rows(%x, %y, %f) : (memref<8x8xf32>, memref<8x8xf32>, f32) -> ()
  }",
    );
    assert_fine(&report);
    assert_eq!(result, [0.0; 128]);
    // Outside of blocks there is one.
    let call = "  func.call @rows(%x, %y, %f) : (memref<8x8xf32>, memref<8x8xf32>, f32) -> ()";
    let (report, result) = run(1, ROWS, call);
    assert_fine(&report);
    assert_eq!(result, input(1).iter().map(|x| x * 0.5).collect::<Vec<_>>());
}

/// All kinds of values reach a block: memory, windows, groups, integers, what the device
/// function computed, and the numbers of the block itself, under control flow.
#[test]
fn blocks_use_values_from_outside() {
    let functions = "
func.func @put(%y: memref<8x8xf32> {pl.out}, %w: !pld.dtensor<?x1xi32>, %a: index, %b: index, %c: index)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %extent = pl.dim %w, 0 : !pld.dtensor<?x1xi32>
  %d = arith.muli %c, %extent : index
  %i = arith.index_cast %d : index to i32
  %v = arith.sitofp %i : i32 to f32
  pl.write %v, %y[%a, %b] : memref<8x8xf32>
  return
}";
    let device = "  %g = pld.get_comm_ctx %s : !pld.dtensor<?x1xi32>
  %seven = arith.addi %k, %c1 : index
  %tmp = memref.alloc(%seven) : memref<?x8xf32>
  %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%z = %k) -> (index) {
    pl.spmd %seven {
      %b = pl.block_idx
      %n = pl.block_num
      %me = pld.rank %g
      %rows = memref.dim %tmp, %c0 : memref<?x8xf32>
      %a = arith.addi %me, %rows : index
      %e = arith.addi %a, %z : index
      %odd = arith.cmpi slt, %b, %k : index
      scf.if %odd {
        scf.for %j = %c0 to %n step %c3 {
          func.call @put(%y, %s, %b, %j, %e) : (memref<8x8xf32>, !pld.dtensor<?x1xi32>, index, index, index) -> ()
        }
      }
    }
    scf.yield %z : index
  }";
    let (report, result) = run(2, functions, device);
    assert_fine(&report);
    for (i, value) in result.iter().enumerate() {
        let (rank, row, column) = (i / 64, i / 8 % 8, i % 8);
        let written = row < 5 && column % 3 == 0 && column < 6;
        let expected = if written { 2 * (rank + 6 + 5) } else { 0 };
        assert_eq!(*value, expected as f32, "{rank} {row} {column}");
    }
}

/// A block's halves of the work are seen by the others behind the meeting, and not ordered
/// without it.
#[test]
fn blocks_meet() {
    let functions = |sync: &str| {
        format!(
            "
func.func @turn(%x: memref<8x8xf32>, %y: memref<8x8xf32> {{pl.inout}}) attributes {{pl.incore}} {{
  %b = pl.block_idx
  %n = pl.block_num
  %c1 = arith.constant 1 : index
  %t = pl.load %x[%b, 0] : memref<8x8xf32> -> !pl.tile<1x8xf32>
  pl.store %t, %y[%b, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  {sync}
  %next = arith.addi %b, %c1 : index
  %o = arith.remsi %next, %n : index
  %u = pl.load %y[%o, 0] : memref<8x8xf32> -> !pl.tile<1x8xf32>
  {sync}
  pl.store %u, %y[%b, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  return
}}"
        )
    };
    let device = "  %n = arith.constant 8 : index
  pl.spmd %n {
    func.call @turn(%x, %y) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  }";
    let (report, result) = run(1, &functions("pl.sync_blocks"), device);
    assert_fine(&report);
    let expected: Vec<_> = (0..64).map(|i| ((i + 8) % 64) as f32).collect();
    assert_eq!(result, expected);

    let (report, _) = run(1, &functions(""), device);
    let race = |finding: &pld_runtime::Finding| {
        let Details::Race {
            window,
            accesses: [a, b],
            ..
        } = &finding.details
        else {
            return false;
        };
        window.is_none() && a.block != b.block
    };
    assert!(report.findings.iter().any(race), "{:#?}", report.findings);
}

/// Blocks of a rank wait on and notify cells for themselves; a deadlock names the block.
#[test]
fn blocks_signal() {
    let functions = "
func.func @chain(%y: memref<8x8xf32> {pl.inout}, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  %b = pl.block_idx
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %i = arith.index_cast %b : index to i32
  pld.wait eq %i, %s[0, 0] : !pld.dtensor<?x1xi32>
  %v = arith.sitofp %i : i32 to f32
  pl.write %v, %y[0, %b] : memref<8x8xf32>
  %g = pld.get_comm_ctx %s : !pld.dtensor<?x1xi32>
  %me = pld.rank %g
  pld.notify add %one, %s[0, 0] to %me : !pld.dtensor<?x1xi32>
  return
}";
    let device = |count: i64| {
        format!(
            "  %n = arith.constant {count} : index
  pl.spmd %n {{
    func.call @chain(%y, %s) : (memref<8x8xf32>, !pld.dtensor<?x1xi32>) -> ()
  }}"
        )
    };
    let (report, result) = run(2, functions, &device(8));
    assert_fine(&report);
    assert_eq!(result[64..72], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);

    let stuck = functions.replace("to %me", "to %c0");
    let (report, _) = run(2, &stuck, &device(2));
    let text = report
        .findings
        .iter()
        .map(ToString::to_string)
        .collect::<String>();
    assert!(
        text.contains("rank 1, block 1 waits in 'pld.wait'"),
        "{text}"
    );
}
