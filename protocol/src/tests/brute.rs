//! The oracle: all interleavings of a small skeleton, with the clocks of the memory model.

use crate::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Process and event.
pub(crate) type Point = (usize, usize);

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Truth {
    /// Pairs of accesses that are unordered in some schedule, the lower process first.
    pub(crate) races: BTreeSet<(Point, Point)>,
    pub(crate) deadlock: bool,
    /// Whether a set can come over another process's that the owner has not seen.
    pub(crate) overwrite: bool,
}

type Clock = Vec<usize>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Arrived {
    value: i64,
    set: bool,
    by: usize,
    release: Clock,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Signal {
    base: Clock,
    base_value: i64,
    later: Vec<Arrived>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    at: Vec<usize>,
    /// Whether the process has arrived at the meeting it stands at.
    arrived: Vec<bool>,
    clocks: Vec<Clock>,
    signals: BTreeMap<Cell, Signal>,
    /// By number of the meeting: who came, with what.
    meetings: BTreeMap<(u32, u64, usize), (usize, Clock)>,
}

/// Looks at all interleavings; nothing if there are more than `limit` states.
pub(crate) fn search(skeleton: &Skeleton, limit: usize) -> Option<Truth> {
    let n = skeleton.processes.len();
    let mut truth = Truth::default();
    let first = State {
        at: vec![0; n],
        arrived: vec![false; n],
        clocks: vec![vec![0; n]; n],
        signals: BTreeMap::new(),
        meetings: BTreeMap::new(),
    };
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        let mut moved = false;
        for p in 0..n {
            if let Some(next) = step(skeleton, &state, p, &mut truth) {
                moved = true;
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        let ended = (0..n).all(|p| state.at[p] == skeleton.processes[p].events.len());
        truth.deadlock |= !moved && !ended;
        if seen.len() > limit {
            return None;
        }
    }
    Some(truth)
}

fn join(a: &mut Clock, b: &Clock) {
    for (a, b) in a.iter_mut().zip(b) {
        *a = (*a).max(*b);
    }
}

impl Signal {
    fn value(&self) -> i64 {
        self.later.last().map_or(self.base_value, |last| last.value)
    }

    fn advance(&mut self, count: usize) {
        for arrived in self.later.drain(..count) {
            if arrived.set {
                self.base.fill(0);
            }
            join(&mut self.base, &arrived.release);
            self.base_value = arrived.value;
        }
    }
}

fn step(skeleton: &Skeleton, state: &State, p: usize, truth: &mut Truth) -> Option<State> {
    let process = &skeleton.processes[p];
    let event = process.events.get(state.at[p])?;
    let mut next = state.clone();
    let fresh = || Signal {
        base: vec![0; state.at.len()],
        base_value: 0,
        later: Vec::new(),
    };
    match &event.what {
        What::Access { .. } => unordered(skeleton, state, p, truth),
        What::Add { cell, lo, .. } | What::Set { cell, lo, .. } => {
            let set = matches!(event.what, What::Set { .. });
            let signal = next.signals.entry(*cell).or_insert_with(fresh);
            let mut release = state.clocks[p].clone();
            release[p] = state.at[p] + 1;
            let last_set = signal.later.iter().rev().find(|arrived| arrived.set);
            let over = set && last_set.is_some_and(|last| last.by != p);
            truth.overwrite |= over && waited(skeleton, *cell);
            signal.later.push(Arrived {
                value: if set { *lo } else { signal.value() + lo },
                set,
                by: p,
                release,
            });
            if cell.owner == process.rank {
                signal.advance(signal.later.len());
            }
        }
        What::Wait { cell, cmp, lo, .. } => {
            let signal = next.signals.entry(*cell).or_insert_with(fresh);
            if !cmp.holds(signal.value(), *lo) {
                return None;
            }
            if !cmp.holds(signal.base_value, *lo) {
                let run = signal
                    .later
                    .iter()
                    .position(|arrived| cmp.holds(arrived.value, *lo));
                signal.advance(run.unwrap() + 1);
            }
            join(&mut next.clocks[p], &signal.base);
        }
        What::Meet {
            group,
            signal,
            offset,
            ..
        } => {
            let same = |event: &&Event| match &event.what {
                What::Meet {
                    signal: s,
                    offset: o,
                    ..
                } => s == signal && o == offset,
                _ => false,
            };
            let number = process.events[..state.at[p]].iter().filter(same).count();
            let key = (signal.map_or(u32::MAX, |signal| signal.0), *offset, number);
            let came = next
                .meetings
                .entry(key)
                .or_insert_with(|| (0, vec![0; state.at.len()]));
            if !state.arrived[p] {
                let mut release = state.clocks[p].clone();
                release[p] = state.at[p] + 1;
                join(&mut came.1, &release);
                came.0 += 1;
                next.arrived[p] = true;
                return Some(next);
            }
            if came.0 < skeleton.groups[group.index()].members.len() {
                return None;
            }
            join(&mut next.clocks[p], &came.1);
            next.arrived[p] = false;
        }
        What::Outside { .. } | What::Foreign { .. } => {}
    }
    next.at[p] += 1;
    Some(next)
}

fn waited(skeleton: &Skeleton, cell: Cell) -> bool {
    let mut events = skeleton
        .processes
        .iter()
        .flat_map(|process| &process.events);
    events.any(|event| matches!(event.what, What::Wait { cell: other, .. } if other == cell))
}

/// Notes the accesses done before that the next one of `p` is not ordered after.
fn unordered(skeleton: &Skeleton, state: &State, p: usize, truth: &mut Truth) {
    let here = &skeleton.processes[p].events[state.at[p]];
    for q in (0..state.at.len()).filter(|q| *q != p) {
        for before in state.clocks[p][q]..state.at[q] {
            if conflict(&skeleton.processes[q].events[before].what, &here.what) {
                let (a, b) = ((q, before), (p, state.at[p]));
                truth.races.insert((a.min(b), a.max(b)));
            }
        }
    }
}

fn conflict(a: &What, b: &What) -> bool {
    use AccessKind::*;
    let (
        What::Access {
            kind: k,
            buffer: x,
            owner: o,
            runs: r,
        },
        What::Access {
            kind: l,
            buffer: y,
            owner: p,
            runs: s,
        },
    ) = (a, b)
    else {
        return false;
    };
    let bytes = |runs: &[Run]| -> BTreeSet<u64> {
        let pieces = runs
            .iter()
            .flat_map(|run| (0..run.count).map(|k| run.base + k * run.stride));
        let pieces: Vec<u64> = pieces.collect();
        let length = runs[0].length;
        pieces
            .into_iter()
            .flat_map(|base| base..base + length)
            .collect()
    };
    x == y
        && o == p
        && !matches!((k, l), (Read, Read) | (Atomic, Atomic))
        && bytes(r).intersection(&bytes(s)).next().is_some()
}
