//! Ready tasks: one queue per worker, and the order in which they run.
//!
//! A woken task goes to the worker that ran it last, in whose cache its data is, if that one is awake. Another worker with
//! nothing to do takes only tasks that have been ready for [`PATIENCE`], or for less where its share of tasks is small.

use crate::run::lock;
use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a task must have been ready before another worker takes it.
const PATIENCE: Duration = Duration::from_micros(20);
/// The same where the other worker has two tasks fewer.
const LITTLE_PATIENCE: Duration = Duration::from_micros(5);

struct Entry {
    task: usize,
    /// `None` with one worker, where nobody asks.
    since: Option<Instant>,
}

/// The ready tasks of one worker.
#[repr(align(128))]
struct Queue {
    turn: Mutex<()>,
    ready: UnsafeCell<VecDeque<Entry>>,
    /// How many, for those who only look.
    length: AtomicUsize,
    /// The worker runs or looks for tasks.
    awake: AtomicBool,
    /// Tasks that it ran last.
    homes: AtomicUsize,
}

// SAFETY: [`Queues::with`] is the only way to the tasks.
unsafe impl Sync for Queue {}

/// The ready tasks of a run.
pub(crate) struct Queues {
    queues: Vec<Queue>,
    schedule: Option<Mutex<Schedule>>,
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

    #[cold]
    fn wants_turn(this: &Mutex<Self>) -> bool {
        let mut schedule = lock(this);
        let yields = schedule.yields;
        schedule.random.u32(..yields) == 0
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
        let queue = |_| Queue {
            turn: Mutex::default(),
            ready: UnsafeCell::default(),
            length: AtomicUsize::new(0),
            awake: AtomicBool::new(true),
            homes: AtomicUsize::new(0),
        };
        Self {
            queues: (0..workers).map(queue).collect(),
            schedule: (seed != 0).then(|| Mutex::new(Schedule::new(seed, tasks))),
        }
    }

    /// Works on a queue. `alone`: no other worker runs, so nobody has to be kept out.
    #[inline]
    fn with<T>(
        &self,
        alone: bool,
        worker: usize,
        work: impl FnOnce(&mut VecDeque<Entry>) -> T,
    ) -> T {
        let queue = &self.queues[worker];
        let _turn = (!alone).then(|| lock(&queue.turn));
        // SAFETY: others wait for their turn, or are parked; `work` calls nothing of this file.
        let ready = unsafe { &mut *queue.ready.get() };
        let result = work(ready);
        queue.length.store(ready.len(), Ordering::Relaxed);
        result
    }

    /// Queues a task for `worker`, or for `home` if that is awake.
    #[inline]
    pub(crate) fn push(&self, alone: bool, worker: usize, home: usize, task: usize) {
        let since = (!alone).then(Instant::now);
        let goes_home = !alone && home != worker && self.queues[home].awake.load(Ordering::SeqCst);
        let to = if goes_home { home } else { worker };
        self.with(alone, to, |ready| ready.push_back(Entry { task, since }));
    }

    /// The next task of `worker`'s own queue, and whether those behind it wait for too long.
    #[inline]
    pub(crate) fn pop(&self, alone: bool, worker: usize) -> Option<(usize, bool)> {
        self.with(alone, worker, |ready| {
            if let Some(schedule) = self.schedule.as_ref().filter(|_| !ready.is_empty()) {
                let index = lock(schedule).pick(ready);
                return Some((ready.swap_remove_back(index)?.task, false));
            }
            let task = ready.pop_front()?.task;
            let late = !alone && ready.front().is_some_and(|next| next.waits(PATIENCE));
            Some((task, late))
        })
    }

    /// Whether `worker` has tasks.
    #[inline]
    pub(crate) fn has(&self, worker: usize) -> bool {
        self.queues[worker].length.load(Ordering::Relaxed) > 0
    }

    /// A task of another worker that has waited for long.
    pub(crate) fn steal(&self, thief: usize) -> Option<usize> {
        let mut others = (0..self.queues.len()).filter(|&other| other != thief && self.has(other));
        others.find_map(|other| {
            let homes = |worker: usize| self.queues[worker].homes.load(Ordering::Relaxed);
            let patience = match homes(other) > homes(thief) + 1 {
                true => LITTLE_PATIENCE,
                false => PATIENCE,
            };
            self.with(false, other, |ready| {
                let waits = ready.front()?.waits(patience);
                waits.then(|| ready.pop_front())?.map(|entry| entry.task)
            })
        })
    }

    /// Takes all tasks of the other workers, which are parked, to worker 0.
    pub(crate) fn gather(&self) {
        for worker in 1..self.queues.len() {
            let left = self.with(true, worker, std::mem::take);
            self.with(true, 0, |ready| ready.extend(left));
        }
    }

    /// A task moves to a worker, or from one: it has run there.
    pub(crate) fn moved(&self, from: Option<usize>, to: Option<usize>) {
        if let Some(from) = from {
            self.queues[from].homes.fetch_sub(1, Ordering::Relaxed);
        }
        if let Some(to) = to {
            self.queues[to].homes.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Says whether `worker` takes tasks from its queue soon.
    pub(crate) fn set_awake(&self, worker: usize, awake: bool) {
        self.queues[worker].awake.store(awake, Ordering::SeqCst);
    }

    /// Whether some worker sleeps.
    pub(crate) fn one_sleeps(&self) -> bool {
        let mut queues = self.queues.iter();
        queues.any(|queue| !queue.awake.load(Ordering::Relaxed))
    }

    /// Whether the schedule wants the running task to let others go first.
    #[inline(always)]
    pub(crate) fn wants_turn(&self) -> bool {
        self.schedule.as_ref().is_some_and(Schedule::wants_turn)
    }
}

impl Entry {
    fn waits(&self, patience: Duration) -> bool {
        self.since.is_none_or(|since| since.elapsed() >= patience)
    }
}
