//! Who is stuck, and where the message stands; peers and members that do not fit.

use super::build::*;
use crate::*;

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

/// What follows from different calls that meet is not known: an allreduce meets more often than a
/// barrier, so whether its rank comes to the next call is another question once that is mended.
#[test]
fn what_follows_from_different_collectives_is_not_said() {
    let mut build = Build::new(2);
    build.at(0, 10, meet_on(SIGNAL, "pld.allreduce sum"));
    build.at(0, 30, meet("pld.barrier"));
    build.at(1, 20, meet_on(SIGNAL, "pld.barrier"));
    assert_eq!(found(&build), [(205, 20, Some(10))]);
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
