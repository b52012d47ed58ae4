//! The examples, compiled and run.

use super::harness::{assert_fine, bytes, compiled, numbers, run_entry};
use pld_lowering::cpu::CompileOptions;

/// The ring shift: what a golden says, and what the example's comment says.
#[test]
fn ring_shift_by_load_and_by_store() {
    let text = include_str!("../../../examples/05_remote_load_store.mlir");
    let code = compiled(text, CompileOptions::default());
    for (entry, golden, step) in [("main", "main_golden", 1), ("store", "store_golden", -1)] {
        for n in [1usize, 2, 3, 4, 7] {
            let x: Vec<f32> = (0..64 * n).map(|i| i as f32).collect();
            let mut x = bytes(&x);
            let (mut y, mut expected) = (vec![0u8; x.len()], vec![0u8; x.len()]);
            let words = |out: &mut Vec<u8>, x: &mut Vec<u8>| {
                let (x, out) = (x.as_mut_ptr() as u64, out.as_mut_ptr() as u64);
                [x, n as u64, out, n as u64]
            };
            assert_fine(&run_entry(&code, entry, n, &words(&mut y, &mut x)));
            let golden = code.function(golden).expect("compiled");
            golden(std::ptr::null(), words(&mut expected, &mut x).as_ptr());
            assert_eq!(y, expected);
            let (x, y) = (numbers::<f32>(&x), numbers::<f32>(&y));
            for rank in 0..n {
                let from = (rank as i64 + step).rem_euclid(n as i64) as usize;
                assert_eq!(y[rank * 64..][..64], x[from * 64..][..64], "{entry} n={n}");
            }
        }
    }
}

/// The places that reports name are those of the source, under the name of the operation
/// that the user wrote.
#[test]
fn sites_name_the_source() {
    let text = include_str!("../../../examples/05_remote_load_store.mlir");
    let sites = compiled(text, CompileOptions::default()).sites();
    let line = 1 + text
        .lines()
        .position(|line| line.contains("pld.barrier"))
        .expect("there is one");
    let barrier = sites
        .iter()
        .find(|site| site.op == "pld.barrier")
        .expect("there is one");
    assert_eq!(barrier.line as usize, line);
    assert!(sites.iter().all(|site| site.op != "pld.wait"));
}
