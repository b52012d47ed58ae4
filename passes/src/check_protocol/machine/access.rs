//! Accesses to arrays and windows, and the integers that are read and written.

use super::{Done, Frame, Machine, Stop, entry, int, memories, set};
use crate::check_protocol::{
    code::{Access, Definition, Entry, Slot, Transfer},
    interval::Interval,
    memory::Integers,
    region::{self, Dim, Region},
    value::{Int, Memory, Place, Source, Value},
};
use pld_protocol::{AccessKind, Buffer, BufferId, BufferKind, Cell, SiteId, What};

/// The ranks whose slice may be meant.
pub(super) struct Owners {
    pub ranks: Vec<u32>,
    pub certain: bool,
}

impl Machine<'_> {
    pub(super) fn access(
        &mut self,
        frame: &mut Frame,
        site: SiteId,
        access: &Access,
        results: &[Definition],
    ) -> Done {
        let Some(memories) = memories(frame, access.memory) else {
            return Err(self.give_up(site, "the memory that it accesses is not followed".into()));
        };
        let mut read: Option<Int> = None;
        for memory in memories.iter() {
            let parts = access.offsets.iter().zip(&access.extents);
            let dims: Vec<Dim> = memory
                .shape
                .iter()
                .zip(parts)
                .map(|(shape, (&offset, &extent))| dim_of(shape.range, offset, extent, frame))
                .collect();
            let region = self.region(memory, &dims);
            let certain = memories.len() == 1;
            self.reach(
                frame,
                site,
                memory,
                access.peer,
                access.kind,
                &region,
                certain,
            )?;
            if access.kind != AccessKind::Read {
                let value = access.value.filter(|_| access.kind == AccessKind::Write);
                let value = value.map(|slot| int(frame, slot));
                self.write_integers(memory, access.peer, &region, value.filter(|_| certain));
            } else if let Some(bits) = memory.bits.filter(|_| access.is_scalar) {
                let value = self.read_integer(memory, &region, bits);
                read = Some(match read {
                    Some(all) => Int::of(all.range.join(value.range)),
                    None => value,
                });
            }
        }
        if let (Some(result), Some(value)) = (results.first().filter(|it| it.bits.is_some()), read)
        {
            set(frame, result.slot, Value::Int(value));
        }
        Ok(())
    }

    pub(super) fn transfer(
        &mut self,
        frame: &mut Frame,
        site: SiteId,
        transfer: &Transfer,
    ) -> Done {
        let write = match transfer.atomic {
            true => AccessKind::Atomic,
            false => AccessKind::Write,
        };
        let (to, from) = match transfer.is_put {
            true => (Some(transfer.peer), None),
            false => (None, Some(transfer.peer)),
        };
        let sides = [
            (
                transfer.source,
                &transfer.source_offsets,
                from,
                AccessKind::Read,
            ),
            (
                transfer.destination,
                &transfer.destination_offsets,
                to,
                write,
            ),
        ];
        for (slot, offsets, peer, kind) in sides {
            let Some(memories) = memories(frame, slot) else {
                let text = "the memory that it moves is not followed".into();
                return Err(self.give_up(site, text));
            };
            for memory in memories.iter() {
                let dims: Vec<Dim> = memory
                    .shape
                    .iter()
                    .enumerate()
                    .map(|(dim, shape)| {
                        let at = |list: &Option<Vec<Entry>>| list.as_ref()?.get(dim).copied();
                        let offset = at(offsets).unwrap_or(Entry::Static(0));
                        match at(&transfer.sizes) {
                            Some(size) => {
                                dim_of(shape.range, offset, (size, shape.range.hi), frame)
                            }
                            None => Dim {
                                shape: shape.range,
                                offset: entry(frame, offset).range,
                                extent: shape.range,
                            },
                        }
                    })
                    .collect();
                let region = self.region(memory, &dims);
                self.reach(
                    frame,
                    site,
                    memory,
                    peer,
                    kind,
                    &region,
                    memories.len() == 1,
                )?;
                if kind != AccessKind::Read {
                    self.write_integers(memory, peer, &region, None);
                }
            }
        }
        Ok(())
    }

    fn region(&self, memory: &Memory, dims: &[Dim]) -> Region {
        let bytes = self.bytes(memory.place);
        match memory.is_anywhere {
            true => region::whole(0, bytes),
            false => region::of(dims, memory.element, memory.base, bytes),
        }
    }

    fn bytes(&self, place: Place) -> u64 {
        match place {
            Place::Window(window) => {
                self.skeleton.buffers[self.windows[window].buffer.index()].bytes
            }
            Place::Array(array) => self.arrays[array].bytes,
        }
    }

    /// The events of an access to a region.
    #[expect(clippy::too_many_arguments, reason = "the parts of one access")]
    fn reach(
        &mut self,
        frame: &mut Frame,
        site: SiteId,
        memory: &Memory,
        peer: Option<Slot>,
        kind: AccessKind,
        region: &Region,
        certain: bool,
    ) -> Done {
        let (buffer, owners) = match memory.place {
            Place::Array(array) => {
                if !self.in_blocks() {
                    return Ok(());
                }
                let ranks = vec![self.rank()];
                let certain = true;
                (self.array_buffer(array), Owners { ranks, certain })
            }
            Place::Window(window) => {
                let owners = match peer {
                    None => self.own(window, site)?,
                    Some(peer) => self.peers(frame, peer, window, site)?,
                };
                (self.windows[window].buffer, owners)
            }
        };
        if region.runs.is_empty() {
            return Ok(());
        }
        if kind != AccessKind::Read && self.dry == 0 {
            self.cells.written.insert(buffer);
        }
        for owner in owners.ranks {
            let what = What::Access {
                kind,
                buffer,
                owner,
                runs: region.runs.clone(),
            };
            self.event(site, what, certain && region.exact && owners.certain);
        }
        Ok(())
    }

    fn array_buffer(&mut self, array: usize) -> BufferId {
        if let Some(buffer) = self.arrays[array].buffer {
            return buffer;
        }
        let buffer = self.buffer(Buffer {
            name: self.arrays[array].name.clone(),
            bytes: self.arrays[array].bytes,
            kind: BufferKind::Memory,
        });
        self.arrays[array].buffer = Some(buffer);
        buffer
    }

    /// The own slice; a rank that has none ends here.
    pub(super) fn own(&mut self, window: usize, site: SiteId) -> Done<Owners> {
        let rank = self.rank();
        if self.windows[window].members.contains(&rank) {
            return Ok(Owners {
                ranks: vec![rank],
                certain: true,
            });
        }
        if self.may > 0 || self.dry > 0 {
            return Ok(Owners {
                ranks: vec![],
                certain: false,
            });
        }
        let buffer = self.windows[window].buffer;
        self.event(site, What::Foreign { buffer }, true);
        Err(Stop::Process)
    }

    /// The slices that a peer may mean. One that comes from data is taken to be a rank of the
    /// group from here on: the run checks that.
    pub(super) fn peers(
        &mut self,
        frame: &mut Frame,
        slot: Slot,
        window: usize,
        site: SiteId,
    ) -> Done<Owners> {
        self.own(window, site)?;
        let members = self.windows[window].members.clone();
        let all = Interval::new(0, members.len() as i64 - 1);
        let peer = int(frame, slot);
        let Some(inside) = peer.range.meet(all) else {
            if self.may > 0 || self.dry > 0 {
                return Ok(Owners {
                    ranks: vec![],
                    certain: false,
                });
            }
            let what = What::Outside {
                lo: peer.range.lo,
                hi: peer.range.hi,
                size: members.len() as u32,
            };
            self.event(site, what, true);
            return Err(Stop::Process);
        };
        if inside != peer.range {
            let text = "the peer comes from data and is taken to be a rank of the group";
            self.remark(site, text.into(), false);
            if self.may == 0 {
                let origin = peer.origin;
                let range = inside;
                set(frame, slot, Value::Int(Int { range, origin }));
            }
        }
        let ranks = (inside.lo..=inside.hi).map(|peer| members[peer as usize]);
        Ok(Owners {
            ranks: ranks.collect(),
            certain: inside.as_point().is_some(),
        })
    }

    /// What one element may be.
    fn read_integer(&mut self, memory: &Memory, region: &Region, bits: u32) -> Int {
        let any = Int::of(Interval::all(bits));
        let place = match &region.runs[..] {
            [run] if region.exact && run.count == 1 => Some(run.base),
            _ => None,
        };
        let array = match memory.place {
            Place::Window(window) => return self.read_cell(window, region, bits),
            Place::Array(array) => array,
        };
        if let (Some((number, is_shared)), Some(byte)) = (self.arrays[array].input, place) {
            let origin = self.origins.get(Source::Element(number, byte), is_shared);
            return Int {
                origin: Some(origin),
                ..any
            };
        }
        let known = self.integers.get(&(array, self.rank()));
        let value = known.and_then(|known| match place {
            Some(byte) => known.get(byte),
            None => known.within(&region.runs, memory.element),
        });
        value.unwrap_or(any)
    }

    /// What cells of the own slice may hold.
    fn read_cell(&mut self, window: usize, region: &Region, bits: u32) -> Int {
        let buffer = self.windows[window].buffer;
        let owner = self.rank();
        let any = Int::of(Interval::all(bits));
        if bits != 32 || self.bytes(Place::Window(window)) > 1 << 16 {
            return any;
        }
        self.cells.is_read = true;
        let Some(cells) = self
            .known_cells
            .filter(|cells| !cells.written.contains(&buffer))
        else {
            return any;
        };
        let mut hull: Option<Interval> = None;
        for run in &region.runs {
            for piece in 0..run.count {
                let from = run.base + piece * run.stride;
                for offset in (from..from + run.length).step_by(4) {
                    let cell = Cell {
                        buffer,
                        owner,
                        offset,
                    };
                    let range = cells.holds(cell).range;
                    hull = Some(hull.map_or(range, |all| all.join(range)));
                }
            }
        }
        hull.map_or(any, Int::of)
    }

    /// A write of one value, or of anything, to an array of integers.
    fn write_integers(
        &mut self,
        memory: &Memory,
        peer: Option<Slot>,
        region: &Region,
        value: Option<Int>,
    ) {
        let (Place::Array(array), None, Some(_)) = (memory.place, peer, memory.bits) else {
            return;
        };
        if !self.code.reads_integers {
            return;
        }
        let is_certain = self.may == 0 && !self.in_blocks() && region.exact;
        let widen = self.widen;
        let rank = self.rank();
        let known: &mut Integers = self.integers.entry((array, rank)).or_default();
        self.changed |= match (value, &region.runs[..]) {
            (Some(value), [run]) if is_certain && run.count == 1 => {
                known.set(run.base, value);
                false
            }
            (Some(value), runs) => known.perhaps(runs, value, widen),
            (None, runs) => known.forget(runs),
        };
    }
}

/// A dim of a region whose extent is at most `most`.
fn dim_of(shape: Interval, offset: Entry, (extent, most): (Entry, i64), frame: &Frame) -> Dim {
    let most = Interval::new(0, most.max(0));
    let extent = entry(frame, extent).range;
    Dim {
        shape,
        offset: entry(frame, offset).range,
        extent: extent.meet(most).unwrap_or(Interval::point(0)),
    }
}
