//! What may be moved where: segments of a block, and values that must be held.
//!
//! Reads of slices sink, and writes of sinks are put off, to the end of their segment. A
//! segment ends where that would be seen: before notify, wait and all that orders; before an
//! access that may touch what a sink of it writes, or a write to what a slice reads; before
//! a sink of another height. A slice is read anew in a later segment, unless its memory may
//! have been written or something orders between: then the last value made of it before
//! that is held on-core.

use super::{
    alias::Aliases,
    graph::{Graph, Kind, NodeId},
};
use melior::ir::{
    BlockLike, BlockRef,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    view::{self, Access},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// An assemble or remote store of a tensor.
pub(super) struct Sink<'c, 'a> {
    pub(super) op: OperationRef<'c, 'a>,
    pub(super) access: Access<'c, 'a>,
    pub(super) value: NodeId,
}

/// A run of a block that is computed in one place: before its anchor.
pub(super) struct Segment<'c, 'a> {
    pub(super) anchor: OperationRef<'c, 'a>,
    at: usize,
    pub(super) sinks: Vec<Sink<'c, 'a>>,
    /// Values to leave as tiles.
    pub(super) holds: Vec<NodeId>,
}

/// What an operation and all in it do to memory.
#[derive(Default)]
struct Effects<'c, 'a> {
    /// Whether accesses may not be moved across it at all.
    orders: bool,
    accesses: Vec<Access<'c, 'a>>,
}

/// A block taken apart.
pub(super) struct Order<'g, 'c, 'a> {
    graph: &'g Graph<'c, 'a>,
    aliases: &'g Aliases<'c, 'a>,
    ops: Vec<OperationRef<'c, 'a>>,
    /// Where in the block a value is made.
    places: HashMap<NodeId, usize>,
    pub(super) segments: Vec<Segment<'c, 'a>>,
    /// Held values: the first and the last segment that they live in.
    pub(super) lives: BTreeMap<NodeId, (usize, usize)>,
}

impl<'g, 'c, 'a> Order<'g, 'c, 'a> {
    pub(super) fn of(
        graph: &'g Graph<'c, 'a>,
        aliases: &'g Aliases<'c, 'a>,
        block: BlockRef<'c, 'a>,
    ) -> Self {
        let mut order = Self {
            graph,
            aliases,
            ops: Vec::new(),
            places: HashMap::new(),
            segments: Vec::new(),
            lives: BTreeMap::new(),
        };
        let mut next = block.first_operation();
        while let Some(op) = next {
            let place = order.ops.len();
            let results = op.results().filter_map(|result| graph.id(result.into()));
            order.places.extend(results.map(|id| (id, place)));
            order.ops.push(op);
            next = op.next_in_block();
        }
        order.cut();
        while let Some((node, segment)) = order.missing_hold() {
            order.hold(node, segment);
        }
        order
    }

    /// Cuts the block into segments.
    fn cut(&mut self) {
        let mut sinks: Vec<Sink> = Vec::new();
        let mut slices: Vec<Access> = Vec::new();
        for (at, &anchor) in self.ops.iter().enumerate() {
            let access = Access::of(anchor);
            let sink = sink(self.graph, anchor);
            let ends = if let Some(sink) = &sink {
                let rows = |sink: &Sink| self.graph.nodes[sink.value].shape[0];
                sinks.iter().any(|other| {
                    rows(other) != rows(sink) || self.aliases.overlap(&other.access, &sink.access)
                })
            } else if let Some(slice) = access.as_ref().filter(|_| view::is(&anchor, "pl.slice")) {
                slices.push(slice.clone());
                sinks
                    .iter()
                    .any(|sink| self.aliases.overlap(&sink.access, slice))
            } else {
                let effects = effects(anchor);
                effects.orders
                    || at + 1 == self.ops.len()
                    || anchor.region_count() > 0
                        && (!effects.accesses.is_empty() || self.uses_tensors(anchor))
                    || effects.accesses.iter().any(|access| {
                        let mut reads = slices.iter().filter(|_| access.writes);
                        let mut writes = sinks.iter().map(|sink| &sink.access);
                        reads.any(|other| self.aliases.overlap(access, other))
                            || writes.any(|other| self.aliases.overlap(access, other))
                    })
            };
            if ends {
                self.segments.push(Segment {
                    anchor,
                    at,
                    sinks: std::mem::take(&mut sinks),
                    holds: self.passed(anchor),
                });
            }
            sinks.extend(sink);
        }
        let holds: Vec<_> = self
            .segments
            .iter()
            .enumerate()
            .flat_map(|(number, segment)| segment.holds.iter().map(move |&node| (node, number)))
            .collect();
        for (node, segment) in holds {
            self.lives.entry(node).or_insert((segment, segment));
        }
        for segment in 0..self.segments.len() {
            // The first one to want it makes it.
            let lives = &self.lives;
            self.segments[segment]
                .holds
                .retain(|node| lives[node].0 == segment);
        }
    }

    /// Values that an operation with regions, or a terminator, takes as tiles.
    fn passed(&self, op: OperationRef<'c, 'a>) -> Vec<NodeId> {
        if !view::name(&op).starts_with("scf.") {
            return vec![];
        }
        let mut nodes: Vec<_> = op
            .operands()
            .filter_map(|value| self.graph.id(value))
            .collect();
        nodes.retain(|&node| self.graph.nodes[node].kind != Kind::Carried);
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    fn uses_tensors(&self, op: OperationRef<'c, 'a>) -> bool {
        bridge::collect(op, |_| true).into_iter().any(|op| {
            let mut operands = op.operands();
            let mut results = op.results();
            operands.any(|value| self.graph.id(value).is_some())
                || results.any(|value| self.graph.id(value.into()).is_some())
        })
    }

    fn hold(&mut self, node: NodeId, segment: usize) {
        self.lives.insert(node, (segment, segment));
        self.segments[segment].holds.push(node);
    }

    /// A value that must be held, and the segment that makes it; `None` if all are. Notes
    /// until when those that are held live.
    fn missing_hold(&mut self) -> Option<(NodeId, usize)> {
        for number in 0..self.segments.len() {
            let segment = &self.segments[number];
            let mut walk = Walk {
                segment: number,
                until: segment.at,
                inside: false,
                seen: HashSet::new(),
                path: Vec::new(),
                used: Vec::new(),
            };
            let values = segment.sinks.iter().map(|sink| sink.value);
            let mut found = values
                .chain(segment.holds.iter().copied())
                .find_map(|root| self.walk(&mut walk, root, true));
            if view::name(&segment.anchor).starts_with("scf.") {
                // What it uses, and what is used inside: made inside, again and again.
                walk.until += 1;
                walk.inside = true;
                walk.seen.clear();
                let inner = bridge::collect(segment.anchor, |_| true)
                    .into_iter()
                    .flat_map(|op| op.operands().collect::<Vec<_>>());
                let mut roots = inner.filter_map(|value| self.graph.id(value));
                found = found.or_else(|| roots.find_map(|root| self.walk(&mut walk, root, false)));
            }
            if found.is_some() {
                return found;
            }
            for node in walk.used {
                if let Some(life) = self.lives.get_mut(&node) {
                    life.1 = life.1.max(number);
                }
            }
        }
        None
    }

    /// Follows what a value is made of, for the segment of the walk.
    fn walk(&self, walk: &mut Walk, node: NodeId, is_root: bool) -> Option<(NodeId, usize)> {
        let held = self.lives.get(&node).filter(|life| life.0 <= walk.segment);
        let makes_it = is_root && held.is_some_and(|life| life.0 == walk.segment);
        if held.is_some() && !makes_it {
            walk.used.push(node);
            return None;
        }
        // What is from around this block was looked at there.
        let place = *self.places.get(&node)?;
        if !walk.seen.insert(node) {
            return None;
        }
        walk.path.push(node);
        let mut found = None;
        if self.graph.nodes[node].kind == Kind::Slice {
            if let Some(event) = self.obstacle(node, place, walk) {
                let before =
                    |node: &&NodeId| self.places.get(*node).is_some_and(|&place| place < event);
                let held = walk.path.iter().find(before).copied().unwrap_or(node);
                found = Some((held, self.segment_at(event)));
            }
        } else {
            let operands = &self.graph.nodes[node].operands;
            found = operands
                .iter()
                .find_map(|&operand| self.walk(walk, operand, false));
        }
        walk.path.pop();
        found
    }

    /// The first operation that a read may not be moved across, on its way to the end of the
    /// segment of the walk.
    fn obstacle(&self, slice: NodeId, place: usize, walk: &Walk) -> Option<usize> {
        let read = Access::of(self.graph.nodes[slice].op)?;
        let own: Vec<_> = self.segments[walk.segment]
            .sinks
            .iter()
            .map(|sink| sink.op)
            .collect();
        (place + 1..walk.until).find(|&event| {
            let op = self.ops[event];
            let effects = effects(op);
            let mut writes = effects.accesses.iter().filter(|access| access.writes);
            // Sinks of the same segment are the plan's concern.
            (walk.inside || !own.contains(&op))
                && (effects.orders || writes.any(|write| self.aliases.overlap(write, &read)))
        })
    }

    /// The segment in which a value can still be made before an operation.
    fn segment_at(&self, event: usize) -> usize {
        let found = self.segments.iter().position(|segment| segment.at >= event);
        found.unwrap_or(0)
    }
}

/// A walk from the values of a segment to slices.
struct Walk {
    segment: usize,
    /// Place that the values are made before.
    until: usize,
    /// Whether they are made inside the anchor, behind the sinks of the segment.
    inside: bool,
    seen: HashSet<NodeId>,
    path: Vec<NodeId>,
    /// Held values that are met.
    used: Vec<NodeId>,
}

/// The sink that an operation is, if it is one.
pub(super) fn sink<'c, 'a>(
    graph: &Graph<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Option<Sink<'c, 'a>> {
    let access = Access::of(op).filter(|access| access.writes)?;
    let value = graph.id(access.value)?;
    Some(Sink { op, access, value })
}

fn effects<'c, 'a>(op: OperationRef<'c, 'a>) -> Effects<'c, 'a> {
    let mut all = Effects::default();
    for op in bridge::collect(op, |_| true) {
        let name = view::name(&op);
        if let Some(access) = Access::of(op) {
            all.accesses.push(access);
        } else if !is_silent(op, name) {
            all.orders = true;
        }
    }
    all
}

/// Whether an operation neither touches memory nor orders what does. Those of `scf` do what
/// is in them.
fn is_silent(op: OperationRef, name: &str) -> bool {
    // Those of pl that compute something do nothing else.
    if name.starts_with("pl.") {
        return op.result_count() > 0;
    }
    name.starts_with("arith.")
        || name.starts_with("scf.")
        || matches!(
            name,
            "memref.dim"
                | "ub.poison"
                | "func.return"
                | "pld.get_comm_ctx"
                | "pld.rank"
                | "pld.nranks"
        )
}
