// The whole pipeline: only the llvm dialect is left, with the table of source places.

// RUN: pld-opt %s --lower-pld-to-cpu | FileCheck %s
// RUN: pld-opt %s --lower-pld-to-cpu="bounds=false races=false" | FileCheck %s --check-prefix=FREE
// RUN: pld-opt %examples/05_remote_load_store.mlir --lower-pld-to-cpu | FileCheck %s --check-prefix=EXAMPLE

// CHECK: module attributes {pld.sites = [
// CHECK-LABEL: llvm.func @pld.k
// CHECK: llvm.call @pld_rt_access
// CHECK: llvm.fadd {{.*}} : vector<16xf32>
// FREE-LABEL: llvm.func @pld.k
// FREE-NOT: pld_rt_access
// FREE-NOT: pld_rt_fail
// FREE: llvm.return
// EXAMPLE-NOT: unrealized_conversion_cast
// EXAMPLE: llvm.func @pld.main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
func.func @k(%w: !pld.dtensor<?x16xf32>, %i: index) attributes {pl.incore} {
  %t = pl.load %w[%i, 0] : !pld.dtensor<?x16xf32> -> !pl.tile<1x16xf32>
  %u = pl.add %t, %t : !pl.tile<1x16xf32>
  pl.store %u, %w[%i, 0] : !pl.tile<1x16xf32>, !pld.dtensor<?x16xf32>
  return
}
