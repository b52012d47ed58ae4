// Operations that a lowering does not know yet are refused by name, in each target, before
// any pass meets them; the other programs are untouched.
// RUN: split-file %s %t
// RUN: pld-opt %t/tiles.mlir --pld-verify-lowerable
// RUN: not pld-opt %t/tiles.mlir --lower-pld-to-hccl 2>&1 | FileCheck %t/tiles.mlir --check-prefix=HCCL --implicit-check-not=error:
// RUN: pld-opt %t/known.mlir --pld-verify-lowerable=target=hccl | FileCheck %t/known.mlir
// RUN: not pld-opt %t/known.mlir --pld-verify-lowerable=target=gpu 2>&1 | FileCheck %t/known.mlir --check-prefix=TARGET

//--- tiles.mlir
func.func @tiles(%f: f32) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<16x16xf32>
  %a = pl.transpose %t : !pl.tile<16x16xf32> -> !pl.tile<16x16xf32>
  // HCCL: tiles.mlir:[[@LINE+1]]:{{.*}} error: 'pl.matmul' is not lowered to AscendC yet
  %b = pl.matmul %a, %a : !pl.tile<16x16xf32>, !pl.tile<16x16xf32> -> !pl.tile<16x16xf32>
  return
}
func.func @f(%f: f32) attributes {pl.device} {
  call @tiles(%f) : (f32) -> ()
  return
}
func.func @main(%f: f32) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  pld.dispatch @f(%f) on %c0 : (f32)
  return
}

//--- known.mlir
// TARGET: error: option target is 'gpu', expected cpu or hccl
// CHECK-LABEL: func.func @known
func.func @known(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.out}) attributes {pl.incore} {
  // CHECK-NEXT: pl.load
  // CHECK-NEXT: pl.store
  %t = pl.load %x[0, 0] : memref<8x64xf32> -> !pl.tile<8x64xf32>
  pl.store %t, %y[0, 0] : !pl.tile<8x64xf32>, memref<8x64xf32>
  return
}
