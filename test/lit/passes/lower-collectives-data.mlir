// Collectives: a barrier, what moves the data, a barrier. The barriers are tested on their own.
// RUN: pld-opt %s --pld-lower-collectives=barrier=credit --split-input-file | FileCheck %s
// RUN: pld-opt %s --pld-lower-collectives --canonicalize --cse --split-input-file --verify-roundtrip | FileCheck %s --check-prefix=CLEAN

// CLEAN-NOT: {{^ *pld.(barrier|all|reduce|broadcast)}}

// All but the root pull its slice. Everything is reported as the collective.
// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%d: !pld.dtensor<8x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: pld.notify {{.*}} {pld.from = "pld.broadcast"}
  // CHECK: pld.wait {{.*}} {pld.from = "pld.broadcast"}
  // CHECK: pld.notify
  // CHECK: %[[ROOT:.*]] = arith.constant 1 : index
  // CHECK: %[[RECEIVES:.*]] = arith.cmpi ne, %[[ME]], %[[ROOT]]
  // CHECK: scf.if %[[RECEIVES]]
  // CHECK-NEXT: %[[T:.*]] = pld.remote_load %arg0[0, 0] from %[[ROOT]] {pld.from = "pld.broadcast"} : !pld.dtensor<8x64xf32> -> !pl.tile<8x64xf32>
  // CHECK-NEXT: pl.store %[[T]], %arg0[0, 0] {pld.from = "pld.broadcast"}
  // CHECK: pld.notify
  // CHECK: pld.wait
  // CHECK: pld.notify
  pld.broadcast %d, %s root 1 : !pld.dtensor<8x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// A chunk is read once and pushed to every rank, this one first.
// CHECK-LABEL: func.func @allgather
func.func @allgather(%x: memref<1x64xf32>, %d: !pld.dtensor<?x64xf32>, %s: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: pld.wait
  // CHECK: %[[T:.*]] = pl.load %arg0[0, 0]
  // CHECK: scf.for %[[I:.*]] =
  // CHECK:   arith.addi %[[ME]], %[[I]]
  // CHECK:   %[[P:.*]] = arith.select
  // CHECK:   pld.remote_store %[[T]], %arg1[%[[ME]], 0] to %[[P]]
  // CHECK: pld.wait
  pld.allgather %x into %d, %s : memref<1x64xf32>, !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// Row d goes to row me of rank d.
// CHECK-LABEL: func.func @all_to_all
func.func @all_to_all(%x: memref<4x64xf32>, %d: !pld.dtensor<4x64xf32>, %s: !pld.dtensor<?x1xi32>)
    attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: pld.wait
  // CHECK: %[[P:.*]] = arith.select
  // CHECK: %[[T:.*]] = pl.load %arg0[%[[P]], 0]
  // CHECK: pld.remote_store %[[T]], %arg1[%[[ME]], 0] to %[[P]]
  // CHECK: pld.wait
  pld.all_to_all %x into %d, %s : memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// A count is clamped to the rows of a block, told to its rank, and so many rows are moved.
// CHECK-LABEL: func.func @all_to_all_v
func.func @all_to_all_v(%x: memref<16x64xf32>, %d: !pld.dtensor<16x64xf32>, %s: !pld.dtensor<?x1xi32>,
                        %send: memref<4x1xi32>, %recv: !pld.dtensor<4x1xi32>) attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: %[[N:.*]] = pld.nranks
  // CHECK: pld.wait
  // CHECK: %[[CAP:.*]] = arith.divsi %c16{{.*}}, %[[N]]
  // CHECK: %[[P:.*]] = arith.select
  // CHECK: pl.read %arg3[%[[P]], 0]
  // CHECK: arith.maxsi
  // CHECK: %[[COUNT:.*]] = arith.minsi %{{.*}}, %[[CAP]]
  // CHECK: %[[TOLD:.*]] = arith.index_cast %[[COUNT]]
  // CHECK: %[[FULL:.*]] = pl.full %[[TOLD]] : !pl.tile<1x1xi32>
  // CHECK: pld.remote_store %[[FULL]], %arg4[%[[ME]], 0] to %[[P]]
  // CHECK: %[[FROM:.*]] = arith.muli %[[P]], %[[CAP]]
  // CHECK: %[[TO:.*]] = arith.muli %[[ME]], %[[CAP]]
  // CHECK: pl.load %arg0[%{{.*}}, 0] valid [%{{.*}}, 64]
  // CHECK: pld.remote_store %{{.*}}, %arg1[%{{.*}}, 0] valid [%{{.*}}, 64] to %[[P]]
  // CHECK: pld.wait
  pld.all_to_all_v %x into %d, %s counts %send, %recv
      : memref<16x64xf32>, !pld.dtensor<16x64xf32>, !pld.dtensor<?x1xi32> counts memref<4x1xi32>, !pld.dtensor<4x1xi32>
  return
}

// -----

// The own row, reduced from rank 0 on; f16 is added up in f32.
// CHECK-LABEL: func.func @reduce_scatter
func.func @reduce_scatter(%d: !pld.dtensor<4x64xf16>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: %[[N:.*]] = pld.nranks
  // CHECK: pld.wait
  // CHECK: %[[A:.*]] = pld.remote_load %arg0[%[[ME]], 0] from %c0
  // CHECK: %[[F:.*]] = pl.cast none %[[A]] : !pl.tile<1x64xf16> -> !pl.tile<1x64xf32>
  // CHECK: %[[SUM:.*]] = scf.for %[[P:.*]] = %c1{{.*}} to %[[N]] {{.*}} iter_args(%[[ACC:.*]] = %[[F]])
  // CHECK:   %[[B:.*]] = pld.remote_load %arg0[%[[ME]], 0] from %[[P]]
  // CHECK:   %[[G:.*]] = pl.cast none %[[B]]
  // CHECK:   pl.add %[[ACC]], %[[G]] : !pl.tile<1x64xf32>
  // CHECK: %[[R:.*]] = pl.cast rint %[[SUM]]
  // CHECK: pl.store %[[R]], %arg0[%[[ME]], 0]
  // CHECK: pld.wait
  pld.reduce_scatter sum %d, %s : !pld.dtensor<4x64xf16>, !pld.dtensor<?x1xi32>
  return
}

// -----

// A mesh: each piece of the own share is reduced and stored to all, with no barrier but the two
// around. Sixteen KiB are cut into eight pieces, so that every rank has some.
// CHECK-LABEL: func.func @mesh
func.func @mesh(%d: !pld.dtensor<4096xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: %[[N:.*]] = pld.nranks
  // CHECK: pld.wait
  // CHECK: arith.muli %c8{{.*}}, %[[ME]]
  // CHECK: %[[FIRST:.*]] = arith.divsi %{{.*}}, %[[N]]
  // CHECK: %[[END:.*]] = arith.divsi %{{.*}}, %[[N]]
  // CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END]]
  // CHECK:   pld.remote_load {{.*}} -> !pl.tile<1x512xf32>
  // CHECK:   %[[WHOLE:.*]] = scf.for
  // CHECK:     pl.add
  // CHECK:   pl.store %[[WHOLE]], %arg0
  // CHECK:   scf.for %{{.*}} = %c1{{.*}} to %[[N]]
  // CHECK:     pld.remote_store %[[WHOLE]], %arg0
  // CHECK: pld.wait
  // CHECK-NOT: pld.wait
  // CHECK: return
  pld.allreduce sum %d, %s {algorithm = "mesh"} : !pld.dtensor<4096xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// A ring: steps that add, steps that copy; each waits for the previous rank's count and adds to
// the own cell on the next rank. The counts are taken back at once.
// CHECK-LABEL: func.func @ring
func.func @ring(%d: !pld.dtensor<4096xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK: %[[ME:.*]] = pld.rank
  // CHECK: %[[N:.*]] = pld.nranks
  // CHECK: pld.wait
  // CHECK: %[[HALF:.*]] = arith.subi %[[N]], %c1
  // CHECK: %[[STEPS:.*]] = arith.addi %[[HALF]], %[[HALF]]
  // CHECK: %[[PREVIOUS:.*]] = arith.select
  // CHECK: %[[NEXT:.*]] = arith.select
  // CHECK: %[[TOLD:.*]] = arith.subi %[[STEPS]], %c1
  // CHECK: scf.for %[[STEP:.*]] = %c0{{.*}} to %[[HALF]]
  // CHECK:   %[[COUNT:.*]] = arith.index_cast %[[STEP]] : index to i32
  // CHECK:   pld.wait ge %[[COUNT]], %arg1[%[[PREVIOUS]], %c0{{.*}}] {pld.from = "pld.allreduce"}
  // CHECK:   pld.remote_load %arg0[%{{.*}}] from %[[PREVIOUS]]
  // CHECK:   pl.load %arg0
  // CHECK:   pl.max
  // CHECK:   pl.store
  // CHECK:   pld.notify add %{{.*}}, %arg1[%[[ME]], %c0{{.*}}] to %[[NEXT]]
  // CHECK: scf.for %[[ROUND:.*]] = %c0{{.*}} to %[[HALF]]
  // CHECK:   pld.wait
  // CHECK:   pld.remote_load {{.*}} from %[[PREVIOUS]]
  // CHECK-NOT: pl.max
  // CHECK:   pl.store
  // CHECK:   pld.notify
  // CHECK: pld.notify add %{{.*}}, %arg1[%[[PREVIOUS]], %c0{{.*}}] to %[[ME]]
  // CHECK: pld.wait
  pld.allreduce max %d, %s {algorithm = "ring"} : !pld.dtensor<4096xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// By itself, small data goes by the mesh and large data round the ring; data whose size is not
// known takes one of them at run time.
// CHECK-LABEL: func.func @small
func.func @small(%d: !pld.dtensor<64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK-COUNT-2: pld.wait
  // CHECK-NOT: pld.wait
  // CHECK: return
  pld.allreduce sum %d, %s : !pld.dtensor<64xf32>, !pld.dtensor<?x1xi32>
  return
}
// CHECK-LABEL: func.func @large
func.func @large(%d: !pld.dtensor<1024x1024xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK: %[[COUNT:.*]] = arith.index_cast %{{.*}} : index to i32
  // CHECK: pld.wait ge %[[COUNT]]
  pld.allreduce sum %d, %s {algorithm = "auto"} : !pld.dtensor<1024x1024xf32>, !pld.dtensor<?x1xi32>
  return
}
// CHECK-LABEL: func.func @unknown
func.func @unknown(%d: !pld.dtensor<?x64xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK: arith.cmpi slt, %[[BYTES:.*]], %c262144
  // CHECK: arith.cmpi sge, %[[BYTES]], %c262144
  pld.allreduce sum %d, %s : !pld.dtensor<?x64xf32>, !pld.dtensor<?x1xi32>
  return
}

// -----

// On the host a collective is a dispatch to every rank. Without a signal it gets a cell for
// each rank in the tail of its window's buffer, one for all collectives of a buffer.
// CHECK-LABEL: func.func @host
func.func @host(%c: i1) attributes {pl.host} {
  %b = pld.alloc_window_buffer [1, 64] of f32
  %g = pld.alloc_window_buffer [1, 64] of f32 {ranks = array<i64: 1, 2>}
  // CHECK: %[[N:.*]] = pld.world_size
  // CHECK: %[[S:.*]] = pld.window %0 tail[%[[N]]] {pld.from = "pld.allreduce"} : !pld.dtensor<?x1xi32>
  // CHECK: %[[S2:.*]] = pld.window %{{.*}} tail {pld.from = "pld.broadcast"} : !pld.dtensor<2x1xi32>
  // CHECK: %[[D:.*]] = pld.window %0 :
  %d = pld.window %b : !pld.dtensor<1x64xf32>
  %e = pld.window %g : !pld.dtensor<1x64xf32>
  // CHECK-NOT: pld.alloc_window_buffer
  // CHECK: scf.if
  scf.if %c {
    // CHECK: pld.dispatch @host_allreduce(%[[D]], %[[S]]) on %{{.*}} {pld.from = "pld.allreduce"}
    pld.allreduce sum %d : !pld.dtensor<1x64xf32>
  }
  // CHECK: pld.dispatch @host_broadcast(%[[D]], %[[S]])
  pld.broadcast %d root 0 : !pld.dtensor<1x64xf32>
  // Another reduction is another function, the same one is not.
  // CHECK: pld.dispatch @host_allreduce_1(%[[D]], %[[S]])
  pld.allreduce max %d : !pld.dtensor<1x64xf32>
  // CHECK: pld.dispatch @host_allreduce(%[[D]], %[[S]])
  pld.allreduce sum %d : !pld.dtensor<1x64xf32>
  // CHECK: pld.dispatch @host_broadcast_1(%{{.*}}, %[[S2]]) on
  // CHECK: pld.dispatch @host_broadcast_1(%{{.*}}, %[[S2]]) on
  pld.broadcast %e root 0 : !pld.dtensor<1x64xf32>
  // CHECK: return
  return
}
// CHECK: func.func @host_allreduce_core(%{{.*}}: !pld.dtensor<1x64xf32>, %{{.*}}: !pld.dtensor<?x1xi32>) attributes {pl.incore, pld.from = "pld.allreduce"}
// CHECK: pl.add
// CHECK: func.func @host_allreduce(%{{.*}}) attributes {pl.device, pld.from = "pld.allreduce"}

// -----

// In what pl.spmd runs, through calls too, all blocks of a rank meet, one acts, all meet again.
// CHECK-LABEL: func.func @inner
func.func @inner(%s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK-NEXT: pl.sync_blocks
  // CHECK-NEXT: %[[B:.*]] = pl.block_idx
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[B]], %c0
  // CHECK-NEXT: scf.if %[[FIRST]]
  // CHECK: pld.notify
  // CHECK: pld.wait
  // CHECK: pld.notify
  // CHECK: pl.sync_blocks
  // CHECK-NEXT: return
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}
func.func @outer(%s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  call @inner(%s) : (!pld.dtensor<?x1xi32>) -> ()
  return
}
// CHECK-LABEL: func.func @elsewhere
func.func @elsewhere(%s: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  // CHECK-NOT: pl.sync_blocks
  pld.barrier %s : !pld.dtensor<?x1xi32>
  return
}
func.func @device(%s: !pld.dtensor<?x1xi32>, %n: index) attributes {pl.device} {
  pl.spmd %n {
    func.call @outer(%s) : (!pld.dtensor<?x1xi32>) -> ()
  }
  call @elsewhere(%s) : (!pld.dtensor<?x1xi32>) -> ()
  return
}
