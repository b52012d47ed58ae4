//! The signals of a skeleton as lines of adds, sets and waits on numbered cells.
//!
//! A meeting becomes an add and a wait on a counter of its own; where direct notifies or waits
//! use its signal too, it becomes what a barrier really does to the cells.

use crate::meeting::{direct, numbers};
use crate::{BufferId, Cell, Cmp, Event, GroupId, Skeleton, What};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which data to assume where data decides about notifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// As few and as small notifies, as high waits as there can be.
    Least,
    /// The reverse.
    Most,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Add { cell: u32, value: i64 },
    Set { cell: u32, value: i64 },
    Wait { cell: u32, cmp: Cmp, value: i64 },
}

impl Act {
    pub(crate) fn cell(self) -> u32 {
        match self {
            Act::Add { cell, .. } | Act::Set { cell, .. } | Act::Wait { cell, .. } => cell,
        }
    }

    pub(crate) fn is_release(self) -> bool {
        !matches!(self, Act::Wait { .. })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) act: Act,
    /// The event of its process that it belongs to.
    pub(crate) event: u32,
    pub(crate) meeting: Option<u32>,
}

/// The signals of one process.
#[derive(Default)]
pub(crate) struct Line {
    pub(crate) ops: Vec<Op>,
    /// For each event, how many ops stand before it.
    pub(crate) before: Vec<u32>,
    /// For each number of ops, how many of them are releases.
    pub(crate) releases: Vec<u32>,
}

/// Number `number` of a group on a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Meeting {
    pub(crate) group: GroupId,
    pub(crate) signal: Option<BufferId>,
    pub(crate) offset: u64,
    pub(crate) number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Cell(Cell),
    Meeting(u32),
}

pub(crate) struct System<'a> {
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) lines: Vec<Line>,
    pub(crate) cells: Vec<Key>,
    pub(crate) meetings: Vec<Meeting>,
    /// Cells whose values data decides in a way that two variants do not bound.
    pub(crate) unknown: Vec<bool>,
    /// Whether the other variant is another system.
    pub(crate) uncertain: bool,
}

impl<'a> System<'a> {
    pub(crate) fn new(skeleton: &'a Skeleton, variant: Variant) -> System<'a> {
        let mut builder = Builder::new(skeleton, variant);
        for process in 0..skeleton.processes.len() {
            builder.line(process);
        }
        builder.finish()
    }

    pub(crate) fn ops(&self) -> u64 {
        self.lines.iter().map(|line| line.ops.len() as u64).sum()
    }
}

struct Builder<'a> {
    skeleton: &'a Skeleton,
    variant: Variant,
    direct: FxHashSet<(BufferId, u64)>,
    numbers: FxHashMap<(u32, u32), u32>,
    cell_ids: FxHashMap<Key, u32>,
    meeting_ids: FxHashMap<Meeting, u32>,
    system: System<'a>,
    sets: FxHashMap<u32, Vec<(usize, i64, i64)>>,
    inexact_adds: FxHashSet<u32>,
}

impl<'a> Builder<'a> {
    fn new(skeleton: &'a Skeleton, variant: Variant) -> Self {
        Builder {
            skeleton,
            variant,
            direct: direct(skeleton),
            numbers: numbers(skeleton),
            cell_ids: FxHashMap::default(),
            meeting_ids: FxHashMap::default(),
            system: System {
                skeleton,
                lines: Vec::with_capacity(skeleton.processes.len()),
                cells: Vec::new(),
                meetings: Vec::new(),
                unknown: Vec::new(),
                uncertain: false,
            },
            sets: FxHashMap::default(),
            inexact_adds: FxHashSet::default(),
        }
    }

    fn cell(&mut self, key: Key) -> u32 {
        let next = self.system.cells.len() as u32;
        let id = *self.cell_ids.entry(key).or_insert(next);
        if id == next {
            self.system.cells.push(key);
            self.system.unknown.push(false);
        }
        id
    }

    fn pick(&mut self, lo: i64, hi: i64) -> i64 {
        self.system.uncertain |= lo != hi;
        match self.variant {
            Variant::Least => lo,
            Variant::Most => hi,
        }
    }

    fn line(&mut self, process: usize) {
        let mut line = Line::default();
        for (at, event) in self.skeleton.processes[process].events.iter().enumerate() {
            line.before.push(line.ops.len() as u32);
            self.event(process, at as u32, event, &mut line.ops);
        }
        let mut releases = 0;
        line.releases.push(0);
        for op in &line.ops {
            releases += u32::from(op.act.is_release());
            line.releases.push(releases);
        }
        self.system.lines.push(line);
    }

    fn event(&mut self, process: usize, at: u32, event: &Event, ops: &mut Vec<Op>) {
        let mut push = |act, meeting| {
            ops.push(Op {
                act,
                event: at,
                meeting,
            })
        };
        match event.what {
            What::Add { cell, lo, hi } => {
                let cell = self.cell(Key::Cell(cell));
                let exact = lo == hi && !event.may;
                if !exact {
                    self.inexact_adds.insert(cell);
                    self.system.unknown[cell as usize] |= lo < 0;
                }
                self.system.uncertain |= event.may;
                if !event.may || self.variant == Variant::Most {
                    let value = self.pick(lo, hi);
                    push(Act::Add { cell, value }, None);
                }
            }
            What::Set { cell, lo, hi } => {
                let cell = self.cell(Key::Cell(cell));
                self.sets.entry(cell).or_default().push((process, lo, hi));
                self.system.unknown[cell as usize] |= event.may;
                let value = self.pick(lo, hi);
                push(Act::Set { cell, value }, None);
            }
            What::Wait { cell, cmp, lo, hi } => {
                let cell = self.cell(Key::Cell(cell));
                let rising = matches!(cmp, Cmp::Ge | Cmp::Gt);
                self.system.unknown[cell as usize] |= lo != hi && !rising;
                // The least notifies meet the highest wait.
                let value = self.pick(hi, lo);
                push(Act::Wait { cell, cmp, value }, None);
            }
            What::Meet {
                group,
                signal,
                offset,
                ..
            } => {
                let number = self.numbers[&(process as u32, at)];
                self.meet(
                    process,
                    Meeting {
                        group,
                        signal,
                        offset,
                        number,
                    },
                    &mut push,
                );
            }
            What::Access { .. } | What::Outside { .. } | What::Foreign { .. } => {}
        }
    }

    fn meet(&mut self, process: usize, meeting: Meeting, push: &mut impl FnMut(Act, Option<u32>)) {
        let next = self.system.meetings.len() as u32;
        let id = *self.meeting_ids.entry(meeting).or_insert(next);
        if id == next {
            self.system.meetings.push(meeting);
        }
        let members = &self.skeleton.groups[meeting.group.index()].members;
        let rank = self.skeleton.processes[process].rank;
        let Some(buffer) = meeting.signal.filter(|&buffer| {
            (0..members.len() as u64)
                .any(|k| self.direct.contains(&(buffer, meeting.offset + 4 * k)))
        }) else {
            let cell = self.cell(Key::Meeting(id));
            push(Act::Add { cell, value: 1 }, Some(id));
            let (cmp, value) = (Cmp::Ge, members.len() as i64);
            push(Act::Wait { cell, cmp, value }, Some(id));
            return;
        };
        let me = members.iter().position(|&member| member == rank);
        let slot = |k: usize| meeting.offset + 4 * k as u64;
        let peers = members.iter().enumerate().filter(|(_, m)| **m != rank);
        for (_, &owner) in peers.clone() {
            let offset = slot(me.unwrap_or(members.len()));
            let cell = self.cell(Key::Cell(Cell {
                buffer,
                owner,
                offset,
            }));
            push(Act::Add { cell, value: 1 }, Some(id));
        }
        let mut own = Vec::new();
        for (k, _) in peers {
            let offset = slot(k);
            let (owner, cmp, value) = (rank, Cmp::Ge, 1);
            let cell = self.cell(Key::Cell(Cell {
                buffer,
                owner,
                offset,
            }));
            push(Act::Wait { cell, cmp, value }, Some(id));
            own.push(cell);
        }
        for cell in own {
            push(Act::Add { cell, value: -1 }, Some(id));
        }
    }

    fn finish(mut self) -> System<'a> {
        for (&cell, sets) in &self.sets {
            let inexact = sets.iter().any(|(_, lo, hi)| lo != hi);
            let rises = sets
                .windows(2)
                .all(|w| w[1].1 >= w[0].2 && w[0].0 == w[1].0);
            if inexact && !(rises && sets[0].1 >= 0) {
                self.system.unknown[cell as usize] = true;
            }
            if self.inexact_adds.contains(&cell) {
                self.system.unknown[cell as usize] = true;
            }
        }
        for line in &self.system.lines {
            for op in &line.ops {
                if let Act::Wait { cell, cmp, .. } = op.act {
                    let rising = matches!(cmp, Cmp::Ge | Cmp::Gt);
                    let inexact = self.inexact_adds.contains(&cell);
                    self.system.unknown[cell as usize] |= inexact && !rising;
                }
            }
        }
        self.system
    }
}
