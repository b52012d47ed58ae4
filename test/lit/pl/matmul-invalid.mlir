// What the verifier of pl.matmul and pl.matmul_acc refuses.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 104: shapes ----------------------------------------------------===//

// Without the transposition that it needs.
func.func @inner(%v: f16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<16x64xf16>
  %u = pl.full %v : !pl.tile<32x64xf16>
  // expected-error @+2 {{'pl.matmul' op has inner extents 64 and 32, expected them equal [pld-104]}}
  // expected-note @+1 {{columns of the left operand are rows of the right; transpose_a and transpose_b exchange them}}
  %r = pl.matmul %t, %u : !pl.tile<16x64xf16>, !pl.tile<32x64xf16> -> !pl.tile<16x64xf32>
  return
}

// -----

// With one too many.
func.func @inner_transposed(%v: f16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<16x64xf16>
  %u = pl.full %v : !pl.tile<64x32xf16>
  // expected-error @+2 {{'pl.matmul' op has inner extents 16 and 32, expected them equal [pld-104]}}
  // expected-note @+1 {{columns of the left operand are rows of the right; transpose_a and transpose_b exchange them}}
  %r = pl.matmul %t, %u transpose_a transpose_b : !pl.tile<16x64xf16>, !pl.tile<64x32xf16> -> !pl.tile<64x64xf32>
  return
}

// -----

func.func @inner_acc(%v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<16x64xf32>
    %c = pl.full %v : tensor<16x64xf32>
    // expected-error @+2 {{'pl.matmul_acc' op has inner extents 64 and 16, expected them equal [pld-104]}}
    // expected-note @+1 {{columns of the left operand are rows of the right}}
    %r = pl.matmul_acc %c, %t, %t : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
  }
  return
}

// -----

func.func @result(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<16x16xf32>
  // expected-error @+2 {{'pl.matmul' op result has shape 16x32, expected 16x16 [pld-104]}}
  // expected-note @+1 {{rows of the left operand, columns of the right}}
  %r = pl.matmul %t, %t : !pl.tile<16x16xf32>, !pl.tile<16x16xf32> -> !pl.tile<16x32xf32>
  return
}

// -----

func.func @result_transposed(%v: i8) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<32x16xi8>
  %u = pl.full %v : !pl.tile<32x64xi8>
  // expected-error @+2 {{'pl.matmul' op result has shape 64x16, expected 16x64 [pld-104]}}
  // expected-note @+1 {{rows of the left operand, columns of the right}}
  %r = pl.matmul %t, %u transpose_a : !pl.tile<32x16xi8>, !pl.tile<32x64xi8> -> !pl.tile<64x16xi32>
  return
}

// -----

func.func @accumulator(%v: bf16, %s: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<16x64xbf16>
  %u = pl.full %v : !pl.tile<64x32xbf16>
  %c = pl.full %s : !pl.tile<32x16xf32>
  // expected-error @+2 {{'pl.matmul_acc' op result has shape 32x16, expected 16x32 [pld-104]}}
  // expected-note @+1 {{rows of the left operand, columns of the right}}
  %r = pl.matmul_acc %c, %t, %u : !pl.tile<16x64xbf16>, !pl.tile<64x32xbf16> -> !pl.tile<32x16xf32>
  return
}

//===--- 105: element types ---------------------------------------------===//
// -----

func.func @wide_integers(%v: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<16x16xi32>
  // expected-error @+2 {{'pl.matmul' op multiplies i32, expected f16, bf16, f32 or i8 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast}}
  %r = pl.matmul %t, %t : !pl.tile<16x16xi32>, !pl.tile<16x16xi32> -> !pl.tile<16x16xi32>
  return
}

// -----

func.func @masks(%v: i1, %s: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<16x16xi1>
  %c = pl.full %s : !pl.tile<16x16xi32>
  // expected-error @+2 {{'pl.matmul_acc' op multiplies i1, expected f16, bf16, f32 or i8 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast}}
  %r = pl.matmul_acc %c, %t, %t : !pl.tile<16x16xi1>, !pl.tile<16x16xi1> -> !pl.tile<16x16xi32>
  return
}

// -----

func.func @narrow_result(%v: f16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<16x16xf16>
  // expected-error @+2 {{'pl.matmul' op result has element type f16, expected f32 [pld-105]}}
  // expected-note @+1 {{floats accumulate in f32, i8 in i32}}
  %r = pl.matmul %t, %t : !pl.tile<16x16xf16>, !pl.tile<16x16xf16> -> !pl.tile<16x16xf16>
  return
}

// -----

func.func @float_of_integers(%v: i8) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<16x16xi8>
    // expected-error @+2 {{'pl.matmul' op result has element type f32, expected i32 [pld-105]}}
    // expected-note @+1 {{floats accumulate in f32, i8 in i32}}
    %r = pl.matmul %t, %t : tensor<16x16xi8>, tensor<16x16xi8> -> tensor<16x16xf32>
  }
  return
}

// -----

func.func @mixed(%v: f16, %b: bf16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<16x16xf16>
  %u = pl.full %b : !pl.tile<16x16xbf16>
  // expected-error @+2 {{'pl.matmul' op right operand has element type bf16, expected f16 [pld-105]}}
  // expected-note @+1 {{both operands have one element type}}
  %r = pl.matmul %t, %u : !pl.tile<16x16xf16>, !pl.tile<16x16xbf16> -> !pl.tile<16x16xf32>
  return
}

//===--- 103: place -----------------------------------------------------===//
// -----

func.func @without_kind(%t: !pl.tile<16x16xf16>) {
  // expected-error @+2 {{'pl.matmul' op stands in a function without a kind, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %r = pl.matmul %t, %t : !pl.tile<16x16xf16>, !pl.tile<16x16xf16> -> !pl.tile<16x16xf32>
  return
}

// -----

// Tensors stand in pl.at, not beside it.
func.func @on_device() attributes {pl.device} {
  %t = ub.poison : tensor<16x16xf16>
  // expected-error @+2 {{'pl.matmul' op stands in a pl.device function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %r = pl.matmul %t, %t : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  return
}

// -----

func.func @tensor_in_core() attributes {pl.incore} {
  %t = ub.poison : !pl.tile<16x16xf16>
  // expected-error @+2 {{'pl.matmul' op holds a tensor outside of pl.at [pld-103]}}
  // expected-note @+1 {{use tiles in a pl.incore function, or a pl.at region in a pl.device function}}
  %r = pl.matmul %t, %t : !pl.tile<16x16xf16>, !pl.tile<16x16xf16> -> tensor<16x16xf32>
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @matmul_breaks_all(%f: f32, %h: f16) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<16x64xf32>
  %b = pl.full %h : !pl.tile<32x16xf16>
  // expected-error @+8 {{'pl.matmul' op result has element type i32, expected f32 [pld-105]}}
  // expected-note @+7 {{floats accumulate in f32, i8 in i32}}
  // expected-error @+6 {{'pl.matmul' op right operand has element type f16, expected f32 [pld-105]}}
  // expected-note @+5 {{both operands have one element type}}
  // expected-error @+4 {{'pl.matmul' op has inner extents 64 and 32, expected them equal [pld-104]}}
  // expected-note @+3 {{columns of the left operand are rows of the right; transpose_a and transpose_b exchange them}}
  // expected-error @+2 {{'pl.matmul' op result has shape 16x8, expected 16x16 [pld-104]}}
  // expected-note @+1 {{rows of the left operand, columns of the right}}
  %r = pl.matmul %a, %b : !pl.tile<16x64xf32>, !pl.tile<32x16xf16> -> !pl.tile<16x8xi32>
  return
}

// -----

func.func @matmul_acc_breaks_all(%i: i32, %h: f16) attributes {pl.incore} {
  %a = pl.full %i : !pl.tile<16x64xi32>
  %b = pl.full %h : !pl.tile<32x16xf16>
  // expected-error @+8 {{'pl.matmul_acc' op multiplies i32, expected f16, bf16, f32 or i8 [pld-105]}}
  // expected-note @+7 {{convert with pl.cast}}
  // expected-error @+6 {{'pl.matmul_acc' op right operand has element type f16, expected i32 [pld-105]}}
  // expected-note @+5 {{both operands have one element type}}
  // expected-error @+4 {{'pl.matmul_acc' op has inner extents 64 and 16, expected them equal [pld-104]}}
  // expected-note @+3 {{columns of the left operand are rows of the right; transpose_a and transpose_b exchange them}}
  // expected-error @+2 {{'pl.matmul_acc' op result has shape 16x64, expected 16x32 [pld-104]}}
  // expected-note @+1 {{rows of the left operand, columns of the right}}
  %r = pl.matmul_acc %a, %a, %b transpose_b : !pl.tile<16x64xi32>, !pl.tile<32x16xf16> -> !pl.tile<16x64xi32>
  return
}
