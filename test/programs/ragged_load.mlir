// An array of 37 by 29 through tiles of 8 by 32: the last rows and columns of a tile hold the
// pad value where the array ends. Each element doubled, and in %s the sum of each row.

func.func @core(%x: memref<37x29xf32>, %y: memref<37x29xf32> {pl.out},
                %s: memref<37x1xf32> {pl.out}) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c37 = arith.constant 37 : index
  scf.for %row = %c0 to %c37 step %c8 {
    %left = arith.subi %c37, %row : index
    %rows = arith.minsi %left, %c8 : index
    %t = pl.load %x[%row, 0] valid [%rows, 29] : memref<37x29xf32> -> !pl.tile<8x32xf32>
    %double = pl.add %t, %t : !pl.tile<8x32xf32>
    pl.store %double, %y[%row, 0] valid [%rows, 29] : !pl.tile<8x32xf32>, memref<37x29xf32>
    // The pad is 0: it adds nothing.
    %sum = pl.row_sum %t : !pl.tile<8x32xf32> -> !pl.tile<8x1xf32>
    pl.store %sum, %s[%row, 0] valid [%rows, 1] : !pl.tile<8x1xf32>, memref<37x1xf32>
  }
  return
}

func.func @device(%x: memref<37x29xf32>, %y: memref<37x29xf32> {pl.out},
                  %s: memref<37x1xf32> {pl.out}) attributes {pl.device} {
  call @core(%x, %y, %s) : (memref<37x29xf32>, memref<37x29xf32>, memref<37x1xf32>) -> ()
  return
}

func.func @main(%x: memref<?x37x29xf32>, %y: memref<?x37x29xf32> {pl.out},
                %s: memref<?x37x1xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x37x29xf32> -> memref<37x29xf32>
    %yr = pl.shard %y[%r] : memref<?x37x29xf32> -> memref<37x29xf32>
    %sr = pl.shard %s[%r] : memref<?x37x1xf32> -> memref<37x1xf32>
    pld.dispatch @device(%xr, %yr, %sr) on %r
        : (memref<37x29xf32>, memref<37x29xf32>, memref<37x1xf32>)
  }
  return
}

// y = 2 x; s[r][i] = the sum of row i, exact: all numbers are integers below 2^24
func.func @golden(%x: memref<?x37x29xf32>, %y: memref<?x37x29xf32>, %s: memref<?x37x1xf32>)
    attributes {pl.golden, pl.rtol = 0.0, pl.atol = 0.0} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c29 = arith.constant 29 : index
  %c37 = arith.constant 37 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x37x29xf32>
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c37 step %c1 {
      %sum = scf.for %j = %c0 to %c29 step %c1 iter_args(%so_far = %zero) -> (f32) {
        %v = memref.load %x[%r, %i, %j] : memref<?x37x29xf32>
        %double = arith.addf %v, %v : f32
        memref.store %double, %y[%r, %i, %j] : memref<?x37x29xf32>
        %more = arith.addf %so_far, %v : f32
        scf.yield %more : f32
      }
      memref.store %sum, %s[%r, %i, %c0] : memref<?x37x1xf32>
    }
  }
  return
}
