// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s

!t = !pl.tile<1x8xf32>

func.func @k(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}, %n: index, %k: i32) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pl.load %x[0, 0] : memref<8x8xf32> -> !t
  %b = pl.load %x[1, 0] : memref<8x8xf32> -> !t
  // Carried tiles are copied to their places, through scratch where they are swapped.
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b, %s = %k) -> (!t, !t, i32) {
    %m = arith.muli %s, %s : i32
    scf.yield %q, %p, %m : !t, !t, i32
  }
  pl.store %r#0, %y[0, 0] : !t, memref<8x8xf32>
  %go = arith.cmpi sgt, %r#2, %k : i32
  %u = scf.if %go -> (!t) {
    %v = pl.add %r#0, %r#1 : !t
    scf.yield %v : !t
  } else {
    scf.yield %b : !t
  }
  pl.store %u, %y[1, 0] : !t, memref<8x8xf32>
  %w = scf.while (%i = %n) : (index) -> index {
    %more = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %less = arith.subi %i, %c1 : index
    scf.yield %less : index
  }
  %z = scf.index_switch %w -> index
  case 0 {
    scf.yield %c1 : index
  }
  default {
    scf.yield %w : index
  }
  pl.store %u, %y[%z, 0] : !t, memref<8x8xf32>
  return
}

func.func @d(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}, %n: index, %k: i32) attributes {pl.device} {
  call @k(%x, %y, %n, %k) : (memref<8x8xf32>, memref<8x8xf32>, index, i32) -> ()
  return
}

func.func @main(%x: memref<8x8xf32>, %y: memref<?x8x8xf32> {pl.out}, %n: index, %k: i32) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %yr = pl.shard %y[%c0] : memref<?x8x8xf32> -> memref<8x8xf32>
  pld.dispatch @d(%x, %yr, %n, %k) on %c0 : (memref<8x8xf32>, memref<8x8xf32>, index, i32)
  return
}

// CHECK: //===- kernels/k_kernel.cpp
// CHECK: extern "C" __global__ __aicore__ void k_kernel(GM_ADDR arg0, GM_ADDR arg1, int64_t arg2, int32_t arg3) {
// CHECK: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK: AscendC::TPipe pipe;
// CHECK: AscendC::TBuf<AscendC::TPosition::VECIN> arena;
// CHECK: pipe.InitBuffer(arena, 320);
// CHECK: AscendC::LocalTensor<float> load = arena.GetWithOffset<float>(8, 0);
// CHECK: AscendC::LocalTensor<float> load1 = arena.GetWithOffset<float>(8, 32);
// CHECK: AscendC::LocalTensor<float> carried = arena.GetWithOffset<float>(8, 64);
// CHECK: AscendC::LocalTensor<float> carried1 = arena.GetWithOffset<float>(8, 96);
// CHECK: AscendC::LocalTensor<float> carried2 = arena.GetWithOffset<float>(8, 192);
// CHECK: AscendC::LocalTensor<float> carried3 = arena.GetWithOffset<float>(8, 224);
// CHECK: AscendC::LocalTensor<float> add = arena.GetWithOffset<float>(8, 256);
// CHECK: AscendC::LocalTensor<float> carried4 = arena.GetWithOffset<float>(8, 288);
// CHECK: AscendC::GlobalTensor<float> g_arg0;
// CHECK: g_arg0.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arg0));
// CHECK: AscendC::GlobalTensor<float> g_arg1;
// CHECK: g_arg1.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arg1));
// CHECK: AscendC::DataCopyPad(load, g_arg0[0], {1, 32, 0, 0, 0}, {false, 0, 0, {}});
// CHECK: AscendC::DataCopyPad(load1, g_arg0[8], {1, 32, 0, 0, 0}, {false, 0, 0, {}});
// CHECK: AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(event0);
// CHECK: AscendC::DataCopy(carried, load, 8);
// CHECK: AscendC::DataCopy(carried1, load1, 8);
// CHECK: int32_t v;
// CHECK: v = arg3;
// CHECK: for (int64_t i = 0; i < arg2; ++i) {
// CHECK: const int32_t v1 = v;
// CHECK: const uint32_t v2 = static_cast<uint32_t>(v1);
// CHECK: const int32_t v3 = static_cast<int32_t>(v2 * v2);
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: AscendC::DataCopy(carried2, carried1, 8);
// CHECK: AscendC::DataCopy(carried3, carried, 8);
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: AscendC::DataCopy(carried, carried2, 8);
// CHECK: AscendC::DataCopy(carried1, carried3, 8);
// CHECK: v = v3;
// CHECK: }
// CHECK: const int32_t v4 = v;
// CHECK: pld::Sync<AscendC::HardEvent::V_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg1[0], carried, {1, 32, 0, 0, 0});
// CHECK: const bool v5 = v4 > arg3;
// CHECK: if (v5) {
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: AscendC::Add(add, carried, carried1, 8);
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: AscendC::DataCopy(carried4, add, 8);
// CHECK: } else {
// CHECK: AscendC::DataCopy(carried4, load1, 8);
// CHECK: }
// CHECK: pld::Sync<AscendC::HardEvent::V_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg1[8], carried4, {1, 32, 0, 0, 0});
// CHECK: int64_t v6;
// CHECK: int64_t v7;
// CHECK: v6 = arg2;
// CHECK: bool v8;
// CHECK: do {
// CHECK: const int64_t v9 = v6;
// CHECK: const bool v10 = v9 > 0;
// CHECK: v7 = v9;
// CHECK: v8 = v10;
// CHECK: if (v10) {
// CHECK: const int64_t v11 = v7;
// CHECK: const int64_t v12 = v11 - 1;
// CHECK: v6 = v12;
// CHECK: }
// CHECK: } while (v8);
// CHECK: const int64_t v13 = v7;
// CHECK: int64_t v14;
// CHECK: switch (v13) {
// CHECK: case 0: {
// CHECK: v14 = 1;
// CHECK: break;
// CHECK: }
// CHECK: default: {
// CHECK: v14 = v13;
// CHECK: break;
// CHECK: }
// CHECK: }
// CHECK: const int64_t v15 = v14;
// CHECK: AscendC::PipeBarrier<PIPE_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg1[v15 * 8], carried4, {1, 32, 0, 0, 0});
// CHECK: AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
// CHECK: }
