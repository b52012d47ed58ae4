// Blocks: one kernel for the body of pl.spmd, launched with as many.
// RUN: pld-opt %s --pl-outline-blocks | FileCheck %s
// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s --check-prefix=CODE

func.func @half(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.inout}, %b: index) attributes {pl.incore} {
  %n = pl.block_num
  %c8 = arith.constant 8 : index
  scf.for %i = %b to %c8 step %n {
    %t = pl.load %x[%i, 0] : memref<8x8xf32> -> !pl.tile<1x8xf32>
    pl.store %t, %y[%i, 0] : !pl.tile<1x8xf32>, memref<8x8xf32>
  }
  pl.sync_blocks
  return
}

// CHECK-LABEL: func.func @d_blocks(
// CHECK-SAME: [[X:%.*]]: memref<8x8xf32>, [[TMP:%.*]]: memref<8x8xf32> {pl.inout}, [[Y:%.*]]: memref<8x8xf32> {pl.out})
// CHECK-SAME: attributes {pl.incore}
// CHECK: [[B:%.*]] = pl.block_idx
// CHECK: call @half([[X]], [[TMP]], [[B]])
// CHECK: call @half([[TMP]], [[Y]], [[B]])
// CHECK-LABEL: func.func @d(
// CHECK: pl.spmd %{{.*}} {
// CHECK-NEXT: call @d_blocks(
// CHECK-NEXT: }
func.func @d(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}, %n: index) attributes {pl.device} {
  %c4 = arith.constant 4 : index
  %tmp = memref.alloc() : memref<8x8xf32>
  pl.spmd %n {
    %b = pl.block_idx
    func.call @half(%x, %tmp, %b) : (memref<8x8xf32>, memref<8x8xf32>, index) -> ()
    func.call @half(%tmp, %y, %b) : (memref<8x8xf32>, memref<8x8xf32>, index) -> ()
  }
  pl.spmd %c4 {
    %b = pl.block_idx
    func.call @half(%x, %y, %b) : (memref<8x8xf32>, memref<8x8xf32>, index) -> ()
  }
  return
}

func.func @main(%x: memref<?x8x8xf32>, %y: memref<?x8x8xf32> {pl.out}, %n: index) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %xr = pl.shard %x[%c0] : memref<?x8x8xf32> -> memref<8x8xf32>
  %yr = pl.shard %y[%c0] : memref<?x8x8xf32> -> memref<8x8xf32>
  pld.dispatch @d(%xr, %yr, %n) on %c0 : (memref<8x8xf32>, memref<8x8xf32>, index)
  return
}

// CODE-LABEL: void d_blocks_kernel(
// CODE: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
// CODE: int64_t [[B:.*]] = AscendC::GetBlockIdx();
// CODE: int64_t [[N:.*]] = AscendC::GetBlockNum();
// CODE: for (int64_t [[I:.*]] = [[B]]; [[I]] < 8; [[I]] += [[N]]) {
// CODE: pld::SyncBlocks();
// CODE-LABEL: host/program.cpp
// CODE: if (arg2 > 0) {
// CODE-NEXT: launch_d_blocks(static_cast<uint32_t>({{.*}}), rank.stream(), {{.*}});
// CODE: launch_d_blocks_1(4, rank.stream(), {{.*}});
