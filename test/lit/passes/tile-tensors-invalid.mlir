// What the tiling refuses, and where it says so.
// RUN: pld-opt %s --pl-outline-at --pl-tile-tensors=budget=32768 --split-input-file --verify-diagnostics
// RUN: not pld-opt %s --split-input-file --pl-tile-tensors=budget=none 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: option budget is 'none', expected a number of bytes above 0

// A value that is used behind a wait must be held whole.
func.func @held(%w: !pld.dtensor<256x64xf32>, %s: !pld.dtensor<1x1xi32>, %y: memref<256x64xf32> {pl.out}) attributes {pl.device} {
  %one = arith.constant 1 : i32
  pl.at core_group {
    // expected-error @+3 {{'pl.slice' op belongs to tensors that need 65536 bytes on-core at once with the smallest tiles, expected at most 32768 [pld-301]}}
    // expected-note @+2 {{alive at the peak: 256x64xf32, 65536 bytes}}
    // expected-note @+1 {{assemble it to memory of its own first}}
    %v = pl.slice %w[0, 0] : !pld.dtensor<256x64xf32> -> tensor<256x64xf32>
    pld.wait ge %one, %s[0, 0] : !pld.dtensor<1x1xi32>
    pl.assemble %v, %y[0, 0] : tensor<256x64xf32>, memref<256x64xf32>
  }
  return
}

// -----

// A reshape takes its operand whole.
func.func @reshape(%x: memref<256x64xf32>, %y: memref<64x256xf32> {pl.out}) attributes {pl.device} {
  pl.at core_group {
    // expected-note @+1 {{alive at the peak: 256x64xf32, 65536 bytes}}
    %v = pl.slice %x[0, 0] : memref<256x64xf32> -> tensor<256x64xf32>
    // expected-error @+3 {{'pl.reshape' op belongs to tensors that need 131072 bytes on-core}}
    // expected-note @+2 {{alive at the peak: 64x256xf32, 65536 bytes}}
    // expected-note @+1 {{slice memory of the other shape instead}}
    %r = pl.reshape %v : tensor<256x64xf32> -> tensor<64x256xf32>
    pl.assemble %r, %y[0, 0] : tensor<64x256xf32>, memref<64x256xf32>
  }
  return
}

// -----

// Two rows that one store moves onto each other, in memory that does not fit.
func.func @shift(%x: memref<512x64xf32> {pl.inout}) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+3 {{'pl.slice' op belongs to tensors that need}}
    // expected-note @+2 {{alive at the peak: 511x64xf32, 130816 bytes}}
    // expected-note @+1 {{assemble it to memory of its own first}}
    %v = pl.slice %x[0, 0] : memref<512x64xf32> -> tensor<511x64xf32>
    pl.assemble %v, %x[1, 0] : tensor<511x64xf32>, memref<512x64xf32>
  }
  return
}
