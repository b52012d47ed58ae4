//! What is ordered in every schedule, where no step ever disables another.
//!
//! All schedules then run the same events in the end, so one greedy run finds who is stuck.
//! And `y` can only run after `x` exactly if a greedy run in which the process of `x` stops
//! before it never gets to `y`. Stopping before `x` is stopping before the next release, so one
//! run for each process, that lets it go on by one release at a time, decides all pairs.

use crate::system::System;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What an op does to a counter that only rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Adds.
    Raise { cell: u32, by: i64 },
    /// Brings it to at least that.
    Lift { cell: u32, to: i64 },
    /// Waits until it is at least that.
    Need { cell: u32, least: i64 },
    /// Nothing; a release if the op is one.
    Pass,
    /// As `Pass` here: the cell's ops do not commute, and are explored.
    General,
}

/// The steps of all processes.
pub(crate) struct Plan {
    pub(crate) steps: Vec<Vec<Step>>,
    pub(crate) cells: usize,
}

/// A greedy run.
pub(crate) struct Run<'a> {
    plan: &'a Plan,
    /// How many steps each process has done.
    pub(crate) at: Vec<u32>,
    pub(crate) value: Vec<i64>,
    /// How many steps each process may do.
    stop: Vec<u32>,
    waiting: Vec<BinaryHeap<Reverse<(i64, u32)>>>,
    ready: VecDeque<u32>,
    /// Steps done, in order, by process; kept where asked for.
    pub(crate) trace: Option<Vec<u32>>,
}

impl<'a> Run<'a> {
    /// A run that has not begun, in which process `p` may do `stop[p]` steps.
    pub(crate) fn new(plan: &'a Plan, stop: Vec<u32>) -> Self {
        Run {
            plan,
            at: vec![0; plan.steps.len()],
            value: vec![0; plan.cells],
            stop,
            waiting: vec![BinaryHeap::new(); plan.cells],
            ready: (0..plan.steps.len() as u32).collect(),
            trace: None,
        }
    }

    /// A run without stops, gone to its end.
    pub(crate) fn whole(plan: &'a Plan) -> Self {
        let stop = plan.steps.iter().map(|steps| steps.len() as u32);
        let mut run = Run::new(plan, stop.collect());
        run.go();
        run
    }

    /// Lets a process do up to `stop` steps.
    pub(crate) fn allow(&mut self, process: usize, stop: u32) {
        if self.at[process] == self.stop[process] {
            self.ready.push_back(process as u32);
        }
        self.stop[process] = stop;
    }

    /// Goes on until everybody is at the stop, stuck or at the end.
    pub(crate) fn go(&mut self) {
        while let Some(process) = self.ready.pop_front() {
            while self.at[process as usize] < self.stop[process as usize] && self.step(process) {}
        }
    }

    fn step(&mut self, process: u32) -> bool {
        let at = self.at[process as usize];
        match self.plan.steps[process as usize][at as usize] {
            Step::Raise { cell, by } => {
                self.raise(cell, self.value[cell as usize].saturating_add(by))
            }
            Step::Lift { cell, to } => self.raise(cell, to.max(self.value[cell as usize])),
            Step::Need { cell, least } if self.value[cell as usize] < least => {
                self.waiting[cell as usize].push(Reverse((least, process)));
                return false;
            }
            Step::Need { .. } | Step::Pass | Step::General => {}
        }
        self.at[process as usize] += 1;
        if let Some(trace) = &mut self.trace {
            trace.push(process);
        }
        true
    }

    fn raise(&mut self, cell: u32, value: i64) {
        self.value[cell as usize] = value;
        let waiting = &mut self.waiting[cell as usize];
        while let Some(&Reverse((least, process))) = waiting.peek()
            && least <= value
        {
            waiting.pop();
            self.ready.push_back(process);
        }
    }
}

/// How far everybody gets while one process is held back, for each process and release.
pub(crate) struct Frontiers {
    /// By process held back: rows of one position per process, a row for each number of releases.
    rows: Vec<Vec<u32>>,
    /// By process and number of ops: how many of them are releases.
    releases: Vec<Vec<u32>>,
    /// How far everybody gets if nobody is held back.
    pub(crate) end: Vec<u32>,
}

impl Frontiers {
    pub(crate) fn new(system: &System, plan: &Plan) -> Self {
        let releases: Vec<_> = system
            .lines
            .iter()
            .map(|line| line.releases.clone())
            .collect();
        let rows = (0..plan.steps.len()).map(|process| held(plan, process, &releases[process]));
        Frontiers {
            rows: rows.collect(),
            end: Run::whole(plan).at,
            releases,
        }
    }

    /// How far everybody gets while `process` does not go on beyond its first `ops` ops.
    pub(crate) fn held(&self, process: usize, ops: u32) -> &[u32] {
        let width = self.releases.len();
        let row = self.releases[process][ops as usize] as usize;
        &self.rows[process][row * width..(row + 1) * width]
    }

    /// How far `other` gets while `process` does not go on beyond its first `ops` ops.
    pub(crate) fn reach(&self, process: usize, ops: u32, other: usize) -> u32 {
        self.held(process, ops)[other]
    }

    /// Whether what `y` does after its first `at_y` ops can only happen after what `x` does
    /// right after its first `at_x`.
    pub(crate) fn before(&self, (x, at_x): (usize, u32), (y, at_y): (usize, u32)) -> bool {
        self.reach(x, at_x, y) < at_y
    }
}

fn held(plan: &Plan, process: usize, releases: &[u32]) -> Vec<u32> {
    let mut stop: Vec<u32> = plan.steps.iter().map(|steps| steps.len() as u32).collect();
    let count = releases[releases.len() - 1];
    // The ops that can be done without release number `k` (from 0).
    let without = |k: u32| {
        let count = planted!(HeldOneReleaseLate, k, k + 1);
        (releases.partition_point(|&done| done <= count) - 1) as u32
    };
    stop[process] = without(0);
    let mut run = Run::new(plan, stop);
    run.go();
    let mut rows = run.at.clone();
    for k in 1..=count {
        run.allow(process, without(k));
        run.go();
        rows.extend_from_slice(&run.at);
    }
    rows
}
