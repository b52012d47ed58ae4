//! Matrix products against a reference of the same order, for all element types, dims
//! exchanged or not, sizes with and without rests, and CPUs with few and many registers.

use super::{
    harness::{CPUS, assert_fine, bytes, compiled, kernel, numbers, run_main},
    values::{Random, Type},
};
use pld_lowering::cpu::{CompileOptions, Cpu};

const TYPES: [Type; 4] = [Type::F32, Type::F16, Type::BF16, Type::I8];

/// A product: rows, columns and depth; whether the sides are stored with dims exchanged.
#[derive(Clone, Copy, Debug)]
struct Shape {
    m: usize,
    n: usize,
    k: usize,
    turned: [bool; 2],
}

impl Shape {
    /// Stored extents of the left (0) or right (1) side.
    fn side(self, side: usize) -> [usize; 2] {
        let extents = [[self.m, self.k], [self.k, self.n]][side];
        match self.turned[side] {
            true => [extents[1], extents[0]],
            false => extents,
        }
    }

    fn flags(self) -> String {
        let flags = ["transpose_a", "transpose_b"].into_iter().zip(self.turned);
        flags
            .filter(|flag| flag.1)
            .map(|flag| flag.0.to_owned() + " ")
            .collect()
    }
}

/// Codes of small numbers, so that sums are rounded and do not overflow.
fn codes(t: Type, count: usize, random: &mut Random) -> Vec<u64> {
    (0..count)
        .map(|_| match t.is_float() {
            true => t.nearest(random.next() as i32 as f32 / (1u32 << 31) as f32),
            false => t.wrap(random.next() as i64),
        })
        .collect()
}

/// The result's codes: from `start`, k from 0 up, each product added with one rounding.
fn product(t: Type, shape: Shape, sides: [&[u64]; 2], start: Option<&[u64]>) -> Vec<u64> {
    let at = |side: usize, row: usize, column: usize| {
        let width = shape.side(side)[1];
        let index = match shape.turned[side] {
            true => column * width + row,
            false => row * width + column,
        };
        sides[side][index]
    };
    let element = |index: usize| {
        let (row, column) = (index / shape.n, index % shape.n);
        let start = start.map_or(0, |start| start[index]) as u32;
        let pairs = (0..shape.k).map(|k| (at(0, row, k), at(1, k, column)));
        let code = if t.is_float() {
            pairs
                .fold(f32::from_bits(start), |sum, (a, b)| {
                    (t.float(a) as f32).mul_add(t.float(b) as f32, sum)
                })
                .to_bits()
        } else {
            pairs.fold(start, |sum, (a, b)| {
                sum.wrapping_add((t.int(a) * t.int(b)) as u32)
            })
        };
        u64::from(code)
    };
    (0..shape.m * shape.n).map(element).collect()
}

fn run(t: Type, shape: Shape, cpu: Cpu, random: &mut Random) {
    let result = if t.is_float() { Type::F32 } else { Type::I32 };
    let [a, b] = [0, 1].map(|side| {
        let [rows, columns] = shape.side(side);
        format!("{rows}x{columns}x{}", t.name())
    });
    let c = format!("{}x{}x{}", shape.m, shape.n, result.name());
    let flags = shape.flags();
    let (ta, tb, tc) = (
        format!("!pl.tile<{a}>"),
        format!("!pl.tile<{b}>"),
        format!("!pl.tile<{c}>"),
    );
    // The first reads its sides in place; the second adds to what it gives; the last has a
    // use of its start behind it.
    let text = kernel(
        &[
            ("x", &a, "in"),
            ("y", &b, "in"),
            ("u", &c, "out"),
            ("v", &c, "out"),
            ("w", &c, "out"),
        ],
        &format!(
            "  %a = pl.load %x[0, 0] : memref<{a}> -> {ta}
  %b = pl.load %y[0, 0] : memref<{b}> -> {tb}
  %p = pl.matmul %a, %b {flags}: {ta}, {tb} -> {tc}
  pl.store %p, %u[0, 0] : {tc}, memref<{c}>
  %d = pl.load %x[0, 0] : memref<{a}> -> {ta}
  %e = pl.load %y[0, 0] : memref<{b}> -> {tb}
  %f = pl.add %d, %d : {ta}
  %q = pl.matmul_acc %p, %f, %e {flags}: {ta}, {tb} -> {tc}
  pl.store %q, %v[0, 0] : {tc}, memref<{c}>
  %g = pl.sub %e, %e : {tb}
  %r = pl.matmul_acc %q, %d, %g {flags}: {ta}, {tb} -> {tc}
  %s = pl.sub %r, %q : {tc}
  pl.store %s, %w[0, 0] : {tc}, memref<{c}>"
        ),
    );
    let sides = [0, 1].map(|side| {
        let [rows, columns] = shape.side(side);
        codes(t, rows * columns, random)
    });
    let size = shape.m * shape.n * 4;
    let mut arrays = vec![t.encode(&sides[0]), t.encode(&sides[1])];
    arrays.extend(vec![vec![0xAA; size]; 3]);
    let options = CompileOptions {
        cpu,
        ..CompileOptions::default()
    };
    assert_fine(&run_main(&compiled(&text, options), 1, &mut arrays));
    let twice: Vec<_> = sides[0]
        .iter()
        .map(|&code| match t.is_float() {
            true => t.nearest(2.0 * t.float(code) as f32),
            false => t.wrap(2 * t.int(code)),
        })
        .collect();
    let first = product(t, shape, [&sides[0], &sides[1]], None);
    let second = product(t, shape, [&twice, &sides[1]], Some(&first));
    assert_eq!(result.decode(&arrays[2]), first, "{t:?} {shape:?} {cpu:?}");
    assert_eq!(result.decode(&arrays[3]), second, "{t:?} {shape:?} {cpu:?}");
    let rest = numbers::<u32>(&arrays[4]);
    assert!(
        rest.iter().all(|code| code << 1 == 0),
        "{t:?} {shape:?} {cpu:?}"
    );
}

#[test]
fn products() {
    let mut random = Random::new(21);
    let sizes = [
        (1, 1, 1),
        (8, 32, 16),
        (13, 29, 7),
        (16, 64, 33),
        (4, 16, 64),
        (3, 50, 5),
        // Rows enough for a copy of the right side; k that rounds of the loop do not divide.
        (33, 40, 6),
        (20, 17, 3),
        (17, 64, 9),
    ];
    for (index, t) in TYPES.into_iter().enumerate() {
        for (number, (m, n, k)) in sizes.into_iter().enumerate() {
            for flags in 0..4 {
                let turned = [flags & 1 == 1, flags & 2 == 2];
                let cpu = CPUS[(index + number + flags) % 2];
                run(t, Shape { m, n, k, turned }, cpu, &mut random);
            }
        }
    }
}

/// A product of large matrices in a loop that carries the sum, on both kinds of CPU.
#[test]
fn a_carried_sum() {
    let text = kernel(
        &[
            ("x", "16x96xf32", "in"),
            ("y", "96x48xf32", "in"),
            ("z", "16x48xf32", "out"),
        ],
        "  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %one = arith.constant 1.0 : f32
  %i = pl.full %one : !pl.tile<16x48xf32>
  %s = scf.for %k = %c0 to %c96 step %c32 iter_args(%c = %i) -> (!pl.tile<16x48xf32>) {
    %a = pl.load %x[0, %k] : memref<16x96xf32> -> !pl.tile<16x32xf32>
    %b = pl.load %y[%k, 0] : memref<96x48xf32> -> !pl.tile<32x48xf32>
    %n = pl.matmul_acc %c, %a, %b : !pl.tile<16x32xf32>, !pl.tile<32x48xf32> -> !pl.tile<16x48xf32>
    scf.yield %n : !pl.tile<16x48xf32>
  }
  pl.store %s, %z[0, 0] : !pl.tile<16x48xf32>, memref<16x48xf32>",
    );
    let mut random = Random::new(3);
    let [x, y] = [16 * 96, 96 * 48].map(|count| codes(Type::F32, count, &mut random));
    let shape = Shape {
        m: 16,
        n: 48,
        k: 96,
        turned: [false; 2],
    };
    let start = vec![u64::from(1f32.to_bits()); 16 * 48];
    let expected = product(Type::F32, shape, [&x, &y], Some(&start));
    for cpu in CPUS {
        let options = CompileOptions {
            cpu,
            ..CompileOptions::default()
        };
        let mut arrays = [
            Type::F32.encode(&x),
            Type::F32.encode(&y),
            bytes(&[0f32; 16 * 48]),
        ];
        assert_fine(&run_main(&compiled(&text, options), 1, &mut arrays));
        assert_eq!(Type::F32.decode(&arrays[2]), expected);
    }
}
