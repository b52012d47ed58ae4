//! Tiles and scalars from and to global memory: DMA of up to 4095 pieces, one per row.

use super::{
    cpp,
    global::peer_global,
    kernel::{self, Kernel, num_of_offsets},
    scope::{Memory, Scope},
    text::{Effects, Extent, Num, Text, call},
};
use crate::hccl::{
    layout::Layout,
    statement::{Place, Row, Slot},
};
use melior::ir::{
    Attribute, Value, ValueLike,
    block::BlockArgument,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    types::{Element, Shaped},
    view::Access,
};

/// The element type of the DMA of an access.
pub fn dma_type(access: &Access, element: Element) -> &'static str {
    if access.atomic {
        cpp::element(element)
    } else {
        cpp::moved(element)
    }
}

/// Which bytes of which argument an access touches, if that is known: the argument's number, the
/// first byte and past the last. What lies between rows counts as touched.
pub fn bytes<'c, 'a>(
    scope: &Scope<'c, 'a>,
    op: OperationRef<'c, 'a>,
    memory: Option<Value<'c, 'a>>,
) -> Option<[i64; 3]> {
    let argument = BlockArgument::try_from(memory?).ok()?.argument_number();
    let access = Access::of(op).filter(|access| Some(access.memory) == memory)?;
    let memory = scope.memory(op, access.memory).ok()?;
    let known = |number: &Num| match number {
        Num::Known(number) => Some(*number),
        Num::Value(_) => None,
    };
    let offsets = num_of_offsets(scope, op, &access.offsets).ok()?;
    // The first extent places nothing.
    let mut places = offsets.iter().zip(&memory.dims).enumerate();
    let first = places.try_fold(0i64, |sum, (index, (offset, dim))| {
        let dim = if index == 0 { 1 } else { known(dim)? };
        sum.checked_mul(dim)?.checked_add(known(offset)?)
    })?;
    let end = extent(scope, op)?.span;
    let size = memory.element.bytes();
    let byte = |element: i64| element.checked_mul(size);
    Some([
        i64::try_from(argument).ok()?,
        byte(first)?,
        byte(first.checked_add(end)?)?,
    ])
}

/// How what an access touches lies in memory.
pub fn extent<'c, 'a>(scope: &Scope<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<Extent> {
    let access = Access::of(op)?;
    let memory = scope.memory(op, access.memory).ok()?;
    let (rows, cols) = match Shaped::of(access.value.r#type()) {
        Some(tile) => (*tile.shape.first()?, *tile.shape.last()?),
        None => (1, 1),
    };
    let pitch = match memory.row_pitch() {
        _ if rows <= 1 => 0,
        Num::Known(pitch) => pitch,
        Num::Value(_) => return None,
    };
    let element = memory.element.bytes();
    Some(Extent {
        span: (rows - 1).checked_mul(pitch)?.checked_add(cols)?,
        pitch: pitch.checked_mul(element)?,
        element,
    })
}

/// A transfer between a tile and memory, cut into chunks of rows.
struct Transfer<'c, 'a> {
    access: Access<'c, 'a>,
    memory: Memory<'c, 'a>,
    layout: Layout,
    /// The tensor over memory.
    global: Value<'c, 'a>,
    /// The tile's tensor, as the element type of the DMA.
    tile: Text<'c, 'a>,
    element: &'static str,
    rows: Num<'c, 'a>,
    cols: Num<'c, 'a>,
    /// Element number of the first row.
    origin: Num<'c, 'a>,
}

impl<'c, 'a> Transfer<'c, 'a> {
    fn new(
        kernel: &Kernel<'c, 'a>,
        scope: &Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        place: Place<'c, 'a>,
    ) -> Result<Self, Reported> {
        let access = Access::of(op).ok_or(Reported)?;
        let memory = scope.memory(op, access.memory)?;
        let layout = kernel.layout(place)?;
        let element = dma_type(&access, memory.element);
        let global = match access.peer {
            Some(_) => peer_global(scope, at, &access, element)?,
            None => kernel.own_global(&access, element)?,
        };
        let mut tile = Text::default().value(kernel.tensor(op, place)?);
        if element != cpp::element(layout.element) {
            tile = tile.lit(format!(".ReinterpretCast<{element}>()"));
        }
        let (rows, cols) = match &access.valid {
            Some(valid) => {
                let valid = num_of_offsets(scope, op, valid)?;
                match valid[..] {
                    [rows, cols] => (rows, cols),
                    _ => return Err(Reported),
                }
            }
            None => (Num::Known(layout.rows), Num::Known(layout.cols)),
        };
        let offsets = num_of_offsets(scope, op, &access.offsets)?;
        let origin = memory.linear(at, &offsets);
        Ok(Self {
            access,
            memory,
            layout,
            global,
            tile,
            element,
            rows,
            cols,
            origin,
        })
    }

    /// Bytes of a row in memory.
    fn row_bytes(&self, at: &Emitter<'c, 'a>) -> Num<'c, 'a> {
        self.cols.mul(at, Num::Known(self.layout.element.bytes()))
    }

    /// Blocks of on-core memory between the end of a row and the start of the next.
    fn tile_gap(&self, at: &Emitter<'c, 'a>, align: i64) -> Num<'c, 'a> {
        let used = self.row_bytes(at).ceil_div(at, align);
        Num::Known(self.layout.pitch / align).sub(at, used)
    }

    /// Bytes of memory between the end of a row and the start of the next.
    fn memory_gap(&self, at: &Emitter<'c, 'a>) -> Num<'c, 'a> {
        if self.layout.rows == 1 {
            return Num::Known(0);
        }
        let gap = self.memory.row_pitch().sub(at, self.cols);
        gap.mul(at, Num::Known(self.layout.element.bytes()))
    }

    /// First row and rows of each chunk.
    fn chunks(&self, at: &Emitter<'c, 'a>, most: i64) -> Vec<(i64, Num<'c, 'a>)> {
        if self.layout.rows <= most {
            return vec![(0, self.rows)];
        }
        (0..self.layout.rows)
            .step_by(most as usize)
            .map(|first| {
                (
                    first,
                    self.rows.sub(at, Num::Known(first)).clamp(at, 0, most),
                )
            })
            .collect()
    }

    /// What the chunk from row `first` on touches: that part of the tile.
    fn effects(&self, at: &Emitter<'c, 'a>, all: &Effects, first: i64, most: i64) -> Attribute<'c> {
        let rows = most.min(self.layout.rows - first);
        let mut effects = all.clone();
        for range in effects.reads.iter_mut().chain(&mut effects.writes) {
            range.0 += first * self.layout.pitch;
            range.1 = range.0 + rows * self.layout.pitch;
        }
        effects.attribute(at.context)
    }

    /// The tile from row `first` on.
    fn tile_at(&self, first: i64) -> Text<'c, 'a> {
        let text = self.tile.clone();
        if first == 0 {
            return text;
        }
        text.lit(format!("[{}]", first * self.layout.pitch_elements()))
    }

    /// Memory from row `first` on.
    fn memory_at(&self, at: &Emitter<'c, 'a>, first: i64) -> Text<'c, 'a> {
        let step = self.memory.row_pitch().mul(at, Num::Known(first));
        Text::default()
            .value(self.global)
            .lit("[")
            .num(self.origin.add(at, step))
            .lit("]")
    }

    /// `{rows, bytes, source gap, destination gap, 0}`.
    fn parameters(
        &self,
        at: &Emitter<'c, 'a>,
        align: i64,
        rows: Num<'c, 'a>,
        load: bool,
    ) -> Text<'c, 'a> {
        let (tile_gap, memory_gap) = (self.tile_gap(at, align), self.memory_gap(at));
        let (source, destination) = if load {
            (memory_gap, tile_gap)
        } else {
            (tile_gap, memory_gap)
        };
        Text::new("{")
            .num_as("uint16_t", rows)
            .lit(", ")
            .num_as("uint32_t", self.row_bytes(at))
            .lit(", ")
            .num_as("uint32_t", source)
            .lit(", ")
            .num_as("uint32_t", destination)
            .lit(", 0}")
    }

    /// `{true, 0, elements, value}` where the last block of a row is not full.
    fn padding(
        &self,
        scope: &Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        align: i64,
    ) -> Result<Text<'c, 'a>, Reported> {
        let bytes = self.layout.element.bytes();
        let missing = match (&self.access.valid, self.cols) {
            (None, _) => return Ok(Text::new("{false, 0, 0, {}}")),
            (_, Num::Known(cols)) => {
                let used = cols * bytes;
                let missing = ((used + align - 1) / align * align - used) / bytes;
                if missing == 0 {
                    return Ok(Text::new("{false, 0, 0, {}}"));
                }
                Text::new(missing.to_string())
            }
            (_, cols) => {
                let used = cols.mul(at, Num::Known(bytes));
                Text::new(format!("static_cast<uint8_t>(({align} - "))
                    .num(used)
                    .lit(format!(" % {align}) % {align} / {bytes})"))
            }
        };
        Ok(Text::new("{true, 0, ")
            .text(missing)
            .lit(", ")
            .text(pad_value(scope, self.access.op, self.layout.element)?)
            .lit("}"))
    }
}

/// The pad value of a load, in the element type of its DMA.
pub fn pad_value<'c, 'a>(
    scope: &Scope<'c, 'a>,
    op: OperationRef<'c, 'a>,
    element: Element,
) -> Result<Text<'c, 'a>, Reported> {
    let pad = Access::of(op).and_then(|access| access.pad);
    Ok(match pad {
        Some(pad) if element != Element::I64 => Text::default().value(scope.scalar(op, pad)?),
        _ => Text::new(zero(element)),
    })
}

/// Zero of the type that data is moved as.
fn zero(element: Element) -> String {
    match element {
        Element::F32 => "0.0f".into(),
        Element::F16 => "static_cast<half>(0.0f)".into(),
        Element::I32 => "0".into(),
        other => format!("static_cast<{}>(0)", cpp::moved(other)),
    }
}

/// `DataCopyPad` to a tile.
pub fn load<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    touched: &Effects,
) -> Result<(), Reported> {
    let profile = kernel.profile;
    let transfer = Transfer::new(kernel, scope, at, op, *row.writes.first().ok_or(Reported)?)?;
    for (first, rows) in transfer.chunks(at, profile.dma_pieces) {
        let effects = transfer.effects(at, touched, first, profile.dma_pieces);
        let padding = transfer.padding(scope, at, profile.align)?;
        Text::new("AscendC::DataCopyPad(")
            .text(transfer.tile_at(first))
            .lit(", ")
            .text(transfer.memory_at(at, first))
            .lit(", ")
            .text(transfer.parameters(at, profile.align, rows, true))
            .lit(", ")
            .text(padding)
            .lit(");")
            .emit(at, Some(effects));
    }
    Ok(())
}

/// `pld::CheckBounds` of each dim of a tile: a kernel that comes here ends.
pub fn refuse<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let access = Access::of(op).ok_or(Reported)?;
    let memory = scope.memory(op, access.memory)?;
    let layout = Layout::of(kernel.profile, access.value).ok_or(Reported)?;
    let sizes = match &access.valid {
        Some(valid) => num_of_offsets(scope, op, valid)?,
        None => vec![Num::Known(layout.rows), Num::Known(layout.cols)],
    };
    let offsets = num_of_offsets(scope, op, &access.offsets)?;
    let dims = offsets.into_iter().zip(memory.dims).enumerate().rev();
    let mut checks: Vec<_> = dims.zip(sizes.into_iter().rev()).collect();
    checks.reverse();
    for ((dim, (offset, extent)), size) in checks {
        Text::new(format!("pld::CheckBounds({dim}, "))
            .num(offset)
            .lit(", ")
            .num(size)
            .lit(", ")
            .num(extent)
            .lit(");")
            .emit(at, None);
    }
    Ok(())
}

/// `DataCopyPad` from a tile, adding if the store is atomic.
pub fn store<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    touched: &Effects,
) -> Result<(), Reported> {
    let profile = kernel.profile;
    let transfer = Transfer::new(kernel, scope, at, op, *row.reads.first().ok_or(Reported)?)?;
    for (first, rows) in transfer.chunks(at, profile.dma_pieces) {
        let effects = transfer.effects(at, touched, first, profile.dma_pieces);
        let copy = Text::new("AscendC::DataCopyPad(")
            .text(transfer.memory_at(at, first))
            .lit(", ")
            .text(transfer.tile_at(first))
            .lit(", ")
            .text(transfer.parameters(at, profile.align, rows, false))
            .lit(");");
        if transfer.access.atomic {
            Text::new(format!("AscendC::SetAtomicAdd<{}>();", transfer.element)).emit(at, None);
            copy.emit(at, Some(effects));
            Text::new("AscendC::SetAtomicNone();").emit(at, None);
        } else {
            copy.emit(at, Some(effects));
        }
    }
    Ok(())
}

/// The element of a `pl.read` or `pl.write` in memory: `g[i]`.
fn element_of<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(Text<'c, 'a>, Element), Reported> {
    let access = Access::of(op).ok_or(Reported)?;
    let memory = scope.memory(op, access.memory)?;
    let global = kernel.own_global(&access, dma_type(&access, memory.element))?;
    let offsets = num_of_offsets(scope, op, &access.offsets)?;
    let index = memory.linear(at, &offsets);
    Ok((
        Text::default().value(global).lit("[").num(index).lit("]"),
        memory.element,
    ))
}

/// DMA of one element to the read slot.
pub fn fetch_element<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let (cell, element) = element_of(kernel, scope, at, op)?;
    let slot = kernel::slot_name(Slot::Read, cpp::moved(element));
    Text::new(format!("AscendC::DataCopyPad({slot}, "))
        .text(cell)
        .lit(format!(
            ", {{1, {}, 0, 0, 0}}, {{false, 0, 0, {{}}}});",
            element.bytes()
        ))
        .emit(at, Some(effects));
    Ok(())
}

/// The read slot's element as a scalar.
pub fn get_element<'c, 'a>(
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let result: Value = op.result(0).map_err(|_| Reported)?.into();
    let element = Element::of(result.r#type()).ok_or(Reported)?;
    let r#type = scope.scalar_type(op, result.r#type())?;
    let slot = kernel::slot_name(Slot::Read, cpp::moved(element));
    let value = call(
        at,
        &format!("{slot}.GetValue"),
        &["0".into()],
        r#type,
        "value",
    );
    pld_dialects::bridge::set_attribute(value, pld_dialects::pl::EFFECTS, effects);
    scope.bind(result, value.result(0).map_err(|_| Reported)?.into());
    Ok(())
}

/// A scalar to the write slot.
pub fn set_element<'c, 'a>(
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let value = op.operand(0).map_err(|_| Reported)?;
    let element = Element::of(value.r#type()).ok_or(Reported)?;
    let slot = kernel::slot_name(Slot::Write, cpp::moved(element));
    Text::new(format!("{slot}.SetValue(0, "))
        .value(scope.scalar(op, value)?)
        .lit(");")
        .emit(at, Some(effects));
    Ok(())
}

/// DMA of one element from the write slot.
pub fn put_element<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    scope: &Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let (cell, element) = element_of(kernel, scope, at, op)?;
    let slot = kernel::slot_name(Slot::Write, cpp::moved(element));
    Text::new("AscendC::DataCopyPad(")
        .text(cell)
        .lit(format!(", {slot}, {{1, {}, 0, 0, 0}});", element.bytes()))
        .emit(at, Some(effects));
    Ok(())
}
