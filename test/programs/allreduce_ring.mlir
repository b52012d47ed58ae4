// The built-in allreduce as a ring: every reduction, of lengths that no share divides.
// Runs with 8 ranks, too.

func.func @core(%x: memref<1x4097xf32>, %y: memref<4x4097xf32> {pl.out},
      %data: !pld.dtensor<1x4097xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  pld.put %x, %data to %me : memref<1x4097xf32>, !pld.dtensor<1x4097xf32>
  pld.allreduce sum %data, %signal {algorithm = "ring"} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[0, 0] sizes [1, 4097] from %me : !pld.dtensor<1x4097xf32>, memref<4x4097xf32>
  pld.put %x, %data to %me : memref<1x4097xf32>, !pld.dtensor<1x4097xf32>
  pld.allreduce max %data, %signal {algorithm = "ring"} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[1, 0] sizes [1, 4097] from %me : !pld.dtensor<1x4097xf32>, memref<4x4097xf32>
  pld.put %x, %data to %me : memref<1x4097xf32>, !pld.dtensor<1x4097xf32>
  pld.allreduce min %data, %signal {algorithm = "ring"} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[2, 0] sizes [1, 4097] from %me : !pld.dtensor<1x4097xf32>, memref<4x4097xf32>
  pld.put %x, %data to %me : memref<1x4097xf32>, !pld.dtensor<1x4097xf32>
  pld.allreduce prod %data, %signal {algorithm = "ring"} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[3, 0] sizes [1, 4097] from %me : !pld.dtensor<1x4097xf32>, memref<4x4097xf32>
  return
}

func.func @per_rank(%x: memref<1x4097xf32>, %y: memref<4x4097xf32> {pl.out},
      %data: !pld.dtensor<1x4097xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %signal) : (memref<1x4097xf32>, memref<4x4097xf32>,
        !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x4097xf32> {pl.arg = "random"}, %y: memref<?x4x4097xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 4097] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x4097xf32> -> memref<1x4097xf32>
    %yr = pl.shard %y[%r] : memref<?x4x4097xf32> -> memref<4x4097xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x4097xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %signal) on %r
        : (memref<1x4097xf32>, memref<4x4097xf32>, !pld.dtensor<1x4097xf32>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// sum, maximum, minimum and product of x over all ranks
func.func @golden_main(%x: memref<?x1x4097xf32>, %y: memref<?x4x4097xf32>) attributes {pl.golden = @main, pl.rtol = 1.0e-05, pl.atol = 1.0e-06} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x4097xf32>
  %c4097 = arith.constant 4097 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c4097 step %c1 {
      %first = memref.load %x[%c0, %c0, %j] : memref<?x1x4097xf32>
      %sum, %max, %min, %prod = scf.for %s = %c1 to %n step %c1
          iter_args(%a = %first, %b = %first, %c = %first, %d = %first) -> (f32, f32, f32, f32) {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x4097xf32>
        %a_next = arith.addf %a, %v : f32
        %b_next = arith.maximumf %b, %v : f32
        %c_next = arith.minimumf %c, %v : f32
        %d_next = arith.mulf %d, %v : f32
        scf.yield %a_next, %b_next, %c_next, %d_next : f32, f32, f32, f32
      }
      memref.store %sum, %y[%r, %c0, %j] : memref<?x4x4097xf32>
      memref.store %max, %y[%r, %c1, %j] : memref<?x4x4097xf32>
      %c2 = arith.constant 2 : index
      memref.store %min, %y[%r, %c2, %j] : memref<?x4x4097xf32>
      %c3 = arith.constant 3 : index
      memref.store %prod, %y[%r, %c3, %j] : memref<?x4x4097xf32>
    }
  }
  return
}

func.func @core_one(%x: memref<1x1xf32>, %y: memref<4x1xf32> {pl.out}, %data: !pld.dtensor<1x1xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  pld.put %x, %data to %me : memref<1x1xf32>, !pld.dtensor<1x1xf32>
  pld.allreduce sum %data, %signal {algorithm = "ring"} : !pld.dtensor<1x1xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[0, 0] sizes [1, 1] from %me : !pld.dtensor<1x1xf32>, memref<4x1xf32>
  pld.put %x, %data to %me : memref<1x1xf32>, !pld.dtensor<1x1xf32>
  pld.allreduce max %data, %signal {algorithm = "ring"} : !pld.dtensor<1x1xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[1, 0] sizes [1, 1] from %me : !pld.dtensor<1x1xf32>, memref<4x1xf32>
  pld.put %x, %data to %me : memref<1x1xf32>, !pld.dtensor<1x1xf32>
  pld.allreduce min %data, %signal {algorithm = "ring"} : !pld.dtensor<1x1xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[2, 0] sizes [1, 1] from %me : !pld.dtensor<1x1xf32>, memref<4x1xf32>
  pld.put %x, %data to %me : memref<1x1xf32>, !pld.dtensor<1x1xf32>
  pld.allreduce prod %data, %signal {algorithm = "ring"} : !pld.dtensor<1x1xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[3, 0] sizes [1, 1] from %me : !pld.dtensor<1x1xf32>, memref<4x1xf32>
  return
}

func.func @per_rank_one(%x: memref<1x1xf32>, %y: memref<4x1xf32> {pl.out}, %data: !pld.dtensor<1x1xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core_one(%x, %y, %data, %signal) : (memref<1x1xf32>, memref<4x1xf32>, !pld.dtensor<1x1xf32>,
        !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @one(%x: memref<?x1x1xf32> {pl.arg = "random"}, %y: memref<?x4x1xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 1] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x1xf32> -> memref<1x1xf32>
    %yr = pl.shard %y[%r] : memref<?x4x1xf32> -> memref<4x1xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x1xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank_one(%xr, %yr, %data, %signal) on %r
        : (memref<1x1xf32>, memref<4x1xf32>, !pld.dtensor<1x1xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// sum, maximum, minimum and product of x over all ranks
func.func @golden_one(%x: memref<?x1x1xf32>, %y: memref<?x4x1xf32>) attributes {pl.golden = @one, pl.rtol = 1.0e-05, pl.atol = 1.0e-06} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x1xf32>
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c1 step %c1 {
      %first = memref.load %x[%c0, %c0, %j] : memref<?x1x1xf32>
      %sum, %max, %min, %prod = scf.for %s = %c1 to %n step %c1
          iter_args(%a = %first, %b = %first, %c = %first, %d = %first) -> (f32, f32, f32, f32) {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x1xf32>
        %a_next = arith.addf %a, %v : f32
        %b_next = arith.maximumf %b, %v : f32
        %c_next = arith.minimumf %c, %v : f32
        %d_next = arith.mulf %d, %v : f32
        scf.yield %a_next, %b_next, %c_next, %d_next : f32, f32, f32, f32
      }
      memref.store %sum, %y[%r, %c0, %j] : memref<?x4x1xf32>
      memref.store %max, %y[%r, %c1, %j] : memref<?x4x1xf32>
      %c2 = arith.constant 2 : index
      memref.store %min, %y[%r, %c2, %j] : memref<?x4x1xf32>
      %c3 = arith.constant 3 : index
      memref.store %prod, %y[%r, %c3, %j] : memref<?x4x1xf32>
    }
  }
  return
}

func.func @core_few(%x: memref<1x17xf32>, %y: memref<4x17xf32> {pl.out}, %data: !pld.dtensor<1x17xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  pld.put %x, %data to %me : memref<1x17xf32>, !pld.dtensor<1x17xf32>
  pld.allreduce sum %data, %signal {algorithm = "ring"} : !pld.dtensor<1x17xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[0, 0] sizes [1, 17] from %me : !pld.dtensor<1x17xf32>, memref<4x17xf32>
  pld.put %x, %data to %me : memref<1x17xf32>, !pld.dtensor<1x17xf32>
  pld.allreduce max %data, %signal {algorithm = "ring"} : !pld.dtensor<1x17xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[1, 0] sizes [1, 17] from %me : !pld.dtensor<1x17xf32>, memref<4x17xf32>
  pld.put %x, %data to %me : memref<1x17xf32>, !pld.dtensor<1x17xf32>
  pld.allreduce min %data, %signal {algorithm = "ring"} : !pld.dtensor<1x17xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[2, 0] sizes [1, 17] from %me : !pld.dtensor<1x17xf32>, memref<4x17xf32>
  pld.put %x, %data to %me : memref<1x17xf32>, !pld.dtensor<1x17xf32>
  pld.allreduce prod %data, %signal {algorithm = "ring"} : !pld.dtensor<1x17xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[3, 0] sizes [1, 17] from %me : !pld.dtensor<1x17xf32>, memref<4x17xf32>
  return
}

func.func @per_rank_few(%x: memref<1x17xf32>, %y: memref<4x17xf32> {pl.out}, %data: !pld.dtensor<1x17xf32>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core_few(%x, %y, %data, %signal) : (memref<1x17xf32>, memref<4x17xf32>, !pld.dtensor<1x17xf32>,
        !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @few(%x: memref<?x1x17xf32> {pl.arg = "random"}, %y: memref<?x4x17xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 17] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x17xf32> -> memref<1x17xf32>
    %yr = pl.shard %y[%r] : memref<?x4x17xf32> -> memref<4x17xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x17xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank_few(%xr, %yr, %data, %signal) on %r
        : (memref<1x17xf32>, memref<4x17xf32>, !pld.dtensor<1x17xf32>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// sum, maximum, minimum and product of x over all ranks
func.func @golden_few(%x: memref<?x1x17xf32>, %y: memref<?x4x17xf32>) attributes {pl.golden = @few, pl.rtol = 1.0e-05, pl.atol = 1.0e-06} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x17xf32>
  %c17 = arith.constant 17 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c17 step %c1 {
      %first = memref.load %x[%c0, %c0, %j] : memref<?x1x17xf32>
      %sum, %max, %min, %prod = scf.for %s = %c1 to %n step %c1
          iter_args(%a = %first, %b = %first, %c = %first, %d = %first) -> (f32, f32, f32, f32) {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x17xf32>
        %a_next = arith.addf %a, %v : f32
        %b_next = arith.maximumf %b, %v : f32
        %c_next = arith.minimumf %c, %v : f32
        %d_next = arith.mulf %d, %v : f32
        scf.yield %a_next, %b_next, %c_next, %d_next : f32, f32, f32, f32
      }
      memref.store %sum, %y[%r, %c0, %j] : memref<?x4x17xf32>
      memref.store %max, %y[%r, %c1, %j] : memref<?x4x17xf32>
      %c2 = arith.constant 2 : index
      memref.store %min, %y[%r, %c2, %j] : memref<?x4x17xf32>
      %c3 = arith.constant 3 : index
      memref.store %prod, %y[%r, %c3, %j] : memref<?x4x17xf32>
    }
  }
  return
}

func.func @core_many(%x: memref<1x65537xf32>, %y: memref<4x65537xf32> {pl.out},
      %data: !pld.dtensor<1x65537xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  pld.put %x, %data to %me : memref<1x65537xf32>, !pld.dtensor<1x65537xf32>
  pld.allreduce sum %data, %signal {algorithm = "ring"} : !pld.dtensor<1x65537xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[0, 0] sizes [1, 65537] from %me : !pld.dtensor<1x65537xf32>, memref<4x65537xf32>
  pld.put %x, %data to %me : memref<1x65537xf32>, !pld.dtensor<1x65537xf32>
  pld.allreduce max %data, %signal {algorithm = "ring"} : !pld.dtensor<1x65537xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[1, 0] sizes [1, 65537] from %me : !pld.dtensor<1x65537xf32>, memref<4x65537xf32>
  pld.put %x, %data to %me : memref<1x65537xf32>, !pld.dtensor<1x65537xf32>
  pld.allreduce min %data, %signal {algorithm = "ring"} : !pld.dtensor<1x65537xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[2, 0] sizes [1, 65537] from %me : !pld.dtensor<1x65537xf32>, memref<4x65537xf32>
  pld.put %x, %data to %me : memref<1x65537xf32>, !pld.dtensor<1x65537xf32>
  pld.allreduce prod %data, %signal {algorithm = "ring"} : !pld.dtensor<1x65537xf32>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[3, 0] sizes [1, 65537] from %me : !pld.dtensor<1x65537xf32>, memref<4x65537xf32>
  return
}

func.func @per_rank_many(%x: memref<1x65537xf32>, %y: memref<4x65537xf32> {pl.out},
      %data: !pld.dtensor<1x65537xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core_many(%x, %y, %data, %signal) : (memref<1x65537xf32>, memref<4x65537xf32>,
        !pld.dtensor<1x65537xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @many(%x: memref<?x1x65537xf32> {pl.arg = "random"}, %y: memref<?x4x65537xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 65537] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x65537xf32> -> memref<1x65537xf32>
    %yr = pl.shard %y[%r] : memref<?x4x65537xf32> -> memref<4x65537xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x65537xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank_many(%xr, %yr, %data, %signal) on %r
        : (memref<1x65537xf32>, memref<4x65537xf32>, !pld.dtensor<1x65537xf32>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// sum, maximum, minimum and product of x over all ranks
func.func @golden_many(%x: memref<?x1x65537xf32>, %y: memref<?x4x65537xf32>) attributes {pl.golden = @many, pl.rtol = 1.0e-05, pl.atol = 1.0e-06} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x65537xf32>
  %c65537 = arith.constant 65537 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c65537 step %c1 {
      %first = memref.load %x[%c0, %c0, %j] : memref<?x1x65537xf32>
      %sum, %max, %min, %prod = scf.for %s = %c1 to %n step %c1
          iter_args(%a = %first, %b = %first, %c = %first, %d = %first) -> (f32, f32, f32, f32) {
        %v = memref.load %x[%s, %c0, %j] : memref<?x1x65537xf32>
        %a_next = arith.addf %a, %v : f32
        %b_next = arith.maximumf %b, %v : f32
        %c_next = arith.minimumf %c, %v : f32
        %d_next = arith.mulf %d, %v : f32
        scf.yield %a_next, %b_next, %c_next, %d_next : f32, f32, f32, f32
      }
      memref.store %sum, %y[%r, %c0, %j] : memref<?x4x65537xf32>
      memref.store %max, %y[%r, %c1, %j] : memref<?x4x65537xf32>
      %c2 = arith.constant 2 : index
      memref.store %min, %y[%r, %c2, %j] : memref<?x4x65537xf32>
      %c3 = arith.constant 3 : index
      memref.store %prod, %y[%r, %c3, %j] : memref<?x4x65537xf32>
    }
  }
  return
}

func.func @core_half_few(%x: memref<1x17xf16>, %y: memref<4x17xf16> {pl.out}, %data: !pld.dtensor<1x17xf16>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  pld.put %x, %data to %me : memref<1x17xf16>, !pld.dtensor<1x17xf16>
  pld.allreduce sum %data, %signal {algorithm = "ring"} : !pld.dtensor<1x17xf16>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[0, 0] sizes [1, 17] from %me : !pld.dtensor<1x17xf16>, memref<4x17xf16>
  pld.put %x, %data to %me : memref<1x17xf16>, !pld.dtensor<1x17xf16>
  pld.allreduce max %data, %signal {algorithm = "ring"} : !pld.dtensor<1x17xf16>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[1, 0] sizes [1, 17] from %me : !pld.dtensor<1x17xf16>, memref<4x17xf16>
  pld.put %x, %data to %me : memref<1x17xf16>, !pld.dtensor<1x17xf16>
  pld.allreduce min %data, %signal {algorithm = "ring"} : !pld.dtensor<1x17xf16>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[2, 0] sizes [1, 17] from %me : !pld.dtensor<1x17xf16>, memref<4x17xf16>
  pld.put %x, %data to %me : memref<1x17xf16>, !pld.dtensor<1x17xf16>
  pld.allreduce prod %data, %signal {algorithm = "ring"} : !pld.dtensor<1x17xf16>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[3, 0] sizes [1, 17] from %me : !pld.dtensor<1x17xf16>, memref<4x17xf16>
  return
}

func.func @per_rank_half_few(%x: memref<1x17xf16>, %y: memref<4x17xf16> {pl.out}, %data: !pld.dtensor<1x17xf16>,
      %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core_half_few(%x, %y, %data, %signal) : (memref<1x17xf16>, memref<4x17xf16>, !pld.dtensor<1x17xf16>,
        !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @half_few(%x: memref<?x1x17xf16> {pl.arg = "random"}, %y: memref<?x4x17xf16> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 17] of f16
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x17xf16> -> memref<1x17xf16>
    %yr = pl.shard %y[%r] : memref<?x4x17xf16> -> memref<4x17xf16>
    %data = pld.window %data_buffer : !pld.dtensor<1x17xf16>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank_half_few(%xr, %yr, %data, %signal) on %r
        : (memref<1x17xf16>, memref<4x17xf16>, !pld.dtensor<1x17xf16>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// sum, maximum, minimum and product of x over all ranks
func.func @golden_half_few(%x: memref<?x1x17xf16>, %y: memref<?x4x17xf16>) attributes {pl.golden = @half_few, pl.rtol = 2.0e-02, pl.atol = 2.0e-02} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x17xf16>
  %c17 = arith.constant 17 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c17 step %c1 {
      %first_narrow = memref.load %x[%c0, %c0, %j] : memref<?x1x17xf16>
      %first = arith.extf %first_narrow : f16 to f32
      %sum, %max, %min, %prod = scf.for %s = %c1 to %n step %c1
          iter_args(%a = %first, %b = %first, %c = %first, %d = %first) -> (f32, f32, f32, f32) {
        %v_narrow = memref.load %x[%s, %c0, %j] : memref<?x1x17xf16>
        %v = arith.extf %v_narrow : f16 to f32
        %a_next = arith.addf %a, %v : f32
        %b_next = arith.maximumf %b, %v : f32
        %c_next = arith.minimumf %c, %v : f32
        %d_next = arith.mulf %d, %v : f32
        scf.yield %a_next, %b_next, %c_next, %d_next : f32, f32, f32, f32
      }
      %sum_narrow = arith.truncf %sum : f32 to f16
      memref.store %sum_narrow, %y[%r, %c0, %j] : memref<?x4x17xf16>
      %max_narrow = arith.truncf %max : f32 to f16
      memref.store %max_narrow, %y[%r, %c1, %j] : memref<?x4x17xf16>
      %min_narrow = arith.truncf %min : f32 to f16
      %c2 = arith.constant 2 : index
      memref.store %min_narrow, %y[%r, %c2, %j] : memref<?x4x17xf16>
      %prod_narrow = arith.truncf %prod : f32 to f16
      %c3 = arith.constant 3 : index
      memref.store %prod_narrow, %y[%r, %c3, %j] : memref<?x4x17xf16>
    }
  }
  return
}

func.func @core_half_many(%x: memref<1x65537xf16>, %y: memref<4x65537xf16> {pl.out},
      %data: !pld.dtensor<1x65537xf16>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  pld.put %x, %data to %me : memref<1x65537xf16>, !pld.dtensor<1x65537xf16>
  pld.allreduce sum %data, %signal {algorithm = "ring"} : !pld.dtensor<1x65537xf16>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[0, 0] sizes [1, 65537] from %me : !pld.dtensor<1x65537xf16>, memref<4x65537xf16>
  pld.put %x, %data to %me : memref<1x65537xf16>, !pld.dtensor<1x65537xf16>
  pld.allreduce max %data, %signal {algorithm = "ring"} : !pld.dtensor<1x65537xf16>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[1, 0] sizes [1, 65537] from %me : !pld.dtensor<1x65537xf16>, memref<4x65537xf16>
  pld.put %x, %data to %me : memref<1x65537xf16>, !pld.dtensor<1x65537xf16>
  pld.allreduce min %data, %signal {algorithm = "ring"} : !pld.dtensor<1x65537xf16>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[2, 0] sizes [1, 65537] from %me : !pld.dtensor<1x65537xf16>, memref<4x65537xf16>
  pld.put %x, %data to %me : memref<1x65537xf16>, !pld.dtensor<1x65537xf16>
  pld.allreduce prod %data, %signal {algorithm = "ring"} : !pld.dtensor<1x65537xf16>, !pld.dtensor<?x1xi32>
  pld.get %data[0, 0], %y[3, 0] sizes [1, 65537] from %me : !pld.dtensor<1x65537xf16>, memref<4x65537xf16>
  return
}

func.func @per_rank_half_many(%x: memref<1x65537xf16>, %y: memref<4x65537xf16> {pl.out},
      %data: !pld.dtensor<1x65537xf16>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core_half_many(%x, %y, %data, %signal) : (memref<1x65537xf16>, memref<4x65537xf16>,
        !pld.dtensor<1x65537xf16>, !pld.dtensor<?x1xi32>) -> ()
  return
}

func.func @half_many(%x: memref<?x1x65537xf16> {pl.arg = "random"}, %y: memref<?x4x65537xf16> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 65537] of f16
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x65537xf16> -> memref<1x65537xf16>
    %yr = pl.shard %y[%r] : memref<?x4x65537xf16> -> memref<4x65537xf16>
    %data = pld.window %data_buffer : !pld.dtensor<1x65537xf16>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank_half_many(%xr, %yr, %data, %signal) on %r
        : (memref<1x65537xf16>, memref<4x65537xf16>, !pld.dtensor<1x65537xf16>,
              !pld.dtensor<?x1xi32>)
  }
  return
}

// sum, maximum, minimum and product of x over all ranks
func.func @golden_half_many(%x: memref<?x1x65537xf16>, %y: memref<?x4x65537xf16>) attributes {pl.golden = @half_many, pl.rtol = 2.0e-02, pl.atol = 2.0e-02} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x1x65537xf16>
  %c65537 = arith.constant 65537 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c65537 step %c1 {
      %first_narrow = memref.load %x[%c0, %c0, %j] : memref<?x1x65537xf16>
      %first = arith.extf %first_narrow : f16 to f32
      %sum, %max, %min, %prod = scf.for %s = %c1 to %n step %c1
          iter_args(%a = %first, %b = %first, %c = %first, %d = %first) -> (f32, f32, f32, f32) {
        %v_narrow = memref.load %x[%s, %c0, %j] : memref<?x1x65537xf16>
        %v = arith.extf %v_narrow : f16 to f32
        %a_next = arith.addf %a, %v : f32
        %b_next = arith.maximumf %b, %v : f32
        %c_next = arith.minimumf %c, %v : f32
        %d_next = arith.mulf %d, %v : f32
        scf.yield %a_next, %b_next, %c_next, %d_next : f32, f32, f32, f32
      }
      %sum_narrow = arith.truncf %sum : f32 to f16
      memref.store %sum_narrow, %y[%r, %c0, %j] : memref<?x4x65537xf16>
      %max_narrow = arith.truncf %max : f32 to f16
      memref.store %max_narrow, %y[%r, %c1, %j] : memref<?x4x65537xf16>
      %min_narrow = arith.truncf %min : f32 to f16
      %c2 = arith.constant 2 : index
      memref.store %min_narrow, %y[%r, %c2, %j] : memref<?x4x65537xf16>
      %prod_narrow = arith.truncf %prod : f32 to f16
      %c3 = arith.constant 3 : index
      memref.store %prod_narrow, %y[%r, %c3, %j] : memref<?x4x65537xf16>
    }
  }
  return
}
