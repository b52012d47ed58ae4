// Two barriers of the host on one signal have their own lines in a report: rank 1 leaves out its part of
// what the second one meets.
// RUN: sh %S/Inputs/exits.sh 3 pld-run %s -n 2 --check races 2>&1 | FileCheck %s
// CHECK: pld-run-host-barriers.mlir:34:3: note: rank 0 waits

func.func @core(%sig: !pld.dtensor<?x1xi32>, %own: !pld.dtensor<1x1xi32>) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v1 = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %sig : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %is_last = arith.cmpi eq, %me, %c1 : index
  scf.if %is_last {
    pld.wait ge %v1, %own[%c0, 0] : !pld.dtensor<1x1xi32>
  }
  return
}
func.func @device(%sig: !pld.dtensor<?x1xi32>, %own: !pld.dtensor<1x1xi32>) attributes {pl.device} {
  call @core(%sig, %own) : (!pld.dtensor<?x1xi32>, !pld.dtensor<1x1xi32>) -> ()
  return
}
func.func @main() attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %b = pld.alloc_window_buffer [%n, 1] of i32
  %o = pld.alloc_window_buffer [1, 1] of i32
  %sig = pld.window %b[%n] : !pld.dtensor<?x1xi32>
  %own = pld.window %o : !pld.dtensor<1x1xi32>
  pld.barrier %sig : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    pld.dispatch @device(%sig, %own) on %r : (!pld.dtensor<?x1xi32>, !pld.dtensor<1x1xi32>)
  }
  pld.barrier %sig : !pld.dtensor<?x1xi32>
  return
}
