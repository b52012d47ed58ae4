// Each block of a rank has a track of its own, and so have its notifies and waits.
// RUN: pld-run %s -n 2 --trace %t.json --cost | FileCheck %s --check-prefix=COST
// COST: total 6 0/0 0/0 0/0 6 6 1
// RUN: python3 %S/Inputs/check_trace.py %t.json 2 | FileCheck %s
// CHECK: flows 6
// RUN: grep -c '"name":"block 2"' %t.json | grep -x 2

func.func @core(%s: !pld.dtensor<3x1xi32>, %b: index) attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %s : !pld.dtensor<3x1xi32>
  %me = pld.rank %ctx
  %peer = arith.subi %c1, %me : index
  pld.notify add %one, %s[%b, 0] to %peer : !pld.dtensor<3x1xi32>
  pld.wait ge %one, %s[%b, 0] : !pld.dtensor<3x1xi32>
  return
}

func.func @per_rank(%s: !pld.dtensor<3x1xi32>) attributes {pl.device} {
  %c3 = arith.constant 3 : index
  pl.spmd %c3 {
    %b = pl.block_idx
    func.call @core(%s, %b) : (!pld.dtensor<3x1xi32>, index) -> ()
  }
  return
}

func.func @main() attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %buffer = pld.alloc_window_buffer [3, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %s = pld.window %buffer : !pld.dtensor<3x1xi32>
    pld.dispatch @per_rank(%s) on %r : (!pld.dtensor<3x1xi32>)
  }
  return
}
