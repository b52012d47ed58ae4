//! Reductions and broadcasts. A loop of one statement is one line.
//!
//! Only the first line of a statement carries its effects: the rest is ordered by the barriers
//! that it holds itself.

use super::{
    cpp,
    kernel::Kernel,
    tensor::{Tensor, call, copy_blocks, each_row, number},
    text::{Num, Text},
};
use crate::hccl::{layout::Layout, rows, statement::Row};
use melior::ir::{
    Attribute,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{emit::Emitter, pass::Reported, types::Element, view};

/// Most repeats of one instruction, and most blocks from one repeat to the next.
const MOST_REPEATS: i64 = 255;

/// AscendC's name of the elementwise operation that `op` applies.
fn applied(kernel: &Kernel, op: OperationRef, scalar: bool) -> Result<&'static str, Reported> {
    let name = view::name(&op);
    let applied = if scalar {
        rows::with_scalar(name)
    } else {
        rows::elementwise(name)
    };
    let row = applied.and_then(|applied| kernel.profile.vector_op(applied));
    Ok(row.ok_or(Reported)?.ascendc)
}

/// `ReduceSum`, `ReduceMax`, `ReduceMin`. What scratch they need is the block of the result,
/// or a row of a tile like the source.
pub fn reduce<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let source = Tensor::operand(kernel, op, 0)?;
    let result = Tensor::result(kernel, op)?;
    let scratch = match row.writes[..] {
        [_, scratch] => Tensor::scratch(kernel, op, scratch)?.row(),
        _ => result.row(),
    };
    let name = rows::instruction(kernel.profile, view::name(&op), &source.layout);
    let arguments = [
        result.row(),
        source.row(),
        scratch,
        number(source.layout.cols),
    ];
    each_row(0, source.layout.rows)
        .text(call(name.ok_or(Reported)?, &arguments))
        .emit(at, Some(effects));
    Ok(())
}

/// The first block of each row, then the others onto it: of as many rows at a time as an
/// instruction has repeats.
pub fn fold_blocks<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let source = Tensor::operand(kernel, op, 0)?;
    let result = Tensor::result(kernel, op)?;
    let Layout { rows, cols, .. } = source.layout;
    let (block, pitch) = (source.block(), source.layout.pitch / 32);
    let start = Num::Known(0);
    copy_blocks((&result, start), (&source, start), (rows, 1)).emit(at, Some(effects));
    let name = applied(kernel, op, false)?;
    let group = if pitch > MOST_REPEATS {
        1
    } else {
        MOST_REPEATS
    };
    let barrier = || Text::new("AscendC::PipeBarrier<PIPE_V>();");
    for first in (0..rows).step_by(group as usize) {
        let repeats = group.min(rows - first);
        let fold = |from: Text<'c, 'a>, lanes| {
            let to = result.at((first * block).to_string());
            let mut arguments = vec![to.clone(), to, from, number(lanes)];
            if repeats > 1 {
                arguments.push(number(repeats));
                arguments.push(Text::new(format!(
                    "AscendC::BinaryRepeatParams{{1, 1, 1, 1, 1, {pitch}}}"
                )));
            }
            call(name, &arguments)
        };
        let whole = cols / block * block;
        let origin = first * source.layout.pitch_elements();
        if whole > block {
            let from = match origin {
                0 => source.at("lane"),
                _ => source.at(format!("{origin} + lane")),
            };
            Text::new(format!(
                "for (uint32_t lane = {block}; lane < {whole}; lane += {block}) {{"
            ))
            .emit(at, None);
            Text::new("  ").text(barrier()).emit(at, None);
            Text::new("  ").text(fold(from, block)).emit(at, None);
            Text::new("}").emit(at, None);
        }
        if cols > block && whole < cols {
            barrier().emit(at, None);
            let from = source.at((origin + whole).to_string());
            fold(from, cols - whole).emit(at, None);
        }
    }
    Ok(())
}

/// The other lanes of each row's block onto the first, as scalars.
pub fn fold_lanes<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let result = Tensor::result(kernel, op)?;
    let source = op.operand(0).map_err(|_| Reported)?;
    let cols = Layout::of(kernel.profile, source).ok_or(Reported)?.cols;
    let lanes = cols.min(result.block());
    let lane = match result.layout.rows {
        1 => "lane".into(),
        _ => format!("{} + lane", result.row_index()),
    };
    let scalar = result.text.clone().lit(format!(".GetValue({lane})"));
    let name = applied(kernel, op, true)?;
    let arguments = [result.row(), result.row(), scalar, number(1)];
    Text::new(format!(
        "for (uint32_t lane = 1; lane < {lanes}; ++lane) {{"
    ))
    .emit(at, Some(effects));
    Text::new("  AscendC::PipeBarrier<PIPE_V>();").emit(at, None);
    Text::new("  ")
        .text(each_row(0, result.layout.rows))
        .text(call(name, &arguments))
        .emit(at, None);
    Text::new("}").emit(at, None);
    Ok(())
}

/// The first row, then the others onto it.
pub fn fold_rows<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let source = Tensor::operand(kernel, op, 0)?;
    let result = Tensor::result(kernel, op)?.text;
    let pitch = number(source.layout.pitch_elements());
    call(
        "DataCopy",
        &[result.clone(), source.text.clone(), pitch.clone()],
    )
    .emit(at, Some(effects));
    if source.layout.rows > 1 {
        let name = applied(kernel, op, false)?;
        each_row(1, source.layout.rows).lit("{").emit(at, None);
        Text::new("  AscendC::PipeBarrier<PIPE_V>();").emit(at, None);
        Text::new("  ")
            .text(call(name, &[result.clone(), result, source.row(), pitch]))
            .emit(at, None);
        Text::new("}").emit(at, None);
    }
    Ok(())
}

/// A fill of each row, or an operation of it and a scalar. 8-bit elements are filled in pairs,
/// bf16 as bits.
pub fn by_column<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let mut column = Tensor::operand(kernel, op, row.reads.len())?;
    let mut result = Tensor::result(kernel, op)?;
    let pitch = result.layout.pitch_elements();
    let statement = match row.reads.first() {
        Some(_) => {
            let source = Tensor::operand(kernel, op, 0)?;
            let arguments = [
                result.row(),
                source.row(),
                column.element_of_row(),
                number(pitch),
            ];
            call(applied(kernel, op, true)?, &arguments)
        }
        None => {
            let element = result.layout.element;
            if element == Element::BF16 {
                let bits = format!(".ReinterpretCast<{}>()", cpp::moved(element));
                column.text = column.text.lit(&bits);
                result.text = result.text.lit(&bits);
            }
            let mut value = column.element_of_row();
            let mut count = pitch;
            let mut to = result.row();
            if element.bytes() == 1 {
                value = Text::new("static_cast<int16_t>(static_cast<uint8_t>(")
                    .text(value)
                    .lit(") * 257)");
                count /= 2;
                to = to.lit(".ReinterpretCast<int16_t>()");
            }
            call("Duplicate", &[to, value, number(count)])
        }
    };
    each_row(0, result.layout.rows)
        .text(statement)
        .emit(at, Some(effects));
    Ok(())
}

/// A copy of one row to each, or an operation of each and it.
pub fn by_row<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let result = Tensor::result(kernel, op)?;
    let pitch = number(result.layout.pitch_elements());
    let statement = match row.reads.len() {
        2 => {
            let source = Tensor::operand(kernel, op, 0)?;
            let one = Tensor::operand(kernel, op, 1)?;
            let arguments = [result.row(), source.row(), one.text, pitch];
            call(applied(kernel, op, false)?, &arguments)
        }
        _ => {
            let one = Tensor::operand(kernel, op, 0)?.text;
            call("DataCopy", &[result.row(), one, pitch])
        }
    };
    each_row(0, result.layout.rows)
        .text(statement)
        .emit(at, Some(effects));
    Ok(())
}
