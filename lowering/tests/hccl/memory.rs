//! Loads, stores, reads and writes: parts, padding, run-time offsets and extents, arrays of
//! rank 1 to 3, tiles of more rows than one DMA has pieces.

use super::harness::{Array, check_against_cpu};
use crate::cpu::{
    harness::kernel,
    values::{Random, Type},
};

/// Runs a kernel both ways; types are `EXTENTSxELEMENT`.
fn check(parameters: &[(&str, &str, &str)], body: &str) {
    let world = 2;
    let text = kernel(parameters, body);
    let mut random = Random::new(5);
    let mut arrays = Vec::new();
    for (_, spelling, direction) in parameters {
        let (extents, element) = spelling
            .rsplit_once('x')
            .expect("extents and an element type");
        let r#type = Type::ALL
            .into_iter()
            .find(|t| t.name() == element)
            .expect("a type");
        let mut shape = vec![world];
        shape.extend(
            extents
                .split('x')
                .map(|extent| extent.parse::<usize>().expect("a number")),
        );
        let count = shape.iter().product::<usize>();
        let codes: Vec<_> = (0..count)
            .map(|_| match *direction {
                "in" => r#type.random(&mut random),
                _ => 0,
            })
            .collect();
        let make = if *direction == "in" {
            Array::input
        } else {
            Array::output
        };
        arrays.push(make(r#type, &shape, r#type.encode(&codes)));
    }
    check_against_cpu(&text, world, arrays);
}

/// Parts of tiles at run-time sizes, 0 included, with pads of every type.
#[test]
fn valid_and_pad() {
    let mut parameters: Vec<(String, String, &str)> = vec![("k".into(), "1x4xi32".into(), "in")];
    let mut body = String::from(
        "  %c0 = arith.constant 0 : index\n  %z = pl.read %k[0, 0] : memref<1x4xi32>\n  \
         %zero = arith.subi %z, %z : i32\n  %none = arith.index_cast %zero : i32 to index\n  \
         %c3 = arith.constant 3 : index\n  %some = arith.addi %none, %c3 : index\n  \
         %c17 = arith.constant 17 : index\n  %most = arith.addi %none, %c17 : index\n",
    );
    for t in ["f32", "f16", "bf16", "i8", "i16", "i32"] {
        let pad = if t.contains('f') { "1.5" } else { "-5" };
        body += &format!("  %pad_{t} = arith.constant {pad} : {t}\n");
        for (index, valid) in [
            "[3, 17]",
            "[%some, %most]",
            "[%none, %some]",
            "[8, 19]",
            "[8, 3]",
        ]
        .iter()
        .enumerate()
        {
            let padding = if index % 2 == 0 {
                format!(" pad(%pad_{t} : {t})")
            } else {
                String::new()
            };
            body += &format!(
                "  %t_{t}{index} = pl.load %x_{t}[1, %some] valid {valid}{padding} : memref<9x24x{t}> -> !pl.tile<8x20x{t}>\n  \
                 pl.store %t_{t}{index}, %y_{t}{index}[0, 0] : !pl.tile<8x20x{t}>, memref<8x20x{t}>\n  \
                 pl.store %t_{t}{index}, %z_{t}{index}[%some, 1] valid [2, %some] : !pl.tile<8x20x{t}>, memref<9x24x{t}>\n"
            );
            parameters.push((format!("y_{t}{index}"), format!("8x20x{t}"), "out"));
            parameters.push((format!("z_{t}{index}"), format!("9x24x{t}"), "out"));
        }
        parameters.push((format!("x_{t}"), format!("9x24x{t}"), "in"));
    }
    let parameters: Vec<_> = parameters
        .iter()
        .map(|(a, b, c)| (a.as_str(), b.as_str(), *c))
        .collect();
    check(&parameters, &body);
}

/// An i64 tile pads with 0 only; leading dims count 1; an array of rank 1 is one row.
#[test]
fn ranks_and_wide_types() {
    check(
        &[
            ("a", "40xi64", "in"),
            ("b", "3x5x8xf32", "in"),
            ("y", "2x8xi64", "out"),
            ("z", "6xi64", "out"),
            ("w", "2x2x4x8xf32", "out"),
        ],
        "  %p = pl.load %a[9] valid [1, 5] : memref<40xi64> -> !pl.tile<2x8xi64>\n  \
           pl.store %p, %y[0, 0] : !pl.tile<2x8xi64>, memref<2x8xi64>\n  \
           %q = pl.load %a[3] : memref<40xi64> -> !pl.tile<1x6xi64>\n  \
           pl.store %q, %z[0] : !pl.tile<1x6xi64>, memref<6xi64>\n  \
           %r = pl.load %b[2, 1, 0] : memref<3x5x8xf32> -> !pl.tile<4x8xf32>\n  \
           pl.store %r, %w[1, 0, 0, 0] : !pl.tile<4x8xf32>, memref<2x2x4x8xf32>",
    );
}

/// More rows than a DMA has pieces: it is cut.
#[test]
fn many_rows() {
    check(
        &[
            ("x", "4500x3xi8", "in"),
            ("y", "4500x3xi8", "out"),
            ("z", "4500x3xi8", "out"),
        ],
        "  %c0 = arith.constant 0 : index\n  %c4400 = arith.constant 4400 : index\n  \
         %r = arith.addi %c0, %c4400 : index\n  \
         %t = pl.load %x[0, 0] valid [%r, 3] : memref<4500x3xi8> -> !pl.tile<4500x3xi8>\n  \
         pl.store %t, %y[0, 0] : !pl.tile<4500x3xi8>, memref<4500x3xi8>\n  \
         pl.store %t, %z[0, 0] valid [%r, 3] : !pl.tile<4500x3xi8>, memref<4500x3xi8>",
    );
}

/// Scalars of every type, from and to places known at run time.
#[test]
fn reads_and_writes() {
    let types = ["f32", "f16", "bf16", "i8", "i16", "i32", "i64"];
    let parameters: Vec<_> = types
        .iter()
        .flat_map(|t| {
            [
                (format!("x_{t}"), format!("3x4x{t}"), "in"),
                (format!("y_{t}"), format!("4x3x{t}"), "out"),
            ]
        })
        .collect();
    let parameters: Vec<_> = parameters
        .iter()
        .map(|(a, b, c)| (a.as_str(), b.as_str(), *c))
        .collect();
    let mut body = String::from(
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n  \
           %c4 = arith.constant 4 : index\n  scf.for %i = %c0 to %c3 step %c1 {\n  scf.for %j = %c0 to %c4 step %c1 {\n",
    );
    for t in types {
        body += &format!(
            "    %v_{t} = pl.read %x_{t}[%i, %j] : memref<3x4x{t}>\n    \
                 pl.write %v_{t}, %y_{t}[%j, %i] : memref<4x3x{t}>\n"
        );
    }
    body += "  }\n  }";
    check(&parameters, &body);
}
