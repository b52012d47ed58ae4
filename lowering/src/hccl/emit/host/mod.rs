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

mod launch;
mod memory;

use super::{
    collective,
    control::{self, Leaf},
    cpp::{self, Side},
    function::{self, Param},
    program::Program,
    scope::{Group, Scope, unsupported},
    text::{Num, call, parse},
};
use melior::ir::{
    Block, Region, RegionLike, Value,
    operation::{OperationBuilder, OperationLike, OperationRef},
};
use pld_dialects::{emit::Emitter, pass::Reported, view};
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
    let ok = parse(at.context, "#emitc.opaque<\"pld::kOk\">");
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
            "memref.cast" => memory::cast(scope, op),
            "memref.alloc" => self.allocate(scope, at, op),
            "pld.alloc_window_buffer" => self.buffer(op),
            "pld.window" => self.window(scope, at, op),
            "pl.shard" => memory::shard(scope, op),
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
}
