//! Host functions as entries: arguments, golden, admitted world sizes.

use crate::diagnostic::{Diagnostic, Error, Position};
use melior::ir::{
    Attribute, RegionLike, Type, TypeLike, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, FloatAttribute, StringAttribute},
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    Direction, Kind, arg_attribute_of, arg_direction, bridge, entry_arguments, function_kind,
    types::{DYNAMIC, Element, Level, Shaped},
    view,
};

/// What an argument of an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// An array with one slice per rank: its leading dim is the world size.
    World,
    /// An array of which every rank has the same copy.
    Replicated,
    /// A number.
    Scalar,
}

/// An argument of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// World array, replicated array or scalar.
    pub kind: ArgumentKind,
    /// Element type; that of an `index` is i64.
    pub element: Element,
    /// Extents of an array; `None` for `?`.
    pub shape: Vec<Option<usize>>,
    /// Direction of an array.
    pub direction: Direction,
    /// The `pl.arg` attribute.
    pub fill: Option<String>,
    /// The type as MLIR writes it.
    pub type_text: String,
}

/// A function that computes what an entry should.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// Its name.
    pub name: String,
    /// `pl.rtol`, if it has one.
    pub rtol: Option<f64>,
    /// `pl.atol`, if it has one.
    pub atol: Option<f64>,
}

/// A world array that an entry allocates for a stated number of ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldArray {
    /// The number of ranks.
    pub ranks: i64,
    /// The type as MLIR writes it.
    pub type_text: String,
    /// Where it is allocated.
    pub position: Option<Position>,
}

/// A host function that can be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub position: Option<Position>,
    /// Its arguments, in order.
    pub arguments: Vec<Argument>,
    /// `pld.world_sizes`, if it has them.
    pub world_sizes: Option<Vec<usize>>,
    /// World arrays that it allocates with a static leading dim: that dim, the type, the place.
    pub world_arrays: Vec<WorldArray>,
    /// The greatest world rank in a group of one of its window buffers.
    pub greatest_member: Option<i64>,
    /// The function it is compared with, if there is one.
    pub golden: Option<Golden>,
}

impl Entry {
    /// Checks that the entry can run on `world` ranks.
    ///
    /// # Errors
    ///
    /// pld-406: it is written for other sizes.
    pub fn admit(&self, world: usize) -> Result<(), Diagnostic> {
        let refuse = |what: String, mend: &str| {
            Err(Diagnostic::world(format!("@{} {what}", self.name))
                .at(self.position.clone())
                .note(mend))
        };
        if let Some(sizes) = self.world_sizes.as_ref().filter(|s| !s.contains(&world)) {
            let list: Vec<_> = sizes.iter().map(usize::to_string).collect();
            return refuse(
                format!(
                    "is written for world size {}, got {world}",
                    list.join(" or ")
                ),
                "run it with one of them; its pld.world_sizes states them",
            );
        }
        for (index, argument) in self.arguments.iter().enumerate() {
            let leading = argument.shape.first().copied().flatten();
            if argument.kind == ArgumentKind::World && leading.is_some_and(|n| n != world) {
                return refuse(
                    format!(
                        "has the world array {} as argument #{index}, got world size {world}",
                        argument.type_text
                    ),
                    "its leading dim is the world size; '?' admits any",
                );
            }
        }
        let wrong = |array: &&WorldArray| usize::try_from(array.ranks) != Ok(world);
        if let Some(array) = self.world_arrays.iter().find(wrong) {
            let message = format!(
                "@{} allocates the world array {}, got world size {world}",
                self.name, array.type_text
            );
            return Err(Diagnostic::world(message)
                .at(array.position.clone())
                .note("its leading dim is the world size: allocate '?' of pld.world_size"));
        }
        match self.greatest_member {
            Some(member) if member >= world as i64 => refuse(
                format!("allocates a window on rank {member}, got world size {world}"),
                "run it with more ranks, or mend the group",
            ),
            _ => Ok(()),
        }
    }
}

/// All host functions.
pub(crate) fn all(module: OperationRef) -> Result<Vec<Entry>, Error> {
    hosts(module)
        .into_iter()
        .map(|function| read(module, function))
        .collect()
}

/// The host function `name`, or the one that stands out.
pub(crate) fn choose(module: OperationRef, name: Option<&str>) -> Result<Entry, Error> {
    let hosts = hosts(module);
    let names: Vec<_> = hosts.iter().map(|&host| symbol_name(host)).collect();
    let list: Vec<_> = names.iter().map(|name| format!("@{name}")).collect();
    let list = list.join(", ");
    let found = match name {
        _ if hosts.is_empty() => {
            return Err(Diagnostic::input("the program has no host function")
                .at(Position::start(module.location()))
                .note("mark the entry pl.host")
                .into());
        }
        Some(wanted) => {
            // As the program writes it, too.
            let wanted = wanted.strip_prefix('@').unwrap_or(wanted);
            names.iter().position(|name| name == wanted).ok_or_else(|| {
                Diagnostic::input(format!("the program has no host function @{wanted}"))
                    .at(Position::of(hosts[0].location()))
                    .note(format!("its host functions: {list}"))
            })
        }
        None if hosts.len() == 1 => Ok(0),
        None => names.iter().position(|name| name == "main").ok_or_else(|| {
            Diagnostic::input("the program has several host functions and no @main")
                .at(Position::of(hosts[0].location()))
                .note(format!("choose an entry: {list}"))
        }),
    }?;
    read(module, hosts[found])
}

fn hosts<'c, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut hosts = bridge::collect(module, |name| name == "func.func");
    hosts.retain(|function| function_kind(function) == Some(Kind::Host) && has_body(function));
    hosts
}

fn has_body(function: &OperationRef) -> bool {
    function
        .region(0)
        .is_ok_and(|region| region.first_block().is_some())
}

fn symbol_name(function: OperationRef) -> String {
    view::string(&function, "sym_name").unwrap_or_default()
}

fn read(module: OperationRef, function: OperationRef) -> Result<Entry, Error> {
    let name = symbol_name(function);
    let values = entry_arguments(function);
    let shards = bridge::collect(function, |name| name == "pl.shard");
    let sharded: Vec<_> = shards
        .iter()
        .filter_map(|shard| Some(through_casts(shard.operand(0).ok()?)))
        .collect();
    let arguments = values
        .iter()
        .enumerate()
        .map(|(index, &value)| {
            argument(function, index, value, sharded.contains(&value)).map_err(|what| {
                Diagnostic::input(format!("argument #{index} of @{name} {what}"))
                    .at(Position::of(function.location()))
            })
        })
        .collect::<Result<_, _>>()?;
    let windows = bridge::collect(function, |name| name == "pld.alloc_window_buffer");
    let members = windows
        .iter()
        .filter_map(|&op| view::AllocWindowBuffer::of(op)?.ranks)
        .flatten();
    Ok(Entry {
        position: Position::of(function.location()),
        arguments,
        world_sizes: view::integers(&function, "pld.world_sizes").map(|sizes| {
            sizes
                .into_iter()
                .filter_map(|n| n.try_into().ok())
                .collect()
        }),
        world_arrays: world_arrays(&sharded),
        greatest_member: members.max(),
        golden: golden(module, function, &name)?,
        name,
    })
}

/// The arrays of a stated number of ranks among those that are sharded.
fn world_arrays(sharded: &[Value]) -> Vec<WorldArray> {
    let array = |&value: &Value| {
        let alloc = view::defining_op(value).filter(|op| view::is(op, "memref.alloc"))?;
        let ranks = *Shaped::of(value.r#type())?.shape.first()?;
        (ranks != DYNAMIC).then(|| WorldArray {
            ranks,
            type_text: value.r#type().to_string(),
            position: Position::of(alloc.location()),
        })
    };
    sharded.iter().filter_map(array).collect()
}

fn through_casts<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(cast) = view::defining_op(value).filter(|op| view::is(op, "memref.cast")) {
        match cast.operand(0) {
            Ok(source) => value = source,
            Err(_) => break,
        }
    }
    value
}

/// Describes an argument, or says what is wrong with it.
fn argument(
    function: OperationRef,
    index: usize,
    value: Value,
    sharded: bool,
) -> Result<Argument, String> {
    let r#type = value.r#type();
    let shaped = Shaped::of(r#type);
    let (kind, element) = match &shaped {
        Some(shaped) if shaped.level == Level::Memory => {
            let kind = if sharded {
                ArgumentKind::World
            } else {
                ArgumentKind::Replicated
            };
            (kind, shaped.element())
        }
        Some(_) => return Err(format!("is {type}, expected an array or a scalar")),
        None => (ArgumentKind::Scalar, scalar_element(r#type)),
    };
    let Some(element) = element else {
        return Err(format!(
            "is {type}, expected elements of f32, f16, bf16, i8, i16, i32, i64 or i1"
        ));
    };
    let direction = arg_direction(&function, index);
    if kind == ArgumentKind::Replicated && direction != Direction::In {
        return Err(
            "is written, but no pl.shard takes it: every rank has its own copy of such an array, \
             so it is pl.in only"
                .into(),
        );
    }
    let fill = arg_attribute_of(&function, index, "pl.arg")
        .and_then(|attribute| StringAttribute::try_from(attribute).ok())
        .map(|text| text.value().to_owned());
    let shape = shaped.map_or_else(Vec::new, |shaped| shaped.shape);
    Ok(Argument {
        kind,
        element,
        shape: shape
            .into_iter()
            .map(|extent| usize::try_from(extent).ok().filter(|_| extent != DYNAMIC))
            .collect(),
        direction,
        fill,
        type_text: r#type.to_string(),
    })
}

fn scalar_element(r#type: Type) -> Option<Element> {
    if r#type.is_index() {
        Some(Element::I64)
    } else {
        Element::of(r#type)
    }
}

/// The function that is marked as the golden of `entry`.
fn golden(
    module: OperationRef,
    entry: OperationRef,
    name: &str,
) -> Result<Option<Golden>, Diagnostic> {
    let hosts: Vec<_> = hosts(module).into_iter().map(symbol_name).collect();
    let mut found = None;
    for function in bridge::collect(module, |name| name == "func.func") {
        let Ok(mark) = function.attribute("pl.golden") else {
            continue;
        };
        if marked_entry(mark, &hosts).map_err(|fault| fault.at(function))? != name {
            continue;
        }
        if !has_body(&function) {
            return Err(GoldenFault::new("has no body", "define it").at(function));
        }
        if type_of(&function) != type_of(&entry) {
            let what = format!("does not have the signature of its entry @{name}");
            return Err(GoldenFault::new(what, "give it the same argument types").at(function));
        }
        if found.is_some() {
            return Err(GoldenFault::new("is a second one of its entry", "keep one").at(function));
        }
        found = Some(Golden {
            name: symbol_name(function),
            rtol: float(&function, "pl.rtol"),
            atol: float(&function, "pl.atol"),
        });
    }
    Ok(found)
}

/// What is wrong with a golden, and how to mend it.
struct GoldenFault(String, &'static str);

impl GoldenFault {
    fn new(what: impl Into<String>, mend: &'static str) -> Self {
        Self(what.into(), mend)
    }

    fn at(self, golden: OperationRef) -> Diagnostic {
        Diagnostic::input(format!("golden @{} {}", symbol_name(golden), self.0))
            .at(Position::of(golden.location()))
            .note(self.1)
    }
}

/// The host function that `pl.golden` names, or the only one.
fn marked_entry(mark: Attribute, hosts: &[String]) -> Result<String, GoldenFault> {
    let mend = "write pl.golden = @entry";
    match FlatSymbolRefAttribute::try_from(mark) {
        Ok(of) if hosts.iter().any(|host| host == of.value()) => Ok(of.value().to_owned()),
        Ok(of) => {
            let what = format!("is of @{}, which is no host function", of.value());
            Err(GoldenFault::new(what, mend))
        }
        Err(_) => match hosts {
            [only] => Ok(only.clone()),
            _ => {
                let what = "does not say of which of several host functions";
                Err(GoldenFault::new(what, mend))
            }
        },
    }
}

fn float(function: &OperationRef, name: &str) -> Option<f64> {
    let attribute = function.attribute(name).ok()?;
    Some(FloatAttribute::try_from(attribute).ok()?.value())
}

fn type_of<'c>(function: &OperationRef<'c, '_>) -> Option<Attribute<'c>> {
    function.attribute("function_type").ok()
}
