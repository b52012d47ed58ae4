// Four blocks on each rank double the rows of an array, each its sixteen.

func.func @double(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}, %block: index)
    attributes {pl.incore} {
  %c16 = arith.constant 16 : index
  %two = arith.constant 2.0 : f32
  %row = arith.muli %block, %c16 : index
  %v = pl.load %x[%row, 0] : memref<64x64xf32> -> !pl.tile<16x64xf32>
  %d = pl.muls %v, %two : !pl.tile<16x64xf32>, f32
  pl.store %d, %y[%row, 0] : !pl.tile<16x64xf32>, memref<64x64xf32>
  return
}

func.func @device(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}) attributes {pl.device} {
  %c4 = arith.constant 4 : index
  pl.spmd %c4 {
    %block = pl.block_idx
    func.call @double(%x, %y, %block) : (memref<64x64xf32>, memref<64x64xf32>, index) -> ()
  }
  return
}

func.func @main(%x: memref<?x64x64xf32>, %y: memref<?x64x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x64x64xf32> -> memref<64x64xf32>
    %yr = pl.shard %y[%r] : memref<?x64x64xf32> -> memref<64x64xf32>
    pld.dispatch @device(%xr, %yr) on %r : (memref<64x64xf32>, memref<64x64xf32>)
  }
  return
}

// y = 2 x
func.func @golden(%x: memref<?x64x64xf32>, %y: memref<?x64x64xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?x64x64xf32>
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %v = memref.load %x[%r, %i, %j] : memref<?x64x64xf32>
        %d = arith.mulf %v, %two : f32
        memref.store %d, %y[%r, %i, %j] : memref<?x64x64xf32>
      }
    }
  }
  return
}
