//! The rules, each on one system.

mod borrowed;
mod cell;
mod collective;
mod left;
mod member;
mod peer;
mod race;
mod wait;

use crate::class::Orders;
use crate::describe::Point;
use crate::explore::{Explored, Explorer};
use crate::order::Run;
use crate::system::{Key, System};
use crate::{Finding, Limits, Severity, Side, Table, witness};

pub(crate) use peer::outside;

/// An op: process and place in its line.
type At = (usize, u32);

/// What the rules say of one system.
#[derive(Default)]
pub(crate) struct Verdict {
    pub(crate) findings: Vec<Finding>,
    /// What is not decided, as sentences.
    pub(crate) undecided: Vec<String>,
    pub(crate) steps: u64,
    pub(crate) states: u64,
}

/// A system with all that the rules ask of it.
struct Case<'a> {
    system: &'a System<'a>,
    orders: &'a Orders,
    end: End,
}

/// A state in which nobody can go on.
struct End {
    at: Vec<u32>,
    trace: Vec<u32>,
    /// Whether every schedule ends there.
    always: bool,
}

impl Case<'_> {
    /// The ops that somebody is stuck at, with their processes; private ones only follow others.
    fn stuck(&self) -> impl Iterator<Item = (usize, u32)> {
        self.stuck_at_all()
            .filter(|&(process, at)| !self.hidden(process, at))
    }

    /// The same with private ones.
    fn stuck_at_all(&self) -> impl Iterator<Item = (usize, u32)> {
        let lines = self.system.lines.iter().zip(&self.end.at).enumerate();
        let stuck = lines.filter(|(_, (line, at))| (**at as usize) < line.ops.len());
        stuck.map(|(process, (_, &at))| (process, at))
    }

    fn hidden(&self, process: usize, op: u32) -> bool {
        let op = self.system.lines[process].ops[op as usize];
        match self.system.cells[op.act.cell() as usize] {
            Key::Cell(cell) => self.system.skeleton.is_private(cell.buffer),
            Key::Meeting(_) => false,
        }
    }

    fn point(&self, (process, op): (usize, u32)) -> Point {
        (
            process,
            self.system.lines[process].ops[op as usize].event as usize,
        )
    }

    fn meeting(&self, (process, op): (usize, u32)) -> Option<u32> {
        self.system.lines[process].ops[op as usize].meeting
    }

    /// A finding about somebody who is stuck.
    fn deadlock(&self, code: u16, a: Side, text: String, missing: String) -> Finding {
        let (schedule, table) = witness::show(self.system, &self.end.trace, &[]);
        Finding {
            stuck: wait::all(self),
            schedule,
            table,
            ..finding(self.system, code, a, text, missing)
        }
    }
}

fn finding(system: &System, code: u16, a: Side, text: String, missing: String) -> Finding {
    Finding {
        code,
        severity: Severity::Error,
        skeleton: 0,
        world: system.skeleton.world,
        also_at: Vec::new(),
        a,
        b: None,
        more: Vec::new(),
        text,
        missing,
        stuck: Vec::new(),
        schedule: Vec::new(),
        table: Table::default(),
        mend: None,
    }
}

/// Applies all rules; races even beside other findings where `races` says so.
pub(crate) fn judge(system: &System, limits: &Limits, races: bool) -> Verdict {
    let mut verdict = Verdict::default();
    let greedy = system.ops().saturating_mul(system.lines.len() as u64 + 1);
    if greedy > limits.steps {
        let limit = limits.steps;
        verdict.undecided.push(format!(
            "the check needs {greedy} steps, but the limit is {limit}: nothing is decided"
        ));
        return verdict;
    }
    let orders = Orders::new(system, &system.unknown);
    verdict.steps = orders.work;
    let general: Vec<usize> = (0..orders.general.len())
        .filter(|&cell| orders.general[cell])
        .collect();
    let unknown = general.iter().any(|&cell| system.unknown[cell]);
    if unknown {
        verdict.undecided.push(
            "data decides the values of a signal that is not only counted up: what waits on it is not decided".to_string(),
        );
    }
    let mut explorer = Explorer::new(system, &orders, limits.states);
    let explored = match general.is_empty() || unknown {
        true => Explored::default(),
        false => explorer.whole(),
    };
    if explored.cut {
        let states = limits.states;
        verdict.undecided.push(format!(
            "signals can come in more than {states} orders that matter: not fully explored"
        ));
    }
    let end = match explored.deadlock {
        Some((at, trace)) => End {
            at,
            trace,
            always: false,
        },
        None => {
            let stop = system.lines.iter().map(|line| line.ops.len() as u32);
            let mut run = Run::new(&orders.plan, stop.collect());
            run.trace = Some(Vec::new());
            run.go();
            End {
                at: run.at,
                trace: run.trace.unwrap_or_default(),
                always: true,
            }
        }
    };
    let case = Case {
        system,
        orders: &orders,
        end,
    };
    let exact = general.is_empty();
    let mut undecided = false;
    let mut findings = cell::mixed(&case);
    if findings.is_empty() && !unknown && !explored.cut {
        let (found, cut) = borrowed::all(&case, &mut explorer.budget);
        findings.extend(found);
        undecided |= cut;
        // What a wait lets pass too early is also left for later.
        if findings.is_empty() {
            findings.extend(left::over(&case, (!exact).then_some(&mut explorer)));
        }
    }
    findings.extend(
        explored
            .overwrite
            .map(|found| cell::overwritten(&case, &found)),
    );
    findings.extend(member::foreign(&case));
    let kinds = collective::kinds(&case);
    // Different calls that meet do so more or less often than the same ones: what follows is not known.
    if kinds.is_empty() {
        findings.extend(collective::missing(&case));
    }
    findings.extend(kinds);
    if findings
        .iter()
        .all(|finding| !matches!(finding.code, 205 | 209))
    {
        findings.extend(wait::stuck(&case));
    }
    if findings.is_empty() || races {
        let confirm = (!exact && !unknown && !explored.cut).then_some(&mut explorer);
        let (found, cut) = race::races(&case, confirm, exact);
        findings.extend(found);
        undecided |= cut;
    }
    if undecided && verdict.undecided.is_empty() {
        let states = limits.states;
        verdict.undecided.push(format!(
            "signals can come in more than {states} orders that matter: not fully explored"
        ));
    }
    verdict.states = (limits.states - explorer.budget) as u64;
    verdict.findings = findings;
    verdict
}
