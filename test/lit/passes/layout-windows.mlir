// What window buffers take of a rank's window memory, and where they start.
// RUN: pld-opt %s --pld-layout-windows --split-input-file --verify-roundtrip | FileCheck %s
// RUN: pld-opt %s --pld-layout-windows=ranks=100 --split-input-file | FileCheck %s --check-prefix=HUNDRED
// RUN: not pld-opt %s --pld-layout-windows=ranks=many 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: option ranks is 'many', expected a number of ranks

// Of a program for one world size. A buffer takes 4 KiB at least, and whole grains of 512
// bytes; its tail has a line of 64 bytes for each rank of its group.
// CHECK-LABEL: func.func @stated
// HUNDRED-LABEL: func.func @stated
func.func @stated() attributes {pl.host, pld.world_sizes = array<i64: 4>} {
  // CHECK: pld.alloc_window_buffer [1, 64] of f32 {pld.bytes = 4096 : i64, pld.offset = 0 : i64}
  // HUNDRED: pld.alloc_window_buffer [1, 64] of f32 {pld.bytes = 6656 : i64, pld.offset = 0 : i64}
  %a = pld.alloc_window_buffer [1, 64] of f32
  // CHECK: pld.alloc_window_buffer [1, 1024] of f32 {pld.bytes = 4608 : i64, pld.offset = 4096 : i64}
  // HUNDRED: pld.alloc_window_buffer [1, 1024] of f32 {pld.bytes = 10752 : i64, pld.offset = 6656 : i64}
  %b = pld.alloc_window_buffer [1, 1024] of f32
  // CHECK: pld.alloc_window_buffer [1, 1016] of f32 {pld.bytes = 4608 : i64, pld.offset = 8704 : i64, ranks = array<i64: 1, 2>}
  // HUNDRED: pld.bytes = 4608 : i64, pld.offset = 17408 : i64, ranks
  %c = pld.alloc_window_buffer [1, 1016] of f32 {ranks = array<i64: 1, 2>}
  return
}

// -----

// Sizes that are not known, of the buffer or of the world, end what can be said.
// CHECK-LABEL: func.func @unknown
func.func @unknown() attributes {pl.host} {
  // CHECK: %[[N:.*]] = pld.world_size
  %n = pld.world_size
  // CHECK: pld.alloc_window_buffer [2, 1] of i32 {pld.bytes = 4096 : i64, pld.offset = 0 : i64, ranks
  %a = pld.alloc_window_buffer [2, 1] of i32 {ranks = array<i64: 1, 2>}
  // CHECK: pld.alloc_window_buffer [1, 64] of f32 {pld.offset = 4096 : i64}
  %b = pld.alloc_window_buffer [1, 64] of f32
  // CHECK: pld.alloc_window_buffer [%[[N]], 1] of i32{{$}}
  // HUNDRED: pld.alloc_window_buffer [%{{.*}}, 1] of i32 {pld.offset = 10752 : i64}
  %c = pld.alloc_window_buffer [%n, 1] of i32
  // CHECK: pld.alloc_window_buffer [2, 1] of i32 {pld.bytes = 4096 : i64, ranks
  %d = pld.alloc_window_buffer [2, 1] of i32 {ranks = array<i64: 1, 2>}
  return
}
