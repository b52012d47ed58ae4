// RUN: pld-opt %s --pl-verify-target --split-input-file --verify-diagnostics

// The vector unit computes at most 32 bits.
func.func @wide(%a: memref<4x8xi64>, %y: memref<4x8xi64> {pl.out}) attributes {pl.incore} {
  %t = pl.load %a[0, 0] : memref<4x8xi64> -> !pl.tile<4x8xi64>
  // expected-error@+2 {{'pl.add' op works on i16, f16, i32 and f32, not on i64 on a2a3 [pld-303]}}
  // expected-note@+1 {{use i32 tiles}}
  %u = pl.add %t, %t : !pl.tile<4x8xi64>
  pl.store %u, %y[0, 0] : !pl.tile<4x8xi64>, memref<4x8xi64>
  return
}

// -----

// A quotient of 32 bits is not exact in f32; one of 16 bits is.
func.func @quotient(%a: memref<4x8xi32>, %b: memref<4x8xi16>, %s: i32) attributes {pl.incore} {
  %t = pl.load %a[0, 0] : memref<4x8xi32> -> !pl.tile<4x8xi32>
  %u = pl.load %b[0, 0] : memref<4x8xi16> -> !pl.tile<4x8xi16>
  // expected-error@+2 {{'pl.div' op works on f16 and f32, not on i32 on a2a3 [pld-303]}}
  // expected-note@+1 {{compute in f16 and f32}}
  %q = pl.div %t, %t : !pl.tile<4x8xi32>
  // expected-error@+2 {{'pl.divs' op works on f16 and f32, not on i32 on a2a3 [pld-303]}}
  // expected-note@+1 {{compute in f16 and f32}}
  %r = pl.divs %t, %s : !pl.tile<4x8xi32>, i32
  %v = pl.div %u, %u : !pl.tile<4x8xi16>
  return
}

// -----

// Of i64 there are bits only: what compares, shifts or negates is refused, what chooses is not.
func.func @wide_bits(%a: memref<4x8xi64>, %b: i1) attributes {pl.incore} {
  %m = pl.full %b : !pl.tile<4x8xi1>
  %t = pl.load %a[0, 0] : memref<4x8xi64> -> !pl.tile<4x8xi64>
  %x = pl.xor %t, %t : !pl.tile<4x8xi64>
  %y = pl.select %m, %x, %t : !pl.tile<4x8xi1>, !pl.tile<4x8xi64>
  // expected-error@+2 {{'pl.shr' op works on i16 and i32, not on i64 on a2a3 [pld-303]}}
  // expected-note@+1 {{use i32 tiles}}
  %s = pl.shr %t, %y : !pl.tile<4x8xi64>
  // expected-error@+2 {{'pl.cmp' op works on i16, f16, i32 and f32, not on i64 on a2a3 [pld-303]}}
  // expected-note@+1 {{use i32 tiles}}
  %c = pl.cmp lt, %t, %y : !pl.tile<4x8xi64> -> !pl.tile<4x8xi1>
  // expected-error@+2 {{'pl.neg' op works on i16, f16, i32 and f32, not on i64 on a2a3 [pld-303]}}
  // expected-note@+1 {{use i32 tiles}}
  %n = pl.neg %t : !pl.tile<4x8xi64>
  return
}

// -----

// A narrowing cast of i64 saturates there, ours keeps the low bits.
func.func @narrow(%a: memref<4x8xi64>) attributes {pl.incore} {
  %t = pl.load %a[0, 0] : memref<4x8xi64> -> !pl.tile<4x8xi64>
  // expected-error@+2 {{'pl.cast' op casts i64 to i32, but on a2a3 the cast from i64 to i32 saturates there}}
  // expected-note@+1 {{load the array as i32}}
  %u = pl.cast trunc %t : !pl.tile<4x8xi64> -> !pl.tile<4x8xi32>
  return
}

// -----

// Two roundings are not one; the mended form says both.
func.func @twice(%a: memref<4x8xi32>) attributes {pl.incore} {
  %t = pl.load %a[0, 0] : memref<4x8xi32> -> !pl.tile<4x8xi32>
  // expected-error@+2 {{i32 to bf16 would round twice, through f32 [pld-303]}}
  // expected-note@+1 {{write the two casts, i32 to f32 and f32 to bf16, each with its rounding}}
  %u = pl.cast rint %t : !pl.tile<4x8xi32> -> !pl.tile<4x8xbf16>
  %f = pl.cast rint %t : !pl.tile<4x8xi32> -> !pl.tile<4x8xf32>
  %v = pl.cast rint %f : !pl.tile<4x8xf32> -> !pl.tile<4x8xbf16>
  return
}

// -----

// 64-bit types are padded with 0 and filled with constants of 32 bits.
func.func @fill(%a: memref<4x8xi64>, %v: i64) attributes {pl.incore} {
  %one = arith.constant 1 : i64
  // expected-error@+2 {{pads i64 with a value that is not a constant 0}}
  // expected-note@+1 {{leave the pad value out}}
  %t = pl.load %a[0, 0] valid [2, 8] pad(%one : i64) : memref<4x8xi64> -> !pl.tile<4x8xi64>
  // expected-error@+2 {{'pl.full' op fills a tile of i64, but a2a3 fills i1, i8, i16, f16, bf16, i32 and f32 [pld-303]}}
  // expected-note@+1 {{fill an i32 tile and cast it to i64}}
  %u = pl.full %v : !pl.tile<4x8xi64>
  %w = pl.full %one : !pl.tile<4x8xi64>
  return
}

// -----

// Parts of tiles are moved by whole blocks: where one begins in a row,
func.func @begins(%v_f32: f32, %i: index) attributes {pl.incore} {
  %t = pl.full %v_f32 : !pl.tile<4x24xf32>
  // expected-error@+2 {{'pl.extract_slice' op begins at column 4, but a2a3 rearranges whole blocks of 32 bytes [pld-302]}}
  // expected-note@+1 {{begin at a constant multiple of 8 columns}}
  %a = pl.extract_slice %t[0, 4] : !pl.tile<4x24xf32> -> !pl.tile<4x8xf32>
  // expected-error@+2 {{'pl.extract_slice' op begins at a column known at run time only}}
  // expected-note@+1 {{begin at a constant multiple of 8 columns}}
  %b = pl.extract_slice %t[0, %i] : !pl.tile<4x24xf32> -> !pl.tile<4x8xf32>
  %c = pl.extract_slice %t[%i, 16] : !pl.tile<4x24xf32> -> !pl.tile<2x5xf32>
  return
}

// -----

// and where an inserted one ends: with a block, or with the row.
func.func @ends(%v_f32: f32, %v_f16: f16) attributes {pl.incore} {
  %t = pl.full %v_f32 : !pl.tile<4x24xf32>
  %s = pl.full %v_f32 : !pl.tile<4x12xf32>
  %h = pl.full %v_f16 : !pl.tile<4x24xf16>
  %g = pl.full %v_f16 : !pl.tile<4x8xf16>
  // expected-error@+2 {{'pl.insert_slice' op has inserted rows of 48 bytes, but a2a3 rearranges whole blocks of 32 bytes [pld-302]}}
  // expected-note@+1 {{use rows of a multiple of 8 elements}}
  %a = pl.insert_slice %s into %t[0, 8] : !pl.tile<4x12xf32> into !pl.tile<4x24xf32>
  %c = pl.insert_slice %g into %h[0, 16] : !pl.tile<4x8xf16> into !pl.tile<4x24xf16>
  return
}

// -----

// Rows that stand side by side, or become others, are whole blocks; so is no column.
func.func @rows(%v_f32: f32) attributes {pl.incore} {
  %t = pl.full %v_f32 : !pl.tile<4x12xf32>
  %u = pl.full %v_f32 : !pl.tile<8x1xf32>
  // expected-error@+2 {{'pl.concat' op has left rows of 48 bytes, but a2a3 rearranges whole blocks of 32 bytes [pld-302]}}
  // expected-note@+1 {{use rows of a multiple of 8 elements}}
  %a = pl.concat %t, %t dim 1 : !pl.tile<4x12xf32>, !pl.tile<4x12xf32> -> !pl.tile<4x24xf32>
  %b = pl.concat %t, %t dim 0 : !pl.tile<4x12xf32>, !pl.tile<4x12xf32> -> !pl.tile<8x12xf32>
  // expected-error@+2 {{'pl.reshape' op has source rows of 4 bytes, but a2a3 rearranges whole blocks of 32 bytes [pld-302]}}
  // expected-note@+1 {{use rows of a multiple of 8 elements}}
  %c = pl.reshape %u : !pl.tile<8x1xf32> -> !pl.tile<1x8xf32>
  // expected-error@+2 {{'pl.reshape' op has result rows of 48 bytes}}
  // expected-note@+1 {{use rows of a multiple of 8 elements}}
  %d = pl.reshape %a : !pl.tile<4x24xf32> -> !pl.tile<8x12xf32>
  return
}

// -----

// Reductions and broadcasts compute what the operation that they apply computes.
func.func @along(%v_i32: i32) attributes {pl.incore} {
  %zero = arith.constant 0 : i64
  %t = pl.full %zero : !pl.tile<4x8xi64>
  %q = pl.full %v_i32 : !pl.tile<4x8xi32>
  // expected-error@+2 {{'pl.row_sum' op works on i16, f16, i32 and f32, not on i64 on a2a3 [pld-303]}}
  // expected-note@+1 {{use i32 tiles}}
  %s = pl.row_sum %t : !pl.tile<4x8xi64> -> !pl.tile<4x1xi64>
  // expected-error@+2 {{'pl.row_expand' op fills a tile of i64, but a2a3 fills i1, i8, i16, f16, bf16, i32 and f32 [pld-303]}}
  // expected-note@+1 {{fill an i32 tile and cast it to i64}}
  %e = pl.row_expand %s : !pl.tile<4x1xi64> -> !pl.tile<4x8xi64>
  %r = pl.row_max %q : !pl.tile<4x8xi32> -> !pl.tile<4x1xi32>
  // expected-error@+2 {{'pl.row_expand_div' op works on f16 and f32, not on i32 on a2a3 [pld-303]}}
  // expected-note@+1 {{compute in f16 and f32}}
  %d = pl.row_expand_div %q, %r : !pl.tile<4x8xi32>, !pl.tile<4x1xi32>
  return
}

// -----

// A communicator's context has room for 64 ranks.
// expected-error@+2 {{'func.func' op is written for 128 ranks, but a communicator of a2a3 has at most 64 [pld-304]}}
// expected-note@+1 {{admit a smaller world}}
func.func @main() attributes {pl.host, pld.world_sizes = array<i64: 128>} {
  return
}

// -----

// One admitted size that fits is enough.
func.func @main() attributes {pl.host, pld.world_sizes = array<i64: 4, 128>} {
  return
}

// -----

// All windows of a rank share the buffer that HCCL gives.
func.func @main() attributes {pl.host} {
  %a = pld.alloc_window_buffer [1024, 51199] of f32
  // expected-error@+2 {{brings the windows of a rank to 209715712 bytes, but a2a3 has 209715200 by default [pld-304]}}
  // expected-note@+1 {{use smaller windows, or move the data in pieces}}
  %b = pld.alloc_window_buffer [16] of i32
  return
}

// -----

// Blocks that wait for each other have a core each; others take turns.
func.func @meet() attributes {pl.incore} {
  pl.sync_blocks
  return
}
func.func @work() attributes {pl.incore} {
  return
}
func.func @d() attributes {pl.device} {
  %c48 = arith.constant 48 : index
  %c49 = arith.constant 49 : index
  %c65536 = arith.constant 65536 : index
  pl.spmd %c48 {
    func.call @meet() : () -> ()
  }
  pl.spmd %c49 {
    func.call @work() : () -> ()
  }
  // expected-error@+2 {{'pl.spmd' op has 49 blocks that wait, but a2a3 runs 48 at once, one on each core [pld-304]}}
  // expected-note@+1 {{let each block do more}}
  pl.spmd %c49 {
    func.call @meet() : () -> ()
  }
  // expected-error@+2 {{'pl.spmd' op has 65536 blocks, but a launch on a2a3 has at most 65535 [pld-304]}}
  // expected-note@+1 {{let each block do more}}
  pl.spmd %c65536 {
    func.call @work() : () -> ()
  }
  return
}
