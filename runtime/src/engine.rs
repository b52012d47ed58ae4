//! Ranks as tasks on workers: running, waiting, waking, and the end of a run.
//!
//! **No wake-up is lost.** A waiting coroutine suspends first; then its worker publishes WAITING and reads the cell
//! again. A notify changes the cell first and then reads the state. Both are sequentially consistent, so at least one
//! side sees the other, and whoever swaps WAITING for READY queues the task, once. A woken wait tests its cell again.
//!
//! **A deadlock is final.** `active` counts tasks that neither wait nor have ended. A waker adds one before it queues a
//! task, a worker subtracts one after it has published WAITING, so the count is never too low; and only tasks wake
//! tasks. With one worker an empty queue says the same.
//!
//! **Where one worker is alone** ([`crate::crew`]) all this is done by plain loads and stores, and without locks.

use crate::blocks::{self, Blocks, Team};
use crate::context::{Ctx, panic_text, state};
use crate::crew::Crew;
use crate::deadlock;
use crate::fiber::{End, Fiber, Pause, run_dispatches};
use crate::history::History;
use crate::host::Plan;
use crate::memory::Block;
use crate::overflow::AlternateStack;
use crate::poll::{LastPoll, Quiet};
use crate::queue::Queues;
use crate::races::{MOST_RANKS, Races};
use crate::replay::Follower;
use crate::run::{Counters, Shared, Site, lock};
use crate::stack::{Guard, Slab};
use crate::weak::StoreBuffer;
use crate::window::Windows;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The code of one rank, or of one of its blocks.
pub(crate) struct Task {
    pub(crate) ctx: Ctx,
    /// Made at the first step.
    fiber: UnsafeCell<Option<Fiber>>,
    last_poll: LastPoll,
    /// Held while another worker must not add to this rank's memory.
    pub(crate) adding: Mutex<()>,
    /// Made when the rank first starts blocks.
    team: OnceLock<Box<Team>>,
}

impl Task {
    pub(crate) fn new(ctx: Ctx) -> Self {
        Self {
            ctx,
            team: OnceLock::new(),
            fiber: UnsafeCell::default(),
            last_poll: LastPoll::default(),
            adding: Mutex::default(),
        }
    }
}

// SAFETY: only the worker that took a task from a queue touches its fiber, until the task waits or is queued again; the
// rest may be shared.
unsafe impl Sync for Task {}

/// The device phase of a run.
pub(crate) struct Engine {
    shared: Arc<Shared>,
    pub(crate) windows: Windows,
    /// By rank.
    pub(crate) tasks: Box<[Task]>,
    /// Numbered behind the ranks.
    pub(crate) blocks: Blocks,
    pub(crate) queues: Queues,
    pub(crate) crew: Crew,
    pub(crate) quiet: Quiet,
    pub(crate) races: Option<Races>,
    /// Whether stores become visible late: tasks have a buffer for them.
    pub(crate) delays: bool,
    /// Present if the run follows a given order.
    pub(crate) replay: Option<Mutex<Follower>>,
    /// Kept if rounds are counted or the run is observed.
    pub(crate) history: Option<History>,
    pub(crate) start: Instant,
    stacks: Slab,
    /// Tasks that neither wait nor have ended.
    active: AtomicUsize,
    _host_memory: Vec<Block>,
}

impl Engine {
    /// Prepares the ranks; on failure says so in `shared`.
    pub(crate) fn new(shared: &Arc<Shared>, plan: Plan) -> Option<Box<Self>> {
        let options = &shared.options;
        let follows = options.rounds || options.observer.is_some();
        let replay = options.replay.as_ref();
        let workers = match options.seed == 0 && !options.weak && !follows && replay.is_none() {
            true => options.workers.clamp(1, options.world),
            false => 1,
        };
        let busy = plan.dispatches.iter().filter(|d| !d.is_empty()).count();
        let Some(stacks) = Slab::new(busy, options.stack_bytes, Guard::Advice) else {
            shared.fail(format!(
                "no address space for {busy} stacks of {} bytes",
                options.stack_bytes
            ));
            return None;
        };
        let ranks = plan.dispatches.into_iter().enumerate();
        let tasks =
            ranks.map(|(rank, dispatches)| Task::new(Ctx::of_rank(shared, rank, dispatches)));
        let engine = Box::new(Self {
            shared: Arc::clone(shared),
            windows: plan.windows,
            tasks: tasks.collect(),
            blocks: Blocks::default(),
            queues: Queues::new(workers, options.world, options.seed),
            crew: Crew::new(workers),
            quiet: Quiet::new(workers > 1),
            races: (options.races && options.world <= MOST_RANKS)
                .then(|| Races::new(options.world, workers > 1)),
            delays: options.weak,
            replay: replay.map(|script| Mutex::new(Follower::new(script))),
            history: follows.then(|| History::new(options.world)),
            start: Instant::now(),
            stacks,
            active: AtomicUsize::new(busy),
            _host_memory: plan.blocks,
        });
        for (rank, task) in engine.tasks.iter().enumerate() {
            engine.prepare(task, rank, None);
            if task.ctx.state.load(Ordering::Relaxed) == state::READY {
                engine.queues.push(engine.crew.is_alone(), 0, 0, rank);
            }
        }
        Some(engine)
    }

    /// Completes task `number`, of a rank or of this block of it.
    pub(crate) fn prepare(&self, task: &Task, number: usize, block: Option<usize>) {
        task.ctx.attach(self);
        let options = &self.shared.options;
        let mut local = task.ctx.local.borrow_mut();
        local.tracker = self.races.as_ref().map(|races| match block {
            None => races.tracker(number),
            Some(block) => races.tracker_of_block(task.ctx.rank().unwrap_or(0), block),
        });
        local.delayed = options.weak.then(|| StoreBuffer::new(options.seed, number));
    }

    /// A task by its number: ranks first, then blocks.
    pub(crate) fn task(&self, number: usize) -> &Task {
        match self.tasks.get(number) {
            Some(task) => task,
            None => self.blocks.get(number - self.tasks.len()),
        }
    }

    /// All tasks, of ranks and of their blocks.
    pub(crate) fn all_tasks(&self) -> impl Iterator<Item = &Task> {
        let blocks = (0..self.blocks.len()).map(|number| self.blocks.get(number));
        self.tasks.iter().chain(blocks)
    }

    pub(crate) fn team(&self, rank: usize) -> &Team {
        self.tasks[rank].team.get_or_init(Box::default)
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    pub(crate) fn site(&self, site: i64) -> Site {
        self.shared().site(site)
    }

    pub(crate) fn counters(&self) -> Vec<Counters> {
        let mut counters: Vec<_> = self.tasks.iter().map(|task| task.ctx.counters()).collect();
        for number in 0..self.blocks.len() {
            let ctx = &self.blocks.get(number).ctx;
            if let Ok(rank) = ctx.rank() {
                counters[rank].add(&ctx.counters());
            }
        }
        counters
    }

    /// Ranks with nothing to run.
    pub(crate) fn idle_ranks(&self) -> usize {
        let idle = |task: &&Task| task.ctx.dispatches.is_empty();
        self.tasks.iter().filter(idle).count()
    }

    pub(crate) fn checks_races(&self) -> bool {
        self.races.is_some()
    }

    /// Whether accesses to the own slice matter to more than the rank itself.
    #[inline]
    pub(crate) fn follows_own(&self) -> bool {
        let options = &self.shared().options;
        self.races.is_some() || options.weak || options.observer.is_some()
    }

    /// More than one worker may run now.
    #[inline]
    pub(crate) fn parallel(&self) -> bool {
        !self.crew.is_alone()
    }

    /// Runs all ranks to the end of the run.
    pub(crate) fn run(&self) {
        std::thread::scope(|scope| {
            for worker in 1..self.crew.workers() {
                scope.spawn(move || self.work(worker));
            }
            self.work(0);
        });
        let stuck = self
            .tasks
            .iter()
            .any(|task| task.ctx.state.load(Ordering::SeqCst) == state::WAITING);
        if stuck {
            self.shared().conclude(|| deadlock::describe(self));
        }
        let unfinished = self.replay.as_ref();
        if let Some(why) = unfinished.and_then(|replay| lock(replay).unfinished()) {
            self.shared().stray(why);
        }
    }

    fn work(&self, worker: usize) {
        let _stack = AlternateStack::ensure();
        let tasks = AssertUnwindSafe(|| {
            while let Some(task) = self.next(worker) {
                self.step(worker, task);
            }
        });
        if let Err(panic) = catch_unwind(tasks) {
            self.shared().fail(panic_text(&*panic));
        }
        self.crew.wake_all();
    }

    /// The next task to run, or `None` at the end of the run.
    #[inline]
    fn next(&self, worker: usize) -> Option<usize> {
        loop {
            if self.shared().stopped() {
                return None;
            }
            if worker == 0 {
                if self.crew.remains_alone() {
                    self.queues.gather();
                }
                self.crew.admit();
            } else if self.crew.must_park(worker) {
                self.queues.set_awake(worker, false);
                self.crew.park(|| self.is_over(), || self.queues.has(0));
                self.queues.set_awake(worker, true);
            }
            let alone = self.crew.is_alone();
            if alone && worker != 0 {
                if self.is_over() {
                    return None;
                }
                continue;
            }
            if let Some((task, late)) = self.queues.pop(alone, worker) {
                if late && self.queues.one_sleeps() {
                    self.crew.wake_all();
                }
                return Some(task);
            }
            if alone {
                return None;
            }
            if let Some(task) = self.look_around(worker) {
                return Some(task);
            }
            if self.is_over() {
                return None;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.shared().stopped() || self.active.load(Ordering::SeqCst) == 0
    }

    /// A task that another worker leaves, or `None` if there is one here by now, or nothing happens for long.
    #[cold]
    fn look_around(&self, worker: usize) -> Option<usize> {
        /// Longer than another worker needs for what makes tasks wait for each other most often.
        const SPIN: Duration = Duration::from_micros(100);
        let start = Instant::now();
        loop {
            if let Some(task) = self.queues.steal(worker) {
                return Some(task);
            }
            if self.queues.has(worker) || self.is_over() || self.crew.must_park(worker) {
                return None;
            }
            if start.elapsed() >= SPIN {
                break;
            }
            (0..32).for_each(|_| std::hint::spin_loop());
        }
        self.queues.set_awake(worker, false);
        if !self.queues.has(worker) && !self.is_over() {
            self.crew.nap();
        }
        self.queues.set_awake(worker, true);
        None
    }

    /// Runs one task until it pauses or ends.
    fn step(&self, worker: usize, index: usize) {
        let task = self.task(index);
        task.ctx.state.store(state::RUNNING, Ordering::Relaxed);
        let last = task.ctx.worker.replace(worker);
        if last != worker {
            let known = (last != Ctx::NO_WORKER).then_some(last);
            self.queues.moved(known, Some(worker));
        }
        let outcome = self
            .crew
            .pace(worker, || self.resume(task), || self.queues.has(worker));
        match outcome {
            Ok(Pause::Wait) => self.publish_wait(worker, index),
            Ok(Pause::Turn) => self.requeue(worker, index),
            Ok(Pause::Poll) => {
                if let Some(times) = self.quiet.due() {
                    self.examine(times);
                }
                self.requeue(worker, index);
            }
            Ok(Pause::Stopped) => task.ctx.state.store(state::STOPPED, Ordering::SeqCst),
            Err(End::Done) => {
                task.ctx.state.store(state::DONE, Ordering::SeqCst);
                self.quiet.changed();
                self.queues.moved(Some(worker), None);
                task.ctx.worker.set(Ctx::NO_WORKER);
                match task.ctx.rank() {
                    Ok(rank) if index >= self.tasks.len() => self.block_ended(worker, rank),
                    _ => {
                        let progress = self.shared().options.progress.as_deref();
                        progress.inspect(|progress| progress.rank_ended());
                    }
                }
                self.retire();
            }
            Err(End::Overflow) => self.shared().fail(task.ctx.overflow()),
        }
    }

    fn resume(&self, task: &Task) -> Result<Pause, End> {
        // SAFETY: this worker took the task from a queue.
        let fiber = unsafe { &mut *task.fiber.get() };
        if fiber.is_none() {
            let job = task.ctx.job.get();
            let slot = match job {
                None => self.stacks.take(),
                Some(_) => self.blocks.take_stack(self.shared.options.stack_bytes),
            };
            let Some(slot) = slot else {
                self.shared()
                    .fail(format!("no stack for {}", task.ctx.name()));
                return Ok(Pause::Stopped);
            };
            let body = if job.is_some() {
                blocks::run
            } else {
                run_dispatches
            };
            *fiber = Some(Fiber::new(slot, &task.ctx, body));
        }
        let Some(running) = fiber.as_mut() else {
            return Err(End::Done);
        };
        let outcome = running.resume();
        match outcome {
            Ok(Pause::Poll) => self.quiet.polled(&task.ctx, &task.last_poll, running.top),
            Err(End::Done) => fiber
                .take()
                .and_then(Fiber::into_slot)
                .into_iter()
                .for_each(|slot| match task.ctx.job.get() {
                    None => self.stacks.put(slot),
                    Some(_) => self.blocks.put_stack(slot),
                }),
            _ => {}
        }
        outcome
    }

    fn requeue(&self, worker: usize, index: usize) {
        let state = &self.task(index).ctx.state;
        state.store(state::READY, Ordering::Release);
        self.queues
            .push(self.crew.is_alone(), worker, worker, index);
    }

    /// Ends the run if its polling tasks can only go on polling. A task that may have left its loop and works on without
    /// a runtime call shows itself by not having polled between two examinations.
    fn examine(&self, times: u64) {
        let polled = |task: &Task| self.quiet.is_idle(&task.ctx, &task.last_poll);
        if self.all_tasks().filter(|task| !polled(task)).count() == 0 && times > 1 {
            self.shared().conclude(|| deadlock::describe(self));
        }
    }

    /// Makes a suspended task wait, unless its condition has come to hold meanwhile.
    #[inline]
    fn publish_wait(&self, worker: usize, index: usize) {
        let ctx = &self.task(index).ctx;
        if self.crew.is_alone() {
            ctx.state.store(state::WAITING, Ordering::Relaxed);
            return self.retire();
        }
        ctx.state.store(state::WAITING, Ordering::SeqCst);
        if !ctx.wait.holds() {
            return self.retire();
        }
        match ctx.state.compare_exchange(
            state::WAITING,
            state::READY,
            Ordering::SeqCst,
            Ordering::SeqCst,
        ) {
            Ok(_) => self.queues.push(false, worker, worker, index),
            // A waker was faster, and has counted and queued the task.
            Err(_) => self.retire(),
        }
    }

    #[inline]
    fn retire(&self) {
        if self.crew.is_alone() {
            let left = self.active.load(Ordering::Relaxed) - 1;
            self.active.store(left, Ordering::Relaxed);
        } else if self.active.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.crew.wake_all();
        }
    }

    /// Counts one more task that neither waits nor has ended.
    #[inline]
    pub(crate) fn count_active(&self) {
        if self.crew.is_alone() {
            let now = self.active.load(Ordering::Relaxed) + 1;
            self.active.store(now, Ordering::Relaxed);
        } else {
            self.active.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Wakes what waits on `cell` of `rank` and whose condition holds; called after the cell has changed.
    #[inline(always)]
    pub(crate) fn wake(&self, waker: usize, rank: usize, cell: &AtomicI32) {
        self.wake_task(waker, rank, cell);
        if let Some(team) = self.tasks[rank].team.get() {
            team.each(|number| self.wake_task(waker, number, cell));
        }
    }

    #[inline(always)]
    fn wake_task(&self, waker: usize, number: usize, cell: &AtomicI32) {
        let ctx = &self.task(number).ctx;
        if ctx.state.load(Ordering::SeqCst) != state::WAITING
            || !ctx.wait.is_on(cell)
            || !ctx.wait.holds()
        {
            return;
        }
        let alone = self.crew.is_alone();
        if alone {
            ctx.state.store(state::READY, Ordering::Relaxed);
        } else if ctx
            .state
            .compare_exchange(
                state::WAITING,
                state::READY,
                Ordering::SeqCst,
                Ordering::SeqCst,
            )
            .is_err()
        {
            return;
        }
        self.count_active();
        self.queues.push(alone, waker, ctx.worker.get(), number);
    }
}
