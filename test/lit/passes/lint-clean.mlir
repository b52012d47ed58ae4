// The lint changes nothing, and looks into modules inside of modules.
// RUN: pld-opt %s --pld-lint --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @core
// CHECK-NEXT: pl.read
// CHECK-NEXT: return
func.func @core(%x: memref<4xi32>) attributes {pl.incore} {
  %v = pl.read %x[0] : memref<4xi32>
  return
}

// -----

// CHECK-LABEL: module @outer
module @outer {
  module @inner {
    // expected-warning @+2 {{argument #0 is pl.out but never written [pld-112]}}
    // expected-note @+1 {{store to it}}
    func.func @core(%y: memref<4xi32> {pl.out}) attributes {pl.incore} {
      return
    }
  }
}
