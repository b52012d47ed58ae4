// A barrier, then every rank waits for the rank before it; with one round rank 0 notifies
// first, and with none nobody does.
func.func @core(%x: memref<ROWSxCOLSxf32>, %y: memref<ROWSxCOLSxf32> {pl.out},
                %data: !pld.dtensor<TWICExCOLSxf32>, %sig: !pld.dtensor<?x1xi32>, %rounds: index)
    attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<TWICExCOLSxf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  pld.barrier %sig : !pld.dtensor<?x1xi32>
  %first = arith.cmpi eq, %me, %c0 : index
  %sends = arith.cmpi ne, %rounds, %c0 : index
  %starts = arith.andi %first, %sends : i1
  scf.if %starts {
    pld.notify add %one, %sig[0, 0] to %next : !pld.dtensor<?x1xi32>
  }
  pld.wait ge %one, %sig[0, 0] : !pld.dtensor<?x1xi32>
  %later = arith.cmpi ne, %me, %c0 : index
  scf.if %later {
    pld.notify add %one, %sig[0, 0] to %next : !pld.dtensor<?x1xi32>
  }
  return
}
