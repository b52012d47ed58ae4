//! `pld.put`, `pld.get`: verifier.

use crate::{
    diag::{self, Code},
    level,
    pl::memory::{check_offsets, check_rank, memory_operand},
    pld::window,
    shape::expect_element,
    types::{DYNAMIC, Element, Shaped},
    view::{Mixed, Transfer},
};
use melior::ir::{ValueLike, operation::OperationRef};

const BOUNDS: Code = Code(104);
const CHUNK: Code = Code(107);

/// # Verification
///
/// - the peer's side is a window, the other a window or memref (101)
/// - element types are equal (105); atomic add has one that memory can add (106)
/// - offsets and sizes stand together or not at all; one entry per dim (104)
/// - both have at most four dims, and as many (104)
/// - regions are inside static extents; whole slices have equal shapes (104)
/// - chunks are positive, `pipeline` has both, a dynamic extent has its chunk (107)
/// - a get does not write a `pl.in` array (108)
pub(crate) fn verify(op: OperationRef) -> bool {
    let Some(transfer) = Transfer::of(op) else {
        diag::error(
            &op,
            BOUNDS,
            "has a list of offsets or sizes that does not match its operands",
        )
        .note("one dynamic operand per dynamic entry")
        .emit();
        return false;
    };
    let (source_type, destination_type) = (transfer.source.r#type(), transfer.destination.r#type());
    let (source, destination) = if transfer.is_put {
        (
            memory_operand(op, source_type),
            window::operand(op, destination_type, "destination"),
        )
    } else {
        (
            window::operand(op, source_type, "source"),
            memory_operand(op, destination_type),
        )
    };
    let (Some(source), Some(destination)) = (source, destination) else {
        return false;
    };
    let mut fine = expect_element(
        op,
        "source",
        &source,
        destination.element_type,
        "a transfer converts nothing",
    );
    if transfer.atomic
        && destination
            .element()
            .is_none_or(|element: Element| !element.has_atomic_add())
    {
        diag::error(
            &op,
            Code(106),
            format!(
                "adds {} atomically, expected f32, f16, bf16, i32, i16 or i8",
                destination.element_type
            ),
        )
        .note("use another element type, or gather the parts and add them on one rank")
        .emit();
        fine = false;
    }
    fine &= check_region(op, &transfer, &source, &destination);
    fine &= check_chunks(op, &transfer, &source, &destination);
    fine & (transfer.is_put || level::call::check_writable(op, transfer.destination, "stores to"))
}

/// The entries of the region, or a report of what is missing.
fn check_region(
    op: OperationRef,
    transfer: &Transfer,
    source: &Shaped,
    destination: &Shaped,
) -> bool {
    let refuse = |message: String, mend: &str| {
        diag::error(&op, BOUNDS, message).note(mend).emit();
        false
    };
    if !(check_rank(op, source) & check_rank(op, destination)) {
        return false;
    }
    if source.rank() != destination.rank() {
        return refuse(
            format!(
                "moves rank {} to rank {}, expected equal ranks",
                source.rank(),
                destination.rank()
            ),
            "fold or add leading dims of 1",
        );
    }
    let parts = (
        &transfer.source_offsets,
        &transfer.destination_offsets,
        &transfer.sizes,
    );
    let (from, to, sizes) = match parts {
        (Some(from), Some(to), Some(sizes)) => (from, to, sizes),
        (None, None, None) => {
            let differ = |(&a, &b): (&i64, &i64)| a != DYNAMIC && b != DYNAMIC && a != b;
            if source.shape.iter().zip(&destination.shape).any(differ) {
                return refuse(
                    "moves a whole slice between different shapes, expected equal ones".into(),
                    "state offsets and sizes of the region on both sides",
                );
            }
            return true;
        }
        _ => {
            return refuse(
                "has some of the offsets and sizes, expected all of them or none".into(),
                "write source[..], destination[..] sizes [..], or leave all out for the whole slice",
            );
        }
    };
    if sizes.len() != source.rank() {
        return refuse(
            format!(
                "has {} sizes, expected {}, one per dim",
                sizes.len(),
                source.rank()
            ),
            "write one size per dim",
        );
    }
    let mut fine = check_offsets(op, from, source) & check_offsets(op, to, destination);
    for (dim, size) in sizes.iter().enumerate() {
        if let Some(size) = size.as_static().filter(|&size| size < 0) {
            fine = refuse(
                format!("size of dim {dim} is {size}, expected at least 0"),
                "sizes count elements",
            );
        }
    }
    fine && inside(op, "source", from, sizes, source)
        & inside(op, "destination", to, sizes, destination)
}

fn inside(
    op: OperationRef,
    what: &str,
    offsets: &[Mixed],
    sizes: &[Mixed],
    memory: &Shaped,
) -> bool {
    let mut fine = true;
    for (dim, (offset, size)) in offsets.iter().zip(sizes).enumerate() {
        let (offset, size, extent) = (
            offset.as_static().unwrap_or(0),
            size.as_static().unwrap_or(0),
            memory.shape[dim],
        );
        let end = offset.saturating_add(size);
        if extent != DYNAMIC && end > extent {
            diag::error(
                &op,
                BOUNDS,
                format!("{what} covers {offset} to {end} of dim {dim}, expected at most {extent}"),
            )
            .note("move the offset or shrink the sizes")
            .emit();
            fine = false;
        }
    }
    fine
}

/// Chunks of the staging tile (107).
fn check_chunks(
    op: OperationRef,
    transfer: &Transfer,
    source: &Shaped,
    destination: &Shaped,
) -> bool {
    let mut fine = true;
    let mut refuse = |message: String, mend: &str| {
        diag::error(&op, CHUNK, message).note(mend).emit();
        fine = false;
    };
    for (name, chunk) in [
        ("chunk_rows", transfer.chunk_rows),
        ("chunk_cols", transfer.chunk_cols),
    ] {
        if let Some(chunk) = chunk.filter(|&chunk| chunk <= 0) {
            refuse(
                format!("{name} is {chunk}, expected at least 1"),
                "give the staging tile an extent",
            );
        }
    }
    if transfer.pipeline && (transfer.chunk_rows.is_none() || transfer.chunk_cols.is_none()) {
        refuse(
            "has pipeline without both chunks".into(),
            "state chunk_rows and chunk_cols: two such tiles are used in turn",
        );
    }
    let rank = source.rank();
    let is_dynamic = |dim: usize| match &transfer.sizes {
        Some(sizes) => sizes
            .get(dim)
            .is_some_and(|size| size.as_static().is_none()),
        None => {
            source.shape[dim] == DYNAMIC
                && destination
                    .shape
                    .get(dim)
                    .is_none_or(|&extent| extent == DYNAMIC)
        }
    };
    let dynamic_rows = (0..rank.saturating_sub(1)).any(is_dynamic);
    if rank > 0 && is_dynamic(rank - 1) && transfer.chunk_cols.is_none() {
        refuse(
            "has a dynamic last extent without chunk_cols".into(),
            "state chunk_cols: the staging tile is static",
        );
    }
    if dynamic_rows && transfer.chunk_rows.is_none() {
        refuse(
            "has a dynamic leading extent without chunk_rows".into(),
            "state chunk_rows: the staging tile is static",
        );
    }
    fine
}
