use super::*;
use crate::{Part, Replay, Turn};
use std::sync::{Arc, Mutex};

fn turn(rank: usize, site: usize) -> Turn {
    Turn {
        rank,
        block: 0,
        site: sites()[site].clone(),
        part: Part::Whole,
    }
}

fn along(n: usize, steps: Vec<Turn>) -> Options {
    Options {
        replay: Some(Arc::new(Replay {
            steps,
            uncertain: Vec::new(),
        })),
        ..world(n)
    }
}

/// Whatever order a script has, notifies come in it, and the rest of the run after them.
#[test]
fn operations_come_in_the_order_of_the_script() {
    let orders = [
        [(0, 1), (0, 2), (1, 1), (1, 2)],
        [(1, 1), (0, 1), (1, 2), (0, 2)],
        [(1, 1), (1, 2), (0, 1), (0, 2)],
    ];
    for order in orders {
        let steps = order.map(|(rank, site)| turn(rank, site)).to_vec();
        let seen = Mutex::new(Vec::new());
        let report = simulate(&along(2, steps), &[64], &|rank| {
            for site in [1, 2] {
                rank.add(1, 0, rank.me, 1 - rank.me, site);
                if let Ok(mut seen) = seen.lock() {
                    seen.push((rank.me as usize, site as usize));
                }
            }
        });
        assert_clean(&report);
        assert_eq!(report.strayed, None);
        assert_eq!(*seen.lock().expect("nobody panics"), order);
    }
}

/// A rank that has done its part is held before its next signal until the script is over.
#[test]
fn who_has_no_step_left_waits_for_the_end_of_the_script() {
    let seen = Mutex::new(Vec::new());
    let steps = vec![turn(0, 1), turn(1, 1)];
    let report = simulate(&along(2, steps), &[64], &|rank| {
        for site in [1, 2] {
            rank.add(1, 0, rank.me, 1 - rank.me, site);
            if let Ok(mut seen) = seen.lock() {
                seen.push((rank.me, site));
            }
        }
    });
    assert_clean(&report);
    let seen = seen.lock().expect("nobody panics");
    assert_eq!(seen[..2], [(0, 1), (1, 1)]);
}

/// A script of another program is not followed, which is no finding: where a rank comes to
/// something else, where it does not come at all, and where it is stuck before.
#[test]
fn another_program_strays() {
    for (steps, why) in [
        (
            vec![turn(0, 3)],
            "rank 0 comes to 'op1' at k.mlir:2:1, where the schedule has 'op3'",
        ),
        (
            vec![turn(0, 1), turn(0, 1)],
            "the schedule has rank 0 at 'op1' at k.mlir:2:1 next",
        ),
        (vec![turn(5, 1)], "the schedule has rank 5 at 'op1'"),
    ] {
        let report = simulate(&along(2, steps), &[64], &|rank| {
            if rank.me == 0 {
                rank.add(1, 0, 0, 1, 1);
            }
        });
        let strayed = report.strayed.unwrap_or_default();
        assert!(strayed.contains(why), "{strayed}");
        assert!(report.findings.is_empty());
    }
}

/// Notifies that data decides about may come though the script does not list them.
#[test]
fn uncertain_notifies_are_free() {
    let script = Replay {
        steps: vec![turn(0, 2)],
        uncertain: vec![sites()[1].clone()],
    };
    let options = Options {
        replay: Some(Arc::new(script)),
        ..world(2)
    };
    let report = simulate(&options, &[64], &|rank| {
        if rank.me == 0 {
            rank.add(1, 0, 0, 1, 1);
            rank.add(1, 0, 0, 1, 2);
        }
    });
    assert_clean(&report);
    assert_eq!(report.strayed, None);
}

/// Barriers of one operation with nothing between them are told from each other, so that what comes after the last one
/// is held until it is due.
#[test]
fn barriers_in_a_row_are_steps_of_their_own() {
    let barrier = BARRIER as usize;
    for n in [2, 3] {
        let mut steps: Vec<_> = (0..3)
            .flat_map(|_| (0..n).map(|rank| turn(rank, barrier)))
            .collect();
        let order: Vec<_> = (0..n).rev().collect();
        steps.extend(order.iter().map(|&rank| turn(rank, 1)));
        let seen = Mutex::new(Vec::new());
        let report = simulate(&along(n, steps), &[64, 64], &|rank| {
            for _ in 0..3 {
                rank.barrier(1, BARRIER);
            }
            rank.load(0, 0, rank.me, 1);
            if let Ok(mut seen) = seen.lock() {
                seen.push(rank.me as usize);
            }
            rank.add(1, 0, 8 + rank.me, 0, 2);
        });
        assert_clean(&report);
        assert_eq!(report.strayed, None);
        assert_eq!(*seen.lock().expect("nobody panics"), order);
    }
}

/// An access that looks like a later step, on the way to an act that no step is for and that others need before that
/// step: it goes on once nobody else can.
#[test]
fn an_access_like_a_later_step_is_let_pass() {
    for spare in [0, 2] {
        let script = Replay {
            steps: vec![turn(1, 4), turn(0, 1)],
            uncertain: [2, 3].map(|site| sites()[site].clone()).to_vec(),
        };
        let n = 2 + spare;
        let options = Options {
            replay: Some(Arc::new(script)),
            ..world(n)
        };
        let report = simulate(&options, &[64], &|rank| match rank.me {
            0 => {
                rank.load(0, 0, 0, 1);
                rank.add(1, 0, 1, 1, 2);
                rank.load(0, 0, 0, 1);
            }
            1 => {
                rank.wait_ge(1, 0, 1, 3);
                rank.add(1, 0, 2, 1, 4);
            }
            _ => rank.add(1, 0, 2, rank.me, 5),
        });
        assert_clean(&report);
        assert_eq!(report.strayed, None);
    }
}
