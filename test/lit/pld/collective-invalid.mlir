// What the verifier of the collectives refuses.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 101: memory ----------------------------------------------------===//

func.func @allreduce_memref(%x: memref<4x64xf32> {pl.inout}, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allreduce' op data is memref<4x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  pld.allreduce sum %x, %s : memref<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @broadcast_tile(%v: f32, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<4x64xf32>
  // expected-error @+2 {{'pld.broadcast' op data is !pl.tile<4x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  pld.broadcast %t, %s root 0 : !pl.tile<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @gather_into_memref(%x: memref<1x64xf32>, %y: memref<4x64xf32> {pl.out}, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allgather' op destination is memref<4x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  pld.allgather %x into %y, %s : memref<1x64xf32>, memref<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @exchange_scalar(%x: index, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all' op memory operand is index, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{a memref is a local array, a !pld.dtensor a view of a window buffer; a tensor is a value, not memory}}
  pld.all_to_all %x into %d, %s : index, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @signal_memref(%d: !pld.dtensor<4x64xf32>, %s: memref<4x1xi32> {pl.inout}) attributes {pl.incore} {
  // expected-error @+2 {{'pld.reduce_scatter' op signal is memref<4x1xi32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  pld.reduce_scatter sum %d, %s : !pld.dtensor<4x64xf32>, memref<4x1xi32>
  return
}

// -----

// Peers write the receive counts.
func.func @counts_memref(%x: memref<4x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>, %k: memref<4x1xi32>, %n: memref<4x1xi32> {pl.out}) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all_v' op receive counts is memref<4x1xi32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  pld.all_to_all_v %x into %d, %s counts %k, %n : memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi32>, memref<4x1xi32>
  return
}

//===--- 103: place -----------------------------------------------------===//
// -----

func.func @allreduce_on_device(%d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  // expected-error @+2 {{'pld.allreduce' op stands in a pl.device function, expected pl.host or pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.host or pl.incore}}
  pld.allreduce sum %d, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @broadcast_in_spmd(%d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>, %n: index) attributes {pl.device} {
  pl.spmd %n {
    // expected-error @+2 {{'pld.broadcast' op stands in a pl.device function, expected pl.host or pl.incore [pld-103]}}
    // expected-note @+1 {{move it into a function marked pl.host or pl.incore}}
    pld.broadcast %d, %s root 0 : !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  }
  return
}

// -----

func.func @gather_without_kind(%x: memref<1x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) {
  // expected-error @+2 {{'pld.allgather' op stands in a function without a kind, expected pl.host or pl.incore [pld-103]}}
  // expected-note @+1 {{move it into a function marked pl.host or pl.incore}}
  pld.allgather %x into %d, %s : memref<1x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

//===--- 103: signal ----------------------------------------------------===//
// -----

func.func @no_signal_in_core(%d: !pld.dtensor<4x64xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allreduce' op has no signal in an in-core function [pld-103]}}
  // expected-note @+1 {{pass a window of i32, one element per rank; only the host may leave it out}}
  pld.allreduce max %d : !pld.dtensor<4x64xf32>
  return
}

// -----

func.func @no_signal_in_at(%d: !pld.dtensor<4x64xf32>) attributes {pl.device} {
  pl.at core_group {
    // expected-error @+2 {{'pld.broadcast' op has no signal in an in-core function [pld-103]}}
    // expected-note @+1 {{pass a window of i32, one element per rank}}
    pld.broadcast %d root 0 : !pld.dtensor<4x64xf32>
  }
  return
}

// -----

func.func @no_signal_counts(%x: memref<4x64xf32>, %d: !pld.dtensor<4x64xf32>, %k: memref<4x1xi32>, %n: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all_v' op has no signal in an in-core function [pld-103]}}
  // expected-note @+1 {{pass a window of i32}}
  pld.all_to_all_v %x into %d counts %k, %n : memref<4x64xf32>, !pld.dtensor<4x64xf32> counts memref<4x1xi32>, !pld.dtensor<4x1xi32>
  return
}

//===--- 103: algorithm -------------------------------------------------===//
// -----

func.func @unknown_algorithm(%d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allreduce' op has the algorithm "tree", expected mesh, ring or auto [pld-103]}}
  // expected-note @+1 {{auto, the default, chooses by size}}
  pld.allreduce sum %d, %s {algorithm = "tree"} : !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @empty_algorithm(%d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allreduce' op has the algorithm "", expected mesh, ring or auto [pld-103]}}
  // expected-note @+1 {{auto, the default}}
  pld.allreduce sum %d, %s {algorithm = ""} : !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @upper_case_algorithm() attributes {pl.host} {
  %bd = pld.alloc_window_buffer [4, 64] of f32
  %bi = pld.alloc_window_buffer [4, 64] of i32
  %d = pld.window %bd : !pld.dtensor<4x64xf32>
  %i = pld.window %bi : !pld.dtensor<4x64xi32>
  %s = pld.window %bi : !pld.dtensor<4x1xi32>
  // expected-error @+2 {{'pld.allreduce' op has the algorithm "Ring", expected mesh, ring or auto [pld-103]}}
  // expected-note @+1 {{auto, the default}}
  pld.allreduce sum %d {algorithm = "Ring"} : !pld.dtensor<4x64xf32>
  return
}

//===--- 104: shapes ----------------------------------------------------===//
// -----

func.func @negative_root(%d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.broadcast' op has root -1, expected at least 0 [pld-104]}}
  // expected-note @+1 {{a root is a rank of the group}}
  pld.broadcast %d, %s root -1 : !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @chunk_of_rows(%x: memref<2x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allgather' op gathers 2x64 into 4x64, expected 1xS into nxS [pld-104]}}
  // expected-note @+1 {{the destination has a row of the chunk's length for each rank}}
  pld.allgather %x into %d, %s : memref<2x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @chunk_length(%x: memref<1x32xf32>, %d: !pld.dtensor<?x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allgather' op gathers 1x32 into ?x64, expected 1xS into nxS [pld-104]}}
  // expected-note @+1 {{the destination has a row of the chunk's length}}
  pld.allgather %x into %d, %s : memref<1x32xf32>, !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @chunk_rank(%x: memref<64xf32>, %d: !pld.dtensor<256xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allgather' op gathers 64 into 256, expected 1xS into nxS [pld-104]}}
  // expected-note @+1 {{the destination has a row}}
  pld.allgather %x into %d, %s : memref<64xf32>, !pld.dtensor<256xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @scatter_rank(%d: !pld.dtensor<256xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.reduce_scatter' op scatters 256, expected nxS [pld-104]}}
  // expected-note @+1 {{the data has one row per rank}}
  pld.reduce_scatter sum %d, %s : !pld.dtensor<256xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @exchange_shapes(%x: memref<4x32xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all' op exchanges 4x32 and 4x64, expected equal shapes of rank 2 [pld-104]}}
  // expected-note @+1 {{both have the rows of all ranks}}
  pld.all_to_all %x into %d, %s : memref<4x32xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @exchange_rank(%x: memref<1x4x64xf32>, %d: !pld.dtensor<1x4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all' op exchanges 1x4x64 and 1x4x64, expected equal shapes of rank 2 [pld-104]}}
  // expected-note @+1 {{both have the rows of all ranks}}
  pld.all_to_all %x into %d, %s : memref<1x4x64xf32>, !pld.dtensor<1x4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @exchange_rank_0(%x: memref<f32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all' op exchanges () and 4x64, expected equal shapes of rank 2 [pld-104]}}
  // expected-note @+1 {{both have the rows of all ranks}}
  pld.all_to_all %x into %d, %s : memref<f32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @counts_shape(%x: memref<4x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>, %k: memref<1x4xi32>, %n: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all_v' op send counts have shape 1x4, expected nx1 [pld-104]}}
  // expected-note @+1 {{one count per rank}}
  pld.all_to_all_v %x into %d, %s counts %k, %n : memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts memref<1x4xi32>, !pld.dtensor<4x1xi32>
  return
}

// -----

func.func @counts_rank(%x: memref<4x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>, %k: memref<4x1xi32>, %n: !pld.dtensor<4xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all_v' op receive counts have shape 4, expected nx1 [pld-104]}}
  // expected-note @+1 {{one count per rank}}
  pld.all_to_all_v %x into %d, %s counts %k, %n : memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi32>, !pld.dtensor<4xi32>
  return
}

//===--- 105: element types ---------------------------------------------===//
// -----

func.func @signal_element(%d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi64>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allreduce' op signal has element type i64, expected i32 [pld-105]}}
  // expected-note @+1 {{allocate a window of i32 for signals}}
  pld.allreduce sum %d, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi64>
  return
}

// -----

func.func @gather_element(%x: memref<1x64xf16>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allgather' op source has element type f16, expected f32 [pld-105]}}
  // expected-note @+1 {{a collective converts nothing}}
  pld.allgather %x into %d, %s : memref<1x64xf16>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @exchange_element(%x: !pld.dtensor<4x64xi32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all' op source has element type i32, expected f32 [pld-105]}}
  // expected-note @+1 {{a collective converts nothing}}
  pld.all_to_all %x into %d, %s : !pld.dtensor<4x64xi32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @counts_element(%x: memref<4x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>, %k: memref<4x1xi64>, %n: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all_v' op send counts have element type i64, expected i32 [pld-105]}}
  // expected-note @+1 {{counts are rows, as i32}}
  pld.all_to_all_v %x into %d, %s counts %k, %n : memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi64>, !pld.dtensor<4x1xi32>
  return
}

// -----

func.func @receive_element(%x: memref<4x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>, %k: memref<4x1xi32>, %n: !pld.dtensor<4x1xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all_v' op receive counts have element type f32, expected i32 [pld-105]}}
  // expected-note @+1 {{counts are rows, as i32}}
  pld.all_to_all_v %x into %d, %s counts %k, %n : memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi32>, !pld.dtensor<4x1xf32>
  return
}

//===--- 110: one buffer for two ----------------------------------------===//
// -----

// kind 110: in-core first
func.func @in_place_exchange(%d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all' op has one window buffer as source and destination, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.all_to_all %d into %d, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// For one rank both may have one shape.
func.func @in_place_gather(%d: !pld.dtensor<?x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allgather' op has one window buffer as source and destination, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.allgather %d into %d, %s : !pld.dtensor<?x64xf32>, !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @data_is_signal(%s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.allreduce' op has one window buffer as data and signal, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.allreduce sum %s, %s : !pld.dtensor<?x1xi32>, !pld.dtensor<?x1xi32>
  return
}

// -----

func.func @source_is_signal(%d: !pld.dtensor<4x1xi32>, %s: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all' op has one window buffer as source and signal, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.all_to_all %s into %d, %s : !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>
  return
}

// -----

func.func @counts_are_signal(%x: memref<4x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>, %k: memref<4x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all_v' op has one window buffer as signal and receive counts, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.all_to_all_v %x into %d, %s counts %k, %s : memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// kind 110: in-core last
func.func @counts_in_place(%x: memref<4x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>, %k: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  // expected-error @+2 {{'pld.all_to_all_v' op has one window buffer as send counts and receive counts, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.all_to_all_v %x into %d, %s counts %k, %k : memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32> counts !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>
  return
}

// -----

// Where a value stands for another, as a pass would find out.
func.func @selected(%d: !pld.dtensor<?x64xf32>, %s: !pld.dtensor<?x1xi32>, %c: i1) attributes {pl.incore} {
  %e = arith.select %c, %d, %d : !pld.dtensor<?x64xf32>
  // expected-error @+2 {{'pld.allgather' op has one window buffer as source and destination, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.allgather %d into %e, %s : !pld.dtensor<?x64xf32>, !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// kind 110: host
// On the host two views of one buffer are seen.
func.func @two_views() attributes {pl.host} {
  %bd = pld.alloc_window_buffer [4, 64] of f32
  %bi = pld.alloc_window_buffer [4, 64] of i32
  %d = pld.window %bd : !pld.dtensor<4x64xf32>
  %i = pld.window %bi : !pld.dtensor<4x64xi32>
  %s = pld.window %bi : !pld.dtensor<4x1xi32>
  // expected-error @+2 {{'pld.allreduce' op has one window buffer as data and signal, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.allreduce sum %i, %s : !pld.dtensor<4x64xi32>, !pld.dtensor<4x1xi32>
  return
}

// -----

func.func @two_views_exchanged() attributes {pl.host} {
  %bd = pld.alloc_window_buffer [4, 64] of f32
  %bi = pld.alloc_window_buffer [4, 64] of i32
  %d = pld.window %bd : !pld.dtensor<4x64xf32>
  %i = pld.window %bi : !pld.dtensor<4x64xi32>
  %s = pld.window %bi : !pld.dtensor<4x1xi32>
  %e = pld.window %bd : !pld.dtensor<4x64xf32>
  // expected-error @+2 {{'pld.all_to_all' op has one window buffer as source and destination, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.all_to_all %d into %e : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>
  return
}

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @allreduce_breaks_all(%d: !pld.dtensor<1x64xf32>) attributes {pl.device} {
  // expected-error @+8 {{'pld.allreduce' op stands in a pl.device function, expected pl.host or pl.incore [pld-103]}}
  // expected-note @+7 {{move it into a function marked pl.host or pl.incore}}
  // expected-error @+6 {{'pld.allreduce' op signal has element type f32, expected i32 [pld-105]}}
  // expected-note @+5 {{allocate a window of i32 for signals}}
  // expected-error @+4 {{'pld.allreduce' op has the algorithm "best", expected mesh, ring or auto [pld-103]}}
  // expected-note @+3 {{auto, the default, chooses by size}}
  // expected-error @+2 {{'pld.allreduce' op has one window buffer as data and signal, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.allreduce sum %d, %d {algorithm = "best"} : !pld.dtensor<1x64xf32>, !pld.dtensor<1x64xf32>
  return
}

// -----

func.func @broadcast_breaks_all(%x: memref<1x64xf32>) attributes {pl.incore} {
  // expected-error @+6 {{'pld.broadcast' op data is memref<1x64xf32>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+5 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  // expected-error @+4 {{'pld.broadcast' op has no signal in an in-core function [pld-103]}}
  // expected-note @+3 {{pass a window of i32, one element per rank; only the host may leave it out}}
  // expected-error @+2 {{'pld.broadcast' op has root -1, expected at least 0 [pld-104]}}
  // expected-note @+1 {{a root is a rank of the group}}
  pld.broadcast %x root -1 : memref<1x64xf32>
  return
}

// -----

func.func @all_to_all_v_breaks_all(%x: !pld.dtensor<4x64xf32>, %w: !pld.dtensor<8x64xf16>, %k: memref<4x2xi64>) attributes {pl.incore} {
  // expected-error @+15 {{'pld.all_to_all_v' op exchanges 4x64 and 8x64, expected equal shapes of rank 2 [pld-104]}}
  // expected-note @+14 {{both have the rows of all ranks}}
  // expected-error @+13 {{'pld.all_to_all_v' op source has element type f32, expected f16 [pld-105]}}
  // expected-note @+12 {{a collective converts nothing}}
  // expected-error @+11 {{'pld.all_to_all_v' op signal has element type f32, expected i32 [pld-105]}}
  // expected-note @+10 {{allocate a window of i32 for signals}}
  // expected-error @+9 {{'pld.all_to_all_v' op receive counts is memref<4x2xi64>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+8 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  // expected-error @+7 {{'pld.all_to_all_v' op send counts have element type i64, expected i32 [pld-105]}}
  // expected-note @+6 {{counts are rows, as i32}}
  // expected-error @+5 {{'pld.all_to_all_v' op send counts have shape 4x2, expected nx1 [pld-104]}}
  // expected-note @+4 {{one count per rank}}
  // expected-error @+3 {{'pld.all_to_all_v' op has one window buffer as source and signal, expected two [pld-110]}}
  // expected-note @+2 {{allocate a buffer of its own for each}}
  // expected-error @+1 {{'pld.all_to_all_v' op has one window buffer as send counts and receive counts, expected two [pld-110]}}
  pld.all_to_all_v %x into %w, %x counts %k, %k : !pld.dtensor<4x64xf32>, !pld.dtensor<8x64xf16>, !pld.dtensor<4x64xf32> counts memref<4x2xi64>, memref<4x2xi64>
  return
}

// -----

func.func @allgather_breaks_all(%w: !pld.dtensor<2x64xf32>, %x: memref<4x32xf16>) attributes {pl.incore} {
  // expected-error @+10 {{'pld.allgather' op destination is memref<4x32xf16>, expected a !pld.dtensor [pld-101]}}
  // expected-note @+9 {{only a window is visible to other ranks: pass a view of a window buffer (pld.window)}}
  // expected-error @+8 {{'pld.allgather' op gathers 2x64 into 4x32, expected 1xS into nxS [pld-104]}}
  // expected-note @+7 {{the destination has a row of the chunk's length for each rank}}
  // expected-error @+6 {{'pld.allgather' op source has element type f32, expected f16 [pld-105]}}
  // expected-note @+5 {{a collective converts nothing}}
  // expected-error @+4 {{'pld.allgather' op signal has element type f32, expected i32 [pld-105]}}
  // expected-note @+3 {{allocate a window of i32 for signals}}
  // expected-error @+2 {{'pld.allgather' op has one window buffer as source and signal, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.allgather %w into %x, %w : !pld.dtensor<2x64xf32>, memref<4x32xf16>, !pld.dtensor<2x64xf32>
  return
}
