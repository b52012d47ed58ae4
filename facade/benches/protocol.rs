//! `./x bench protocol`: what the check of the protocol takes, before a run.
//!
//! Each figure is the least of several checks in this process, of a program that has been
//! parsed: the extraction and the check, for the sizes named. The examples are those of the
//! repository; the ring has 64 signal cells and three rounds, in which every rank stores to the
//! next one, tells it so, and gives a credit to the one before.

use pld::{Program, Source};
use pld_passes::check_protocol::{self, Request};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// Checks of which the least time counts.
const TRIES: usize = 5;

fn main() {
    println!("{:44} {:>12} {:>12}", "program", "checked for", "least, ms");
    let ring = Program::parse(&Source::new("ring.mlir", RING)).expect("it is well formed");
    for world in [4, 16, 64] {
        row("ring, 64 cells, 3 rounds", &ring, "main", &[world]);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut examples: Vec<_> = std::fs::read_dir(folder)
        .expect("the repository has examples")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "mlir")
        })
        .collect();
    examples.sort();
    for path in examples {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let program = Source::read(&path).and_then(|source| Program::parse(&source));
        let program = program.expect("an example is well formed");
        for entry in program.entries().expect("an example has entries") {
            let label = format!("{name} @{}", entry.name);
            row(&label, &program, &entry.name, &[2, 3, 4]);
            row(&label, &program, &entry.name, &[64]);
        }
    }
}

/// A line of the table; that a good program is found wrong ends the benchmark.
fn row(name: &str, program: &Program, entry: &str, sizes: &[u32]) {
    let request = Request {
        entry: entry.to_owned(),
        sizes: sizes.to_vec(),
        ..Request::default()
    };
    let least = (0..TRIES)
        .map(|_| {
            let start = Instant::now();
            let result = program.module(|module| check_protocol::check(module, &request));
            assert!(result.is_ok(), "{name} is found wrong");
            start.elapsed()
        })
        .min()
        .unwrap_or(Duration::ZERO);
    let sizes: Vec<_> = sizes.iter().map(u32::to_string).collect();
    let milliseconds = 1e3 * least.as_secs_f64();
    println!("{name:44} {:>12} {milliseconds:12.2}", sizes.join(","));
}

/// A pipeline of stores around the ring.
const RING: &str = r#"
func.func @ring(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out},
                %data: !pld.dtensor<64x64xf32>, %full: !pld.dtensor<64x1xi32>,
                %free: !pld.dtensor<64x1xi32>) attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<64x64xf32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %up = arith.addi %me, %c1 : index
  %next = arith.remsi %up, %n : index
  %around = arith.addi %me, %n : index
  %down = arith.subi %around, %c1 : index
  %prev = arith.remsi %down, %n : index
  scf.for %round = %c0 to %c3 step %c1 {
    %before = arith.index_cast %round : index to i32
    %now = arith.addi %before, %one : i32
    scf.for %cell = %c0 to %c64 step %c1 {
      %row = pl.load %x[%cell, 0] : memref<64x64xf32> -> !pl.tile<1x64xf32>
      pld.wait ge %before, %free[%cell, 0] : !pld.dtensor<64x1xi32>
      pld.remote_store %row, %data[%cell, 0] to %next
          : !pl.tile<1x64xf32>, !pld.dtensor<64x64xf32>
      pld.notify add %one, %full[%cell, 0] to %next : !pld.dtensor<64x1xi32>
      pld.wait ge %now, %full[%cell, 0] : !pld.dtensor<64x1xi32>
      %got = pl.load %data[%cell, 0] : !pld.dtensor<64x64xf32> -> !pl.tile<1x64xf32>
      pl.store %got, %y[%cell, 0] : !pl.tile<1x64xf32>, memref<64x64xf32>
      pld.notify add %one, %free[%cell, 0] to %prev : !pld.dtensor<64x1xi32>
    }
  }
  return
}

func.func @rank(%x: memref<64x64xf32>, %y: memref<64x64xf32> {pl.out},
                %data: !pld.dtensor<64x64xf32>, %full: !pld.dtensor<64x1xi32>,
                %free: !pld.dtensor<64x1xi32>) attributes {pl.device} {
  call @ring(%x, %y, %data, %full, %free)
      : (memref<64x64xf32>, memref<64x64xf32>, !pld.dtensor<64x64xf32>,
         !pld.dtensor<64x1xi32>, !pld.dtensor<64x1xi32>) -> ()
  return
}

func.func @main(%x: memref<?x64x64xf32>, %y: memref<?x64x64xf32> {pl.out})
    attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [64, 64] of f32
  %full_buffer = pld.alloc_window_buffer [64, 1] of i32
  %free_buffer = pld.alloc_window_buffer [64, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x64x64xf32> -> memref<64x64xf32>
    %yr = pl.shard %y[%r] : memref<?x64x64xf32> -> memref<64x64xf32>
    %data = pld.window %data_buffer : !pld.dtensor<64x64xf32>
    %full = pld.window %full_buffer : !pld.dtensor<64x1xi32>
    %free = pld.window %free_buffer : !pld.dtensor<64x1xi32>
    pld.dispatch @rank(%xr, %yr, %data, %full, %free) on %r
        : (memref<64x64xf32>, memref<64x64xf32>, !pld.dtensor<64x64xf32>,
           !pld.dtensor<64x1xi32>, !pld.dtensor<64x1xi32>)
  }
  return
}
"#;
