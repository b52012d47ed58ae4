// What the verifiers of pld.alloc_window_buffer, pld.window and pld.get_comm_ctx refuse.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 101: arrays and windows confused ----------------------------------===//

// A buffer is allocated of elements, not of arrays.
func.func @alloc_of_memref() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op allocates elements of memref<1x64xf32>, expected an element type [pld-101]}}
  // expected-note @+1 {{allocate [sizes] of an element type and view it with pld.window as a !pld.dtensor}}
  %b = pld.alloc_window_buffer [1] of memref<1x64xf32>
  return
}

// -----

func.func @alloc_of_tensor() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op allocates elements of tensor<64xf32>, expected an element type [pld-101]}}
  // expected-note @+1 {{allocate [sizes] of an element type}}
  %b = pld.alloc_window_buffer [1] of tensor<64xf32>
  return
}

// -----

// The view of a window buffer is a window, never a local array.
func.func @window_as_memref() attributes {pl.host} {
  %b = pld.alloc_window_buffer [1, 64] of f32
  // expected-error @+2 {{'pld.window' op result is memref<1x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  %w = pld.window %b : memref<1x64xf32>
  return
}

// -----

func.func @window_as_tile() attributes {pl.host} {
  %b = pld.alloc_window_buffer [1, 64] of f32
  // expected-error @+2 {{'pld.window' op result is !pl.tile<1x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks}}
  %w = pld.window %b : !pl.tile<1x64xf32>
  return
}

// -----

// An array belongs to no group.
func.func @context_of_memref(%x: memref<1x64xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.get_comm_ctx' op operand is memref<1x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks}}
  %ctx = pld.get_comm_ctx %x : memref<1x64xf32>
  return
}

// -----

// kind 101: device first
func.func @context_of_scalar(%x: index) attributes {pl.device} {
  // expected-error @+2 {{'pld.get_comm_ctx' op operand is index, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks}}
  %ctx = pld.get_comm_ctx %x : index
  return
}

//===--- 102: allocation in a loop -----------------------------------------===//
// -----

// kind 102: host static for
func.func @alloc_in_for(%n: index) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %r = %c0 to %n step %c1 {
    // expected-error @+2 {{'pld.alloc_window_buffer' op stands in a loop: it allocates per iteration instead of once [pld-102]}}
    // expected-note @+1 {{hoist the allocation above the loop and keep pld.window inside}}
    %b = pld.alloc_window_buffer [1, 64] of f32
  }
  return
}

// -----

// kind 102: host static while
// In either part of a while loop.
func.func @alloc_in_while(%c: i1) attributes {pl.host} {
  scf.while : () -> () {
    // expected-error @+2 {{'pld.alloc_window_buffer' op stands in a loop: it allocates per iteration instead of once [pld-102]}}
    // expected-note @+1 {{hoist the allocation}}
    %b = pld.alloc_window_buffer [1, 64] of f32
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// -----

// kind 102: host dynamic for nested
// However deep.
func.func @alloc_below_loop(%n: index, %c: i1) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %r = %c0 to %n step %c1 {
    scf.if %c {
      // expected-error @+2 {{'pld.alloc_window_buffer' op stands in a loop: it allocates per iteration instead of once [pld-102]}}
      // expected-note @+1 {{hoist the allocation}}
      %b = pld.alloc_window_buffer [%n, 1] of i32
    }
  }
  return
}

//===--- 103: place and group ----------------------------------------------===//
// -----

func.func @alloc_on_device() attributes {pl.device} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op stands in a pl.device function, expected pl.host [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.host}}
  %b = pld.alloc_window_buffer [1, 64] of f32
  return
}

// -----

func.func @world_size_in_core() attributes {pl.incore} {
  // expected-error @+2 {{'pld.world_size' op stands in a pl.incore function, expected pl.host [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.host}}
  %n = pld.world_size
  return
}

// -----

func.func @context_on_host() attributes {pl.host} {
  %b = pld.alloc_window_buffer [1, 64] of f32
  %w = pld.window %b : !pld.dtensor<1x64xf32>
  // expected-error @+2 {{'pld.get_comm_ctx' op stands in a pl.host function, expected pl.device or pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device or pl.incore}}
  %ctx = pld.get_comm_ctx %w : !pld.dtensor<1x64xf32>
  return
}

// -----

func.func @no_kind(%ctx: !pld.comm_ctx) {
  // expected-error @+2 {{'pld.rank' op stands in a function without a kind, expected pl.device or pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device or pl.incore}}
  %me = pld.rank %ctx
  return
}

// -----

// expected-error @+2 {{'pld.world_size' op stands in a function without a kind, expected pl.host [pld-103]}}
// expected-note @+1 {{move it into a function marked pl.host}}
%n = pld.world_size

// -----

func.func @group_twice() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op has the group [1, 2, 1], expected at least one rank, each once, none negative [pld-103]}}
  // expected-note @+1 {{write for example {ranks = array<i64: 1, 2>}}}
  %b = pld.alloc_window_buffer [1, 64] of f32 {ranks = array<i64: 1, 2, 1>}
  return
}

// -----

func.func @group_negative() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op has the group [-1, 0], expected at least one rank, each once, none negative [pld-103]}}
  // expected-note @+1 {{write for example}}
  %b = pld.alloc_window_buffer [1, 64] of f32 {ranks = array<i64: -1, 0>}
  return
}

// -----

func.func @group_empty() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op has the group [], expected at least one rank, each once, none negative [pld-103]}}
  // expected-note @+1 {{write for example}}
  %b = pld.alloc_window_buffer [1, 64] of f32 {ranks = array<i64>}
  return
}

//===--- 104: sizes --------------------------------------------------------===//
// -----

func.func @alloc_nothing() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op has the size 0, expected at least 1 [pld-104]}}
  // expected-note @+1 {{allocate at least one element}}
  %b = pld.alloc_window_buffer [4, 0] of f32
  return
}

// -----

// kind 104: host dynamic last
func.func @alloc_negative(%n: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op has the size -9223372036854775807, expected at least 1 [pld-104]}}
  // expected-note @+1 {{allocate at least one element}}
  %b = pld.alloc_window_buffer [%n, -9223372036854775807] of f32
  return
}

// -----

func.func @alloc_no_sizes() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op has no sizes, expected at least one [pld-104]}}
  // expected-note @+1 {{write for example [1, 64] of f32}}
  %b = pld.alloc_window_buffer [] of f32
  return
}

// -----

func.func @alloc_uncountable() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op has more bytes than 64 bits can count [pld-104]}}
  // expected-note @+1 {{allocate a smaller buffer}}
  %b = pld.alloc_window_buffer [9223372036854775807, 2] of i8
  return
}

// -----

// Lists and operands that do not agree, which only the generic form can spell.
func.func @alloc_mismatch(%n: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op has a list of sizes that does not match its operands [pld-104]}}
  // expected-note @+1 {{one dynamic operand per dynamic entry}}
  %b = "pld.alloc_window_buffer"(%n) <{element_type = f32, static_sizes = array<i64: 4>}> : (index) -> !pld.window_buffer
  return
}

// -----

// kind 104: host static
func.func @view_too_large() attributes {pl.host} {
  // expected-note @+1 {{the buffer is allocated here}}
  %b = pld.alloc_window_buffer [1, 64] of f32
  // expected-error @+2 {{'pld.window' op views 260 bytes, expected at most the buffer's 256 [pld-104]}}
  // expected-note @+1 {{shrink the view, or allocate more}}
  %w = pld.window %b : !pld.dtensor<1x65xf32>
  return
}

// -----

// Bytes count, not elements.
func.func @view_of_wider_elements() attributes {pl.host} {
  // expected-note @+1 {{the buffer is allocated here}}
  %b = pld.alloc_window_buffer [64] of i8
  // expected-error @+2 {{'pld.window' op views 128 bytes, expected at most the buffer's 64 [pld-104]}}
  // expected-note @+1 {{shrink the view, or allocate more}}
  %w = pld.window %b : !pld.dtensor<64xf16>
  return
}

// -----

func.func @view_sizes_missing() attributes {pl.host} {
  %b = pld.alloc_window_buffer [64] of i32
  // expected-error @+2 {{'pld.window' op has 0 sizes, expected 1, one per '?' [pld-104]}}
  // expected-note @+1 {{write the run-time extents between the brackets}}
  %w = pld.window %b : !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @view_sizes_left_over(%n: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [64] of i32
  // expected-error @+2 {{'pld.window' op has 2 sizes, expected 1, one per '?' [pld-104]}}
  // expected-note @+1 {{write the run-time extents between the brackets}}
  %w = pld.window %b[%n, %n] : !pld.dtensor<?x1xi32>
  return
}

//===--- 105: element types ------------------------------------------------===//
// -----

// kind 105: host
func.func @alloc_f64() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op allocates elements of f64, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{choose an element type that a window can hold}}
  %b = pld.alloc_window_buffer [1] of f64
  return
}

// -----

// A mask is a value of tiles, not of windows.
func.func @alloc_mask() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op allocates elements of i1, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{choose an element type}}
  %b = pld.alloc_window_buffer [1] of i1
  return
}

// -----

func.func @alloc_index() attributes {pl.host} {
  // expected-error @+2 {{'pld.alloc_window_buffer' op allocates elements of index, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
  // expected-note @+1 {{choose an element type}}
  %b = pld.alloc_window_buffer [1] of index
  return
}

//===--- types -------------------------------------------------------------===//
// -----

// expected-error @+1 {{a window has at least one dim, and extents of at least 1 or '?'}}
func.func private @no_dims(!pld.dtensor<f32>)

// -----

// expected-error @+1 {{a window has at least one dim, and extents of at least 1 or '?'}}
func.func private @empty(!pld.dtensor<4x0xf32>)

// -----

// expected-error @+1 {{element type of a window is i1, expected f32, f16, bf16, i8, i16, i32 or i64}}
func.func private @mask(!pld.dtensor<4xi1>)

// -----

// expected-error @+1 {{element type of a window is !pl.tile<8x8xf32>, expected f32, f16, bf16, i8, i16, i32 or i64}}
func.func private @of_tiles(!pld.dtensor<4x!pl.tile<8x8xf32>>)

// -----

// expected-error @+1 {{a dtensor has at most as many bytes as 64 bits can count}}
func.func private @uncountable(!pld.dtensor<?x9223372036854775807x2xi8>)

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @alloc_breaks_all(%n: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+11 {{'pld.alloc_window_buffer' op stands in a pl.device function, expected pl.host [pld-103]}}
    // expected-note @+10 {{move it into a function marked pl.host}}
    // expected-error @+9 {{'pld.alloc_window_buffer' op stands in a loop: it allocates per iteration instead of once [pld-102]}}
    // expected-note @+8 {{hoist the allocation above the loop and keep pld.window inside}}
    // expected-error @+7 {{'pld.alloc_window_buffer' op allocates elements of f64, expected f32, f16, bf16, i8, i16, i32 or i64 [pld-105]}}
    // expected-note @+6 {{choose an element type that a window can hold}}
    // expected-error @+5 {{'pld.alloc_window_buffer' op has the size 0, expected at least 1 [pld-104]}}
    // expected-note @+4 {{allocate at least one element}}
    // expected-error @+3 {{'pld.alloc_window_buffer' op has the size -3, expected at least 1 [pld-104]}}
    // expected-error @+2 {{'pld.alloc_window_buffer' op has the group [1, 1], expected at least one rank, each once, none negative [pld-103]}}
    // expected-note @+1 {{write for example {ranks = array<i64: 1, 2>}}}
    %b = pld.alloc_window_buffer [0, -3] of f64 {ranks = array<i64: 1, 1>}
  }
  return
}

// -----

func.func @window_breaks_all(%n: index) attributes {pl.host} {
  // expected-note @+1 {{the buffer is allocated here}}
  %b = pld.alloc_window_buffer [8] of f32
  // expected-error @+4 {{'pld.window' op has 1 sizes, expected 0, one per '?' [pld-104]}}
  // expected-note @+3 {{write the run-time extents between the brackets}}
  // expected-error @+2 {{'pld.window' op views 64 bytes, expected at most the buffer's 32 [pld-104]}}
  // expected-note @+1 {{shrink the view, or allocate more}}
  %w = pld.window %b[%n] : !pld.dtensor<16xf32>
  return
}

// -----

func.func @tail_of_floats(%n: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [8] of f32
  // kind 105: host tail
  // expected-error @+2 {{'pld.window' op views a buffer's tail as f32, expected i32 [pld-105]}}
  // expected-note @+1 {{a tail holds signals; view the data without 'tail'}}
  %w = pld.window %b tail[%n] : !pld.dtensor<?xf32>
  return
}

// -----

func.func @tail_too_large() attributes {pl.host} {
  // expected-note @+1 {{the buffer is allocated here}}
  %b = pld.alloc_window_buffer [1024] of f32 {ranks = array<i64: 1, 2>}
  // kind 104: host tail
  // expected-error @+2 {{'pld.window' op views 132 bytes, expected at most the tail's 128 [pld-104]}}
  // expected-note @+1 {{a tail has 64 bytes for each rank of the group}}
  %w = pld.window %b tail : !pld.dtensor<33xi32>
  return
}

//===--- contexts without a kind ---------------------------------------------===//
// -----

func.func @nranks_without_kind(%w: !pld.dtensor<4xf32>, %ctx: !pld.comm_ctx) {
  // expected-error @+2 {{'pld.nranks' op stands in a function without a kind, expected pl.device or pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device or pl.incore}}
  %n = pld.nranks %ctx
  return
}
