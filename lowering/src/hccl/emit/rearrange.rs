//! Parts and arrangements of tiles.

use super::{
    cpp,
    kernel::Kernel,
    scope::Scope,
    tensor::{Tensor, call, copy_blocks, each_row, number},
    text::{Num, Text},
};
use melior::ir::{Attribute, operation::OperationRef};
use pld_dialects::{emit::Emitter, pass::Reported, types::Element, view};

/// The part of the result that is an operand, or the part of the operand that is the result.
pub fn blocks<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    part: usize,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let from = Tensor::operand(kernel, op, part)?;
    let to = Tensor::result(kernel, op)?;
    let start = Num::Known(0);
    let name = view::name(&op);
    // The first element of a part of a tile.
    let place = |whole: &Tensor<'c, 'a>, first| {
        let offsets = view::offsets(op, first).ok_or(Reported)?;
        let &[row, column] = &offsets[..] else {
            return Err(Reported);
        };
        let pitch = Num::Known(whole.layout.pitch_elements());
        let row = scope.mixed(op, row)?.mul(at, pitch);
        Ok(row.add(at, scope.mixed(op, column)?))
    };
    let (to_first, from_first) = match (name, part) {
        ("pl.extract_slice", _) => (start, place(&from, 1)?),
        ("pl.insert_slice", _) => (place(&to, 2)?, start),
        (_, 0) => (start, start),
        _ => {
            let first = Tensor::operand(kernel, op, 0)?.layout;
            let element = match view::integer(&op, "dim") {
                Some(0) => first.rows * to.layout.pitch_elements(),
                _ => first.cols,
            };
            (Num::Known(element), start)
        }
    };
    // The smaller of the two.
    let small = if name == "pl.extract_slice" {
        &to
    } else {
        &from
    };
    let shape = (small.layout.rows, small.layout.pitch / kernel.profile.align);
    copy_blocks((&to, to_first), (&from, from_first), shape).emit(at, Some(effects));
    Ok(())
}

/// A tile whose elements the scalar unit moves: bf16 as bits.
fn scalars<'c, 'a>(tensor: Tensor<'c, 'a>) -> Tensor<'c, 'a> {
    if tensor.layout.element != Element::BF16 {
        return tensor;
    }
    let bits = cpp::moved(Element::BF16);
    let text = tensor.text.lit(format!(".ReinterpretCast<{bits}>()"));
    Tensor { text, ..tensor }
}

/// Element by element.
pub fn transpose<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let from = scalars(Tensor::operand(kernel, op, 0)?);
    let to = scalars(Tensor::result(kernel, op)?);
    let layout = from.layout;
    let loops = [("row", layout.rows), ("col", layout.cols)];
    for (depth, (name, count)) in loops.into_iter().enumerate() {
        Text::new(format!(
            "{:1$}for (uint32_t {name} = 0; {name} < {count}; ++{name}) {{",
            "",
            2 * depth
        ))
        .emit(at, (depth == 0).then_some(effects));
    }
    Text::new("    ")
        .text(to.text)
        .lit(format!(
            ".SetValue(col * {} + row, ",
            to.layout.pitch_elements()
        ))
        .text(from.text)
        .lit(format!(
            ".GetValue(row * {} + col));",
            layout.pitch_elements()
        ))
        .emit(at, None);
    Text::new("  }").emit(at, None);
    Text::new("}").emit(at, None);
    Ok(())
}

/// Row by row.
pub fn gather<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let from = Tensor::operand(kernel, op, 0)?;
    let to = Tensor::result(kernel, op)?;
    let index = Tensor::operand(kernel, op, 1)?.element_of_row();
    let pitch = to.layout.pitch_elements();
    let source = from.text.lit("[").text(index).lit(format!(" * {pitch}]"));
    each_row(0, to.layout.rows)
        .text(call("DataCopy", &[to.row(), source, number(pitch)]))
        .emit(at, Some(effects));
    Ok(())
}

/// 0, 1, 2, ... in the first row.
pub fn count<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let to = Tensor::result(kernel, op)?;
    Text::new(format!(
        "for (uint32_t col = 0; col < {}; ++col) ",
        to.layout.cols
    ))
    .text(to.text)
    .lit(".SetValue(col, col);")
    .emit(at, Some(effects));
    Ok(())
}

/// The first row in the others.
pub fn copy_down<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let to = Tensor::result(kernel, op)?;
    let pitch = number(to.layout.pitch_elements());
    each_row(1, to.layout.rows)
        .text(call("DataCopy", &[to.row(), to.text.clone(), pitch]))
        .emit(at, Some(effects));
    Ok(())
}
