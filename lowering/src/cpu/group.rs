//! Row-wise operations: each group of the plan becomes one loop nest.
//!
//! | operation | in each strip |
//! | --- | --- |
//! | `pl.load`, `pl.store` of whole tiles | one vector load or store |
//! | `pl.full` | a broadcast |
//! | elementwise | see `elementwise` |
//! | `pl.cast` | see `cast` |
//!
//! A tile that is used outside its group is also stored to its slot.

use super::{
    cast::{self, Mode},
    elementwise,
    frame::Frame,
    host::malformed,
    llvm::{Llvm, vector_type},
    memory::{self, Region, Touch},
    nest::{self, Strip},
    plan::{self, groups::needs_check},
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
use std::collections::HashMap;

/// A load or store of the group.
struct Transfer<'c, 'a> {
    access: Access<'c, 'a>,
    region: Region<'c, 'a>,
    /// Where strips go: memory, or the fallback slot.
    base: Value<'c, 'a>,
    pitch: Value<'c, 'a>,
    /// The fallback slot of a store, and whether it is used.
    fallback: Option<(Value<'c, 'a>, Value<'c, 'a>)>,
}

/// Lowers the operations of one group, given in program order.
pub(super) fn lower<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    ops: &[OperationRef<'c, 'a>],
) -> Result<(), Reported> {
    let (Some(&first), Some(&last)) = (ops.first(), ops.last()) else {
        return Ok(());
    };
    // At the last one, where all operands are there.
    let at = Emitter::before(last).ok_or(Reported)?;
    let shape = plan::groups::row_wise(first).ok_or_else(|| malformed(first))?;
    let [rows, columns] = shape[..] else {
        return Err(malformed(first));
    };
    let transfers = transfers(frame, &at, ops, columns)?;
    if !leaves_anything(frame, ops, &transfers) {
        return Ok(());
    }
    let dense = transfers
        .values()
        .all(|transfer| transfer.region.row_length == Some(columns));
    let mut group = Group {
        frame,
        ops,
        transfers: &transfers,
        columns,
        values: HashMap::new(),
    };
    // Rows that follow each other without a gap are one long row.
    let (nest_rows, nest_columns) = if dense {
        (1, rows * columns)
    } else {
        (rows, columns)
    };
    let mut outcome = Ok(());
    nest::strips(&at, nest_rows, nest_columns, &mut |at, strip| {
        if outcome.is_ok() {
            outcome = group.strip(at, strip);
        }
    });
    outcome?;
    for transfer in ops.iter().filter_map(|op| transfers.get(&key(*op))) {
        if let Some((slot, used)) = transfer.fallback {
            let at = at.with_location(transfer.access.op.location());
            at.if_then(used, |at| copy_out(at, transfer, slot, rows, columns));
        }
    }
    Ok(())
}

/// Whether a group stores anything: one of `pl.full` alone, which others make again, does not.
fn leaves_anything<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    ops: &[OperationRef<'c, 'a>],
    transfers: &HashMap<usize, Transfer<'c, 'a>>,
) -> bool {
    let has_slot = |op: &OperationRef<'c, 'a>| {
        let result = op.result(0);
        result.is_ok_and(|result| frame.slots.of(result.into()).is_some())
    };
    transfers.values().any(|transfer| transfer.access.writes) || ops.iter().any(has_slot)
}

fn key(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

/// The loads and stores of a group, checked and announced to the race detector.
fn transfers<'c, 'a>(
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
        let region = memory::region(frame, &at, &access)?;
        let kind = if access.writes {
            Touch::Write
        } else {
            Touch::Read
        };
        memory::touch(frame, &at, &access, &region, kind);
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
fn copy_out<'c, 'a>(
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

/// A group while its nest is emitted.
struct Group<'c, 'a, 'g, 's> {
    frame: &'g Frame<'c, 'a, 's>,
    ops: &'g [OperationRef<'c, 'a>],
    transfers: &'g HashMap<usize, Transfer<'c, 'a>>,
    columns: i64,
    /// Vectors of the strip, by the key of their tile.
    values: HashMap<usize, Value<'c, 'a>>,
}

fn element_of(tile: Value) -> Option<Element> {
    Shaped::of(tile.r#type())?.element()
}

impl<'c, 'a> Group<'c, 'a, '_, '_> {
    fn strip(&mut self, at: &Emitter<'c, 'a>, strip: Strip<'c, 'a>) -> Result<(), Reported> {
        self.values.clear();
        for &op in self.ops {
            let at = at.with_location(op.location());
            self.operation(&at, strip, op)?;
        }
        Ok(())
    }

    fn operation(
        &mut self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        let bad = || malformed(op);
        if let Some(transfer) = self.transfers.get(&key(op)) {
            let element = transfer.region.element;
            let address = strip.address(at, transfer.base, transfer.pitch, element.bytes());
            if transfer.access.writes {
                let value = self.operand(at, strip, transfer.access.value)?;
                at.store(value, address, element.bytes());
                return Ok(());
            }
            let vector = vector_type(storage(at, element), strip.lanes);
            let value = at.load(address, vector, element.bytes());
            return self.made(at, strip, transfer.access.value, value);
        }
        let result: Value = op.result(0).map_err(|_| bad())?.into();
        let element = element_of(result).ok_or_else(bad)?;
        let lanes = Lanes {
            at,
            lanes: strip.lanes,
        };
        let first = op.operand(0).map_err(|_| bad())?;
        let name = view::name(&op);
        let value = match name {
            "pl.full" => elementwise::fill(lanes, element, first),
            "pl.cast" => {
                let mode = view::integer(&op, "mode")
                    .and_then(Mode::of)
                    .ok_or_else(bad)?;
                let from = element_of(first).ok_or_else(bad)?;
                let source = self.operand(at, strip, first)?;
                cast::emit(lanes, mode, from, element, source)
            }
            _ => {
                // Of what is computed with: the result of a comparison is a mask.
                let element = element_of(first).ok_or_else(bad)?;
                let operands = op
                    .operands()
                    .map(|operand| {
                        if bridge::is_tile(operand.r#type()) {
                            self.operand(at, strip, operand)
                        } else {
                            Ok(elementwise::fill(lanes, element, operand))
                        }
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                elementwise::emit(lanes, op, element, &operands).ok_or_else(bad)?
            }
        };
        self.made(at, strip, result, value)
    }

    /// The strip of a tile: made in this nest, made again, or loaded from its slot.
    fn operand(
        &mut self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        tile: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Reported> {
        if let Some(&value) = self.values.get(&bridge::value_key(tile)) {
            return Ok(value);
        }
        let element = element_of(tile).ok_or(Reported)?;
        let full = view::defining_op(tile).filter(|op| view::is(op, "pl.full"));
        let value = match full.and_then(|op| op.operand(0).ok()) {
            Some(scalar) => {
                let lanes = strip.lanes;
                elementwise::fill(Lanes { at, lanes }, element, scalar)
            }
            None => {
                let address = self.slot_address(at, strip, tile, element)?;
                let vector = vector_type(storage(at, element), strip.lanes);
                at.load(address, vector, element.bytes())
            }
        };
        self.values.insert(bridge::value_key(tile), value);
        Ok(value)
    }

    /// Notes the strip of a tile, and keeps it if others need it.
    fn made(
        &mut self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        tile: Value<'c, 'a>,
        value: Value<'c, 'a>,
    ) -> Result<(), Reported> {
        self.values.insert(bridge::value_key(tile), value);
        if self.frame.slots.of(tile).is_some() {
            let element = element_of(tile).ok_or(Reported)?;
            let address = self.slot_address(at, strip, tile, element)?;
            at.store(value, address, element.bytes());
        }
        Ok(())
    }

    fn slot_address(
        &self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        tile: Value<'c, 'a>,
        element: Element,
    ) -> Result<Value<'c, 'a>, Reported> {
        let base = self.frame.slot(at, tile)?;
        let pitch = at.word(self.columns * element.bytes());
        Ok(strip.address(at, base, pitch, element.bytes()))
    }
}
