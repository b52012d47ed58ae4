// What the verifiers of pl.load, pl.store, pl.read, pl.write, pl.dim and pl.shard refuse.
// RUN: pld-opt %s --split-input-file --verify-diagnostics

//===--- 101: memory of another level --------------------------------------===//

// kind 101: in-core first
// A tile is a value: there is nothing to load from.
func.func @load_of_tile(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.load' op memory operand is !pl.tile<8x64xf32>, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{a memref is a local array, a !pld.dtensor a view of a window buffer}}
  %a = pl.load %t[0, 0] : !pl.tile<8x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

// kind 101: in-core last
// So is a tensor.
func.func @store_to_tensor(%v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  %x = ub.poison : tensor<8x64xf32>
  // expected-error @+2 {{'pl.store' op memory operand is tensor<8x64xf32>, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{a tensor is a value, not memory}}
  pl.store %t, %x[0, 0] : !pl.tile<8x64xf32>, tensor<8x64xf32>
  return
}

// -----

// A scalar is no memory either.
func.func @read_of_scalar(%i: i32) attributes {pl.incore} {
  // expected-error @+2 {{'pl.read' op memory operand is i32, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{a memref is a local array}}
  %a = pl.read %i[] : i32
  return
}

// -----

// Memory has one layout.
func.func @strided() attributes {pl.incore} {
  %x = ub.poison : memref<8x64xf32, strided<[128, 1]>>
  // expected-error @+2 {{'pl.load' op memory operand is memref<8x64xf32, strided<[128, 1]>>, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{a memref is a local array}}
  %a = pl.load %x[0, 0] : memref<8x64xf32, strided<[128, 1]>> -> !pl.tile<8x64xf32>
  return
}

// -----

// A memory space says nothing here.
func.func @memory_space() attributes {pl.incore} {
  %x = ub.poison : memref<8x64xf32, 3>
  // expected-error @+2 {{'pl.dim' op memory operand is memref<8x64xf32, 3>, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{a memref is a local array}}
  %a = pl.dim %x, 0 : memref<8x64xf32, 3>
  return
}

// -----

// Nor has memory of unknown rank offsets.
func.func @unranked() attributes {pl.incore} {
  %x = ub.poison : memref<*xf32>
  // expected-error @+2 {{'pl.load' op memory operand is memref<*xf32>, expected a memref of identity layout or a !pld.dtensor [pld-101]}}
  // expected-note @+1 {{a memref is a local array}}
  %a = pl.load %x[0, 0] : memref<*xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

// kind 101: host first
// A window has a slice per rank already: sharding it confuses it with a world array.
func.func @shard_of_window(%r: index) attributes {pl.host} {
  %b = pld.alloc_window_buffer [4, 1, 64] of f32
  %w = pld.window %b : !pld.dtensor<4x1x64xf32>
  // expected-error @+2 {{'pl.shard' op source is !pld.dtensor<4x1x64xf32>, expected a memref [pld-101]}}
  // expected-note @+1 {{a window has a slice per rank already}}
  %a = pl.shard %w[%r] : !pld.dtensor<4x1x64xf32> -> memref<1x64xf32>
  return
}

// -----

func.func @shard_with_layout(%x: memref<?x1x64xf32>, %r: index) attributes {pl.host} {
  // expected-error @+2 {{'pl.shard' op has an operand or result of memref<1x64xf32, strided<[64, 1], offset: ?>>, expected identity layout and no memory space [pld-101]}}
  // expected-note @+1 {{a slice of the leading dim is contiguous: leave the layout out}}
  %a = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32, strided<[64, 1], offset: ?>>
  return
}

//===--- 104: bounds -------------------------------------------------------===//
// -----

// One offset too few, and one too many.
func.func @offset_count(%x: memref<64x64xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op has 1 offsets, expected 2, one per dim [pld-104]}}
  // expected-note @+1 {{write 2 entries between the brackets}}
  %a = pl.load %x[0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @offset_count_2(%x: memref<64x64xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op has 3 offsets, expected 2, one per dim [pld-104]}}
  // expected-note @+1 {{write 2 entries between the brackets}}
  %b = pl.load %x[0, 0, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

// Offsets count from 0, in any dim; each bad one is reported.
func.func @negative_offsets(%y: memref<64x64xf32> {pl.out}, %v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+3 {{'pl.store' op offset of dim 0 is -1, expected at least 0 [pld-104]}}
  // expected-error @+2 {{'pl.store' op offset of dim 1 is -9223372036854775807, expected at least 0 [pld-104]}}
  // expected-note @+1 {{offsets count from the start of the array or of a slice}}
  pl.store %t, %y[-1, -9223372036854775807] : !pl.tile<8x64xf32>, memref<64x64xf32>
  return
}

// -----

// kind 104: in-core static first
// The tile ends behind the array, in rows, in columns, and where the sum overflows.
func.func @behind_the_end(%x: memref<64x64xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op accesses 60 to 68 of dim 0, expected at most 64 [pld-104]}}
  // expected-note @+1 {{move the offset, shrink the tile, or bound the part with valid [rows, columns]}}
  %a = pl.load %x[60, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

// kind 104: in-core dynamic last
func.func @behind_the_end_2(%x: memref<64x64xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op accesses 33 to 65 of dim 1, expected at most 64 [pld-104]}}
  // expected-note @+1 {{move the offset}}
  %b = pl.load %x[%i, 33] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

func.func @behind_the_end_3(%x: memref<64x64xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op accesses 9223372036854775807 to 9223372036854775807 of dim 0, expected at most 64 [pld-104]}}
  // expected-note @+1 {{move the offset}}
  %c = pl.load %x[9223372036854775807, 0] : memref<64x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

// Leading dims count 1; the extent of a window counts as that of an array.
func.func @leading_dims(%x: memref<2x8x64xf32>, %w: !pld.dtensor<?x2x8x64xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op accesses 2 to 3 of dim 0, expected at most 2 [pld-104]}}
  // expected-note @+1 {{move the offset}}
  %a = pl.load %x[2, 0, 0] : memref<2x8x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @leading_dims_2(%x: memref<2x8x64xf32>, %w: !pld.dtensor<?x2x8x64xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op accesses 2 to 3 of dim 1, expected at most 2 [pld-104]}}
  // expected-note @+1 {{move the offset}}
  %b = pl.load %w[77, 2, 0, 0] : !pld.dtensor<?x2x8x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

// Of a larger tile the valid part counts: it may not end behind the array either.
func.func @valid_behind_the_end(%x: memref<37x29xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op accesses 32 to 38 of dim 0, expected at most 37 [pld-104]}}
  // expected-note @+1 {{move the offset}}
  %a = pl.load %x[32, 0] valid [6, 29] : memref<37x29xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

// The valid part is at most the tile, not negative, and has two extents.
func.func @valid_extents(%x: memref<64x64xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op valid extent of dim 0 is 9, expected 0 to 8 [pld-104]}}
  // expected-note @+1 {{the valid part is at most the tile}}
  %a = pl.load %x[0, 0] valid [9, 32] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

// kind 104: in-core dynamic last
func.func @valid_extents_2(%x: memref<64x64xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op valid extent of dim 1 is -1, expected 0 to 32 [pld-104]}}
  // expected-note @+1 {{the valid part is at most the tile}}
  %b = pl.load %x[0, 0] valid [%i, -1] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

func.func @valid_extents_3(%x: memref<64x64xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op has 1 valid extents, expected 2 [pld-104]}}
  // expected-note @+1 {{write valid [rows, columns]}}
  %c = pl.load %x[0, 0] valid [8] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

func.func @valid_extents_4(%x: memref<64x64xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op has 0 valid extents, expected 2 [pld-104]}}
  // expected-note @+1 {{write valid [rows, columns]}}
  %d = pl.load %x[0, 0] valid [] : memref<64x64xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

// An array of rank 1 is one row.
func.func @rows_of_rank_one(%x: memref<64xf32>, %w: !pld.dtensor<64xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op covers 2 rows of memory of rank 1, which is one row [pld-104]}}
  // expected-note @+1 {{use a tile of one row, valid [1, columns], or memory of rank 2}}
  %a = pl.load %x[0] : memref<64xf32> -> !pl.tile<2x32xf32>
  return
}

// -----

func.func @rows_of_rank_one_2(%x: memref<64xf32>, %w: !pld.dtensor<64xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op covers 3 rows of memory of rank 1, which is one row [pld-104]}}
  // expected-note @+1 {{use a tile of one row, valid [1, columns], or memory of rank 2}}
  %b = pl.load %w[0] valid [3, 8] : !pld.dtensor<64xf32> -> !pl.tile<8x32xf32>
  return
}

// -----

// Memory has 1 to 4 dims.
func.func @too_many_dims(%x: memref<1x1x1x8x64xf32>, %s: memref<i32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op memory operand has rank 5, expected 1 to 4 [pld-104]}}
  // expected-note @+1 {{fold leading dims into one; an array of one element has the shape 1}}
  %a = pl.load %x[0, 0, 0, 0, 0] : memref<1x1x1x8x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @too_many_dims_2(%x: memref<1x1x1x8x64xf32>, %s: memref<i32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.read' op memory operand has rank 0, expected 1 to 4 [pld-104]}}
  // expected-note @+1 {{fold leading dims into one; an array of one element has the shape 1}}
  %b = pl.read %s[] : memref<i32>
  return
}

// -----

// A scalar access covers one element in each dim.
func.func @scalar_bounds(%y: memref<4x1xi32> {pl.inout}, %v: i32, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.read' op accesses 4 to 5 of dim 0, expected at most 4 [pld-104]}}
  // expected-note @+1 {{move the offset}}
  %a = pl.read %y[4, 0] : memref<4x1xi32>
  return
}

// -----

func.func @scalar_bounds_2(%y: memref<4x1xi32> {pl.inout}, %v: i32, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.write' op accesses 1 to 2 of dim 1, expected at most 1 [pld-104]}}
  // expected-note @+1 {{move the offset}}
  pl.write %v, %y[%i, 1] : memref<4x1xi32>
  return
}

// -----

func.func @scalar_bounds_3(%y: memref<4x1xi32> {pl.inout}, %v: i32, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.write' op offset of dim 0 is -2, expected at least 0 [pld-104]}}
  // expected-note @+1 {{offsets count from the start}}
  pl.write %v, %y[-2, 0] : memref<4x1xi32>
  return
}

// -----

// Lists and operands that do not agree, which only the generic form can spell.
func.func @list_mismatch(%x: memref<64x64xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op has lists of offsets or valid extents that do not match its operands [pld-104]}}
  // expected-note @+1 {{one dynamic operand per dynamic entry of a list}}
  %a = "pl.load"(%x, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, 0>}> : (memref<64x64xf32>, index) -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @list_mismatch_2(%x: memref<64x64xf32>, %i: index) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op has lists of offsets or valid extents that do not match its operands [pld-104]}}
  // expected-note @+1 {{one dynamic operand per dynamic entry of a list}}
  %b = "pl.load"(%x, %i) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>}> : (memref<64x64xf32>, index) -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @dim_index(%x: memref<4x1xi32>, %w: !pld.dtensor<?xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.dim' op asks for dim 2, expected 0 to 1 [pld-104]}}
  // expected-note @+1 {{dims count from 0}}
  %a = pl.dim %x, 2 : memref<4x1xi32>
  return
}

// -----

func.func @dim_index_2(%x: memref<4x1xi32>, %w: !pld.dtensor<?xf32>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.dim' op asks for dim -1, expected 0 to 0 [pld-104]}}
  // expected-note @+1 {{dims count from 0}}
  %b = pl.dim %w, -1 : !pld.dtensor<?xf32>
  return
}

// -----

// A shard has the shape without the leading dim, and keeps a dim.
func.func @shard_shape(%x: memref<?x1x64xf32>, %v: memref<?xf32>, %r: index) attributes {pl.host} {
  // expected-error @+2 {{'pl.shard' op result is memref<1x63xf32>, expected memref<?x1x64xf32> without its leading dim [pld-104]}}
  // expected-note @+1 {{the leading dim of a world array is the world size}}
  %a = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x63xf32>
  return
}

//===--- 105: element types ------------------------------------------------===//
// -----

func.func @shard_shape_2(%x: memref<?x1x64xf32>, %v: memref<?xf32>, %r: index) attributes {pl.host} {
  // expected-error @+2 {{'pl.shard' op result is memref<1x1x64xf32>, expected memref<?x1x64xf32> without its leading dim [pld-104]}}
  // expected-note @+1 {{the leading dim of a world array is the world size}}
  %b = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x1x64xf32>
  return
}

// -----

func.func @shard_shape_3(%x: memref<?x1x64xf32>, %v: memref<?xf32>, %r: index) attributes {pl.host} {
  // expected-error @+2 {{'pl.shard' op result is memref<f32>, expected memref<?xf32> without its leading dim [pld-104]}}
  // expected-note @+1 {{the leading dim of a world array is the world size}}
  %c = pl.shard %v[%r] : memref<?xf32> -> memref<f32>
  return
}

// -----

// kind 105: in-core
func.func @load_converts_nothing(%x: memref<8x64xf16>) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op element type of the value is f32, expected f16 as in memory [pld-105]}}
  // expected-note @+1 {{convert the tile with pl.cast, or change the memory's element type}}
  %a = pl.load %x[0, 0] : memref<8x64xf16> -> !pl.tile<8x64xf32>
  return
}

// -----

// Equal width is not equal type.
func.func @store_converts_nothing(%w: !pld.dtensor<8x64xi16>, %v: bf16) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xbf16>
  // expected-error @+2 {{'pl.store' op element type of the value is bf16, expected i16 as in memory [pld-105]}}
  // expected-note @+1 {{convert the tile with pl.cast}}
  pl.store %t, %w[0, 0] : !pl.tile<8x64xbf16>, !pld.dtensor<8x64xi16>
  return
}

// -----

func.func @pad_type(%x: memref<8x64xf32>, %v: i32) attributes {pl.incore} {
  // expected-error @+2 {{'pl.load' op pad value is i32, expected f32 [pld-105]}}
  // expected-note @+1 {{give a pad value of the element type}}
  %a = pl.load %x[0, 0] valid [4, 4] pad(%v : i32) : memref<8x64xf32> -> !pl.tile<8x64xf32>
  return
}

// -----

func.func @shard_element(%x: memref<?x1x64xf32>, %r: index) attributes {pl.host} {
  // expected-error @+2 {{'pl.shard' op result has element type i32, expected f32 [pld-105]}}
  // expected-note @+1 {{a shard is a view: it converts nothing}}
  %a = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xi32>
  return
}

// -----

// Of memory no scalar can be read that no tile can hold.
func.func @odd_elements() attributes {pl.incore} {
  %x = ub.poison : memref<8x64xf64>
  // expected-error @+2 {{'pl.read' op memory has elements of f64, expected f32, f16, bf16, i8, i16, i32, i64 or i1 [pld-105]}}
  // expected-note @+1 {{choose an element type a tile can hold}}
  %a = pl.read %x[0, 0] : memref<8x64xf64>
  return
}

//===--- 106: atomic add ---------------------------------------------------===//
// -----

// kind 106: in-core static
func.func @atomic_i64(%y: memref<8x64xi64> {pl.inout}, %v: i64) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi64>
  // expected-error @+2 {{'pl.store' op adds i64 atomically, expected f32, f16, bf16, i32, i16 or i8 [pld-106]}}
  // expected-note @+1 {{use another element type, or gather the parts and add them on one rank}}
  pl.store %t, %y[0, 0] atomic add : !pl.tile<8x64xi64>, memref<8x64xi64>
  return
}

// -----

func.func @atomic_mask(%y: memref<8x64xi1> {pl.inout}, %v: i1) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi1>
  // expected-error @+2 {{'pl.store' op adds i1 atomically, expected f32, f16, bf16, i32, i16 or i8 [pld-106]}}
  // expected-note @+1 {{use another element type}}
  pl.store %t, %y[0, 0] valid [4, 4] atomic add : !pl.tile<8x64xi1>, memref<8x64xi1>
  return
}

// -----

// Every broken rule of one operation is reported.
func.func @many(%w: !pld.dtensor<8x64xi64>, %v: i64) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xi64>
  // expected-error @+4 {{'pl.store' op adds i64 atomically}}
  // expected-note @+3 {{use another element type}}
  // expected-error @+2 {{'pl.store' op accesses 1 to 9 of dim 0, expected at most 8 [pld-104]}}
  // expected-note @+1 {{move the offset}}
  pl.store %t, %w[1, 0] atomic add : !pl.tile<8x64xi64>, !pld.dtensor<8x64xi64>
  return
}

//===--- 108: stores to inputs ---------------------------------------------===//
// -----

// kind 108: in-core first
// A memref is an input unless it says otherwise.
func.func @store_to_input(%x: memref<8x64xf32>, %v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.store' op stores to argument #0, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+1 {{mark argument #0 of the function {pl.out} or {pl.inout}}}
  pl.store %t, %x[0, 0] : !pl.tile<8x64xf32>, memref<8x64xf32>
  return
}

// -----

// Said or not, and by a scalar as by a tile.
func.func @write_to_input(%i: index, %x: memref<4xi32> {pl.in}, %v: i32) attributes {pl.incore} {
  // expected-error @+2 {{'pl.write' op stores to argument #1, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+1 {{mark argument #1 of the function {pl.out} or {pl.inout}}}
  pl.write %v, %x[%i] : memref<4xi32>
  return
}

// -----

// An atomic add is a store too.
func.func @add_to_input(%x: memref<8x64xf32>, %v: f32) attributes {pl.incore} {
  %t = pl.full %v : !pl.tile<8x64xf32>
  // expected-error @+2 {{'pl.store' op stores to argument #0, which is pl.in}}
  // expected-note @+1 {{mark argument #0}}
  pl.store %t, %x[0, 0] valid [1, 1] atomic add : !pl.tile<8x64xf32>, memref<8x64xf32>
  return
}

// -----

// A choice between an input and an output may fall on the input.
func.func @store_to_choice(%c: i1, %x: memref<4xi32>, %y: memref<4xi32> {pl.out}, %v: i32) attributes {pl.incore} {
  %z = arith.select %c, %y, %x : memref<4xi32>
  // expected-error @+2 {{'pl.write' op stores to argument #1, which is pl.in}}
  // expected-note @+1 {{mark argument #1}}
  pl.write %v, %z[0] : memref<4xi32>
  %w = scf.if %c -> memref<4xi32> {
    scf.yield %x : memref<4xi32>
  } else {
    scf.yield %y : memref<4xi32>
  }
  return
}

// -----

func.func @store_to_choice_2(%c: i1, %x: memref<4xi32>, %y: memref<4xi32> {pl.out}, %v: i32) attributes {pl.incore} {
  %z = arith.select %c, %y, %x : memref<4xi32>
  %w = scf.if %c -> memref<4xi32> {
    scf.yield %x : memref<4xi32>
  } else {
    scf.yield %y : memref<4xi32>
  }
  // expected-error @+2 {{'pl.write' op stores to argument #1, which is pl.in}}
  // expected-note @+1 {{mark argument #1}}
  pl.write %v, %w[0] : memref<4xi32>
  return
}

// -----

// A loop that carries both keeps them apart, until it swaps them.
func.func @store_in_loop(%x: memref<4xi32>, %y: memref<4xi32> {pl.out}, %v: i32, %n: index) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xi32>, memref<4xi32>) {
    pl.write %v, %b[0] : memref<4xi32>
    scf.yield %a, %b : memref<4xi32>, memref<4xi32>
  }
  pl.write %v, %r#1[0] : memref<4xi32>
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xi32>, memref<4xi32>) {
    // expected-error @+2 {{'pl.write' op stores to argument #0, which is pl.in}}
    // expected-note @+1 {{mark argument #0}}
    pl.write %v, %b[0] : memref<4xi32>
    scf.yield %b, %a : memref<4xi32>, memref<4xi32>
  }
  return
}

// -----

// The same in a while loop, on both sides of its condition.
func.func @store_in_while(%c: i1, %x: memref<4xi32>, %y: memref<4xi32> {pl.out}, %v: i32) attributes {pl.incore} {
  %r = scf.while (%a = %y) : (memref<4xi32>) -> memref<4xi32> {
    // expected-error @+2 {{'pl.write' op stores to argument #1, which is pl.in}}
    // expected-note @+1 {{mark argument #1}}
    pl.write %v, %a[0] : memref<4xi32>
    scf.condition(%c) %a : memref<4xi32>
  } do {
  ^bb0(%b: memref<4xi32>):
    scf.yield %x : memref<4xi32>
  }
  return
}

//===--- types -------------------------------------------------------------===//
// -----

func.func @store_in_while_2(%c: i1, %x: memref<4xi32>, %y: memref<4xi32> {pl.out}, %v: i32) attributes {pl.incore} {
  %r = scf.while (%a = %y) : (memref<4xi32>) -> memref<4xi32> {
    scf.condition(%c) %a : memref<4xi32>
  } do {
  ^bb0(%b: memref<4xi32>):
    scf.yield %x : memref<4xi32>
  }
  // expected-error @+2 {{'pl.write' op stores to argument #1, which is pl.in}}
  // expected-note @+1 {{mark argument #1}}
  pl.write %v, %r[0] : memref<4xi32>
  return
}

// -----

// expected-error @+1 {{a tile has rank 2 and static extents of at least 1}}
func.func private @tile_rank(!pl.tile<8xf32>)

// -----

// expected-error @+1 {{a tile has rank 2 and static extents of at least 1}}
func.func private @tile_dynamic(!pl.tile<?x8xf32>)

// -----

// expected-error @+1 {{a tile has rank 2 and static extents of at least 1}}
func.func private @tile_empty(!pl.tile<0x8xf32>)

// -----

// expected-error @+1 {{element type of a tile is f64, expected f32, f16, bf16, i8, i16, i32, i64 or i1}}
func.func private @tile_f64(!pl.tile<8x8xf64>)

// -----

// expected-error @+1 {{element type of a tile is ui8, expected f32, f16, bf16, i8, i16, i32, i64 or i1}}
func.func private @tile_unsigned(!pl.tile<8x8xui8>)

// -----

// expected-error @+1 {{a tile has at most as many bytes as 64 bits can count}}
func.func private @tile_huge(!pl.tile<9223372036854775807x2xf32>)

//===--- several rules at once: each is reported ---------------------------===//
// -----

func.func @load_breaks_all(%x: memref<4x37x29xf16>, %v: i32) attributes {pl.device} {
  // expected-error @+11 {{'pl.load' op stands in a pl.device function, expected pl.incore [pld-103]}}
  // expected-note @+10 {{move it into a function marked pl.incore}}
  // expected-error @+9 {{'pl.load' op element type of the value is f32, expected f16 as in memory [pld-105]}}
  // expected-note @+8 {{convert the tile with pl.cast, or change the memory's element type}}
  // expected-error @+7 {{'pl.load' op pad value is i32, expected f16 [pld-105]}}
  // expected-note @+6 {{give a pad value of the element type}}
  // expected-error @+5 {{'pl.load' op has 2 offsets, expected 3, one per dim [pld-104]}}
  // expected-note @+4 {{write 3 entries between the brackets}}
  // expected-error @+3 {{'pl.load' op valid extent of dim 0 is 9, expected 0 to 8 [pld-104]}}
  // expected-note @+2 {{the valid part is at most the tile}}
  // expected-error @+1 {{'pl.load' op valid extent of dim 1 is -1, expected 0 to 32 [pld-104]}}
  %t = pl.load %x[-1, 36] valid [9, -1] pad(%v : i32) : memref<4x37x29xf16> -> !pl.tile<8x32xf32>
  return
}

// -----

func.func @store_breaks_all(%x: memref<4xi64>, %f: f32) attributes {pl.incore} {
  %t = pl.full %f : !pl.tile<8x32xf32>
  // expected-error @+10 {{'pl.store' op element type of the value is f32, expected i64 as in memory [pld-105]}}
  // expected-note @+9 {{convert the tile with pl.cast, or change the memory's element type}}
  // expected-error @+8 {{'pl.store' op adds i64 atomically, expected f32, f16, bf16, i32, i16 or i8 [pld-106]}}
  // expected-note @+7 {{use another element type, or gather the parts and add them on one rank}}
  // expected-error @+6 {{'pl.store' op covers 8 rows of memory of rank 1, which is one row [pld-104]}}
  // expected-note @+5 {{use a tile of one row, valid [1, columns], or memory of rank 2}}
  // expected-error @+4 {{'pl.store' op accesses 1 to 33 of dim 0, expected at most 4 [pld-104]}}
  // expected-note @+3 {{move the offset, shrink the tile, or bound the part with valid [rows, columns]}}
  // expected-error @+2 {{'pl.store' op stores to argument #0, which is pl.in, expected pl.out or pl.inout [pld-108]}}
  // expected-note @+1 {{mark argument #0 of the function {pl.out} or {pl.inout}}}
  pl.store %t, %x[1] atomic add : !pl.tile<8x32xf32>, memref<4xi64>
  return
}

// -----

func.func @shard_breaks_all(%x: memref<?x4x8xf32>, %r: index) attributes {pl.device} {
  // expected-error @+8 {{'pl.shard' op stands in a pl.device function, expected pl.host [pld-103]}}
  // expected-note @+7 {{move it into a function marked pl.host}}
  // expected-error @+6 {{'pl.shard' op result is memref<8x4xf16, 1>, expected memref<?x4x8xf32> without its leading dim [pld-104]}}
  // expected-note @+5 {{the leading dim of a world array is the world size}}
  // expected-error @+4 {{'pl.shard' op result has element type f16, expected f32 [pld-105]}}
  // expected-note @+3 {{a shard is a view: it converts nothing}}
  // expected-error @+2 {{'pl.shard' op has an operand or result of memref<8x4xf16, 1>, expected identity layout and no memory space [pld-101]}}
  // expected-note @+1 {{a slice of the leading dim is contiguous: leave the layout out}}
  %xr = pl.shard %x[%r] : memref<?x4x8xf32> -> memref<8x4xf16, 1>
  return
}
