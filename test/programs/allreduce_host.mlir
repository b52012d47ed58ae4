// An allreduce of the host between two dispatches, its signal given or omitted.

func.func @stage_core(%x: memref<1x256xf32>, %data: !pld.dtensor<1x256xf32>)
    attributes {pl.incore} {
  %own = pl.load %x[0, 0] : memref<1x256xf32> -> !pl.tile<1x256xf32>
  pl.store %own, %data[0, 0] : !pl.tile<1x256xf32>, !pld.dtensor<1x256xf32>
  return
}

func.func @stage(%x: memref<1x256xf32>, %data: !pld.dtensor<1x256xf32>)
    attributes {pl.device} {
  call @stage_core(%x, %data) : (memref<1x256xf32>, !pld.dtensor<1x256xf32>) -> ()
  return
}

func.func @fetch_core(%y: memref<1x256xf32> {pl.out}, %data: !pld.dtensor<1x256xf32>)
    attributes {pl.incore} {
  %got = pl.load %data[0, 0] : !pld.dtensor<1x256xf32> -> !pl.tile<1x256xf32>
  pl.store %got, %y[0, 0] : !pl.tile<1x256xf32>, memref<1x256xf32>
  return
}

func.func @fetch(%y: memref<1x256xf32> {pl.out}, %data: !pld.dtensor<1x256xf32>)
    attributes {pl.device} {
  call @fetch_core(%y, %data) : (memref<1x256xf32>, !pld.dtensor<1x256xf32>) -> ()
  return
}

func.func @main(%x: memref<?x1x256xf32>, %y: memref<?x1x256xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 256] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<1x256xf32>
  %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    pld.dispatch @stage(%xr, %data) on %r : (memref<1x256xf32>, !pld.dtensor<1x256xf32>)
  }
  pld.allreduce sum %data, %signal : !pld.dtensor<1x256xf32>, !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    pld.dispatch @fetch(%yr, %data) on %r : (memref<1x256xf32>, !pld.dtensor<1x256xf32>)
  }
  return
}

// y[r] = sum of x over all ranks
func.func @golden_main(%x: memref<?x1x256xf32>, %y: memref<?x1x256xf32>) attributes {pl.golden = @main} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x256xf32>
  %c256 = arith.constant 256 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c256 step %c1 {
      %zero = arith.constant 0.0 : f32
      %sum = scf.for %s = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x256xf32>
        %a = arith.addf %acc, %v : f32
        scf.yield %a : f32
      }
      memref.store %sum, %y[%r, %c0, %j] : memref<?x1x256xf32>
    }
  }
  return
}

func.func @stage_core_omitted(%x: memref<1x256xf32>, %data: !pld.dtensor<1x256xf32>)
    attributes {pl.incore} {
  %own = pl.load %x[0, 0] : memref<1x256xf32> -> !pl.tile<1x256xf32>
  pl.store %own, %data[0, 0] : !pl.tile<1x256xf32>, !pld.dtensor<1x256xf32>
  return
}

func.func @stage_omitted(%x: memref<1x256xf32>, %data: !pld.dtensor<1x256xf32>)
    attributes {pl.device} {
  call @stage_core_omitted(%x, %data) : (memref<1x256xf32>, !pld.dtensor<1x256xf32>) -> ()
  return
}

func.func @fetch_core_omitted(%y: memref<1x256xf32> {pl.out}, %data: !pld.dtensor<1x256xf32>)
    attributes {pl.incore} {
  %got = pl.load %data[0, 0] : !pld.dtensor<1x256xf32> -> !pl.tile<1x256xf32>
  pl.store %got, %y[0, 0] : !pl.tile<1x256xf32>, memref<1x256xf32>
  return
}

func.func @fetch_omitted(%y: memref<1x256xf32> {pl.out}, %data: !pld.dtensor<1x256xf32>)
    attributes {pl.device} {
  call @fetch_core_omitted(%y, %data) : (memref<1x256xf32>, !pld.dtensor<1x256xf32>) -> ()
  return
}

func.func @omitted(%x: memref<?x1x256xf32>, %y: memref<?x1x256xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 256] of f32
  %data = pld.window %data_buffer : !pld.dtensor<1x256xf32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    pld.dispatch @stage_omitted(%xr, %data) on %r : (memref<1x256xf32>, !pld.dtensor<1x256xf32>)
  }
  pld.allreduce sum %data : !pld.dtensor<1x256xf32>
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<?x1x256xf32> -> memref<1x256xf32>
    pld.dispatch @fetch_omitted(%yr, %data) on %r : (memref<1x256xf32>, !pld.dtensor<1x256xf32>)
  }
  return
}

// y[r] = sum of x over all ranks
func.func @golden_omitted(%x: memref<?x1x256xf32>, %y: memref<?x1x256xf32>) attributes {pl.golden = @omitted} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x256xf32>
  %c256 = arith.constant 256 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c256 step %c1 {
      %zero = arith.constant 0.0 : f32
      %sum = scf.for %s = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x256xf32>
        %a = arith.addf %acc, %v : f32
        scf.yield %a : f32
      }
      memref.store %sum, %y[%r, %c0, %j] : memref<?x1x256xf32>
    }
  }
  return
}

func.func @stage_core_few(%x: memref<1x17xf32>, %data: !pld.dtensor<1x17xf32>)
    attributes {pl.incore} {
  %own = pl.load %x[0, 0] : memref<1x17xf32> -> !pl.tile<1x17xf32>
  pl.store %own, %data[0, 0] : !pl.tile<1x17xf32>, !pld.dtensor<1x17xf32>
  return
}

func.func @stage_few(%x: memref<1x17xf32>, %data: !pld.dtensor<1x17xf32>)
    attributes {pl.device} {
  call @stage_core_few(%x, %data) : (memref<1x17xf32>, !pld.dtensor<1x17xf32>) -> ()
  return
}

func.func @fetch_core_few(%y: memref<1x17xf32> {pl.out}, %data: !pld.dtensor<1x17xf32>)
    attributes {pl.incore} {
  %got = pl.load %data[0, 0] : !pld.dtensor<1x17xf32> -> !pl.tile<1x17xf32>
  pl.store %got, %y[0, 0] : !pl.tile<1x17xf32>, memref<1x17xf32>
  return
}

func.func @fetch_few(%y: memref<1x17xf32> {pl.out}, %data: !pld.dtensor<1x17xf32>)
    attributes {pl.device} {
  call @fetch_core_few(%y, %data) : (memref<1x17xf32>, !pld.dtensor<1x17xf32>) -> ()
  return
}

func.func @few(%x: memref<?x1x17xf32>, %y: memref<?x1x17xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 17] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<1x17xf32>
  %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x17xf32> -> memref<1x17xf32>
    pld.dispatch @stage_few(%xr, %data) on %r : (memref<1x17xf32>, !pld.dtensor<1x17xf32>)
  }
  pld.allreduce sum %data, %signal : !pld.dtensor<1x17xf32>, !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<?x1x17xf32> -> memref<1x17xf32>
    pld.dispatch @fetch_few(%yr, %data) on %r : (memref<1x17xf32>, !pld.dtensor<1x17xf32>)
  }
  return
}

// y[r] = sum of x over all ranks
func.func @golden_few(%x: memref<?x1x17xf32>, %y: memref<?x1x17xf32>) attributes {pl.golden = @few} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x17xf32>
  %c17 = arith.constant 17 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c17 step %c1 {
      %zero = arith.constant 0.0 : f32
      %sum = scf.for %s = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x17xf32>
        %a = arith.addf %acc, %v : f32
        scf.yield %a : f32
      }
      memref.store %sum, %y[%r, %c0, %j] : memref<?x1x17xf32>
    }
  }
  return
}

func.func @stage_core_few_omitted(%x: memref<1x17xf32>, %data: !pld.dtensor<1x17xf32>)
    attributes {pl.incore} {
  %own = pl.load %x[0, 0] : memref<1x17xf32> -> !pl.tile<1x17xf32>
  pl.store %own, %data[0, 0] : !pl.tile<1x17xf32>, !pld.dtensor<1x17xf32>
  return
}

func.func @stage_few_omitted(%x: memref<1x17xf32>, %data: !pld.dtensor<1x17xf32>)
    attributes {pl.device} {
  call @stage_core_few_omitted(%x, %data) : (memref<1x17xf32>, !pld.dtensor<1x17xf32>) -> ()
  return
}

func.func @fetch_core_few_omitted(%y: memref<1x17xf32> {pl.out}, %data: !pld.dtensor<1x17xf32>)
    attributes {pl.incore} {
  %got = pl.load %data[0, 0] : !pld.dtensor<1x17xf32> -> !pl.tile<1x17xf32>
  pl.store %got, %y[0, 0] : !pl.tile<1x17xf32>, memref<1x17xf32>
  return
}

func.func @fetch_few_omitted(%y: memref<1x17xf32> {pl.out}, %data: !pld.dtensor<1x17xf32>)
    attributes {pl.device} {
  call @fetch_core_few_omitted(%y, %data) : (memref<1x17xf32>, !pld.dtensor<1x17xf32>) -> ()
  return
}

func.func @few_omitted(%x: memref<?x1x17xf32>, %y: memref<?x1x17xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 17] of f32
  %data = pld.window %data_buffer : !pld.dtensor<1x17xf32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x17xf32> -> memref<1x17xf32>
    pld.dispatch @stage_few_omitted(%xr, %data) on %r : (memref<1x17xf32>, !pld.dtensor<1x17xf32>)
  }
  pld.allreduce sum %data : !pld.dtensor<1x17xf32>
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<?x1x17xf32> -> memref<1x17xf32>
    pld.dispatch @fetch_few_omitted(%yr, %data) on %r : (memref<1x17xf32>, !pld.dtensor<1x17xf32>)
  }
  return
}

// y[r] = sum of x over all ranks
func.func @golden_few_omitted(%x: memref<?x1x17xf32>, %y: memref<?x1x17xf32>) attributes {pl.golden = @few_omitted} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x17xf32>
  %c17 = arith.constant 17 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c17 step %c1 {
      %zero = arith.constant 0.0 : f32
      %sum = scf.for %s = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x17xf32>
        %a = arith.addf %acc, %v : f32
        scf.yield %a : f32
      }
      memref.store %sum, %y[%r, %c0, %j] : memref<?x1x17xf32>
    }
  }
  return
}
