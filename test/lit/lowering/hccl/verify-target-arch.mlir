// RUN: not pld-opt %s --pl-verify-target=arch=b7 2>&1 | FileCheck %s

// CHECK: error: arch=b7 is no target profile, expected one of: a2a3, a5
func.func @main() attributes {pl.host} {
  return
}
