//! Whether one worker runs all ranks or several do: changes from one to the other, and the end of a run in each.

use super::*;
use crate::run::lock;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

const RANKS: i64 = 4;

/// More than any machine should need to show both ways to run.
const PATIENCE: Duration = Duration::from_secs(60);

fn two_workers() -> Options {
    Options {
        workers: 2,
        races: false,
        ..world(RANKS as usize)
    }
}

impl Rank<'_> {
    fn is_alone(&self) -> bool {
        // SAFETY: the context outlives the kernel.
        let engine = unsafe { &*self.ctx }.engine();
        engine.is_ok_and(|engine| engine.crew.is_alone())
    }
}

/// Works for long enough that another thread pays.
fn work() {
    let start = Instant::now();
    while start.elapsed() < Duration::from_micros(200) {
        std::hint::spin_loop();
    }
}

fn thread() -> i32 {
    // Not from a thread-local, which a coroutine must not hold across a pause.
    // SAFETY: asks for a number only.
    unsafe { libc::syscall(libc::SYS_gettid) as i32 }
}

/// Which threads have run something.
#[derive(Default)]
struct Threads(Mutex<HashSet<i32>>);

impl Threads {
    fn note(&self) {
        lock(&self.0).insert(thread());
    }

    fn are_several(&self) -> bool {
        lock(&self.0).len() > 1
    }
}

/// Rounds of short steps are run by one worker, of long ones by several at some time, and short ones then by one again;
/// at no change is a rank lost or a barrier passed too early.
#[test]
fn alone_together_alone() {
    const STAGES: usize = 3;
    let stage = AtomicUsize::new(0);
    let threads = Threads::default();
    let rounds: Vec<AtomicU64> = (0..RANKS).map(|_| AtomicU64::new(0)).collect();
    let early = AtomicBool::new(false);
    let start = Instant::now();
    let kernel = |rank: Rank| {
        let own = &rounds[rank.me as usize];
        while stage.load(SeqCst) < STAGES {
            if stage.load(SeqCst) == 1 {
                work();
                threads.note();
            }
            let round = own.fetch_add(1, SeqCst) + 1;
            rank.barrier(0, 1);
            let others = rounds.iter().map(|round| round.load(SeqCst));
            if others.into_iter().any(|other| other != round) {
                early.store(true, SeqCst);
            }
            // Only rank 0 ends a stage, and while the others wait for it.
            if rank.me == 0 {
                let ended = match stage.load(SeqCst) {
                    1 => threads.are_several(),
                    _ => rank.is_alone(),
                };
                stage.fetch_add(usize::from(ended), SeqCst);
                if start.elapsed() >= PATIENCE {
                    stage.store(STAGES + 1, SeqCst);
                }
            }
            rank.barrier(0, 2);
        }
    };
    assert_clean(&simulate(&two_workers(), &[4 * RANKS], &kernel));
    assert!(!early.load(SeqCst), "a barrier was passed too early");
    assert_eq!(stage.load(SeqCst), STAGES, "the stages that were ended");
}

/// A finding of one rank, and a wrong call, end a run that several workers are at: those that work, and those that wait
/// for what never comes.
#[test]
fn a_fault_while_together() {
    for wrong_call in [false, true] {
        let threads = Threads::default();
        let seen = AtomicBool::new(false);
        let start = Instant::now();
        let kernel = |rank: Rank| {
            while !seen.load(SeqCst) {
                work();
                threads.note();
                rank.barrier(0, 1);
                if rank.me == 0 && (threads.are_several() || start.elapsed() >= PATIENCE) {
                    seen.store(true, SeqCst);
                }
                rank.barrier(0, 2);
            }
            match rank.me {
                2 if wrong_call => rank.notify(7, 1, 0, 0, 0, 4),
                2 => match pld_rt_fail(rank.ctx, 401, 4, 0, 5, 1, 5) {},
                1 => rank.wait_ge(1000, 0, rank.me, 5),
                _ => loop {
                    work();
                    // Where the end of the run stops it.
                    rank.add(0, 0, rank.me, rank.me, 6);
                    pld_rt_yield(rank.ctx, 7);
                },
            }
        };
        let report = simulate(&two_workers(), &[4 * RANKS], &kernel);
        assert!(threads.are_several(), "never together");
        if wrong_call {
            let error = report.error.unwrap_or_default();
            assert!(error.contains("unknown notify operation 7"), "{error}");
            continue;
        }
        let finding = only(&report);
        assert_eq!((finding.code, finding.rank), ("pld-401", Some(2)));
    }
}

/// The end of a run, by a finding or because all is done, reaches a worker that is parked.
#[test]
fn an_end_while_alone() {
    let start = Instant::now();
    for number in 0..20 {
        let fails = number % 2 == 0;
        let seen = AtomicBool::new(false);
        let kernel = |rank: Rank| {
            while !seen.load(SeqCst) {
                rank.barrier(0, 1);
                if rank.me == 0 && (rank.is_alone() || start.elapsed() >= PATIENCE) {
                    seen.store(true, SeqCst);
                }
                rank.barrier(0, 2);
            }
            if fails && rank.me == 3 {
                pld_rt_fail(rank.ctx, 401, 4, 0, 5, 1, 5);
            }
        };
        let report = simulate(&two_workers(), &[4 * RANKS], &kernel);
        assert!(start.elapsed() < PATIENCE, "never alone");
        match fails {
            true => assert_eq!(only(&report).code, "pld-401"),
            false => assert_clean(&report),
        }
    }
}
