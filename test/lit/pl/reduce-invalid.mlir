// What the verifier of the row and column reductions refuses.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 104: shapes ----------------------------------------------------===//

func.func @kept_dim(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.row_sum' op result has shape 4x1, expected 8x1 [pld-104]}}
  // expected-note @+1 {{a row reduction leaves a column}}
  %r = pl.row_sum %t : !pl.tile<8x64xf32> -> !pl.tile<4x1xf32>
  return
}

// -----

// A column reduction is no row reduction.
func.func @wrong_dim(%v: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi32>
  // expected-error @+2 {{'pl.col_max' op result has shape 8x1, expected 1x64 [pld-104]}}
  // expected-note @+1 {{a column reduction leaves a row}}
  %r = pl.col_max %t : !pl.tile<8x64xi32> -> !pl.tile<8x1xi32>
  return
}

// -----

func.func @not_reduced(%v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<64x64xf32>
    // expected-error @+2 {{'pl.row_min' op result has shape 64x64, expected 64x1 [pld-104]}}
    // expected-note @+1 {{a row reduction leaves a column}}
    %r = pl.row_min %t : tensor<64x64xf32> -> tensor<64x64xf32>
  }
  return
}

//===--- 105: element types ---------------------------------------------===//
// -----

func.func @mask(%v: i1) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.row_max' op operand has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.row_max %t : !pl.tile<8x64xi1> -> !pl.tile<8x1xi1>
  return
}

// -----

// A sum is not widened by itself.
func.func @widened(%v: f16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf16>
  // expected-error @+2 {{'pl.col_sum' op result has element type f32, expected f16 [pld-105]}}
  // expected-note @+1 {{reduce, then convert with pl.cast}}
  %r = pl.col_sum %t : !pl.tile<8x64xf16> -> !pl.tile<1x64xf32>
  return
}

// -----

func.func @equal_width(%v: bf16) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xbf16>
    // expected-error @+2 {{'pl.row_prod' op result has element type f16, expected bf16 [pld-105]}}
    // expected-note @+1 {{reduce, then convert with pl.cast}}
    %r = pl.row_prod %t : tensor<8x64xbf16> -> tensor<8x1xf16>
  }
  return
}

//===--- 103: place -----------------------------------------------------===//
// -----

func.func @without_kind(%t: !pl.tile<8x64xf32>) {
  // expected-error @+2 {{'pl.row_sum' op stands in a function without a kind, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %r = pl.row_sum %t : !pl.tile<8x64xf32> -> !pl.tile<8x1xf32>
  return
}

// -----

func.func @tensor_in_core() attributes {pl.incore} {
  %t = ub.poison : tensor<8x64xf32>
  // expected-error @+2 {{'pl.col_min' op holds a tensor outside of pl.at [pld-103]}}
  // expected-note @+1 {{use tiles in a pl.incore function, or a pl.at region in a pl.device function}}
  %r = pl.col_min %t : tensor<8x64xf32> -> tensor<1x64xf32>
  return
}

// -----

func.func @tile_in_at() attributes {pl.device} {
  pl.at core_group {
    %t = ub.poison : !pl.tile<8x64xf32>
    // expected-error @+2 {{'pl.col_prod' op holds a tile in a pl.at region, where values are tensors [pld-103]}}
    // expected-note @+1 {{use pl.slice and pl.assemble, or a pl.incore function}}
    %r = pl.col_prod %t : !pl.tile<8x64xf32> -> !pl.tile<1x64xf32>
  }
  return
}

// -----

// A tile does not become a tensor.
func.func @between_levels() attributes {pl.incore} {
  %t = ub.poison : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.row_sum' op holds a tensor outside of pl.at [pld-103]}}
  // expected-note @+1 {{use tiles in a pl.incore function, or a pl.at region in a pl.device function}}
  %r = pl.row_sum %t : !pl.tile<8x64xf32> -> tensor<8x1xf32>
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @row_sum_breaks_all(%m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+6 {{'pl.row_sum' op operand has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+5 {{convert with pl.cast, or choose the operation for this element type}}
  // expected-error @+4 {{'pl.row_sum' op result has element type f32, expected i1 [pld-105]}}
  // expected-note @+3 {{reduce, then convert with pl.cast}}
  // expected-error @+2 {{'pl.row_sum' op result has shape 1x64, expected 8x1 [pld-104]}}
  // expected-note @+1 {{a row reduction leaves a column}}
  %r = pl.row_sum %t : !pl.tile<8x64xi1> -> !pl.tile<1x64xf32>
  return
}

// -----

func.func @col_max_breaks_all(%f: f32) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+4 {{'pl.col_max' op result has element type i32, expected f32 [pld-105]}}
  // expected-note @+3 {{reduce, then convert with pl.cast}}
  // expected-error @+2 {{'pl.col_max' op result has shape 8x1, expected 1x64 [pld-104]}}
  // expected-note @+1 {{a column reduction leaves a row}}
  %r = pl.col_max %t : !pl.tile<8x64xf32> -> !pl.tile<8x1xi32>
  return
}
