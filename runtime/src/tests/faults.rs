use super::*;
use crate::{Details, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A peer out of range is named with its bound, and the run stops there: no rank goes on for ever.
#[test]
fn peer_out_of_bounds() {
    let report = simulate(&world(3), &[64], &|rank| {
        rank.store(1.0, 0, 0, (rank.me - 1) % rank.n, OVERWRITE, 3);
        rank.wait_ge(1, 0, 0, 4);
    });
    let finding = only(&report);
    assert_eq!((finding.code, finding.rank), ("pld-401", Some(0)));
    assert_eq!(
        finding.details,
        Details::Bounds {
            dim: None,
            offset: -1,
            size: 1,
            extent: 3
        }
    );
    assert!(finding.to_string().starts_with(
        "k.mlir:4:1: error: peer -1 is out of bounds, expected 0 <= peer < 3 [pld-401]"
    ));
}

/// Whatever reaches the runtime unchecked stays inside the buffer, for data and for cells.
#[test]
fn accesses_beyond_the_buffer() {
    for kernel in [
        &(|rank: Rank| rank.store(1.0, 0, 16, 0, OVERWRITE, 3)) as &Kernel,
        &|rank| _ = rank.load(0, -1, 0, 3),
        &|rank| rank.add(1, 0, 16, 0, 3),
        &|rank| rank.wait_ge(1, 0, 1 << 40, 3),
    ] {
        assert_eq!(only(&simulate(&world(1), &[64], kernel)).code, "pld-401");
    }
}

/// Checks in compiled code report dim, offset, size and extent.
#[test]
fn failures_of_compiled_code() {
    let text = |code, a, b, c, d| {
        let report = simulate(&world(1), &[64], &|rank| match pld_rt_fail(
            rank.ctx, code, 2, a, b, c, d,
        ) {});
        only(&report).to_string()
    };
    let bounds = text(401, 0, 60, 8, 64);
    assert!(
        bounds.contains("k.mlir:3:1: error: access out of bounds in dim 0: offset 60 + size 8"),
        "{bounds}"
    );
    assert!(
        text(401, -1, 4, 1, 4)
            .contains("shard 4 is out of bounds of a world array of 4 shards [pld-401]")
    );
}

/// Misuse of the interface by generated code is an error of the tool, not a finding on the program, and no panic.
#[test]
fn internal_errors() {
    for kernel in [
        &(|rank: Rank| _ = pld_rt_world_size(rank.ctx)) as &Kernel,
        &|rank| pld_rt_arena_pop(rank.ctx, 64),
        &|rank| _ = pld_rt_rank(rank.ctx, std::ptr::null_mut()),
        &|rank| rank.notify(7, 1, 0, 0, 0, 1),
        &|rank| match pld_rt_fail(rank.ctx, 999, 0, 0, 0, 0, 0) {},
        &|rank| rank.store(1.0, 0, 0, 0, 99, 1),
    ] {
        let report = simulate(&world(2), &[64], kernel);
        assert!(report.findings.is_empty() && report.error.is_some());
    }
}

/// A panic of the runtime itself neither unwinds into compiled code nor leaves `run`.
#[test]
fn panics_of_the_runtime_are_errors() {
    for workers in [1, 2] {
        let options = Options {
            workers,
            ..world(3)
        };
        let report = simulate(&options, &[64], &|rank| {
            if rank.me == 1 {
                // SAFETY: the context that the kernel was started with.
                unsafe { &*rank.ctx }.call(|_| -> Result<(), _> { panic!("a fault of ours") });
            }
            rank.wait_ge(1, 0, 0, 1);
        });
        let error = report.error.expect("an internal error");
        assert_eq!(
            error,
            "rank 1: internal error in the runtime: a fault of ours"
        );
    }
}

/// A fault stops ranks that would otherwise go on without end, with several workers too.
#[test]
fn a_fault_stops_the_others() {
    for workers in [1, 2] {
        let options = Options {
            workers,
            races: false,
            ..world(4)
        };
        let report = simulate(&options, &[64], &|rank| {
            if rank.me == 3 {
                pld_rt_fail(rank.ctx, 401, 2, 0, 1, 1, 1);
            }
            loop {
                rank.add(1, 0, 0, rank.me, 1);
                pld_rt_yield(rank.ctx, 1);
            }
        });
        assert_eq!(only(&report).code, "pld-401");
    }
}

#[inline(never)]
fn dive(depth: u64) -> u64 {
    let frame = std::hint::black_box([depth; 64]);
    if depth == 0 {
        frame[0]
    } else {
        dive(depth - 1) + frame[63]
    }
}

/// A stack that is too small is an error that names the rank, and the process goes on.
#[test]
fn stack_overflow_is_named() {
    for workers in [1, 2] {
        let sum = AtomicU64::new(0);
        let options = Options {
            workers,
            ..world(4)
        };
        let report = simulate(&options, &[16], &|rank| {
            rank.barrier(0, 1);
            sum.fetch_add(
                dive(if rank.me == 2 { 10_000 } else { 10 }),
                Ordering::Relaxed,
            );
            rank.barrier(0, 1);
        });
        let error = report.error.expect("an overflow");
        assert!(error.starts_with("stack overflow in rank 2"), "{error}");
    }
}

/// A run that is cancelled ends while ranks poll or call without end, on one worker and on two; one that is given a
/// cancelled progress does not start.
#[test]
fn a_cancelled_run_ends() {
    let busy = |rank: Rank| loop {
        match rank.me {
            0 => pld_rt_yield(rank.ctx, 1),
            _ => rank.add(1, 0, rank.me, rank.me, 2),
        }
    };
    for workers in [1, 2] {
        let progress = Arc::new(Progress::default());
        let options = Options {
            workers,
            races: false,
            progress: Some(Arc::clone(&progress)),
            ..world(3)
        };
        let report = std::thread::scope(|scope| {
            scope.spawn(|| {
                while progress.ranks_done().is_none() {
                    std::thread::yield_now();
                }
                progress.cancel();
            });
            simulate(&options, &[64], &busy)
        });
        assert!(report.cancelled);
        assert_eq!((report.findings.len(), report.error), (0, None));
        let again = simulate(&options, &[64], &busy);
        assert!(again.cancelled && again.counters.is_empty());
    }
}
