// The lint: one module per rule, good ones beside the bad.
// RUN: pld-opt %s --pld-lint --split-input-file --verify-diagnostics

//===--- 112: outputs never written ----------------------------------------===//

// kind 112: in-core last
// expected-warning @+2 {{'func.func' op argument #1 is pl.out but never written [pld-112]}}
// expected-note @+1 {{store to it, pass it to a pl.out parameter, or remove it}}
func.func @reads_its_output(%x: memref<4xi32>, %y: memref<4xi32> {pl.out}) attributes {pl.incore} {
  %v = pl.read %y[0] : memref<4xi32>
  return
}

// An inout that is only read is odd too, but says nothing wrong.
func.func @inout(%y: memref<4xi32> {pl.inout}) attributes {pl.incore} {
  %v = pl.read %y[0] : memref<4xi32>
  return
}

// -----

// Passing it on counts if the parameter is written to.
func.func @core(%x: memref<4xi32>, %y: memref<4xi32> {pl.inout}, %v: i32) attributes {pl.incore} {
  pl.write %v, %y[0] : memref<4xi32>
  return
}
func.func @passes_on(%y: memref<4xi32> {pl.out}, %z: memref<4xi32>, %v: i32) attributes {pl.device} {
  call @core(%z, %y, %v) : (memref<4xi32>, memref<4xi32>, i32) -> ()
  return
}
// kind 112: device first
// expected-warning @+2 {{'func.func' op argument #0 is pl.out but never written [pld-112]}}
// expected-note @+1 {{store to it}}
func.func @passes_on_as_input(%y: memref<4xi32> {pl.out}, %v: i32) attributes {pl.device} {
  %tmp = memref.alloc() : memref<4xi32>
  call @core(%y, %tmp, %v) : (memref<4xi32>, memref<4xi32>, i32) -> ()
  return
}

// -----

// Through slices, casts and choices.
func.func @device(%y: memref<?xi32> {pl.out}, %v: i32) attributes {pl.device} {
  call @core(%y, %v) : (memref<?xi32>, i32) -> ()
  return
}
func.func @core(%y: memref<?xi32> {pl.out}, %v: i32) attributes {pl.incore} {
  %c = arith.cmpi eq, %v, %v : i32
  %z = scf.if %c -> memref<?xi32> { scf.yield %y : memref<?xi32> } else { scf.yield %y : memref<?xi32> }
  pl.write %v, %z[0] : memref<?xi32>
  return
}
func.func @host(%y: memref<?x4xi32> {pl.out}, %r: index, %v: i32) attributes {pl.host} {
  %yr = pl.shard %y[%r] : memref<?x4xi32> -> memref<4xi32>
  %yc = memref.cast %yr : memref<4xi32> to memref<?xi32>
  pld.dispatch @device(%yc, %v) on %r : (memref<?xi32>, i32)
  return
}
// kind 112: host first
// expected-warning @+2 {{'func.func' op argument #0 is pl.out but never written [pld-112]}}
// expected-note @+1 {{store to it}}
func.func @idle_host(%y: memref<?x4xi32> {pl.out}, %r: index) attributes {pl.host} {
  %yr = pl.shard %y[%r] : memref<?x4xi32> -> memref<4xi32>
  return
}

//===--- 112: order of arguments -------------------------------------------===//
// -----

// kind 112: device
// expected-warning @+2 {{'func.func' op argument #1 is the scalar index, expected behind memory argument #3 [pld-112]}}
// expected-note @+1 {{arrays and windows first, then scalars: targets pass them in that order}}
func.func @scalar_between(%x: memref<4xf32>, %i: index, %k: i32, %w: !pld.dtensor<4xf32>) attributes {pl.device} {
  return
}
func.func @scalars_last(%x: memref<4xf32>, %w: !pld.dtensor<4xf32>, %i: index, %k: i32) attributes {pl.device} {
  return
}
// Of the host and of the AI core the order is free.
func.func @host(%i: index, %x: memref<4xf32>) attributes {pl.host} { return }
func.func @core(%i: index, %x: memref<4xf32>) attributes {pl.incore} { return }

//===--- 112: window buffers that nobody sees ------------------------------===//
// -----

func.func @work(%w: !pld.dtensor<4xf32>) attributes {pl.device} { return }
func.func @buffers(%r: index, %n: index, %c: i1) attributes {pl.host} {
  // expected-warning @+2 {{'pld.alloc_window_buffer' op no view of the buffer reaches a dispatch or collective [pld-112]}}
  // expected-note @+1 {{pass a pld.window of it to a dispatch, or remove it: it costs at least 4096 bytes per rank}}
  %no_view = pld.alloc_window_buffer [4] of f32
  // expected-warning @+2 {{'pld.alloc_window_buffer' op no view of the buffer reaches a dispatch or collective [pld-112]}}
  // expected-note @+1 {{pass a pld.window of it}}
  %idle_view = pld.alloc_window_buffer [4] of f32
  %dispatched = pld.alloc_window_buffer [4] of f32
  %chosen = pld.alloc_window_buffer [4] of f32
  %signal = pld.alloc_window_buffer [%n] of i32
  %0 = pld.window %idle_view : !pld.dtensor<4xf32>
  %1 = pld.window %dispatched : !pld.dtensor<4xf32>
  %2 = pld.window %chosen : !pld.dtensor<4xf32>
  %3 = pld.window %signal[%n] : !pld.dtensor<?xi32>
  %4 = arith.select %c, %1, %2 : !pld.dtensor<4xf32>
  pld.dispatch @work(%4) on %r : (!pld.dtensor<4xf32>)
  pld.barrier %3 : !pld.dtensor<?xi32>
  return
}

//===--- 113: staged for nobody --------------------------------------------===//
// -----

// kind 113: in-core static
// The pull that forgot to be one: after the barrier it reads what it wrote itself.
// expected-note @+1 {{the window is an argument of this function}}
func.func @local_after_barrier(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out}, %w: !pld.dtensor<1x64xf32>,
                               %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  %a = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
  // expected-warning @+2 {{'pl.store' op stages a window before a barrier or wait, but no rank reads or writes a peer's slice of it [pld-113]}}
  // expected-note @+1 {{a local load sees the own slice only: read a peer's by pld.remote_load}}
  pl.store %a, %w[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  %b = pl.load %w[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %b, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  return
}

// -----

// kind 113: in-core static first
// A wait stages as well, and a scalar is staged as a tile is.
// expected-note @+1 {{the window is an argument of this function}}
func.func @local_after_wait(%w: !pld.dtensor<4xi32>, %s: !pld.dtensor<?x1xi32>, %v: i32, %p: index) attributes {pl.incore} {
  // expected-warning @+2 {{'pl.write' op stages a window before a barrier or wait, but no rank reads or writes a peer's slice of it [pld-113]}}
  // expected-note @+1 {{a local load sees the own slice only}}
  pl.write %v, %w[0] : !pld.dtensor<4xi32>
  pld.notify add %v, %s[0, 0] to %p : !pld.dtensor<?x1xi32>
  pld.wait ge %v, %s[0, 0] : !pld.dtensor<?x1xi32>
  %a = pl.read %w[0] : !pld.dtensor<4xi32>
  return
}

// -----

// kind 113: in-core dynamic last
// Where, is known at run time only.
// expected-note @+1 {{the window is an argument of this function}}
func.func @staged_at_run_time(%s: !pld.dtensor<?x1xi32>, %v: i32, %i: index, %w: !pld.dtensor<?xi32>) attributes {pl.incore} {
  // expected-warning @+2 {{'pl.write' op stages a window before a barrier or wait, but no rank reads or writes a peer's slice of it [pld-113]}}
  // expected-note @+1 {{a local load sees the own slice only}}
  pl.write %v, %w[%i] : !pld.dtensor<?xi32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}

// -----

// Fine: pulled, pushed, stored after the last barrier only, and the signal itself.
func.func @pulled(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>, %f: f32, %p: index) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<1x64xf32>
  pl.store %t, %w[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  %a = pld.remote_load %w[0, 0] from %p : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %a, %w[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  return
}
func.func @pushed(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>, %f: f32, %p: index) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<1x64xf32>
  pl.store %t, %w[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.remote_store %t, %w[0, 0] to %p : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}
func.func @own_use(%w: !pld.dtensor<1x64xf32>, %s: !pld.dtensor<?x1xi32>, %f: f32) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<1x64xf32>
  pld.barrier %s : !pld.dtensor<?x1xi32>
  pl.store %t, %w[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  %a = pl.load %w[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  return
}
func.func @signal_reset(%s: !pld.dtensor<4xi32>, %v: i32, %p: index) attributes {pl.incore} {
  pl.write %v, %s[0] : !pld.dtensor<4xi32>
  pld.barrier %s : !pld.dtensor<4xi32>
  return
}
func.func @signal_notified(%s: !pld.dtensor<4xi32>, %t: !pld.dtensor<4xi32>, %v: i32, %p: index) attributes {pl.incore} {
  pl.write %v, %s[0] : !pld.dtensor<4xi32>
  pld.barrier %t : !pld.dtensor<4xi32>
  pld.notify add %v, %s[0] to %p : !pld.dtensor<4xi32>
  return
}

// -----

// Through calls: staged in one helper, ordered in another, pulled in a third.
func.func @stage(%w: !pld.dtensor<4xi32>, %v: i32) attributes {pl.incore} {
  pl.write %v, %w[0] : !pld.dtensor<4xi32>
  return
}
func.func @order(%s: !pld.dtensor<4xi32>) attributes {pl.incore} {
  pld.barrier %s : !pld.dtensor<4xi32>
  return
}
func.func @pull(%w: !pld.dtensor<4xi32>, %p: index) attributes {pl.incore} {
  %t = pld.remote_load %w[0] from %p : !pld.dtensor<4xi32> -> !pl.tile<1x4xi32>
  return
}
func.func @all_three(%w: !pld.dtensor<4xi32>, %s: !pld.dtensor<4xi32>, %v: i32, %p: index) attributes {pl.device} {
  call @stage(%w, %v) : (!pld.dtensor<4xi32>, i32) -> ()
  call @order(%s) : (!pld.dtensor<4xi32>) -> ()
  call @pull(%w, %p) : (!pld.dtensor<4xi32>, index) -> ()
  return
}

// -----

// Without the third.
func.func @stage(%w: !pld.dtensor<4xi32>, %v: i32) attributes {pl.incore} {
  // expected-warning @+2 {{'pl.write' op stages a window before a barrier or wait, but no rank reads or writes a peer's slice of it [pld-113]}}
  // expected-note @+1 {{a local load sees the own slice only}}
  pl.write %v, %w[0] : !pld.dtensor<4xi32>
  return
}
func.func @order(%s: !pld.dtensor<4xi32>) attributes {pl.incore} {
  pld.barrier %s : !pld.dtensor<4xi32>
  return
}
// expected-note @+1 {{the window is an argument of this function}}
func.func @only_two(%w: !pld.dtensor<4xi32>, %s: !pld.dtensor<4xi32>, %v: i32) attributes {pl.device} {
  call @stage(%w, %v) : (!pld.dtensor<4xi32>, i32) -> ()
  call @order(%s) : (!pld.dtensor<4xi32>) -> ()
  return
}

// -----

// Through dispatches: one stages, the host orders, the next one pulls.
func.func @stage_core(%w: !pld.dtensor<4xi32>, %v: i32) attributes {pl.incore} {
  pl.write %v, %w[0] : !pld.dtensor<4xi32>
  return
}
func.func @stage(%w: !pld.dtensor<4xi32>, %v: i32) attributes {pl.device} {
  call @stage_core(%w, %v) : (!pld.dtensor<4xi32>, i32) -> ()
  return
}
func.func @pull_core(%w: !pld.dtensor<4xi32>) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %t = pld.remote_load %w[0] from %c0 : !pld.dtensor<4xi32> -> !pl.tile<1x4xi32>
  return
}
func.func @pull(%w: !pld.dtensor<4xi32>) attributes {pl.device} {
  call @pull_core(%w) : (!pld.dtensor<4xi32>) -> ()
  return
}
func.func @host(%r: index, %v: i32) attributes {pl.host} {
  %b = pld.alloc_window_buffer [4] of i32
  %c = pld.alloc_window_buffer [4] of i32
  %w = pld.window %b : !pld.dtensor<4xi32>
  %s = pld.window %c : !pld.dtensor<4xi32>
  pld.dispatch @stage(%w, %v) on %r : (!pld.dtensor<4xi32>, i32)
  pld.barrier %s : !pld.dtensor<4xi32>
  pld.dispatch @pull(%w) on %r : (!pld.dtensor<4xi32>)
  return
}

// -----

// Of two views of one buffer one stages and the other is pulled: one window. Another
// buffer, staged by the same function, is not: it is reported where it is stored to.
func.func @core(%w: !pld.dtensor<4xi32>, %u: !pld.dtensor<2xi32>, %o: !pld.dtensor<4xi32>, %s: !pld.dtensor<4xi32>,
                %v: i32) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  pl.write %v, %w[0] : !pld.dtensor<4xi32>
  // expected-warning @+2 {{'pl.write' op stages a window before a barrier or wait, but no rank reads or writes a peer's slice of it [pld-113]}}
  // expected-note @+1 {{a local load sees the own slice only}}
  pl.write %v, %o[0] : !pld.dtensor<4xi32>
  pld.barrier %s : !pld.dtensor<4xi32>
  %t = pld.remote_load %u[0] from %c0 : !pld.dtensor<2xi32> -> !pl.tile<1x2xi32>
  return
}
func.func @device(%w: !pld.dtensor<4xi32>, %u: !pld.dtensor<2xi32>, %o: !pld.dtensor<4xi32>, %s: !pld.dtensor<4xi32>,
                  %v: i32) attributes {pl.device} {
  call @core(%w, %u, %o, %s, %v)
    : (!pld.dtensor<4xi32>, !pld.dtensor<2xi32>, !pld.dtensor<4xi32>, !pld.dtensor<4xi32>, i32) -> ()
  return
}
func.func @host(%r: index, %v: i32) attributes {pl.host} {
  %b = pld.alloc_window_buffer [4] of i32
  // expected-note @+1 {{the window is allocated here}}
  %c = pld.alloc_window_buffer [4] of i32
  %d = pld.alloc_window_buffer [4] of i32
  %w = pld.window %b : !pld.dtensor<4xi32>
  %u = pld.window %b : !pld.dtensor<2xi32>
  %o = pld.window %c : !pld.dtensor<4xi32>
  %s = pld.window %d : !pld.dtensor<4xi32>
  pld.dispatch @device(%w, %u, %o, %s, %v) on %r
    : (!pld.dtensor<4xi32>, !pld.dtensor<2xi32>, !pld.dtensor<4xi32>, !pld.dtensor<4xi32>, i32)
  return
}

//===--- 103: recursion ----------------------------------------------------===//
// -----

// expected-note @+1 {{the callee is here}}
func.func @self() attributes {pl.incore} {
  // expected-error @+2 {{'func.call' op closes a circle of calls, expected no recursion [pld-103]}}
  // expected-note @+1 {{write a loop: the stack of a rank is small and the AI core has none}}
  call @self() : () -> ()
  return
}

// -----

// expected-note @+1 {{the callee is here}}
func.func @a(%c: i1) attributes {pl.incore} {
  call @b(%c) : (i1) -> ()
  return
}
func.func @b(%c: i1) attributes {pl.incore} {
  scf.if %c {
    func.call @c(%c) : (i1) -> ()
  }
  return
}
func.func @c(%c: i1) attributes {pl.incore} {
  // expected-error @+2 {{'func.call' op closes a circle of calls, expected no recursion [pld-103]}}
  // expected-note @+1 {{write a loop}}
  call @a(%c) : (i1) -> ()
  return
}

// -----

// Calling one function twice, on two ways, is no circle; and upstream functions may recurse.
func.func @leaf() attributes {pl.incore} { return }
func.func @left() attributes {pl.incore} { call @leaf() : () -> ()  return }
func.func @both() attributes {pl.incore} {
  call @left() : () -> ()
  call @leaf() : () -> ()
  call @leaf() : () -> ()
  return
}
func.func @plain(%c: i1) {
  scf.if %c { func.call @plain(%c) : (i1) -> () }
  return
}

// -----

// A function without a kind runs nowhere that another one could.
// expected-note @+1 {{the callee is here}}
func.func @core() attributes {pl.incore} { return }
func.func @golden() attributes {pl.golden} {
  // expected-error @+2 {{'func.call' op calls a pl.incore function from a function without a kind [pld-103]}}
  // expected-note @+1 {{functions without a kind hold upstream operations only}}
  call @core() : () -> ()
  return
}

//===--- 104: constants out of bounds --------------------------------------===//
// -----

// kind 104: in-core dynamic first
func.func @constant_offset(%x: memref<64x64xf32>) attributes {pl.incore} {
  %c60 = arith.constant 60 : index
  // expected-error @+2 {{'pl.load' op accesses 60 to 68 of dim 0, expected at most 64 [pld-104]}}
  // expected-note @+1 {{move the offset}}
  %a = pl.load %x[%c60, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @constant_extent(%w: !pld.dtensor<64x64xf32>, %p: index) attributes {pl.incore} {
  %c9 = arith.constant 9 : index
  // expected-error @+2 {{'pld.remote_load' op valid extent of dim 0 is 9, expected 0 to 8 [pld-104]}}
  // expected-note @+1 {{the valid part is at most the tile}}
  %a = pld.remote_load %w[0, 0] valid [%c9, 1] from %p : !pld.dtensor<64x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @constant_cell(%s: !pld.dtensor<4xi32>, %v: i32, %p: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @+2 {{'pld.notify' op cell is 4 in dim 0, expected at most 3 [pld-104]}}
    // expected-note @+1 {{a signal has as many cells as its window has elements}}
    pld.notify add %v, %s[%c4] to %p : !pld.dtensor<4xi32>
  }
  return
}

// -----

func.func @constant_negative(%y: memref<4xi32> {pl.out}, %v: i32) attributes {pl.incore} {
  %m1 = arith.constant -1 : index
  // expected-error @+2 {{'pl.write' op offset of dim 0 is -1, expected at least 0 [pld-104]}}
  // expected-note @+1 {{offsets count from the start}}
  pl.write %v, %y[%m1] : memref<4xi32>
  return
}

// -----

// Not where a branch or a loop may keep it from running.
func.func @guarded(%x: memref<64x64xf32>, %c: i1, %n: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c60 = arith.constant 60 : index
  scf.if %c {
    %a = pl.load %x[%c60, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = pl.load %x[%c60, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  }
  scf.for %i = %c1 to %c1 step %c1 {
    %a = pl.load %x[%c60, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  }
  return
}

// -----

//===--- 408: loops that never end ------------------------------------------===//

// In-core, also where the loop may not run at all.
func.func @incore(%p: i1) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.if %p {
    // expected-error @+2 {{'scf.for' op has the step 0, so it would never end [pld-408]}}
    // expected-note @+1 {{give it a step above zero; to count down, subtract from the end}}
    scf.for %i = %c0 to %c4 step %c0 {
    }
  }
  return
}

// -----

// On the host, of another type.
func.func @host() attributes {pl.host} {
  %c0 = arith.constant 0 : i32
  %down = arith.constant -2 : i32
  %c4 = arith.constant 4 : i32
  // expected-error @+2 {{'scf.for' op has the step -2, so it would never end [pld-408]}}
  // expected-note @+1 {{give it a step above zero}}
  scf.for %i = %c4 to %c0 step %down : i32 {
  }
  return
}

// -----

// In a golden.
func.func @golden() attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error @+2 {{'scf.for' op has the step 0, so it would never end [pld-408]}}
  // expected-note @+1 {{give it a step above zero}}
  scf.for %i = %c0 to %c4 step %c0 {
  }
  return
}

// -----

// A step that is not known until it runs, and one that is unsigned, are fine.
func.func @fine(%step: index) attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant -1 : index
  scf.for %i = %c0 to %c4 step %step {
  }
  scf.for unsigned %i = %c0 to %c4 step %most {
  }
  return
}
