// More ranks than a page has signal cells: barriers and ring steps use cells by round there.

// RUN: pld-run %s --entry mesh -n 1030 --check races --seed 1 | FileCheck %s
// RUN: pld-run %s --entry ring -n 1030 --check none --seed 0 | FileCheck %s
// CHECK: OK
// CHECK-NOT: no golden

func.func @core_mesh(%x: memref<1x3xf32>, %y: memref<1x3xf32> {pl.out}, %data: !pld.dtensor<1x3xf32>,
                     %sig: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<1x3xf32> -> !pl.tile<1x3xf32>
  pl.store %t, %data[0, 0] : !pl.tile<1x3xf32>, !pld.dtensor<1x3xf32>
  pld.allreduce sum %data, %sig {algorithm = "mesh"} : !pld.dtensor<1x3xf32>, !pld.dtensor<?x1xi32>
  %u = pl.load %data[0, 0] : !pld.dtensor<1x3xf32> -> !pl.tile<1x3xf32>
  pl.store %u, %y[0, 0] : !pl.tile<1x3xf32>, memref<1x3xf32>
  return
}

func.func @rank_mesh(%x: memref<1x3xf32>, %y: memref<1x3xf32> {pl.out}, %data: !pld.dtensor<1x3xf32>,
                     %sig: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  call @core_mesh(%x, %y, %data, %sig)
      : (memref<1x3xf32>, memref<1x3xf32>, !pld.dtensor<1x3xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @mesh(%x: memref<?x1x3xf32> {pl.arg = "iota"}, %y: memref<?x1x3xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 3] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<1x3xf32>
  %sig = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x3xf32> -> memref<1x3xf32>
    %yr = pl.shard %y[%r] : memref<?x1x3xf32> -> memref<1x3xf32>
    pld.dispatch @rank_mesh(%xr, %yr, %data, %sig) on %r
        : (memref<1x3xf32>, memref<1x3xf32>, !pld.dtensor<1x3xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// Whole numbers below 2^24, so in any order the same.
func.func @golden_mesh(%x: memref<?x1x3xf32>, %y: memref<?x1x3xf32>) attributes {pl.golden = @mesh, pl.rtol = 0.0, pl.atol = 0.0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x1x3xf32>
  scf.for %j = %c0 to %c3 step %c1 {
    %sum = scf.for %s = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %x[%s, %c0, %j] : memref<?x1x3xf32>
      %next = arith.addf %a, %v : f32
      scf.yield %next : f32
    }
    scf.for %r = %c0 to %n step %c1 {
      memref.store %sum, %y[%r, %c0, %j] : memref<?x1x3xf32>
    }
  }
  return
}

func.func @core_ring(%x: memref<1x3xf32>, %y: memref<1x3xf32> {pl.out}, %data: !pld.dtensor<1x3xf32>,
                     %sig: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<1x3xf32> -> !pl.tile<1x3xf32>
  pl.store %t, %data[0, 0] : !pl.tile<1x3xf32>, !pld.dtensor<1x3xf32>
  pld.allreduce sum %data, %sig {algorithm = "ring"} : !pld.dtensor<1x3xf32>, !pld.dtensor<?x1xi32>
  %u = pl.load %data[0, 0] : !pld.dtensor<1x3xf32> -> !pl.tile<1x3xf32>
  pl.store %u, %y[0, 0] : !pl.tile<1x3xf32>, memref<1x3xf32>
  return
}

func.func @rank_ring(%x: memref<1x3xf32>, %y: memref<1x3xf32> {pl.out}, %data: !pld.dtensor<1x3xf32>,
                     %sig: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  call @core_ring(%x, %y, %data, %sig)
      : (memref<1x3xf32>, memref<1x3xf32>, !pld.dtensor<1x3xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @ring(%x: memref<?x1x3xf32> {pl.arg = "iota"}, %y: memref<?x1x3xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 3] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<1x3xf32>
  %sig = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x3xf32> -> memref<1x3xf32>
    %yr = pl.shard %y[%r] : memref<?x1x3xf32> -> memref<1x3xf32>
    pld.dispatch @rank_ring(%xr, %yr, %data, %sig) on %r
        : (memref<1x3xf32>, memref<1x3xf32>, !pld.dtensor<1x3xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// Whole numbers below 2^24, so in any order the same.
func.func @golden_ring(%x: memref<?x1x3xf32>, %y: memref<?x1x3xf32>) attributes {pl.golden = @ring, pl.rtol = 0.0, pl.atol = 0.0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x1x3xf32>
  scf.for %j = %c0 to %c3 step %c1 {
    %sum = scf.for %s = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %x[%s, %c0, %j] : memref<?x1x3xf32>
      %next = arith.addf %a, %v : f32
      scf.yield %next : f32
    }
    scf.for %r = %c0 to %n step %c1 {
      memref.store %sum, %y[%r, %c0, %j] : memref<?x1x3xf32>
    }
  }
  return
}
