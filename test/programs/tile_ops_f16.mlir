// Every operation on tiles that no other program uses, on f16: each gives 32 rows of the
// result.

!t = !pl.tile<32x64xf16>
!m = !pl.tile<32x64xi1>
!x = memref<32x64xf16>
!y = memref<1888x64xf16>
!w = memref<?x32x64xf16>
!yw = memref<?x1888x64xf16>

func.func @core(%xa: !x, %xb: !x, %y: !y {pl.out}) attributes {pl.incore} {
  %two = arith.constant 2.0 : f16
  %a = pl.load %xa[0, 0] : !x -> !t
  %b = pl.load %xb[0, 0] : !x -> !t
  %column = pl.load %xb[0, 0] : !x -> !pl.tile<32x1xf16>
  %line = pl.load %xb[0, 0] : !x -> !pl.tile<1x64xf16>
  %v1 = pl.add %a, %b : !t
  pl.store %v1, %y[0, 0] : !t, !y
  %v2 = pl.sub %a, %b : !t
  pl.store %v2, %y[32, 0] : !t, !y
  %v3 = pl.mul %a, %b : !t
  pl.store %v3, %y[64, 0] : !t, !y
  %v4 = pl.div %a, %b : !t
  pl.store %v4, %y[96, 0] : !t, !y
  %v5 = pl.max %a, %b : !t
  pl.store %v5, %y[128, 0] : !t, !y
  %v6 = pl.min %a, %b : !t
  pl.store %v6, %y[160, 0] : !t, !y
  %v7 = pl.adds %a, %two : !t, f16
  pl.store %v7, %y[192, 0] : !t, !y
  %v8 = pl.subs %a, %two : !t, f16
  pl.store %v8, %y[224, 0] : !t, !y
  %v9 = pl.muls %a, %two : !t, f16
  pl.store %v9, %y[256, 0] : !t, !y
  %v10 = pl.divs %a, %two : !t, f16
  pl.store %v10, %y[288, 0] : !t, !y
  %v11 = pl.maxs %a, %two : !t, f16
  pl.store %v11, %y[320, 0] : !t, !y
  %v12 = pl.mins %a, %two : !t, f16
  pl.store %v12, %y[352, 0] : !t, !y
  %v13 = pl.neg %a : !t
  pl.store %v13, %y[384, 0] : !t, !y
  %v14 = pl.abs %a : !t
  pl.store %v14, %y[416, 0] : !t, !y
  %v15 = pl.relu %a : !t
  pl.store %v15, %y[448, 0] : !t, !y
  %pos = pl.abs %a : !t
  %v16 = pl.exp %pos : !t
  pl.store %v16, %y[480, 0] : !t, !y
  %v17 = pl.log %pos : !t
  pl.store %v17, %y[512, 0] : !t, !y
  %v18 = pl.sqrt %pos : !t
  pl.store %v18, %y[544, 0] : !t, !y
  %v19 = pl.rsqrt %pos : !t
  pl.store %v19, %y[576, 0] : !t, !y
  %v20 = pl.recip %b : !t
  pl.store %v20, %y[608, 0] : !t, !y
  %v21 = pl.full %two : !t
  pl.store %v21, %y[640, 0] : !t, !y
  %meq = pl.cmp eq, %a, %b : !t -> !m
  %v22 = pl.select %meq, %a, %b : !m, !t
  pl.store %v22, %y[672, 0] : !t, !y
  %mne = pl.cmp ne, %a, %b : !t -> !m
  %v23 = pl.select %mne, %a, %b : !m, !t
  pl.store %v23, %y[704, 0] : !t, !y
  %mlt = pl.cmp lt, %a, %b : !t -> !m
  %v24 = pl.select %mlt, %a, %b : !m, !t
  pl.store %v24, %y[736, 0] : !t, !y
  %mle = pl.cmp le, %a, %b : !t -> !m
  %v25 = pl.select %mle, %a, %b : !m, !t
  pl.store %v25, %y[768, 0] : !t, !y
  %mgt = pl.cmp gt, %a, %b : !t -> !m
  %v26 = pl.select %mgt, %a, %b : !m, !t
  pl.store %v26, %y[800, 0] : !t, !y
  %mge = pl.cmp ge, %a, %b : !t -> !m
  %v27 = pl.select %mge, %a, %b : !m, !t
  pl.store %v27, %y[832, 0] : !t, !y
  %kand = pl.and %mlt, %mne : !m
  %v28 = pl.select %kand, %a, %b : !m, !t
  pl.store %v28, %y[864, 0] : !t, !y
  %kor = pl.or %mlt, %mne : !m
  %v29 = pl.select %kor, %a, %b : !m, !t
  pl.store %v29, %y[896, 0] : !t, !y
  %kxor = pl.xor %mlt, %mne : !m
  %v30 = pl.select %kxor, %a, %b : !m, !t
  pl.store %v30, %y[928, 0] : !t, !y
  %knot = pl.not %mlt : !m
  %v31 = pl.select %knot, %a, %b : !m, !t
  pl.store %v31, %y[960, 0] : !t, !y
  %v32 = pl.cast none %a : !t -> !pl.tile<32x64xf32>
  %v33 = pl.cast rint %v32 : !pl.tile<32x64xf32> -> !t
  pl.store %v33, %y[992, 0] : !t, !y
  %v34 = pl.row_expand %column : !pl.tile<32x1xf16> -> !t
  pl.store %v34, %y[1024, 0] : !t, !y
  %v35 = pl.row_expand_add %a, %column : !t, !pl.tile<32x1xf16>
  pl.store %v35, %y[1056, 0] : !t, !y
  %v36 = pl.row_expand_sub %a, %column : !t, !pl.tile<32x1xf16>
  pl.store %v36, %y[1088, 0] : !t, !y
  %v37 = pl.row_expand_mul %a, %column : !t, !pl.tile<32x1xf16>
  pl.store %v37, %y[1120, 0] : !t, !y
  %v38 = pl.row_expand_div %a, %column : !t, !pl.tile<32x1xf16>
  pl.store %v38, %y[1152, 0] : !t, !y
  %v39 = pl.row_expand_max %a, %column : !t, !pl.tile<32x1xf16>
  pl.store %v39, %y[1184, 0] : !t, !y
  %v40 = pl.row_expand_min %a, %column : !t, !pl.tile<32x1xf16>
  pl.store %v40, %y[1216, 0] : !t, !y
  %v41 = pl.col_expand %line : !pl.tile<1x64xf16> -> !t
  pl.store %v41, %y[1248, 0] : !t, !y
  %v42 = pl.col_expand_add %a, %line : !t, !pl.tile<1x64xf16>
  pl.store %v42, %y[1280, 0] : !t, !y
  %v43 = pl.col_expand_sub %a, %line : !t, !pl.tile<1x64xf16>
  pl.store %v43, %y[1312, 0] : !t, !y
  %v44 = pl.col_expand_mul %a, %line : !t, !pl.tile<1x64xf16>
  pl.store %v44, %y[1344, 0] : !t, !y
  %v45 = pl.col_expand_div %a, %line : !t, !pl.tile<1x64xf16>
  pl.store %v45, %y[1376, 0] : !t, !y
  %v46 = pl.col_expand_max %a, %line : !t, !pl.tile<1x64xf16>
  pl.store %v46, %y[1408, 0] : !t, !y
  %v47 = pl.col_expand_min %a, %line : !t, !pl.tile<1x64xf16>
  pl.store %v47, %y[1440, 0] : !t, !y
  %v48 = pl.row_sum %a : !t -> !pl.tile<32x1xf16>
  %v49 = pl.row_expand %v48 : !pl.tile<32x1xf16> -> !t
  pl.store %v49, %y[1472, 0] : !t, !y
  %v50 = pl.row_max %a : !t -> !pl.tile<32x1xf16>
  %v51 = pl.row_expand %v50 : !pl.tile<32x1xf16> -> !t
  pl.store %v51, %y[1504, 0] : !t, !y
  %v52 = pl.row_min %a : !t -> !pl.tile<32x1xf16>
  %v53 = pl.row_expand %v52 : !pl.tile<32x1xf16> -> !t
  pl.store %v53, %y[1536, 0] : !t, !y
  %v54 = pl.row_prod %a : !t -> !pl.tile<32x1xf16>
  %v55 = pl.row_expand %v54 : !pl.tile<32x1xf16> -> !t
  pl.store %v55, %y[1568, 0] : !t, !y
  %v56 = pl.col_sum %a : !t -> !pl.tile<1x64xf16>
  %v57 = pl.col_expand %v56 : !pl.tile<1x64xf16> -> !t
  pl.store %v57, %y[1600, 0] : !t, !y
  %v58 = pl.col_max %a : !t -> !pl.tile<1x64xf16>
  %v59 = pl.col_expand %v58 : !pl.tile<1x64xf16> -> !t
  pl.store %v59, %y[1632, 0] : !t, !y
  %v60 = pl.col_min %a : !t -> !pl.tile<1x64xf16>
  %v61 = pl.col_expand %v60 : !pl.tile<1x64xf16> -> !t
  pl.store %v61, %y[1664, 0] : !t, !y
  %v62 = pl.col_prod %a : !t -> !pl.tile<1x64xf16>
  %v63 = pl.col_expand %v62 : !pl.tile<1x64xf16> -> !t
  pl.store %v63, %y[1696, 0] : !t, !y
  %tr = pl.transpose %a : !t -> !pl.tile<64x32xf16>
  %v64 = pl.reshape %tr : !pl.tile<64x32xf16> -> !t
  pl.store %v64, %y[1728, 0] : !t, !y
  %left = pl.extract_slice %a[0, 0] : !t -> !pl.tile<32x32xf16>
  %right = pl.extract_slice %a[0, 32] : !t -> !pl.tile<32x32xf16>
  %v65 = pl.concat %right, %left dim 1 : !pl.tile<32x32xf16>, !pl.tile<32x32xf16> -> !t
  pl.store %v65, %y[1760, 0] : !t, !y
  %top = pl.extract_slice %a[0, 0] : !t -> !pl.tile<16x64xf16>
  %under = pl.extract_slice %a[16, 0] : !t -> !pl.tile<16x64xf16>
  %v66 = pl.concat %under, %top dim 0 : !pl.tile<16x64xf16>, !pl.tile<16x64xf16> -> !t
  pl.store %v66, %y[1792, 0] : !t, !y
  %part = pl.extract_slice %b[0, 0] : !t -> !pl.tile<16x32xf16>
  %v67 = pl.insert_slice %part into %a[16, 32] : !pl.tile<16x32xf16> into !t
  pl.store %v67, %y[1824, 0] : !t, !y
  %numbers = pl.iota : !pl.tile<1x32xi32>
  %last = arith.constant 31 : i32
  %back = pl.neg %numbers : !pl.tile<1x32xi32>
  %down = pl.adds %back, %last : !pl.tile<1x32xi32>, i32
  %index = pl.transpose %down : !pl.tile<1x32xi32> -> !pl.tile<32x1xi32>
  %v68 = pl.gather %a, %index : !t, !pl.tile<32x1xi32> -> !t
  pl.store %v68, %y[1856, 0] : !t, !y
  return
}

func.func @device(%a: !x, %b: !x, %y: !y {pl.out}) attributes {pl.device} {
  call @core(%a, %b, %y) : (!x, !x, !y) -> ()
  return
}

func.func @main(%a: !w {pl.arg = "random:1"}, %b: !w {pl.arg = "random:2"}, %y: !yw {pl.out})
    attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  scf.for %r = %c0 to %n step %c1 {
    %ar = pl.shard %a[%r] : !w -> !x
    %br = pl.shard %b[%r] : !w -> !x
    %yr = pl.shard %y[%r] : !yw -> !y
    pld.dispatch @device(%ar, %br, %yr) on %r : (!x, !x, !y)
  }
  return
}

func.func @golden(%a: !w, %b: !w, %y: !yw)
    attributes {pl.golden, pl.rtol = 2.0e-3, pl.atol = 1.0e-3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %c128 = arith.constant 128 : index
  %c160 = arith.constant 160 : index
  %c192 = arith.constant 192 : index
  %c224 = arith.constant 224 : index
  %c256 = arith.constant 256 : index
  %c288 = arith.constant 288 : index
  %c320 = arith.constant 320 : index
  %c352 = arith.constant 352 : index
  %c384 = arith.constant 384 : index
  %c416 = arith.constant 416 : index
  %c448 = arith.constant 448 : index
  %c480 = arith.constant 480 : index
  %c512 = arith.constant 512 : index
  %c544 = arith.constant 544 : index
  %c576 = arith.constant 576 : index
  %c608 = arith.constant 608 : index
  %c640 = arith.constant 640 : index
  %c672 = arith.constant 672 : index
  %c704 = arith.constant 704 : index
  %c736 = arith.constant 736 : index
  %c768 = arith.constant 768 : index
  %c800 = arith.constant 800 : index
  %c832 = arith.constant 832 : index
  %c864 = arith.constant 864 : index
  %c896 = arith.constant 896 : index
  %c928 = arith.constant 928 : index
  %c960 = arith.constant 960 : index
  %c992 = arith.constant 992 : index
  %c1024 = arith.constant 1024 : index
  %c1056 = arith.constant 1056 : index
  %c1088 = arith.constant 1088 : index
  %c1120 = arith.constant 1120 : index
  %c1152 = arith.constant 1152 : index
  %c1184 = arith.constant 1184 : index
  %c1216 = arith.constant 1216 : index
  %c1248 = arith.constant 1248 : index
  %c1280 = arith.constant 1280 : index
  %c1312 = arith.constant 1312 : index
  %c1344 = arith.constant 1344 : index
  %c1376 = arith.constant 1376 : index
  %c1408 = arith.constant 1408 : index
  %c1440 = arith.constant 1440 : index
  %c1472 = arith.constant 1472 : index
  %c1504 = arith.constant 1504 : index
  %c1536 = arith.constant 1536 : index
  %c1568 = arith.constant 1568 : index
  %c1600 = arith.constant 1600 : index
  %c1632 = arith.constant 1632 : index
  %c1664 = arith.constant 1664 : index
  %c1696 = arith.constant 1696 : index
  %c1728 = arith.constant 1728 : index
  %c1760 = arith.constant 1760 : index
  %c1792 = arith.constant 1792 : index
  %c1824 = arith.constant 1824 : index
  %c1856 = arith.constant 1856 : index
  %gzero = arith.constant 0.0 : f32
  %gone = arith.constant 1.0 : f32
  %gtwo = arith.constant 2.0 : f32
  %ntwo = arith.constant 2.0 : f16
  %n = memref.dim %a, %c0 : !w
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %na = memref.load %a[%r, %i, %j] : !w
        %nb = memref.load %b[%r, %i, %j] : !w
        %ga = arith.extf %na : f16 to f32
        %gb = arith.extf %nb : f16 to f32
        %g1 = arith.addf %ga, %gb : f32
        %g2 = arith.truncf %g1 : f32 to f16
        %at0 = arith.addi %i, %c0 : index
        memref.store %g2, %y[%r, %at0, %j] : !yw
        %g3 = arith.subf %ga, %gb : f32
        %g4 = arith.truncf %g3 : f32 to f16
        %at1 = arith.addi %i, %c32 : index
        memref.store %g4, %y[%r, %at1, %j] : !yw
        %g5 = arith.mulf %ga, %gb : f32
        %g6 = arith.truncf %g5 : f32 to f16
        %at2 = arith.addi %i, %c64 : index
        memref.store %g6, %y[%r, %at2, %j] : !yw
        %g7 = arith.divf %ga, %gb : f32
        %g8 = arith.truncf %g7 : f32 to f16
        %at3 = arith.addi %i, %c96 : index
        memref.store %g8, %y[%r, %at3, %j] : !yw
        %g9 = arith.maximumf %ga, %gb : f32
        %g10 = arith.truncf %g9 : f32 to f16
        %at4 = arith.addi %i, %c128 : index
        memref.store %g10, %y[%r, %at4, %j] : !yw
        %g11 = arith.minimumf %ga, %gb : f32
        %g12 = arith.truncf %g11 : f32 to f16
        %at5 = arith.addi %i, %c160 : index
        memref.store %g12, %y[%r, %at5, %j] : !yw
        %g13 = arith.addf %ga, %gtwo : f32
        %g14 = arith.truncf %g13 : f32 to f16
        %at6 = arith.addi %i, %c192 : index
        memref.store %g14, %y[%r, %at6, %j] : !yw
        %g15 = arith.subf %ga, %gtwo : f32
        %g16 = arith.truncf %g15 : f32 to f16
        %at7 = arith.addi %i, %c224 : index
        memref.store %g16, %y[%r, %at7, %j] : !yw
        %g17 = arith.mulf %ga, %gtwo : f32
        %g18 = arith.truncf %g17 : f32 to f16
        %at8 = arith.addi %i, %c256 : index
        memref.store %g18, %y[%r, %at8, %j] : !yw
        %g19 = arith.divf %ga, %gtwo : f32
        %g20 = arith.truncf %g19 : f32 to f16
        %at9 = arith.addi %i, %c288 : index
        memref.store %g20, %y[%r, %at9, %j] : !yw
        %g21 = arith.maximumf %ga, %gtwo : f32
        %g22 = arith.truncf %g21 : f32 to f16
        %at10 = arith.addi %i, %c320 : index
        memref.store %g22, %y[%r, %at10, %j] : !yw
        %g23 = arith.minimumf %ga, %gtwo : f32
        %g24 = arith.truncf %g23 : f32 to f16
        %at11 = arith.addi %i, %c352 : index
        memref.store %g24, %y[%r, %at11, %j] : !yw
        %g25 = arith.negf %ga : f32
        %g26 = arith.truncf %g25 : f32 to f16
        %at12 = arith.addi %i, %c384 : index
        memref.store %g26, %y[%r, %at12, %j] : !yw
        %g27 = math.absf %ga : f32
        %g28 = arith.truncf %g27 : f32 to f16
        %at13 = arith.addi %i, %c416 : index
        memref.store %g28, %y[%r, %at13, %j] : !yw
        %g29 = arith.maximumf %ga, %gzero : f32
        %g30 = arith.truncf %g29 : f32 to f16
        %at14 = arith.addi %i, %c448 : index
        memref.store %g30, %y[%r, %at14, %j] : !yw
        %gpos = math.absf %ga : f32
        %g31 = math.exp %gpos : f32
        %g32 = arith.truncf %g31 : f32 to f16
        %at15 = arith.addi %i, %c480 : index
        memref.store %g32, %y[%r, %at15, %j] : !yw
        %g33 = math.log %gpos : f32
        %g34 = arith.truncf %g33 : f32 to f16
        %at16 = arith.addi %i, %c512 : index
        memref.store %g34, %y[%r, %at16, %j] : !yw
        %g35 = math.sqrt %gpos : f32
        %g36 = arith.truncf %g35 : f32 to f16
        %at17 = arith.addi %i, %c544 : index
        memref.store %g36, %y[%r, %at17, %j] : !yw
        %g37 = math.rsqrt %gpos : f32
        %g38 = arith.truncf %g37 : f32 to f16
        %at18 = arith.addi %i, %c576 : index
        memref.store %g38, %y[%r, %at18, %j] : !yw
        %g39 = arith.divf %gone, %gb : f32
        %g40 = arith.truncf %g39 : f32 to f16
        %at19 = arith.addi %i, %c608 : index
        memref.store %g40, %y[%r, %at19, %j] : !yw
        %at20 = arith.addi %i, %c640 : index
        memref.store %ntwo, %y[%r, %at20, %j] : !yw
        %gmeq = arith.cmpf oeq, %ga, %gb : f32
        %g41 = arith.select %gmeq, %ga, %gb : f32
        %g42 = arith.truncf %g41 : f32 to f16
        %at21 = arith.addi %i, %c672 : index
        memref.store %g42, %y[%r, %at21, %j] : !yw
        %gmne = arith.cmpf une, %ga, %gb : f32
        %g43 = arith.select %gmne, %ga, %gb : f32
        %g44 = arith.truncf %g43 : f32 to f16
        %at22 = arith.addi %i, %c704 : index
        memref.store %g44, %y[%r, %at22, %j] : !yw
        %gmlt = arith.cmpf olt, %ga, %gb : f32
        %g45 = arith.select %gmlt, %ga, %gb : f32
        %g46 = arith.truncf %g45 : f32 to f16
        %at23 = arith.addi %i, %c736 : index
        memref.store %g46, %y[%r, %at23, %j] : !yw
        %gmle = arith.cmpf ole, %ga, %gb : f32
        %g47 = arith.select %gmle, %ga, %gb : f32
        %g48 = arith.truncf %g47 : f32 to f16
        %at24 = arith.addi %i, %c768 : index
        memref.store %g48, %y[%r, %at24, %j] : !yw
        %gmgt = arith.cmpf ogt, %ga, %gb : f32
        %g49 = arith.select %gmgt, %ga, %gb : f32
        %g50 = arith.truncf %g49 : f32 to f16
        %at25 = arith.addi %i, %c800 : index
        memref.store %g50, %y[%r, %at25, %j] : !yw
        %gmge = arith.cmpf oge, %ga, %gb : f32
        %g51 = arith.select %gmge, %ga, %gb : f32
        %g52 = arith.truncf %g51 : f32 to f16
        %at26 = arith.addi %i, %c832 : index
        memref.store %g52, %y[%r, %at26, %j] : !yw
        %gkand = arith.andi %gmlt, %gmne : i1
        %g53 = arith.select %gkand, %ga, %gb : f32
        %g54 = arith.truncf %g53 : f32 to f16
        %at27 = arith.addi %i, %c864 : index
        memref.store %g54, %y[%r, %at27, %j] : !yw
        %gkor = arith.ori %gmlt, %gmne : i1
        %g55 = arith.select %gkor, %ga, %gb : f32
        %g56 = arith.truncf %g55 : f32 to f16
        %at28 = arith.addi %i, %c896 : index
        memref.store %g56, %y[%r, %at28, %j] : !yw
        %gkxor = arith.xori %gmlt, %gmne : i1
        %g57 = arith.select %gkxor, %ga, %gb : f32
        %g58 = arith.truncf %g57 : f32 to f16
        %at29 = arith.addi %i, %c928 : index
        memref.store %g58, %y[%r, %at29, %j] : !yw
        %g59 = arith.select %gmlt, %gb, %ga : f32
        %g60 = arith.truncf %g59 : f32 to f16
        %at30 = arith.addi %i, %c960 : index
        memref.store %g60, %y[%r, %at30, %j] : !yw
        %at31 = arith.addi %i, %c992 : index
        memref.store %na, %y[%r, %at31, %j] : !yw
        %nrow = memref.load %b[%r, %i, %c0] : !w
        %grow = arith.extf %nrow : f16 to f32
        %at32 = arith.addi %i, %c1024 : index
        memref.store %nrow, %y[%r, %at32, %j] : !yw
        %g61 = arith.addf %ga, %grow : f32
        %g62 = arith.truncf %g61 : f32 to f16
        %at33 = arith.addi %i, %c1056 : index
        memref.store %g62, %y[%r, %at33, %j] : !yw
        %g63 = arith.subf %ga, %grow : f32
        %g64 = arith.truncf %g63 : f32 to f16
        %at34 = arith.addi %i, %c1088 : index
        memref.store %g64, %y[%r, %at34, %j] : !yw
        %g65 = arith.mulf %ga, %grow : f32
        %g66 = arith.truncf %g65 : f32 to f16
        %at35 = arith.addi %i, %c1120 : index
        memref.store %g66, %y[%r, %at35, %j] : !yw
        %g67 = arith.divf %ga, %grow : f32
        %g68 = arith.truncf %g67 : f32 to f16
        %at36 = arith.addi %i, %c1152 : index
        memref.store %g68, %y[%r, %at36, %j] : !yw
        %g69 = arith.maximumf %ga, %grow : f32
        %g70 = arith.truncf %g69 : f32 to f16
        %at37 = arith.addi %i, %c1184 : index
        memref.store %g70, %y[%r, %at37, %j] : !yw
        %g71 = arith.minimumf %ga, %grow : f32
        %g72 = arith.truncf %g71 : f32 to f16
        %at38 = arith.addi %i, %c1216 : index
        memref.store %g72, %y[%r, %at38, %j] : !yw
        %ncol = memref.load %b[%r, %c0, %j] : !w
        %gcol = arith.extf %ncol : f16 to f32
        %at39 = arith.addi %i, %c1248 : index
        memref.store %ncol, %y[%r, %at39, %j] : !yw
        %g73 = arith.addf %ga, %gcol : f32
        %g74 = arith.truncf %g73 : f32 to f16
        %at40 = arith.addi %i, %c1280 : index
        memref.store %g74, %y[%r, %at40, %j] : !yw
        %g75 = arith.subf %ga, %gcol : f32
        %g76 = arith.truncf %g75 : f32 to f16
        %at41 = arith.addi %i, %c1312 : index
        memref.store %g76, %y[%r, %at41, %j] : !yw
        %g77 = arith.mulf %ga, %gcol : f32
        %g78 = arith.truncf %g77 : f32 to f16
        %at42 = arith.addi %i, %c1344 : index
        memref.store %g78, %y[%r, %at42, %j] : !yw
        %g79 = arith.divf %ga, %gcol : f32
        %g80 = arith.truncf %g79 : f32 to f16
        %at43 = arith.addi %i, %c1376 : index
        memref.store %g80, %y[%r, %at43, %j] : !yw
        %g81 = arith.maximumf %ga, %gcol : f32
        %g82 = arith.truncf %g81 : f32 to f16
        %at44 = arith.addi %i, %c1408 : index
        memref.store %g82, %y[%r, %at44, %j] : !yw
        %g83 = arith.minimumf %ga, %gcol : f32
        %g84 = arith.truncf %g83 : f32 to f16
        %at45 = arith.addi %i, %c1440 : index
        memref.store %g84, %y[%r, %at45, %j] : !yw
        %frowsum = memref.load %a[%r, %i, %c0] : !w
        %erowsum = arith.extf %frowsum : f16 to f32
        %srowsum = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %erowsum) -> (f32) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %wide = arith.extf %one_more : f16 to f32
          %more = arith.addf %so_far, %wide : f32
          scf.yield %more : f32
        }
        %g85 = arith.truncf %srowsum : f32 to f16
        %at46 = arith.addi %i, %c1472 : index
        memref.store %g85, %y[%r, %at46, %j] : !yw
        %frowmax = memref.load %a[%r, %i, %c0] : !w
        %erowmax = arith.extf %frowmax : f16 to f32
        %srowmax = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %erowmax) -> (f32) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %wide = arith.extf %one_more : f16 to f32
          %more = arith.maximumf %so_far, %wide : f32
          scf.yield %more : f32
        }
        %g86 = arith.truncf %srowmax : f32 to f16
        %at47 = arith.addi %i, %c1504 : index
        memref.store %g86, %y[%r, %at47, %j] : !yw
        %frowmin = memref.load %a[%r, %i, %c0] : !w
        %erowmin = arith.extf %frowmin : f16 to f32
        %srowmin = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %erowmin) -> (f32) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %wide = arith.extf %one_more : f16 to f32
          %more = arith.minimumf %so_far, %wide : f32
          scf.yield %more : f32
        }
        %g87 = arith.truncf %srowmin : f32 to f16
        %at48 = arith.addi %i, %c1536 : index
        memref.store %g87, %y[%r, %at48, %j] : !yw
        %frowprod = memref.load %a[%r, %i, %c0] : !w
        %erowprod = arith.extf %frowprod : f16 to f32
        %srowprod = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %erowprod) -> (f32) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %wide = arith.extf %one_more : f16 to f32
          %more = arith.mulf %so_far, %wide : f32
          scf.yield %more : f32
        }
        %g88 = arith.truncf %srowprod : f32 to f16
        %at49 = arith.addi %i, %c1568 : index
        memref.store %g88, %y[%r, %at49, %j] : !yw
        %fcolsum = memref.load %a[%r, %c0, %j] : !w
        %ecolsum = arith.extf %fcolsum : f16 to f32
        %scolsum = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %ecolsum) -> (f32) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %wide = arith.extf %one_more : f16 to f32
          %more = arith.addf %so_far, %wide : f32
          scf.yield %more : f32
        }
        %g89 = arith.truncf %scolsum : f32 to f16
        %at50 = arith.addi %i, %c1600 : index
        memref.store %g89, %y[%r, %at50, %j] : !yw
        %fcolmax = memref.load %a[%r, %c0, %j] : !w
        %ecolmax = arith.extf %fcolmax : f16 to f32
        %scolmax = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %ecolmax) -> (f32) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %wide = arith.extf %one_more : f16 to f32
          %more = arith.maximumf %so_far, %wide : f32
          scf.yield %more : f32
        }
        %g90 = arith.truncf %scolmax : f32 to f16
        %at51 = arith.addi %i, %c1632 : index
        memref.store %g90, %y[%r, %at51, %j] : !yw
        %fcolmin = memref.load %a[%r, %c0, %j] : !w
        %ecolmin = arith.extf %fcolmin : f16 to f32
        %scolmin = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %ecolmin) -> (f32) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %wide = arith.extf %one_more : f16 to f32
          %more = arith.minimumf %so_far, %wide : f32
          scf.yield %more : f32
        }
        %g91 = arith.truncf %scolmin : f32 to f16
        %at52 = arith.addi %i, %c1664 : index
        memref.store %g91, %y[%r, %at52, %j] : !yw
        %fcolprod = memref.load %a[%r, %c0, %j] : !w
        %ecolprod = arith.extf %fcolprod : f16 to f32
        %scolprod = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %ecolprod) -> (f32) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %wide = arith.extf %one_more : f16 to f32
          %more = arith.mulf %so_far, %wide : f32
          scf.yield %more : f32
        }
        %g92 = arith.truncf %scolprod : f32 to f16
        %at53 = arith.addi %i, %c1696 : index
        memref.store %g92, %y[%r, %at53, %j] : !yw
        %row_start = arith.muli %i, %c64 : index
        %flat = arith.addi %row_start, %j : index
        %trc = arith.remsi %flat, %c32 : index
        %trr = arith.divsi %flat, %c32 : index
        %ntr = memref.load %a[%r, %trc, %trr] : !w
        %at54 = arith.addi %i, %c1728 : index
        memref.store %ntr, %y[%r, %at54, %j] : !yw
        %j_far = arith.addi %j, %c32 : index
        %jr = arith.remsi %j_far, %c64 : index
        %nrot = memref.load %a[%r, %i, %jr] : !w
        %at55 = arith.addi %i, %c1760 : index
        memref.store %nrot, %y[%r, %at55, %j] : !yw
        %i_far = arith.addi %i, %c16 : index
        %ir = arith.remsi %i_far, %c32 : index
        %nup = memref.load %a[%r, %ir, %j] : !w
        %at56 = arith.addi %i, %c1792 : index
        memref.store %nup, %y[%r, %at56, %j] : !yw
        %low = arith.cmpi sge, %i, %c16 : index
        %far = arith.cmpi sge, %j, %c32 : index
        %in = arith.andi %low, %far : i1
        %nput = memref.load %b[%r, %ir, %jr] : !w
        %nins = arith.select %in, %nput, %na : f16
        %at57 = arith.addi %i, %c1824 : index
        memref.store %nins, %y[%r, %at57, %j] : !yw
        %ig = arith.subi %c31, %i : index
        %ngat = memref.load %a[%r, %ig, %j] : !w
        %at58 = arith.addi %i, %c1856 : index
        memref.store %ngat, %y[%r, %at58, %j] : !yw
      }
    }
  }
  return
}
