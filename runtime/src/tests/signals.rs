use super::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Barriers separate rounds for any number of ranks and workers, in any schedule: a rank that has passed barrier k sees
/// that every rank had reached it. A lost wake-up shows as a deadlock here.
#[test]
fn barriers_hold_and_lose_no_wake_up() {
    for round in 0..100 {
        let (n, workers) = (2 + round % 7, 1 + round % 4);
        let reached: Vec<_> = (0..n).map(|_| AtomicU64::new(0)).collect();
        let early = AtomicU64::new(0);
        let races = round % 3 == 0;
        let options = Options {
            workers,
            races,
            ..world(n)
        };
        let report = simulate(&options, &[n as i64 * 4], &|rank| {
            for k in 1..=100 {
                reached[rank.me as usize].store(k, Ordering::SeqCst);
                rank.barrier(0, 1);
                let behind = reached
                    .iter()
                    .filter(|r| r.load(Ordering::SeqCst) < k)
                    .count();
                early.fetch_add(behind as u64, Ordering::SeqCst);
                rank.barrier(0, 2);
            }
        });
        assert_clean(&report);
        assert_eq!(early.into_inner(), 0);
    }
}

/// Work long enough to be shared makes helpers take tasks, so the hand-over between workers is exercised as well.
#[test]
fn helpers_share_long_work() {
    let n = 8;
    let sum = AtomicU64::new(0);
    let options = Options {
        workers: 3,
        ..world(n)
    };
    let report = simulate(&options, &[n as i64 * 4], &|rank| {
        for _ in 0..20 {
            let work: u64 =
                (0..100_000u64).fold(rank.me as u64, |a, b| a.wrapping_mul(31).wrapping_add(b));
            sum.fetch_add(work | 1, Ordering::Relaxed);
            rank.barrier(0, 1);
        }
    });
    assert_clean(&report);
    assert_ne!(sum.into_inner(), 0);
}

/// Every comparison waits for exactly its condition, on signed values.
#[test]
fn comparisons() {
    for (code, start, end) in [
        (0, -3, 5),
        (1, 5, -1),
        (2, 5, 6),
        (3, 4, 5),
        (4, 5, -4),
        (5, 6, 5),
    ] {
        let report = simulate(&world(2), &[8], &|rank| match rank.me {
            0 => {
                rank.set(start, 0, 1, 1, 1);
                rank.set(1, 0, 0, 1, 1);
                rank.wait_ge(1, 0, 0, 1);
                rank.set(end, 0, 1, 1, 1);
            }
            _ => {
                rank.wait_ge(1, 0, 0, 1);
                rank.set(1, 0, 0, 0, 1);
                pld_rt_wait(rank.ctx, code, 5, rank.window(0), 4, 1);
            }
        });
        assert!(
            report.findings.iter().all(|f| f.code != "pld-402"),
            "comparison {code}"
        );
        let stuck = simulate(&world(1), &[8], &|rank| {
            rank.set(start, 0, 1, 0, 1);
            pld_rt_wait(rank.ctx, code, 5, rank.window(0), 4, 2);
        });
        assert_eq!(
            only(&stuck).code,
            "pld-402",
            "comparison {code} must not hold for {start}"
        );
    }
}

/// The order in which ranks reach one counter; equal seeds must give equal orders, and seeds must differ.
fn order(seed: u64) -> Vec<i64> {
    let order = std::sync::Mutex::new(Vec::new());
    let n = 6;
    let options = Options { seed, ..world(n) };
    let report = simulate(&options, &[n as i64 * 4], &|rank| {
        for _ in 0..5 {
            order.lock().unwrap().push(rank.me);
            rank.barrier(0, 1);
        }
    });
    assert_clean(&report);
    order.into_inner().unwrap()
}

/// A seed fixes the schedule, and different seeds give different ones.
#[test]
fn seeds_fix_the_schedule() {
    let orders: std::collections::HashSet<_> = (0..20)
        .map(|seed| {
            let first = order(seed);
            assert_eq!(first, order(seed));
            first
        })
        .collect();
    assert!(
        orders.len() > 15,
        "only {} different schedules",
        orders.len()
    );
}
