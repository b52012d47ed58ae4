//! `pl.load`, `pl.store`, `pl.read`, `pl.write`, `pl.dim`, `pl.shard`: verifiers.

use crate::{
    diag::{self, Code},
    level,
    types::{DYNAMIC, Level, Shaped},
    view::{self, Access, Mixed},
};
use melior::ir::{Type, Value, ValueLike, operation::OperationRef};

const LEVEL: Code = Code(101);
const BOUNDS: Code = Code(104);
const ELEMENT: Code = Code(105);
const ATOMIC: Code = Code(106);

/// The largest rank of an array or window.
const MAX_RANK: usize = 4;

/// `pl.load`, `pl.store`, `pl.read`, `pl.write`.
///
/// # Verification
///
/// - the memory operand is a memref of identity layout or a window (101)
/// - what [`check_access`] checks
/// - a store does not go to a `pl.in` argument (108)
pub(crate) fn verify_access(op: OperationRef) -> bool {
    let Some(access) = view_of(op) else {
        return false;
    };
    let memory = memory_operand(op, access.memory.r#type());
    memory.is_some()
        & check_access(&access, memory)
        & (!access.writes || level::call::check_writable(op, access.memory, "stores to"))
}

/// The view of an access, or a report.
pub(crate) fn view_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<Access<'c, 'a>> {
    let access = Access::of(op);
    if access.is_none() {
        diag::error(
            &op,
            BOUNDS,
            "has lists of offsets or valid extents that do not match its operands",
        )
        .note("one dynamic operand per dynamic entry of a list")
        .emit();
    }
    access
}

pub(crate) fn memory_operand<'c>(op: OperationRef, r#type: Type<'c>) -> Option<Shaped<'c>> {
    let shaped = Shaped::of(r#type).filter(Shaped::is_memory);
    if shaped.is_none() || !crate::bridge::is_plain_memref(r#type) {
        diag::error(&op, LEVEL, format!("memory operand is {type}, expected a memref of identity layout or a !pld.dtensor"))
            .note("a memref is a local array, a !pld.dtensor a view of a window buffer; a tensor is a value, not memory")
            .emit();
        return None;
    }
    shaped
}

/// Rules of every access to a region of memory, local or remote; of `memory`, if it is
/// known to be that.
///
/// # Verification
///
/// - one offset per dim, none negative; at most four dims (104)
/// - `valid` has two entries between 0 and the tile's extents (104)
/// - the region lies inside the static extents, its valid part counts (104)
/// - element types of tile, memory and pad value are equal (105)
/// - atomic add has an element type that memory can add (106)
pub(crate) fn check_access(access: &Access, memory: Option<Shaped>) -> bool {
    // What is no memory has been reported; the other rules hold of anything with a shape.
    let Some(memory) = memory.or_else(|| Shaped::of(access.memory.r#type())) else {
        return true;
    };
    let value = Shaped::of(access.value.r#type());
    check_rank(access.op, &memory)
        & check_elements(access, &memory, value.as_ref())
        & check_region(access, &memory, value.as_ref())
}

/// Element types of tile, memory and pad value; atomic adds (105, 106).
fn check_elements(access: &Access, memory: &Shaped, value: Option<&Shaped>) -> bool {
    let op = access.op;
    let mut fine = true;
    let mut refuse = |code, message: String, mend: &str| {
        diag::error(&op, code, message).note(mend).emit();
        fine = false;
    };
    let element = value.map_or(access.value.r#type(), |value| value.element_type);
    if memory.element().is_none() {
        refuse(
            ELEMENT,
            format!(
                "memory has elements of {}, expected f32, f16, bf16, i8, i16, i32, i64 or i1",
                memory.element_type
            ),
            "choose an element type a tile can hold",
        );
    } else if element != memory.element_type {
        refuse(
            ELEMENT,
            format!(
                "element type of the value is {element}, expected {} as in memory",
                memory.element_type
            ),
            "convert the tile with pl.cast, or change the memory's element type",
        );
    }
    if let Some(pad) = access.pad
        && pad.r#type() != memory.element_type
    {
        refuse(
            ELEMENT,
            format!(
                "pad value is {}, expected {}",
                pad.r#type(),
                memory.element_type
            ),
            "give a pad value of the element type",
        );
    }
    if access.atomic
        && memory
            .element()
            .is_some_and(|element| !element.has_atomic_add())
    {
        refuse(
            ATOMIC,
            format!(
                "adds {} atomically, expected f32, f16, bf16, i32, i16 or i8",
                memory.element_type
            ),
            "use another element type, or gather the parts and add them on one rank",
        );
    }
    fine
}

/// At least one dim and at most four (104).
pub(crate) fn check_rank(op: OperationRef, memory: &Shaped) -> bool {
    if (1..=MAX_RANK).contains(&memory.rank()) {
        return true;
    }
    diag::error(
        &op,
        BOUNDS,
        format!(
            "memory operand has rank {}, expected 1 to {MAX_RANK}",
            memory.rank()
        ),
    )
    .note("fold leading dims into one; an array of one element has the shape 1")
    .emit();
    false
}

/// Offsets, valid extents, and the region that they bound (104).
pub(crate) fn check_bounds(access: &Access, memory: &Shaped) -> bool {
    let value = Shaped::of(access.value.r#type());
    check_region(access, memory, value.as_ref())
}

fn check_region(access: &Access, memory: &Shaped, value: Option<&Shaped>) -> bool {
    // A scalar has no extents of its own.
    let tile = value.filter(|value| value.rank() == 2 && !access.is_scalar());
    let covered = covered(access, tile);
    check_offsets(access.op, &access.offsets, memory)
        & tile.is_none_or(|tile| check_valid(access, tile))
        & check_rows(access.op, covered[0], memory)
        & check_inside(access, memory, covered)
}

/// One offset per dim, none negative (104).
pub(crate) fn check_offsets(op: OperationRef, offsets: &[Mixed], memory: &Shaped) -> bool {
    if offsets.len() != memory.rank() {
        diag::error(
            &op,
            BOUNDS,
            format!(
                "has {} offsets, expected {}, one per dim",
                offsets.len(),
                memory.rank()
            ),
        )
        .note(format!(
            "write {} entries between the brackets",
            memory.rank()
        ))
        .emit();
        return false;
    }
    let mut fine = true;
    for (dim, offset) in offsets.iter().enumerate() {
        if let Some(offset) = offset.as_static().filter(|&offset| offset < 0) {
            diag::error(
                &op,
                BOUNDS,
                format!("offset of dim {dim} is {offset}, expected at least 0"),
            )
            .note("offsets count from the start of the array or of a slice")
            .emit();
            fine = false;
        }
    }
    fine
}

fn check_valid(access: &Access, tile: &Shaped) -> bool {
    let Some(valid) = &access.valid else {
        return true;
    };
    if valid.len() != tile.rank() {
        diag::error(
            &access.op,
            BOUNDS,
            format!(
                "has {} valid extents, expected {}",
                valid.len(),
                tile.rank()
            ),
        )
        .note("write valid [rows, columns]")
        .emit();
        return false;
    }
    let mut fine = true;
    for (dim, (&entry, &extent)) in valid.iter().zip(&tile.shape).enumerate() {
        if let Some(entry) = entry
            .as_static()
            .filter(|entry| !(0..=extent).contains(entry))
        {
            diag::error(
                &access.op,
                BOUNDS,
                format!("valid extent of dim {dim} is {entry}, expected 0 to {extent}"),
            )
            .note("the valid part is at most the tile")
            .emit();
            fine = false;
        }
    }
    fine
}

/// The extents of the two innermost dims that an access covers: those of its tile, or of the
/// valid part. `None` for one known at run time only, or one that breaks a rule of its own.
fn covered(access: &Access, tile: Option<&Shaped>) -> [Option<i64>; 2] {
    let Some(tile) = tile else {
        return [Some(1), Some(1)];
    };
    [0, 1].map(|dim| match &access.valid {
        Some(valid) => valid
            .get(dim)?
            .as_static()
            .filter(|entry| (0..=tile.shape[dim]).contains(entry)),
        None => Some(tile.shape[dim]),
    })
}

/// Memory of rank 1 is one row (104).
fn check_rows(op: OperationRef, rows: Option<i64>, memory: &Shaped) -> bool {
    let Some(rows) = rows.filter(|&rows| rows > 1 && memory.rank() == 1) else {
        return true;
    };
    diag::error(
        &op,
        BOUNDS,
        format!("covers {rows} rows of memory of rank 1, which is one row"),
    )
    .note("use a tile of one row, valid [1, columns], or memory of rank 2")
    .emit();
    false
}

/// The region lies inside static extents (104).
fn check_inside(access: &Access, memory: &Shaped, covered: [Option<i64>; 2]) -> bool {
    let rank = memory.rank();
    if access.offsets.len() != rank {
        return true;
    }
    let mut fine = true;
    for (dim, (offset, &size)) in access.offsets.iter().zip(&memory.shape).enumerate() {
        // Leading dims count 1.
        let extent = (dim + 2).checked_sub(rank).map_or(Some(1), |i| covered[i]);
        let (Some(offset), Some(extent)) = (offset.as_static(), extent) else {
            continue;
        };
        let end = offset.saturating_add(extent);
        // Nothing is touched where the extent is 0, but the offset must still be inside.
        if offset >= 0 && size != DYNAMIC && end > size {
            diag::error(
                &access.op,
                BOUNDS,
                format!("accesses {offset} to {end} of dim {dim}, expected at most {size}"),
            )
            .note("move the offset, shrink the tile, or bound the part with valid [rows, columns]")
            .emit();
            fine = false;
        }
    }
    fine
}

/// `pl.dim`: the source is memory (101) and has the dim (104).
pub(crate) fn verify_dim(op: OperationRef) -> bool {
    let (Some(source), Some(dim)) = (view::operand(&op, 0), view::integer(&op, "dim")) else {
        return false;
    };
    let Some(memory) = memory_operand(op, source.r#type()) else {
        return false;
    };
    check_dim_number(op, dim, &memory)
}

/// The memory has dim number `dim` (104).
pub(crate) fn check_dim_number(op: OperationRef, dim: i64, memory: &Shaped) -> bool {
    if usize::try_from(dim).is_ok_and(|dim| dim < memory.rank()) {
        return true;
    }
    diag::error(
        &op,
        BOUNDS,
        format!(
            "asks for dim {dim}, expected {}",
            match memory.rank() {
                0 => "an array of rank 1 or more".into(),
                rank => format!("0 to {}", rank - 1),
            }
        ),
    )
    .note("dims count from 0")
    .emit();
    false
}

/// `pl.shard`.
///
/// # Verification
///
/// - the source is a memref of rank 2 or more (101, 104)
/// - the result has its type without the leading dim (104, 105)
/// - both have the identity layout (101)
pub(crate) fn verify_shard(op: OperationRef) -> bool {
    let (Some(source), Ok(result)) = (view::operand(&op, 0), op.result(0)) else {
        return false;
    };
    let result: Value = result.into();
    let mut fine = true;
    let mut refuse = |code, message: String, mend: &str| {
        diag::error(&op, code, message).note(mend).emit();
        fine = false;
    };
    let Some(from) = Shaped::of(source.r#type()).filter(|shaped| shaped.level == Level::Memory)
    else {
        refuse(
            LEVEL,
            format!("source is {}, expected a memref", source.r#type()),
            "shard a world array, an argument of the host entry; a window has a slice per rank already",
        );
        return false;
    };
    let Some(to) = Shaped::of(result.r#type()) else {
        return false;
    };
    if from.rank() < 2 || to.shape != from.shape[1..] {
        refuse(
            BOUNDS,
            format!(
                "result is {}, expected {} without its leading dim",
                result.r#type(),
                source.r#type()
            ),
            "the leading dim of a world array is the world size",
        );
    }
    if to.element_type != from.element_type {
        refuse(
            ELEMENT,
            format!(
                "result has element type {}, expected {}",
                to.element_type, from.element_type
            ),
            "a shard is a view: it converts nothing",
        );
    }
    if let Some(odd) = [source.r#type(), result.r#type()]
        .into_iter()
        .find(|&r#type| !crate::bridge::is_plain_memref(r#type))
    {
        refuse(
            LEVEL,
            format!(
                "has an operand or result of {odd}, expected identity layout and no memory space"
            ),
            "a slice of the leading dim is contiguous: leave the layout out",
        );
    }
    fine
}
