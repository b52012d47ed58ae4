// A kernel has one context for each group of ranks that it has windows of.
// RUN: pld-opt %s --lower-pld-to-hccl=entry=main -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s
// RUN: pld-opt %s --lower-pld-to-hccl=entry=either -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s --check-prefix=EITHER

!w = !pld.dtensor<4x64xf32>
!s = !pld.dtensor<2x1xi32>

// Two windows are of ranks 1 and 2, one is of all.
// CHECK-LABEL: void both_core_kernel({{.*}}, GM_ADDR ctx1_arg, GM_ADDR ctx2_arg)
// CHECK-DAG: auto ctx1 = reinterpret_cast<__gm__ pld::CommContext*>(ctx1_arg);
// CHECK-DAG: auto ctx2 = reinterpret_cast<__gm__ pld::CommContext*>(ctx2_arg);
// CHECK: int64_t [[ME:.*]] = static_cast<int64_t>(ctx1->rankId);
// CHECK: int64_t [[ALL:.*]] = static_cast<int64_t>(ctx2->rankId);
// CHECK: pld::PeerAddr(ctx1, arg1, {{.*}}))
// CHECK: pld::PeerAddr(ctx2, arg2, [[ALL]])
func.func @both_core(%x: memref<1x64xf32> {pl.inout}, %w: !w, %all: !w, %s: !s) attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %s : !s
  %me = pld.rank %ctx
  %other = arith.subi %c1, %me : index
  %world = pld.get_comm_ctx %all : !w
  %mine = pld.rank %world
  %c2 = arith.constant 2 : index
  %row = arith.addi %me, %c2 : index
  %t = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pld.remote_store %t, %w[%row, 0] to %other : !pl.tile<1x64xf32>, !w
  pld.remote_store %t, %all[0, 0] to %mine : !pl.tile<1x64xf32>, !w
  return
}

// All windows are of ranks 1 and 2, which are two: another one than the own.
// CHECK-LABEL: void one_core_kernel({{.*}} arg1, {{[^,]*}}, GM_ADDR ctx_arg)
// CHECK: auto ctx = reinterpret_cast<__gm__ pld::CommContext*>(ctx_arg);
// CHECK: for (int64_t [[I:.*]] = 1; [[I]] < ranks; ++[[I]]) {
// CHECK-NOT: PipeBarrier
// CHECK: }

// A kernel that is started for one group or another has a context for each window.
// EITHER-LABEL: void one_core_kernel({{.*}} arg1, GM_ADDR, GM_ADDR ctx1_arg, GM_ADDR)
// EITHER: auto ctx1 = reinterpret_cast<__gm__ pld::CommContext*>(ctx1_arg);
// EITHER: for (int64_t [[I:.*]] = 1; [[I]] < ranks; ++[[I]]) {
// EITHER: AscendC::PipeBarrier<PIPE_MTE3>();
func.func @one_core(%x: memref<1x64xf32> {pl.inout}, %w: !w, %s: !s) attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %w : !w
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %t = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %t, %w[%me, 0] : !pl.tile<1x64xf32>, !w
  scf.for %i = %c1 to %n step %c1 {
    %sum = arith.addi %me, %i : index
    %peer = arith.remui %sum, %n : index
    pld.remote_store %t, %w[%me, 0] to %peer : !pl.tile<1x64xf32>, !w
  }
  return
}

func.func @both(%x: memref<1x64xf32> {pl.inout}, %w: !w, %all: !w, %s: !s) attributes {pl.device} {
  call @both_core(%x, %w, %all, %s) : (memref<1x64xf32>, !w, !w, !s) -> ()
  call @one_core(%x, %w, %s) : (memref<1x64xf32>, !w, !s) -> ()
  return
}

func.func @main(%x: memref<?x1x64xf32> {pl.inout}) attributes {pl.host, pld.world_sizes = array<i64: 3>} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %b = pld.alloc_window_buffer [4, 64] of f32 {ranks = array<i64: 1, 2>}
  %g = pld.alloc_window_buffer [2, 1] of i32 {ranks = array<i64: 1, 2>}
  %a = pld.alloc_window_buffer [4, 64] of f32
  %w = pld.window %b : !w
  %s = pld.window %g : !s
  %all = pld.window %a : !w
  scf.for %r = %c1 to %c3 step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    pld.dispatch @both(%xr, %w, %all, %s) on %r : (memref<1x64xf32>, !w, !w, !s)
  }
  return
}

func.func @alone(%x: memref<1x64xf32> {pl.inout}, %w: !w, %s: !s) attributes {pl.device} {
  call @one_core(%x, %w, %s) : (memref<1x64xf32>, !w, !s) -> ()
  return
}

func.func @either(%x: memref<?x1x64xf32> {pl.inout}) attributes {pl.host, pld.world_sizes = array<i64: 3>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = pld.alloc_window_buffer [4, 64] of f32 {ranks = array<i64: 1, 2>}
  %g = pld.alloc_window_buffer [2, 1] of i32 {ranks = array<i64: 1, 2>}
  %o = pld.alloc_window_buffer [4, 64] of f32 {ranks = array<i64: 0>}
  %p = pld.alloc_window_buffer [2, 1] of i32 {ranks = array<i64: 0>}
  %w = pld.window %b : !w
  %s = pld.window %g : !s
  %v = pld.window %o : !w
  %t = pld.window %p : !s
  %x0 = pl.shard %x[%c0] : memref<?x1x64xf32> -> memref<1x64xf32>
  pld.dispatch @alone(%x0, %v, %t) on %c0 : (memref<1x64xf32>, !w, !s)
  %x1 = pl.shard %x[%c1] : memref<?x1x64xf32> -> memref<1x64xf32>
  pld.dispatch @alone(%x1, %w, %s) on %c1 : (memref<1x64xf32>, !w, !s)
  return
}
