//! Compiled programs that are kept and found again.

use super::harness::{assert_fine, bytes, kernel, numbers, run_main};
use pld_dialects::melior::ir::Module;
use pld_lowering::cpu::{CompileOptions, Cpu, compile};
use std::{env, fs, path::Path, process::Command};

/// Set in the process of the checks alone, to their folder.
const OWN: &str = "PLD_TEST_KEPT";

/// The folder of the cache is a variable of the process, so the checks have one of their own.
#[test]
fn programs_are_kept() {
    let folder = tempfile::TempDir::new().expect("temporary folder");
    let tests = env::current_exe().expect("this executable");
    let output = Command::new(tests)
        .args(["--exact", "cpu::kept::in_a_new_folder"])
        .env("PLD_CACHE_DIR", folder.path())
        .env(OWN, folder.path())
        .output()
        .expect("this executable runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

const KEPT: CompileOptions = CompileOptions {
    roots: Vec::new(),
    keep: true,
    bounds: true,
    races: true,
    barrier: pld_passes::lower_collectives::Barrier::Dissemination,
    cpu: Cpu::Host,
};

/// Compiles the program that adds a number to each element and runs it; whether it was found.
fn found(number: i32, options: &CompileOptions) -> bool {
    let text = kernel(
        &[("x", "4x20xf32", "inout")],
        &format!(
            "  %f = arith.constant {number}.0 : f32
  %t = pl.load %x[0, 0] : memref<4x20xf32> -> !pl.tile<4x20xf32>
  %r = pl.adds %t, %f : !pl.tile<4x20xf32>, f32
  pl.store %r, %x[0, 0] : !pl.tile<4x20xf32>, memref<4x20xf32>"
        ),
    );
    let context = pld_dialects::context();
    let module = Module::parse(&context, &text).expect("the program parses");
    let code = compile(module.as_operation(), options).expect("the program compiles");
    let mut arrays = [bytes(&[1f32; 80])];
    assert_fine(&run_main(&code, 1, &mut arrays));
    assert_eq!(numbers::<f32>(&arrays[0]), [1.0 + number as f32; 80]);
    // What was compiled before is not lowered again.
    module.as_operation().to_string().contains("pl.adds")
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder.join("objects")).expect("the folder is there");
    entries
        .map(|entry| entry.expect("readable").path())
        .collect()
}

/// Found is only the same program with the same options, and nothing that is damaged; what is
/// damaged is made anew.
///
/// Run by [`programs_are_kept`]; in any other process there is nothing to do.
#[test]
fn in_a_new_folder() {
    let Some(folder) = env::var_os(OWN) else {
        return;
    };
    let folder = Path::new(&folder);
    assert!(!found(1, &KEPT));
    assert!(found(1, &KEPT));
    assert!(!found(2, &KEPT));
    assert!(!found(
        1,
        &CompileOptions {
            keep: false,
            ..KEPT
        }
    ));
    assert!(!found(
        1,
        &CompileOptions {
            bounds: false,
            ..KEPT
        }
    ));
    assert!(!found(
        1,
        &CompileOptions {
            cpu: Cpu::X86_64V3,
            ..KEPT
        }
    ));
    assert!(found(
        1,
        &CompileOptions {
            cpu: Cpu::X86_64V3,
            ..KEPT
        }
    ));
    assert_eq!(entries(folder).len(), 4);
    for damage in [b"".as_slice(), b"pld-object-1\n", b"of another program"] {
        for entry in entries(folder) {
            fs::write(entry, damage).expect("writable");
        }
        assert!(!found(1, &KEPT));
        assert!(found(1, &KEPT));
    }
    // Many threads on one entry: each gets a whole one.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    found(7, &KEPT);
                }
            });
        }
    });
    assert!(found(7, &KEPT));
}
