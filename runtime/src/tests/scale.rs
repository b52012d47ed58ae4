use super::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// As many ranks as the kernel has mappings: all start, meet a neighbour, and end.
#[test]
fn many_ranks_start_and_end() {
    let ended = AtomicU64::new(0);
    let n = 65_536;
    let report = simulate(&world(n), &[8], &|rank| {
        rank.add(1, 0, 0, (rank.me + 1) % rank.n, 1);
        rank.wait_ge(1, 0, 0, 2);
        ended.fetch_add(1, Ordering::Relaxed);
    });
    assert_clean(&report);
    assert!(
        !report.races_checked,
        "too many ranks to track, and the report says so"
    );
    assert_eq!(ended.into_inner(), n as u64);
}

/// Worlds of every small size work, one rank included.
#[test]
fn small_worlds() {
    for n in 1..=9 {
        assert_clean(&simulate(&world(n), &[64], &|rank| {
            (0..3).for_each(|_| rank.barrier(0, 1))
        }));
    }
}
