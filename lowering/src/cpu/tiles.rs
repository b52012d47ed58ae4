//! Tile operations that are not row-wise: each works on slots, on its own.
//!
//! | operation | becomes |
//! | --- | --- |
//! | `pl.load` with `valid` | the slot filled with the pad value, then a copy of the valid part |
//! | `pl.store` with `valid` | a copy of the valid part |
//! | `pl.store` with `atomic add` | `pld_rt_local_add` |
//! | `pld.remote_load` | the pad value if there is a `valid`, then `pld_rt_load` |
//! | `pld.remote_store` | `pld_rt_store` |
//! | `arith.select` of tiles | a copy |

use super::{
    elementwise,
    frame::Frame,
    host::malformed,
    llvm::{Llvm, vector_type},
    memory::{self, Region, Touch},
    nest::{self, Strip},
    plan::{Edge, SLOTS, TEMPS, edges, groups::is_whole},
    vector::{Lanes, storage},
};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pass::Reported,
    types::{Element, Shaped},
    view::{self, Access},
};

pub(super) type Lowered = Result<(), Reported>;

/// The dense memory of a tile.
pub(super) struct Slot<'c, 'a> {
    /// Its first element.
    pub(super) base: Value<'c, 'a>,
    pub(super) rows: i64,
    pub(super) columns: i64,
    pub(super) element: Element,
}

impl<'c, 'a> Slot<'c, 'a> {
    fn of(
        frame: &Frame<'c, 'a, '_>,
        at: &Emitter<'c, 'a>,
        access: &Access<'c, 'a>,
        element: Element,
    ) -> Result<Self, Reported> {
        let (rows, columns) = memory::tile_shape(access).ok_or_else(|| malformed(access.op))?;
        Ok(Self {
            base: frame.slot(at, access.value)?,
            rows,
            columns,
            element,
        })
    }

    /// Of operand `index` of an operation.
    pub(super) fn operand(
        frame: &Frame<'c, 'a, '_>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        index: usize,
    ) -> Result<Self, Reported> {
        let tile = op.operand(index).map_err(|_| malformed(op))?;
        Self::tile(frame, at, tile).ok_or_else(|| malformed(op))
    }

    /// Of the result of an operation.
    pub(super) fn result(
        frame: &Frame<'c, 'a, '_>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<Self, Reported> {
        let tile = op.result(0).map_err(|_| malformed(op))?.into();
        Self::tile(frame, at, tile).ok_or_else(|| malformed(op))
    }

    fn tile(frame: &Frame<'c, 'a, '_>, at: &Emitter<'c, 'a>, tile: Value<'c, 'a>) -> Option<Self> {
        let shaped = Shaped::of(tile.r#type())?;
        let [rows, columns] = shaped.shape[..] else {
            return None;
        };
        Some(Self {
            base: frame.slot(at, tile).ok()?,
            rows,
            columns,
            element: shaped.element()?,
        })
    }

    /// Bytes of all of it.
    pub(super) fn bytes(&self) -> i64 {
        self.rows * self.columns * self.element.bytes()
    }

    /// The vector of a strip.
    pub(super) fn load(&self, at: &Emitter<'c, 'a>, strip: Strip<'c, 'a>) -> Value<'c, 'a> {
        let vector = vector_type(storage(at, self.element), strip.lanes);
        at.load(self.address(at, strip), vector, self.element.bytes())
    }

    pub(super) fn store(&self, at: &Emitter<'c, 'a>, strip: Strip<'c, 'a>, value: Value<'c, 'a>) {
        at.store(value, self.address(at, strip), self.element.bytes());
    }

    fn address(&self, at: &Emitter<'c, 'a>, strip: Strip<'c, 'a>) -> Value<'c, 'a> {
        strip.address(at, self.base, self.pitch(at), self.element.bytes())
    }

    /// Bytes from row to row.
    pub(super) fn pitch(&self, at: &Emitter<'c, 'a>) -> Value<'c, 'a> {
        at.word(self.columns * self.element.bytes())
    }

    /// Fills all of it.
    fn fill(&self, at: &Emitter<'c, 'a>, value: Value<'c, 'a>) {
        let size = self.element.bytes();
        nest::strips(at, 1, self.rows * self.columns, &mut |at, strip| {
            let lanes = strip.lanes;
            let vector = elementwise::fill(Lanes { at, lanes }, self.element, value);
            let address = strip.address(at, self.base, at.word(0), size);
            at.store(vector, address, size);
        });
    }
}

/// A place in memory, and bytes from row to row.
type Rows<'c, 'a> = (Value<'c, 'a>, Value<'c, 'a>);

/// Copies the part that a region covers from one place to another.
fn copy<'c, 'a>(
    at: &Emitter<'c, 'a>,
    region: &Region<'c, 'a>,
    from: Rows<'c, 'a>,
    to: Rows<'c, 'a>,
) {
    let size = region.element.bytes();
    let columns = at.binary("arith.divsi", region.bytes, at.word(size));
    nest::ragged(at, region.rows, columns, &mut |at, strip| {
        let vector = vector_type(storage(at, region.element), strip.lanes);
        let value = at.load(strip.address(at, from.0, from.1, size), vector, size);
        at.store(value, strip.address(at, to.0, to.1, size), size);
    });
}

/// Fills the tile of a load with its pad value, unless all of it is loaded.
fn pad<'c, 'a>(at: &Emitter<'c, 'a>, access: &Access<'c, 'a>, slot: &Slot<'c, 'a>) {
    if !is_whole(access) {
        let value = access.pad.unwrap_or_else(|| at.zero(slot.element));
        slot.fill(at, value);
    }
}

/// A load of a part of a tile.
pub(super) fn load<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let access = Access::of(op).ok_or_else(|| malformed(op))?;
    let region = memory::region(frame, &at, &access)?;
    let slot = Slot::of(frame, &at, &access, region.element)?;
    memory::touch(frame, &at, &access, &region, Touch::Read);
    pad(&at, &access, &slot);
    let from = (region.address(&at), region.pitch);
    copy(&at, &region, from, (slot.base, slot.pitch(&at)));
    Ok(())
}

/// An atomic store, or a store of a part of a tile.
pub(super) fn store<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let access = Access::of(op).ok_or_else(|| malformed(op))?;
    let region = memory::region(frame, &at, &access)?;
    let slot = Slot::of(frame, &at, &access, region.element)?;
    let (address, pitch) = (region.address(&at), slot.pitch(&at));
    if access.atomic {
        memory::touch(frame, &at, &access, &region, Touch::AtomicAdd);
        let add = add_code(region.element).ok_or_else(|| malformed(op))?;
        let (add, site) = (at.word(add), frame.site(&at, op));
        let Region {
            pitch: to_pitch,
            rows,
            bytes,
            ..
        } = region;
        frame.runtime(
            &at,
            "pld_rt_local_add",
            &[slot.base, pitch, address, to_pitch, rows, bytes, add, site],
        );
        return Ok(());
    }
    memory::touch(frame, &at, &access, &region, Touch::Write);
    copy(&at, &region, (slot.base, pitch), (address, region.pitch));
    Ok(())
}

/// How the runtime knows the element type of an atomic add.
fn add_code(element: Element) -> Option<i64> {
    use Element::{BF16, F16, F32, I8, I16, I32};
    let known = [F32, F16, BF16, I8, I16, I32];
    let index = known.iter().position(|&known| known == element)?;
    Some(index as i64 + 1)
}

pub(super) fn remote_load<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let access = Access::of(op).ok_or_else(|| malformed(op))?;
    let peer = access.peer.ok_or_else(|| malformed(op))?;
    let region = memory::region(frame, &at, &access)?;
    let slot = Slot::of(frame, &at, &access, region.element)?;
    pad(&at, &access, &slot);
    let (pitch, peer, site) = (slot.pitch(&at), at.to_i64(peer), frame.site(&at, op));
    let Region {
        base,
        offset,
        pitch: from_pitch,
        rows,
        bytes,
        ..
    } = region;
    frame.runtime(
        &at,
        "pld_rt_load",
        &[
            slot.base, pitch, base, offset, from_pitch, rows, bytes, peer, site,
        ],
    );
    Ok(())
}

pub(super) fn remote_store<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let access = Access::of(op).ok_or_else(|| malformed(op))?;
    let peer = access.peer.ok_or_else(|| malformed(op))?;
    let region = memory::region(frame, &at, &access)?;
    let slot = Slot::of(frame, &at, &access, region.element)?;
    let add = if access.atomic {
        add_code(region.element).ok_or_else(|| malformed(op))?
    } else {
        0
    };
    let (pitch, peer, site) = (slot.pitch(&at), at.to_i64(peer), frame.site(&at, op));
    let add = at.word(add);
    let Region {
        base,
        offset,
        pitch: to_pitch,
        rows,
        bytes,
        ..
    } = region;
    frame.runtime(
        &at,
        "pld_rt_store",
        &[
            slot.base, pitch, base, offset, to_pitch, rows, bytes, peer, add, site,
        ],
    );
    Ok(())
}

/// `arith.select` between two tiles.
pub(super) fn select<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let (Ok(condition), Ok(yes), Ok(no)) = (op.operand(0), op.operand(1), op.operand(2)) else {
        return Err(malformed(op));
    };
    let result: Value = op.result(0).map_err(|_| malformed(op))?.into();
    let from = at.select(condition, frame.slot(&at, yes)?, frame.slot(&at, no)?);
    at.memcpy(frame.slot(&at, result)?, from, bytes(result)?);
    Ok(())
}

fn bytes(tile: Value) -> Result<i64, Reported> {
    Shaped::of(tile.r#type())
        .and_then(|shaped| shaped.static_bytes())
        .ok_or(Reported)
}

/// Tiles that an `scf` operation carries: copies to the slots of what they become, and a
/// number in their place as a value, since the operation must still carry something.
pub(super) fn carry<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let edges = edges(op);
    if edges.is_empty() {
        return Ok(());
    }
    let temps = view::integers(&op, TEMPS).unwrap_or_default();
    for edge in &edges {
        flow(frame, edge, &temps)?;
    }
    for spent in [SLOTS, TEMPS] {
        bridge::remove_attribute(op, spent);
    }
    let stand_in = frame.entry.word(0);
    for edge in &edges {
        for &(operand, _) in &edge.tiles {
            bridge::set_operand(edge.at, operand, stand_in);
        }
    }
    Ok(())
}

fn flow<'c, 'a>(frame: &Frame<'c, 'a, '_>, edge: &Edge<'c, 'a>, temps: &[i64]) -> Lowered {
    let at = Emitter::before(edge.at).ok_or(Reported)?;
    let mut copies = Vec::new();
    for &(operand, target) in &edge.tiles {
        let source = edge.at.operand(operand).map_err(|_| malformed(edge.at))?;
        if frame.slots.of(source) != frame.slots.of(target) {
            let (from, to) = (frame.slot(&at, source)?, frame.slot(&at, target)?);
            copies.push((from, to, bytes(target)?));
        }
    }
    if copies.len() > 1 {
        // One may overwrite what another has yet to copy.
        for ((from, _, bytes), &temp) in copies.iter_mut().zip(temps) {
            let temp = frame.slot_at(&at, temp).ok_or_else(|| malformed(edge.at))?;
            at.memcpy(temp, *from, *bytes);
            *from = temp;
        }
    }
    for (from, to, bytes) in copies {
        at.memcpy(to, from, bytes);
    }
    Ok(())
}
