// Regions of tensor-level code to in-core functions.
// RUN: pld-opt %s --pl-outline-at --split-input-file | FileCheck %s
// The result is a program, also of what upstream's passes leave.
// RUN: pld-opt %s --pl-outline-at --canonicalize --cse --split-input-file --verify-roundtrip | FileCheck %s --check-prefix=CLEAN
// RUN: pld-opt %s --canonicalize --cse --pl-outline-at --split-input-file | FileCheck %s --check-prefix=CLEAN

// CLEAN-NOT: pl.at

// What the region uses becomes an argument: memory first, then scalars. A memref has the
// direction it is used in. Constants, and what may not cross a boundary, are made inside.
// CHECK-LABEL: func.func @push_scaled(
// CHECK-NOT:     pl.at
// CHECK:         call @push_scaled_at_0(%arg2, %arg0, %arg1, %arg3)
// CHECK:       func.func private @push_scaled_at_0(%[[W:.*]]: !pld.dtensor<64x64xf32>, %[[X:.*]]: memref<64x64xf32> {pl.in}, %[[Y:.*]]: memref<64x64xf32> {pl.out}, %[[PEER:.*]]: index)
// CHECK-SAME:    attributes {pl.incore, pl.tensors}
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK-DAG:     %[[CTX:.*]] = pld.get_comm_ctx %[[W]]
// CHECK:         %[[V:.*]] = pl.slice %[[X]][0, 0]
// CHECK:         %[[S:.*]] = pl.muls %[[V]], %[[TWO]]
// CHECK:         pld.rank %[[CTX]]
// CHECK:         pld.remote_store %[[S]], %[[W]][0, 0] to %[[PEER]]
// CHECK:         pl.assemble %[[S]], %[[Y]]
func.func @push_scaled(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %w: !pld.dtensor<64x64xf32>, %peer: index) attributes {pl.device} {
  %two = arith.constant 2.0 : f32
  %ctx = pld.get_comm_ctx %w : !pld.dtensor<64x64xf32>
  pl.at core_group {
    %v = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
    %s = pl.muls %v, %two : tensor<64x64xf32>, f32
    %me = pld.rank %ctx
    %i = arith.index_cast %me : index to i32
    %sig = pl.full %i : tensor<64x64xi32>
    pld.remote_store %s, %w[0, 0] to %peer : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    pl.assemble %s, %y[0, 0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// -----

// Regions in loops, branches and blocks; names that are taken are avoided, and what is read
// and written is inout.
func.func @nest_at_0(%f: f32) attributes {pl.incore} { return }
// CHECK-LABEL: func.func @nest(
// CHECK:         scf.for %[[I:.*]] = %c0 to %arg1
// CHECK:           call @nest_at_1(%arg0, %[[I]])
// CHECK:           scf.if
// CHECK:             call @nest_at_2(%arg0)
// CHECK:         pl.spmd
// CHECK:           call @nest_at_3(%arg0, %{{.*}})
// CHECK-DAG:   func.func private @nest_at_1(%{{.*}}: memref<4x8xf32> {pl.in}, %{{.*}}: index)
// CHECK-DAG:   func.func private @nest_at_2(%{{.*}}: memref<4x8xf32> {pl.inout})
// CHECK-DAG:   func.func private @nest_at_3(%{{.*}}: memref<4x8xf32> {pl.out}, %{{.*}}: index)
func.func @nest(%x: memref<4x8xf32> {pl.inout}, %n: index, %c: i1) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    pl.at core_group {
      %v = pl.slice %x[%i, 0] : memref<4x8xf32> -> tensor<1x8xf32>
      %r = pl.read %x[%i, 0] : memref<4x8xf32>
    }
    scf.if %c {
      pl.at core_group {
        %v = pl.slice %x[0, 0] : memref<4x8xf32> -> tensor<4x8xf32>
        %e = pl.exp %v : tensor<4x8xf32>
        pl.assemble %e, %x[0, 0] : tensor<4x8xf32>, memref<4x8xf32>
      }
    }
  }
  pl.spmd %n {
    %b = pl.block_idx
    pl.at core_group {
      %f = arith.constant 0.5 : f32
      %v = pl.full %f : tensor<1x8xf32>
      pl.assemble %v, %x[%b, 0] : tensor<1x8xf32>, memref<4x8xf32>
    }
  }
  return
}

// -----

// A cast that upstream sank into the region is moved out again: an in-core function has none.
// What a call or a bulk transfer does with memory counts as the region's own doing.
func.func @helper(%x: memref<?x8xf32>, %y: memref<4x8xf32> {pl.out}) attributes {pl.incore} { return }
// CHECK-LABEL: func.func @cast(
// CHECK:         %[[C:.*]] = memref.cast %arg0
// CHECK:         call @cast_at_0(%[[C]], %arg1, %arg0, %arg2, %arg3)
// CHECK:       func.func private @cast_at_0(%{{.*}}: memref<?x8xf32> {pl.in}, %{{.*}}: memref<4x8xf32> {pl.out}, %{{.*}}: memref<4x8xf32> {pl.in}, %{{.*}}: !pld.dtensor<4x8xf32>, %{{.*}}: index)
func.func @cast(%x: memref<4x8xf32>, %y: memref<4x8xf32> {pl.out}, %w: !pld.dtensor<4x8xf32>, %peer: index) attributes {pl.device} {
  pl.at core_group {
    %c = memref.cast %x : memref<4x8xf32> to memref<?x8xf32>
    func.call @helper(%c, %y) : (memref<?x8xf32>, memref<4x8xf32>) -> ()
    pld.put %x, %w to %peer : memref<4x8xf32>, !pld.dtensor<4x8xf32>
  }
  return
}
