// Bulk transfers as loops over pieces.
// RUN: pld-opt %s --pld-lower-transfers --split-input-file | FileCheck %s
// RUN: pld-opt %s --pld-lower-transfers --canonicalize --cse --split-input-file --verify-roundtrip | FileCheck %s --check-prefix=CLEAN

// CLEAN-NOT: {{^ *pld.put}}
// CLEAN-NOT: {{^ *pld.get}}

// What one tile holds is moved by one, without a loop. Reports name the transfer.
// CHECK-LABEL: func.func @one
func.func @one(%x: memref<1x64xf32>, %w: !pld.dtensor<1x64xf32>, %peer: index) attributes {pl.incore} {
  // CHECK-NEXT: %[[T:.*]] = pl.load %arg0[0, 0] {pld.from = "pld.put"} : memref<1x64xf32> -> !pl.tile<1x64xf32>
  // CHECK-NEXT: pld.remote_store %[[T]], %arg1[0, 0] to %arg2 {pld.from = "pld.put"} : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  // CHECK-NEXT: return
  pld.put %x, %w to %peer : memref<1x64xf32>, !pld.dtensor<1x64xf32>
  return
}

// -----

// A pull is the mirror; offsets are those of the regions.
// CHECK-LABEL: func.func @pull
func.func @pull(%w: !pld.dtensor<16x64xf32>, %y: memref<8x64xf32> {pl.out}, %peer: index, %i: index)
    attributes {pl.incore} {
  // CHECK-NEXT: %[[T:.*]] = pld.remote_load %arg0[%arg3, 8] from %arg2 {pld.from = "pld.get"} : !pld.dtensor<16x64xf32> -> !pl.tile<4x32xf32>
  // CHECK-NEXT: pl.store %[[T]], %arg1[2, 16] {pld.from = "pld.get"} : !pl.tile<4x32xf32>, memref<8x64xf32>
  pld.get %w[%i, 8], %y[2, 16] sizes [4, 32] from %peer : !pld.dtensor<16x64xf32>, memref<8x64xf32>
  return
}

// -----

// More than 16 KiB goes through a tile of 16 KiB, or of what is near and divides the region.
// CHECK-LABEL: func.func @large
func.func @large(%x: memref<6000xf32>, %w: !pld.dtensor<6000xf32>, %peer: index) attributes {pl.incore} {
  // CHECK: scf.for %[[P:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
  // CHECK:   %[[O:.*]] = arith.muli %[[P]], %c3000
  // CHECK:   %[[T:.*]] = pl.load %arg0[%[[O]]] {pld.from = "pld.put"} : memref<6000xf32> -> !pl.tile<1x3000xf32>
  // CHECK:   pld.remote_store %[[T]], %arg1[%[[O]]] to %arg2
  pld.put %x, %w to %peer : memref<6000xf32>, !pld.dtensor<6000xf32>
  return
}

// -----

// Stated chunks are kept, where they are not larger than the region; what they leave over is
// moved through valid parts.
// CHECK-LABEL: func.func @chunks
func.func @chunks(%x: memref<7x100xf32>, %w: !pld.dtensor<7x100xf32>, %peer: index) attributes {pl.incore} {
  // CHECK: scf.for %[[P:.*]] = %c0{{.*}} to %c9{{.*}} step
  // CHECK:   %[[COL:.*]] = arith.remsi %[[P]], %c3
  // CHECK:   %[[ROW:.*]] = arith.divsi %[[P]], %c3
  // CHECK:   %[[C:.*]] = arith.muli %[[COL]], %c48
  // CHECK:   %[[R:.*]] = arith.muli %[[ROW]], %c3
  // CHECK:   %[[DOWN:.*]] = arith.subi %c7{{.*}}, %[[R]]
  // CHECK:   %[[ROWS:.*]] = arith.minsi %[[DOWN]], %c3
  // CHECK:   %[[ALONG:.*]] = arith.subi %c100{{.*}}, %[[C]]
  // CHECK:   %[[COLS:.*]] = arith.minsi %[[ALONG]], %c48
  // CHECK:   pl.load %arg0[%[[R]], %[[C]]] valid [%[[ROWS]], %[[COLS]]] {pld.from = "pld.put"} : memref<7x100xf32> -> !pl.tile<3x48xf32>
  // CHECK:   pld.remote_store %{{.*}}, %arg1[%[[R]], %[[C]]] valid [%[[ROWS]], %[[COLS]]] to %arg2 atomic add
  pld.put %x, %w to %peer atomic add {chunk_rows = 3, chunk_cols = 48} : memref<7x100xf32>, !pld.dtensor<7x100xf32>
  // CHECK-NOT: scf.for
  // CHECK: pl.load %{{.*}} -> !pl.tile<7x100xf32>
  pld.put %x, %w to %peer {chunk_rows = 64, chunk_cols = 512} : memref<7x100xf32>, !pld.dtensor<7x100xf32>
  return
}

// -----

// With pipeline the second piece is loaded before the first is stored; of an odd number the
// last goes alone.
// CHECK-LABEL: func.func @pipelined
func.func @pipelined(%x: memref<20x64xf32>, %w: !pld.dtensor<20x64xf32>, %peer: index) attributes {pl.incore} {
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c4{{.*}} step %c2
  // CHECK:   %[[A:.*]] = pl.load
  // CHECK:   %[[B:.*]] = pl.load
  // CHECK:   pld.remote_store %[[A]]
  // CHECK:   pld.remote_store %[[B]]
  // CHECK: }
  // CHECK: %[[C:.*]] = pl.load %arg0[16, 0]
  // CHECK: pld.remote_store %[[C]], %arg1[16, 0]
  pld.put %x, %w to %peer {chunk_rows = 4, chunk_cols = 64, pipeline} : memref<20x64xf32>, !pld.dtensor<20x64xf32>
  return
}

// -----

// Extents that are known at run time only; an extent that one side knows is used.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%v: !pld.dtensor<?x?xf32>, %w: !pld.dtensor<?x64xf32>, %peer: index, %n: index)
    attributes {pl.incore} {
  // CHECK: %[[D:.*]] = pl.dim %arg0, 0
  // CHECK: %[[ABOVE:.*]] = arith.addi %[[D]], %c7
  // CHECK: %[[PIECES:.*]] = arith.divsi %[[ABOVE]], %c8
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[PIECES]]
  // CHECK:   pl.load %arg0[%{{.*}}, 0] valid [%{{.*}}, 64] {{.*}} -> !pl.tile<8x64xf32>
  pld.put %v, %w to %peer {chunk_rows = 8, chunk_cols = 64} : !pld.dtensor<?x?xf32>, !pld.dtensor<?x64xf32>
  // CHECK: %[[ABOVE:.*]] = arith.addi %arg3, %c15
  // CHECK: pl.load %arg0[0, %{{.*}}] valid [1, %{{.*}}] {{.*}} -> !pl.tile<1x16xf32>
  pld.put %v[0, 0], %w[0, 0] sizes [1, %n] to %peer {chunk_cols = 16} : !pld.dtensor<?x?xf32>, !pld.dtensor<?x64xf32>
  return
}

// -----

// Leading dims are counted piece by piece.
// CHECK-LABEL: func.func @leading
func.func @leading(%w: !pld.dtensor<2x3x4x64xf32>, %y: memref<2x3x4x64xf32> {pl.out}, %peer: index)
    attributes {pl.incore} {
  // CHECK: scf.for %[[P:.*]] = %c0{{.*}} to %c6
  // CHECK:   %[[K:.*]] = arith.remsi %[[P]], %c3
  // CHECK:   %[[J:.*]] = arith.divsi %[[P]], %c3
  // CHECK:   pld.remote_load %arg0[%[[J]], %[[K]], 0, 0] from %arg2 {{.*}} -> !pl.tile<4x64xf32>
  pld.get %w, %y from %peer : !pld.dtensor<2x3x4x64xf32>, memref<2x3x4x64xf32>
  return
}

// -----

// Nothing is moved by nothing.
// CHECK-LABEL: func.func @empty
func.func @empty(%x: memref<8x64xf32>, %w: !pld.dtensor<8x64xf32>, %peer: index) attributes {pl.incore} {
  // CHECK-NOT: pl.load
  // CHECK: return
  pld.put %x[0, 0], %w[0, 0] sizes [0, 64] to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  return
}
