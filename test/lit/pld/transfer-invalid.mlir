// What the verifier of pld.put and pld.get refuses.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 101: memory ----------------------------------------------------===//

func.func @put_to_memref(%x: memref<8x64xf32>, %y: memref<8x64xf32> {pl.out}, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op destination is memref<8x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  pld.put %x, %y to %peer : memref<8x64xf32>, memref<8x64xf32>
  return
}

// -----

func.func @get_from_memref(%x: memref<8x64xf32>, %w: !pld.dtensor<8x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op source is memref<8x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  pld.get %x, %w from %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  return
}

// -----

// A tile is pushed by pld.remote_store.
func.func @put_tile(%v: f32, %w: !pld.dtensor<8x64xf32>, %peer: index) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pld.put' op memory operand is !pl.tile<8x64xf32>, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{a memref is a local array, a !pld.dtensor a view of a window buffer; a tensor is a value, not memory}}
  pld.put %t, %w to %peer : !pl.tile<8x64xf32>, !pld.dtensor<8x64xf32>
  return
}

// -----

func.func @get_into_index(%w: !pld.dtensor<8x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op memory operand is index, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{a memref is a local array, a !pld.dtensor a view of a window buffer; a tensor is a value, not memory}}
  pld.get %w, %peer from %peer : !pld.dtensor<8x64xf32>, index
  return
}

//===--- 103: place -----------------------------------------------------===//
// -----

func.func @put_on_device(%x: memref<8x64xf32>, %w: !pld.dtensor<8x64xf32>, %peer: index) attributes {pl.device} {
  // expected-error @+2 {{'pld.put' op stands in a pl.device function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  pld.put %x, %w to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  return
}

// -----

func.func @get_without_kind(%x: memref<8x64xf32>, %w: !pld.dtensor<8x64xf32>, %peer: index) {
  // expected-error @+2 {{'pld.get' op stands in a function without a kind, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  pld.get %w, %x from %peer : !pld.dtensor<8x64xf32>, memref<8x64xf32>
  return
}

// -----

func.func @put_on_host(%x: memref<8x64xf32>, %peer: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [8, 64] of f32
  %w = pld.window %b : !pld.dtensor<8x64xf32>
  // expected-error @+2 {{'pld.put' op stands in a pl.host function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  pld.put %x, %w to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  return
}

//===--- 104: forms -----------------------------------------------------===//
// -----

func.func @sizes_alone(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op has some of the offsets and sizes, expected all of them or none [pld-104]}}
  // expected-note @+1 {{write source[..], destination[..] sizes [..], or leave all out for the whole slice}}
  pld.put %x, %w sizes [8, 64] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

func.func @no_sizes(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op has some of the offsets and sizes, expected all of them or none [pld-104]}}
  // expected-note @+1 {{write source[..], destination[..] sizes [..], or leave all out for the whole slice}}
  pld.put %x[0, 0], %w[8, 0] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

func.func @one_offset(%x: memref<8x64xf32> {pl.out}, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op has some of the offsets and sizes, expected all of them or none [pld-104]}}
  // expected-note @+1 {{write source[..], destination[..] sizes [..], or leave all out for the whole slice}}
  pld.get %w[8, 0], %x sizes [8, 64] from %peer : !pld.dtensor<16x64xf32>, memref<8x64xf32>
  return
}

// -----

func.func @whole_of_other_shape(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op moves a whole slice between different shapes, expected equal ones [pld-104]}}
  // expected-note @+1 {{state offsets and sizes of the region on both sides}}
  pld.put %x, %w to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

func.func @ranks_differ(%x: memref<64xf32>, %w: !pld.dtensor<1x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op moves rank 1 to rank 2, expected equal ranks [pld-104]}}
  // expected-note @+1 {{fold or add leading dims of 1}}
  pld.put %x, %w to %peer : memref<64xf32>, !pld.dtensor<1x64xf32>
  return
}

// -----

func.func @rank_5(%x: memref<64xf32> {pl.out}, %w: !pld.dtensor<1x1x1x1x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+4 {{'pld.get' op memory operand has rank 5, expected 1 to 4 [pld-104]}}
  // expected-note @+3 {{fold leading dims into one}}
  // expected-error @+2 {{'pld.get' op moves rank 5 to rank 1, expected equal ranks [pld-104]}}
  // expected-note @+1 {{fold or add leading dims of 1}}
  pld.get %w, %x from %peer : !pld.dtensor<1x1x1x1x64xf32>, memref<64xf32>
  return
}

// -----

func.func @rank_0(%x: memref<f32>, %w: !pld.dtensor<1xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+4 {{'pld.put' op memory operand has rank 0, expected 1 to 4 [pld-104]}}
  // expected-note @+3 {{fold leading dims into one; an array of one element has the shape 1}}
  // expected-error @+2 {{'pld.put' op moves rank 0 to rank 1, expected equal ranks [pld-104]}}
  // expected-note @+1 {{fold or add leading dims of 1}}
  pld.put %x, %w to %peer : memref<f32>, !pld.dtensor<1xf32>
  return
}

//===--- 104: bounds ----------------------------------------------------===//
// -----

func.func @source_outside(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op source covers 4 to 12 of dim 0, expected at most 8 [pld-104]}}
  // expected-note @+1 {{move the offset or shrink the sizes}}
  pld.put %x[4, 0], %w[0, 0] sizes [8, 64] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

func.func @destination_outside(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %i: index, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op destination covers 32 to 96 of dim 1, expected at most 64 [pld-104]}}
  // expected-note @+1 {{move the offset or shrink the sizes}}
  pld.put %x[0, 0], %w[%i, 32] sizes [8, 64] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

// No sum overflows.
func.func @far_outside(%x: memref<8x64xf32> {pl.out}, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op source covers 9223372036854775807 to 9223372036854775807 of dim 0, expected at most 16 [pld-104]}}
  // expected-note @+1 {{move the offset or shrink the sizes}}
  pld.get %w[9223372036854775807, 0], %x[0, 0] sizes [8, 64] from %peer : !pld.dtensor<16x64xf32>, memref<8x64xf32>
  return
}

// -----

func.func @negative_size(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op size of dim 0 is -1, expected at least 0 [pld-104]}}
  // expected-note @+1 {{sizes count elements}}
  pld.put %x[0, 0], %w[0, 0] sizes [-1, 64] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

func.func @negative_offset(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op offset of dim 1 is -8, expected at least 0 [pld-104]}}
  // expected-note @+1 {{offsets count from the start}}
  pld.put %x[0, 0], %w[0, -8] sizes [8, 8] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

func.func @offset_count(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op has 1 offsets, expected 2, one per dim [pld-104]}}
  // expected-note @+1 {{write 2 entries between the brackets}}
  pld.put %x[0], %w[0, 0] sizes [8, 64] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

func.func @size_count(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op has 1 sizes, expected 2, one per dim [pld-104]}}
  // expected-note @+1 {{write one size per dim}}
  pld.put %x[0, 0], %w[0, 0] sizes [512] to %peer : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

//===--- 105: element types ---------------------------------------------===//
// -----

// kind 105: in-core first
func.func @put_element(%x: memref<8x64xf16>, %w: !pld.dtensor<8x64xbf16>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op source has element type f16, expected bf16 [pld-105]}}
  // expected-note @+1 {{a transfer converts nothing}}
  pld.put %x, %w to %peer : memref<8x64xf16>, !pld.dtensor<8x64xbf16>
  return
}

// -----

func.func @get_element(%x: memref<8x64xi64> {pl.out}, %w: !pld.dtensor<8x64xi32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op source has element type i32, expected i64 [pld-105]}}
  // expected-note @+1 {{a transfer converts nothing}}
  pld.get %w, %x from %peer : !pld.dtensor<8x64xi32>, memref<8x64xi64>
  return
}

// -----

// A mask has the bytes of an i8, but is none.
func.func @put_mask(%x: memref<8x64xi1>, %w: !pld.dtensor<8x64xi8>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op source has element type i1, expected i8 [pld-105]}}
  // expected-note @+1 {{a transfer converts nothing}}
  pld.put %x, %w to %peer : memref<8x64xi1>, !pld.dtensor<8x64xi8>
  return
}

//===--- 106: atomic add ------------------------------------------------===//
// -----

func.func @atomic_i64(%x: memref<8x64xi64>, %w: !pld.dtensor<8x64xi64>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op adds i64 atomically, expected f32, f16, bf16, i32, i16 or i8 [pld-106]}}
  // expected-note @+1 {{use another element type, or gather the parts and add them on one rank}}
  pld.put %x, %w to %peer atomic add : memref<8x64xi64>, !pld.dtensor<8x64xi64>
  return
}

// -----

// kind 106: in-core dynamic
func.func @atomic_i64_window(%w: !pld.dtensor<64xi64>, %i: index, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op adds i64 atomically, expected f32, f16, bf16, i32, i16 or i8 [pld-106]}}
  // expected-note @+1 {{use another element type}}
  pld.put %w[%i], %w[0] sizes [8] to %peer atomic add {chunk_cols = 8} : !pld.dtensor<64xi64>, !pld.dtensor<64xi64>
  return
}

// -----

// kind 106: at static
func.func @atomic_i64_in_at(%x: memref<8x64xi64>, %w: !pld.dtensor<8x64xi64>, %peer: index) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pld.put' op adds i64 atomically, expected f32, f16, bf16, i32, i16 or i8 [pld-106]}}
    // expected-note @+1 {{use another element type}}
    pld.put %x, %w to %peer atomic add : memref<8x64xi64>, !pld.dtensor<8x64xi64>
  }
  return
}

//===--- 107: chunks ----------------------------------------------------===//
// -----

// kind 107: in-core static
func.func @pipeline_alone(%x: memref<16x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op has pipeline without both chunks [pld-107]}}
  // expected-note @+1 {{state chunk_rows and chunk_cols: two such tiles are used in turn}}
  pld.put %x, %w to %peer {pipeline} : memref<16x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

func.func @pipeline_rows(%x: memref<16x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op has pipeline without both chunks [pld-107]}}
  // expected-note @+1 {{state chunk_rows and chunk_cols}}
  pld.put %x, %w to %peer {chunk_rows = 4, pipeline} : memref<16x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

func.func @pipeline_cols(%x: memref<16x64xf32> {pl.out}, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op has pipeline without both chunks [pld-107]}}
  // expected-note @+1 {{state chunk_rows and chunk_cols}}
  pld.get %w, %x from %peer {chunk_cols = 64, pipeline} : !pld.dtensor<16x64xf32>, memref<16x64xf32>
  return
}

// -----

// kind 107: at static
func.func @pipeline_in_at(%x: memref<16x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pld.put' op has pipeline without both chunks [pld-107]}}
    // expected-note @+1 {{state chunk_rows and chunk_cols}}
    pld.put %x, %w to %peer {chunk_cols = 64, pipeline} : memref<16x64xf32>, !pld.dtensor<16x64xf32>
  }
  return
}

// -----

// kind 107: in-core static first
func.func @chunk_zero(%x: memref<16x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op chunk_rows is 0, expected at least 1 [pld-107]}}
  // expected-note @+1 {{give the staging tile an extent}}
  pld.put %x, %w to %peer {chunk_rows = 0} : memref<16x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

// kind 107: in-core static last
func.func @chunk_negative(%x: memref<16x64xf32> {pl.out}, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op chunk_cols is -1, expected at least 1 [pld-107]}}
  // expected-note @+1 {{give the staging tile an extent}}
  pld.get %w, %x from %peer {chunk_rows = 4, chunk_cols = -1, pipeline} : !pld.dtensor<16x64xf32>, memref<16x64xf32>
  return
}

// -----

// kind 107: in-core dynamic first
func.func @dynamic_rows(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %n: index, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op has a dynamic leading extent without chunk_rows [pld-107]}}
  // expected-note @+1 {{state chunk_rows: the staging tile is static}}
  pld.put %x[0, 0], %w[0, 0] sizes [%n, 64] to %peer {chunk_cols = 64} : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

// kind 107: in-core dynamic last
func.func @dynamic_cols(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xf32>, %n: index, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op has a dynamic last extent without chunk_cols [pld-107]}}
  // expected-note @+1 {{state chunk_cols: the staging tile is static}}
  pld.put %x[0, 0], %w[0, 0] sizes [8, %n] to %peer {chunk_rows = 8} : memref<8x64xf32>, !pld.dtensor<16x64xf32>
  return
}

// -----

// A whole slice whose extent neither side states.
func.func @dynamic_whole(%x: memref<?x64xf32> {pl.out}, %w: !pld.dtensor<?x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op has a dynamic leading extent without chunk_rows [pld-107]}}
  // expected-note @+1 {{state chunk_rows: the staging tile is static}}
  pld.get %w, %x from %peer : !pld.dtensor<?x64xf32>, memref<?x64xf32>
  return
}

//===--- 108: directions ------------------------------------------------===//
// -----

func.func @get_into_in(%x: memref<16x64xf32>, %w: !pld.dtensor<16x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op stores to argument #0, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+1 {{mark argument #0 of the function {pl.out} or {pl.inout}}}
  pld.get %w, %x from %peer : !pld.dtensor<16x64xf32>, memref<16x64xf32>
  return
}

// -----

// kind 108: in-core last
func.func @get_into_explicit_in(%w: !pld.dtensor<16x64xf32>, %peer: index, %x: memref<16x64xf32> {pl.in}) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get' op stores to argument #2, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+1 {{mark argument #2}}
  pld.get %w[0, 0], %x[0, 0] sizes [1, 1] from %peer : !pld.dtensor<16x64xf32>, memref<16x64xf32>
  return
}

// -----

// It may be the one that is not written.
func.func @get_into_selected_in(%w: !pld.dtensor<16x64xf32>, %peer: index, %x: memref<16x64xf32>, %y: memref<16x64xf32> {pl.out}, %c: i1) attributes {pl.incore} {
  %z = arith.select %c, %y, %x : memref<16x64xf32>
  // expected-error @+2 {{'pld.get' op stores to argument #2, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+1 {{mark argument #2}}
  pld.get %w, %z from %peer : !pld.dtensor<16x64xf32>, memref<16x64xf32>
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @put_breaks_all(%x: memref<8x64xf32>, %w: !pld.dtensor<16x64xi64>, %n: index, %peer: index) attributes {pl.device} {
  // expected-error @+16 {{'pld.put' op stands in a pl.device function, expected pl.incore [pld-103]}}
  // expected-note @+15 {{move it into a function marked pl.incore}}
  // expected-error @+14 {{'pld.put' op adds i64 atomically, expected f32, f16, bf16, i32, i16 or i8 [pld-106]}}
  // expected-note @+13 {{use another element type, or gather the parts and add them on one rank}}
  // expected-error @+12 {{'pld.put' op source has element type f32, expected i64 [pld-105]}}
  // expected-note @+11 {{a transfer converts nothing}}
  // expected-error @+10 {{'pld.put' op offset of dim 0 is -1, expected at least 0 [pld-104]}}
  // expected-note @+9 {{offsets count from the start of the array or of a slice}}
  // expected-error @+8 {{'pld.put' op destination covers 9 to 17 of dim 0, expected at most 16 [pld-104]}}
  // expected-note @+7 {{move the offset or shrink the sizes}}
  // expected-error @+6 {{'pld.put' op has a dynamic last extent without chunk_cols [pld-107]}}
  // expected-note @+5 {{state chunk_cols: the staging tile is static}}
  // expected-error @+4 {{'pld.put' op chunk_rows is 0, expected at least 1 [pld-107]}}
  // expected-note @+3 {{give the staging tile an extent}}
  // expected-error @+2 {{'pld.put' op has pipeline without both chunks [pld-107]}}
  // expected-note @+1 {{state chunk_rows and chunk_cols: two such tiles are used in turn}}
  pld.put %x[-1, 1], %w[9, 0] sizes [8, %n] to %peer atomic add {chunk_rows = 0, pipeline} : memref<8x64xf32>, !pld.dtensor<16x64xi64>
  return
}

// -----

func.func @get_breaks_all(%w: !pld.dtensor<?x8x64xf16>, %x: memref<?x64xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+12 {{'pld.get' op source has element type f16, expected f32 [pld-105]}}
  // expected-note @+11 {{a transfer converts nothing}}
  // expected-error @+10 {{'pld.get' op moves rank 3 to rank 2, expected equal ranks [pld-104]}}
  // expected-note @+9 {{fold or add leading dims of 1}}
  // expected-error @+8 {{'pld.get' op has some of the offsets and sizes, expected all of them or none [pld-104]}}
  // expected-note @+7 {{write source[..], destination[..] sizes [..], or leave all out for the whole slice}}
  // expected-error @+6 {{'pld.get' op has a dynamic leading extent without chunk_rows [pld-107]}}
  // expected-note @+5 {{state chunk_rows: the staging tile is static}}
  // expected-error @+4 {{'pld.get' op stores to argument #1, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+3 {{mark argument #1 of the function {pl.out} or {pl.inout}}}
  // expected-error @+2 {{'pld.get' op chunk_cols is -1, expected at least 1 [pld-107]}}
  // expected-note @+1 {{give the staging tile an extent}}
  pld.get %w[0, 0, 0], %x from %peer {chunk_cols = -1} : !pld.dtensor<?x8x64xf16>, memref<?x64xf32>
  return
}
