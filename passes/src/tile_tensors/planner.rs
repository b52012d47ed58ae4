//! From values that are wanted to loads, tile operations and loops.
//!
//! The plan under construction: scopes, loops, tiles. What a region of a value is made of is
//! in `produce.rs`, reductions are in `reduce.rs`.

use super::{
    graph::{Graph, NodeId},
    region::{Bounds, LoopId, Region},
    tree::{Carried, Plan, Stmt, Tile, TileId, What},
};
use melior::ir::Type;
use pld_dialects::types::Element;
use std::collections::{HashMap, HashSet};

/// Rows of a tile on-core are whole blocks of this many bytes.
const BLOCK: i64 = 32;

/// The most rows and columns, and elements of a sum of products, that an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) rows: i64,
    pub(super) cols: i64,
    pub(super) depth: i64,
}

impl Limits {
    pub(super) const fn swapped(self) -> Self {
        Self {
            rows: self.cols,
            cols: self.rows,
            ..self
        }
    }

    pub(super) const fn dim(self, dim: usize) -> i64 {
        if dim == 0 { self.rows } else { self.cols }
    }
}

/// Statements under construction: a loop's body, or the outermost.
#[derive(Default)]
pub(super) struct Scope {
    id: Option<LoopId>,
    /// In the order that they are asked for.
    early: Vec<Stmt>,
    /// Stores that must come after all loads of the scope.
    late: Vec<Stmt>,
    pub(super) made: HashMap<(NodeId, Region), TileId>,
}

impl Scope {
    fn finish(self) -> Vec<Stmt> {
        self.early.into_iter().chain(self.late).collect()
    }
}

/// Plans one segment.
pub(super) struct Planner<'g, 'c, 'a> {
    pub(super) graph: &'g Graph<'c, 'a>,
    /// Values that are tiles from before.
    pub(super) outer: &'g HashSet<NodeId>,
    pub(super) limits: Limits,
    pub(super) plan: Plan<'c>,
    pub(super) scopes: Vec<Scope>,
    pub(super) held: HashMap<NodeId, TileId>,
    /// Who asks.
    pub(super) sink: Option<usize>,
}

impl<'g, 'c, 'a> Planner<'g, 'c, 'a> {
    pub(super) fn new(
        graph: &'g Graph<'c, 'a>,
        outer: &'g HashSet<NodeId>,
        limits: Limits,
    ) -> Self {
        Self {
            graph,
            outer,
            limits,
            plan: Plan::default(),
            scopes: vec![Scope::default()],
            held: HashMap::new(),
            sink: None,
        }
    }

    pub(super) fn finish(mut self) -> Plan<'c> {
        let outermost = self.scopes.remove(0);
        self.plan.stmts = outermost.finish();
        self.plan
    }

    /// All of a value, to be kept.
    pub(super) fn hold(&mut self, node: NodeId) -> TileId {
        let [rows, cols] = self.graph.nodes[node].shape;
        let tile = self.tile(node, &Region::all(rows, cols), self.limits);
        if !self.outer.contains(&node) {
            self.held.insert(node, tile);
        }
        tile
    }

    /// Says that what was held is wanted after the plan.
    pub(super) fn leave(&mut self, node: NodeId) {
        if let Some(&tile) = self.held.get(&node) {
            self.plan.held.push((node, tile));
        }
    }

    /// Stores a region of a sink; a late one after all loads of its scope.
    pub(super) fn store(&mut self, sink: usize, tile: TileId, region: Region, late: bool) {
        let stmt = Stmt::Store { sink, tile, region };
        let scope = self.scopes.len() - 1;
        self.put(scope, stmt, late);
    }

    /// A loop around what `body` plans, or without one if there is one block only. `body` gets
    /// the offset of the block and the loop.
    pub(super) fn for_block(
        &mut self,
        bounds: Bounds,
        late: bool,
        body: impl FnOnce(&mut Self, i64, Option<LoopId>),
    ) {
        let Bounds { from, to, step } = bounds;
        if to - from == step {
            return body(self, from, None);
        }
        let depth = self.scopes.len() - 1;
        let (id, stmts) = self.inside(depth, bounds, |planner, id| body(planner, 0, Some(id)));
        let stmt = Stmt::Loop {
            id,
            carried: vec![],
            body: stmts,
        };
        self.put(depth, stmt, late);
    }

    /// Plans `body` in a loop of its own that stands in scope `depth`.
    fn inside(
        &mut self,
        depth: usize,
        bounds: Bounds,
        body: impl FnOnce(&mut Self, LoopId),
    ) -> (LoopId, Vec<Stmt>) {
        let id = self.plan.loops.len();
        self.plan.loops.push(bounds);
        let hidden = self.scopes.split_off(depth + 1);
        self.scopes.push(Scope {
            id: Some(id),
            ..Scope::default()
        });
        body(self, id);
        let scope = self.scopes.pop().unwrap_or_default();
        self.scopes.extend(hidden);
        (id, scope.finish())
    }

    pub(super) fn put(&mut self, scope: usize, stmt: Stmt, late: bool) {
        let scope = &mut self.scopes[scope];
        if late {
            &mut scope.late
        } else {
            &mut scope.early
        }
        .push(stmt);
    }

    /// The innermost scope whose loop a region depends on.
    pub(super) fn depth(&self, region: &Region) -> usize {
        let place = |id| self.scopes.iter().position(|scope| scope.id == Some(id));
        region.loops().filter_map(place).max().unwrap_or(0)
    }

    pub(super) fn new_tile(&mut self, element: Type<'c>, rows: i64, cols: i64) -> TileId {
        let width = Element::of(element).map_or(1, Element::bytes);
        let pitch = cols.saturating_mul(width).saturating_add(BLOCK - 1) / BLOCK * BLOCK;
        self.plan.tiles.push(Tile {
            rows,
            cols,
            element,
            bytes: rows.saturating_mul(pitch),
        });
        self.plan.tiles.len() - 1
    }

    /// A tile of the element type of `node`, made in scope `depth`.
    pub(super) fn make(
        &mut self,
        depth: usize,
        node: NodeId,
        what: What,
        inputs: Vec<TileId>,
        shape: [i64; 2],
    ) -> TileId {
        let element = self.graph.nodes[node].element;
        self.make_of(element, depth, node, what, inputs, shape)
    }

    pub(super) fn make_of(
        &mut self,
        element: Type<'c>,
        depth: usize,
        node: NodeId,
        what: What,
        inputs: Vec<TileId>,
        [rows, cols]: [i64; 2],
    ) -> TileId {
        let tile = self.new_tile(element, rows, cols);
        let stmt = Stmt::Make {
            tile,
            what,
            node,
            inputs,
            in_place: None,
        };
        self.put(depth, stmt, false);
        tile
    }

    /// An accumulator combined with one more part: it takes over the memory.
    pub(super) fn accumulate(
        &mut self,
        depth: usize,
        node: NodeId,
        what: What,
        inputs: Vec<TileId>,
        acc: TileId,
    ) -> TileId {
        let Tile {
            rows,
            cols,
            element,
            ..
        } = self.plan.tiles[acc];
        let tile = self.new_tile(element, rows, cols);
        let stmt = Stmt::Make {
            tile,
            what,
            node,
            inputs,
            in_place: Some(acc),
        };
        self.put(depth, stmt, false);
        tile
    }

    /// Runs an accumulator through blocks: `part` plans what is combined with it in a scope.
    pub(super) fn fold(
        &mut self,
        depth: usize,
        blocks: Vec<Bounds>,
        mut acc: TileId,
        mut part: impl FnMut(&mut Self, usize, i64, Option<LoopId>, i64, TileId) -> TileId,
    ) -> TileId {
        for bounds in blocks {
            let Bounds { from, to, step } = bounds;
            if to - from == step {
                acc = part(self, depth, from, None, step, acc);
                continue;
            }
            let Tile {
                rows,
                cols,
                element,
                ..
            } = self.plan.tiles[acc];
            let argument = self.new_tile(element, rows, cols);
            let result = self.new_tile(element, rows, cols);
            let mut next = argument;
            let (id, body) = self.inside(depth, bounds, |planner, id| {
                next = part(planner, depth + 1, 0, Some(id), step, argument);
            });
            let carried = Carried {
                init: acc,
                argument,
                next,
                result,
            };
            let stmt = Stmt::Loop {
                id,
                carried: vec![carried],
                body,
            };
            self.put(depth, stmt, false);
            acc = result;
        }
        acc
    }
}
