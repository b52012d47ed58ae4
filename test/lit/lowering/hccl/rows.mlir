// Reductions and broadcasts: one line for each row, or the blocks of all rows at once.
// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s

func.func @rows(%x: memref<8x100xf32>, %y: memref<8x100xf32> {pl.out}, %i: memref<3x20xi32>, %o: memref<3x1xi32> {pl.out}, %b: memref<3x20xbf16> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<8x100xf32> -> !pl.tile<8x100xf32>
  %m = pl.row_max %t : !pl.tile<8x100xf32> -> !pl.tile<8x1xf32>
  %c = pl.row_expand_sub %t, %m : !pl.tile<8x100xf32>, !pl.tile<8x1xf32>
  %s = pl.row_sum %c : !pl.tile<8x100xf32> -> !pl.tile<8x1xf32>
  %r = pl.row_expand_div %c, %s : !pl.tile<8x100xf32>, !pl.tile<8x1xf32>
  %k = pl.col_sum %r : !pl.tile<8x100xf32> -> !pl.tile<1x100xf32>
  %q = pl.col_expand_mul %r, %k : !pl.tile<8x100xf32>, !pl.tile<1x100xf32>
  pl.store %q, %y[0, 0] : !pl.tile<8x100xf32>, memref<8x100xf32>
  %u = pl.load %i[0, 0] : memref<3x20xi32> -> !pl.tile<3x20xi32>
  %v = pl.row_prod %u : !pl.tile<3x20xi32> -> !pl.tile<3x1xi32>
  pl.store %v, %o[0, 0] : !pl.tile<3x1xi32>, memref<3x1xi32>
  %f = pl.cast rint %v : !pl.tile<3x1xi32> -> !pl.tile<3x1xf32>
  %g = pl.cast rint %f : !pl.tile<3x1xf32> -> !pl.tile<3x1xbf16>
  %w = pl.row_expand %g : !pl.tile<3x1xbf16> -> !pl.tile<3x20xbf16>
  pl.store %w, %b[0, 0] : !pl.tile<3x20xbf16>, memref<3x20xbf16>
  return
}

func.func @d(%x: memref<8x100xf32>, %y: memref<8x100xf32> {pl.out}, %i: memref<3x20xi32>, %o: memref<3x1xi32> {pl.out}, %b: memref<3x20xbf16> {pl.out}) attributes {pl.device} {
  call @rows(%x, %y, %i, %o, %b) : (memref<8x100xf32>, memref<8x100xf32>, memref<3x20xi32>, memref<3x1xi32>, memref<3x20xbf16>) -> ()
  return
}

func.func @main(%x: memref<?x8x100xf32>, %y: memref<?x8x100xf32> {pl.out}, %i: memref<?x3x20xi32>, %o: memref<?x3x1xi32> {pl.out}, %b: memref<?x3x20xbf16> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %xr = pl.shard %x[%c0] : memref<?x8x100xf32> -> memref<8x100xf32>
  %yr = pl.shard %y[%c0] : memref<?x8x100xf32> -> memref<8x100xf32>
  %ir = pl.shard %i[%c0] : memref<?x3x20xi32> -> memref<3x20xi32>
  %or = pl.shard %o[%c0] : memref<?x3x1xi32> -> memref<3x1xi32>
  %br = pl.shard %b[%c0] : memref<?x3x20xbf16> -> memref<3x20xbf16>
  pld.dispatch @d(%xr, %yr, %ir, %or, %br) on %c0 : (memref<8x100xf32>, memref<8x100xf32>, memref<3x20xi32>, memref<3x1xi32>, memref<3x20xbf16>)
  return
}

// The block of a result is the scratch of its row.
// CHECK: for (uint32_t row = 0; row < 8; ++row) AscendC::ReduceMax([[M:.*]][row * 8], [[T:.*]][row * 104], [[M]][row * 8], 100);
// No instruction subtracts a scalar; the scalar unit reads the column only when it is there.
// CHECK-NEXT: AscendC::PipeBarrier<PIPE_V>();
// CHECK-NEXT: AscendC::Muls([[N:.*]], [[M]], -1.0f, 64);
// CHECK-NEXT: pld::Sync<AscendC::HardEvent::V_S>();
// CHECK-NEXT: for (uint32_t row = 0; row < 8; ++row) AscendC::Adds([[C:.*]][row * 104], [[T]][row * 104], [[N]].GetValue(row * 8), 104);
// CHECK: for (uint32_t row = 0; row < 8; ++row) AscendC::ReduceSum([[S:.*]][row * 8], [[C]][row * 104], [[S]][row * 8], 100);
// CHECK: for (uint32_t row = 0; row < 8; ++row) AscendC::Duplicate([[W:.*]][row * 104], [[S]].GetValue(row * 8), 104);
// CHECK: AscendC::Div([[R:.*]], [[C]], [[W]], 832);
// CHECK: AscendC::DataCopy([[K:.*]], [[R]], 104);
// CHECK-NEXT: for (uint32_t row = 1; row < 8; ++row) {
// CHECK-NEXT: AscendC::PipeBarrier<PIPE_V>();
// CHECK-NEXT: AscendC::Add([[K]], [[K]], [[R]][row * 104], 104);
// CHECK-NEXT: }
// CHECK-NEXT: AscendC::PipeBarrier<PIPE_V>();
// CHECK-NEXT: for (uint32_t row = 0; row < 8; ++row) AscendC::Mul({{.*}}[row * 104], [[R]][row * 104], [[K]], 104);

// Integers have no reducing instruction: blocks of 8, a rest of 4, then lanes.
// CHECK: AscendC::DataCopy([[V:.*]], [[U:.*]], AscendC::DataCopyParams{3, 1, 2, 0});
// CHECK-NEXT: for (uint32_t lane = 8; lane < 16; lane += 8) {
// CHECK-NEXT: AscendC::PipeBarrier<PIPE_V>();
// CHECK-NEXT: AscendC::Mul([[V]], [[V]], [[U]][lane], 8, 3, AscendC::BinaryRepeatParams{1, 1, 1, 1, 1, 3});
// CHECK-NEXT: }
// CHECK-NEXT: AscendC::PipeBarrier<PIPE_V>();
// CHECK-NEXT: AscendC::Mul([[V]], [[V]], [[U]][16], 4, 3, AscendC::BinaryRepeatParams{1, 1, 1, 1, 1, 3});
// CHECK-NEXT: pld::Sync<AscendC::HardEvent::V_S>();
// CHECK-NEXT: for (uint32_t lane = 1; lane < 8; ++lane) {
// CHECK-NEXT: AscendC::PipeBarrier<PIPE_V>();
// CHECK-NEXT: for (uint32_t row = 0; row < 3; ++row) AscendC::Muls([[V]][row * 8], [[V]][row * 8], [[V]].GetValue(row * 8 + lane), 1);
// CHECK-NEXT: }
// The core has no bf16 scalars.
// CHECK: for (uint32_t row = 0; row < 3; ++row) AscendC::Duplicate({{.*}}.ReinterpretCast<uint16_t>()[row * 32], {{.*}}.ReinterpretCast<uint16_t>().GetValue(row * 16), 32);
