//! Elementwise operations against a reference, for all element types and for sizes with and
//! without whole strips and rests.

use super::{
    harness::{assert_fine, compiled, kernel, run_main},
    values::{Random, Type, assert_same},
};
use pld_lowering::cpu::CompileOptions;

fn reference(operation: &str, t: Type, a: u64, b: u64) -> u64 {
    if t.is_float() {
        let (a, b) = (t.float(a) as f32, t.float(b) as f32);
        t.nearest(if operation == "add" { a + b } else { a * b })
    } else {
        let (a, b) = (t.int(a), t.int(b));
        t.wrap(if operation == "add" {
            a.wrapping_add(b)
        } else {
            a.wrapping_mul(b)
        })
    }
}

/// `o0 = a + b`, `o1 = a * b`, `o2 = a + s`, `o3 = a * s`, `o4 = s` and `o5 = (a + b) * s`,
/// where s is the first element of b.
fn check(t: Type, rows: usize, columns: usize) {
    let shape = format!("{rows}x{columns}x{}", t.name());
    let (tile, element) = (format!("!pl.tile<{shape}>"), t.name());
    let memory = format!("memref<{shape}>");
    let store =
        |value: &str, to: &str| format!("  pl.store %{value}, %{to}[0, 0] : {tile}, {memory}\n");
    let body = [
        format!("  %s = pl.read %b[0, 0] : {memory}\n"),
        format!("  %ta = pl.load %a[0, 0] : {memory} -> {tile}\n"),
        format!("  %tb = pl.load %b[0, 0] : {memory} -> {tile}\n"),
        format!("  %t0 = pl.add %ta, %tb : {tile}\n"),
        format!("  %t1 = pl.mul %ta, %tb : {tile}\n"),
        format!("  %t2 = pl.adds %ta, %s : {tile}, {element}\n"),
        format!("  %t3 = pl.muls %ta, %s : {tile}, {element}\n"),
        format!("  %t4 = pl.full %s : {tile}\n"),
        format!("  %t5 = pl.mul %t0, %t4 : {tile}\n"),
        (0..6)
            .map(|i| store(&format!("t{i}"), &format!("o{i}")))
            .collect(),
    ]
    .concat();
    let outputs: Vec<_> = (0..6).map(|i| format!("o{i}")).collect();
    let mut parameters = vec![("a", shape.as_str(), "in"), ("b", shape.as_str(), "in")];
    parameters.extend(
        outputs
            .iter()
            .map(|name| (name.as_str(), shape.as_str(), "out")),
    );
    let code = compiled(&kernel(&parameters, &body), CompileOptions::default());

    let count = rows * columns;
    let mut random = Random::new(count as u64);
    let mut inputs = || -> Vec<u64> { (0..count).map(|_| t.random(&mut random)).collect() };
    let (a, b) = (inputs(), inputs());
    let mut arrays = vec![t.encode(&a), t.encode(&b)];
    arrays.extend((0..6).map(|_| vec![0; count * t.bytes()]));
    assert_fine(&run_main(&code, 1, &mut arrays));

    let s = b[0];
    let map = |f: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
        a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect()
    };
    let expected = [
        map(&|a, b| reference("add", t, a, b)),
        map(&|a, b| reference("mul", t, a, b)),
        map(&|a, _| reference("add", t, a, s)),
        map(&|a, _| reference("mul", t, a, s)),
        map(&|_, _| s),
        map(&|a, b| reference("mul", t, reference("add", t, a, b), s)),
    ];
    for (index, expected) in expected.iter().enumerate() {
        let found = t.decode(&arrays[index + 2]);
        assert_same(t, &found, expected, &format!("o{index} of {shape}"));
    }
}

/// Every operation of the table, on sizes below, at and above a strip.
#[test]
fn operations_equal_the_reference_bit_for_bit() {
    for t in Type::NUMBERS {
        for columns in [1, 7, 16, 29, 64] {
            for rows in [1, 8] {
                check(t, rows, columns);
            }
        }
    }
}
