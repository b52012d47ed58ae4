//! Host code: device functions and the entry. Every rank runs the entry; a dispatch takes
//! place on its own rank only.
//!
//! | operation | emitted |
//! | --- | --- |
//! | `pld.world_size` | `rank.ranks()` |
//! | `pld.alloc_window_buffer` | an element of what `WindowBytes` returns |
//! | `pld.window` | `rank.Window(buffer)`, `rank.WindowTail(buffer)` |
//! | `pl.shard` | `rank.Shard(argument, slice, &address)`, in the dispatch that takes it |
//! | `pld.dispatch` | `rank.CheckTarget(r)` if `r` may be no rank; `if (r == rank.id())` and a call of the device function |
//! | `func.call` | a launch of the kernel on one block; with `rank.Workspace(bytes, &address)` if it has matrix products |
//! | `pl.spmd` of a call | a launch on as many blocks, if there are any |
//! | `memref.alloc` | `rank.Allocate(bytes, &address)` |
//! | collectives | `collective.rs` |

use super::{
    collective,
    control::{self, Leaf},
    cpp::{self, Side},
    function::{self, Param, Signature},
    program::Program,
    scope::{Base, Group, Memory, Scope, unsupported},
    text::{Compare, Num, Text, call, compare},
};
use melior::ir::{
    Block, BlockLike, Region, RegionLike, Value, ValueLike,
    block::BlockArgument,
    operation::{OperationBuilder, OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    emit::Emitter,
    pass::Reported,
    pl::NAME,
    view::{self, AllocWindowBuffer, Dispatch},
};
use std::collections::HashMap;

/// State of one host function.
pub struct Host<'c, 'a, 'p> {
    program: &'p Program<'c, 'a>,
    /// Number and members of each window buffer.
    buffers: HashMap<usize, (usize, Option<Vec<i64>>)>,
}

/// Emits a device function.
pub fn device<'c, 'a>(
    program: &Program<'c, 'a>,
    at: &Emitter<'c, 'a>,
    function: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let signature = program.signature(&view::string(&function, "sym_name").unwrap_or_default())?;
    let emitted = function::declare(at, signature, Side::Host, &[])?;
    let mut scope = Scope::new(Side::Host);
    for (param, &value) in signature.params.iter().zip(&emitted.arguments) {
        if let Param::Scalar(argument) = param {
            scope.bind(*argument, value);
        }
    }
    let passed = |wanted: &dyn Fn(&Param) -> bool| {
        let mut all = signature.params.iter().zip(&emitted.arguments);
        all.find(|(param, _)| wanted(param))
            .map(|(_, &value)| value)
    };
    let group = |index: usize| {
        let name = signature.context_of(index);
        let context = passed(&|param| matches!(param, Param::Context(other) if *other == name))?;
        // Without groups, rank and size are those of the world.
        let rank = passed(&|param| matches!(param, Param::GroupRank(other) if *other == index))
            .unwrap_or(context);
        let size = passed(&|param| matches!(param, Param::GroupSize(other) if *other == index))
            .unwrap_or(context);
        Some(Group {
            name,
            host: Some([context, rank, size]),
            members: None,
        })
    };
    function::bind_memories(
        &mut scope,
        signature,
        &emitted.arguments,
        |index, window| (String::new(), window.then(|| group(index)).flatten()),
    )?;
    body(program, &mut scope, &emitted.body, function)
}

/// Emits the entry as `int Main(pld::Rank& rank)`.
pub fn main<'c, 'a>(
    program: &Program<'c, 'a>,
    at: &Emitter<'c, 'a>,
    function: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let types = [cpp::opaque(at.context, "pld::Rank&")];
    let int = cpp::opaque(at.context, "int");
    let emitted = function::raw_function(at, "Main", &types, &["rank".into()], Some(int), &[])?;
    let mut scope = Scope::new(Side::Host);
    program.bind_entry(&mut scope, &emitted.body, "rank.world()")?;
    body(program, &mut scope, &emitted.body, function)
}

fn body<'c, 'a>(
    program: &Program<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    function: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let mut host = Host {
        program,
        buffers: HashMap::new(),
    };
    let source = function
        .region(0)
        .ok()
        .and_then(|region| region.first_block())
        .ok_or(Reported)?;
    control::block(&mut host, scope, at, source)?;
    let int = cpp::opaque(at.context, "int");
    let ok = super::text::parse(at.context, "#emitc.opaque<\"pld::kOk\">");
    let code = at.value("emitc.constant", &[], int, &[("value", ok)]);
    at.op("emitc.return", &[code], &[], &[]);
    Ok(())
}

impl<'c, 'a> Leaf<'c, 'a> for Host<'c, 'a, '_> {
    fn operation(
        &mut self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        match view::name(&op) {
            "pld.get_comm_ctx" => Ok(()),
            "pld.rank" => self.group_query(scope, at, op, "rank.id", 1),
            "pld.nranks" => self.group_query(scope, at, op, "rank.ranks", 2),
            "pld.world_size" => scope.bind_call(at, op, "ranks", "rank.ranks", &[]),
            "pl.dim" | "memref.dim" => function::dim(scope, at, op),
            "memref.cast" => cast(scope, op),
            "memref.alloc" => self.allocate(scope, at, op),
            "pld.alloc_window_buffer" => self.buffer(op),
            "pld.window" => self.window(scope, at, op),
            "pl.shard" => shard(scope, op),
            "pld.dispatch" => self.dispatch(scope, at, op),
            "func.call" => self.launch(scope, at, op, Num::Known(1)),
            "pl.spmd" => self.blocks(scope, at, op),
            name if collective::knows(name) => collective::emit(scope, at, op),
            _ => Err(unsupported(op, "an operation of another level")),
        }
    }

    fn carry_tiles(
        &mut self,
        _: &mut Scope<'c, 'a>,
        _: &Emitter<'c, 'a>,
        _: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        Ok(())
    }
}

/// An `emitc.if` that is still to be ended, from inside.
fn if_then<'c, 'a>(
    at: &Emitter<'c, 'a>,
    condition: Value<'c, 'a>,
) -> Result<Emitter<'c, 'a>, Reported> {
    let region = Region::new();
    region.append_block(Block::new(&[]));
    let emitted = at.build(
        OperationBuilder::new("emitc.if", at.location)
            .add_operands(&[condition])
            .add_regions([region, Region::new()]),
    );
    let block = emitted
        .region(0)
        .ok()
        .and_then(|region| region.first_block())
        .ok_or(Reported)?;
    Ok(Emitter::at_end(at.context, at.location, block))
}

fn own_rank<'c, 'a>(at: &Emitter<'c, 'a>) -> Result<Value<'c, 'a>, Reported> {
    let value = call(at, "rank.id", &[], at.int_type(64), "own");
    Ok(value.result(0).map_err(|_| Reported)?.into())
}

/// `uint8_t* NAME = nullptr; PLD_TRY(CALL&NAME));`
fn fetch<'c, 'a>(at: &Emitter<'c, 'a>, name: &str, call: Text<'c, 'a>) -> Value<'c, 'a> {
    let lvalue = cpp::r#type(at.context, "!emitc.lvalue<!emitc.ptr<ui8>>");
    let null = super::text::parse(at.context, "#emitc.opaque<\"nullptr\">");
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

fn cast<'c, 'a>(scope: &mut Scope<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<(), Reported> {
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

fn shard<'c, 'a>(scope: &mut Scope<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<(), Reported> {
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
    fn group_query(
        &self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        callee: &str,
        field: usize,
    ) -> Result<(), Reported> {
        let window = function::window_of(op).ok_or(Reported)?;
        let group = scope
            .memory(op, window)?
            .context
            .and_then(|group| group.host);
        match group {
            Some(values) if self.program.groups => {
                scope.bind(op.result(0).map_err(|_| Reported)?.into(), values[field]);
                Ok(())
            }
            _ => {
                let name = if field == 1 { "own" } else { "ranks" };
                scope.bind_call(at, op, name, callee, &[])
            }
        }
    }

    fn buffer(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Reported> {
        let alloc = AllocWindowBuffer::of(op).ok_or(Reported)?;
        let result: Value = op.result(0).map_err(|_| Reported)?.into();
        let number = self.program.buffer_number(op)?;
        self.buffers
            .insert(bridge::value_key(result), (number, alloc.ranks));
        Ok(())
    }

    fn window(
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
    fn allocate(
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

    fn dispatch(
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
    fn blocks(
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

    fn launch(
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
