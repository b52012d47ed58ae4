//! `pl-outline-at`: regions of a device function to in-core functions.
//!
//! What a region takes from outside becomes an argument: memory first, then scalars. What
//! cannot cross a function boundary, or is as cheap to have inside, is copied: constants
//! and communication contexts.

use melior::ir::{
    Attribute, Block, BlockLike, BlockRef, Identifier, Location, Region, RegionLike, Type,
    TypeLike, Value, ValueLike,
    attribute::{
        ArrayAttribute, DictionaryAttribute, FlatSymbolRefAttribute, StringAttribute, TypeAttribute,
    },
    block::BlockArgument,
    operation::{OperationBuilder, OperationLike, OperationRef},
    r#type::FunctionType,
};
use pld_dialects::{
    Direction, Kind, arg_direction, bridge, diag,
    emit::Emitter,
    enclosing_function, entry_arguments, flow, functions_beside,
    pass::{Options, Pass, Reported},
    pl::TENSORS,
    types::Shaped,
    view::{self, Access, Collective, Transfer},
};
use std::collections::{HashMap, HashSet};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-outline-at",
    description: "Make each pl.at region a private pl.incore function, called where the region \
                  stood. Memory and scalars from outside become arguments, a memref with the \
                  direction that the region uses it in. The functions are marked pl.tensors: \
                  they hold tensors until --pl-tile-tensors.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    for at in bridge::collect(module, |name| name == "pl.at") {
        outline(at)?;
    }
    Ok(())
}

fn outline<'c, 'a>(at: OperationRef<'c, 'a>) -> Result<(), Reported> {
    let device = enclosing_function(at).ok_or(Reported)?;
    let region = view::region(&at, 0).ok_or(Reported)?;
    let body = region.first_block().ok_or(Reported)?;
    hoist_casts(at);
    copy_in(at, body);
    let captures = captures(at)?;
    let name = fresh_name(device);
    let function = make_function(at, device, &name, &captures)?;
    let inner = entry_block(function)?;
    fill(function, inner, body, &captures);
    set_directions(function);

    let emitter = Emitter::before(at).ok_or(Reported)?;
    let callee = FlatSymbolRefAttribute::new(emitter.context, &name).into();
    emitter.op("func.call", &captures, &[], &[("callee", callee)]);
    bridge::erase(at);
    Ok(())
}

/// Moves casts of outside memory, which upstream sinks, back out: an in-core function has
/// none.
fn hoist_casts(at: OperationRef) {
    for cast in bridge::collect(at, |name| name == "memref.cast") {
        let source = view::operand(&cast, 0);
        if source.is_some_and(|source| !is_inside(source, at)) {
            bridge::move_before(cast, at);
        }
    }
}

/// Copies into the region what it uses of outside constants and communication contexts.
fn copy_in(at: OperationRef, body: BlockRef) {
    let mut copies: HashMap<usize, Value> = HashMap::new();
    for op in bridge::collect(at, |_| true) {
        for (index, value) in op.operands().enumerate().collect::<Vec<_>>() {
            let Some(maker) = view::defining_op(value).filter(|_| !is_inside(value, at)) else {
                continue;
            };
            if !matches!(
                view::name(&maker),
                "arith.constant" | "ub.poison" | "pld.get_comm_ctx"
            ) {
                continue;
            }
            let first = body.first_operation();
            let copy = *copies.entry(bridge::value_key(value)).or_insert_with(|| {
                let before = first.expect("the region holds the operation that uses it");
                let copy = bridge::clone_before(maker, before);
                copy.result(0).expect("it has one result").into()
            });
            bridge::set_operand(op, index, copy);
        }
    }
}

/// The values from outside that the region uses: memory first.
fn captures<'c, 'a>(at: OperationRef<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Reported> {
    let mut seen = HashSet::new();
    let mut memory = Vec::new();
    let mut scalars = Vec::new();
    for op in bridge::collect(at, |_| true) {
        for value in op.operands() {
            if is_inside(value, at) || !seen.insert(bridge::value_key(value)) {
                continue;
            }
            let r#type = value.r#type();
            match Shaped::of(r#type) {
                Some(shaped) if shaped.is_memory() => memory.push(value),
                None if r#type.is_index() || r#type.is_integer() || bridge::is_float(r#type) => {
                    scalars.push(value);
                }
                _ => {
                    let message = format!(
                        "'{}' op uses a value of type {type} from outside of its pl.at region, \
                         expected memory or a scalar",
                        view::name(&op)
                    );
                    diag::failure(op.location(), message)
                        .note("compute the value inside the region")
                        .emit();
                    return Err(Reported);
                }
            }
        }
    }
    memory.extend(scalars);
    Ok(memory)
}

/// Whether a value is made inside of an operation.
fn is_inside(value: Value, around: OperationRef) -> bool {
    let mut op = match view::defining_op(value) {
        Some(op) => op.parent_operation(),
        None => BlockArgument::try_from(value)
            .ok()
            .and_then(|argument| bridge::owner_block(argument).parent_operation()),
    };
    while let Some(parent) = op {
        if parent == around {
            return true;
        }
        op = parent.parent_operation();
    }
    false
}

/// `push_scaled_at_0` for the first region of `@push_scaled`.
fn fresh_name(device: OperationRef) -> String {
    let taken = functions_beside(device);
    let base = view::string(&device, "sym_name").unwrap_or_default();
    let mut names = (0..).map(|number| format!("{base}_at_{number}"));
    names
        .find(|name| !taken.contains_key(name))
        .unwrap_or_default()
}

/// An in-core function of the captures, with an empty body, behind the device function.
fn make_function<'c, 'a>(
    at: OperationRef<'c, 'a>,
    device: OperationRef<'c, 'a>,
    name: &str,
    captures: &[Value<'c, 'a>],
) -> Result<OperationRef<'c, 'a>, Reported> {
    let context = bridge::context_of(&at);
    let types: Vec<Type> = captures.iter().map(|value| value.r#type()).collect();
    let arguments: Vec<(Type, Location)> = captures
        .iter()
        .map(|&value| {
            let maker = view::defining_op(value);
            let location = maker.map_or(at.location(), |maker| maker.location());
            (value.r#type(), location)
        })
        .collect();
    let region = Region::new();
    region.append_block(Block::new(&arguments));
    let id = |name| Identifier::new(context, name);
    let function = OperationBuilder::new("func.func", at.location())
        .add_attributes(&[
            (id("sym_name"), StringAttribute::new(context, name).into()),
            (
                id("sym_visibility"),
                StringAttribute::new(context, "private").into(),
            ),
            (
                id("function_type"),
                TypeAttribute::new(FunctionType::new(context, &types, &[]).into()).into(),
            ),
            (id(Kind::InCore.attribute()), Attribute::unit(context)),
            (id(TENSORS), Attribute::unit(context)),
        ])
        .add_regions([region])
        .build()
        .map_err(|_| Reported)?;
    let block = device.block().ok_or(Reported)?;
    Ok(block.insert_operation_after(device, function))
}

fn entry_block<'c, 'a>(function: OperationRef<'c, 'a>) -> Result<BlockRef<'c, 'a>, Reported> {
    view::region(&function, 0)
        .and_then(|region| region.first_block())
        .ok_or(Reported)
}

/// Moves the operations of the region into the function, where arguments stand for the
/// captures.
fn fill<'c, 'a>(
    function: OperationRef<'c, 'a>,
    inner: BlockRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
    captures: &[Value<'c, 'a>],
) {
    let context = bridge::context_of(&function);
    let end = Emitter::at_end(context, function.location(), inner).op("func.return", &[], &[], &[]);
    while let Some(op) = body.first_operation() {
        bridge::move_before(op, end);
    }
    let keys = captures.iter().map(|&value| bridge::value_key(value));
    let arguments: HashMap<usize, Value> = keys.zip(entry_arguments(function)).collect();
    for op in bridge::collect(function, |_| true) {
        for (index, value) in op.operands().enumerate().collect::<Vec<_>>() {
            if let Some(&argument) = arguments.get(&bridge::value_key(value)) {
                bridge::set_operand(op, index, argument);
            }
        }
    }
}

/// Marks each memref argument with the direction that the function uses it in.
fn set_directions(function: OperationRef) {
    let context = bridge::context_of(&function);
    let arguments = entry_arguments(function);
    // Read and written.
    let mut uses = vec![(false, false); arguments.len()];
    for op in bridge::collect(function, |_| true) {
        for (memory, reads, writes) in effects(op) {
            for root in flow::roots(memory) {
                if let Some((_, index)) = flow::function_argument(root) {
                    uses[index].0 |= reads;
                    uses[index].1 |= writes;
                }
            }
        }
    }
    let attributes: Vec<Attribute> = arguments
        .iter()
        .zip(uses)
        .map(|(argument, used)| {
            let direction = match used {
                (_, false) => "pl.in",
                (false, true) => "pl.out",
                (true, true) => "pl.inout",
            };
            let entry = (
                Identifier::new(context, direction),
                Attribute::unit(context),
            );
            let marked = argument.r#type().is_mem_ref();
            let entries = if marked { vec![entry] } else { vec![] };
            DictionaryAttribute::new(context, &entries).into()
        })
        .collect();
    let attributes = ArrayAttribute::new(context, &attributes);
    bridge::set_attribute(function, "arg_attrs", attributes.into());
}

/// The memory that an operation uses, and whether it reads and writes it.
fn effects<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, bool, bool)> {
    if let Some(access) = Access::of(op) {
        let reads = !access.writes || access.atomic;
        return vec![(access.memory, reads, access.writes)];
    }
    if let Some(transfer) = Transfer::of(op) {
        return vec![
            (transfer.source, true, false),
            (transfer.destination, transfer.atomic, true),
        ];
    }
    if let Some(collective) = Collective::of(op) {
        // A memref is only ever what one reads, or the counts.
        return vec![(collective.source, true, collective.destination.is_none())]
            .into_iter()
            .chain(collective.counts.map(|(send, _)| (send, true, false)))
            .collect();
    }
    if view::is(&op, "func.call") {
        return called(op);
    }
    Vec::new()
}

fn called<'c, 'a>(call: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, bool, bool)> {
    let callee = enclosing_function(call)
        .map(functions_beside)
        .zip(view::symbol(&call, "callee"))
        .and_then(|(functions, name)| functions.get(&name).copied());
    let memory = call.operands().enumerate();
    memory
        .filter(|(_, value)| value.r#type().is_mem_ref())
        .map(|(index, value)| {
            let direction = callee.map_or(Direction::InOut, |callee| arg_direction(&callee, index));
            let (reads, writes) = match direction {
                Direction::In => (true, false),
                Direction::Out => (false, true),
                Direction::InOut => (true, true),
            };
            (value, reads, writes)
        })
        .collect()
}
