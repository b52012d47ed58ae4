//! `pl.spmd`: a process for each block, which starts and ends by cells of the check itself; and
//! meetings of a rank whose blocks have to meet first.

use super::{Done, Frame, Here, Machine, Stop, int, signal::Meeting};
use crate::check_protocol::code::{Body, Slot};
use pld_protocol::{
    Buffer, BufferId, BufferKind, Cell, Cmp, Process, SiteId, Step, What as Happens,
};
use std::collections::HashMap;

/// More blocks than these are not followed.
const MOST_BLOCKS: i64 = 4096;

/// A block of a rank.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub index: u32,
    pub count: u32,
    /// Cells that its blocks start, meet and end by.
    buffer: BufferId,
    /// How often it has met the others for each reason.
    met: HashMap<Option<Meeting>, u32>,
}

/// A reason for which the blocks of one `pl.spmd` meet, and for how many times they have.
type Reason = (BufferId, Option<Meeting>, u32);

/// The cells at which blocks meet.
#[derive(Debug, Default)]
pub(super) struct Meetings(HashMap<Reason, u64>);

/// The cell that a block waits on to start, and the one that tells its end.
const START: u64 = 0;
const END: u64 = 4;

impl<'p> Machine<'p> {
    pub(super) fn spmd(
        &mut self,
        frame: &mut Frame,
        site: SiteId,
        count: Slot,
        body: &'p Body,
    ) -> Done {
        let Some(main) = self.here.clone() else {
            return Ok(());
        };
        let count = int(frame, count).range.as_point();
        let count = match count.filter(|count| *count <= MOST_BLOCKS) {
            Some(count) => u32::try_from(count).unwrap_or(0),
            None => {
                let text = "its number of blocks is not known, or too great".into();
                return Err(self.give_up(site, text));
            }
        };
        let buffer = self.buffer(Buffer {
            name: "blocks".into(),
            bytes: u64::MAX,
            kind: BufferKind::Private,
        });
        let cell = |offset| Cell {
            buffer,
            owner: main.rank,
            offset,
        };
        if body.effects.integers && self.code.reads_integers && count > 1 {
            self.settle(frame, site, &main, count, buffer, body)?;
        }
        self.event(site, add(cell(START)), true);
        for index in 0..count {
            let process = self.skeleton.processes.len();
            self.skeleton.processes.push(Process {
                rank: main.rank,
                block: Some(index),
                events: Vec::new(),
            });
            self.here = Some(block(&main, process, index, count, buffer));
            self.event(site, wait(cell(START), 1), true);
            let ended = self.block_body(frame, site, body);
            match ended {
                Ok(()) => self.event(site, add(cell(END)), true),
                Err(Stop::Process) => {
                    self.stopped.insert(process);
                }
                Err(stop) => {
                    self.here = Some(main);
                    return Err(stop);
                }
            }
        }
        self.here = Some(main.clone());
        self.event(site, wait(cell(END), count), true);
        Ok(())
    }

    fn block_body(&mut self, frame: &mut Frame, site: SiteId, body: &'p Body) -> Done {
        let name = "pl.spmd".to_owned();
        self.inside(Step::Call(site, name), |machine| {
            machine.body(frame, body, site)
        })
    }

    /// Finds out which integers blocks may leave for each other.
    fn settle(
        &mut self,
        frame: &mut Frame,
        site: SiteId,
        main: &Here,
        count: u32,
        buffer: BufferId,
        body: &'p Body,
    ) -> Done {
        let widened = self.widen;
        self.dry += 1;
        for round in 0..3 {
            self.widen = widened || round > 0;
            for index in 0..count {
                self.here = Some(block(main, main.process, index, count, buffer));
                match self.block_body(frame, site, body) {
                    Ok(()) | Err(Stop::Process) => {}
                    Err(stop) => return Err(stop),
                }
            }
        }
        self.widen = widened;
        self.dry -= 1;
        self.here = Some(main.clone());
        Ok(())
    }

    /// All blocks of the rank meet, then the first of them meets the peers.
    pub(super) fn meet_with_blocks(&mut self, site: SiteId, meeting: Meeting) -> Done {
        let Some((arrive, leave, index, count)) = self.next_meeting(Some(meeting.clone())) else {
            self.event(site, meeting.into(), true);
            return Ok(());
        };
        if index > 0 {
            self.event(site, add(arrive), true);
            self.event(site, wait(leave, 1), true);
            return Ok(());
        }
        self.event(site, wait(arrive, count - 1), true);
        self.event(site, meeting.into(), true);
        self.event(site, add(leave), true);
        Ok(())
    }

    pub(super) fn sync_blocks(&mut self, site: SiteId) -> Done {
        if let Some((arrive, _, _, count)) = self.next_meeting(None) {
            self.event(site, add(arrive), true);
            self.event(site, wait(arrive, count), true);
        }
        Ok(())
    }

    /// The cells of this block's next meeting for a reason, its number and that of all; `None`
    /// if it is alone.
    fn next_meeting(&mut self, reason: Option<Meeting>) -> Option<(Cell, Cell, u32, u32)> {
        let here = self.here.as_mut()?;
        let block = here.block.as_mut().filter(|block| block.count > 1)?;
        let met = block.met.entry(reason.clone()).or_insert(0);
        let key = (block.buffer, reason, *met);
        *met += 1;
        let next = END + 4 + 8 * self.blocks.0.len() as u64;
        let offset = *self.blocks.0.entry(key).or_insert(next);
        let cell = |offset| Cell {
            buffer: block.buffer,
            owner: here.rank,
            offset,
        };
        Some((cell(offset), cell(offset + 4), block.index, block.count))
    }
}

fn block(main: &Here, process: usize, index: u32, count: u32, buffer: BufferId) -> Here {
    Here {
        process,
        rank: main.rank,
        block: Some(Block {
            index,
            count,
            buffer,
            met: HashMap::new(),
        }),
    }
}

fn add(cell: Cell) -> Happens {
    Happens::Add { cell, lo: 1, hi: 1 }
}

fn wait(cell: Cell, value: u32) -> Happens {
    Happens::Wait {
        cell,
        cmp: Cmp::Ge,
        lo: value.into(),
        hi: value.into(),
    }
}
