//! 205: barriers and collectives that not all reach, or in different order.

use super::{Case, finding, member, wait};
use crate::describe::{Point, ranks};
use crate::{Finding, What};
use rustc_hash::FxHashMap;

/// Meetings of one number at which ranks call different operations.
pub(super) fn kinds(case: &Case) -> Vec<Finding> {
    let skeleton = case.system.skeleton;
    let kind = |point: Point| match &skeleton.event(point).what {
        What::Meet { kind, .. } => kind.as_str(),
        _ => "",
    };
    let mut first: FxHashMap<u32, Point> = FxHashMap::default();
    // One difference makes all later ones.
    let mut lines: FxHashMap<_, (u32, Point, Point)> = FxHashMap::default();
    let mut counts: FxHashMap<_, u32> = FxHashMap::default();
    for (process, line) in case.system.lines.iter().enumerate() {
        for (at, op) in line.ops.iter().enumerate() {
            let Some(meeting) = op
                .meeting
                .filter(|_| at == 0 || line.ops[at - 1].event != op.event)
            else {
                continue;
            };
            let here = (process, op.event as usize);
            let earlier = *first.entry(meeting).or_insert(here);
            let what = case.system.meetings[meeting as usize];
            let signal = (what.group, what.signal, what.offset);
            *counts
                .entry((signal, skeleton.processes[process].rank))
                .or_default() += 1;
            if kind(earlier) != kind(here)
                && lines.get(&signal).is_none_or(|old| old.0 > what.number)
            {
                lines.insert(signal, (what.number, earlier, here));
            }
        }
    }
    let mut findings: Vec<Finding> = Vec::new();
    for (signal, (number, earlier, here)) in lines {
        let count = |point: Point| counts[&(signal, skeleton.processes[point.0].rank)];
        // The rank that calls more has the one that the others miss.
        let (a, b) = match count(earlier) > count(here) {
            true => (earlier, here),
            false => (here, earlier),
        };
        let text = format!(
            "{} calls '{}' where {} calls '{}', as call {number} (from 0) of the group on this signal",
            skeleton.who(a.0),
            kind(a),
            skeleton.who(b.0),
            kind(b)
        );
        let missing =
            "all ranks of a group call the same collectives in the same order".to_string();
        let mut found = finding(case.system, 205, skeleton.side(a), text, missing);
        found.b = Some(skeleton.side(b));
        findings.push(found);
    }
    findings.sort_by_key(|finding| (finding.a.site, finding.a.process));
    findings
}

/// Meetings that somebody is stuck at because others have ended or stand at another one, or are
/// never dispatched.
pub(super) fn missing(case: &Case) -> Vec<Finding> {
    let skeleton = case.system.skeleton;
    let blocks = blocks(case);
    if !blocks.is_empty() {
        return blocks;
    }
    let arrivals = arrivals(case);
    let mut findings: Vec<Finding> = Vec::new();
    let mut seen = Vec::new();
    for (process, op) in case.stuck() {
        let Some(meeting) = case
            .meeting((process, op))
            .filter(|meeting| !seen.contains(meeting))
        else {
            continue;
        };
        seen.push(meeting);
        let point = case.point((process, op));
        let group = case.system.meetings[meeting as usize].group;
        let members = skeleton.groups[group.index()].members.iter().copied();
        let come = &arrivals[&meeting];
        let reached = |rank| come.iter().any(|&(other, _, here)| here && other == rank);
        let missing: Vec<u32> = members.filter(|&rank| !reached(rank)).collect();
        let never = |rank: &u32| !come.iter().any(|(other, ..)| other == rank);
        let absent: Vec<u32> = skeleton
            .absent(point, group)
            .into_iter()
            .filter(never)
            .collect();
        let absent: Vec<u32> = absent
            .into_iter()
            .filter(|rank| missing.contains(rank))
            .collect();
        if !absent.is_empty() {
            findings.extend(member::absent(case, point, &absent));
            continue;
        }
        let Some((rank, other)) = missing
            .iter()
            .find_map(|&rank| Some((rank, elsewhere(case, rank)?)))
        else {
            continue;
        };
        let side = skeleton.side(point);
        let where_ = match other {
            Some(other) => format!("{} {}", skeleton.who(other.0), skeleton.side(other).does),
            None => format!("rank {rank} has ended"),
        };
        let text = format!(
            "{} {}, but {} never {}: {where_}",
            skeleton.who(process),
            side.does,
            ranks(&missing),
            if missing.len() == 1 {
                "reaches it"
            } else {
                "reach it"
            }
        );
        let need = "all ranks of the group have to call it, and in the same order: take it out of \
                    what only some of them run"
            .to_string();
        if let Some(other) = other
            && let Some(other_op) = case.stuck().find(|&stuck| case.point(stuck) == other)
        {
            seen.extend(case.meeting(other_op));
        }
        let mut found = case.deadlock(205, side, text, need);
        found.b = other.map(|other| skeleton.side(other));
        findings.push(found);
    }
    findings
}

/// Meetings that not all blocks of a rank come to: one is stuck at a cell of the check itself
/// that nobody will raise, or all of them at such cells.
fn blocks(case: &Case) -> Vec<Finding> {
    let skeleton = case.system.skeleton;
    let stuck: Vec<(usize, u32)> = case.stuck_at_all().collect();
    let inside =
        |at: &&(usize, u32)| case.hidden(at.0, at.1) && skeleton.processes[at.0].block.is_some();
    let hidden = stuck.iter().filter(inside);
    let mut blamed: Vec<_> = hidden
        .clone()
        .filter(|&&at| wait::hopeless(case, at))
        .collect();
    if case.stuck().next().is_none() && blamed.is_empty() {
        blamed = hidden.take(1).collect();
    }
    let mut findings: Vec<Finding> = Vec::new();
    for &&at in &blamed {
        let point = case.point(at);
        let event = skeleton.event(point);
        if findings.iter().any(|finding| finding.a.site == event.site) {
            continue;
        }
        let op = &skeleton.sites[event.site.index()].op;
        let mut side = skeleton.side(point);
        side.does = format!("calls '{op}'");
        (side.cell, side.value) = (None, None);
        let text = format!(
            "{} calls '{op}', but not all blocks of its rank do, or they call others first",
            skeleton.who(at.0)
        );
        let need = "all blocks of a rank have to call it, and in the same order".to_string();
        findings.push(case.deadlock(205, side, text, need));
    }
    findings
}

/// By meeting: the ranks that ever call it, where, and whether they got so far.
fn arrivals(case: &Case) -> FxHashMap<u32, Vec<(u32, Point, bool)>> {
    let mut arrivals: FxHashMap<u32, Vec<_>> = FxHashMap::default();
    for (process, line) in case.system.lines.iter().enumerate() {
        for (at, op) in line.ops.iter().enumerate() {
            let first = at == 0 || line.ops[at - 1].event != op.event;
            if let Some(meeting) = op.meeting.filter(|_| first) {
                let here = case.end.at[process] > at as u32;
                let rank = case.system.skeleton.processes[process].rank;
                arrivals.entry(meeting).or_default().push((
                    rank,
                    (process, op.event as usize),
                    here,
                ));
            }
        }
    }
    arrivals
}

/// Where a rank is that is missing at a meeting: at another one, or at its end (`Some(None)`);
/// nothing if it is at a wait, which is then what is wrong.
fn elsewhere(case: &Case, rank: u32) -> Option<Option<Point>> {
    let processes = &case.system.skeleton.processes;
    let mut other = None;
    for (process, op) in case
        .stuck()
        .filter(|(process, _)| processes[*process].rank == rank)
    {
        case.meeting((process, op))?;
        other = Some(case.point((process, op)));
    }
    Some(other)
}
