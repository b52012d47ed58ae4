// What the verifier of the broadcasts refuses.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 104: shapes ----------------------------------------------------===//

// A row where a column is needed.
func.func @row_for_column(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %v : !pl.tile<1x64xf32>
  // expected-error @+2 {{'pl.row_expand_mul' op vector has shape 1x64, expected 8x1 [pld-104]}}
  // expected-note @+1 {{along rows goes a column, one value per row}}
  %r = pl.row_expand_mul %t, %u : !pl.tile<8x64xf32>, !pl.tile<1x64xf32>
  return
}

// -----

func.func @too_short(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x32xf32>
  %u = pl.full %v : !pl.tile<1x64xf32>
  // expected-error @+2 {{'pl.col_expand_add' op vector has shape 1x64, expected 1x32 [pld-104]}}
  // expected-note @+1 {{along columns goes a row, one value per column}}
  %r = pl.col_expand_add %t, %u : !pl.tile<8x32xf32>, !pl.tile<1x64xf32>
  return
}

// -----

func.func @rows_change(%v: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x1xi32>
  // expected-error @+2 {{'pl.row_expand' op vector has shape 8x1, expected 16x1 [pld-104]}}
  // expected-note @+1 {{along rows goes a column, one value per row}}
  %r = pl.row_expand %t : !pl.tile<8x1xi32> -> !pl.tile<16x64xi32>
  return
}

// -----

func.func @no_vector(%v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<64x64xf32>
    // expected-error @+2 {{'pl.col_expand_max' op vector has shape 64x64, expected 1x64 [pld-104]}}
    // expected-note @+1 {{along columns goes a row, one value per column}}
    %r = pl.col_expand_max %t, %t : tensor<64x64xf32>, tensor<64x64xf32>
  }
  return
}

//===--- 105: element types ---------------------------------------------===//
// -----

func.func @mask(%v: i1) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x1xi1>
  // expected-error @+2 {{'pl.row_expand' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.row_expand %t : !pl.tile<8x1xi1> -> !pl.tile<8x64xi1>
  return
}

// -----

func.func @mixed(%v: f32, %h: f16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %h : !pl.tile<8x1xf16>
  // expected-error @+2 {{'pl.row_expand_sub' op vector has element type f16, expected f32 [pld-105]}}
  // expected-note @+1 {{convert it with pl.cast}}
  %r = pl.row_expand_sub %t, %u : !pl.tile<8x64xf32>, !pl.tile<8x1xf16>
  return
}

// -----

func.func @converts(%v: i16) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<1x64xi16>
    // expected-error @+2 {{'pl.col_expand' op vector has element type i16, expected i32 [pld-105]}}
    // expected-note @+1 {{convert it with pl.cast}}
    %r = pl.col_expand %t : tensor<1x64xi16> -> tensor<8x64xi32>
  }
  return
}

//===--- 103: place -----------------------------------------------------===//
// -----

func.func @without_kind(%t: !pl.tile<8x1xf32>) {
  // expected-error @+2 {{'pl.row_expand' op stands in a function without a kind, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %r = pl.row_expand %t : !pl.tile<8x1xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @tensor_in_core() attributes {pl.incore} {
  %t = ub.poison : tensor<8x64xf32>
  %u = ub.poison : tensor<1x64xf32>
  // expected-error @+2 {{'pl.col_expand_div' op holds a tensor outside of pl.at [pld-103]}}
  // expected-note @+1 {{use tiles in a pl.incore function, or a pl.at region in a pl.device function}}
  %r = pl.col_expand_div %t, %u : tensor<8x64xf32>, tensor<1x64xf32>
  return
}

// -----

// A tile next to a tensor.
func.func @tile_in_at() attributes {pl.device} {
  pl.at core_group {
    %t = ub.poison : tensor<8x64xf32>
    %u = ub.poison : !pl.tile<8x1xf32>
    // expected-error @+2 {{'pl.row_expand_min' op holds a tile in a pl.at region, where values are tensors [pld-103]}}
    // expected-note @+1 {{use pl.slice and pl.assemble, or a pl.incore function}}
    %r = pl.row_expand_min %t, %u : tensor<8x64xf32>, !pl.tile<8x1xf32>
  }
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @row_expand_breaks_all(%f: f32) attributes {pl.incore} {
  %v = pl.full %f : !pl.tile<1x64xf32>
  // expected-error @+6 {{'pl.row_expand' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+5 {{convert with pl.cast, or choose the operation for this element type}}
  // expected-error @+4 {{'pl.row_expand' op vector has element type f32, expected i1 [pld-105]}}
  // expected-note @+3 {{convert it with pl.cast}}
  // expected-error @+2 {{'pl.row_expand' op vector has shape 1x64, expected 8x1 [pld-104]}}
  // expected-note @+1 {{along rows goes a column, one value per row}}
  %r = pl.row_expand %v : !pl.tile<1x64xf32> -> !pl.tile<8x64xi1>
  return
}

// -----

func.func @col_expand_add_breaks_all(%f: f32, %h: f16) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  %v = pl.full %h : !pl.tile<8x1xf16>
  // expected-error @+4 {{'pl.col_expand_add' op vector has element type f16, expected f32 [pld-105]}}
  // expected-note @+3 {{convert it with pl.cast}}
  // expected-error @+2 {{'pl.col_expand_add' op vector has shape 8x1, expected 1x64 [pld-104]}}
  // expected-note @+1 {{along columns goes a row, one value per column}}
  %r = pl.col_expand_add %a, %v : !pl.tile<8x64xf32>, !pl.tile<8x1xf16>
  return
}

//===--- each operation by itself --------------------------------------------===//
// -----

func.func @row_expand_add_of_8x2(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  %v = pl.full %f : !pl.tile<8x2xf32>
  // expected-error @+2 {{'pl.row_expand_add' op vector has shape 8x2, expected 8x1 [pld-104]}}
  // expected-note @+1 {{along rows goes a column, one value per row}}
  %r = pl.row_expand_add %t, %v : !pl.tile<8x64xf32>, !pl.tile<8x2xf32>
  return
}

// -----

func.func @row_expand_div_of_1x8(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  %v = pl.full %f : !pl.tile<1x8xf32>
  // expected-error @+2 {{'pl.row_expand_div' op vector has shape 1x8, expected 8x1 [pld-104]}}
  // expected-note @+1 {{along rows goes a column, one value per row}}
  %r = pl.row_expand_div %t, %v : !pl.tile<8x64xf32>, !pl.tile<1x8xf32>
  return
}

// -----

func.func @row_expand_max_of_8x64(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  %v = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.row_expand_max' op vector has shape 8x64, expected 8x1 [pld-104]}}
  // expected-note @+1 {{along rows goes a column, one value per row}}
  %r = pl.row_expand_max %t, %v : !pl.tile<8x64xf32>, !pl.tile<8x64xf32>
  return
}

// -----

func.func @col_expand_min_of_8x1(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  %v = pl.full %f : !pl.tile<8x1xf32>
  // expected-error @+2 {{'pl.col_expand_min' op vector has shape 8x1, expected 1x64 [pld-104]}}
  // expected-note @+1 {{along columns goes a row, one value per column}}
  %r = pl.col_expand_min %t, %v : !pl.tile<8x64xf32>, !pl.tile<8x1xf32>
  return
}

// -----

func.func @col_expand_mul_of_2x64(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  %v = pl.full %f : !pl.tile<2x64xf32>
  // expected-error @+2 {{'pl.col_expand_mul' op vector has shape 2x64, expected 1x64 [pld-104]}}
  // expected-note @+1 {{along columns goes a row, one value per column}}
  %r = pl.col_expand_mul %t, %v : !pl.tile<8x64xf32>, !pl.tile<2x64xf32>
  return
}

// -----

func.func @col_expand_sub_of_1x32(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  %v = pl.full %f : !pl.tile<1x32xf32>
  // expected-error @+2 {{'pl.col_expand_sub' op vector has shape 1x32, expected 1x64 [pld-104]}}
  // expected-note @+1 {{along columns goes a row, one value per column}}
  %r = pl.col_expand_sub %t, %v : !pl.tile<8x64xf32>, !pl.tile<1x32xf32>
  return
}
