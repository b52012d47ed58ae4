// The fence before a signal: for what others see and the signal does not come after anyway.
// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s

!w = !pld.dtensor<1x64xf32>
!s = !pld.dtensor<2xi32>
!t = !pl.tile<1x64xf32>

// CHECK-LABEL: void core_kernel(
// Nothing happened yet.
// CHECK:       pld::Notify<pld::SignalOp::Add, pld::Release::None>(
// A store to a window is under way.
// CHECK:       AscendC::DataCopyPad(g_arg1[0], load
// CHECK-NEXT:  pld::Notify<pld::SignalOp::Add, pld::Release::Fence>(
// The wait is a fence itself.
// CHECK-NEXT:  pld::Wait<
// CHECK-NEXT:  pld::Notify<pld::SignalOp::Add, pld::Release::None>(
// The store to the own array waits for the load from the window, and so does the signal; nobody
// else sees the array.
// CHECK:       AscendC::DataCopyPad(load1, g_arg1[0]
// CHECK-NEXT:  pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
// CHECK-NEXT:  AscendC::DataCopyPad(g_arg0[0], load1
// CHECK-NEXT:  pld::Notify<pld::SignalOp::Add, pld::Release::None>(
func.func @core(%x: memref<1x64xf32> {pl.inout}, %w: !w, %s: !s) attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %ctx = pld.get_comm_ctx %s : !s
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %next = arith.addi %me, %c1 : index
  %peer = arith.remsi %next, %n : index
  pld.notify add %one, %s[1] to %peer : !s
  pld.wait ge %one, %s[1] : !s
  %a = pl.load %x[0, 0] : memref<1x64xf32> -> !t
  pl.store %a, %w[0, 0] : !t, !w
  pld.notify add %one, %s[0] to %peer : !s
  pld.wait ge %one, %s[0] : !s
  pld.notify add %one, %s[0] to %peer : !s
  pld.wait ge %two, %s[0] : !s
  %b = pl.load %w[0, 0] : !w -> !t
  pl.store %b, %x[0, 0] : !t, memref<1x64xf32>
  pld.notify add %one, %s[1] to %peer : !s
  return
}
func.func @d(%x: memref<1x64xf32> {pl.inout}, %w: !w, %s: !s) attributes {pl.device} {
  call @core(%x, %w, %s) : (memref<1x64xf32>, !w, !s) -> ()
  return
}
func.func @main(%x: memref<?x1x64xf32> {pl.inout}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %b = pld.alloc_window_buffer [1, 64] of f32
  %sb = pld.alloc_window_buffer [2] of i32
  scf.for %r = %c0 to %n step %c1 {
    %w = pld.window %b : !w
    %s = pld.window %sb : !s
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    pld.dispatch @d(%xr, %w, %s) on %r : (memref<1x64xf32>, !w, !s)
  }
  return
}
