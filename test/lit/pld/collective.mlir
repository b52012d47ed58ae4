// Round trip of pld.allreduce, pld.broadcast, pld.allgather, pld.reduce_scatter,
// pld.all_to_all and pld.all_to_all_v.
// RUN: pld-opt %s --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --mlir-print-op-generic | pld-opt | FileCheck %s
// RUN: pld-opt %s --emit-bytecode | pld-opt | FileCheck %s

// On the core: each kind of combination and each algorithm, with a signal.
// CHECK-LABEL: func.func @reductions
func.func @reductions(%d: !pld.dtensor<1x4097xf32>, %h: !pld.dtensor<?x64xf16>, %i: !pld.dtensor<64xi32>,
                      %s: !pld.dtensor<?x1xi32>, %t: !pld.dtensor<16xi32>) attributes {pl.incore} {
  // CHECK: pld.allreduce sum %arg0, %arg3 : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  pld.allreduce sum %d, %s : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  // CHECK: pld.allreduce max %arg1, %arg3 {algorithm = "mesh"} : !pld.dtensor<?x64xf16>, !pld.dtensor<?x1xi32>
  pld.allreduce max %h, %s {algorithm = "mesh"} : !pld.dtensor<?x64xf16>, !pld.dtensor<?x1xi32>
  // CHECK: pld.allreduce min %arg2, %arg4 {algorithm = "ring"} : !pld.dtensor<64xi32>, !pld.dtensor<16xi32>
  pld.allreduce min %i, %t {algorithm = "ring"} : !pld.dtensor<64xi32>, !pld.dtensor<16xi32>
  // CHECK: pld.allreduce prod %arg0, %arg3 {algorithm = "auto"} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  pld.allreduce prod %d, %s {algorithm = "auto"} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  // CHECK: pld.reduce_scatter sum %arg1, %arg3 : !pld.dtensor<?x64xf16>, !pld.dtensor<?x1xi32>
  pld.reduce_scatter sum %h, %s : !pld.dtensor<?x64xf16>, !pld.dtensor<?x1xi32>
  // CHECK: pld.reduce_scatter max %arg0, %arg3 {tag} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  pld.reduce_scatter max %d, %s {tag} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  // CHECK: pld.broadcast %arg2, %arg4 root 0 : !pld.dtensor<64xi32>, !pld.dtensor<16xi32>
  pld.broadcast %i, %t root 0 : !pld.dtensor<64xi32>, !pld.dtensor<16xi32>
  // CHECK: pld.broadcast %arg0, %arg3 root 3 {tag} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  pld.broadcast %d, %s root 3 {tag} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  return
}

// From an array or from a window into a window.
// CHECK-LABEL: func.func @exchanges
func.func @exchanges(%x: memref<1x64xf32>, %c: !pld.dtensor<1x64xf32>, %a: !pld.dtensor<?x64xf32>,
                     %y: memref<?x64xf32>, %b: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>,
                     %k: memref<4x1xi32>, %n: !pld.dtensor<4x1xi32>, %m: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  // CHECK: pld.allgather %arg0 into %arg2, %arg5 : memref<1x64xf32>, !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  pld.allgather %x into %a, %s : memref<1x64xf32>, !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  // CHECK: pld.allgather %arg1 into %arg4, %arg5 {tag} : !pld.dtensor<1x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  pld.allgather %c into %b, %s {tag} : !pld.dtensor<1x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  // CHECK: pld.all_to_all %arg3 into %arg4, %arg5 : memref<?x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  pld.all_to_all %y into %b, %s : memref<?x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  // CHECK: pld.all_to_all %arg2 into %arg4, %arg5 {tag} : !pld.dtensor<?x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  pld.all_to_all %a into %b, %s {tag} : !pld.dtensor<?x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  // CHECK: pld.all_to_all_v %arg3 into %arg4, %arg5 counts %arg6, %arg7 : memref<?x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi32>, !pld.dtensor<4x1xi32>
  pld.all_to_all_v %y into %b, %s counts %k, %n : memref<?x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi32>, !pld.dtensor<4x1xi32>
  // CHECK: pld.all_to_all_v %arg2 into %arg4, %arg5 counts %arg7, %arg8 {tag} : !pld.dtensor<?x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts !pld.dtensor<4x1xi32>, !pld.dtensor<?x1xi32>
  pld.all_to_all_v %a into %b, %s counts %n, %m {tag} : !pld.dtensor<?x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts !pld.dtensor<4x1xi32>, !pld.dtensor<?x1xi32>
  return
}

// What is only read may be one buffer.
// CHECK-LABEL: func.func @read_twice
func.func @read_twice(%k: !pld.dtensor<4x1xi32>, %d: !pld.dtensor<4x1xi32>, %s: !pld.dtensor<?x1xi32>,
                      %n: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  // CHECK: pld.all_to_all_v %arg0 into %arg1, %arg2 counts %arg0, %arg3 :
  pld.all_to_all_v %k into %d, %s counts %k, %n : !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<?x1xi32> counts !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>
  return
}

// On the host the signal may be left out.
// CHECK-LABEL: func.func @host
func.func @host(%x: memref<1x64xf32>, %k: memref<4x1xi32>) attributes {pl.host} {
  %n = pld.world_size
  %bd = pld.alloc_window_buffer [%n, 64] of f32
  %be = pld.alloc_window_buffer [%n, 64] of f32
  %bs = pld.alloc_window_buffer [%n, 1] of i32
  %bm = pld.alloc_window_buffer [%n, 1] of i32
  %d = pld.window %bd[%n] : !pld.dtensor<?x64xf32>
  %e = pld.window %be[%n] : !pld.dtensor<?x64xf32>
  %s = pld.window %bs[%n] : !pld.dtensor<?x1xi32>
  %m = pld.window %bm[%n] : !pld.dtensor<?x1xi32>
  // CHECK: pld.allreduce sum %[[D:.*]] : !pld.dtensor<?x64xf32>
  pld.allreduce sum %d : !pld.dtensor<?x64xf32>
  // CHECK: pld.allreduce sum %[[D]], %[[S:.*]] {algorithm = "ring"} : !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  pld.allreduce sum %d, %s {algorithm = "ring"} : !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  // CHECK: pld.broadcast %[[D]] root 1 : !pld.dtensor<?x64xf32>
  pld.broadcast %d root 1 : !pld.dtensor<?x64xf32>
  // CHECK: pld.reduce_scatter min %[[D]] : !pld.dtensor<?x64xf32>
  pld.reduce_scatter min %d : !pld.dtensor<?x64xf32>
  // CHECK: pld.allgather %arg0 into %[[D]] : memref<1x64xf32>, !pld.dtensor<?x64xf32>
  pld.allgather %x into %d : memref<1x64xf32>, !pld.dtensor<?x64xf32>
  // CHECK: pld.all_to_all %[[D]] into %[[E:.*]] : !pld.dtensor<?x64xf32>, !pld.dtensor<?x64xf32>
  pld.all_to_all %d into %e : !pld.dtensor<?x64xf32>, !pld.dtensor<?x64xf32>
  // CHECK: pld.all_to_all_v %[[D]] into %[[E]] counts %arg1, %[[M:.*]] : !pld.dtensor<?x64xf32>, !pld.dtensor<?x64xf32> counts memref<4x1xi32>, !pld.dtensor<?x1xi32>
  pld.all_to_all_v %d into %e counts %k, %m : !pld.dtensor<?x64xf32>, !pld.dtensor<?x64xf32> counts memref<4x1xi32>, !pld.dtensor<?x1xi32>
  // CHECK: pld.all_to_all_v %[[D]] into %[[E]], %[[S]] counts %arg1, %[[M]] : !pld.dtensor<?x64xf32>, !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi32>, !pld.dtensor<?x1xi32>
  pld.all_to_all_v %d into %e, %s counts %k, %m : !pld.dtensor<?x64xf32>, !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi32>, !pld.dtensor<?x1xi32>
  return
}

// In a pl.at region as in-core; integers of each width.
// CHECK-LABEL: func.func @at
func.func @at(%i8: !pld.dtensor<1x64xi8>, %i16: !pld.dtensor<1x64xi16>, %i64: !pld.dtensor<1x64xi64>,
              %b: !pld.dtensor<1x64xbf16>, %s: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  pl.at core_group {
    // CHECK: pld.allreduce sum %arg0, %arg4 : !pld.dtensor<1x64xi8>, !pld.dtensor<?x1xi32>
    pld.allreduce sum %i8, %s : !pld.dtensor<1x64xi8>, !pld.dtensor<?x1xi32>
    // CHECK: pld.allreduce max %arg1, %arg4 : !pld.dtensor<1x64xi16>, !pld.dtensor<?x1xi32>
    pld.allreduce max %i16, %s : !pld.dtensor<1x64xi16>, !pld.dtensor<?x1xi32>
    // CHECK: pld.broadcast %arg2, %arg4 root 0 : !pld.dtensor<1x64xi64>, !pld.dtensor<?x1xi32>
    pld.broadcast %i64, %s root 0 : !pld.dtensor<1x64xi64>, !pld.dtensor<?x1xi32>
    // CHECK: pld.reduce_scatter prod %arg3, %arg4 : !pld.dtensor<1x64xbf16>, !pld.dtensor<?x1xi32>
    pld.reduce_scatter prod %b, %s : !pld.dtensor<1x64xbf16>, !pld.dtensor<?x1xi32>
  }
  return
}
