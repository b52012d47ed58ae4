// What the check sees of a program: the events of each rank, on a number of ranks.
// RUN: pld-opt %s --split-input-file --pld-check-protocol="dump=true sizes=2" -o /dev/null | FileCheck %s
// RUN: not pld-opt %s --split-input-file --pld-check-protocol=sizes=two 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not pld-opt %s --split-input-file --pld-check-protocol=dump=maybe 2>&1 | FileCheck %s --check-prefix=DUMP
// SIZES: error: option sizes has 'two', expected world sizes such as 2+4
// DUMP: error: option dump is 'maybe', expected true or false

// Peers, cells and bytes follow from the rank; a loop runs; a helper is entered; a loop that
// nobody sees leaves nothing.
// CHECK-LABEL: @ring on 2 ranks
// CHECK-NEXT:    rank 0
// CHECK-NEXT:      write window buffer 0@1 256..320 trip 0.0
// CHECK-NEXT:      add 1 to window buffer 1@1+0 trip 0.0
// CHECK-NEXT:      wait window buffer 1@0+4 >= 1 trip 0.0
// CHECK-NEXT:      write window buffer 0@1 4..64 x2 by 256 trip 0.1
// CHECK-NEXT:      add 1 to window buffer 1@1+0 trip 0.1
// CHECK-NEXT:      wait window buffer 1@0+4 >= 2 trip 0.1
// CHECK-NEXT:      read window buffer 0@1 0..1024
// CHECK-NEXT:      atomic window buffer 0@0 0..256
// CHECK-NEXT:    rank 1
// CHECK-NEXT:      write window buffer 0@0 256..320 trip 1.0
// CHECK-NEXT:      add 1 to window buffer 1@0+4 trip 1.0
// CHECK-NEXT:      wait window buffer 1@1+0 >= 1 trip 1.0
func.func @send(%data: !pld.dtensor<4x64xf32>, %signal: !pld.dtensor<?x1xi32>, %round: index, %peer: index)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<4x64xf32>
  %me = pld.rank %ctx
  %zero = arith.constant 0.0 : f32
  %tile = pl.full %zero : !pl.tile<2x16xf32>
  %rows = arith.addi %round, %c1 : index
  %first = arith.subi %c1, %round : index
  %columns = arith.constant 16 : index
  %valid = arith.subi %columns, %round : index
  pld.remote_store %tile, %data[%first, %round] valid [%rows, %valid] to %peer
      : !pl.tile<2x16xf32>, !pld.dtensor<4x64xf32>
  %one = arith.constant 1 : i32
  pld.notify add %one, %signal[%me, 0] to %peer : !pld.dtensor<?x1xi32>
  return
}
func.func @core(%x: memref<4x64xf32>, %y: memref<4x64xf32> {pl.out}, %data: !pld.dtensor<4x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<4x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  scf.for %round = %c0 to %c2 step %c1 {
    func.call @send(%data, %signal, %round, %next)
        : (!pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>, index, index) -> ()
    %rounds = arith.addi %round, %c1 : index
    %value = arith.index_cast %rounds : index to i32
    pld.wait ge %value, %signal[%next, 0] : !pld.dtensor<?x1xi32>
  }
  %many = arith.constant 1000000000 : index
  scf.for %i = %c0 to %many step %c1 {
    %t = pl.load %x[0, 0] : memref<4x64xf32> -> !pl.tile<1x64xf32>
    pl.store %t, %y[0, 0] : !pl.tile<1x64xf32>, memref<4x64xf32>
  }
  pld.get %data, %y from %next : !pld.dtensor<4x64xf32>, memref<4x64xf32>
  pld.put %x[1, 0], %data[0, 0] sizes [1, 64] to %me atomic add : memref<4x64xf32>, !pld.dtensor<4x64xf32>
  return
}
func.func @device(%x: memref<4x64xf32>, %y: memref<4x64xf32> {pl.out}, %data: !pld.dtensor<4x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%x, %y, %data, %signal) : (memref<4x64xf32>, memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}
func.func @ring(%x: memref<?x4x64xf32>, %y: memref<?x4x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [4, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<4x64xf32>
  %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x4x64xf32> -> memref<4x64xf32>
    %yr = pl.shard %y[%r] : memref<?x4x64xf32> -> memref<4x64xf32>
    pld.dispatch @device(%xr, %yr, %data, %signal) on %r : (memref<4x64xf32>, memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// -----

// Where data decides: a branch without signals may run, one with signals is two ways, the same
// on all ranks for what all ranks read; a peer from data is one of the ranks, and stays it.
// CHECK-LABEL: @decided on 2 ranks, the branch is taken{{$}}
// CHECK-NEXT:    remark: the peer comes from data and is taken to be a rank of the group
// CHECK-NEXT:    rank 0
// CHECK-NEXT:      may write window buffer 0@0 0..256
// CHECK-NEXT:      meet pld.barrier [0, 1] by window buffer 1+0
// CHECK-NEXT:      may write window buffer 0@0 0..256
// CHECK-NEXT:      may write window buffer 0@1 0..256
// CHECK-NEXT:      may add 1 to window buffer 1@0+0
// CHECK-NEXT:      may add 1 to window buffer 1@1+0
// CHECK-NEXT:    rank 1
// CHECK-NEXT:      may write window buffer 0@1 0..256
// CHECK-NEXT:      meet pld.barrier [0, 1] by window buffer 1+0
// CHECK-LABEL: @decided on 2 ranks, the branch is not taken{{$}}
// CHECK:         rank 0
// CHECK-NEXT:      may write window buffer 0@0 0..256
// CHECK-NEXT:      may write window buffer 0@0 0..256
// CHECK:         rank 1
// CHECK-NEXT:      may write window buffer 0@1 0..256
// CHECK-NEXT:      may write window buffer 0@0 0..256
// CHECK-NOT:   @decided
func.func @core(%flags: memref<4xi32>, %own: memref<4xi32>, %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %float = arith.constant 0.0 : f32
  %tile = pl.full %float : !pl.tile<1x64xf32>
  %flag = pl.read %flags[0] : memref<4xi32>
  %unknown = pl.read %own[1] : memref<4xi32>
  %positive = arith.cmpi sgt, %unknown, %zero : i32
  scf.if %positive {
    pl.store %tile, %data[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  }
  %meets = arith.cmpi sgt, %flag, %zero : i32
  scf.if %meets {
    pld.barrier %signal : !pld.dtensor<?x1xi32>
  }
  %peer = arith.index_cast %unknown : i32 to index
  pld.remote_store %tile, %data[0, 0] to %peer : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pld.notify add %one, %signal[0, 0] to %peer : !pld.dtensor<?x1xi32>
  return
}
func.func @device(%flags: memref<4xi32>, %own: memref<4xi32>, %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @core(%flags, %own, %data, %signal) : (memref<4xi32>, memref<4xi32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}
func.func @decided(%flags: memref<4xi32>, %x: memref<?x4xi32>) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<1x64xf32>
  %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %own = pl.shard %x[%r] : memref<?x4xi32> -> memref<4xi32>
    pld.dispatch @device(%flags, %own, %data, %signal) on %r : (memref<4xi32>, memref<4xi32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}

// -----

// A loop with signals whose trips data decides runs not at all, once, and twice; one without
// is taken as a whole.
// CHECK-LABEL: @trips on 2 ranks, the loop does not run{{$}}
// CHECK-NEXT:    remark: data decides how often it runs, of which 0, 1 and 2 times are looked at
// CHECK:         rank 0
// CHECK-NEXT:      may read window buffer 0@0 0..256
// CHECK-NEXT:    rank 1
// CHECK-LABEL: @trips on 2 ranks, the loop runs once{{$}}
// CHECK-LABEL: @trips on 2 ranks, the loop runs twice{{$}}
// CHECK:         rank 0
// CHECK-NEXT:      add 7 to window buffer 0@0+0 trip 0.0
// CHECK-NEXT:      add 7 to window buffer 0@0+4 trip 0.1
// CHECK-NEXT:      may read window buffer 0@0 0..256
// CHECK-NOT:   @trips
func.func @core(%signal: !pld.dtensor<64x1xi32>, %count: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  scf.for %i = %c0 to %count step %c1 {
    pld.notify add %seven, %signal[%i, 0] to %c0 : !pld.dtensor<64x1xi32>
  }
  scf.for %i = %c0 to %count step %c1 {
    %t = pl.load %signal[%i, 0] : !pld.dtensor<64x1xi32> -> !pl.tile<1x1xi32>
  }
  return
}
func.func @device(%signal: !pld.dtensor<64x1xi32>, %count: index) attributes {pl.device} {
  call @core(%signal, %count) : (!pld.dtensor<64x1xi32>, index) -> ()
  return
}
func.func @trips(%count: index) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %buffer = pld.alloc_window_buffer [64, 1] of i32
  %signal = pld.window %buffer : !pld.dtensor<64x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    pld.dispatch @device(%signal, %count) on %r : (!pld.dtensor<64x1xi32>, index)
  }
  return
}

// -----

// Integers that a rank writes are read back; what a cell can hold follows from all that is
// notified to it, whatever comes first.
// CHECK-LABEL: @values on 2 ranks
// CHECK-NEXT:    rank 0
// CHECK-NEXT:      add 1 to window buffer 0@1+0
// CHECK-NEXT:      read window buffer 0@0 0..4
// CHECK-NEXT:      may add 5 to window buffer 0@0+4
// CHECK-NEXT:      may add 5 to window buffer 0@1+4
// CHECK-NEXT:      add 5 to window buffer 0@1+12
// CHECK-NEXT:    rank 1
func.func @core(%memory: memref<4xi32> {pl.inout}, %signal: !pld.dtensor<64x1xi32>) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %signal : !pld.dtensor<64x1xi32>
  %me = pld.rank %ctx
  %peer = arith.subi %c1, %me : index
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  pl.write %five, %memory[2] : memref<4xi32>
  pld.notify add %one, %signal[0, 0] to %peer : !pld.dtensor<64x1xi32>
  %seen = pl.read %signal[0, 0] : !pld.dtensor<64x1xi32>
  %to = arith.index_cast %seen : i32 to index
  %value = pl.read %memory[2] : memref<4xi32>
  pld.notify add %value, %signal[1, 0] to %to : !pld.dtensor<64x1xi32>
  pld.notify add %value, %signal[%c3, 0] to %peer : !pld.dtensor<64x1xi32>
  return
}
func.func @device(%signal: !pld.dtensor<64x1xi32>) attributes {pl.device} {
  %memory = memref.alloc() : memref<4xi32>
  call @core(%memory, %signal) : (memref<4xi32>, !pld.dtensor<64x1xi32>) -> ()
  return
}
func.func @values() attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %buffer = pld.alloc_window_buffer [64, 1] of i32
  %signal = pld.window %buffer : !pld.dtensor<64x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    pld.dispatch @device(%signal) on %r : (!pld.dtensor<64x1xi32>)
  }
  return
}

// -----

// Blocks are processes that start and end with their pl.spmd; they share the arrays of their
// rank, notify each for itself, and meet before their rank meets its peers.
// CHECK-LABEL: @blocks on 2 ranks
// CHECK-NEXT:    rank 0
// CHECK-NEXT:      add 1 to [[B:blocks@0]]+0
// CHECK-NEXT:      wait [[B]]+4 >= 2
// CHECK-NEXT:    rank 1
// CHECK-NEXT:      add 1 to blocks@1+0
// CHECK-NEXT:      wait blocks@1+4 >= 2
// CHECK-NEXT:    rank 0 block 0
// CHECK-NEXT:      wait [[B]]+0 >= 1
// CHECK-NEXT:      write argument #0@0 0..64
// CHECK-NEXT:      add 1 to window buffer 0@0+0
// CHECK-NEXT:      wait [[B]]+8 >= 1
// CHECK-NEXT:      meet pld.barrier [0, 1] by window buffer 1+0
// CHECK-NEXT:      add 1 to [[B]]+12
// CHECK-NEXT:      add 1 to [[B]]+16
// CHECK-NEXT:      wait [[B]]+16 >= 2
// CHECK-NEXT:      add 1 to [[B]]+4
// CHECK-NEXT:    rank 0 block 1
// CHECK-NEXT:      wait [[B]]+0 >= 1
// CHECK-NEXT:      write argument #0@0 64..128
// CHECK-NEXT:      add 1 to window buffer 0@0+4
// CHECK-NEXT:      add 1 to [[B]]+8
// CHECK-NEXT:      wait [[B]]+12 >= 1
// CHECK-NEXT:      add 1 to [[B]]+16
// CHECK-NEXT:      wait [[B]]+16 >= 2
// CHECK-NEXT:      add 1 to [[B]]+4
// CHECK-NEXT:    rank 1 block 0
func.func @core(%y: memref<2x16xf32> {pl.out}, %cells: !pld.dtensor<4x1xi32>, %signal: !pld.dtensor<4x1xi32>, %block: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %tile = pl.full %zero : !pl.tile<1x16xf32>
  pl.store %tile, %y[%block, 0] : !pl.tile<1x16xf32>, memref<2x16xf32>
  pld.notify add %one, %cells[%block, 0] to %c0 : !pld.dtensor<4x1xi32>
  pld.barrier %signal : !pld.dtensor<4x1xi32>
  pl.sync_blocks
  return
}
func.func @device(%y: memref<2x16xf32> {pl.out}, %cells: !pld.dtensor<4x1xi32>, %signal: !pld.dtensor<4x1xi32>) attributes {pl.device} {
  %c2 = arith.constant 2 : index
  pl.spmd %c2 {
    %block = pl.block_idx
    func.call @core(%y, %cells, %signal, %block) : (memref<2x16xf32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>, index) -> ()
  }
  return
}
func.func @blocks(%y: memref<2x2x16xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %a = pld.alloc_window_buffer [4, 1] of i32
  %b = pld.alloc_window_buffer [4, 1] of i32
  %cells = pld.window %a : !pld.dtensor<4x1xi32>
  %signal = pld.window %b : !pld.dtensor<4x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %yr = pl.shard %y[%r] : memref<2x2x16xf32> -> memref<2x16xf32>
    pld.dispatch @device(%yr, %cells, %signal) on %r : (memref<2x16xf32>, !pld.dtensor<4x1xi32>, !pld.dtensor<4x1xi32>)
  }
  return
}

// -----

// A peer that is none, and a rank that has no slice of a window, end their rank's line; a
// collective of the host is one of every member; regions of tensors read and write windows.
// CHECK-LABEL: @ends on 2 ranks
// CHECK-NEXT:    rank 0
// CHECK-NEXT:      read window buffer 0@0 0..256
// CHECK-NEXT:      write window buffer 0@1 0..256
// CHECK-NEXT:      meet pld.allreduce sum {algorithm = "ring"} [0, 1]{{$}}
// CHECK-NEXT:      peer -1 outside of 2
// CHECK-NEXT:    rank 1
// CHECK-NEXT:      read window buffer 0@1 0..256
// CHECK-NEXT:      write window buffer 0@1 0..256
// CHECK-NEXT:      meet pld.allreduce sum {algorithm = "ring"} [0, 1]{{$}}
// CHECK-NEXT:      read window buffer 0@0 0..256
// CHECK-NEXT:      foreign window buffer 1 trip 1
// CHECK-NOT: {{.}}
func.func @core(%data: !pld.dtensor<1x64xf32>, %own: !pld.dtensor<1x64xf32>) attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<1x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %before = arith.subi %me, %c1 : index
  %peer = arith.remsi %before, %n : index
  %t = pld.remote_load %data[0, 0] from %peer : !pld.dtensor<1x64xf32> -> !pl.tile<1x64xf32>
  pl.store %t, %own[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  pl.store %t, %own[0, 0] : !pl.tile<1x64xf32>, !pld.dtensor<1x64xf32>
  return
}
func.func @tensors(%data: !pld.dtensor<1x64xf32>) attributes {pl.device} {
  %c1 = arith.constant 1 : index
  pl.at core_group {
    %v = pl.slice %data[0, 0] : !pld.dtensor<1x64xf32> -> tensor<1x64xf32>
    pld.remote_store %v, %data[0, 0] to %c1 : tensor<1x64xf32>, !pld.dtensor<1x64xf32>
  }
  return
}
func.func @device(%data: !pld.dtensor<1x64xf32>, %own: !pld.dtensor<1x64xf32>) attributes {pl.device} {
  call @core(%data, %own) : (!pld.dtensor<1x64xf32>, !pld.dtensor<1x64xf32>) -> ()
  return
}
func.func @ends() attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %a = pld.alloc_window_buffer [1, 64] of f32
  %b = pld.alloc_window_buffer [1, 64] of f32 {ranks = array<i64: 0>}
  %data = pld.window %a : !pld.dtensor<1x64xf32>
  %own = pld.window %b : !pld.dtensor<1x64xf32>
  scf.for %r = %c0 to %n step %c1 {
    pld.dispatch @tensors(%data) on %r : (!pld.dtensor<1x64xf32>)
  }
  pld.allreduce sum %data {algorithm = "ring"} : !pld.dtensor<1x64xf32>
  scf.for %r = %c0 to %n step %c1 {
    pld.dispatch @device(%data, %own) on %r : (!pld.dtensor<1x64xf32>, !pld.dtensor<1x64xf32>)
  }
  return
}
