//! Expressions that stand where they are used, not in a line of their own.

use super::{Printer, is_arithmetic};
use melior::ir::{
    BlockLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};
use pld_dialects::{
    bridge,
    pl::{NAME, SOURCE},
    view,
};
use std::collections::HashMap;

/// How tightly the parts of a text hold together: operands of another operator may need
/// parentheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// A name, a literal, a call.
    #[default]
    Atom,
    /// `*`, `/`, `%`
    Product,
    /// `+`, `-`
    Sum,
    /// `<`, `==`, ...
    Comparison,
    /// All else.
    Loose,
}

/// Who uses a value.
pub(super) struct Use {
    count: usize,
    block: usize,
    source: Option<String>,
    /// Whether the user evaluates the value once.
    once: bool,
}

/// The longest text that does not get a name.
const LONGEST: usize = 72;

/// The uses of each value in a function.
pub(super) fn uses(function: OperationRef) -> HashMap<usize, Use> {
    let mut uses = HashMap::new();
    for user in bridge::collect(function, |_| true) {
        for value in user.operands() {
            let found = uses.entry(bridge::value_key(value)).or_insert_with(|| Use {
                count: 0,
                block: block_of(user),
                source: view::string(&user, SOURCE),
                once: evaluates_once(user),
            });
            found.count += 1;
        }
    }
    uses
}

fn block_of(op: OperationRef) -> usize {
    op.block().map_or(0, |block| block.to_raw().ptr as usize)
}

fn evaluates_once(user: OperationRef) -> bool {
    match view::name(&user) {
        // One of a loop does not.
        "emitc.verbatim" => {
            view::string(&user, "value").is_some_and(|text| !text.contains("for ("))
        }
        "emitc.if" | "emitc.assign" | "emitc.call_opaque" => true,
        name => is_arithmetic(name),
    }
}

impl Printer {
    /// Whether an expression stands where it is used: once, in the same block, for the same
    /// source line. One that the program has named keeps its name. Floats keep theirs too: a
    /// compiler may round a product and sum of one statement as one.
    pub(super) fn is_inlined(&self, op: OperationRef, text: &str) -> bool {
        let Ok(result) = op.result(0) else {
            return false;
        };
        let result: Value = result.into();
        let used = self.uses.get(&bridge::value_key(result));
        is_arithmetic(view::name(&op))
            && text.len() <= LONGEST
            && keeps_type(op, result)
            && !op.has_attribute(NAME)
            && bridge::location_name(op.location()).is_none()
            && used.is_some_and(|used| {
                used.count == 1
                    && used.once
                    && used.block == block_of(op)
                    && used.source == view::string(&op, SOURCE)
            })
    }
}

/// Whether C++ gives the expression the type that the operation has: narrow ones become int.
fn keeps_type(op: OperationRef, result: Value) -> bool {
    let width = IntegerType::try_from(result.r#type()).map_or(0, |integer| integer.width());
    match width {
        1 => matches!(
            view::name(&op),
            "emitc.cmp" | "emitc.logical_and" | "emitc.logical_or" | "emitc.logical_not"
        ),
        width => width >= 32,
    }
}

/// How tightly the text of an operation holds together.
pub(super) fn binding(name: &str) -> Binding {
    match name {
        "emitc.cast" | "emitc.call_opaque" => Binding::Atom,
        "emitc.mul" | "emitc.div" | "emitc.rem" => Binding::Product,
        "emitc.add" | "emitc.sub" => Binding::Sum,
        "emitc.cmp" => Binding::Comparison,
        _ => Binding::Loose,
    }
}
