//! 201, 202, 203 and 207: accesses that are not ordered.
//!
//! For two processes the accesses of one that are not ordered with an access of the other are a
//! contiguous stretch of its line, so binary searches find them.

use super::{Case, finding};
use crate::bytes::common;
use crate::describe::Point;
use crate::explore::Explorer;
use crate::footprint::{Footprint, Kind, footprints};
use crate::order::Step;
use crate::{BufferId, BufferKind, Finding, Moment, Run, Severity, SiteId, witness};
use rustc_hash::{FxHashMap, FxHashSet};

/// Pairs of one pair of operations that are looked at for a wait that is satisfied too early.
const LOOKS: u32 = 32;

/// Two accesses that are not ordered: process, ops before it, event.
#[derive(Clone, Copy)]
struct Pair<'p> {
    x: (usize, u32, u32),
    y: (usize, u32, u32),
    prints: (&'p Footprint<'p>, &'p Footprint<'p>),
    slice: (BufferId, u32),
    run: Run,
    /// The wait that was meant to order them, a process and op.
    reused: Option<(usize, u32)>,
}

/// All pairs of operations that race, one finding for each; and whether some are not decided.
pub(super) fn races(
    case: &Case,
    confirm: Option<&mut Explorer>,
    exact: bool,
) -> (Vec<Finding>, bool) {
    let prints = footprints(case.system);
    let mut search = Search {
        case,
        confirm,
        exact,
        met: FxHashMap::default(),
        undecided: false,
        looks: FxHashMap::default(),
        found: FxHashMap::default(),
    };
    for (&slice, prints) in &prints {
        search.slice(slice, prints);
    }
    let undecided = search.undecided;
    let mut pairs: Vec<_> = search.found.into_values().collect();
    pairs.sort_by_key(|(pair, _)| (pair.x, pair.y));
    let findings = pairs
        .iter()
        .map(|(pair, trace)| report(case, pair, trace.as_deref()));
    (findings.collect(), undecided)
}

type Found<'p> = (Pair<'p>, Option<Vec<u32>>);

/// A process and how many ops it has done.
type Stop = (usize, u32);

struct Search<'c, 's, 'e, 'x, 'p> {
    case: &'c Case<'s>,
    confirm: Option<&'e mut Explorer<'x>>,
    exact: bool,
    /// What exploration said of two stops.
    met: FxHashMap<(Stop, Stop), Option<Vec<u32>>>,
    undecided: bool,
    looks: FxHashMap<(SiteId, SiteId), u32>,
    found: FxHashMap<(SiteId, SiteId), Found<'p>>,
}

impl<'p> Search<'_, '_, '_, '_, 'p> {
    /// The footprints of one slice, sorted by process and first byte.
    fn slice(&mut self, slice: (BufferId, u32), prints: &'p [Footprint<'p>]) {
        let lines: Vec<&[Footprint]> = prints.chunk_by(|a, b| a.process == b.process).collect();
        for (at, later) in lines.iter().enumerate() {
            // The farthest end so far says where to stop looking back.
            let ends = later.iter().scan(0, |end, print| {
                *end = print.end.max(*end);
                Some(*end)
            });
            let ends: Vec<u64> = ends.collect();
            for x in lines[..at].iter().flat_map(|line| line.iter()) {
                let below = later.partition_point(|y| y.base < x.end);
                for (y, _) in later[..below]
                    .iter()
                    .zip(&ends)
                    .rev()
                    .take_while(|(_, end)| **end > x.base)
                {
                    if x.kind.conflicts(y.kind)
                        && let Some(run) = common(&x.runs, &y.runs)
                    {
                        self.prints(slice, x, y, run);
                    }
                }
            }
        }
    }

    fn prints(
        &mut self,
        slice: (BufferId, u32),
        x: &'p Footprint<'p>,
        y: &'p Footprint<'p>,
        run: Run,
    ) {
        let key = (x.site.min(y.site), x.site.max(y.site));
        let may = |pair: &Pair| pair.prints.0.may || pair.prints.1.may;
        let surer = |old: &Pair| may(old) && !(x.may || y.may);
        let frontiers = &self.case.orders.frontiers;
        for &(at_x, event_x) in x
            .touches
            .iter()
            .filter(|touch| touch.0 <= frontiers.end[x.process])
        {
            let high = frontiers.reach(x.process, at_x, y.process);
            let high = y.touches.partition_point(|touch| touch.0 <= high);
            let early = |touch: &(u32, u32)| frontiers.reach(y.process, touch.0, x.process) < at_x;
            let low = planted!(OneDirection, y.touches.partition_point(early), 0);
            for &(at_y, event_y) in y.touches.get(low..high).into_iter().flatten() {
                let old = self.found.get(&key).map(|(pair, _)| pair);
                let looks = self.looks.entry(key).or_default();
                let done = *looks >= LOOKS || old.is_some_and(|old| old.reused.is_some());
                if done && old.is_some_and(|old| !surer(old)) {
                    return;
                }
                *looks += 1;
                let mut pair = Pair {
                    x: (x.process, at_x, event_x),
                    y: (y.process, at_y, event_y),
                    prints: (x, y),
                    slice,
                    run,
                    reused: None,
                };
                pair.reused = reused(self.case, &pair);
                let better =
                    |old: &Pair| surer(old) || (pair.reused.is_some() && old.reused.is_none());
                if old.is_some_and(|old| !better(old)) {
                    continue;
                }
                if let Some(trace) = self.happens((x.process, at_x), (y.process, at_y)) {
                    self.found.insert(key, (pair, trace));
                }
            }
        }
    }

    /// Whether both stand there together in some schedule, with that schedule if it is known.
    fn happens(&mut self, x: (usize, u32), y: (usize, u32)) -> Option<Option<Vec<u32>>> {
        if self.exact {
            return Some(None);
        }
        let Some(explorer) = &mut self.confirm else {
            self.undecided = true;
            return None;
        };
        let undecided = &mut self.undecided;
        let met = self.met.entry((x, y)).or_insert_with(|| {
            let found = explorer.meet(x, y);
            *undecided |= found.cut;
            found.met
        });
        met.clone().map(Some)
    }
}

/// The wait that was meant to order a pair but is satisfied by what an earlier wait has seen.
fn reused(case: &Case, pair: &Pair) -> Option<(usize, u32)> {
    early(case, pair.x, pair.y).or_else(|| early(case, pair.y, pair.x))
}

/// The last such wait before `second`, on a cell that is notified after `first`.
fn early(case: &Case, first: (usize, u32, u32), second: (usize, u32, u32)) -> Option<(usize, u32)> {
    let ops = &case.system.lines[first.0].ops[first.1 as usize..];
    let notifies = ops
        .iter()
        .filter(|op| op.act.is_release() && op.meeting.is_none());
    let notified: FxHashSet<u32> = notifies.map(|op| op.act.cell()).collect();
    let mut seen: FxHashMap<u32, i64> = FxHashMap::default();
    let mut found = None;
    for (at, step) in case.orders.plan.steps[second.0][..second.1 as usize]
        .iter()
        .enumerate()
    {
        let at = (second.0, at as u32);
        if let Step::Need { cell, least } = *step
            && notified.contains(&cell)
            && case.meeting(at).is_none()
            && !case.hidden(at.0, at.1)
        {
            match seen.insert(cell, least) {
                Some(earlier) if earlier >= least => {
                    seen.insert(cell, earlier);
                    found = Some(at);
                }
                _ => {}
            }
        }
    }
    found
}

fn report(case: &Case, pair: &Pair, trace: Option<&[u32]>) -> Finding {
    let skeleton = case.system.skeleton;
    let (x, y) = pair.prints;
    let points = [pair.x, pair.y].map(|(process, _, event)| (process, event as usize));
    let rank = |process: usize| skeleton.processes[process].rank;
    let window = matches!(
        skeleton.buffers[pair.slice.0.index()].kind,
        BufferKind::Window(_)
    );
    let reads = |kind: Kind| matches!(kind, Kind::Read | Kind::Wait);
    // A reader comes first; of two writers the one further down.
    let swap = match (reads(x.kind), reads(y.kind)) {
        (true, _) => false,
        (_, true) => true,
        _ => place(skeleton, points[0]) > place(skeleton, points[1]),
    };
    let swap = if reads(x.kind) || reads(y.kind) {
        swap
    } else {
        !swap
    };
    let (a, b) = if swap {
        (points[1], points[0])
    } else {
        (points[0], points[1])
    };
    let code = match reads(x.kind) || reads(y.kind) {
        true if window && rank(a.0) != pair.slice.1 => 201,
        true => 202,
        false => 203,
    };
    let side = |point: Point| skeleton.racing_side(point, pair.slice.0, pair.slice.1, pair.run);
    let (side_a, side_b) = (side(a), side(b));
    let (who_a, who_b) = (skeleton.who(a.0), skeleton.who(b.0));
    let text = format!(
        "{who_a} {}, and {who_b} {}, in no order",
        side_a.does, side_b.does
    );
    let b_first = place(skeleton, b) <= place(skeleton, a);
    let (first, second) = if b_first {
        (&who_b, &who_a)
    } else {
        (&who_a, &who_b)
    };
    let missing = format!(
        "a barrier between the two, or a notify of {first} after its access that {second} waits for before its own"
    );
    let mut found = finding(case.system, code, side_a, text, missing);
    found.b = Some(side_b);
    if let Some(wait) = pair.reused {
        as_reused(case, &mut found, wait);
    }
    if x.may || y.may {
        let condition = "data makes both of them access the same bytes".to_string();
        found.severity = Severity::Remark { condition };
    }
    let goals = [(pair.x.0, pair.x.1), (pair.y.0, pair.y.1)];
    let sliced = trace
        .is_none()
        .then(|| witness::slice(case.system, case.orders, goals));
    let trace = trace.or(sliced.as_deref()).unwrap_or_default();
    let last = [&found.a, found.b.as_ref().unwrap_or(&found.a)].map(|side| side.does.clone());
    let texts: Vec<String> = match pair.reused {
        None => last.to_vec(),
        Some(_) => found.more.iter().map(|side| side.does.clone()).collect(),
    };
    let last = [a, b].into_iter().zip(texts);
    let last: Vec<_> = last.map(|(at, text)| (at, Moment::Access, text)).collect();
    (found.schedule, found.table) = witness::show(case.system, trace, &last);
    found
}

/// Where an event stands in its program: trips and operation.
fn place(skeleton: &crate::Skeleton, point: Point) -> (Vec<u64>, SiteId) {
    let event = skeleton.event(point);
    (skeleton.trips(event.path), event.site)
}

/// Makes a race one of a wait that is satisfied too early.
fn as_reused(case: &Case, found: &mut Finding, wait: (usize, u32)) {
    let skeleton = case.system.skeleton;
    let point = case.point(wait);
    let side = skeleton.side(point);
    found.code = 207;
    found.text = format!(
        "{} {}, which an earlier wait has already seen satisfied, so it orders nothing: {}",
        skeleton.who(point.0),
        side.does,
        found.text
    );
    found.missing =
        "a value that only the new notify brings: count on, or reset the cell between".to_string();
    let access = std::mem::replace(&mut found.a, side);
    found.more = std::iter::once(access).chain(found.b.take()).collect();
    found.b = found.more.get(1).cloned();
}
