//! Programs that pages show are right: they verify and give no reason to warn, and those that
//! explain the memory model run. What such a page says is wrong is found when it is done.
//!
//! `docs/diagnostics.md` has a test of its own. A block that is no program is marked
//! `mlir fragment`.

use pld::{Error, Program, Simulation, Source};
use pld_suite::{self as session, in_repository};
use std::fs;

/// What a function of a page runs in.
const AROUND: &str = "
func.func @on_rank(%x: memref<1x64xf32>, %y: memref<1x64xf32> {pl.out},
                   %data: !pld.dtensor<1x64xf32>, %signal: !pld.dtensor<?x1xi32>)
    attributes {pl.device} {
  call @FUNCTION(%x, %y, %data, %signal)
      : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>) -> ()
  return
}
func.func @main(%x: memref<?x1x64xf32>, %y: memref<?x1x64xf32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [1, 64] of f32
  %signal_buffer = pld.alloc_window_buffer [%n, 1] of i32
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %yr = pl.shard %y[%r] : memref<?x1x64xf32> -> memref<1x64xf32>
    %data = pld.window %data_buffer : !pld.dtensor<1x64xf32>
    %signal = pld.window %signal_buffer[%n] : !pld.dtensor<?x1xi32>
    pld.dispatch @on_rank(%xr, %yr, %data, %signal) on %r
        : (memref<1x64xf32>, memref<1x64xf32>, !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>)
  }
  return
}
";

/// What `docs/language.md` says goes wrong: in a function, with this text replaced by that,
/// so it is reported.
const WRONG: &[(&str, &str, &str, &str)] = &[
    ("push", "pld.notify", "// ", "pld-402"),
    ("push", "pld.wait", "// ", "pld-403"),
    (
        "rounds",
        "pld.barrier %signal : !pld.dtensor<?x1xi32>   // all have staged",
        "",
        "pld-403",
    ),
    (
        "rounds",
        "pld.barrier %signal : !pld.dtensor<?x1xi32>   // all have read",
        "",
        "pld-403",
    ),
    ("halves", "ge %count", "ge %one", "pld-403"),
];

/// The blocks of a page that are programs.
fn programs(page: &str) -> Vec<String> {
    let text = fs::read_to_string(in_repository(page)).expect("the page");
    // Between fences, every second part is a block; it starts with its language.
    let blocks = text.split("\n```").skip(1).step_by(2);
    blocks
        .filter_map(|block| block.strip_prefix("mlir\n").map(str::to_owned))
        .collect()
}

#[test]
fn programs_of_pages_are_right() {
    let context = session::context();
    for (page, least) in [("README.md", 1), ("docs/language.md", 3)] {
        let programs = programs(page);
        assert!(programs.len() >= least, "{page}: {}", programs.len());
        for program in programs {
            let outcome = session::run(&context, &program, "pld-lint");
            assert!(
                outcome.printed.is_some() && outcome.said.is_empty(),
                "{page}: {:#?}\n{program}",
                outcome.said
            );
        }
    }
}

/// The codes that runs of a function on `world` ranks report.
fn run(function: &str, name: &str, world: usize) -> Vec<String> {
    let text = format!("{function}{}", AROUND.replace("FUNCTION", name));
    let result = Program::parse(&Source::new("page.mlir", text)).and_then(|program| {
        let simulation = Simulation::new(&program, world);
        simulation.protocol(false).schedules(8).run()
    });
    match result {
        Ok(outcome) => {
            let findings = outcome.run.findings.into_iter();
            findings.map(|finding| finding.code.to_string()).collect()
        }
        Err(Error::Invalid(said)) => panic!("{said:#?}\n{function}"),
        Err(other) => panic!("{other}\n{function}"),
    }
}

#[test]
fn the_memory_model_is_as_told() {
    let programs = programs("docs/language.md");
    let of = |name: &str| {
        let head = format!("func.func @{name}(");
        let found = programs.iter().find(|program| program.contains(&head));
        found.unwrap_or_else(|| panic!("docs/language.md has no @{name}"))
    };
    for name in ["push", "rounds", "halves"] {
        for world in 1..=4 {
            assert_eq!(
                run(of(name), name, world),
                [""; 0],
                "{name} on {world} ranks"
            );
        }
    }
    for (name, right, wrong, code) in WRONG {
        let mutant = of(name).replacen(right, wrong, 1);
        assert_ne!(&mutant, of(name), "{name} has no '{right}'");
        let found = run(&mutant, name, 3);
        assert!(
            found.iter().any(|found| found == code),
            "{name} without '{right}': {found:?}"
        );
    }
}
