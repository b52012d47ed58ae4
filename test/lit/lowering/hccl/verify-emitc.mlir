// RUN: pld-opt %s --pld-verify-emitc --split-input-file --verify-diagnostics

// expected-error@+1 {{'func.func' op is left, expected --pld-to-emitc to have lowered it}}
func.func private @f()

// -----

emitc.func @k() {
  // expected-error@+1 {{'emitc.verbatim' op still has pl.effects, expected --pl-insert-sync to have ordered it}}
  emitc.verbatim "x" {pl.effects = {pipe = "V", reads = array<i64>, writes = array<i64>}}
  emitc.return
}

// -----

emitc.func @fine() {
  emitc.return
}
