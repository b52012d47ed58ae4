//! Where events are written down.

use super::Machine;
use pld_protocol::{AccessKind, BufferId, Event, PathId, Run, SiteId, What};
use std::collections::HashMap;

/// Steps that an event and each of its runs count for, so that their number is bounded, too.
const STEPS: u64 = 8;
/// Accesses between two signals that are kept apart; of more, those of one operation are one
/// event.
const APART: usize = 64;
/// Runs that one event has, at most.
const MOST_RUNS: usize = 256;

/// Which accesses are of one kind.
type Kind = (SiteId, AccessKind, BufferId, u32, bool);

/// The accesses of a process since its last signal.
#[derive(Debug, Default)]
pub(super) struct Segment {
    number: usize,
    /// The first event of each kind.
    first: HashMap<Kind, usize>,
}

impl Machine<'_> {
    /// Something happens in the process at hand; `certain` if it surely does where it is said to.
    pub(super) fn event(&mut self, site: SiteId, what: What, certain: bool) {
        if let Some(here) = &self.here {
            self.event_in(here.process, site, what, certain);
        }
    }

    pub(super) fn event_in(&mut self, process: usize, site: SiteId, what: What, certain: bool) {
        if self.dry > 0 || self.stopped.contains(&process) {
            return;
        }
        let may = !certain || self.may > 0;
        if self.joins(process, site, &what, may) {
            return;
        }
        let runs = match &what {
            What::Access { runs, .. } => runs.len() as u64,
            _ => 0,
        };
        self.steps = self.steps.saturating_sub(STEPS * (1 + runs));
        let event = Event {
            what,
            site,
            path: self.path(),
            may,
        };
        self.skeleton.processes[process].events.push(event);
    }

    /// Whether an access has become part of an earlier event of its operation.
    fn joins(&mut self, process: usize, site: SiteId, what: &What, may: bool) -> bool {
        let segment = self.segments.entry(process).or_default();
        let What::Access {
            kind,
            buffer,
            owner,
            runs,
        } = what
        else {
            *segment = Segment::default();
            return false;
        };
        segment.number += 1;
        let events = &mut self.skeleton.processes[process].events;
        let first = segment.first.entry((site, *kind, *buffer, *owner, may));
        let first = *first.or_insert(events.len());
        if segment.number <= APART {
            return false;
        }
        match events.get_mut(first).map(|event| &mut event.what) {
            Some(What::Access { runs: known, .. }) if known.len() < MOST_RUNS => {
                runs.iter().for_each(|&run| add(known, run));
                true
            }
            _ => {
                let key = (site, *kind, *buffer, *owner, may);
                segment.first.insert(key, events.len());
                false
            }
        }
    }

    /// The way to here.
    pub(super) fn path(&mut self) -> PathId {
        let mut parent = PathId(0);
        for (step, known) in &mut self.paths {
            parent = *known.get_or_insert_with(|| {
                let id = PathId(self.skeleton.paths.len() as u32);
                self.skeleton.paths.push(pld_protocol::Path {
                    parent: Some(parent),
                    step: step.clone(),
                });
                id
            });
        }
        parent
    }
}

/// Adds pieces to those that are known; one that goes on where the last ends becomes part of it.
fn add(known: &mut Vec<Run>, run: Run) {
    if known.iter().any(|whole| holds(whole, &run)) {
        return;
    }
    if let Some(last) = known.last_mut()
        && run.count == 1
        && run.length == last.length
        && let Some(distance) = run.base.checked_sub(last.base)
    {
        if last.count == 1 && distance >= last.length {
            (last.stride, last.count) = (distance, 2);
            return;
        }
        if last.stride.checked_mul(last.count) == Some(distance) {
            last.count += 1;
            return;
        }
    }
    known.push(run);
}

/// Whether a run is another, or one of its pieces.
fn holds(whole: &Run, part: &Run) -> bool {
    if whole == part {
        return true;
    }
    let distance = part.base.checked_sub(whole.base);
    part.count == 1
        && part.length == whole.length
        && distance.is_some_and(|distance| {
            let stride = whole.stride.max(1);
            distance % stride == 0 && distance / stride < whole.count
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(base: u64) -> Run {
        Run {
            base,
            stride: 4,
            count: 1,
            length: 4,
        }
    }

    /// A sweep is one run, whatever its step; what is met again adds nothing.
    #[test]
    fn joins_sweeps() {
        for step in [4, 16] {
            let mut runs = Vec::new();
            for k in (0..10).chain(0..10) {
                add(&mut runs, piece(100 + k * step));
            }
            let [run] = runs[..] else {
                panic!("{runs:?}");
            };
            assert_eq!((run.base, run.stride, run.count), (100, step, 10));
        }
    }

    /// Pieces that do not follow each other stay apart.
    #[test]
    fn keeps_others_apart() {
        let mut runs = Vec::new();
        for base in [0, 8, 12, 0, 2] {
            add(&mut runs, piece(base));
        }
        let all: Vec<_> = runs.iter().map(|run| (run.base, run.count)).collect();
        assert_eq!(all, [(0, 2), (12, 1), (2, 1)]);
    }
}
