// What becomes one loop nest, and where tiles are kept.

// RUN: pld-opt %s --pl-cpu-plan | FileCheck %s

// A chain is one group; its tiles stay in registers. The store may overlap the load, since
// two memrefs may be one array, and gets a fallback slot.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: cpu.arena = 4096
// CHECK: pl.load {{.*}}cpu.group = 0
// CHECK-NOT: cpu.slots
// CHECK: pl.adds {{.*}}cpu.group = 0
// CHECK: pl.mul {{.*}}cpu.group = 0
// CHECK: pl.store {{.*}}cpu.fallback = 0 : i64, cpu.group = 0
func.func @chain(%x: memref<16x64xf32>, %y: memref<16x64xf32> {pl.out}, %s: f32) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<16x64xf32> -> !pl.tile<16x64xf32>
  %u = pl.adds %t, %s : !pl.tile<16x64xf32>, f32
  %v = pl.mul %u, %t : !pl.tile<16x64xf32>
  pl.store %v, %y[0, 0] : !pl.tile<16x64xf32>, memref<16x64xf32>
  return
}

// In place, and between a memref and a window, nothing can overlap: no slot at all.
// CHECK-LABEL: func.func @in_step
// CHECK-NOT: cpu.arena
// CHECK-NOT: cpu.fallback
// CHECK: return
func.func @in_step(%x: memref<16x64xf32> {pl.inout}, %w: !pld.dtensor<16x64xf32>) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<16x64xf32> -> !pl.tile<16x64xf32>
  %u = pl.add %t, %t : !pl.tile<16x64xf32>
  pl.store %u, %x[0, 0] : !pl.tile<16x64xf32>, memref<16x64xf32>
  pl.store %u, %w[0, 0] : !pl.tile<16x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// A store ends the group for what may overlap it; the tile that the next group also uses
// gets a slot, and pl.full is made again instead.
// CHECK-LABEL: func.func @two_groups
// CHECK: pl.full {{.*}}cpu.group = 0
// CHECK-NOT: cpu.slots
// CHECK: pl.load {{.*}}cpu.group = 0 : i64, cpu.slots = array<i64: {{[0-9]+}}>
// CHECK: pl.store {{.*}}cpu.group = 0
// CHECK: pl.load {{.*}}cpu.group = 1
// CHECK: pl.add {{.*}}cpu.group = 1
// CHECK: pl.add {{.*}}cpu.group = 1
// CHECK: pl.store {{.*}}cpu.group = 1
func.func @two_groups(%x: memref<8x16xf32> {pl.inout}, %s: f32) attributes {pl.incore} {
  %f = pl.full %s : !pl.tile<4x16xf32>
  %t = pl.load %x[0, 0] : memref<8x16xf32> -> !pl.tile<4x16xf32>
  pl.store %t, %x[1, 0] : !pl.tile<4x16xf32>, memref<8x16xf32>
  %u = pl.load %x[2, 0] : memref<8x16xf32> -> !pl.tile<4x16xf32>
  %v = pl.add %u, %t : !pl.tile<4x16xf32>
  %r = pl.add %v, %f : !pl.tile<4x16xf32>
  pl.store %r, %x[4, 0] : !pl.tile<4x16xf32>, memref<8x16xf32>
  return
}

// What is not row-wise works on slots, and ends a group; a slot whose tile is dead is used
// again.
// CHECK-LABEL: func.func @slots
// CHECK-SAME: cpu.arena = 512
// CHECK: pld.remote_load {{.*}}cpu.slots = array<i64: 0>
// CHECK: pld.remote_store
// CHECK: pl.load {{.*}} valid {{.*}}cpu.slots = array<i64: 0>
// CHECK: pl.add {{.*}}cpu.group = 0 : i64, cpu.slots = array<i64: 256>
func.func @slots(%w: !pld.dtensor<4x16xf32>, %peer: index, %n: index) attributes {pl.incore} {
  %t = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<4x16xf32> -> !pl.tile<4x16xf32>
  pld.remote_store %t, %w[0, 0] to %peer : !pl.tile<4x16xf32>, !pld.dtensor<4x16xf32>
  %u = pl.load %w[0, 0] valid [%n, 16] : !pld.dtensor<4x16xf32> -> !pl.tile<4x16xf32>
  %v = pl.add %u, %u : !pl.tile<4x16xf32>
  pl.store %v, %w[0, 0] atomic add : !pl.tile<4x16xf32>, !pld.dtensor<4x16xf32>
  return
}

// A loop's argument and result share a slot; two carried tiles may change places, so they
// also have slots to change them through.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK: } {cpu.slots = array<i64: [[A:[0-9]+]], [[B:[0-9]+]], [[A]], [[B]]>, cpu.temps = array<i64: {{[0-9]+}}, {{[0-9]+}}>}
func.func @carried(%x: memref<4x16xf32> {pl.inout}, %n: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.load %x[0, 0] : memref<4x16xf32> -> !pl.tile<4x16xf32>
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t, %q = %t) -> (!pl.tile<4x16xf32>, !pl.tile<4x16xf32>) {
    scf.yield %q, %p : !pl.tile<4x16xf32>, !pl.tile<4x16xf32>
  }
  pl.store %a, %x[0, 0] : !pl.tile<4x16xf32>, memref<4x16xf32>
  return
}

// What an operation makes of a carried tile that only it uses takes that tile's place, and is
// not copied there; not if the tile is used again.
// CHECK-LABEL: func.func @in_place
// CHECK: pl.add {{.*}}cpu.slots = array<i64: [[SUM:[0-9]+]]>
// CHECK: } {cpu.slots = array<i64: [[SUM]], [[SUM]]>}
// CHECK: pl.add {{.*}}cpu.slots = array<i64: [[NEXT:[0-9]+]]>
// CHECK-NOT: } {cpu.slots = array<i64: [[NEXT]],
// CHECK: return
func.func @in_place(%x: memref<4x16xf32> {pl.inout}, %w: !pld.dtensor<4x16xf32>, %n: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.load %x[0, 0] : memref<4x16xf32> -> !pl.tile<4x16xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %t) -> (!pl.tile<4x16xf32>) {
    %p = pld.remote_load %w[0, 0] from %i : !pld.dtensor<4x16xf32> -> !pl.tile<4x16xf32>
    %next = pl.add %acc, %p : !pl.tile<4x16xf32>
    scf.yield %next : !pl.tile<4x16xf32>
  }
  pl.store %sum, %x[0, 0] : !pl.tile<4x16xf32>, memref<4x16xf32>
  %kept = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %t) -> (!pl.tile<4x16xf32>) {
    %p = pld.remote_load %w[0, 0] from %i : !pld.dtensor<4x16xf32> -> !pl.tile<4x16xf32>
    %next = pl.add %acc, %p : !pl.tile<4x16xf32>
    pld.remote_store %acc, %w[0, 0] to %i : !pl.tile<4x16xf32>, !pld.dtensor<4x16xf32>
    scf.yield %next : !pl.tile<4x16xf32>
  }
  pl.store %kept, %x[0, 0] : !pl.tile<4x16xf32>, memref<4x16xf32>
  return
}
