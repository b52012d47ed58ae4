// A barrier; then, with no rounds, every rank waits for a notify that nobody sends.
func.func @core(%x: memref<ROWSxCOLSxf32>, %y: memref<ROWSxCOLSxf32> {pl.out},
                %data: !pld.dtensor<TWICExCOLSxf32>, %sig: !pld.dtensor<?x1xi32>, %rounds: index)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  pld.barrier %sig : !pld.dtensor<?x1xi32>
  %waits = arith.cmpi eq, %rounds, %c0 : index
  scf.if %waits {
    pld.wait ge %one, %sig[0, 0] : !pld.dtensor<?x1xi32>
  }
  return
}
