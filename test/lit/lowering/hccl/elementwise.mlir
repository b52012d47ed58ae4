// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s

!f = !pl.tile<4x5xf32>
!h = !pl.tile<4x5xf16>
!b = !pl.tile<4x5xbf16>

func.func @ops(%x: memref<4x5xf32>, %y: memref<4x5xf32> {pl.out}, %s: f32, %h: f16) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : memref<4x5xf32> -> !f
  %add = pl.add %a, %a : !f
  %mul = pl.mul %add, %a : !f
  %adds = pl.adds %mul, %s : !f, f32
  %c = arith.constant 2.5 : f32
  %muls = pl.muls %adds, %c : !f, f32
  %down = pl.cast rint %muls : !f -> !h
  %scaled = pl.muls %down, %h : !h, f16
  %up = pl.cast none %scaled : !h -> !f
  pl.store %up, %y[0, 0] : !f, memref<4x5xf32>
  return
}

func.func @fills(%y: memref<4x5xi8> {pl.out}, %z: memref<4x5xbf16> {pl.out}, %w: memref<4x5xi64> {pl.out}, %v: i8,
                 %b: bf16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<4x5xi8>
  pl.store %t, %y[0, 0] : !pl.tile<4x5xi8>, memref<4x5xi8>
  %u = pl.full %b : !b
  pl.store %u, %z[0, 0] : !b, memref<4x5xbf16>
  %p = pl.load %w[0, 0] valid [2, 5] : memref<4x5xi64> -> !pl.tile<4x5xi64>
  pl.store %p, %w[0, 0] : !pl.tile<4x5xi64>, memref<4x5xi64>
  return
}

func.func @d(%x: memref<4x5xf32>, %y: memref<4x5xf32> {pl.out}, %i: memref<4x5xi8> {pl.out},
             %z: memref<4x5xbf16> {pl.out}, %w: memref<4x5xi64> {pl.out}, %s: f32, %h: f16, %v: i8, %b: bf16)
    attributes {pl.device} {
  call @ops(%x, %y, %s, %h) : (memref<4x5xf32>, memref<4x5xf32>, f32, f16) -> ()
  call @fills(%i, %z, %w, %v, %b) : (memref<4x5xi8>, memref<4x5xbf16>, memref<4x5xi64>, i8, bf16) -> ()
  return
}

func.func @main(%x: memref<?x4x5xf32>, %y: memref<?x4x5xf32> {pl.out}, %i: memref<?x4x5xi8> {pl.out},
                %z: memref<?x4x5xbf16> {pl.out}, %w: memref<?x4x5xi64> {pl.out}, %s: f32, %h: f16, %v: i8, %b: bf16)
    attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %xr = pl.shard %x[%c0] : memref<?x4x5xf32> -> memref<4x5xf32>
  %yr = pl.shard %y[%c0] : memref<?x4x5xf32> -> memref<4x5xf32>
  %ir = pl.shard %i[%c0] : memref<?x4x5xi8> -> memref<4x5xi8>
  %zr = pl.shard %z[%c0] : memref<?x4x5xbf16> -> memref<4x5xbf16>
  %wr = pl.shard %w[%c0] : memref<?x4x5xi64> -> memref<4x5xi64>
  pld.dispatch @d(%xr, %yr, %ir, %zr, %wr, %s, %h, %v, %b) on %c0
      : (memref<4x5xf32>, memref<4x5xf32>, memref<4x5xi8>, memref<4x5xbf16>, memref<4x5xi64>, f32, f16, i8, bf16)
  return
}

// CHECK: //===- kernels/ops_kernel.cpp
// CHECK: extern "C" __global__ __aicore__ void ops_kernel(GM_ADDR arg0, GM_ADDR arg1, float arg2, uint16_t arg3) {
// CHECK: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK: AscendC::TPipe pipe;
// CHECK: AscendC::TBuf<AscendC::TPosition::VECIN> arena;
// CHECK: pipe.InitBuffer(arena, 1024);
// CHECK: AscendC::LocalTensor<float> load = arena.GetWithOffset<float>(32, 0);
// CHECK: AscendC::LocalTensor<float> add = arena.GetWithOffset<float>(32, 128);
// CHECK: AscendC::LocalTensor<float> mul = arena.GetWithOffset<float>(32, 256);
// CHECK: AscendC::LocalTensor<float> adds = arena.GetWithOffset<float>(32, 384);
// CHECK: AscendC::LocalTensor<float> muls = arena.GetWithOffset<float>(32, 512);
// CHECK: AscendC::LocalTensor<half> cast = arena.GetWithOffset<half>(64, 640);
// CHECK: AscendC::LocalTensor<half> muls1 = arena.GetWithOffset<half>(64, 768);
// CHECK: AscendC::LocalTensor<float> cast1 = arena.GetWithOffset<float>(32, 896);
// CHECK: half v;
// CHECK: __builtin_memcpy(&v, &arg3, sizeof(half));
// CHECK: AscendC::GlobalTensor<float> g_arg0;
// CHECK: g_arg0.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arg0));
// CHECK: AscendC::GlobalTensor<float> g_arg1;
// CHECK: g_arg1.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arg1));
// CHECK: AscendC::DataCopyPad(load, g_arg0[0], {4, 20, 0, 0, 0}, {false, 0, 0, {}});
// CHECK: pld::Sync<AscendC::HardEvent::MTE2_V>();
// CHECK: AscendC::Add(add, load, load, 32);
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: AscendC::Mul(mul, add, load, 32);
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: AscendC::Adds(adds, mul, arg2, 32);
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: AscendC::Muls(muls, adds, 2.5f, 32);
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: for (uint32_t row = 0; row < 4; ++row) AscendC::Cast(cast[row * 16], muls[row * 8], AscendC::RoundMode::CAST_RINT, 5);
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: AscendC::Muls(muls1, cast, v, 64);
// CHECK: AscendC::PipeBarrier<PIPE_V>();
// CHECK: for (uint32_t row = 0; row < 4; ++row) AscendC::Cast(cast1[row * 8], muls1[row * 16], AscendC::RoundMode::CAST_NONE, 5);
// CHECK: pld::Sync<AscendC::HardEvent::V_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg1[0], cast1, {4, 20, 0, 0, 0});
// CHECK: AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
// CHECK: }
// CHECK: //===- kernels/fills_kernel.cpp
// CHECK: extern "C" __global__ __aicore__ void fills_kernel(GM_ADDR arg0, GM_ADDR arg1, GM_ADDR arg2, int8_t arg3, uint16_t arg4) {
// CHECK: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK: AscendC::TPipe pipe;
// CHECK: AscendC::TBuf<AscendC::TPosition::VECIN> arena;
// CHECK: pipe.InitBuffer(arena, 512);
// CHECK: AscendC::LocalTensor<int8_t> full = arena.GetWithOffset<int8_t>(128, 0);
// CHECK: AscendC::LocalTensor<bfloat16_t> full1 = arena.GetWithOffset<bfloat16_t>(64, 128);
// CHECK: AscendC::LocalTensor<int64_t> load = arena.GetWithOffset<int64_t>(32, 256);
// CHECK: AscendC::GlobalTensor<int8_t> g_arg0;
// CHECK: g_arg0.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(arg0));
// CHECK: AscendC::GlobalTensor<uint16_t> g_arg1;
// CHECK: g_arg1.SetGlobalBuffer(reinterpret_cast<__gm__ uint16_t*>(arg1));
// CHECK: AscendC::GlobalTensor<int64_t> g_arg2;
// CHECK: g_arg2.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t*>(arg2));
// CHECK: AscendC::Duplicate(full.ReinterpretCast<int16_t>(), static_cast<int16_t>(static_cast<uint8_t>(arg3) * 257), 64);
// CHECK: pld::Sync<AscendC::HardEvent::V_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg0[0], full, {4, 5, 0, 0, 0});
// CHECK: AscendC::Duplicate(full1.ReinterpretCast<uint16_t>(), arg4, 64);
// CHECK: pld::Sync<AscendC::HardEvent::V_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg1[0], full1.ReinterpretCast<uint16_t>(), {4, 10, 0, 0, 0});
// CHECK: AscendC::Duplicate(load.ReinterpretCast<int32_t>(), 0, 64);
// CHECK: pld::Sync<AscendC::HardEvent::V_MTE2>();
// CHECK: AscendC::DataCopyPad(load, g_arg2[0], {2, 40, 0, 0, 0}, {true, 0, 3, static_cast<int64_t>(0)});
// CHECK: pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg2[0], load, {4, 40, 0, 0, 0});
// CHECK: AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
// CHECK: }
