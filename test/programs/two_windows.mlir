// Two data windows and a signal: a push through one, a pull through the other.

func.func @core(%x: memref<2x64xf32>, %y: memref<2x64xf32> {pl.out},
      %first: !pld.dtensor<1x64xf32>, %second: !pld.dtensor<1x64xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  %a = pl.load %x[0, 0] : memref<2x64xf32> -> !pl.tile<1x64xf32>
  %b = pl.load %x[1, 0] : memref<2x64xf32> -> !pl.tile<1x64xf32>
  pld.remote_store %a, %first[0, 0] to %next : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pl.store %b, %second[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.barrier %signal : !pld.dtensor<?x1xi32>
  %pushed = pl.load %first[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  %pulled = pld.remote_load %second[0, 0] from %next : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %pushed, %y[0, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  pl.store %pulled, %y[1, 0] : !pl.tile<1x64xf32>, memref<2x64xf32>
  return
}

func.func @per_rank(%x: memref<2x64xf32>, %y: memref<2x64xf32> {pl.out},
      %first: !pld.dtensor<1x64xf32>, %second: !pld.dtensor<1x64xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %first, %second, %signal) : (memref<2x64xf32>, memref<2x64xf32>,
        !pld.dtensor<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x2x64xf32>, %y: memref<?x2x64xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %first_buffer = pld.alloc_window_buffer [1, 64] of f32
  %second_buffer = pld.alloc_window_buffer [1, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x2x64xf32> -> memref<2x64xf32>
    %yr = pl.shard %y[%r] : memref<?x2x64xf32> -> memref<2x64xf32>
    %first = pld.window %first_buffer : !pld.dtensor<1x64xf32>
    %second = pld.window %second_buffer : !pld.dtensor<1x64xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %first, %second, %signal) on %r
        : (memref<2x64xf32>, memref<2x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<1x64xf32>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r][0] = x[1 - r][0], y[r][1] = x[1 - r][1]
func.func @golden(%x: memref<?x2x64xf32>, %y: memref<?x2x64xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x2x64xf32>
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %more = arith.addi %r, %c1 : index
        %other = arith.remsi %more, %n : index
        %v = memref.load %x[%other, %i, %j] : memref<?x2x64xf32>
        memref.store %v, %y[%r, %i, %j] : memref<?x2x64xf32>
      }
    }
  }
  return
}
