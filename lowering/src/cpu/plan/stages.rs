//! What a group does with one row: strip loops, one after another, cut where a reduction of
//! the row must be known.
//!
//! ```text
//! stage 0   strips: load x, max         -> the row's maximum m
//! stage 1   m'; strips: load x, x - m, exp, sum     -> s; the exponentials are kept
//! stage 2   strips: e / s, store
//! ```
//!
//! A value that a later stage uses is kept in memory for one row, but for a load, which is
//! repeated, unless a store of the group may have changed what it reads.

use super::{
    super::{broadcast, reduce},
    groups::{REMOTE_LOAD, may_overlap},
};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    types::Shaped,
    view::{self, Access},
};
use std::collections::{BTreeSet, HashMap};

/// What an operation of a group works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Part {
    /// Strips: in each stage that uses it.
    Load,
    Store,
    /// Strips to strips.
    Wide,
    /// Strips to one element.
    Reduce,
    /// Elements of the row's column tiles, between the strip loops.
    Narrow,
}

/// One operation of a group.
#[derive(Debug)]
pub(in super::super) struct Planned {
    pub(in super::super) part: Part,
    /// Where it is done; of a load, the first.
    pub(in super::super) stage: usize,
    /// Further stages that repeat it, if it is a load.
    again: BTreeSet<usize>,
    /// A later stage uses it.
    pub(in super::super) kept: bool,
}

/// The stages of a group.
#[derive(Debug)]
pub(in super::super) struct Stages {
    /// In program order.
    pub(in super::super) ops: Vec<Planned>,
    pub(in super::super) count: usize,
    /// Whether each row is like the next, and no element but its own is needed for any.
    pub(in super::super) is_flat: bool,
}

impl Planned {
    /// Whether its strips belong to a stage.
    pub(in super::super) fn is_in(&self, stage: usize) -> bool {
        self.part != Part::Narrow && (self.stage == stage || self.again.contains(&stage))
    }
}

impl Stages {
    /// Of the operations of a group, in program order, over rows of so many columns.
    pub(in super::super) fn of(ops: &[OperationRef], columns: i64) -> Self {
        let makers: HashMap<usize, usize> = ops
            .iter()
            .enumerate()
            .filter(|(_, op)| !view::is(*op, "pl.store"))
            .filter_map(|(index, op)| Some((bridge::value_key(view::result(op)?), index)))
            .collect();
        let mut planned: Vec<Planned> = Vec::new();
        let mut uses: Vec<(usize, usize)> = Vec::new();
        for op in ops {
            let part = part(*op, columns);
            let mut stage = 0;
            for operand in op.operands() {
                let Some(&maker) = makers.get(&bridge::value_key(operand)) else {
                    continue;
                };
                let made: &Planned = &planned[maker];
                stage = stage.max(made.stage + usize::from(made.part == Part::Reduce));
                if matches!(made.part, Part::Wide | Part::Load) {
                    uses.push((maker, planned.len()));
                }
            }
            planned.push(Planned {
                part,
                stage,
                again: BTreeSet::new(),
                kept: false,
            });
        }
        for (maker, user) in uses {
            let stage = planned[user].stage;
            if stage == planned[maker].stage || view::is(&ops[maker], "pl.full") {
                continue;
            }
            if planned[maker].part == Part::Load && !changes(ops, &planned, maker, stage) {
                planned[maker].again.insert(stage);
            } else {
                planned[maker].kept = true;
            }
        }
        let is_flat = planned
            .iter()
            .all(|op| op.part != Part::Narrow && op.part != Part::Reduce)
            && !ops.iter().any(|op| {
                let repeats_element = broadcast::knows(view::name(op)) && columns > 1;
                repeats_element || broadcast::repeated_row(*op).is_some()
            });
        Self {
            count: planned.iter().map(|op| op.stage + 1).max().unwrap_or(0),
            ops: planned,
            is_flat,
        }
    }
}

/// Whether a store before `stage` may change what a load reads.
fn changes(ops: &[OperationRef], planned: &[Planned], load: usize, stage: usize) -> bool {
    let Some(load) = Access::of(ops[load]) else {
        return true;
    };
    ops.iter().zip(planned).any(|(op, planned)| {
        planned.part == Part::Store
            && planned.stage < stage
            && Access::of(*op).is_none_or(|store| may_overlap(&load, &store))
    })
}

fn part(op: OperationRef, columns: i64) -> Part {
    let columns_of = |tile: Value| Some(*Shaped::of(tile.r#type())?.shape.get(1)?);
    match view::name(&op) {
        "pl.load" | REMOTE_LOAD => Part::Load,
        "pl.store" => Part::Store,
        name if reduce::of_rows(name) && columns > 1 => Part::Reduce,
        _ => match view::result(&op).and_then(columns_of) {
            Some(1) if columns > 1 => Part::Narrow,
            _ => Part::Wide,
        },
    }
}
