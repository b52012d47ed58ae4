//! Parts and arrangements of tiles of each element type, against the CPU lowering.

use super::tiles::{Shape, Tiles};
use crate::cpu::values::{Random, Type};

/// All but masks, which have a test of their own.
const TYPES: [Type; 7] = Type::NUMBERS;

/// Elements of a block.
fn block(t: Type) -> usize {
    32 / t.bytes()
}

/// Parts that begin with a block, and inserted ones that end with one or with the row.
#[test]
fn slices() {
    let mut random = Random::new(31);
    let mut case = Tiles::default();
    for t in TYPES {
        let b = block(t);
        let whole = Shape(t, 5, 3 * b + 2);
        let a = case.any(whole, &mut random);
        for (part, row, column) in [
            (Shape(t, 2, b + 1), 3, b),
            (Shape(t, 5, b), 0, 2 * b),
            (Shape(t, 1, 3 * b + 2), 4, 0),
        ] {
            let text = format!(
                "extract_slice {a}[{row}, {column}] : {} -> {}",
                whole.tile(),
                part.tile()
            );
            case.result(&text, part);
        }
        for (part, row, column) in [
            (Shape(t, 2, b), 1, b),
            (Shape(t, 5, b + 2), 0, 2 * b),
            (Shape(t, 1, 3 * b + 2), 4, 0),
        ] {
            let s = case.any(part, &mut random);
            let text = format!(
                "insert_slice {s} into {a}[{row}, {column}] : {} into {}",
                part.tile(),
                whole.tile()
            );
            case.result(&text, whole);
        }
    }
    case.check();
}

/// A part at a row that is known at run time only.
#[test]
fn a_slice_at_a_dynamic_row() {
    let mut random = Random::new(32);
    let mut case = Tiles::default();
    let (whole, part) = (Shape(Type::F16, 6, 20), Shape(Type::F16, 2, 20));
    let a = case.any(whole, &mut random);
    case.input(Shape(Type::I32, 1, 1), || 3);
    case.line("%k = pl.read %in1[0, 0] : memref<1x1xi32>");
    case.line("%i = arith.index_cast %k : i32 to index");
    let text = format!(
        "extract_slice {a}[%i, 0] : {} -> {}",
        whole.tile(),
        part.tile()
    );
    let cut = case.result(&text, part);
    let text = format!(
        "insert_slice {cut} into {a}[%i, 0] : {} into {}",
        part.tile(),
        whole.tile()
    );
    case.result(&text, whole);
    case.check();
}

/// Side by side and one below the other; other shapes.
#[test]
fn concatenations_and_shapes() {
    let mut random = Random::new(33);
    let mut case = Tiles::default();
    for t in TYPES {
        let b = block(t);
        for (left, right, dim, result) in [
            (
                Shape(t, 3, 2 * b),
                Shape(t, 3, b + 1),
                1,
                Shape(t, 3, 3 * b + 1),
            ),
            (
                Shape(t, 2, b + 3),
                Shape(t, 3, b + 3),
                0,
                Shape(t, 5, b + 3),
            ),
        ] {
            let (x, y) = (case.any(left, &mut random), case.any(right, &mut random));
            let types = format!("{}, {} -> {}", left.tile(), right.tile(), result.tile());
            case.result(&format!("concat {x}, {y} dim {dim} : {types}"), result);
        }
        let (source, result) = (Shape(t, 4, 3 * b), Shape(t, 6, 2 * b));
        let a = case.any(source, &mut random);
        case.result(
            &format!("reshape {a} : {} -> {}", source.tile(), result.tile()),
            result,
        );
    }
    case.check();
}

/// Rows become columns, with and without whole blocks.
#[test]
fn transpositions() {
    let mut random = Random::new(34);
    let mut case = Tiles::default();
    for t in TYPES {
        for (rows, cols) in [(1, 1), (1, 9), (5, 33), (16, 16)] {
            let (source, result) = (Shape(t, rows, cols), Shape(t, cols, rows));
            let a = case.any(source, &mut random);
            if rows * cols > 1 {
                let text = format!("transpose {a} : {} -> {}", source.tile(), result.tile());
                case.result(&text, result);
            }
        }
    }
    case.check();
}

/// Rows by an index, some of them more than once; and numbers along rows.
#[test]
fn gathered_rows_and_counts() {
    let mut random = Random::new(35);
    let mut case = Tiles::default();
    for t in TYPES {
        let (source, index) = (Shape(t, 5, 21), Shape(Type::I32, 7, 1));
        let result = Shape(t, 7, 21);
        let a = case.any(source, &mut random);
        let i = case.input(index, || random.below(5));
        let types = format!("{}, {} -> {}", source.tile(), index.tile(), result.tile());
        case.result(&format!("gather {a}, {i} : {types}"), result);
    }
    for t in [Type::I8, Type::I16, Type::I32, Type::I64] {
        for (rows, cols) in [(1, 1), (1, 40), (6, 21)] {
            let shape = Shape(t, rows, cols);
            case.result(&format!("iota : {}", shape.tile()), shape);
        }
    }
    case.check();
}

/// Masks from memory and to it: bytes of 0 and 1.
#[test]
fn masks_in_memory() {
    let mut random = Random::new(37);
    let mut case = Tiles::default();
    let (mask, numbers) = (Shape(Type::I1, 5, 37), Shape(Type::F32, 5, 37));
    let (m, n) = (case.any(mask, &mut random), case.any(mask, &mut random));
    let (a, b) = (
        case.any(numbers, &mut random),
        case.any(numbers, &mut random),
    );
    let both = case.result(&format!("and {m}, {n} : {}", mask.tile()), mask);
    case.result(&format!("not {both} : {}", mask.tile()), mask);
    let types = format!("{}, {}", mask.tile(), numbers.tile());
    case.result(&format!("select {both}, {a}, {b} : {types}"), numbers);
    case.check();
}
