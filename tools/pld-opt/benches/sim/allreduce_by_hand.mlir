// Each round every rank stages its slice and adds up the slices of all, its own first: the
// mesh form. Two halves take turns, so one barrier a round is enough.
func.func @core(%x: memref<ROWSxCOLSxf32>, %y: memref<ROWSxCOLSxf32> {pl.out},
                %data: !pld.dtensor<TWICExCOLSxf32>, %sig: !pld.dtensor<?x1xi32>, %rounds: index)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant ROWS : index
  %tile = arith.constant TILE : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<TWICExCOLSxf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  scf.for %k = %c0 to %rounds step %c1 {
    %half = arith.remsi %k, %c2 : index
    %base = arith.muli %half, %rows : index
    scf.for %i = %c0 to %rows step %tile {
      %at = arith.addi %base, %i : index
      %t = pl.load %x[%i, 0] : memref<ROWSxCOLSxf32> -> !pl.tile<TILExCOLSxf32>
      pl.store %t, %data[%at, 0] : !pl.tile<TILExCOLSxf32>, !pld.dtensor<TWICExCOLSxf32>
    }
    pld.barrier %sig : !pld.dtensor<?x1xi32>
    scf.for %i = %c0 to %rows step %tile {
      %at = arith.addi %base, %i : index
      %own = pl.load %x[%i, 0] : memref<ROWSxCOLSxf32> -> !pl.tile<TILExCOLSxf32>
      %sum = scf.for %p = %c1 to %n step %c1 iter_args(%acc = %own) -> (!pl.tile<TILExCOLSxf32>) {
        %far = arith.addi %me, %p : index
        %peer = arith.remsi %far, %n : index
        %part = pld.remote_load %data[%at, 0] from %peer : !pld.dtensor<TWICExCOLSxf32> -> !pl.tile<TILExCOLSxf32>
        %new = pl.add %acc, %part : !pl.tile<TILExCOLSxf32>
        scf.yield %new : !pl.tile<TILExCOLSxf32>
      }
      pl.store %sum, %y[%i, 0] : !pl.tile<TILExCOLSxf32>, memref<ROWSxCOLSxf32>
    }
  }
  return
}
