// What is refused of functions of a kind: attributes, boundaries, upstream operations, calls.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 103: kinds --------------------------------------------------------===//

// expected-error @+2 {{'func.func' op is both pl.host and pl.device [pld-103]}}
// expected-note @+1 {{keep one kind}}
func.func @two_kinds() attributes {pl.device, pl.host} { return }

// -----

// expected-error @+2 {{'func.func' op is both pl.host and pl.device [pld-103]}}
// expected-note @+1 {{keep one kind}}
func.func @three_kinds() attributes {pl.device, pl.host, pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op attribute 'pl.incore' is true, expected no value [pld-103]}}
// expected-note @+1 {{write the name alone}}
func.func @kind_with_value() attributes {pl.incore = true} { return }

// -----

// expected-error @+2 {{'builtin.module' op has the attribute 'pl.host', expected it on func.func only [pld-103]}}
// expected-note @+1 {{remove it}}
module attributes {pl.host} {}

// -----

// expected-error @+2 {{'func.func' op is a pl.incore function without a body [pld-103]}}
// expected-note @+1 {{write its body: nothing is linked to it later}}
func.func private @no_body(memref<4xf32>) attributes {pl.incore}

//===--- 103: attributes ---------------------------------------------------===//
// -----

// expected-error @+2 {{'func.func' op has the unknown attribute 'pl.kernel' [pld-103]}}
// expected-note @+1 {{known: pl.host, pl.device, pl.incore, pl.golden, pl.rtol, pl.atol, pld.world_sizes}}
func.func @unknown() attributes {pl.kernel} { return }

// -----

func.func @unknown_on_operation(%x: memref<8x8xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op has the unknown attribute 'pld.hint' [pld-103]}}
  // expected-note @+1 {{known: pl.host}}
  %t = pl.load %x[0, 0] {pld.hint = 1} : memref<8x8xf32> -> !pl.tile<8x8xf32>
  return
}

// -----

// On operations of other dialects too.
func.func @unknown_on_upstream() {
  // expected-error @+2 {{'arith.constant' op has the unknown attribute 'pl.unit' [pld-103]}}
  // expected-note @+1 {{known: pl.host}}
  %c = arith.constant {pl.unit} 0 : index
  return
}

// -----

// kind 103: in-core last
// expected-error @+2 {{'func.func' op argument #1 has the unknown attribute 'pl.output' [pld-103]}}
// expected-note @+1 {{known: pl.in, pl.out, pl.inout, pl.arg}}
func.func @unknown_on_argument(%i: index, %x: memref<4xf32> {pl.output}) attributes {pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 has the unknown attribute 'pld.out' [pld-103]}}
// expected-note @+1 {{known: pl.in, pl.out, pl.inout, pl.arg}}
func.func @unknown_of_other_dialect(%x: memref<4xf32> {pld.out}) attributes {pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op result #0 has the unknown attribute 'pl.out' [pld-103]}}
// expected-note @+1 {{attributes of ours stand on functions and arguments: remove it}}
func.func @on_result(%i: index) -> (index {pl.out}) attributes {pl.incore} { return %i : index }

// -----

// expected-error @+2 {{'func.func' op argument #0 is both pl.in and pl.out [pld-103]}}
// expected-note @+1 {{keep one direction}}
func.func @two_directions(%x: memref<4xf32> {pl.in, pl.out}) attributes {pl.incore} { return }

// -----

// kind 103: in-core first
// expected-error @+2 {{'func.func' op argument #0 is pl.out, expected a direction on a memref only [pld-103]}}
// expected-note @+1 {{remove it}}
func.func @direction_of_window(%w: !pld.dtensor<4xf32> {pl.out}) attributes {pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 is pl.inout, expected a direction on a memref only [pld-103]}}
// expected-note @+1 {{remove it}}
func.func @direction_of_scalar(%i: index {pl.inout}) attributes {pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 has pl.out = 1 : i64, expected no value [pld-103]}}
// expected-note @+1 {{write the name alone}}
func.func @direction_with_value(%x: memref<4xf32> {pl.out = 1}) attributes {pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 has pl.arg = 3 : i64, expected a string [pld-103]}}
// expected-note @+1 {{write for example pl.arg = "ramp"}}
func.func @fill(%x: memref<4xf32> {pl.arg = 3}) attributes {pl.host} { return }

// -----

// expected-error @+2 {{'func.func' op attribute 'pld.world_sizes' is array<i64: 2, 0>, expected world sizes of at least 1 [pld-103]}}
// expected-note @+1 {{write for example pld.world_sizes = array<i64: 2, 4>}}
func.func @size_zero() attributes {pl.host, pld.world_sizes = array<i64: 2, 0>} { return }

// -----

// expected-error @+2 {{'func.func' op attribute 'pld.world_sizes' is array<i64>, expected world sizes of at least 1 [pld-103]}}
// expected-note @+1 {{write for example}}
func.func @no_sizes() attributes {pl.host, pld.world_sizes = array<i64>} { return }

// -----

// expected-error @+2 {{'func.func' op attribute 'pld.world_sizes' is [2, 4], expected world sizes of at least 1 [pld-103]}}
// expected-note @+1 {{write for example}}
func.func @sizes_as_list() attributes {pl.host, pld.world_sizes = [2, 4]} { return }

// -----

// expected-error @+2 {{'func.func' op has the attribute 'pld.world_sizes', expected it on a pl.host function [pld-103]}}
// expected-note @+1 {{move it there}}
func.func @sizes_of_device() attributes {pl.device, pld.world_sizes = array<i64: 2>} { return }

// -----

// expected-error @+2 {{'func.func' op attribute 'pl.golden' is "main", expected no value or the entry's @name [pld-103]}}
// expected-note @+1 {{write pl.golden or pl.golden = @entry}}
func.func @golden_by_string() attributes {pl.golden = "main"} { return }

// -----

// A golden is computed by upstream operations, so it has no kind.
// expected-error @+2 {{'func.func' op has the attribute 'pl.golden', expected it on a function without a kind [pld-103]}}
// expected-note @+1 {{write the golden as a function of its own, in upstream operations}}
func.func @golden_of_a_kind() attributes {pl.golden, pl.host} { return }

// -----

// expected-error @+2 {{'func.func' op attribute 'pl.rtol' is 1 : i64, expected a float [pld-103]}}
// expected-note @+1 {{write for example pl.rtol = 1.0e-5}}
func.func @tolerance() attributes {pl.golden, pl.rtol = 1} { return }

//===--- boundaries --------------------------------------------------------===//
// -----

// expected-error @+2 {{'func.func' op argument #0 is !pl.tile<8x64xf32>, expected a memref, a window or a scalar (index, i1 to i64, f32, f16, bf16) [pld-103]}}
// expected-note @+1 {{tiles and tensors do not cross function boundaries: pass memory}}
func.func @tile_argument(%t: !pl.tile<8x64xf32>) attributes {pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op argument #1 is tensor<8x64xf32>, expected a memref, a window or a scalar}}
// expected-note @+1 {{tiles and tensors do not cross}}
func.func @tensor_argument(%i: index, %t: tensor<8x64xf32>) attributes {pl.device} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 is !pld.window_buffer, expected a memref, a window or a scalar}}
// expected-note @+1 {{tiles and tensors do not cross}}
func.func @buffer_argument(%b: !pld.window_buffer) attributes {pl.device} { return }

// -----

// Scalars are those that a tile can hold, and index.
// expected-error @+2 {{'func.func' op argument #0 is f64, expected a memref, a window or a scalar}}
// expected-note @+1 {{tiles and tensors do not cross}}
func.func @wide_scalar(%f: f64) attributes {pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 is i24, expected a memref, a window or a scalar}}
// expected-note @+1 {{tiles and tensors do not cross}}
func.func @odd_scalar(%k: i24) attributes {pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 is memref<8x64xf32, strided<[128, 1]>>, expected identity layout and no memory space [pld-103]}}
// expected-note @+1 {{use a memref without a layout or memory space}}
func.func @strided_argument(%x: memref<8x64xf32, strided<[128, 1]>>) attributes {pl.incore} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 is memref<8x64xf32, 1>, expected identity layout and no memory space [pld-103]}}
// expected-note @+1 {{use a memref without a layout or memory space}}
func.func @spaced_argument(%x: memref<8x64xf32, 1>) attributes {pl.host} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 is memref<8x64xf64>, expected elements of f32, f16, bf16, i8, i16, i32, i64 or i1 [pld-105]}}
// expected-note @+1 {{choose an element type a tile can hold}}
func.func @element_argument(%x: memref<8x64xf64>) attributes {pl.host} { return }

// -----

// expected-error @+2 {{'func.func' op argument #0 is memref<9223372036854775807x2xf32>, expected no more bytes than 64 bits can count [pld-104]}}
// expected-note @+1 {{use smaller extents}}
func.func @huge_argument(%x: memref<9223372036854775807x2xf32>) attributes {pl.host} { return }

// -----

// expected-error @+2 {{'func.func' op returns a value from a pl.host function [pld-103]}}
// expected-note @+1 {{write results to pl.out arguments}}
func.func @host_result(%i: index) -> index attributes {pl.host} { return %i : index }

// -----

// expected-error @+2 {{'func.func' op returns a value from a pl.device function [pld-103]}}
// expected-note @+1 {{write results to pl.out arguments}}
func.func @device_result(%i: index) -> index attributes {pl.device} { return %i : index }

// -----

// expected-error @+2 {{'func.func' op result #1 is memref<4xf32>, expected a scalar [pld-103]}}
// expected-note @+1 {{write results to pl.out arguments}}
func.func @core_result(%i: index, %x: memref<4xf32>) -> (index, memref<4xf32>) attributes {pl.incore} {
  return %i, %x : index, memref<4xf32>
}

//===--- 103: upstream operations ------------------------------------------===//
// -----

// The host moves no data.
func.func @load_on_host(%x: memref<4xf32>, %i: index) attributes {pl.host} {
  // expected-error @+2 {{'memref.load' op may not stand in a pl.host function [pld-103]}}
  // expected-note @+1 {{a pl.host function holds pl and pld operations, scf, arith, memref.dim/cast/alloc}}
  %v = memref.load %x[%i] : memref<4xf32>
  return
}

// -----

func.func @store_on_device(%x: memref<4xf32> {pl.out}, %v: f32, %i: index) attributes {pl.device} {
  // expected-error @+2 {{'memref.store' op may not stand in a pl.device function [pld-103]}}
  // expected-note @+1 {{a pl.device function holds pl and pld operations, scf, arith, memref.dim/cast/alloc, calls of pl.incore functions}}
  memref.store %v, %x[%i] : memref<4xf32>
  return
}

// -----

func.func @alloc_in_core() attributes {pl.incore} {
  // expected-error @+2 {{'memref.alloc' op may not stand in a pl.incore function [pld-103]}}
  // expected-note @+1 {{a pl.incore function holds pl and pld operations, scf, integer arith, memref.dim, calls of pl.incore functions}}
  %x = memref.alloc() : memref<4xf32>
  return
}

// -----

// Ranks are what runs in parallel.
func.func @parallel(%n: index) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+2 {{'scf.parallel' op may not stand in a pl.host function [pld-103]}}
  // expected-note @+1 {{a pl.host function holds}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @+2 {{'scf.reduce' op may not stand in a pl.host function [pld-103]}}
    // expected-note @+1 {{a pl.host function holds}}
    scf.reduce
  }
  return
}

// -----

func.func @branches(%c: i1) attributes {pl.incore} {
  // expected-error @+2 {{'cf.cond_br' op may not stand in a pl.incore function [pld-103]}}
  // expected-note @+1 {{a pl.incore function holds}}
  cf.cond_br %c, ^a, ^a
^a:
  return
}

// -----

// Scalars only: a tensor is computed by pl operations.
func.func @tensor_arithmetic() attributes {pl.incore} {
  // expected-error @+2 {{'arith.constant' op computes on tensor<2x2xf32>, expected scalars [pld-103]}}
  // expected-note @+1 {{tiles are computed by pl operations; pl.full makes one of a scalar}}
  %t = arith.constant dense<1.0> : tensor<2x2xf32>
  return
}

// -----

func.func @vector_arithmetic() attributes {pl.device} {
  %v = ub.poison : vector<4xi32>
  // expected-error @+2 {{'arith.addi' op computes on vector<4xi32>, expected scalars [pld-103]}}
  // expected-note @+1 {{tiles are computed by pl operations}}
  %w = arith.addi %v, %v : vector<4xi32>
  return
}

//===--- 109: float scalars on the AI core ---------------------------------===//
// -----

// kind 109: in-core dynamic
func.func @add(%a: f32) attributes {pl.incore} {
  // expected-error @+2 {{'arith.addf' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
  // expected-note @+1 {{the AI core has none: keep index math in integers and cast only for tile operations}}
  %b = arith.addf %a, %a : f32
  return
}

// -----

// Comparing is arithmetic.
func.func @compare(%a: f16) attributes {pl.incore} {
  // expected-error @+2 {{'arith.cmpf' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
  // expected-note @+1 {{the AI core has none}}
  %b = arith.cmpf olt, %a, %a : f16
  return
}

// -----

// So is going back to an integer, and to another float.
func.func @back(%k: i32) attributes {pl.incore} {
  %f = arith.sitofp %k : i32 to f32
  // expected-error @+2 {{'arith.fptosi' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
  // expected-note @+1 {{the AI core has none}}
  %b = arith.fptosi %f : f32 to i32
  return
}

// -----

func.func @widen(%a: bf16) attributes {pl.incore} {
  // expected-error @+2 {{'arith.extf' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
  // expected-note @+1 {{the AI core has none}}
  %b = arith.extf %a : bf16 to f32
  return
}

// -----

func.func @math(%a: f32) attributes {pl.incore} {
  // expected-error @+2 {{'math.sqrt' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
  // expected-note @+1 {{the AI core has none}}
  %b = math.sqrt %a : f32
  return
}

// -----

// kind 109: in-core static
// In any region of the function, and of any width.
func.func @nested(%c: i1) attributes {pl.incore} {
  scf.if %c {
    %a = arith.constant 1.0 : f64
    // expected-error @+2 {{'arith.mulf' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
    // expected-note @+1 {{the AI core has none}}
    %b = arith.mulf %a, %a : f64
  }
  return
}

// -----

// The peer, computed in floats: the mistake that the rule is about.
func.func @peer_by_float(%w: !pld.dtensor<1x64xf32>) attributes {pl.incore} {
  %one = arith.constant 1.0 : f32
  %ctx = pld.get_comm_ctx %w : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %k = arith.index_cast %me : index to i32
  %f = arith.sitofp %k : i32 to f32
  // expected-error @+2 {{'arith.addf' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
  // expected-note @+1 {{keep index math in integers}}
  %next = arith.addf %f, %one : f32
  return
}

//===--- calls -------------------------------------------------------------===//
// -----

// expected-note @+1 {{the callee is here}}
func.func @core() attributes {pl.incore} { return }
func.func @host_calls_core() attributes {pl.host} {
  // expected-error @+1 {{'func.call' op calls @core from a pl.host function, expected pld.dispatch of a pl.device function [pld-103]}}
  call @core() : () -> ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @device() attributes {pl.device} { return }
func.func @core_calls_device() attributes {pl.incore} {
  // expected-error @+1 {{'func.call' op calls @device from a pl.incore function, expected a call of a pl.incore function [pld-103]}}
  call @device() : () -> ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @plain() { return }
func.func @device_calls_plain() attributes {pl.device} {
  // expected-error @+1 {{'func.call' op calls @plain from a pl.device function, expected a call of a pl.incore function [pld-103]}}
  call @plain() : () -> ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @core(%w: !pld.dtensor<4xf32>) attributes {pl.incore} { return }
func.func @array_as_window(%x: memref<4xf32>) attributes {pl.device} {
  // expected-error @+2 {{'func.call' op argument #0 of @core is memref<4xf32>, expected !pld.dtensor<4xf32> [pld-101]}}
  // expected-note @+1 {{pass a view of a window buffer (pld.window): a memref is local to its rank}}
  call @core(%x) : (memref<4xf32>) -> ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @core(%x: memref<4xf32>) attributes {pl.incore} { return }
func.func @window_as_array(%w: !pld.dtensor<4xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'func.call' op argument #0 of @core is !pld.dtensor<4xf32>, expected memref<4xf32> [pld-101]}}
  // expected-note @+1 {{make the parameter a !pld.dtensor: a window is no local array}}
  call @core(%w) : (!pld.dtensor<4xf32>) -> ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @core(%i: index) attributes {pl.incore} { return }
// kind 111: device
func.func @too_few() attributes {pl.device} {
  // expected-error @+1 {{'func.call' op passes 0 arguments to @core, expected 1 [pld-111]}}
  call @core() : () -> ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @core(%x: memref<?xf32>) attributes {pl.incore} { return }
func.func @other_extent(%x: memref<4xf32>) attributes {pl.device} {
  // expected-error @+2 {{'func.call' op argument #0 of @core is memref<4xf32>, expected memref<?xf32> [pld-111]}}
  // expected-note @+1 {{make the types equal; memref.cast forgets or states an extent}}
  call @core(%x) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @core(%y: memref<4xf32> {pl.out}) attributes {pl.incore} { return }
// kind 108: device first
func.func @input_as_output(%x: memref<4xf32>) attributes {pl.device} {
  // expected-error @+2 {{'func.call' op passes to parameter #0 of @core, which writes it, argument #0, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+1 {{mark argument #0 of the function {pl.out} or {pl.inout}}}
  call @core(%x) : (memref<4xf32>) -> ()
  return
}

// -----

// Through helpers the direction is handed on.
func.func @inner(%y: memref<4xf32> {pl.inout}) attributes {pl.incore} { return }
func.func @outer(%i: index, %x: memref<4xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'func.call' op passes to parameter #0 of @inner, which writes it, argument #1, which is pl.in}}
  // expected-note @+1 {{mark argument #1}}
  call @inner(%x) : (memref<4xf32>) -> ()
  return
}

// -----

// A helper calls like a device function does, and each argument counts.
// expected-note @+1 {{the callee is here}}
func.func @core(%x: memref<4xf32>, %i: index) attributes {pl.incore} { return }
// kind 111: in-core static first
func.func @other_first(%x: memref<8xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'func.call' op argument #0 of @core is memref<8xf32>, expected memref<4xf32> [pld-111]}}
  // expected-note @+1 {{make the types equal}}
  call @core(%x, %i) : (memref<8xf32>, index) -> ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @core(%x: memref<4xf32>, %i: index) attributes {pl.incore} { return }
// kind 111: in-core static last
func.func @other_last(%x: memref<4xf32>, %k: i32) attributes {pl.incore} {
  // expected-error @+2 {{'func.call' op argument #1 of @core is i32, expected index [pld-111]}}
  // expected-note @+1 {{make the types equal}}
  call @core(%x, %k) : (memref<4xf32>, i32) -> ()
  return
}

// -----

// A function that is not there is upstream's own error.
func.func @missing() attributes {pl.device} {
  // expected-error @+1 {{'func.call' op 'nowhere' does not reference a valid function}}
  call @nowhere() : () -> ()
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

// expected-error @+9 {{'func.func' op argument #0 is !pl.tile<8x8xf32>, expected a memref, a window or a scalar (index, i1 to i64, f32, f16, bf16) [pld-103]}}
// expected-note @+8 {{tiles and tensors do not cross function boundaries: pass memory}}
// expected-error @+7 {{'func.func' op argument #1 is f64, expected a memref, a window or a scalar (index, i1 to i64, f32, f16, bf16) [pld-103]}}
// expected-error @+6 {{'func.func' op argument #2 is memref<8x8xf32, strided<[16, 1]>>, expected identity layout and no memory space [pld-103]}}
// expected-note @+5 {{use a memref without a layout or memory space}}
// expected-error @+4 {{'func.func' op argument #3 is memref<8xf64>, expected elements of f32, f16, bf16, i8, i16, i32, i64 or i1 [pld-105]}}
// expected-note @+3 {{choose an element type a tile can hold}}
// expected-error @+2 {{'func.func' op returns a value from a pl.device function [pld-103]}}
// expected-note @+1 {{write results to pl.out arguments}}
func.func @boundary_breaks_all(%t: !pl.tile<8x8xf32>, %u: f64, %l: memref<8x8xf32, strided<[16, 1]>>, %d: memref<8xf64>) -> index attributes {pl.device} {
  %c = arith.constant 0 : index
  return %c : index
}

// -----

// expected-error @+4 {{'func.func' op attribute 'pld.world_sizes' is array<i64: 0>, expected world sizes of at least 1 [pld-103]}}
// expected-note @+3 {{write for example pld.world_sizes = array<i64: 2, 4>}}
// expected-error @+2 {{'func.func' op has the attribute 'pld.world_sizes', expected it on a pl.host function [pld-103]}}
// expected-note @+1 {{move it there}}
func.func @sizes_break_all() attributes {pl.device, pld.world_sizes = array<i64: 0>} {
  return
}

//===--- dims of memrefs -----------------------------------------------------===//
// -----

func.func @dim_of_no_dim(%x: memref<?x4xf32>) attributes {pl.device} {
  %c2 = arith.constant 2 : index
  // expected-error @+2 {{'memref.dim' op asks for dim 2, expected 0 to 1 [pld-104]}}
  // expected-note @+1 {{dims count from 0}}
  %d = memref.dim %x, %c2 : memref<?x4xf32>
  return
}

// -----

func.func @dim_below_0(%x: memref<?x4xf32>) attributes {pl.host} {
  %c = arith.constant -1 : index
  // expected-error @+2 {{'memref.dim' op asks for dim -1, expected 0 to 1 [pld-104]}}
  // expected-note @+1 {{dims count from 0}}
  %d = memref.dim %x, %c : memref<?x4xf32>
  return
}

// -----

func.func @dim_in_core(%x: memref<4xf32>, %y: memref<4xf32>, %i: index) attributes {pl.incore} {
  %fine = memref.dim %y, %i : memref<4xf32>
  %c1 = arith.constant 1 : index
  // expected-error @+2 {{'memref.dim' op asks for dim 1, expected 0 to 0 [pld-104]}}
  // expected-note @+1 {{dims count from 0}}
  %d = memref.dim %x, %c1 : memref<4xf32>
  return
}
