//! Arrays and windows of the host.

use super::{Host, own_rank};
use crate::hccl::emit::{
    cpp, function,
    scope::{Base, Group, Memory, Scope, unsupported},
    text::{Num, Text, call, parse},
};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pass::Reported,
    pl::NAME,
    view::{self, AllocWindowBuffer},
};

/// `uint8_t* NAME = nullptr; PLD_TRY(CALL&NAME));`
pub(super) fn fetch<'c, 'a>(at: &Emitter<'c, 'a>, name: &str, call: Text<'c, 'a>) -> Value<'c, 'a> {
    let lvalue = cpp::r#type(at.context, "!emitc.lvalue<!emitc.ptr<ui8>>");
    let null = parse(at.context, "#emitc.opaque<\"nullptr\">");
    let variable = at.value(
        "emitc.variable",
        &[],
        lvalue,
        &[("value", null), (NAME, at.str_attr(name))],
    );
    Text::new("PLD_TRY(")
        .text(call)
        .lit("&")
        .value(variable)
        .lit("));")
        .emit(at, None);
    variable
}

fn bytes<'c, 'a>(at: &Emitter<'c, 'a>, dims: &[Num<'c, 'a>], element: i64) -> Num<'c, 'a> {
    dims.iter()
        .fold(Num::Known(element), |product, &dim| product.mul(at, dim))
}

pub(super) fn cast<'c, 'a>(
    scope: &mut Scope<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let source = scope.memory(op, op.operand(0).map_err(|_| Reported)?)?;
    let result: Value = op.result(0).map_err(|_| Reported)?.into();
    let known = Memory::new(
        result.r#type(),
        source.base.clone(),
        &source.object,
        |dim| source.dims.get(dim).copied().ok_or(Reported),
    );
    let memory = known.ok_or(Reported)??;
    scope.bind_memory(
        result,
        Memory {
            context: source.context,
            ..memory
        },
    );
    Ok(())
}

pub(super) fn shard<'c, 'a>(
    scope: &mut Scope<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let source = scope.memory(op, op.operand(0).map_err(|_| Reported)?)?;
    let slice = scope.scalar(op, op.operand(1).map_err(|_| Reported)?)?;
    let base = match source.base {
        Base::Replica(argument) => Base::Shard(argument, slice),
        Base::OwnSlice(address) => Base::OwnShard(address, slice),
        _ => return Err(unsupported(op, "a slice of what is no world array")),
    };
    let dims = source.dims.get(1..).unwrap_or_default().to_vec();
    let memory = Memory {
        base,
        dims,
        ..source
    };
    scope.bind_memory(op.result(0).map_err(|_| Reported)?.into(), memory);
    Ok(())
}

impl<'c, 'a> Host<'c, 'a, '_> {
    pub(super) fn buffer(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Reported> {
        let alloc = AllocWindowBuffer::of(op).ok_or(Reported)?;
        let result: Value = op.result(0).map_err(|_| Reported)?.into();
        let number = self.program.buffer_number(op)?;
        self.buffers
            .insert(bridge::value_key(result), (number, alloc.ranks));
        Ok(())
    }

    pub(super) fn window(
        &self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        let buffer = bridge::value_key(op.operand(0).map_err(|_| Reported)?);
        let (number, members) = self.buffers.get(&buffer).cloned().ok_or_else(|| {
            unsupported(op, "a window buffer that is not allocated in this function")
        })?;
        let result: Value = op.result(0).map_err(|_| Reported)?.into();
        let address = cpp::r#type(at.context, "!emitc.ptr<ui8>");
        let name = function::location_name(result).unwrap_or_else(|| "window".into());
        let callee = if view::is_tail(&op) {
            "rank.WindowTail"
        } else {
            "rank.Window"
        };
        let base = call(at, callee, &[number.to_string()], address, &name);
        let base = Base::Address(base.result(0).map_err(|_| Reported)?.into());
        let mut sizes = op.operands().skip(1);
        let extent = |_| match sizes.next() {
            Some(size) => scope.mixed(op, view::Mixed::Dynamic(size)),
            None => Err(Reported),
        };
        let memory = Memory::new(result.r#type(), base, "", extent).ok_or(Reported)??;
        let group = Group {
            members,
            ..Group::default()
        };
        scope.bind_memory(
            result,
            Memory {
                context: Some(group),
                ..memory
            },
        );
        Ok(())
    }

    /// On a device: zeroed memory. In the entry: a world array, of which each rank has its
    /// own slice.
    pub(super) fn allocate(
        &self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        let result: Value = op.result(0).map_err(|_| Reported)?.into();
        let mut sizes = op.operands();
        let placeholder = own_rank(at)?;
        let memory = Memory::new(
            result.r#type(),
            Base::Address(placeholder),
            "",
            |_| match sizes.next() {
                Some(size) => scope.mixed(op, view::Mixed::Dynamic(size)),
                None => Err(Reported),
            },
        );
        let memory = memory.ok_or(Reported)??;
        let world = self.program.is_entry(op);
        let dims = memory.dims.get(usize::from(world)..).unwrap_or_default();
        let size = bytes(at, dims, memory.element.bytes());
        let request = Text::new("rank.Allocate(").num(size).lit(", ");
        let address = fetch(at, "memory", request);
        let base = if world {
            Base::OwnSlice(address)
        } else {
            Base::Address(address)
        };
        scope.bind_memory(result, Memory { base, ..memory });
        Ok(())
    }
}
