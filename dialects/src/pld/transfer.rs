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
    let levels = if transfer.is_put {
        memory_operand(op, source_type).is_some()
            & window::operand(op, destination_type, "destination").is_some()
    } else {
        window::operand(op, source_type, "source").is_some()
            & memory_operand(op, destination_type).is_some()
    };
    // What is no memory has been reported; the other rules hold of anything with a shape.
    let moved = Shaped::of(source_type)
        .zip(Shaped::of(destination_type))
        .is_none_or(|(source, destination)| {
            check_elements(op, &transfer, &source, &destination)
                & check_region(op, &transfer, &source, &destination)
                & check_dynamic(op, &transfer, &source, &destination)
        });
    let writable =
        transfer.is_put || level::call::check_writable(op, transfer.destination, "stores to");
    levels & moved & check_chunks(op, &transfer) & writable
}

/// Element types are equal (105), and atomic add has one that memory can add (106).
fn check_elements(
    op: OperationRef,
    transfer: &Transfer,
    source: &Shaped,
    destination: &Shaped,
) -> bool {
    let adds = !transfer.atomic || destination.element().is_some_and(Element::has_atomic_add);
    if !adds {
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
    }
    adds & expect_element(
        op,
        "source",
        source,
        destination.element_type,
        "a transfer converts nothing",
    )
}

fn refuse(op: OperationRef, code: Code, message: &str, mend: &str) -> bool {
    diag::error(&op, code, message).note(mend).emit();
    false
}

/// The region that moves lies inside both sides (104).
fn check_region(
    op: OperationRef,
    transfer: &Transfer,
    source: &Shaped,
    destination: &Shaped,
) -> bool {
    let (from, to, sizes) = (
        &transfer.source_offsets,
        &transfer.destination_offsets,
        &transfer.sizes,
    );
    let stated = [from.is_some(), to.is_some(), sizes.is_some()];
    let mut fine = check_rank(op, source) & check_rank(op, destination);
    if source.rank() != destination.rank() {
        let message = format!(
            "moves rank {} to rank {}, expected equal ranks",
            source.rank(),
            destination.rank()
        );
        fine = refuse(op, BOUNDS, &message, "fold or add leading dims of 1");
    } else if stated == [false; 3] {
        let differ = |(&a, &b): (&i64, &i64)| a != DYNAMIC && b != DYNAMIC && a != b;
        if source.shape.iter().zip(&destination.shape).any(differ) {
            fine = refuse(
                op,
                BOUNDS,
                "moves a whole slice between different shapes, expected equal ones",
                "state offsets and sizes of the region on both sides",
            );
        }
    }
    if stated.contains(&true) && stated.contains(&false) {
        fine = refuse(
            op,
            BOUNDS,
            "has some of the offsets and sizes, expected all of them or none",
            "write source[..], destination[..] sizes [..], or leave all out for the whole slice",
        );
    }
    if let Some(sizes) = sizes {
        fine &= check_sizes(op, sizes, source);
    }
    for (what, offsets, memory) in [("source", from, source), ("destination", to, destination)] {
        if let Some(offsets) = offsets {
            fine &= check_offsets(op, offsets, memory);
            if let Some(sizes) = sizes.as_ref().filter(|sizes| sizes.len() == memory.rank()) {
                fine &= inside(op, what, offsets, sizes, memory);
            }
        }
    }
    fine
}

/// One size per dim, none negative (104).
fn check_sizes(op: OperationRef, sizes: &[Mixed], source: &Shaped) -> bool {
    let mut fine = true;
    if sizes.len() != source.rank() {
        let message = format!(
            "has {} sizes, expected {}, one per dim",
            sizes.len(),
            source.rank()
        );
        fine = refuse(op, BOUNDS, &message, "write one size per dim");
    }
    for (dim, size) in sizes.iter().enumerate() {
        if let Some(size) = size.as_static().filter(|&size| size < 0) {
            let message = format!("size of dim {dim} is {size}, expected at least 0");
            fine = refuse(op, BOUNDS, &message, "sizes count elements");
        }
    }
    fine
}

fn inside(
    op: OperationRef,
    what: &str,
    offsets: &[Mixed],
    sizes: &[Mixed],
    memory: &Shaped,
) -> bool {
    let mut fine = true;
    for (dim, &extent) in memory.shape.iter().enumerate() {
        let (Some(offset), Some(size)) = (offsets.get(dim), sizes.get(dim)) else {
            continue;
        };
        let offset = offset.as_static().unwrap_or(0).max(0);
        let end = offset.saturating_add(size.as_static().unwrap_or(0));
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

/// Chunks of the staging tile are positive, and `pipeline` has both (107).
fn check_chunks(op: OperationRef, transfer: &Transfer) -> bool {
    let mut fine = true;
    for (name, chunk) in [
        ("chunk_rows", transfer.chunk_rows),
        ("chunk_cols", transfer.chunk_cols),
    ] {
        if let Some(chunk) = chunk.filter(|&chunk| chunk <= 0) {
            let message = format!("{name} is {chunk}, expected at least 1");
            fine = refuse(op, CHUNK, &message, "give the staging tile an extent");
        }
    }
    if transfer.pipeline && (transfer.chunk_rows.is_none() || transfer.chunk_cols.is_none()) {
        fine = refuse(
            op,
            CHUNK,
            "has pipeline without both chunks",
            "state chunk_rows and chunk_cols: two such tiles are used in turn",
        );
    }
    fine
}

/// A dynamic extent has its chunk (107).
fn check_dynamic(
    op: OperationRef,
    transfer: &Transfer,
    source: &Shaped,
    destination: &Shaped,
) -> bool {
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
    let mut fine = true;
    let leading = source.rank().saturating_sub(1);
    if source.rank() > 0 && is_dynamic(leading) && transfer.chunk_cols.is_none() {
        fine = refuse(
            op,
            CHUNK,
            "has a dynamic last extent without chunk_cols",
            "state chunk_cols: the staging tile is static",
        );
    }
    if (0..leading).any(is_dynamic) && transfer.chunk_rows.is_none() {
        fine = refuse(
            op,
            CHUNK,
            "has a dynamic leading extent without chunk_rows",
            "state chunk_rows: the staging tile is static",
        );
    }
    fine
}
