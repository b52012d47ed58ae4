//! `pld.allreduce` and `pld.reduce_scatter`. Each element is reduced by one rank and copied to
//! the others, so that all ranks have the same bits.
//!
//! **Mesh.** Each rank reduces its share of the pieces over all ranks, and stores each piece to
//! all of them while it is on-core. That needs no barrier in between: nobody but its owner reads
//! or writes a share of any slice before the collective's last barrier.
//!
//! **Ring.** In 2 (n - 1) steps, each rank pulls one share from the rank before: n - 1 steps
//! that add to the own slice, so that share me + 1 ends whole here, and n - 1 that copy whole
//! shares on. A step waits for the step before of the previous rank only. Copying share s over
//! the own partial one is safe without a word from the next rank, which had to read it: the
//! previous rank is at a step that, counted back round the ring, the next one has ended n - 1
//! steps ago, and that was the one that read s.

use super::{
    protocol::{FAST, Protocol, row_grid, row_length, whole_grid},
    reduce::Reduction,
    ring::Ring,
};
use crate::lower_transfers::{
    grid::{CHUNK_BYTES, Grid},
    mixed::Arithmetic,
    slice::{Slice, copy},
};
use melior::ir::{Value, operation::OperationRef};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    types::DYNAMIC,
    view::{self, Collective, Mixed},
};

/// Bytes from which `auto` is the ring: there its many short steps cost less than that it
/// talks to neighbours only gains.
const RING_BYTES: i64 = 256 * 1024;

/// Pieces that small data is cut into, so that each rank has a share, and the least bytes of one.
const SHARES: i64 = 8;
const LEAST_BYTES: i64 = 2 * 1024;

pub(super) fn allreduce<'c, 'a>(
    at: &Emitter<'c, 'a>,
    protocol: &Protocol<'c, 'a>,
    op: OperationRef<'c, 'a>,
    parts: &Collective<'c, 'a>,
) -> Result<(), Reported> {
    let data = Slice::whole(parts.source, "pld.allreduce").ok_or(Reported)?;
    let reduction = Reduction::of(op, data.element()).ok_or(Reported)?;
    let elements = data.shape().into_iter().try_fold(1i64, |product, extent| {
        let known = (extent != DYNAMIC).then_some(extent)?;
        product.checked_mul(known)
    });
    let total = elements.map(|elements| elements.saturating_mul(reduction.bytes()));
    let chunk = total.map_or(CHUNK_BYTES, |total| {
        (total / SHARES).clamp(LEAST_BYTES, CHUNK_BYTES)
    });
    let grid = whole_grid(at, &data, reduction.bytes(), chunk);
    let all = Allreduce {
        protocol,
        reduction,
        data,
        grid,
    };
    match (view::string(&op, "algorithm").as_deref(), total) {
        (Some("mesh"), _) => all.mesh(at),
        (Some("ring"), _) => all.ring(at),
        (_, Some(total)) if total < RING_BYTES => all.mesh(at),
        (_, Some(_)) => all.ring(at),
        (_, None) => all.choose(at),
    }
    Ok(())
}

pub(super) fn reduce_scatter<'c, 'a>(
    at: &Emitter<'c, 'a>,
    protocol: &Protocol<'c, 'a>,
    op: OperationRef<'c, 'a>,
    parts: &Collective<'c, 'a>,
) -> Result<(), Reported> {
    let data = Slice::whole(parts.source, "pld.reduce_scatter").ok_or(Reported)?;
    let reduction = Reduction::of(op, data.element()).ok_or(Reported)?;
    let grid = row_grid(at, row_length(at, &[&data]), reduction.bytes());
    // Row me of any slice is touched by this rank alone.
    let own = data.row(protocol.group.me);
    reduce(at, protocol, &reduction, &own, &grid, grid.all());
    Ok(())
}

/// Reduces pieces over all ranks, to the own slice.
fn reduce<'c, 'a>(
    at: &Emitter<'c, 'a>,
    protocol: &Protocol<'c, 'a>,
    reduction: &Reduction<'c>,
    data: &Slice<'c, 'a>,
    grid: &Grid<'c, 'a>,
    [first, end]: [Mixed<'c, 'a>; 2],
) {
    at.for_range(first, end, 1, |at, number| {
        let piece = grid.piece(at, number);
        let whole = reduction.over_ranks(at, protocol, data, &piece);
        reduction.store(at, whole, data, &piece);
    });
}

struct Allreduce<'c, 'a, 'p> {
    protocol: &'p Protocol<'c, 'a>,
    reduction: Reduction<'c>,
    data: Slice<'c, 'a>,
    grid: Grid<'c, 'a>,
}

impl<'c, 'a> Allreduce<'c, 'a, '_> {
    /// By the size that is known at run time only.
    fn choose(&self, at: &Emitter<'c, 'a>) {
        let rank = self.data.shape().len();
        let bytes = (0..rank).fold(self.reduction.bytes().into(), |product, dim| {
            at.product(product, self.data.extent(at, dim))
        });
        let (bytes, bound) = (at.mixed(bytes), at.index(RING_BYTES));
        at.if_then(at.cmpi(2, bytes, bound), |at| self.mesh(at));
        at.if_then(at.cmpi(5, bytes, bound), |at| self.ring(at));
    }

    fn share(&self, at: &Emitter<'c, 'a>, rank: Value<'c, 'a>) -> [Mixed<'c, 'a>; 2] {
        self.protocol.share(at, &self.grid, rank)
    }

    /// Pulls a share that `peer` has.
    fn pull(&self, at: &Emitter<'c, 'a>, share: Value<'c, 'a>, peer: Value<'c, 'a>) {
        let share = self.share(at, share);
        copy(at, &self.grid, share, &self.data.on(peer), &self.data, FAST);
    }

    fn mesh(&self, at: &Emitter<'c, 'a>) {
        let group = self.protocol.group;
        let [first, end] = self.share(at, group.me);
        let (reduction, data) = (&self.reduction, &self.data);
        at.for_range(first, end, 1, |at, number| {
            let piece = self.grid.piece(at, number);
            let whole = reduction.over_ranks(at, self.protocol, data, &piece);
            let whole = reduction.rounded(at, whole);
            data.store(at, whole, &piece, false);
            let one = at.index(1);
            at.for_loop(one, group.count, one, |at, distance| {
                let peer = group.after(at, distance);
                data.on(peer).store(at, whole, &piece, false);
            });
        });
    }

    fn ring(&self, at: &Emitter<'c, 'a>) {
        let ring = Ring::new(at, self.protocol);
        let group = self.protocol.group;
        ring.steps(at, |at, step| {
            let share = group.before(at, at.binary("arith.addi", step, at.index(1)));
            self.add(at, share, ring.previous);
        });
        ring.more_steps(at, |at, step| {
            self.pull(at, group.before(at, step), ring.previous);
        });
        ring.end(at);
    }

    /// Adds what `peer` has of a share to the own slice.
    fn add(&self, at: &Emitter<'c, 'a>, share: Value<'c, 'a>, peer: Value<'c, 'a>) {
        let [first, end] = self.share(at, share);
        at.for_range(first, end, 1, |at, number| {
            let piece = self.grid.piece(at, number);
            let sum = self.reduction.load(at, &self.data.on(peer), &piece);
            let own = self.reduction.load(at, &self.data, &piece);
            let sum = self.reduction.combine(at, sum, own);
            self.reduction.store(at, sum, &self.data, &piece);
        });
    }
}
