// Each rank multiplies its rows of A by all of B, twice: @main by tiles of 16x64 by 64x32,
// halves of the depth added up, @tensors at tensor level, which the compiler tiles.

func.func @sixteen_rows(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %y: memref<64x64xf32> {pl.out},
                        %row: index, %col: index) attributes {pl.incore} {
  %a0 = pl.load %a[%row, 0] : memref<64x64xf16> -> !pl.tile<16x32xf16>
  %b0 = pl.load %b[0, %col] : memref<64x64xf16> -> !pl.tile<32x32xf16>
  %half = pl.matmul %a0, %b0 : !pl.tile<16x32xf16>, !pl.tile<32x32xf16> -> !pl.tile<16x32xf32>
  %a1 = pl.load %a[%row, 32] : memref<64x64xf16> -> !pl.tile<16x32xf16>
  %b1 = pl.load %b[32, %col] : memref<64x64xf16> -> !pl.tile<32x32xf16>
  %whole = pl.matmul_acc %half, %a1, %b1
    : !pl.tile<16x32xf16>, !pl.tile<32x32xf16> -> !pl.tile<16x32xf32>
  pl.store %whole, %y[%row, %col] : !pl.tile<16x32xf32>, memref<64x64xf32>
  return
}

func.func @tile_level(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %y: memref<64x64xf32> {pl.out})
    attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.for %row = %c0 to %c64 step %c16 {
    scf.for %col = %c0 to %c64 step %c32 {
      func.call @sixteen_rows(%a, %b, %y, %row, %col)
        : (memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>, index, index) -> ()
    }
  }
  return
}

func.func @tensor_level(%a: memref<64x64xf16>, %b: memref<64x64xf16>,
                        %y: memref<64x64xf32> {pl.out}) attributes {pl.device} {
  pl.at core_group {
    %at = pl.slice %a[0, 0] : memref<64x64xf16> -> tensor<64x64xf16>
    %bt = pl.slice %b[0, 0] : memref<64x64xf16> -> tensor<64x64xf16>
    %product = pl.matmul %at, %bt : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    pl.assemble %product, %y[0, 0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

func.func @main(%a: memref<?x64x64xf16> {pl.arg = "random"}, %b: memref<64x64xf16> {pl.arg = "random:7"},
                %y: memref<?x64x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %ar = pl.shard %a[%r] : memref<?x64x64xf16> -> memref<64x64xf16>
    %yr = pl.shard %y[%r] : memref<?x64x64xf32> -> memref<64x64xf32>
    pld.dispatch @tile_level(%ar, %b, %yr) on %r
      : (memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>)
  }
  return
}

func.func @tensors(%a: memref<?x64x64xf16> {pl.arg = "random"},
                   %b: memref<64x64xf16> {pl.arg = "random:7"},
                   %y: memref<?x64x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %ar = pl.shard %a[%r] : memref<?x64x64xf16> -> memref<64x64xf16>
    %yr = pl.shard %y[%r] : memref<?x64x64xf32> -> memref<64x64xf32>
    pld.dispatch @tensor_level(%ar, %b, %yr) on %r
      : (memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>)
  }
  return
}

// y[r] = a[r] b
func.func @product(%a: memref<?x64x64xf16>, %b: memref<64x64xf16>, %y: memref<?x64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?x64x64xf16>
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%so_far = %zero) -> (f32) {
          %u = memref.load %a[%r, %i, %k] : memref<?x64x64xf16>
          %v = memref.load %b[%k, %j] : memref<64x64xf16>
          %uf = arith.extf %u : f16 to f32
          %vf = arith.extf %v : f16 to f32
          %uv = arith.mulf %uf, %vf : f32
          %next = arith.addf %so_far, %uv : f32
          scf.yield %next : f32
        }
        memref.store %sum, %y[%r, %i, %j] : memref<?x64x64xf32>
      }
    }
  }
  return
}

func.func @golden(%a: memref<?x64x64xf16>, %b: memref<64x64xf16>, %y: memref<?x64x64xf32>)
    attributes {pl.golden = @main, pl.rtol = 1.0e-3, pl.atol = 1.0e-4} {
  func.call @product(%a, %b, %y) : (memref<?x64x64xf16>, memref<64x64xf16>, memref<?x64x64xf32>) -> ()
  return
}

func.func @golden_tensors(%a: memref<?x64x64xf16>, %b: memref<64x64xf16>, %y: memref<?x64x64xf32>)
    attributes {pl.golden = @tensors, pl.rtol = 1.0e-3, pl.atol = 1.0e-4} {
  func.call @product(%a, %b, %y) : (memref<?x64x64xf16>, memref<64x64xf16>, memref<?x64x64xf32>) -> ()
  return
}
