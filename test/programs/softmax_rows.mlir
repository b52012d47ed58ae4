// Softmax of each row, twice: @main in tiles of eight rows, @tensors at tensor level, which the
// compiler tiles.

func.func @eight_rows(%x: memref<64x128xf32>, %y: memref<64x128xf32> {pl.out}, %row: index)
    attributes {pl.incore} {
  %v = pl.load %x[%row, 0] : memref<64x128xf32> -> !pl.tile<8x128xf32>
  %max = pl.row_max %v : !pl.tile<8x128xf32> -> !pl.tile<8x1xf32>
  %below = pl.row_expand_sub %v, %max : !pl.tile<8x128xf32>, !pl.tile<8x1xf32>
  %e = pl.exp %below : !pl.tile<8x128xf32>
  %sum = pl.row_sum %e : !pl.tile<8x128xf32> -> !pl.tile<8x1xf32>
  %r = pl.row_expand_div %e, %sum : !pl.tile<8x128xf32>, !pl.tile<8x1xf32>
  pl.store %r, %y[%row, 0] : !pl.tile<8x128xf32>, memref<64x128xf32>
  return
}

func.func @tile_level(%x: memref<64x128xf32>, %y: memref<64x128xf32> {pl.out})
    attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.for %row = %c0 to %c64 step %c8 {
    func.call @eight_rows(%x, %y, %row) : (memref<64x128xf32>, memref<64x128xf32>, index) -> ()
  }
  return
}

func.func @tensor_level(%x: memref<64x128xf32>, %y: memref<64x128xf32> {pl.out})
    attributes {pl.device} {
  pl.at core_group {
    %v = pl.slice %x[0, 0] : memref<64x128xf32> -> tensor<64x128xf32>
    %max = pl.row_max %v : tensor<64x128xf32> -> tensor<64x1xf32>
    %below = pl.row_expand_sub %v, %max : tensor<64x128xf32>, tensor<64x1xf32>
    %e = pl.exp %below : tensor<64x128xf32>
    %sum = pl.row_sum %e : tensor<64x128xf32> -> tensor<64x1xf32>
    %r = pl.row_expand_div %e, %sum : tensor<64x128xf32>, tensor<64x1xf32>
    pl.assemble %r, %y[0, 0] : tensor<64x128xf32>, memref<64x128xf32>
  }
  return
}

func.func @main(%x: memref<?x64x128xf32> {pl.arg = "random"}, %y: memref<?x64x128xf32> {pl.out})
    attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x64x128xf32> -> memref<64x128xf32>
    %yr = pl.shard %y[%r] : memref<?x64x128xf32> -> memref<64x128xf32>
    pld.dispatch @tile_level(%xr, %yr) on %r : (memref<64x128xf32>, memref<64x128xf32>)
  }
  return
}

func.func @tensors(%x: memref<?x64x128xf32> {pl.arg = "random"}, %y: memref<?x64x128xf32> {pl.out})
    attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x64x128xf32> -> memref<64x128xf32>
    %yr = pl.shard %y[%r] : memref<?x64x128xf32> -> memref<64x128xf32>
    pld.dispatch @tensor_level(%xr, %yr) on %r : (memref<64x128xf32>, memref<64x128xf32>)
  }
  return
}

// y[r][i][j] = exp(x - max of its row) / the sum of these
func.func @softmax(%x: memref<?x64x128xf32>, %y: memref<?x64x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 0xFF800000 : f32
  %n = memref.dim %x, %c0 : memref<?x64x128xf32>
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c64 step %c1 {
      %max = scf.for %j = %c0 to %c128 step %c1 iter_args(%so_far = %least) -> (f32) {
        %v = memref.load %x[%r, %i, %j] : memref<?x64x128xf32>
        %more = arith.maximumf %so_far, %v : f32
        scf.yield %more : f32
      }
      %sum = scf.for %j = %c0 to %c128 step %c1 iter_args(%so_far = %zero) -> (f64) {
        %v = memref.load %x[%r, %i, %j] : memref<?x64x128xf32>
        %below = arith.subf %v, %max : f32
        %wide = arith.extf %below : f32 to f64
        %e = math.exp %wide : f64
        %more = arith.addf %so_far, %e : f64
        scf.yield %more : f64
      }
      scf.for %j = %c0 to %c128 step %c1 {
        %v = memref.load %x[%r, %i, %j] : memref<?x64x128xf32>
        %below = arith.subf %v, %max : f32
        %wide = arith.extf %below : f32 to f64
        %e = math.exp %wide : f64
        %share = arith.divf %e, %sum : f64
        %narrow = arith.truncf %share : f64 to f32
        memref.store %narrow, %y[%r, %i, %j] : memref<?x64x128xf32>
      }
    }
  }
  return
}

func.func @main_golden(%x: memref<?x64x128xf32>, %y: memref<?x64x128xf32>)
    attributes {pl.golden = @main} {
  func.call @softmax(%x, %y) : (memref<?x64x128xf32>, memref<?x64x128xf32>) -> ()
  return
}

func.func @tensors_golden(%x: memref<?x64x128xf32>, %y: memref<?x64x128xf32>)
    attributes {pl.golden = @tensors} {
  func.call @softmax(%x, %y) : (memref<?x64x128xf32>, memref<?x64x128xf32>) -> ()
  return
}
