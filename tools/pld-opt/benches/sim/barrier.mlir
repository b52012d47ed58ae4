// Barriers and nothing else.
func.func @core(%x: memref<ROWSxCOLSxf32>, %y: memref<ROWSxCOLSxf32> {pl.out},
                %data: !pld.dtensor<TWICExCOLSxf32>, %sig: !pld.dtensor<?x1xi32>, %rounds: index)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %rounds step %c1 {
    pld.barrier %sig : !pld.dtensor<?x1xi32>
  }
  return
}
