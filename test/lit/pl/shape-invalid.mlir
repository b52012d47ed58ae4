// What the verifiers of pl.slice, pl.assemble, pl.extract_slice, pl.insert_slice, pl.concat,
// pl.reshape, pl.transpose and pl.gather refuse.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 101: memory ----------------------------------------------------===//

// kind 101: at first
func.func @slice_of_value(%v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<64x64xf32>
    // expected-error @+2 {{'pl.slice' op memory operand is tensor<64x64xf32>, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
    // expected-note @+1 {{a memref is a local array, a !pld.dtensor a view of a window buffer; a tensor is a value, not memory}}
    %r = pl.slice %t[0, 0] : tensor<64x64xf32> -> tensor<8x8xf32>
  }
  return
}

// -----

// kind 101: at last
// pl.insert_slice is the one for values.
func.func @assemble_to_value(%v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<64x64xf32>
    %u = pl.full %v : tensor<8x8xf32>
    // expected-error @+2 {{'pl.assemble' op memory operand is tensor<64x64xf32>, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
    // expected-note @+1 {{a memref is a local array, a !pld.dtensor a view of a window buffer; a tensor is a value, not memory}}
    pl.assemble %u, %t[0, 0] : tensor<8x8xf32>, tensor<64x64xf32>
  }
  return
}

// -----

func.func @scalar(%n: index) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.slice' op memory operand is index, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
    // expected-note @+1 {{a memref is a local array, a !pld.dtensor a view of a window buffer; a tensor is a value, not memory}}
    %r = pl.slice %n[] : index -> tensor<8x8xf32>
  }
  return
}

//===--- 104: bounds of regions of memory -------------------------------===//
// -----

func.func @slice_offsets(%x: memref<64x64xf32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.slice' op has 1 offsets, expected 2, one per dim [pld-104]}}
    // expected-note @+1 {{write 2 entries between the brackets}}
    %r = pl.slice %x[0] : memref<64x64xf32> -> tensor<8x8xf32>
  }
  return
}

// -----

func.func @slice_negative(%x: memref<?x64xf32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.slice' op offset of dim 0 is -1, expected at least 0 [pld-104]}}
    // expected-note @+1 {{offsets count from the start of the array or of a slice}}
    %r = pl.slice %x[-1, 0] : memref<?x64xf32> -> tensor<8x8xf32>
  }
  return
}

// -----

func.func @slice_outside(%x: memref<64x64xf32>, %i: index) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.slice' op accesses 32 to 96 of dim 1, expected at most 64 [pld-104]}}
    // expected-note @+1 {{move the offset, shrink the tile}}
    %r = pl.slice %x[%i, 32] : memref<64x64xf32> -> tensor<8x64xf32>
  }
  return
}

// -----

func.func @assemble_outside(%w: !pld.dtensor<64x64xf32>, %v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<128x64xf32>
    // expected-error @+2 {{'pl.assemble' op accesses 0 to 128 of dim 0, expected at most 64 [pld-104]}}
    // expected-note @+1 {{move the offset, shrink the tile}}
    pl.assemble %t, %w[0, 0] : tensor<128x64xf32>, !pld.dtensor<64x64xf32>
  }
  return
}

// -----

func.func @slice_rows_of_one_row(%x: memref<64xf32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.slice' op covers 2 rows of memory of rank 1, which is one row [pld-104]}}
    // expected-note @+1 {{use a tile of one row}}
    %r = pl.slice %x[0] : memref<64xf32> -> tensor<2x32xf32>
  }
  return
}

// -----

func.func @slice_rank_0(%x: memref<f32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.slice' op memory operand has rank 0, expected 1 to 4 [pld-104]}}
    // expected-note @+1 {{fold leading dims into one}}
    %r = pl.slice %x[] : memref<f32> -> tensor<1x1xf32>
  }
  return
}

//===--- 105: element types of memory -----------------------------------===//
// -----

func.func @slice_element(%x: memref<64x64xf16>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.slice' op element type of the value is f32, expected f16 as in memory [pld-105]}}
    // expected-note @+1 {{convert the tile with pl.cast, or change the memory's element type}}
    %r = pl.slice %x[0, 0] : memref<64x64xf16> -> tensor<8x8xf32>
  }
  return
}

// -----

func.func @assemble_element(%w: !pld.dtensor<64x64xi32>, %v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x8xf32>
    // expected-error @+2 {{'pl.assemble' op element type of the value is f32, expected i32 as in memory [pld-105]}}
    // expected-note @+1 {{convert the tile with pl.cast}}
    pl.assemble %t, %w[0, 0] : tensor<8x8xf32>, !pld.dtensor<64x64xi32>
  }
  return
}

//===--- 108: directions ------------------------------------------------===//
// -----

// kind 108: at first
func.func @assemble_in(%x: memref<64x64xf32>, %v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x8xf32>
    // expected-error @+2 {{'pl.assemble' op stores to argument #0, which is pl.in, expected pl.out or pl.inout [pld-108]}}
    // expected-note @+1 {{mark argument #0 of the function {pl.out} or {pl.inout}}}
    pl.assemble %t, %x[0, 0] : tensor<8x8xf32>, memref<64x64xf32>
  }
  return
}

// -----

func.func @assemble_explicit_in(%y: memref<64x64xf32> {pl.out}, %x: memref<64x64xf32> {pl.in}, %v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x8xf32>
    // expected-error @+2 {{'pl.assemble' op stores to argument #1, which is pl.in, expected pl.out or pl.inout [pld-108]}}
    // expected-note @+1 {{mark argument #1}}
    pl.assemble %t, %x[0, 0] : tensor<8x8xf32>, memref<64x64xf32>
  }
  return
}

// -----

// Also through a cast.
func.func @assemble_cast_in(%x: memref<64x64xf32>, %v: f32) attributes {pl.device} {
  %d = memref.cast %x : memref<64x64xf32> to memref<?x64xf32>
  pl.at core_group {
    %t = pl.full %v : tensor<8x8xf32>
    // expected-error @+2 {{'pl.assemble' op stores to argument #0, which is pl.in}}
    // expected-note @+1 {{mark argument #0}}
    pl.assemble %t, %d[0, 0] : tensor<8x8xf32>, memref<?x64xf32>
  }
  return
}

//===--- 104: parts of values -------------------------------------------===//
// -----

func.func @extract_outside(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.extract_slice' op covers 33 to 65 of dim 1, expected at most 64 [pld-104]}}
  // expected-note @+1 {{move the offset or shrink the part}}
  %r = pl.extract_slice %t[0, 33] : !pl.tile<8x64xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

// Too large wherever it begins.
func.func @extract_too_large(%v: f32, %i: index) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.extract_slice' op covers 0 to 16 of dim 0, expected at most 8 [pld-104]}}
  // expected-note @+1 {{move the offset or shrink the part}}
  %r = pl.extract_slice %t[%i, 0] : !pl.tile<8x64xf32> -> !pl.tile<16x64xf32>
  return
}

// -----

// No sum overflows.
func.func @extract_far(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.extract_slice' op covers 9223372036854775807 to 9223372036854775807 of dim 0, expected at most 8 [pld-104]}}
  // expected-note @+1 {{move the offset or shrink the part}}
  %r = pl.extract_slice %t[9223372036854775807, 0] : !pl.tile<8x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @extract_count(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.extract_slice' op has 3 offsets, expected 2, one per dim [pld-104]}}
  // expected-note @+1 {{write 2 entries between the brackets}}
  %r = pl.extract_slice %t[0, 0, 0] : !pl.tile<8x64xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

func.func @insert_negative(%v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xf32>
    // expected-error @+2 {{'pl.insert_slice' op offset of dim 1 is -1, expected at least 0 [pld-104]}}
    // expected-note @+1 {{offsets count from the start}}
    %r = pl.insert_slice %t into %t[0, -1] : tensor<8x64xf32> into tensor<8x64xf32>
  }
  return
}

// -----

func.func @insert_outside(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %v : !pl.tile<1x8xf32>
  // expected-error @+2 {{'pl.insert_slice' op covers 8 to 9 of dim 0, expected at most 8 [pld-104]}}
  // expected-note @+1 {{move the offset or shrink the part}}
  %r = pl.insert_slice %u into %t[8, 0] : !pl.tile<1x8xf32> into !pl.tile<8x64xf32>
  return
}

//===--- 105: element types of parts ------------------------------------===//
// -----

func.func @extract_element(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.extract_slice' op part has element type f16, expected f32 [pld-105]}}
  // expected-note @+1 {{convert it with pl.cast}}
  %r = pl.extract_slice %t[0, 0] : !pl.tile<8x64xf32> -> !pl.tile<8x32xf16>
  return
}

// -----

func.func @insert_element(%v: f32, %m: i1) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %m : !pl.tile<1x8xi1>
  // expected-error @+2 {{'pl.insert_slice' op part has element type i1, expected f32 [pld-105]}}
  // expected-note @+1 {{convert it with pl.cast}}
  %r = pl.insert_slice %u into %t[0, 0] : !pl.tile<1x8xi1> into !pl.tile<8x64xf32>
  return
}

//===--- 104, 105: concat -----------------------------------------------===//
// -----

func.func @concat_dim(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.concat' op joins along dim 2, expected 0 or 1 [pld-104]}}
  // expected-note @+1 {{dims count from 0}}
  %r = pl.concat %t, %t dim 2 : !pl.tile<8x64xf32>, !pl.tile<8x64xf32> -> !pl.tile<8x128xf32>
  return
}

// -----

func.func @concat_dim_negative(%v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xf32>
    // expected-error @+2 {{'pl.concat' op joins along dim -1, expected 0 or 1 [pld-104]}}
    // expected-note @+1 {{dims count from 0}}
    %r = pl.concat %t, %t dim -1 : tensor<8x64xf32>, tensor<8x64xf32> -> tensor<8x128xf32>
  }
  return
}

// -----

func.func @concat_other(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %v : !pl.tile<4x64xf32>
  // expected-error @+2 {{'pl.concat' op right operand has shape 4x64, expected 8x64 [pld-104]}}
  // expected-note @+1 {{the dims that are not joined have equal extents}}
  %r = pl.concat %t, %u dim 1 : !pl.tile<8x64xf32>, !pl.tile<4x64xf32> -> !pl.tile<8x128xf32>
  return
}

// -----

func.func @concat_sum(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.concat' op result has shape 8x128, expected 16x64 [pld-104]}}
  // expected-note @+1 {{the joined dim has both extents added up}}
  %r = pl.concat %t, %t dim 0 : !pl.tile<8x64xf32>, !pl.tile<8x64xf32> -> !pl.tile<8x128xf32>
  return
}

// -----

func.func @concat_element(%v: f32, %h: f16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %h : !pl.tile<8x64xf16>
  // expected-error @+2 {{'pl.concat' op right operand has element type f16, expected f32 [pld-105]}}
  // expected-note @+1 {{convert it with pl.cast}}
  %r = pl.concat %t, %u dim 1 : !pl.tile<8x64xf32>, !pl.tile<8x64xf16> -> !pl.tile<8x128xf32>
  return
}

// -----

func.func @concat_result_element(%v: i8) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi8>
  // expected-error @+2 {{'pl.concat' op result has element type i16, expected i8 [pld-105]}}
  // expected-note @+1 {{concat converts nothing}}
  %r = pl.concat %t, %t dim 1 : !pl.tile<8x64xi8>, !pl.tile<8x64xi8> -> !pl.tile<8x128xi16>
  return
}

//===--- 104, 105: reshape, transpose -----------------------------------===//
// -----

func.func @reshape_more(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.reshape' op makes 8x65 of 8x64, expected as many elements [pld-104]}}
  // expected-note @+1 {{rows times columns stay the same}}
  %r = pl.reshape %t : !pl.tile<8x64xf32> -> !pl.tile<8x65xf32>
  return
}

// -----

func.func @reshape_fewer(%v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xf32>
    // expected-error @+2 {{'pl.reshape' op makes 1x64 of 8x64, expected as many elements [pld-104]}}
    // expected-note @+1 {{rows times columns stay the same}}
    %r = pl.reshape %t : tensor<8x64xf32> -> tensor<1x64xf32>
  }
  return
}

// -----

// Equal bytes do not suffice.
func.func @reshape_bytes(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.reshape' op result has element type i32, expected f32 [pld-105]}}
  // expected-note @+1 {{reshape converts nothing}}
  %r = pl.reshape %t : !pl.tile<8x64xf32> -> !pl.tile<8x64xi32>
  return
}

// -----

func.func @transpose_shape(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.transpose' op result has shape 8x64, expected 64x8 [pld-104]}}
  // expected-note @+1 {{rows become columns}}
  %r = pl.transpose %t : !pl.tile<8x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @transpose_reshapes(%v: i32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xi32>
    // expected-error @+2 {{'pl.transpose' op result has shape 16x32, expected 64x8 [pld-104]}}
    // expected-note @+1 {{rows become columns}}
    %r = pl.transpose %t : tensor<8x64xi32> -> tensor<16x32xi32>
  }
  return
}

// -----

func.func @transpose_element(%v: f16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf16>
  // expected-error @+2 {{'pl.transpose' op result has element type f32, expected f16 [pld-105]}}
  // expected-note @+1 {{transpose converts nothing}}
  %r = pl.transpose %t : !pl.tile<8x64xf16> -> !pl.tile<64x8xf32>
  return
}

//===--- 104, 105: gather -----------------------------------------------===//
// -----

func.func @index_row(%v: f32, %n: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %n : !pl.tile<1x8xi32>
  // expected-error @+2 {{'pl.gather' op index has shape 1x8, expected 1x1 [pld-104]}}
  // expected-note @+1 {{an index is a column}}
  %r = pl.gather %t, %u : !pl.tile<8x64xf32>, !pl.tile<1x8xi32> -> !pl.tile<1x64xf32>
  return
}

// -----

func.func @gather_rows(%v: f32, %n: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %n : !pl.tile<4x1xi32>
  // expected-error @+2 {{'pl.gather' op result has shape 8x64, expected 4x64 [pld-104]}}
  // expected-note @+1 {{one row of the source per index}}
  %r = pl.gather %t, %u : !pl.tile<8x64xf32>, !pl.tile<4x1xi32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @gather_columns(%v: f32, %n: i32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xf32>
    %u = pl.full %n : tensor<4x1xi32>
    // expected-error @+2 {{'pl.gather' op result has shape 4x32, expected 4x64 [pld-104]}}
    // expected-note @+1 {{one row of the source per index}}
    %r = pl.gather %t, %u : tensor<8x64xf32>, tensor<4x1xi32> -> tensor<4x32xf32>
  }
  return
}

// -----

func.func @index_wide(%v: f32, %n: i64) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %n : !pl.tile<4x1xi64>
  // expected-error @+2 {{'pl.gather' op index has element type i64, expected i32 [pld-105]}}
  // expected-note @+1 {{convert it with pl.cast}}
  %r = pl.gather %t, %u : !pl.tile<8x64xf32>, !pl.tile<4x1xi64> -> !pl.tile<4x64xf32>
  return
}

// -----

func.func @index_float(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %v : !pl.tile<4x1xf32>
  // expected-error @+2 {{'pl.gather' op index has element type f32, expected i32 [pld-105]}}
  // expected-note @+1 {{convert it with pl.cast}}
  %r = pl.gather %t, %u : !pl.tile<8x64xf32>, !pl.tile<4x1xf32> -> !pl.tile<4x64xf32>
  return
}

// -----

func.func @gather_element(%v: f32, %n: i32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %u = pl.full %n : !pl.tile<4x1xi32>
  // expected-error @+2 {{'pl.gather' op result has element type f16, expected f32 [pld-105]}}
  // expected-note @+1 {{gather converts nothing}}
  %r = pl.gather %t, %u : !pl.tile<8x64xf32>, !pl.tile<4x1xi32> -> !pl.tile<4x64xf16>
  return
}

//===--- types of tensors -----------------------------------------------===//
// -----

// A tensor has what a tile can hold: two static extents of one of eight element types.
func.func @tensor_rank(%x: memref<64xf32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+1 {{'pl.slice' op result #0 must be tensor of what a tile can hold (rank 2, static), but got 'tensor<8xf32>'}}
    %r = pl.slice %x[0] : memref<64xf32> -> tensor<8xf32>
  }
  return
}

// -----

func.func @tensor_rank_0(%x: memref<64xf32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+1 {{'pl.slice' op result #0 must be tensor of what a tile can hold (rank 2, static), but got 'tensor<f32>'}}
    %r = pl.slice %x[0] : memref<64xf32> -> tensor<f32>
  }
  return
}

// -----

func.func @tensor_unranked(%x: memref<64xf32> {pl.out}) attributes {pl.device} {
  pl.at core_group {
    %t = ub.poison : tensor<*xf32>
    // expected-error @+1 {{'pl.assemble' op operand #0 must be tensor of what a tile can hold (rank 2, static), but got 'tensor<*xf32>'}}
    pl.assemble %t, %x[0] : tensor<*xf32>, memref<64xf32>
  }
  return
}

// -----

func.func @tensor_dynamic(%x: memref<64x64xf32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+1 {{'pl.slice' op result #0 must be tensor of what a tile can hold (rank 2, static), but got 'tensor<?x64xf32>'}}
    %r = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<?x64xf32>
  }
  return
}

// -----

func.func @slice_gives_tile(%x: memref<64x64xf32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+1 {{'pl.slice' op result #0 must be tensor of what a tile can hold (rank 2, static), but got '!pl.tile<8x8xf32>'}}
    %r = pl.slice %x[0, 0] : memref<64x64xf32> -> !pl.tile<8x8xf32>
  }
  return
}

// -----

func.func @reshape_rank(%v: f32) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %v : tensor<8x64xf32>
    // expected-error @+1 {{'pl.reshape' op result #0 must be tile, or tensor of what a tile can hold (rank 2, static), but got 'tensor<512xf32>'}}
    %r = pl.reshape %t : tensor<8x64xf32> -> tensor<512xf32>
  }
  return
}

//===--- 103: place -----------------------------------------------------===//
// -----

// Tensors stand in pl.at only.
func.func @slice_in_core(%x: memref<64x64xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.slice' op holds a tensor outside of pl.at [pld-103]}}
  // expected-note @+1 {{use tiles in a pl.incore function, or a pl.at region in a pl.device function}}
  %r = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @slice_beside_at(%x: memref<64x64xf32>) attributes {pl.device} {
  // expected-error @+2 {{'pl.slice' op stands in a pl.device function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  %r = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @assemble_without_kind(%t: tensor<8x8xf32>, %x: memref<64x64xf32>) {
  // expected-error @+2 {{'pl.assemble' op stands in a function without a kind, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  pl.assemble %t, %x[0, 0] : tensor<8x8xf32>, memref<64x64xf32>
  return
}

// -----

func.func @load_in_at(%x: memref<64x64xf32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.load' op holds a tile in a pl.at region, where values are tensors [pld-103]}}
    // expected-note @+1 {{use pl.slice and pl.assemble, or a pl.incore function}}
    %r = pl.load %x[0, 0] : memref<64x64xf32> -> !pl.tile<8x8xf32>
  }
  return
}

// -----

func.func @reshape_to_tensor() attributes {pl.incore} {
  %t = ub.poison : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.reshape' op holds a tensor outside of pl.at [pld-103]}}
  // expected-note @+1 {{use tiles in a pl.incore function, or a pl.at region in a pl.device function}}
  %r = pl.reshape %t : !pl.tile<8x64xf32> -> tensor<16x32xf32>
  return
}

// -----

func.func @transpose_of_tile() attributes {pl.device} {
  pl.at core_group {
    %t = ub.poison : !pl.tile<8x64xf32>
    // expected-error @+2 {{'pl.transpose' op holds a tile in a pl.at region, where values are tensors [pld-103]}}
    // expected-note @+1 {{use pl.slice and pl.assemble, or a pl.incore function}}
    %r = pl.transpose %t : !pl.tile<8x64xf32> -> tensor<64x8xf32>
  }
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @extract_slice_breaks_all(%f: f32) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+6 {{'pl.extract_slice' op part has element type f16, expected f32 [pld-105]}}
  // expected-note @+5 {{convert it with pl.cast}}
  // expected-error @+4 {{'pl.extract_slice' op offset of dim 0 is -1, expected at least 0 [pld-104]}}
  // expected-note @+3 {{offsets count from the start of the array or of a slice}}
  // expected-error @+2 {{'pl.extract_slice' op covers 48 to 80 of dim 1, expected at most 64 [pld-104]}}
  // expected-note @+1 {{move the offset or shrink the part}}
  %r = pl.extract_slice %t[-1, 48] : !pl.tile<8x64xf32> -> !pl.tile<16x32xf16>
  return
}

// -----

func.func @insert_slice_breaks_all(%f: f32, %h: f16) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x64xf32>
  %p = pl.full %h : !pl.tile<8x32xf16>
  // expected-error @+5 {{'pl.insert_slice' op part has element type f16, expected f32 [pld-105]}}
  // expected-note @+4 {{convert it with pl.cast}}
  // expected-error @+3 {{'pl.insert_slice' op covers 1 to 9 of dim 0, expected at most 8 [pld-104]}}
  // expected-note @+2 {{move the offset or shrink the part}}
  // expected-error @+1 {{'pl.insert_slice' op covers 33 to 65 of dim 1, expected at most 64 [pld-104]}}
  %r = pl.insert_slice %p into %t[1, 33] : !pl.tile<8x32xf16> into !pl.tile<8x64xf32>
  return
}

// -----

func.func @concat_breaks_all(%f: f32, %h: f16) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  %b = pl.full %h : !pl.tile<4x64xf16>
  // expected-error @+8 {{'pl.concat' op right operand has element type f16, expected f32 [pld-105]}}
  // expected-note @+7 {{convert it with pl.cast}}
  // expected-error @+6 {{'pl.concat' op result has element type i32, expected f32 [pld-105]}}
  // expected-note @+5 {{concat converts nothing}}
  // expected-error @+4 {{'pl.concat' op right operand has shape 4x64, expected 8x64 [pld-104]}}
  // expected-note @+3 {{the dims that are not joined have equal extents}}
  // expected-error @+2 {{'pl.concat' op result has shape 8x64, expected 8x128 [pld-104]}}
  // expected-note @+1 {{the joined dim has both extents added up}}
  %r = pl.concat %a, %b dim 1 : !pl.tile<8x64xf32>, !pl.tile<4x64xf16> -> !pl.tile<8x64xi32>
  return
}

// -----

func.func @concat_along_no_dim(%f: f32, %h: f16) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  %b = pl.full %h : !pl.tile<4x64xf16>
  // expected-error @+6 {{'pl.concat' op right operand has element type f16, expected f32 [pld-105]}}
  // expected-note @+5 {{convert it with pl.cast}}
  // expected-error @+4 {{'pl.concat' op result has element type i32, expected f32 [pld-105]}}
  // expected-note @+3 {{concat converts nothing}}
  // expected-error @+2 {{'pl.concat' op joins along dim 2, expected 0 or 1 [pld-104]}}
  // expected-note @+1 {{dims count from 0}}
  %r = pl.concat %a, %b dim 2 : !pl.tile<8x64xf32>, !pl.tile<4x64xf16> -> !pl.tile<8x64xi32>
  return
}

// -----

func.func @reshape_breaks_all(%f: f32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+4 {{'pl.reshape' op result has element type i32, expected f32 [pld-105]}}
  // expected-note @+3 {{reshape converts nothing}}
  // expected-error @+2 {{'pl.reshape' op makes 8x32 of 8x64, expected as many elements [pld-104]}}
  // expected-note @+1 {{rows times columns stay the same}}
  %r = pl.reshape %a : !pl.tile<8x64xf32> -> !pl.tile<8x32xi32>
  return
}

// -----

func.func @transpose_breaks_all(%f: f32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+4 {{'pl.transpose' op result has shape 8x64, expected 64x8 [pld-104]}}
  // expected-note @+3 {{rows become columns}}
  // expected-error @+2 {{'pl.transpose' op result has element type i32, expected f32 [pld-105]}}
  // expected-note @+1 {{transpose converts nothing}}
  %r = pl.transpose %a : !pl.tile<8x64xf32> -> !pl.tile<8x64xi32>
  return
}

// -----

func.func @gather_breaks_all(%f: f32) attributes {pl.incore} {
  %a = pl.full %f : !pl.tile<8x64xf32>
  // expected-error @+8 {{'pl.gather' op index has element type f32, expected i32 [pld-105]}}
  // expected-note @+7 {{convert it with pl.cast}}
  // expected-error @+6 {{'pl.gather' op index has shape 8x64, expected 8x1 [pld-104]}}
  // expected-note @+5 {{an index is a column}}
  // expected-error @+4 {{'pl.gather' op result has shape 4x64, expected 8x64 [pld-104]}}
  // expected-note @+3 {{one row of the source per index}}
  // expected-error @+2 {{'pl.gather' op result has element type f16, expected f32 [pld-105]}}
  // expected-note @+1 {{gather converts nothing}}
  %r = pl.gather %a, %a : !pl.tile<8x64xf32>, !pl.tile<8x64xf32> -> !pl.tile<4x64xf16>
  return
}

// -----

func.func @slice_breaks_all(%x: memref<64x64xf16>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+6 {{'pl.slice' op element type of the value is f32, expected f16 as in memory [pld-105]}}
    // expected-note @+5 {{convert the tile with pl.cast, or change the memory's element type}}
    // expected-error @+4 {{'pl.slice' op offset of dim 0 is -1, expected at least 0 [pld-104]}}
    // expected-note @+3 {{offsets count from the start of the array or of a slice}}
    // expected-error @+2 {{'pl.slice' op accesses 33 to 65 of dim 1, expected at most 64 [pld-104]}}
    // expected-note @+1 {{move the offset, shrink the tile, or bound the part with valid [rows, columns]}}
    %r = pl.slice %x[-1, 33] : memref<64x64xf16> -> tensor<32x32xf32>
  }
  return
}

// -----

func.func @assemble_breaks_all(%x: memref<64x64xf16>, %f: f32) attributes {pl.device} {
  pl.at core_group {
    %r = pl.full %f : tensor<32x32xf32>
    // expected-error @+8 {{'pl.assemble' op element type of the value is f32, expected f16 as in memory [pld-105]}}
    // expected-note @+7 {{convert the tile with pl.cast, or change the memory's element type}}
    // expected-error @+6 {{'pl.assemble' op offset of dim 1 is -1, expected at least 0 [pld-104]}}
    // expected-note @+5 {{offsets count from the start of the array or of a slice}}
    // expected-error @+4 {{'pl.assemble' op accesses 33 to 65 of dim 0, expected at most 64 [pld-104]}}
    // expected-note @+3 {{move the offset, shrink the tile, or bound the part with valid [rows, columns]}}
    // expected-error @+2 {{'pl.assemble' op stores to argument #0, which is pl.in, expected pl.out or pl.inout [pld-108]}}
    // expected-note @+1 {{mark argument #0 of the function {pl.out} or {pl.inout}}}
    pl.assemble %r, %x[33, -1] : tensor<32x32xf32>, memref<64x64xf16>
  }
  return
}
