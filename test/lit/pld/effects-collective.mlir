// What upstream's passes may do to put, get and the collectives: nothing but move what is
// pure around them. CHECK holds under each pass.
// RUN: pld-opt %s --cse | FileCheck %s
// RUN: pld-opt %s --canonicalize | FileCheck %s
// RUN: pld-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: pld-opt %s --sccp | FileCheck %s
// RUN: pld-opt %s --control-flow-sink | FileCheck %s
// RUN: pld-opt %s --inline | FileCheck %s
// RUN: pld-opt %s --inline --sccp --canonicalize --cse --loop-invariant-code-motion --control-flow-sink \
// RUN:   --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,LICM

// Equal transfers stay two: a put may add, and a peer may have changed what is got.
// CHECK-LABEL: func.func @twice
func.func @twice(%x: memref<8x64xf32> {pl.inout}, %w: !pld.dtensor<8x64xf32>, %peer: index) attributes {pl.incore} {
  // CHECK-NEXT: pld.put
  // CHECK-NEXT: pld.put
  // CHECK-NEXT: pld.put {{.*}} atomic add
  // CHECK-NEXT: pld.put {{.*}} atomic add
  // CHECK-NEXT: pld.get
  // CHECK-NEXT: pld.get
  // CHECK-NEXT: return
  pld.put %x, %w to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  pld.put %x, %w to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  pld.put %x, %w to %peer atomic add : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  pld.put %x, %w to %peer atomic add : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  pld.get %w, %x from %peer : !pld.dtensor<8x64xf32>, memref<8x64xf32>
  pld.get %w, %x from %peer : !pld.dtensor<8x64xf32>, memref<8x64xf32>
  return
}

// Loads around a get of the array, and around a put to a peer, which may be the own rank, stay.
// CHECK-LABEL: func.func @loads_around
func.func @loads_around(%x: memref<8x64xf32> {pl.inout}, %w: !pld.dtensor<8x64xf32>, %y: memref<32x64xf32> {pl.out},
                        %peer: index) attributes {pl.incore} {
  // CHECK: %[[A:.*]] = pl.load %arg0
  // CHECK-NEXT: pld.get
  // CHECK-NEXT: %[[B:.*]] = pl.load %arg0
  // CHECK-NEXT: %[[C:.*]] = pl.load %arg1
  // CHECK-NEXT: pld.put
  // CHECK-NEXT: %[[D:.*]] = pl.load %arg1
  // CHECK-NEXT: pl.store %[[A]]
  // CHECK-NEXT: pl.store %[[B]]
  // CHECK-NEXT: pl.store %[[C]]
  // CHECK-NEXT: pl.store %[[D]]
  %a = pl.load %x[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  pld.get %w, %x from %peer : !pld.dtensor<8x64xf32>, memref<8x64xf32>
  %b = pl.load %x[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  %c = pl.load %w[0, 0] : !pld.dtensor<8x64xf32> -> !pl.tile<8x64xf32>
  pld.put %x, %w to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  %d = pl.load %w[0, 0] : !pld.dtensor<8x64xf32> -> !pl.tile<8x64xf32>
  pl.store %a, %y[0, 0] : !pl.tile<8x64xf32>, memref<32x64xf32>
  pl.store %b, %y[8, 0] : !pl.tile<8x64xf32>, memref<32x64xf32>
  pl.store %c, %y[16, 0] : !pl.tile<8x64xf32>, memref<32x64xf32>
  pl.store %d, %y[24, 0] : !pl.tile<8x64xf32>, memref<32x64xf32>
  return
}

// Equal collectives stay two, in order; loads of any memory around one stay two.
// CHECK-LABEL: func.func @collectives
func.func @collectives(%x: memref<1x64xf32>, %d: !pld.dtensor<4x64xf32>, %e: !pld.dtensor<4x64xf32>,
                       %s: !pld.dtensor<4x1xi32>, %k: memref<4x1xi32>, %n: !pld.dtensor<4x1xi32>,
                       %y: memref<2x64xf32> {pl.out}) attributes {pl.incore} {
  // CHECK: %[[A:.*]] = pl.load %arg0
  // CHECK-NEXT: pld.allreduce sum
  // CHECK-NEXT: pld.allreduce sum
  // CHECK-NEXT: %[[B:.*]] = pl.load %arg0
  // CHECK-NEXT: pld.broadcast
  // CHECK-NEXT: pld.broadcast
  // CHECK-NEXT: pld.reduce_scatter
  // CHECK-NEXT: pld.reduce_scatter
  // CHECK-NEXT: pld.allgather
  // CHECK-NEXT: pld.allgather
  // CHECK-NEXT: pld.all_to_all %
  // CHECK-NEXT: pld.all_to_all %
  // CHECK-NEXT: pld.all_to_all_v
  // CHECK-NEXT: pld.all_to_all_v
  // CHECK-NEXT: pl.store %[[A]]
  // CHECK-NEXT: pl.store %[[B]]
  %a = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pld.allreduce sum %d, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  pld.allreduce sum %d, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  %b = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pld.broadcast %d, %s root 0 : !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  pld.broadcast %d, %s root 0 : !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  pld.reduce_scatter sum %d, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  pld.reduce_scatter sum %d, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  pld.allgather %x into %d, %s : memref<1x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  pld.allgather %x into %d, %s : memref<1x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  pld.all_to_all %d into %e, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  pld.all_to_all %d into %e, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32>
  pld.all_to_all_v %d into %e, %s counts %k, %n : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32> counts memref<4x1xi32>, !pld.dtensor<4x1xi32>
  pld.all_to_all_v %d into %e, %s counts %k, %n : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x1xi32> counts memref<4x1xi32>, !pld.dtensor<4x1xi32>
  pl.store %a, %y[0, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  pl.store %b, %y[1, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}

// Nothing leaves a loop or a branch, and no loop of communication is empty.
// CHECK-LABEL: func.func @loop
func.func @loop(%x: memref<8x64xf32> {pl.inout}, %w: !pld.dtensor<8x64xf32>, %s: !pld.dtensor<?x1xi32>, %n: index,
                %c: i1) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // LICM: pl.dim
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: pld.put
    // CHECK-NEXT: pld.get
    // CHECK-NEXT: pld.allreduce
    // CHECK-NEXT: scf.if
    // CHECK-NEXT: pld.broadcast
    // CHECK: return
    %d = pl.dim %s, 0 : !pld.dtensor<?x1xi32>
    pld.put %x, %w to %d : memref<8x64xf32>, !pld.dtensor<8x64xf32>
    pld.get %w, %x from %d : !pld.dtensor<8x64xf32>, memref<8x64xf32>
    pld.allreduce sum %w, %s : !pld.dtensor<8x64xf32>, !pld.dtensor<?x1xi32>
    scf.if %c {
      pld.broadcast %w, %s root 0 : !pld.dtensor<8x64xf32>, !pld.dtensor<?x1xi32>
    }
  }
  return
}

// On the host they keep their order among dispatches.
func.func @work(%w: !pld.dtensor<4x64xf32>) attributes {pl.device} {
  return
}
// CHECK-LABEL: func.func @host
func.func @host(%r: index) attributes {pl.host} {
  // CHECK: pld.dispatch
  // CHECK-NEXT: pld.allreduce
  // CHECK-NEXT: pld.allreduce
  // CHECK-NEXT: pld.dispatch
  // CHECK-NEXT: pld.broadcast
  // CHECK-NEXT: pld.dispatch
  // CHECK-NEXT: pld.reduce_scatter
  // CHECK-NEXT: return
  %b = pld.alloc_window_buffer [4, 64] of f32
  %w = pld.window %b : !pld.dtensor<4x64xf32>
  pld.dispatch @work(%w) on %r : (!pld.dtensor<4x64xf32>)
  pld.allreduce sum %w : !pld.dtensor<4x64xf32>
  pld.allreduce sum %w : !pld.dtensor<4x64xf32>
  pld.dispatch @work(%w) on %r : (!pld.dtensor<4x64xf32>)
  pld.broadcast %w root 0 : !pld.dtensor<4x64xf32>
  pld.dispatch @work(%w) on %r : (!pld.dtensor<4x64xf32>)
  pld.reduce_scatter sum %w : !pld.dtensor<4x64xf32>
  return
}
