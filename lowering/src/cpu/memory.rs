//! Regions of memory: their addresses and bounds checks; scalar reads and writes.
//!
//! | operation | becomes |
//! | --- | --- |
//! | `pl.read`, `pl.write` | one load or store; before a read of a window, `pld_rt_yield` |
//! | `pl.dim` | the extent |

use super::{
    frame::{Frame, Memory},
    host::{malformed, mixed, replace},
    llvm::Llvm,
};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pass::Reported,
    types::{DYNAMIC, Element, Shaped},
    view::{self, Access, Mixed},
};

/// The part of an array or window slice that an access covers.
pub(super) struct Region<'c, 'a> {
    /// First element of the array or slice.
    pub(super) base: Value<'c, 'a>,
    /// Bytes from there to the region.
    pub(super) offset: Value<'c, 'a>,
    /// Bytes from row to row.
    pub(super) pitch: Value<'c, 'a>,
    /// Rows that the access covers.
    pub(super) rows: Value<'c, 'a>,
    /// Bytes that it covers of each row.
    pub(super) bytes: Value<'c, 'a>,
    /// Its element type.
    pub(super) element: Element,
    /// The innermost extent, if static.
    pub(super) row_length: Option<i64>,
}

impl<'c, 'a> Region<'c, 'a> {
    /// The address of its first element.
    pub(super) fn address(&self, at: &Emitter<'c, 'a>) -> Value<'c, 'a> {
        at.gep(self.base, self.offset)
    }
}

/// Rows and columns of the tile of an access; of a scalar, one each.
pub(super) fn tile_shape(access: &Access) -> Option<(i64, i64)> {
    if access.is_scalar() {
        return Some((1, 1));
    }
    let tile = Shaped::of(access.value.r#type())?;
    Some((*tile.shape.first()?, *tile.shape.get(1)?))
}

/// The region of an access, after checks that it is in bounds.
pub(super) fn region<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    access: &Access<'c, 'a>,
) -> Result<Region<'c, 'a>, Reported> {
    let bad = || malformed(access.op);
    let shaped = Shaped::of(access.memory.r#type()).ok_or_else(bad)?;
    let element = shaped.element().ok_or_else(bad)?;
    let (rows, cols) = tile_shape(access).ok_or_else(bad)?;
    let covered = access
        .valid
        .clone()
        .unwrap_or_else(|| vec![Mixed::Static(rows), Mixed::Static(cols)]);
    if frame.shared.bounds {
        check_valid(frame, at, access, &covered, [rows, cols]);
    }
    let memory = Memory::of(at, access.memory, &shaped.shape);
    if frame.shared.bounds {
        check_inside(frame, at, access, &memory, &shaped.shape, &covered);
    }
    let size = at.word(element.bytes());
    let row = memory.extents.last().copied().ok_or_else(bad)?;
    Ok(Region {
        base: memory.base,
        offset: at.mul(linear(at, &access.offsets, &memory), size),
        pitch: at.mul(row, size),
        rows: mixed(at, covered[0]),
        bytes: at.mul(mixed(at, covered[1]), size),
        element,
        row_length: shaped
            .shape
            .last()
            .copied()
            .filter(|&extent| extent != DYNAMIC),
    })
}

/// The number of an element, counted row by row.
pub(super) fn linear<'c, 'a>(
    at: &Emitter<'c, 'a>,
    offsets: &[Mixed<'c, 'a>],
    memory: &Memory<'c, 'a>,
) -> Value<'c, 'a> {
    let mut number = at.word(0);
    for (&offset, &extent) in offsets.iter().zip(&memory.extents) {
        number = at.add(at.mul(number, extent), mixed(at, offset));
    }
    number
}

/// The valid part is at most the tile.
fn check_valid<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    access: &Access<'c, 'a>,
    covered: &[Mixed<'c, 'a>],
    tile: [i64; 2],
) {
    for (dim, (&part, extent)) in covered.iter().zip(tile).enumerate() {
        if let Mixed::Dynamic(_) = part {
            let (part, extent) = (mixed(at, part), at.word(extent));
            let negative = at.cmpi(2, part, at.word(0));
            let beyond = at.cmpi(4, part, extent);
            let bad = at.binary("arith.ori", negative, beyond);
            let details = [at.word(dim as i64), at.word(0), part, extent];
            frame.fail_if(at, access.op, bad, details);
        }
    }
}

/// The region lies inside the memory, in each dim for which that is not known statically.
fn check_inside<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    access: &Access<'c, 'a>,
    memory: &Memory<'c, 'a>,
    shape: &[i64],
    covered: &[Mixed<'c, 'a>],
) {
    let rank = shape.len();
    if rank == 1 && covered[0].as_static() != Some(1) {
        // An array of rank 1 is one row.
        check_dim(
            frame,
            at,
            access.op,
            0,
            Mixed::Static(0),
            covered[0],
            (1, at.word(1)),
        );
    }
    for (dim, (&offset, &extent)) in access.offsets.iter().zip(shape).enumerate() {
        let size = match rank - dim {
            1 => covered[1],
            2 => covered[0],
            _ => Mixed::Static(1),
        };
        let extent = (extent, memory.extents[dim]);
        check_dim(frame, at, access.op, dim, offset, size, extent);
    }
}

/// `size` elements at `offset` lie inside an extent, given as static extent and word.
pub(super) fn check_dim<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    dim: usize,
    offset: Mixed<'c, 'a>,
    size: Mixed<'c, 'a>,
    (known, extent): (i64, Value<'c, 'a>),
) {
    if known != DYNAMIC && offset.as_static().is_some() && size.as_static().is_some() {
        return;
    }
    let (offset, size) = (mixed(at, offset), mixed(at, size));
    // The size is not negative, so the difference does not overflow; the sum might.
    let room = at.binary("arith.subi", extent, size);
    let negative = at.cmpi(2, offset, at.word(0));
    let beyond = at.cmpi(4, offset, room);
    let bad = at.binary("arith.ori", negative, beyond);
    frame.fail_if(at, op, bad, [at.word(dim as i64), offset, size, extent]);
}

/// How an access touches memory, as the race detector is told.
#[derive(Clone, Copy, Debug)]
pub(super) enum Touch {
    Read = 0,
    Write = 1,
    AtomicAdd = 2,
}

/// Tells the race detector of an access to the own slice of a window, or of one to GM by a
/// block.
pub(super) fn touch<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    at: &Emitter<'c, 'a>,
    access: &Access<'c, 'a>,
    region: &Region<'c, 'a>,
    touch: Touch,
) {
    let is_shared = frame.in_blocks || bridge::is_dtensor(access.memory.r#type());
    if !frame.shared.races || !is_shared {
        return;
    }
    let (kind, site) = (at.word(touch as i64), frame.site(at, access.op));
    let address = region.address(at);
    frame.runtime(
        at,
        "pld_rt_access",
        &[kind, address, region.pitch, region.rows, region.bytes, site],
    );
}

pub(super) fn read<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let at = Emitter::before(op).ok_or(Reported)?;
    let access = Access::of(op).ok_or_else(|| malformed(op))?;
    let region = region(frame, &at, &access)?;
    if bridge::is_dtensor(access.memory.r#type()) {
        // The read may be a poll: let those run who change what it reads.
        frame.runtime(&at, "pld_rt_yield", &[frame.site(&at, op)]);
    }
    touch(frame, &at, &access, &region, Touch::Read);
    let element = region.element;
    let address = region.address(&at);
    let value = if element == Element::I1 {
        let byte = at.load(address, at.int_type(8), 1);
        at.value("arith.trunci", &[byte], at.int_type(1), &[])
    } else {
        at.load(address, element.mlir(at.context), element.bytes())
    };
    replace(op, value)
}

pub(super) fn write<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let at = Emitter::before(op).ok_or(Reported)?;
    let access = Access::of(op).ok_or_else(|| malformed(op))?;
    let region = region(frame, &at, &access)?;
    touch(frame, &at, &access, &region, Touch::Write);
    let value = if region.element == Element::I1 {
        at.value("arith.extui", &[access.value], at.int_type(8), &[])
    } else {
        access.value
    };
    at.store(value, region.address(&at), region.element.bytes());
    Ok(())
}

pub(super) fn dim<'c, 'a>(_: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Result<(), Reported> {
    let at = Emitter::before(op).ok_or(Reported)?;
    let bad = || malformed(op);
    let source = op.operand(0).map_err(|_| bad())?;
    let shaped = Shaped::of(source.r#type()).ok_or_else(bad)?;
    let dim = view::integer(&op, "dim").and_then(|dim| usize::try_from(dim).ok());
    let memory = Memory::of(&at, source, &shaped.shape);
    let extent = dim.and_then(|dim| memory.extents.get(dim).copied());
    replace(op, at.to_index(extent.ok_or_else(bad)?))
}
