//! Accesses to memory: valid parts, overlaps, atomic adds, scalars.

use super::{
    harness::{assert_fine, bytes, checked, indices, kernel, numbers, run_main},
    values::Type,
};

/// Loads and stores of a part of a tile, for all sizes from nothing to all of it.
#[test]
fn valid_parts() {
    let body = indices(4)
        + "  %v = arith.constant 7.5 : f32
  %t = pl.load %x[%i0, %i1] valid [%i2, %i3] pad(%v : f32) : memref<10x40xf32> -> !pl.tile<5x37xf32>
  %u = pl.load %x[%i0, %i1] valid [%i2, %i3] : memref<10x40xf32> -> !pl.tile<5x37xf32>
  pl.store %t, %y[0, 0] : !pl.tile<5x37xf32>, memref<5x37xf32>
  pl.store %u, %z[0, 0] valid [%i2, %i3] : !pl.tile<5x37xf32>, memref<5x37xf32>";
    let parameters = [
        ("p", "1x4xi32", "in"),
        ("x", "10x40xf32", "in"),
        ("y", "5x37xf32", "out"),
        ("z", "5x37xf32", "inout"),
    ];
    let code = checked(&kernel(&parameters, &body));
    let x: Vec<f32> = (0..400).map(|i| i as f32).collect();
    for (rows, columns) in [
        (0, 0),
        (0, 37),
        (5, 0),
        (1, 1),
        (3, 15),
        (4, 16),
        (5, 33),
        (5, 37),
    ] {
        let p = [2i32, 3, rows, columns];
        let mut arrays = [
            bytes(&p),
            bytes(&x),
            bytes(&[0f32; 185]),
            bytes(&[-1f32; 185]),
        ];
        assert_fine(&run_main(&code, 1, &mut arrays));
        let (y, z) = (numbers::<f32>(&arrays[2]), numbers::<f32>(&arrays[3]));
        for (row, column) in (0..5).flat_map(|row| (0..37).map(move |column| (row, column))) {
            let index = (row * 37 + column) as usize;
            let there = row < rows && column < columns;
            let value = x[((row + 2) * 40 + column + 3) as usize];
            let what = format!("[{row}, {column}] of valid [{rows}, {columns}]");
            assert_eq!(y[index], if there { value } else { 7.5 }, "y{what}");
            assert_eq!(z[index], if there { value } else { -1.0 }, "z{what}");
        }
    }
}

/// A store that overlaps its load is as if all had been loaded before: through one
/// argument, and through two that are the same array; and in step it is in place.
#[test]
fn overlapping_load_and_store() {
    let shift = |from: &str, to: &str| {
        indices(4)
            + &format!(
                "  %t = pl.load %{from}[%i0, 0] : memref<9x64xf32> -> !pl.tile<8x64xf32>
  %u = pl.add %t, %t : !pl.tile<8x64xf32>
  pl.store %u, %{to}[%i1, 0] : !pl.tile<8x64xf32>, memref<9x64xf32>"
            )
    };
    let one = kernel(
        &[("p", "1x4xi32", "in"), ("a", "9x64xf32", "inout")],
        &shift("a", "a"),
    );
    let two = kernel(
        &[
            ("p", "1x4xi32", "in"),
            ("a", "9x64xf32", "in"),
            ("b", "9x64xf32", "inout"),
        ],
        &shift("a", "b"),
    )
    // The array of %b stands for both.
    .replace("@d(%p_r, %a_r, %b_r)", "@d(%p_r, %b_r, %b_r)");
    for (text, arrays) in [(one, 1), (two, 2)] {
        let code = checked(&text);
        for (from, to) in [(0, 1), (1, 0), (0, 0)] {
            let a: Vec<f32> = (0..9 * 64).map(|i| i as f32).collect();
            let mut memory = vec![bytes(&[from, to, 0, 0i32])];
            memory.extend(vec![bytes(&a); arrays]);
            assert_fine(&run_main(&code, 1, &mut memory));
            let found = numbers::<f32>(&memory[arrays]);
            let mut expected = a.clone();
            for i in 0..8 * 64 {
                expected[to as usize * 64 + i] = 2.0 * a[from as usize * 64 + i];
            }
            assert_eq!(
                found, expected,
                "{arrays} arrays, from row {from} to row {to}"
            );
        }
    }
}

/// Two views of one window buffer, of different widths, overlap as well.
#[test]
fn overlapping_views_of_a_window() {
    let text = "
func.func @k(%x: memref<4x32xf32>, %y: memref<8x16xf32> {pl.out}, %w: !pld.dtensor<4x32xf32>,
             %v: !pld.dtensor<8x16xf32>) attributes {pl.incore} {
  %t = pl.load %x[0, 0] : memref<4x32xf32> -> !pl.tile<4x32xf32>
  pl.store %t, %w[0, 0] : !pl.tile<4x32xf32>, !pld.dtensor<4x32xf32>
  %u = pl.load %w[0, 0] : !pld.dtensor<4x32xf32> -> !pl.tile<4x16xf32>
  pl.store %u, %v[3, 0] : !pl.tile<4x16xf32>, !pld.dtensor<8x16xf32>
  %r = pl.load %v[0, 0] : !pld.dtensor<8x16xf32> -> !pl.tile<8x16xf32>
  pl.store %r, %y[0, 0] : !pl.tile<8x16xf32>, memref<8x16xf32>
  return
}
func.func @d(%x: memref<4x32xf32>, %y: memref<8x16xf32> {pl.out}, %w: !pld.dtensor<4x32xf32>,
             %v: !pld.dtensor<8x16xf32>) attributes {pl.device} {
  call @k(%x, %y, %w, %v) : (memref<4x32xf32>, memref<8x16xf32>, !pld.dtensor<4x32xf32>, !pld.dtensor<8x16xf32>) -> ()
  return
}
func.func @main(%x: memref<?x4x32xf32>, %y: memref<?x8x16xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %b = pld.alloc_window_buffer [4, 32] of f32
  %w = pld.window %b : !pld.dtensor<4x32xf32>
  %v = pld.window %b : !pld.dtensor<8x16xf32>
  %xr = pl.shard %x[%c0] : memref<?x4x32xf32> -> memref<4x32xf32>
  %yr = pl.shard %y[%c0] : memref<?x8x16xf32> -> memref<8x16xf32>
  pld.dispatch @d(%xr, %yr, %w, %v) on %c0 : (memref<4x32xf32>, memref<8x16xf32>, !pld.dtensor<4x32xf32>, !pld.dtensor<8x16xf32>)
  return
}";
    let x: Vec<f32> = (0..128).map(|i| i as f32).collect();
    let mut arrays = [bytes(&x), bytes(&[0f32; 128])];
    assert_fine(&run_main(&checked(text), 1, &mut arrays));
    let mut expected = x.clone();
    for i in 0..64 {
        // Rows of the wide view's left half go to rows 3 to 6 of the narrow one; some of
        // those are rows of the wide one that are loaded later.
        expected[48 + i] = x[i / 16 * 32 + i % 16];
    }
    assert_eq!(numbers::<f32>(&arrays[1]), expected);
}

/// An atomic store adds, in each type that has it.
#[test]
fn atomic_adds() {
    for t in [
        Type::F32,
        Type::F16,
        Type::BF16,
        Type::I8,
        Type::I16,
        Type::I32,
    ] {
        let shape = format!("3x19x{}", t.name());
        let (tile, memory) = (
            format!("!pl.tile<3x17x{}>", t.name()),
            format!("memref<{shape}>"),
        );
        let body = format!(
            "  %t = pl.load %x[0, 1] : {memory} -> {tile}
  pl.store %t, %y[0, 2] atomic add : {tile}, {memory}
  pl.store %t, %y[0, 2] valid [2, 5] atomic add : {tile}, {memory}"
        );
        let code = checked(&kernel(
            &[("x", &shape, "in"), ("y", &shape, "inout")],
            &body,
        ));
        let number = |value: i64| match t.is_float() {
            true => t.nearest(value as f32),
            false => t.wrap(value),
        };
        let x: Vec<i64> = (0..57).map(|i| i - 20).collect();
        let x_codes: Vec<_> = x.iter().map(|&x| number(x)).collect();
        let mut arrays = [t.encode(&x_codes), t.encode(&[number(1); 57])];
        assert_fine(&run_main(&code, 1, &mut arrays));
        for (index, &found) in t.decode(&arrays[1]).iter().enumerate() {
            let (row, column) = (index / 19, index % 19);
            let source = if column >= 2 {
                x[row * 19 + column - 1]
            } else {
                0
            };
            let times = 1 + i64::from(row < 2 && column < 7);
            let expected = if column >= 2 {
                number(1 + times * source)
            } else {
                number(1)
            };
            assert_eq!(found, expected, "{t:?} [{row}, {column}]");
        }
    }
}

/// Scalars of each type are read and written, and extents are those of the array.
#[test]
fn scalars_and_extents() {
    for t in Type::ALL {
        let shape = format!("2x3x{}", t.name());
        let body = format!(
            "  %v = pl.read %x[1, 2] : memref<{shape}>
  pl.write %v, %y[0, 1] : memref<{shape}>
  %r = pl.dim %x, 1 : memref<{shape}>
  %i = arith.index_cast %r : index to i64
  pl.write %i, %e[0, 0] : memref<1x1xi64>"
        );
        let parameters = [
            ("x", shape.as_str(), "in"),
            ("y", shape.as_str(), "inout"),
            ("e", "1x1xi64", "out"),
        ];
        let code = checked(&kernel(&parameters, &body));
        let one = if t.is_float() { t.nearest(1.0) } else { 1 };
        let x = [0, 0, 0, 0, 0, one];
        let mut arrays = [t.encode(&x), t.encode(&[0; 6]), bytes(&[0i64])];
        assert_fine(&run_main(&code, 1, &mut arrays));
        assert_eq!(t.decode(&arrays[1]), [0, one, 0, 0, 0, 0], "{t:?}");
        assert_eq!(numbers::<i64>(&arrays[2]), [3]);
    }
}
