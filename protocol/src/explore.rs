//! All orders of the signals that do not commute.
//!
//! Everything else is done as soon as it can be: it never keeps anybody from anything, so no
//! deadlock and no meeting of two processes can hide behind it.

use crate::class::Orders;
use crate::order::Step;
use crate::system::{Act, Key, System};
use rustc_hash::FxHashSet;

/// What an exploration found; traces are processes, a step each.
#[derive(Default)]
pub(crate) struct Explored {
    /// The positions of a state that nobody can leave though somebody is not at the end, and how
    /// it is reached.
    pub(crate) deadlock: Option<(Vec<u32>, Vec<u32>)>,
    pub(crate) overwrite: Option<Overwrite>,
    /// How a state that was looked for is reached.
    pub(crate) met: Option<Vec<u32>>,
    /// Whether the states ran out.
    pub(crate) cut: bool,
}

/// A set over what another process set and the owner has not seen: process and place in its line.
pub(crate) struct Overwrite {
    pub(crate) earlier: (usize, u32),
    pub(crate) later: (usize, u32),
    pub(crate) trace: Vec<u32>,
}

/// How far everybody is.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// By process: how many ops it has done.
    pub(crate) at: Vec<u32>,
    /// By cell.
    pub(crate) value: Vec<i64>,
    /// By explored cell that is only set: the value that the owner has seen, and what came after.
    arrivals: Vec<(i64, Vec<Arrival>)>,
}

type Arrival = (i64, (u32, u32));

/// What a state is looked for by.
type Goal<'g> = &'g dyn Fn(&State) -> bool;

pub(crate) struct Explorer<'a> {
    system: &'a System<'a>,
    orders: &'a Orders,
    /// By cell: the last op of each process on it.
    last: Vec<Vec<(u32, u32)>>,
    /// By cell: its place among the arrivals.
    tracked: Vec<Option<u32>>,
    /// States that may still be looked at.
    pub(crate) budget: usize,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(system: &'a System<'a>, orders: &'a Orders, budget: usize) -> Self {
        let mut last: Vec<Vec<(u32, u32)>> = vec![Vec::new(); system.cells.len()];
        let mut added = vec![false; system.cells.len()];
        for (process, line) in system.lines.iter().enumerate() {
            for (at, op) in line.ops.iter().enumerate() {
                let uses = &mut last[op.act.cell() as usize];
                added[op.act.cell() as usize] |= matches!(op.act, Act::Add { .. });
                match uses.last_mut() {
                    Some(entry) if entry.0 == process as u32 => entry.1 = at as u32,
                    _ => uses.push((process as u32, at as u32)),
                }
            }
        }
        let mut count = 0;
        let tracked = added.iter().zip(&orders.general).map(|(&added, &general)| {
            (general && !added).then(|| {
                count += 1;
                count - 1
            })
        });
        Explorer {
            tracked: tracked.collect(),
            system,
            orders,
            last,
            budget,
        }
    }

    /// Looks for deadlocks and overwritten arrivals.
    pub(crate) fn whole(&mut self) -> Explored {
        self.explore(&self.ends(), None)
    }

    /// Looks for a state in which two processes have done exactly so many ops.
    pub(crate) fn meet(&mut self, x: (usize, u32), y: (usize, u32)) -> Explored {
        let mut stop = self.ends();
        stop[x.0] = x.1;
        stop[y.0] = y.1;
        let stands = |state: &State, (process, at): (usize, u32)| state.at[process] == at;
        self.explore(&stop, Some(&|state| stands(state, x) && stands(state, y)))
    }

    /// Looks for a state in which a process has done exactly so many ops and `goal` holds, which may ask for what was done
    /// to explored cells that the process will still use.
    pub(crate) fn stand(&mut self, (process, at): (usize, u32), goal: Goal) -> Explored {
        let mut stop = self.ends();
        stop[process] = at;
        self.explore(&stop, Some(&|state| state.at[process] == at && goal(state)))
    }

    fn ends(&self) -> Vec<u32> {
        let lines = self.system.lines.iter();
        lines.map(|line| line.ops.len() as u32).collect()
    }

    fn explore(&mut self, stop: &[u32], goal: Option<Goal>) -> Explored {
        let mut found = Explored::default();
        let whole = goal.is_none();
        let mut first = self.start(whole);
        let overwrite = self.settle(&mut first, stop, &mut Vec::new());
        self.note(&mut found, overwrite, &[], stop);
        let mut seen = FxHashSet::default();
        seen.insert(first.clone());
        let mut states = vec![first];
        // The state before, and the process that went on from there.
        let mut from: Vec<(u32, u32)> = vec![(0, u32::MAX)];
        let mut next = 0;
        while next < states.len() {
            let state = states[next].clone();
            if goal.is_some_and(|goal| goal(&state)) {
                found.met = Some(self.replay(&choices(&from, next), stop, whole));
                return found;
            }
            let mut stuck = true;
            for process in 0..stop.len() {
                if state.at[process] >= stop[process] || !self.enabled(&state, process) {
                    continue;
                }
                stuck = false;
                let mut after = state.clone();
                let overwrite = self.act(&mut after, process);
                let overwrite = overwrite.or(self.settle(&mut after, stop, &mut Vec::new()));
                if overwrite.is_some() {
                    let mut choices = choices(&from, next);
                    choices.push(process as u32);
                    self.note(&mut found, overwrite, &choices, stop);
                }
                if !seen.insert(after.clone()) {
                    continue;
                }
                if self.budget == 0 {
                    found.cut = true;
                    return found;
                }
                self.budget -= 1;
                from.push((next as u32, process as u32));
                states.push(after);
            }
            let ended = state.at.iter().zip(stop).all(|(at, stop)| at == stop);
            if stuck && !ended && whole && found.deadlock.is_none() {
                let trace = self.replay(&choices(&from, next), stop, whole);
                found.deadlock = Some((state.at, trace));
            }
            next += 1;
        }
        found
    }

    fn start(&self, whole: bool) -> State {
        let tracked = self.tracked.iter().flatten().count();
        State {
            at: vec![0; self.system.lines.len()],
            value: vec![0; self.system.cells.len()],
            arrivals: vec![(0, Vec::new()); if whole { tracked } else { 0 }],
        }
    }

    fn note(&self, found: &mut Explored, wrong: Option<Wrong>, choices: &[u32], stop: &[u32]) {
        if let (Some((earlier, later)), None) = (wrong, &found.overwrite) {
            let trace = self.replay(choices, stop, true);
            found.overwrite = Some(Overwrite {
                earlier,
                later,
                trace,
            });
        }
    }

    fn replay(&self, choices: &[u32], stop: &[u32], whole: bool) -> Vec<u32> {
        let mut state = self.start(whole);
        let mut trace = Vec::new();
        self.settle(&mut state, stop, &mut trace);
        for &process in choices {
            self.act(&mut state, process as usize);
            trace.push(process);
            self.settle(&mut state, stop, &mut trace);
        }
        trace
    }

    /// Does all that commutes with everything else.
    fn settle(&self, state: &mut State, stop: &[u32], trace: &mut Vec<u32>) -> Option<Wrong> {
        let mut wrong = None;
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for (process, &stop) in stop.iter().enumerate() {
                while state.at[process] < stop
                    && self.commutes(state, process)
                    && self.enabled(state, process)
                {
                    wrong = wrong.or(self.act(state, process));
                    trace.push(process as u32);
                    moved = true;
                }
            }
        }
        wrong
    }

    fn step(&self, state: &State, process: usize) -> (Step, Act) {
        let at = state.at[process] as usize;
        let op = self.system.lines[process].ops[at];
        (self.orders.plan.steps[process][at], op.act)
    }

    /// Whether the next op is on a counter that only rises, or on a cell that nobody else will use.
    fn commutes(&self, state: &State, process: usize) -> bool {
        let (step, act) = self.step(state, process);
        step != Step::General
            || self.last[act.cell() as usize].iter().all(|&(other, last)| {
                let done = last < state.at[other as usize];
                other == process as u32 || planted!(EverythingCommutes, done, true)
            })
    }

    fn enabled(&self, state: &State, process: usize) -> bool {
        match self.step(state, process) {
            (Step::Need { cell, least }, _) => state.value[cell as usize] >= least,
            (Step::General, Act::Wait { cell, cmp, value }) => {
                cmp.holds(state.value[cell as usize], value)
            }
            _ => true,
        }
    }

    fn act(&self, state: &mut State, process: usize) -> Option<Wrong> {
        let (step, act) = self.step(state, process);
        let at = state.at[process];
        state.at[process] += 1;
        match (step, act) {
            (Step::Raise { cell, by }, _) => raise(&mut state.value[cell as usize], by),
            (Step::Lift { cell, to }, _) => {
                state.value[cell as usize] = to.max(state.value[cell as usize]);
            }
            (Step::General, Act::Add { cell, value }) => {
                raise(&mut state.value[cell as usize], value);
            }
            (Step::General, Act::Set { cell, value }) => {
                state.value[cell as usize] = value;
                return self.arrive(state, cell, value, (process as u32, at));
            }
            (Step::General, Act::Wait { cell, cmp, value }) => {
                if let Some((base, pending)) = self.arrivals(state, cell)
                    && !cmp.holds(*base, value)
                    && let Some(last) = pending
                        .iter()
                        .position(|arrival| cmp.holds(arrival.0, value))
                {
                    *base = pending[last].0;
                    pending.drain(..=last);
                }
            }
            _ => {}
        }
        None
    }

    fn arrivals<'s>(&self, state: &'s mut State, cell: u32) -> Option<&'s mut (i64, Vec<Arrival>)> {
        let place = self.tracked[cell as usize]?;
        state.arrivals.get_mut(place as usize)
    }

    fn arrive(&self, state: &mut State, cell: u32, value: i64, by: (u32, u32)) -> Option<Wrong> {
        let rank = |process: u32| self.system.skeleton.processes[process as usize].rank;
        let owner = match self.system.cells[cell as usize] {
            Key::Cell(cell) => cell.owner,
            Key::Meeting(_) => return None,
        };
        let (base, pending) = self.arrivals(state, cell)?;
        let unseen = pending.last().map(|arrival| arrival.1);
        match rank(by.0) == owner {
            true => {
                *base = value;
                pending.clear();
            }
            // Only the last one matters for what is overwritten, but a wait may stop at any.
            false => pending.push((value, by)),
        }
        let earlier = unseen.filter(|earlier| earlier.0 != by.0)?;
        Some(((earlier.0 as usize, earlier.1), (by.0 as usize, by.1)))
    }
}

type Wrong = ((usize, u32), (usize, u32));

fn raise(value: &mut i64, by: i64) {
    *value = value.saturating_add(by);
}

/// The processes that went on, from the start to a state.
fn choices(from: &[(u32, u32)], mut state: usize) -> Vec<u32> {
    let mut choices = Vec::new();
    while from[state].1 != u32::MAX {
        choices.push(from[state].1);
        state = from[state].0 as usize;
    }
    choices.reverse();
    choices
}
