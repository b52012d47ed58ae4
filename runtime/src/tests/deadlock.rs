use super::*;
use crate::Details;

fn stuck(
    finding: &Finding,
) -> (
    &[crate::WaitingRank],
    &[crate::finding::PollingRank],
    &[crate::Peering],
) {
    assert_eq!(finding.code, "pld-402");
    match &finding.details {
        Details::Deadlock {
            waiting,
            polling,
            peers,
            ..
        } => (waiting, polling, peers),
        details => panic!("{details:?}"),
    }
}

/// All ranks but the last wait for a neighbour that never comes: exactly those are reported, for any world and workers.
#[test]
fn names_exactly_the_waiting_ranks() {
    for workers in [1, 2] {
        for n in [2usize, 3, 8, 64, 1024] {
            let options = Options {
                workers,
                ..world(n)
            };
            let report = simulate(&options, &[8], &|rank| {
                if rank.me < rank.n - 1 {
                    rank.wait_ge(2, 0, 1, 4);
                }
                rank.add(1, 0, 1, (rank.me + 1) % rank.n, 5);
            });
            let finding = only(&report);
            let (waiting, polling, peers) = stuck(finding);
            assert_eq!(
                waiting.iter().map(|w| w.rank).collect::<Vec<_>>(),
                (0..n - 1).collect::<Vec<_>>()
            );
            assert!(polling.is_empty());
            assert_eq!(peers[0].ended.ranges(), [(n - 1, n - 1)]);
            assert_eq!(
                (waiting[0].value, waiting[0].expected, waiting[0].comparison),
                (1, 2, ">=")
            );
        }
    }
}

/// The text names rank, op, line, cell, value and expectation, and who could have helped.
#[test]
fn text_of_a_wait_cycle() {
    let report = simulate(&world(2), &[64, 64], &|rank| {
        rank.wait_ge(1, 1, 3, 4);
        rank.add(1, 1, 3, 1 - rank.me, 5);
    });
    let text = only(&report).to_string();
    assert!(
        text.starts_with("k.mlir:5:1: error: deadlock: 2 ranks wait for ever [pld-402]"),
        "{text}"
    );
    let line = "k.mlir:5:1: note: rank 1 waits in 'op4' on cell 3 of window buffer 1: expects >= 1, has 0; \
                only ranks that are stuck themselves could notify it: 0, 1";
    assert!(text.contains(line), "{text}");
}

/// With everybody else gone, the text says that nothing can help.
#[test]
fn says_when_nobody_is_left() {
    let report = simulate(&world(3), &[64], &|rank| {
        if rank.me == 1 {
            rank.wait_eq(7, 0, 2, 4);
        }
    });
    let finding = only(&report);
    assert_eq!(stuck(finding).2[0].ended.to_string(), "0, 2");
    assert!(
        finding
            .to_string()
            .contains("no notify can reach it: every other rank of the group has ended")
    );
}

/// The text stays short for many ranks; the data does not lose any.
#[test]
fn long_reports_are_cut_in_the_text_only() {
    let report = simulate(&world(100), &[64], &|rank| rank.wait_ge(1, 0, 0, 1));
    let finding = only(&report);
    assert_eq!(stuck(finding).0.len(), 100);
    let text = finding.to_string();
    assert_eq!(text.matches("waits in").count(), 16);
    assert!(text.contains("note: and 84 more"), "{text}");
}

/// A deadlock in the middle of a run of barriers, where each earlier wake-up worked.
#[test]
fn a_rank_that_leaves_too_early() {
    for workers in [1, 2, 3] {
        for leave in [0, 1, 50] {
            let options = Options {
                workers,
                ..world(4)
            };
            let report = simulate(&options, &[16], &|rank| {
                for k in 0..100 {
                    if rank.me == 2 && k == leave {
                        return;
                    }
                    rank.barrier(0, 6);
                }
            });
            let waiting = stuck(only(&report)).0;
            assert_eq!(
                waiting.iter().map(|w| w.rank).collect::<Vec<_>>(),
                [0, 1, 3]
            );
            assert!(waiting.iter().all(|w| w.element == 2));
        }
    }
}
