//! `pl-cpu-emit`: from planned tile operations to loops over vectors and runtime calls.

use super::{
    frame::{Arena, Frame, Shared},
    function::{self, Role},
    golden, group, host,
    llvm::Llvm,
    matmul, memory,
    plan::{self, Slots},
    reduce, scalar, shape, signal, spmd, tiles, verify_lowered,
};
use melior::ir::{
    BlockLike, RegionLike, Type, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, StringAttribute},
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    Kind, bridge, diag,
    emit::Emitter,
    pass::{OptionSpec, Options, Pass, Reported},
    pld::FROM,
    types::{self, Level, Shaped},
    view,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashSet},
};

/// Option of the pass and of the pipeline: bounds checks.
pub(super) const BOUNDS: OptionSpec = OptionSpec {
    name: "bounds",
    description: "check dynamic accesses to memory and windows at run time: true or false",
    default: "true",
};

/// Option of the pass and of the pipeline: calls of the race detector.
pub(super) const RACES: OptionSpec = OptionSpec {
    name: "races",
    description: "tell the race detector of accesses to the own window slice: true or false",
    default: "true",
};

/// Option of the pass and of the pipeline: how much a matrix product does at once.
pub(super) const REGISTERS: OptionSpec = OptionSpec {
    name: "registers",
    description: "vector registers of the CPU: 16, or 32 with AVX-512; results do not depend on it",
    default: "16",
};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-cpu-emit",
    description: "Lower functions of a kind, planned by pl-cpu-plan, to scf, arith, math, \
                  vector, llvm and calls of the runtime. Host, device and golden functions \
                  become f(ctx, args), where args points to 64-bit words; in-core functions \
                  become private. Every function @f is renamed to @pld.f, so that none is \
                  taken for a library's. The module gets the table of source places, pld.sites.",
    options: &[BOUNDS, RACES, REGISTERS],
    run,
};

/// What the names of compiled functions start with.
pub(super) const PREFIX: &str = "pld.";

/// What the names of the runtime's functions start with.
const RUNTIME: &str = "pld_rt_";

fn flag(module: OperationRef, options: &Options, name: &str) -> Result<bool, Reported> {
    options.get(name).parse().map_err(|_| {
        let value = options.get(name);
        diag::failure(
            module.location(),
            format!("option {name} is '{value}', expected true or false"),
        )
        .emit();
        Reported
    })
}

fn registers(module: OperationRef, options: &Options) -> Result<i64, Reported> {
    let text = options.get("registers");
    let known = text.parse().ok().filter(|count| [16, 32].contains(count));
    known.ok_or_else(|| {
        let message = format!("option registers is '{text}', expected 16 or 32");
        diag::failure(module.location(), message).emit();
        Reported
    })
}

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let bounds = flag(module, options, "bounds")?;
    let races = flag(module, options, "races")?;
    let body = module
        .region(0)
        .ok()
        .and_then(|region| region.first_block());
    let Some(first) = body.and_then(|body| body.first_operation()) else {
        return Ok(());
    };
    check_names(module)?;
    let top = Emitter::before(first).ok_or(Reported)?;
    let top = top.with_location(module.location());
    let shared = Shared::new([bounds, races], registers(module, options)?, top);
    let in_blocks = spmd::outline(module, &shared.top)?;
    for function in bridge::collect(module, |name| name == "func.func") {
        let name = view::string(&function, "sym_name").unwrap_or_default();
        let in_blocks = in_blocks.contains(&name);
        match Role::of(function) {
            Some(Role::Golden) => golden::lower(&shared, function)?,
            Some(Role::Of(kind)) => lower(&shared, function, kind, in_blocks)?,
            None => {}
        }
    }
    rename(module);
    shared.sites.borrow().save(module);
    Ok(())
}

/// No symbol of the program has a name of the runtime.
fn check_names(module: OperationRef) -> Result<(), Reported> {
    for op in bridge::collect(module, |name| name != "builtin.module") {
        let name = view::string(&op, "sym_name").unwrap_or_default();
        if name.starts_with(RUNTIME) {
            diag::failure(
                op.location(),
                format!("symbol @{name} has a name of the runtime, which keeps {RUNTIME}*"),
            )
            .note("rename it")
            .emit();
            return Err(Reported);
        }
    }
    Ok(())
}

fn lower<'c, 'a>(
    shared: &Shared<'c, 'a>,
    function: OperationRef<'c, 'a>,
    kind: Kind,
    in_blocks: bool,
) -> Result<(), Reported> {
    // What the prologue adds needs no lowering.
    let ops = bridge::collect(function, |_| true);
    let slots = Slots::read(function);
    let arena = view::integer(&function, plan::ARENA);
    let opened = function::open(function, Role::Of(kind))?;
    let mut frame = Frame {
        shared,
        kind,
        in_blocks,
        ctx: opened.ctx,
        site: None,
        arena: None,
        slots,
        direct: RefCell::default(),
        entry: opened.entry,
    };
    let at = frame.entry.with_location(function.location());
    if function.has_attribute(FROM) {
        frame.site = Some(frame.runtime_value(&at, "pld_rt_dispatch_site", &[]));
    }
    if let Some(bytes) = arena {
        let base = frame.runtime_value(&at, "pld_rt_arena_push", &[at.word(bytes)]);
        frame.arena = Some(Arena { base, bytes });
    }
    lower_operations(&frame, &ops)?;
    retype(function);
    Ok(())
}

/// Lowers operations given in program order, then erases those that are replaced.
fn lower_operations<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    ops: &[OperationRef<'c, 'a>],
) -> Result<(), Reported> {
    let mut groups: BTreeMap<i64, Vec<OperationRef>> = BTreeMap::new();
    for &op in ops {
        if let Some(group) = view::integer(&op, plan::GROUP) {
            groups.entry(group).or_default().push(op);
        }
    }
    let mut replaced = Vec::new();
    for &op in ops {
        let group = view::integer(&op, plan::GROUP).and_then(|group| groups.get(&group));
        if let Some(group) = group {
            if group.last() == Some(&op) {
                group::lower(frame, group)?;
            }
            replaced.push(op);
        } else if operation(frame, op)? {
            replaced.push(op);
        }
    }
    // Users stand behind what they use.
    for op in replaced.into_iter().rev() {
        bridge::erase(op);
    }
    Ok(())
}

/// Lowers one operation; whether it is to be erased.
fn operation<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<bool, Reported> {
    scalar::guard(frame, op)?;
    let name = view::name(&op);
    match name {
        "pl.matmul" | "pl.matmul_acc" => matmul::lower(frame, op)?,
        "pl.load" if op.has_attribute(plan::DIRECT) => matmul::load(frame, op)?,
        "pl.load" => tiles::load(frame, op)?,
        "pl.store" => tiles::store(frame, op)?,
        "pl.read" => memory::read(frame, op)?,
        "pl.write" => memory::write(frame, op)?,
        "pl.dim" => memory::dim(frame, op)?,
        "pl.shard" => host::shard(frame, op)?,
        "pld.alloc_window_buffer" => host::alloc_window_buffer(frame, op)?,
        "pld.window" => host::window(frame, op)?,
        "pld.world_size" => host::world_size(frame, op)?,
        "pld.dispatch" => host::dispatch(frame, op)?,
        "pld.get_comm_ctx" => signal::comm_ctx(frame, op)?,
        "pld.rank" => signal::rank(frame, op)?,
        "pld.nranks" => signal::nranks(frame, op)?,
        "pld.notify" => signal::notify(frame, op)?,
        "pld.wait" => signal::wait(frame, op)?,
        "pld.remote_load" => tiles::remote_load(frame, op)?,
        "pld.remote_store" => tiles::remote_store(frame, op)?,
        "pl.reshape" | "pl.concat" | "pl.extract_slice" | "pl.insert_slice" | "pl.transpose"
        | "pl.gather" | "pl.iota" => shape::lower(frame, op)?,
        name if reduce::of_columns(name) => reduce::columns(frame, op)?,
        "memref.alloc" => host::alloc(frame, op)?,
        "memref.cast" => {
            if frame.shared.bounds {
                host::check_cast(frame, op)?;
            }
            return Ok(false);
        }
        "func.call" if spmd::is_spmd(op) => spmd::spmd(frame, op)?,
        "func.call" => function::lower_call(frame, op)?,
        "pl.block_idx" => spmd::block_idx(frame, op)?,
        "pl.block_num" => spmd::block_num(frame, op)?,
        "pl.sync_blocks" => spmd::sync_blocks(frame, op)?,
        "arith.select" if makes_tile(op) => tiles::select(frame, op)?,
        "func.return" => {
            give_back(frame, op)?;
            return Ok(false);
        }
        // Any contents will do.
        "ub.poison" if makes_tile(op) => {}
        name if name.starts_with("scf.") => {
            tiles::carry(frame, op)?;
            if name == "scf.while" && frame.kind != Kind::Host {
                signal::back_edge(frame, op)?;
            }
            return Ok(false);
        }
        _ => {
            // Reported here, since the verifiers speak as soon as the function has no kind.
            let Some(message) = verify_lowered::left_over(op) else {
                return Ok(false);
            };
            diag::failure(op.location(), message).emit();
            return Err(Reported);
        }
    }
    Ok(true)
}

/// Gives the arena back at the end of a function.
fn give_back<'c, 'a>(frame: &Frame<'c, 'a, '_>, end: OperationRef<'c, 'a>) -> Result<(), Reported> {
    if let Some(arena) = &frame.arena {
        let at = Emitter::before(end).ok_or(Reported)?;
        frame.runtime(&at, "pld_rt_arena_pop", &[at.word(arena.bytes)]);
    }
    Ok(())
}

fn makes_tile(op: OperationRef) -> bool {
    view::result(&op).is_some_and(|result| bridge::is_tile(result.r#type()))
}

/// Gives values of our types, all made and used by upstream operations now, the types that
/// stand for them: a window is a memref, a tile that is carried a mere number.
fn retype(function: OperationRef) {
    for op in bridge::collect(function, |_| true) {
        let results: Vec<Value> = op.results().map(Into::into).collect();
        let arguments = op.regions().flat_map(|region| {
            let block = region.first_block();
            block.into_iter().flat_map(|block| {
                (0..block.argument_count())
                    .filter_map(move |index| block.argument(index).ok().map(Value::from))
            })
        });
        let Some(at) = Emitter::before(op) else {
            continue;
        };
        for value in results.into_iter().chain(arguments) {
            if let Some(r#type) = stand_in(&at, value.r#type()) {
                value.set_type(r#type);
            }
        }
    }
}

fn stand_in<'c>(at: &Emitter<'c, '_>, r#type: Type<'c>) -> Option<Type<'c>> {
    if bridge::is_window_buffer(r#type) || bridge::is_tile(r#type) {
        return Some(at.word_type());
    }
    if bridge::is_comm_ctx(r#type) {
        return Some(at.ptr_type());
    }
    let window = Shaped::of(r#type).filter(|shaped| shaped.level == Level::Window)?;
    Some(types::memref(window.element_type, &window.shape))
}

/// Renames every function that the module defines, and what names it.
fn rename(module: OperationRef) {
    let context = bridge::context_of(&module);
    let mut renamed = HashSet::new();
    for function in bridge::collect(module, |name| name == "func.func") {
        let defined = function
            .region(0)
            .is_ok_and(|region| region.first_block().is_some());
        if let Some(name) = view::string(&function, "sym_name").filter(|_| defined) {
            let new = StringAttribute::new(context, &format!("{PREFIX}{name}")).into();
            bridge::set_attribute(function, "sym_name", new);
            renamed.insert(name);
        }
    }
    for op in bridge::collect(module, |name| matches!(name, "func.call" | "func.constant")) {
        for attribute in ["callee", "value"] {
            if let Some(name) = view::symbol(&op, attribute).filter(|n| renamed.contains(n)) {
                let new = FlatSymbolRefAttribute::new(context, &format!("{PREFIX}{name}")).into();
                bridge::set_attribute(op, attribute, new);
            }
        }
    }
}
