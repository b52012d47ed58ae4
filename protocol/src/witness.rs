//! The shortest interleaving that shows a finding.

use crate::class::Orders;
use crate::describe::{Point, needs};
use crate::order::{Run, Step};
use crate::system::{Act, Key, Op, System};
use crate::{Moment, Row, Table};

/// A trace in which each process of the goals has done just so many ops, with nothing done that
/// is not needed for it. Only for systems in which nothing is explored.
pub(crate) fn slice(system: &System, orders: &Orders, goals: [(usize, u32); 2]) -> Vec<u32> {
    let steps = &orders.plan.steps;
    let mut stop: Vec<u32> = steps.iter().map(|steps| steps.len() as u32).collect();
    for (process, ops) in goals {
        stop[process] = ops;
    }
    let mut run = Run::new(&orders.plan, stop);
    run.trace = Some(Vec::new());
    run.go();
    let mut time: Vec<Vec<usize>> = steps.iter().map(|_| Vec::new()).collect();
    for (now, &process) in run.trace.iter().flatten().enumerate() {
        time[process as usize].push(now);
    }
    let mut releases: Vec<Vec<(usize, u32)>> = vec![Vec::new(); orders.plan.cells];
    for (process, line) in system.lines.iter().enumerate() {
        let done = &line.ops[..time[process].len()];
        for (at, op) in done
            .iter()
            .enumerate()
            .filter(|(_, op)| op.act.is_release())
        {
            releases[op.act.cell() as usize].push((process, at as u32));
        }
    }
    Slice {
        orders,
        time,
        releases,
        at: vec![0; steps.len()],
        value: vec![0; orders.plan.cells],
        trace: Vec::new(),
    }
    .reach(goals)
}

struct Slice<'a> {
    orders: &'a Orders,
    /// When each op is done in a greedy run; what is needed for it is done before.
    time: Vec<Vec<usize>>,
    releases: Vec<Vec<(usize, u32)>>,
    at: Vec<u32>,
    value: Vec<i64>,
    trace: Vec<u32>,
}

impl Slice<'_> {
    fn reach(mut self, goals: [(usize, u32); 2]) -> Vec<u32> {
        let mut goals: Vec<(usize, u32)> = goals.into_iter().rev().collect();
        while let Some(&(process, ops)) = goals.last() {
            let ops = ops.min(self.time[process].len() as u32);
            if self.at[process] >= ops {
                goals.pop();
            } else if let Some(helper) = self.step(process) {
                goals.push(helper);
            }
        }
        self.trace
    }

    /// Does a step, or says what has to be done for it first.
    fn step(&mut self, process: usize) -> Option<(usize, u32)> {
        let at = self.at[process];
        match self.orders.plan.steps[process][at as usize] {
            Step::Raise { cell, by } => {
                let value = &mut self.value[cell as usize];
                *value = value.saturating_add(by);
            }
            Step::Lift { cell, to } => {
                self.value[cell as usize] = to.max(self.value[cell as usize]);
            }
            Step::Need { cell, least } if self.value[cell as usize] < least => {
                let now = self.time[process][at as usize];
                let releases = self.releases[cell as usize].iter();
                let left = releases.filter(|(helper, release)| {
                    *release >= self.at[*helper] && self.time[*helper][*release as usize] < now
                });
                let cheapest = left.min_by_key(|(helper, release)| release - self.at[*helper]);
                if let Some(&(helper, release)) = cheapest {
                    return Some((helper, release + 1));
                }
            }
            _ => {}
        }
        self.at[process] += 1;
        self.trace.push(process as u32);
        None
    }
}

/// What a reader sees of a trace: who goes on, and what happens. Cells of the check itself are
/// left out; a meeting is seen when it is arrived at and when it is left, and in all its parts where
/// others use its cells. `last` comes after it.
pub(crate) fn show(
    system: &System,
    trace: &[u32],
    last: &[(Point, Moment, String)],
) -> (Vec<u32>, Table) {
    let skeleton = system.skeleton;
    let mut at = vec![0_usize; system.lines.len()];
    let mut schedule = Vec::new();
    let mut rows = Vec::new();
    for &process in trace {
        let line = &system.lines[process as usize];
        let place = at[process as usize];
        at[process as usize] += 1;
        let op = line.ops[place];
        let hidden = match system.cells[op.act.cell() as usize] {
            Key::Cell(cell) => skeleton.is_private(cell.buffer),
            Key::Meeting(_) => false,
        };
        let of_same = |other: Option<&Op>| other.is_some_and(|other| other.event == op.event);
        let first = place == 0 || !of_same(line.ops.get(place - 1));
        let ends = !of_same(line.ops.get(place + 1));
        let event = (process as usize, op.event as usize);
        // Within a collective more happens than these.
        let is_barrier = skeleton.event(event).is_barrier();
        let within = within(system, op).filter(|_| is_barrier);
        if hidden || !(first || ends || within.is_some()) {
            continue;
        }
        let brief = skeleton.brief(event);
        let (moment, text) = match (op.meeting, within) {
            (None, _) => (Moment::Signal, brief),
            (_, Some(act)) => (Moment::Within, format!("{brief}: {act}")),
            _ if ends => (Moment::Passes, format!("{brief} passes")),
            _ => (Moment::Arrives, format!("{brief} arrives")),
        };
        schedule.push(process);
        rows.push((process, event, moment, text));
    }
    for (point, moment, text) in last {
        schedule.push(point.0 as u32);
        rows.push((point.0 as u32, *point, *moment, text.clone()));
    }
    let mut columns: Vec<u32> = schedule.clone();
    columns.sort_unstable();
    columns.dedup();
    let rows = rows.into_iter().map(|(process, point, moment, text)| Row {
        column: columns.partition_point(|&column| column < process),
        moment,
        text,
        site: skeleton.event(point).site,
    });
    let rows = rows.collect();
    let columns = columns
        .iter()
        .map(|&process| skeleton.who(process as usize))
        .collect();
    (schedule, Table { columns, rows })
}

/// What an op does that is part of a barrier on cells that others use, too.
fn within(system: &System, op: Op) -> Option<String> {
    let Key::Cell(cell) = system.cells[op.act.cell() as usize] else {
        return None;
    };
    op.meeting?;
    let (element, owner) = (cell.offset / 4, cell.owner);
    Some(match op.act {
        Act::Wait { cmp, value, .. } => {
            format!("wait cell {element} {}", needs(cmp, value, value))
        }
        Act::Add { value, .. } | Act::Set { value, .. } => {
            format!("add {value} to cell {element} of rank {owner}")
        }
    })
}

/// The value of each cell after a trace.
pub(crate) fn values(system: &System, trace: &[u32]) -> Vec<i64> {
    let mut at = vec![0; system.lines.len()];
    let mut values = vec![0_i64; system.cells.len()];
    for &process in trace {
        let place = &mut at[process as usize];
        match system.lines[process as usize].ops[*place].act {
            Act::Add { cell, value } => {
                values[cell as usize] = values[cell as usize].saturating_add(value);
            }
            Act::Set { cell, value } => values[cell as usize] = value,
            Act::Wait { .. } => {}
        }
        *place += 1;
    }
    values
}
