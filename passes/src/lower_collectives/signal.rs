//! A rank's group and the cells of a signal: what every protocol here is made of.
//!
//! Cell r of a rank's slice is what rank r tells it; the own cell is free for another use. Groups
//! of many ranks number the cells by what they are for: [`Group::cell`].

use melior::ir::{Attribute, Value, ValueLike, attribute::DenseI64ArrayAttribute};
use pld_dialects::{
    emit::Emitter,
    pld::FROM,
    types::{self, Shaped},
    view::{NotifyKind, WaitCmp},
};

/// Ranks whose cells fill a page of memory.
const PAGE_OF_CELLS: i64 = 1024;

/// The group of a window, as one rank sees it.
#[derive(Clone, Copy)]
pub(super) struct Group<'c, 'a> {
    /// This rank, dense in the group.
    pub(super) me: Value<'c, 'a>,
    /// Ranks of the group.
    pub(super) count: Value<'c, 'a>,
}

impl<'c, 'a> Group<'c, 'a> {
    pub(super) fn of(at: &Emitter<'c, 'a>, window: Value<'c, 'a>) -> Self {
        let ctx = types::comm_ctx(at.context);
        let ctx = at.value("pld.get_comm_ctx", &[window], ctx, &[]);
        Self {
            me: at.value("pld.rank", &[ctx], at.index_type(), &[]),
            count: at.value("pld.nranks", &[ctx], at.index_type(), &[]),
        }
    }

    /// The rank `distance` after this one, of a distance from 0 to `count`.
    pub(super) fn after(&self, at: &Emitter<'c, 'a>, distance: Value<'c, 'a>) -> Value<'c, 'a> {
        self.wrap(at, at.binary("arith.addi", self.me, distance))
    }

    /// The rank `distance` before this one, of a distance from 0 to `count`.
    pub(super) fn before(&self, at: &Emitter<'c, 'a>, distance: Value<'c, 'a>) -> Value<'c, 'a> {
        let far = at.binary("arith.subi", self.count, distance);
        self.after(at, far)
    }

    /// The cell of rank `rank`, or `number` in a group whose cells take more than a page.
    pub(super) fn cell(
        &self,
        at: &Emitter<'c, 'a>,
        rank: Value<'c, 'a>,
        number: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let many = at.cmpi(4, self.count, at.index(PAGE_OF_CELLS));
        at.value("arith.select", &[many, number, rank], at.index_type(), &[])
    }

    /// A number below twice the count, as a rank.
    pub(super) fn wrap(&self, at: &Emitter<'c, 'a>, number: Value<'c, 'a>) -> Value<'c, 'a> {
        let beyond = at.cmpi(5, number, self.count);
        let less = at.binary("arith.subi", number, self.count);
        at.value(
            "arith.select",
            &[beyond, less, number],
            at.index_type(),
            &[],
        )
    }

    /// `body` for each rank, from 0 on.
    pub(super) fn for_each(
        &self,
        at: &Emitter<'c, 'a>,
        body: impl FnOnce(&Emitter<'c, 'a>, Value<'c, 'a>),
    ) {
        at.for_loop(at.index(0), self.count, at.index(1), body);
    }
}

/// A window of i32 cells, at least one for each rank.
#[derive(Clone)]
pub(super) struct Signal<'c, 'a> {
    window: Value<'c, 'a>,
    shape: Vec<i64>,
    /// The operation that the notifies and waits stand for.
    from: &'static str,
}

impl<'c, 'a> Signal<'c, 'a> {
    /// `None` if `window` has no shape.
    pub(super) fn of(window: Value<'c, 'a>, from: &'static str) -> Option<Self> {
        Some(Self {
            window,
            shape: Shaped::of(window.r#type())?.shape,
            from,
        })
    }

    pub(super) fn group(&self, at: &Emitter<'c, 'a>) -> Group<'c, 'a> {
        Group::of(at, self.window)
    }

    /// Adds `value` to cell `cell` of rank `peer`.
    pub(super) fn add(
        &self,
        at: &Emitter<'c, 'a>,
        value: Value<'c, 'a>,
        cell: Value<'c, 'a>,
        peer: Value<'c, 'a>,
    ) {
        let cell = self.cell(at, cell);
        let operands: Vec<_> = [&[value, self.window], &cell[..], &[peer]].concat();
        let attributes = self.attributes(at, "op", NotifyKind::Add as i64);
        at.op("pld.notify", &operands, &[], &attributes);
    }

    /// Waits until the own cell `cell` is at least `value`.
    pub(super) fn wait_for(&self, at: &Emitter<'c, 'a>, value: Value<'c, 'a>, cell: Value<'c, 'a>) {
        let cell = self.cell(at, cell);
        let operands: Vec<_> = [&[value, self.window], &cell[..]].concat();
        let attributes = self.attributes(at, "cmp", WaitCmp::Ge as i64);
        at.op("pld.wait", &operands, &[], &attributes);
    }

    /// Element `index` of the signal, in row-major order.
    fn cell(&self, at: &Emitter<'c, 'a>, index: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let mut rest = index;
        let mut cell = Vec::new();
        for (dim, &size) in self.shape.iter().enumerate().rev() {
            if dim == 0 {
                cell.push(rest);
            } else if size == 1 {
                cell.push(at.index(0));
            } else {
                let size = match size {
                    types::DYNAMIC => {
                        let dim = at.int_attr(at.int_type(64), dim as i64);
                        at.value("pl.dim", &[self.window], at.index_type(), &[("dim", dim)])
                    }
                    size => at.index(size),
                };
                cell.push(at.binary("arith.remsi", rest, size));
                rest = at.binary("arith.divsi", rest, size);
            }
        }
        cell.reverse();
        cell
    }

    fn attributes(
        &self,
        at: &Emitter<'c, 'a>,
        kind: &'static str,
        value: i64,
    ) -> [(&'static str, Attribute<'c>); 3] {
        let dynamic = vec![types::DYNAMIC; self.shape.len()];
        let offsets = DenseI64ArrayAttribute::new(at.context, &dynamic);
        [
            (kind, at.int_attr(at.int_type(32), value)),
            ("static_offsets", offsets.into()),
            (FROM, at.str_attr(self.from)),
        ]
    }
}
