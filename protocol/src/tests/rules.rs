//! Each rule on a small program: its code, the operation it stands at, and what is said.

use super::build::*;
use crate::*;

fn checked(build: &Build) -> Report {
    check(std::slice::from_ref(&build.0), &Limits::default())
}

/// Codes and lines of the findings.
fn found(build: &Build) -> Vec<(u16, u32, Option<u32>)> {
    let report = checked(build);
    assert!(!report.incomplete, "{:?}", report.notes);
    let errors = report
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let places = errors.map(|finding| {
        let b = finding.b.as_ref().map(|b| line(&build.0, b));
        (finding.code, line(&build.0, &finding.a), b)
    });
    places.collect()
}

/// Stage, barrier, load from the next rank: the order of the lines 10, 20, 30 given.
fn staged(order: [u32; 3], world: u32) -> Build {
    let mut build = Build::new(world);
    for rank in 0..world {
        for at in order {
            let what = match at {
                10 => write(rank),
                20 => meet("pld.barrier"),
                _ => read((rank + 1) % world),
            };
            build.at(rank as usize, at, what);
        }
    }
    build
}

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

/// Nobody notifies: each rank's wait is the same operation, one finding.
#[test]
fn missing_notify_is_204_once() {
    let mut build = Build::new(3);
    for rank in 0..3 {
        build.at(rank, 10, wait(rank as u32, 0, Cmp::Ge, 1));
    }
    assert_eq!(found(&build), [(204, 10, None)]);
    let report = checked(&build);
    assert!(
        report.findings[0]
            .text
            .contains("no notify goes to that cell")
    );
    assert_eq!(report.findings[0].stuck.len(), 3);
    assert_eq!(report.findings[0].stuck[0].has, Some(0));
}

/// Ranks that wait before they notify: the message names the whole cycle.
#[test]
fn a_cycle_of_waits_is_204_and_named() {
    let mut build = Build::new(2);
    for rank in 0..2 {
        build.at(rank, 10, wait(rank as u32, 0, Cmp::Ge, 1));
        build.at(rank, 20, add(1 - rank as u32, 0, 1));
    }
    assert_eq!(found(&build), [(204, 10, None)]);
    let report = checked(&build);
    let text = &report.findings[0].text;
    assert!(text.contains("rank 0") && text.contains("rank 1"), "{text}");
    assert_eq!(report.findings[0].stuck[0].from.len(), 1);
}

/// One notify, a wait for two: the counts are named.
#[test]
fn counts_that_do_not_add_up_are_204() {
    let mut build = Build::new(2);
    build.at(0, 10, wait(0, 0, Cmp::Ge, 2));
    build.at(1, 20, add(0, 0, 1));
    assert_eq!(found(&build), [(204, 10, None)]);
    assert!(
        checked(&build).findings[0]
            .text
            .contains("has 1 in the end and needs >= 2")
    );
}

/// An exact wait that a second notify can pass by, in some schedules only.
#[test]
fn an_exact_wait_can_be_missed() {
    let mut build = Build::new(2);
    build.at(0, 10, wait(0, 0, Cmp::Eq, 1));
    build.at(1, 20, add(0, 0, 1));
    build.at(1, 30, add(0, 0, 1));
    assert_eq!(found(&build), [(204, 10, None)]);
    // Not if the second one only comes after it.
    let mut build = Build::new(2);
    build.at(0, 10, wait(0, 0, Cmp::Eq, 1));
    build.at(0, 11, add(1, 0, 1));
    build.at(1, 20, add(0, 0, 1));
    build.at(1, 25, wait(1, 0, Cmp::Ge, 1));
    build.at(1, 30, add(0, 0, 1));
    assert_eq!(found(&build), []);
}

/// Only rank 0 reaches the barrier; the race behind it is not reported beside.
#[test]
fn a_barrier_of_one_rank_is_205() {
    let mut build = staged([10, 20, 30], 2);
    build.0.processes[1].events.remove(1);
    assert_eq!(found(&build), [(205, 20, None)]);
}

/// Two collectives in different order.
#[test]
fn collectives_in_different_order_are_205() {
    let mut build = Build::new(2);
    build.at(0, 10, meet("pld.barrier"));
    build.at(0, 20, meet_on(SIGNAL, "pld.barrier"));
    build.at(1, 20, meet_on(SIGNAL, "pld.barrier"));
    build.at(1, 10, meet("pld.barrier"));
    assert_eq!(found(&build), [(205, 10, Some(20))]);
    let mut build = Build::new(2);
    build.at(0, 10, meet("pld.allreduce sum"));
    build.at(1, 20, meet("pld.broadcast 0"));
    assert_eq!(found(&build), [(205, 20, Some(10))]);
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

/// 208 comes before everything else that is wrong.
#[test]
fn a_peer_out_of_range_is_208_alone() {
    let mut build = Build::new(2);
    build.at(
        0,
        10,
        What::Outside {
            lo: -1,
            hi: -1,
            size: 2,
        },
    );
    build.at(1, 20, meet("pld.barrier"));
    assert_eq!(found(&build), [(208, 10, None)]);
    assert!(checked(&build).findings[0].text.contains("peer -1"));
}

/// A rank that is never dispatched: the message stands at the dispatch.
#[test]
fn half_the_ranks_is_209_at_the_dispatch() {
    let mut build = staged([10, 20, 30], 2);
    build.0.processes[1].events.clear();
    build.0.dispatched.pop();
    assert_eq!(found(&build), [(209, 1, None)]);
}

/// A member that is dispatched, but does nothing there, is another mistake than one that is not.
#[test]
fn a_dispatched_rank_without_events_is_205() {
    let mut build = staged([10, 20, 30], 2);
    build.0.processes[1].events.clear();
    assert_eq!(found(&build), [(205, 20, None)]);
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

/// A barrier that one block of a rank leaves out is stuck at a cell that messages do not name.
#[test]
fn a_barrier_that_a_block_leaves_out_is_205() {
    let private = |offset| Cell {
        buffer: PRIVATE,
        owner: 0,
        offset,
    };
    let raise = |offset| What::Add {
        cell: private(offset),
        lo: 1,
        hi: 1,
    };
    let until = |offset| What::Wait {
        cell: private(offset),
        cmp: Cmp::Ge,
        lo: 1,
        hi: 1,
    };
    let program = |both: bool| {
        let mut build = Build::new(1);
        for block in 0..2 {
            build.0.processes.push(Process {
                rank: 0,
                block: Some(block),
                events: Vec::new(),
            });
        }
        build.at(1, 20, until(0));
        build.at(1, 20, meet("pld.barrier"));
        build.at(1, 20, raise(4));
        if both {
            build.at(2, 20, raise(0));
            build.at(2, 20, until(4));
        }
        found(&build)
    };
    assert_eq!(program(true), []);
    // The line of the private wait is that of the barrier.
    assert!(matches!(program(false)[..], [(205, ..)]));
}

/// A barrier that shares its signal with a direct notify can pass on that credit.
#[test]
fn a_left_over_credit_lets_a_barrier_pass_early() {
    let program = |index| {
        let mut build = Build::new(2);
        // A notify without a wait stays in the cell of rank 0 that the barrier uses for rank 1.
        build.at(1, 5, add(0, index, 1));
        for rank in 0..2 {
            build.at(rank, 10, write(rank as u32));
            build.at(rank, 20, meet_on(SIGNAL, "pld.barrier"));
            build.at(rank, 30, read(1 - rank as u32));
        }
        build
    };
    assert_eq!(found(&program(1)), [(201, 30, Some(10))]);
    assert_eq!(found(&program(7)), []);
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

/// What holds only for some data is a remark with its condition.
#[test]
fn data_makes_remarks_of_errors() {
    let mut build = Build::new(2);
    build.at(0, 10, write(0));
    build.at(1, 20, write(0)).may = true;
    let report = checked(&build);
    assert!(matches!(
        report.findings[..],
        [Finding {
            code: 203,
            severity: Severity::Remark { .. },
            ..
        }]
    ));
    // A notify that may not come: not an error, but the wait may starve.
    let mut build = Build::new(2);
    build.at(0, 10, wait(0, 0, Cmp::Ge, 1));
    build.at(1, 20, add(0, 0, 1)).may = true;
    let report = checked(&build);
    assert!(matches!(
        report.findings[..],
        [Finding {
            code: 204,
            severity: Severity::Remark { .. },
            ..
        }]
    ));
    // Even with it the count is short: an error.
    build.at(0, 30, wait(0, 0, Cmp::Ge, 2));
    assert_eq!(found(&build), [(204, 30, None)]);
}

/// An error in one of two ways through the data is a remark that names the way; in both it is an
/// error.
#[test]
fn scenarios_are_merged() {
    let way = |text: &str, stuck: bool| {
        let mut build = Build::new(2);
        if stuck {
            build.at(0, 10, wait(0, 0, Cmp::Ge, 1));
        }
        build.0.choices = vec![Choice {
            site: SiteId(0),
            rank: None,
            text: text.to_string(),
        }];
        build.0
    };
    let severities = |ways: [Skeleton; 2]| {
        let report = check(&ways, &Limits::default());
        report
            .findings
            .into_iter()
            .map(|finding| finding.severity)
            .collect::<Vec<_>>()
    };
    let condition = "the branch is taken".to_string();
    let taken = || way("the branch is taken", true);
    assert_eq!(
        severities([taken(), way("it is not", false)]),
        [Severity::Remark { condition }]
    );
    assert_eq!(
        severities([taken(), way("it is not", true)]),
        [Severity::Error]
    );
}

/// One mistake at several sizes is one finding.
#[test]
fn sizes_are_merged() {
    let sizes: Vec<Skeleton> = (1..5).map(|world| staged([10, 30, 20], world).0).collect();
    let report = check(&sizes, &Limits::default());
    assert_eq!(report.findings.len(), 1);
    assert_eq!(
        (report.findings[0].world, &report.findings[0].also_at[..]),
        (2, &[3, 4][..])
    );
}

/// Beyond a limit the check says so and claims nothing.
#[test]
fn limits_leave_the_report_incomplete() {
    let program = staged([10, 30, 20], 2).0;
    let report = check(
        &[program],
        &Limits {
            steps: 3,
            states: 1,
        },
    );
    assert!(report.incomplete && report.findings.is_empty());
    let mut build = Build::new(3);
    build.at(0, 30, wait(0, 0, Cmp::Le, 1));
    build.at(1, 10, set(0, 0, 1));
    build.at(2, 10, set(0, 0, 2));
    let report = check(
        &[build.0],
        &Limits {
            steps: 1000,
            states: 1,
        },
    );
    assert!(report.incomplete);
}

/// The shortest schedule of a race leaves out who has nothing to do with it.
#[test]
fn a_schedule_holds_only_what_is_needed() {
    let mut build = Build::new(3);
    build.at(2, 40, add(0, 3, 1));
    build.at(0, 10, wait(0, 0, Cmp::Ge, 1));
    build.at(0, 20, read(0));
    build.at(1, 30, add(0, 0, 1));
    build.at(1, 31, write(0));
    let report = checked(&build);
    assert_eq!(report.findings[0].schedule, [1, 0, 0, 1]);
    let table = report.findings[0].table.text();
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(table.starts_with("rank 0"), "{table}");
}
