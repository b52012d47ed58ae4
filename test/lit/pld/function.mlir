// Kinds of function: what each may hold, what crosses their boundaries, their attributes.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s

// An in-core helper may return scalars; any scalar, array or window comes in.
// CHECK-LABEL: func.func @helper(%arg0: index, %arg1: i32, %arg2: memref<?x64xf32>, %arg3: !pld.dtensor<?x1xi32>)
// CHECK-SAME: -> (index, i32, f32) attributes {pl.incore}
func.func @helper(%i: index, %k: i32, %x: memref<?x64xf32>, %w: !pld.dtensor<?x1xi32>)
    -> (index, i32, f32) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %d = memref.dim %x, %c0 : memref<?x64xf32>
  %j = arith.remsi %i, %d : index
  return %j, %k, %f : index, i32, f32
}

// In-core: all of the allowed control flow, integer arithmetic, casts to float, helpers.
// CHECK-LABEL: func.func @core
func.func @core(%x: memref<?x64xf32> {pl.in}, %y: memref<?x64xf32> {pl.out}, %w: !pld.dtensor<?x1xi32>,
                %i: index, %k: i32) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: call @helper
  %j, %m, %f = func.call @helper(%i, %k, %x, %w)
      : (index, i32, memref<?x64xf32>, !pld.dtensor<?x1xi32>) -> (index, i32, f32)
  // CHECK: arith.sitofp
  %g = arith.sitofp %k : i32 to f32
  // Choosing between floats is not arithmetic.
  // CHECK: arith.select
  %cond = arith.cmpi slt, %k, %m : i32
  %h = arith.select %cond, %f, %g : f32
  %zero = pl.full %h : !pl.tile<8x64xf32>
  // CHECK: scf.for
  %sum = scf.for %r = %c0 to %j step %c1 iter_args(%acc = %zero) -> (!pl.tile<8x64xf32>) {
    %t = pl.load %x[%r, 0] : memref<?x64xf32> -> !pl.tile<8x64xf32>
    %next = pl.add %acc, %t : !pl.tile<8x64xf32>
    scf.yield %next : !pl.tile<8x64xf32>
  }
  // CHECK: scf.if
  %chosen = scf.if %cond -> (!pl.tile<8x64xf32>) {
    scf.yield %sum : !pl.tile<8x64xf32>
  } else {
    scf.yield %zero : !pl.tile<8x64xf32>
  }
  // CHECK: scf.while
  %last = scf.while (%n = %j) : (index) -> index {
    %more = arith.cmpi sgt, %n, %c1 : index
    scf.condition(%more) %n : index
  } do {
  ^bb0(%n: index):
    %half = arith.shrui %n, %c1 : index
    scf.yield %half : index
  }
  // CHECK: scf.index_switch
  %s = scf.index_switch %last -> index
  case 0 { scf.yield %c0 : index }
  default { scf.yield %c1 : index }
  pl.store %chosen, %y[%s, 0] : !pl.tile<8x64xf32>, memref<?x64xf32>
  return
}

// Device: calls in-core functions, allocates global memory, computes scalars of any kind.
// CHECK-LABEL: func.func @device
func.func @device(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.inout}, %w: !pld.dtensor<?x1xi32>,
                  %f: f32) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i32
  // CHECK: arith.mulf
  %g = arith.mulf %f, %f : f32
  // CHECK: memref.alloc
  %tmp = memref.alloc() : memref<8x64xf32>
  // CHECK: memref.cast
  %xd = memref.cast %x : memref<8x64xf32> to memref<?x64xf32>
  %td = memref.cast %tmp : memref<8x64xf32> to memref<?x64xf32>
  %yd = memref.cast %y : memref<8x64xf32> to memref<?x64xf32>
  // CHECK: call @core
  call @core(%xd, %td, %w, %c0, %k) : (memref<?x64xf32>, memref<?x64xf32>, !pld.dtensor<?x1xi32>, index, i32) -> ()
  call @core(%td, %yd, %w, %c0, %k) : (memref<?x64xf32>, memref<?x64xf32>, !pld.dtensor<?x1xi32>, index, i32) -> ()
  return
}

// Host: world arrays, rank loops; the sizes it is written for; arguments filled by a rule.
// CHECK-LABEL: func.func @host
// CHECK-SAME: {pl.arg = "ramp", pl.in}
// CHECK-SAME: pld.world_sizes = array<i64: 2, 4>
func.func @host(%x: memref<?x8x64xf32> {pl.arg = "ramp", pl.in}, %y: memref<?x8x64xf32> {pl.out}, %f: f32)
    attributes {pl.host, pld.world_sizes = array<i64: 2, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x8x64xf32>
  %tmp = memref.alloc(%n) : memref<?x8x64xf32>
  %buf = pld.alloc_window_buffer [%n, 1] of i32
  %w = pld.window %buf[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x8x64xf32> -> memref<8x64xf32>
    %tr = pl.shard %tmp[%r] : memref<?x8x64xf32> -> memref<8x64xf32>
    pld.dispatch @device(%xr, %tr, %w, %f) on %r
        : (memref<8x64xf32>, memref<8x64xf32>, !pld.dtensor<?x1xi32>, f32)
  }
  return
}

// What the entry is expected to compute, in upstream operations only.
// CHECK-LABEL: func.func @golden
// CHECK-SAME: pl.atol = {{.*}} pl.golden, pl.rtol
func.func @golden(%x: memref<?x8x64xf32>, %y: memref<?x8x64xf32>, %f: f32)
    attributes {pl.golden, pl.rtol = 1.0e-5, pl.atol = 1.0e-6} {
  %r = math.exp %f : f32
  return
}

// CHECK-LABEL: func.func @golden_of
// CHECK-SAME: pl.golden = @host
func.func @golden_of(%x: memref<?x8x64xf32>, %y: memref<?x8x64xf32>, %f: f32) attributes {pl.golden = @host} {
  return
}

// A function without a kind holds what it likes of upstream.
// CHECK-LABEL: func.func @plain
func.func @plain(%x: memref<4xf32, strided<[2]>>, %t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
