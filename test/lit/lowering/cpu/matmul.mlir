// Matrix products: what they read in place, what they pack, where they accumulate.

// RUN: pld-opt %s --pl-cpu-plan | FileCheck %s --check-prefix=PLAN
// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit="bounds=false races=false" --canonicalize --cse | FileCheck %s
// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit="bounds=false races=false registers=32" --canonicalize --cse | FileCheck %s --check-prefix=WIDE
// RUN: not pld-opt %s --pl-cpu-plan --pl-cpu-emit="registers=8" 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: option registers is '8', expected 16 or 32

!tile = !pl.tile<64x64xf32>

// Both are read where they are; the right side is copied by the product, as it is read again for
// every few rows, and its memory is asked for ahead. The sum stays in the one slot that the loop
// carries.
// PLAN-LABEL: func.func @product
// PLAN-SAME: cpu.arena = 32768
// PLAN: pl.load %{{.*}}[0, %{{.*}}] {cpu.direct}
// PLAN: pl.load {{.*}}cpu.direct
// PLAN: pl.matmul_acc {{.*}}cpu.packed = array<i64: -1, {{[0-9]+}}>, cpu.slots = array<i64: [[SLOT:[0-9]+]]>
// PLAN: cpu.slots = array<i64: [[SLOT]], [[SLOT]]>
// Six rows and one strip at once, four k a round, of which each loads behind the one before; and
// the four rows that are left, one k a round. Or eight and two with more registers.
// CHECK-LABEL: func.func private @pld.product
// CHECK: llvm.intr.prefetch
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK-COUNT-6: math.fma
// CHECK: llvm.fence syncscope("singlethread") seq_cst
// CHECK-COUNT-22: math.fma
// CHECK-NOT: math.fma
// CHECK: return
// WIDE-LABEL: func.func private @pld.product
// WIDE-COUNT-64: math.fma
// WIDE-NOT: math.fma
// WIDE: return
func.func @product(%x: memref<64x512xf32>, %y: memref<512x64xf32>, %z: memref<64x64xf32> {pl.out}) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %start = pl.full %zero : !tile
  %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %start) -> (!tile) {
    %l = pl.load %x[0, %k] : memref<64x512xf32> -> !tile
    %r = pl.load %y[%k, 0] : memref<512x64xf32> -> !tile
    %next = pl.matmul_acc %acc, %l, %r : !tile, !tile -> !tile
    scf.yield %next : !tile
  }
  pl.store %sum, %z[0, 0] : !tile, memref<64x64xf32>
  return
}

// With few rows the right side is not copied.
// PLAN-LABEL: func.func @few_rows
// PLAN: pl.load {{.*}}cpu.direct
// PLAN: pl.load {{.*}}cpu.direct
// PLAN-NOT: cpu.packed
// PLAN: return
func.func @few_rows(%x: memref<16x64xf32>, %y: memref<64x64xf32>, %z: memref<16x64xf32> {pl.out}) attributes {pl.incore} {
  %l = pl.load %x[0, 0] : memref<16x64xf32> -> !pl.tile<16x64xf32>
  %r = pl.load %y[0, 0] : memref<64x64xf32> -> !tile
  %p = pl.matmul %l, %r : !pl.tile<16x64xf32>, !tile -> !pl.tile<16x64xf32>
  pl.store %p, %z[0, 0] : !pl.tile<16x64xf32>, memref<16x64xf32>
  return
}

// What is packed is read once, so in place whatever the rows.
// PLAN-LABEL: func.func @packed_in_place
// PLAN: pl.load {{.*}}cpu.direct
// PLAN: pl.load {{.*}}cpu.direct
// PLAN: pl.matmul {{.*}}cpu.packed = array<i64: -1, {{[0-9]+}}>
func.func @packed_in_place(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %z: memref<64x64xf32> {pl.out}) attributes {pl.incore} {
  %l = pl.load %x[0, 0] : memref<64x64xf32> -> !tile
  %r = pl.load %y[0, 0] : memref<64x64xf32> -> !tile
  %p = pl.matmul %l, %r transpose_b : !tile, !tile -> !tile
  pl.store %p, %z[0, 0] : !tile, memref<64x64xf32>
  return
}

// What memory may have changed, or others use, is not read in place; what is not f32 by rows is
// packed.
// PLAN-LABEL: func.func @packed
// PLAN: pl.load
// PLAN-NOT: cpu.direct
// PLAN: pl.matmul {{.*}}cpu.packed = array<i64: -1, {{[0-9]+}}>
// PLAN: pl.matmul {{.*}}cpu.packed = array<i64: {{[0-9]+}}, {{[0-9]+}}>
// CHECK-LABEL: func.func private @pld.packed
// CHECK: arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
func.func @packed(%x: memref<16x16xf32> {pl.inout}, %h: memref<16x16xf16>) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : memref<16x16xf32> -> !pl.tile<16x16xf32>
  %b = pl.load %x[0, 0] : memref<16x16xf32> -> !pl.tile<16x16xf32>
  pl.store %b, %x[0, 0] : !pl.tile<16x16xf32>, memref<16x16xf32>
  %c = pl.matmul %a, %b transpose_b : !pl.tile<16x16xf32>, !pl.tile<16x16xf32> -> !pl.tile<16x16xf32>
  %g = pl.load %h[0, 0] : memref<16x16xf16> -> !pl.tile<16x16xf16>
  %d = pl.matmul %g, %g : !pl.tile<16x16xf16>, !pl.tile<16x16xf16> -> !pl.tile<16x16xf32>
  %e = pl.add %c, %d : !pl.tile<16x16xf32>
  pl.store %e, %x[0, 0] : !pl.tile<16x16xf32>, memref<16x16xf32>
  return
}
