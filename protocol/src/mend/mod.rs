//! Changes that mend a program: tried on the skeletons, checked again at all sizes, and proposed
//! only if what was wrong is gone and nothing else has come.
//!
//! Data peers are never changed: that would silence a race and change what is computed.

mod candidates;
mod edit;

use crate::merge::mistake;
use crate::{Anchor, BufferId, Finding, GroupId, Mend, SiteId, Skeleton};

/// Findings that mends are looked for, and mends that are tried for each.
const FINDINGS: usize = 3;
const TRIES: usize = 32;

/// The greedy steps that all tries of a report may take are so many times those of the check.
pub(crate) const COST: u64 = (FINDINGS * TRIES) as u64;

/// A change of a program, by the operations of one of its skeletons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    Move {
        site: SiteId,
        to: Anchor,
    },
    Barrier {
        group: GroupId,
        signal: Option<(BufferId, u64)>,
        at: Anchor,
    },
    /// Notify the row of the sender, or of the receiver.
    Row {
        site: SiteId,
        sender: bool,
    },
    /// Notify the next rank, or the one before.
    Peer {
        site: SiteId,
        next: bool,
    },
    Value {
        site: SiteId,
        to: i64,
    },
    Add {
        site: SiteId,
    },
    Hoist {
        site: SiteId,
        process: usize,
    },
}

/// Gives the first findings the mends that help. `check` has to find what is wrong with a
/// program, or nothing if it cannot decide.
pub(crate) fn propose(
    skeletons: &[Skeleton],
    findings: &mut [Finding],
    check: impl Fn(&[Skeleton]) -> Option<Vec<Finding>>,
) {
    for at in 0..findings.len().min(FINDINGS) {
        let finding = &findings[at];
        let base = &skeletons[finding.skeleton];
        let tries = candidates::of(base, finding);
        let mended = tries.into_iter().take(TRIES).find(|&edit| {
            let edited: Option<Vec<Skeleton>> = skeletons
                .iter()
                .map(|skeleton| edit::apply(edit, base, skeleton))
                .collect();
            edited.is_some_and(|edited| helps(skeletons, findings, at, &edited, &check))
        });
        findings[at].mend = mended.map(|edit| describe(base, finding, edit));
    }
}

fn helps(
    skeletons: &[Skeleton],
    findings: &[Finding],
    at: usize,
    edited: &[Skeleton],
    check: &impl Fn(&[Skeleton]) -> Option<Vec<Finding>>,
) -> bool {
    let Some(left) = check(edited) else {
        return false;
    };
    left.iter().all(|left| {
        let key = mistake(edited, left);
        let others = findings
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at);
        others
            .into_iter()
            .any(|(_, other)| mistake(skeletons, other) == key)
    })
}

fn describe(skeleton: &Skeleton, finding: &Finding, edit: Edit) -> Mend {
    let notified = |site: SiteId, edit: Edit| {
        let cells = |skeleton: &Skeleton| {
            let lines = skeleton.processes.iter();
            let mut events = lines
                .flat_map(|line| &line.events)
                .filter(|event| event.site == site);
            events.find_map(|event| edit::notified(&event.what))
        };
        let edited = edit::apply(edit, skeleton, skeleton);
        (cells(skeleton), edited.as_ref().and_then(cells))
    };
    let element = |cell: Option<crate::Cell>| cell.map_or(0, |cell| cell.offset / 4);
    let owner = |cell: Option<crate::Cell>| cell.map_or(0, |cell| cell.owner);
    match edit {
        Edit::Move { site, to } => Mend::Move { site, to },
        Edit::Barrier { signal, at, .. } => Mend::Barrier {
            signal: signal.map(|(buffer, _)| buffer),
            at,
        },
        Edit::Row { site, .. } => {
            let (from, to) = notified(site, edit);
            Mend::Cell {
                site,
                from: element(from),
                to: element(to),
            }
        }
        Edit::Peer { site, .. } => {
            let (from, to) = notified(site, edit);
            Mend::Peer {
                site,
                from: owner(from),
                to: owner(to),
            }
        }
        Edit::Value { site, to } => Mend::Value {
            site,
            from: finding.a.value.unwrap_or(0),
            to,
        },
        Edit::Add { site } => Mend::Add { site },
        Edit::Hoist { site, .. } => Mend::Hoist { site },
    }
}
