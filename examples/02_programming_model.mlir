// The programming model: three kinds of function, three levels of memory.
//
//   ./x run examples/02_programming_model.mlir -d 0,1
//
// | kind      | runs on                | here                                       |
// | --------- | ---------------------- | ------------------------------------------ |
// | pl.host   | host CPU, once         | shards the arrays, dispatches to each rank |
// | pl.device | one per rank           | walks the rows, eight at a time            |
// | pl.incore | AI core                | x * rank + x on one tile of eight rows     |
//
// Arrays (memref) live in global memory, tiles on-core. A row number and the rank are
// scalars; they cross function boundaries, tiles do not.

func.func @scale_rows(%x: memref<32x64xf32>, %y: memref<32x64xf32> {pl.out},
                      %row: index, %rank: index) attributes {pl.incore} {
  %rank_i32 = arith.index_cast %rank : index to i32
  %factor = arith.sitofp %rank_i32 : i32 to f32
  %t = pl.load %x[%row, 0] : memref<32x64xf32> -> !pl.tile<8x64xf32>
  %scaled = pl.muls %t, %factor : !pl.tile<8x64xf32>, f32
  %sum = pl.add %scaled, %t : !pl.tile<8x64xf32>
  pl.store %sum, %y[%row, 0] : !pl.tile<8x64xf32>, memref<32x64xf32>
  return
}

func.func @per_rank(%x: memref<32x64xf32>, %y: memref<32x64xf32> {pl.out}, %rank: index)
    attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %row = %c0 to %c32 step %c8 {
    func.call @scale_rows(%x, %y, %row, %rank)
        : (memref<32x64xf32>, memref<32x64xf32>, index, index) -> ()
  }
  return
}

func.func @main(%x: memref<?x32x64xf32>, %y: memref<?x32x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x32x64xf32> -> memref<32x64xf32>
    %yr = pl.shard %y[%r] : memref<?x32x64xf32> -> memref<32x64xf32>
    pld.dispatch @per_rank(%xr, %yr, %r) on %r : (memref<32x64xf32>, memref<32x64xf32>, index)
  }
  return
}

// y[r] = x[r] * r + x[r]
func.func @golden(%x: memref<?x32x64xf32>, %y: memref<?x32x64xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?x32x64xf32>
  scf.for %r = %c0 to %n step %c1 {
    %r_i32 = arith.index_cast %r : index to i32
    %r_f32 = arith.sitofp %r_i32 : i32 to f32
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %v = memref.load %x[%r, %i, %j] : memref<?x32x64xf32>
        %p = arith.mulf %v, %r_f32 : f32
        %s = arith.addf %p, %v : f32
        memref.store %s, %y[%r, %i, %j] : memref<?x32x64xf32>
      }
    }
  }
  return
}
