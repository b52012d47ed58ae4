// What the verifiers of pl.full, pl.add, pl.mul, pl.adds, pl.muls and pl.cast refuse.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 105: element types ------------------------------------------------===//

func.func @scalar_of_another_type(%v: f32, %i: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.muls' op scalar is i32, expected f32 as the elements [pld-105]}}
  // expected-note @+1 {{give a scalar of the element type; an integer becomes a float by arith.sitofp}}
  %a = pl.muls %t, %i : !pl.tile<8x64xf32>, i32
  return
}

// -----

// Equal width is not equal type.
func.func @scalar_of_equal_width(%v: bf16, %h: f16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xbf16>
  // expected-error @+2 {{'pl.adds' op scalar is f16, expected bf16 as the elements [pld-105]}}
  // expected-note @+1 {{give a scalar of the element type}}
  %a = pl.adds %t, %h : !pl.tile<8x64xbf16>, f16
  return
}

// -----

// An index is no i64; and the right side is a scalar, not a tile.
func.func @scalar_index(%v: i64, %i: index) attributes {pl.incore} {
  %t = pl.full %v : tensor<8x64xi64>
  // expected-error @+2 {{'pl.adds' op scalar is index, expected i64 as the elements [pld-105]}}
  // expected-note @+1 {{give a scalar of the element type}}
  %a = pl.adds %t, %i : tensor<8x64xi64>, index
  return
}

// -----

func.func @scalar_index_2(%v: i64, %i: index) attributes {pl.incore} {
  %t = pl.full %v : tensor<8x64xi64>
  // expected-error @+2 {{'pl.muls' op scalar is tensor<8x64xi64>, expected i64 as the elements [pld-105]}}
  // expected-note @+1 {{give a scalar of the element type}}
  %b = pl.muls %t, %t : tensor<8x64xi64>, tensor<8x64xi64>
  return
}

// -----

func.func @cast_to_itself(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.cast' op casts f32 to itself [pld-105]}}
  // expected-note @+1 {{remove the cast}}
  %a = pl.cast none %t : !pl.tile<8x64xf32> -> !pl.tile<8x64xf32>
  return
}

//===--- 104: shapes -------------------------------------------------------===//
// -----

func.func @cast_reshapes(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.cast' op result is !pl.tile<64x8xf16>, expected the shape of !pl.tile<8x64xf32> [pld-104]}}
  // expected-note @+1 {{a cast converts elements only}}
  %a = pl.cast rint %t : !pl.tile<8x64xf32> -> !pl.tile<64x8xf16>
  return
}

//===--- types of tensors --------------------------------------------------===//
// -----

func.func @cast_reshapes_2(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // A tile does not become a tensor.
  // expected-error @+2 {{'pl.cast' op result is tensor<8x64xf16>, expected the shape of !pl.tile<8x64xf32> [pld-104]}}
  // expected-note @+1 {{a cast converts elements only}}
  %b = pl.cast rint %t : !pl.tile<8x64xf32> -> tensor<8x64xf16>
  return
}

// -----

// A tensor has what a tile can hold: rank 2.
func.func @tensor_rank(%v: f32) attributes {pl.incore} {
  // expected-error @+1 {{custom op 'pl.full' 'result' must be tile, or tensor of what a tile can hold (rank 2, static), but got 'tensor<8xf32>'}}
  %t = pl.full %v : tensor<8xf32>
  return
}

// -----

func.func @tensor_dynamic(%v: f32) attributes {pl.incore} {
  // expected-error @+1 {{custom op 'pl.full' 'result' must be tile, or tensor of what a tile can hold (rank 2, static), but got 'tensor<?x8xf32>'}}
  %t = pl.full %v : tensor<?x8xf32>
  return
}

// -----

func.func @tensor_element(%v: f64) attributes {pl.incore} {
  // expected-error @+1 {{custom op 'pl.full' 'result' must be tile, or tensor of what a tile can hold (rank 2, static), but got 'tensor<8x8xf64>'}}
  %t = pl.full %v : tensor<8x8xf64>
  return
}

// -----

// Operands of unequal shape: the parser's own error.
func.func @unequal(%v: f32) attributes {pl.incore} {
  // expected-note @+1 {{prior use here}}
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %v : !pl.tile<8x32xf32>
  // expected-error @+1 {{use of value '%t' expects different type than prior uses}}
  %a = pl.add %u, %t : !pl.tile<8x32xf32>
  return
}

//===--- 103: place --------------------------------------------------------===//
// -----

func.func @computes_on_device(%v: f32) attributes {pl.device} {
  // expected-error @+2 {{'pl.full' op stands in a pl.device function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %t = pl.full %v : !pl.tile<8x64xf32>
  return
}

// -----

func.func @computes_without_kind(%t: !pl.tile<8x64xf32>) {
  // expected-error @+2 {{'pl.add' op stands in a function without a kind, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %a = pl.add %t, %t : !pl.tile<8x64xf32>
  return
}

// -----

func.func @casts_without_kind(%t: tensor<8x64xf32>) {
  // expected-error @+2 {{'pl.cast' op stands in a function without a kind, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %a = pl.cast rint %t : tensor<8x64xf32> -> tensor<8x64xf16>
  return
}
