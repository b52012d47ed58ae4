//! `pl-outline-blocks`: what the blocks of a rank run becomes one in-core function, which is
//! launched once with as many blocks.

use crate::capture::{captured, repeat_inside};
use melior::ir::{
    Attribute, Block, BlockLike, Identifier, Region, RegionLike, TypeLike, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
    block::BlockArgument,
    operation::{OperationBuilder, OperationLike, OperationRef},
    r#type::FunctionType,
};
use pld_dialects::{
    Direction, arg_direction, bridge, diag,
    emit::Emitter,
    enclosing_function,
    pass::{Options, Pass, Reported},
    view,
};
use std::collections::HashSet;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-outline-blocks",
    description: "Give the body of each pl.spmd an in-core function of its own, so that it is one \
                  kernel: what it uses from outside becomes arguments, and the pl.spmd holds the \
                  call alone.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    let mut names: HashSet<String> = bridge::collect(module, |name| name == "func.func")
        .iter()
        .filter_map(|function| view::string(function, "sym_name"))
        .collect();
    for spmd in bridge::collect(module, |name| name == "pl.spmd") {
        let function = enclosing_function(spmd).ok_or(Reported)?;
        let device = view::string(&function, "sym_name").unwrap_or_default();
        let name = (0..)
            .map(|number| match number {
                0 => format!("{device}_blocks"),
                _ => format!("{device}_blocks_{number}"),
            })
            .find(|name| !names.contains(name))
            .ok_or(Reported)?;
        outline(spmd, function, &name).ok_or_else(|| {
            diag::failure(spmd.location(), "is no well-formed pl.spmd").emit();
            Reported
        })?;
        names.insert(name);
    }
    Ok(())
}

fn outline<'c, 'a>(
    spmd: OperationRef<'c, 'a>,
    device: OperationRef<'c, 'a>,
    name: &str,
) -> Option<()> {
    let body = spmd.region(0).ok()?.first_block()?;
    // These are no arguments.
    repeat_inside(&inner(spmd), &["arith.constant", "pld.get_comm_ctx"]);
    let inner = inner(spmd);
    let captured = captured(&inner);
    let at = Emitter::before(device)?.with_location(spmd.location());
    let types: Vec<_> = captured.iter().map(|value| value.r#type()).collect();
    let region = Region::new();
    let arguments: Vec<_> = captured
        .iter()
        .map(|v| (v.r#type(), v.location()))
        .collect();
    let block = region.append_block(Block::new(&arguments));
    let end = Emitter::at_end(at.context, at.location, block).op("func.return", &[], &[], &[]);
    for op in &inner {
        if op.block().is_some_and(|block| block == body) {
            bridge::move_before(*op, end);
        }
    }
    for &op in &inner {
        for index in 0..op.operand_count() {
            let operand = op.operand(index).ok()?;
            if let Some(number) = captured.iter().position(|&value| value == operand) {
                bridge::set_operand(op, index, block.argument(number).ok()?.into());
            }
        }
    }
    let directions: Vec<_> = captured.iter().map(|&value| direction(value)).collect();
    let id = |name| Identifier::new(at.context, name);
    let signature = FunctionType::new(at.context, &types, &[]);
    at.build(
        OperationBuilder::new("func.func", at.location)
            .add_attributes(&[
                (
                    id("sym_name"),
                    StringAttribute::new(at.context, name).into(),
                ),
                (
                    id("function_type"),
                    TypeAttribute::new(signature.into()).into(),
                ),
                (
                    id("arg_attrs"),
                    Attribute::parse(at.context, &format!("[{}]", directions.join(", ")))?,
                ),
                (id("pl.incore"), Attribute::unit(at.context)),
            ])
            .add_regions([region]),
    );
    let callee = FlatSymbolRefAttribute::new(at.context, name).into();
    Emitter::at_end(at.context, at.location, body).op(
        "func.call",
        &captured,
        &[],
        &[("callee", callee)],
    );
    Some(())
}

fn inner<'c, 'a>(spmd: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    bridge::collect(spmd, |_| true).split_off(1)
}

/// The attributes of an argument: an array of the device function keeps its direction, one
/// that it allocates may be read and written.
fn direction(value: Value) -> &'static str {
    let is_array = |value: Value| value.r#type().is_mem_ref();
    if !is_array(value) {
        return "{}";
    }
    if let Some(op) = view::defining_op(value) {
        return match op.operand(0) {
            Ok(source) if is_array(source) => direction(source),
            _ => "{pl.inout}",
        };
    }
    let argument = BlockArgument::try_from(value).ok();
    let of = argument.and_then(|argument| {
        let function = bridge::owner_block(argument).parent_operation()?;
        Some(arg_direction(&function, argument.argument_number()))
    });
    match of {
        Some(Direction::In) => "{}",
        Some(Direction::Out) => "{pl.out}",
        Some(Direction::InOut) | None => "{pl.inout}",
    }
}
