// What the verifier of pld.dispatch refuses.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 101: arrays and windows confused ----------------------------------===//

// expected-note @+1 {{the callee is here}}
func.func @f(%data: !pld.dtensor<1x64xf32>) attributes {pl.device} { return }
func.func @array_as_window(%x: memref<1x64xf32>, %r: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.dispatch' op argument #0 of @f is memref<1x64xf32>, expected !pld.dtensor<1x64xf32> [pld-101]}}
  // expected-note @+1 {{pass a view of a window buffer (pld.window): a memref is local to its rank}}
  pld.dispatch @f(%x) on %r : (memref<1x64xf32>)
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @f(%i: index, %x: memref<1x64xf32>) attributes {pl.device} { return }
func.func @window_as_array(%r: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [1, 64] of f32
  %w = pld.window %b : !pld.dtensor<1x64xf32>
  // expected-error @+2 {{'pld.dispatch' op argument #1 of @f is !pld.dtensor<1x64xf32>, expected memref<1x64xf32> [pld-101]}}
  // expected-note @+1 {{make the parameter a !pld.dtensor: a window is no local array}}
  pld.dispatch @f(%r, %w) on %r : (index, !pld.dtensor<1x64xf32>)
  return
}

// -----

// Confused both ways at once, each is reported.
// expected-note @+1 {{the callee is here}}
func.func @f(%x: memref<4xi32>, %w: !pld.dtensor<4xi32>) attributes {pl.device} { return }
func.func @swapped(%x: memref<4xi32>, %r: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [4] of i32
  %w = pld.window %b : !pld.dtensor<4xi32>
  // expected-error @+4 {{'pld.dispatch' op argument #0 of @f is !pld.dtensor<4xi32>, expected memref<4xi32> [pld-101]}}
  // expected-note @+3 {{make the parameter a !pld.dtensor}}
  // expected-error @+2 {{'pld.dispatch' op argument #1 of @f is memref<4xi32>, expected !pld.dtensor<4xi32> [pld-101]}}
  // expected-note @+1 {{pass a view of a window buffer}}
  pld.dispatch @f(%w, %x) on %r : (!pld.dtensor<4xi32>, memref<4xi32>)
  return
}

//===--- 103: who dispatches whom ------------------------------------------===//
// -----

// expected-note @+1 {{the callee is here}}
func.func @core() attributes {pl.incore} { return }
func.func @of_in_core(%r: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.dispatch' op names @core, which is pl.incore, expected pl.device [pld-103]}}
  // expected-note @+1 {{call the pl.incore function from a pl.device function, and dispatch that}}
  pld.dispatch @core() on %r : ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @plain() { return }
func.func @of_no_kind(%r: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.dispatch' op names @plain, which has no kind, expected pl.device [pld-103]}}
  // expected-note @+1 {{call the pl.incore function from a pl.device function, and dispatch that}}
  pld.dispatch @plain() on %r : ()
  return
}

// -----

// Passes may change the signature of a private function.
// expected-note @+1 {{the callee is here}}
func.func private @hidden() attributes {pl.device} { return }
func.func @of_private(%r: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.dispatch' op names @hidden, which is private, expected a public function [pld-103]}}
  // expected-note @+1 {{remove 'private': passes may change a private function's signature}}
  pld.dispatch @hidden() on %r : ()
  return
}

// -----

func.func @f() attributes {pl.device} { return }
func.func @from_device(%r: index) attributes {pl.device} {
  // expected-error @+2 {{'pld.dispatch' op stands in a pl.device function, expected pl.host [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.host}}
  pld.dispatch @f() on %r : ()
  return
}

//===--- 108: inputs passed to be written ----------------------------------===//
// -----

func.func @f(%y: memref<4xf32> {pl.out}) attributes {pl.device} { return }
// kind 108: host first
func.func @input_as_output(%x: memref<4xf32>, %r: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.dispatch' op passes to parameter #0 of @f, which writes it, argument #0, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+1 {{mark argument #0 of the function {pl.out} or {pl.inout}}}
  pld.dispatch @f(%x) on %r : (memref<4xf32>)
  return
}

// -----

// A slice of an input is an input.
func.func @f(%k: i32, %y: memref<4xf32> {pl.inout}) attributes {pl.device} { return }
func.func @shard_as_output(%k: i32, %x: memref<?x4xf32> {pl.in}, %r: index) attributes {pl.host} {
  %xr = pl.shard %x[%r] : memref<?x4xf32> -> memref<4xf32>
  // expected-error @+2 {{'pld.dispatch' op passes to parameter #1 of @f, which writes it, argument #1, which is pl.in}}
  // expected-note @+1 {{mark argument #1 of the function}}
  pld.dispatch @f(%k, %xr) on %r : (i32, memref<4xf32>)
  return
}

// -----

// So is a cast of one, even of a slice.
func.func @f(%y: memref<?xf32> {pl.out}) attributes {pl.device} { return }
func.func @cast_as_output(%x: memref<?x4xf32>, %r: index) attributes {pl.host} {
  %xr = pl.shard %x[%r] : memref<?x4xf32> -> memref<4xf32>
  %xc = memref.cast %xr : memref<4xf32> to memref<?xf32>
  // expected-error @+2 {{'pld.dispatch' op passes to parameter #0 of @f, which writes it, argument #0, which is pl.in}}
  // expected-note @+1 {{mark argument #0 of the function}}
  pld.dispatch @f(%xc) on %r : (memref<?xf32>)
  return
}

//===--- 111: arguments ----------------------------------------------------===//
// -----

func.func @missing(%r: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.dispatch' op names @nowhere, which is no function of this module [pld-111]}}
  // expected-note @+1 {{dispatch a function marked pl.device}}
  pld.dispatch @nowhere() on %r : ()
  return
}

// -----

// A symbol that is no function.
memref.global "private" @f : memref<4xf32>
func.func @no_function(%r: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.dispatch' op names @f, which is no function of this module [pld-111]}}
  // expected-note @+1 {{dispatch a function marked pl.device}}
  pld.dispatch @f() on %r : ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @f(%i: index, %k: i32) attributes {pl.device} { return }
func.func @too_few(%r: index) attributes {pl.host} {
  // expected-error @+1 {{'pld.dispatch' op passes 1 arguments to @f, expected 2 [pld-111]}}
  pld.dispatch @f(%r) on %r : (index)
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @f() attributes {pl.device} { return }
func.func @too_many(%r: index) attributes {pl.host} {
  // expected-error @+1 {{'pld.dispatch' op passes 2 arguments to @f, expected 0 [pld-111]}}
  pld.dispatch @f(%r, %r) on %r : (index, index)
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @f(%x: memref<1x64xf32>) attributes {pl.device} { return }
// kind 111: host static
func.func @other_extent(%x: memref<1x32xf32>, %r: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.dispatch' op argument #0 of @f is memref<1x32xf32>, expected memref<1x64xf32> [pld-111]}}
  // expected-note @+1 {{make the types equal; memref.cast forgets or states an extent}}
  pld.dispatch @f(%x) on %r : (memref<1x32xf32>)
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @f(%w: !pld.dtensor<?x1xi32>) attributes {pl.device} { return }
// kind 111: host dynamic
func.func @other_window(%r: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [4, 1] of i32
  %w = pld.window %b : !pld.dtensor<4x1xi32>
  // expected-error @+2 {{'pld.dispatch' op argument #0 of @f is !pld.dtensor<4x1xi32>, expected !pld.dtensor<?x1xi32> [pld-111]}}
  // expected-note @+1 {{make the types equal}}
  pld.dispatch @f(%w) on %r : (!pld.dtensor<4x1xi32>)
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @f(%k: i32) attributes {pl.device} { return }
func.func @other_scalar(%r: index) attributes {pl.host} {
  // expected-error @+2 {{'pld.dispatch' op argument #0 of @f is index, expected i32 [pld-111]}}
  // expected-note @+1 {{make the types equal}}
  pld.dispatch @f(%r) on %r : (index)
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

// expected-note @+1 {{the callee is here}}
func.func @callee(%x: memref<4xf32> {pl.out}, %w: !pld.dtensor<4xf32>, %n: index) attributes {pl.incore} { return }
func.func @dispatch_breaks_all(%x: memref<4xf32>, %v: i32) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  // expected-error @+8 {{'pld.dispatch' op names @callee, which is pl.incore, expected pl.device [pld-103]}}
  // expected-note @+7 {{call the pl.incore function from a pl.device function, and dispatch that}}
  // expected-error @+6 {{'pld.dispatch' op passes to parameter #0 of @callee, which writes it, argument #0, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+5 {{mark argument #0 of the function {pl.out} or {pl.inout}}}
  // expected-error @+4 {{'pld.dispatch' op argument #1 of @callee is memref<4xf32>, expected !pld.dtensor<4xf32> [pld-101]}}
  // expected-note @+3 {{pass a view of a window buffer (pld.window): a memref is local to its rank}}
  // expected-error @+2 {{'pld.dispatch' op argument #2 of @callee is i32, expected index [pld-111]}}
  // expected-note @+1 {{make the types equal; memref.cast forgets or states an extent}}
  pld.dispatch @callee(%x, %x, %v) on %c0 : (memref<4xf32>, memref<4xf32>, i32)
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @called(%x: memref<4xf32> {pl.out}, %w: !pld.dtensor<4xf32>, %n: index) attributes {pl.device} { return }
func.func @call_breaks_all(%x: memref<4xf32>, %v: i32) attributes {pl.device} {
  // expected-error @+7 {{'func.call' op calls @called from a pl.device function, expected a call of a pl.incore function [pld-103]}}
  // expected-error @+6 {{'func.call' op passes to parameter #0 of @called, which writes it, argument #0, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+5 {{mark argument #0 of the function {pl.out} or {pl.inout}}}
  // expected-error @+4 {{'func.call' op argument #1 of @called is memref<4xf32>, expected !pld.dtensor<4xf32> [pld-101]}}
  // expected-note @+3 {{pass a view of a window buffer (pld.window): a memref is local to its rank}}
  // expected-error @+2 {{'func.call' op argument #2 of @called is i32, expected index [pld-111]}}
  // expected-note @+1 {{make the types equal; memref.cast forgets or states an extent}}
  func.call @called(%x, %x, %v) : (memref<4xf32>, memref<4xf32>, i32) -> ()
  return
}
