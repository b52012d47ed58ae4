//! Parts and arrangements of tiles.

use super::{
    cpp,
    kernel::Kernel,
    scope::Scope,
    tensor::{Tensor, call, copy_blocks, each_row, number},
    text::{Num, Text},
};
use crate::hccl::{layout::Layout, profile::Profile};
use melior::ir::{
    Attribute,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    types::Element,
    view::{self, Mixed},
};

/// The part of the result that is an operand, or the part of the operand that is the result.
struct Part<'c, 'a> {
    /// The tile that it is of, and the one that it is.
    whole: Layout,
    small: Layout,
    /// Its first row and column.
    first: [Mixed<'c, 'a>; 2],
    /// Whether it is read, and not written.
    is_read: bool,
}

impl<'c, 'a> Part<'c, 'a> {
    fn of(profile: &Profile, op: OperationRef<'c, 'a>, operand: usize) -> Option<Self> {
        let layout = |index| Layout::of(profile, op.operand(index).ok()?);
        let result = Layout::of(profile, op.result(0).ok()?.into())?;
        let name = view::name(&op);
        let is_read = name == "pl.extract_slice";
        let small = if is_read { result } else { layout(operand)? };
        let whole = if is_read { layout(operand)? } else { result };
        let first = match (name, operand) {
            ("pl.extract_slice", _) => view::offsets(op, 1)?.try_into().ok()?,
            ("pl.insert_slice", _) => view::offsets(op, 2)?.try_into().ok()?,
            (_, 0) => [Mixed::Static(0); 2],
            _ => {
                let before = layout(0)?;
                match view::integer(&op, "dim") {
                    Some(0) => [Mixed::Static(before.rows), Mixed::Static(0)],
                    _ => [Mixed::Static(0), Mixed::Static(before.cols)],
                }
            }
        };
        Some(Self {
            whole,
            small,
            first,
            is_read,
        })
    }

    /// Its first element.
    fn element(
        &self,
        scope: &Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<Num<'c, 'a>, Reported> {
        let [row, column] = self.first;
        let pitch = Num::Known(self.whole.pitch_elements());
        let row = scope.mixed(op, row)?.mul(at, pitch);
        Ok(row.add(at, scope.mixed(op, column)?))
    }

    /// The bytes of each of its rows within the whole, if they are known.
    fn ranges(&self) -> Option<Vec<(i64, i64)>> {
        let [Mixed::Static(row), Mixed::Static(column)] = self.first.map(Mixed::folded) else {
            return None;
        };
        let (pitch, width) = (self.whole.pitch, self.small.pitch);
        let begin = row * pitch + column * self.whole.element.bytes();
        if width == pitch {
            return Some(vec![(begin, begin + self.small.bytes())]);
        }
        let rows = (0..self.small.rows).map(|row| begin + row * pitch);
        (self.small.rows <= MOST_RANGES).then(|| rows.map(|at| (at, at + width)).collect())
    }
}

/// Rows of a part that are told apart from what lies between them.
const MOST_RANGES: i64 = 256;

/// What is read and written by [`blocks`], in bytes of each tile, where that is a known part of it.
pub fn ranges_of_blocks(
    profile: &Profile,
    op: OperationRef,
    operand: usize,
) -> [Option<Vec<(i64, i64)>>; 2] {
    let part = Part::of(profile, op, operand);
    let ranges = |reads| {
        let part = part.as_ref().filter(|part| part.is_read == reads)?;
        part.ranges()
    };
    [ranges(true), ranges(false)]
}

/// Copies a part of a tile.
pub fn blocks<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    operand: usize,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let from = Tensor::operand(kernel, op, operand)?;
    let to = Tensor::result(kernel, op)?;
    let part = Part::of(kernel.profile, op, operand).ok_or(Reported)?;
    let (start, first) = (Num::Known(0), part.element(scope, at, op)?);
    let (to_first, from_first) = if part.is_read {
        (start, first)
    } else {
        (first, start)
    };
    let shape = (part.small.rows, part.small.pitch / kernel.profile.align);
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
