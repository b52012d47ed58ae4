//! `pld-to-emitc`: the program as emitc, one `emitc.file` for each file of the project.
//!
//! Structure and integer expressions are emitc operations; AscendC statements are
//! `emitc.verbatim`, with what they touch as the attribute `pl.effects`.

pub mod alias;
mod collective;
pub mod control;
pub mod cpp;
pub mod function;
mod global;
pub mod host;
pub mod kernel;
pub mod memory;
pub mod product;
pub mod program;
pub mod rearrange;
pub mod rows;
pub mod scalar;
pub mod scope;
mod share;
pub mod signal;
pub mod tensor;
pub mod text;
pub mod vector;

use super::{insert_sync::WORLD_SIZES, profile::Profile, verify_target};
use function::Signature;
use melior::ir::{
    Block, BlockRef, Region, RegionLike,
    attribute::{DenseI64ArrayAttribute, StringAttribute},
    operation::{OperationBuilder, OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pass::{Options, Pass, Reported},
    pl::{EFFECTS, SOURCE},
    view,
};
use program::Program;
use share::share;
use std::path::Path;
use text::line;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-to-emitc",
    description: "Replace all functions by emitc files: kernels/NAME_kernel.cpp for each in-core \
                  function, kernels/launch.h and .cpp, host/program.cpp. Expects one entry, \
                  legalised operations and a plan of on-core memory; statements carry \
                  pl.effects for pl-insert-sync.",
    options: &[verify_target::ARCH],
    run,
};

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let profile = verify_target::profile(module, options)?;
    let body = module
        .region(0)
        .ok()
        .and_then(|region| region.first_block())
        .ok_or(Reported)?;
    let program = Program::of(module)?;
    kernels(profile, module, body, &program)?;
    let at = Emitter::at_end(bridge::context_of(&module), program.entry.location(), body);
    launches(&at, &program)?;
    program.host_file(&file(&at, "host/program.cpp")?)?;
    for function in bridge::collect(module, |name| name == "func.func") {
        bridge::erase(function);
    }
    for function in bridge::collect(module, |name| name == "emitc.func") {
        share(function);
    }
    erase_unused(module);
    name_sources(module);
    Ok(())
}

/// Writes the source line of each statement in a function as an attribute, which survives
/// printing. What belongs to the function as a whole has none.
fn name_sources(module: OperationRef) {
    for function in bridge::collect(module, |name| name == "emitc.func") {
        for op in bridge::collect(function, |name| !EXPRESSIONS.contains(&name)) {
            let position = bridge::file_position(op.location())
                .filter(|_| op.location() != function.location());
            let Some((file, line, _)) = position else {
                continue;
            };
            let name = Path::new(file).file_name().and_then(|name| name.to_str());
            // What comes from a pipe has no file to name.
            if let Some(name) = name.filter(|name| *name != "<stdin>" && *name != "-") {
                let source =
                    StringAttribute::new(bridge::context_of(&op), &format!("{name}:{line}"));
                bridge::set_attribute(op, SOURCE, source.into());
            }
        }
    }
}

/// Operations that are no statements, or none of the program.
const EXPRESSIONS: [&str; 5] = [
    "emitc.constant",
    "emitc.expression",
    "emitc.yield",
    "emitc.func",
    "emitc.return",
];

fn file<'c, 'a>(at: &Emitter<'c, 'a>, path: &str) -> Result<Emitter<'c, 'a>, Reported> {
    let region = Region::new();
    region.append_block(Block::new(&[]));
    let id = melior::ir::Identifier::new(at.context, "id");
    let op = at.build(
        OperationBuilder::new("emitc.file", at.location)
            .add_attributes(&[(id, at.str_attr(path))])
            .add_regions([region]),
    );
    let block = op
        .region(0)
        .ok()
        .and_then(|region| region.first_block())
        .ok_or(Reported)?;
    Ok(Emitter::at_end(at.context, at.location, block))
}

fn kernels<'c, 'a>(
    profile: &'static Profile,
    module: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
    program: &Program<'c, 'a>,
) -> Result<(), Reported> {
    for &function in &program.kernels {
        let symbol = view::string(&function, "sym_name").unwrap_or_default();
        let signature = program.signature(&symbol)?;
        let at = Emitter::at_end(bridge::context_of(&function), function.location(), body);
        let at = file(&at, &format!("kernels/{}.cpp", signature.name))?;
        line(&at, format!("// In-core function @{symbol}."));
        let header = if signature.workspace().is_some() {
            "pld_cube.h"
        } else {
            "pld_comm.h"
        };
        line(&at, format!("#include \"../common/{header}\""));
        line(&at, "");
        kernel::emit(
            profile,
            &at,
            function,
            signature,
            &alias::objects(module, function),
        )?;
        // The order of a kernel's statements depends on how many ranks there may be.
        let sizes = match &signature.members {
            Some(members) => {
                let count = i64::try_from(members.len()).unwrap_or(i64::MAX);
                Some(DenseI64ArrayAttribute::new(at.context, &[count]).into())
            }
            None => program.entry.attribute("pld.world_sizes").ok(),
        };
        if let (Some(sizes), Some(file)) = (sizes, at.parent()) {
            for kernel in bridge::collect(file, |name| name == "emitc.func") {
                bridge::set_attribute(kernel, WORLD_SIZES, sizes);
            }
        }
    }
    Ok(())
}

fn launches<'c, 'a>(at: &Emitter<'c, 'a>, program: &Program<'c, 'a>) -> Result<(), Reported> {
    let mut all = Vec::new();
    for function in &program.kernels {
        all.push(program.signature(&view::string(function, "sym_name").unwrap_or_default())?);
    }
    let header = file(at, "kernels/launch.h")?;
    line(
        &header,
        "// Launch wrappers: the host code's only way to the kernels.",
    );
    line(&header, "#pragma once");
    line(&header, "");
    line(&header, "#include <cstdint>");
    line(&header, "");
    for signature in &all {
        line(&header, format!("{};", launch_head(signature)));
    }
    let source = file(at, "kernels/launch.cpp")?;
    line(
        &source,
        "// All kernels and their launches in one translation unit: a launch must see the kernel it starts.",
    );
    line(&source, "#include \"launch.h\"");
    line(&source, "");
    for signature in &all {
        line(&source, format!("#include \"{}.cpp\"", signature.name));
    }
    for signature in &all {
        let names: String = signature
            .launch_params()
            .iter()
            .map(|(name, _)| format!(", {name}"))
            .collect();
        let (name, arguments) = (&signature.name, names.trim_start_matches(", "));
        line(&source, "");
        line(&source, format!("{} {{", launch_head(signature)));
        line(&source, "#ifndef ASCENDC_CPU_DEBUG");
        line(
            &source,
            format!("  {name}<<<blocks, nullptr, stream>>>({arguments});"),
        );
        line(&source, "#else");
        line(&source, "  (void)stream;");
        line(&source, format!("  ICPU_RUN_KF({name}, blocks{names});"));
        line(&source, "#endif");
        line(&source, "}");
    }
    Ok(())
}

fn launch_head(signature: &Signature) -> String {
    let params = signature
        .launch_params()
        .into_iter()
        .map(|(name, r#type)| format!(", {type} {name}"));
    format!(
        "void {}(uint32_t blocks, void* stream{})",
        signature.launch,
        params.collect::<String>()
    )
}

/// Erases expressions that nothing uses, so that the C++ has no unused variables.
fn erase_unused(module: OperationRef) {
    let pure = |op: &OperationRef| {
        let name = view::name(op);
        !op.has_attribute(EFFECTS)
            && op.result_count() == 1
            && name.starts_with("emitc.")
            && !matches!(name, "emitc.variable" | "emitc.expression")
    };
    for op in bridge::collect(module, |_| true).into_iter().rev() {
        let unused = |op: &OperationRef| {
            op.result(0)
                .is_ok_and(|result| !bridge::has_uses(result.into()))
        };
        if pure(&op) && unused(&op) {
            bridge::erase(op);
        }
    }
}
