//! Control flow and scalar arithmetic, with scalars and tiles carried.

use super::harness::{Array, check_against_cpu};
use crate::cpu::{
    harness::kernel,
    values::{Random, Type},
};

/// Runs a kernel on `%k` (numbers 0 to 7) and `%x` (random), both ways.
fn check(outputs: &[(&str, &str)], body: &str) {
    let mut parameters = vec![("k", "1x8xi32", "in"), ("x", "4x16xf32", "in")];
    parameters.extend(outputs.iter().map(|(name, r#type)| (*name, *r#type, "out")));
    let text = kernel(&parameters, body);
    let mut random = Random::new(11);
    let arrays = parameters
        .iter()
        .enumerate()
        .map(|(index, (_, spelling, direction))| {
            let (extents, element) = spelling.rsplit_once('x').expect("a type");
            let r#type = Type::ALL
                .into_iter()
                .find(|t| t.name() == element)
                .expect("a type");
            let mut shape = vec![1];
            shape.extend(
                extents
                    .split('x')
                    .map(|extent| extent.parse::<usize>().expect("a number")),
            );
            let count = shape.iter().product::<usize>() as u64;
            let codes: Vec<_> = (0..count)
                .map(|k| match index {
                    0 => k,
                    1 => r#type.nearest(random.below(64) as f32),
                    _ => 0,
                })
                .collect();
            let make = if *direction == "in" {
                Array::input
            } else {
                Array::output
            };
            make(r#type, &shape, r#type.encode(&codes))
        });
    check_against_cpu(&text, 1, arrays.collect());
}

const PROLOGUE: &str = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
    %c2 = arith.constant 2 : index\n  %c4 = arith.constant 4 : index\n  %c5 = arith.constant 5 : index\n  \
    %k3 = pl.read %k[0, 3] : memref<1x8xi32>\n  %three = arith.index_cast %k3 : i32 to index\n  \
    %k0 = pl.read %k[0, 0] : memref<1x8xi32>\n  %zero = arith.index_cast %k0 : i32 to index\n";

/// Loops that carry tiles, swapped, and scalars; loops of no round; what a branch yields.
#[test]
fn carried_tiles() {
    let body = format!(
        "{PROLOGUE}  %a = pl.load %x[0, 0] : memref<4x16xf32> -> !t\n  %b = pl.load %x[2, 0] : memref<4x16xf32> -> !t\n  \
         %l:3 = scf.for %i = %c0 to %three step %c1 iter_args(%p = %a, %q = %b, %s = %c0) -> (!t, !t, index) {{\n    \
           %sum = pl.add %p, %q : !t\n    %n = arith.addi %s, %i : index\n    \
           %odd = arith.remsi %i, %c2 : index\n    %is = arith.cmpi eq, %odd, %c0 : index\n    \
           %m = scf.if %is -> (!t) {{\n      %d = pl.mul %sum, %q : !t\n      scf.yield %d : !t\n    }} else {{\n      \
             scf.yield %q : !t\n    }}\n    scf.yield %m, %p, %n : !t, !t, index\n  }}\n  \
         pl.store %l#0, %y[0, 0] : !t, memref<4x16xf32>\n  pl.store %l#1, %y[2, 0] : !t, memref<4x16xf32>\n  \
         %none:2 = scf.for %i = %c0 to %zero step %c1 iter_args(%p = %l#0, %q = %a) -> (!t, !t) {{\n    \
           scf.yield %q, %p : !t, !t\n  }}\n  \
         pl.store %none#0, %z[0, 0] : !t, memref<4x16xf32>\n  pl.store %none#1, %z[2, 0] : !t, memref<4x16xf32>\n  \
         %v = arith.index_cast %l#2 : index to i32\n  pl.write %v, %w[0, 0] : memref<1x8xi32>"
    )
    .replace("!t", "!pl.tile<2x16xf32>");
    check(
        &[("y", "4x16xf32"), ("z", "4x16xf32"), ("w", "1x8xi32")],
        &body,
    );
}

/// `scf.while` with tiles and scalars, and `scf.index_switch`.
#[test]
fn while_and_switch() {
    let body = format!(
        "{PROLOGUE}  %a = pl.load %x[0, 0] : memref<4x16xf32> -> !t\n  \
         %r:2 = scf.while (%i = %c0, %t = %a) : (index, !t) -> (index, !t) {{\n    \
           %u = pl.add %t, %a : !t\n    %go = arith.cmpi slt, %i, %three : index\n    \
           scf.condition(%go) %i, %u : index, !t\n  }} do {{\n  ^bb0(%i: index, %t: !t):\n    \
           %n = arith.addi %i, %c1 : index\n    %d = pl.mul %t, %a : !t\n    scf.yield %n, %d : index, !t\n  }}\n  \
         pl.store %r#1, %y[0, 0] : !t, memref<4x16xf32>\n  \
         scf.for %i = %c0 to %c5 step %c1 {{\n    \
           %s = scf.index_switch %i -> i32\n    case 0 {{\n      %v = arith.constant 10 : i32\n      scf.yield %v : i32\n    }}\n    \
           case 3 {{\n      scf.yield %k3 : i32\n    }}\n    default {{\n      %v = arith.index_cast %i : index to i32\n      \
           %m = arith.muli %v, %v : i32\n      scf.yield %m : i32\n    }}\n    pl.write %s, %w[0, %i] : memref<1x8xi32>\n  }}\n  \
         %w0 = arith.index_cast %r#0 : index to i32\n  pl.write %w0, %w[0, 7] : memref<1x8xi32>"
    )
    .replace("!t", "!pl.tile<2x16xf32>");
    check(&[("y", "4x16xf32"), ("w", "1x8xi32")], &body);
}

/// Integer arithmetic: signed division and remainder of negatives, wrapping, shifts, widths.
#[test]
fn scalars() {
    let mut code: Vec<String> = Vec::new();
    let operations = [
        "addi",
        "subi",
        "muli",
        "divsi",
        "remsi",
        "divui",
        "remui",
        "floordivsi",
        "ceildivsi",
        "andi",
        "ori",
        "xori",
        "maxsi",
        "minsi",
        "shli",
        "shrsi",
        "shrui",
    ];
    for op in operations {
        let wraps = op == "muli" || op == "addi";
        let (wide, narrow) = if wraps {
            ("%huge", "%big")
        } else {
            ("%w7", "%neg")
        };
        code.push(format!("%v# = arith.{op} {wide}, %w3 : i64"));
        code.push(format!(
            "%n# = arith.{op} {narrow}, %k3 : i32\n  %v# = arith.extsi %n# : i32 to i64"
        ));
    }
    for predicate in [
        "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
    ] {
        code.push(format!(
            "%n# = arith.cmpi {predicate}, %neg, %k3 : i32\n  %v# = arith.extui %n# : i1 to i64"
        ));
    }
    let more = [
        "%n# = arith.muli %m8, %small : i8\n  %v# = arith.extui %n# : i8 to i64",
        "%n# = arith.addi %m8, %m8 : i8\n  %v# = arith.extsi %n# : i8 to i64",
        "%n# = arith.remsi %lo, %k3 : i32\n  %v# = arith.extsi %n# : i32 to i64",
        "%n# = arith.cmpi slt, %neg, %k3 : i32\n  %v# = arith.extsi %n# : i1 to i64",
        "%n# = arith.cmpi slt, %neg, %k3 : i32\n  %v# = arith.select %n#, %w7, %w3 : i64",
        "%n# = arith.subi %zero, %c5 : index\n  %m# = arith.remsi %n#, %three : index\n  \
         %v# = arith.index_cast %m# : index to i64",
    ];
    code.extend(more.map(String::from));
    let mut body = format!(
        "{PROLOGUE}  %big = arith.constant 2147483647 : i32\n  %neg = arith.constant -7 : i32\n  \
         %lo = arith.subi %k0, %k3 : i32\n  %small = arith.trunci %k3 : i32 to i8\n  \
         %m8 = arith.constant -128 : i8\n  %w7 = arith.extsi %neg : i32 to i64\n  \
         %w3 = arith.extsi %k3 : i32 to i64\n  %huge = arith.constant 4611686018427387905 : i64\n"
    );
    for (number, code) in code.iter().enumerate() {
        let code = code.replace('#', &number.to_string());
        body += &format!("  {code}\n  pl.write %v{number}, %y[0, {number}] : memref<1x64xi64>\n");
    }
    check(&[("y", "1x64xi64")], &body);
}
