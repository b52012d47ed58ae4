//! Runs of row-wise operations that become one loop nest.
//!
//! In a nest the operations take effect row by row instead of one after another. That is
//! the same as long as no store of the nest overwrites what a load of it has yet to read,
//! and no load or store reaches what an earlier store of it has yet to write:
//!
//! - A window and a memref never overlap: nothing makes one of the other.
//! - A load and a later store of the same region are in step.
//! - Any other load and later store may overlap: the store gets a fallback slot, to which
//!   it goes if the addresses are found to overlap at run time.
//! - A store ends the group for later loads and stores that may overlap it.
//!
//! A remote load begins a group, since other ranks may run before it: the group reads the peer's
//! memory in place. It is part of one only if nothing but row-wise operations stands between it
//! and its last use.

use super::{
    super::{broadcast, elementwise, reduce},
    body::Body,
};
use melior::ir::{
    BlockLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    types::Shaped,
    view::{self, Access, Mixed},
};
use std::collections::{HashMap, HashSet};

pub(super) const REMOTE_LOAD: &str = "pld.remote_load";

/// So that a strip's values stay in registers, and compile time stays linear.
const MOST_OPERATIONS: usize = 40;

/// The groups of a function.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Operations of each group, in program order.
    pub(super) members: Vec<Vec<usize>>,
    /// The group of an operation.
    pub(super) of: HashMap<usize, usize>,
    /// Stores that may overlap an earlier load of their group.
    pub(super) fallbacks: Vec<usize>,
}

/// The group that is being formed.
struct Open<'c, 'a> {
    /// Address of the block that its members stand in.
    block: usize,
    form: Form,
    members: Vec<usize>,
    loads: Vec<Access<'c, 'a>>,
    stores: Vec<Access<'c, 'a>>,
}

/// The groups of a function; what `apart` holds belongs to none.
pub(super) fn form(body: &Body, apart: &HashSet<usize>) -> Groups {
    let mut groups = Groups::default();
    let mut open: Option<Open> = None;
    for (number, &op) in body.ops.iter().enumerate() {
        if is_transparent(op) || apart.contains(&number) {
            continue;
        }
        let is_remote = view::is(&op, REMOTE_LOAD);
        let form = row_wise(op).filter(|_| !is_remote || used_at_once(body, number));
        let Some(form) = form else {
            groups.close(open.take());
            continue;
        };
        let access = Access::of(op);
        let block = op.block().map_or(0, |block| block.to_raw().ptr as usize);
        let fits = open.as_ref().is_some_and(|open| {
            !is_remote
                && open.block == block
                && open.form.with(form).is_some()
                && !open.makes_row_for(body, op)
                && open.members.len() < MOST_OPERATIONS
                && access.as_ref().is_none_or(|access| open.admits(access))
        });
        if !fits {
            groups.close(open.take());
        }
        let open = open.get_or_insert_with(|| Open {
            block,
            form,
            members: vec![],
            loads: vec![],
            stores: vec![],
        });
        open.form = open.form.with(form).unwrap_or(form);
        open.members.push(number);
        match access {
            Some(access) if access.writes => {
                if open.loads.iter().any(|load| needs_check(load, &access)) {
                    groups.fallbacks.push(number);
                }
                open.stores.push(access);
            }
            Some(access) => open.loads.push(access),
            None => {}
        }
    }
    groups.close(open);
    groups
}

/// Whether only row-wise operations stand between a remote load and its last use, that one
/// included: nothing lets other ranks run before the peer's memory is read.
fn used_at_once(body: &Body, load: usize) -> bool {
    let op = body.ops[load];
    let users = view::result(&op).map_or(&[][..], |tile| body.uses(tile));
    let Some(&last) = users.last() else {
        return false;
    };
    let stays = |&op: &OperationRef| {
        is_transparent(op) || (row_wise(op).is_some() && !view::is(&op, REMOTE_LOAD))
    };
    body.ops[last].block() == op.block() && body.ops[load + 1..=last].iter().all(stays)
}

/// The tiles of an operation of a group: all have so many rows, and so many columns or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Form {
    pub(in super::super) rows: i64,
    /// `None` if one column is all that it has, and as good as one of a wider group.
    columns: Option<i64>,
}

impl Form {
    pub(in super::super) fn columns(self) -> i64 {
        self.columns.unwrap_or(1)
    }

    /// The form of both, if there is one.
    pub(in super::super) fn with(self, other: Self) -> Option<Self> {
        let fits = self.rows == other.rows
            && (self.columns == other.columns || self.columns.is_none() || other.columns.is_none());
        fits.then_some(Self {
            rows: self.rows,
            columns: self.columns.or(other.columns),
        })
    }
}

impl Open<'_, '_> {
    /// Whether the group makes the row that an operation repeats along all columns: it is
    /// needed whole before the first row is done.
    fn makes_row_for(&self, body: &Body, op: OperationRef) -> bool {
        let repeated = broadcast::repeated_row(op).filter(|_| self.form.rows > 1);
        let maker = repeated.and_then(view::defining_op);
        maker.is_some_and(|maker| self.members.iter().any(|&member| body.ops[member] == maker))
    }

    /// Whether an access may join: no store of the group may overlap it.
    fn admits(&self, access: &Access) -> bool {
        !self.stores.iter().any(|store| may_overlap(store, access))
    }
}

impl Groups {
    fn close(&mut self, open: Option<Open>) {
        let Some(open) = open else {
            return;
        };
        let number = self.members.len();
        self.of.extend(open.members.iter().map(|&op| (op, number)));
        self.members.push(open.members);
    }
}

/// Whether a store may overwrite what a load of the same nest has yet to read.
pub(in super::super) fn needs_check(load: &Access, store: &Access) -> bool {
    may_overlap(load, store) && !(load.memory == store.memory && load.offsets == store.offsets)
}

pub(super) fn may_overlap(one: &Access, other: &Access) -> bool {
    let is_window = |access: &Access| bridge::is_dtensor(access.memory.r#type());
    is_window(one) == is_window(other)
}

/// Whether an operation may stand between the members of a group, since it neither reads
/// nor writes memory and handles no tiles.
pub(super) fn is_transparent(op: OperationRef) -> bool {
    let name = view::name(&op);
    let pure = name.starts_with("arith.")
        || matches!(
            name,
            "memref.dim"
                | "memref.cast"
                | "pl.dim"
                | "pld.get_comm_ctx"
                | "pld.rank"
                | "pld.nranks"
                | "pl.block_idx"
                | "pl.block_num"
        );
    let is_tile = |value: Value| bridge::is_tile(value.r#type());
    pure && !op.operands().any(is_tile) && !op.results().any(|result| is_tile(result.into()))
}

/// The form of a row-wise operation; `None` for any other operation.
pub(in super::super) fn row_wise(op: OperationRef) -> Option<Form> {
    let name = view::name(&op);
    let result = || view::result(&op);
    let (tile, is_element) = match name {
        "pl.full" | "pl.cast" => (result()?, true),
        name if elementwise::knows(name) => (result()?, true),
        name if broadcast::knows(name) => (result()?, false),
        name if reduce::of_rows(name) => (op.operand(0).ok()?, false),
        "pl.load" | "pl.store" | REMOTE_LOAD => {
            let access = Access::of(op)?;
            let whole = is_whole(&access) && !access.atomic;
            (whole.then_some(access.value)?, false)
        }
        _ => return None,
    };
    let shaped = bridge::is_tile(tile.r#type()).then(|| Shaped::of(tile.r#type()))??;
    let [rows, columns] = shaped.shape[..] else {
        return None;
    };
    let columns = (columns > 1 || !is_element).then_some(columns);
    Some(Form { rows, columns })
}

/// Whether an access covers all of its tile.
pub(in super::super) fn is_whole(access: &Access) -> bool {
    let Some(valid) = &access.valid else {
        return true;
    };
    let Some(tile) = Shaped::of(access.value.r#type()) else {
        return false;
    };
    let extents = valid.iter().map(Mixed::as_static);
    extents.eq(tile.shape.iter().map(|&extent| Some(extent)))
}
