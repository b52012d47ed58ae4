// The built-in all-to-all, in-core and on the host.

func.func @core(%x: memref<4x64xf32>, %y: memref<4x64xf32> {pl.out}, %data: !pld.dtensor<4x64xf32>,
      %all: !pld.dtensor<4x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %own = pl.load %x[0, 0] : memref<4x64xf32> -> !pl.tile<4x64xf32>
  pl.store %own, %data[0, 0] : !pl.tile<4x64xf32>, !pld.dtensor<4x64xf32>
  pld.all_to_all %data into %all, %signal : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  %got = pl.load %all[0, 0] : !pld.dtensor<4x64xf32> -> !pl.tile<4x64xf32>
  pl.store %got, %y[0, 0] : !pl.tile<4x64xf32>, memref<4x64xf32>
  return
}

func.func @per_rank(%x: memref<4x64xf32>, %y: memref<4x64xf32> {pl.out}, %data: !pld.dtensor<4x64xf32>,
      %all: !pld.dtensor<4x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %all, %signal) : (memref<4x64xf32>, memref<4x64xf32>, !pld.dtensor<4x64xf32>,
        !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x4x64xf32>, %y: memref<?x4x64xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 1, 2, 3, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [4, 64] of f32
  %all_buffer = pld.alloc_window_buffer [4, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x4x64xf32> -> memref<4x64xf32>
    %yr = pl.shard %y[%r] : memref<?x4x64xf32> -> memref<4x64xf32>
    %data = pld.window %data_buffer : !pld.dtensor<4x64xf32>
    %all = pld.window %all_buffer : !pld.dtensor<4x64xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %all, %signal) on %r
        : (memref<4x64xf32>, memref<4x64xf32>, !pld.dtensor<4x64xf32>,
              !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r][s] = x[s][r] for s < n; the rest of the four rows is 0
func.func @golden_main(%x: memref<?x4x64xf32>, %y: memref<?x4x64xf32>) attributes {pl.golden = @main} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4x64xf32>
  %c64 = arith.constant 64 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %s = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %v = memref.load %x[%s, %r, %j] : memref<?x4x64xf32>
        memref.store %v, %y[%r, %s, %j] : memref<?x4x64xf32>
      }
    }
  }
  return
}

func.func @stage_core_host(%x: memref<4x64xf32>, %data: !pld.dtensor<4x64xf32>, %all: !pld.dtensor<4x64xf32>)
    attributes {pl.incore} {
  %own = pl.load %x[0, 0] : memref<4x64xf32> -> !pl.tile<4x64xf32>
  pl.store %own, %data[0, 0] : !pl.tile<4x64xf32>, !pld.dtensor<4x64xf32>
  return
}

func.func @stage_host(%x: memref<4x64xf32>, %data: !pld.dtensor<4x64xf32>, %all: !pld.dtensor<4x64xf32>)
    attributes {pl.device} {
  call @stage_core_host(%x, %data, %all) : (memref<4x64xf32>, !pld.dtensor<4x64xf32>,
        !pld.dtensor<4x64xf32>) -> ()
  return
}

func.func @fetch_core_host(%y: memref<4x64xf32> {pl.out}, %data: !pld.dtensor<4x64xf32>,
      %all: !pld.dtensor<4x64xf32>)
    attributes {pl.incore} {
  %got = pl.load %all[0, 0] : !pld.dtensor<4x64xf32> -> !pl.tile<4x64xf32>
  pl.store %got, %y[0, 0] : !pl.tile<4x64xf32>, memref<4x64xf32>
  return
}

func.func @fetch_host(%y: memref<4x64xf32> {pl.out}, %data: !pld.dtensor<4x64xf32>,
      %all: !pld.dtensor<4x64xf32>)
    attributes {pl.device} {
  call @fetch_core_host(%y, %data, %all) : (memref<4x64xf32>, !pld.dtensor<4x64xf32>,
        !pld.dtensor<4x64xf32>) -> ()
  return
}

func.func @host(%x: memref<?x4x64xf32>, %y: memref<?x4x64xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 1, 2, 3, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [4, 64] of f32
  %all_buffer = pld.alloc_window_buffer [4, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<4x64xf32>
  %all = pld.window %all_buffer : !pld.dtensor<4x64xf32>
  %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x4x64xf32> -> memref<4x64xf32>
    pld.dispatch @stage_host(%xr, %data, %all) on %r : (memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>)
  }
  pld.all_to_all %data into %all, %signal : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<?x4x64xf32> -> memref<4x64xf32>
    pld.dispatch @fetch_host(%yr, %data, %all) on %r : (memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>)
  }
  return
}

// y[r][s] = x[s][r] for s < n; the rest of the four rows is 0
func.func @golden_host(%x: memref<?x4x64xf32>, %y: memref<?x4x64xf32>) attributes {pl.golden = @host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4x64xf32>
  %c64 = arith.constant 64 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %s = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %v = memref.load %x[%s, %r, %j] : memref<?x4x64xf32>
        memref.store %v, %y[%r, %s, %j] : memref<?x4x64xf32>
      }
    }
  }
  return
}

func.func @stage_core_host_alone(%x: memref<4x64xf32>, %data: !pld.dtensor<4x64xf32>, %all: !pld.dtensor<4x64xf32>)
    attributes {pl.incore} {
  %own = pl.load %x[0, 0] : memref<4x64xf32> -> !pl.tile<4x64xf32>
  pl.store %own, %data[0, 0] : !pl.tile<4x64xf32>, !pld.dtensor<4x64xf32>
  return
}

func.func @stage_host_alone(%x: memref<4x64xf32>, %data: !pld.dtensor<4x64xf32>, %all: !pld.dtensor<4x64xf32>)
    attributes {pl.device} {
  call @stage_core_host_alone(%x, %data, %all) : (memref<4x64xf32>, !pld.dtensor<4x64xf32>,
        !pld.dtensor<4x64xf32>) -> ()
  return
}

func.func @fetch_core_host_alone(%y: memref<4x64xf32> {pl.out}, %data: !pld.dtensor<4x64xf32>,
      %all: !pld.dtensor<4x64xf32>)
    attributes {pl.incore} {
  %got = pl.load %all[0, 0] : !pld.dtensor<4x64xf32> -> !pl.tile<4x64xf32>
  pl.store %got, %y[0, 0] : !pl.tile<4x64xf32>, memref<4x64xf32>
  return
}

func.func @fetch_host_alone(%y: memref<4x64xf32> {pl.out}, %data: !pld.dtensor<4x64xf32>,
      %all: !pld.dtensor<4x64xf32>)
    attributes {pl.device} {
  call @fetch_core_host_alone(%y, %data, %all) : (memref<4x64xf32>, !pld.dtensor<4x64xf32>,
        !pld.dtensor<4x64xf32>) -> ()
  return
}

func.func @host_alone(%x: memref<?x4x64xf32>, %y: memref<?x4x64xf32> {pl.out}) attributes {pl.host,
      pld.world_sizes = array<i64: 1, 2, 3, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [4, 64] of f32
  %all_buffer = pld.alloc_window_buffer [4, 64] of f32
  %data = pld.window %data_buffer : !pld.dtensor<4x64xf32>
  %all = pld.window %all_buffer : !pld.dtensor<4x64xf32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x4x64xf32> -> memref<4x64xf32>
    pld.dispatch @stage_host_alone(%xr, %data, %all) on %r : (memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>)
  }
  // Without a signal of the program's own.
  pld.all_to_all %data into %all : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<?x4x64xf32> -> memref<4x64xf32>
    pld.dispatch @fetch_host_alone(%yr, %data, %all) on %r : (memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>)
  }
  return
}

// y[r][s] = x[s][r] for s < n; the rest of the four rows is 0
func.func @golden_host_alone(%x: memref<?x4x64xf32>, %y: memref<?x4x64xf32>) attributes {pl.golden = @host_alone} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4x64xf32>
  %c64 = arith.constant 64 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %s = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %v = memref.load %x[%s, %r, %j] : memref<?x4x64xf32>
        memref.store %v, %y[%r, %s, %j] : memref<?x4x64xf32>
      }
    }
  }
  return
}
