//! Rows that are reduced and used in one nest, against a reference of the same order, bit for
//! bit and on CPUs of different width.

use super::{
    harness::{CPUS, assert_fine, bytes, compiled, kernel, numbers, run_main},
    values::Random,
};
use pld_lowering::cpu::CompileOptions;

/// A sum in the order that the lowering documents.
fn sum(row: &[f32]) -> f32 {
    let mut sets = [[-0.0f32; 16]; 4];
    for (index, &value) in row.iter().enumerate() {
        sets[index / 16 % 4][index % 16] += value;
    }
    let [a, b, c, d] = sets;
    let mut lanes: Vec<_> = (0..16).map(|i| (a[i] + b[i]) + (c[i] + d[i])).collect();
    while lanes.len() > 1 {
        let upper = lanes.split_off(lanes.len() / 2);
        lanes.iter_mut().zip(upper).for_each(|(a, b)| *a += b);
    }
    lanes[0]
}

fn random(count: usize) -> Vec<f32> {
    let mut random = Random::new(11);
    (0..count)
        .map(|_| random.next() as i32 as f32 / (1u32 << 29) as f32)
        .collect()
}

/// Runs a kernel on arrays and returns them, equal for all CPUs.
fn run(text: &str, arrays: &[Vec<f32>]) -> Vec<Vec<f32>> {
    let results = CPUS.map(|cpu| {
        let options = CompileOptions {
            cpu,
            ..CompileOptions::default()
        };
        let mut arrays: Vec<_> = arrays.iter().map(|array| bytes(array)).collect();
        assert_fine(&run_main(&compiled(text, options), 1, &mut arrays));
        arrays
    });
    assert!(
        results[0] == results[1],
        "the CPU changes a result of\n{text}"
    );
    results[0].iter().map(|array| numbers(array)).collect()
}

/// Each row less its maximum, and over its sum: three loops per row, in which a load is
/// repeated. Columns with and without whole rounds, strips and rests.
#[test]
fn a_row_in_stages() {
    for columns in [2, 16, 29, 64, 100, 192] {
        let array = format!("7x{columns}xf32");
        let tile = format!("!pl.tile<{array}>");
        let text = kernel(
            &[
                ("x", &array, "in"),
                ("y", &array, "out"),
                ("m", "7x1xf32", "out"),
            ],
            &format!(
                "  %t = pl.load %x[0, 0] : memref<{array}> -> {tile}
  %a = pl.row_max %t : {tile} -> !pl.tile<7x1xf32>
  %d = pl.row_expand_sub %t, %a : {tile}, !pl.tile<7x1xf32>
  %e = pl.abs %d : {tile}
  %s = pl.row_sum %e : {tile} -> !pl.tile<7x1xf32>
  %q = pl.row_expand_div %t, %s : {tile}, !pl.tile<7x1xf32>
  %r = pl.add %q, %e : {tile}
  pl.store %r, %y[0, 0] : {tile}, memref<{array}>
  pl.store %s, %m[0, 0] : !pl.tile<7x1xf32>, memref<7x1xf32>"
            ),
        );
        let x = random(7 * columns);
        let out = run(&text, &[x.clone(), vec![0.0; 7 * columns], vec![0.0; 7]]);
        for (row, x) in x.chunks(columns).enumerate() {
            let max = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let e: Vec<_> = x.iter().map(|x| (x - max).abs()).collect();
            let total = sum(&e);
            let expected: Vec<_> = x.iter().zip(&e).map(|(x, e)| x / total + e).collect();
            assert_eq!(
                out[1][row * columns..(row + 1) * columns],
                expected,
                "{columns}"
            );
            assert_eq!(out[2][row], total);
        }
    }
}

/// A row that an earlier loop has overwritten in place is not loaded again: `x` is stored to
/// before its second use.
#[test]
fn a_row_overwritten_in_between() {
    let (array, tile) = ("5x48xf32", "!pl.tile<5x48xf32>");
    let text = kernel(
        &[("x", array, "inout"), ("y", array, "out")],
        &format!(
            "  %t = pl.load %x[0, 0] : memref<{array}> -> {tile}
  %d = pl.add %t, %t : {tile}
  pl.store %d, %x[0, 0] : {tile}, memref<{array}>
  %s = pl.row_sum %d : {tile} -> !pl.tile<5x1xf32>
  %r = pl.row_expand_mul %t, %s : {tile}, !pl.tile<5x1xf32>
  pl.store %r, %y[0, 0] : {tile}, memref<{array}>"
        ),
    );
    let x = random(5 * 48);
    let twice: Vec<_> = x.iter().map(|x| x + x).collect();
    let expected: Vec<_> = x
        .chunks(48)
        .flat_map(|row| {
            let total = sum(&row.iter().map(|x| x + x).collect::<Vec<_>>());
            row.iter().map(move |x| x * total)
        })
        .collect();
    let out = run(&text, &[x.clone(), vec![0.0; 5 * 48]]);
    assert_eq!(out, [twice.clone(), expected.clone()]);
    // Also if they are one array by another name.
    let both = text.replace("@d(%x_r, %y_r)", "@d(%x_r, %x_r)");
    let out = run(&both, &[x, vec![0.0; 5 * 48]]);
    assert_eq!(out[0], expected);
}

/// Rows that are shifted against each other: what the nest of a softmax stores is what a later
/// row of it loads.
#[test]
fn rows_that_overlap() {
    let text = kernel(
        &[("x", "9x40xf32", "inout")],
        "  %t = pl.load %x[0, 0] : memref<9x40xf32> -> !pl.tile<8x40xf32>
  %m = pl.row_sum %t : !pl.tile<8x40xf32> -> !pl.tile<8x1xf32>
  %r = pl.row_expand_sub %t, %m : !pl.tile<8x40xf32>, !pl.tile<8x1xf32>
  pl.store %r, %x[1, 0] : !pl.tile<8x40xf32>, memref<9x40xf32>",
    );
    let x = random(9 * 40);
    let mut expected = x[..40].to_vec();
    for row in x[..8 * 40].chunks(40) {
        let total = sum(row);
        expected.extend(row.iter().map(|x| x - total));
    }
    assert_eq!(run(&text, &[x])[0], expected);
}

/// A row made by a group and repeated along the columns of the next, and a column repeated
/// along the rows of a tile that is one row.
#[test]
fn rows_and_columns_meet() {
    let text = kernel(
        &[
            ("x", "4x40xf32", "in"),
            ("y", "4x40xf32", "out"),
            ("z", "1x40xf32", "out"),
        ],
        "  %t = pl.load %x[0, 0] : memref<4x40xf32> -> !pl.tile<4x40xf32>
  %c = pl.col_sum %t : !pl.tile<4x40xf32> -> !pl.tile<1x40xf32>
  %h = pl.abs %c : !pl.tile<1x40xf32>
  %n = pl.row_max %h : !pl.tile<1x40xf32> -> !pl.tile<1x1xf32>
  %g = pl.row_expand_sub %h, %n : !pl.tile<1x40xf32>, !pl.tile<1x1xf32>
  %u = pl.col_expand_add %g, %h : !pl.tile<1x40xf32>, !pl.tile<1x40xf32>
  pl.store %u, %z[0, 0] : !pl.tile<1x40xf32>, memref<1x40xf32>
  %r = pl.col_expand_mul %t, %g : !pl.tile<4x40xf32>, !pl.tile<1x40xf32>
  pl.store %r, %y[0, 0] : !pl.tile<4x40xf32>, memref<4x40xf32>",
    );
    let x = random(4 * 40);
    let h: Vec<_> = (0..40)
        .map(|c| (0..4).map(|r| x[r * 40 + c]).fold(-0.0, |a, b| a + b).abs())
        .collect();
    let n = h.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let g: Vec<_> = h.iter().map(|h| h - n).collect();
    let y: Vec<_> = (0..160).map(|i| x[i] * g[i % 40]).collect();
    let z: Vec<_> = (0..40).map(|i| g[i] + h[i]).collect();
    let out = run(&text, &[x, vec![0.0; 160], vec![0.0; 40]]);
    assert_eq!(out[1..], [y, z]);
}
