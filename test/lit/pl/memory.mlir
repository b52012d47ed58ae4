// Round trip of pl.load, pl.store, pl.read, pl.write, pl.dim and pl.shard.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// Offsets may be static, dynamic, or a mix of both.
// CHECK-LABEL: func.func @offsets
func.func @offsets(%x: memref<64x64xf32>, %i: index, %j: index) attributes {pl.incore} {
  // CHECK: %{{.*}} = pl.load %arg0[0, 32] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  %a = pl.load %x[0, 32] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  // CHECK: %{{.*}} = pl.load %arg0[%arg1, 32] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  %b = pl.load %x[%i, 32] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  // CHECK: %{{.*}} = pl.load %arg0[0, %arg2] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  %c = pl.load %x[0, %j] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  // CHECK: %{{.*}} = pl.load %arg0[%arg1, %arg2] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  %d = pl.load %x[%i, %j] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  return
}

// Arrays and windows of rank 1 to 4, extents static and not.
// CHECK-LABEL: func.func @ranks
func.func @ranks(%r1: memref<64xf32>, %r2: memref<?x64xf32>, %r3: memref<2x8x64xf32>,
                 %r4: memref<?x2x8x?xf32> {pl.out}, %w1: !pld.dtensor<?xf32>,
                 %w3: !pld.dtensor<2x?x64xf32>, %w4: !pld.dtensor<1x2x8x64xf32>, %i: index)
    attributes {pl.incore} {
  // CHECK: pl.load %arg0[%arg7] : memref<64xf32> -> !pl.tile<1x32xf32>
  %a = pl.load %r1[%i] : memref<64xf32> -> !pl.tile<1x32xf32>
  // CHECK: pl.load %arg1[%arg7, 0] : memref<?x64xf32> -> !pl.tile<8x64xf32>
  %b = pl.load %r2[%i, 0] : memref<?x64xf32> -> !pl.tile<8x64xf32>
  // CHECK: pl.load %arg2[1, 0, 0] : memref<2x8x64xf32> -> !pl.tile<8x64xf32>
  %c = pl.load %r3[1, 0, 0] : memref<2x8x64xf32> -> !pl.tile<8x64xf32>
  // CHECK: pl.store %{{.*}}, %arg3[%arg7, 1, 0, 9223372036854775807] : !pl.tile<8x64xf32>, memref<?x2x8x?xf32>
  pl.store %c, %r4[%i, 1, 0, 9223372036854775807] : !pl.tile<8x64xf32>, memref<?x2x8x?xf32>
  // CHECK: pl.store %{{.*}}, %arg4[%arg7] : !pl.tile<1x32xf32>, !pld.dtensor<?xf32>
  pl.store %a, %w1[%i] : !pl.tile<1x32xf32>, !pld.dtensor<?xf32>
  // CHECK: pl.store %{{.*}}, %arg5[1, %arg7, 0] : !pl.tile<8x64xf32>, !pld.dtensor<2x?x64xf32>
  pl.store %b, %w3[1, %i, 0] : !pl.tile<8x64xf32>, !pld.dtensor<2x?x64xf32>
  // CHECK: pl.load %arg6[0, 1, 0, 0] : !pld.dtensor<1x2x8x64xf32> -> !pl.tile<8x64xf32>
  %d = pl.load %w4[0, 1, 0, 0] : !pld.dtensor<1x2x8x64xf32> -> !pl.tile<8x64xf32>
  return
}

// The valid part and the pad value, each optional, each entry static or dynamic.
// CHECK-LABEL: func.func @valid_and_pad
func.func @valid_and_pad(%x: memref<37x29xf32>, %y: memref<37x29xf32> {pl.inout}, %v: f32,
                         %i: index, %r: index) attributes {pl.incore} {
  // CHECK: pl.load %arg0[%arg3, 0] valid [%arg4, 29] pad(%arg2 : f32) : memref<37x29xf32> -> !pl.tile<8x32xf32>
  %a = pl.load %x[%i, 0] valid [%r, 29] pad(%v : f32) : memref<37x29xf32> -> !pl.tile<8x32xf32>
  // CHECK: pl.load %arg0[32, 0] valid [5, 29] : memref<37x29xf32> -> !pl.tile<8x32xf32>
  %b = pl.load %x[32, 0] valid [5, 29] : memref<37x29xf32> -> !pl.tile<8x32xf32>
  // CHECK: pl.load %arg0[0, 0] valid [%arg4, %arg3] : memref<37x29xf32> -> !pl.tile<8x32xf32>
  %c = pl.load %x[0, 0] valid [%r, %i] : memref<37x29xf32> -> !pl.tile<8x32xf32>
  // CHECK: pl.load %arg0[0, 0] pad(%arg2 : f32) : memref<37x29xf32> -> !pl.tile<8x8xf32>
  %d = pl.load %x[0, 0] pad(%v : f32) : memref<37x29xf32> -> !pl.tile<8x8xf32>
  // A valid part may be empty, and may end where the array ends.
  // CHECK: pl.load %arg0[37, 0] valid [0, 29] : memref<37x29xf32> -> !pl.tile<8x32xf32>
  %e = pl.load %x[37, 0] valid [0, 29] : memref<37x29xf32> -> !pl.tile<8x32xf32>
  // CHECK: pl.store %{{.*}}, %arg1[%arg3, 0] valid [%arg4, 29] : !pl.tile<8x32xf32>, memref<37x29xf32>
  pl.store %a, %y[%i, 0] valid [%r, 29] : !pl.tile<8x32xf32>, memref<37x29xf32>
  // CHECK: pl.store %{{.*}}, %arg1[%arg3, 0] valid [%arg4, 29] atomic add : !pl.tile<8x32xf32>, memref<37x29xf32>
  pl.store %a, %y[%i, 0] valid [%r, 29] atomic add : !pl.tile<8x32xf32>, memref<37x29xf32>
  return
}

// Of an array of rank 1 a tile of more rows may be loaded, if one of them is valid.
// CHECK-LABEL: func.func @one_valid_row
func.func @one_valid_row(%x: memref<64xf32>) attributes {pl.incore} {
  // CHECK: pl.load %arg0[0] valid [1, 64] : memref<64xf32> -> !pl.tile<8x64xf32>
  %a = pl.load %x[0] valid [1, 64] : memref<64xf32> -> !pl.tile<8x64xf32>
  return
}

// All element types; atomic add for the six that have it.
// CHECK-LABEL: func.func @elements
func.func @elements(%f32: memref<8x64xf32> {pl.inout}, %f16: memref<8x64xf16> {pl.inout},
                    %bf16: memref<8x64xbf16> {pl.inout}, %i8: memref<8x64xi8> {pl.inout},
                    %i16: memref<8x64xi16> {pl.inout}, %i32: memref<8x64xi32> {pl.inout},
                    %i64: memref<8x64xi64> {pl.inout}, %i1: memref<8x64xi1> {pl.inout})
    attributes {pl.incore} {
  // CHECK: pl.load %arg0[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  // CHECK: pl.store %{{.*}}, %arg0[0, 0] atomic add : !pl.tile<8x64xf32>, memref<8x64xf32>
  %0 = pl.load %f32[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  pl.store %0, %f32[0, 0] atomic add : !pl.tile<8x64xf32>, memref<8x64xf32>
  // CHECK: pl.store %{{.*}}, %arg1[0, 0] atomic add : !pl.tile<8x64xf16>, memref<8x64xf16>
  %1 = pl.load %f16[0, 0] : memref<8x64xf16> -> !pl.tile<8x64xf16>
  pl.store %1, %f16[0, 0] atomic add : !pl.tile<8x64xf16>, memref<8x64xf16>
  // CHECK: pl.store %{{.*}}, %arg2[0, 0] atomic add : !pl.tile<8x64xbf16>, memref<8x64xbf16>
  %2 = pl.load %bf16[0, 0] : memref<8x64xbf16> -> !pl.tile<8x64xbf16>
  pl.store %2, %bf16[0, 0] atomic add : !pl.tile<8x64xbf16>, memref<8x64xbf16>
  // CHECK: pl.store %{{.*}}, %arg3[0, 0] atomic add : !pl.tile<8x64xi8>, memref<8x64xi8>
  %3 = pl.load %i8[0, 0] : memref<8x64xi8> -> !pl.tile<8x64xi8>
  pl.store %3, %i8[0, 0] atomic add : !pl.tile<8x64xi8>, memref<8x64xi8>
  // CHECK: pl.store %{{.*}}, %arg4[0, 0] atomic add : !pl.tile<8x64xi16>, memref<8x64xi16>
  %4 = pl.load %i16[0, 0] : memref<8x64xi16> -> !pl.tile<8x64xi16>
  pl.store %4, %i16[0, 0] atomic add : !pl.tile<8x64xi16>, memref<8x64xi16>
  // CHECK: pl.store %{{.*}}, %arg5[0, 0] atomic add : !pl.tile<8x64xi32>, memref<8x64xi32>
  %5 = pl.load %i32[0, 0] : memref<8x64xi32> -> !pl.tile<8x64xi32>
  pl.store %5, %i32[0, 0] atomic add : !pl.tile<8x64xi32>, memref<8x64xi32>
  // CHECK: pl.store %{{.*}}, %arg6[0, 0] : !pl.tile<8x64xi64>, memref<8x64xi64>
  %6 = pl.load %i64[0, 0] : memref<8x64xi64> -> !pl.tile<8x64xi64>
  pl.store %6, %i64[0, 0] : !pl.tile<8x64xi64>, memref<8x64xi64>
  // CHECK: pl.store %{{.*}}, %arg7[0, 0] : !pl.tile<8x64xi1>, memref<8x64xi1>
  %7 = pl.load %i1[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  pl.store %7, %i1[0, 0] : !pl.tile<8x64xi1>, memref<8x64xi1>
  return
}

// One scalar of an array or of the own slice; its type follows from the memory.
// CHECK-LABEL: func.func @scalars
func.func @scalars(%y: memref<4x1xi32> {pl.inout}, %h: memref<7xbf16> {pl.inout},
                   %s: !pld.dtensor<?x1xi32>, %q: !pld.dtensor<2x3x4x5xi64>, %i: index)
    attributes {pl.incore} {
  // CHECK: %[[A:.*]] = pl.read %arg2[%arg4, 0] : !pld.dtensor<?x1xi32>
  %a = pl.read %s[%i, 0] : !pld.dtensor<?x1xi32>
  // CHECK: pl.write %[[A]], %arg0[%arg4, 0] : memref<4x1xi32>
  pl.write %a, %y[%i, 0] : memref<4x1xi32>
  // CHECK: %[[B:.*]] = pl.read %arg1[6] : memref<7xbf16>
  %b = pl.read %h[6] : memref<7xbf16>
  // CHECK: pl.write %[[B]], %arg1[0] : memref<7xbf16>
  pl.write %b, %h[0] : memref<7xbf16>
  // CHECK: %[[C:.*]] = pl.read %arg3[1, %arg4, 3, 4] : !pld.dtensor<2x3x4x5xi64>
  %c = pl.read %q[1, %i, 3, 4] : !pld.dtensor<2x3x4x5xi64>
  // CHECK: pl.write %[[C]], %arg3[0, 0, 0, %arg4] : !pld.dtensor<2x3x4x5xi64>
  pl.write %c, %q[0, 0, 0, %i] : !pld.dtensor<2x3x4x5xi64>
  return
}

// CHECK-LABEL: func.func @dim_in_core
func.func @dim_in_core(%x: memref<?x64xf32>, %w: !pld.dtensor<2x?x1xi8>) attributes {pl.incore} {
  // CHECK: pl.dim %arg0, 0 : memref<?x64xf32>
  %a = pl.dim %x, 0 : memref<?x64xf32>
  // CHECK: pl.dim %arg1, 2 : !pld.dtensor<2x?x1xi8>
  %b = pl.dim %w, 2 : !pld.dtensor<2x?x1xi8>
  return
}

// CHECK-LABEL: func.func @dim_on_device
func.func @dim_on_device(%w: !pld.dtensor<?x64xf32>) attributes {pl.device} {
  // CHECK: pl.dim %arg0, 0 : !pld.dtensor<?x64xf32>
  %a = pl.dim %w, 0 : !pld.dtensor<?x64xf32>
  return
}

// A shard drops the leading dim, whatever the rank; the other extents may be dynamic.
// CHECK-LABEL: func.func @shards
func.func @shards(%a: memref<?x64xf32>, %b: memref<?x1x64xf32>, %c: memref<4x1x?x64xi8>,
                  %d: memref<?x1x2x3x4xbf16>, %r: index) attributes {pl.host} {
  // CHECK: pl.shard %arg0[%arg4] : memref<?x64xf32> -> memref<64xf32>
  %0 = pl.shard %a[%r] : memref<?x64xf32> -> memref<64xf32>
  // CHECK: pl.shard %arg1[%arg4] : memref<?x1x64xf32> -> memref<1x64xf32>
  %1 = pl.shard %b[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
  // CHECK: pl.shard %arg2[%arg4] : memref<4x1x?x64xi8> -> memref<1x?x64xi8>
  %2 = pl.shard %c[%r] : memref<4x1x?x64xi8> -> memref<1x?x64xi8>
  // CHECK: pl.shard %arg3[%arg4] : memref<?x1x2x3x4xbf16> -> memref<1x2x3x4xbf16>
  %3 = pl.shard %d[%r] : memref<?x1x2x3x4xbf16> -> memref<1x2x3x4xbf16>
  return
}

// Attributes of other dialects stay on operations of ours.
// CHECK-LABEL: func.func @foreign_attributes
func.func @foreign_attributes(%x: memref<8x8xf32>) attributes {pl.incore} {
  // CHECK: pl.load %arg0[0, 0] {tag = "kept"} : memref<8x8xf32> -> !pl.tile<8x8xf32>
  %a = pl.load %x[0, 0] {tag = "kept"} : memref<8x8xf32> -> !pl.tile<8x8xf32>
  return
}
