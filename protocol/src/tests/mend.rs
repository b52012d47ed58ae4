//! Proposed mends: the one that a reader would make, and only what helps.

use super::build::*;
use crate::*;

/// The mends of a program at 2 to 4 ranks.
fn mends(program: impl Fn(u32) -> Build) -> Vec<Option<Mend>> {
    let sizes: Vec<Skeleton> = (2..5).map(|world| program(world).0).collect();
    let report = check(&sizes, &Limits::default());
    assert!(!report.findings.is_empty());
    report
        .findings
        .into_iter()
        .map(|finding| finding.mend)
        .collect()
}

/// The site of a line, in the first of the programs.
fn site(program: impl Fn(u32) -> Build, of: u32) -> SiteId {
    let program = program(2).0;
    let place = format!("t.mlir:{of}:1");
    let at = program.sites.iter().position(|site| site.place == place);
    SiteId(at.unwrap() as u32)
}

fn each(world: u32, lines: impl Fn(&mut Build, usize, u32, u32)) -> Build {
    let mut build = Build::new(world);
    for rank in 0..world {
        lines(&mut build, rank as usize, rank, (rank + 1) % world);
    }
    build
}

/// A barrier after the load moves before it.
#[test]
fn a_misplaced_barrier_is_moved() {
    let program = |world| {
        each(world, |build, at, me, next| {
            build.at(at, 10, write(me));
            build.at(at, 20, read(next));
            build.at(at, 30, meet("pld.barrier"));
        })
    };
    let to = Anchor::Before(site(program, 20));
    assert_eq!(
        mends(program),
        [Some(Mend::Move {
            site: site(program, 30),
            to
        })]
    );
}

/// A wait after the read moves before it.
#[test]
fn a_late_wait_is_moved() {
    let program = |world: u32| {
        each(world, |build, at, me, next| {
            build.at(at, 10, write(next));
            build.at(at, 20, add(next, 0, 1));
            build.at(at, 30, read(me));
            build.at(at, 40, wait(me, 0, Cmp::Ge, 1));
        })
    };
    let to = Anchor::Before(site(program, 30));
    assert_eq!(
        mends(program),
        [Some(Mend::Move {
            site: site(program, 40),
            to
        })]
    );
}

/// Without a barrier one is added, and in a loop it is added where the rounds need it: a second
/// one, on the signal of the first.
#[test]
fn a_missing_barrier_is_added() {
    let program = |world| {
        each(world, |build, at, me, next| {
            build.at(at, 10, write(me));
            build.at(at, 20, read(next));
        })
    };
    let at = Anchor::Before(site(program, 20));
    assert_eq!(mends(program), [Some(Mend::Barrier { signal: None, at })]);
    let rounds = |world| {
        each(world, |build, at, me, next| {
            for _ in 0..3 {
                build.at(at, 10, write(me));
                build.at(at, 15, meet("pld.barrier"));
                build.at(at, 20, read(next));
            }
        })
    };
    let signal = Some(OTHER_SIGNAL);
    let at = Anchor::After(site(rounds, 20));
    assert_eq!(mends(rounds), [Some(Mend::Barrier { signal, at })]);
}

/// The notify goes to the row of the receiver, the wait looks at that of the sender.
#[test]
fn a_wrong_row_is_put_right() {
    let program = |world: u32| {
        each(world, |build, at, me, next| {
            let previous = (me + world - 1) % world;
            build.at(at, 20, add(next, next.into(), 1));
            build.at(at, 30, wait(me, previous.into(), Cmp::Ge, 1));
        })
    };
    let notify = site(program, 20);
    let (from, to) = (1, 0);
    assert_eq!(
        mends(program),
        [Some(Mend::Cell {
            site: notify,
            from,
            to
        })]
    );
}

/// Everybody notifies the rank before and waits for it.
#[test]
fn a_wrong_partner_is_put_right() {
    let program = |world: u32| {
        each(world, |build, at, me, next| {
            let previous = (me + world - 1) % world;
            // Each notifies itself; the next one waits.
            build.at(at, 20, add(me, me.into(), 1));
            build.at(at, 30, wait(me, previous.into(), Cmp::Ge, 1));
            let _ = next;
        })
    };
    let notify = site(program, 20);
    let (from, to) = (0, 1);
    assert_eq!(
        mends(program),
        [Some(Mend::Peer {
            site: notify,
            from,
            to
        })]
    );
}

/// Who waits before it notifies has to notify first.
#[test]
fn a_cycle_is_broken() {
    let program = |world: u32| {
        each(world, |build, at, me, next| {
            build.at(at, 20, wait(me, 0, Cmp::Ge, 1));
            build.at(at, 30, add(next, 0, 1));
        })
    };
    let to = Anchor::Before(site(program, 20));
    assert_eq!(
        mends(program),
        [Some(Mend::Move {
            site: site(program, 30),
            to
        })]
    );
}

/// A second round has to wait for two.
#[test]
fn a_reused_counter_counts_on() {
    let program = |world: u32| {
        each(world, |build, at, me, next| {
            for round in [0, 10] {
                build.at(at, 100 + round, write(next));
                build.at(at, 101 + round, add(next, 0, 1));
                build.at(at, 102 + round, wait(me, 0, Cmp::Ge, 1));
                build.at(at, 103 + round, read(me));
                build.at(at, 104 + round, meet("pld.barrier"));
            }
        })
    };
    let wait = site(program, 112);
    assert_eq!(
        mends(program),
        [Some(Mend::Value {
            site: wait,
            from: 1,
            to: 2
        })]
    );
}

/// A barrier of one rank is taken out of its branch; sets on a shared cell become adds.
#[test]
fn hoists_and_adds() {
    let program = |world: u32| {
        each(world, |build, at, me, next| {
            build.at(at, 10, write(me));
            if me == 0 {
                build.at(at, 20, meet("pld.barrier"));
            }
            build.at(at, 30, read(next));
        })
    };
    assert_eq!(
        mends(program),
        [Some(Mend::Hoist {
            site: site(program, 20)
        })]
    );
    let sets = |world: u32| {
        each(world, |build, at, me, _| {
            build.at(at, 10, set(0, 0, 1));
            if me == 0 {
                build.at(at, 20, wait(0, 0, Cmp::Ge, 1));
            }
        })
    };
    assert_eq!(
        mends(sets),
        [Some(Mend::Add {
            site: site(sets, 10)
        })]
    );
}

/// Two ranks that write one place: no order of the signals that are there helps, and a barrier
/// cannot stand between an operation and itself.
#[test]
fn what_does_not_help_is_not_proposed() {
    let program = |world: u32| {
        each(world, |build, at, _, _| {
            build.at(at, 10, write(0));
            build.at(at, 20, meet("pld.barrier"));
        })
    };
    assert_eq!(mends(program), [None]);
}
