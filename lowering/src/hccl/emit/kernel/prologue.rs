//! What stands before a kernel's body: the pipe, tensors over tiles, slots and arrays.

use super::{Kernel, op_key, slot_name};
use crate::hccl::{
    emit::{
        cpp,
        function::{self, Param, Signature},
        global::global,
        memory, product,
        scope::{Group, Scope, unsupported},
        text::{Text, call, line, parse},
    },
    layout::Layout,
    plan,
    statement::{self, Place, Slot},
};
use melior::ir::{Value, ValueLike, operation::OperationRef};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pass::Reported,
    types::Element,
    view::{self, Access},
};
use std::collections::BTreeSet;

impl<'c, 'a> Kernel<'c, 'a> {
    /// The kind of core.
    pub(super) fn task_type(&self, at: &Emitter<'c, 'a>) {
        // Blocks meet only in kernels of this type.
        let meet = bridge::collect(self.function, |name| name == "pl.sync_blocks");
        let kind = match meet[..] {
            [] => "KERNEL_TYPE_AIV_ONLY",
            _ => "KERNEL_TYPE_MIX_AIV_1_0",
        };
        line(at, format!("KERNEL_TASK_TYPE_DEFAULT({kind});"));
    }

    /// The pipe, and a tensor for each tile and slot.
    pub(super) fn prologue(&mut self, at: &Emitter<'c, 'a>) -> Result<(), Reported> {
        line(at, "AscendC::TPipe pipe;");
        let bytes = plan::read(&self.function, "bytes").and_then(|list| list.first().copied());
        let bytes = bytes.ok_or_else(|| {
            unsupported(
                self.function,
                "no plan of on-core memory (run pl-plan-memory)",
            )
        })?;
        if bytes > 0 {
            line(at, "AscendC::TBuf<AscendC::TPosition::VECIN> arena;");
            line(at, format!("pipe.InitBuffer(arena, {bytes});"));
        }
        let mut slots = BTreeSet::new();
        for op in bridge::collect(self.function, |_| true) {
            for row in statement::rows(self.profile, op) {
                for place in row.places() {
                    match place {
                        Place::Slot(slot) => {
                            slots.insert((slot as usize, slot_type(op, slot)));
                        }
                        _ => self.declare_tile(at, op, place)?,
                    }
                }
            }
        }
        for (slot, element) in slots {
            let slot = Slot::ALL[slot];
            let (offset, _) = self.range(self.function, Place::Slot(slot))?;
            let elements = Slot::BYTES / element_bytes(element);
            let name = slot_name(slot, element);
            line(
                at,
                format!("auto {name} = arena.GetWithOffset<{element}>({elements}, {offset});"),
            );
        }
        Ok(())
    }

    fn declare_tile(
        &mut self,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        place: Place<'c, 'a>,
    ) -> Result<(), Reported> {
        let (value, key) = match place {
            Place::Tile(value) => (value, None),
            Place::Scratch(index, like) => (like, Some((op_key(op), index))),
            Place::Slot(_) => return Ok(()),
        };
        let known = match key {
            Some(key) => self.scratch.contains_key(&key),
            None => self.tiles.contains_key(&bridge::value_key(value)),
        };
        if known {
            return Ok(());
        }
        let layout = Layout::of(self.profile, value).ok_or(Reported)?;
        let (offset, _) = self.range(op, place)?;
        let element = cpp::element(layout.element);
        let at = at.with_location(value.location());
        let tensor = call(
            &at,
            &format!("arena.GetWithOffset<{element}>"),
            &[layout.elements().to_string(), offset.to_string()],
            cpp::opaque(at.context, &format!("AscendC::LocalTensor<{element}>")),
            &tile_name(value),
        );
        let tensor = tensor.result(0).map_err(|_| Reported)?.into();
        match key {
            Some(key) => self.scratch.insert(key, tensor),
            None => self.tiles.insert(bridge::value_key(value), tensor),
        };
        Ok(())
    }

    /// Binds the arguments; windows get their communication context.
    pub(super) fn arguments(
        &mut self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        signature: &Signature<'c, 'a>,
        emitted: &[Value<'c, 'a>],
        objects: &[String],
    ) -> Result<(), Reported> {
        for (param, &value) in signature.params.iter().zip(emitted) {
            match param {
                Param::Scalar(argument) => {
                    scope.bind(*argument, device_scalar(at, *argument, value))
                }
                Param::Workspace(bytes) => product::prologue(at, value, *bytes),
                Param::Context(name) if function::uses_context(self.function, signature, name) => {
                    Text::new(format!(
                        "auto {name} = reinterpret_cast<__gm__ pld::CommContext*>("
                    ))
                    .value(value)
                    .lit(");")
                    .emit(at, None);
                }
                _ => {}
            }
        }
        function::bind_memories(scope, signature, emitted, |index, window| {
            let group = window.then(|| Group {
                name: signature.context_of(index),
                ..Group::default()
            });
            (objects.get(index).cloned().unwrap_or_default(), group)
        })
    }

    /// A tensor for each array and element type that is accessed here.
    pub(super) fn globals(
        &mut self,
        scope: &Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
    ) -> Result<(), Reported> {
        for op in bridge::collect(self.function, |_| true) {
            let Some(access) = Access::of(op).filter(|access| !access.is_remote()) else {
                continue;
            };
            let memory = scope.memory(op, access.memory)?;
            let element = memory::dma_type(&access, memory.element);
            let key = (bridge::value_key(access.memory), element);
            if self.globals.contains_key(&key) {
                continue;
            }
            let name = format!("g_{}", function::argument_name(access.memory));
            let tensor = global(at, element, &name);
            Text::default()
                .value(tensor)
                .lit(format!(
                    ".SetGlobalBuffer(reinterpret_cast<__gm__ {element}*>("
                ))
                .value(memory.address(op)?)
                .lit("));")
                .emit(at, None);
            self.globals.insert(key, tensor);
        }
        Ok(())
    }
}

/// The element type that a row uses a slot with.
fn slot_type(op: OperationRef, slot: Slot) -> &'static str {
    match slot {
        Slot::Signal | Slot::Poll => "int32_t",
        Slot::Read | Slot::Write => {
            let element = Access::of(op).and_then(|access| Element::of(access.value.r#type()));
            cpp::moved(element.unwrap_or(Element::I32))
        }
    }
}

fn element_bytes(element: &str) -> i64 {
    match element {
        "int8_t" => 1,
        "int16_t" | "uint16_t" | "half" => 2,
        "int64_t" => 8,
        _ => 4,
    }
}

fn tile_name(value: Value) -> String {
    if let Some(name) = function::location_name(value) {
        return name;
    }
    let op = view::defining_op(value)
        .map(|op| view::name(&op))
        .unwrap_or_default();
    match op.strip_prefix("pl.").or(op.strip_prefix("pld.")) {
        Some(op) => cpp::identifier(op),
        // Kept for a loop or a branch.
        None => "carried".into(),
    }
}

/// A 16-bit float comes as its bits.
fn device_scalar<'c, 'a>(
    at: &Emitter<'c, 'a>,
    argument: Value<'c, 'a>,
    bits: Value<'c, 'a>,
) -> Value<'c, 'a> {
    if Element::of(argument.r#type()) != Some(Element::F16) {
        return bits;
    }
    let lvalue = cpp::r#type(at.context, "!emitc.lvalue<!emitc.opaque<\"half\">>");
    let empty = parse(at.context, "#emitc.opaque<\"\">");
    let variable = at.value("emitc.variable", &[], lvalue, &[("value", empty)]);
    Text::new("__builtin_memcpy(&")
        .value(variable)
        .lit(", &")
        .value(bits)
        .lit(", sizeof(half));")
        .emit(at, None);
    at.value(
        "emitc.load",
        &[variable],
        cpp::opaque(at.context, "half"),
        &[],
    )
}
