//! 209: members that never come to a function that others need them in, and ranks that use what
//! they have no part in.

use super::{Case, finding};
use crate::describe::{Point, ranks};
use crate::{BufferKind, Finding, GroupId, PathId, SiteId, Skeleton, Step, What};

/// Ranks outside of a window's group that use it.
pub(super) fn foreign(case: &Case) -> Vec<Finding> {
    let skeleton = case.system.skeleton;
    let mut findings = Vec::new();
    for (process, line) in skeleton.processes.iter().enumerate() {
        for (at, event) in line.events.iter().enumerate() {
            let What::Foreign { buffer } = event.what else {
                continue;
            };
            let op = &skeleton.sites[event.site.index()].op;
            let buffer = &skeleton.buffers[buffer.index()];
            let members = match buffer.kind {
                BufferKind::Window(group) => ranks(&skeleton.groups[group.index()].members),
                _ => "nobody".to_string(),
            };
            let text = format!(
                "'{op}' runs on rank {}, but {} belongs to {members} only",
                line.rank, buffer.name
            );
            let missing = "dispatch it to members of the group only".to_string();
            findings.push(finding(
                case.system,
                209,
                skeleton.side((process, at)),
                text,
                missing,
            ));
        }
    }
    findings
}

impl Skeleton {
    /// The dispatch that an event is part of, and its function.
    pub(crate) fn dispatch(&self, path: PathId) -> Option<(SiteId, &str)> {
        self.steps(path).find_map(|step| match step {
            Step::Dispatch(site, function) => Some((*site, function.as_str())),
            _ => None,
        })
    }

    /// Whether a rank is dispatched the function anywhere.
    pub(crate) fn runs(&self, rank: u32, function: &str) -> bool {
        let runs = |path| {
            self.dispatch(path)
                .is_some_and(|(_, name)| name == function)
        };
        let own = self.processes.iter().filter(|process| process.rank == rank);
        self.dispatched
            .iter()
            .any(|d| d.rank == rank && runs(d.path))
            || own
                .flat_map(|process| &process.events)
                .any(|event| runs(event.path))
    }

    /// Members of a group that are never dispatched the function that an event is part of.
    pub(crate) fn absent(&self, point: Point, group: GroupId) -> Vec<u32> {
        let Some((_, function)) = self.dispatch(self.event(point).path) else {
            return Vec::new();
        };
        let members = self.groups[group.index()].members.iter().copied();
        members.filter(|&rank| !self.runs(rank, function)).collect()
    }
}

/// That members are not dispatched the function somebody is stuck in.
pub(super) fn absent(case: &Case, point: Point, members: &[u32]) -> Option<Finding> {
    let skeleton = case.system.skeleton;
    let stuck = skeleton.side(point);
    let (site, function) = skeleton.dispatch(stuck.path)?;
    let text = format!(
        "@{function} is not dispatched on {}, but {} {} there and waits for {}",
        ranks(members),
        skeleton.who(point.0),
        stuck.does,
        if members.len() == 1 { "it" } else { "them" }
    );
    let missing = format!("a dispatch of @{function} on every rank of the group");
    let mut a = stuck.clone();
    a.site = site;
    a.does = format!("dispatches @{function}");
    a.iteration = String::new();
    let mut finding = case.deadlock(209, a, text, missing);
    finding.more.push(stuck);
    Some(finding)
}
