//! Vector operations on whole tiles, padding included.

use super::{kernel::Kernel, memory, scope::Scope, text::Text};
use crate::hccl::{
    layout::Layout,
    profile::Round,
    statement::{Place, Row},
};
use melior::ir::{
    Attribute, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{bridge, emit::Emitter, pass::Reported, types::Element, view};

fn destination<'c, 'a>(row: &Row<'c, 'a>) -> Result<Place<'c, 'a>, Reported> {
    row.writes.first().copied().ok_or(Reported)
}

/// `Duplicate`. 8-bit elements are filled in pairs, bf16 as bits, i64 only with 0.
pub fn fill<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let place = destination(row)?;
    let layout = kernel.layout(place)?;
    let value = if view::is(&op, "pl.full") {
        Text::default().value(scope.scalar(op, op.operand(0).map_err(|_| Reported)?)?)
    } else {
        memory::pad_value(scope, op, layout.element)?
    };
    let tensor = Text::new("AscendC::Duplicate(").value(kernel.tensor(op, place)?);
    let elements = layout.elements();
    let text = match layout.element {
        Element::I8 | Element::I1 => tensor
            .lit(".ReinterpretCast<int16_t>(), static_cast<int16_t>(static_cast<uint8_t>(")
            .text(value)
            .lit(format!(") * 257), {});", elements / 2)),
        Element::I64 => tensor.lit(format!(
            ".ReinterpretCast<int32_t>(), 0, {});",
            elements * 2
        )),
        Element::BF16 => tensor
            .lit(".ReinterpretCast<uint16_t>(), ")
            .text(value)
            .lit(format!(", {elements});")),
        _ => tensor.lit(", ").text(value).lit(format!(", {elements});")),
    };
    text.emit(at, Some(effects));
    Ok(())
}

/// An operation of the profile's table: tiles, or a tile and a scalar.
pub fn vector<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let place = destination(row)?;
    let ascendc = kernel
        .profile
        .vector_op(view::name(&op))
        .ok_or(Reported)?
        .ascendc;
    let mut text = Text::new(format!("AscendC::{ascendc}(")).value(kernel.tensor(op, place)?);
    let mut tiles = row.reads.iter();
    for operand in op.operands() {
        text = text
            .lit(", ")
            .value(operand_value(kernel, scope, op, operand, &mut tiles)?);
    }
    text.lit(format!(", {});", kernel.layout(place)?.elements()))
        .emit(at, Some(effects));
    Ok(())
}

fn operand_value<'c, 'a, 'r>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    op: OperationRef<'c, 'a>,
    operand: Value<'c, 'a>,
    tiles: &mut impl Iterator<Item = &'r Place<'c, 'a>>,
) -> Result<Value<'c, 'a>, Reported>
where
    'c: 'r,
    'a: 'r,
{
    if bridge::is_tile(operand.r#type()) {
        kernel.tensor(op, *tiles.next().ok_or(Reported)?)
    } else {
        scope.scalar(op, operand)
    }
}

/// `Cast`, row by row where the rows of source and destination lie differently.
pub fn cast<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let (to, from) = (destination(row)?, *row.reads.first().ok_or(Reported)?);
    let (wide, narrow): (Layout, Layout) = (kernel.layout(to)?, kernel.layout(from)?);
    let mode = Round::of(op).ok_or(Reported)?.ascendc();
    let (to, from) = (kernel.tensor(op, to)?, kernel.tensor(op, from)?);
    let text = if wide.rows == 1 || wide.pitch_elements() == narrow.pitch_elements() {
        let count = if wide.rows == 1 {
            wide.cols
        } else {
            wide.elements()
        };
        Text::new("AscendC::Cast(")
            .value(to)
            .lit(", ")
            .value(from)
            .lit(format!(", AscendC::RoundMode::{mode}, {count});"))
    } else {
        Text::new(format!(
            "for (uint32_t row = 0; row < {}; ++row) AscendC::Cast(",
            wide.rows
        ))
        .value(to)
        .lit(format!("[row * {}], ", wide.pitch_elements()))
        .value(from)
        .lit(format!(
            "[row * {}], AscendC::RoundMode::{mode}, {});",
            narrow.pitch_elements(),
            wide.cols
        ))
    };
    text.emit(at, Some(effects));
    Ok(())
}

/// `DataCopy` from tile to tile.
pub fn copy<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let (to, from) = (destination(row)?, *row.reads.first().ok_or(Reported)?);
    let elements = kernel.layout(to)?.elements();
    Text::new("AscendC::DataCopy(")
        .value(kernel.tensor(op, to)?)
        .lit(", ")
        .value(kernel.tensor(op, from)?)
        .lit(format!(", {elements});"))
        .emit(at, Some(effects));
    Ok(())
}
