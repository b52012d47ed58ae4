//! Blocks of a rank.
//!
//! | operation | becomes |
//! | --- | --- |
//! | `pl.spmd` | its body a function of the words that it uses, and `pld_rt_spmd` |
//! | `pl.block_idx`, `pl.block_num` | `pld_rt_block_idx`, `pld_rt_block_num` |
//! | `pl.sync_blocks` | `pld_rt_sync_blocks` |

use super::{
    frame::Frame,
    function,
    host::{malformed, query, words},
    llvm::Llvm,
};
use crate::capture::{captured, repeat_inside};
use melior::ir::{
    Attribute, Block, BlockLike, Identifier, Region, RegionLike, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
    operation::{OperationBuilder, OperationLike, OperationRef},
    r#type::FunctionType,
};
use pld_dialects::{bridge, emit::Emitter, pass::Reported, view};
use std::collections::{HashMap, HashSet};

type Lowered = Result<(), Reported>;

/// On a `func.call` that stands for a `pl.spmd`: its first operand is the number of blocks,
/// and its callee the body.
const CALL: &str = "cpu.spmd";

/// Gives the body of each `pl.spmd` a device function of its own, and returns the names of
/// all functions that blocks may run.
pub(super) fn outline<'c, 'a>(
    module: OperationRef<'c, 'a>,
    top: &Emitter<'c, 'a>,
) -> Result<HashSet<String>, Reported> {
    let spmds = bridge::collect(module, |name| name == "pl.spmd");
    if spmds.is_empty() {
        return Ok(HashSet::new());
    }
    let mut names: HashSet<String> = bridge::collect(module, |_| true)
        .iter()
        .filter_map(|op| view::string(op, "sym_name"))
        .collect();
    let mut bodies = HashSet::new();
    for spmd in spmds {
        let name = (0..)
            .map(|number| format!("spmd.{number}"))
            .find(|name| !names.contains(name))
            .ok_or(Reported)?;
        outline_one(spmd, top, &name)?;
        names.insert(name.clone());
        bodies.insert(name);
    }
    Ok(callees(module, bodies))
}

/// These functions and all that they call.
fn callees(module: OperationRef, mut known: HashSet<String>) -> HashSet<String> {
    let functions: HashMap<_, _> = bridge::collect(module, |name| name == "func.func")
        .into_iter()
        .filter_map(|function| Some((view::string(&function, "sym_name")?, function)))
        .collect();
    let mut open: Vec<_> = known.iter().cloned().collect();
    while let Some(function) = open.pop().and_then(|name| functions.get(&name)) {
        for call in bridge::collect(*function, |name| name == "func.call") {
            let callee = view::symbol(&call, "callee");
            open.extend(callee.filter(|name| known.insert(name.clone())));
        }
    }
    known
}

fn outline_one<'c, 'a>(
    spmd: OperationRef<'c, 'a>,
    top: &Emitter<'c, 'a>,
    name: &str,
) -> Result<(), Reported> {
    let bad = || malformed(spmd);
    let at = Emitter::before(spmd).ok_or(Reported)?;
    let inner = bridge::collect(spmd, |_| true).split_off(1);
    repeat_inside(&inner, &["arith.constant"]);
    let inner = bridge::collect(spmd, |_| true).split_off(1);
    let captured = captured(&inner);

    let types: Vec<_> = captured.iter().map(|value| value.r#type()).collect();
    let block = Block::new(&types.iter().map(|&t| (t, at.location)).collect::<Vec<_>>());
    let region = Region::new();
    let block = region.append_block(block);
    let end = Emitter::at_end(at.context, at.location, block).op("func.return", &[], &[], &[]);
    let source = spmd.region(0).ok().and_then(|region| region.first_block());
    let source = source.ok_or_else(bad)?;
    for op in &inner {
        if op.block().is_some_and(|block| block == source) {
            bridge::move_before(*op, end);
        }
    }
    let arguments: HashMap<usize, Value> = (0..captured.len())
        .filter_map(|index| {
            Some((
                bridge::value_key(captured[index]),
                block.argument(index).ok()?.into(),
            ))
        })
        .collect();
    for &op in &inner {
        for index in 0..op.operand_count() {
            let operand = op.operand(index).map_err(|_| bad())?;
            if let Some(&argument) = arguments.get(&bridge::value_key(operand)) {
                bridge::set_operand(op, index, argument);
            }
        }
    }

    let id = |name| Identifier::new(at.context, name);
    let unit = Attribute::unit(at.context);
    let signature = FunctionType::new(at.context, &types, &[]);
    top.build(
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
                (id("pl.device"), unit),
            ])
            .add_regions([region]),
    );
    let count = spmd.operand(0).map_err(|_| bad())?;
    let callee = FlatSymbolRefAttribute::new(at.context, name).into();
    // What the runtime is told of is the operation as written.
    let call = at.op(
        "func.call",
        &[&[count], captured.as_slice()].concat(),
        &[],
        &[("callee", callee), (CALL, unit)],
    );
    bridge::set_attribute(call, pld_dialects::pld::FROM, at.str_attr("pl.spmd"));
    bridge::erase(spmd);
    Ok(())
}

/// Whether a call stands for a `pl.spmd`.
pub(super) fn is_spmd(call: OperationRef) -> bool {
    call.has_attribute(CALL)
}

pub(super) fn spmd<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    let count = op.operand(0).map_err(|_| malformed(op))?;
    let mut arguments = Vec::new();
    for value in op.operands().skip(1) {
        let words = function::dispatch_words(&at, value, |base| base);
        arguments.extend(words.ok_or_else(|| malformed(op))?);
    }
    let env = words(frame, &at, &arguments);
    let signature = FunctionType::new(at.context, &[at.ptr_type(), at.ptr_type()], &[]);
    let callee = view::symbol(&op, "callee").ok_or_else(|| malformed(op))?;
    let body = at.function_address(&callee, signature);
    let (count, site) = (at.to_i64(count), frame.site(&at, op));
    frame.runtime(&at, "pld_rt_spmd", &[count, body, env, site]);
    Ok(())
}

pub(super) fn block_idx<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    query(frame, op, "pld_rt_block_idx")
}

pub(super) fn block_num<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    query(frame, op, "pld_rt_block_num")
}

pub(super) fn sync_blocks<'c, 'a>(frame: &Frame<'c, 'a, '_>, op: OperationRef<'c, 'a>) -> Lowered {
    let at = Emitter::before(op).ok_or(Reported)?;
    frame.runtime(&at, "pld_rt_sync_blocks", &[frame.site(&at, op)]);
    Ok(())
}
