//! Calls of device functions and launches of kernels, with what is passed to them.

use super::{Host, if_then, memory::fetch, own_rank};
use crate::hccl::emit::{
    cpp,
    function::{Param, Signature},
    scope::{Base, Group, Memory, Scope, unsupported},
    text::{Compare, Num, Text, call, compare},
};
use melior::ir::{
    BlockLike, Value, ValueLike,
    block::BlockArgument,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    emit::Emitter,
    pass::Reported,
    view::{self, Dispatch},
};

impl<'c, 'a> Host<'c, 'a, '_> {
    pub(super) fn dispatch(
        &self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        let dispatch = Dispatch::of(op).ok_or(Reported)?;
        let signature = self.program.signature(&dispatch.callee)?;
        let target = scope.scalar(op, dispatch.rank)?;
        if !is_rank(dispatch.rank) {
            Text::new("PLD_TRY(rank.CheckTarget(")
                .value(target)
                .lit("));")
                .emit(at, None);
        }
        let here = compare(at, Compare::Eq, target, own_rank(at)?);
        let inner = if_then(at, here)?;
        let text = Text::new(format!("PLD_TRY({}(rank", signature.name));
        let text = self.pass(
            scope,
            &inner,
            op,
            signature,
            &dispatch.arguments,
            Some(target),
            text,
        )?;
        text.lit("));").emit(&inner, None);
        inner.op("emitc.yield", &[], &[], &[]);
        Ok(())
    }

    /// A launch on as many blocks, of which there may be none.
    pub(super) fn blocks(
        &self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        let count = view::Mixed::Dynamic(op.operand(0).map_err(|_| Reported)?);
        let count = scope.mixed(op, count)?;
        let calls = bridge::collect(op, |name| name == "func.call");
        let &[call] = &calls[..] else {
            return Err(unsupported(
                op,
                "a pl.spmd of more than a call (run pl-outline-blocks)",
            ));
        };
        match count {
            Num::Known(blocks) if blocks > 0 => self.launch(scope, at, call, count),
            Num::Known(_) => Ok(()),
            Num::Value(blocks) => {
                let none = Num::Known(0).value(at);
                let some = compare(at, Compare::Gt, blocks, none);
                let inner = if_then(at, some)?;
                self.launch(scope, &inner, call, count)?;
                inner.op("emitc.yield", &[], &[], &[]);
                Ok(())
            }
        }
    }

    pub(super) fn launch(
        &self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        blocks: Num<'c, 'a>,
    ) -> Result<(), Reported> {
        let callee = view::symbol(&op, "callee").ok_or(Reported)?;
        if op.result_count() > 0 {
            return Err(unsupported(
                op,
                "a result of a kernel (a launch returns nothing)",
            ));
        }
        let signature = self.program.signature(&callee)?;
        let arguments: Vec<_> = op.operands().collect();
        let text = Text::new(format!("{}(", signature.launch))
            .num_as("uint32_t", blocks)
            .lit(", rank.stream()");
        let mut text = self.pass(scope, at, op, signature, &arguments, None, text)?;
        if let Some(bytes) = signature.workspace() {
            let bytes = blocks.mul(at, Num::Known(bytes));
            let request = Text::new("rank.Workspace(").num(bytes).lit(", ");
            text = text.lit(", ").value(fetch(at, "workspace", request));
        }
        text.lit(");").emit(at, None);
        Ok(())
    }

    /// Appends what is passed for each parameter; `target` is the rank of a dispatch.
    #[expect(
        clippy::too_many_arguments,
        reason = "a call has a caller, a callee and a place"
    )]
    fn pass(
        &self,
        scope: &Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        signature: &Signature<'c, 'a>,
        arguments: &[Value<'c, 'a>],
        target: Option<Value<'c, 'a>>,
        mut text: Text<'c, 'a>,
    ) -> Result<Text<'c, 'a>, Reported> {
        let given = |argument: Value<'c, 'a>| {
            let number = BlockArgument::try_from(argument).ok()?.argument_number();
            arguments.get(number).copied()
        };
        for param in &signature.params {
            let passed = match param {
                Param::Runner | Param::Workspace(_) => continue,
                Param::Address(argument) => {
                    let memory = scope.memory(op, given(*argument).ok_or(Reported)?)?;
                    Num::Value(address(at, op, &memory, target)?)
                }
                Param::Extent(argument, dim) => {
                    let memory = scope.memory(op, given(*argument).ok_or(Reported)?)?;
                    memory.dims.get(*dim).copied().ok_or(Reported)?
                }
                Param::Scalar(argument) => {
                    Num::Value(scope.scalar(op, given(*argument).ok_or(Reported)?)?)
                }
                Param::Context(name) => {
                    let index = name.trim_start_matches("ctx").parse().ok();
                    let window = match index {
                        Some(index) => arguments.get::<usize>(index).copied(),
                        None => arguments
                            .iter()
                            .copied()
                            .find(|value| bridge::is_dtensor(value.r#type())),
                    };
                    let memory = scope.memory(op, window.ok_or(Reported)?)?;
                    Num::Value(self.context(at, &memory.context.unwrap_or_default())?)
                }
                Param::GroupRank(index) | Param::GroupSize(index) => {
                    let window = arguments.get(*index).copied().ok_or(Reported)?;
                    let group = scope.memory(op, window)?.context.unwrap_or_default();
                    group_number(at, &group, matches!(param, Param::GroupRank(_)))?
                }
            };
            text = text.lit(", ").num(passed);
        }
        Ok(text)
    }

    /// The communication context of a window.
    fn context(
        &self,
        at: &Emitter<'c, 'a>,
        group: &Group<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Reported> {
        if let Some([context, ..]) = group.host {
            return Ok(context);
        }
        if let Some(members) = &group.members {
            let members: Vec<_> = members.iter().map(i64::to_string).collect();
            let request = Text::new(format!("rank.GroupContext({{{}}}, ", members.join(", ")));
            return Ok(fetch(at, "ctx", request));
        }
        let address = cpp::r#type(at.context, "!emitc.ptr<ui8>");
        let value = call(at, "rank.Context", &[], address, "ctx");
        Ok(value.result(0).map_err(|_| Reported)?.into())
    }
}

/// Whether a value of the host function is a rank of every world: 0, or the counter of a loop
/// from there up to the world size.
fn is_rank(value: Value) -> bool {
    let is_start = |value| view::constant(value).is_some_and(|start| start >= 0);
    let is_world =
        |value| view::defining_op(value).is_some_and(|op| view::is(&op, "pld.world_size"));
    if view::constant(value) == Some(0) {
        return true;
    }
    let counter = BlockArgument::try_from(value).ok();
    let owner = counter
        .filter(|counter| counter.argument_number() == 0)
        .and_then(|counter| bridge::owner_block(counter).parent_operation())
        .filter(|owner| view::is(owner, "scf.for"));
    let bounds = owner.map(|owner| [owner.operand(0), owner.operand(1)]);
    matches!(bounds, Some([Ok(from), Ok(to)]) if is_start(from) && is_world(to))
}

/// The rank in a group, or its size.
fn group_number<'c, 'a>(
    at: &Emitter<'c, 'a>,
    group: &Group<'c, 'a>,
    rank: bool,
) -> Result<Num<'c, 'a>, Reported> {
    if let Some([_, own, size]) = group.host {
        return Ok(Num::Value(if rank { own } else { size }));
    }
    match (&group.members, rank) {
        (None, true) => Ok(Num::Value(own_rank(at)?)),
        (None, false) => {
            let value = call(at, "rank.ranks", &[], at.int_type(64), "ranks");
            Ok(Num::Value(value.result(0).map_err(|_| Reported)?.into()))
        }
        (Some(members), false) => Ok(Num::Known(members.len() as i64)),
        (Some(members), true) => {
            let own = own_rank(at)?;
            let mut dense = Num::Known(0);
            for (position, &member) in members.iter().enumerate().skip(1) {
                let test = compare(at, Compare::Eq, own, Num::Known(member).value(at));
                let operands = [test, Num::Known(position as i64).value(at), dense.value(at)];
                dense = Num::Value(at.value("emitc.conditional", &operands, at.int_type(64), &[]));
            }
            Ok(dense)
        }
    }
}

/// The address of an array on the rank that a dispatch targets.
fn address<'c, 'a>(
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    memory: &Memory<'c, 'a>,
    target: Option<Value<'c, 'a>>,
) -> Result<Value<'c, 'a>, Reported> {
    match memory.base {
        Base::Address(address) => Ok(address),
        Base::Shard(argument, slice) => {
            let request = Text::new(format!("rank.Shard({argument}, "))
                .value(slice)
                .lit(", ");
            Ok(fetch(at, "slice", request))
        }
        Base::Replica(argument) => Ok(fetch(
            at,
            "array",
            Text::new(format!("rank.Replica({argument}, ")),
        )),
        Base::OwnShard(address, slice) if Some(slice) == target => Ok(address),
        Base::OwnSlice(_) | Base::OwnShard(..) => {
            diag::failure(
                op.location(),
                "passes a slice of an array that the host allocated to another rank than the slice's; \
                 the AscendC backend keeps each slice on its own rank",
            )
            .emit();
            Err(Reported)
        }
    }
}
