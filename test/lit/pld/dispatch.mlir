// Round trip of pld.dispatch.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

func.func @nothing() attributes {pl.device} {
  return
}

func.func @everything(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                      %z: memref<?xi8> {pl.inout}, %data: !pld.dtensor<1x64xf32>,
                      %sig: !pld.dtensor<?x1xi32>, %i: index, %k: i32, %f: f32)
    attributes {pl.device} {
  return
}

// Any number of arguments of every kind that may cross a boundary, on any index value.
// CHECK-LABEL: func.func @main
func.func @main(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32> {pl.out}, %z: memref<?xi8> {pl.inout},
                %k: i32, %f: f32) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %buf = pld.alloc_window_buffer [1, 64] of f32
  %sigs = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %yr = pl.shard %y[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %data = pld.window %buf : !pld.dtensor<1x64xf32>
    %sig = pld.window %sigs[%n] : !pld.dtensor<?x1xi32>
    // CHECK: pld.dispatch @nothing() on %[[R:.*]] : ()
    pld.dispatch @nothing() on %r : ()
    // CHECK: pld.dispatch @everything(%{{.*}}, %{{.*}}, %arg2, %{{.*}}, %{{.*}}, %[[R]], %arg3, %arg4) on %[[R]] :
    // CHECK-SAME: (memref<1x64xf32>, memref<1x64xf32>, memref<?xi8>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>, index, i32, f32)
    pld.dispatch @everything(%xr, %yr, %z, %data, %sig, %r, %k, %f) on %r
      : (memref<1x64xf32>, memref<1x64xf32>, memref<?xi8>, !pld.dtensor<1x64xf32>,
         !pld.dtensor<?x1xi32>, index, i32, f32)
  }
  // Outside a loop, on one rank only, and of a function that stands below.
  // CHECK: pld.dispatch @below(%arg3) on %c0 {tag = 1 : i64} : (i32)
  pld.dispatch @below(%k) on %c0 {tag = 1 : i64} : (i32)
  return
}

func.func @below(%k: i32) attributes {pl.device} {
  return
}
