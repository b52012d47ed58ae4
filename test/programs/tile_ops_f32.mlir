// Every operation on tiles that no other program uses, on f32: each gives 32 rows of the
// result.

!t = !pl.tile<32x64xf32>
!m = !pl.tile<32x64xi1>
!x = memref<32x64xf32>
!y = memref<2048x64xf32>
!w = memref<?x32x64xf32>
!yw = memref<?x2048x64xf32>

func.func @core(%xa: !x, %xb: !x, %y: !y {pl.out}) attributes {pl.incore} {
  %two = arith.constant 2.0 : f32
  %a = pl.load %xa[0, 0] : !x -> !t
  %b = pl.load %xb[0, 0] : !x -> !t
  %column = pl.load %xb[0, 0] : !x -> !pl.tile<32x1xf32>
  %line = pl.load %xb[0, 0] : !x -> !pl.tile<1x64xf32>
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
  %v7 = pl.adds %a, %two : !t, f32
  pl.store %v7, %y[192, 0] : !t, !y
  %v8 = pl.subs %a, %two : !t, f32
  pl.store %v8, %y[224, 0] : !t, !y
  %v9 = pl.muls %a, %two : !t, f32
  pl.store %v9, %y[256, 0] : !t, !y
  %v10 = pl.divs %a, %two : !t, f32
  pl.store %v10, %y[288, 0] : !t, !y
  %v11 = pl.maxs %a, %two : !t, f32
  pl.store %v11, %y[320, 0] : !t, !y
  %v12 = pl.mins %a, %two : !t, f32
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
  %eight = arith.constant 8.0 : f32
  %big = pl.muls %a, %eight : !t, f32
  %v32 = pl.cast none %big : !t -> !pl.tile<32x64xi32>
  %v33 = pl.cast none %v32 : !pl.tile<32x64xi32> -> !t
  pl.store %v33, %y[992, 0] : !t, !y
  %v34 = pl.cast rint %big : !t -> !pl.tile<32x64xi32>
  %v35 = pl.cast none %v34 : !pl.tile<32x64xi32> -> !t
  pl.store %v35, %y[1024, 0] : !t, !y
  %v36 = pl.cast round %big : !t -> !pl.tile<32x64xi32>
  %v37 = pl.cast none %v36 : !pl.tile<32x64xi32> -> !t
  pl.store %v37, %y[1056, 0] : !t, !y
  %v38 = pl.cast floor %big : !t -> !pl.tile<32x64xi32>
  %v39 = pl.cast none %v38 : !pl.tile<32x64xi32> -> !t
  pl.store %v39, %y[1088, 0] : !t, !y
  %v40 = pl.cast ceil %big : !t -> !pl.tile<32x64xi32>
  %v41 = pl.cast none %v40 : !pl.tile<32x64xi32> -> !t
  pl.store %v41, %y[1120, 0] : !t, !y
  %v42 = pl.cast trunc %big : !t -> !pl.tile<32x64xi32>
  %v43 = pl.cast none %v42 : !pl.tile<32x64xi32> -> !t
  pl.store %v43, %y[1152, 0] : !t, !y
  %v44 = pl.row_expand %column : !pl.tile<32x1xf32> -> !t
  pl.store %v44, %y[1184, 0] : !t, !y
  %v45 = pl.row_expand_add %a, %column : !t, !pl.tile<32x1xf32>
  pl.store %v45, %y[1216, 0] : !t, !y
  %v46 = pl.row_expand_sub %a, %column : !t, !pl.tile<32x1xf32>
  pl.store %v46, %y[1248, 0] : !t, !y
  %v47 = pl.row_expand_mul %a, %column : !t, !pl.tile<32x1xf32>
  pl.store %v47, %y[1280, 0] : !t, !y
  %v48 = pl.row_expand_div %a, %column : !t, !pl.tile<32x1xf32>
  pl.store %v48, %y[1312, 0] : !t, !y
  %v49 = pl.row_expand_max %a, %column : !t, !pl.tile<32x1xf32>
  pl.store %v49, %y[1344, 0] : !t, !y
  %v50 = pl.row_expand_min %a, %column : !t, !pl.tile<32x1xf32>
  pl.store %v50, %y[1376, 0] : !t, !y
  %v51 = pl.col_expand %line : !pl.tile<1x64xf32> -> !t
  pl.store %v51, %y[1408, 0] : !t, !y
  %v52 = pl.col_expand_add %a, %line : !t, !pl.tile<1x64xf32>
  pl.store %v52, %y[1440, 0] : !t, !y
  %v53 = pl.col_expand_sub %a, %line : !t, !pl.tile<1x64xf32>
  pl.store %v53, %y[1472, 0] : !t, !y
  %v54 = pl.col_expand_mul %a, %line : !t, !pl.tile<1x64xf32>
  pl.store %v54, %y[1504, 0] : !t, !y
  %v55 = pl.col_expand_div %a, %line : !t, !pl.tile<1x64xf32>
  pl.store %v55, %y[1536, 0] : !t, !y
  %v56 = pl.col_expand_max %a, %line : !t, !pl.tile<1x64xf32>
  pl.store %v56, %y[1568, 0] : !t, !y
  %v57 = pl.col_expand_min %a, %line : !t, !pl.tile<1x64xf32>
  pl.store %v57, %y[1600, 0] : !t, !y
  %v58 = pl.row_sum %a : !t -> !pl.tile<32x1xf32>
  %v59 = pl.row_expand %v58 : !pl.tile<32x1xf32> -> !t
  pl.store %v59, %y[1632, 0] : !t, !y
  %v60 = pl.row_max %a : !t -> !pl.tile<32x1xf32>
  %v61 = pl.row_expand %v60 : !pl.tile<32x1xf32> -> !t
  pl.store %v61, %y[1664, 0] : !t, !y
  %v62 = pl.row_min %a : !t -> !pl.tile<32x1xf32>
  %v63 = pl.row_expand %v62 : !pl.tile<32x1xf32> -> !t
  pl.store %v63, %y[1696, 0] : !t, !y
  %v64 = pl.row_prod %a : !t -> !pl.tile<32x1xf32>
  %v65 = pl.row_expand %v64 : !pl.tile<32x1xf32> -> !t
  pl.store %v65, %y[1728, 0] : !t, !y
  %v66 = pl.col_sum %a : !t -> !pl.tile<1x64xf32>
  %v67 = pl.col_expand %v66 : !pl.tile<1x64xf32> -> !t
  pl.store %v67, %y[1760, 0] : !t, !y
  %v68 = pl.col_max %a : !t -> !pl.tile<1x64xf32>
  %v69 = pl.col_expand %v68 : !pl.tile<1x64xf32> -> !t
  pl.store %v69, %y[1792, 0] : !t, !y
  %v70 = pl.col_min %a : !t -> !pl.tile<1x64xf32>
  %v71 = pl.col_expand %v70 : !pl.tile<1x64xf32> -> !t
  pl.store %v71, %y[1824, 0] : !t, !y
  %v72 = pl.col_prod %a : !t -> !pl.tile<1x64xf32>
  %v73 = pl.col_expand %v72 : !pl.tile<1x64xf32> -> !t
  pl.store %v73, %y[1856, 0] : !t, !y
  %tr = pl.transpose %a : !t -> !pl.tile<64x32xf32>
  %v74 = pl.reshape %tr : !pl.tile<64x32xf32> -> !t
  pl.store %v74, %y[1888, 0] : !t, !y
  %left = pl.extract_slice %a[0, 0] : !t -> !pl.tile<32x32xf32>
  %right = pl.extract_slice %a[0, 32] : !t -> !pl.tile<32x32xf32>
  %v75 = pl.concat %right, %left dim 1 : !pl.tile<32x32xf32>, !pl.tile<32x32xf32> -> !t
  pl.store %v75, %y[1920, 0] : !t, !y
  %top = pl.extract_slice %a[0, 0] : !t -> !pl.tile<16x64xf32>
  %under = pl.extract_slice %a[16, 0] : !t -> !pl.tile<16x64xf32>
  %v76 = pl.concat %under, %top dim 0 : !pl.tile<16x64xf32>, !pl.tile<16x64xf32> -> !t
  pl.store %v76, %y[1952, 0] : !t, !y
  %part = pl.extract_slice %b[0, 0] : !t -> !pl.tile<16x32xf32>
  %v77 = pl.insert_slice %part into %a[16, 32] : !pl.tile<16x32xf32> into !t
  pl.store %v77, %y[1984, 0] : !t, !y
  %numbers = pl.iota : !pl.tile<1x32xi32>
  %last = arith.constant 31 : i32
  %back = pl.neg %numbers : !pl.tile<1x32xi32>
  %down = pl.adds %back, %last : !pl.tile<1x32xi32>, i32
  %index = pl.transpose %down : !pl.tile<1x32xi32> -> !pl.tile<32x1xi32>
  %v78 = pl.gather %a, %index : !t, !pl.tile<32x1xi32> -> !t
  pl.store %v78, %y[2016, 0] : !t, !y
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
    attributes {pl.golden, pl.rtol = 1.0e-5, pl.atol = 1.0e-5} {
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
  %c1888 = arith.constant 1888 : index
  %c1920 = arith.constant 1920 : index
  %c1952 = arith.constant 1952 : index
  %c1984 = arith.constant 1984 : index
  %c2016 = arith.constant 2016 : index
  %gzero = arith.constant 0.0 : f32
  %gone = arith.constant 1.0 : f32
  %gtwo = arith.constant 2.0 : f32
  %ntwo = arith.constant 2.0 : f32
  %n = memref.dim %a, %c0 : !w
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %ga = memref.load %a[%r, %i, %j] : !w
        %gb = memref.load %b[%r, %i, %j] : !w
        %g1 = arith.addf %ga, %gb : f32
        %at0 = arith.addi %i, %c0 : index
        memref.store %g1, %y[%r, %at0, %j] : !yw
        %g2 = arith.subf %ga, %gb : f32
        %at1 = arith.addi %i, %c32 : index
        memref.store %g2, %y[%r, %at1, %j] : !yw
        %g3 = arith.mulf %ga, %gb : f32
        %at2 = arith.addi %i, %c64 : index
        memref.store %g3, %y[%r, %at2, %j] : !yw
        %g4 = arith.divf %ga, %gb : f32
        %at3 = arith.addi %i, %c96 : index
        memref.store %g4, %y[%r, %at3, %j] : !yw
        %g5 = arith.maximumf %ga, %gb : f32
        %at4 = arith.addi %i, %c128 : index
        memref.store %g5, %y[%r, %at4, %j] : !yw
        %g6 = arith.minimumf %ga, %gb : f32
        %at5 = arith.addi %i, %c160 : index
        memref.store %g6, %y[%r, %at5, %j] : !yw
        %g7 = arith.addf %ga, %gtwo : f32
        %at6 = arith.addi %i, %c192 : index
        memref.store %g7, %y[%r, %at6, %j] : !yw
        %g8 = arith.subf %ga, %gtwo : f32
        %at7 = arith.addi %i, %c224 : index
        memref.store %g8, %y[%r, %at7, %j] : !yw
        %g9 = arith.mulf %ga, %gtwo : f32
        %at8 = arith.addi %i, %c256 : index
        memref.store %g9, %y[%r, %at8, %j] : !yw
        %g10 = arith.divf %ga, %gtwo : f32
        %at9 = arith.addi %i, %c288 : index
        memref.store %g10, %y[%r, %at9, %j] : !yw
        %g11 = arith.maximumf %ga, %gtwo : f32
        %at10 = arith.addi %i, %c320 : index
        memref.store %g11, %y[%r, %at10, %j] : !yw
        %g12 = arith.minimumf %ga, %gtwo : f32
        %at11 = arith.addi %i, %c352 : index
        memref.store %g12, %y[%r, %at11, %j] : !yw
        %g13 = arith.negf %ga : f32
        %at12 = arith.addi %i, %c384 : index
        memref.store %g13, %y[%r, %at12, %j] : !yw
        %g14 = math.absf %ga : f32
        %at13 = arith.addi %i, %c416 : index
        memref.store %g14, %y[%r, %at13, %j] : !yw
        %g15 = arith.maximumf %ga, %gzero : f32
        %at14 = arith.addi %i, %c448 : index
        memref.store %g15, %y[%r, %at14, %j] : !yw
        %gpos = math.absf %ga : f32
        %g16 = math.exp %gpos : f32
        %at15 = arith.addi %i, %c480 : index
        memref.store %g16, %y[%r, %at15, %j] : !yw
        %g17 = math.log %gpos : f32
        %at16 = arith.addi %i, %c512 : index
        memref.store %g17, %y[%r, %at16, %j] : !yw
        %g18 = math.sqrt %gpos : f32
        %at17 = arith.addi %i, %c544 : index
        memref.store %g18, %y[%r, %at17, %j] : !yw
        %g19 = math.rsqrt %gpos : f32
        %at18 = arith.addi %i, %c576 : index
        memref.store %g19, %y[%r, %at18, %j] : !yw
        %g20 = arith.divf %gone, %gb : f32
        %at19 = arith.addi %i, %c608 : index
        memref.store %g20, %y[%r, %at19, %j] : !yw
        %at20 = arith.addi %i, %c640 : index
        memref.store %ntwo, %y[%r, %at20, %j] : !yw
        %gmeq = arith.cmpf oeq, %ga, %gb : f32
        %g21 = arith.select %gmeq, %ga, %gb : f32
        %at21 = arith.addi %i, %c672 : index
        memref.store %g21, %y[%r, %at21, %j] : !yw
        %gmne = arith.cmpf une, %ga, %gb : f32
        %g22 = arith.select %gmne, %ga, %gb : f32
        %at22 = arith.addi %i, %c704 : index
        memref.store %g22, %y[%r, %at22, %j] : !yw
        %gmlt = arith.cmpf olt, %ga, %gb : f32
        %g23 = arith.select %gmlt, %ga, %gb : f32
        %at23 = arith.addi %i, %c736 : index
        memref.store %g23, %y[%r, %at23, %j] : !yw
        %gmle = arith.cmpf ole, %ga, %gb : f32
        %g24 = arith.select %gmle, %ga, %gb : f32
        %at24 = arith.addi %i, %c768 : index
        memref.store %g24, %y[%r, %at24, %j] : !yw
        %gmgt = arith.cmpf ogt, %ga, %gb : f32
        %g25 = arith.select %gmgt, %ga, %gb : f32
        %at25 = arith.addi %i, %c800 : index
        memref.store %g25, %y[%r, %at25, %j] : !yw
        %gmge = arith.cmpf oge, %ga, %gb : f32
        %g26 = arith.select %gmge, %ga, %gb : f32
        %at26 = arith.addi %i, %c832 : index
        memref.store %g26, %y[%r, %at26, %j] : !yw
        %gkand = arith.andi %gmlt, %gmne : i1
        %g27 = arith.select %gkand, %ga, %gb : f32
        %at27 = arith.addi %i, %c864 : index
        memref.store %g27, %y[%r, %at27, %j] : !yw
        %gkor = arith.ori %gmlt, %gmne : i1
        %g28 = arith.select %gkor, %ga, %gb : f32
        %at28 = arith.addi %i, %c896 : index
        memref.store %g28, %y[%r, %at28, %j] : !yw
        %gkxor = arith.xori %gmlt, %gmne : i1
        %g29 = arith.select %gkxor, %ga, %gb : f32
        %at29 = arith.addi %i, %c928 : index
        memref.store %g29, %y[%r, %at29, %j] : !yw
        %g30 = arith.select %gmlt, %gb, %ga : f32
        %at30 = arith.addi %i, %c960 : index
        memref.store %g30, %y[%r, %at30, %j] : !yw
        %geight = arith.constant 8.0 : f32
        %gbig = arith.mulf %ga, %geight : f32
        %hnone = math.roundeven %gbig : f32
        %qnone = arith.addf %hnone, %gzero : f32
        %at31 = arith.addi %i, %c992 : index
        memref.store %qnone, %y[%r, %at31, %j] : !yw
        %hrint = math.roundeven %gbig : f32
        %qrint = arith.addf %hrint, %gzero : f32
        %at32 = arith.addi %i, %c1024 : index
        memref.store %qrint, %y[%r, %at32, %j] : !yw
        %hround = math.round %gbig : f32
        %qround = arith.addf %hround, %gzero : f32
        %at33 = arith.addi %i, %c1056 : index
        memref.store %qround, %y[%r, %at33, %j] : !yw
        %hfloor = math.floor %gbig : f32
        %qfloor = arith.addf %hfloor, %gzero : f32
        %at34 = arith.addi %i, %c1088 : index
        memref.store %qfloor, %y[%r, %at34, %j] : !yw
        %hceil = math.ceil %gbig : f32
        %qceil = arith.addf %hceil, %gzero : f32
        %at35 = arith.addi %i, %c1120 : index
        memref.store %qceil, %y[%r, %at35, %j] : !yw
        %htrunc = math.trunc %gbig : f32
        %qtrunc = arith.addf %htrunc, %gzero : f32
        %at36 = arith.addi %i, %c1152 : index
        memref.store %qtrunc, %y[%r, %at36, %j] : !yw
        %nrow = memref.load %b[%r, %i, %c0] : !w
        %at37 = arith.addi %i, %c1184 : index
        memref.store %nrow, %y[%r, %at37, %j] : !yw
        %g31 = arith.addf %ga, %nrow : f32
        %at38 = arith.addi %i, %c1216 : index
        memref.store %g31, %y[%r, %at38, %j] : !yw
        %g32 = arith.subf %ga, %nrow : f32
        %at39 = arith.addi %i, %c1248 : index
        memref.store %g32, %y[%r, %at39, %j] : !yw
        %g33 = arith.mulf %ga, %nrow : f32
        %at40 = arith.addi %i, %c1280 : index
        memref.store %g33, %y[%r, %at40, %j] : !yw
        %g34 = arith.divf %ga, %nrow : f32
        %at41 = arith.addi %i, %c1312 : index
        memref.store %g34, %y[%r, %at41, %j] : !yw
        %g35 = arith.maximumf %ga, %nrow : f32
        %at42 = arith.addi %i, %c1344 : index
        memref.store %g35, %y[%r, %at42, %j] : !yw
        %g36 = arith.minimumf %ga, %nrow : f32
        %at43 = arith.addi %i, %c1376 : index
        memref.store %g36, %y[%r, %at43, %j] : !yw
        %ncol = memref.load %b[%r, %c0, %j] : !w
        %at44 = arith.addi %i, %c1408 : index
        memref.store %ncol, %y[%r, %at44, %j] : !yw
        %g37 = arith.addf %ga, %ncol : f32
        %at45 = arith.addi %i, %c1440 : index
        memref.store %g37, %y[%r, %at45, %j] : !yw
        %g38 = arith.subf %ga, %ncol : f32
        %at46 = arith.addi %i, %c1472 : index
        memref.store %g38, %y[%r, %at46, %j] : !yw
        %g39 = arith.mulf %ga, %ncol : f32
        %at47 = arith.addi %i, %c1504 : index
        memref.store %g39, %y[%r, %at47, %j] : !yw
        %g40 = arith.divf %ga, %ncol : f32
        %at48 = arith.addi %i, %c1536 : index
        memref.store %g40, %y[%r, %at48, %j] : !yw
        %g41 = arith.maximumf %ga, %ncol : f32
        %at49 = arith.addi %i, %c1568 : index
        memref.store %g41, %y[%r, %at49, %j] : !yw
        %g42 = arith.minimumf %ga, %ncol : f32
        %at50 = arith.addi %i, %c1600 : index
        memref.store %g42, %y[%r, %at50, %j] : !yw
        %frowsum = memref.load %a[%r, %i, %c0] : !w
        %srowsum = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %frowsum) -> (f32) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %more = arith.addf %so_far, %one_more : f32
          scf.yield %more : f32
        }
        %at51 = arith.addi %i, %c1632 : index
        memref.store %srowsum, %y[%r, %at51, %j] : !yw
        %frowmax = memref.load %a[%r, %i, %c0] : !w
        %srowmax = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %frowmax) -> (f32) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %more = arith.maximumf %so_far, %one_more : f32
          scf.yield %more : f32
        }
        %at52 = arith.addi %i, %c1664 : index
        memref.store %srowmax, %y[%r, %at52, %j] : !yw
        %frowmin = memref.load %a[%r, %i, %c0] : !w
        %srowmin = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %frowmin) -> (f32) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %more = arith.minimumf %so_far, %one_more : f32
          scf.yield %more : f32
        }
        %at53 = arith.addi %i, %c1696 : index
        memref.store %srowmin, %y[%r, %at53, %j] : !yw
        %frowprod = memref.load %a[%r, %i, %c0] : !w
        %srowprod = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %frowprod) -> (f32) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %more = arith.mulf %so_far, %one_more : f32
          scf.yield %more : f32
        }
        %at54 = arith.addi %i, %c1728 : index
        memref.store %srowprod, %y[%r, %at54, %j] : !yw
        %fcolsum = memref.load %a[%r, %c0, %j] : !w
        %scolsum = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %fcolsum) -> (f32) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %more = arith.addf %so_far, %one_more : f32
          scf.yield %more : f32
        }
        %at55 = arith.addi %i, %c1760 : index
        memref.store %scolsum, %y[%r, %at55, %j] : !yw
        %fcolmax = memref.load %a[%r, %c0, %j] : !w
        %scolmax = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %fcolmax) -> (f32) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %more = arith.maximumf %so_far, %one_more : f32
          scf.yield %more : f32
        }
        %at56 = arith.addi %i, %c1792 : index
        memref.store %scolmax, %y[%r, %at56, %j] : !yw
        %fcolmin = memref.load %a[%r, %c0, %j] : !w
        %scolmin = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %fcolmin) -> (f32) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %more = arith.minimumf %so_far, %one_more : f32
          scf.yield %more : f32
        }
        %at57 = arith.addi %i, %c1824 : index
        memref.store %scolmin, %y[%r, %at57, %j] : !yw
        %fcolprod = memref.load %a[%r, %c0, %j] : !w
        %scolprod = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %fcolprod) -> (f32) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %more = arith.mulf %so_far, %one_more : f32
          scf.yield %more : f32
        }
        %at58 = arith.addi %i, %c1856 : index
        memref.store %scolprod, %y[%r, %at58, %j] : !yw
        %row_start = arith.muli %i, %c64 : index
        %flat = arith.addi %row_start, %j : index
        %trc = arith.remsi %flat, %c32 : index
        %trr = arith.divsi %flat, %c32 : index
        %ntr = memref.load %a[%r, %trc, %trr] : !w
        %at59 = arith.addi %i, %c1888 : index
        memref.store %ntr, %y[%r, %at59, %j] : !yw
        %j_far = arith.addi %j, %c32 : index
        %jr = arith.remsi %j_far, %c64 : index
        %nrot = memref.load %a[%r, %i, %jr] : !w
        %at60 = arith.addi %i, %c1920 : index
        memref.store %nrot, %y[%r, %at60, %j] : !yw
        %i_far = arith.addi %i, %c16 : index
        %ir = arith.remsi %i_far, %c32 : index
        %nup = memref.load %a[%r, %ir, %j] : !w
        %at61 = arith.addi %i, %c1952 : index
        memref.store %nup, %y[%r, %at61, %j] : !yw
        %low = arith.cmpi sge, %i, %c16 : index
        %far = arith.cmpi sge, %j, %c32 : index
        %in = arith.andi %low, %far : i1
        %nput = memref.load %b[%r, %ir, %jr] : !w
        %nins = arith.select %in, %nput, %ga : f32
        %at62 = arith.addi %i, %c1984 : index
        memref.store %nins, %y[%r, %at62, %j] : !yw
        %ig = arith.subi %c31, %i : index
        %ngat = memref.load %a[%r, %ig, %j] : !w
        %at63 = arith.addi %i, %c2016 : index
        memref.store %ngat, %y[%r, %at63, %j] : !yw
      }
    }
  }
  return
}
