// What is refused, and by whom it should have been lowered.

// RUN: pld-opt %s --pl-cpu-plan --pl-cpu-emit --split-input-file --verify-diagnostics

// A pass was left out.
func.func @barrier(%s: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  // expected-error @below {{'pld.barrier' op is left for the CPU, expected --pld-lower-collectives to have lowered it}}
  pld.barrier %s : !pld.dtensor<4x1xi32>
  return
}

// -----

// A program cannot take a function of the runtime's.
// expected-error @below {{symbol @pld_rt_load has a name of the runtime, which keeps pld_rt_*}}
// expected-note @below {{rename it}}
func.func private @pld_rt_load(i64)

// -----

// expected-error @below {{argument #0 is i128, expected a memref of identity layout, a window or a scalar of at most 64 bits}}
// expected-note @below {{change its type}}
func.func @wide(%x: i128) attributes {pl.golden} {
  return
}

// -----

// expected-error @below {{a golden has no body, expected one}}
// expected-note @below {{define it in this module}}
func.func private @nothing(memref<4xf32>) attributes {pl.golden}

// -----

// Each tile can be counted, both together cannot.
// expected-error @below {{tiles of this function have more bytes than 64 bits can count}}
// expected-note @below {{use smaller tiles}}
func.func @huge(%w: !pld.dtensor<1x1xf32>, %p: index) attributes {pl.incore} {
  %t = pld.remote_load %w[0, 0] valid [1, 1] from %p : !pld.dtensor<1x1xf32> -> !pl.tile<1000000000x2000000000xf32>
  %u = pld.remote_load %w[0, 0] valid [1, 1] from %p : !pld.dtensor<1x1xf32> -> !pl.tile<1000000000x2000000000xf32>
  %v = pl.add %t, %u : !pl.tile<1000000000x2000000000xf32>
  return
}
