//! A barrier counted by the check itself, and the adds, waits and subtractions that it really is,
//! come to the same.

use super::agree::{claim, claimed_pairs};
use super::brute;
use super::build::*;
use super::random::phases;
use crate::*;
use fastrand::Rng;
use std::collections::BTreeSet;

/// The events of a barrier of `rank`, on the cells of the signal that the meeting names.
fn expanded(rank: u32, world: u32) -> Vec<What> {
    let on = |owner, index: u32| Cell {
        buffer: OTHER_SIGNAL,
        owner,
        offset: 4 * u64::from(index),
    };
    let raise = |cell, value| What::Add {
        cell,
        lo: value,
        hi: value,
    };
    let peers = || (0..world).filter(move |&peer| peer != rank);
    let adds = peers().map(|peer| raise(on(peer, rank), 1));
    let waits = peers().map(|peer| What::Wait {
        cell: on(rank, peer),
        cmp: Cmp::Ge,
        lo: 1,
        hi: 1,
    });
    adds.chain(waits)
        .chain(peers().map(|peer| raise(on(rank, peer), -1)))
        .collect()
}

/// Writes the barriers out.
fn expand(skeleton: &Skeleton) -> Skeleton {
    let mut skeleton = skeleton.clone();
    let world = skeleton.world;
    for process in &mut skeleton.processes {
        let rank = process.rank;
        let events = std::mem::take(&mut process.events).into_iter();
        process.events = events
            .flat_map(|event| match event.what {
                What::Meet { .. } => expanded(rank, world)
                    .into_iter()
                    .map(|what| Event {
                        what,
                        ..event.clone()
                    })
                    .collect(),
                _ => vec![event],
            })
            .collect();
    }
    skeleton
}

/// Both against the oracle, which knows barriers only as such.
#[test]
fn barriers_are_what_they_really_do() {
    for seed in 0..800 {
        let skeleton = phases(&mut Rng::with_seed(seed));
        let Some(truth) = brute::search(&skeleton, 30_000) else {
            continue;
        };
        let site = |(process, event): brute::Point| skeleton.processes[process].events[event].site;
        let pairs = truth.races.iter().map(|&(a, b)| (site(a), site(b)));
        let real = expand(&skeleton);
        let pairs: BTreeSet<_> = pairs.collect();
        assert_eq!(claimed_pairs(&skeleton), pairs, "seed {seed}");
        assert_eq!(claimed_pairs(&real), pairs, "seed {seed}");
        assert_eq!(claim(&real).deadlock, truth.deadlock, "seed {seed}");
    }
}

/// With a stray notify on its signal a barrier is expanded by the check itself, and that comes to
/// what it is when written out.
#[test]
fn a_shared_signal_is_expanded() {
    let mut differ = 0;
    for seed in 0..800 {
        let mut rng = Rng::with_seed(seed);
        let mut skeleton = phases(&mut rng);
        let without = claimed_pairs(&skeleton);
        let (process, world) = (rng.usize(..skeleton.world as usize), skeleton.world);
        let cell = Cell {
            buffer: OTHER_SIGNAL,
            owner: rng.u32(..world),
            offset: 4 * u64::from(rng.u32(..world)),
        };
        let site = SiteId(skeleton.sites.len() as u32);
        skeleton.sites.push(Site {
            op: "pld.notify".to_string(),
            function: "core".to_string(),
            place: "t.mlir:9:1".to_string(),
        });
        let events = &mut skeleton.processes[process].events;
        let stray = Event {
            what: What::Add { cell, lo: 1, hi: 1 },
            site,
            path: PathId(1),
            may: false,
        };
        events.insert(rng.usize(..=events.len()), stray);
        let (short, long) = (claimed_pairs(&skeleton), claimed_pairs(&expand(&skeleton)));
        assert_eq!(short, long, "seed {seed}");
        differ += usize::from(short != without);
    }
    assert!(
        differ > 10,
        "the stray notify matters in {differ} cases only"
    );
}

/// Rank 2 waits for a notify of rank 1 in the cell that a barrier of rank `credits` adds to.
fn borrowing(credits: u32, is_taken_back: bool) -> Build {
    let mut build = Build::new(3);
    for rank in 0..3 {
        if rank == 1 {
            build.at(1, 10, add(2, u64::from(credits), 1));
        }
        if rank == 2 {
            build.at(2, 20, wait(2, u64::from(credits), Cmp::Ge, 1));
        }
        if rank == 2 && is_taken_back {
            build.at(2, 30, add(2, u64::from(credits), -1));
        }
        build.at(rank as usize, 40, meet_on(SIGNAL, "pld.barrier"));
    }
    build
}

/// The barrier's count lets the wait pass where another rank than the notifying one adds it, as that may come first; it
/// has to come second where it is the same rank, and without the subtraction the count stays.
#[test]
fn a_wait_passes_by_a_barriers_count() {
    assert_eq!(found(&borrowing(0, true)), [(206, 20, Some(40))]);
    assert_eq!(found(&borrowing(1, true)), []);
    assert_eq!(found(&borrowing(1, false)), [(206, 40, Some(10))]);
}

/// A wait that nothing but the barrier would let pass.
#[test]
fn a_wait_for_a_barriers_count() {
    let mut build = Build::new(3);
    build.at(2, 20, wait(2, 0, Cmp::Ge, 1));
    for rank in 0..3 {
        build.at(rank, 40, meet_on(SIGNAL, "pld.barrier"));
    }
    assert_eq!(found(&build), [(206, 20, Some(40))]);
}
