//! `pld.allreduce`, `pld.broadcast`, `pld.allgather`, `pld.reduce_scatter`, `pld.all_to_all`,
//! `pld.all_to_all_v`: verifier.

use crate::{
    diag::{self, Code},
    flow,
    level::{Kind, Place},
    pl::memory::memory_operand,
    pld::{signal, window},
    shape::{expect_element, spell},
    types::{DYNAMIC, Element, Shaped},
    view::{self, Collective},
};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};

const SHAPE: Code = Code(104);

/// # Verification
///
/// - data are windows; what is only read may be a memref (101)
/// - the signal is a window of i32 (101, 105), and there in-core (103)
/// - element types are equal (105), shapes fit (104), counts are `[n, 1]` i32 (104, 105)
/// - the root is not negative (104), the algorithm known (103)
/// - no buffer that is written is another operand as well (110)
pub(crate) fn verify(op: OperationRef) -> bool {
    let Some(parts) = Collective::of(op) else {
        return false;
    };
    let source_type = parts.source.r#type();
    let destination_type = parts.destination.unwrap_or(parts.source).r#type();
    let levels = match parts.destination {
        Some(_) => {
            memory_operand(op, source_type).is_some()
                & window::operand(op, destination_type, "destination").is_some()
        }
        None => window::operand(op, source_type, "data").is_some(),
    };
    // What is no memory has been reported; the other rules hold of anything with a shape.
    let data = Shaped::of(source_type)
        .zip(Shaped::of(destination_type))
        .is_none_or(|(source, destination)| check_data(op, &source, &destination));
    levels
        & data
        & check_signal(op, &parts)
        & check_attributes(op)
        & check_counts(op, &parts)
        & check_distinct(op, &parts)
}

/// Shapes fit (104), element types are equal (105).
fn check_data(op: OperationRef, source: &Shaped, destination: &Shaped) -> bool {
    let shapes = match view::name(&op) {
        "pld.allgather" => check_gather(op, source, destination),
        "pld.all_to_all" | "pld.all_to_all_v" => check_equal(op, source, destination),
        "pld.reduce_scatter" => check_rows(op, source),
        _ => true,
    };
    shapes
        & expect_element(
            op,
            "source",
            source,
            destination.element_type,
            "a collective converts nothing",
        )
}

fn check_signal(op: OperationRef, parts: &Collective) -> bool {
    match parts.signal {
        Some(value) => signal::check_signal(op, value),
        None if Place::of(op).kind == Some(Kind::InCore) => {
            diag::error(&op, Code(103), "has no signal in an in-core function")
                .note("pass a window of i32, one element per rank; only the host may leave it out")
                .emit();
            false
        }
        None => true,
    }
}

fn refuse(op: OperationRef, message: String, mend: &str) -> bool {
    diag::error(&op, SHAPE, message).note(mend).emit();
    false
}

/// `[1, S]` into `[n, S]`.
fn check_gather(op: OperationRef, source: &Shaped, destination: &Shaped) -> bool {
    let fits = source.rank() == 2
        && destination.rank() == 2
        && matches!(source.shape[0], 1 | DYNAMIC)
        && may_equal(source.shape[1], destination.shape[1]);
    fits || refuse(
        op,
        format!(
            "gathers {} into {}, expected 1xS into nxS",
            spell(&source.shape),
            spell(&destination.shape)
        ),
        "the destination has a row of the chunk's length for each rank",
    )
}

fn check_equal(op: OperationRef, source: &Shaped, destination: &Shaped) -> bool {
    let fits = source.rank() == 2
        && destination.rank() == 2
        && source
            .shape
            .iter()
            .zip(&destination.shape)
            .all(|(&a, &b)| may_equal(a, b));
    fits || refuse(
        op,
        format!(
            "exchanges {} and {}, expected equal shapes of rank 2",
            spell(&source.shape),
            spell(&destination.shape)
        ),
        "both have the rows of all ranks",
    )
}

fn check_rows(op: OperationRef, data: &Shaped) -> bool {
    data.rank() == 2
        || refuse(
            op,
            format!("scatters {}, expected nxS", spell(&data.shape)),
            "the data has one row per rank",
        )
}

const fn may_equal(a: i64, b: i64) -> bool {
    a == b || a == DYNAMIC || b == DYNAMIC
}

fn check_attributes(op: OperationRef) -> bool {
    let mut fine = true;
    if let Some(root) = view::integer(&op, "root").filter(|&root| root < 0) {
        fine = refuse(
            op,
            format!("has root {root}, expected at least 0"),
            "a root is a rank of the group",
        );
    }
    if op.has_attribute("algorithm") {
        let algorithm = view::string(&op, "algorithm").unwrap_or_default();
        if !matches!(algorithm.as_str(), "mesh" | "ring" | "auto") {
            diag::error(
                &op,
                Code(103),
                format!("has the algorithm \"{algorithm}\", expected mesh, ring or auto"),
            )
            .note("auto, the default, chooses by size")
            .emit();
            fine = false;
        }
    }
    fine
}

fn check_counts(op: OperationRef, parts: &Collective) -> bool {
    let Some((send, receive)) = parts.counts else {
        return true;
    };
    let counts = [
        ("send counts", memory_operand(op, send.r#type())),
        (
            "receive counts",
            window::operand(op, receive.r#type(), "receive counts"),
        ),
    ];
    let mut fine = true;
    for (what, counts) in counts {
        let Some(counts) = counts else {
            fine = false;
            continue;
        };
        if counts.element() != Some(Element::I32) {
            diag::error(
                &op,
                Code(105),
                format!(
                    "{what} have element type {}, expected i32",
                    counts.element_type
                ),
            )
            .note("counts are rows, as i32")
            .emit();
            fine = false;
        }
        if counts.rank() != 2 || !may_equal(counts.shape[1], 1) {
            fine = refuse(
                op,
                format!("{what} have shape {}, expected nx1", spell(&counts.shape)),
                "one count per rank",
            );
        }
    }
    fine
}

/// What is written is no other operand's buffer (110), as far as the function shows it: the
/// same value, also through a choice or a loop, or on the host two views of one buffer.
fn check_distinct(op: OperationRef, parts: &Collective) -> bool {
    let mut fine = true;
    let mut reported = Vec::new();
    for ([a, b], [other, name]) in pairs(parts) {
        // Each operand once, beside the first it is equal to.
        if !flow::is_same(a, b) || reported.contains(&name) {
            continue;
        }
        reported.push(name);
        diag::error(
            &op,
            Code(110),
            format!("has one window buffer as {other} and {name}, expected two"),
        )
        .note("allocate a buffer of its own for each")
        .emit();
        fine = false;
    }
    fine
}

/// Operands of a collective that must be of two buffers, since one of them is written, and
/// what it takes them as; none of other operations.
pub fn distinct<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
) -> Vec<([Value<'c, 'a>; 2], [&'static str; 2])> {
    Collective::of(op).map_or_else(Vec::new, |parts| pairs(&parts))
}

fn pairs<'c, 'a>(parts: &Collective<'c, 'a>) -> Vec<([Value<'c, 'a>; 2], [&'static str; 2])> {
    let in_place = parts.destination.is_none();
    let (send, receive) = parts.counts.unzip();
    let source = if in_place { "data" } else { "source" };
    let operands = [
        (source, Some(parts.source), in_place),
        ("destination", parts.destination, true),
        ("signal", parts.signal, true),
        ("send counts", send, false),
        ("receive counts", receive, true),
    ];
    let present: Vec<_> = operands
        .into_iter()
        .filter_map(|(name, value, written)| Some((name, value?, written)))
        .collect();
    let mut pairs = Vec::new();
    for (index, &(name, value, written)) in present.iter().enumerate() {
        for &(other, earlier, other_written) in &present[..index] {
            if written || other_written {
                pairs.push(([earlier, value], [other, name]));
            }
        }
    }
    pairs
}
