// --weak lets writes arrive as late as the memory model allows: programs that only work by
// luck go wrong, right ones do not notice. Each test runs one of the in-core functions:
// rank 0 sends its slice, rank 1 receives it. Races are not looked for: they would be found
// without --weak, too.

// The flag is data as well, so nothing says that it arrives, or after what it announces. In
// plain order it always does.
// RUN: sed 's/@core/@flag_as_data/' %s > %t.flag.mlir
// RUN: pld-run %t.flag.mlir -n 2 --check none | grep -x OK
// RUN: sh %S/Inputs/exits.sh 3 pld-run %t.flag.mlir -n 2 --check none --weak 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: error: deadlock: 1 rank polls for ever [pld-402]

// Signalled before it is stored.
// RUN: sed 's/@core/@notify_first/' %s > %t.first.mlir
// RUN: pld-run %t.first.mlir -n 2 --check none --seed 0 | grep -x OK
// RUN: sh %S/Inputs/exits.sh 1 pld-run %t.first.mlir -n 2 --check none --weak 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: argument #1 differs from golden @golden

// No signal at all. The store to the own slice is delayed like any other.
// RUN: sed 's/@core/@no_signal/' %s > %t.none.mlir
// RUN: pld-run %t.none.mlir -n 2 --check none --seed 0 | grep -x OK
// RUN: sh %S/Inputs/exits.sh 1 pld-run %t.none.mlir -n 2 --check none --weak 2>&1 | FileCheck %s --check-prefix=WRONG

// Stored over before it has been read: full delay hides that, some other seed does not.
// RUN: sed 's/@core/@stored_over/' %s > %t.over.mlir
// RUN: pld-run %t.over.mlir -n 2 --check none --weak --seed 0 | grep -x OK
// RUN: sh %S/Inputs/exits.sh 1 pld-run %t.over.mlir -n 2 --check none --weak --schedules 50 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: note: schedule {{[0-9]+}} of 50; run it again with --seed

// The right program, in every order, with checks too.
// RUN: sed 's/@core/@right/' %s > %t.right.mlir
// RUN: pld-run %t.right.mlir -n 2 --weak --schedules 50 | grep -x OK
// RUN: pld-run %t.right.mlir -n 2 --weak --schedules 50 --check none | grep -x OK

func.func @flag_as_data(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                        %data: !pld.dtensor<1x64xf32>, %sig: !pld.dtensor<4x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %sends = arith.cmpi eq, %me, %c0 : index
  scf.if %sends {
    %t = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
    pld.remote_store %t, %data[0, 0] to %c1 : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
    %flag = pl.full %one : !pl.tile<1x8xi32>
    pld.remote_store %flag, %sig[0, 0] valid [1, 1] to %c1 : !pl.tile<1x8xi32>, !pld.dtensor<4x1xi32>
  } else {
    scf.while : () -> () {
      %flag = pl.read %sig[0, 0] : !pld.dtensor<4x1xi32>
      %again = arith.cmpi ne, %flag, %one : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    %t = pl.load %data[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    pl.store %t, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  }
  return
}

func.func @notify_first(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                        %data: !pld.dtensor<1x64xf32>, %sig: !pld.dtensor<4x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %sends = arith.cmpi eq, %me, %c0 : index
  scf.if %sends {
    %t = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
    pld.notify add %one, %sig[0, 0] to %c1 : !pld.dtensor<4x1xi32>
    pld.remote_store %t, %data[0, 0] to %c1 : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  } else {
    pld.wait ge %one, %sig[0, 0] : !pld.dtensor<4x1xi32>
    %t = pl.load %data[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    pl.store %t, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  }
  return
}

func.func @no_signal(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                     %data: !pld.dtensor<1x64xf32>, %sig: !pld.dtensor<4x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %sends = arith.cmpi eq, %me, %c0 : index
  scf.if %sends {
    %t = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
    pl.store %t, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  } else {
    %t = pld.remote_load %data[0, 0] from %c0 : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    pl.store %t, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  }
  return
}

func.func @stored_over(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                       %data: !pld.dtensor<1x64xf32>, %sig: !pld.dtensor<4x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %sends = arith.cmpi eq, %me, %c0 : index
  scf.if %sends {
    %t = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
    pl.store %t, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
    pld.notify add %one, %sig[0, 0] to %c1 : !pld.dtensor<4x1xi32>
    %over = pl.add %t, %t : !pl.tile<1x64xf32>
    pl.store %over, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
    pld.wait eq %one, %sig[1, 0] : !pld.dtensor<4x1xi32>
  } else {
    pld.wait ge %one, %sig[0, 0] : !pld.dtensor<4x1xi32>
    %t = pld.remote_load %data[0, 0] from %c0 : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    pl.store %t, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
    pld.notify add %one, %sig[1, 0] to %c0 : !pld.dtensor<4x1xi32>
  }
  return
}

func.func @right(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                 %data: !pld.dtensor<1x64xf32>, %sig: !pld.dtensor<4x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %sends = arith.cmpi eq, %me, %c0 : index
  scf.if %sends {
    // Its own slice holds something else first, which it reads back.
    %t = pl.load %x[0, 0] : memref<1x64xf32> -> !pl.tile<1x64xf32>
    %twice = pl.add %t, %t : !pl.tile<1x64xf32>
    pl.store %twice, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
    %back = pl.load %data[0, 0] : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    %once = pl.sub %back, %t : !pl.tile<1x64xf32>
    pl.store %once, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
    pld.notify add %one, %sig[0, 0] to %c1 : !pld.dtensor<4x1xi32>
  } else {
    pld.wait ge %one, %sig[0, 0] : !pld.dtensor<4x1xi32>
    %t = pld.remote_load %data[0, 0] from %c0 : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
    pl.store %t, %y[0, 0] : !pl.tile<1x64xf32>, memref<1x64xf32>
  }
  return
}

func.func @per_rank(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                    %data: !pld.dtensor<1x64xf32>, %sig: !pld.dtensor<4x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %sig)
      : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<4x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [4, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %yr = pl.shard %y[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x64xf32>
    %sig = pld.window %signal_buffer : !pld.dtensor<4x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %sig) on %r
        : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<4x1xi32>)
  }
  return
}

// y[1] = x[0]
func.func @golden(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32>) attributes {pl.golden} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %k = %c0 to %c64 step %c1 {
    %v = memref.load %x[%c0, %c0, %k] : memref<?x1x64xf32>
    memref.store %v, %y[%c1, %c0, %k] : memref<?x1x64xf32>
  }
  return
}
