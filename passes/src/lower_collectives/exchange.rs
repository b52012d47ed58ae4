//! Collectives that move data and combine nothing.
//!
//! | operation | between the barriers |
//! | --- | --- |
//! | `pld.broadcast` | all but the root pull its slice |
//! | `pld.allgather` | each pushes its chunk to its row on every rank |
//! | `pld.all_to_all` | each pushes row d to its row on rank d |
//! | `pld.all_to_all_v` | each pushes the counted rows of block d, and their number, to rank d |
//!
//! A broadcast is no tree. All pull from the root at once, so that the longest chain of notifies
//! and waits is that of the two barriers: 2 log2 n. In a binomial tree each rank would also wait
//! for its parent: log2 n more in that chain and n - 1 notifies more, for the same loads and
//! bytes. It would spare the root's link, which no cost that is counted here shows.

use super::protocol::{FAST, Protocol, bytes, row_grid, row_length, whole_grid};
use crate::lower_transfers::{
    grid::{CHUNK_BYTES, Grid, Piece, tile_for},
    mixed::Arithmetic,
    slice::{Slice, copy},
};
use melior::ir::{Value, operation::OperationRef};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    types::{self, DYNAMIC},
    view::{self, Collective},
};

type Lowered = Result<(), Reported>;

pub(super) fn broadcast<'c, 'a>(
    at: &Emitter<'c, 'a>,
    protocol: &Protocol<'c, 'a>,
    op: OperationRef<'c, 'a>,
    parts: &Collective<'c, 'a>,
) -> Lowered {
    let data = Slice::whole(parts.source, "pld.broadcast").ok_or(Reported)?;
    let root = at.index(view::integer(&op, "root").ok_or(Reported)?);
    let grid = whole_grid(at, &data, bytes(&data), CHUNK_BYTES);
    let receives = at.cmpi(1, protocol.group.me, root);
    at.if_then(receives, |at| {
        copy(at, &grid, grid.all(), &data.on(root), &data, FAST);
    });
    Ok(())
}

pub(super) fn allgather<'c, 'a>(
    at: &Emitter<'c, 'a>,
    protocol: &Protocol<'c, 'a>,
    _: OperationRef<'c, 'a>,
    parts: &Collective<'c, 'a>,
) -> Lowered {
    let (chunk, all) = sides(parts, "pld.allgather")?;
    let all = all.row(protocol.group.me);
    let grid = row_grid(at, row_length(at, &[&chunk, &all]), bytes(&chunk));
    // Read once, and sent to all.
    at.for_range(0.into(), grid.count, 1, |at, number| {
        let piece = grid.piece(at, number);
        let tile = chunk.load(at, &piece);
        protocol.for_each_peer(at, |at, peer| {
            all.on(peer).store(at, tile, &piece, false);
        });
    });
    Ok(())
}

pub(super) fn all_to_all<'c, 'a>(
    at: &Emitter<'c, 'a>,
    protocol: &Protocol<'c, 'a>,
    _: OperationRef<'c, 'a>,
    parts: &Collective<'c, 'a>,
) -> Lowered {
    let (source, destination) = sides(parts, "pld.all_to_all")?;
    let destination = destination.row(protocol.group.me);
    let grid = row_grid(at, row_length(at, &[&source, &destination]), bytes(&source));
    protocol.for_each_peer(at, |at, peer| {
        let (source, destination) = (source.row(peer), destination.on(peer));
        copy(at, &grid, grid.all(), &source, &destination, FAST);
    });
    Ok(())
}

pub(super) fn all_to_all_v<'c, 'a>(
    at: &Emitter<'c, 'a>,
    protocol: &Protocol<'c, 'a>,
    _: OperationRef<'c, 'a>,
    parts: &Collective<'c, 'a>,
) -> Lowered {
    let from = "pld.all_to_all_v";
    let (source, destination) = sides(parts, from)?;
    let (send, receive) = parts.counts.ok_or(Reported)?;
    let send = Slice::whole(send, from).ok_or(Reported)?;
    let receive = Slice::whole(receive, from).ok_or(Reported)?;
    let me = protocol.group.me;
    let length = row_length(at, &[&source, &destination]);
    let most_rows = source.shape().first().copied().unwrap_or(DYNAMIC);
    let known = length.as_static().unwrap_or(DYNAMIC);
    let tile = tile_for([most_rows, known], bytes(&source), CHUNK_BYTES);
    let rows = source.extent(at, 0);
    let capacity = at.mixed(at.quotient(rows, protocol.group.count.into()));
    protocol.for_each_peer(at, |at, peer| {
        let count = clamped_count(at, &send.row(peer), capacity);
        let number = at.value("arith.index_cast", &[count], at.int_type(32), &[]);
        let one = types::tile(at.context, 1, 1, at.int_type(32));
        let tell = at.value("pl.full", &[number], one, &[]);
        receive.row(me).on(peer).store(at, tell, &cell(), false);
        let block = |rank| at.binary("arith.muli", rank, capacity);
        let (source, destination) = (source.row(block(peer)), destination.row(block(me)));
        let grid = Grid::new(at, &[count.into(), length], tile);
        copy(at, &grid, grid.all(), &source, &destination.on(peer), FAST);
    });
    Ok(())
}

/// A count of rows, from 0 to the capacity of a block.
fn clamped_count<'c, 'a>(
    at: &Emitter<'c, 'a>,
    count: &Slice<'c, 'a>,
    capacity: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let count = count.read(at);
    let count = at.value("arith.index_cast", &[count], at.index_type(), &[]);
    let count = at.binary("arith.maxsi", count, at.index(0));
    at.binary("arith.minsi", count, capacity)
}

/// One element.
fn cell<'c, 'a>() -> Piece<'c, 'a> {
    Piece {
        tile: [1, 1],
        offsets: vec![0.into(); 2],
        valid: None,
    }
}

/// What is read and what is written.
fn sides<'c, 'a>(
    parts: &Collective<'c, 'a>,
    from: &'static str,
) -> Result<(Slice<'c, 'a>, Slice<'c, 'a>), Reported> {
    let destination = parts.destination.ok_or(Reported)?;
    let source = Slice::whole(parts.source, from).ok_or(Reported)?;
    let destination = Slice::whole(destination, from).ok_or(Reported)?;
    Ok((source, destination))
}
