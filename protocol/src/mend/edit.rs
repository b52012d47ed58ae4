//! Changes on a skeleton.

use super::Edit;
use crate::{Anchor, BufferKind, Cell, Event, Process, SiteId, Skeleton, What};

/// A signal of its own, beside all that a program can have.
const APART: u64 = u64::MAX / 2;

/// The skeleton after a change that is told by the sites of `base`; nothing if it makes no sense
/// there.
pub(super) fn apply(edit: Edit, base: &Skeleton, skeleton: &Skeleton) -> Option<Skeleton> {
    let site = |site: SiteId| {
        let wanted = &base.sites[site.index()];
        let same = |(at, other): (usize, &crate::Site)| {
            (other == wanted && (!wanted.place.is_empty() || at == site.index()))
                .then_some(SiteId(at as u32))
        };
        skeleton.sites.iter().enumerate().find_map(same)
    };
    let anchor = |anchor| {
        Some(match anchor {
            Anchor::Before(at) => Anchor::Before(site(at)?),
            Anchor::After(at) => Anchor::After(site(at)?),
        })
    };
    let mut edited = skeleton.clone();
    let done = match edit {
        Edit::Move { site: what, to } => match (site(what), anchor(to)) {
            (None, _) => Some(()),
            (Some(what), to) => {
                let to = to?;
                edited
                    .processes
                    .iter_mut()
                    .try_for_each(|process| shift(process, what, to))
            }
        },
        Edit::Barrier { group, signal, at } => match anchor(at) {
            None => Some(()),
            Some(at) => {
                let what = What::Meet {
                    group,
                    signal: signal.map(|(buffer, _)| buffer),
                    offset: signal.map_or(APART, |(_, offset)| offset),
                    kind: "pld.barrier".to_string(),
                };
                edited
                    .processes
                    .iter_mut()
                    .try_for_each(|process| insert(process, at, &what))
            }
        },
        Edit::Row { site: of, sender } => {
            each(skeleton, &mut edited, site(of), |rank, members, cell| {
                let row = if sender { rank } else { cell.owner };
                let row = members.iter().position(|&member| member == row)?;
                cell.offset = 4 * row as u64;
                Some(())
            })
        }
        Edit::Peer { site: of, next } => {
            each(skeleton, &mut edited, site(of), |rank, members, cell| {
                let me = members.iter().position(|&member| member == rank)?;
                let step = if next { 1 } else { members.len() - 1 };
                cell.owner = members[(me + step) % members.len()];
                Some(())
            })
        }
        Edit::Value { site: of, to } => {
            let of = site(of);
            edited.processes.iter_mut().try_for_each(|process| {
                let mut events = process
                    .events
                    .iter_mut()
                    .filter(|event| Some(event.site) == of);
                if let Some(event) = events.next()
                    && let What::Wait { lo, hi, .. } = &mut event.what
                {
                    (*lo, *hi) = (to, to);
                }
                // In a loop it would have to differ by trip.
                events.next().is_none().then_some(())
            })
        }
        Edit::Add { site: of } => {
            let of = site(of);
            let events = edited
                .processes
                .iter_mut()
                .flat_map(|process| &mut process.events);
            for event in events.filter(|event| Some(event.site) == of) {
                if let What::Set { cell, lo, hi } = event.what {
                    event.what = What::Add { cell, lo, hi };
                }
            }
            Some(())
        }
        Edit::Hoist { site: of, process } => match site(of) {
            None => Some(()),
            Some(of) => hoist(&mut edited, of, process),
        },
    };
    done.map(|()| edited)
}

/// The cell of a notify.
pub(super) fn notified(what: &What) -> Option<Cell> {
    match what {
        What::Add { cell, .. } | What::Set { cell, .. } => Some(*cell),
        _ => None,
    }
}

fn each(
    skeleton: &Skeleton,
    edited: &mut Skeleton,
    site: Option<SiteId>,
    change: impl Fn(u32, &[u32], &mut Cell) -> Option<()>,
) -> Option<()> {
    for process in &mut edited.processes {
        let rank = process.rank;
        for event in process
            .events
            .iter_mut()
            .filter(|event| Some(event.site) == site)
        {
            if let What::Add { cell, .. } | What::Set { cell, .. } = &mut event.what {
                let BufferKind::Window(group) = skeleton.buffers[cell.buffer.index()].kind else {
                    return None;
                };
                change(rank, &skeleton.groups[group.index()].members, cell)?;
            }
        }
    }
    Some(())
}

/// Runs of events of one operation on one path: first and one past the last.
fn runs(events: &[Event], site: SiteId) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut at = 0;
    for run in events.chunk_by(|a, b| (a.site, a.path) == (b.site, b.path)) {
        if run[0].site == site {
            runs.push((at, at + run.len()));
        }
        at += run.len();
    }
    runs
}

/// Where an anchor is: for each time it is passed, the place in the line and a run of it.
fn places(events: &[Event], anchor: Anchor) -> Vec<(usize, usize)> {
    match anchor {
        Anchor::Before(site) => runs(events, site)
            .into_iter()
            .map(|(from, _)| (from, from))
            .collect(),
        Anchor::After(site) => runs(events, site)
            .into_iter()
            .map(|(from, to)| (to, from))
            .collect(),
    }
}

/// Puts events at places of a line (before the event of that number), without those removed;
/// what is removed is in order.
fn rebuild(process: &mut Process, removed: &[(usize, usize)], mut added: Vec<(usize, Vec<Event>)>) {
    added.sort_by_key(|(place, _)| *place);
    let (mut added, mut removed) = (added.into_iter().peekable(), removed.iter().peekable());
    let mut events = Vec::with_capacity(process.events.len() + added.len());
    for (at, event) in process.events.drain(..).enumerate() {
        while let Some((_, new)) = added.next_if(|(place, _)| *place == at) {
            events.extend(new);
        }
        while removed.next_if(|(_, to)| *to <= at).is_some() {}
        if removed.peek().is_none_or(|(from, _)| at < *from) {
            events.push(event);
        }
    }
    events.extend(added.flat_map(|(_, new)| new));
    process.events = events;
}

fn shift(process: &mut Process, site: SiteId, to: Anchor) -> Option<()> {
    let events = &process.events;
    let moved = runs(events, site);
    let places = places(events, to);
    let mut added = Vec::new();
    for &(from, end) in &moved {
        let same = places
            .iter()
            .filter(|(_, at)| events[*at].path == events[from].path);
        let &(place, _) = same.min_by_key(|(place, _)| place.abs_diff(from))?;
        added.push((place, events[from..end].to_vec()));
    }
    rebuild(process, &moved, added);
    Some(())
}

fn insert(process: &mut Process, anchor: Anchor, what: &What) -> Option<()> {
    let places = places(&process.events, anchor);
    // In blocks a barrier is more than one event.
    if process.block.is_some() && !places.is_empty() {
        return None;
    }
    let added: Vec<_> = places
        .into_iter()
        .map(|(place, at)| {
            let Event { site, path, .. } = process.events[at];
            let what = what.clone();
            let may = false;
            (
                place,
                vec![Event {
                    what,
                    site,
                    path,
                    may,
                }],
            )
        })
        .collect();
    rebuild(process, &[], added);
    Some(())
}

/// Lets the processes that leave an operation out do it at the same place: after the operation
/// that it comes after in the process that does it.
fn hoist(edited: &mut Skeleton, site: SiteId, donor: usize) -> Option<()> {
    let donor = edited.processes.get(donor)?;
    let [(from, to)] = runs(&donor.events, site)[..] else {
        return None;
    };
    let event = donor.events[from].clone();
    if to - from != 1 || donor.block.is_some() || !matches!(event.what, What::Meet { .. }) {
        return None;
    }
    let before = from
        .checked_sub(1)
        .map(|at| Anchor::After(donor.events[at].site));
    let after = donor.events.get(to).map(|event| Anchor::Before(event.site));
    for process in edited
        .processes
        .iter_mut()
        .filter(|process| process.block.is_none())
    {
        if !runs(&process.events, site).is_empty() {
            continue;
        }
        let places =
            |anchor: Option<Anchor>| anchor.map_or(Vec::new(), |at| places(&process.events, at));
        let [(place, at)] = [places(before), places(after)]
            .into_iter()
            .find(|places| places.len() == 1)?[..]
        else {
            return None;
        };
        let path = process.events[at].path;
        rebuild(
            process,
            &[],
            vec![(
                place,
                vec![Event {
                    path,
                    ..event.clone()
                }],
            )],
        );
    }
    Some(())
}
