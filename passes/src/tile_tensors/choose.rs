//! The shape of the tiles of a segment: the plan that moves least, of those that fit the
//! budget and keep the order of reads and writes.

use super::{
    alias::{Aliases, same_place},
    graph::{Graph, Kind, NodeId},
    order::Sink,
    planner::{Limits, Planner},
    region::{Range, Region, blocks},
    tree::{Cost, Plan, Stmt, TileId},
};
use pld_dialects::view::Access;
use std::collections::{BTreeSet, HashSet};

/// What is to be planned.
pub(super) struct Job<'g, 'c, 'a> {
    pub(super) graph: &'g Graph<'c, 'a>,
    pub(super) aliases: &'g Aliases<'c, 'a>,
    pub(super) sinks: &'g [Sink<'c, 'a>],
    pub(super) holds: &'g [NodeId],
    /// Values that are tiles from before.
    pub(super) outer: &'g HashSet<NodeId>,
    /// Bytes for tiles.
    pub(super) budget: i64,
}

/// The smallest tiles do not fit: what they need, and the tiles that are alive then.
pub(super) struct TooLarge<'c> {
    pub(super) bytes: i64,
    pub(super) alive: Vec<TileId>,
    pub(super) plan: Plan<'c>,
}

const NO_LIMIT: i64 = i64::MAX;

impl<'c, 'a> Job<'_, 'c, 'a> {
    /// The best plan.
    pub(super) fn choose(&self) -> Result<Plan<'c>, Box<TooLarge<'c>>> {
        let partial = |sink: &Sink| sink.access.valid.is_some();
        let numbers = 0..self.sinks.len();
        // Sinks whose value is made before anything is stored.
        let mut first: BTreeSet<usize> = numbers
            .filter(|&number| partial(&self.sinks[number]))
            .collect();
        loop {
            match self.search(&first) {
                Search::Found(plan) => return Ok(plan),
                Search::OutOfOrder(late) => first.extend(late),
                Search::None => {
                    let smallest = Limits {
                        rows: 1,
                        cols: 1,
                        depth: 1,
                    };
                    let plan = self.plan(smallest, &first);
                    let (bytes, alive) = plan.peak();
                    return Err(Box::new(TooLarge { bytes, alive, plan }));
                }
            }
        }
    }

    fn search(&self, first: &BTreeSet<usize>) -> Search<'c> {
        let whole = self.plan(
            Limits {
                rows: NO_LIMIT,
                cols: NO_LIMIT,
                depth: NO_LIMIT,
            },
            first,
        );
        if self.fits(&whole) && self.out_of_order(&whole).is_empty() {
            return Search::Found(whole);
        }
        let mut best: Option<(Cost, Plan)> = None;
        let mut out_of_order: Option<(Cost, BTreeSet<usize>)> = None;
        for depth in self.depths() {
            for cols in self.extents(1) {
                let Some(plan) = self.tallest(cols, depth, first) else {
                    continue;
                };
                let cost = plan.cost();
                let late = self.out_of_order(&plan);
                if late.is_empty() {
                    if best.as_ref().is_none_or(|best| cost < best.0) {
                        best = Some((cost, plan));
                    }
                } else if out_of_order.as_ref().is_none_or(|best| cost < best.0) {
                    out_of_order = Some((cost, late));
                }
            }
        }
        match (best, out_of_order) {
            (Some((_, plan)), _) => Search::Found(plan),
            (None, Some((_, late))) if !late.is_subset(first) => Search::OutOfOrder(late),
            _ => Search::None,
        }
    }

    /// The plan of the most rows that fits.
    fn tallest(&self, cols: i64, depth: i64, first: &BTreeSet<usize>) -> Option<Plan<'c>> {
        let plan = |rows| {
            let plan = self.plan(Limits { rows, cols, depth }, first);
            self.fits(&plan).then_some(plan)
        };
        let mut best = (1, plan(1)?);
        let mut too_many = self.largest(0) + 1;
        while best.0 + 1 < too_many {
            let rows = best.0 + (too_many - best.0) / 2;
            match plan(rows) {
                Some(plan) => best = (rows, plan),
                None => too_many = rows,
            }
        }
        Some(best.1)
    }

    fn fits(&self, plan: &Plan) -> bool {
        plan.peak().0 <= self.budget
    }

    fn largest(&self, dim: usize) -> i64 {
        self.graph
            .nodes
            .iter()
            .map(|node| node.shape[dim])
            .max()
            .unwrap_or(1)
    }

    /// No limit, then powers of 2 below the largest extent.
    fn extents(&self, dim: usize) -> Vec<i64> {
        limits_below(self.largest(dim))
    }

    fn depths(&self) -> Vec<i64> {
        let products = self
            .graph
            .nodes
            .iter()
            .filter(|node| matches!(node.kind, Kind::Matmul { .. }));
        let factors = products.flat_map(|node| &node.operands);
        factors
            .map(|&id| self.graph.nodes[id].shape.into_iter().max().unwrap_or(1))
            .max()
            .map_or(vec![NO_LIMIT], limits_below)
    }

    fn plan(&self, limits: Limits, first: &BTreeSet<usize>) -> Plan<'c> {
        let mut planner = Planner::new(self.graph, self.outer, limits);
        for &node in self.holds {
            planner.hold(node);
        }
        let mut early = Vec::new();
        for &sink in first {
            planner.sink = Some(sink);
            early.push((sink, planner.hold(self.sinks[sink].value)));
        }
        self.stores(&mut planner, first);
        for (sink, tile) in early {
            let [rows, cols] = self.graph.nodes[self.sinks[sink].value].shape;
            planner.store(sink, tile, Region::all(rows, cols), true);
        }
        for &node in self.holds {
            planner.leave(node);
        }
        planner.finish()
    }

    /// Loops over rows, and in them over columns, of all sinks whose value is not made before.
    fn stores(&self, planner: &mut Planner<'_, 'c, 'a>, first: &BTreeSet<usize>) {
        let sinks: Vec<_> = (0..self.sinks.len())
            .filter(|sink| !first.contains(sink))
            .collect();
        let Some(&some) = sinks.first() else {
            return;
        };
        let height = self.graph.nodes[self.sinks[some].value].shape[0];
        let cuts = |sinks: &[usize], dim: usize| -> BTreeSet<i64> {
            sinks
                .iter()
                .flat_map(|&sink| self.graph.cuts(self.sinks[sink].value, dim).clone())
                .collect()
        };
        let width = |sink: usize| self.graph.nodes[self.sinks[sink].value].shape[1];
        let is_late = |sinks: &[usize]| sinks.iter().any(|&sink| self.is_late(sink));
        for bounds in blocks(height, cuts(&sinks, 0), planner.limits.rows) {
            planner.for_block(bounds, is_late(&sinks), |planner, row, row_loop| {
                let rows = Range::fixed(0, 0).part(row, row_loop, bounds.step);
                for group in sinks.chunk_by(|&one, &other| width(one) == width(other)) {
                    for bounds in blocks(width(group[0]), cuts(group, 1), planner.limits.cols) {
                        planner.for_block(bounds, is_late(group), |planner, col, col_loop| {
                            let cols = Range::fixed(0, 0).part(col, col_loop, bounds.step);
                            let region = Region::new(rows.clone(), cols);
                            for &sink in group {
                                planner.sink = Some(sink);
                                let tile =
                                    planner.tile(self.sinks[sink].value, &region, planner.limits);
                                planner.store(sink, tile, region.clone(), self.is_late(sink));
                            }
                        });
                    }
                }
            });
        }
    }

    /// Whether a sink may write what some slice reads.
    fn is_late(&self, sink: usize) -> bool {
        let slices = self
            .graph
            .nodes
            .iter()
            .filter(|node| node.kind == Kind::Slice);
        let mut reads = slices.filter_map(|node| Access::of(node.op));
        reads.any(|read| self.aliases.overlap(&read, &self.sinks[sink].access))
    }

    /// Sinks for which a slice is read after another sink may have written its memory.
    fn out_of_order(&self, plan: &Plan) -> BTreeSet<usize> {
        let mut accesses = Vec::new();
        flatten(&plan.stmts, &mut Vec::new(), &mut accesses);
        let stores = accesses
            .iter()
            .enumerate()
            .filter_map(|(place, (stmt, loops))| match stmt {
                Stmt::Store { sink, region, .. } => {
                    Some((place, &self.sinks[*sink].access, region, loops))
                }
                _ => None,
            });
        let stores: Vec<_> = stores.collect();
        let mut late = BTreeSet::new();
        for (place, (stmt, loops)) in accesses.iter().enumerate() {
            let Stmt::Load {
                node,
                region,
                asked_by: Some(sink),
                ..
            } = stmt
            else {
                continue;
            };
            let Some(read) = Access::of(self.graph.nodes[*node].op) else {
                continue;
            };
            let is_broken = stores
                .iter()
                .any(|&(store_place, write, stored, store_loops)| {
                    let common = loops
                        .iter()
                        .zip(store_loops)
                        .take_while(|(one, other)| one == other)
                        .count();
                    let same = same_place(&read, write);
                    let apart = same
                        && (0..2).any(|dim| {
                            let (from, to) = region.dim(dim).hull(&plan.loops);
                            let (other_from, other_to) = stored.dim(dim).hull(&plan.loops);
                            to <= other_from || other_to <= from
                        });
                    let in_step = place < store_place
                        && loops[..common].iter().all(|&id| {
                            same && (0..2)
                                .any(|dim| steps_with(region.dim(dim), stored.dim(dim), id))
                        });
                    !apart && !in_step && self.aliases.overlap(&read, write)
                });
            if is_broken {
                late.insert(*sink);
            }
        }
        late
    }
}

/// Whether two ranges are the same part of each turn of a loop, and of no other.
fn steps_with(one: &Range, other: &Range, id: usize) -> bool {
    one == other && one.loops == [id]
}

/// All accesses in order, each with the loops around it.
fn flatten<'p>(stmts: &'p [Stmt], loops: &mut Vec<usize>, found: &mut Vec<(&'p Stmt, Vec<usize>)>) {
    for stmt in stmts {
        match stmt {
            Stmt::Loop { id, body, .. } => {
                loops.push(*id);
                flatten(body, loops, found);
                loops.pop();
            }
            Stmt::Make { .. } => {}
            _ => found.push((stmt, loops.clone())),
        }
    }
}

fn limits_below(extent: i64) -> Vec<i64> {
    let powers = (0..40).rev().map(|power| 1i64 << power);
    [NO_LIMIT]
        .into_iter()
        .chain(powers.filter(|&power| power < extent))
        .collect()
}

enum Search<'c> {
    Found(Plan<'c>),
    /// Plans fit, but for these sinks read too late.
    OutOfOrder(BTreeSet<usize>),
    None,
}
