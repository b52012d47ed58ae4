use super::*;
use crate::{AccessKind, Details};
use std::collections::HashSet;

fn seeded(n: usize, seed: u64) -> Options {
    Options { seed, ..world(n) }
}

fn codes(report: &Report) -> HashSet<&'static str> {
    assert_eq!(report.error, None);
    report.findings.iter().map(|finding| finding.code).collect()
}

/// Two barriers in a row on one signal, and two writes of different ranks that only the second one would order. A fast
/// rank's next notify arrives early, so an acquire of more than the wait needs would hide the race.
#[test]
fn races_between_two_self_clearing_barriers() {
    for (seed, workers) in (0..200)
        .map(|seed| (seed, 1))
        .chain((0..40).map(|i| (0, 2 + i % 2)))
    {
        let options = Options {
            workers,
            ..seeded(3, seed)
        };
        let report = simulate(&options, &[64, 12], &|rank| {
            rank.barrier(1, 1);
            if rank.me != 2 {
                rank.store(1.0, 0, 0, 2, OVERWRITE, 2 + rank.me);
            }
            rank.barrier(1, 1);
        });
        assert_eq!(
            codes(&report),
            HashSet::from(["pld-403"]),
            "seed {seed}, {workers} workers"
        );
    }
}

/// Right programs are right in every schedule: stage, barrier, load, barrier, restage; pushes; sums by atomic add.
#[test]
fn clean_programs_are_never_flagged() {
    for (seed, workers) in (0..150)
        .map(|seed| (seed, 1))
        .chain((0..40).map(|i| (0, 2 + i % 3)))
    {
        let n = 2 + seed as usize % 4;
        let options = Options {
            workers,
            ..seeded(n, seed)
        };
        let report = simulate(&options, &[256, 64, 64], &|rank| {
            let (me, n) = (rank.me, rank.n);
            let next = (me + 1) % n;
            for round in 0..3 {
                rank.put(me as f32, 0, 0, 1);
                rank.barrier(1, 2);
                rank.load(0, 0, next, 3);
                rank.barrier(1, 2);
                rank.store(1.0, 0, 1, next, OVERWRITE, 4);
                rank.add(1, 2, 0, next, 5);
                rank.wait_ge(round + 1, 2, 0, 5);
                rank.get(0, 1, 6);
                (0..n).for_each(|peer| rank.store(1.0, 0, 2, peer, ADD_F32, 7));
                rank.barrier(1, 2);
                rank.get(0, 2, 8);
                rank.barrier(1, 2);
            }
        });
        assert_clean(&report);
        assert!(report.races_checked);
    }
}

/// A dissemination barrier uses log2(n) cells, each with one notifier per round; more than one chunk of ranks.
#[test]
fn clean_and_racy_programs_of_many_ranks() {
    for racy in [false, true] {
        let report = simulate(&world(150), &[64, 64], &|rank| {
            let barrier = |round: i64| {
                let steps = (0..).take_while(|k| 1 << k < rank.n);
                steps.for_each(|k: i64| {
                    rank.add(1, 1, k, (rank.me + (1 << k)) % rank.n, 1);
                    rank.wait_ge(round, 1, k, 1);
                });
            };
            rank.put(1.0, 0, 0, 2);
            barrier(1);
            rank.load(0, 0, (rank.me + 70) % rank.n, 3);
            if !racy {
                barrier(2);
            }
            rank.put(2.0, 0, 0, 4);
        });
        let expected: &[&str] = if racy { &["pld-403"] } else { &[] };
        assert_eq!(codes(&report), expected.iter().copied().collect());
    }
}

/// The text of a race names both sides with rank, op, line and bytes, once per pair of lines.
#[test]
fn text_of_a_race() {
    let report = simulate(&world(2), &[256, 8], &|rank| {
        for i in 0..4 {
            match rank.me {
                0 => rank.put(1.0, 0, i, 4),
                _ => _ = rank.load(0, i, 0, 6),
            }
        }
    });
    let finding = only(&report);
    let text = finding.to_string();
    let first = "k.mlir:7:1: error: race on bytes 0..4 of window buffer 0 on rank 0: rank 1 reads bytes 0..4 in 'op6', \
                 not ordered with rank 0 writes bytes 0..4 in 'op4' at k.mlir:5:1 [pld-403]";
    assert!(text.starts_with(first), "{text}");
    assert!(
        text.contains("k.mlir:5:1: note: rank 0 writes bytes 0..4 in 'op4' here"),
        "{text}"
    );
    let Details::Race {
        accesses: [older, newer],
        owner: 0,
        ..
    } = &finding.details
    else {
        panic!("{finding:?}")
    };
    assert_eq!((older.rank, older.access), (0, AccessKind::Write));
    assert_eq!((newer.rank, newer.access), (1, AccessKind::Read));
}

/// Atomic adds race with nothing but plain accesses; the own slice counts as remote memory does.
#[test]
fn which_accesses_conflict() {
    let pair = |first: &Kernel, second: &Kernel| {
        let report = simulate(&world(2), &[64, 8], &|rank| {
            if rank.me == 0 {
                first(rank)
            } else {
                second(rank)
            }
        });
        !report.findings.is_empty()
    };
    let add = |rank: Rank| rank.store(1.0, 0, 0, 0, ADD_F32, 1);
    let write = |rank: Rank| rank.store(1.0, 0, 0, 0, OVERWRITE, 2);
    let read = |rank: Rank| _ = rank.load(0, 0, 0, 3);
    let beside = |rank: Rank| rank.store(1.0, 0, 1, 0, OVERWRITE, 4);
    assert!(!pair(&add, &add) && !pair(&read, &read) && !pair(&write, &beside));
    assert!(pair(&add, &write) && pair(&add, &read) && pair(&write, &read) && pair(&write, &write));
    let local_add = |rank: Rank| {
        let mut one = 1f32;
        pld_rt_local_add(
            rank.ctx,
            (&raw mut one).cast(),
            4,
            rank.window(0),
            4,
            1,
            4,
            ADD_F32,
            5,
        );
    };
    assert!(!pair(&local_add, &add) && pair(&local_add, &write));
}

/// A cell polled or written as data races with its notifies; a wait in between mends that.
#[test]
fn signals_against_plain_accesses() {
    let program = |wait: bool, kind: i64| {
        simulate(&world(2), &[64], &move |rank| match rank.me {
            0 => rank.add(1, 0, 3, 1, 1),
            _ => {
                if wait {
                    rank.wait_ge(1, 0, 3, 2);
                }
                _ = rank.access(kind, 0, 3, 3);
            }
        })
    };
    assert_eq!(only(&program(false, 0)).code, "pld-403");
    assert_eq!(only(&program(false, 1)).code, "pld-403");
    assert_clean(&program(true, 0));
    assert_clean(&program(true, 1));
}

/// A counter that an earlier round has filled lets a reader through too early; every schedule shows the race.
#[test]
fn reused_counter() {
    for seed in 0..50 {
        let report = simulate(&seeded(2, seed), &[64, 64], &|rank| {
            let peer = 1 - rank.me;
            for _ in 0..2 {
                rank.store(1.0, 0, 0, peer, OVERWRITE, 1);
                rank.add(1, 1, 0, peer, 2);
                rank.wait_ge(1, 1, 0, 3);
                rank.get(0, 0, 4);
            }
        });
        assert!(codes(&report).contains("pld-403"), "seed {seed}");
    }
}

/// A count that is known to be taken away again lets no wait pass, though it once stood in the cell: what the wait needs
/// is the notify after that, and what comes before that is ordered.
#[test]
fn a_count_taken_away_before_orders_nothing() {
    for seed in 0..100 {
        let report = simulate(&seeded(2, seed), &[64, 64, 64], &|rank| {
            rank.add(1 - 2 * rank.me, 1, 0, 0, 1);
            rank.barrier(2, 2);
            if rank.me == 1 {
                rank.store(1.0, 0, 0, 0, OVERWRITE, 3);
                rank.add(1, 1, 0, 0, 4);
            } else {
                rank.wait_ge(1, 1, 0, 5);
                rank.get(0, 0, 6);
            }
        });
        assert_clean(&report);
    }
}

/// A wait that a barrier on its signal lets pass; where the own notify came first the count is no one else's.
#[test]
fn a_wait_that_passes_by_a_barriers_count() {
    for (direct, expected) in [(0, HashSet::from(["pld-407"])), (1, HashSet::new())] {
        let report = simulate(&world(2), &[64], &|rank| {
            if rank.me == 1 {
                rank.add(direct, 0, 1, 0, 1);
            } else {
                rank.wait_ge(1, 0, 1, 2);
                rank.add(-direct, 0, 1, 0, 3);
            }
            rank.barrier(0, BARRIER);
        });
        assert_eq!(codes(&report), expected);
    }
}

/// Adds and sets on one cell are refused by rule, whatever the schedule.
#[test]
fn mixed_add_and_set() {
    for seed in 0..50 {
        let report = simulate(&seeded(3, seed), &[64], &|rank| match rank.me {
            0 => rank.wait_ge(1, 0, 0, 1),
            1 => rank.add(1, 0, 0, 0, 2),
            _ => rank.set(1, 0, 0, 0, 3),
        });
        assert_eq!(codes(&report), HashSet::from(["pld-407"]), "seed {seed}");
        assert!(
            report.findings[0]
                .to_string()
                .contains("is notified by add and by set")
        );
    }
}

/// Two ranks set one flag: one can overwrite the other's arrival, even where the owner happened to see both.
#[test]
fn unread_arrival_overwritten() {
    for seed in 0..100 {
        let report = simulate(&seeded(3, seed), &[64], &|rank| match rank.me {
            0 => rank.wait_ge(1, 0, 0, 1),
            me => rank.set(me, 0, 0, 0, 2),
        });
        assert_eq!(codes(&report), HashSet::from(["pld-407"]), "seed {seed}");
    }
}

/// Set, wait, reset and a credit back is a right use of a flag by several ranks, and so is a flag nobody waits on.
#[test]
fn flags_with_credit_are_fine() {
    for seed in 0..100 {
        let report = simulate(&seeded(3, seed), &[64, 64], &|rank| match rank.me {
            0 => {
                for k in 0..6 {
                    rank.wait_eq(1 + k % 2, 0, 0, 1);
                    rank.set(0, 0, 0, 0, 2);
                    rank.add(1, 1, 0, 1 + (k + 1) % 2, 3);
                }
            }
            me => {
                rank.set(9, 0, 5, 0, 4);
                for k in 0..3 {
                    rank.wait_ge(if me == 1 { k } else { k + 1 }, 1, 0, 5);
                    rank.set(me, 0, 0, 0, 6);
                }
            }
        });
        assert_clean(&report);
    }
}

/// With checks off nothing is tracked, and the report says so.
#[test]
fn checks_can_be_off() {
    let options = Options {
        races: false,
        ..world(2)
    };
    let report = simulate(&options, &[64], &|rank| {
        rank.store(1.0, 0, 0, 0, OVERWRITE, 1)
    });
    assert_clean(&report);
    assert!(!report.races_checked);
}
