//! Schedules: they lead to what they show, with as few signals as can be.

use super::random::{Style, skeleton};
use crate::*;
use fastrand::Rng;
use std::collections::{BTreeMap, HashSet, VecDeque};

type State = (Vec<usize>, BTreeMap<Cell, i64>);

/// Does the next event of a process, if it can be done.
fn step(skeleton: &Skeleton, (at, cells): &State, process: usize) -> Option<State> {
    let event = skeleton.processes[process].events.get(at[process])?;
    let (mut at, mut cells) = (at.clone(), cells.clone());
    match event.what {
        What::Add { cell, lo, .. } => *cells.entry(cell).or_default() += lo,
        What::Set { cell, lo, .. } => drop(cells.insert(cell, lo)),
        What::Wait { cell, cmp, lo, .. }
            if !cmp.holds(cells.get(&cell).copied().unwrap_or(0), lo) =>
        {
            return None;
        }
        _ => {}
    }
    at[process] += 1;
    Some((at, cells))
}

fn is_access(skeleton: &Skeleton, process: usize, at: usize) -> bool {
    let event = skeleton.processes[process].events.get(at);
    event.is_some_and(|event| matches!(event.what, What::Access { .. }))
}

/// Passes over accesses, but not beyond the goals.
fn skip(skeleton: &Skeleton, state: &mut State, goals: &[(usize, usize)]) {
    for process in 0..state.0.len() {
        while is_access(skeleton, process, state.0[process])
            && !goals.contains(&(process, state.0[process]))
        {
            state.0[process] += 1;
        }
    }
}

/// The least number of signals after which both goals are next.
fn least(skeleton: &Skeleton, goals: &[(usize, usize)]) -> usize {
    let mut first: State = (vec![0; skeleton.processes.len()], BTreeMap::new());
    skip(skeleton, &mut first, goals);
    let mut seen = HashSet::from([first.clone()]);
    let mut open = VecDeque::from([(first, 0)]);
    while let Some((state, count)) = open.pop_front() {
        if goals.iter().all(|&(process, at)| state.0[process] == at) {
            return count;
        }
        for process in 0..state.0.len() {
            if goals.contains(&(process, state.0[process])) {
                continue;
            }
            if let Some(mut next) = step(skeleton, &state, process) {
                skip(skeleton, &mut next, goals);
                if seen.insert(next.clone()) {
                    open.push_back((next, count + 1));
                }
            }
        }
    }
    panic!("the goals are never next together");
}

#[test]
fn schedules_of_races_are_right_and_least() {
    let mut seen = 0;
    for (seed, style) in (0..600).flat_map(|seed| [(seed, Style::Monotone), (seed, Style::Flag)]) {
        let skeleton = skeleton(&mut Rng::with_seed(seed), style);
        let events = || {
            skeleton
                .processes
                .iter()
                .flat_map(|process| &process.events)
        };
        if events().any(|event| matches!(event.what, What::Meet { .. })) {
            continue;
        }
        for finding in check(std::slice::from_ref(&skeleton), &Limits::default()).findings {
            let sides = match finding.code {
                201..=203 => [&finding.a, finding.b.as_ref().unwrap()],
                207 => [&finding.more[0], &finding.more[1]],
                _ => continue,
            };
            let goals = sides.map(|side| {
                let process = side.process as usize;
                let events = &skeleton.processes[process].events;
                (
                    process,
                    events
                        .iter()
                        .position(|event| event.site == side.site)
                        .unwrap(),
                )
            });
            let mut state: State = (vec![0; skeleton.processes.len()], BTreeMap::new());
            let (signals, last) = finding.schedule.split_at(finding.schedule.len() - 2);
            for &process in signals {
                skip(&skeleton, &mut state, &goals);
                state = step(&skeleton, &state, process as usize).expect("the step can be done");
            }
            skip(&skeleton, &mut state, &goals);
            for (&process, (goal, at)) in last.iter().zip(goals) {
                assert_eq!(process as usize, goal, "seed {seed}");
                assert_eq!(state.0[goal], at, "seed {seed} {style:?}");
            }
            assert_eq!(
                signals.len(),
                least(&skeleton, &goals),
                "seed {seed} {style:?}"
            );
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}
