// What the verifiers of the elementwise operations, pl.full, pl.iota and pl.cast refuse.
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

// kind 105: at last
// An index is no i64; and the right side is a scalar, not a tile.
func.func @scalar_index(%v: i64, %i: index) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xi64>
    // expected-error @+2 {{'pl.adds' op scalar is index, expected i64 as the elements [pld-105]}}
    // expected-note @+1 {{give a scalar of the element type}}
    %a = pl.adds %t, %i : tensor<8x64xi64>, index
  }
  return
}

// -----

func.func @scalar_index_2(%v: i64, %i: index) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xi64>
    // expected-error @+2 {{'pl.muls' op scalar is tensor<8x64xi64>, expected i64 as the elements [pld-105]}}
    // expected-note @+1 {{give a scalar of the element type}}
    %b = pl.muls %t, %t : tensor<8x64xi64>, tensor<8x64xi64>
  }
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

// -----

// Masks are no numbers.
func.func @add_masks(%v: i1) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.add' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.add %t, %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @relu_of_mask(%v: i1) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xi1>
    // expected-error @+2 {{'pl.relu' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
    // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
    %r = pl.relu %t : tensor<8x64xi1>
  }
  return
}

// -----

func.func @scale_mask(%v: i1) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.maxs' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.maxs %t, %v : !pl.tile<8x64xi1>, i1
  return
}

// -----

func.func @exp_of_integer(%v: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi32>
  // expected-error @+2 {{'pl.exp' op result has element type i32, expected f32, f16 or bf16 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.exp %t : !pl.tile<8x64xi32>
  return
}

// -----

func.func @recip_of_mask(%v: i1) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.recip' op result has element type i1, expected f32, f16 or bf16 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.recip %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @sqrt_of_integer(%v: i8) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xi8>
    // expected-error @+2 {{'pl.sqrt' op result has element type i8, expected f32, f16 or bf16 [pld-105]}}
    // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
    %r = pl.sqrt %t : tensor<8x64xi8>
  }
  return
}

// -----

func.func @and_of_floats(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.and' op result has element type f32, expected i1, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.and %t, %t : !pl.tile<8x64xf32>
  return
}

// -----

func.func @not_of_float(%v: bf16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xbf16>
  // expected-error @+2 {{'pl.not' op result has element type bf16, expected i1, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.not %t : !pl.tile<8x64xbf16>
  return
}

// -----

func.func @shift_of_mask(%v: i1) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.shl' op result has element type i1, expected i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.shl %t, %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @shift_of_float(%v: f16) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xf16>
    // expected-error @+2 {{'pl.shr' op result has element type f16, expected i8, i16, i32 or i64 [pld-105]}}
    // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
    %r = pl.shr %t, %t : tensor<8x64xf16>
  }
  return
}

// -----

func.func @iota_of_floats() attributes {pl.incore} {
  // expected-error @+2 {{'pl.iota' op result has element type f32, expected i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.iota : !pl.tile<8x64xf32>
  return
}

// -----

func.func @iota_of_mask() attributes {pl.incore} {
  // expected-error @+2 {{'pl.iota' op result has element type i1, expected i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.iota : !pl.tile<8x64xi1>
  return
}

// -----

// pl.xor tells where masks differ.
func.func @compare_masks(%v: i1) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.cmp' op operand has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.cmp eq, %t, %t : !pl.tile<8x64xi1> -> !pl.tile<8x64xi1>
  return
}

// -----

func.func @compare_to_number(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.cmp' op result has element type i8, expected i1 [pld-105]}}
  // expected-note @+1 {{a comparison gives a mask of i1}}
  %r = pl.cmp ge, %t, %t : !pl.tile<8x64xf32> -> !pl.tile<8x64xi8>
  return
}

// -----

func.func @select_by_number(%v: f32, %n: i8) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %m = pl.full %n : !pl.tile<8x64xi8>
  // expected-error @+2 {{'pl.select' op mask has element type i8, expected i1 [pld-105]}}
  // expected-note @+1 {{compare with pl.cmp}}
  %r = pl.select %m, %t, %t : !pl.tile<8x64xi8>, !pl.tile<8x64xf32>
  return
}

// -----

func.func @subtract_integer(%v: f32, %i: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.subs' op scalar is i32, expected f32 as the elements [pld-105]}}
  // expected-note @+1 {{give a scalar of the element type}}
  %r = pl.subs %t, %i : !pl.tile<8x64xf32>, i32
  return
}

//===--- 104: shapes -------------------------------------------------------===//
// -----

func.func @cast_reshapes(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.cast' op result has shape 64x8, expected 8x64 [pld-104]}}
  // expected-note @+1 {{a cast converts elements only}}
  %a = pl.cast rint %t : !pl.tile<8x64xf32> -> !pl.tile<64x8xf16>
  return
}

// -----

func.func @compare_shape(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.cmp' op result has shape 8x1, expected 8x64 [pld-104]}}
  // expected-note @+1 {{a mask has the shape of what is compared}}
  %m = pl.cmp lt, %t, %t : !pl.tile<8x64xf32> -> !pl.tile<8x1xi1>
  return
}

// -----

func.func @select_shape(%v: f32, %b: i1) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xf32>
    %m = pl.full %b : tensor<64x8xi1>
    // expected-error @+2 {{'pl.select' op mask has shape 64x8, expected 8x64 [pld-104]}}
    // expected-note @+1 {{the mask has the shape of the values}}
    %r = pl.select %m, %t, %t : tensor<64x8xi1>, tensor<8x64xf32>
  }
  return
}

//===--- types of tensors --------------------------------------------------===//
// -----

// A tensor has what a tile can hold: rank 2.
func.func @tensor_rank(%v: f32) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+1 {{custom op 'pl.full' 'result' must be tile, or tensor of what a tile can hold (rank 2, static), but got 'tensor<8xf32>'}}
    %t = pl.full %v : tensor<8xf32>
  }
  return
}

// -----

func.func @tensor_dynamic(%v: f32) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+1 {{custom op 'pl.full' 'result' must be tile, or tensor of what a tile can hold (rank 2, static), but got 'tensor<?x8xf32>'}}
    %t = pl.full %v : tensor<?x8xf32>
  }
  return
}

// -----

func.func @tensor_element(%v: f64) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+1 {{custom op 'pl.full' 'result' must be tile, or tensor of what a tile can hold (rank 2, static), but got 'tensor<8x8xf64>'}}
    %t = pl.full %v : tensor<8x8xf64>
  }
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

// -----

// A tile does not become a tensor, nor the reverse.
func.func @cast_to_tensor(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.cast' op holds a tensor outside of pl.at [pld-103]}}
  // expected-note @+1 {{use tiles in a pl.incore function, or a pl.at region in a pl.device function}}
  %a = pl.cast rint %t : !pl.tile<8x64xf32> -> tensor<8x64xf16>
  return
}

// -----

func.func @select_in_at(%t: f32) attributes {pl.device} {
  %m = ub.poison : !pl.tile<8x64xi1>
  pl.at core_group {
    %a = pl.full %t : tensor<8x64xf32>
    // expected-error @+2 {{'pl.select' op holds a tile in a pl.at region, where values are tensors [pld-103]}}
    // expected-note @+1 {{use pl.slice and pl.assemble, or a pl.incore function}}
    %r = pl.select %m, %a, %a : !pl.tile<8x64xi1>, tensor<8x64xf32>
  }
  return
}

// -----

func.func @iota_in_core() attributes {pl.incore} {
  // expected-error @+2 {{'pl.iota' op holds a tensor outside of pl.at [pld-103]}}
  // expected-note @+1 {{use tiles in a pl.incore function}}
  %a = pl.iota : tensor<8x64xi32>
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @adds_breaks_all(%m: memref<8x64xi1>, %f: f32) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+4 {{'pl.adds' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+3 {{convert with pl.cast, or choose the operation for this element type}}
  // expected-error @+2 {{'pl.adds' op scalar is f32, expected i1 as the elements [pld-105]}}
  // expected-note @+1 {{give a scalar of the element type; an integer becomes a float by arith.sitofp}}
  %r = pl.adds %t, %f : !pl.tile<8x64xi1>, f32
  return
}

// -----

func.func @cmp_breaks_all(%m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+6 {{'pl.cmp' op operand has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+5 {{convert with pl.cast, or choose the operation for this element type}}
  // expected-error @+4 {{'pl.cmp' op result has shape 8x32, expected 8x64 [pld-104]}}
  // expected-note @+3 {{a mask has the shape of what is compared}}
  // expected-error @+2 {{'pl.cmp' op result has element type i32, expected i1 [pld-105]}}
  // expected-note @+1 {{a comparison gives a mask of i1}}
  %r = pl.cmp lt, %t, %t : !pl.tile<8x64xi1> -> !pl.tile<8x32xi32>
  return
}

// -----

func.func @select_breaks_all(%f: f32) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  %m = pl.full %f : !pl.tile<64x8xf32>
  // expected-error @+4 {{'pl.select' op mask has element type f32, expected i1 [pld-105]}}
  // expected-note @+3 {{compare with pl.cmp}}
  // expected-error @+2 {{'pl.select' op mask has shape 64x8, expected 8x64 [pld-104]}}
  // expected-note @+1 {{the mask has the shape of the values}}
  %r = pl.select %m, %t, %t : !pl.tile<64x8xf32>, !pl.tile<8x64xf32>
  return
}

// -----

func.func @cast_breaks_all(%f: f32) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+4 {{'pl.cast' op result has shape 64x8, expected 8x64 [pld-104]}}
  // expected-note @+3 {{a cast converts elements only}}
  // expected-error @+2 {{'pl.cast' op casts f32 to itself [pld-105]}}
  // expected-note @+1 {{remove the cast}}
  %r = pl.cast rint %t : !pl.tile<8x64xf32> -> !pl.tile<64x8xf32>
  return
}

//===--- each operation by itself --------------------------------------------===//
// -----

func.func @sub_of_masks(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.sub' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.sub %t, %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @mul_of_masks(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.mul' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.mul %t, %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @div_of_masks(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.div' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.div %t, %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @max_of_masks(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.max' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.max %t, %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @min_of_masks(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.min' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.min %t, %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @neg_of_masks(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.neg' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.neg %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @abs_of_masks(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.load %m[0, 0] : memref<8x64xi1> -> !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.abs' op result has element type i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.abs %t : !pl.tile<8x64xi1>
  return
}

// -----

func.func @log_of_integers(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %i : !pl.tile<8x64xi32>
  // expected-error @+2 {{'pl.log' op result has element type i32, expected f32, f16 or bf16 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.log %t : !pl.tile<8x64xi32>
  return
}

// -----

func.func @rsqrt_of_integers(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %i : !pl.tile<8x64xi32>
  // expected-error @+2 {{'pl.rsqrt' op result has element type i32, expected f32, f16 or bf16 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.rsqrt %t : !pl.tile<8x64xi32>
  return
}

// -----

func.func @or_of_floats(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.or' op result has element type f32, expected i1, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.or %t, %t : !pl.tile<8x64xf32>
  return
}

// -----

func.func @xor_of_floats(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.xor' op result has element type f32, expected i1, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{convert with pl.cast, or choose the operation for this element type}}
  %r = pl.xor %t, %t : !pl.tile<8x64xf32>
  return
}

// -----

func.func @divs_of_other_scalar(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.divs' op scalar is i32, expected f32 as the elements [pld-105]}}
  // expected-note @+1 {{give a scalar of the element type; an integer becomes a float by arith.sitofp}}
  %r = pl.divs %t, %i : !pl.tile<8x64xf32>, i32
  return
}

// -----

func.func @mins_of_other_scalar(%f: f32, %i: i32, %m: memref<8x64xi1>) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.mins' op scalar is i32, expected f32 as the elements [pld-105]}}
  // expected-note @+1 {{give a scalar of the element type; an integer becomes a float by arith.sitofp}}
  %r = pl.mins %t, %i : !pl.tile<8x64xf32>, i32
  return
}
