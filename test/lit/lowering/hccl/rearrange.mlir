// Parts and arrangements: copies of whole blocks, single elements by the scalar unit.
// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s

func.func @parts(%x: memref<4x24xf32>, %y: memref<4x24xf32> {pl.out}, %z: memref<24x4xf32> {pl.out}, %n: memref<3x1xi32>, %g: memref<3x24xf32> {pl.out}, %r: memref<8x16xi32> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<4x24xf32> -> !pl.tile<4x24xf32>
  %h = pl.extract_slice %t[1, 8] : !pl.tile<4x24xf32> -> !pl.tile<2x16xf32>
  %w = pl.insert_slice %h into %t[0, 0] : !pl.tile<2x16xf32> into !pl.tile<4x24xf32>
  %s = pl.reshape %w : !pl.tile<4x24xf32> -> !pl.tile<6x16xf32>
  %b = pl.concat %h, %h dim 0 : !pl.tile<2x16xf32>, !pl.tile<2x16xf32> -> !pl.tile<4x16xf32>
  %e = pl.extract_slice %s[0, 8] : !pl.tile<6x16xf32> -> !pl.tile<4x8xf32>
  %c = pl.concat %b, %e dim 1 : !pl.tile<4x16xf32>, !pl.tile<4x8xf32> -> !pl.tile<4x24xf32>
  pl.store %c, %y[0, 0] : !pl.tile<4x24xf32>, memref<4x24xf32>
  %p = pl.transpose %c : !pl.tile<4x24xf32> -> !pl.tile<24x4xf32>
  pl.store %p, %z[0, 0] : !pl.tile<24x4xf32>, memref<24x4xf32>
  %i = pl.load %n[0, 0] : memref<3x1xi32> -> !pl.tile<3x1xi32>
  %a = pl.gather %c, %i : !pl.tile<4x24xf32>, !pl.tile<3x1xi32> -> !pl.tile<3x24xf32>
  pl.store %a, %g[0, 0] : !pl.tile<3x24xf32>, memref<3x24xf32>
  %o = pl.iota : !pl.tile<8x16xi32>
  pl.store %o, %r[0, 0] : !pl.tile<8x16xi32>, memref<8x16xi32>
  return
}

func.func @d(%x: memref<4x24xf32>, %y: memref<4x24xf32> {pl.out}, %z: memref<24x4xf32> {pl.out}, %n: memref<3x1xi32>, %g: memref<3x24xf32> {pl.out}, %r: memref<8x16xi32> {pl.out}) attributes {pl.device} {
  call @parts(%x, %y, %z, %n, %g, %r) : (memref<4x24xf32>, memref<4x24xf32>, memref<24x4xf32>, memref<3x1xi32>, memref<3x24xf32>, memref<8x16xi32>) -> ()
  return
}

func.func @main(%x: memref<?x4x24xf32>, %y: memref<?x4x24xf32> {pl.out}, %z: memref<?x24x4xf32> {pl.out}, %n: memref<?x3x1xi32>, %g: memref<?x3x24xf32> {pl.out}, %r: memref<?x8x16xi32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %xr = pl.shard %x[%c0] : memref<?x4x24xf32> -> memref<4x24xf32>
  %yr = pl.shard %y[%c0] : memref<?x4x24xf32> -> memref<4x24xf32>
  %zr = pl.shard %z[%c0] : memref<?x24x4xf32> -> memref<24x4xf32>
  %nr = pl.shard %n[%c0] : memref<?x3x1xi32> -> memref<3x1xi32>
  %gr = pl.shard %g[%c0] : memref<?x3x24xf32> -> memref<3x24xf32>
  %rr = pl.shard %r[%c0] : memref<?x8x16xi32> -> memref<8x16xi32>
  pld.dispatch @d(%xr, %yr, %zr, %nr, %gr, %rr) on %c0 : (memref<4x24xf32>, memref<4x24xf32>, memref<24x4xf32>, memref<3x1xi32>, memref<3x24xf32>, memref<8x16xi32>)
  return
}

// CHECK: AscendC::DataCopy([[H:.*]], [[T:.*]][32], AscendC::DataCopyParams{2, 2, 1, 0});
// CHECK: AscendC::DataCopy([[W:.*]], [[T]], 96);
// CHECK-NEXT: AscendC::PipeBarrier<PIPE_V>();
// CHECK-NEXT: AscendC::DataCopy([[W]], [[H]], AscendC::DataCopyParams{2, 2, 0, 1});
// CHECK: AscendC::DataCopy([[S:.*]], [[W]], 96);
// CHECK: AscendC::DataCopy([[B:.*]], [[H]], 32);
// CHECK: AscendC::DataCopy([[B]][32], [[H]], 32);
// CHECK: AscendC::DataCopy([[E:.*]], [[S]][8], AscendC::DataCopyParams{4, 1, 1, 0});
// CHECK: AscendC::DataCopy([[C:.*]], [[B]], AscendC::DataCopyParams{4, 2, 0, 1});
// CHECK: AscendC::DataCopy([[C]][16], [[E]], AscendC::DataCopyParams{4, 1, 0, 2});
// CHECK: pld::Sync<AscendC::HardEvent::V_S>();
// CHECK-NEXT: for (uint32_t row = 0; row < 4; ++row) {
// CHECK-NEXT: for (uint32_t col = 0; col < 24; ++col) {
// CHECK-NEXT: [[P:.*]].SetValue(col * 8 + row, [[C]].GetValue(row * 24 + col));
// CHECK: pld::Sync<AscendC::HardEvent::S_MTE3>();
// The index comes by DMA and is read by the scalar unit.
// CHECK: pld::Sync<AscendC::HardEvent::MTE2_S>();
// CHECK-NEXT: for (uint32_t row = 0; row < 3; ++row) AscendC::DataCopy({{.*}}[row * 24], [[C]][{{.*}}.GetValue(row * 8) * 24], 24);
// CHECK: for (uint32_t col = 0; col < 16; ++col) [[O:.*]].SetValue(col, col);
// CHECK-NEXT: pld::Sync<AscendC::HardEvent::S_V>();
// CHECK-NEXT: for (uint32_t row = 1; row < 8; ++row) AscendC::DataCopy([[O]][row * 16], [[O]], 16);
