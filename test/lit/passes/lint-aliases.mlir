// 110 through calls and dispatches: one window buffer that a collective gets twice.
// RUN: pld-opt %s --pld-lint --split-input-file --verify-diagnostics

// Two views of one buffer, which a dispatch passes on to the collective's function.
func.func @exchange(%a: !pld.dtensor<4x64xf32>, %b: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  // expected-note @+1 {{this pld.all_to_all has them as source and destination}}
  pld.all_to_all %a into %b, %s : !pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}
func.func @device(%b: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>, %a: !pld.dtensor<4x64xf32>)
    attributes {pl.device} {
  call @exchange(%a, %b, %s) : (!pld.dtensor<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}
func.func @host(%r: index, %n: index) attributes {pl.host} {
  %x = pld.alloc_window_buffer [4, 64] of f32
  %y = pld.alloc_window_buffer [4, 64] of f32
  %z = pld.alloc_window_buffer [%n] of i32
  %x0 = pld.window %x : !pld.dtensor<4x64xf32>
  %x1 = pld.window %x : !pld.dtensor<4x64xf32>
  %y0 = pld.window %y : !pld.dtensor<4x64xf32>
  %s = pld.window %z[%n] : !pld.dtensor<?x1xi32>
  pld.dispatch @device(%x0, %s, %y0) on %r : (!pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>, !pld.dtensor<4x64xf32>)
  // expected-error @+2 {{'pld.dispatch' op passes one window buffer as arguments #0 and #2 of @device, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  pld.dispatch @device(%x0, %s, %x1) on %r : (!pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>, !pld.dtensor<4x64xf32>)
  return
}

// -----

// kind 110: device
// One argument as two: data and signal.
func.func @reduce(%d: !pld.dtensor<4xi32>, %s: !pld.dtensor<4xi32>) attributes {pl.incore} {
  // expected-note @+1 {{this pld.allreduce has them as data and signal}}
  pld.allreduce sum %d, %s : !pld.dtensor<4xi32>, !pld.dtensor<4xi32>
  return
}
func.func @device(%d: !pld.dtensor<4xi32>) attributes {pl.device} {
  // expected-error @+2 {{'func.call' op passes one window buffer as arguments #0 and #1 of @reduce, expected two [pld-110]}}
  // expected-note @+1 {{allocate a buffer of its own for each}}
  call @reduce(%d, %d) : (!pld.dtensor<4xi32>, !pld.dtensor<4xi32>) -> ()
  return
}

// -----

// Fine: two buffers, one of two that may be the other, and one buffer that is only read.
func.func @counted(%x: !pld.dtensor<4x1xi32>, %d: !pld.dtensor<4x1xi32>, %s: !pld.dtensor<4x1xi32>,
                   %k: !pld.dtensor<4x1xi32>, %n: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  pld.all_to_all_v %x into %d, %s counts %k, %n
    : !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32> counts !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>
  return
}
func.func @device(%x: !pld.dtensor<4x1xi32>, %d: !pld.dtensor<4x1xi32>, %s: !pld.dtensor<4x1xi32>,
                  %n: !pld.dtensor<4x1xi32>, %c: i1) attributes {pl.device} {
  call @counted(%x, %d, %s, %x, %n)
    : (!pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>) -> ()
  %e = arith.select %c, %x, %d : !pld.dtensor<4x1xi32>
  call @counted(%e, %d, %s, %x, %n)
    : (!pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>) -> ()
  return
}
