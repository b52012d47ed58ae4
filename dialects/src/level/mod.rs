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
    bridge,
    diag::{self, Code},
    pl::TENSORS,
    types::Level,
    view,
};
use melior::ir::{
    Attribute, BlockLike, RegionLike, TypeLike, Value, ValueLike,
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

/// Breach of a level rule.
const LEVEL_RULE: Code = Code(103);

/// The kinds of function that an operation of ours, as `pl.load`, may stand in; none for what
/// is no operation of ours.
pub fn kinds_for(operation: &str) -> &'static [Kind] {
    match operation {
        "pl.load" | "pl.store" | "pl.read" | "pl.write" | "pl.slice" | "pl.assemble"
        | "pl.full" | "pl.iota" | "pl.add" | "pl.sub" | "pl.mul" | "pl.div" | "pl.max"
        | "pl.min" | "pl.adds" | "pl.subs" | "pl.muls" | "pl.divs" | "pl.maxs" | "pl.mins"
        | "pl.exp" | "pl.log" | "pl.sqrt" | "pl.rsqrt" | "pl.recip" | "pl.neg" | "pl.abs"
        | "pl.relu" | "pl.and" | "pl.or" | "pl.xor" | "pl.not" | "pl.shl" | "pl.shr" | "pl.cmp"
        | "pl.select" | "pl.cast" | "pl.row_sum" | "pl.row_max" | "pl.row_min" | "pl.row_prod"
        | "pl.col_sum" | "pl.col_max" | "pl.col_min" | "pl.col_prod" | "pl.row_expand"
        | "pl.row_expand_add" | "pl.row_expand_sub" | "pl.row_expand_mul" | "pl.row_expand_div"
        | "pl.row_expand_max" | "pl.row_expand_min" | "pl.col_expand" | "pl.col_expand_add"
        | "pl.col_expand_sub" | "pl.col_expand_mul" | "pl.col_expand_div" | "pl.col_expand_max"
        | "pl.col_expand_min" | "pl.extract_slice" | "pl.insert_slice" | "pl.concat"
        | "pl.reshape" | "pl.transpose" | "pl.gather" | "pl.matmul" | "pl.matmul_acc"
        | "pl.sync_blocks" | "pld.notify" | "pld.wait" | "pld.remote_load" | "pld.remote_store"
        | "pld.put" | "pld.get" => &[InCore],
        "pl.dim" | "pl.block_idx" | "pl.block_num" | "pld.get_comm_ctx" | "pld.rank"
        | "pld.nranks" => &[Device, InCore],
        "pl.shard"
        | "pld.alloc_window_buffer"
        | "pld.window"
        | "pld.world_size"
        | "pld.dispatch" => &[Host],
        "pl.at" | "pl.spmd" => &[Device],
        "pld.barrier" | "pld.allreduce" | "pld.broadcast" | "pld.allgather"
        | "pld.reduce_scatter" | "pld.all_to_all" | "pld.all_to_all_v" => &[Host, InCore],
        _ => &[],
    }
}

/// The kind of a `func.func`; `None` if it has none.
pub fn function_kind<'c: 'a, 'a>(function: &impl OperationLike<'c, 'a>) -> Option<Kind> {
    // Most operations ask for it from in-core functions.
    let mut kinds = Kind::ALL.into_iter().rev();
    kinds.find(|kind| bridge::discardable_attribute(function, kind.attribute()).is_some())
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

/// Whether an operation may be inlined into the code of `into`: their functions are of one
/// kind.
pub(crate) fn may_inline(op: OperationRef, into: OperationRef) -> bool {
    let kind = |op: OperationRef| {
        let function = Some(op).filter(|op| view::is(op, "func.func"));
        function_kind(&function.or_else(|| enclosing_function(op))?)
    };
    kind(op) == kind(into)
}

/// The direction of argument `index` of a `func.func`.
pub fn arg_direction<'c: 'a, 'a>(function: &impl OperationLike<'c, 'a>, index: usize) -> Direction {
    let Some(own) = arg_attributes(function, index) else {
        return Direction::In;
    };
    if own.element_by_name("pl.out").is_some() {
        Direction::Out
    } else if own.element_by_name("pl.inout").is_some() {
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
    arg_attributes(function, index)?.element_by_name(name)
}

fn arg_attributes<'c: 'a, 'a>(
    function: &impl OperationLike<'c, 'a>,
    index: usize,
) -> Option<DictionaryAttribute<'c>> {
    let all = ArrayAttribute::try_from(bridge::attribute(function, "arg_attrs")?).ok()?;
    DictionaryAttribute::try_from(all.element(index).ok()?).ok()
}

/// The signature of a `func.func`.
pub fn signature<'c: 'a, 'a>(function: &impl OperationLike<'c, 'a>) -> Option<FunctionType<'c>> {
    let attribute = TypeAttribute::try_from(bridge::attribute(function, "function_type")?).ok()?;
    FunctionType::try_from(attribute.value()).ok()
}

/// Where an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// What runs it: the function's kind, or in-core inside `pl.at`.
    pub kind: Option<Kind>,
    /// Whether it is inside `pl.at`, or a function made of it, where values are tensors.
    pub in_at: bool,
    /// Whether it is inside `pl.spmd`.
    pub in_spmd: bool,
}

impl Place {
    /// The place of an operation, itself not counted.
    pub fn of(op: OperationRef) -> Self {
        let mut place = Self {
            kind: None,
            in_at: false,
            in_spmd: false,
        };
        let mut parent = op.parent_operation();
        while let Some(op) = parent {
            match bridge::operation_name_bytes(&op) {
                b"pl.at" => place.in_at = true,
                b"pl.spmd" => place.in_spmd = true,
                b"func.func" => {
                    let kind = function_kind(&op);
                    place.in_at |= bridge::discardable_attribute(&op, TENSORS).is_some();
                    place.kind = if place.in_at {
                        kind.map(|_| InCore)
                    } else {
                        kind
                    };
                    break;
                }
                _ => {}
            }
            parent = op.parent_operation();
        }
        place
    }

    fn describe(self) -> String {
        match (self.in_at, self.kind) {
            (true, _) => "a pl.at region".into(),
            (false, Some(kind)) => format!("a {kind} function"),
            (false, None) => "a function without a kind".into(),
        }
    }
}

/// Checks that an operation of ours stands where it may (103), and that windows are not
/// allocated in a loop (102). `name` is the operation's.
pub(crate) fn operation(op: OperationRef, name: &str) -> bool {
    let allowed = kinds_for(name);
    let place = Place::of(op);
    let mut fine = true;
    let mut refuse = |code, message: String, mend: String| {
        diag::error(&op, code, message).note(mend).emit();
        fine = false;
    };
    if place.kind.is_none_or(|kind| !allowed.contains(&kind)) {
        let expected: Vec<_> = allowed.iter().map(|kind| kind.attribute()).collect();
        let expected = expected.join(" or ");
        refuse(
            LEVEL_RULE,
            format!("stands in {}, expected {expected}", place.describe()),
            format!("move it into a function marked {expected}"),
        );
    } else if let Some(level) = wrong_value_level(op, place) {
        let (found, mend) = match level {
            Level::Tile => (
                "holds a tile in a pl.at region, where values are tensors",
                "use pl.slice and pl.assemble, or a pl.incore function",
            ),
            _ => (
                "holds a tensor outside of pl.at",
                "use tiles in a pl.incore function, or a pl.at region in a pl.device function",
            ),
        };
        refuse(LEVEL_RULE, found.into(), mend.into());
    }
    if name == "pl.spmd" && place.in_spmd {
        refuse(
            LEVEL_RULE,
            "stands in another pl.spmd, expected none around it".into(),
            "use one pl.spmd and split its blocks".into(),
        );
    }
    if matches!(name, "pl.block_idx" | "pl.block_num")
        && place.kind == Some(Device)
        && !place.in_spmd
    {
        refuse(
            LEVEL_RULE,
            "stands outside of pl.spmd in a pl.device function".into(),
            "move it into the pl.spmd region, or into the pl.incore function".into(),
        );
    }
    if name == "pld.alloc_window_buffer" && in_loop(op) {
        refuse(
            Code(102),
            "stands in a loop: it allocates per iteration instead of once".into(),
            "hoist the allocation above the loop and keep pld.window inside".into(),
        );
    }
    fine
}

/// The level of a value that may not stand here: a tile in `pl.at`, a tensor elsewhere.
/// Memory operands are the operation's own rule (101).
fn wrong_value_level(op: OperationRef, place: Place) -> Option<Level> {
    let wrong = if place.in_at {
        Level::Tile
    } else {
        Level::Tensor
    };
    let is_wrong = |value: Value| match wrong {
        Level::Tile => bridge::is_tile(value.r#type()),
        _ => value.r#type().is_ranked_tensor(),
    };
    let is_memory = |index| match view::name(&op) {
        "pl.load" | "pl.read" | "pl.slice" | "pld.remote_load" | "pl.dim" => index == 0,
        "pl.store" | "pl.write" | "pl.assemble" | "pld.remote_store" => index == 1,
        name => name.starts_with("pld."),
    };
    let found = op.results().any(|result| is_wrong(result.into()))
        || op
            .operands()
            .enumerate()
            .any(|(index, value)| is_wrong(value) && !is_memory(index));
    found.then_some(wrong)
}

fn in_loop(op: OperationRef) -> bool {
    let mut parent = op.parent_operation();
    while let Some(op) = parent {
        match view::name(&op) {
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
