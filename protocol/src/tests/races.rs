//! Races and misused signals on small programs: code, operation that the message stands at, the other one.

use super::build::*;
use crate::*;

/// The pattern that every program uses has to be clean, at all sizes.
#[test]
fn stage_barrier_load_is_clean() {
    for world in 1..6 {
        assert_eq!(found(&staged([10, 20, 30], world)), [], "{world} ranks");
    }
}

/// A load before the barrier races with the stage of the peer.
#[test]
fn load_before_barrier_is_201_at_the_load() {
    assert_eq!(found(&staged([10, 30, 20], 3)), [(201, 30, Some(10))]);
}

/// The next round's stage comes while a slow peer still loads.
#[test]
fn restaging_too_soon_is_201() {
    let mut build = Build::new(2);
    for rank in 0..2 {
        for _ in 0..3 {
            build.at(rank, 10, write(rank as u32));
            build.at(rank, 20, meet("pld.barrier"));
            build.at(rank, 30, read(1 - rank as u32));
        }
    }
    assert_eq!(found(&build), [(201, 30, Some(10))]);
}

/// A read of the own slice that a peer writes after the barrier.
#[test]
fn barrier_before_store_is_202() {
    let mut build = Build::new(2);
    for rank in 0..2 {
        build.at(rank, 10, meet("pld.barrier"));
        build.at(rank, 20, write(1 - rank as u32));
        build.at(rank, 30, read(rank as u32));
    }
    assert_eq!(found(&build), [(202, 30, Some(20))]);
}

/// Both ranks write one place; atomic adds to it would be fine.
#[test]
fn two_writers_are_203_and_atomic_adds_are_clean() {
    let mut build = Build::new(2);
    build.at(0, 10, write(0));
    build.at(1, 20, write(0));
    assert_eq!(found(&build), [(203, 20, Some(10))]);
    let mut build = Build::new(2);
    build.at(0, 10, access(AccessKind::Atomic, 0, 0, 4));
    build.at(1, 10, access(AccessKind::Atomic, 0, 0, 4));
    assert_eq!(found(&build), []);
}

/// Strided pieces that interleave have no byte in common.
#[test]
fn interleaved_pieces_do_not_race() {
    let columns = |base| What::Access {
        kind: AccessKind::Write,
        buffer: DATA,
        owner: 0,
        runs: vec![Run {
            base,
            stride: 32,
            count: 8,
            length: 16,
        }],
    };
    let mut build = Build::new(2);
    build.at(0, 10, columns(0));
    build.at(1, 10, columns(16));
    assert_eq!(found(&build), []);
    build.at(1, 20, columns(24));
    assert_eq!(found(&build), [(203, 20, Some(10))]);
}

/// A mixed cell is wrong by rule, and a set from two ranks can overwrite.
#[test]
fn sets_on_a_shared_cell_are_206() {
    let mut build = Build::new(2);
    build.at(0, 10, set(0, 0, 1));
    build.at(1, 20, add(0, 0, 1));
    build.at(0, 30, wait(0, 0, Cmp::Ge, 1));
    assert_eq!(found(&build), [(206, 10, Some(20))]);
    let mut build = Build::new(3);
    build.at(0, 30, wait(0, 0, Cmp::Ge, 1));
    build.at(1, 10, set(0, 0, 1));
    build.at(2, 10, set(0, 0, 1));
    assert_eq!(found(&build), [(206, 10, Some(10))]);
}

/// The second round waits for a value that the first has brought already.
#[test]
fn a_reused_counter_is_207_at_the_wait() {
    let program = |second| {
        let mut build = Build::new(2);
        for rank in 0..2 {
            let (me, peer) = (rank as u32, 1 - rank as u32);
            build.at(rank, 10, write(peer));
            build.at(rank, 11, add(peer, 0, 1));
            build.at(rank, 12, wait(me, 0, Cmp::Ge, 1));
            build.at(rank, 13, read(me));
            build.at(rank, 14, meet("pld.barrier"));
            build.at(rank, 20, write(peer));
            build.at(rank, 21, add(peer, 0, 1));
            build.at(rank, 22, wait(me, 0, Cmp::Ge, second));
            build.at(rank, 23, read(me));
        }
        build
    };
    assert_eq!(found(&program(1)), [(207, 22, Some(20))]);
    assert_eq!(found(&program(2)), []);
}

/// Blocks of one rank that write the same bytes race; a write before the fork and a read after
/// the join do not.
#[test]
fn blocks_fork_and_join() {
    let private = |index, value| Cell {
        buffer: PRIVATE,
        owner: index,
        offset: value,
    };
    let raise = |cell, value| What::Add {
        cell,
        lo: value,
        hi: value,
    };
    let until = |cell, value| What::Wait {
        cell,
        cmp: Cmp::Ge,
        lo: value,
        hi: value,
    };
    let program = |bytes: u64| {
        let mut build = Build::new(1);
        let (fork, join) = (private(0, 0), private(0, 4));
        build.at(0, 10, access(AccessKind::Write, 0, 0, 8));
        build.at(0, 11, raise(fork, 1));
        build.at(0, 11, until(join, 2));
        build.at(0, 40, access(AccessKind::Read, 0, 0, 8));
        for block in 0..2 {
            build.0.processes.push(Process {
                rank: 0,
                block: Some(block),
                events: Vec::new(),
            });
            let at = 1 + block as usize;
            build.at(at, 20, until(fork, 1));
            build.at(
                at,
                30,
                access(AccessKind::Write, 0, u64::from(block) * bytes, 4),
            );
            build.at(at, 31, raise(join, 1));
        }
        build
    };
    assert_eq!(found(&program(4)), []);
    assert_eq!(found(&program(2)), [(203, 30, Some(30))]);
}

/// A barrier that shares its signal with a direct notify could pass on that credit: what is left
/// in its cells when it is waited at is found there, and not in what it leads to.
#[test]
fn a_left_over_credit_is_found_at_the_barrier() {
    let program = |index, taken: bool| {
        let mut build = Build::new(2);
        // A notify without a wait stays in the cell of rank 0 that the barrier uses for rank 1.
        build.at(1, 5, add(0, index, 1));
        if taken {
            build.at(0, 6, wait(0, index, Cmp::Ge, 1));
            build.at(0, 7, add(0, index, -1));
        }
        for rank in 0..2 {
            build.at(rank, 10, write(rank as u32));
            build.at(rank, 20, meet_on(SIGNAL, "pld.barrier"));
            build.at(rank, 30, read(1 - rank as u32));
        }
        build
    };
    assert_eq!(found(&program(1, false)), [(206, 20, Some(5))]);
    assert_eq!(found(&program(1, true)), []);
    assert_eq!(found(&program(7, false)), []);
}

/// Two signals that share cells are one thing after the other while barriers are all that uses
/// them: in the same order on all ranks that is fine.
#[test]
fn overlapping_signals_are_followed_cell_by_cell() {
    let at = |offset| What::Meet {
        group: GroupId(0),
        signal: Some(SIGNAL),
        offset,
        kind: "pld.barrier".to_string(),
    };
    let program = |second: u64| {
        let mut build = Build::new(2);
        for rank in 0..2 {
            build.at(rank, 10, write(rank as u32));
            build.at(rank, 20, at(0));
            build.at(rank, 30, read(1 - rank as u32));
            build.at(rank, 40, at(second));
            build.at(rank, 50, write(rank as u32));
        }
        build
    };
    assert_eq!(found(&program(4)), []);
    assert_eq!(found(&program(8)), []);
}

/// A plain read of a cell is not a wait.
#[test]
fn polling_a_cell_races_with_its_notify() {
    let mut build = Build::new(2);
    let poll = What::Access {
        kind: AccessKind::Read,
        buffer: SIGNAL,
        owner: 0,
        runs: run(0, 4),
    };
    build.at(0, 10, poll.clone());
    build.at(1, 20, add(0, 0, 1));
    assert_eq!(found(&build), [(202, 10, Some(20))]);
    let mut build = Build::new(2);
    build.at(0, 5, wait(0, 0, Cmp::Ge, 1));
    build.at(0, 10, poll);
    build.at(1, 20, add(0, 0, 1));
    assert_eq!(found(&build), []);
}
