use super::*;
use crate::Details;
use std::sync::atomic::{AtomicU64, Ordering};

fn poll(rank: Rank, cell: usize, until: i32) {
    loop {
        pld_rt_yield(rank.ctx, 7);
        // SAFETY: the cell lies in the rank's own window.
        if unsafe {
            rank.window(0)
                .cast::<i32>()
                .wrapping_add(cell)
                .read_volatile()
        } == until
        {
            return;
        }
    }
}

/// A poll that is satisfied in time is not a deadlock, however long the others take.
#[test]
fn polls_see_notifies() {
    for (workers, seed) in [(1, 0), (1, 5), (2, 0)] {
        let options = Options {
            workers,
            seed,
            races: false,
            ..world(3)
        };
        let report = simulate(&options, &[64], &|rank| {
            if rank.me == 0 {
                std::thread::sleep(std::time::Duration::from_millis(5));
                rank.add(1, 0, 0, 1, 1);
            } else {
                poll(rank, 0, 1);
                rank.add(1, 0, 0, (rank.me + 1) % 3, 1);
            }
        });
        assert_clean(&report);
    }
}

/// A poll that nothing can satisfy ends the run, and its report names the line.
#[test]
fn a_hopeless_poll_is_a_deadlock() {
    for (workers, seed) in [(1, 0), (1, 9), (2, 0)] {
        let options = Options {
            workers,
            seed,
            races: false,
            ..world(3)
        };
        let report = simulate(&options, &[64], &|rank| match rank.me {
            0 => rank.wait_ge(1, 0, 3, 2),
            1 => poll(rank, 0, 1),
            _ => {}
        });
        let finding = only(&report);
        assert_eq!(finding.code, "pld-402");
        let Details::Deadlock {
            waiting, polling, ..
        } = &finding.details
        else {
            panic!("{finding}")
        };
        assert_eq!((waiting.len(), polling.len()), (1, 1));
        assert_eq!((polling[0].rank, polling[0].site.line), (1, 8));
        assert!(
            finding
                .to_string()
                .contains("k.mlir:8:1: note: rank 1 polls in 'op7'"),
            "{finding}"
        );
    }
}

/// A loop that only counts makes progress on its own stack; taking it for a poll would refuse a right program.
#[test]
fn counting_loops_are_not_polls() {
    for workers in [1, 2] {
        let total = AtomicU64::new(0);
        let options = Options {
            workers,
            ..world(2)
        };
        let report = simulate(&options, &[64], &|rank| {
            let mut count = 0u64;
            while std::hint::black_box(count) < 800_000 {
                count += 1;
                pld_rt_yield(rank.ctx, 7);
            }
            total.fetch_add(count, Ordering::Relaxed);
        });
        assert_clean(&report);
        assert_eq!(total.into_inner(), 1_600_000);
    }
}
