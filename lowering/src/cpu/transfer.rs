//! Loads and stores of a group: checked, announced to the race detector, and kept apart where
//! they may overlap.

use super::{
    frame::Frame,
    llvm::{Llvm, vector_type},
    memory::{self, Region, Touch},
    nest,
    plan::{self, groups::needs_check},
    vector::storage,
};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    view::{self, Access},
};
use std::collections::HashMap;

/// A load or store of the group.
pub(super) struct Transfer<'c, 'a> {
    pub(super) access: Access<'c, 'a>,
    pub(super) region: Region<'c, 'a>,
    /// Where strips go: memory, or the fallback slot.
    pub(super) base: Value<'c, 'a>,
    pub(super) pitch: Value<'c, 'a>,
    /// The fallback slot of a store, and whether it is used.
    pub(super) fallback: Option<(Value<'c, 'a>, Value<'c, 'a>)>,
}

/// Loads and stores by the key of their operation.
pub(super) type Transfers<'c, 'a> = HashMap<usize, Transfer<'c, 'a>>;

pub(super) fn key(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

/// The loads and stores of a group, checked and announced to the race detector.
pub(super) fn transfers<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    ops: &[OperationRef<'c, 'a>],
    columns: i64,
) -> Result<HashMap<usize, Transfer<'c, 'a>>, Reported> {
    let mut transfers: HashMap<usize, Transfer> = HashMap::new();
    for &op in ops {
        let Some(access) = Access::of(op) else {
            continue;
        };
        let at = at.with_location(op.location());
        let region = region(frame, &at, &access)?;
        let mut transfer = Transfer {
            base: region.address(&at),
            pitch: region.pitch,
            access,
            region,
            fallback: None,
        };
        let slot = view::integer(&op, plan::FALLBACK).and_then(|slot| frame.slot_at(&at, slot));
        if let Some(slot) = slot {
            let loads = transfers
                .values()
                .filter(|load| !load.access.writes && needs_check(&load.access, &transfer.access));
            // In program order, so that the output does not depend on hashing.
            let mut loads: Vec<_> = loads.collect();
            loads.sort_by_key(|load| ops.iter().position(|op| *op == load.access.op));
            let clash = loads
                .into_iter()
                .fold(at.int(at.int_type(1), 0), |clash, load| {
                    let overlaps = overlap(&at, load, &transfer);
                    at.binary("arith.ori", clash, overlaps)
                });
            let pitch = at.word(columns * transfer.region.element.bytes());
            transfer.base = at.select(clash, slot, transfer.base);
            transfer.pitch = at.select(clash, pitch, transfer.pitch);
            transfer.fallback = Some((slot, clash));
        }
        transfers.insert(key(op), transfer);
    }
    Ok(transfers)
}

/// Where an access is to be made, checked and announced.
fn region<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    access: &Access<'c, 'a>,
) -> Result<Region<'c, 'a>, Reported> {
    let region = memory::region(frame, at, access)?;
    let Some(peer) = access.peer else {
        let kind = if access.writes {
            Touch::Write
        } else {
            Touch::Read
        };
        memory::touch(frame, at, access, &region, kind);
        return Ok(region);
    };
    let (peer, site) = (at.to_i64(peer), frame.site(at, access.op));
    let Region {
        base,
        offset,
        pitch,
        rows,
        bytes,
        ..
    } = region;
    let arguments = [base, offset, pitch, rows, bytes, peer, site];
    Ok(Region {
        base: frame.runtime_value(at, "pld_rt_reach", &arguments),
        offset: at.word(0),
        ..region
    })
}

/// Whether a store may overwrite what a load of the nest has yet to read: their ranges
/// overlap, and they are not in step.
fn overlap<'c, 'a>(
    at: &Emitter<'c, 'a>,
    load: &Transfer<'c, 'a>,
    store: &Transfer<'c, 'a>,
) -> Value<'c, 'a> {
    let range = |transfer: &Transfer<'c, 'a>| {
        let region = &transfer.region;
        let start = region.address(at);
        let start = at.value("llvm.ptrtoint", &[start], at.word_type(), &[]);
        let last_row = at.binary("arith.subi", region.rows, at.word(1));
        let end = at.add(start, at.mul(last_row, region.pitch));
        (start, at.add(end, region.bytes))
    };
    const BELOW: i64 = 6;
    let ((from, from_end), (to, to_end)) = (range(load), range(store));
    let one = at.cmpi(BELOW, from, to_end);
    let other = at.cmpi(BELOW, to, from_end);
    let overlap = at.binary("arith.andi", one, other);
    if load.region.element.bytes() != store.region.element.bytes() {
        return overlap;
    }
    let elsewhere = at.cmpi(1, from, to);
    let other_pitch = at.cmpi(1, load.region.pitch, store.region.pitch);
    let out_of_step = at.binary("arith.ori", elsewhere, other_pitch);
    at.binary("arith.andi", overlap, out_of_step)
}

/// Copies the fallback slot of a store to where it should have gone.
pub(super) fn copy_out<'c, 'a>(
    at: &Emitter<'c, 'a>,
    transfer: &Transfer<'c, 'a>,
    slot: Value<'c, 'a>,
    rows: i64,
    columns: i64,
) {
    let element = transfer.region.element;
    let size = element.bytes();
    nest::strips(at, rows, columns, &mut |at, strip| {
        let vector = vector_type(storage(at, element), strip.lanes);
        let from = strip.address(at, slot, at.word(columns * size), size);
        let value = at.load(from, vector, size);
        let base = transfer.region.address(at);
        let to = strip.address(at, base, transfer.region.pitch, size);
        at.store(value, to, size);
    });
}
