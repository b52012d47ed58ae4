// Rows that are reduced and used in one nest: one loop over the rows, strip loops in it.

// RUN: pld-opt %s --pl-cpu-plan | FileCheck %s --check-prefix=PLAN
// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit="bounds=false races=false" --canonicalize --cse | FileCheck %s

!rows = !pl.tile<8x128xf32>
!column = !pl.tile<8x1xf32>

// All of a softmax is one group. The exponentials, which two strip loops use, are kept for one
// row; x is loaded twice, and no tile is in memory.
// PLAN-LABEL: func.func @softmax
// PLAN-SAME: cpu.arena = 512
// PLAN-NOT: cpu.slots
// PLAN: pl.exp {{.*}}cpu.group = 0 : i64, cpu.row = 0
// PLAN-NOT: cpu.slots
// PLAN: pl.store {{.*}}cpu.group = 0
// CHECK-LABEL: func.func private @pld.softmax
// CHECK: scf.for
// Four accumulators take turns.
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: arith.maximumf
// CHECK: scf.yield
// CHECK: vector.shuffle {{.*}} : vector<16xf32>, vector<16xf32>
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.addf {{%.*}}, {{%.*}} : vector<16xf32>
// CHECK: scf.yield
// CHECK: scf.for
// CHECK-NEXT: arith.index_cast
// CHECK: arith.divf {{.*}} : vector<16xf32>
// CHECK-NOT: scf.for
// CHECK: return
func.func @softmax(%x: memref<8x128xf32> {pl.inout}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<8x128xf32> -> !rows
  %m = pl.row_max %t : !rows -> !column
  %d = pl.row_expand_sub %t, %m : !rows, !column
  %e = pl.exp %d : !rows
  %s = pl.row_sum %e : !rows -> !column
  %r = pl.row_expand_div %e, %s : !rows, !column
  pl.store %r, %x[0, 0] : !rows, memref<8x128xf32>
  return
}

// What a store may have changed in between is not loaded again, but kept.
// PLAN-LABEL: func.func @overwritten
// PLAN: pl.load {{.*}}cpu.group = 0 : i64, cpu.row =
func.func @overwritten(%x: memref<8x128xf32> {pl.inout}, %y: memref<8x128xf32> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<8x128xf32> -> !rows
  %d = pl.add %t, %t : !rows
  pl.store %d, %x[0, 0] : !rows, memref<8x128xf32>
  %s = pl.row_sum %d : !rows -> !column
  %r = pl.row_expand_mul %t, %s : !rows, !column
  pl.store %r, %y[0, 0] : !rows, memref<8x128xf32>
  return
}

// A row that is repeated along all columns must be whole first: another nest makes it.
// PLAN-LABEL: func.func @repeated
// PLAN: pl.row_max {{.*}}cpu.group = 0
// PLAN: pl.col_sum
// PLAN: pl.col_expand_add {{.*}}cpu.group = 1
func.func @repeated(%x: memref<8x128xf32>, %y: memref<8x128xf32> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<8x128xf32> -> !rows
  %m = pl.row_max %t : !rows -> !column
  %c = pl.col_sum %t : !rows -> !pl.tile<1x128xf32>
  %d = pl.row_expand_sub %t, %m : !rows, !column
  %r = pl.col_expand_add %d, %c : !rows, !pl.tile<1x128xf32>
  pl.store %r, %y[0, 0] : !rows, memref<8x128xf32>
  return
}
