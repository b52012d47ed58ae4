// What the verifiers of pld.notify, pld.wait and pld.barrier refuse.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 101: a signal is a window -----------------------------------------===//

func.func @notify_memref(%s: memref<4x1xi32>, %v: i32, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.notify' op signal is memref<4x1xi32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  pld.notify add %v, %s[0, 0] to %peer : memref<4x1xi32>
  return
}

// -----

func.func @wait_tensor(%v: i32) attributes {pl.incore} {
  %s = ub.poison : tensor<4x1xi32>
  // expected-error @+2 {{'pld.wait' op signal is tensor<4x1xi32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks}}
  pld.wait ge %v, %s[0, 0] : tensor<4x1xi32>
  return
}

// -----

func.func @barrier_memref(%s: memref<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.barrier' op signal is memref<?x1xi32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks}}
  pld.barrier %s : memref<?x1xi32>
  return
}

// -----

// The buffer itself is no signal: a view of it is.
func.func @barrier_buffer() attributes {pl.host} {
  %b = pld.alloc_window_buffer [4, 1] of i32
  // expected-error @+2 {{'pld.barrier' op signal is !pld.window_buffer, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{pass a view of a window buffer (pld.window)}}
  pld.barrier %b : !pld.window_buffer
  return
}

//===--- 103: place --------------------------------------------------------===//
// -----

func.func @notify_on_device(%s: !pld.dtensor<4xi32>, %v: i32, %peer: index) attributes {pl.device} {
  // expected-error @+2 {{'pld.notify' op stands in a pl.device function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  pld.notify add %v, %s[0] to %peer : !pld.dtensor<4xi32>
  return
}

// -----

func.func @wait_on_host(%v: i32) attributes {pl.host} {
  %b = pld.alloc_window_buffer [4] of i32
  %s = pld.window %b : !pld.dtensor<4xi32>
  // expected-error @+2 {{'pld.wait' op stands in a pl.host function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  pld.wait ge %v, %s[0] : !pld.dtensor<4xi32>
  return
}

// -----

func.func @barrier_on_device(%s: !pld.dtensor<4xi32>) attributes {pl.device} {
  // expected-error @+2 {{'pld.barrier' op stands in a pl.device function, expected pl.host or pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.host or pl.incore}}
  pld.barrier %s : !pld.dtensor<4xi32>
  return
}

//===--- 104: cells --------------------------------------------------------===//
// -----

func.func @cell_count(%s: !pld.dtensor<?x1xi32>, %v: i32, %me: index, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.notify' op has 1 offsets, expected 2, one per dim [pld-104]}}
  // expected-note @+1 {{write 2 entries between the brackets}}
  pld.notify add %v, %s[%me] to %peer : !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @cell_behind_the_end(%s: !pld.dtensor<?x1xi32>, %v: i32) attributes {pl.incore} {
  // expected-error @+2 {{'pld.wait' op cell is 1 in dim 1, expected at most 0 [pld-104]}}
  // expected-note @+1 {{a signal has as many cells as its window has elements}}
  pld.wait ge %v, %s[9, 1] : !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @cell_negative(%s: !pld.dtensor<4xi32>, %v: i32, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.notify' op offset of dim 0 is -1, expected at least 0 [pld-104]}}
  // expected-note @+1 {{offsets count from the start of the array or of a slice}}
  pld.notify set %v, %s[-1] to %peer : !pld.dtensor<4xi32>
  return
}

// -----

func.func @cell_huge(%s: !pld.dtensor<4x1xi32>, %v: i32, %me: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.wait' op cell is 9223372036854775807 in dim 1, expected at most 0 [pld-104]}}
  // expected-note @+1 {{a signal has as many cells}}
  pld.wait eq %v, %s[%me, 9223372036854775807] : !pld.dtensor<4x1xi32>
  return
}

// -----

// Lists and operands that do not agree, which only the generic form can spell.
func.func @cell_mismatch(%s: !pld.dtensor<4xi32>, %v: i32, %me: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.wait' op has a list of offsets that does not match its operands [pld-104]}}
  // expected-note @+1 {{one dynamic operand per dynamic entry}}
  "pld.wait"(%v, %s, %me) <{cmp = 3 : i32, static_offsets = array<i64: 0>}> : (i32, !pld.dtensor<4xi32>, index) -> ()
  return
}

//===--- 105: cells are i32 ------------------------------------------------===//
// -----

func.func @notify_i64(%s: !pld.dtensor<4xi64>, %v: i32, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.notify' op signal has element type i64, expected i32 [pld-105]}}
  // expected-note @+1 {{allocate a window of i32 for signals}}
  pld.notify add %v, %s[0] to %peer : !pld.dtensor<4xi64>
  return
}

// -----

func.func @wait_f32(%s: !pld.dtensor<4xf32>, %v: i32) attributes {pl.incore} {
  // expected-error @+2 {{'pld.wait' op signal has element type f32, expected i32 [pld-105]}}
  // expected-note @+1 {{allocate a window of i32 for signals}}
  pld.wait ge %v, %s[0] : !pld.dtensor<4xf32>
  return
}

// -----

func.func @barrier_i16() attributes {pl.host} {
  %b = pld.alloc_window_buffer [4] of i32
  %s = pld.window %b : !pld.dtensor<4xi16>
  // expected-error @+2 {{'pld.barrier' op signal has element type i16, expected i32 [pld-105]}}
  // expected-note @+1 {{allocate a window of i32 for signals}}
  pld.barrier %s : !pld.dtensor<4xi16>
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @notify_breaks_all(%s: !pld.dtensor<4x1xf32>, %v: i32, %peer: index) attributes {pl.device} {
  // expected-error @+8 {{'pld.notify' op stands in a pl.device function, expected pl.incore [pld-103]}}
  // expected-note @+7 {{move it into a function marked pl.incore}}
  // expected-error @+6 {{'pld.notify' op signal has element type f32, expected i32 [pld-105]}}
  // expected-note @+5 {{allocate a window of i32 for signals}}
  // expected-error @+4 {{'pld.notify' op offset of dim 0 is -1, expected at least 0 [pld-104]}}
  // expected-note @+3 {{offsets count from the start of the array or of a slice}}
  // expected-error @+2 {{'pld.notify' op cell is 1 in dim 1, expected at most 0 [pld-104]}}
  // expected-note @+1 {{a signal has as many cells as its window has elements}}
  pld.notify add %v, %s[-1, 1] to %peer : !pld.dtensor<4x1xf32>
  return
}

// -----

func.func @wait_breaks_all(%s: memref<4x1xi64>, %v: i32) attributes {pl.host} {
  // expected-error @+6 {{'pld.wait' op stands in a pl.host function, expected pl.incore [pld-103]}}
  // expected-note @+5 {{move it into a function marked pl.incore}}
  // expected-error @+4 {{'pld.wait' op signal is memref<4x1xi64>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+3 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  // expected-error @+2 {{'pld.wait' op has 1 offsets, expected 2, one per dim [pld-104]}}
  // expected-note @+1 {{write 2 entries between the brackets}}
  pld.wait ge %v, %s[4] : memref<4x1xi64>
  return
}

// -----

func.func @barrier_breaks_all(%s: !pld.dtensor<4x1xf32>) attributes {pl.device} {
  // expected-error @+4 {{'pld.barrier' op stands in a pl.device function, expected pl.host or pl.incore [pld-103]}}
  // expected-note @+3 {{move it into a function marked pl.host or pl.incore}}
  // expected-error @+2 {{'pld.barrier' op signal has element type f32, expected i32 [pld-105]}}
  // expected-note @+1 {{allocate a window of i32 for signals}}
  pld.barrier %s : !pld.dtensor<4x1xf32>
  return
}
