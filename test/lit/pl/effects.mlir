// What upstream's passes may do to pl.at, pl.spmd and what they hold. CHECK holds under each
// of them; the other prefixes say what one of them does.
// RUN: pld-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: pld-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,CANON
// RUN: pld-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: pld-opt %s --sccp | FileCheck %s
// RUN: pld-opt %s --control-flow-sink | FileCheck %s --check-prefixes=CHECK,SINK
// RUN: pld-opt %s --inline | FileCheck %s
// RUN: pld-opt %s --inline --sccp --canonicalize --cse --loop-invariant-code-motion --control-flow-sink \
// RUN:   --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,CSE,LICM

func.func @core(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %i: index) attributes {pl.incore} {
  %t = pl.load %x[%i, 0] : memref<64x64xf32> -> !pl.tile<1x64xf32>
  pl.store %t, %y[%i, 0] : !pl.tile<1x64xf32>, memref<64x64xf32>
  return
}

// The number of a block is another one in each: it leaves no pl.spmd, neither one that a loop
// repeats nor one next to another. Inside one it is one value.
// CHECK-LABEL: func.func @block_numbers
func.func @block_numbers(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %n: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: pl.block
  // CHECK: scf.for
  scf.for %k = %c0 to %n step %c1 {
    // CHECK-NOT: pl.block
    // CHECK: pl.spmd
    // CHECK-NEXT: %[[A:.*]] = pl.block_idx
    // CSE-NEXT: func.call @core(%arg0, %arg1, %[[A]])
    // CSE-NEXT: func.call @core(%arg0, %arg1, %[[A]])
    pl.spmd %n {
      %b = pl.block_idx
      %c = pl.block_idx
      func.call @core(%x, %y, %b) : (memref<64x64xf32>, memref<64x64xf32>, index) -> ()
      func.call @core(%x, %y, %c) : (memref<64x64xf32>, memref<64x64xf32>, index) -> ()
    }
    // CHECK: }
    // CHECK-NOT: pl.block
    // CHECK: pl.spmd
    // CHECK-NEXT: %[[B:.*]] = pl.block_idx
    // CHECK-NEXT: %[[N:.*]] = pl.block_num
    // CHECK-NEXT: arith.addi
    pl.spmd %n {
      %b = pl.block_idx
      %m = pl.block_num
      %i = arith.addi %b, %m : index
      func.call @core(%x, %y, %i) : (memref<64x64xf32>, memref<64x64xf32>, index) -> ()
    }
  }
  return
}

// Of a loop inside the region it may leave the loop, not the region.
// CHECK-LABEL: func.func @loop_in_spmd
func.func @loop_in_spmd(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %n: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: pl.block
  // CHECK: pl.spmd
  pl.spmd %n {
    // LICM-NEXT: pl.block_idx
    // LICM-NEXT: scf.for
    scf.for %k = %c0 to %n step %c1 {
      // CHECK: func.call @core
      %b = pl.block_idx
      func.call @core(%x, %y, %b) : (memref<64x64xf32>, memref<64x64xf32>, index) -> ()
    }
  }
  return
}

// Equal regions run twice.
// CHECK-LABEL: func.func @equal_regions
func.func @equal_regions(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.inout}, %n: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  // CHECK-COUNT-2: pl.spmd
  pl.spmd %n {
    func.call @core(%x, %y, %c0) : (memref<64x64xf32>, memref<64x64xf32>, index) -> ()
  }
  pl.spmd %n {
    func.call @core(%x, %y, %c0) : (memref<64x64xf32>, memref<64x64xf32>, index) -> ()
  }
  // CHECK-COUNT-2: pl.at
  // CHECK: return
  pl.at core_group {
    %a = pl.slice %y[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
    %b = pl.add %a, %a : tensor<64x64xf32>
    pl.assemble %b, %y[0, 0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  pl.at core_group {
    %a = pl.slice %y[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
    %b = pl.add %a, %a : tensor<64x64xf32>
    pl.assemble %b, %y[0, 0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Tensor code leaves no pl.at, though a loop repeats it: outside there are no tensors. Two
// slices are one if nothing is between them, and two around an assemble or a barrier.
// CHECK-LABEL: func.func @tensor_code
func.func @tensor_code(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.inout}, %s: !pld.dtensor<?x1xi32>, %f: f32,
                       %n: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: {{[^d]}}tensor<
  // CHECK: scf.for
  // CHECK-NEXT: pl.at
  scf.for %k = %c0 to %n step %c1 {
    pl.at core_group {
      // CHECK-NEXT: pl.full
      // CHECK-NEXT: pl.slice %arg0
      // CSE-NEXT: pl.add
      // CHECK: pl.slice %arg1
      // CHECK-NEXT: pl.assemble
      // CHECK-NEXT: pl.slice %arg1
      // CHECK-NEXT: pl.assemble
      // CHECK-NEXT: pld.barrier
      // CHECK-NEXT: pl.slice %arg1
      // CHECK-NEXT: pl.assemble
      // CHECK: return
      %c = pl.full %f : tensor<64x64xf32>
      %a = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
      %b = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
      %d = pl.add %a, %b : tensor<64x64xf32>
      %e = pl.mul %d, %c : tensor<64x64xf32>
      %g = pl.slice %y[0, 0] : memref<64x64xf32> -> tensor<32x64xf32>
      pl.assemble %e, %y[0, 0] : tensor<64x64xf32>, memref<64x64xf32>
      %h = pl.slice %y[0, 0] : memref<64x64xf32> -> tensor<32x64xf32>
      pl.assemble %g, %y[32, 0] : tensor<32x64xf32>, memref<64x64xf32>
      pld.barrier %s : !pld.dtensor<?x1xi32>
      %i = pl.slice %y[0, 0] : memref<64x64xf32> -> tensor<32x64xf32>
      pl.assemble %h, %y[32, 0] : tensor<32x64xf32>, memref<64x64xf32>
      pl.assemble %i, %y[32, 0] : tensor<32x64xf32>, memref<64x64xf32>
    }
  }
  return
}

// Communication in a region keeps it alive and in its place.
// CHECK-LABEL: func.func @communication
func.func @communication(%w: !pld.dtensor<64x64xf32>, %s: !pld.dtensor<?x1xi32>, %f: f32, %peer: index)
    attributes {pl.device} {
  // CHECK: pl.at
  // CHECK-NEXT: pld.barrier
  // CHECK: pl.at
  // CHECK: pld.remote_store
  // CHECK: pl.at
  // CHECK-NEXT: pld.barrier
  pl.at core_group {
    pld.barrier %s : !pld.dtensor<?x1xi32>
  }
  pl.at core_group {
    %t = pl.full %f : tensor<64x64xf32>
    pld.remote_store %t, %w[0, 0] to %peer : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
  }
  pl.at core_group {
    pld.barrier %s : !pld.dtensor<?x1xi32>
  }
  return
}

// A region without effects goes.
// CHECK-LABEL: func.func @dead
func.func @dead(%x: memref<64x64xf32>, %n: index) attributes {pl.device} {
  // CANON-NEXT: return
  pl.at core_group {
    %a = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
    %b = pl.row_sum %a : tensor<64x64xf32> -> tensor<64x1xf32>
    %c = pl.transpose %b : tensor<64x1xf32> -> tensor<1x64xf32>
    %d = pl.exp %c : tensor<1x64xf32>
  }
  pl.spmd %n {
    %b = pl.block_idx
  }
  return
}

// A cast of the device's code may sink to its use in a region of pl.at, and is valid there.
// CHECK-LABEL: func.func @cast
func.func @cast(%x: memref<64x64xf32>, %w: !pld.dtensor<1x64xi32>, %s: !pld.dtensor<?x1xi32>, %i: index, %c: i1) attributes {pl.device} {
  %y = memref.cast %x : memref<64x64xf32> to memref<?x64xf32>
  // CHECK: pl.at
  // CHECK: scf.if
  // SINK-NEXT: memref.cast
  // CHECK: pld.notify
  pl.at core_group {
    scf.if %c {
      %v = pl.slice %y[%i, 0] : memref<?x64xf32> -> tensor<1x64xf32>
      %n = pl.cast rint %v : tensor<1x64xf32> -> tensor<1x64xi32>
      pl.assemble %n, %w[0, 0] : tensor<1x64xi32>, !pld.dtensor<1x64xi32>
      %one = arith.constant 1 : i32
      pld.notify add %one, %s[0, 0] to %i : !pld.dtensor<?x1xi32>
    }
  }
  return
}
