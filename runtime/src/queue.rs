//! Ready tasks: one queue per worker, and the order in which they run.
//!
//! A woken task stays on its waker's queue. An idle helper takes only tasks that have been ready for [`PATIENCE`]: for
//! shorter work the hand-over costs more than it gains.

use crate::run::lock;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a task must have been ready before another worker takes it.
const PATIENCE: Duration = Duration::from_micros(20);
/// How often a sleeping helper looks for such tasks by itself.
const NAP: Duration = Duration::from_micros(500);

struct Entry {
    task: usize,
    /// `None` with one worker, where nobody asks.
    since: Option<Instant>,
}

/// The ready tasks of a run.
pub(crate) struct Queues {
    queues: Vec<Mutex<VecDeque<Entry>>>,
    schedule: Option<Mutex<Schedule>>,
    sleepers: AtomicUsize,
    asleep: Mutex<()>,
    wake: Condvar,
}

/// A random order of tasks, fixed by its seed.
struct Schedule {
    random: fastrand::Rng,
    /// Before a communication the task lets others go first once in this many times.
    yields: u32,
    /// A task that rarely runs before all others; never running it would make their polls hopeless.
    straggler: Option<usize>,
}

impl Schedule {
    fn new(seed: u64, tasks: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let yields = 2 << random.u32(..3);
        let straggler = random.bool().then(|| random.usize(..tasks.max(1)));
        Self {
            random,
            yields,
            straggler,
        }
    }

    fn pick(&mut self, ready: &VecDeque<Entry>) -> usize {
        let index = self.random.usize(..ready.len());
        let unwanted = self.straggler == Some(ready[index].task) && self.random.u32(..64) != 0;
        match unwanted && ready.len() > 1 {
            true => (index + 1 + self.random.usize(..ready.len() - 1)) % ready.len(),
            false => index,
        }
    }
}

impl Queues {
    /// Queues of `workers` for tasks `0..tasks`; a `seed` other than 0 needs one worker.
    pub(crate) fn new(workers: usize, tasks: usize, seed: u64) -> Self {
        Self {
            queues: (0..workers).map(|_| Mutex::default()).collect(),
            schedule: (seed != 0).then(|| Mutex::new(Schedule::new(seed, tasks))),
            sleepers: AtomicUsize::new(0),
            asleep: Mutex::new(()),
            wake: Condvar::new(),
        }
    }

    pub(crate) fn workers(&self) -> usize {
        self.queues.len()
    }

    pub(crate) fn push(&self, worker: usize, task: usize) {
        let since = (self.workers() > 1).then(Instant::now);
        lock(&self.queues[worker]).push_back(Entry { task, since });
    }

    /// The next task of `worker`'s own queue.
    pub(crate) fn pop(&self, worker: usize) -> Option<usize> {
        let mut queue = lock(&self.queues[worker]);
        if let Some(schedule) = self.schedule.as_ref().filter(|_| !queue.is_empty()) {
            let index = lock(schedule).pick(&queue);
            return queue.swap_remove_back(index).map(|entry| entry.task);
        }
        let task = queue.pop_front()?.task;
        let overdue = self.workers() > 1 && queue.front().is_some_and(Entry::overdue);
        drop(queue);
        if overdue && self.sleepers.load(Ordering::Relaxed) > 0 {
            self.wake.notify_one();
        }
        Some(task)
    }

    /// An overdue task of another worker.
    pub(crate) fn steal(&self, thief: usize) -> Option<usize> {
        let others = (1..self.workers()).map(|i| (thief + i) % self.workers());
        others.into_iter().find_map(|other| {
            let mut queue = lock(&self.queues[other]);
            queue
                .front()
                .is_some_and(Entry::overdue)
                .then(|| queue.pop_front())?
                .map(|entry| entry.task)
        })
    }

    /// Sleeps until there may be something to steal.
    pub(crate) fn nap(&self) {
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        let guard = lock(&self.asleep);
        drop(
            self.wake
                .wait_timeout(guard, NAP)
                .unwrap_or_else(PoisonError::into_inner),
        );
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn wake_all(&self) {
        self.wake.notify_all();
    }

    /// Whether the schedule wants the running task to let others go first.
    pub(crate) fn wants_turn(&self) -> bool {
        self.schedule.as_ref().is_some_and(|schedule| {
            let mut schedule = lock(schedule);
            let yields = schedule.yields;
            schedule.random.u32(..yields) == 0
        })
    }
}

impl Entry {
    fn overdue(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() >= PATIENCE)
    }
}
