//! Which accesses may touch common memory.
//!
//! Arguments of the host's entry are arrays of their own. A window is one object for all
//! ranks, since a peer may be the own rank; views of one buffer are one object.

use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, flow,
    types::{Level, Shaped},
    view::{self, Access, Dispatch, Mixed},
};
use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
};

/// What the functions of a module are called with.
pub(super) struct Aliases<'c, 'a> {
    /// By callee and number of the argument.
    passed: HashMap<(String, usize), Vec<Value<'c, 'a>>>,
    known: RefCell<HashMap<usize, BTreeSet<usize>>>,
}

impl<'c, 'a> Aliases<'c, 'a> {
    pub(super) fn of(module: OperationRef<'c, 'a>) -> Self {
        let mut passed: HashMap<_, Vec<_>> = HashMap::new();
        for op in bridge::collect(module, |name| matches!(name, "func.call" | "pld.dispatch")) {
            let (callee, arguments) = match Dispatch::of(op) {
                Some(dispatch) => (Some(dispatch.callee), dispatch.arguments),
                None => (view::symbol(&op, "callee"), op.operands().collect()),
            };
            for (index, argument) in arguments.into_iter().enumerate() {
                let key = (callee.clone().unwrap_or_default(), index);
                passed.entry(key).or_default().push(argument);
            }
        }
        Self {
            passed,
            known: RefCell::default(),
        }
    }

    /// Whether two accesses may touch common bytes.
    pub(super) fn overlap(&self, one: &Access<'c, 'a>, other: &Access<'c, 'a>) -> bool {
        Level::of(one.memory.r#type()) == Level::of(other.memory.r#type())
            && !self
                .roots(one.memory)
                .is_disjoint(&self.roots(other.memory))
            && !are_apart(one, other)
    }

    /// The arrays and buffers that memory may be part of, by key.
    fn roots(&self, memory: Value<'c, 'a>) -> BTreeSet<usize> {
        let key = bridge::value_key(memory);
        if let Some(roots) = self.known.borrow().get(&key) {
            return roots.clone();
        }
        let mut open = flow::roots(memory);
        let mut seen: BTreeSet<usize> =
            open.iter().map(|&value| bridge::value_key(value)).collect();
        let mut found = BTreeSet::new();
        while let Some(value) = open.pop() {
            let passed = flow::function_argument(value).and_then(|(function, index)| {
                let name = view::string(&function, "sym_name")?;
                self.passed.get(&(name, index))
            });
            let Some(passed) = passed else {
                found.insert(bridge::value_key(value));
                continue;
            };
            let more = passed.iter().flat_map(|&value| flow::roots(value));
            open.extend(more.filter(|&value| seen.insert(bridge::value_key(value))));
        }
        self.known.borrow_mut().insert(key, found.clone());
        found
    }
}

/// Whether two accesses start at the same element.
pub(super) fn same_place(one: &Access, other: &Access) -> bool {
    let folded = |access: &Access| -> Vec<_> {
        let offsets = access.offsets.iter().copied();
        offsets.map(|offset| key(offset.folded())).collect()
    };
    one.memory == other.memory && folded(one) == folded(other)
}

/// What tells offsets apart: a number, or a value.
fn key(offset: Mixed) -> (i64, usize) {
    match offset {
        Mixed::Static(number) => (number, 0),
        Mixed::Dynamic(value) => (0, bridge::value_key(value)),
    }
}

/// Whether two accesses of the same memory are sure to have nothing in common.
fn are_apart(one: &Access, other: &Access) -> bool {
    let rank = one.offsets.len();
    if one.memory != other.memory || rank != other.offsets.len() {
        return false;
    }
    let range = |access: &Access, dim: usize| {
        let from = access.offsets[dim].folded().as_static()?;
        // Leading dims count 1.
        let extent = match (dim + 2).checked_sub(rank) {
            Some(inner) => {
                Shaped::of(access.value.r#type()).map_or(1, |shaped| shaped.shape[inner])
            }
            None => 1,
        };
        Some((from, from + extent))
    };
    (0..rank).any(|dim| match (range(one, dim), range(other, dim)) {
        (Some((from, to)), Some((other_from, other_to))) => to <= other_from || other_to <= from,
        _ => false,
    })
}
