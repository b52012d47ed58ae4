// The gate before the lowerings passes all that a target's lowering knows, and names the targets
// that there are.
// RUN: pld-opt %s --pld-verify-lowerable | FileCheck %s
// RUN: pld-opt %s --pld-verify-lowerable=target=hccl | FileCheck %s
// RUN: not pld-opt %s --pld-verify-lowerable=target=gpu 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: option target is 'gpu', expected cpu or hccl
// CHECK-LABEL: func.func @known
func.func @known(%x: memref<16x16xf32>, %y: memref<16x16xf32> {pl.out}) attributes {pl.incore} {
  // CHECK-NEXT: pl.load
  // CHECK-NEXT: pl.matmul
  // CHECK-NEXT: pl.store
  %t = pl.load %x[0, 0] : memref<16x16xf32> -> !pl.tile<16x16xf32>
  %u = pl.matmul %t, %t : !pl.tile<16x16xf32>, !pl.tile<16x16xf32> -> !pl.tile<16x16xf32>
  pl.store %u, %y[0, 0] : !pl.tile<16x16xf32>, memref<16x16xf32>
  return
}
