// Tile operations that work on slots.

// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit --canonicalize --cse | FileCheck %s

// The slot is filled with the pad value, then the valid part is copied: whole strips, then
// single elements.
// CHECK-LABEL: func.func private @pld.valid
// CHECK: %[[SLOT:.*]] = llvm.call @pld_rt_arena_push
// CHECK: %[[PAD:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: llvm.store %[[PAD]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: scf.for
// CHECK: llvm.load {{.*}} -> vector<1xf32>
func.func @valid(%x: memref<8x64xf32>, %w: !pld.dtensor<8x64xf32>, %r: index, %c: index, %v: f32, %p: index) attributes {pl.incore} {
  %t = pl.load %x[0, 0] valid [%r, %c] pad(%v : f32) : memref<8x64xf32> -> !pl.tile<8x64xf32>
  pld.remote_store %t, %w[0, 0] to %p : !pl.tile<8x64xf32>, !pld.dtensor<8x64xf32>
  return
}

// A tile goes straight between slot and peer; only a part needs a pad.
// CHECK-LABEL: func.func private @pld.remote
// CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i64)
// CHECK-DAG: %[[C8:.*]] = llvm.mlir.constant(8 : i64)
// CHECK-DAG: %[[C256:.*]] = llvm.mlir.constant(256 : i64)
// CHECK-DAG: %[[C512:.*]] = llvm.mlir.constant(512 : i64)
// CHECK: %[[SLOT:.*]] = llvm.call @pld_rt_arena_push
// CHECK-NOT: llvm.store
// CHECK: llvm.call @pld_rt_load(%[[CTX:[a-z0-9]+]], %[[SLOT]], %[[C256]], %{{.*}}, %[[C0]], %[[C512]], %[[C8]], %[[C256]], %{{.*}}, %{{.*}})
// CHECK: llvm.call @pld_rt_store(%[[CTX]], %[[SLOT]], %[[C256]], %{{.*}}, %{{.*}}, %[[C512]], %[[C8]], %[[C256]], %{{.*}}, %[[C1]], %{{.*}})
func.func @remote(%w: !pld.dtensor<8x128xf32>, %p: index) attributes {pl.incore} {
  %t = pld.remote_load %w[0, 0] from %p : !pld.dtensor<8x128xf32> -> !pl.tile<8x64xf32>
  pld.remote_store %t, %w[0, 64] to %p atomic add : !pl.tile<8x64xf32>, !pld.dtensor<8x128xf32>
  return
}

// The runtime adds, and is told of it.
// CHECK-LABEL: func.func private @pld.atomic
// CHECK-DAG: %[[C2:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: llvm.call @pld_rt_access(%{{.*}}, %[[C2]],
// CHECK: llvm.call @pld_rt_local_add
func.func @atomic(%x: memref<8x64xi16>, %w: !pld.dtensor<8x64xi16>) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<8x64xi16> -> !pl.tile<8x64xi16>
  pl.store %t, %w[0, 0] atomic add : !pl.tile<8x64xi16>, !pld.dtensor<8x64xi16>
  return
}

// A tile that a loop carries is in a slot, in which the next one is made; what the loop still
// carries is a number.
// CHECK-LABEL: func.func private @pld.carried
// CHECK: "llvm.intr.memcpy"
// CHECK: scf.for
// CHECK-NOT: "llvm.intr.memcpy"
// CHECK-NOT: !pl.tile
// CHECK: return
func.func @carried(%x: memref<4x16xf32> {pl.inout}, %n: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.load %x[0, 0] : memref<4x16xf32> -> !pl.tile<4x16xf32>
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t) -> (!pl.tile<4x16xf32>) {
    %u = pl.add %p, %t : !pl.tile<4x16xf32>
    scf.yield %u : !pl.tile<4x16xf32>
  }
  pl.store %a, %x[0, 0] : !pl.tile<4x16xf32>, memref<4x16xf32>
  return
}
