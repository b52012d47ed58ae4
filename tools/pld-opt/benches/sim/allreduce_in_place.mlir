// Every rank stages its slice once, and each round adds up in place what the last one left.
func.func @core(%x: memref<ROWSxCOLSxf32>, %y: memref<ROWSxCOLSxf32> {pl.out},
                %data: !pld.dtensor<ROWSxCOLSxf32>, %sig: !pld.dtensor<?x1xi32>, %rounds: index)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant ROWS : index
  %tile = arith.constant TILE : index
  scf.for %i = %c0 to %rows step %tile {
    %t = pl.load %x[%i, 0] : memref<ROWSxCOLSxf32> -> !pl.tile<TILExCOLSxf32>
    pl.store %t, %data[%i, 0] : !pl.tile<TILExCOLSxf32>, !pld.dtensor<ROWSxCOLSxf32>
  }
  scf.for %k = %c0 to %rounds step %c1 {
    pld.allreduce sum %data, %sig : !pld.dtensor<ROWSxCOLSxf32>, !pld.dtensor<?x1xi32>
  }
  scf.for %i = %c0 to %rows step %tile {
    %t = pl.load %data[%i, 0] : !pld.dtensor<ROWSxCOLSxf32> -> !pl.tile<TILExCOLSxf32>
    pl.store %t, %y[%i, 0] : !pl.tile<TILExCOLSxf32>, memref<ROWSxCOLSxf32>
  }
  return
}
