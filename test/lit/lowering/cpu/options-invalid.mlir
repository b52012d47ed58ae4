// Options are true or false.

// RUN: not pld-opt %s --pl-cpu-emit="bounds=maybe" 2>&1 | FileCheck %s

// CHECK: option bounds is 'maybe', expected true or false
func.func @f() attributes {pl.device} {
  return
}
