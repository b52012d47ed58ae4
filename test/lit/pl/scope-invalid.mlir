// What the rules of place say of pl.at, pl.spmd, pl.block_idx, pl.block_num and
// pl.sync_blocks.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 103: pl.at -----------------------------------------------------===//

func.func @at_on_host() attributes {pl.host} {
  // expected-error @+2 {{'pl.at' op stands in a pl.host function, expected pl.device [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device}}
  pl.at core_group {
  }
  return
}

// -----

// kind 103: in-core
func.func @at_in_core() attributes {pl.incore} {
  // expected-error @+2 {{'pl.at' op stands in a pl.incore function, expected pl.device [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device}}
  pl.at core_group {
  }
  return
}

// -----

// kind 103: none
func.func @at_without_kind() {
  // expected-error @+2 {{'pl.at' op stands in a function without a kind, expected pl.device [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device}}
  pl.at core_group {
  }
  return
}

// -----

// kind 103: at
func.func @at_in_at() attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.at' op stands in a pl.at region, expected pl.device [pld-103]}}
    // expected-note @+1 {{move it into a function marked pl.device}}
    pl.at core_group {
    }
  }
  return
}

//===--- 103: what pl.at holds ------------------------------------------===//
// -----

// Its body counts as in-core, so what the device or the host does has no place.
func.func @spmd_in_at(%n: index) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.spmd' op stands in a pl.at region, expected pl.device [pld-103]}}
    // expected-note @+1 {{move it into a function marked pl.device}}
    pl.spmd %n {
    }
  }
  return
}

// -----

func.func @alloc_in_at() attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'memref.alloc' op may not stand in a pl.incore function [pld-103]}}
    // expected-note @+1 {{a pl.incore function holds pl and pld operations, scf, integer arith, memref.dim, calls of pl.incore functions}}
    %a = memref.alloc() : memref<8x8xf32>
  }
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @inner() attributes {pl.device} {
  return
}
func.func @device_call_in_at() attributes {pl.device} {
  pl.at core_group {
    // expected-error @+1 {{'func.call' op calls @inner from a pl.incore function, expected a call of a pl.incore function [pld-103]}}
    func.call @inner() : () -> ()
  }
  return
}

// -----

// Tensors are computed by our operations only.
func.func @upstream_tensor() attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'tensor.empty' op may not stand in a pl.incore function [pld-103]}}
    // expected-note @+1 {{a pl.incore function holds pl and pld operations}}
    %a = tensor.empty() : tensor<8x8xf32>
  }
  return
}

// -----

func.func @tile_in_at(%v: f32) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pl.full' op holds a tile in a pl.at region, where values are tensors [pld-103]}}
    // expected-note @+1 {{use pl.slice and pl.assemble, or a pl.incore function}}
    %t = pl.full %v : !pl.tile<8x8xf32>
  }
  return
}

// -----

// A tile from a peer, and one in a loop.
func.func @remote_tile_in_at(%w: !pld.dtensor<8x8xf32>, %n: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.at core_group {
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+2 {{'pld.remote_load' op holds a tile in a pl.at region, where values are tensors [pld-103]}}
      // expected-note @+1 {{use pl.slice and pl.assemble, or a pl.incore function}}
      %t = pld.remote_load %w[0, 0] from %i : !pld.dtensor<8x8xf32> -> !pl.tile<8x8xf32>
    }
  }
  return
}

// -----

func.func @dispatched() attributes {pl.device} {
  return
}
func.func @dispatch_in_at(%r: index) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pld.dispatch' op stands in a pl.at region, expected pl.host [pld-103]}}
    // expected-note @+1 {{move it into a function marked pl.host}}
    pld.dispatch @dispatched() on %r : ()
  }
  return
}

//===--- 109: floats in pl.at -------------------------------------------===//
// -----

// kind 109: at dynamic
func.func @float_in_at(%v: f32, %x: memref<8x8xf32> {pl.out}) attributes {pl.device} {
  // On the device the same is fine.
  %u = arith.addf %v, %v : f32
  pl.at core_group {
    // expected-error @+2 {{'arith.mulf' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
    // expected-note @+1 {{the AI core has none: keep index math in integers and cast only for tile operations}}
    %w = arith.mulf %u, %v : f32
  }
  return
}

// -----

func.func @float_compare_in_at(%v: f32) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'arith.cmpf' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
    // expected-note @+1 {{the AI core has none}}
    %c = arith.cmpf olt, %v, %v : f32
  }
  return
}

// -----

func.func @float_in_loop_in_at(%v: f32, %n: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.at core_group {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> (f32) {
      // expected-error @+2 {{'arith.addf' op is floating-point scalar arithmetic in a pl.incore function [pld-109]}}
      // expected-note @+1 {{the AI core has none}}
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
  }
  return
}

//===--- 103: pl.spmd ---------------------------------------------------===//
// -----

// kind 103: host
func.func @spmd_on_host(%n: index) attributes {pl.host} {
  // expected-error @+2 {{'pl.spmd' op stands in a pl.host function, expected pl.device [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device}}
  pl.spmd %n {
  }
  return
}

// -----

func.func @spmd_in_core(%n: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.spmd' op stands in a pl.incore function, expected pl.device [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device}}
  pl.spmd %n {
  }
  return
}

// -----

// kind 103: device
func.func @spmd_nested(%n: index) attributes {pl.device} {
  pl.spmd %n {
    // expected-error @+2 {{'pl.spmd' op stands in another pl.spmd, expected none around it [pld-103]}}
    // expected-note @+1 {{use one pl.spmd and split its blocks}}
    pl.spmd %n {
    }
  }
  return
}

// -----

// Not even deeper inside.
func.func @spmd_nested_deep(%n: index, %c: i1) attributes {pl.device} {
  pl.spmd %n {
    scf.if %c {
      // expected-error @+2 {{'pl.spmd' op stands in another pl.spmd, expected none around it [pld-103]}}
      // expected-note @+1 {{use one pl.spmd and split its blocks}}
      pl.spmd %n {
      }
    }
  }
  return
}

// -----

// Tile code stands in the function that the blocks call.
func.func @tiles_in_spmd(%n: index, %v: f32) attributes {pl.device} {
  pl.spmd %n {
    // expected-error @+2 {{'pl.full' op stands in a pl.device function, expected pl.incore [pld-103]}}
    // expected-note @+1 {{move it into a function marked pl.incore}}
    %t = pl.full %v : !pl.tile<8x8xf32>
  }
  return
}

//===--- 103: pl.block_idx, pl.block_num --------------------------------===//
// -----

func.func @block_outside() attributes {pl.device} {
  // expected-error @+2 {{'pl.block_idx' op stands outside of pl.spmd in a pl.device function [pld-103]}}
  // expected-note @+1 {{move it into the pl.spmd region, or into the pl.incore function}}
  %b = pl.block_idx
  return
}

// -----

// Before the region is not inside it.
func.func @block_before(%n: index, %c: i1) attributes {pl.device} {
  scf.if %c {
    // expected-error @+2 {{'pl.block_num' op stands outside of pl.spmd in a pl.device function [pld-103]}}
    // expected-note @+1 {{move it into the pl.spmd region, or into the pl.incore function}}
    %b = pl.block_num
    pl.spmd %n {
    }
  }
  return
}

// -----

func.func @block_on_host() attributes {pl.host} {
  // expected-error @+2 {{'pl.block_idx' op stands in a pl.host function, expected pl.device or pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device or pl.incore}}
  %b = pl.block_idx
  return
}

// -----

func.func @block_without_kind() {
  // expected-error @+2 {{'pl.block_num' op stands in a function without a kind, expected pl.device or pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.device or pl.incore}}
  %b = pl.block_num
  return
}

//===--- form -----------------------------------------------------------===//
// -----

func.func @level() attributes {pl.device} {
  // expected-error @+1 {{custom op 'pl.at' expected string or keyword containing one of the following enum values for attribute 'level' [core_group]}}
  pl.at block {
  }
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @spmd_breaks_all(%n: index) attributes {pl.device} {
  pl.spmd %n {
    pl.at core_group {
      // expected-error @+4 {{'pl.spmd' op stands in a pl.at region, expected pl.device [pld-103]}}
      // expected-note @+3 {{move it into a function marked pl.device}}
      // expected-error @+2 {{'pl.spmd' op stands in another pl.spmd, expected none around it [pld-103]}}
      // expected-note @+1 {{use one pl.spmd and split its blocks}}
      pl.spmd %n {
      }
    }
  }
  return
}

//===--- 103: pl.sync_blocks --------------------------------------------===//
// -----

// Blocks meet in what they run, not in what starts them.
func.func @sync_on_device(%n: index) attributes {pl.device} {
  pl.spmd %n {
    // expected-error @+2 {{'pl.sync_blocks' op stands in a pl.device function, expected pl.incore [pld-103]}}
    // expected-note @+1 {{move it into a function marked pl.incore}}
    pl.sync_blocks
  }
  return
}

// -----

func.func @sync_on_host() attributes {pl.host} {
  // expected-error @+2 {{'pl.sync_blocks' op stands in a pl.host function, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  pl.sync_blocks
  return
}

// -----

func.func @sync_without_kind() {
  // expected-error @+2 {{'pl.sync_blocks' op stands in a function without a kind, expected pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.incore}}
  pl.sync_blocks
  return
}
