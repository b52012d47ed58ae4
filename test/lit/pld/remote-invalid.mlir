// What the verifiers of pld.remote_load and pld.remote_store refuse.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 101: only a window has peers --------------------------------------===//

func.func @load_memref(%x: memref<1x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.remote_load' op memory operand is memref<1x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  %t = pld.remote_load %x[0, 0] from %peer : memref<1x64xf32> -> !pl.tile<1x64xf32>
  return
}

// -----

func.func @store_memref(%y: memref<1x64xf32> {pl.out}, %v: f32, %peer: index) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<1x64xf32>
  // expected-error @+2 {{'pld.remote_store' op memory operand is memref<1x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks}}
  pld.remote_store %t, %y[0, 0] to %peer : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}

// -----

func.func @load_tile(%v: f32, %peer: index) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<1x64xf32>
  // expected-error @+2 {{'pld.remote_load' op memory operand is !pl.tile<1x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks}}
  %a = pld.remote_load %t[0, 0] from %peer : !pl.tile<1x64xf32> -> !pl.tile<1x64xf32>
  return
}

//===--- 103: place --------------------------------------------------------===//
// -----

func.func @load_on_device(%w: !pld.dtensor<1x64xf32>, %peer: index) attributes {pl.device} {
  // expected-error @+2 {{'pld.remote_load' op stands in a pl.device function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %t = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  return
}

// -----

func.func @load_on_host(%peer: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [1, 64] of f32
  %w = pld.window %b : !pld.dtensor<1x64xf32>
  // expected-error @+2 {{'pld.remote_load' op stands in a pl.host function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %t = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  return
}

// -----

func.func @store_without_kind(%w: !pld.dtensor<1x64xf32>, %t: !pl.tile<1x64xf32>, %peer: index) {
  // expected-error @+2 {{'pld.remote_store' op stands in a function without a kind, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  pld.remote_store %t, %w[0, 0] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  return
}

//===--- 104: bounds -------------------------------------------------------===//
// -----

func.func @offset_count(%w: !pld.dtensor<1x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.remote_load' op has 3 offsets, expected 2, one per dim [pld-104]}}
  // expected-note @+1 {{write 2 entries between the brackets}}
  %t = pld.remote_load %w[0, 0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  return
}

// -----

func.func @behind_the_end(%w: !pld.dtensor<1x64xf32>, %v: f32, %peer: index) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<1x64xf32>
  // expected-error @+2 {{'pld.remote_store' op accesses 32 to 96 of dim 1, expected at most 64 [pld-104]}}
  // expected-note @+1 {{move the offset, shrink the tile, or bound the part with valid [rows, columns]}}
  pld.remote_store %t, %w[0, 32] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  return
}

// -----

func.func @negative(%w: !pld.dtensor<?x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.remote_load' op offset of dim 0 is -8, expected at least 0 [pld-104]}}
  // expected-note @+1 {{offsets count from the start of the array or of a slice}}
  %t = pld.remote_load %w[-8, 0] from %peer : !pld.dtensor<?x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @valid_above_tile(%w: !pld.dtensor<64x64xf32>, %peer: index, %r: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.remote_load' op valid extent of dim 1 is 33, expected 0 to 32 [pld-104]}}
  // expected-note @+1 {{the valid part is at most the tile}}
  %t = pld.remote_load %w[0, 0] valid [%r, 33] from %peer : !pld.dtensor<64x64xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

// A pushed tensor is bounded like a tile.
func.func @tensor_too_large(%w: !pld.dtensor<64x64xf32>, %v: f32, %peer: index) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<128x64xf32>
    // expected-error @+2 {{'pld.remote_store' op accesses 0 to 128 of dim 0, expected at most 64 [pld-104]}}
    // expected-note @+1 {{move the offset}}
    pld.remote_store %t, %w[0, 0] to %peer : tensor<128x64xf32>, !pld.dtensor<64x64xf32>
  }
  return
}

//===--- 105: element types ------------------------------------------------===//
// -----

func.func @load_element(%w: !pld.dtensor<1x64xf16>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.remote_load' op element type of the value is bf16, expected f16 as in memory [pld-105]}}
  // expected-note @+1 {{convert the tile with pl.cast, or change the memory's element type}}
  %t = pld.remote_load %w[0, 0] from %peer : !pld.dtensor<1x64xf16> -> !pl.tile<1x64xbf16>
  return
}

// -----

func.func @store_element(%w: !pld.dtensor<1x64xi32>, %v: f32, %peer: index) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<1x64xf32>
    // expected-error @+2 {{'pld.remote_store' op element type of the value is f32, expected i32 as in memory [pld-105]}}
    // expected-note @+1 {{convert the tile with pl.cast}}
    pld.remote_store %t, %w[0, 0] to %peer : tensor<1x64xf32>, !pld.dtensor<1x64xi32>
  }
  return
}

// -----

// kind 105: in-core last
func.func @pad_element(%w: !pld.dtensor<1x64xf32>, %v: f16, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.remote_load' op pad value is f16, expected f32 [pld-105]}}
  // expected-note @+1 {{give a pad value of the element type}}
  %t = pld.remote_load %w[0, 0] pad(%v : f16) from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  return
}

//===--- 106: atomic add ---------------------------------------------------===//
// -----

func.func @atomic_i64(%w: !pld.dtensor<1x64xi64>, %v: i64, %peer: index) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<1x64xi64>
  // expected-error @+2 {{'pld.remote_store' op adds i64 atomically, expected f32, f16, bf16, i32, i16 or i8 [pld-106]}}
  // expected-note @+1 {{use another element type, or gather the parts and add them on one rank}}
  pld.remote_store %t, %w[0, 0] to %peer atomic add : !pl.tile<1x64xi64>, !pld.dtensor<1x64xi64>
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @remote_load_breaks_all(%x: memref<37x29xf16>, %v: i32, %peer: index) attributes {pl.incore} {
  // expected-error @+12 {{'pld.remote_load' op memory operand is memref<37x29xf16>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+11 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  // expected-error @+10 {{'pld.remote_load' op element type of the value is f32, expected f16 as in memory [pld-105]}}
  // expected-note @+9 {{convert the tile with pl.cast, or change the memory's element type}}
  // expected-error @+8 {{'pld.remote_load' op pad value is i32, expected f16 [pld-105]}}
  // expected-note @+7 {{give a pad value of the element type}}
  // expected-error @+6 {{'pld.remote_load' op offset of dim 0 is -1, expected at least 0 [pld-104]}}
  // expected-note @+5 {{offsets count from the start of the array or of a slice}}
  // expected-error @+4 {{'pld.remote_load' op valid extent of dim 0 is 9, expected 0 to 8 [pld-104]}}
  // expected-note @+3 {{the valid part is at most the tile}}
  // expected-error @+2 {{'pld.remote_load' op accesses 36 to 40 of dim 1, expected at most 29 [pld-104]}}
  // expected-note @+1 {{move the offset, shrink the tile, or bound the part with valid [rows, columns]}}
  %t = pld.remote_load %x[-1, 36] valid [9, 4] pad(%v : i32) from %peer : memref<37x29xf16> -> !pl.tile<8x32xf32>
  return
}

// -----

func.func @remote_store_breaks_all(%w: !pld.dtensor<4xi64>, %f: f32, %peer: index) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x32xf32>
  // expected-error @+8 {{'pld.remote_store' op element type of the value is f32, expected i64 as in memory [pld-105]}}
  // expected-note @+7 {{convert the tile with pl.cast, or change the memory's element type}}
  // expected-error @+6 {{'pld.remote_store' op adds i64 atomically, expected f32, f16, bf16, i32, i16 or i8 [pld-106]}}
  // expected-note @+5 {{use another element type, or gather the parts and add them on one rank}}
  // expected-error @+4 {{'pld.remote_store' op has 2 offsets, expected 1, one per dim [pld-104]}}
  // expected-note @+3 {{write 1 entries between the brackets}}
  // expected-error @+2 {{'pld.remote_store' op covers 8 rows of memory of rank 1, which is one row [pld-104]}}
  // expected-note @+1 {{use a tile of one row, valid [1, columns], or memory of rank 2}}
  pld.remote_store %t, %w[1, 0] to %peer atomic add : !pl.tile<8x32xf32>, !pld.dtensor<4xi64>
  return
}
