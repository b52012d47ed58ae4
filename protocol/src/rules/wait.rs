//! 204: waits that nothing satisfies.

use super::{Case, member};
use crate::describe::{Point, list, needs};
use crate::order::Step;
use crate::system::{Act, Key};
use crate::{BufferKind, Finding, Side, Stuck, What, witness};
use rustc_hash::FxHashSet;

/// Notifies shown for a wait that is stuck.
const SHOWN: usize = 8;

/// Everybody who is stuck.
pub(super) fn all(case: &Case) -> Vec<Stuck> {
    let values = witness::values(case.system, &case.end.trace);
    let stuck = case.stuck().map(|(process, op)| {
        let skeleton = case.system.skeleton;
        let line = &case.system.lines[process];
        let (has, needs) = match line.ops[op as usize].act {
            Act::Wait { cell, cmp, value } => {
                let key = case.system.cells[cell as usize];
                let real = matches!(key, Key::Cell(_)).then_some(values[cell as usize]);
                (real, needs(cmp, value, value))
            }
            _ => (None, String::new()),
        };
        let needs = match case.meeting((process, op)) {
            Some(meeting) => {
                let group = case.system.meetings[meeting as usize].group;
                let count = skeleton.groups[group.index()].members.len();
                format!("all {count} ranks of the group")
            }
            None => needs,
        };
        let from = pending(case, line.ops[op as usize].act.cell());
        Stuck {
            at: skeleton.side(case.point((process, op))),
            has,
            needs,
            from: from
                .iter()
                .take(SHOWN)
                .map(|&at| skeleton.side(case.point(at)))
                .collect(),
        }
    });
    stuck.collect()
}

/// Releases to a cell that have not happened.
fn pending(case: &Case, cell: u32) -> Vec<(usize, u32)> {
    let mut pending = Vec::new();
    for (process, line) in case.system.lines.iter().enumerate() {
        let done = case.end.at[process] as usize;
        let left = line.ops.iter().enumerate().skip(done);
        let left = left.filter(|(_, op)| op.act.is_release() && op.act.cell() == cell);
        pending.extend(left.map(|(at, _)| (process, at as u32)));
    }
    pending
}

/// The waits that are to blame: those that nothing could ever satisfy or, where there are none,
/// a cycle of those who wait for each other.
pub(super) fn stuck(case: &Case) -> Vec<Finding> {
    let waits: Vec<(usize, u32)> = case.stuck().collect();
    let roots = waits.iter().filter(|&&at| hopeless(case, at));
    let mut sites = FxHashSet::default();
    let mut findings: Vec<Finding> = Vec::new();
    for &at in roots {
        let point = case.point(at);
        if sites.insert(case.system.skeleton.event(point).site) {
            findings.push(hopeless_wait(case, at));
        }
    }
    if findings.is_empty() {
        let skeleton = case.system.skeleton;
        let at = waits.iter().filter(|&&at| case.meeting(at).is_none());
        let least = at.min_by_key(|&&at| (skeleton.event(case.point(at)).site, at.0));
        findings.extend(least.or(waits.first()).map(|&at| cycle(case, at)));
    }
    findings
}

/// Whether not even all that is still to come would let the wait pass.
pub(super) fn hopeless(case: &Case, at: (usize, u32)) -> bool {
    let cell = case.system.lines[at.0].ops[at.1 as usize].act.cell();
    // What comes after the wait in its own line cannot help it.
    let mut left = pending(case, cell);
    left.retain(|other| other.0 != at.0);
    let Step::Need { least, .. } = case.orders.plan.steps[at.0][at.1 as usize] else {
        return left.is_empty();
    };
    let step = |(process, op): (usize, u32)| case.orders.plan.steps[process][op as usize];
    let executed = case
        .end
        .at
        .iter()
        .enumerate()
        .flat_map(|(process, &done)| (0..done).map(move |op| (process, op)));
    let of_cell = executed
        .filter(|&(process, op)| case.system.lines[process].ops[op as usize].act.cell() == cell);
    let total = of_cell.chain(left).fold(0_i64, |total, at| match step(at) {
        Step::Raise { by, .. } => total.saturating_add(by),
        Step::Lift { to, .. } => total.max(to),
        _ => total,
    });
    total < least
}

fn hopeless_wait(case: &Case, at: (usize, u32)) -> Finding {
    let skeleton = case.system.skeleton;
    let point = case.point(at);
    if let Some(finding) = absent_notifier(case, point) {
        return finding;
    }
    let side = skeleton.side(point);
    let op = case.system.lines[at.0].ops[at.1 as usize].act;
    let values = witness::values(case.system, &case.end.trace);
    let (has, need) = match op {
        Act::Wait { cell, cmp, value } => (values[cell as usize], needs(cmp, value, value)),
        _ => (0, String::new()),
    };
    let notified = case.system.lines.iter().flat_map(|line| &line.ops);
    let notified = notified.filter(|other| other.act.is_release() && other.act.cell() == op.cell());
    let who = skeleton.who(at.0);
    let does = &side.does;
    let late = pending(case, op.cell()).iter().any(|other| other.0 == at.0);
    let (text, missing) = match (notified.count(), case.end.always) {
        (_, true) if late => (
            format!("{who} {does}, but its own notify to that cell comes only after that"),
            "the notify before the wait".to_string(),
        ),
        (0, _) => (
            format!("{who} {does}, but no notify goes to that cell"),
            others(case, point),
        ),
        (_, true) => (
            format!("{who} {does}, but the cell has {has} in the end and needs {need}"),
            "notifies that add up to what is waited for".to_string(),
        ),
        (_, false) => (
            format!("{who} {does}, but the cell can have {has} by then, and nothing more comes"),
            "a comparison that a later value does not undo, such as `ge`, or a notify that waits \
             until the value has been seen"
                .to_string(),
        ),
    };
    case.deadlock(204, side, text, missing)
}

/// Which other cells of the same signal on this rank are notified and never waited for.
fn others(case: &Case, point: Point) -> String {
    let skeleton = case.system.skeleton;
    let What::Wait { cell, .. } = skeleton.event(point).what else {
        return "a notify to that cell".to_string();
    };
    let events = skeleton
        .processes
        .iter()
        .flat_map(|process| &process.events);
    let mut near: Vec<u64> = events
        .filter_map(|event| match event.what {
            What::Add { cell: other, .. } | What::Set { cell: other, .. } => {
                ((other.buffer, other.owner) == (cell.buffer, cell.owner))
                    .then_some(other.offset / 4)
            }
            _ => None,
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    let near: Vec<String> = near.iter().map(u64::to_string).collect();
    match near.len() {
        0 => format!(
            "a notify to cell {} of rank {}",
            cell.offset / 4,
            cell.owner
        ),
        _ => format!(
            "a notify to cell {} of rank {}; notified there are cells {}",
            cell.offset / 4,
            cell.owner,
            list(&near)
        ),
    }
}

/// The member whose own run of the function would notify, if it were dispatched.
fn absent_notifier(case: &Case, point: Point) -> Option<Finding> {
    let skeleton = case.system.skeleton;
    let What::Wait { cell, .. } = skeleton.event(point).what else {
        return None;
    };
    let BufferKind::Window(group) = skeleton.buffers[cell.buffer.index()].kind else {
        return None;
    };
    let (_, function) = skeleton.dispatch(skeleton.event(point).path)?;
    let mut events = skeleton
        .processes
        .iter()
        .flat_map(|process| &process.events);
    let notifies = events.any(|event| {
        let signal = match event.what {
            What::Add { cell, .. } | What::Set { cell, .. } => Some(cell.buffer),
            _ => None,
        };
        signal == Some(cell.buffer)
            && skeleton
                .dispatch(event.path)
                .is_some_and(|(_, name)| name == function)
    });
    let absent = skeleton.absent(point, group);
    match notifies && !absent.is_empty() {
        true => member::absent(case, point, &absent),
        false => None,
    }
}

fn cycle(case: &Case, at: (usize, u32)) -> Finding {
    let skeleton = case.system.skeleton;
    let point = case.point(at);
    let side = skeleton.side(point);
    let mut seen = vec![at.0];
    let mut links = vec![format!("{} {}", skeleton.who(at.0), side.does)];
    let mut here = at;
    let mut b: Option<Side> = None;
    while let Some(next) = blocker(case, here).filter(|next| !seen.contains(&next.0)) {
        seen.push(next.0);
        let other = skeleton.side(case.point(next));
        links.push(format!("{} {}", skeleton.who(next.0), other.does));
        b.get_or_insert(other);
        here = next;
    }
    let text = format!("ranks wait for each other: {}", links.join("; "));
    let missing = "one of them has to notify before it waits".to_string();
    let mut finding = case.deadlock(204, side.clone(), text, missing);
    finding.b = b.filter(|b| b.site != side.site);
    finding
}

/// Somebody stuck who is yet to release what another waits for.
fn blocker(case: &Case, at: (usize, u32)) -> Option<(usize, u32)> {
    let cell = case.system.lines[at.0].ops[at.1 as usize].act.cell();
    let releases = pending(case, cell);
    let stuck: Vec<(usize, u32)> = case.stuck().collect();
    releases.iter().find_map(|&(process, _)| {
        let of = |&&(other, _): &&(usize, u32)| other == process && other != at.0;
        stuck.iter().find(of).copied()
    })
}
