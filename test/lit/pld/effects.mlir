// What upstream's passes may do to our operations, and what they may not. CHECK holds
// under each of them; the other prefixes say what one of them does.
// RUN: pld-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: pld-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,CANON
// RUN: pld-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: pld-opt %s --sccp | FileCheck %s 
// RUN: pld-opt %s --control-flow-sink | FileCheck %s --check-prefixes=CHECK,SINK
// RUN: pld-opt %s --inline | FileCheck %s --check-prefixes=CHECK,INLINE
// RUN: pld-opt %s --inline --sccp --canonicalize --cse --loop-invariant-code-motion --control-flow-sink \
// RUN:   --canonicalize --cse | FileCheck %s

// With nothing between them two equal loads may become one.
// CHECK-LABEL: func.func @equal_loads
func.func @equal_loads(%w: !pld.dtensor<1x64xf32>, %y: memref<2x64xf32> {pl.out}, %peer: index)
    attributes {pl.incore} {
  // CSE: pld.remote_load
  // CSE-NOT: pld.remote_load
  %a = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  %b = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  // CHECK-COUNT-2: pl.store
  // CHECK: return
  pl.store %a, %y[0, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  pl.store %b, %y[1, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}

// With a barrier, a wait or a notify between them they stay two: the peer may have written.
// CHECK-LABEL: func.func @loads_around_barrier
func.func @loads_around_barrier(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>,
                                %y: memref<2x64xf32> {pl.out}, %peer: index) attributes {pl.incore} {
  // CHECK: %[[A:.*]] = pld.remote_load
  // CHECK-NEXT: pld.barrier
  // CHECK-NEXT: %[[B:.*]] = pld.remote_load
  // CHECK-NEXT: pl.store %[[A]]
  // CHECK-NEXT: pl.store %[[B]]
  %a = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  %b = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %a, %y[0, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  pl.store %b, %y[1, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}

// CHECK-LABEL: func.func @loads_around_wait
func.func @loads_around_wait(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>,
                             %y: memref<2x64xf32> {pl.out}, %peer: index, %v: i32) attributes {pl.incore} {
  // CHECK: %[[A:.*]] = pld.remote_load
  // CHECK-NEXT: pld.wait
  // CHECK-NEXT: %[[B:.*]] = pld.remote_load
  // CHECK-NEXT: pl.store %[[A]]
  // CHECK-NEXT: pl.store %[[B]]
  %a = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pld.wait ge %v, %s[%peer, 0] : !pld.dtensor<?x1xi32>
  %b = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %a, %y[0, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  pl.store %b, %y[1, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}

// CHECK-LABEL: func.func @loads_around_notify
func.func @loads_around_notify(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>,
                               %y: memref<2x64xf32> {pl.out}, %peer: index, %v: i32) attributes {pl.incore} {
  // CHECK: %[[A:.*]] = pl.load
  // CHECK-NEXT: pld.notify
  // CHECK-NEXT: %[[B:.*]] = pl.load
  // CHECK-NEXT: pl.store %[[A]]
  // CHECK-NEXT: pl.store %[[B]]
  %a = pl.load %w[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pld.notify add %v, %s[%peer, 0] to %peer : !pld.dtensor<?x1xi32>
  %b = pl.load %w[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %a, %y[0, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  pl.store %b, %y[1, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}

// A wait orders arrays as well as windows, and scalars as well as tiles.
// CHECK-LABEL: func.func @reads_around_wait
func.func @reads_around_wait(%x: memref<4xi32>, %s: !pld.dtensor<4xi32>, %y: memref<4xi32> {pl.out}, %v: i32)
    attributes {pl.incore} {
  // CHECK: %[[A:.*]] = pl.read %arg0
  // CHECK-NEXT: %[[B:.*]] = pl.read %arg1
  // CHECK-NEXT: pld.wait
  // CHECK-NEXT: %[[C:.*]] = pl.read %arg0
  // CHECK-NEXT: %[[D:.*]] = pl.read %arg1
  // CHECK-NEXT: pl.write %[[A]]
  // CHECK-NEXT: pl.write %[[B]]
  // CHECK-NEXT: pl.write %[[C]]
  // CHECK-NEXT: pl.write %[[D]]
  %a = pl.read %x[0] : memref<4xi32>
  %b = pl.read %s[0] : !pld.dtensor<4xi32>
  pld.wait ge %v, %s[1] : !pld.dtensor<4xi32>
  %c = pl.read %x[0] : memref<4xi32>
  %d = pl.read %s[0] : !pld.dtensor<4xi32>
  pl.write %a, %y[0] : memref<4xi32>
  pl.write %b, %y[1] : memref<4xi32>
  pl.write %c, %y[2] : memref<4xi32>
  pl.write %d, %y[3] : memref<4xi32>
  return
}

// A store between two loads keeps them apart, also one to a peer, which may be the own rank.
// CHECK-LABEL: func.func @loads_around_stores
func.func @loads_around_stores(%w: !pld.dtensor<1x64xf32>, %y: memref<2x64xf32> {pl.out}, %peer: index)
    attributes {pl.incore} {
  // CHECK: pl.load %arg0
  // CHECK-NEXT: pld.remote_store
  // CHECK-NEXT: pl.load %arg0
  // CHECK-NEXT: pl.store {{.*}} %arg0
  // CHECK-NEXT: pl.load %arg0
  // CHECK-NEXT: pl.store {{.*}} %arg1
  // CHECK-NEXT: pl.store {{.*}} %arg1
  %a = pl.load %w[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pld.remote_store %a, %w[0, 0] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  %b = pl.load %w[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %b, %w[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  %c = pl.load %w[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %b, %y[0, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  pl.store %c, %y[1, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}

// No communication is dropped, merged or reordered, however equal it looks.
// CHECK-LABEL: func.func @twice
func.func @twice(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>, %peer: index, %v: i32, %f: f32)
    attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<1x64xf32>
  // CHECK: pld.notify add
  // CHECK-NEXT: pld.notify add
  // CHECK-NEXT: pld.wait ge
  // CHECK-NEXT: pld.wait ge
  // CHECK-NEXT: pld.barrier
  // CHECK-NEXT: pld.barrier
  // CHECK-NEXT: pld.remote_store {{.*}} to %arg2 :
  // CHECK-NEXT: pld.remote_store {{.*}} to %arg2 :
  // CHECK-NEXT: pld.remote_store {{.*}} atomic add
  // CHECK-NEXT: pld.remote_store {{.*}} atomic add
  // CHECK-NEXT: pld.notify set
  // CHECK-NEXT: return
  pld.notify add %v, %s[%peer, 0] to %peer : !pld.dtensor<?x1xi32>
  pld.notify add %v, %s[%peer, 0] to %peer : !pld.dtensor<?x1xi32>
  pld.wait ge %v, %s[%peer, 0] : !pld.dtensor<?x1xi32>
  pld.wait ge %v, %s[%peer, 0] : !pld.dtensor<?x1xi32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  pld.remote_store %t, %w[0, 0] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.remote_store %t, %w[0, 0] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.remote_store %t, %w[0, 0] to %peer atomic add : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.remote_store %t, %w[0, 0] to %peer atomic add : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.notify set %v, %s[%peer, 0] to %peer : !pld.dtensor<?x1xi32>
  return
}

// The same on the host: dispatches and barriers stay, in order; the view may be shared.
func.func @work(%w: !pld.dtensor<1x64xf32>) attributes {pl.device} {
  return
}
// CHECK-LABEL: func.func @host
func.func @host(%r: index) attributes {pl.host} {
  %n = pld.world_size
  // CHECK: pld.alloc_window_buffer
  // Equal buffers are different memory.
  // CHECK: pld.alloc_window_buffer
  // CHECK: pld.alloc_window_buffer
  %a = pld.alloc_window_buffer [1, 64] of f32
  %b = pld.alloc_window_buffer [1, 64] of f32
  %c = pld.alloc_window_buffer [%n, 1] of i32
  // CSE: pld.window
  // CSE: pld.window
  // CSE: pld.window
  // CSE-NOT: pld.window
  %w = pld.window %a : !pld.dtensor<1x64xf32>
  %u = pld.window %a : !pld.dtensor<1x64xf32>
  %v = pld.window %b : !pld.dtensor<1x64xf32>
  %s = pld.window %c[%n] : !pld.dtensor<?x1xi32>
  // CHECK: pld.dispatch @work
  // CHECK-NEXT: pld.dispatch @work
  // CHECK-NEXT: pld.barrier
  // CHECK-NEXT: pld.dispatch @work
  // CHECK-NEXT: pld.barrier
  // CHECK-NEXT: pld.barrier
  // CHECK-NEXT: pld.dispatch @work
  // CHECK-NEXT: return
  pld.dispatch @work(%w) on %r : (!pld.dtensor<1x64xf32>)
  pld.dispatch @work(%u) on %r : (!pld.dtensor<1x64xf32>)
  pld.barrier %s : !pld.dtensor<?x1xi32>
  pld.dispatch @work(%w) on %r : (!pld.dtensor<1x64xf32>)
  pld.barrier %s : !pld.dtensor<?x1xi32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  pld.dispatch @work(%v) on %r : (!pld.dtensor<1x64xf32>)
  return
}

// Of a loop only what is pure leaves: neither loads nor communication.
// CHECK-LABEL: func.func @loop
func.func @loop(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>, %y: memref<?x64xf32> {pl.out},
                %peer: index, %v: i32, %f: f32, %n: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // LICM: pl.full
  // LICM-NEXT: pl.dim
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: pld.notify
    // CHECK: pld.wait
    // CHECK: pld.remote_load
    // CHECK: pl.load
    // CHECK: pl.read
    // CHECK: pld.remote_store
    // CHECK: pld.barrier
    // CHECK: pl.store
    // CHECK: pl.write
    // CHECK: }
    // CHECK: return
    %t = pl.full %f : !pl.tile<1x64xf32>
    %ctx = pld.get_comm_ctx %w : !pld.dtensor<1x64xf32>
    %me = pld.rank %ctx
    %d = pl.dim %s, 0 : !pld.dtensor<?x1xi32>
    pld.notify add %v, %s[%me, 0] to %peer : !pld.dtensor<?x1xi32>
    pld.wait ge %v, %s[%peer, 0] : !pld.dtensor<?x1xi32>
    %a = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    %b = pl.load %w[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    %e = pl.read %s[0, 0] : !pld.dtensor<?x1xi32>
    pld.remote_store %t, %w[0, 0] to %d : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
    pld.barrier %s : !pld.dtensor<?x1xi32>
    %g = pl.add %a, %b : !pl.tile<1x64xf32>
    pl.store %g, %y[%i, 0] : !pl.tile<1x64xf32>, memref<?x64xf32>
    pl.write %e, %s[0, 0] : !pld.dtensor<?x1xi32>
  }
  return
}

// What may turn out wrong when it runs is not run earlier, and still goes and merges.
// CHECK-LABEL: func.func @may_fail
func.func @may_fail(%x: memref<?x4xf32> {pl.inout}, %n: index, %r: index, %m: index) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = pld.alloc_window_buffer [1] of f32
  // LICM-NOT: pld.window
  // LICM-NOT: pl.shard
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: pld.window
    // CSE-NOT: pld.window
    // CHECK: pl.shard
    // CSE-NOT: pl.shard
    // CHECK: pld.dispatch
    %w = pld.window %b[%m] : !pld.dtensor<?xf32>
    %u = pld.window %b[%m] : !pld.dtensor<?xf32>
    %xr = pl.shard %x[%r] : memref<?x4xf32> -> memref<4xf32>
    %xs = pl.shard %x[%r] : memref<?x4xf32> -> memref<4xf32>
    pld.dispatch @two_of_each(%w, %u, %xr, %xs) on %i : (!pld.dtensor<?xf32>, !pld.dtensor<?xf32>, memref<4xf32>, memref<4xf32>)
  }
  return
}
func.func @two_of_each(%w: !pld.dtensor<?xf32>, %u: !pld.dtensor<?xf32>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {pl.device} {
  return
}

// Into a branch only what is pure sinks: a load before a barrier stays before it.
// CHECK-LABEL: func.func @branch
func.func @branch(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>, %y: memref<1x64xf32> {pl.out},
                  %peer: index, %c: i1, %f: f32) attributes {pl.incore} {
  // CHECK: pld.remote_load
  // CHECK: pld.barrier
  // CHECK: scf.if
  // SINK-NEXT: pl.full
  // CHECK: pl.store
  %t = pl.full %f : !pl.tile<1x64xf32>
  %a = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  scf.if %c {
    %b = pl.add %a, %t : !pl.tile<1x64xf32>
    pl.store %b, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  }
  return
}

// A branch that only communicates is not empty.
// CHECK-LABEL: func.func @communicating_branch
func.func @communicating_branch(%s: !pld.dtensor<?x1xi32>, %c: i1, %peer: index, %v: i32) attributes {pl.incore} {
  // CHECK: scf.if
  // CHECK: pld.notify
  // CHECK: else
  // CHECK: pld.wait
  scf.if %c {
    pld.notify add %v, %s[0, 0] to %peer : !pld.dtensor<?x1xi32>
  } else {
    pld.wait ge %v, %s[0, 0] : !pld.dtensor<?x1xi32>
  }
  return
}

// What is pure and has no use goes; so does a load that nobody looks at.
// CHECK-LABEL: func.func @dead
func.func @dead(%w: !pld.dtensor<1x64xf32>, %f: f32) attributes {pl.incore} {
  // CANON-NEXT: return
  %ctx = pld.get_comm_ctx %w : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %d = pl.dim %w, 0 : !pld.dtensor<1x64xf32>
  %t = pl.full %f : !pl.tile<1x64xf32>
  %a = pl.add %t, %t : !pl.tile<1x64xf32>
  %b = pl.mul %a, %t : !pl.tile<1x64xf32>
  %g = pl.adds %b, %f : !pl.tile<1x64xf32>, f32
  %h = pl.muls %g, %f : !pl.tile<1x64xf32>, f32
  %i = pl.cast rint %h : !pl.tile<1x64xf32> -> !pl.tile<1x64xf16>
  %j = pl.load %w[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  return
}

// CHECK-LABEL: func.func @dead_on_host
func.func @dead_on_host(%x: memref<?x4xf32>) attributes {pl.host} {
  // CANON-NEXT: return
  %n = pld.world_size
  %b = pld.alloc_window_buffer [%n, 1] of i32
  %w = pld.window %b[%n] : !pld.dtensor<?x1xi32>
  %xr = pl.shard %x[%n] : memref<?x4xf32> -> memref<4xf32>
  return
}

// Equal pure operations become one.
// CHECK-LABEL: func.func @equal_pure
func.func @equal_pure(%w: !pld.dtensor<1x64xf32>, %y: memref<1x64xf32> {pl.out}, %f: f32) attributes {pl.incore} {
  // CSE-NEXT: %[[T:.*]] = pl.full
  // CSE-NEXT: %[[R:.*]] = pl.add %[[T]], %[[T]]
  // CSE-NEXT: pl.store %[[R]]
  // CSE-NEXT: return
  %t = pl.full %f : !pl.tile<1x64xf32>
  %u = pl.full %f : !pl.tile<1x64xf32>
  %r = pl.add %t, %u : !pl.tile<1x64xf32>
  pl.store %r, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}

// Code of the AI core stays in its function: the device calls it.
func.func @core(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>, %f: f32) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<1x64xf32>
  pl.store %t, %w[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}
// CHECK-LABEL: func.func @caller
func.func @caller(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>, %f: f32) attributes {pl.device} {
  // CHECK: call @core
  // INLINE-NEXT: call @core
  call @core(%w, %s, %f) : (!pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>, f32) -> ()
  call @core(%w, %s, %f) : (!pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>, f32) -> ()
  return
}
