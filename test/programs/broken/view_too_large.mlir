// Wrong: the view has 512 bytes, its buffer 256 (pld-104).
// Mended: allocate what the view needs.

func.func @main() attributes {pl.host} {
  %buffer = pld.alloc_window_buffer [1, 64] of f32
  %data = pld.window %buffer : !pld.dtensor<2x64xf32>
  return
}
