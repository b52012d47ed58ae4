use super::*;
use std::sync::Mutex;

fn weak(n: usize, seed: u64) -> Options {
    Options {
        weak: true,
        races: false,
        seed,
        ..world(n)
    }
}

/// How many of `seeds` end with the value that is right by luck or by order.
fn right(
    options: impl Fn(u64) -> Options,
    seeds: std::ops::Range<u64>,
    kernel: fn(Rank) -> Option<f32>,
) -> usize {
    let one = |seed| {
        let result = Mutex::new(None);
        let report = simulate(&options(seed), &[256, 64], &|rank| {
            if let Some(value) = kernel(rank) {
                *result.lock().unwrap() = Some(value);
            }
        });
        assert_clean(&report);
        result.into_inner().unwrap() == Some(1.0)
    };
    seeds.filter(|&seed| one(seed)).count()
}

fn push_and_signal(rank: Rank) -> Option<f32> {
    if rank.me == 0 {
        rank.store(1.0, 0, 0, 1, OVERWRITE, 1);
        rank.add(1, 1, 0, 1, 2);
        return None;
    }
    rank.wait_ge(1, 1, 0, 3);
    Some(rank.get(0, 0, 4))
}

fn signal_before_push(rank: Rank) -> Option<f32> {
    if rank.me == 0 {
        rank.add(1, 1, 0, 1, 2);
        rank.store(1.0, 0, 0, 1, OVERWRITE, 1);
        return None;
    }
    rank.wait_ge(1, 1, 0, 3);
    Some(rank.get(0, 0, 4))
}

/// Rank 1 reads the first value after rank 0 may have stored the second.
fn reused_without_credit(rank: Rank) -> Option<f32> {
    if rank.me == 0 {
        rank.store(1.0, 0, 0, 1, OVERWRITE, 1);
        rank.add(1, 1, 0, 1, 2);
        rank.store(2.0, 0, 0, 1, OVERWRITE, 1);
        return None;
    }
    rank.wait_ge(1, 1, 0, 3);
    Some(rank.get(0, 0, 4))
}

/// The right program is right in every order; one that signals too early fails at full delay though plain order forgives
/// it; one that overwrites too early fails under some seed though full delay forgives it.
#[test]
fn delays_expose_programs_that_work_by_luck() {
    let weak = |seed| weak(2, seed);
    let plain = |seed| Options {
        weak: false,
        ..weak(seed)
    };
    assert_eq!(right(weak, 0..100, push_and_signal), 100);
    assert_eq!(right(plain, 0..1, signal_before_push), 1);
    assert_eq!(right(weak, 0..1, signal_before_push), 0);
    assert_eq!(right(weak, 0..1, reused_without_credit), 1);
    let reused = right(weak, 1..100, reused_without_credit);
    assert!((1..99).contains(&reused), "{reused} of 99");
}

/// A rank sees its own stores at once, in program order, adds and overlaps included.
#[test]
fn own_stores_are_seen() {
    for seed in 0..50 {
        let wrong = Mutex::new(0);
        let report = simulate(&weak(2, seed), &[256, 64], &|rank| {
            let peer = 1 - rank.me;
            for (value, add) in [
                (1.0, OVERWRITE),
                (2.0, ADD_F32),
                (7.0, OVERWRITE),
                (1.0, ADD_F32),
            ] {
                rank.store(value, 0, rank.me, peer, add, 1);
                rank.store(value, 0, 8 + rank.me, rank.me, add, 1);
            }
            let faults = [rank.load(0, rank.me, peer, 2), rank.get(0, 8 + rank.me, 3)];
            *wrong.lock().unwrap() += faults.iter().filter(|&&value| value != 8.0).count();
        });
        assert_clean(&report);
        assert_eq!(wrong.into_inner().unwrap(), 0, "seed {seed}");
    }
}

/// Race-free exchanges give the same result with and without delays.
#[test]
fn clean_programs_cannot_tell() {
    for seed in 0..60 {
        let n = 2 + seed as usize % 3;
        let sums = Mutex::new(Vec::new());
        let options = Options {
            races: true,
            ..weak(n, seed)
        };
        let report = simulate(&options, &[256, 64], &|rank| {
            for round in 0..3 {
                for peer in 0..rank.n {
                    rank.store((rank.me + round) as f32, 0, rank.me, peer, OVERWRITE, 1);
                    rank.store(1.0, 0, 8, peer, ADD_F32, 2);
                }
                rank.barrier(1, 3);
                let sum: f32 = (0..rank.n).map(|i| rank.get(0, i, 4)).sum();
                sums.lock().unwrap().push((round, sum, rank.get(0, 8, 4)));
                rank.barrier(1, 5);
            }
        });
        assert_clean(&report);
        let expected = |round: i64| (0..n as i64).map(|r| (r + round) as f32).sum::<f32>();
        for (round, sum, adds) in sums.into_inner().unwrap() {
            assert_eq!(
                (sum, adds),
                (expected(round), ((round + 1) * n as i64) as f32)
            );
        }
    }
}

/// The end of a dispatch lets nothing out, so a missing notify shows: the peer polls in vain.
#[test]
fn the_end_of_a_dispatch_shows_nothing() {
    let report = simulate(&weak(2, 0), &[256], &|rank| {
        if rank.me == 0 {
            return rank.store(1.0, 0, 0, 1, OVERWRITE, 1);
        }
        while rank.get(0, 0, 2) != 1.0 {
            pld_rt_yield(rank.ctx, 2);
        }
    });
    assert_eq!(only(&report).code, "pld-402");
}

/// A store to the own slice is one too: a peer that loads it unordered gets the old value at full delay, which plain order
/// forgives.
#[test]
fn own_slices_are_delayed_for_peers() {
    fn unsignalled(rank: Rank) -> Option<f32> {
        if rank.me == 0 {
            rank.put(1.0, 0, 0, 1);
            rank.wait_ge(1, 1, 0, 4);
            return None;
        }
        let value = rank.load(0, 0, 0, 5);
        rank.add(1, 1, 0, 0, 3);
        Some(value)
    }
    let plain = |seed| Options {
        weak: false,
        ..weak(2, seed)
    };
    assert_eq!(right(plain, 0..1, unsignalled), 1);
    assert_eq!(right(|seed| weak(2, seed), 0..1, unsignalled), 0);
}

/// Behind a notify the peer gets what was stored last, also if the rank stored over what it had stored and read.
#[test]
fn own_slices_are_right_behind_a_notify() {
    fn staged(rank: Rank) -> Option<f32> {
        if rank.me == 0 {
            rank.put(5.0, 0, 0, 1);
            rank.store(1.0, 0, 7, 1, OVERWRITE, 6);
            let own = rank.get(0, 0, 2);
            rank.put(own - 3.0, 0, 0, 1);
            rank.put(1.0, 0, 0, 1);
            rank.add(1, 1, 0, 1, 3);
            return None;
        }
        rank.wait_ge(1, 1, 0, 4);
        Some(rank.load(0, 0, 0, 5))
    }
    assert_eq!(right(|seed| weak(2, seed), 0..60, staged), 60);
}
