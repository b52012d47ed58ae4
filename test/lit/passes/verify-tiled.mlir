// What is left of tensor-level code is named, with the pass that should have lowered it.
// RUN: pld-opt %s --pl-verify-tiled --split-input-file --verify-diagnostics

func.func @device(%x: memref<8x64xf32> {pl.inout}) attributes {pl.device} {
  // expected-error @+1 {{'pl.at' op is tensor-level code, expected --pl-outline-at to have lowered it}}
  pl.at core_group {
    // expected-error @+1 {{'pl.slice' op is tensor-level code, expected --pl-tile-tensors to have lowered it}}
    %v = pl.slice %x[0, 0] : memref<8x64xf32> -> tensor<8x64xf32>
    // expected-error @+1 {{'pl.exp' op is tensor-level code, expected --pl-tile-tensors}}
    %e = pl.exp %v : tensor<8x64xf32>
    // expected-error @+1 {{'pl.assemble' op is tensor-level code, expected --pl-tile-tensors}}
    pl.assemble %e, %x[0, 0] : tensor<8x64xf32>, memref<8x64xf32>
  }
  return
}

// -----

// Functions without a kind may hold tensors.
func.func @golden(%x: tensor<8x64xf32>) attributes {pl.golden} {
  return
}
