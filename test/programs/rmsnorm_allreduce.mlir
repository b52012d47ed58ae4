// RMSNorm of rows whose columns are spread over the ranks, at tensor level: each rank sums the
// squares of its part of a row, an allreduce joins the sums, and each rank scales its part.

func.func @rmsnorm(%x: memref<32x256xf32>, %y: memref<32x256xf32> {pl.out},
                   %sums: !pld.dtensor<32x1xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  %c256 = arith.constant 256 : index
  %epsilon = arith.constant 1.0e-6 : f32
  %ctx = pld.get_comm_ctx %sums : !pld.dtensor<32x1xf32>
  %n = pld.nranks %ctx
  %columns = arith.muli %n, %c256 : index
  %columns_i32 = arith.index_cast %columns : index to i32
  %count = arith.sitofp %columns_i32 : i32 to f32
  pl.at core_group {
    %part = pl.slice %x[0, 0] : memref<32x256xf32> -> tensor<32x256xf32>
    %squares = pl.mul %part, %part : tensor<32x256xf32>
    %sum = pl.row_sum %squares : tensor<32x256xf32> -> tensor<32x1xf32>
    pl.assemble %sum, %sums[0, 0] : tensor<32x1xf32>, !pld.dtensor<32x1xf32>
    pld.allreduce sum %sums, %signal {algorithm = "mesh"}
        : !pld.dtensor<32x1xf32>, !pld.dtensor<?x1xi32>
    %total = pl.slice %sums[0, 0] : !pld.dtensor<32x1xf32> -> tensor<32x1xf32>
    %mean = pl.divs %total, %count : tensor<32x1xf32>, f32
    %above = pl.adds %mean, %epsilon : tensor<32x1xf32>, f32
    %scale = pl.rsqrt %above : tensor<32x1xf32>
    %scaled = pl.row_expand_mul %part, %scale : tensor<32x256xf32>, tensor<32x1xf32>
    pl.assemble %scaled, %y[0, 0] : tensor<32x256xf32>, memref<32x256xf32>
  }
  return
}

func.func @main(%x: memref<?x32x256xf32> {pl.arg = "random"}, %y: memref<?x32x256xf32> {pl.out})
    attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %sums_buffer = pld.alloc_window_buffer [32, 1] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x32x256xf32> -> memref<32x256xf32>
    %yr = pl.shard %y[%r] : memref<?x32x256xf32> -> memref<32x256xf32>
    %sums = pld.window %sums_buffer : !pld.dtensor<32x1xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @rmsnorm(%xr, %yr, %sums, %signal) on %r
        : (memref<32x256xf32>, memref<32x256xf32>, !pld.dtensor<32x1xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// y[r][i][j] = x[r][i][j] / sqrt(mean of the squares of row i of all ranks)
func.func @golden(%x: memref<?x32x256xf32>, %y: memref<?x32x256xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f64
  %epsilon = arith.constant 1.0e-6 : f64
  %n = memref.dim %x, %c0 : memref<?x32x256xf32>
  %columns = arith.muli %n, %c256 : index
  %columns_i64 = arith.index_cast %columns : index to i64
  %count = arith.sitofp %columns_i64 : i64 to f64
  scf.for %i = %c0 to %c32 step %c1 {
    %sum = scf.for %r = %c0 to %n step %c1 iter_args(%before = %zero) -> (f64) {
      %row = scf.for %j = %c0 to %c256 step %c1 iter_args(%so_far = %before) -> (f64) {
        %v = memref.load %x[%r, %i, %j] : memref<?x32x256xf32>
        %wide = arith.extf %v : f32 to f64
        %square = arith.mulf %wide, %wide : f64
        %more = arith.addf %so_far, %square : f64
        scf.yield %more : f64
      }
      scf.yield %row : f64
    }
    %mean = arith.divf %sum, %count : f64
    %above = arith.addf %mean, %epsilon : f64
    %scale = math.rsqrt %above : f64
    scf.for %r = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c256 step %c1 {
        %v = memref.load %x[%r, %i, %j] : memref<?x32x256xf32>
        %wide = arith.extf %v : f32 to f64
        %scaled = arith.mulf %wide, %scale : f64
        %narrow = arith.truncf %scaled : f64 to f32
        memref.store %narrow, %y[%r, %i, %j] : memref<?x32x256xf32>
      }
    }
  }
  return
}
