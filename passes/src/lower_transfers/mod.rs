//! `pld-lower-transfers`: bulk transfers to loops that move tiles.
//!
//! | operation | becomes, for each piece of the region |
//! | --- | --- |
//! | `pld.put` | `pl.load`, `pld.remote_store` |
//! | `pld.get` | `pld.remote_load`, `pl.store` |
//! | ... with `pipeline` | two loads, two stores: two pieces are on-core at a time |

pub(crate) mod grid;
pub(crate) mod mixed;
pub(crate) mod slice;

use grid::{CHUNK_BYTES, Grid, Piece, innermost, tile_for};
use melior::ir::{
    Attribute, ValueLike,
    operation::{OperationLike, OperationRef},
};
use mixed::Arithmetic;
use pld_dialects::{
    Kind, bridge,
    diag::{self, Code},
    emit::Emitter,
    enclosing_function, function_kind,
    pass::{Options, Pass, Reported},
    pld::REFUSED,
    types::{DYNAMIC, Element, Shaped},
    view::{self, Mixed, Transfer},
};
use slice::{How, Slice};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-lower-transfers",
    description: "Lower pld.put and pld.get to loops over pieces, each moved through a tile of \
                  the stated chunk, or of at most 16 KiB; after it no bulk transfer is left. \
                  With pipeline two pieces are on-core at a time.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    for op in bridge::collect(module, |name| matches!(name, "pld.put" | "pld.get")) {
        let function = enclosing_function(op);
        if function.and_then(|it| function_kind(&it)) != Some(Kind::InCore) {
            let name = view::name(&op);
            let message = format!("'{name}' must stand in a pl.incore function");
            diag::failure(op.location(), message).emit();
            return Err(Reported);
        }
        lower(op)?;
    }
    Ok(())
}

fn lower(op: OperationRef) -> Result<(), Reported> {
    let at = Emitter::before(op).ok_or(Reported)?;
    let transfer = Transfer::of(op).ok_or(Reported)?;
    let from = if transfer.is_put {
        "pld.put"
    } else {
        "pld.get"
    };
    let mut source = Slice::whole(transfer.source, from).ok_or(Reported)?;
    let mut destination = Slice::whole(transfer.destination, from).ok_or(Reported)?;
    let remote = if transfer.is_put {
        &mut destination
    } else {
        &mut source
    };
    remote.peer = Some(transfer.peer);
    if let Some(offsets) = &transfer.source_offsets {
        source.offsets.clone_from(offsets);
    }
    if let Some(offsets) = &transfer.destination_offsets {
        destination.offsets.clone_from(offsets);
    }
    let sizes = match &transfer.sizes {
        Some(sizes) => sizes.clone(),
        None => whole(&at, &source, &destination),
    };
    let tile = staging_tile(op, &transfer, &sizes)?;
    refuse_negative(&at, &sizes, tile, &source, &destination);
    let grid = Grid::new(&at, &sizes, tile);
    let how = How {
        atomic: transfer.atomic,
        pipeline: transfer.pipeline,
    };
    slice::copy(&at, &grid, grid.all(), &source, &destination, how);
    bridge::erase(op);
    Ok(())
}

/// A region of a negative extent has no pieces. It moves one of that extent, which the access
/// refuses as out of bounds.
fn refuse_negative<'c, 'a>(
    at: &Emitter<'c, 'a>,
    sizes: &[Mixed<'c, 'a>],
    tile: [i64; 2],
    source: &Slice<'c, 'a>,
    destination: &Slice<'c, 'a>,
) {
    let is_dynamic = |size: &Mixed| size.folded().as_static().is_none();
    let dynamic: Vec<_> = sizes.iter().copied().filter(is_dynamic).collect();
    let Some(least) = dynamic.into_iter().reduce(|a, b| at.least(a, b)) else {
        return;
    };
    let [rows, cols] = innermost(sizes);
    let leading = sizes.iter().rev().skip(2).filter(|size| is_dynamic(size));
    // A tile has no leading dims, so the first stands for them.
    let rows = leading.fold(rows, |least, &size| at.least(least, size));
    let valid = [rows, cols].into_iter().zip(tile);
    let valid: Vec<_> = valid
        .map(|(size, tile)| at.least(size, tile.into()))
        .collect();
    let negative = at.cmpi(2, at.mixed(least), at.index(0));
    at.if_then(negative, |at| {
        let piece = Piece {
            tile,
            offsets: vec![0.into(); sizes.len()],
            valid: Some([valid[0], valid[1]]),
        };
        let tile = source.load(at, &piece);
        let store = destination.store(at, tile, &piece, false);
        for access in view::defining_op(tile).into_iter().chain([store]) {
            bridge::set_attribute(access, REFUSED, Attribute::unit(at.context));
        }
    });
}

/// The extents of a whole slice: those that either side knows, else the source's.
fn whole<'c, 'a>(
    at: &Emitter<'c, 'a>,
    source: &Slice<'c, 'a>,
    destination: &Slice<'c, 'a>,
) -> Vec<Mixed<'c, 'a>> {
    let extents = source.shape().into_iter().zip(destination.shape());
    let extents = extents.enumerate().map(|(dim, extents)| match extents {
        (DYNAMIC, DYNAMIC) => source.extent(at, dim),
        (DYNAMIC, known) | (known, _) => known.into(),
    });
    extents.collect()
}

/// The extents of the tile that pieces go through: the stated chunk, at most the transfer.
fn staging_tile(
    op: OperationRef,
    transfer: &Transfer,
    sizes: &[Mixed],
) -> Result<[i64; 2], Reported> {
    let element = Shaped::of(transfer.source.r#type()).and_then(|shaped| shaped.element());
    let bytes = element.map_or(1, Element::bytes);
    let known = innermost(sizes).map(|size| match size.folded() {
        // Nothing is moved, by tiles of some extent.
        Mixed::Static(size) => size.max(1),
        Mixed::Dynamic(_) => DYNAMIC,
    });
    let stated = [transfer.chunk_rows, transfer.chunk_cols];
    let clamped = [0, 1].map(|dim| match (stated[dim], known[dim]) {
        (None, extent) => extent,
        (Some(chunk), DYNAMIC) => chunk,
        (Some(chunk), extent) => chunk.min(extent),
    });
    let wanted = tile_for(clamped, bytes, CHUNK_BYTES);
    let tile = [0, 1].map(|dim| match stated[dim] {
        None => wanted[dim],
        Some(_) => clamped[dim],
    });
    let countable = tile[0]
        .checked_mul(tile[1])
        .and_then(|elements| elements.checked_mul(bytes));
    if countable.is_none() {
        let [rows, cols] = tile;
        let message =
            format!("has a staging tile of {rows}x{cols}, more bytes than 64 bits can count");
        diag::error(&op, Code(107), message)
            .note("state chunks that fit on-core")
            .emit();
        return Err(Reported);
    }
    Ok(tile)
}
