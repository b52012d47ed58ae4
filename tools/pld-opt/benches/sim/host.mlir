func.func @per_rank(%x: memref<ROWSxCOLSxf32>, %y: memref<ROWSxCOLSxf32> {pl.out},
                    %data: !pld.dtensor<TWICExCOLSxf32>, %sig: !pld.dtensor<?x1xi32>, %rounds: index)
    attributes {pl.device} {
  call @core(%x, %y, %data, %sig, %rounds)
      : (memref<ROWSxCOLSxf32>, memref<ROWSxCOLSxf32>, !pld.dtensor<TWICExCOLSxf32>, !pld.dtensor<?x1xi32>, index) -> ()
  return
}

func.func @main(%x: memref<?xROWSxCOLSxf32>, %y: memref<?xROWSxCOLSxf32> {pl.out}, %rounds: index)
    attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [TWICE, COLS] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?xROWSxCOLSxf32> -> memref<ROWSxCOLSxf32>
    %yr = pl.shard %y[%r] : memref<?xROWSxCOLSxf32> -> memref<ROWSxCOLSxf32>
    %data = pld.window %data_buffer : !pld.dtensor<TWICExCOLSxf32>
    %sig = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %data, %sig, %rounds) on %r
        : (memref<ROWSxCOLSxf32>, memref<ROWSxCOLSxf32>, !pld.dtensor<TWICExCOLSxf32>, !pld.dtensor<?x1xi32>, index)
  }
  return
}
