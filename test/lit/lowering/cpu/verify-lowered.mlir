// The gate behind our own passes names what is left, and the pass that should have run.

// RUN: pld-opt %s --pl-cpu-verify-lowered --verify-diagnostics

// expected-error @below {{'func.func' op has a value of !pld.dtensor<4x1xi32>, expected --pl-cpu-emit to have lowered it}}
func.func @k(%s: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  // expected-error @below {{'pld.barrier' op is left for the CPU, expected --pld-lower-collectives to have lowered it}}
  pld.barrier %s : !pld.dtensor<4x1xi32>
  // expected-error @below {{'pl.read' op is left for the CPU, expected --pl-cpu-emit to have lowered it}}
  %v = pl.read %s[0, 0] : !pld.dtensor<4x1xi32>
  return
}
