// RUN: pld-opt %s --pld-select-entry | FileCheck %s
// RUN: pld-opt %s --pld-select-entry=entry=other | FileCheck %s --check-prefix=OTHER
// RUN: not pld-opt %s --pld-select-entry=entry=d 2>&1 | FileCheck %s --check-prefix=NONE

// With several hosts, @main is the entry; what it does not reach goes, goldens too.
// CHECK-NOT: @k2
// CHECK: func.func @k(
// CHECK: func.func @d(
// CHECK-NOT: @d2
// CHECK: func.func @main(
// CHECK-NOT: @other
// CHECK-NOT: @golden

// OTHER-NOT: @k(
// OTHER: func.func @k2(
// OTHER: func.func @d2(
// OTHER-NOT: @main
// OTHER: func.func @other(

// NONE: error: @d is no pl.host function, expected one of @main, @other

func.func @k2() attributes {pl.incore} {
  return
}
func.func @k() attributes {pl.incore} {
  return
}
func.func @d() attributes {pl.device} {
  call @k() : () -> ()
  return
}
func.func @d2() attributes {pl.device} {
  call @k2() : () -> ()
  return
}
func.func @main() attributes {pl.host} {
  %c0 = arith.constant 0 : index
  pld.dispatch @d() on %c0 : ()
  return
}
func.func @other() attributes {pl.host} {
  %c0 = arith.constant 0 : index
  pld.dispatch @d2() on %c0 : ()
  return
}
func.func @golden() attributes {pl.golden = @main} {
  return
}
