//! What a group does with one row.

use super::{
    broadcast,
    cast::{self, Mode},
    elementwise,
    frame::Frame,
    host::malformed,
    llvm::{Llvm, vector_type},
    nest::{self, LANES, Strip},
    plan::{
        self,
        stages::{Part, Stages},
    },
    reduce::{self, Reduction},
    tiles::Lowered,
    transfer::{Transfers, key},
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
    view,
};
use std::collections::HashMap;

/// A group while its nest is emitted.
pub(super) struct Group<'c, 'a, 'g, 's> {
    pub(super) frame: &'g Frame<'c, 'a, 's>,
    pub(super) ops: &'g [OperationRef<'c, 'a>],
    pub(super) stages: &'g Stages,
    pub(super) transfers: &'g Transfers<'c, 'a>,
    /// Vectors of the strip, by the key of their tile.
    pub(super) wide: HashMap<usize, Value<'c, 'a>>,
    /// Elements of the row's column tiles, as vectors of one lane.
    pub(super) narrow: HashMap<usize, Value<'c, 'a>>,
    /// The reductions of the loop, and their accumulators.
    pub(super) sums: Vec<(usize, Reduction)>,
    pub(super) columns: i64,
    /// Whether tiles of one column stand for an element of each row.
    pub(super) is_wide: bool,
}

type Vector<'c, 'a> = Result<Value<'c, 'a>, Reported>;

fn element_of(tile: Value) -> Result<Element, Reported> {
    Shaped::of(tile.r#type())
        .and_then(|shaped| shaped.element())
        .ok_or(Reported)
}

impl<'c, 'a> Group<'c, 'a, '_, '_> {
    /// All stages of one row.
    pub(super) fn row(&mut self, at: &Emitter<'c, 'a>, row: Value<'c, 'a>) -> Lowered {
        self.narrow.clear();
        for stage in 0..self.stages.count {
            let element = Strip::row_start(at, row);
            for (index, planned) in self.stages.ops.iter().enumerate() {
                if planned.part == Part::Narrow && planned.stage == stage {
                    self.operation(at, element, index)?;
                }
            }
            self.strips(at, row, stage)?;
        }
        Ok(())
    }

    /// The strip loop of a stage, if it has one.
    fn strips(&mut self, at: &Emitter<'c, 'a>, row: Value<'c, 'a>, stage: usize) -> Lowered {
        let members: Vec<_> = (0..self.ops.len())
            .filter(|&index| self.stages.ops[index].is_in(stage))
            .collect();
        let reduces = |&&index: &&usize| self.stages.ops[index].part == Part::Reduce;
        let reductions = members.iter().filter(reduces).map(|&index| {
            let source = self.ops[index].operand(0).map_err(|_| Reported)?;
            let reduction = Reduction::of(view::name(&self.ops[index]), element_of(source)?);
            Ok((index, reduction.ok_or_else(|| malformed(self.ops[index]))?))
        });
        self.sums = reductions.collect::<Result<_, Reported>>()?;
        let mut outcome = Ok(());
        if self.sums.is_empty() {
            if !members.is_empty() {
                nest::strips_of_row(at, row, self.columns, &mut |at, strip| {
                    if outcome.is_ok() {
                        outcome = self.strip(at, strip, &members, &mut []);
                    }
                });
            }
            return outcome;
        }
        let whole = Lanes { at, lanes: LANES };
        let start: Vec<_> = self.sums.iter().map(|sum| sum.1.start(whole)).collect();
        let sets = nest::accumulate(at, row, self.columns, &start, &mut |at, strip, sums| {
            let mut sums = sums.to_vec();
            if outcome.is_ok() {
                outcome = self.strip(at, strip, &members, &mut sums);
            }
            sums
        });
        outcome?;
        for (number, (index, reduction)) in std::mem::take(&mut self.sums).into_iter().enumerate() {
            let op = self.ops[index];
            let at = at.with_location(op.location());
            let sums: Vec<_> = sets.iter().map(|set| set[number]).collect();
            let value = reduction.finish(&at, &sums).ok_or_else(|| malformed(op))?;
            let result: Value = op.result(0).map_err(|_| malformed(op))?.into();
            self.narrow.insert(bridge::value_key(result), value);
            self.keep(&at, Strip::row_start(&at, row), result, value, 1)?;
        }
        Ok(())
    }

    /// One strip of a stage's operations; `sums` are the accumulators of its reductions.
    fn strip(
        &mut self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        members: &[usize],
        sums: &mut [Value<'c, 'a>],
    ) -> Lowered {
        self.wide.clear();
        for &index in members {
            let op = self.ops[index];
            let at = at.with_location(op.location());
            if let Some(number) = self.sums.iter().position(|sum| sum.0 == index) {
                let source = op.operand(0).map_err(|_| malformed(op))?;
                let value = self.operand(&at, strip, source)?;
                let lanes = Lanes {
                    at: &at,
                    lanes: strip.lanes,
                };
                let next = self.sums[number].1.step(lanes, sums[number], value);
                sums[number] = next.ok_or_else(|| malformed(op))?;
                continue;
            }
            self.operation(&at, strip, index)?;
        }
        Ok(())
    }

    fn operation(&mut self, at: &Emitter<'c, 'a>, strip: Strip<'c, 'a>, index: usize) -> Lowered {
        let op = self.ops[index];
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
            return self.made(at, strip, index, transfer.access.value, value);
        }
        let result: Value = op.result(0).map_err(|_| malformed(op))?.into();
        let value = self.value(at, strip, op)?;
        self.made(at, strip, index, result, value)
    }

    /// What an operation makes of its operands.
    fn value(
        &mut self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Vector<'c, 'a> {
        let bad = || malformed(op);
        let lanes = Lanes {
            at,
            lanes: strip.lanes,
        };
        let first = op.operand(0).map_err(|_| bad())?;
        let name = view::name(&op);
        if name == "pl.full" {
            let result: Value = op.result(0).map_err(|_| bad())?.into();
            return Ok(elementwise::fill(lanes, element_of(result)?, first));
        }
        // Of what is computed with: the result of a comparison is a mask.
        let element = element_of(first)?;
        if name == "pl.cast" {
            let result: Value = op.result(0).map_err(|_| bad())?.into();
            let mode = view::integer(&op, "mode")
                .and_then(Mode::of)
                .ok_or_else(bad)?;
            let source = self.operand(at, strip, first)?;
            return Ok(cast::emit(
                lanes,
                mode,
                element,
                element_of(result)?,
                source,
            ));
        }
        if reduce::of_rows(name) {
            // Of one column.
            return self.operand(at, strip, first);
        }
        let repeated = broadcast::repeated_row(op);
        let operands = op.operands().map(|operand| {
            if repeated == Some(operand) {
                self.operand(at, strip.in_row(at.word(0)), operand)
            } else if bridge::is_tile(operand.r#type()) {
                self.operand(at, strip, operand)
            } else {
                Ok(elementwise::fill(lanes, element, operand))
            }
        });
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        if !broadcast::knows(name) {
            return elementwise::emit(lanes, op, element, &operands).ok_or_else(bad);
        }
        match (broadcast::combination(name), &operands[..]) {
            (None, &[repeated]) => Ok(repeated),
            (Some(combination), &[own, repeated]) => {
                elementwise::binary(lanes, combination, element, own, repeated).ok_or_else(bad)
            }
            _ => Err(bad()),
        }
    }

    /// The strip of a tile: made in this loop, made again, or loaded; of a column tile in a
    /// wider group, its element in all lanes.
    fn operand(
        &mut self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        tile: Value<'c, 'a>,
    ) -> Vector<'c, 'a> {
        let key = bridge::value_key(tile);
        let element = element_of(tile)?;
        let is_column = self.is_wide && Shaped::of(tile.r#type()).is_some_and(|s| s.shape[1] == 1);
        if is_column {
            let own = strip.element(at);
            let value = match self.narrow.get(&key) {
                Some(&value) => value,
                None => self.outside(at, own, tile, element, 1)?,
            };
            let lanes = strip.lanes;
            return Ok(Lanes { at, lanes }.repeat(element, value));
        }
        if let Some(&value) = self.wide.get(&key) {
            return Ok(value);
        }
        let value = self.outside(at, strip, tile, element, self.columns)?;
        self.wide.insert(key, value);
        Ok(value)
    }

    /// A tile that this loop does not make.
    fn outside(
        &self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        tile: Value<'c, 'a>,
        element: Element,
        columns: i64,
    ) -> Vector<'c, 'a> {
        let maker = view::defining_op(tile);
        let full = maker.filter(|op| view::is(op, "pl.full"));
        if let Some(scalar) = full.and_then(|op| op.operand(0).ok()) {
            let lanes = strip.lanes;
            return Ok(elementwise::fill(Lanes { at, lanes }, element, scalar));
        }
        let kept = maker.and_then(|op| view::integer(&op, plan::ROW));
        let address = match kept.and_then(|slot| self.frame.slot_at(at, slot)) {
            Some(row) => strip.address(at, row, at.word(0), element.bytes()),
            None => self.slot_address(at, strip, tile, element, columns)?,
        };
        let vector = vector_type(storage(at, element), strip.lanes);
        Ok(at.load(address, vector, element.bytes()))
    }

    /// Notes the strip of a tile, and keeps it if others need it.
    fn made(
        &mut self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        index: usize,
        tile: Value<'c, 'a>,
        value: Value<'c, 'a>,
    ) -> Lowered {
        let key = bridge::value_key(tile);
        if self.stages.ops[index].part == Part::Narrow {
            self.narrow.insert(key, value);
            return self.keep(at, strip, tile, value, 1);
        }
        self.wide.insert(key, value);
        if let Some(slot) = view::integer(&self.ops[index], plan::ROW) {
            let element = element_of(tile)?;
            let row = self.frame.slot_at(at, slot).ok_or(Reported)?;
            let address = strip.address(at, row, at.word(0), element.bytes());
            at.store(value, address, element.bytes());
        }
        self.keep(at, strip, tile, value, self.columns)
    }

    /// Stores the strip of a tile of so many columns to its slot, if it has one.
    fn keep(
        &self,
        at: &Emitter<'c, 'a>,
        strip: Strip<'c, 'a>,
        tile: Value<'c, 'a>,
        value: Value<'c, 'a>,
        columns: i64,
    ) -> Lowered {
        if self.frame.slots.of(tile).is_some() {
            let element = element_of(tile)?;
            let address = self.slot_address(at, strip, tile, element, columns)?;
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
        columns: i64,
    ) -> Vector<'c, 'a> {
        let base = self.frame.slot(at, tile)?;
        let pitch = at.word(columns * element.bytes());
        Ok(strip.address(at, base, pitch, element.bytes()))
    }
}
