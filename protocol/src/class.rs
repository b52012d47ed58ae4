//! Which cells behave like counters that only rise, and how.
//!
//! Beside those that do so as they stand there are idioms that come to the same: an owner that
//! takes back what it waited for, waits for an exact value, one process that sets rising values,
//! and a flag that is set, waited for and reset in turn. The last ones have something to prove;
//! where the proof fails the cell is explored instead, and nothing is concluded from the form.

use crate::Cmp;
use crate::order::{Frontiers, Plan, Step};
use crate::system::{Act, System};

/// The steps of a system, what is ordered in them, and which cells they do not describe.
pub(crate) struct Orders {
    pub(crate) plan: Plan,
    pub(crate) frontiers: Frontiers,
    /// By cell: whether it is explored.
    pub(crate) general: Vec<bool>,
    /// Steps passed over on the way.
    pub(crate) work: u64,
}

/// An op on a cell: process, place in its line, what.
type Use = (usize, u32, Act);

/// What has to hold for a form.
enum Duty {
    /// While the process does not go beyond its first `op` ops, the cell never exceeds this
    /// sum of adds, or this set value.
    AtMost { process: usize, op: u32, bound: i64 },
    /// The set happens only after the reset.
    ResetFirst {
        reset: (usize, u32),
        set: (usize, u32),
    },
}

/// A cell's form: the steps of its ops, in the order of its uses.
struct Form {
    steps: Vec<Step>,
    duties: Vec<Duty>,
}

impl Orders {
    /// Classifies the cells; cells that are `forced` are explored in any case.
    pub(crate) fn new(system: &System, forced: &[bool]) -> Orders {
        let uses = uses(system);
        let mut general = forced.to_vec();
        let mut work = 0;
        loop {
            let forms: Vec<Option<Form>> = (0..uses.len())
                .map(|cell| match general[cell] {
                    true => None,
                    false => form(cell as u32, &uses[cell]),
                })
                .collect();
            let plan = plan(system, &uses, &forms);
            let frontiers = Frontiers::new(system, &plan);
            work += system.ops() * (system.lines.len() as u64 + 1);
            let mut failed = false;
            for (cell, form) in forms.iter().enumerate() {
                let holds = form.as_ref().is_some_and(|form| {
                    let holds = |duty| holds(system, &frontiers, &uses[cell], duty);
                    form.duties.iter().all(holds)
                });
                failed |= form.is_some() && !holds;
                general[cell] = !holds;
            }
            if !failed {
                return Orders {
                    plan,
                    frontiers,
                    general,
                    work,
                };
            }
        }
    }
}

fn uses(system: &System) -> Vec<Vec<Use>> {
    let mut uses = vec![Vec::new(); system.cells.len()];
    for (process, line) in system.lines.iter().enumerate() {
        for (at, op) in line.ops.iter().enumerate() {
            uses[op.act.cell() as usize].push((process, at as u32, op.act));
        }
    }
    uses
}

fn plan(system: &System, uses: &[Vec<Use>], forms: &[Option<Form>]) -> Plan {
    let lines = system.lines.iter();
    let mut steps: Vec<_> = lines
        .map(|line| vec![Step::General; line.ops.len()])
        .collect();
    for (uses, form) in uses.iter().zip(forms) {
        for ((process, at, _), step) in uses.iter().zip(form.iter().flat_map(|form| &form.steps)) {
            steps[*process][*at as usize] = *step;
        }
    }
    Plan {
        steps,
        cells: system.cells.len(),
    }
}

fn form(cell: u32, uses: &[Use]) -> Option<Form> {
    let has = |test: fn(&Act) -> bool| uses.iter().any(|(_, _, act)| test(act));
    let waits = has(|act| matches!(act, Act::Wait { .. }));
    let adds = has(|act| matches!(act, Act::Add { .. }));
    let sets = has(|act| matches!(act, Act::Set { .. }));
    match (waits, adds, sets) {
        (false, _, _) => Some(Form {
            steps: vec![Step::Pass; uses.len()],
            duties: Vec::new(),
        }),
        (true, true, true) => None,
        (true, false, true) => rising(cell, uses).or_else(|| flag(cell, uses)),
        (true, _, false) => counter(cell, uses),
    }
}

/// Positive adds by anybody, negative ones by the only process that waits.
fn counter(cell: u32, uses: &[Use]) -> Option<Form> {
    let taker = |use_: &&Use| matches!(use_.2, Act::Add { value, .. } if value < 0);
    if let Some(&(taker, ..)) = uses.iter().find(taker) {
        let others = uses.iter().any(|&(process, _, act)| {
            process != taker
                && match act {
                    Act::Add { value, .. } => value < 0,
                    _ => !act.is_release(),
                }
        });
        if others {
            return None;
        }
    }
    let mut form = Form {
        steps: Vec::new(),
        duties: Vec::new(),
    };
    let mut waiter = Waiter::default();
    for &(process, at, act) in uses {
        waiter.turn_to(process);
        form.steps.push(match act {
            Act::Add { value, .. } if value < 0 => {
                let taken = planted!(TakenIsForgotten, value, 0);
                waiter.taken = waiter.taken.checked_sub(taken)?;
                Step::Pass
            }
            Act::Add { value, .. } => Step::Raise { cell, by: value },
            Act::Wait { cmp, value, .. } => {
                let least = waiter.wait(cmp, value, at, &mut form.duties)?;
                Step::Need { cell, least }
            }
            Act::Set { .. } => return None,
        });
    }
    Some(form)
}

/// Sets by one process, to values that do not fall.
fn rising(cell: u32, uses: &[Use]) -> Option<Form> {
    let mut form = Form {
        steps: Vec::new(),
        duties: Vec::new(),
    };
    let mut last: Option<(usize, i64)> = None;
    let mut waiter = Waiter::default();
    for &(process, at, act) in uses {
        waiter.turn_to(process);
        form.steps.push(match act {
            Act::Set { value, .. } => {
                let (setter, least) = last.unwrap_or((process, 0));
                if setter != process || value < least {
                    return None;
                }
                last = Some((process, value));
                Step::Lift { cell, to: value }
            }
            Act::Wait { cmp, value, .. } => {
                let least = waiter.wait(cmp, value, at, &mut form.duties)?;
                Step::Need { cell, least }
            }
            Act::Add { .. } => return None,
        });
    }
    Some(form)
}

/// What is known of the process whose uses are gone through.
#[derive(Default)]
struct Waiter {
    process: usize,
    /// How much it has taken from the cell so far.
    taken: i64,
    /// What the cell has reached for sure, counting what was taken.
    reached: i64,
}

impl Waiter {
    fn turn_to(&mut self, process: usize) {
        if self.process != process {
            *self = Waiter {
                process,
                ..Waiter::default()
            };
        }
    }

    /// The least sum that lets a wait pass, if it comes to that.
    fn wait(&mut self, cmp: Cmp, value: i64, op: u32, duties: &mut Vec<Duty>) -> Option<i64> {
        let least = match cmp {
            Cmp::Ge => value.checked_add(self.taken)?,
            Cmp::Gt => value.checked_add(self.taken)?.checked_add(1)?,
            Cmp::Eq => {
                let bound = value.checked_add(self.taken)?;
                let process = self.process;
                duties.push(Duty::AtMost { process, op, bound });
                bound
            }
            // It never lies below, so "not equal" is "above".
            Cmp::Ne if self.reached.checked_sub(self.taken)? >= value => {
                value.checked_add(self.taken)?.checked_add(1)?
            }
            Cmp::Ne | Cmp::Lt | Cmp::Le => return None,
        };
        self.reached = self.reached.max(least);
        Some(least)
    }
}

/// One process sets, another waits and resets to 0, in turn.
fn flag(cell: u32, uses: &[Use]) -> Option<Form> {
    let wait = |use_: &&Use| !use_.2.is_release();
    let &(owner, ..) = uses.iter().find(wait)?;
    let mut sets: Vec<(usize, u32, i64)> = Vec::new();
    for &(process, at, act) in uses.iter().filter(|(process, ..)| *process != owner) {
        match act {
            Act::Set { value, .. } if sets.first().is_none_or(|set| set.0 == process) => {
                sets.push((process, at, value));
            }
            _ => return None,
        }
    }
    let (mut waits, mut resets) = (0, Vec::new());
    let mut steps = Vec::new();
    for &(process, at, act) in uses {
        steps.push(match act {
            _ if process != owner => Step::Raise { cell, by: 1 },
            Act::Wait { cmp, value, .. } => {
                let set = sets.get(waits).map(|set| set.2);
                let fits = set.is_none_or(|set| cmp.holds(set, value)) && !cmp.holds(0, value);
                if waits != resets.len() || !fits {
                    return None;
                }
                waits += 1;
                let least = waits as i64;
                Step::Need { cell, least }
            }
            Act::Set { value: 0, .. } if resets.len() + 1 == waits => {
                resets.push((process, at));
                Step::Pass
            }
            _ => return None,
        });
    }
    if sets.len() > resets.len() + 1 {
        return None;
    }
    let later = sets.iter().skip(1).zip(resets);
    let duties = later.map(|(&(setter, at, _), reset)| Duty::ResetFirst {
        reset,
        set: (setter, at),
    });
    Some(Form {
        duties: duties.collect(),
        steps,
    })
}

fn holds(system: &System, frontiers: &Frontiers, uses: &[Use], duty: &Duty) -> bool {
    match *duty {
        Duty::AtMost { process, op, bound } => {
            let at = frontiers.held(process, op);
            let done = uses.iter().filter(|(p, place, _)| *place < at[*p]);
            let value = done.fold(0_i64, |value, (_, _, act)| match *act {
                Act::Add { value: by, .. } => value.saturating_add(by.max(0)),
                Act::Set { value: to, .. } => value.max(to),
                Act::Wait { .. } => value,
            });
            planted!(ExactIsNeverMissed, value <= bound, true)
        }
        Duty::ResetFirst { reset, set } => {
            debug_assert!(set.1 < system.lines[set.0].ops.len() as u32);
            let first = frontiers.before(reset, (set.0, set.1 + 1));
            planted!(ResetIsAlwaysFirst, first, true)
        }
    }
}
