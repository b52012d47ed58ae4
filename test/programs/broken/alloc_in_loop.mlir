// Wrong: the window is allocated per dispatch instead of once (pld-102).
// Mended: hoist pld.alloc_window_buffer above the loop; keep pld.window inside.

func.func @core(%data: !pld.dtensor<1x64xf32>) attributes {pl.incore} {
  return
}

func.func @per_rank(%data: !pld.dtensor<1x64xf32>) attributes {pl.device} {
  call @core(%data) : (!pld.dtensor<1x64xf32>) -> ()
  return
}

func.func @main() attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %buffer = pld.alloc_window_buffer [1, 64] of f32
    %data = pld.window %buffer : !pld.dtensor<1x64xf32>
    pld.dispatch @per_rank(%data) on %r : (!pld.dtensor<1x64xf32>)
  }
  return
}
