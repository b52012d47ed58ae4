//! What to try for a finding, likeliest first.

use super::Edit;
use crate::skeleton::is_barrier;
use crate::{Anchor, BufferId, BufferKind, Finding, GroupId, Side, SiteId, Skeleton, What};

pub(super) fn of(skeleton: &Skeleton, finding: &Finding) -> Vec<Edit> {
    let (a, b) = (&finding.a, finding.b.as_ref());
    match finding.code {
        201..=203 => match b {
            Some(b) => race(skeleton, a, b),
            None => Vec::new(),
        },
        204 => wait(skeleton, finding),
        205 => vec![Edit::Hoist {
            site: a.site,
            process: a.process as usize,
        }],
        206 => vec![Edit::Add { site: a.site }],
        207 => (1..=2)
            .filter_map(|more| {
                let to = a.value?.checked_add(more)?;
                Some(Edit::Value { site: a.site, to })
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Move what orders accesses to where it orders these two; else add a barrier.
fn race(skeleton: &Skeleton, a: &Side, b: &Side) -> Vec<Edit> {
    let (a_site, b_site) = (a.site, b.site);
    let between = [
        Anchor::Before(a_site),
        Anchor::After(b_site),
        Anchor::After(a_site),
        Anchor::Before(b_site),
    ];
    let mut edits = Vec::new();
    let moves = |sites: Vec<SiteId>, to: Vec<Anchor>| {
        sites.into_iter().flat_map(move |site| {
            let to = to.clone().into_iter();
            to.map(move |to| Edit::Move { site, to })
        })
    };
    let near = |what: fn(&What) -> bool| signals(skeleton, [a, b], what);
    let barriers = near(|what| matches!(what, What::Meet { kind, .. } if is_barrier(kind)));
    edits.extend(moves(barriers, between.to_vec()));
    let waits = near(|what| matches!(what, What::Wait { .. }));
    edits.extend(moves(waits, vec![between[0], between[3]]));
    let notifies = near(|what| matches!(what, What::Add { .. } | What::Set { .. }));
    edits.extend(moves(notifies, vec![between[1], between[2]]));
    let buffer = a.bytes.as_ref().map(|bytes| bytes.buffer);
    if let Some(BufferKind::Window(group)) =
        buffer.map(|buffer| skeleton.buffers[buffer.index()].kind)
    {
        let signal = signal(skeleton, group);
        edits.extend(between.map(|at| Edit::Barrier { group, signal, at }));
    }
    edits
}

/// Operations of that kind on the same path as one of the sides.
fn signals(skeleton: &Skeleton, sides: [&Side; 2], what: fn(&What) -> bool) -> Vec<SiteId> {
    let mut sites = Vec::new();
    for side in sides {
        for event in &skeleton.processes[side.process as usize].events {
            let private =
                cell_buffer(&event.what).is_some_and(|buffer| skeleton.is_private(buffer));
            let fits = event.path == side.path && what(&event.what) && !private;
            if fits && !sites.contains(&event.site) {
                sites.push(event.site);
            }
        }
    }
    sites
}

fn cell_buffer(what: &What) -> Option<BufferId> {
    match what {
        What::Add { cell, .. } | What::Set { cell, .. } | What::Wait { cell, .. } => {
            Some(cell.buffer)
        }
        _ => None,
    }
}

/// A signal on which the group has barriers already.
fn signal(skeleton: &Skeleton, of: GroupId) -> Option<(BufferId, u64)> {
    let mut events = skeleton
        .processes
        .iter()
        .flat_map(|process| &process.events);
    events.find_map(|event| match &event.what {
        What::Meet {
            group,
            signal: Some(signal),
            offset,
            kind,
        } if *group == of && is_barrier(kind) => Some((*signal, *offset)),
        _ => None,
    })
}

/// Notify before the wait, or another cell or rank; else wait for what comes.
fn wait(skeleton: &Skeleton, finding: &Finding) -> Vec<Edit> {
    let wait = &finding.a;
    let mut edits = Vec::new();
    let pending = finding.stuck.iter().flat_map(|stuck| &stuck.from);
    let mut late: Vec<SiteId> = pending.map(|notify| notify.site).collect();
    late.dedup();
    edits.extend(late.into_iter().map(|site| Edit::Move {
        site,
        to: Anchor::Before(wait.site),
    }));
    let buffer = wait.cell.map(|cell| cell.buffer);
    let mut notifies = Vec::new();
    for event in skeleton
        .processes
        .iter()
        .flat_map(|process| &process.events)
    {
        let notify = matches!(event.what, What::Add { .. } | What::Set { .. });
        if notify && cell_buffer(&event.what) == buffer && !notifies.contains(&event.site) {
            notifies.push(event.site);
        }
    }
    for &site in &notifies {
        edits.extend([true, false].map(|sender| Edit::Row { site, sender }));
        edits.extend([true, false].map(|next| Edit::Peer { site, next }));
    }
    let stuck = finding.stuck.iter().find(|stuck| stuck.at == *wait);
    if let Some(to) = stuck.and_then(|stuck| stuck.has).filter(|has| *has > 0) {
        edits.push(Edit::Value {
            site: wait.site,
            to,
        });
    }
    edits
}
