//! Runs along a given order of communication operations.
//!
//! A task asks before each call to the runtime. It goes on if its next step is the script's next one, or if the call is
//! none that the script lists: an access, or a part of a barrier or collective that it has come to. It is held while its
//! step is not due, and at its next signal once it has done its part; after the last step nobody is.

use crate::context::{Ctx, Fault};
use crate::device::settle;
use crate::engine::Engine;
use crate::fiber::Pause;
use crate::run::{Site, lock};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

/// An order of communication operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// One operation after another. Of a barrier or collective, the arrival.
    pub steps: Vec<Turn>,
    /// Notifies of which data decides whether, or where to, they go: they may come or not.
    pub uncertain: Vec<Site>,
}

/// The next operation of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// World rank.
    pub rank: usize,
    /// Its block; 0 outside of `pl.spmd`, too.
    pub block: usize,
    /// Which operation. Of its file only the name counts.
    pub site: Site,
    /// How much of it.
    pub part: Part,
}

/// How much of an operation a step is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it; of a barrier or collective, the arrival.
    #[default]
    Whole,
    /// One call to the runtime of a barrier, all of whose calls are steps.
    Call,
    /// The next wait within a barrier or collective that was come to.
    Waits,
}

/// What a call to the runtime does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Access,
    Notify,
    Wait,
}

/// How far a run has followed a script.
pub(crate) struct Follower {
    script: Arc<Replay>,
    /// The step that is due.
    next: usize,
    lines: HashMap<(usize, usize), Line>,
    /// Calls held in a row.
    held: usize,
}

/// What is left for one task.
#[derive(Default)]
struct Line {
    /// Numbers of its steps.
    left: VecDeque<usize>,
    /// The step of the barrier or collective that it came to last.
    met: Option<usize>,
    /// Whether it has not been seen elsewhere since.
    inside: bool,
    /// How often it has waited in there, and notified after a wait.
    waited: usize,
    taken: usize,
}

impl Line {
    /// Whether a call in the barrier that it came to last is the first one of the next: with credits every wait is
    /// followed by a notify that takes back what was waited for, and nothing comes after those.
    fn begins_anew(&self, site: &Site, call: Call) -> bool {
        let is_through = self.waited > 0 && self.taken == self.waited;
        site.op == BARRIER && call == Call::Notify && is_through
    }

    fn enter(&mut self, step: usize) {
        (self.met, self.inside) = (Some(step), true);
        (self.waited, self.taken) = (0, 0);
    }

    fn goes_on_inside(&mut self, call: Call) {
        match call {
            Call::Wait => self.waited += 1,
            Call::Notify if self.waited > 0 => self.taken += 1,
            _ => {}
        }
    }
}

/// The one operation that is nothing but a meeting.
const BARRIER: &str = "pld.barrier";

enum Answer {
    Go,
    Hold,
    Stray(String),
}

impl Follower {
    pub(crate) fn new(script: &Arc<Replay>) -> Self {
        let mut lines: HashMap<_, Line> = HashMap::new();
        for (number, step) in script.steps.iter().enumerate() {
            let line = lines.entry((step.rank, step.block)).or_default();
            line.left.push_back(number);
        }
        Self {
            script: Arc::clone(script),
            next: 0,
            lines,
            held: 0,
        }
    }

    /// Whether the task goes on with a call at `site`. Held `patience` times in a row, nobody can: an access goes on all
    /// the same, as it is not its step then but one like it on the way there. Held twice as often, see [`Self::unblock`].
    fn ask(&mut self, who: (usize, usize), site: &Site, call: Call, patience: usize) -> Answer {
        let mut answer = match self.next == self.script.steps.len() {
            true => Answer::Go,
            false => self.admit(who, site, call),
        };
        if matches!(answer, Answer::Hold) && call == Call::Access && self.held >= patience {
            answer = Answer::Go;
        }
        match answer {
            Answer::Hold if self.held >= 2 * patience => self.unblock(),
            Answer::Hold => self.held += 1,
            _ => self.held = 0,
        }
        match self.is_stuck(2 * patience) {
            Some(why) => Answer::Stray(why),
            None => answer,
        }
    }

    fn admit(&mut self, who: (usize, usize), site: &Site, call: Call) -> Answer {
        let steps = &self.script.steps;
        let line = self.lines.entry(who).or_default();
        let met = |line: &Line| line.met.map(|met| &steps[met].site);
        let is_inside = line.inside && met(line).is_some_and(|met| is_same(met, site));
        let by_calls = line.met.is_some_and(|met| steps[met].part == Part::Call);
        if is_inside && (by_calls || !line.begins_anew(site, call)) {
            let next = line.left.front().copied();
            let of_it = next.filter(|&next| {
                let part = steps[next].part;
                let fits = part == Part::Call || part == Part::Waits && call == Call::Wait;
                fits && is_same(&steps[next].site, site)
            });
            return match of_it {
                Some(next) if next == self.next => {
                    line.left.pop_front();
                    line.met = Some(next);
                    self.next += 1;
                    Answer::Go
                }
                Some(_) => Answer::Hold,
                None if by_calls && next.is_none() => Answer::Hold,
                None => {
                    line.goes_on_inside(call);
                    Answer::Go
                }
            };
        }
        line.inside = false;
        while let Some(&first) = line.left.front() {
            let wanted = &steps[first].site;
            if is_same(wanted, site) {
                if first != self.next {
                    return Answer::Hold;
                }
                line.left.pop_front();
                self.next += 1;
                if site.is_barrier() {
                    line.enter(first);
                }
                return Answer::Go;
            }
            if call == Call::Access && !site.is_barrier() {
                return Answer::Go;
            }
            // Barriers with nothing between them look like one.
            if !met(line).is_some_and(|met| is_same(met, wanted)) {
                let uncertain = &self.script.uncertain;
                return match uncertain.iter().any(|other| is_same(other, site)) {
                    true => Answer::Go,
                    false => Answer::Stray(format!(
                        "rank {} comes to {}, where the schedule has {}",
                        who.0,
                        named(site),
                        named(wanted)
                    )),
                };
            }
            if first != self.next {
                return Answer::Hold;
            }
            line.left.pop_front();
            self.next += 1;
        }
        match call {
            Call::Access if !site.is_barrier() => Answer::Go,
            // Also where this very call was the script's last.
            _ if self.next == steps.len() => Answer::Go,
            _ => Answer::Hold,
        }
    }

    /// Nobody goes on: takes a step for done whose barrier looks like the one before it.
    fn unblock(&mut self) {
        let steps = &self.script.steps;
        let step = &steps[self.next];
        if let Some(line) = self.lines.get_mut(&(step.rank, step.block))
            && line
                .met
                .is_some_and(|met| line.inside && is_same(&steps[met].site, &step.site))
        {
            line.left.pop_front();
            self.next += 1;
            self.held = 0;
        } else {
            self.held += 1;
        }
    }

    fn is_stuck(&self, patience: usize) -> Option<String> {
        (self.held > patience).then(|| self.unfinished()).flatten()
    }

    /// Why the script is not followed to its end, if it is not.
    pub(crate) fn unfinished(&self) -> Option<String> {
        let step = self.script.steps.get(self.next)?;
        Some(format!(
            "the schedule has rank {} at {} next, and it does not come there",
            step.rank,
            named(&step.site)
        ))
    }
}

/// Asks whether a call may go on, and waits until it may.
#[inline(always)]
pub(crate) fn follow(ctx: &Ctx, engine: &Engine, site: i64, call: Call) -> Result<(), Fault> {
    match &engine.replay {
        None => Ok(()),
        Some(follower) => await_turn(ctx, engine, follower, site, call),
    }
}

#[cold]
fn await_turn(
    ctx: &Ctx,
    engine: &Engine,
    follower: &Mutex<Follower>,
    site: i64,
    call: Call,
) -> Result<(), Fault> {
    let who = (ctx.rank()?, ctx.block.get().index);
    let site = engine.site(site);
    settle(ctx, engine);
    loop {
        let patience = 8 + 4 * engine.all_tasks().count();
        let answer = ctx.deep(|| lock(follower).ask(who, &site, call, patience));
        match answer {
            Answer::Go => return Ok(()),
            Answer::Hold => ctx.pause(Pause::Turn),
            Answer::Stray(why) => return Err(Fault::Stray(why)),
        }
    }
}

fn is_same(a: &Site, b: &Site) -> bool {
    let name = |site: &Site| site.file.rsplit(['/', '\\']).next().map(str::to_owned);
    (&a.op, a.line, a.column) == (&b.op, b.line, b.column) && name(a) == name(b)
}

fn named(site: &Site) -> String {
    format!("'{}' at {}", site.op, site.location())
}
