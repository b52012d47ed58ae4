//! `pl-legalize`: operations of the tile level become forms that the target has.
//!
//! See `forms.rs` for which; `pl-verify-target` has refused what has none.

use super::{
    forms::{self, Step},
    profile::{Profile, Round},
    verify_target,
};
use melior::ir::{
    Type, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    emit::Emitter,
    pass::{Options, Pass, Reported},
    types::{self, Element, Shaped},
    view,
};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-legalize",
    description: "Rewrite tile operations that the target has in another form only: bf16 \
                  arithmetic in f32, i8 arithmetic in i16, casts as chains of the target's \
                  casts. After it each tile operation is one instruction.",
    options: &[verify_target::ARCH],
    run,
};

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let profile = verify_target::profile(module, options)?;
    // Arithmetic first: it leaves casts behind.
    for op in bridge::collect(module, |name| profile.vector_op(name).is_some()) {
        vector(profile, op)?;
    }
    for op in bridge::collect(module, |name| name == "pl.full") {
        fill(op)?;
    }
    for op in bridge::collect(module, |name| name == "pl.cast") {
        cast(profile, op)?;
    }
    Ok(())
}

fn refused(op: OperationRef) -> Reported {
    diag::failure(
        op.location(),
        "has no form on the target; run pl-verify-target first, which says why",
    )
    .emit();
    Reported
}

/// The type of a tile with another element type.
fn with_element<'c>(
    at: &Emitter<'c, '_>,
    tile: Value<'c, '_>,
    element: Element,
) -> Option<Type<'c>> {
    let shape = Shaped::of(tile.r#type())?.shape;
    let &[rows, cols] = &shape[..] else {
        return None;
    };
    Some(types::tile(
        at.context,
        rows,
        cols,
        element.mlir(at.context),
    ))
}

fn element(value: Value) -> Option<Element> {
    Shaped::of(value.r#type())?.element()
}

/// Emits `pl.cast`.
fn emit_cast<'c, 'a>(
    at: &Emitter<'c, 'a>,
    tile: Value<'c, 'a>,
    to: Element,
    mode: Round,
) -> Option<Value<'c, 'a>> {
    let r#type = with_element(at, tile, to)?;
    let mode = at.int_attr(at.int_type(32), mode as i64);
    Some(at.value("pl.cast", &[tile], r#type, &[("mode", mode)]))
}

fn replace<'c, 'a>(op: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Option<()> {
    bridge::replace_all_uses(op.result(0).ok()?.into(), value);
    bridge::erase(op);
    Some(())
}

fn vector(profile: &Profile, op: OperationRef) -> Result<(), Reported> {
    let name = view::name(&op);
    let own = op
        .result(0)
        .ok()
        .and_then(|result| element(result.into()))
        .ok_or(Reported)?;
    let compute = forms::compute(profile, name, own).map_err(|_| refused(op))?;
    if compute == own {
        return Ok(());
    }
    compute_in(op, name, own, compute).ok_or_else(|| refused(op))
}

/// Widens, computes, and goes back: floats by rounding to nearest-even, integers by their low
/// bits.
fn compute_in(op: OperationRef, name: &str, own: Element, compute: Element) -> Option<()> {
    let at = Emitter::before(op)?;
    let left = op.operand(0).ok()?;
    let wide = |value| emit_cast(&at, value, compute, Round::None);
    // A scalar is spread over a tile: the core has no scalar floats.
    let (binary, right) = match name {
        "pl.adds" | "pl.muls" => {
            let scalar = op.operand(1).ok()?;
            let tile = at.value("pl.full", &[scalar], left.r#type(), &[]);
            (name.trim_end_matches('s'), tile)
        }
        _ => (name, op.operand(1).ok()?),
    };
    let operands = [wide(left)?, wide(right)?];
    let result = at.value(binary, &operands, operands[0].r#type(), &[]);
    replace(op, emit_cast(&at, result, own, Round::Rint)?)
}

/// A fill of i64 is one of i32 and a cast.
fn fill(op: OperationRef) -> Result<(), Reported> {
    let result = op.result(0).map_err(|_| Reported)?.into();
    if element(result) != Some(Element::I64) {
        return Ok(());
    }
    let fill = || {
        let at = Emitter::before(op)?;
        let value = at.int(at.int_type(32), view::constant(op.operand(0).ok()?)?);
        let tile = at.value(
            "pl.full",
            &[value],
            with_element(&at, result, Element::I32)?,
            &[],
        );
        replace(op, emit_cast(&at, tile, Element::I64, Round::None)?)
    };
    fill().ok_or_else(|| refused(op))
}

fn cast(profile: &Profile, op: OperationRef) -> Result<(), Reported> {
    let source = op.operand(0).map_err(|_| Reported)?;
    let to = op
        .result(0)
        .ok()
        .and_then(|result| element(result.into()))
        .ok_or(Reported)?;
    let from = element(source).ok_or(Reported)?;
    let mode = Round::of(op).ok_or(Reported)?;
    let steps = forms::cast(profile, from, to, mode).map_err(|_| refused(op))?;
    if steps == [Step::Cast(to, mode)] {
        return Ok(());
    }
    let chain = || {
        let at = Emitter::before(op)?;
        let mut value = source;
        for step in steps {
            value = match step {
                Step::Cast(to, mode) => emit_cast(&at, value, to, mode)?,
                Step::Scale(factor) => scale(&at, value, factor)?,
            };
        }
        replace(op, value)
    };
    chain().ok_or_else(|| refused(op))
}

fn scale<'c, 'a>(at: &Emitter<'c, 'a>, tile: Value<'c, 'a>, factor: f64) -> Option<Value<'c, 'a>> {
    let element = element(tile)?;
    let r#type = element.mlir(at.context);
    let factor = if element.is_float() {
        at.float(r#type, factor)
    } else {
        at.int(r#type, factor as i64)
    };
    Some(at.value("pl.muls", &[tile, factor], tile.r#type(), &[]))
}
