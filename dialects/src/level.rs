//! Kinds of function, and what each may hold.
//!
//! Verified here: where each operation of ours may stand (103), allocation in a loop (102),
//! attributes of functions and arguments (103), function boundaries (103), upstream
//! operations in a function of a kind (103), floating-point scalar arithmetic in an in-core
//! function (109), calls (101, 103, 108, 111).

use crate::{
    bridge,
    diag::{self, Code},
    types::{Level, Shaped},
    view,
};
use melior::ir::{
    Attribute, BlockLike, RegionLike, Type, TypeLike, Value, ValueLike,
    attribute::{
        ArrayAttribute, AttributeLike, DenseI64ArrayAttribute, DictionaryAttribute,
        FlatSymbolRefAttribute, FloatAttribute, StringAttribute, TypeAttribute,
    },
    block::BlockArgument,
    operation::{OperationLike, OperationRef, WalkOrder, WalkResult},
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

/// Floating-point scalar arithmetic, which the AI core does not have.
const FLOAT_ARITHMETIC: &[&str] = &[
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.divf",
    "arith.remf",
    "arith.negf",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
    "arith.cmpf",
    "arith.extf",
    "arith.truncf",
    "arith.fptosi",
    "arith.fptoui",
    "arith.scaling_extf",
    "arith.scaling_truncf",
];

/// Attributes that passes of ours set and later ones read.
const INTERNAL: &[&str] = &[crate::pld::FROM, crate::pld::SITES];

const UNKNOWN: Code = Code(103);

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

/// The argument of a function that `value` refers to, through casts and shards.
pub(crate) fn root_argument<'c, 'a>(
    mut value: Value<'c, 'a>,
) -> Option<(OperationRef<'c, 'a>, usize)> {
    while let Some(op) = view::defining_op(value) {
        if !view::is(&op, "memref.cast") && !view::is(&op, "pl.shard") {
            return None;
        }
        value = op.operand(0).ok()?;
    }
    let argument = BlockArgument::try_from(value).ok()?;
    let function = parent_of_entry(&argument)?;
    Some((function, argument.argument_number()))
}

fn parent_of_entry<'c, 'a>(argument: &BlockArgument<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let block = bridge::owner_block(*argument);
    let function = block.parent_operation()?;
    view::is(&function, "func.func").then_some(function)
}

/// Reports a store through a `pl.in` argument (108); `what` says how it is stored to.
pub(crate) fn check_writable(op: OperationRef, memory: Value, what: &str) -> bool {
    let Some((function, index)) = root_argument(memory) else {
        return true;
    };
    if !memory.r#type().is_mem_ref() || function_kind(&function).is_none() {
        return true;
    }
    if arg_direction(&function, index) != Direction::In {
        return true;
    }
    diag::error(
        &op,
        Code(108),
        format!("{what} argument #{index}, which is pl.in, expected pl.out or pl.inout"),
    )
    .note(format!(
        "mark argument #{index} of the function {{pl.out}} or {{pl.inout}}"
    ))
    .emit();
    false
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
            UNKNOWN,
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

/// Checks a discardable `pl.` or `pld.` attribute of an operation (103).
pub(crate) fn op_attribute(op: OperationRef, name: &str, attribute: Attribute) -> bool {
    let refuse = |message: String, mend: &str| {
        diag::error(&op, UNKNOWN, message).note(mend).emit();
        false
    };
    if INTERNAL.contains(&name) {
        return true;
    }
    let known = matches!(
        name,
        "pl.host"
            | "pl.device"
            | "pl.incore"
            | "pl.golden"
            | "pl.rtol"
            | "pl.atol"
            | "pld.world_sizes"
    );
    if !known {
        return refuse(
            format!("has the unknown attribute '{name}'"),
            "known: pl.host, pl.device, pl.incore, pl.golden, pl.rtol, pl.atol, pld.world_sizes",
        );
    }
    if !view::is(&op, "func.func") {
        return refuse(
            format!("has the attribute '{name}', expected it on func.func only"),
            "remove it",
        );
    }
    match name {
        "pl.golden"
            if !attribute.is_unit() && FlatSymbolRefAttribute::try_from(attribute).is_err() =>
        {
            refuse(
                format!(
                    "attribute '{name}' is {attribute}, expected no value or the entry's @name"
                ),
                "write pl.golden or pl.golden = @entry",
            )
        }
        "pl.golden" => true,
        "pl.rtol" | "pl.atol" if FloatAttribute::try_from(attribute).is_err() => refuse(
            format!("attribute '{name}' is {attribute}, expected a float"),
            "write for example pl.rtol = 1.0e-5",
        ),
        "pl.rtol" | "pl.atol" => true,
        "pld.world_sizes" => {
            let sizes = DenseI64ArrayAttribute::try_from(attribute);
            let fine = sizes.is_ok_and(|sizes| {
                !sizes.is_empty()
                    && (0..sizes.len()).all(|i| sizes.element(i).is_ok_and(|size| size > 0))
            });
            if !fine {
                return refuse(
                    format!(
                        "attribute '{name}' is {attribute}, expected world sizes of at least 1"
                    ),
                    "write for example pld.world_sizes = array<i64: 2, 4>",
                );
            }
            if function_kind(&op) != Some(Host) {
                return refuse(
                    format!("has the attribute '{name}', expected it on a pl.host function"),
                    "move it there",
                );
            }
            true
        }
        _ if !attribute.is_unit() => refuse(
            format!("attribute '{name}' is {attribute}, expected no value"),
            "write the name alone",
        ),
        _ => {
            let kinds: Vec<_> = Kind::ALL
                .into_iter()
                .filter(|kind| op.has_attribute(kind.attribute()))
                .collect();
            if kinds.len() > 1 {
                // Reported once, for the first of them.
                return kinds[0].attribute() != name
                    || refuse(
                        format!("is both {} and {}", kinds[0], kinds[1]),
                        "keep one kind",
                    );
            }
            function(op, kinds[0])
        }
    }
}

/// Checks a `pl.` or `pld.` attribute of a function argument (103).
pub(crate) fn arg_attribute(
    op: OperationRef,
    argument: usize,
    name: &str,
    attribute: Attribute,
) -> bool {
    let refuse = |message: String, mend: &str| {
        diag::error(&op, UNKNOWN, format!("argument #{argument} {message}"))
            .note(mend)
            .emit();
        false
    };
    const DIRECTIONS: [&str; 3] = ["pl.in", "pl.out", "pl.inout"];
    if name == "pl.arg" {
        return StringAttribute::try_from(attribute).is_ok()
            || refuse(
                format!("has pl.arg = {attribute}, expected a string"),
                "write for example pl.arg = \"ramp\"",
            );
    }
    if !DIRECTIONS.contains(&name) {
        return refuse(
            format!("has the unknown attribute '{name}'"),
            "known: pl.in, pl.out, pl.inout, pl.arg",
        );
    }
    if !attribute.is_unit() {
        return refuse(
            format!("has {name} = {attribute}, expected no value"),
            "write the name alone",
        );
    }
    let r#type = signature(&op).and_then(|signature| signature.input(argument).ok());
    if !r#type.is_some_and(|r#type| r#type.is_mem_ref()) {
        return refuse(
            format!("is {name}, expected a direction on a memref only"),
            "remove it",
        );
    }
    let given: Vec<_> = DIRECTIONS
        .into_iter()
        .filter(|&name| arg_attribute_of(&op, argument, name).is_some())
        .collect();
    given.len() == 1
        || given.first() != Some(&name)
        || refuse(
            format!("is both {} and {}", given[0], given[1]),
            "keep one direction",
        )
}

/// Checks the boundary and the upstream operations of a function of a kind.
fn function(op: OperationRef, kind: Kind) -> bool {
    let mut fine = boundary(op, kind);
    let mut symbols = None;
    op.walk(WalkOrder::PreOrder, |inner| {
        let name = view::name(&inner);
        if inner == op || name.starts_with("pl.") || name.starts_with("pld.") {
            return WalkResult::Advance;
        }
        if name == "func.call" {
            let symbols = symbols.get_or_insert_with(|| functions_beside(op));
            fine &= call(inner, kind, symbols);
        } else if kind == InCore && (FLOAT_ARITHMETIC.contains(&name.as_str()) || is_float_math(inner, &name)) {
            diag::error(&inner, Code(109), "is floating-point scalar arithmetic in a pl.incore function")
                .note("the AI core has none: keep index math in integers and cast only for tile operations")
                .emit();
            fine = false;
        } else if !upstream_allowed(&name, kind) {
            diag::error(&inner, UNKNOWN, format!("may not stand in a {kind} function"))
                .note(format!("a {kind} function holds pl and pld operations, {}", upstream_list(kind)))
                .emit();
            fine = false;
        }
        WalkResult::Advance
    });
    fine
}

fn upstream_allowed(name: &str, kind: Kind) -> bool {
    matches!(
        name,
        "scf.for"
            | "scf.while"
            | "scf.if"
            | "scf.index_switch"
            | "scf.yield"
            | "scf.condition"
            | "func.return"
            | "memref.dim"
            | "ub.poison"
    ) || name.starts_with("arith.")
        || kind != InCore && matches!(name, "memref.cast" | "memref.alloc")
}

const fn upstream_list(kind: Kind) -> &'static str {
    match kind {
        Host => "scf, arith, memref.dim/cast/alloc",
        Device => "scf, arith, memref.dim/cast/alloc, calls of pl.incore functions",
        InCore => "scf, integer arith, memref.dim, calls of pl.incore functions",
    }
}

fn is_float_math(op: OperationRef, name: &str) -> bool {
    let is_float =
        |value: Value| matches!(crate::types::Element::of(value.r#type()), Some(e) if e.is_float());
    name.starts_with("math.") && op.operands().any(is_float)
}

fn is_scalar(r#type: Type) -> bool {
    r#type.is_index() || r#type.is_integer() || crate::types::Element::of(r#type).is_some()
}

/// Memrefs, windows and scalars in; nothing out, but scalars of in-core helpers.
fn boundary(op: OperationRef, kind: Kind) -> bool {
    let Some(signature) = signature(&op) else {
        return true;
    };
    let mut fine = true;
    let mut refuse = |message: String, mend: &str| {
        diag::error(&op, UNKNOWN, message).note(mend).emit();
        fine = false;
    };
    for index in 0..signature.input_count() {
        let Ok(r#type) = signature.input(index) else {
            continue;
        };
        let memory = Shaped::of(r#type).is_some_and(|shaped| shaped.is_memory());
        if r#type.is_mem_ref() && !bridge::has_identity_layout(r#type) {
            refuse(
                format!("argument #{index} is {type}, expected identity layout"),
                "use a memref without a layout",
            );
        } else if !memory && !is_scalar(r#type) {
            refuse(
                format!("argument #{index} is {type}, expected a memref, a window or a scalar"),
                "tiles and tensors do not cross function boundaries: pass memory",
            );
        }
    }
    if kind != InCore && signature.result_count() > 0 {
        refuse(
            format!("returns a value from a {kind} function"),
            "write results to pl.out arguments",
        );
    }
    for index in 0..signature.result_count() {
        let Ok(r#type) = signature.result(index) else {
            continue;
        };
        if kind == InCore && !is_scalar(r#type) {
            refuse(
                format!("result #{index} is {type}, expected a scalar"),
                "write results to pl.out arguments",
            );
        }
    }
    fine
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

/// Checks a `func.call` in a function of a kind.
fn call(op: OperationRef, kind: Kind, functions: &HashMap<String, OperationRef>) -> bool {
    let Some(name) = view::symbol(&op, "callee") else {
        return true;
    };
    // A missing function is upstream's own error.
    let Some(callee) = functions.get(&name) else {
        return true;
    };
    if kind == Host || function_kind(callee) != Some(InCore) {
        diag::error(
            &op,
            UNKNOWN,
            format!(
                "calls @{name} from a {kind} function, expected {}",
                match kind {
                    Host => "pld.dispatch of a pl.device function",
                    _ => "a call of a pl.incore function",
                }
            ),
        )
        .note_at(callee.location(), "the callee is here")
        .emit();
        return false;
    }
    let arguments: Vec<_> = op.operands().collect();
    check_arguments(op, &name, *callee, &arguments)
}

/// Checks the arguments of a call or dispatch against the callee (101, 108, 111).
pub(crate) fn check_arguments(
    op: OperationRef,
    name: &str,
    callee: OperationRef,
    arguments: &[Value],
) -> bool {
    let Some(signature) = signature(&callee) else {
        return true;
    };
    if signature.input_count() != arguments.len() {
        diag::error(
            &op,
            Code(111),
            format!(
                "passes {} arguments to @{name}, expected {}",
                arguments.len(),
                signature.input_count()
            ),
        )
        .note_at(callee.location(), "the callee is here")
        .emit();
        return false;
    }
    let mut fine = true;
    for (index, &argument) in arguments.iter().enumerate() {
        let (found, Ok(expected)) = (argument.r#type(), signature.input(index)) else {
            continue;
        };
        if found != expected {
            let level = |r#type| {
                Shaped::of(r#type)
                    .filter(Shaped::is_memory)
                    .map(|shaped| shaped.level)
            };
            let (report, mend) = match (level(found), level(expected)) {
                (Some(Level::Memory), Some(Level::Window)) => (
                    Code(101),
                    "pass a view of a window buffer (pld.window): a memref is local to its rank",
                ),
                (Some(Level::Window), Some(Level::Memory)) => (
                    Code(101),
                    "make the parameter a !pld.dtensor: a window is no local array",
                ),
                _ => (
                    Code(111),
                    "make the types equal; memref.cast forgets or states an extent",
                ),
            };
            diag::error(
                &op,
                report,
                format!("argument #{index} of @{name} is {found}, expected {expected}"),
            )
            .note(mend)
            .note_at(callee.location(), "the callee is here")
            .emit();
            fine = false;
        } else if arg_direction(&callee, index) != Direction::In {
            fine &= check_writable(
                op,
                argument,
                &format!("passes to parameter #{index} of @{name}, which writes it,"),
            );
        }
    }
    fine
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
