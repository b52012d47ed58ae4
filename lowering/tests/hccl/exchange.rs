//! Random kernels that exchange data between ranks, with orders by need and with a full barrier
//! behind each statement: the emulation finds nothing, and the results are the same.
//!
//! In each phase one window is written, by each rank in rows of its own on every rank, and the
//! other one is read. So no program has a race, and a barrier stands between phases.

use super::harness::{Array, Schedule, built_by};
use crate::cpu::{
    harness::bytes,
    values::{Random, Type},
};
use pld_lowering::hccl::Choices;
use std::fmt::Write;

/// Rows of each rank in a window.
const ROWS: u64 = 4;
/// Ranks at most.
const RANKS: u64 = 4;

const HOST: &str = "
func.func @per_rank(%x: memref<16x8xf32>, %y: memref<16x8xf32> {pl.inout}, %a: !pld.dtensor<16x8xf32>,
    %b: !pld.dtensor<16x8xf32>, %s: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  call @core(%x, %y, %a, %b, %s) : (memref<16x8xf32>, memref<16x8xf32>, !pld.dtensor<16x8xf32>,
      !pld.dtensor<16x8xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}
func.func @main(%x: memref<?x16x8xf32>, %y: memref<?x16x8xf32> {pl.inout})
    attributes {pl.host, pld.world_sizes = array<i64: WORLDS>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %a_buffer = pld.alloc_window_buffer [16, 8] of f32
  %b_buffer = pld.alloc_window_buffer [16, 8] of f32
  %s_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x16x8xf32> -> memref<16x8xf32>
    %yr = pl.shard %y[%r] : memref<?x16x8xf32> -> memref<16x8xf32>
    %a = pld.window %a_buffer : !pld.dtensor<16x8xf32>
    %b = pld.window %b_buffer : !pld.dtensor<16x8xf32>
    %s = pld.window %s_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @per_rank(%xr, %yr, %a, %b, %s) on %r : (memref<16x8xf32>, memref<16x8xf32>,
        !pld.dtensor<16x8xf32>, !pld.dtensor<16x8xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}
";

/// A kernel in the making.
struct Kernel {
    random: Random,
    text: String,
    names: usize,
    /// Tiles of one row that may be used here.
    tiles: Vec<String>,
    /// Counters of the loops around, each from 0 to less than [`ROWS`].
    counters: Vec<String>,
    /// The window that is written.
    written: char,
}

impl Kernel {
    fn below(&mut self, count: u64) -> u64 {
        self.random.below(count)
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    fn define(&mut self, text: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {text}"));
        name
    }

    /// A row of a part: a counter, or a constant.
    fn row(&mut self) -> String {
        let count = self.counters.len() as u64;
        match self.below(count + 1) {
            0 => format!("%c{}", self.below(ROWS)),
            counter => self.counters[counter as usize - 1].clone(),
        }
    }

    /// A row of the own part.
    fn own_row(&mut self) -> String {
        let row = self.row();
        self.define(&format!("arith.addi %own, {row} : index"))
    }

    /// A row of any part.
    fn any_row(&mut self) -> String {
        let (row, part) = (self.row(), format!("%c{}", ROWS * self.below(RANKS)));
        self.define(&format!("arith.addi {part}, {row} : index"))
    }

    /// A rank: a neighbour, the own one, or one that a loop has counted.
    fn peer(&mut self) -> String {
        let by = match self.below(7) {
            0 => return "%me".into(),
            1 | 2 => "%c1".into(),
            3 => "%last".into(),
            // Of several rounds some may be of one rank.
            4 => {
                let row = self.row();
                self.define(&format!("arith.muli {row}, %c2 : index"))
            }
            _ => self.row(),
        };
        let from = ["%me", "%c0"][usize::from(self.below(4) == 0)];
        let sum = self.define(&format!("arith.addi {from}, {by} : index"));
        self.define(&format!("arith.remsi {sum}, %n : index"))
    }

    fn tile(&mut self) -> String {
        let at = self.below(self.tiles.len() as u64) as usize;
        self.tiles[at].clone()
    }

    fn statement(&mut self, depth: u32) {
        let written = self.written;
        let read = if written == 'a' { 'b' } else { 'a' };
        const WINDOW: &str = "!pld.dtensor<16x8xf32>";
        const TILE: &str = "!pl.tile<1x8xf32>";
        let found = match self.below(if depth < 3 { 17 } else { 12 }) {
            0 => {
                let row = self.any_row();
                format!("pl.load %x[{row}, 0] : memref<16x8xf32> -> {TILE}")
            }
            1 => {
                let row = self.any_row();
                format!("pl.load %{read}[{row}, 0] : {WINDOW} -> {TILE}")
            }
            2 => {
                let (row, peer) = (self.any_row(), self.peer());
                format!("pld.remote_load %{read}[{row}, 0] from {peer} : {WINDOW} -> {TILE}")
            }
            // What it has written itself, here or there.
            3 => {
                let row = self.own_row();
                format!("pl.load %{written}[{row}, 0] : {WINDOW} -> {TILE}")
            }
            4 => {
                let (row, peer) = (self.own_row(), self.peer());
                format!("pld.remote_load %{written}[{row}, 0] from {peer} : {WINDOW} -> {TILE}")
            }
            5 | 6 => {
                let (one, other) = (self.tile(), self.tile());
                let op = ["add", "max"][self.below(2) as usize];
                format!("pl.{op} {one}, {other} : {TILE}")
            }
            7 => {
                let (tile, row) = (self.tile(), self.own_row());
                return self.line(&format!(
                    "pl.store {tile}, %{written}[{row}, 0] : {TILE}, {WINDOW}"
                ));
            }
            8 | 9 => {
                let (tile, row, peer) = (self.tile(), self.own_row(), self.peer());
                return self.line(&format!(
                    "pld.remote_store {tile}, %{written}[{row}, 0] to {peer} : {TILE}, {WINDOW}"
                ));
            }
            10 => {
                let (tile, row) = (self.tile(), self.any_row());
                return self.line(&format!(
                    "pl.store {tile}, %y[{row}, 0] : {TILE}, memref<16x8xf32>"
                ));
            }
            11 => return self.block(),
            12 => {
                let [one, other] = [self.row(), self.peer()];
                let predicate = ["ne", "eq", "slt"][self.below(3) as usize];
                let test = self.define(&format!("arith.cmpi {predicate}, {other}, {one} : index"));
                return self.inside(&format!("scf.if {test} {{"), depth, None);
            }
            13 | 14 => {
                // Blocks side by side, in rounds of known numbers.
                let counter = self.name();
                let end = ["%c2", "%c3", "%c4"][self.below(3) as usize];
                let step = ["%c1", "%c2"][self.below(2) as usize];
                self.line(&format!("scf.for {counter} = %c0 to {end} step {step} {{"));
                self.counters.push(counter);
                for _ in 0..1 + self.below(3) {
                    self.block();
                }
                self.counters.pop();
                return self.line("}");
            }
            _ => {
                let counter = self.name();
                let end = ["%n", "%c3", "%c1"][self.below(3) as usize];
                let start = ["%c0", "%c1"][self.below(2) as usize];
                let head = format!("scf.for {counter} = {start} to {end} step %c1 {{");
                return self.inside(&head, depth, Some(counter));
            }
        };
        let tile = self.define(&found);
        self.tiles.push(tile);
    }

    /// Moves a block of two rows and half of the columns, or fewer.
    fn block(&mut self) {
        const BLOCK: &str = "!pl.tile<2x4xf32>";
        let counter = self.row();
        let number = match self.below(3) {
            0 => self.define(&format!("arith.addi {counter}, %c1 : index")),
            _ => counter,
        };
        let half = self.define(&format!("arith.remsi {number}, %c2 : index"));
        let column = self.define(&format!("arith.muli {half}, %c4 : index"));
        let pair = match self.below(2) {
            0 => self.define(&format!("arith.divsi {number}, %c2 : index")),
            _ => self.row(),
        };
        let pair = self.define(&format!("arith.remsi {pair}, %c2 : index"));
        let row = self.define(&format!("arith.muli {pair}, %c2 : index"));
        let own = self.define(&format!("arith.addi %own, {row} : index"));
        let from = self.any_pair();
        let block = self.define(&format!(
            "pl.load %x[{from}, {column}] : memref<16x8xf32> -> {BLOCK}"
        ));
        let (peer, written) = (self.peer(), self.written);
        let place = format!("%{written}[{own}, {column}]");
        const WINDOW: &str = "!pld.dtensor<16x8xf32>";
        let text = match self.below(3) {
            0 => format!("pl.store {block}, {place} : {BLOCK}, {WINDOW}"),
            1 => {
                let rows = self.define(&format!("arith.subi %c2, {half} : index"));
                let valid = format!("valid [{rows}, %c3]");
                format!("pld.remote_store {block}, {place} {valid} to {peer} : {BLOCK}, {WINDOW}")
            }
            _ => format!("pld.remote_store {block}, {place} to {peer} : {BLOCK}, {WINDOW}"),
        };
        self.line(&text);
    }

    /// The first of two rows of any part.
    fn any_pair(&mut self) -> String {
        format!("%c{}", 2 * self.below(RANKS * ROWS / 2))
    }

    fn inside(&mut self, head: &str, depth: u32, counter: Option<String>) {
        self.line(head);
        let (tiles, counters) = (self.tiles.len(), self.counters.len());
        self.counters.extend(counter);
        for _ in 0..2 + self.below(4) {
            self.statement(depth + 1);
        }
        self.tiles.truncate(tiles);
        self.counters.truncate(counters);
        self.line("}");
    }
}

fn program(seed: u64) -> String {
    let mut kernel = Kernel {
        random: Random::new(seed),
        text: String::new(),
        names: 0,
        tiles: vec!["%zero".into()],
        counters: Vec::new(),
        written: 'a',
    };
    for constant in 0..RANKS * ROWS {
        kernel.line(&format!("%c{constant} = arith.constant {constant} : index"));
    }
    let cell = "pl.load %x[0, 0] : memref<16x8xf32> -> !pl.tile<1x8xf32>";
    kernel.line("%ctx = pld.get_comm_ctx %s : !pld.dtensor<?x1xi32>");
    kernel.line("%me = pld.rank %ctx");
    kernel.line("%n = pld.nranks %ctx");
    kernel.line("%own = arith.muli %me, %c4 : index");
    kernel.line("%last = arith.subi %n, %c1 : index");
    kernel.line(&format!("%zero = {cell}"));
    // All of both windows is defined.
    kernel.line("scf.for %r = %c0 to %c16 step %c1 {");
    for window in ['a', 'b'] {
        kernel.line(&format!(
            "pl.store %zero, %{window}[%r, 0] : !pl.tile<1x8xf32>, !pld.dtensor<16x8xf32>"
        ));
    }
    kernel.line("}");
    for phase in 0..3 {
        kernel.line("pld.barrier %s : !pld.dtensor<?x1xi32>");
        kernel.written = ['a', 'b'][phase % 2];
        for _ in 0..4 + kernel.below(4) {
            kernel.statement(0);
        }
    }
    let body = kernel
        .text
        .replacen("  %c0 =", "  %c16 = arith.constant 16 : index\n  %c0 =", 1);
    let worlds = if seed.is_multiple_of(2) {
        "1, 2, 3, 4"
    } else {
        "2, 3, 4"
    };
    format!(
        "func.func @core(%x: memref<16x8xf32>, %y: memref<16x8xf32> {{pl.inout}}, \
         %a: !pld.dtensor<16x8xf32>, %b: !pld.dtensor<16x8xf32>, %s: !pld.dtensor<?x1xi32>) \
         attributes {{pl.incore}} {{\n{body}  return\n}}\n{}",
        HOST.replace("WORLDS", worlds)
    )
}

#[test]
fn orders_by_need_change_no_result() {
    let long = std::env::var_os("PLD_LONG").is_some();
    let (count, seeds) = if long { (60, 8) } else { (2, 3) };
    for seed in 0..count {
        let text = program(seed);
        let [auto, conservative] = [false, true].map(|conservative| {
            let choices = Choices {
                conservative,
                ..Choices::default()
            };
            built_by(&text, "main", choices)
        });
        for n in 2 - usize::from(seed.is_multiple_of(2))..=4 {
            let numbers: Vec<_> = (0..n * 128).map(|k| (k * 7 % 13) as f32).collect();
            let x = Array::input(Type::F32, &[n, 16, 8], bytes(&numbers));
            let y = Array {
                output: x.input.clone(),
                ..x.clone()
            };
            let arrays = [x, y];
            let expected = conservative.run(n, &arrays, Schedule::SOME[0]);
            for seed in 0..seeds {
                let schedule = Schedule { weak: true, seed };
                let found = auto.run(n, &arrays, schedule);
                assert!(
                    found == expected,
                    "n={n} {schedule:?}\n{text}\n{}",
                    auto.kernels
                );
            }
        }
    }
}
