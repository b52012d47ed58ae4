// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s

!x = memref<?x24xf16>
!y = memref<8x64xbf16>
!s = memref<3x4xi32>

func.func @parts(%x: !x, %z: !x {pl.out}, %r: index, %c: index) attributes {pl.incore} {
  %pad = arith.constant 1.5 : f16
  %whole = pl.load %x[%r, 3] : !x -> !pl.tile<8x20xf16>
  pl.store %whole, %z[%r, 3] : !pl.tile<8x20xf16>, !x
  %part = pl.load %x[0, 0] valid [%r, %c] pad(%pad : f16) : !x -> !pl.tile<8x20xf16>
  pl.store %part, %z[0, 0] valid [%r, %c] : !pl.tile<8x20xf16>, !x
  %right = pl.load %x[0, 0] valid [8, 19] : !x -> !pl.tile<8x20xf16>
  pl.store %right, %z[0, 0] : !pl.tile<8x20xf16>, !x
  return
}

func.func @bf16(%y: !y {pl.inout}) attributes {pl.incore} {
  %pad = arith.constant 1.5 : bf16
  %t = pl.load %y[0, 2] valid [4, 30] pad(%pad : bf16) : !y -> !pl.tile<4x32xbf16>
  pl.store %t, %y[0, 0] atomic add : !pl.tile<4x32xbf16>, !y
  return
}

func.func @rows(%b: memref<5000x3xi8>, %d: memref<5000x3xi8> {pl.out}) attributes {pl.incore} {
  %t = pl.load %b[0, 0] : memref<5000x3xi8> -> !pl.tile<5000x3xi8>
  pl.store %t, %d[0, 0] : !pl.tile<5000x3xi8>, memref<5000x3xi8>
  return
}

func.func @scalars(%s: !s {pl.inout}, %i: index) attributes {pl.incore} {
  %v = pl.read %s[%i, 1] : !s
  pl.write %v, %s[2, %i] : !s
  return
}

func.func @d(%x: !x, %z: !x {pl.out}, %y: !y {pl.inout}, %b: memref<5000x3xi8>, %e: memref<5000x3xi8> {pl.out},
             %s: !s {pl.inout}, %i: index) attributes {pl.device} {
  call @parts(%x, %z, %i, %i) : (!x, !x, index, index) -> ()
  call @bf16(%y) : (!y) -> ()
  call @rows(%b, %e) : (memref<5000x3xi8>, memref<5000x3xi8>) -> ()
  call @scalars(%s, %i) : (!s, index) -> ()
  return
}

func.func @main(%x: memref<?x?x24xf16>, %z: memref<?x?x24xf16> {pl.out}, %y: memref<?x8x64xbf16> {pl.inout},
                %b: memref<?x5000x3xi8>, %e: memref<?x5000x3xi8> {pl.out}, %s: memref<?x3x4xi32> {pl.inout},
                %i: index) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %xr = pl.shard %x[%c0] : memref<?x?x24xf16> -> !x
  %zr = pl.shard %z[%c0] : memref<?x?x24xf16> -> !x
  %yr = pl.shard %y[%c0] : memref<?x8x64xbf16> -> !y
  %br = pl.shard %b[%c0] : memref<?x5000x3xi8> -> memref<5000x3xi8>
  %er = pl.shard %e[%c0] : memref<?x5000x3xi8> -> memref<5000x3xi8>
  %sr = pl.shard %s[%c0] : memref<?x3x4xi32> -> !s
  pld.dispatch @d(%xr, %zr, %yr, %br, %er, %sr, %i) on %c0
      : (!x, !x, !y, memref<5000x3xi8>, memref<5000x3xi8>, !s, index)
  return
}

// CHECK: //===- kernels/parts_kernel.cpp
// CHECK: extern "C" __global__ __aicore__ void parts_kernel(GM_ADDR arg0, int64_t, GM_ADDR arg1, int64_t, int64_t arg2, int64_t arg3) {
// CHECK: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK: AscendC::TPipe pipe;
// CHECK: AscendC::TBuf<AscendC::TPosition::VECIN> arena;
// CHECK: pipe.InitBuffer(arena, 1536);
// CHECK: AscendC::LocalTensor<half> load = arena.GetWithOffset<half>(256, 0);
// CHECK: AscendC::LocalTensor<half> load1 = arena.GetWithOffset<half>(256, 512);
// CHECK: AscendC::LocalTensor<half> load2 = arena.GetWithOffset<half>(256, 1024);
// CHECK: AscendC::GlobalTensor<half> g_arg0;
// CHECK: g_arg0.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(arg0));
// CHECK: AscendC::GlobalTensor<half> g_arg1;
// CHECK: g_arg1.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(arg1));
// CHECK: const int64_t v = arg2 * 24 + 3;
// CHECK: AscendC::DataCopyPad(load, g_arg0[v], {8, 40, 8, 0, 0}, {false, 0, 0, {}});
// CHECK: pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg1[v], load, {8, 40, 0, 8, 0});
// CHECK: AscendC::Duplicate(load1, static_cast<half>(1.5f), 256);
// CHECK: const int64_t v1 = arg3 * 2;
// CHECK: const int64_t v2 = 2 - (v1 + 31) / 32;
// CHECK: const int64_t v3 = (24 - arg3) * 2;
// CHECK: pld::Sync<AscendC::HardEvent::V_MTE2>();
// CHECK: AscendC::DataCopyPad(load1, g_arg0[0], {static_cast<uint16_t>(arg2), static_cast<uint32_t>(v1), static_cast<uint32_t>(v3), static_cast<uint32_t>(v2), 0}, {true, 0, static_cast<uint8_t>((32 - v1 % 32) % 32 / 2), static_cast<half>(1.5f)});
// CHECK: pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
// CHECK: AscendC::PipeBarrier<PIPE_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg1[0], load1, {static_cast<uint16_t>(arg2), static_cast<uint32_t>(v1), static_cast<uint32_t>(v2), static_cast<uint32_t>(v3), 0});
// CHECK: AscendC::DataCopyPad(load2, g_arg0[0], {8, 38, 10, 0, 0}, {true, 0, 13, static_cast<half>(0.0f)});
// CHECK: pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
// CHECK: AscendC::PipeBarrier<PIPE_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg1[0], load2, {8, 40, 0, 8, 0});
// CHECK: AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
// CHECK: }
// CHECK: //===- kernels/bf16_kernel.cpp
// CHECK: extern "C" __global__ __aicore__ void bf16_kernel(GM_ADDR arg0) {
// CHECK: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK: AscendC::TPipe pipe;
// CHECK: AscendC::TBuf<AscendC::TPosition::VECIN> arena;
// CHECK: pipe.InitBuffer(arena, 256);
// CHECK: AscendC::LocalTensor<bfloat16_t> load = arena.GetWithOffset<bfloat16_t>(128, 0);
// CHECK: AscendC::GlobalTensor<uint16_t> g_arg0;
// CHECK: g_arg0.SetGlobalBuffer(reinterpret_cast<__gm__ uint16_t*>(arg0));
// CHECK: AscendC::GlobalTensor<bfloat16_t> g_arg01;
// CHECK: g_arg01.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t*>(arg0));
// CHECK: AscendC::DataCopyPad(load.ReinterpretCast<uint16_t>(), g_arg0[2], {4, 60, 68, 0, 0}, {true, 0, 2, static_cast<uint16_t>(16320)});
// CHECK: AscendC::SetAtomicAdd<bfloat16_t>();
// CHECK: pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg01[0], load, {4, 64, 0, 64, 0});
// CHECK: AscendC::SetAtomicNone();
// CHECK: AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
// CHECK: }
// CHECK: //===- kernels/rows_kernel.cpp
// CHECK: extern "C" __global__ __aicore__ void rows_kernel(GM_ADDR arg0, GM_ADDR arg1) {
// CHECK: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK: AscendC::TPipe pipe;
// CHECK: AscendC::TBuf<AscendC::TPosition::VECIN> arena;
// CHECK: pipe.InitBuffer(arena, 160000);
// CHECK: AscendC::LocalTensor<int8_t> load = arena.GetWithOffset<int8_t>(160000, 0);
// CHECK: AscendC::GlobalTensor<int8_t> g_arg0;
// CHECK: g_arg0.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(arg0));
// CHECK: AscendC::GlobalTensor<int8_t> g_arg1;
// CHECK: g_arg1.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(arg1));
// CHECK: AscendC::DataCopyPad(load, g_arg0[0], {4095, 3, 0, 0, 0}, {false, 0, 0, {}});
// The second part of the rows is loaded while the first is stored.
// CHECK-NEXT: AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE3>(event0);
// CHECK-NEXT: AscendC::DataCopyPad(load[131040], g_arg0[12285], {905, 3, 0, 0, 0}, {false, 0, 0, {}});
// CHECK-NEXT: AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE3>(event0);
// CHECK-NEXT: AscendC::DataCopyPad(g_arg1[0], load, {4095, 3, 0, 0, 0});
// CHECK-NEXT: pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
// CHECK-NEXT: AscendC::DataCopyPad(g_arg1[12285], load[131040], {905, 3, 0, 0, 0});
// CHECK-NEXT: pipe.ReleaseEventID<AscendC::HardEvent::MTE2_MTE3>(event0);
// CHECK: AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
// CHECK: }
// CHECK: //===- kernels/scalars_kernel.cpp
// CHECK: extern "C" __global__ __aicore__ void scalars_kernel(GM_ADDR arg0, int64_t arg1) {
// CHECK: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK: AscendC::TPipe pipe;
// CHECK: AscendC::TBuf<AscendC::TPosition::VECIN> arena;
// CHECK: pipe.InitBuffer(arena, 64);
// CHECK: auto read_slot_int32_t = arena.GetWithOffset<int32_t>(8, 0);
// CHECK: auto write_slot_int32_t = arena.GetWithOffset<int32_t>(8, 32);
// CHECK: AscendC::GlobalTensor<int32_t> g_arg0;
// CHECK: g_arg0.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(arg0));
// CHECK: AscendC::DataCopyPad(read_slot_int32_t, g_arg0[arg1 * 4 + 1], {1, 4, 0, 0, 0}, {false, 0, 0, {}});
// CHECK: pld::Sync<AscendC::HardEvent::MTE2_S>();
// CHECK: const int32_t value = read_slot_int32_t.GetValue(0);
// CHECK: write_slot_int32_t.SetValue(0, value);
// CHECK: pld::Sync<AscendC::HardEvent::S_MTE3>();
// CHECK: AscendC::DataCopyPad(g_arg0[8 + arg1], write_slot_int32_t, {1, 4, 0, 0, 0});
// CHECK: AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
// CHECK: }
