// An allgather by hand: each rank stores its slice into its row on every rank.

func.func @core(%x: memref<1x64xf32>, %y: memref<4x64xf32> {pl.out}, %all: !pld.dtensor<4x64xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %local = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  scf.for %peer = %c0 to %n step %c1 {
    pld.remote_store %local, %all[%me, 0] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<4x64xf32>
  }
  pld.barrier %signal : !pld.dtensor<?x1xi32>
  %rows = pl.load %all[0, 0] valid [%n, 64] : !pld.dtensor<4x64xf32> -> !pl.tile<4x64xf32>
  pl.store %rows, %y[0, 0] : !pl.tile<4x64xf32>, memref<4x64xf32>
  return
}

func.func @per_rank(%x: memref<1x64xf32>, %y: memref<4x64xf32> {pl.out},
      %all: !pld.dtensor<4x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %all, %signal) : (memref<1x64xf32>, memref<4x64xf32>, !pld.dtensor<4x64xf32>,
        !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x64xf32>, %y: memref<?x4x64xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 1, 2, 3, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %all_buffer = pld.alloc_window_buffer [4, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %yr = pl.shard %y[%r] : memref<?x4x64xf32> -> memref<4x64xf32>
    %all = pld.window %all_buffer : !pld.dtensor<4x64xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %all, %signal) on %r
        : (memref<1x64xf32>, memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r][s] = x[s] for s < n; the rest of the four rows is 0
func.func @golden(%x: memref<?x1x64xf32>, %y: memref<?x4x64xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x64xf32>
  %c64 = arith.constant 64 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %s = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x64xf32>
        memref.store %v, %y[%r, %s, %j] : memref<?x4x64xf32>
      }
    }
  }
  return
}
