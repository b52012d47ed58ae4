// Round trip of pl.slice, pl.assemble, pl.extract_slice, pl.insert_slice, pl.concat,
// pl.reshape, pl.transpose and pl.gather.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// Tensors from and to memory of each rank, at static and run-time offsets.
// CHECK-LABEL: func.func @regions
func.func @regions(%x1: memref<64xf32>, %x2: memref<?x128xf32> {pl.inout}, %x3: memref<2x8x64xf16> {pl.out},
                   %w: !pld.dtensor<?x2x8x?xf32>, %i: index) attributes {pl.device} {
  pl.at core_group {
    // CHECK: %[[A:.*]] = pl.slice %arg0[32] : memref<64xf32> -> tensor<1x32xf32>
    %a = pl.slice %x1[32] : memref<64xf32> -> tensor<1x32xf32>
    // CHECK: pl.assemble %[[A]], %arg1[%arg4, 96] : tensor<1x32xf32>, memref<?x128xf32>
    pl.assemble %a, %x2[%i, 96] : tensor<1x32xf32>, memref<?x128xf32>
    // CHECK: %[[B:.*]] = pl.slice %arg1[%arg4, %arg4] : memref<?x128xf32> -> tensor<8x64xf32>
    %b = pl.slice %x2[%i, %i] : memref<?x128xf32> -> tensor<8x64xf32>
    %h = pl.cast rint %b : tensor<8x64xf32> -> tensor<8x64xf16>
    // CHECK: pl.assemble %{{.*}}, %arg2[1, 0, 0] {tag} : tensor<8x64xf16>, memref<2x8x64xf16>
    pl.assemble %h, %x3[1, 0, 0] {tag} : tensor<8x64xf16>, memref<2x8x64xf16>
    // The own window slice.
    // CHECK: %[[C:.*]] = pl.slice %arg3[%arg4, 1, 0, %arg4] {tag} : !pld.dtensor<?x2x8x?xf32> -> tensor<8x64xf32>
    %c = pl.slice %w[%i, 1, 0, %i] {tag} : !pld.dtensor<?x2x8x?xf32> -> tensor<8x64xf32>
    // CHECK: pl.assemble %[[C]], %arg3[0, 0, 0, 64] : tensor<8x64xf32>, !pld.dtensor<?x2x8x?xf32>
    pl.assemble %c, %w[0, 0, 0, 64] : tensor<8x64xf32>, !pld.dtensor<?x2x8x?xf32>
  }
  return
}

// CHECK-LABEL: func.func @parts
func.func @parts(%f: f32, %i: index) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  // CHECK: %[[P:.*]] = pl.extract_slice %[[T:.*]][0, 32] : !pl.tile<8x64xf32> -> !pl.tile<8x32xf32>
  %p = pl.extract_slice %t[0, 32] : !pl.tile<8x64xf32> -> !pl.tile<8x32xf32>
  // CHECK: pl.extract_slice %[[T]][%arg1, %arg1] : !pl.tile<8x64xf32> -> !pl.tile<1x1xf32>
  %q = pl.extract_slice %t[%i, %i] : !pl.tile<8x64xf32> -> !pl.tile<1x1xf32>
  // CHECK: pl.extract_slice %[[T]][7, %arg1] {tag} : !pl.tile<8x64xf32> -> !pl.tile<1x8xf32>
  %r = pl.extract_slice %t[7, %i] {tag} : !pl.tile<8x64xf32> -> !pl.tile<1x8xf32>
  // CHECK: pl.insert_slice %[[P]] into %[[T]][0, 32] : !pl.tile<8x32xf32> into !pl.tile<8x64xf32>
  %0 = pl.insert_slice %p into %t[0, 32] : !pl.tile<8x32xf32> into !pl.tile<8x64xf32>
  // CHECK: pl.insert_slice %[[P]] into %[[T]][%arg1, 0] {tag} : !pl.tile<8x32xf32> into !pl.tile<8x64xf32>
  %1 = pl.insert_slice %p into %t[%i, 0] {tag} : !pl.tile<8x32xf32> into !pl.tile<8x64xf32>
  return
}

// CHECK-LABEL: func.func @rearranged
func.func @rearranged(%f: f32, %m: i1) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x32xf32>
  %b = pl.full %f : !pl.tile<8x16xf32>
  %c = pl.full %f : !pl.tile<1x32xf32>
  // CHECK: pl.concat %[[A:.*]], %{{.*}} dim 1 : !pl.tile<8x32xf32>, !pl.tile<8x16xf32> -> !pl.tile<8x48xf32>
  %0 = pl.concat %a, %b dim 1 : !pl.tile<8x32xf32>, !pl.tile<8x16xf32> -> !pl.tile<8x48xf32>
  // CHECK: pl.concat %[[A]], %{{.*}} dim 0 : !pl.tile<8x32xf32>, !pl.tile<1x32xf32> -> !pl.tile<9x32xf32>
  %1 = pl.concat %a, %c dim 0 : !pl.tile<8x32xf32>, !pl.tile<1x32xf32> -> !pl.tile<9x32xf32>
  // CHECK: pl.reshape %[[A]] : !pl.tile<8x32xf32> -> !pl.tile<16x16xf32>
  %2 = pl.reshape %a : !pl.tile<8x32xf32> -> !pl.tile<16x16xf32>
  // CHECK: pl.reshape %[[A]] : !pl.tile<8x32xf32> -> !pl.tile<1x256xf32>
  %3 = pl.reshape %a : !pl.tile<8x32xf32> -> !pl.tile<1x256xf32>
  // CHECK: pl.transpose %[[A]] : !pl.tile<8x32xf32> -> !pl.tile<32x8xf32>
  %4 = pl.transpose %a : !pl.tile<8x32xf32> -> !pl.tile<32x8xf32>
  // Masks are rearranged like numbers.
  %k = pl.full %m : !pl.tile<8x32xi1>
  // CHECK: pl.transpose %{{.*}} : !pl.tile<8x32xi1> -> !pl.tile<32x8xi1>
  %5 = pl.transpose %k : !pl.tile<8x32xi1> -> !pl.tile<32x8xi1>
  return
}

// CHECK-LABEL: func.func @gather
func.func @gather(%f: f16, %i: i32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<16x64xf16>
  %idx = pl.full %i : !pl.tile<8x1xi32>
  // CHECK: pl.gather %{{.*}}, %{{.*}} : !pl.tile<16x64xf16>, !pl.tile<8x1xi32> -> !pl.tile<8x64xf16>
  %0 = pl.gather %a, %idx : !pl.tile<16x64xf16>, !pl.tile<8x1xi32> -> !pl.tile<8x64xf16>
  // More rows than the source has.
  %many = pl.full %i : !pl.tile<32x1xi32>
  // CHECK: pl.gather %{{.*}}, %{{.*}} {tag} : !pl.tile<16x64xf16>, !pl.tile<32x1xi32> -> !pl.tile<32x64xf16>
  %1 = pl.gather %a, %many {tag} : !pl.tile<16x64xf16>, !pl.tile<32x1xi32> -> !pl.tile<32x64xf16>
  return
}

// The pure ones on tensors.
// CHECK-LABEL: func.func @tensors
func.func @tensors(%f: f32, %n: i32, %i: index) attributes {pl.device} {
  pl.at core_group {
    %a = pl.full %f : tensor<128x256xf32>
    // CHECK: %[[P:.*]] = pl.extract_slice %{{.*}}[64, %arg2] : tensor<128x256xf32> -> tensor<64x32xf32>
    %p = pl.extract_slice %a[64, %i] : tensor<128x256xf32> -> tensor<64x32xf32>
    // CHECK: pl.insert_slice %[[P]] into %{{.*}}[0, 0] : tensor<64x32xf32> into tensor<128x256xf32>
    %q = pl.insert_slice %p into %a[0, 0] : tensor<64x32xf32> into tensor<128x256xf32>
    // CHECK: pl.concat %{{.*}}, %{{.*}} dim 0 : tensor<128x256xf32>, tensor<128x256xf32> -> tensor<256x256xf32>
    %0 = pl.concat %a, %q dim 0 : tensor<128x256xf32>, tensor<128x256xf32> -> tensor<256x256xf32>
    // CHECK: pl.reshape %{{.*}} : tensor<256x256xf32> -> tensor<1x65536xf32>
    %1 = pl.reshape %0 : tensor<256x256xf32> -> tensor<1x65536xf32>
    // CHECK: pl.transpose %{{.*}} : tensor<1x65536xf32> -> tensor<65536x1xf32>
    %2 = pl.transpose %1 : tensor<1x65536xf32> -> tensor<65536x1xf32>
    %idx = pl.full %n : tensor<4x1xi32>
    // CHECK: pl.gather %{{.*}}, %{{.*}} : tensor<128x256xf32>, tensor<4x1xi32> -> tensor<4x256xf32>
    %3 = pl.gather %a, %idx : tensor<128x256xf32>, tensor<4x1xi32> -> tensor<4x256xf32>
  }
  return
}
