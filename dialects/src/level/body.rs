//! The boundary of a function of a kind, and the upstream operations in it.

use super::{Kind, LEVEL_RULE, Place, signature};
use crate::{
    bridge,
    diag::{self, Code},
    pl::memory::check_dim_number,
    types::{Element, Level, Shaped},
    view,
};
use melior::ir::{
    RegionLike, Type, TypeLike, Value, ValueLike,
    operation::{OperationLike, OperationRef, WalkOrder, WalkResult},
};

/// Checks the boundary and the upstream operations of a function of a kind.
pub(super) fn verify(op: OperationRef, kind: Kind) -> bool {
    let mut fine = boundary(op, kind);
    op.walk(WalkOrder::PreOrder, |inner| {
        let name = view::name(&inner);
        let is_checked_elsewhere =
            name.starts_with("pl.") || name.starts_with("pld.") || name == "func.call";
        if inner != op && !is_checked_elsewhere {
            let place = Place::of(inner);
            // Upstream sinks a cast from the device's code to where it is used.
            let sunk = place.in_at && name == "memref.cast";
            fine &= sunk || upstream(inner, name, place.kind.unwrap_or(kind));
        }
        WalkResult::Advance
    });
    fine
}

/// Checks an upstream operation that is no call (103, 109).
fn upstream(op: OperationRef, name: &str, kind: Kind) -> bool {
    if kind == Kind::InCore && is_float_arithmetic(op, name) {
        diag::error(
            &op,
            Code(109),
            "is floating-point scalar arithmetic in a pl.incore function",
        )
        .note("the AI core has none: keep index math in integers and cast only for tile operations")
        .emit();
        return false;
    }
    if !is_allowed(name, kind) {
        diag::error(
            &op,
            LEVEL_RULE,
            format!("may not stand in a {kind} function"),
        )
        .note(format!(
            "a {kind} function holds pl and pld operations, {}",
            allowed_list(kind)
        ))
        .emit();
        return false;
    }
    if name == "memref.dim" {
        return check_dim(op);
    }
    if let Some(r#type) = unscalar(op, name) {
        diag::error(
            &op,
            LEVEL_RULE,
            format!("computes on {type}, expected scalars"),
        )
        .note("tiles are computed by pl operations; pl.full makes one of a scalar")
        .emit();
        return false;
    }
    true
}

/// A constant index of `memref.dim` names a dim (104): upstream takes it to be so.
fn check_dim(op: OperationRef) -> bool {
    let (Some(source), Some(index)) = (view::operand(&op, 0), view::operand(&op, 1)) else {
        return true;
    };
    let (Some(memory), Some(dim)) = (Shaped::of(source.r#type()), view::constant(index)) else {
        return true;
    };
    check_dim_number(op, dim, &memory)
}

fn is_allowed(name: &str, kind: Kind) -> bool {
    matches!(
        name,
        "scf.for"
            | "scf.while"
            | "scf.if"
            | "scf.index_switch"
            | "scf.yield"
            | "scf.condition"
            | "func.return"
            | "memref.dim"
            | "ub.poison"
    ) || name.starts_with("arith.")
        || kind != Kind::InCore && matches!(name, "memref.cast" | "memref.alloc")
}

const fn allowed_list(kind: Kind) -> &'static str {
    match kind {
        Kind::Host => "scf, arith, memref.dim/cast/alloc",
        Kind::Device => "scf, arith, memref.dim/cast/alloc, calls of pl.incore functions",
        Kind::InCore => "scf, integer arith, memref.dim, calls of pl.incore functions",
    }
}

/// Whether it computes on floats. Casts to them, choosing between them and constants of
/// them do not.
fn is_float_arithmetic(op: OperationRef, name: &str) -> bool {
    let computes = name.starts_with("math.")
        || name.starts_with("arith.") && !matches!(name, "arith.select" | "arith.bitcast");
    computes && op.operands().any(|value| bridge::is_float(value.r#type()))
}

/// The first type of an `arith` operation that is no scalar. `arith.select` may choose
/// between values of any type, by one bit.
fn unscalar<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<Type<'c>> {
    if !name.starts_with("arith.") {
        return None;
    }
    let checked = if name == "arith.select" {
        1
    } else {
        usize::MAX
    };
    let results = op.results().map(Value::from).filter(|_| checked > 1);
    op.operands()
        .take(checked)
        .chain(results)
        .map(|value| value.r#type())
        .find(|r#type| !(r#type.is_index() || r#type.is_integer() || bridge::is_float(*r#type)))
}

fn is_scalar(r#type: Type) -> bool {
    r#type.is_index() || Element::of(r#type).is_some()
}

/// Memrefs, windows and scalars in; nothing out, but scalars of in-core helpers.
fn boundary(op: OperationRef, kind: Kind) -> bool {
    let Some(signature) = signature(&op) else {
        return true;
    };
    let mut fine = true;
    let mut refuse = |code, message: String, mend: &str| {
        diag::error(&op, code, message).note(mend).emit();
        fine = false;
    };
    if op
        .region(0)
        .is_ok_and(|region| region.first_block().is_none())
    {
        refuse(
            LEVEL_RULE,
            format!("is a {kind} function without a body"),
            "write its body: nothing is linked to it later",
        );
    }
    for index in 0..signature.input_count() {
        if let Ok(r#type) = signature.input(index)
            && let Some((code, expected, mend)) = unfit_argument(r#type)
        {
            refuse(
                code,
                format!("argument #{index} is {type}, expected {expected}"),
                mend,
            );
        }
    }
    if kind != Kind::InCore && signature.result_count() > 0 {
        refuse(
            LEVEL_RULE,
            format!("returns a value from a {kind} function"),
            "write results to pl.out arguments",
        );
        return false;
    }
    for index in 0..signature.result_count() {
        if let Ok(r#type) = signature.result(index)
            && !is_scalar(r#type)
        {
            refuse(
                LEVEL_RULE,
                format!("result #{index} is {type}, expected a scalar"),
                "write results to pl.out arguments",
            );
        }
    }
    fine
}

/// What is wrong with an argument's type: code, what is expected, how to mend it.
fn unfit_argument(r#type: Type) -> Option<(Code, &'static str, &'static str)> {
    const ELEMENTS: &str = "elements of f32, f16, bf16, i8, i16, i32, i64 or i1";
    let memory = Shaped::of(r#type).filter(Shaped::is_memory);
    match memory {
        None if is_scalar(r#type) => None,
        None => Some((
            LEVEL_RULE,
            "a memref, a window or a scalar (index, i1 to i64, f32, f16, bf16)",
            "tiles and tensors do not cross function boundaries: pass memory",
        )),
        // A window's own type is checked where it is made.
        Some(memory) if memory.level == Level::Window => None,
        Some(memory) => {
            if !bridge::is_plain_memref(r#type) {
                Some((
                    LEVEL_RULE,
                    "identity layout and no memory space",
                    "use a memref without a layout or memory space",
                ))
            } else if memory.element().is_none() {
                Some((
                    Code(105),
                    ELEMENTS,
                    "choose an element type a tile can hold",
                ))
            } else if !memory.is_countable() {
                Some((
                    Code(104),
                    "no more bytes than 64 bits can count",
                    "use smaller extents",
                ))
            } else {
                None
            }
        }
    }
}
