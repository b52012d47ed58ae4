//! Remote loads whose tile is read where the peer has it: as if all of it had been loaded before
//! anything else happens.

use super::{
    harness::checked,
    values::{Type, assert_same},
};
use pld_runtime::{Options, Program, Report, run};

const ROWS: usize = 9;
const COLUMNS: usize = 64;

/// Every rank stages `%x` in `%data`, and after a barrier runs `body`, in which `%peer` is the
/// next rank; tiles are of type `!T`, and so are the rows of `%y`.
fn program(element: Type, body: &str) -> String {
    let (array, rows) = (format!("{ROWS}x{COLUMNS}x"), format!("8x{COLUMNS}x"));
    let text = "func.func @k(%x: memref<ARRAY>, %y: memref<HALF> {pl.out}, %data: !pld.dtensor<ARRAY>,
                %sig: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<ARRAY>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %peer = arith.remsi %after, %n : index
  %all = pl.load %x[0, 0] : memref<ARRAY> -> !pl.tile<ARRAY>
  pl.store %all, %data[0, 0] : !pl.tile<ARRAY>, !pld.dtensor<ARRAY>
  pld.barrier %sig : !pld.dtensor<?x1xi32>
BODY
  return
}
func.func @d(%x: memref<ARRAY>, %y: memref<HALF> {pl.out}, %data: !pld.dtensor<ARRAY>,
             %sig: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  call @k(%x, %y, %data, %sig) : (memref<ARRAY>, memref<HALF>, !pld.dtensor<ARRAY>, !pld.dtensor<?x1xi32>) -> ()
  return
}
func.func @main(%x: memref<?xARRAY>, %y: memref<?xHALF> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [9, 64] of ELEMENT
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<ARRAY>
  %sig = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?xARRAY> -> memref<ARRAY>
    %yr = pl.shard %y[%r] : memref<?xHALF> -> memref<HALF>
    pld.dispatch @d(%xr, %yr, %data, %sig) on %r : (memref<ARRAY>, memref<HALF>, !pld.dtensor<ARRAY>, !pld.dtensor<?x1xi32>)
  }
  return
}
";
    let name = element.name();
    text.replace("BODY", body)
        .replace("LOAD", "pld.remote_load %data")
        .replace("!T", &format!("!pl.tile<{rows}{name}>"))
        .replace("ARRAY", &format!("{array}{name}"))
        .replace("HALF", &format!("{rows}{name}"))
        .replace("ELEMENT", name)
}

/// What rank `rank` stages at a place: small enough that no type rounds a sum of two.
fn staged(rank: usize, row: usize, column: usize) -> f32 {
    ((row * COLUMNS + column) * 7 % 61 + 20 * rank) as f32
}

/// Runs a body on `world` ranks in several schedules, prompt and delayed: `%y` is what `expected`
/// says of a rank, row and column.
fn check(element: Type, world: usize, body: &str, expected: impl Fn(usize, usize, usize) -> f32) {
    let all = |rows: usize, value: &dyn Fn(usize, usize, usize) -> f32| -> Vec<u64> {
        let count = world * rows * COLUMNS;
        let place = |at: usize| (at / COLUMNS / rows, at / COLUMNS % rows, at % COLUMNS);
        (0..count)
            .map(place)
            .map(|(rank, row, column)| element.nearest(value(rank, row, column)))
            .collect()
    };
    let text = program(element, body);
    let code = checked(&text);
    for (seed, weak) in [(0, false), (0, true), (3, false), (4, true), (5, false)] {
        let mut x = element.encode(&all(ROWS, &staged));
        let mut y = element.encode(&all(8, &|_, _, _| 0.0));
        let words = [&mut x, &mut y].map(|array| [array.as_mut_ptr() as u64, world as u64]);
        let report = execute(&code, world, (seed, weak), &words.concat());
        let what = format!(
            "{} n={world} seed {seed} weak {weak}\n{text}",
            element.name()
        );
        assert!(
            report.findings.is_empty() && report.error.is_none(),
            "{what}\n{:?} {:#?}",
            report.error,
            report.findings
        );
        assert_same(element, &element.decode(&y), &all(8, &expected), &what);
    }
}

fn execute(
    code: &pld_lowering::cpu::Compiled,
    world: usize,
    (seed, weak): (u64, bool),
    words: &[u64],
) -> Report {
    let program = Program {
        entry: code.function("main").expect("the entry is compiled"),
        sites: code.sites(),
    };
    let options = Options {
        world,
        seed,
        weak,
        ..Options::default()
    };
    run(&program, words, &options)
}

const FLOATS: [Type; 3] = [Type::F32, Type::F16, Type::BF16];

/// A copy alone, and one through arithmetic with the own slice, are of the next rank's data.
#[test]
fn a_peers_data() {
    for (element, world) in FLOATS.into_iter().zip([2, 3, 2]) {
        let next = |rank: usize| (rank + 1) % world;
        let copy = "  %t = LOAD[1, 0] from %peer : !pld.dtensor<ARRAY> -> !T
  pl.store %t, %y[0, 0] : !T, memref<HALF>";
        check(element, world, copy, |rank, row, column| {
            staged(next(rank), row + 1, column)
        });
        let sum = "  %t = LOAD[0, 0] from %peer : !pld.dtensor<ARRAY> -> !T
  %own = pl.load %data[1, 0] : !pld.dtensor<ARRAY> -> !T
  %s = pl.add %t, %own : !T
  pl.store %s, %y[0, 0] : !T, memref<HALF>";
        check(element, world, sum, |rank, row, column| {
            staged(next(rank), row, column) + staged(rank, row + 1, column)
        });
    }
}

/// The own slice is read as the peer's, alone on one rank, and written between the load and the
/// use: in step with it and a row further, as a whole and through arithmetic.
#[test]
fn what_is_overwritten_before_its_use() {
    for element in FLOATS {
        for row in [0, 1] {
            let constant = format!(
                "  %seven = arith.constant 7.0 : ELEMENT
  %k = pl.full %seven : !T
  %t = LOAD[0, 0] from %peer : !pld.dtensor<ARRAY> -> !T
  pl.store %k, %data[{row}, 0] : !T, !pld.dtensor<ARRAY>
  pl.store %t, %y[0, 0] : !T, memref<HALF>"
            );
            check(element, 1, &constant, |_, row, column| {
                staged(0, row, column)
            });
            let twice = format!(
                "  %t = LOAD[0, 0] from %peer : !pld.dtensor<ARRAY> -> !T
  %d = pl.add %t, %t : !T
  pl.store %d, %data[{row}, 0] : !T, !pld.dtensor<ARRAY>
  %z = pl.sub %d, %t : !T
  pl.store %z, %y[0, 0] : !T, memref<HALF>"
            );
            check(element, 1, &twice, |_, row, column| staged(0, row, column));
        }
    }
}

/// A slice is copied over itself, a row down and a row up, as one piece and with columns left
/// out: what is stored is what was there before.
#[test]
fn a_copy_over_what_it_reads() {
    for element in FLOATS {
        for (from, to) in [(0, 1), (1, 0)] {
            let whole = format!(
                "  %t = LOAD[{from}, 0] from %peer : !pld.dtensor<ARRAY> -> !T
  pl.store %t, %data[{to}, 0] : !T, !pld.dtensor<ARRAY>
  %back = pl.load %data[{to}, 0] : !pld.dtensor<ARRAY> -> !T
  pl.store %back, %y[0, 0] : !T, memref<HALF>"
            );
            check(element, 1, &whole, |_, row, column| {
                staged(0, row + from, column)
            });
            let part = "!pl.tile<8x37xELEMENT>";
            let part = format!(
                "  %t = LOAD[{from}, 3] from %peer : !pld.dtensor<ARRAY> -> {part}
  pl.store %t, %data[{to}, 5] : {part}, !pld.dtensor<ARRAY>
  %back = pl.load %data[{to}, 0] : !pld.dtensor<ARRAY> -> !T
  pl.store %back, %y[0, 0] : !T, memref<HALF>"
            );
            check(element, 1, &part, |_, row, column| match column {
                5..42 => staged(0, row + from, column - 2),
                _ => staged(0, row + to, column),
            });
        }
    }
}

/// A part of a tile, the rest of which is padding, and a tile that is also used after a barrier,
/// when the peer's memory has changed.
#[test]
fn what_is_not_read_in_place() {
    for element in FLOATS {
        let part = "  %t = LOAD[0, 0] valid [5, 33] from %peer : !pld.dtensor<ARRAY> -> !T
  %s = pl.add %t, %t : !T
  pl.store %s, %y[0, 0] : !T, memref<HALF>";
        check(element, 2, part, |rank, row, column| {
            let there = row < 5 && column < 33;
            if there {
                2.0 * staged(1 - rank, row, column)
            } else {
                0.0
            }
        });
        let later = "  %seven = arith.constant 7.0 : ELEMENT
  %k = pl.full %seven : !T
  %t = LOAD[0, 0] from %peer : !pld.dtensor<ARRAY> -> !T
  %d = pl.add %t, %t : !T
  pld.barrier %sig : !pld.dtensor<?x1xi32>
  pl.store %k, %data[0, 0] : !T, !pld.dtensor<ARRAY>
  pld.barrier %sig : !pld.dtensor<?x1xi32>
  %s = pl.sub %d, %t : !T
  pl.store %s, %y[0, 0] : !T, memref<HALF>";
        check(element, 2, later, |rank, row, column| {
            staged(1 - rank, row, column)
        });
    }
}
