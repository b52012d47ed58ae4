// Collectives of the host without a signal use their window's tail: several of one buffer, and
// those of a group beside them. No window is allocated for them.
// RUN: pld-run %s -n 4 --schedules 8 --cost | FileCheck %s
// RUN: pld-run %s -n 4 --seed 3 --weak --barrier credit
// RUN: pld-run %s -n 4 --target hccl-emu
// CHECK: window buffer 0 at offset 0: 4096 bytes per rank for 64 of data
// CHECK: window buffer 1 at offset 4096: 4096 bytes per rank for 64 of data
// CHECK: window buffer 2: signals in the tail of 0;
// CHECK: window buffer 3: signals in the tail of 1;
// CHECK: windows: 8192 bytes per rank for 128 of data
// CHECK: OK

func.func @set_core(%d: !pld.dtensor<1x16xi32>, %v: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<1x16xi32>
  pl.store %t, %d[0, 0] : !pl.tile<1x16xi32>, !pld.dtensor<1x16xi32>
  return
}
func.func @set(%d: !pld.dtensor<1x16xi32>, %v: i32) attributes {pl.device} {
  call @set_core(%d, %v) : (!pld.dtensor<1x16xi32>, i32) -> ()
  return
}
func.func @get_core(%d: !pld.dtensor<1x16xi32>, %y: memref<1x16xi32> {pl.out}) attributes {pl.incore} {
  %t = pl.load %d[0, 0] : !pld.dtensor<1x16xi32> -> !pl.tile<1x16xi32>
  pl.store %t, %y[0, 0] : !pl.tile<1x16xi32>, memref<1x16xi32>
  return
}
func.func @get(%d: !pld.dtensor<1x16xi32>, %y: memref<1x16xi32> {pl.out}) attributes {pl.device} {
  call @get_core(%d, %y) : (!pld.dtensor<1x16xi32>, memref<1x16xi32>) -> ()
  return
}
func.func @main(%y: memref<?x1x16xi32> {pl.out}, %z: memref<?x1x16xi32> {pl.out}) attributes {pl.host,
    pld.world_sizes = array<i64: 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = pld.world_size
  %all = pld.alloc_window_buffer [1, 16] of i32
  %some = pld.alloc_window_buffer [1, 16] of i32 {ranks = array<i64: 1, 2>}
  %d = pld.window %all : !pld.dtensor<1x16xi32>
  %e = pld.window %some : !pld.dtensor<1x16xi32>
  scf.for %r = %c0 to %n step %c1 {
    %v = arith.index_cast %r : index to i32
    pld.dispatch @set(%d, %v) on %r : (!pld.dtensor<1x16xi32>, i32)
  }
  scf.for %r = %c1 to %c3 step %c1 {
    %v = arith.index_cast %r : index to i32
    pld.dispatch @set(%e, %v) on %r : (!pld.dtensor<1x16xi32>, i32)
  }
  // 6 everywhere, then 24, and the sum of what rank 1 has.
  pld.allreduce sum %d : !pld.dtensor<1x16xi32>
  pld.allreduce max %e : !pld.dtensor<1x16xi32>
  pld.allreduce sum %d {algorithm = "ring"} : !pld.dtensor<1x16xi32>
  pld.broadcast %d root 1 : !pld.dtensor<1x16xi32>
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<?x1x16xi32> -> memref<1x16xi32>
    pld.dispatch @get(%d, %yr) on %r : (!pld.dtensor<1x16xi32>, memref<1x16xi32>)
  }
  scf.for %r = %c1 to %c3 step %c1 {
    %zr = pl.shard %z[%r] : memref<?x1x16xi32> -> memref<1x16xi32>
    pld.dispatch @get(%e, %zr) on %r : (!pld.dtensor<1x16xi32>, memref<1x16xi32>)
  }
  return
}
func.func @golden(%y: memref<?x1x16xi32>, %z: memref<?x1x16xi32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %sum = arith.constant 24 : i32
  %max = arith.constant 2 : i32
  scf.for %j = %c0 to %c16 step %c1 {
    scf.for %r = %c0 to %c4 step %c1 {
      memref.store %sum, %y[%r, %c0, %j] : memref<?x1x16xi32>
    }
    scf.for %r = %c1 to %c3 step %c1 {
      memref.store %max, %z[%r, %c0, %j] : memref<?x1x16xi32>
    }
  }
  return
}
