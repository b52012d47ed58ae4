//! Functions: their parameters in C++, and what their arguments are.
//!
//! An array or window is an address, then one int64_t for each run-time extent; a scalar is
//! itself, a 16-bit float as its bits. After them come the communication contexts of the
//! windows: one of all ranks, or if the program has groups, one for each group that a kernel has
//! windows of, and on the host one for each window.

use super::{
    alias,
    cpp::{self, Side},
    scope::{Base, Group, Memory, Scope, unsupported},
    text::{Num, parse},
};
use crate::hccl::product::Workspace;
use melior::ir::{
    Attribute, Block, BlockLike, Region, RegionLike, Type, Value, ValueLike,
    attribute::{ArrayAttribute, DictionaryAttribute, StringAttribute, TypeAttribute},
    block::BlockArgument,
    operation::{OperationBuilder, OperationLike, OperationRef},
    r#type::FunctionType,
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    entry_arguments,
    pass::Reported,
    pl::NAME,
    types::{self, Shaped},
    view::{self, Access},
};

/// A parameter in C++.
#[derive(Clone, Debug)]
pub enum Param<'c, 'a> {
    /// The rank that runs a host function.
    Runner,
    /// Address of an array or window argument.
    Address(Value<'c, 'a>),
    /// Run-time extent of one.
    Extent(Value<'c, 'a>, usize),
    /// A scalar argument.
    Scalar(Value<'c, 'a>),
    /// Of a kernel with matrix products: workspace, of so many bytes for each block.
    Workspace(i64),
    /// A communication context, by its name in a kernel.
    Context(String),
    /// On the host: rank in the group of window `index`, and the group's size.
    GroupRank(usize),
    /// See [`Param::GroupRank`].
    GroupSize(usize),
}

/// A function's parameters.
#[derive(Clone, Debug)]
pub struct Signature<'c, 'a> {
    /// Name in C++: `f_kernel`, or `dispatch_f` of a device function. Any bare name may be one
    /// of the C library's, a macro or a keyword.
    pub name: String,
    /// Of a kernel with matrix products: name of the function of the vector core.
    pub vector: String,
    /// Of a kernel with matrix products: name of the function of the cube core.
    pub cube: String,
    /// Name of the wrapper that launches a kernel.
    pub launch: String,
    /// Parameters in order.
    pub params: Vec<Param<'c, 'a>>,
    /// The ranks of all windows of a kernel, if they are one known part of all.
    pub members: Option<Vec<i64>>,
    /// What the context of each window argument is called.
    contexts: Vec<(usize, String)>,
}

impl<'c, 'a> Signature<'c, 'a> {
    /// Of a function; `word` is its name as part of an identifier, `groups` the module if the
    /// program has groups of ranks.
    pub fn of(
        function: OperationRef<'c, 'a>,
        word: &str,
        side: Side,
        groups: Option<OperationRef<'c, 'a>>,
    ) -> Self {
        let mut params = Vec::new();
        if side == Side::Host {
            params.push(Param::Runner);
        }
        let arguments = entry_arguments(function);
        for &argument in &arguments {
            match Shaped::of(argument.r#type()) {
                Some(shaped) => {
                    params.push(Param::Address(argument));
                    let extents = shaped.shape.iter().enumerate();
                    params.extend(
                        extents
                            .filter(|&(_, &extent)| extent == types::DYNAMIC)
                            .map(|(dim, _)| Param::Extent(argument, dim)),
                    );
                }
                None => params.push(Param::Scalar(argument)),
            }
        }
        let windows = arguments.iter().copied().enumerate();
        let windows = windows.filter(|(_, argument)| bridge::is_dtensor(argument.r#type()));
        let (contexts, members) = contexts(windows, side, groups);
        for (index, name) in &contexts {
            let has = |param: &Param| matches!(param, Param::Context(other) if other == name);
            if params.iter().any(has) {
                continue;
            }
            params.push(Param::Context(name.clone()));
            if name != "ctx" && side == Side::Host {
                params.extend([Param::GroupRank(*index), Param::GroupSize(*index)]);
            }
        }
        let workspace = match side {
            Side::Kernel => Workspace::of(function),
            Side::Host => None,
        };
        params.extend(workspace.map(|workspace| Param::Workspace(workspace.bytes)));
        // Some names begin with it.
        let digit = word.starts_with(|c: char| c.is_ascii_digit());
        let word = format!("{}{word}", if digit { "k" } else { "" });
        Self {
            name: match side {
                Side::Kernel => format!("{word}_kernel"),
                Side::Host => format!("dispatch_{word}"),
            },
            vector: format!("{word}_vector"),
            cube: format!("{word}_cube"),
            launch: format!("launch_{word}"),
            params,
            members,
            contexts,
        }
    }

    /// Bytes of a block's workspace, if the kernel has one.
    pub fn workspace(&self) -> Option<i64> {
        let mut params = self.params.iter();
        params.find_map(|param| match param {
            Param::Workspace(bytes) => Some(*bytes),
            _ => None,
        })
    }

    /// The name of the context of the window that is argument `index`.
    pub fn context_of(&self, index: usize) -> String {
        let mut contexts = self.contexts.iter();
        let found = contexts.find(|(argument, _)| *argument == index);
        found.map_or("ctx", |(_, name)| name).to_owned()
    }

    /// Name and C++ type of each parameter, as a launch function has them.
    pub fn launch_params(&self) -> Vec<(String, String)> {
        let name = |param: &Param| param_name(param);
        self.params
            .iter()
            .map(|param| {
                let r#type = match param {
                    Param::Address(_) | Param::Context(_) | Param::Workspace(_) => "uint8_t*",
                    Param::Scalar(argument) => {
                        cpp::scalar_name(argument.r#type()).unwrap_or("int64_t")
                    }
                    _ => "int64_t",
                };
                (name(param), r#type.to_owned())
            })
            .collect()
    }
}

/// What the contexts of windows are called, and the ranks of all of them, if they are one known
/// part. A kernel has one context for each group that it has windows of; one that is not known is
/// its window's alone.
fn contexts<'c, 'a>(
    windows: impl Iterator<Item = (usize, Value<'c, 'a>)>,
    side: Side,
    groups: Option<OperationRef<'c, 'a>>,
) -> (Vec<(usize, String)>, Option<Vec<i64>>) {
    let Some(module) = groups else {
        let all = windows.map(|(index, _)| (index, "ctx".to_owned()));
        return (all.collect(), None);
    };
    let members = |window| alias::members(module, window).filter(|_| side == Side::Kernel);
    let windows: Vec<_> = windows
        .map(|(index, window)| (index, members(window)))
        .collect();
    let one = windows.first().and_then(|(_, members)| members.clone());
    let same = |(_, members): &(usize, Option<Vec<i64>>)| members.is_some() && *members == one;
    if windows.iter().all(same) {
        let all = windows.iter().map(|(index, _)| (*index, "ctx".to_owned()));
        return (all.collect(), one.filter(|members| !members.is_empty()));
    }
    let names = windows.iter().map(|(index, group)| {
        let first = windows
            .iter()
            .find(|(_, other)| group.is_some() && other == group);
        let first = first.map_or(index, |(first, _)| first);
        (*index, format!("ctx{first}"))
    });
    (names.collect(), None)
}

/// The name that a parameter proposes.
pub fn param_name(param: &Param) -> String {
    match param {
        Param::Runner => "rank".into(),
        Param::Address(argument) | Param::Scalar(argument) => argument_name(*argument),
        Param::Extent(argument, dim) => format!("{}_dim{dim}", argument_name(*argument)),
        Param::Workspace(_) => "workspace".into(),
        Param::Context(name) => format!("{name}_arg"),
        Param::GroupRank(index) => format!("rank{index}"),
        Param::GroupSize(index) => format!("ranks{index}"),
    }
}

/// The name of a value in the program, if its location has one.
pub fn location_name(value: Value) -> Option<String> {
    bridge::location_name(value.location()).map(cpp::identifier)
}

/// The name of an argument: the program's, or its number.
pub fn argument_name(value: Value) -> String {
    location_name(value).unwrap_or_else(|| match BlockArgument::try_from(value) {
        Ok(argument) => format!("arg{}", argument.argument_number()),
        Err(_) => "memory".into(),
    })
}

/// A function that has been begun.
pub struct Declared<'c, 'a> {
    /// Appends to its body.
    pub body: Emitter<'c, 'a>,
    /// Its arguments, one per parameter.
    pub arguments: Vec<Value<'c, 'a>>,
}

/// Begins a function at the end of a file; of a kernel with matrix products, that of the vector
/// core. Host functions return a code.
pub fn declare<'c, 'a>(
    at: &Emitter<'c, 'a>,
    signature: &Signature<'c, 'a>,
    side: Side,
    specifiers: &[&str],
) -> Result<Declared<'c, 'a>, Reported> {
    let types: Vec<_> = signature
        .params
        .iter()
        .map(|param| param_type(at, side, param))
        .collect::<Option<_>>()
        .ok_or(Reported)?;
    let names: Vec<_> = signature.params.iter().map(param_name).collect();
    let result = (side == Side::Host).then(|| cpp::opaque(at.context, "int"));
    let name = match signature.workspace() {
        Some(_) => &signature.vector,
        None => &signature.name,
    };
    raw_function(at, name, &types, &names, result, specifiers)
}

/// Begins any function.
pub fn raw_function<'c, 'a>(
    at: &Emitter<'c, 'a>,
    name: &str,
    types: &[Type<'c>],
    names: &[String],
    result: Option<Type<'c>>,
    specifiers: &[&str],
) -> Result<Declared<'c, 'a>, Reported> {
    let region = Region::new();
    let block: Vec<_> = types.iter().map(|&r#type| (r#type, at.location)).collect();
    region.append_block(Block::new(&block));
    let results: Vec<_> = result.into_iter().collect();
    let function_type = FunctionType::new(at.context, types, &results);
    let id = |name| melior::ir::Identifier::new(at.context, name);
    let named: Vec<Attribute> = names
        .iter()
        .map(|name| DictionaryAttribute::new(at.context, &[(id(NAME), at.str_attr(name))]).into())
        .collect();
    let mut attributes = vec![
        (
            id("sym_name"),
            StringAttribute::new(at.context, name).into(),
        ),
        (
            id("function_type"),
            TypeAttribute::new(function_type.into()).into(),
        ),
        (
            id("arg_attrs"),
            ArrayAttribute::new(at.context, &named).into(),
        ),
    ];
    if !specifiers.is_empty() {
        let list: Vec<_> = specifiers
            .iter()
            .map(|specifier| format!("\"{specifier}\""))
            .collect();
        attributes.push((
            id("specifiers"),
            parse(at.context, &format!("[{}]", list.join(", "))),
        ));
    }
    let op = at.build(
        OperationBuilder::new("emitc.func", at.location)
            .add_attributes(&attributes)
            .add_regions([region]),
    );
    let block = op
        .region(0)
        .ok()
        .and_then(|region| region.first_block())
        .ok_or(Reported)?;
    let arguments = (0..block.argument_count())
        .filter_map(|index| Some(block.argument(index).ok()?.into()))
        .collect();
    Ok(Declared {
        body: Emitter::at_end(at.context, at.location, block),
        arguments,
    })
}

fn param_type<'c>(at: &Emitter<'c, '_>, side: Side, param: &Param<'c, '_>) -> Option<Type<'c>> {
    let address = || match side {
        Side::Kernel => cpp::opaque(at.context, "GM_ADDR"),
        Side::Host => cpp::r#type(at.context, "!emitc.ptr<ui8>"),
    };
    Some(match param {
        Param::Runner => cpp::opaque(at.context, "pld::Rank&"),
        Param::Address(_) | Param::Context(_) | Param::Workspace(_) => address(),
        Param::Scalar(argument) => cpp::scalar(at.context, Side::Host, argument.r#type())?,
        Param::Extent(..) | Param::GroupRank(_) | Param::GroupSize(_) => at.int_type(64),
    })
}

/// Binds the arrays and windows of a function. `tell` answers for argument `index`, which is
/// a window or not, with the object that it is for ordering and with its group.
pub fn bind_memories<'c, 'a>(
    scope: &mut Scope<'c, 'a>,
    signature: &Signature<'c, 'a>,
    emitted: &[Value<'c, 'a>],
    tell: impl Fn(usize, bool) -> (String, Option<Group<'c, 'a>>),
) -> Result<(), Reported> {
    for (param, &address) in signature.params.iter().zip(emitted) {
        let &Param::Address(argument) = param else {
            continue;
        };
        let index = BlockArgument::try_from(argument)
            .map_err(|_| Reported)?
            .argument_number();
        let extent = |dim| {
            let mut all = signature.params.iter().zip(emitted);
            let found = all.find(
                |(param, _)| matches!(param, Param::Extent(of, d) if *of == argument && *d == dim),
            );
            found.map(|(_, &value)| Num::Value(value)).ok_or(Reported)
        };
        let (object, group) = tell(index, bridge::is_dtensor(argument.r#type()));
        let memory = Memory::new(argument.r#type(), Base::Address(address), &object, extent);
        let memory = memory.ok_or(Reported)??;
        scope.bind_memory(
            argument,
            Memory {
                context: group,
                ..memory
            },
        );
    }
    Ok(())
}

/// `pl.dim` and `memref.dim`.
pub fn dim<'c, 'a>(
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let memory = scope.memory(op, op.operand(0).map_err(|_| Reported)?)?;
    let number = view::integer(&op, "dim").or_else(|| view::constant(op.operand(1).ok()?));
    let number = number.ok_or_else(|| unsupported(op, "a dim that is not constant"))?;
    let extent = usize::try_from(number)
        .ok()
        .and_then(|number| memory.dims.get(number).copied());
    let extent = extent.ok_or_else(|| unsupported(op, "a dim that its operand does not have"))?;
    scope.bind(op.result(0).map_err(|_| Reported)?.into(), extent.value(at));
    Ok(())
}

/// Whether a kernel asks the context of this name for anything.
pub fn uses_context(function: OperationRef, signature: &Signature, name: &str) -> bool {
    let asked = |op: &OperationRef<'_, '_>| match view::name(op) {
        "pld.rank" | "pld.nranks" => window_of(*op).map(argument_number),
        "pld.notify" => op.operand(1).ok().map(argument_number),
        _ => Access::of(*op)
            .filter(Access::is_remote)
            .map(|access| argument_number(access.memory)),
    };
    let operations = bridge::collect(function, |_| true);
    let mut asked = operations.iter().filter_map(asked);
    asked.any(|number| number.is_none_or(|number| signature.context_of(number) == name))
}

fn argument_number(value: Value) -> Option<usize> {
    let argument = BlockArgument::try_from(value).ok()?;
    Some(argument.argument_number())
}

/// The window that a `pld.rank` or `pld.nranks` asks about.
pub fn window_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    view::defining_op(op.operand(0).ok()?)?.operand(0).ok()
}
