//! Reductions and broadcasts of each element type that has a form, against the CPU lowering.

use super::{
    harness::{Schedule, built, on_cpu},
    tiles::{Shape, Tiles},
};
use crate::cpu::values::{Random, Type};

/// Types that the target computes in one form or another.
const COMPUTED: [Type; 6] = [
    Type::F32,
    Type::F16,
    Type::BF16,
    Type::I8,
    Type::I16,
    Type::I32,
];

/// Shapes within a block, with and without a rest of one, and of single rows and columns.
const SIZES: [(usize, usize); 5] = [(1, 1), (5, 1), (4, 3), (3, 40), (8, 29)];

/// The four reductions of rows and of columns.
#[test]
fn reductions() {
    let mut random = Random::new(21);
    for types in COMPUTED.chunks(3) {
        let mut case = Tiles::default();
        for &t in types {
            for (rows, cols) in SIZES {
                let source = Shape(t, rows, cols);
                let a = case.small(source, &mut random);
                for op in ["sum", "max", "min", "prod"] {
                    for (dim, result) in [("row", Shape(t, rows, 1)), ("col", Shape(t, 1, cols))] {
                        let text =
                            format!("{dim}_{op} {a} : {} -> {}", source.tile(), result.tile());
                        case.result(&text, result);
                    }
                }
            }
        }
        case.check();
    }
}

/// Rows of more repeats than the scratch in a result's block is for, more rows than one
/// instruction has repeats, and rows too long to step over.
#[test]
fn reductions_of_large_tiles() {
    let mut random = Random::new(22);
    for (t, rows, cols) in [
        (Type::F32, 2, 700),
        (Type::I32, 300, 17),
        (Type::I32, 2, 2100),
        (Type::I16, 3, 100),
    ] {
        let mut case = Tiles::default();
        let source = Shape(t, rows, cols);
        let a = case.small(source, &mut random);
        for op in ["sum", "max"] {
            let result = Shape(t, rows, 1);
            case.result(
                &format!("row_{op} {a} : {} -> {}", source.tile(), result.tile()),
                result,
            );
        }
        case.check();
    }
}

/// Maxima and minima of any bits, NaN among them.
#[test]
fn extremes_of_any_floats() {
    let mut random = Random::new(23);
    let mut case = Tiles::default();
    for t in [Type::F32, Type::F16, Type::BF16] {
        for cols in [3, 70] {
            let source = Shape(t, 6, cols);
            let any = case.any(source, &mut random);
            for op in ["max", "min"] {
                for (dim, result) in [("row", Shape(t, 6, 1)), ("col", Shape(t, 1, cols))] {
                    let types = format!("{} -> {}", source.tile(), result.tile());
                    case.result(&format!("{dim}_{op} {any} : {types}"), result);
                }
            }
        }
    }
    case.check();
}

/// Sums of fractions: the target adds in another order, so that each result is off by a few
/// roundings of the largest partial sum at most; a column is summed in the same order.
#[test]
fn sums_of_fractions() {
    let mut random = Random::new(24);
    let (rows, cols) = (7, 150);
    let mut case = Tiles::default();
    let source = Shape(Type::F32, rows, cols);
    let a = case.input(source, || {
        u64::from(((random.below(1 << 20) as f32 - 524_288.0) / 524_288.0).to_bits())
    });
    let column = Shape(Type::F32, rows, 1);
    let row = Shape(Type::F32, 1, cols);
    case.result(
        &format!("row_sum {a} : {} -> {}", source.tile(), column.tile()),
        column,
    );
    case.result(
        &format!("col_sum {a} : {} -> {}", source.tile(), row.tile()),
        row,
    );
    let (text, arrays) = case.program();
    let expected = on_cpu(&text, 1, &arrays);
    let found = built(&text, "main").run(1, &arrays, Schedule::SOME[1]);
    let numbers = |bytes: &[u8]| -> Vec<f64> {
        let codes = Type::F32.decode(bytes);
        codes
            .into_iter()
            .map(|code| Type::F32.float(code))
            .collect()
    };
    for (found, expected) in numbers(&found[0]).iter().zip(numbers(&expected[0])) {
        let bound = cols as f64 * f64::from(f32::EPSILON);
        assert!((found - expected).abs() <= bound, "{found} {expected}");
    }
    assert_eq!(found[1], expected[1]);
}

/// A column along rows and a row along columns, alone and combined.
#[test]
fn broadcasts() {
    let mut random = Random::new(25);
    for types in COMPUTED.chunks(2) {
        let mut case = Tiles::default();
        for &t in types {
            for (rows, cols) in [(1, 1), (5, 1), (6, 29)] {
                let whole = Shape(t, rows, cols);
                let a = case.any(whole, &mut random);
                for (dim, part) in [("row", Shape(t, rows, 1)), ("col", Shape(t, 1, cols))] {
                    let v = case.any(part, &mut random);
                    let small = case.small(part, &mut random);
                    if part.1 != rows || part.2 != cols {
                        let text =
                            format!("{dim}_expand {v} : {} -> {}", part.tile(), whole.tile());
                        case.result(&text, whole);
                    }
                    for op in ["add", "sub", "mul", "div", "max", "min"] {
                        if op == "div" && t == Type::I32 {
                            continue;
                        }
                        for v in [&v, &small] {
                            let text = format!(
                                "{dim}_expand_{op} {a}, {v} : {}, {}",
                                whole.tile(),
                                part.tile()
                            );
                            case.result(&text, whole);
                        }
                    }
                }
            }
        }
        case.check();
    }
}

/// What the scalar unit reads may be made anew at once: a column that a loop carries.
#[test]
fn a_column_in_a_loop() {
    let mut random = Random::new(26);
    let mut case = Tiles::default();
    let (whole, column) = (Shape(Type::F32, 4, 20), Shape(Type::F32, 4, 1));
    let a = case.small(whole, &mut random);
    let (tile, part) = (whole.tile(), column.tile());
    case.line(&format!("%first = pl.row_max {a} : {tile} -> {part}"));
    case.line("%c0 = arith.constant 0 : index");
    case.line("%c1 = arith.constant 1 : index");
    case.line("%c3 = arith.constant 3 : index");
    case.line(&format!(
        "%all:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = {a}, %m = %first) -> ({tile}, {part}) {{"
    ));
    case.line(&format!("%y = pl.row_expand_add %x, %m : {tile}, {part}"));
    case.line(&format!("%n = pl.row_sum %y : {tile} -> {part}"));
    case.line(&format!("scf.yield %y, %n : {tile}, {part}"));
    case.line("}");
    case.result(
        &format!("row_expand_max %all#0, %all#1 : {tile}, {part}"),
        whole,
    );
    case.check();
}
