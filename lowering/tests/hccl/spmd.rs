//! Blocks of a rank: cores that run one kernel at once, share out work, meet, and signal.

use super::harness::{Array, check_against_cpu};
use crate::cpu::{harness::bytes, values::Type};

const ROWS: &str = "
func.func @rows(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}, %f: f32, %shift: index) attributes {pl.incore} {
  %b = pl.block_idx
  %n = pl.block_num
  %c8 = arith.constant 8 : index
  scf.for %i = %b to %c8 step %n {
    %t = pl.load %x[%i, 0] : memref<8x8xf32> -> !pl.tile<1x8xf32>
    %h = pl.muls %t, %f : !pl.tile<1x8xf32>, f32
    %k = arith.addi %i, %shift : index
    %j = arith.remsi %k, %c8 : index
    pl.store %h, %y[%j, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  }
  return
}";

/// A turn of rows by one: each block reads what the next has written, once all have met.
const TURN: &str = "
func.func @turn(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.inout}, %b: index) attributes {pl.incore} {
  %n = pl.block_num
  %c1 = arith.constant 1 : index
  %t = pl.load %x[%b, 0] : memref<8x8xf32> -> !pl.tile<1x8xf32>
  pl.store %t, %y[%b, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  pl.sync_blocks
  %next = arith.addi %b, %c1 : index
  %o = arith.remsi %next, %n : index
  %u = pl.load %y[%o, 0] : memref<8x8xf32> -> !pl.tile<1x8xf32>
  pl.sync_blocks
  pl.store %u, %y[%b, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  return
}";

/// The first block of each rank puts the rank's number, for all its blocks to read after the
/// barrier, on the next rank.
const RING: &str = "
func.func @ring(%y: memref<8x8xf32> {pl.inout}, %w: !pld.dtensor<1x8xf32>, %s: !pld.dtensor<?x1xi32>, %me: index, %n: index)
    attributes {pl.incore} {
  %b = pl.block_idx
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.cmpi eq, %b, %c0 : index
  scf.if %first {
    %up = arith.addi %me, %c1 : index
    %next = arith.remsi %up, %n : index
    %i = arith.index_cast %me : index to i32
    %v = arith.sitofp %i : i32 to f32
    %t = pl.full %v : !pl.tile<1x8xf32>
    pld.remote_store %t, %w[0, 0] to %next : !pl.tile<1x8xf32>, !pld.dtensor<1x8xf32>
  }
  pld.barrier %s : !pld.dtensor<?x1xi32>
  %r = pl.load %w[0, 0] : !pld.dtensor<1x8xf32> -> !pl.tile<1x8xf32>
  pl.store %r, %y[%b, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  return
}";

/// Runs `device` on `world` ranks, given `%x` and `%y`, 64 numbers of each rank, windows `%w`
/// and `%s`, 5 as `%k` and 0.5 as `%f`.
#[track_caller]
fn check(world: usize, functions: &str, device: &str) {
    let text = format!(
        "{functions}
func.func @d(%x: memref<8x8xf32>, %y: memref<8x8xf32> {{pl.inout}}, %w: !pld.dtensor<1x8xf32>,
             %s: !pld.dtensor<?x1xi32>, %k: index, %f: f32) attributes {{pl.device}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
{device}
  return
}}
func.func @main(%x: memref<?x8x8xf32>, %y: memref<?x8x8xf32> {{pl.inout}}) attributes {{pl.host}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %half = arith.constant 0.5 : f32
  %n = pld.world_size
  %a = pld.alloc_window_buffer [1, 8] of f32
  %w = pld.window %a : !pld.dtensor<1x8xf32>
  %b = pld.alloc_window_buffer [%n, 1] of i32
  %s = pld.window %b[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {{
    %xr = pl.shard %x[%r] : memref<?x8x8xf32> -> memref<8x8xf32>
    %yr = pl.shard %y[%r] : memref<?x8x8xf32> -> memref<8x8xf32>
    pld.dispatch @d(%xr, %yr, %w, %s, %c5, %half) on %r
        : (memref<8x8xf32>, memref<8x8xf32>, !pld.dtensor<1x8xf32>, !pld.dtensor<?x1xi32>, index, f32)
  }}
  return
}}"
    );
    let numbers: Vec<_> = (0..64 * world).map(|i| i as f32).collect();
    let shape = [world, 8, 8];
    let x = Array::input(Type::F32, &shape, bytes(&numbers));
    let zeros = bytes(&vec![0f32; 64 * world]);
    let y = Array {
        input: Some(zeros.clone()),
        ..Array::output(Type::F32, &shape, zeros)
    };
    check_against_cpu(&text, world, vec![x, y]);
}

/// A known number of blocks, one at run time, and none; launched again in a loop with scalars
/// from outside. Without blocks there is one.
#[test]
fn work_is_shared_out() {
    check(
        2,
        ROWS,
        "  scf.for %i = %c0 to %c3 step %c1 {
    pl.spmd %k {
      func.call @rows(%x, %y, %f, %i) : (memref<8x8xf32>, memref<8x8xf32>, f32, index) -> ()
    }
    pl.spmd %i {
      func.call @rows(%x, %y, %f, %c3) : (memref<8x8xf32>, memref<8x8xf32>, f32, index) -> ()
    }
  }
  pl.spmd %c0 {
    func.call @rows(%x, %y, %f, %c1) : (memref<8x8xf32>, memref<8x8xf32>, f32, index) -> ()
  }
  func.call @rows(%x, %y, %f, %c0) : (memref<8x8xf32>, memref<8x8xf32>, f32, index) -> ()",
    );
}

/// Several calls, under control flow that differs from block to block, on memory of the device
/// function.
#[test]
fn a_body_of_several_calls() {
    check(
        1,
        TURN,
        "  %tmp = memref.alloc() : memref<8x8xf32>
  pl.spmd %c8 {
    %b = pl.block_idx
    func.call @turn(%x, %tmp, %b) : (memref<8x8xf32>, memref<8x8xf32>, index) -> ()
    func.call @turn(%tmp, %y, %b) : (memref<8x8xf32>, memref<8x8xf32>, index) -> ()
  }",
    );
}

/// A barrier acts once per rank, and what came before it is seen by all blocks.
#[test]
fn blocks_behind_a_barrier() {
    check(
        3,
        RING,
        "  %g = pld.get_comm_ctx %s : !pld.dtensor<?x1xi32>
  pl.spmd %k {
    %me = pld.rank %g
    %n = pld.nranks %g
    func.call @ring(%y, %w, %s, %me, %n)
        : (memref<8x8xf32>, !pld.dtensor<1x8xf32>, !pld.dtensor<?x1xi32>, index, index) -> ()
  }",
    );
}
