// Tensors to tiles: fusion, shapes of tiles, reductions, and the order of reads and writes.
// RUN: pld-opt %s --pl-outline-at --pl-tile-tensors=budget=32768 --split-input-file | FileCheck %s
// RUN: pld-opt %s --pl-outline-at --pl-tile-tensors=budget=32768 --pl-verify-tiled --canonicalize --cse --split-input-file --verify-roundtrip | FileCheck %s --check-prefix=GATE
// GATE-NOT: {{ tensor<}}

// What fits is one tile. A value that is computed goes to the peer from where it is: there
// is one load, and one store for each place that it goes to.
// CHECK-LABEL: func.func private @whole_at_0(
// CHECK:         %[[V:.*]] = pl.load %arg0[0, 0] : memref<32x64xf32> -> !pl.tile<32x64xf32>
// CHECK-NEXT:    %[[S:.*]] = pl.muls %[[V]], %{{.*}} : !pl.tile<32x64xf32>, f32
// CHECK-NEXT:    pld.remote_store %[[S]], %arg1[0, 0] to %{{.*}} atomic add : !pl.tile<32x64xf32>, !pld.dtensor<32x64xf32>
// CHECK-NEXT:    pl.store %[[S]], %arg2[0, 0] : !pl.tile<32x64xf32>, memref<32x64xf32>
// CHECK-NEXT:    return
func.func @whole(%x: memref<32x64xf32>, %y: memref<32x64xf32> {pl.out}, %w: !pld.dtensor<32x64xf32>, %peer: index, %f: f32) attributes {pl.device} {
  pl.at core_group {
    %v = pl.slice %x[0, 0] : memref<32x64xf32> -> tensor<32x64xf32>
    %s = pl.muls %v, %f : tensor<32x64xf32>, f32
    pld.remote_store %s, %w[0, 0] to %peer atomic add : tensor<32x64xf32>, !pld.dtensor<32x64xf32>
    pl.assemble %s, %y[0, 0] : tensor<32x64xf32>, memref<32x64xf32>
  }
  return
}

// -----

// Larger values go through in whole rows; a chain with reductions of rows is one loop.
// CHECK-LABEL: func.func private @rows_at_0(
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %c640{{.*}} step %c20
// CHECK-NEXT:      %[[V:.*]] = pl.load %arg0[%[[I]], 0] : memref<640x128xf32> -> !pl.tile<20x128xf32>
// CHECK-NEXT:      pl.row_max
// CHECK-NEXT:      pl.row_expand_sub
// CHECK-NEXT:      pl.exp
// CHECK-NEXT:      pl.row_sum
// CHECK-NEXT:      pl.row_expand_div
// CHECK-NEXT:      pl.store %{{.*}}, %arg1[%[[I]], 0]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @rows(%x: memref<640x128xf32>, %y: memref<640x128xf32> {pl.out}) attributes {pl.device} {
  pl.at core_group {
    %v = pl.slice %x[0, 0] : memref<640x128xf32> -> tensor<640x128xf32>
    %m = pl.row_max %v : tensor<640x128xf32> -> tensor<640x1xf32>
    %d = pl.row_expand_sub %v, %m : tensor<640x128xf32>, tensor<640x1xf32>
    %e = pl.exp %d : tensor<640x128xf32>
    %s = pl.row_sum %e : tensor<640x128xf32> -> tensor<640x1xf32>
    %r = pl.row_expand_div %e, %s : tensor<640x128xf32>, tensor<640x1xf32>
    pl.assemble %r, %y[0, 0] : tensor<640x128xf32>, memref<640x128xf32>
  }
  return
}

// -----

// A rest is a tile of its own, and offsets add up.
// CHECK-LABEL: func.func private @rest_at_0(
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %c{{[0-9]+}}
// CHECK:           %[[ROW:.*]] = arith.addi %[[I]], %c3
// CHECK:           pl.load %arg0[%[[ROW]], 1] : memref<120x300xf32> -> !pl.tile<[[H:[0-9]+]]x257xf32>
// CHECK:           pl.store %{{.*}}, %arg1[%[[I]], 0]
// CHECK:         }
// CHECK:         pl.load %arg0[{{[0-9]+}}, 1] : memref<120x300xf32> -> !pl.tile<{{[0-9]+}}x257xf32>
// CHECK:         pl.store
// CHECK-NEXT:    return
func.func @rest(%x: memref<120x300xf32>, %y: memref<113x257xf32> {pl.out}) attributes {pl.device} {
  pl.at core_group {
    %v = pl.slice %x[3, 1] : memref<120x300xf32> -> tensor<113x257xf32>
    %r = pl.neg %v : tensor<113x257xf32>
    pl.assemble %r, %y[0, 0] : tensor<113x257xf32>, memref<113x257xf32>
  }
  return
}

// -----

// A row too long for a tile is summed part by part, from what changes nothing: 16-bit floats
// in f32, rounded once.
// CHECK-LABEL: func.func private @long_at_0(
// CHECK:         %[[Z:.*]] = arith.constant -0.0{{.*}} : f32
// CHECK:         %[[START:.*]] = pl.full %[[Z]] : !pl.tile<1x1xf32>
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[START]]) -> (!pl.tile<1x1xf32>)
// CHECK:           pl.load
// CHECK:           pl.cast rint
// CHECK:           %[[PART:.*]] = pl.row_sum
// CHECK:           pl.add %[[ACC]], %[[PART]] : !pl.tile<1x1xf32>
// CHECK:         pl.cast rint %{{.*}} : !pl.tile<1x1xf32> -> !pl.tile<1x1xf16>
func.func @long(%x: memref<1x65537xf16>, %y: memref<1x1xf16> {pl.out}) attributes {pl.device} {
  pl.at core_group {
    %v = pl.slice %x[0, 0] : memref<1x65537xf16> -> tensor<1x65537xf16>
    %s = pl.row_sum %v : tensor<1x65537xf16> -> tensor<1x1xf16>
    pl.assemble %s, %y[0, 0] : tensor<1x1xf16>, memref<1x1xf16>
  }
  return
}

// -----

// Parts that are put together are stored one by one, each from where it comes.
// CHECK-LABEL: func.func private @parts_at_0(
// CHECK-NOT:     pl.concat
// CHECK:         pl.load %arg0[0, 0] : memref<4x64xf32> -> !pl.tile<4x64xf32>
// CHECK-NEXT:    pl.store %{{.*}}, %arg2[0, 0]
// CHECK:         scf.for %[[I:.*]] = %c4
// CHECK:           %[[ROW:.*]] = arith.addi %[[I]], %c-4
// CHECK-NEXT:      pl.load %arg1[%[[ROW]], 0]
// CHECK-NEXT:      pl.store %{{.*}}, %arg2[%[[I]], 0]
func.func @parts(%a: memref<4x64xf32>, %b: memref<512x64xf32>, %y: memref<516x64xf32> {pl.out}) attributes {pl.device} {
  pl.at core_group {
    %u = pl.slice %a[0, 0] : memref<4x64xf32> -> tensor<4x64xf32>
    %v = pl.slice %b[0, 0] : memref<512x64xf32> -> tensor<512x64xf32>
    %r = pl.concat %u, %v dim 0 : tensor<4x64xf32>, tensor<512x64xf32> -> tensor<516x64xf32>
    pl.assemble %r, %y[0, 0] : tensor<516x64xf32>, memref<516x64xf32>
  }
  return
}

// -----

// In place, a loop over rows is fine: each row is read before it is written.
// CHECK-LABEL: func.func private @in_place_at_0(
// CHECK:         scf.for
// CHECK:           pl.load
// CHECK:           pl.store
func.func @in_place(%x: memref<256x64xf32> {pl.inout}) attributes {pl.device} {
  pl.at core_group {
    %v = pl.slice %x[0, 0] : memref<256x64xf32> -> tensor<256x64xf32>
    %r = pl.exp %v : tensor<256x64xf32>
    pl.assemble %r, %x[0, 0] : tensor<256x64xf32>, memref<256x64xf32>
  }
  return
}

// -----

// Shifted by a row it is not: the value is held, and then stored. (A loop of smaller tiles
// would overwrite the next row before it is read.)
// CHECK-LABEL: func.func private @shift_at_0(
// CHECK:         scf.for
// CHECK-NOT:       pl.store
// CHECK:         pl.store %{{.*}}, %arg0[1, 0] : !pl.tile<100x64xf32>, memref<128x64xf32>
func.func @shift(%x: memref<128x64xf32> {pl.inout}) attributes {pl.device} {
  pl.at core_group {
    %v = pl.slice %x[0, 0] : memref<128x64xf32> -> tensor<100x64xf32>
    %r = pl.exp %v : tensor<100x64xf32>
    %s = pl.add %r, %v : tensor<100x64xf32>
    pl.assemble %s, %x[1, 0] : tensor<100x64xf32>, memref<128x64xf32>
  }
  return
}

// -----

// No read moves across notify or wait, nor a write: what is used behind one is held.
// CHECK-LABEL: func.func private @across_at_0(
// CHECK:         %[[V:.*]] = pl.load %{{.*}} : !pld.dtensor<8x64xf32> -> !pl.tile<8x64xf32>
// CHECK:         %[[E:.*]] = pl.exp %[[V]]
// CHECK:         pl.store %{{.*}}, %{{.*}} : !pl.tile<8x64xf32>, !pld.dtensor<8x64xf32>
// CHECK-NEXT:    pld.notify
// CHECK-NEXT:    pld.wait
// CHECK-NEXT:    pl.load %{{.*}} : !pld.dtensor<8x64xf32>
// CHECK-NEXT:    pl.add %[[E]]
// CHECK-NEXT:    pl.store
func.func @across(%w: !pld.dtensor<8x64xf32>, %s: !pld.dtensor<1x1xi32>, %y: memref<8x64xf32> {pl.out}, %peer: index) attributes {pl.device} {
  %one = arith.constant 1 : i32
  pl.at core_group {
    %v = pl.slice %w[0, 0] : !pld.dtensor<8x64xf32> -> tensor<8x64xf32>
    %e = pl.exp %v : tensor<8x64xf32>
    pl.assemble %e, %w[0, 0] : tensor<8x64xf32>, !pld.dtensor<8x64xf32>
    pld.notify add %one, %s[0, 0] to %peer : !pld.dtensor<1x1xi32>
    pld.wait ge %one, %s[0, 0] : !pld.dtensor<1x1xi32>
    %u = pl.slice %w[0, 0] : !pld.dtensor<8x64xf32> -> tensor<8x64xf32>
    %r = pl.add %e, %u : tensor<8x64xf32>
    pl.assemble %r, %y[0, 0] : tensor<8x64xf32>, memref<8x64xf32>
  }
  return
}

// -----

// What a loop carries is held as a tile; what it reads of memory that it writes as well.
// CHECK-LABEL: func.func private @loop_at_0(
// CHECK:         %[[V:.*]] = pl.load %arg0[0, 0]
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (!pl.tile<8x64xf32>)
// CHECK:           %[[S:.*]] = pl.add %[[A]], %[[V]]
// CHECK:           pl.store %[[S]], %arg0[0, 0]
// CHECK:           scf.yield %[[S]] : !pl.tile<8x64xf32>
// CHECK:         pl.store %[[R]], %arg1[0, 0]
func.func @loop(%x: memref<8x64xf32> {pl.inout}, %y: memref<8x64xf32> {pl.out}, %n: index, %f: f32) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.at core_group {
    %v = pl.slice %x[0, 0] : memref<8x64xf32> -> tensor<8x64xf32>
    %z = pl.full %f : tensor<8x64xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<8x64xf32>) {
      %s = pl.add %a, %v : tensor<8x64xf32>
      pl.assemble %s, %x[0, 0] : tensor<8x64xf32>, memref<8x64xf32>
      scf.yield %s : tensor<8x64xf32>
    }
    pl.assemble %r, %y[0, 0] : tensor<8x64xf32>, memref<8x64xf32>
  }
  return
}

// -----

// A product in blocks of all three extents, its sums carried from block to block.
// CHECK-LABEL: func.func private @product_at_0(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] =
// CHECK:             pl.matmul_acc %[[ACC]], %{{.*}}, %{{.*}} transpose_b
// CHECK:           pl.store
func.func @product(%x: memref<256x256xf16>, %y: memref<128x256xf16>, %z: memref<256x128xf32> {pl.out}) attributes {pl.device} {
  pl.at core_group {
    %a = pl.slice %x[0, 0] : memref<256x256xf16> -> tensor<256x256xf16>
    %b = pl.slice %y[0, 0] : memref<128x256xf16> -> tensor<128x256xf16>
    %c = pl.matmul %a, %b transpose_b : tensor<256x256xf16>, tensor<128x256xf16> -> tensor<256x128xf32>
    pl.assemble %c, %z[0, 0] : tensor<256x128xf32>, memref<256x128xf32>
  }
  return
}
