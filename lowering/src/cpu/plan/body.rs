//! A function's operations in program order, with what the planner asks of them.

use melior::ir::{
    BlockLike, RegionLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{bridge, view};
use std::collections::HashMap;

/// A function's operations, the function itself first.
pub(super) struct Body<'c, 'a> {
    /// In program order, an operation before what is inside it.
    pub(super) ops: Vec<OperationRef<'c, 'a>>,
    /// The operation around each; its own number for the function.
    pub(super) parents: Vec<usize>,
    /// The last operation inside each, or itself.
    pub(super) ends: Vec<usize>,
    /// By value key, the operations that use it, in program order.
    uses: HashMap<usize, Vec<usize>>,
}

impl<'c, 'a> Body<'c, 'a> {
    pub(super) fn of(function: OperationRef<'c, 'a>) -> Self {
        let ops = bridge::collect(function, |_| true);
        let key = |op: &OperationRef| op.to_raw().ptr as usize;
        let numbers: HashMap<usize, usize> = ops.iter().map(key).zip(0..).collect();
        let parents: Vec<usize> = ops
            .iter()
            .enumerate()
            .map(|(number, op)| {
                let parent = op.parent_operation();
                let parent = parent.and_then(|parent| numbers.get(&key(&parent)));
                parent.copied().unwrap_or(number)
            })
            .collect();
        let mut ends: Vec<usize> = (0..ops.len()).collect();
        for number in (1..ops.len()).rev() {
            let parent = parents[number];
            ends[parent] = ends[parent].max(ends[number]);
        }
        let mut uses: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, op) in ops.iter().enumerate() {
            for operand in op.operands() {
                let key = bridge::value_key(operand);
                uses.entry(key).or_default().push(number);
            }
        }
        Self {
            ops,
            parents,
            ends,
            uses,
        }
    }

    /// The operations that use a value.
    pub(super) fn uses(&self, value: Value) -> &[usize] {
        let uses = self.uses.get(&bridge::value_key(value));
        uses.map_or(&[], Vec::as_slice)
    }

    /// The last operation up to which a value made by `definition` must be kept for a use:
    /// the use, or the end of the outermost loop that repeats the use but not the
    /// definition.
    pub(super) fn kept_until(&self, definition: usize, usage: usize) -> usize {
        let mut until = usage;
        let mut around = self.parents[usage];
        while around > definition {
            if matches!(view::name(&self.ops[around]), "scf.for" | "scf.while") {
                until = until.max(self.ends[around]);
            }
            around = self.parents[around];
        }
        until
    }
}

/// The tiles that an operation makes: its results, then the arguments of its regions.
pub(in super::super) fn tile_values<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let results = op.results().map(Into::into);
    let arguments = op.regions().flat_map(|region| {
        region.first_block().into_iter().flat_map(|block| {
            (0..block.argument_count())
                .filter_map(move |index| block.argument(index).ok().map(Value::from))
        })
    });
    results
        .chain(arguments)
        .filter(|value| bridge::is_tile(value.r#type()))
        .collect()
}

/// Tiles that flow along an edge of structured control flow.
pub(in super::super) struct Edge<'c, 'a> {
    /// The operation at which they flow: the loop itself, or a terminator inside.
    pub(in super::super) at: OperationRef<'c, 'a>,
    /// Operand of `at`, and the tile it becomes.
    pub(in super::super) tiles: Vec<(usize, Value<'c, 'a>)>,
}

/// The edges of an `scf` operation along which tiles flow. An operation of another dialect
/// has none.
pub(in super::super) fn edges<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Edge<'c, 'a>> {
    let terminator = |region: usize| {
        let block = op.region(region).ok()?.first_block()?;
        block.terminator()
    };
    let arguments = |region: usize, skip: usize| -> Vec<Value<'c, 'a>> {
        let block = op
            .region(region)
            .ok()
            .and_then(|region| region.first_block());
        block.map_or_else(Vec::new, |block| {
            (skip..block.argument_count())
                .filter_map(|index| block.argument(index).ok().map(Value::from))
                .collect()
        })
    };
    let results = || op.results().map(Value::from).collect::<Vec<_>>();
    let edge = |at: Option<OperationRef<'c, 'a>>, skip: usize, targets: &[Value<'c, 'a>]| {
        let tiles: Vec<_> = targets
            .iter()
            .enumerate()
            .filter(|(_, target)| bridge::is_tile(target.r#type()))
            .map(|(index, &target)| (index + skip, target))
            .collect();
        at.filter(|_| !tiles.is_empty())
            .map(|at| Edge { at, tiles })
    };
    let found = match view::name(&op) {
        "scf.for" => vec![
            edge(Some(op), 3, &arguments(0, 1)),
            edge(terminator(0), 0, &arguments(0, 1)),
        ],
        "scf.if" | "scf.index_switch" => (0..op.region_count())
            .map(|region| edge(terminator(region), 0, &results()))
            .collect(),
        "scf.while" => vec![
            edge(Some(op), 0, &arguments(0, 0)),
            edge(terminator(0), 1, &results()),
            edge(terminator(1), 0, &arguments(0, 0)),
        ],
        _ => vec![],
    };
    found.into_iter().flatten().collect()
}

/// Sets of tiles of an `scf` operation that are one: a loop's argument and result. An
/// operation of another dialect has none.
pub(super) fn joined<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Vec<Value<'c, 'a>>> {
    let name = view::name(&op);
    if !name.starts_with("scf.") {
        return Vec::new();
    }
    // The region whose arguments become the results, and how many stand before them.
    let region = match name {
        "scf.for" => Some((0, 1)),
        "scf.while" => Some((1, 0)),
        _ => None,
    };
    let argument = |index: usize| {
        let (region, skip) = region?;
        let block = op.region(region).ok()?.first_block()?;
        block.argument(index + skip).ok().map(Value::from)
    };
    let mut sets: Vec<Vec<Value>> = op
        .results()
        .map(Value::from)
        .enumerate()
        .filter(|(_, result)| bridge::is_tile(result.r#type()))
        .map(|(index, result)| [result].into_iter().chain(argument(index)).collect())
        .collect();
    if name == "scf.while" {
        let before = edges(op).into_iter().find(|edge| edge.at == op);
        let arguments = before.map(|edge| edge.tiles).unwrap_or_default();
        sets.extend(arguments.into_iter().map(|(_, argument)| vec![argument]));
    }
    sets
}
