//! What a function declares and does not use (112).

use super::program::{Function, Program};
use melior::ir::{TypeLike, Value, ValueLike, operation::OperationLike};
use pld_dialects::{
    Direction, Kind, arg_direction, bridge,
    diag::{self, Code},
    flow,
    types::{Level, Shaped},
    view::{self, Access, Transfer},
};
use std::collections::HashSet;

const ODD: Code = Code(112);

/// Warns of outputs never written, scalars before memory, and window buffers that nobody
/// sees.
pub(super) fn check(program: &Program, function: &Function) {
    match function.kind {
        Some(Kind::Host) => unseen_buffers(function),
        Some(Kind::Device) => scalars_first(function),
        Some(Kind::InCore) | None => {}
    }
    if function.kind.is_some() {
        unwritten_outputs(program, function);
    }
}

fn unwritten_outputs(program: &Program, function: &Function) {
    let arguments = pld_dialects::entry_arguments(function.op);
    let outputs: Vec<_> = (0..arguments.len())
        .filter(|&index| arg_direction(&function.op, index) == Direction::Out)
        .collect();
    if outputs.is_empty() {
        return;
    }
    let mut written = HashSet::new();
    let mut write = |memory: Value| {
        if memory.r#type().is_mem_ref() {
            written.extend(flow::roots(memory).into_iter().map(bridge::value_key));
        }
    };
    for call in &function.calls {
        let callee = &program.functions[call.callee].op;
        for (index, &argument) in call.arguments.iter().enumerate() {
            if arg_direction(callee, index) != Direction::In {
                write(argument);
            }
        }
    }
    for &op in &function.ops {
        let access = Access::of(op).filter(|access| access.writes);
        let memory = access.map(|access| access.memory);
        memory
            .or_else(|| Some(Transfer::of(op)?.destination))
            .into_iter()
            .for_each(&mut write);
    }
    for index in outputs {
        if !written.contains(&bridge::value_key(arguments[index])) {
            diag::warning(
                &function.op,
                ODD,
                format!("argument #{index} is pl.out but never written"),
            )
            .note("store to it, pass it to a pl.out parameter, or remove it")
            .emit();
        }
    }
}

fn scalars_first(function: &Function) {
    let types: Vec<_> = pld_dialects::entry_arguments(function.op)
        .iter()
        .map(|argument| argument.r#type())
        .collect();
    let is_memory = |index: usize| Shaped::of(types[index]).is_some();
    let Some(last_memory) = (0..types.len()).rev().find(|&index| is_memory(index)) else {
        return;
    };
    if let Some(scalar) = (0..last_memory).find(|&index| !is_memory(index)) {
        diag::warning(
            &function.op,
            ODD,
            format!(
                "argument #{scalar} is the scalar {}, expected behind memory argument #{last_memory}",
                types[scalar]
            ),
        )
        .note("arrays and windows first, then scalars: targets pass them in that order")
        .emit();
    }
}

fn unseen_buffers(function: &Function) {
    let mut seen = HashSet::new();
    for &op in &function.ops {
        // Views, casts and selects only hand a window on.
        let name = view::name(&op);
        if !name.starts_with("pld.") || name == "pld.window" {
            continue;
        }
        let windows = op.operands().filter(|value| {
            Shaped::of(value.r#type()).is_some_and(|shaped| shaped.level == Level::Window)
        });
        seen.extend(windows.flat_map(flow::roots).map(bridge::value_key));
    }
    for &op in &function.ops {
        let buffer = view::is(&op, "pld.alloc_window_buffer").then(|| op.result(0).ok());
        if let Some(buffer) = buffer.flatten()
            && !seen.contains(&bridge::value_key(buffer.into()))
        {
            diag::warning(&op, ODD, "no view of the buffer reaches a dispatch or collective")
                .note("pass a pld.window of it to a dispatch, or remove it: it costs at least 4096 bytes per rank")
                .emit();
        }
    }
}
