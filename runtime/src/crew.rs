//! Which workers run tasks: the first one alone, or all together.
//!
//! Handing a task from thread to thread costs more than a short step of it takes, and so do the atomic instructions that
//! several workers need. So where steps are short, worker 0 runs all tasks alone, by plain loads and stores, and the
//! others are parked. Where they are long both are tried for a while, and what gets more waits done is kept for longer:
//! ranks that do little but fetch from each other are often faster in one cache.
//!
//! Only worker 0 changes between the two, between steps or where the running task calls the runtime: it lets the others
//! in at once, and is alone again when it has seen all of them parked.

use crate::run::lock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a sleeping worker looks for work by itself.
const NAP: Duration = Duration::from_micros(500);
/// A step from this length on is worth another thread.
const LONG: u64 = 2_000;
/// Steps that are looked at together.
const SAMPLE: u64 = 32;
/// Alone, so many steps are looked at of so many.
const OUT_OF: u64 = 1024;

/// How long each of the two is tried, and how long the better one is kept.
const TRIAL: Duration = Duration::from_millis(10);
const KEPT: Duration = Duration::from_millis(500);

mod mode {
    pub(super) const ALONE: u8 = 0;
    /// Alone, but another worker sees that worker 0 is at one step for long.
    pub(super) const WANTED: u8 = 1;
    pub(super) const TOGETHER: u8 = 2;
    /// Still together, but helpers park after their step.
    pub(super) const LEAVING: u8 = 3;
}

/// The steps of one worker; written by it alone.
#[derive(Default)]
#[repr(align(128))]
struct Pace {
    steps: AtomicU64,
    waits: AtomicU64,
    /// Of the steps looked at: their number, nanoseconds of all and of long ones, and how many had others beside them
    /// that ran or were ready.
    seen: AtomicU64,
    total: AtomicU64,
    long: AtomicU64,
    accompanied: AtomicU64,
    busy: AtomicBool,
}

/// Adds without an atomic instruction; only one thread writes.
fn bump(counter: &AtomicU64, by: u64) -> u64 {
    let sum = counter.load(Ordering::Relaxed) + by;
    counter.store(sum, Ordering::Relaxed);
    sum
}

pub(crate) struct Crew {
    mode: AtomicU8,
    paces: Vec<Pace>,
    /// How many workers are parked.
    parked: Mutex<usize>,
    bell: Condvar,
    trial: Mutex<Trial>,
    start: Instant,
    /// Microseconds from the start up to which worker 0 stays alone whatever the others see.
    alone_until: AtomicU64,
}

/// What was seen of being alone and together.
struct Trial {
    /// The current one, since when and since how many waits.
    since: Instant,
    waits: u64,
    /// Waits a second: alone, together.
    rates: [Option<f64>; 2],
    /// The better one is kept up to here.
    kept: Option<Instant>,
}

impl Crew {
    /// Several workers start together.
    pub(crate) fn new(workers: usize) -> Self {
        let mode = if workers > 1 {
            mode::TOGETHER
        } else {
            mode::ALONE
        };
        Self {
            mode: AtomicU8::new(mode),
            paces: (0..workers).map(|_| Pace::default()).collect(),
            parked: Mutex::new(0),
            bell: Condvar::new(),
            trial: Mutex::new(Trial {
                since: Instant::now(),
                waits: 0,
                rates: [None; 2],
                kept: None,
            }),
            start: Instant::now(),
            alone_until: AtomicU64::new(0),
        }
    }

    /// Counts a wait of a task of `worker`.
    #[inline]
    pub(crate) fn waited(&self, worker: usize) {
        bump(&self.paces[worker].waits, 1);
    }

    fn waits(&self) -> u64 {
        let waits = |pace: &Pace| pace.waits.load(Ordering::Relaxed);
        self.paces.iter().map(waits).sum()
    }

    fn micros(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }

    pub(crate) fn workers(&self) -> usize {
        self.paces.len()
    }

    /// Whether worker 0 runs and no other.
    #[inline]
    pub(crate) fn is_alone(&self) -> bool {
        self.mode.load(Ordering::Relaxed) < mode::TOGETHER
    }

    /// Lets the others in if they want to; called by the running task, before what it does.
    #[inline]
    pub(crate) fn admit(&self) {
        if self.mode.load(Ordering::Relaxed) == mode::WANTED {
            self.gather();
        }
    }

    #[cold]
    fn gather(&self) {
        lock(&self.trial).begin(Instant::now(), self.waits());
        self.mode.store(mode::TOGETHER, Ordering::SeqCst);
        self.wake_all();
    }

    pub(crate) fn wake_all(&self) {
        self.bell.notify_all();
    }

    /// Whether a worker must not take tasks now.
    pub(crate) fn must_park(&self, worker: usize) -> bool {
        worker != 0 && self.mode.load(Ordering::Acquire) != mode::TOGETHER
    }

    /// Keeps a worker until all are to run, or the run is over. `ready` says whether worker 0 has more to do.
    pub(crate) fn park(&self, over: impl Fn() -> bool, ready: impl Fn() -> bool) {
        let mut parked = lock(&self.parked);
        *parked += 1;
        self.bell.notify_all();
        let mut steps = None;
        while self.mode.load(Ordering::SeqCst) != mode::TOGETHER && !over() {
            let woken = self.bell.wait_timeout(parked, NAP);
            parked = woken.unwrap_or_else(PoisonError::into_inner).0;
            let now = self.paces[0].steps.load(Ordering::Relaxed);
            let may = self.alone_until.load(Ordering::Relaxed) <= self.micros();
            if steps.replace(now) == Some(now) && may && ready() {
                let _ = self.mode.compare_exchange(
                    mode::ALONE,
                    mode::WANTED,
                    Ordering::SeqCst,
                    Ordering::SeqCst,
                );
            }
        }
        *parked -= 1;
    }

    /// Sleeps until there may be something to take.
    pub(crate) fn nap(&self) {
        let guard = lock(&self.parked);
        let woken = self.bell.wait_timeout(guard, NAP);
        drop(woken.unwrap_or_else(PoisonError::into_inner));
    }

    /// For worker 0 between two steps: true if it is alone from now on.
    #[inline]
    pub(crate) fn remains_alone(&self) -> bool {
        self.mode.load(Ordering::Relaxed) == mode::LEAVING && self.close()
    }

    #[cold]
    fn close(&self) -> bool {
        let all = *lock(&self.parked) == self.workers() - 1;
        if all {
            self.mode.store(mode::ALONE, Ordering::SeqCst);
            lock(&self.trial).begin(Instant::now(), self.waits());
        }
        all
    }

    /// Runs a step of a worker; `ready` says whether it has more to do.
    #[inline]
    pub(crate) fn pace<T>(
        &self,
        worker: usize,
        step: impl FnOnce() -> T,
        ready: impl FnOnce() -> bool,
    ) -> T {
        let pace = &self.paces[worker];
        let steps = bump(&pace.steps, 1);
        if self.workers() == 1 || (self.is_alone() && steps % OUT_OF >= SAMPLE) {
            return step();
        }
        pace.busy.store(true, Ordering::Relaxed);
        let start = Instant::now();
        let result = step();
        let nanos = start.elapsed().as_nanos() as u64;
        pace.busy.store(false, Ordering::Relaxed);
        let mut others = self.paces.iter().enumerate();
        let accompanied =
            ready() || others.any(|(i, p)| i != worker && p.busy.load(Ordering::Relaxed));
        bump(&pace.total, nanos);
        bump(&pace.long, if nanos >= LONG { nanos } else { 0 });
        bump(&pace.accompanied, u64::from(accompanied));
        if bump(&pace.seen, 1) == SAMPLE {
            self.decide(worker);
        }
        result
    }

    /// Together only if most of the time goes to long steps that have company.
    #[cold]
    fn decide(&self, worker: usize) {
        let pace = &self.paces[worker];
        let take = |counter: &AtomicU64| counter.swap(0, Ordering::Relaxed);
        let [seen, total, long, accompanied] =
            [&pace.seen, &pace.total, &pace.long, &pace.accompanied].map(take);
        let may_pay = 2 * long > total && 2 * accompanied > seen;
        if !may_pay {
            self.leave();
        } else if worker == 0 {
            match self.better() {
                Some(true) if self.is_alone() => self.gather(),
                Some(false) => self.leave(),
                _ => {}
            }
        }
    }

    fn leave(&self) {
        let _ = self.mode.compare_exchange(
            mode::TOGETHER,
            mode::LEAVING,
            Ordering::SeqCst,
            Ordering::SeqCst,
        );
    }

    /// Whether to be together; `None` while there is more to see of what is.
    fn better(&self) -> Option<bool> {
        let (now, waits) = (Instant::now(), self.waits());
        let together = match self.mode.load(Ordering::Relaxed) {
            mode::LEAVING => return None,
            mode => mode == mode::TOGETHER,
        };
        let trial = &mut *lock(&self.trial);
        match trial.kept {
            Some(end) if now < end => return None,
            Some(_) => {
                trial.begin(now, waits);
                trial.kept = None;
                return None;
            }
            None => {}
        }
        let time = now - trial.since;
        if time < TRIAL {
            return None;
        }
        trial.rates[usize::from(together)] =
            Some((waits - trial.waits) as f64 / time.as_secs_f64());
        trial.begin(now, waits);
        let [Some(alone), Some(both)] = trial.rates else {
            return Some(!together);
        };
        // What hardly waits says nothing by its waits, and has little to fetch.
        let better = both > 1.1 * alone || alone == 0.0;
        trial.rates = [None; 2];
        trial.kept = Some(now + KEPT);
        if !better {
            let end = self.micros() + KEPT.as_micros() as u64;
            self.alone_until.store(end, Ordering::Relaxed);
        }
        Some(better)
    }
}

impl Trial {
    fn begin(&mut self, now: Instant, waits: u64) {
        self.since = now;
        self.waits = waits;
    }
}
