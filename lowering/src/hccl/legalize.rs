//! `pl-legalize`: operations of the tile level become forms that the target has.
//!
//! See `forms.rs` for which; `pl-verify-target` has refused what has none.

use super::{
    expand::Expand,
    forms::{self, Step},
    profile::{Profile, Round},
    rows,
    statement::{self, AMOUNT, BITS},
    verify_target,
};
use melior::ir::{
    Attribute, Type, Value, ValueLike,
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
                  casts, comparisons and choices as arithmetic on bits, products that add as \
                  products and sums. After it each tile \
                  operation is one instruction.",
    options: &[verify_target::ARCH],
    run,
};

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let profile = verify_target::profile(module, options)?;
    // What these mean is for this pass alone to write.
    for op in bridge::collect(module, |name| {
        matches!(name, "pl.cast" | "pl.shl" | "pl.shr")
    }) {
        bridge::remove_attribute(op, BITS);
        bridge::remove_attribute(op, AMOUNT);
    }
    // What becomes arithmetic first, then arithmetic: it leaves casts behind.
    for op in bridge::collect(module, |name| {
        matches!(name, "pl.row_expand_sub" | "pl.row_expand_div")
    }) {
        by_column(op).ok_or_else(|| refused(op))?;
    }
    for op in bridge::collect(module, |name| name == "pl.matmul_acc") {
        product(op).ok_or_else(|| refused(op))?;
    }
    for op in bridge::collect(module, |name| forms::computes(profile, name)) {
        vector(profile, op)?;
    }
    for op in bridge::collect(module, |name| name == "pl.full") {
        fill(op)?;
    }
    for op in bridge::collect(module, |name| name == "pl.cast") {
        if !statement::is_reinterpretation(&op) {
            cast(profile, op)?;
        }
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

/// The element type of a tile.
pub fn element(value: Value) -> Option<Element> {
    Shaped::of(value.r#type())?.element()
}

/// A tile's bits as elements of another type of the same size.
pub fn reinterpret<'c, 'a>(
    at: &Emitter<'c, 'a>,
    tile: Value<'c, 'a>,
    to: Element,
) -> Option<Value<'c, 'a>> {
    if element(tile)? == to {
        return Some(tile);
    }
    let r#type = with_element(at, tile, to)?;
    let none = at.int_attr(at.int_type(32), Round::None as i64);
    let bits = Attribute::unit(at.context);
    Some(at.value("pl.cast", &[tile], r#type, &[("mode", none), (BITS, bits)]))
}

/// A number as a scalar of a tile's elements.
fn number<'c, 'a>(at: &Emitter<'c, 'a>, tile: Value<'c, 'a>, number: f64) -> Option<Value<'c, 'a>> {
    let element = element(tile)?;
    let r#type = element.mlir(at.context);
    Some(if element.is_float() {
        at.float(r#type, number)
    } else {
        at.int(r#type, number as i64)
    })
}

/// Emits an operation of a tile and a number.
pub fn with_scalar<'c, 'a>(
    at: &Emitter<'c, 'a>,
    name: &str,
    tile: Value<'c, 'a>,
    scalar: f64,
) -> Option<Value<'c, 'a>> {
    let scalar = number(at, tile, scalar)?;
    Some(at.value(name, &[tile, scalar], tile.r#type(), &[]))
}

/// Emits a fill like `tile`.
pub fn full<'c, 'a>(
    at: &Emitter<'c, 'a>,
    tile: Value<'c, 'a>,
    value: f64,
) -> Option<Value<'c, 'a>> {
    let value = number(at, tile, value)?;
    Some(at.value("pl.full", &[value], tile.r#type(), &[]))
}

/// Emits `pl.cast`.
pub fn emit_cast<'c, 'a>(
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

/// Subtraction of a column is addition of its negative; to divide by one, it is spread over a
/// tile, since no instruction divides by a scalar.
fn by_column(op: OperationRef) -> Option<()> {
    let at = Emitter::before(op)?;
    let (tile, column) = (op.operand(0).ok()?, op.operand(1).ok()?);
    let whole = tile.r#type();
    let result = if view::is(&op, "pl.row_expand_sub") {
        let negative = at.value("pl.neg", &[column], column.r#type(), &[]);
        at.value("pl.row_expand_add", &[tile, negative], whole, &[])
    } else {
        let divisor = at.value("pl.row_expand", &[column], whole, &[]);
        at.value("pl.div", &[tile, divisor], whole, &[])
    };
    replace(op, result)
}

/// What the cube core multiplies, the vector core adds.
fn product(op: OperationRef) -> Option<()> {
    let at = Emitter::before(op)?;
    let [start, left, right] = [
        op.operand(0).ok()?,
        op.operand(1).ok()?,
        op.operand(2).ok()?,
    ];
    let turned = ["transpose_a", "transpose_b"].into_iter();
    let turned: Vec<_> = turned
        .filter(|name| op.has_attribute(name))
        .map(|name| (name, Attribute::unit(at.context)))
        .collect();
    let product = at.value("pl.matmul", &[left, right], start.r#type(), &turned);
    let sum = at.value("pl.add", &[start, product], start.r#type(), &[]);
    replace(op, sum)
}

fn vector(profile: &Profile, op: OperationRef) -> Result<(), Reported> {
    let name = view::name(&op);
    let tile = match name {
        "pl.cmp" => op.operand(0).map_err(|_| Reported)?,
        _ => op.result(0).map_err(|_| Reported)?.into(),
    };
    let own = element(tile).ok_or(Reported)?;
    if matches!(name, "pl.shl" | "pl.shr") {
        return shift(profile, op, name, own).ok_or_else(|| refused(op));
    }
    let compute = forms::compute(profile, name, own).map_err(|_| refused(op))?;
    if compute == own && forms::is_native(profile, name, own) {
        return Ok(());
    }
    compute_in(op, name, own, compute).ok_or_else(|| refused(op))
}

/// Widens, computes, and goes back.
fn compute_in(op: OperationRef, name: &str, own: Element, compute: Element) -> Option<()> {
    let at = Emitter::before(op)?;
    let expand = Expand(&at);
    let mut name = name;
    let mut operands = Vec::new();
    for operand in op.operands() {
        operands.push(if compute == own {
            operand
        } else if bridge::is_tile(operand.r#type()) {
            emit_cast(&at, operand, compute, Round::None)?
        } else {
            // The core has no scalars to widen: one is spread over a tile.
            name = name.strip_suffix('s')?;
            let tile = at.value("pl.full", &[operand], op.operand(0).ok()?.r#type(), &[]);
            emit_cast(&at, tile, compute, Round::None)?
        });
    }
    let result = match (name, &operands[..]) {
        ("pl.cmp", &[a, b]) => {
            let mask = expand.compare(view::integer(&op, "predicate")?, a, b)?;
            return replace(op, mask);
        }
        ("pl.div", &[a, b]) if !own.is_float() => expand.quotient(a, b)?,
        ("pl.col_expand_div", &[a, b]) if !own.is_float() => {
            let divisor = at.value("pl.col_expand", &[b], a.r#type(), &[]);
            expand.quotient(a, divisor)?
        }
        _ if rows::knows(name) => {
            let shape = with_element(&at, op.result(0).ok()?.into(), compute)?;
            at.value(name, &operands, shape, &[])
        }
        _ => expand.operation(name, &operands)?,
    };
    replace(op, narrow(&at, result, own)?)
}

/// To the element type of the program: floats by rounding to nearest-even, integers by their
/// low bits, quotients by truncation.
fn narrow<'c, 'a>(
    at: &Emitter<'c, 'a>,
    tile: Value<'c, 'a>,
    own: Element,
) -> Option<Value<'c, 'a>> {
    let computed = element(tile)?;
    if computed == own {
        return Some(tile);
    }
    if computed.is_float() && !own.is_float() {
        let whole = emit_cast(at, tile, Element::I32, Round::Trunc)?;
        return narrow(at, whole, own);
    }
    emit_cast(at, tile, own, Round::Rint)
}

/// Shifts: by a constant one instruction; by a tile in i32.
fn shift(profile: &Profile, op: OperationRef, name: &str, own: Element) -> Option<()> {
    let amount = op.operand(1).ok()?;
    let fill = view::defining_op(amount).filter(|fill| view::is(fill, "pl.full"));
    let Some(amount) = fill.and_then(|fill| view::constant(fill.operand(0).ok()?)) else {
        return compute_in(op, name, own, Element::I32);
    };
    let at = Emitter::before(op)?;
    let expand = Expand(&at);
    let compute = forms::compute(profile, name, own).ok()?;
    let mut tile = op.operand(0).ok()?;
    if compute != own {
        tile = emit_cast(&at, tile, compute, Round::None)?;
    }
    let within = (0..8 * own.bytes()).contains(&amount);
    let result = match name {
        "pl.shl" if !within => with_scalar(&at, "pl.muls", tile, 0.0)?,
        // Further on there are copies of the sign.
        "pl.shr" if !within => expand.shift(name, tile, 8 * own.bytes() - 1),
        _ => expand.shift(name, tile, amount),
    };
    replace(op, narrow(&at, result, own)?)
}

/// A fill of i64 is one of i32 and a cast.
fn fill(op: OperationRef) -> Result<(), Reported> {
    let result = op.result(0).map_err(|_| Reported)?.into();
    if !bridge::has_uses(result) {
        // The amounts of a shift by a constant.
        bridge::erase(op);
        return Ok(());
    }
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
                Step::Scale(factor) => with_scalar(&at, "pl.muls", value, factor)?,
            };
        }
        replace(op, value)
    };
    chain().ok_or_else(|| refused(op))
}
