// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | grep -v '^#' | FileCheck %s
// RUN: pld-opt %s --lower-pld-to-hccl=mode=conservative -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s --check-prefix=ALL
// RUN: pld-opt %s --lower-pld-to-hccl=report=yes -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not pld-opt %s --pl-insert-sync=mode=some 2>&1 | FileCheck %s --check-prefix=MODE

// How much is ordered by need, and with full barriers.
// REPORT: insert-sync.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: chain_kernel: 3 orders, time {{[0-9]+}}; mode=conservative: 4 orders, time {{[0-9]+}}

// MODE: error: mode=some, expected auto or conservative

// A full barrier behind each statement needs nothing else.
// ALL-LABEL: void chain_kernel(
// ALL:       DataCopyPad(load, g_arg0[0]
// ALL-NEXT:  AscendC::PipeBarrier<PIPE_ALL>();
// ALL-NEXT:  AscendC::Muls(
// ALL-NEXT:  AscendC::PipeBarrier<PIPE_ALL>();
// ALL-NEXT:  AscendC::Mul(
// ALL-NEXT:  AscendC::PipeBarrier<PIPE_ALL>();
// ALL-NEXT:  AscendC::DataCopyPad(g_arg1[0]

!m = memref<64x64xf32>
!t = !pl.tile<8x64xf32>

// One order per conflict: pipe to pipe by a flag, within the vector pipe by a barrier. The
// product needs none for %a, which the barrier's side knows complete already.
// CHECK-LABEL: void chain_kernel(
// CHECK:       DataCopyPad(load, g_arg0[0]
// CHECK-NEXT:  pld::Sync<AscendC::HardEvent::MTE2_V>();
// CHECK-NEXT:  AscendC::Muls(
// CHECK-NEXT:  AscendC::PipeBarrier<PIPE_V>();
// CHECK-NEXT:  AscendC::Mul(
// CHECK-NEXT:  pld::Sync<AscendC::HardEvent::V_MTE3>();
// CHECK-NEXT:  AscendC::DataCopyPad(g_arg1[0]
// CHECK-NEXT:  AscendC::PipeBarrier<PIPE_ALL>();
func.func @chain(%x: !m, %y: !m {pl.out}) attributes {pl.incore} {
  %two = arith.constant 2.0 : f32
  %a = pl.load %x[0, 0] : !m -> !t
  %b = pl.muls %a, %two : !t, f32
  %c = pl.mul %b, %a : !t
  pl.store %c, %y[0, 0] : !t, !m
  return
}

// A loop is ordered against its next round too (the load must not overwrite what is being
// multiplied, nor the product what is being stored), once each.
// CHECK-LABEL: void loop_kernel(
// CHECK:       for (
// CHECK:       pld::Sync<AscendC::HardEvent::V_MTE2>();
// CHECK-NEXT:  AscendC::DataCopyPad(load
// CHECK-NEXT:  pld::Sync<AscendC::HardEvent::MTE2_V>();
// CHECK-NEXT:  pld::Sync<AscendC::HardEvent::MTE3_V>();
// CHECK-NEXT:  AscendC::Muls(
// CHECK-NOT:   Sync<
// CHECK:       pld::Sync<AscendC::HardEvent::V_MTE3>();
// CHECK-NEXT:  AscendC::DataCopyPad(g_arg1[{{v[0-9]*}}], muls, {8, 256, 0, 0, 0});
// CHECK-NEXT:  }
func.func @loop(%x: !m, %y: !m {pl.out}) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2.0 : f32
  scf.for %row = %c0 to %c64 step %c8 {
    %a = pl.load %x[%row, 0] : !m -> !t
    %b = pl.muls %a, %two : !t, f32
    pl.store %b, %y[%row, 0] : !t, !m
  }
  return
}

// The first store does not wait for the second load: the flag that it waits for is set before
// that load, by an id of its own. Nor does the second store wait for the first, of other rows.
// CHECK-LABEL: void independent_kernel(
// CHECK:       const AscendC::TEventID event0 = pipe.AllocEventID<AscendC::HardEvent::MTE2_MTE3>();
// CHECK:       DataCopyPad(load, g_arg0[0]
// CHECK-NEXT:  AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE3>(event0);
// CHECK-NEXT:  AscendC::DataCopyPad(load1, g_arg0[512]
// CHECK-NEXT:  AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE3>(event0);
// CHECK-NEXT:  AscendC::DataCopyPad(g_arg1[0], load
// CHECK-NEXT:  pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
// CHECK-NEXT:  AscendC::DataCopyPad(g_arg1[512], load1
// CHECK-NEXT:  pipe.ReleaseEventID<AscendC::HardEvent::MTE2_MTE3>(event0);
func.func @independent(%x: !m, %y: !m {pl.out}) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : !m -> !t
  %b = pl.load %x[8, 0] : !m -> !t
  pl.store %a, %y[0, 0] : !t, !m
  pl.store %b, %y[8, 0] : !t, !m
  return
}

// Two buffers in turn: each load waits for the store of its own tile in the round before. The
// flag is set once before the loop, and waited for once more behind it.
// CHECK-LABEL: void turns_kernel(
// CHECK:       AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>([[FREE:event[0-9]+]]);
// CHECK-NEXT:  for (
// CHECK:       AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>([[FREE]]);
// CHECK-NEXT:  AscendC::DataCopyPad(load,
// CHECK:       AscendC::DataCopyPad(g_arg1[{{.*}}], load,
// CHECK-NEXT:  AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>([[FREE]]);
// CHECK:       {{^}}  }
// CHECK-NEXT:  AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>([[FREE]]);
func.func @turns(%x: !m, %y: !m {pl.out}) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %row = %c0 to %c64 step %c16 {
    %other = arith.addi %row, %c8 : index
    %a = pl.load %x[%row, 0] : !m -> !t
    %b = pl.load %x[%other, 0] : !m -> !t
    pl.store %a, %y[%row, 0] : !t, !m
    pl.store %b, %y[%other, 0] : !t, !m
  }
  return
}

// What was stored is in memory before it is loaded again.
// CHECK-LABEL: void again_kernel(
// CHECK:       DataCopyPad(g_arg0[512], load
// CHECK-NEXT:  pld::Sync<AscendC::HardEvent::MTE3_MTE2>();
// CHECK-NEXT:  AscendC::DataCopyPad(load1, g_arg0[512]
func.func @again(%y: !m {pl.inout}) attributes {pl.incore} {
  %a = pl.load %y[0, 0] : !m -> !t
  pl.store %a, %y[8, 0] : !t, !m
  %b = pl.load %y[8, 0] : !m -> !t
  pl.store %b, %y[8, 0] : !t, !m
  return
}
func.func @d(%x: !m, %y: !m {pl.inout}) attributes {pl.device} {
  call @chain(%x, %y) : (!m, !m) -> ()
  call @loop(%x, %y) : (!m, !m) -> ()
  call @independent(%x, %y) : (!m, !m) -> ()
  call @turns(%x, %y) : (!m, !m) -> ()
  call @again(%y) : (!m) -> ()
  return
}

func.func @main(%x: memref<?x64x64xf32>, %y: memref<?x64x64xf32> {pl.inout}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x64x64xf32> -> !m
    %yr = pl.shard %y[%r] : memref<?x64x64xf32> -> !m
    pld.dispatch @d(%xr, %yr) on %r : (!m, !m)
  }
  return
}
