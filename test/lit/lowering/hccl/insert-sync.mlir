// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | grep -v '^#' | FileCheck %s

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
// CHECK-NEXT:  AscendC::DataCopyPad(g_arg1[v1], muls, {8, 256, 0, 0, 0});
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

// A flag for the later load covers the earlier one of the same pipe.
// CHECK-LABEL: void independent_kernel(
// CHECK:       DataCopyPad(load, g_arg0[0]
// CHECK-NEXT:  AscendC::DataCopyPad(load1, g_arg0[512]
// CHECK-NEXT:  pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
// CHECK-NEXT:  AscendC::DataCopyPad(g_arg1[0], load
// CHECK-NEXT:  AscendC::PipeBarrier<PIPE_MTE3>();
// CHECK-NEXT:  AscendC::DataCopyPad(g_arg1[512], load1
func.func @independent(%x: !m, %y: !m {pl.out}) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : !m -> !t
  %b = pl.load %x[8, 0] : !m -> !t
  pl.store %a, %y[0, 0] : !t, !m
  pl.store %b, %y[8, 0] : !t, !m
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
