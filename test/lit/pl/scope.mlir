// Round trip of pl.at, pl.spmd, pl.block_idx, pl.block_num and pl.sync_blocks.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// In an in-core function the two stand anywhere.
func.func @rows(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}) attributes {pl.incore} {
  // CHECK: pl.block_idx
  // CHECK-NEXT: pl.block_num
  %b = pl.block_idx
  %n = pl.block_num
  %i = arith.muli %b, %n : index
  // CHECK: pl.sync_blocks{{$}}
  // CHECK-NEXT: pl.sync_blocks {tag}
  pl.sync_blocks
  pl.sync_blocks {tag}
  %t = pl.load %x[%i, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  pl.store %t, %y[%i, 0] : !pl.tile<8x64xf32>, memref<64x64xf32>
  return
}

// In a device function they stand in pl.spmd; control flow may be around and inside.
// CHECK-LABEL: func.func @spmd
func.func @spmd(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %n: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  scf.for %k = %c0 to %n step %c1 {
    // CHECK: pl.spmd %arg2 {
    // CHECK-NEXT: %[[B:.*]] = pl.block_idx
    // CHECK-NEXT: %[[N:.*]] = pl.block_num
    // CHECK-NEXT: %[[C:.*]] = arith.cmpi ult, %[[B]], %[[N]]
    // CHECK-NEXT: scf.if %[[C]] {
    // CHECK-NEXT: func.call @rows(%arg0, %arg1)
    pl.spmd %n {
      %b = pl.block_idx
      %m = pl.block_num
      %c = arith.cmpi ult, %b, %m : index
      scf.if %c {
        func.call @rows(%x, %y) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
      }
    }
  }
  // Empty, and with attributes.
  // CHECK: pl.spmd %{{.*}} attributes {tag} {
  // CHECK-NEXT: }
  pl.spmd %c1 attributes {tag} {
  }
  return
}

// Tensor code uses memory and scalars from outside, and control flow.
// CHECK-LABEL: func.func @at
func.func @at(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %w: !pld.dtensor<64x64xf32>,
              %s: !pld.dtensor<?x1xi32>, %f: f32, %n: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: pl.at core_group {
  // CHECK-NEXT: pl.slice
  pl.at core_group {
    %a = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
    %b = pl.muls %a, %f : tensor<64x64xf32>, f32
    // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<64x64xf32>)
    %c = scf.for %i = %c0 to %n step %c1 iter_args(%r = %b) -> (tensor<64x64xf32>) {
      %e = pl.exp %r : tensor<64x64xf32>
      scf.yield %e : tensor<64x64xf32>
    }
    // CHECK: pl.assemble
    pl.assemble %c, %y[0, 0] : tensor<64x64xf32>, memref<64x64xf32>
    // Communication of the AI core.
    // CHECK: pld.remote_store {{.*}} : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    // CHECK: pld.barrier
    pld.remote_store %c, %w[0, 0] to %c0 : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    pld.barrier %s : !pld.dtensor<?x1xi32>
    // Scalars, and helpers of the AI core.
    // CHECK: pl.block_idx
    // CHECK: pl.read
    // CHECK: call @rows
    %k = pl.block_idx
    %v = pl.read %s[%k, 0] : !pld.dtensor<?x1xi32>
    func.call @rows(%x, %y) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
  }
  // CHECK: pl.at core_group attributes {tag} {
  // CHECK-NEXT: }
  pl.at core_group attributes {tag} {
  }
  return
}

// Each block runs the region; what the device function computes for the block reaches it.
// CHECK-LABEL: func.func @at_in_spmd
func.func @at_in_spmd(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %n: index) attributes {pl.device} {
  // CHECK: pl.spmd
  // CHECK-NEXT: %[[B:.*]] = pl.block_idx
  // CHECK-NEXT: pl.at core_group
  // CHECK-NEXT: pl.slice %arg0[%[[B]], 0]
  pl.spmd %n {
    %b = pl.block_idx
    pl.at core_group {
      %a = pl.slice %x[%b, 0] : memref<64x64xf32> -> tensor<1x64xf32>
      pl.assemble %a, %y[%b, 0] : tensor<1x64xf32>, memref<64x64xf32>
    }
  }
  return
}
