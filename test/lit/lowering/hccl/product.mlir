// Matrix products: both sides to the workspace, the request, the result back; the cube core's
// function, and a kernel of both cores.
// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s

// CHECK: #include "../common/pld_cube.h"
// CHECK: __aicore__ inline void product_vector(GM_ADDR arg0, GM_ADDR arg1, GM_ADDR workspace) {
// CHECK-NOT: KERNEL_TASK_TYPE
// CHECK: GM_ADDR exchange = workspace + AscendC::GetBlockIdx() * 5632;
// CHECK: HardEvent::MTE2_MTE3
// CHECK: pld::PutSide(exchange + 512, load, 16, 64);
// CHECK: pld::PutSide(exchange + 1536, load1, 32, 64);
// CHECK: pld::Multiply(exchange, 1, signal_slot);
// CHECK: pld::GetProduct([[P:[a-z0-9]+]], exchange + 3584, 16, 32);
// A product that adds is a product and a sum.
// CHECK: pld::PutSide(exchange + 512, load, 16, 64);
// CHECK: pld::PutSide(exchange + 1536, load2, 64, 32);
// CHECK: pld::Multiply(exchange, 2, signal_slot);
// CHECK: pld::GetProduct([[Q:[a-z0-9]+]], exchange + 3584, 16, 32);
// CHECK: HardEvent::MTE2_V
// CHECK: AscendC::Add({{[a-z0-9]+}}, [[P]], [[Q]], 512);
// CHECK: pld::EndCube(exchange, signal_slot);

// CHECK: __aicore__ inline void product_cube(GM_ADDR workspace) {
// CHECK: pld::Cube cube(pipe, exchange);
// CHECK: if (wanted == 1) cube.Product<int8_t, int32_t, false, true>(exchange + 512, exchange + 1536, exchange + 3584, 16, 32, 64);
// CHECK: if (wanted == 2) cube.Product<int8_t, int32_t, false, false>(exchange + 512, exchange + 1536, exchange + 3584, 16, 32, 64);
// CHECK: cube.Done();

// CHECK: extern "C" __global__ __aicore__ void product_kernel(GM_ADDR arg0, GM_ADDR arg1, GM_ADDR workspace) {
// CHECK-NEXT: KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
// CHECK-NEXT: if ASCEND_IS_AIV {
// CHECK-NEXT: product_vector(arg0, arg1, workspace);
// CHECK-NEXT: }
// CHECK-NEXT: if ASCEND_IS_AIC {
// CHECK-NEXT: product_cube(workspace);

// CHECK: uint8_t* workspace = nullptr;
// CHECK: PLD_TRY(rank.Workspace(5632, &workspace));
// CHECK: launch_product(1, rank.stream(), {{.*}}, workspace);
func.func @product(%x: memref<64x64xi8>, %y: memref<16x32xi32> {pl.out}) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<64x64xi8> -> !pl.tile<16x64xi8>
  %u = pl.load %x[16, 0] : memref<64x64xi8> -> !pl.tile<32x64xi8>
  %v = pl.load %x[0, 32] : memref<64x64xi8> -> !pl.tile<64x32xi8>
  %p = pl.matmul %t, %u transpose_b : !pl.tile<16x64xi8>, !pl.tile<32x64xi8> -> !pl.tile<16x32xi32>
  %q = pl.matmul_acc %p, %t, %v : !pl.tile<16x64xi8>, !pl.tile<64x32xi8> -> !pl.tile<16x32xi32>
  pl.store %q, %y[0, 0] : !pl.tile<16x32xi32>, memref<16x32xi32>
  return
}

func.func @d(%x: memref<64x64xi8>, %y: memref<16x32xi32> {pl.out}) attributes {pl.device} {
  call @product(%x, %y) : (memref<64x64xi8>, memref<16x32xi32>) -> ()
  return
}

func.func @main(%x: memref<64x64xi8>, %y: memref<?x16x32xi32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %yr = pl.shard %y[%c0] : memref<?x16x32xi32> -> memref<16x32xi32>
  pld.dispatch @d(%x, %yr) on %c0 : (memref<64x64xi8>, memref<16x32xi32>)
  return
}
