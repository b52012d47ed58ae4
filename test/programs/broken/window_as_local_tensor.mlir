// Wrong: a window is passed where a local array is expected (pld-101).
// Mended: make the parameter a !pld.dtensor.

func.func @core(%x: memref<1x64xf32>) attributes {pl.incore} {
  return
}

func.func @per_rank(%data: !pld.dtensor<1x64xf32>) attributes {pl.device} {
  call @core(%data) : (!pld.dtensor<1x64xf32>) -> ()
  return
}
