use super::*;
use crate::{Action, Counters, Event, Observer};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn counted(n: usize) -> Options {
    Options {
        rounds: true,
        ..world(n)
    }
}

/// Counters tell what each rank did; what it did to itself is no message.
#[test]
fn counters_count() {
    let report = simulate(&counted(2), &[64, 8], &|rank| {
        let peer = 1 - rank.me;
        rank.store(1.0, 0, rank.me, peer, OVERWRITE, 1);
        rank.store(1.0, 0, 4 + rank.me, peer, ADD_F32, 1);
        rank.store(1.0, 0, 6, rank.me, OVERWRITE, 1);
        rank.barrier(1, 2);
        rank.load(0, peer, peer, 3);
    });
    let expected = Counters {
        loads: 1,
        load_bytes: 4,
        stores: 1,
        store_bytes: 4,
        adds: 1,
        add_bytes: 4,
        own_transfers: 1,
        own_bytes: 4,
        notifies: 1,
        own_notifies: 1,
        waits: 1,
        rounds: 1,
    };
    assert_eq!(report.counters, [expected; 2]);
    let total = Counters::total(&report.counters);
    assert_eq!((total.messages(), total.rounds), (8, 1));
}

/// Rounds are the longest chain: one for each barrier, n - 1 around a line of n ranks, and as many as it says along a
/// ping-pong, in whatever order the ranks run.
#[test]
fn rounds_are_the_longest_chain() {
    let rounds = |n, seed, kernel: &Kernel| {
        let options = Options { seed, ..counted(n) };
        let report = simulate(&options, &[64, 64], kernel);
        assert_clean(&report);
        Counters::total(&report.counters).rounds
    };
    for seed in 0..20 {
        let barriers = |rank: Rank| (0..3).for_each(|_| rank.barrier(0, 1));
        assert_eq!(rounds(4, seed, &barriers), 3);
        let line = |rank: Rank| {
            if rank.me > 0 {
                rank.wait_ge(1, 0, 0, 1);
            }
            if rank.me + 1 < rank.n {
                rank.add(1, 0, 0, rank.me + 1, 2);
            }
        };
        assert_eq!(rounds(5, seed, &line), 4);
        let ping_pong = |rank: Rank| {
            for round in 1..=5 {
                if rank.me == 1 {
                    rank.wait_ge(round, 0, 0, 1);
                }
                rank.add(1, 0, 0, 1 - rank.me, 2);
                if rank.me == 0 {
                    rank.wait_ge(round, 0, 0, 1);
                }
            }
        };
        assert_eq!(rounds(2, seed, &ping_pong), 10);
        // Nobody waits, so nothing is a round.
        let sends = |rank: Rank| rank.add(1, 0, rank.me, (rank.me + 1) % rank.n, 2);
        assert_eq!(rounds(3, seed, &sends), 0);
    }
}

/// Rank, start, end and what it was.
type Row = (usize, Duration, Duration, Action);

#[derive(Debug, Default)]
struct Log(Mutex<Vec<Row>>);

impl Observer for Log {
    fn event(&self, event: &Event) {
        let row = (event.rank, event.start, event.end, event.action);
        self.0.lock().unwrap().push(row);
    }
}

/// An observer hears of everything a rank does, in order; each wait names a notify of its own, sent before.
#[test]
fn an_observer_hears_all() {
    let log = Arc::new(Log::default());
    let options = Options {
        observer: Some(log.clone()),
        ..world(3)
    };
    let report = simulate(&options, &[64, 64], &|rank| {
        rank.put(1.0, 0, 0, 1);
        rank.barrier(1, 2);
        rank.load(0, 0, (rank.me + 1) % rank.n, 3);
        rank.barrier(1, 4);
    });
    assert_clean(&report);
    let log = log.0.lock().unwrap();
    for rank in 0..3 {
        let mine: Vec<_> = log.iter().filter(|row| row.0 == rank).collect();
        let names = mine.iter().map(|row| match row.3 {
            Action::Begin => "begin",
            Action::End => "end",
            Action::Local(_) => "local",
            Action::Transfer(_) => "transfer",
            Action::Notify(_) => "notify",
            Action::Wait { .. } => "wait",
        });
        let barrier = ["notify", "notify", "wait", "wait", "notify", "notify"];
        let expected = [
            &["begin", "local"][..],
            &barrier,
            &["transfer"],
            &barrier,
            &["end"],
        ]
        .concat();
        assert_eq!(names.collect::<Vec<_>>(), expected);
        assert!(mine.iter().all(|row| row.1 <= row.2));
        assert!(mine.windows(2).all(|pair| pair[0].2 <= pair[1].1));
    }
    let mut used = HashMap::new();
    for row in log.iter() {
        if let Action::Wait { released, .. } = row.3 {
            let sent = released.expect("every wait of a barrier is released by a notify");
            assert!(sent.at <= row.2 && sent.rank != row.0);
            assert_eq!(
                used.insert(sent.number, row.0),
                None,
                "a notify releases one wait"
            );
        }
    }
    assert_eq!(used.len(), 3 * 2 * 2);
}
