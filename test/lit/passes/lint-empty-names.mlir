// The lint takes names that are empty, which the generic form can spell. Upstream prints
// them as what does not parse.
// UNSUPPORTED: roundtrip
// RUN: pld-opt %s --pld-lint | FileCheck %s

// CHECK-LABEL: module @empty_names
module @empty_names {
  "func.func"() <{function_type = () -> (), sym_name = ""}> ({
    func.return
  }) {pl.device} : () -> ()
  func.func @host(%r: index) attributes {pl.host} {
    pld.dispatch @""() on %r : ()
    return
  }
}
