//! Kinds of function, and what each may hold.
//!
//! Verified here: where each operation of ours may stand (103), allocation in a loop (102).
//! In [`attribute`]: attributes of functions, their arguments and results (103). In
//! [`body`]: function boundaries (103, 104, 105), upstream operations in a function of a
//! kind (103), floating-point scalar arithmetic in an in-core function (109). In [`call`]:
//! arguments of calls and dispatches (101, 103, 108, 111), stores to `pl.in` (108).

pub(crate) mod attribute;
mod body;
pub(crate) mod call;

use crate::{
    diag::{self, Code},
    view,
};
use melior::ir::{
    Attribute, BlockLike, RegionLike, Value,
    attribute::{ArrayAttribute, DictionaryAttribute, TypeAttribute},
    operation::{OperationLike, OperationRef},
    r#type::FunctionType,
};
use std::{
    collections::HashMap,
    fmt::{self, Display},
};

/// The kind of a function: what it runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `pl.host`: the host CPU, once per program.
    Host,
    /// `pl.device`: one per rank, orchestration.
    Device,
    /// `pl.incore`: the AI core.
    InCore,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Host, Self::Device, Self::InCore];

    /// The unit attribute that marks it.
    pub const fn attribute(self) -> &'static str {
        match self {
            Self::Host => "pl.host",
            Self::Device => "pl.device",
            Self::InCore => "pl.incore",
        }
    }
}

impl Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.attribute())
    }
}

/// Direction of a memref argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Read only; the default.
    In,
    /// Written; starts as zeros in the simulator.
    Out,
    /// Read and written.
    InOut,
}

use Kind::{Device, Host, InCore};

/// Where operations of ours may stand. One row per operation.
const ALLOWED: &[(&str, &[Kind])] = &[
    ("pl.load", &[InCore]),
    ("pl.store", &[InCore]),
    ("pl.read", &[InCore]),
    ("pl.write", &[InCore]),
    ("pl.dim", &[Device, InCore]),
    ("pl.shard", &[Host]),
    ("pl.full", &[InCore]),
    ("pl.add", &[InCore]),
    ("pl.mul", &[InCore]),
    ("pl.adds", &[InCore]),
    ("pl.muls", &[InCore]),
    ("pl.cast", &[InCore]),
    ("pld.alloc_window_buffer", &[Host]),
    ("pld.window", &[Host]),
    ("pld.world_size", &[Host]),
    ("pld.dispatch", &[Host]),
    ("pld.get_comm_ctx", &[Device, InCore]),
    ("pld.rank", &[Device, InCore]),
    ("pld.nranks", &[Device, InCore]),
    ("pld.notify", &[InCore]),
    ("pld.wait", &[InCore]),
    ("pld.barrier", &[Host, InCore]),
    ("pld.remote_load", &[InCore]),
    ("pld.remote_store", &[InCore]),
];

/// Breach of a level rule.
const LEVEL_RULE: Code = Code(103);

/// The kind of a `func.func`; `None` if it has none.
pub fn function_kind<'c: 'a, 'a>(function: &impl OperationLike<'c, 'a>) -> Option<Kind> {
    Kind::ALL
        .into_iter()
        .find(|kind| function.has_attribute(kind.attribute()))
}

/// The innermost `func.func` around an operation.
pub fn enclosing_function<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut parent = op.parent_operation();
    while let Some(op) = parent {
        if view::is(&op, "func.func") {
            return Some(op);
        }
        parent = op.parent_operation();
    }
    None
}

/// The direction of argument `index` of a `func.func`.
pub fn arg_direction<'c: 'a, 'a>(function: &impl OperationLike<'c, 'a>, index: usize) -> Direction {
    let has = |name| arg_attribute_of(function, index, name).is_some();
    if has("pl.out") {
        Direction::Out
    } else if has("pl.inout") {
        Direction::InOut
    } else {
        Direction::In
    }
}

/// An attribute of argument `index` of a `func.func`.
pub fn arg_attribute_of<'c: 'a, 'a>(
    function: &impl OperationLike<'c, 'a>,
    index: usize,
    name: &str,
) -> Option<Attribute<'c>> {
    let all = ArrayAttribute::try_from(function.attribute("arg_attrs").ok()?).ok()?;
    let own = DictionaryAttribute::try_from(all.element(index).ok()?).ok()?;
    own.element_by_name(name)
}

/// The signature of a `func.func`.
pub fn signature<'c: 'a, 'a>(function: &impl OperationLike<'c, 'a>) -> Option<FunctionType<'c>> {
    let attribute = TypeAttribute::try_from(function.attribute("function_type").ok()?).ok()?;
    FunctionType::try_from(attribute.value()).ok()
}

/// Checks that an operation of ours stands in a function of a kind that may hold it (103),
/// and that windows are not allocated in a loop (102).
pub(crate) fn operation(op: OperationRef) -> bool {
    let name = view::name(&op);
    let allowed = ALLOWED
        .iter()
        .find(|row| row.0 == name)
        .map_or(&[][..], |row| row.1);
    let kind = enclosing_function(op).and_then(|function| function_kind(&function));
    let mut fine = true;
    if kind.is_none_or(|kind| !allowed.contains(&kind)) {
        let expected: Vec<_> = allowed.iter().map(|kind| kind.attribute()).collect();
        let expected = expected.join(" or ");
        let found = kind.map_or("a function without a kind".into(), |kind| {
            format!("a {kind} function")
        });
        diag::error(
            &op,
            LEVEL_RULE,
            format!("stands in {found}, expected {expected}"),
        )
        .note(format!("move it into a function marked {expected}"))
        .emit();
        fine = false;
    }
    if name == "pld.alloc_window_buffer" && in_loop(op) {
        diag::error(
            &op,
            Code(102),
            "stands in a loop: it allocates per iteration instead of once",
        )
        .note("hoist the allocation above the loop and keep pld.window inside")
        .emit();
        fine = false;
    }
    fine
}

fn in_loop(op: OperationRef) -> bool {
    let mut parent = op.parent_operation();
    while let Some(op) = parent {
        match view::name(&op).as_str() {
            "scf.for" | "scf.while" | "scf.parallel" | "scf.forall" => return true,
            "func.func" => return false,
            _ => parent = op.parent_operation(),
        }
    }
    false
}

/// The functions of the module around `op`, by name.
pub fn functions_beside<'c, 'a>(op: OperationRef<'c, 'a>) -> HashMap<String, OperationRef<'c, 'a>> {
    let mut functions = HashMap::new();
    let mut next = op.block().and_then(|block| block.first_operation());
    while let Some(op) = next {
        if let Some(name) = view::string(&op, "sym_name") {
            functions.insert(name, op);
        }
        next = op.next_in_block();
    }
    functions
}

/// The entry block's arguments of a function.
pub fn entry_arguments<'c, 'a>(function: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let block = function
        .region(0)
        .ok()
        .and_then(|region| region.first_block());
    block.map_or_else(Vec::new, |block| {
        (0..block.argument_count())
            .filter_map(|index| Some(block.argument(index).ok()?.into()))
            .collect()
    })
}
