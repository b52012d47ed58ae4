// The lint on slices, put, get and collectives.
// RUN: pld-opt %s --pld-lint --split-input-file --verify-diagnostics

// 112: a slice and a put read their array, an assemble and a get write it.

func.func @written(%a: memref<8x64xf32> {pl.out}, %b: memref<8x64xf32> {pl.out}, %w: !pld.dtensor<8x64xf32>, %f: f32,
                   %peer: index) attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %f : tensor<8x64xf32>
    pl.assemble %t, %a[0, 0] : tensor<8x64xf32>, memref<8x64xf32>
    pld.get %w, %b from %peer : !pld.dtensor<8x64xf32>, memref<8x64xf32>
  }
  return
}

// -----

// expected-warning @+2 {{argument #0 is pl.out but never written [pld-112]}}
// expected-note @+1 {{store to it, pass it to a pl.out parameter, or remove it}}
func.func @sliced(%a: memref<8x64xf32> {pl.out}, %b: memref<8x64xf32> {pl.out}) attributes {pl.device} {
  pl.at core_group {
    %t = pl.slice %a[0, 0] : memref<8x64xf32> -> tensor<8x64xf32>
    pl.assemble %t, %b[0, 0] : tensor<8x64xf32>, memref<8x64xf32>
  }
  return
}

// -----

// kind 112: in-core first
// expected-warning @+2 {{argument #0 is pl.out but never written [pld-112]}}
// expected-note @+1 {{store to it}}
func.func @put(%a: memref<8x64xf32> {pl.out}, %w: !pld.dtensor<8x64xf32>, %peer: index) attributes {pl.incore} {
  pld.put %a, %w to %peer : memref<8x64xf32>, !pld.dtensor<8x64xf32>
  return
}

// -----

// expected-warning @+2 {{argument #0 is pl.out but never written [pld-112]}}
// expected-note @+1 {{store to it}}
func.func @gathered(%a: memref<1x64xf32> {pl.out}, %w: !pld.dtensor<?x64xf32>, %s: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  pld.allgather %a into %w, %s : memref<1x64xf32>, !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// 112: a collective on the host is a use of a buffer.

func.func @host() attributes {pl.host} {
  %b = pld.alloc_window_buffer [1, 64] of f32
  // expected-warning @+2 {{no view of the buffer reaches a dispatch or collective [pld-112]}}
  // expected-note @+1 {{pass a pld.window of it to a dispatch, or remove it}}
  %c = pld.alloc_window_buffer [1, 64] of f32
  %w = pld.window %b : !pld.dtensor<1x64xf32>
  %v = pld.window %c : !pld.dtensor<1x64xf32>
  pld.allreduce sum %w : !pld.dtensor<1x64xf32>
  return
}

// -----

// 113: a collective is a barrier for what was staged before it, and touches its own windows.

// kind 113: at static
// expected-note @+1 {{the window is an argument of this function}}
func.func @staged(%d: !pld.dtensor<64x64xf32>, %w: !pld.dtensor<64x64xf32>, %s: !pld.dtensor<?x1xi32>, %f: f32)
    attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %f : tensor<64x64xf32>
    pl.assemble %t, %d[0, 0] : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    // expected-warning @+2 {{stages a window before a barrier or wait, but no rank reads or writes a peer's slice of it [pld-113]}}
    // expected-note @+1 {{a local load sees the own slice only}}
    pl.assemble %t, %w[0, 0] : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    pld.allreduce sum %d, %s : !pld.dtensor<64x64xf32>, !pld.dtensor<?x1xi32>
    %u = pl.slice %w[0, 0] : !pld.dtensor<64x64xf32> -> tensor<64x64xf32>
    pl.assemble %u, %d[0, 0] : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
  }
  return
}

// -----

// A put, a get or a pushed tensor touches the peer's slice.

func.func @touched(%a: !pld.dtensor<64x64xf32>, %b: !pld.dtensor<64x64xf32>, %c: !pld.dtensor<64x64xf32>,
                   %x: memref<64x64xf32> {pl.inout}, %s: !pld.dtensor<?x1xi32>, %f: f32, %peer: index)
    attributes {pl.device} {
  pl.at core_group {
    %t = pl.full %f : tensor<64x64xf32>
    pl.assemble %t, %a[0, 0] : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    pl.assemble %t, %b[0, 0] : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    pl.assemble %t, %c[0, 0] : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
    pld.barrier %s : !pld.dtensor<?x1xi32>
    pld.put %x, %a to %peer : memref<64x64xf32>, !pld.dtensor<64x64xf32>
    pld.get %b, %x from %peer : !pld.dtensor<64x64xf32>, memref<64x64xf32>
    pld.remote_store %t, %c[0, 0] to %peer : tensor<64x64xf32>, !pld.dtensor<64x64xf32>
  }
  return
}

// -----

// 104: a region of tensors always runs, a block maybe not.

// kind 104: at dynamic first
func.func @constant_in_at(%x: memref<64x64xf32>) attributes {pl.device} {
  %c60 = arith.constant 60 : index
  pl.at core_group {
    // expected-error @+2 {{'pl.slice' op accesses 60 to 68 of dim 0, expected at most 64 [pld-104]}}
    // expected-note @+1 {{move the offset}}
    %a = pl.slice %x[%c60, 0] : memref<64x64xf32> -> tensor<8x64xf32>
  }
  return
}

// -----

func.func @constant_in_spmd(%x: memref<64x64xf32>, %n: index) attributes {pl.device} {
  %c60 = arith.constant 60 : index
  pl.spmd %n {
    pl.at core_group {
      %a = pl.slice %x[%c60, 0] : memref<64x64xf32> -> tensor<8x64xf32>
    }
  }
  return
}
