// Hello, rank: every rank adds its own number to its slice.
//
//   ./x run examples/01_hello_rank.mlir -d 0,1
//
// One host function starts a device function on every rank; that calls an in-core
// function, which works on tiles.

func.func @add_rank(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}, %rank: index)
    attributes {pl.incore} {
  // Integer to float is fine on the AI core; arithmetic on scalar floats is not.
  %rank_i32 = arith.index_cast %rank : index to i32
  %rank_f32 = arith.sitofp %rank_i32 : i32 to f32
  %t = pl.load %x[0, 0] : memref<8x8xf32> -> !pl.tile<8x8xf32>
  %sum = pl.adds %t, %rank_f32 : !pl.tile<8x8xf32>, f32
  pl.store %sum, %y[0, 0] : !pl.tile<8x8xf32>, memref<8x8xf32>
  return
}

func.func @per_rank(%x: memref<8x8xf32>, %y: memref<8x8xf32> {pl.out}, %rank: index)
    attributes {pl.device} {
  call @add_rank(%x, %y, %rank) : (memref<8x8xf32>, memref<8x8xf32>, index) -> ()
  return
}

func.func @main(%x: memref<?x8x8xf32>, %y: memref<?x8x8xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x8x8xf32> -> memref<8x8xf32>
    %yr = pl.shard %y[%r] : memref<?x8x8xf32> -> memref<8x8xf32>
    pld.dispatch @per_rank(%xr, %yr, %r) on %r : (memref<8x8xf32>, memref<8x8xf32>, index)
  }
  return
}

// y[r] = x[r] + r
func.func @golden(%x: memref<?x8x8xf32>, %y: memref<?x8x8xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %x, %c0 : memref<?x8x8xf32>
  scf.for %r = %c0 to %n step %c1 {
    %r_i32 = arith.index_cast %r : index to i32
    %r_f32 = arith.sitofp %r_i32 : i32 to f32
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %v = memref.load %x[%r, %i, %j] : memref<?x8x8xf32>
        %s = arith.addf %v, %r_f32 : f32
        memref.store %s, %y[%r, %i, %j] : memref<?x8x8xf32>
      }
    }
  }
  return
}
