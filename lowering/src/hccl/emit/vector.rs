//! Vector operations on whole tiles, padding included.

use super::{kernel::Kernel, memory, scope::Scope, text::Text};
use crate::hccl::{
    layout::Layout,
    profile::Round,
    statement::{AMOUNT, Place, Row},
};
use melior::ir::{
    Attribute, ValueLike,
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

/// An operation of the profile's table: tiles, or a tile and a scalar. Bitwise ones take
/// any elements as int16_t.
pub fn vector<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let place = destination(row)?;
    let layout = kernel.layout(place)?;
    let name = view::name(&op);
    let ascendc = kernel.profile.vector_op(name).ok_or(Reported)?.ascendc;
    let element = match name {
        "pl.and" | "pl.or" | "pl.not" => Element::I16,
        _ => layout.element,
    };
    let mut text =
        Text::new(format!("AscendC::{ascendc}(")).text(kernel.tensor_of(op, place, element)?);
    let mut tiles = row.reads.iter();
    let amount = view::integer(&op, AMOUNT);
    let operands = op.operand_count() - usize::from(amount.is_some());
    for operand in op.operands().take(operands) {
        text = text.lit(", ");
        text = if bridge::is_tile(operand.r#type()) {
            text.text(kernel.tensor_of(op, *tiles.next().ok_or(Reported)?, element)?)
        } else {
            text.value(scope.scalar(op, operand)?)
        };
    }
    if let Some(amount) = amount {
        let r#type = super::cpp::element(element);
        text = text.lit(format!(", static_cast<{type}>({amount})"));
    }
    text.lit(format!(", {});", layout.bytes() / element.bytes()))
        .emit(at, Some(effects));
    Ok(())
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
    let source = op.operand(0).map_err(|_| Reported)?;
    let narrow = Layout::of(kernel.profile, source).ok_or(Reported)?;
    let wide = kernel.layout(to)?;
    let mode = Round::of(op).ok_or(Reported)?.ascendc();
    let to = kernel.tensor(op, to)?;
    let from = kernel.tensor_of(op, from, narrow.element)?;
    let text = if wide.rows == 1 || wide.pitch_elements() == narrow.pitch_elements() {
        let count = if wide.rows == 1 {
            wide.cols
        } else {
            wide.elements()
        };
        Text::new("AscendC::Cast(")
            .value(to)
            .lit(", ")
            .text(from)
            .lit(format!(", AscendC::RoundMode::{mode}, {count});"))
    } else {
        Text::new(format!(
            "for (uint32_t row = 0; row < {}; ++row) AscendC::Cast(",
            wide.rows
        ))
        .value(to)
        .lit(format!("[row * {}], ", wide.pitch_elements()))
        .text(from)
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
    let layout = kernel.layout(to)?;
    Text::new("AscendC::DataCopy(")
        .value(kernel.tensor(op, to)?)
        .lit(", ")
        .text(kernel.tensor_of(op, from, layout.element)?)
        .lit(format!(", {});", layout.elements()))
        .emit(at, Some(effects));
    Ok(())
}
