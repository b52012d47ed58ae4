//! Which bytes each operation of each process touches, and where in its line.

use crate::system::System;
use crate::{AccessKind, BufferId, Cell, Run, SiteId, What};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// How bytes are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Read,
    Write,
    Atomic,
    Wait,
    Notify,
}

impl Kind {
    pub(crate) fn conflicts(self, other: Kind) -> bool {
        use Kind::*;
        let reads = |kind: Kind| matches!(kind, Read | Wait);
        let signal = |kind: Kind| matches!(kind, Wait | Notify);
        let pair = |of: fn(Kind) -> bool| of(self) && of(other);
        !(pair(reads) || pair(signal) || pair(|kind| kind == Atomic))
    }
}

/// All touches of the same bytes of one slice by one operation of a process.
pub(crate) struct Footprint<'a> {
    pub(crate) process: usize,
    pub(crate) site: SiteId,
    pub(crate) kind: Kind,
    pub(crate) may: bool,
    pub(crate) runs: Cow<'a, [Run]>,
    pub(crate) base: u64,
    pub(crate) end: u64,
    /// Ops before it, and the event; a stretch between two ops has one.
    pub(crate) touches: Vec<(u32, u32)>,
}

type Key<'a> = (BufferId, u32, usize, SiteId, Kind, bool, Cow<'a, [Run]>);

/// Footprints by buffer and owner, each list sorted by process and first byte.
pub(crate) fn footprints<'a>(
    system: &System<'a>,
) -> FxHashMap<(BufferId, u32), Vec<Footprint<'a>>> {
    let mut all: FxHashMap<Key<'a>, Vec<(u32, u32)>> = FxHashMap::default();
    let processes = &system.skeleton.processes;
    let events = processes.iter().flat_map(|process| &process.events);
    let plain: FxHashSet<BufferId> = events
        .filter_map(|event| match event.what {
            What::Access { buffer, .. } => Some(buffer),
            _ => None,
        })
        .collect();
    for (process, line) in processes.iter().enumerate() {
        for (at, event) in line.events.iter().enumerate() {
            let before = system.lines[process].before[at];
            let mut touch = |buffer, owner, kind, runs: Cow<'a, [Run]>, before| {
                let key = (buffer, owner, process, event.site, kind, event.may, runs);
                let touches = all.entry(key).or_default();
                if touches.last().is_none_or(|last| last.0 != before) {
                    touches.push((before, at as u32));
                }
            };
            match &event.what {
                What::Access {
                    kind,
                    buffer,
                    owner,
                    runs,
                } => {
                    let kind = match kind {
                        AccessKind::Read => Kind::Read,
                        AccessKind::Write => Kind::Write,
                        AccessKind::Atomic => Kind::Atomic,
                    };
                    touch(*buffer, *owner, kind, Cow::Borrowed(runs), before);
                }
                // A notify touches its cell before it is seen, a wait once it has passed.
                What::Add { cell, .. } | What::Set { cell, .. } if plain.contains(&cell.buffer) => {
                    touch(cell.buffer, cell.owner, Kind::Notify, bytes(*cell), before);
                }
                What::Wait { cell, .. } if plain.contains(&cell.buffer) => {
                    touch(
                        cell.buffer,
                        cell.owner,
                        Kind::Wait,
                        bytes(*cell),
                        before + 1,
                    );
                }
                What::Meet {
                    group,
                    signal: Some(buffer),
                    offset,
                    ..
                } if plain.contains(buffer) => {
                    let members = &system.skeleton.groups[group.index()].members;
                    let after = system.lines[process].before.get(at + 1).copied();
                    let after = after.unwrap_or(system.lines[process].ops.len() as u32);
                    for (k, &member) in members.iter().enumerate() {
                        let cell = |owner, k: usize| {
                            let offset = offset + 4 * k as u64;
                            bytes(Cell {
                                buffer: *buffer,
                                owner,
                                offset,
                            })
                        };
                        if member != line.rank {
                            let me = members.iter().position(|&other| other == line.rank);
                            let own = cell(member, me.unwrap_or(0));
                            touch(*buffer, member, Kind::Notify, own, before);
                            touch(*buffer, line.rank, Kind::Wait, cell(line.rank, k), after);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    let mut slices: FxHashMap<_, Vec<Footprint>> = FxHashMap::default();
    for ((buffer, owner, process, site, kind, may, runs), touches) in all {
        slices.entry((buffer, owner)).or_default().push(Footprint {
            process,
            site,
            kind,
            may,
            base: runs.iter().map(|run| run.base).min().unwrap_or(0),
            end: runs.iter().map(Run::end).max().unwrap_or(0),
            runs,
            touches,
        });
    }
    for prints in slices.values_mut() {
        prints.sort_by_key(|print| (print.process, print.base, print.site, print.end));
    }
    slices
}

fn bytes(cell: Cell) -> Cow<'static, [Run]> {
    Cow::Owned(vec![Run {
        base: cell.offset,
        stride: 4,
        count: 1,
        length: 4,
    }])
}
