//! Random programs of several kernels and ranks: bulk transfers, blocks, matrix products, casts,
//! masks and collectives of the host, one after another on the same data, against the CPU
//! lowering.

use super::harness::{Array, check_against_cpu};
use crate::cpu::{
    harness::bytes,
    values::{Random, Type},
};

/// The data of each rank: `rows` by `cols` small integers as f32, so that all is exact.
#[derive(Clone, Copy)]
struct Shape {
    rows: u64,
    cols: u64,
}

impl Shape {
    fn tile(self) -> String {
        format!("!pl.tile<{}x{}xf32>", self.rows, self.cols)
    }

    fn memref(self) -> String {
        format!("memref<{}x{}xf32>", self.rows, self.cols)
    }

    fn window(self) -> String {
        format!("!pld.dtensor<{}x{}xf32>", self.rows, self.cols)
    }
}

/// What every stage takes: the data, two windows like it, a signal.
fn parameters(shape: Shape) -> [String; 3] {
    let (data, window) = (shape.memref(), shape.window());
    let signal = "!pld.dtensor<?x1xi32>";
    [
        format!("%y: {data} {{pl.inout}}, %w: {window}, %v: {window}, %s: {signal}"),
        "%y, %w, %v, %s".into(),
        format!("{data}, {window}, {window}, {signal}"),
    ]
}

/// A tile of the data, kept small, to where it was.
fn keep(shape: Shape, value: &str) -> String {
    let (tile, data) = (shape.tile(), shape.memref());
    format!(
        "  %low = arith.constant -8.0 : f32
  %high = arith.constant 8.0 : f32
  %above = pl.maxs {value}, %low : {tile}, f32
  %kept = pl.mins %above, %high : {tile}, f32
  pl.store %kept, %y[0, 0] : {tile}, {data}\n"
    )
}

const NEIGHBOURS: &str = "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %s : !pld.dtensor<?x1xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index\n";

const BARRIER: &str = "  pld.barrier %s : !pld.dtensor<?x1xi32>\n";

/// A region moved to or from the next rank by random chunks; its rows may depend on the rank.
fn transfer(shape: Shape, random: &mut Random) -> String {
    let (tile, data, window) = (shape.tile(), shape.memref(), shape.window());
    let cols = 1 + random.below(shape.cols);
    let (from, to) = (
        random.below(shape.cols - cols + 1),
        random.below(shape.cols - cols + 1),
    );
    let extent = if random.below(2) == 0 {
        "%rows".into()
    } else {
        (1 + random.below(shape.rows)).to_string()
    };
    let chunk = format!(
        "{{chunk_rows = {}, chunk_cols = {}{}}}",
        1 + random.below(4),
        1 + random.below(40),
        if random.below(2) == 0 {
            ", pipeline"
        } else {
            ""
        }
    );
    let moved = if random.below(2) == 0 {
        format!(
            "  pld.put %y[0, {from}], %w[0, {to}] sizes [{extent}, {cols}] to %next {chunk} : {data}, {window}\n{BARRIER}"
        )
    } else {
        format!(
            "  %own = pl.load %y[0, 0] : {data} -> {tile}
  pl.store %own, %v[0, 0] : {tile}, {window}
{BARRIER}  pld.get %v[0, {from}], %w[0, {to}] sizes [{extent}, {cols}] from %next {chunk} : {window}, {window}\n"
        )
    };
    let rows = shape.rows;
    format!(
        "{NEIGHBOURS}{BARRIER}  %limit = arith.constant {rows} : index
  %turn = arith.remsi %me, %limit : index
  %rows = arith.addi %turn, %c1 : index
{moved}  %got = pl.load %w[0, 0] : {window} -> {tile}
  %old = pl.load %y[0, 0] : {data} -> {tile}
  %sum = pl.add %got, %old : {tile}
{}",
        keep(shape, "%sum")
    )
}

/// Casts there and back, a mask, a choice by it, a reduction of rows.
fn arithmetic(shape: Shape, random: &mut Random) -> String {
    let (tile, data) = (shape.tile(), shape.memref());
    let of = |element: &str| format!("!pl.tile<{}x{}x{element}>", shape.rows, shape.cols);
    let narrow = of(["i32", "i16", "f16", "bf16"][random.below(4) as usize]);
    let order = ["eq", "ne", "lt", "le", "gt", "ge"][random.below(6) as usize];
    let reduction = ["row_sum", "row_max", "row_min"][random.below(3) as usize];
    let column = format!("!pl.tile<{}x1xf32>", shape.rows);
    let mask = of("i1");
    format!(
        "  %a = pl.load %y[0, 0] : {data} -> {tile}
  %two = arith.constant 2.0 : f32
  %scaled = pl.muls %a, %two : {tile}, f32
  %narrow = pl.cast rint %scaled : {tile} -> {narrow}
  %twice = pl.sub %narrow, %narrow : {narrow}
  %sum = pl.add %twice, %narrow : {narrow}
  %back = pl.cast none %sum : {narrow} -> {tile}
  %column = pl.{reduction} %a : {tile} -> {column}
  %spread = pl.row_expand_add %back, %column : {tile}, {column}
  %mask = pl.cmp {order}, %a, %spread : {tile} -> {mask}
  %some = pl.select %mask, %spread, %a : {mask}, {tile}
{}",
        keep(shape, "%some")
    )
}

/// A product of the data with itself, by row.
fn product(shape: Shape, _: &mut Random) -> String {
    let (tile, data) = (shape.tile(), shape.memref());
    let rows = shape.rows;
    let (square, column) = (
        format!("!pl.tile<{rows}x{rows}xf32>"),
        format!("!pl.tile<{rows}x1xf32>"),
    );
    format!(
        "  %a = pl.load %y[0, 0] : {data} -> {tile}
  %p = pl.matmul %a, %a transpose_b : {tile}, {tile} -> {square}
  %most = pl.row_min %p : {square} -> {column}
  %spread = pl.row_expand_sub %a, %most : {tile}, {column}
{}",
        keep(shape, "%spread")
    )
}

/// Each block of a launch takes every so many-th row.
fn row_by_row(shape: Shape, _: &mut Random) -> String {
    let row = format!("!pl.tile<1x{}xf32>", shape.cols);
    let (data, rows) = (shape.memref(), shape.rows);
    format!(
        "  %b = pl.block_idx
  %blocks = pl.block_num
  %rows = arith.constant {rows} : index
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  scf.for %i = %b to %rows step %blocks {{
    %t = pl.load %y[%i, 0] : {data} -> {row}
    %u = pl.muls %t, %minus : {row}, f32
    %z = pl.adds %u, %one : {row}, f32
    pl.store %z, %y[%i, 0] : {row}, {data}
  }}\n"
    )
}

/// Part of a program: its functions, and what the host does.
fn stage(shape: Shape, number: usize, kind: u64, random: &mut Random) -> (String, String) {
    let [parameters, names, types] = parameters(shape);
    let (data, window, tile) = (shape.memref(), shape.window(), shape.tile());
    let (rows, cols) = (shape.rows, shape.cols);
    let dispatch = |name: &str| {
        format!(
            "  scf.for %r = %c0 to %n step %c1 {{
    %yr = pl.shard %y[%r] : memref<?x{rows}x{cols}xf32> -> {data}
    pld.dispatch @{name}(%yr, %w, %v, %s) on %r : ({types})
  }}\n"
        )
    };
    let device = |name: &str, body: &str, blocks: Option<u64>| {
        let call = format!("func.call @{name}_core({names}) : ({types}) -> ()");
        let call = match blocks {
            Some(blocks) => {
                format!("%k = arith.constant {blocks} : index\n  pl.spmd %k {{\n    {call}\n  }}")
            }
            None => call,
        };
        format!(
            "func.func @{name}_core({parameters}) attributes {{pl.incore}} {{\n{body}  return\n}}
func.func @{name}({parameters}) attributes {{pl.device}} {{\n  {call}\n  return\n}}\n"
        )
    };
    let name = format!("stage{number}");
    let body = match kind {
        0 => transfer(shape, random),
        1 => arithmetic(shape, random),
        2 => product(shape, random),
        3 => {
            let body = row_by_row(shape, random);
            return (
                device(&name, &body, Some(1 + random.below(3))),
                dispatch(&name),
            );
        }
        _ => {
            // A collective of the host between two kernels.
            let (before, after) = (format!("{name}a"), format!("{name}b"));
            let put = format!(
                "  %a = pl.load %y[0, 0] : {data} -> {tile}\n  pl.store %a, %w[0, 0] : {tile}, {window}\n"
            );
            let get = format!(
                "  %a = pl.load %w[0, 0] : {window} -> {tile}\n{}",
                keep(shape, "%a")
            );
            let op = ["sum", "max", "min"][random.below(3) as usize];
            let functions = device(&before, &put, None) + &device(&after, &get, None);
            let collective =
                format!("  pld.allreduce {op} %w, %s : {window}, !pld.dtensor<?x1xi32>\n");
            return (
                functions,
                dispatch(&before) + &collective + &dispatch(&after),
            );
        }
    };
    (device(&name, &body, None), dispatch(&name))
}

/// A program in which every kind of stage occurs, in random order.
fn program(shape: Shape, random: &mut Random) -> String {
    let mut kinds = vec![0, 0, 1, 2, 3, 4];
    for last in (1..kinds.len()).rev() {
        kinds.swap(last, random.below(last as u64 + 1) as usize);
    }
    let stages: Vec<_> = kinds
        .into_iter()
        .enumerate()
        .map(|(number, kind)| stage(shape, number, kind, random))
        .collect();
    let (functions, host): (Vec<_>, Vec<_>) = stages.into_iter().unzip();
    let (window, rows, cols) = (shape.window(), shape.rows, shape.cols);
    format!(
        "{}func.func @main(%y: memref<?x{rows}x{cols}xf32> {{pl.inout}}) attributes {{pl.host}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %a = pld.alloc_window_buffer [{rows}, {cols}] of f32
  %w = pld.window %a : {window}
  %b = pld.alloc_window_buffer [{rows}, {cols}] of f32
  %v = pld.window %b : {window}
  %c = pld.alloc_window_buffer [%n, 1] of i32
  %s = pld.window %c[%n] : !pld.dtensor<?x1xi32>
{}  return
}}",
        functions.concat(),
        host.concat()
    )
}

fn check(seed: u64) {
    let mut random = Random::new(seed);
    let shape = Shape {
        rows: 2 + random.below(9),
        cols: 1 + random.below(70),
    };
    let text = program(shape, &mut random);
    for world in [1, 3] {
        let count = world * (shape.rows * shape.cols) as usize;
        let numbers: Vec<_> = (0..count).map(|_| random.below(13) as f32 - 6.0).collect();
        let data = Array {
            r#type: Type::F32,
            shape: vec![world, shape.rows as usize, shape.cols as usize],
            input: Some(bytes(&numbers)),
            output: Some(bytes(&numbers)),
        };
        check_against_cpu(&text, world, vec![data]);
    }
}

/// One program: it holds each kind.
#[test]
fn one_equals_the_cpu_lowering() {
    check(1);
}

/// Many.
#[test]
#[ignore = "long"]
fn many_equal_the_cpu_lowering() {
    (2..14).for_each(check);
}
