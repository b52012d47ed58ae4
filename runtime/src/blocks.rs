//! Blocks of a rank, which `pl.spmd` starts: block 0 runs on the rank's own task, each other one on a task of its own.
//!
//! A join is a wait for the number of running blocks to be 0, a meeting is one for the number of meetings to change, so
//! both are woken, and found stuck, like waits on signals.

use crate::context::{Ctx, Fault, Function, state};
use crate::device::{tracked, turn};
use crate::engine::{Engine, Task};
use crate::fiber::Pause;
use crate::memory::Block as Memory;
use crate::observe::Action;
use crate::races::Joined;
use crate::run::lock;
use crate::stack::{Guard, Slab, Slot};
use crate::wait::{Compare, Condition};
use crate::weak::StoreBuffer;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

/// Which block a task runs; outside of `pl.spmd`, block 0 of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) index: usize,
    pub(crate) count: usize,
}

impl Block {
    pub(crate) const ONLY: Self = Self { index: 0, count: 1 };
}

/// What the task of a block runs.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    body: Function,
    env: *const u64,
    site: i64,
}

/// The tasks of blocks other than 0, of all ranks, and their stacks. A task stays for the next `pl.spmd` of its rank.
#[derive(Default)]
pub(crate) struct Blocks {
    #[expect(
        clippy::vec_box,
        reason = "a task stays where it is while the list grows"
    )]
    tasks: RwLock<Vec<Box<Task>>>,
    stacks: Mutex<Vec<Slab>>,
}

impl Blocks {
    /// How many tasks there are.
    pub(crate) fn len(&self) -> usize {
        self.tasks
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    pub(crate) fn get(&self, number: usize) -> &Task {
        let tasks = self.tasks.read().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: tasks are boxed, and none is removed as long as this lives.
        unsafe { &*std::ptr::from_ref(&*tasks[number]) }
    }

    fn push(&self, make: impl FnOnce(usize) -> Task) -> usize {
        let mut tasks = self.tasks.write().unwrap_or_else(PoisonError::into_inner);
        let number = tasks.len();
        tasks.push(Box::new(make(number)));
        number
    }

    /// A stack of so many bytes for a block.
    pub(crate) fn take_stack(&self, bytes: usize) -> Option<Slot> {
        const FEWEST: usize = 16;
        let mut slabs = lock(&self.stacks);
        if let Some(slot) = slabs.iter().find_map(Slab::take) {
            return Some(slot);
        }
        let slots = FEWEST << slabs.len().min(16);
        slabs.push(Slab::new(slots, bytes, Guard::Advice)?);
        slabs.last()?.take()
    }

    pub(crate) fn put_stack(&self, slot: Slot) {
        let slabs = lock(&self.stacks);
        if let Some(slab) = slabs.iter().find(|slab| slab.holds(&slot)) {
            slab.put(slot);
        }
    }
}

/// A rank's blocks.
#[derive(Default)]
pub(crate) struct Team {
    /// Numbers of the engine's tasks that run blocks 1, 2 and so on.
    members: Mutex<Vec<usize>>,
    /// How many of them belong to the running `pl.spmd`.
    live: AtomicUsize,
    /// How many of these have not ended.
    pub(crate) running: AtomicI32,
    /// What they did.
    ended: Mutex<Joined>,
    /// Grows when all blocks have met.
    pub(crate) meetings: AtomicI32,
    meeting: Mutex<Meeting>,
}

/// Blocks that have come to the next meeting, and what they did before the last two.
#[derive(Default)]
struct Meeting {
    arrived: usize,
    /// By the parity of the meeting's number: a slow block may still leave one when the next is full.
    releases: [Joined; 2],
    /// Communication rounds before it, the same way.
    rounds: [u32; 2],
}

impl Team {
    fn member(&self, number: usize) -> Option<usize> {
        lock(&self.members).get(number).copied()
    }

    /// Calls `work` with the tasks of all running blocks but block 0.
    pub(crate) fn each(&self, work: impl FnMut(usize)) {
        let live = self.live.load(Ordering::SeqCst);
        if live > 0 {
            lock(&self.members)[..live].iter().copied().for_each(work);
        }
    }

    /// How many blocks have come to the next meeting.
    pub(crate) fn arrived(&self) -> usize {
        lock(&self.meeting).arrived
    }
}

/// Runs `count` blocks and returns when all have ended.
pub(crate) fn spmd(
    ctx: &Ctx,
    count: i64,
    body: Function,
    env: *const u64,
    site: i64,
) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    if ctx.block.get() != Block::ONLY {
        return Err(Fault::Error(format!(
            "{} starts blocks of its own",
            ctx.name()
        )));
    }
    let count = usize::try_from(count).unwrap_or(0);
    if count < 2 {
        (0..count).for_each(|_| body(ctx, env));
        return Ok(());
    }
    let team = engine.team(ctx.rank()?);
    fork(ctx, engine, team, count, Job { body, env, site })?;
    turn(ctx, engine);
    ctx.block.set(Block { index: 0, count });
    body(ctx, env);
    ctx.block.set(Block::ONLY);
    join(ctx, engine, team, site);
    Ok(())
}

fn fork(ctx: &Ctx, engine: &Engine, team: &Team, count: usize, job: Job) -> Result<(), Fault> {
    let rank = ctx.rank()?;
    while lock(&team.members).len() < count - 1 {
        let block = lock(&team.members).len() + 1;
        let number = engine.add_block(rank, block);
        lock(&team.members).push(number);
    }
    drain(ctx);
    team.running.store(count as i32 - 1, Ordering::SeqCst);
    team.live.store(count - 1, Ordering::SeqCst);
    let races = engine.races.as_ref();
    let release = races.and_then(|races| tracked(ctx, |tracker| races.release(tracker)));
    let (dispatch, rounds) = {
        let local = ctx.local.borrow();
        (local.dispatch, local.counters.rounds)
    };
    for index in 1..count {
        let Some(number) = team.member(index - 1) else {
            continue;
        };
        let block = &engine.task(number).ctx;
        block.block.set(Block { index, count });
        block.job.set(Some(job));
        let mut local = block.local.borrow_mut();
        local.dispatch = dispatch;
        local.counters.rounds = local.counters.rounds.max(rounds);
        if let (Some(tracker), Some(release)) = (&mut local.tracker, &release) {
            tracker.acquire(release);
        }
        drop(local);
        engine.start(ctx.worker.get(), number);
    }
    engine.quiet.changed();
    Ok(())
}

/// Waits until all blocks have ended.
fn join(ctx: &Ctx, engine: &Engine, team: &Team, site: i64) {
    let none = Condition {
        compare: Compare::Le,
        value: 0,
    };
    suspend_until(ctx, &team.running, none, site);
    if engine.races.is_some() {
        tracked(ctx, |tracker| tracker.acquire_all(&lock(&team.ended)));
        lock(&team.ended).clear();
    }
    // No pointer to it is left, but its addresses must not be used again before all blocks have ended.
    team.each(|number| {
        let block = engine.task(number);
        let mut local = block.ctx.local.borrow_mut();
        let freed: Vec<Memory> = std::mem::take(&mut local.blocks);
        drop(freed);
        let counters = &mut ctx.local.borrow_mut().counters;
        counters.rounds = counters.rounds.max(local.counters.rounds);
    });
    team.live.store(0, Ordering::SeqCst);
}

/// The body of a block's coroutine.
pub(crate) fn run(ctx: &Ctx) {
    let (Ok(engine), Ok(rank)) = (ctx.engine(), ctx.rank()) else {
        return;
    };
    if let Some(Job { body, env, site }) = ctx.job.get() {
        engine.tell(ctx, site, engine.now(), || Action::Begin);
        body(ctx, env);
        engine.tell(ctx, site, engine.now(), || Action::End);
    }
    drain(ctx);
    ctx.local.borrow_mut().arena.clear();
    if let Some(races) = &engine.races
        && let Some(release) = tracked(ctx, |tracker| races.release(tracker))
    {
        lock(&engine.team(rank).ended).add(release);
    }
}

/// Meets the other blocks of the rank.
pub(crate) fn sync(ctx: &Ctx, site: i64) -> Result<(), Fault> {
    let Block { count, .. } = ctx.block.get();
    if count == 1 {
        return Ok(());
    }
    let engine = ctx.engine()?;
    turn(ctx, engine);
    drain(ctx);
    let rank = ctx.rank()?;
    let team = engine.team(rank);
    let number = team.meetings.load(Ordering::SeqCst);
    let parity = number as usize % 2;
    let races = engine.races.as_ref();
    let release = races.and_then(|races| tracked(ctx, |tracker| races.release(tracker)));
    let all_are_here = {
        let mut meeting = lock(&team.meeting);
        if meeting.arrived == 0 {
            meeting.releases[parity].clear();
            meeting.rounds[parity] = 0;
        }
        let rounds = ctx.local.borrow().counters.rounds;
        meeting.rounds[parity] = meeting.rounds[parity].max(rounds);
        if let Some(release) = release {
            meeting.releases[parity].add(release);
        }
        meeting.arrived = (meeting.arrived + 1) % count;
        meeting.arrived == 0
    };
    if all_are_here {
        team.meetings
            .store(number.wrapping_add(1), Ordering::SeqCst);
        engine.quiet.changed();
        engine.wake(ctx.worker.get(), rank, &team.meetings);
    } else {
        let over = Condition {
            compare: Compare::Ne,
            value: number,
        };
        suspend_until(ctx, &team.meetings, over, site);
    }
    let rounds = lock(&team.meeting).rounds[parity];
    ctx.local.borrow_mut().counters.rounds = rounds;
    if races.is_some() {
        tracked(ctx, |tracker| {
            tracker.acquire_all(&lock(&team.meeting).releases[parity])
        });
    }
    Ok(())
}

/// What the task stored must be seen by what its blocks, or it, do next.
fn drain(ctx: &Ctx) {
    let delayed = &mut ctx.local.borrow_mut().delayed;
    delayed.iter_mut().for_each(StoreBuffer::drain);
}

fn suspend_until(ctx: &Ctx, cell: &AtomicI32, condition: Condition, site: i64) {
    while !condition.holds(cell.load(Ordering::SeqCst)) {
        // SAFETY: the cells of a team live as long as its rank's task.
        unsafe { ctx.wait.set(cell, condition, site) };
        ctx.pause(Pause::Wait);
    }
}

impl Engine {
    /// Adds the task of a rank's block; returns its number.
    fn add_block(&self, rank: usize, block: usize) -> usize {
        let ranks = self.tasks.len();
        let number = self.blocks.push(|number| {
            let task = Task::new(Ctx::of_rank(self.shared(), rank, Vec::new()));
            self.prepare(&task, ranks + number, Some(block));
            task
        });
        ranks + number
    }

    /// Queues the task of a block.
    fn start(&self, worker: usize, number: usize) {
        self.count_active();
        self.task(number)
            .ctx
            .state
            .store(state::READY, Ordering::SeqCst);
        self.queues
            .push(self.crew.is_alone(), worker, worker, number);
    }

    /// Called when a block's task has ended and nobody touches it any more.
    pub(crate) fn block_ended(&self, worker: usize, rank: usize) {
        let running = &self.team(rank).running;
        running.fetch_sub(1, Ordering::SeqCst);
        self.wake(worker, rank, running);
    }
}
