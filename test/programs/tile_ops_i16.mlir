// Every operation on tiles that no other program uses, on i16: each gives 32 rows of the
// result.

!t = !pl.tile<32x64xi16>
!m = !pl.tile<32x64xi1>
!x = memref<32x64xi16>
!y = memref<1952x64xi16>
!w = memref<?x32x64xi16>
!yw = memref<?x1952x64xi16>

func.func @core(%xa: !x, %xb: !x, %y: !y {pl.out}) attributes {pl.incore} {
  %two = arith.constant 2 : i16
  %a = pl.load %xa[0, 0] : !x -> !t
  %b = pl.load %xb[0, 0] : !x -> !t
  %column = pl.load %xb[0, 0] : !x -> !pl.tile<32x1xi16>
  %line = pl.load %xb[0, 0] : !x -> !pl.tile<1x64xi16>
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
  %v7 = pl.adds %a, %two : !t, i16
  pl.store %v7, %y[192, 0] : !t, !y
  %v8 = pl.subs %a, %two : !t, i16
  pl.store %v8, %y[224, 0] : !t, !y
  %v9 = pl.muls %a, %two : !t, i16
  pl.store %v9, %y[256, 0] : !t, !y
  %v10 = pl.divs %a, %two : !t, i16
  pl.store %v10, %y[288, 0] : !t, !y
  %v11 = pl.maxs %a, %two : !t, i16
  pl.store %v11, %y[320, 0] : !t, !y
  %v12 = pl.mins %a, %two : !t, i16
  pl.store %v12, %y[352, 0] : !t, !y
  %v13 = pl.neg %a : !t
  pl.store %v13, %y[384, 0] : !t, !y
  %v14 = pl.abs %a : !t
  pl.store %v14, %y[416, 0] : !t, !y
  %v15 = pl.relu %a : !t
  pl.store %v15, %y[448, 0] : !t, !y
  %v16 = pl.and %a, %b : !t
  pl.store %v16, %y[480, 0] : !t, !y
  %v17 = pl.or %a, %b : !t
  pl.store %v17, %y[512, 0] : !t, !y
  %v18 = pl.xor %a, %b : !t
  pl.store %v18, %y[544, 0] : !t, !y
  %v19 = pl.shl %a, %b : !t
  pl.store %v19, %y[576, 0] : !t, !y
  %v20 = pl.shr %a, %b : !t
  pl.store %v20, %y[608, 0] : !t, !y
  %v21 = pl.not %a : !t
  pl.store %v21, %y[640, 0] : !t, !y
  %v22 = pl.iota : !t
  pl.store %v22, %y[672, 0] : !t, !y
  %v23 = pl.full %two : !t
  pl.store %v23, %y[704, 0] : !t, !y
  %meq = pl.cmp eq, %a, %b : !t -> !m
  %v24 = pl.select %meq, %a, %b : !m, !t
  pl.store %v24, %y[736, 0] : !t, !y
  %mne = pl.cmp ne, %a, %b : !t -> !m
  %v25 = pl.select %mne, %a, %b : !m, !t
  pl.store %v25, %y[768, 0] : !t, !y
  %mlt = pl.cmp lt, %a, %b : !t -> !m
  %v26 = pl.select %mlt, %a, %b : !m, !t
  pl.store %v26, %y[800, 0] : !t, !y
  %mle = pl.cmp le, %a, %b : !t -> !m
  %v27 = pl.select %mle, %a, %b : !m, !t
  pl.store %v27, %y[832, 0] : !t, !y
  %mgt = pl.cmp gt, %a, %b : !t -> !m
  %v28 = pl.select %mgt, %a, %b : !m, !t
  pl.store %v28, %y[864, 0] : !t, !y
  %mge = pl.cmp ge, %a, %b : !t -> !m
  %v29 = pl.select %mge, %a, %b : !m, !t
  pl.store %v29, %y[896, 0] : !t, !y
  %kand = pl.and %mlt, %mne : !m
  %v30 = pl.select %kand, %a, %b : !m, !t
  pl.store %v30, %y[928, 0] : !t, !y
  %kor = pl.or %mlt, %mne : !m
  %v31 = pl.select %kor, %a, %b : !m, !t
  pl.store %v31, %y[960, 0] : !t, !y
  %kxor = pl.xor %mlt, %mne : !m
  %v32 = pl.select %kxor, %a, %b : !m, !t
  pl.store %v32, %y[992, 0] : !t, !y
  %knot = pl.not %mlt : !m
  %v33 = pl.select %knot, %a, %b : !m, !t
  pl.store %v33, %y[1024, 0] : !t, !y
  %v34 = pl.cast none %a : !t -> !pl.tile<32x64xf32>
  %v35 = pl.cast rint %v34 : !pl.tile<32x64xf32> -> !t
  pl.store %v35, %y[1056, 0] : !t, !y
  %v36 = pl.row_expand %column : !pl.tile<32x1xi16> -> !t
  pl.store %v36, %y[1088, 0] : !t, !y
  %v37 = pl.row_expand_add %a, %column : !t, !pl.tile<32x1xi16>
  pl.store %v37, %y[1120, 0] : !t, !y
  %v38 = pl.row_expand_sub %a, %column : !t, !pl.tile<32x1xi16>
  pl.store %v38, %y[1152, 0] : !t, !y
  %v39 = pl.row_expand_mul %a, %column : !t, !pl.tile<32x1xi16>
  pl.store %v39, %y[1184, 0] : !t, !y
  %v40 = pl.row_expand_div %a, %column : !t, !pl.tile<32x1xi16>
  pl.store %v40, %y[1216, 0] : !t, !y
  %v41 = pl.row_expand_max %a, %column : !t, !pl.tile<32x1xi16>
  pl.store %v41, %y[1248, 0] : !t, !y
  %v42 = pl.row_expand_min %a, %column : !t, !pl.tile<32x1xi16>
  pl.store %v42, %y[1280, 0] : !t, !y
  %v43 = pl.col_expand %line : !pl.tile<1x64xi16> -> !t
  pl.store %v43, %y[1312, 0] : !t, !y
  %v44 = pl.col_expand_add %a, %line : !t, !pl.tile<1x64xi16>
  pl.store %v44, %y[1344, 0] : !t, !y
  %v45 = pl.col_expand_sub %a, %line : !t, !pl.tile<1x64xi16>
  pl.store %v45, %y[1376, 0] : !t, !y
  %v46 = pl.col_expand_mul %a, %line : !t, !pl.tile<1x64xi16>
  pl.store %v46, %y[1408, 0] : !t, !y
  %v47 = pl.col_expand_div %a, %line : !t, !pl.tile<1x64xi16>
  pl.store %v47, %y[1440, 0] : !t, !y
  %v48 = pl.col_expand_max %a, %line : !t, !pl.tile<1x64xi16>
  pl.store %v48, %y[1472, 0] : !t, !y
  %v49 = pl.col_expand_min %a, %line : !t, !pl.tile<1x64xi16>
  pl.store %v49, %y[1504, 0] : !t, !y
  %v50 = pl.row_sum %a : !t -> !pl.tile<32x1xi16>
  %v51 = pl.row_expand %v50 : !pl.tile<32x1xi16> -> !t
  pl.store %v51, %y[1536, 0] : !t, !y
  %v52 = pl.row_max %a : !t -> !pl.tile<32x1xi16>
  %v53 = pl.row_expand %v52 : !pl.tile<32x1xi16> -> !t
  pl.store %v53, %y[1568, 0] : !t, !y
  %v54 = pl.row_min %a : !t -> !pl.tile<32x1xi16>
  %v55 = pl.row_expand %v54 : !pl.tile<32x1xi16> -> !t
  pl.store %v55, %y[1600, 0] : !t, !y
  %v56 = pl.row_prod %a : !t -> !pl.tile<32x1xi16>
  %v57 = pl.row_expand %v56 : !pl.tile<32x1xi16> -> !t
  pl.store %v57, %y[1632, 0] : !t, !y
  %v58 = pl.col_sum %a : !t -> !pl.tile<1x64xi16>
  %v59 = pl.col_expand %v58 : !pl.tile<1x64xi16> -> !t
  pl.store %v59, %y[1664, 0] : !t, !y
  %v60 = pl.col_max %a : !t -> !pl.tile<1x64xi16>
  %v61 = pl.col_expand %v60 : !pl.tile<1x64xi16> -> !t
  pl.store %v61, %y[1696, 0] : !t, !y
  %v62 = pl.col_min %a : !t -> !pl.tile<1x64xi16>
  %v63 = pl.col_expand %v62 : !pl.tile<1x64xi16> -> !t
  pl.store %v63, %y[1728, 0] : !t, !y
  %v64 = pl.col_prod %a : !t -> !pl.tile<1x64xi16>
  %v65 = pl.col_expand %v64 : !pl.tile<1x64xi16> -> !t
  pl.store %v65, %y[1760, 0] : !t, !y
  %tr = pl.transpose %a : !t -> !pl.tile<64x32xi16>
  %v66 = pl.reshape %tr : !pl.tile<64x32xi16> -> !t
  pl.store %v66, %y[1792, 0] : !t, !y
  %left = pl.extract_slice %a[0, 0] : !t -> !pl.tile<32x32xi16>
  %right = pl.extract_slice %a[0, 32] : !t -> !pl.tile<32x32xi16>
  %v67 = pl.concat %right, %left dim 1 : !pl.tile<32x32xi16>, !pl.tile<32x32xi16> -> !t
  pl.store %v67, %y[1824, 0] : !t, !y
  %top = pl.extract_slice %a[0, 0] : !t -> !pl.tile<16x64xi16>
  %under = pl.extract_slice %a[16, 0] : !t -> !pl.tile<16x64xi16>
  %v68 = pl.concat %under, %top dim 0 : !pl.tile<16x64xi16>, !pl.tile<16x64xi16> -> !t
  pl.store %v68, %y[1856, 0] : !t, !y
  %part = pl.extract_slice %b[0, 0] : !t -> !pl.tile<16x32xi16>
  %v69 = pl.insert_slice %part into %a[16, 32] : !pl.tile<16x32xi16> into !t
  pl.store %v69, %y[1888, 0] : !t, !y
  %numbers = pl.iota : !pl.tile<1x32xi32>
  %last = arith.constant 31 : i32
  %back = pl.neg %numbers : !pl.tile<1x32xi32>
  %down = pl.adds %back, %last : !pl.tile<1x32xi32>, i32
  %index = pl.transpose %down : !pl.tile<1x32xi32> -> !pl.tile<32x1xi32>
  %v70 = pl.gather %a, %index : !t, !pl.tile<32x1xi32> -> !t
  pl.store %v70, %y[1920, 0] : !t, !y
  return
}

func.func @device(%a: !x, %b: !x, %y: !y {pl.out}) attributes {pl.device} {
  call @core(%a, %b, %y) : (!x, !x, !y) -> ()
  return
}

func.func @main(%a: !w {pl.arg = "randint:-9:10"}, %b: !w {pl.arg = "randint:1:8"}, %y: !yw {pl.out})
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
    attributes {pl.golden, pl.rtol = 0.0, pl.atol = 0.0} {
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
  %gzero = arith.constant 0 : i16
  %gminus = arith.constant -1 : i16
  %gtwo = arith.constant 2 : i16
  %ntwo = arith.constant 2 : i16
  %n = memref.dim %a, %c0 : !w
  scf.for %r = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %ga = memref.load %a[%r, %i, %j] : !w
        %gb = memref.load %b[%r, %i, %j] : !w
        %g1 = arith.addi %ga, %gb : i16
        %at0 = arith.addi %i, %c0 : index
        memref.store %g1, %y[%r, %at0, %j] : !yw
        %g2 = arith.subi %ga, %gb : i16
        %at1 = arith.addi %i, %c32 : index
        memref.store %g2, %y[%r, %at1, %j] : !yw
        %g3 = arith.muli %ga, %gb : i16
        %at2 = arith.addi %i, %c64 : index
        memref.store %g3, %y[%r, %at2, %j] : !yw
        %g4 = arith.divsi %ga, %gb : i16
        %at3 = arith.addi %i, %c96 : index
        memref.store %g4, %y[%r, %at3, %j] : !yw
        %g5 = arith.maxsi %ga, %gb : i16
        %at4 = arith.addi %i, %c128 : index
        memref.store %g5, %y[%r, %at4, %j] : !yw
        %g6 = arith.minsi %ga, %gb : i16
        %at5 = arith.addi %i, %c160 : index
        memref.store %g6, %y[%r, %at5, %j] : !yw
        %g7 = arith.addi %ga, %gtwo : i16
        %at6 = arith.addi %i, %c192 : index
        memref.store %g7, %y[%r, %at6, %j] : !yw
        %g8 = arith.subi %ga, %gtwo : i16
        %at7 = arith.addi %i, %c224 : index
        memref.store %g8, %y[%r, %at7, %j] : !yw
        %g9 = arith.muli %ga, %gtwo : i16
        %at8 = arith.addi %i, %c256 : index
        memref.store %g9, %y[%r, %at8, %j] : !yw
        %g10 = arith.divsi %ga, %gtwo : i16
        %at9 = arith.addi %i, %c288 : index
        memref.store %g10, %y[%r, %at9, %j] : !yw
        %g11 = arith.maxsi %ga, %gtwo : i16
        %at10 = arith.addi %i, %c320 : index
        memref.store %g11, %y[%r, %at10, %j] : !yw
        %g12 = arith.minsi %ga, %gtwo : i16
        %at11 = arith.addi %i, %c352 : index
        memref.store %g12, %y[%r, %at11, %j] : !yw
        %g13 = arith.subi %gzero, %ga : i16
        %at12 = arith.addi %i, %c384 : index
        memref.store %g13, %y[%r, %at12, %j] : !yw
        %g14 = math.absi %ga : i16
        %at13 = arith.addi %i, %c416 : index
        memref.store %g14, %y[%r, %at13, %j] : !yw
        %g15 = arith.maxsi %ga, %gzero : i16
        %at14 = arith.addi %i, %c448 : index
        memref.store %g15, %y[%r, %at14, %j] : !yw
        %g16 = arith.andi %ga, %gb : i16
        %at15 = arith.addi %i, %c480 : index
        memref.store %g16, %y[%r, %at15, %j] : !yw
        %g17 = arith.ori %ga, %gb : i16
        %at16 = arith.addi %i, %c512 : index
        memref.store %g17, %y[%r, %at16, %j] : !yw
        %g18 = arith.xori %ga, %gb : i16
        %at17 = arith.addi %i, %c544 : index
        memref.store %g18, %y[%r, %at17, %j] : !yw
        %g19 = arith.shli %ga, %gb : i16
        %at18 = arith.addi %i, %c576 : index
        memref.store %g19, %y[%r, %at18, %j] : !yw
        %g20 = arith.shrsi %ga, %gb : i16
        %at19 = arith.addi %i, %c608 : index
        memref.store %g20, %y[%r, %at19, %j] : !yw
        %g21 = arith.xori %ga, %gminus : i16
        %at20 = arith.addi %i, %c640 : index
        memref.store %g21, %y[%r, %at20, %j] : !yw
        %g22 = arith.index_cast %j : index to i16
        %at21 = arith.addi %i, %c672 : index
        memref.store %g22, %y[%r, %at21, %j] : !yw
        %at22 = arith.addi %i, %c704 : index
        memref.store %ntwo, %y[%r, %at22, %j] : !yw
        %gmeq = arith.cmpi eq, %ga, %gb : i16
        %g23 = arith.select %gmeq, %ga, %gb : i16
        %at23 = arith.addi %i, %c736 : index
        memref.store %g23, %y[%r, %at23, %j] : !yw
        %gmne = arith.cmpi ne, %ga, %gb : i16
        %g24 = arith.select %gmne, %ga, %gb : i16
        %at24 = arith.addi %i, %c768 : index
        memref.store %g24, %y[%r, %at24, %j] : !yw
        %gmlt = arith.cmpi slt, %ga, %gb : i16
        %g25 = arith.select %gmlt, %ga, %gb : i16
        %at25 = arith.addi %i, %c800 : index
        memref.store %g25, %y[%r, %at25, %j] : !yw
        %gmle = arith.cmpi sle, %ga, %gb : i16
        %g26 = arith.select %gmle, %ga, %gb : i16
        %at26 = arith.addi %i, %c832 : index
        memref.store %g26, %y[%r, %at26, %j] : !yw
        %gmgt = arith.cmpi sgt, %ga, %gb : i16
        %g27 = arith.select %gmgt, %ga, %gb : i16
        %at27 = arith.addi %i, %c864 : index
        memref.store %g27, %y[%r, %at27, %j] : !yw
        %gmge = arith.cmpi sge, %ga, %gb : i16
        %g28 = arith.select %gmge, %ga, %gb : i16
        %at28 = arith.addi %i, %c896 : index
        memref.store %g28, %y[%r, %at28, %j] : !yw
        %gkand = arith.andi %gmlt, %gmne : i1
        %g29 = arith.select %gkand, %ga, %gb : i16
        %at29 = arith.addi %i, %c928 : index
        memref.store %g29, %y[%r, %at29, %j] : !yw
        %gkor = arith.ori %gmlt, %gmne : i1
        %g30 = arith.select %gkor, %ga, %gb : i16
        %at30 = arith.addi %i, %c960 : index
        memref.store %g30, %y[%r, %at30, %j] : !yw
        %gkxor = arith.xori %gmlt, %gmne : i1
        %g31 = arith.select %gkxor, %ga, %gb : i16
        %at31 = arith.addi %i, %c992 : index
        memref.store %g31, %y[%r, %at31, %j] : !yw
        %g32 = arith.select %gmlt, %gb, %ga : i16
        %at32 = arith.addi %i, %c1024 : index
        memref.store %g32, %y[%r, %at32, %j] : !yw
        %at33 = arith.addi %i, %c1056 : index
        memref.store %ga, %y[%r, %at33, %j] : !yw
        %nrow = memref.load %b[%r, %i, %c0] : !w
        %at34 = arith.addi %i, %c1088 : index
        memref.store %nrow, %y[%r, %at34, %j] : !yw
        %g33 = arith.addi %ga, %nrow : i16
        %at35 = arith.addi %i, %c1120 : index
        memref.store %g33, %y[%r, %at35, %j] : !yw
        %g34 = arith.subi %ga, %nrow : i16
        %at36 = arith.addi %i, %c1152 : index
        memref.store %g34, %y[%r, %at36, %j] : !yw
        %g35 = arith.muli %ga, %nrow : i16
        %at37 = arith.addi %i, %c1184 : index
        memref.store %g35, %y[%r, %at37, %j] : !yw
        %g36 = arith.divsi %ga, %nrow : i16
        %at38 = arith.addi %i, %c1216 : index
        memref.store %g36, %y[%r, %at38, %j] : !yw
        %g37 = arith.maxsi %ga, %nrow : i16
        %at39 = arith.addi %i, %c1248 : index
        memref.store %g37, %y[%r, %at39, %j] : !yw
        %g38 = arith.minsi %ga, %nrow : i16
        %at40 = arith.addi %i, %c1280 : index
        memref.store %g38, %y[%r, %at40, %j] : !yw
        %ncol = memref.load %b[%r, %c0, %j] : !w
        %at41 = arith.addi %i, %c1312 : index
        memref.store %ncol, %y[%r, %at41, %j] : !yw
        %g39 = arith.addi %ga, %ncol : i16
        %at42 = arith.addi %i, %c1344 : index
        memref.store %g39, %y[%r, %at42, %j] : !yw
        %g40 = arith.subi %ga, %ncol : i16
        %at43 = arith.addi %i, %c1376 : index
        memref.store %g40, %y[%r, %at43, %j] : !yw
        %g41 = arith.muli %ga, %ncol : i16
        %at44 = arith.addi %i, %c1408 : index
        memref.store %g41, %y[%r, %at44, %j] : !yw
        %g42 = arith.divsi %ga, %ncol : i16
        %at45 = arith.addi %i, %c1440 : index
        memref.store %g42, %y[%r, %at45, %j] : !yw
        %g43 = arith.maxsi %ga, %ncol : i16
        %at46 = arith.addi %i, %c1472 : index
        memref.store %g43, %y[%r, %at46, %j] : !yw
        %g44 = arith.minsi %ga, %ncol : i16
        %at47 = arith.addi %i, %c1504 : index
        memref.store %g44, %y[%r, %at47, %j] : !yw
        %frowsum = memref.load %a[%r, %i, %c0] : !w
        %srowsum = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %frowsum) -> (i16) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %more = arith.addi %so_far, %one_more : i16
          scf.yield %more : i16
        }
        %at48 = arith.addi %i, %c1536 : index
        memref.store %srowsum, %y[%r, %at48, %j] : !yw
        %frowmax = memref.load %a[%r, %i, %c0] : !w
        %srowmax = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %frowmax) -> (i16) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %more = arith.maxsi %so_far, %one_more : i16
          scf.yield %more : i16
        }
        %at49 = arith.addi %i, %c1568 : index
        memref.store %srowmax, %y[%r, %at49, %j] : !yw
        %frowmin = memref.load %a[%r, %i, %c0] : !w
        %srowmin = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %frowmin) -> (i16) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %more = arith.minsi %so_far, %one_more : i16
          scf.yield %more : i16
        }
        %at50 = arith.addi %i, %c1600 : index
        memref.store %srowmin, %y[%r, %at50, %j] : !yw
        %frowprod = memref.load %a[%r, %i, %c0] : !w
        %srowprod = scf.for %q = %c1 to %c64 step %c1 iter_args(%so_far = %frowprod) -> (i16) {
          %one_more = memref.load %a[%r, %i, %q] : !w
          %more = arith.muli %so_far, %one_more : i16
          scf.yield %more : i16
        }
        %at51 = arith.addi %i, %c1632 : index
        memref.store %srowprod, %y[%r, %at51, %j] : !yw
        %fcolsum = memref.load %a[%r, %c0, %j] : !w
        %scolsum = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %fcolsum) -> (i16) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %more = arith.addi %so_far, %one_more : i16
          scf.yield %more : i16
        }
        %at52 = arith.addi %i, %c1664 : index
        memref.store %scolsum, %y[%r, %at52, %j] : !yw
        %fcolmax = memref.load %a[%r, %c0, %j] : !w
        %scolmax = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %fcolmax) -> (i16) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %more = arith.maxsi %so_far, %one_more : i16
          scf.yield %more : i16
        }
        %at53 = arith.addi %i, %c1696 : index
        memref.store %scolmax, %y[%r, %at53, %j] : !yw
        %fcolmin = memref.load %a[%r, %c0, %j] : !w
        %scolmin = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %fcolmin) -> (i16) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %more = arith.minsi %so_far, %one_more : i16
          scf.yield %more : i16
        }
        %at54 = arith.addi %i, %c1728 : index
        memref.store %scolmin, %y[%r, %at54, %j] : !yw
        %fcolprod = memref.load %a[%r, %c0, %j] : !w
        %scolprod = scf.for %q = %c1 to %c32 step %c1 iter_args(%so_far = %fcolprod) -> (i16) {
          %one_more = memref.load %a[%r, %q, %j] : !w
          %more = arith.muli %so_far, %one_more : i16
          scf.yield %more : i16
        }
        %at55 = arith.addi %i, %c1760 : index
        memref.store %scolprod, %y[%r, %at55, %j] : !yw
        %row_start = arith.muli %i, %c64 : index
        %flat = arith.addi %row_start, %j : index
        %trc = arith.remsi %flat, %c32 : index
        %trr = arith.divsi %flat, %c32 : index
        %ntr = memref.load %a[%r, %trc, %trr] : !w
        %at56 = arith.addi %i, %c1792 : index
        memref.store %ntr, %y[%r, %at56, %j] : !yw
        %j_far = arith.addi %j, %c32 : index
        %jr = arith.remsi %j_far, %c64 : index
        %nrot = memref.load %a[%r, %i, %jr] : !w
        %at57 = arith.addi %i, %c1824 : index
        memref.store %nrot, %y[%r, %at57, %j] : !yw
        %i_far = arith.addi %i, %c16 : index
        %ir = arith.remsi %i_far, %c32 : index
        %nup = memref.load %a[%r, %ir, %j] : !w
        %at58 = arith.addi %i, %c1856 : index
        memref.store %nup, %y[%r, %at58, %j] : !yw
        %low = arith.cmpi sge, %i, %c16 : index
        %far = arith.cmpi sge, %j, %c32 : index
        %in = arith.andi %low, %far : i1
        %nput = memref.load %b[%r, %ir, %jr] : !w
        %nins = arith.select %in, %nput, %ga : i16
        %at59 = arith.addi %i, %c1888 : index
        memref.store %nins, %y[%r, %at59, %j] : !yw
        %ig = arith.subi %c31, %i : index
        %ngat = memref.load %a[%r, %ig, %j] : !w
        %at60 = arith.addi %i, %c1920 : index
        memref.store %ngat, %y[%r, %at60, %j] : !yw
      }
    }
  }
  return
}
