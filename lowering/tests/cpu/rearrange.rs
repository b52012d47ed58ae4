//! Reductions, broadcasts and shapes against a reference, for all element types and for sizes
//! with and without whole strips and rests.

use super::{
    harness::{assert_fine, compiled, kernel, run_main},
    values::{Random, Type, assert_same},
};
use pld_lowering::cpu::CompileOptions;

const SIZES: [(usize, usize); 4] = [(1, 1), (5, 1), (3, 40), (8, 29)];

/// A tile: its shape and its elements by row.
#[derive(Clone)]
struct Tile {
    rows: usize,
    columns: usize,
    codes: Vec<u64>,
}

impl Tile {
    fn new(rows: usize, columns: usize, code: impl Fn(usize, usize) -> u64) -> Self {
        let code = &code;
        let codes = (0..rows).flat_map(|row| (0..columns).map(move |column| code(row, column)));
        Self {
            rows,
            columns,
            codes: codes.collect(),
        }
    }

    /// Numbers that are added and multiplied without rounding while there are few: results
    /// do not depend on the order, which another test pins down.
    fn small(t: Type, rows: usize, columns: usize, random: &mut Random) -> Self {
        let numbers = [1.0, -1.0, 1.0, 0.0, 2.0, -1.0];
        let mut tile = Self::new(rows, columns, |_, _| 0);
        for code in &mut tile.codes {
            let number = numbers[random.below(6) as usize];
            *code = if t.is_float() {
                t.nearest(number)
            } else {
                t.wrap(number as i64)
            };
        }
        tile
    }

    fn at(&self, row: usize, column: usize) -> u64 {
        self.codes[row * self.columns + column]
    }

    fn shape(&self, t: Type) -> String {
        format!("{}x{}x{}", self.rows, self.columns, t.name())
    }
}

/// Runs `%r = pl.OPERATION`, where `%a`, `%b` and so on are the inputs and `T0`, `T1`, ... and
/// `R` stand for the types, and compares the result.
fn check(operation: &str, inputs: &[(Type, &Tile)], (t, expected): (Type, &Tile)) {
    let mut text = operation.to_owned();
    let mut body = String::new();
    let shapes: Vec<_> = inputs.iter().map(|(t, tile)| tile.shape(*t)).collect();
    for (index, shape) in shapes.iter().enumerate() {
        let name = char::from(b'a' + index as u8);
        text = text.replace(&format!("T{index}"), &format!("!pl.tile<{shape}>"));
        body += &format!(
            "  %{name} = pl.load %m{index}[0, 0] : memref<{shape}> -> !pl.tile<{shape}>\n"
        );
    }
    let shape = expected.shape(t);
    text = text.replace('R', &format!("!pl.tile<{shape}>"));
    body += &format!("  %r = pl.{text}\n");
    body += &format!("  pl.store %r, %out[0, 0] : !pl.tile<{shape}>, memref<{shape}>\n");
    let names: Vec<_> = (0..inputs.len()).map(|index| format!("m{index}")).collect();
    let mut parameters: Vec<_> = names
        .iter()
        .zip(&shapes)
        .map(|(name, shape)| (name.as_str(), shape.as_str(), "in"))
        .collect();
    parameters.push(("out", &shape, "out"));
    let code = compiled(&kernel(&parameters, &body), CompileOptions::default());
    let mut arrays: Vec<_> = inputs
        .iter()
        .map(|(t, tile)| t.encode(&tile.codes))
        .collect();
    arrays.push(vec![0xAA; expected.codes.len() * t.bytes()]);
    assert_fine(&run_main(&code, 1, &mut arrays));
    let found = t.decode(&arrays[inputs.len()]);
    assert_same(t, &found, &expected.codes, &text);
}

fn combine(operation: &str, t: Type, a: u64, b: u64) -> u64 {
    if t.is_float() {
        let (a, b) = (t.float(a) as f32, t.float(b) as f32);
        return t.nearest(match operation {
            "sum" | "add" => a + b,
            "sub" => a - b,
            "prod" | "mul" => a * b,
            "div" => a / b,
            "max" => a.max(b),
            _ => a.min(b),
        });
    }
    let (a, b) = (t.int(a), t.int(b));
    t.wrap(match operation {
        "sum" | "add" => a.wrapping_add(b),
        "sub" => a.wrapping_sub(b),
        "prod" | "mul" => a.wrapping_mul(b),
        "div" if b == 0 => 0,
        "div" => a.wrapping_div(b),
        "max" => a.max(b),
        _ => a.min(b),
    })
}

/// All four reductions of rows and of columns.
#[test]
fn reductions() {
    let mut random = Random::new(3);
    for t in Type::NUMBERS {
        for (rows, columns) in SIZES {
            let a = Tile::small(t, rows, columns, &mut random);
            for operation in ["sum", "max", "min", "prod"] {
                let fold = |codes: &mut dyn Iterator<Item = u64>| {
                    codes
                        .reduce(|a, b| combine(operation, t, a, b))
                        .expect("an element")
                };
                let by_row = Tile::new(rows, 1, |row, _| {
                    fold(&mut (0..columns).map(|c| a.at(row, c)))
                });
                check(
                    &format!("row_{operation} %a : T0 -> R"),
                    &[(t, &a)],
                    (t, &by_row),
                );
                let by_column = Tile::new(1, columns, |_, c| {
                    fold(&mut (0..rows).map(|row| a.at(row, c)))
                });
                check(
                    &format!("col_{operation} %a : T0 -> R"),
                    &[(t, &a)],
                    (t, &by_column),
                );
            }
        }
    }
}

/// A row is summed strip by strip in four accumulators of 16 lanes, which are added in pairs,
/// then in halves; in f32, and rounded once.
#[test]
fn order_of_a_sum() {
    let mut random = Random::new(5);
    for (t, columns) in [Type::F32, Type::F16]
        .into_iter()
        .flat_map(|t| [13, 16, 30, 45, 64, 77, 139, 208].map(|columns| (t, columns)))
    {
        let mut a = Tile::new(1, columns, |_, _| 0);
        for code in &mut a.codes {
            *code = t.nearest(random.next() as i32 as f32 / (1u32 << 30) as f32);
        }
        let mut sums = [[-0.0f32; 16]; 4];
        for (index, &code) in a.codes.iter().enumerate() {
            sums[index / 16 % 4][index % 16] += t.float(code) as f32;
        }
        let [a0, a1, a2, a3] = sums;
        let mut lanes: Vec<_> = (0..16)
            .map(|lane| (a0[lane] + a1[lane]) + (a2[lane] + a3[lane]))
            .collect();
        for half in [8, 4, 2, 1] {
            for lane in 0..half {
                lanes[lane] += lanes[lane + half];
            }
        }
        let sum = Tile::new(1, 1, |_, _| t.nearest(lanes[0]));
        check("row_sum %a : T0 -> R", &[(t, &a)], (t, &sum));
    }
}

/// NaN wins a maximum, and the sum of nothing but -0 is -0.
#[test]
fn reductions_of_odd_numbers() {
    let t = Type::F32;
    let row = |numbers: &[f32]| Tile::new(1, numbers.len(), |_, c| t.nearest(numbers[c]));
    let nan = row(&[1.0, f32::NAN, 3.0]);
    for operation in ["max", "min", "sum"] {
        let text = format!("row_{operation} %a : T0 -> R");
        check(&text, &[(t, &nan)], (t, &row(&[f32::NAN])));
    }
    check(
        "row_sum %a : T0 -> R",
        &[(t, &row(&[-0.0; 20]))],
        (t, &row(&[-0.0])),
    );
    let infinite = row(&[f32::NEG_INFINITY; 5]);
    check(
        "row_max %a : T0 -> R",
        &[(t, &infinite)],
        (t, &row(&[f32::NEG_INFINITY])),
    );
}

/// A column along rows and a row along columns, alone and combined.
#[test]
fn broadcasts() {
    let mut random = Random::new(7);
    for t in Type::NUMBERS {
        for (rows, columns) in SIZES {
            let a = Tile::small(t, rows, columns, &mut random);
            let column = Tile::small(t, rows, 1, &mut random);
            let row = Tile::small(t, 1, columns, &mut random);
            let expanded = Tile::new(rows, columns, |r, _| column.at(r, 0));
            check("row_expand %a : T0 -> R", &[(t, &column)], (t, &expanded));
            let expanded = Tile::new(rows, columns, |_, c| row.at(0, c));
            check("col_expand %a : T0 -> R", &[(t, &row)], (t, &expanded));
            for operation in ["add", "sub", "mul", "div", "max", "min"] {
                let by = |b: u64, r, c| combine(operation, t, a.at(r, c), b);
                let of_row = Tile::new(rows, columns, |r, c| by(column.at(r, 0), r, c));
                let text = format!("row_expand_{operation} %a, %b : T0, T1");
                check(&text, &[(t, &a), (t, &column)], (t, &of_row));
                let of_column = Tile::new(rows, columns, |r, c| by(row.at(0, c), r, c));
                let text = format!("col_expand_{operation} %a, %b : T0, T1");
                check(&text, &[(t, &a), (t, &row)], (t, &of_column));
            }
        }
    }
}

/// Every operation that moves elements, of every element type.
#[test]
fn shapes() {
    let mut random = Random::new(9);
    for t in Type::ALL {
        for (rows, columns) in SIZES {
            let mut a = Tile::new(rows, columns, |_, _| 0);
            a.codes
                .iter_mut()
                .for_each(|code| *code = t.random(&mut random));
            let flat = Tile {
                rows: 1,
                columns: rows * columns,
                codes: a.codes.clone(),
            };
            check("reshape %a : T0 -> R", &[(t, &a)], (t, &flat));
            let turned = Tile::new(columns, rows, |r, c| a.at(c, r));
            check("transpose %a : T0 -> R", &[(t, &a)], (t, &turned));
            let twice = Tile::new(2 * rows, columns, |r, c| a.at(r % rows, c));
            check(
                "concat %a, %b dim 0 : T0, T1 -> R",
                &[(t, &a), (t, &a)],
                (t, &twice),
            );
            let twice = Tile::new(rows, 2 * columns, |r, c| a.at(r, c % columns));
            check(
                "concat %a, %b dim 1 : T0, T1 -> R",
                &[(t, &a), (t, &a)],
                (t, &twice),
            );
            let (half, part) = (rows.div_ceil(2), columns.div_ceil(3));
            let (r0, c0) = (rows - half, columns - part);
            let cut = Tile::new(half, part, |r, c| a.at(r0 + r, c0 + c));
            let text = format!("extract_slice %a[{r0}, {c0}] : T0 -> R");
            check(&text, &[(t, &a)], (t, &cut));
            let patch = Tile::new(half, part, |r, c| a.at(r, c));
            let patched = Tile::new(rows, columns, |r, c| {
                if r >= r0 && c >= c0 {
                    patch.at(r - r0, c - c0)
                } else {
                    a.at(r, c)
                }
            });
            let text = format!("insert_slice %a into %b[{r0}, {c0}] : T0 into T1");
            check(&text, &[(t, &patch), (t, &a)], (t, &patched));
            let index = Tile::new(4, 1, |r, _| ((7 * r + 3) % rows) as u64);
            let picked = Tile::new(4, columns, |r, c| a.at(index.at(r, 0) as usize, c));
            let text = "gather %a, %b : T0, T1 -> R";
            check(text, &[(t, &a), (Type::I32, &index)], (t, &picked));
        }
    }
    for t in [Type::I8, Type::I16, Type::I32, Type::I64] {
        for (rows, columns) in SIZES {
            check(
                "iota : R",
                &[],
                (t, &Tile::new(rows, columns, |_, c| c as u64)),
            );
        }
    }
}

/// A dynamic offset out of the tile, and an index out of the source, are found.
#[test]
fn out_of_bounds() {
    let source = "8x16xf32";
    for (body, dim) in [
        (
            "  %t = pl.extract_slice %a[%i, 0] : !pl.tile<8x16xf32> -> !pl.tile<2x16xf32>\n",
            7,
        ),
        (
            "  %h = pl.extract_slice %a[0, 0] : !pl.tile<8x16xf32> -> !pl.tile<2x16xf32>\n\
          \x20 %w = pl.insert_slice %h into %a[%i, 0] : !pl.tile<2x16xf32> into !pl.tile<8x16xf32>\n\
          \x20 %t = pl.extract_slice %w[0, 0] : !pl.tile<8x16xf32> -> !pl.tile<2x16xf32>\n",
            7,
        ),
        (
            "  %x = arith.index_cast %i : index to i32\n  %f = pl.full %x : !pl.tile<2x1xi32>\n\
          \x20 %t = pl.gather %a, %f : !pl.tile<8x16xf32>, !pl.tile<2x1xi32> -> !pl.tile<2x16xf32>\n",
            8,
        ),
    ] {
        for (index, fine) in [(dim - 1, true), (dim, false), (-1i32, false)] {
            let body = format!(
                "  %z = arith.constant 0 : index\n  %k = pl.read %p[0, 0] : memref<1x1xi32>\n\
                 \x20 %i = arith.index_cast %k : i32 to index\n\
                 \x20 %a = pl.load %m[0, 0] : memref<{source}> -> !pl.tile<{source}>\n{body}\
                 \x20 pl.store %t, %out[0, 0] : !pl.tile<2x16xf32>, memref<2x16xf32>\n"
            );
            let parameters = [
                ("m", source, "in"),
                ("p", "1x1xi32", "in"),
                ("out", "2x16xf32", "out"),
            ];
            let code = compiled(&kernel(&parameters, &body), CompileOptions::default());
            let mut arrays = vec![
                vec![0; 8 * 16 * 4],
                index.to_le_bytes().to_vec(),
                vec![0; 2 * 16 * 4],
            ];
            let report = run_main(&code, 1, &mut arrays);
            let codes: Vec<_> = report.findings.iter().map(|finding| finding.code).collect();
            assert_eq!(codes.is_empty(), fine, "{index} in {body}: {codes:?}");
            assert!(codes.iter().all(|code| *code == "pld-401"), "{codes:?}");
        }
    }
}
