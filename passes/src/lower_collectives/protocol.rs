//! What the collectives are made of: who takes part, how they meet, how data is cut.

use super::{
    barrier::Barrier,
    signal::{Group, Signal},
};
use crate::lower_transfers::{
    grid::{CHUNK_BYTES, Grid, tile_for},
    mixed::Arithmetic,
    slice::{How, Slice},
};
use melior::ir::Value;
use pld_dialects::{
    emit::Emitter,
    types::{DYNAMIC, Element},
    view::Mixed,
};

/// The ranks of one collective, and how they synchronise.
pub(super) struct Protocol<'c, 'a> {
    pub(super) signal: Signal<'c, 'a>,
    pub(super) group: Group<'c, 'a>,
    pub(super) form: Barrier,
}

impl<'c, 'a> Protocol<'c, 'a> {
    pub(super) fn barrier(&self, at: &Emitter<'c, 'a>) {
        self.form.emit(at, &self.signal, self.group);
    }

    /// `body` for each rank, from this one on, so that not all turn to one at a time.
    pub(super) fn for_each_peer(
        &self,
        at: &Emitter<'c, 'a>,
        body: impl FnOnce(&Emitter<'c, 'a>, Value<'c, 'a>),
    ) {
        self.group.for_each(at, |at, distance| {
            let peer = self.group.after(at, distance);
            body(at, peer);
        });
    }

    /// The pieces of rank `rank`'s share, of all ranks' shares about equal.
    pub(super) fn share(
        &self,
        at: &Emitter<'c, 'a>,
        grid: &Grid<'c, 'a>,
        rank: Value<'c, 'a>,
    ) -> [Mixed<'c, 'a>; 2] {
        let next = at.sum(rank.into(), 1.into());
        [rank.into(), next].map(|rank| {
            let pieces = at.product(grid.count, rank);
            at.quotient(pieces, self.group.count.into())
        })
    }
}

/// Moves a region as fast as a target can.
pub(super) const FAST: How = How {
    atomic: false,
    pipeline: true,
};

/// Bytes of an element.
pub(super) fn bytes(slice: &Slice) -> i64 {
    Element::of(slice.element()).map_or(1, Element::bytes)
}

/// The length of the rows of matrices, of which any may know it.
pub(super) fn row_length<'c, 'a>(
    at: &Emitter<'c, 'a>,
    matrices: &[&Slice<'c, 'a>],
) -> Mixed<'c, 'a> {
    let known = |matrix: &&&Slice<'c, 'a>| matrix.shape().get(1) != Some(&DYNAMIC);
    let matrix = matrices.iter().find(known).or(matrices.first());
    matrix.map_or(0.into(), |matrix| matrix.extent(at, 1))
}

/// A row of this length, cut into pieces of 16 KiB at most.
pub(super) fn row_grid<'c, 'a>(
    at: &Emitter<'c, 'a>,
    length: Mixed<'c, 'a>,
    element_bytes: i64,
) -> Grid<'c, 'a> {
    let known = length.as_static().unwrap_or(DYNAMIC);
    let tile = tile_for([1, known], element_bytes, CHUNK_BYTES);
    Grid::new(at, &[1.into(), length], tile)
}

/// All of a memory, cut into pieces of so many bytes at most.
pub(super) fn whole_grid<'c, 'a>(
    at: &Emitter<'c, 'a>,
    data: &Slice<'c, 'a>,
    element_bytes: i64,
    chunk_bytes: i64,
) -> Grid<'c, 'a> {
    let shape = data.shape();
    let innermost = match shape[..] {
        [.., rows, cols] => [rows, cols],
        [cols] => [1, cols],
        [] => [1, 1],
    };
    let sizes: Vec<_> = (0..shape.len()).map(|dim| data.extent(at, dim)).collect();
    Grid::new(at, &sizes, tile_for(innermost, element_bytes, chunk_bytes))
}
