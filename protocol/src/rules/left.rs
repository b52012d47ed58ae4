//! 206: barriers and collectives that find counts of notifies in their signal.
//!
//! While somebody stands before the wait of a meeting on one of its cells, what others than
//! meetings have added there has to come to nothing. Adds that come before in every schedule
//! count; one that comes in some only is wrong in itself, since with it or without it something
//! is left.

use super::{At, Case, finding};
use crate::explore::Explorer;
use crate::order::Run;
use crate::system::{Act, Key};
use crate::{Finding, Moment, witness};
use rustc_hash::{FxHashMap, FxHashSet};

/// All of them, one for each meeting's operation; `explorer` where orders have to be confirmed.
pub(super) fn over(case: &Case, mut explorer: Option<&mut Explorer>) -> Vec<Finding> {
    let adds = direct(case);
    let mut sites = FxHashSet::default();
    let mut findings = Vec::new();
    for (wait, cell) in waits(case) {
        let site = case.system.skeleton.event(case.point(wait)).site;
        let Some(adds) = adds.get(&cell).filter(|_| !sites.contains(&site)) else {
            continue;
        };
        if case.orders.frontiers.end[wait.0] < wait.1 {
            continue;
        }
        if let Some((add, trace)) = left(case, wait, adds, explorer.as_deref_mut()) {
            sites.insert(site);
            findings.push(report(case, wait, add, &trace));
        }
    }
    findings
}

/// Adds by notifies, by cell.
fn direct(case: &Case) -> FxHashMap<u32, Vec<(At, i64)>> {
    let mut adds: FxHashMap<u32, Vec<(At, i64)>> = FxHashMap::default();
    for (process, line) in case.system.lines.iter().enumerate() {
        for (at, op) in line.ops.iter().enumerate() {
            if let (Act::Add { cell, value }, None) = (op.act, op.meeting)
                && value != 0
            {
                adds.entry(cell)
                    .or_default()
                    .push(((process, at as u32), value));
            }
        }
    }
    adds
}

/// Waits of meetings on real cells.
fn waits(case: &Case) -> Vec<(At, u32)> {
    let mut waits = Vec::new();
    for (process, line) in case.system.lines.iter().enumerate() {
        for (at, op) in line.ops.iter().enumerate() {
            if let (Act::Wait { cell, .. }, Some(_)) = (op.act, op.meeting)
                && matches!(case.system.cells[cell as usize], Key::Cell(_))
            {
                waits.push(((process, at as u32), cell));
            }
        }
    }
    waits
}

/// An add of which something is left before a wait, and a trace that gets there.
fn left(
    case: &Case,
    wait: At,
    adds: &[(At, i64)],
    explorer: Option<&mut Explorer>,
) -> Option<(At, Vec<u32>)> {
    let frontiers = &case.orders.frontiers;
    let held = frontiers.held(wait.0, wait.1);
    let is_before = |&(add, _): &&(At, i64)| match add.0 == wait.0 {
        true => add.1 < wait.1,
        false => frontiers.before(*add, wait),
    };
    let can_be = |&(add, _): &&(At, i64)| add.1 < held[add.0];
    let sum = |trace: &[u32]| total(case, trace, adds);
    let odd = adds.iter().find(|add| can_be(add) && !is_before(add));
    let Some(explorer) = explorer else {
        let traces = match odd {
            Some(&(add, _)) => around(case, wait, add),
            None => vec![witness::slice(case.system, case.orders, [wait, wait])],
        };
        let trace = traces.into_iter().find(|trace| sum(trace) != 0)?;
        let last = odd.or(adds.iter().rfind(is_before))?;
        return Some((last.0, trace));
    };
    let mut candidates: Vec<&(At, i64)> = adds.iter().filter(can_be).collect();
    candidates.retain(|(add, _)| add.0 != wait.0);
    for &&(add, _) in &candidates {
        for after in [add.1 + 1, add.1] {
            let met = explorer.meet(wait, (add.0, after)).met;
            if let Some(trace) = met.filter(|trace| sum(trace) != 0) {
                return Some((add, trace));
            }
        }
    }
    // What comes before in every schedule may have nobody standing beside it any more.
    let trace = explorer.meet(wait, wait).met?;
    let at = reached(case, &trace);
    let last = adds.iter().rfind(|((process, op), _)| *op < at[*process])?;
    (sum(&trace) != 0).then_some((last.0, trace))
}

/// Traces to the wait with an add and without it: in one of the longest ones, at least, something
/// is left.
fn around(case: &Case, wait: At, add: At) -> Vec<Vec<u32>> {
    let (with, without) = ((add.0, add.1 + 1), add);
    let short = [with, without].map(|add| witness::slice(case.system, case.orders, [wait, add]));
    let mut traces = short.to_vec();
    let mut stop: Vec<u32> = case
        .system
        .lines
        .iter()
        .map(|line| line.ops.len() as u32)
        .collect();
    (stop[wait.0], stop[add.0]) = (wait.1, add.1);
    let mut run = Run::new(&case.orders.plan, stop);
    run.trace = Some(Vec::new());
    run.go();
    traces.extend(run.trace.clone());
    run.allow(add.0, add.1 + 1);
    run.go();
    traces.extend(run.trace);
    traces
}

/// How far each process is after a trace.
fn reached(case: &Case, trace: &[u32]) -> Vec<u32> {
    let mut at = vec![0_u32; case.system.lines.len()];
    for &process in trace {
        at[process as usize] += 1;
    }
    at
}

fn total(case: &Case, trace: &[u32], adds: &[(At, i64)]) -> i64 {
    let at = reached(case, trace);
    let done = adds.iter().filter(|((process, op), _)| *op < at[*process]);
    done.fold(0, |sum, (_, value)| sum.saturating_add(*value))
}

fn report(case: &Case, wait: At, add: At, trace: &[u32]) -> Finding {
    let skeleton = case.system.skeleton;
    let (point, other) = (case.point(wait), case.point(add));
    let (a, b) = (skeleton.side(point), skeleton.side(other));
    let (who, by) = (skeleton.who(point.0), skeleton.who(other.0));
    let text = format!(
        "{who} {}, and {by} {}: a count can be left there when it is entered",
        a.does, b.does
    );
    let missing = "a signal of its own, or the count taken back before, by a notify of the \
                   negative count to the own rank"
        .to_string();
    let last = format!("{} waits", skeleton.brief(point));
    let mut found = finding(case.system, 206, a, text, missing);
    found.b = Some(b);
    let last = [(point, Moment::Waits, last)];
    (found.schedule, found.table) = witness::show(case.system, trace, &last);
    found
}
