//! Notify and wait, barriers and collectives.

use super::{Done, Frame, Machine, entry, int, memories};
use crate::check_protocol::{
    code::{self, Entry, Operation, Slot, What},
    interval::Interval,
    value::{Memory, Place},
};
use pld_protocol::{BufferId, Cell, GroupId, SiteId, What as Happens};

/// More cells than these are not told apart.
const MOST_CELLS: u64 = 1024;

/// A cell of a window: of which, and its first byte.
type At = (usize, u64);

impl Machine<'_> {
    pub(super) fn signal(&mut self, frame: &mut Frame, operation: &Operation) -> Done {
        let site = operation.site;
        match &operation.what {
            What::Notify {
                set,
                value,
                signal,
                offsets,
                peer,
            } => {
                let cells = self.cells_of(frame, site, *signal, offsets)?;
                let value = int(frame, *value).range;
                let value = value.meet(Interval::all(32)).unwrap_or(Interval::all(32));
                for &(window, offset) in &cells {
                    let owners = self.peers(frame, *peer, window, site)?;
                    let certain = owners.certain && cells.len() == 1;
                    for owner in owners.ranks {
                        let cell = self.cell((window, offset), owner);
                        self.notify(site, cell, *set, value, certain);
                    }
                }
                Ok(())
            }
            What::Wait {
                cmp,
                value,
                signal,
                offsets,
            } => {
                let cells = self.cells_of(frame, site, *signal, offsets)?;
                let rank = self.rank();
                let origin = self.origin_of(frame, offsets);
                let text = |option| format!("the wait is on its cell number {option}");
                let chosen = match cells.len() {
                    1 => 0,
                    many => self.choices.choose(origin, many, site, rank, text),
                };
                let at = cells[chosen.min(cells.len() - 1)];
                self.own(at.0, site)?;
                let value = int(frame, *value).range;
                let what = Happens::Wait {
                    cell: self.cell(at, rank),
                    cmp: *cmp,
                    lo: value.lo,
                    hi: value.hi,
                };
                self.event(site, what, true);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn cell(&self, (window, offset): At, owner: u32) -> Cell {
        Cell {
            buffer: self.windows[window].buffer,
            owner,
            offset,
        }
    }

    fn notify(&mut self, site: SiteId, cell: Cell, is_set: bool, value: Interval, certain: bool) {
        if self.dry == 0 {
            self.cells.notify(cell, is_set, value);
        }
        let (lo, hi) = (value.lo, value.hi);
        let what = match is_set {
            true => Happens::Set { cell, lo, hi },
            false => Happens::Add { cell, lo, hi },
        };
        self.event(site, what, certain);
    }

    fn origin_of(
        &mut self,
        frame: &Frame,
        offsets: &[Entry],
    ) -> Option<crate::check_protocol::value::Origin> {
        let offsets: Vec<_> = offsets.iter().map(|&offset| entry(frame, offset)).collect();
        self.origins.computed("cell", &offsets)
    }

    /// The cells that offsets may name: at least one.
    fn cells_of(
        &mut self,
        frame: &Frame,
        site: SiteId,
        signal: Slot,
        offsets: &[Entry],
    ) -> Done<Vec<At>> {
        let Some(memories) = memories(frame, signal) else {
            return Err(self.give_up(site, "its signal is not followed".into()));
        };
        let mut cells = Vec::new();
        for memory in memories.iter() {
            let Place::Window(window) = memory.place else {
                continue;
            };
            match cells_in(frame, memory, offsets) {
                Some(offsets) => cells.extend(offsets.into_iter().map(|offset| (window, offset))),
                None => {
                    let text = "the cells that it may mean are too many to be told apart".into();
                    return Err(self.give_up(site, text));
                }
            }
        }
        match cells.is_empty() {
            true => Err(self.give_up(site, "its cell lies outside of the signal".into())),
            false => Ok(cells),
        }
    }

    /// A barrier or collective.
    pub(super) fn meet(&mut self, frame: &mut Frame, site: SiteId, meet: &code::Meet) -> Done {
        let mut first = None;
        for &slot in meet.signal.iter().chain(&meet.data) {
            for memory in memories(frame, slot).iter().flat_map(|list| list.iter()) {
                if let Place::Window(window) = memory.place {
                    first.get_or_insert(window);
                    self.cells.written.insert(self.windows[window].buffer);
                }
            }
        }
        let signal = match meet.signal {
            None => None,
            Some(slot) => match memories(frame, slot).as_deref().map(Vec::as_slice) {
                Some([memory]) => Some(memory.base),
                _ => return Err(self.give_up(site, "its signal is not followed".into())),
            },
        };
        let Some(window) = first else {
            return Err(self.give_up(site, "its windows are not followed".into()));
        };
        let meeting = Meeting {
            group: self.windows[window].group,
            signal: signal.map(|_| self.windows[window].buffer),
            offset: signal.unwrap_or(0),
            kind: meet.kind.clone(),
        };
        if self.here.is_some() {
            self.own(window, site)?;
            return self.meet_with_blocks(site, meeting);
        }
        for &rank in self.windows[window].members.clone().iter() {
            self.event_in(rank as usize, site, meeting.clone().into(), true);
        }
        Ok(())
    }
}

/// Who meets, and by what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Meeting {
    pub group: GroupId,
    pub signal: Option<BufferId>,
    pub offset: u64,
    pub kind: String,
}

impl From<Meeting> for Happens {
    fn from(meeting: Meeting) -> Self {
        Self::Meet {
            group: meeting.group,
            signal: meeting.signal,
            offset: meeting.offset,
            kind: meeting.kind,
        }
    }
}

/// The first bytes of the cells that offsets may name; `None` if they are too many or cannot be
/// counted.
fn cells_in(frame: &Frame, memory: &Memory, offsets: &[Entry]) -> Option<Vec<u64>> {
    let mut cells = vec![0u64];
    for (extent, &offset) in memory.shape.iter().zip(offsets) {
        let greatest = extent.range.hi.saturating_sub(1);
        if greatest < 0 {
            return Some(vec![]);
        }
        let Some(inside) = entry(frame, offset).range.meet(Interval::new(0, greatest)) else {
            return Some(vec![]);
        };
        let number = inside.hi.checked_sub(inside.lo)? as u64;
        if number.checked_mul(cells.len() as u64)? >= MOST_CELLS {
            return None;
        }
        let shape = match extent.range.as_point() {
            Some(shape) => shape as u64,
            // The outermost dim counts nothing.
            None if cells == [0] => 1,
            None => return None,
        };
        let mut next = Vec::with_capacity(cells.len());
        for &cell in &cells {
            for index in inside.lo..=inside.hi {
                next.push(cell.checked_mul(shape)?.checked_add(index as u64)?);
            }
        }
        cells = next;
    }
    let byte = |cell: u64| cell.checked_mul(4)?.checked_add(memory.base);
    cells.into_iter().map(byte).collect()
}
