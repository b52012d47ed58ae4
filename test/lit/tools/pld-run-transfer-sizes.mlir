// A bulk transfer of a negative size, which shows only as it runs, is out of bounds as a load of
// one is; a size of 0 moves nothing.
// RUN: sed 's/SIZES/%m, 8/' %s > %t.rows.mlir
// RUN: sh %S/Inputs/exits.sh 3 pld-run %t.rows.mlir -n 2 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: sed 's/SIZES/2, %m/' %s > %t.cols.mlir
// RUN: sh %S/Inputs/exits.sh 3 pld-run %t.cols.mlir -n 2 2>&1 | FileCheck %s --check-prefix=COLS
// RUN: sed 's/SIZES/%z, %m/' %s > %t.none.mlir
// RUN: sh %S/Inputs/exits.sh 3 pld-run %t.none.mlir -n 2 2>&1 | FileCheck %s --check-prefix=COLS
// RUN: sed 's/SIZES/%z, 8/' %s > %t.zero.mlir
// RUN: pld-run %t.zero.mlir -n 2
// RUN: sh %S/Inputs/exits.sh 3 pld-run %t.cols.mlir -n 2 --target hccl-emu 2>&1 | FileCheck %s --check-prefix=COLS
// ROWS: error: access out of bounds in dim 0: offset 0 + size -3 exceeds extent 4, or is negative [pld-401]
// COLS: error: access out of bounds in dim 1: offset 0 + size -3 exceeds extent 8, or is negative [pld-401]

func.func @core(%x: memref<4x8xf32>, %w: !pld.dtensor<4x8xf32>, %m: index, %z: index) attributes {pl.incore} {
  %ctx = pld.get_comm_ctx %w : !pld.dtensor<4x8xf32>
  %me = pld.rank %ctx
  pld.put %x[0, 0], %w[0, 0] sizes [SIZES] to %me {chunk_rows = 4, chunk_cols = 8} : memref<4x8xf32>, !pld.dtensor<4x8xf32>
  return
}
func.func @f(%x: memref<4x8xf32>, %w: !pld.dtensor<4x8xf32>, %m: index, %z: index) attributes {pl.device} {
  call @core(%x, %w, %m, %z) : (memref<4x8xf32>, !pld.dtensor<4x8xf32>, index, index) -> ()
  return
}
func.func @main(%x: memref<?x4x8xf32>, %m: index {pl.arg = "-3"}, %z: index {pl.arg = "0"}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %b = pld.alloc_window_buffer [4, 8] of f32
  scf.for %r = %c0 to %n step %c1 {
    %w = pld.window %b : !pld.dtensor<4x8xf32>
    %xr = pl.shard %x[%r] : memref<?x4x8xf32> -> memref<4x8xf32>
    pld.dispatch @f(%xr, %w, %m, %z) on %r : (memref<4x8xf32>, !pld.dtensor<4x8xf32>, index, index)
  }
  return
}
