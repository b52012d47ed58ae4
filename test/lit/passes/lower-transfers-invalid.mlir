// What the lowering of bulk transfers cannot take.
// RUN: pld-opt %s --pld-lower-transfers --verify-diagnostics

// A chunk whose bytes nobody can count.
func.func @huge(%v: !pld.dtensor<?x?xf32>, %w: !pld.dtensor<?x?xf32>, %peer: index) attributes {pl.incore} {
  // expected-error @+2 {{'pld.put' op has a staging tile of 4611686018427387904x4611686018427387904, more bytes than 64 bits can count [pld-107]}}
  // expected-note @+1 {{state chunks that fit on-core}}
  pld.put %v, %w to %peer {chunk_rows = 4611686018427387904, chunk_cols = 4611686018427387904} : !pld.dtensor<?x?xf32>, !pld.dtensor<?x?xf32>
  return
}
