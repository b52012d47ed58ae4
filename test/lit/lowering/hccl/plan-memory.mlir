// RUN: split-file %s %t
// RUN: pld-opt %t/chain.mlir --pl-plan-memory | FileCheck %s --check-prefix=APART
// RUN: pld-opt %t/chain.mlir --pl-plan-memory=reuse=always | FileCheck %s --check-prefix=SHARED
// RUN: pld-opt %t/loop.mlir --pl-plan-memory=reuse=always | FileCheck %s --check-prefix=LOOP
// RUN: pld-opt %t/big.mlir --pl-plan-memory --verify-diagnostics
// RUN: not pld-opt %t/chain.mlir --pl-plan-memory=reuse=maybe 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: pld-opt %t/chain.mlir --pl-plan-memory=print-memory-map=text 2>&1 | FileCheck %s --check-prefix=MAP
// RUN: pld-opt %t/chain.mlir --pl-plan-memory=print-memory-map=svg 2>&1 | FileCheck %s --check-prefix=SVG
// RUN: not pld-opt %t/chain.mlir --pl-plan-memory=print-memory-map=ascii 2>&1 | FileCheck %s --check-prefix=FORM

// What lives where and when: %a until %b is computed, %c until it is stored.
// MAP:      @chain: peak 98304, lower bound 65536, budget 188416 bytes
// MAP-NEXT: offset bytes
// MAP-NEXT: 0 32768 |..##...| pl.load
// MAP-NEXT: 32768 32768 |...##..| pl.muls
// MAP-NEXT: 65536 32768 |....##.| pl.muls
// SVG: <svg
// SVG: <title>pl.load: 32768 bytes at 0</title>
// SVG: </svg>
// FORM: error: print-memory-map=ascii, expected none, text or svg

// While all fit, each tile has memory of its own; otherwise %c takes %a's, which is dead.
// APART: pl.ub = {bytes = array<i64: 98304>
// APART: pl.load {{.*}} {pl.ub = {results = array<i64: 0>}}
// APART: pl.muls {{.*}} {pl.ub = {results = array<i64: 32768>}}
// APART: pl.muls {{.*}} {pl.ub = {results = array<i64: 65536>}}
// SHARED: pl.ub = {bytes = array<i64: 65536>
// SHARED: pl.load {{.*}} {pl.ub = {results = array<i64: 0>}}
// SHARED: pl.muls {{.*}} {pl.ub = {results = array<i64: 32768>}}
// SHARED: pl.muls {{.*}} {pl.ub = {results = array<i64: 0>}}

// What is used in a loop lives to its end: the tile of the next iteration needs it still.
// LOOP: pl.load {{.*}} {pl.ub = {results = array<i64: 0>}}
// LOOP: scf.for
// LOOP: pl.load {{.*}} {pl.ub = {results = array<i64: [[PART:[1-9][0-9]*]]>}}
// LOOP: pl.add {{.*}} {pl.ub = {results = array<i64: [[SUM:[1-9][0-9]*]]>}}

// OPTION: error: reuse=maybe, expected auto or always

//--- chain.mlir
func.func @chain(%x: memref<8x1024xf32>, %y: memref<8x1024xf32> {pl.out}) attributes {pl.incore} {
  %two = arith.constant 2.0 : f32
  %a = pl.load %x[0, 0] : memref<8x1024xf32> -> !pl.tile<8x1024xf32>
  %b = pl.muls %a, %two : !pl.tile<8x1024xf32>, f32
  %c = pl.muls %b, %two : !pl.tile<8x1024xf32>, f32
  pl.store %c, %y[0, 0] : !pl.tile<8x1024xf32>, memref<8x1024xf32>
  return
}

//--- loop.mlir
func.func @loop(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out}) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %first = pl.load %x[0, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  scf.for %row = %c0 to %c64 step %c8 {
    %part = pl.load %x[%row, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
    %sum = pl.add %first, %part : !pl.tile<8x64xf32>
    pl.store %sum, %y[%row, 0] : !pl.tile<8x64xf32>, memref<64x64xf32>
  }
  return
}

//--- big.mlir
// expected-error@+2 {{in-core function @big needs 393216 bytes of on-core memory, but a2a3 has 188416 [pld-301]}}
// expected-note@+1 {{use smaller tiles, or fewer at a time}}
func.func @big(%x: memref<8x4096xf32>, %y: memref<8x4096xf32> {pl.out}) attributes {pl.incore} {
  // expected-note@+1 {{alive at the peak: !pl.tile<8x4096xf32>, 131072 bytes}}
  %a = pl.load %x[0, 0] : memref<8x4096xf32> -> !pl.tile<8x4096xf32>
  // expected-note@+1 {{alive at the peak}}
  %b = pl.load %x[0, 0] : memref<8x4096xf32> -> !pl.tile<8x4096xf32>
  // expected-note@+1 {{alive at the peak}}
  %c = pl.add %a, %b : !pl.tile<8x4096xf32>
  pl.store %c, %y[0, 0] : !pl.tile<8x4096xf32>, memref<8x4096xf32>
  return
}
