//! The layout of windows, as the compiler states it and as the simulator has it.

use super::harness::{assert_fine, checked, run_entry};
use pld_passes::layout_windows::cost;

/// Of any size, on any number of ranks and in groups, both agree on bytes and offsets.
#[test]
fn compiler_and_simulator_agree() {
    let sizes = [1, 64, 1000, 3968, 4033, 4096, 10_000];
    for world in [1, 2, 7, 49] {
        let buffers: String = sizes
            .iter()
            .enumerate()
            .map(|(index, size)| {
                let group = if index % 3 == 2 {
                    " {ranks = array<i64: 0>}"
                } else {
                    ""
                };
                format!("  %b{index} = pld.alloc_window_buffer [{size}] of i8{group}\n")
            })
            .collect();
        let code = checked(&format!(
            "func.func @main() attributes {{pl.host}} {{\n{buffers}  return\n}}"
        ));
        let report = run_entry(&code, "main", world, &[]);
        assert_fine(&report);
        assert_eq!(report.windows.len(), sizes.len());
        let mut offset = 0;
        for (index, window) in report.windows.iter().enumerate() {
            let ranks = if index % 3 == 2 { 1 } else { world as i64 };
            let expected = cost(sizes[index], ranks).expect("small");
            let found = (window.offset as i64, window.cost as i64);
            assert_eq!(found, (offset, expected), "{world} ranks, buffer {index}");
            offset += expected;
        }
    }
}
