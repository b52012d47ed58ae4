//! From values that are wanted to loads, tile operations and loops.
//!
//! A region of a value is made of regions of what it is made of, once for each scope that it
//! belongs to: what does not depend on a loop is made before it. No operation computes on
//! more rows and columns at once than the limits; a larger region is put together by a loop,
//! a larger reduction accumulates over one.

use super::{
    graph::{Graph, Kind, NodeId},
    region::{Bounds, LoopId, Range, Region, blocks},
    tree::{Carried, Identity, Plan, Stmt, Tile, TileId, What},
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
    const fn swapped(self) -> Self {
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
struct Scope {
    id: Option<LoopId>,
    /// In the order that they are asked for.
    early: Vec<Stmt>,
    /// Stores that must come after all loads of the scope.
    late: Vec<Stmt>,
    made: HashMap<(NodeId, Region), TileId>,
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
    outer: &'g HashSet<NodeId>,
    pub(super) limits: Limits,
    plan: Plan<'c>,
    scopes: Vec<Scope>,
    held: HashMap<NodeId, TileId>,
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

    fn put(&mut self, scope: usize, stmt: Stmt, late: bool) {
        let scope = &mut self.scopes[scope];
        if late {
            &mut scope.late
        } else {
            &mut scope.early
        }
        .push(stmt);
    }

    /// The innermost scope whose loop a region depends on.
    fn depth(&self, region: &Region) -> usize {
        let place = |id| self.scopes.iter().position(|scope| scope.id == Some(id));
        region.loops().filter_map(place).max().unwrap_or(0)
    }

    fn new_tile(&mut self, element: Type<'c>, rows: i64, cols: i64) -> TileId {
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

    /// The tile of a region of a value.
    pub(super) fn tile(&mut self, node: NodeId, region: &Region, limits: Limits) -> TileId {
        let depth = self.depth(region);
        let key = (node, region.clone());
        if let Some(&tile) = self.scopes[depth].made.get(&key) {
            return tile;
        }
        let kind = &self.graph.nodes[node].kind;
        let divides = !matches!(
            kind,
            Kind::Slice
                | Kind::Full
                | Kind::Iota
                | Kind::Reshape
                | Kind::Carried
                | Kind::Extract(None)
                | Kind::Insert(None)
        );
        let too_large = |dim| divides && region.dim(dim).size > limits.dim(dim);
        let tile = if let Some(whole) = self.held_tile(node) {
            self.part_of(node, whole, depth, region)
        } else if too_large(0) {
            self.by_blocks(node, depth, region, 0, limits)
        } else if too_large(1) {
            self.by_blocks(node, depth, region, 1, limits)
        } else {
            self.direct(node, depth, region, limits)
        };
        self.scopes[depth].made.insert(key, tile);
        tile
    }

    /// The tile of all of a value, if it is held.
    fn held_tile(&mut self, node: NodeId) -> Option<TileId> {
        if let Some(&tile) = self.held.get(&node) {
            return Some(tile);
        }
        if !self.outer.contains(&node) {
            return None;
        }
        let [rows, cols] = self.graph.nodes[node].shape;
        let tile = self.new_tile(self.graph.nodes[node].element, rows, cols);
        self.plan.tiles[tile].bytes = 0;
        self.plan.outer.insert(tile, node);
        self.held.insert(node, tile);
        Some(tile)
    }

    /// A region of a tile of all of a value.
    fn part_of(&mut self, node: NodeId, whole: TileId, depth: usize, region: &Region) -> TileId {
        let [rows, cols] = self.graph.nodes[node].shape;
        if region.rows.is_all(rows) && region.cols.is_all(cols) {
            return whole;
        }
        let shape = [region.rows.size, region.cols.size];
        self.make(
            depth,
            node,
            What::Extract(region.clone()),
            vec![whole],
            shape,
        )
    }

    /// A region put together by blocks of a dim.
    fn by_blocks(
        &mut self,
        node: NodeId,
        depth: usize,
        region: &Region,
        dim: usize,
        limits: Limits,
    ) -> TileId {
        let shape = [region.rows.size, region.cols.size];
        let range = region.dim(dim).clone();
        let cuts: Vec<i64> = match range.is_fixed() {
            true => self
                .graph
                .cuts(node, dim)
                .iter()
                .map(|cut| cut - range.base)
                .collect(),
            // The loop around was cut already.
            false => vec![],
        };
        let start = self.make(depth, node, What::Identity(Identity::Zero), vec![], shape);
        let blocks = blocks(range.size, cuts, limits.dim(dim));
        self.fold(
            depth,
            blocks,
            start,
            |planner, depth, offset, id, size, acc| {
                let block = region.with(dim, range.part(offset, id, size));
                let part = planner.tile(node, &block, limits);
                let whole = Region::all(shape[0], shape[1]);
                let place = whole.with(dim, Range::fixed(0, 0).part(offset, id, size));
                planner.accumulate(depth, node, What::Insert(place), vec![part, acc], acc)
            },
        )
    }

    /// All of a value that cannot be made in parts, and a region of it.
    fn of_whole(&mut self, node: NodeId, depth: usize, region: &Region, limits: Limits) -> TileId {
        let whole = self.tile(node, &self.all_of(node), limits);
        self.part_of(node, whole, depth, region)
    }

    fn all_of(&self, node: NodeId) -> Region {
        let [rows, cols] = self.graph.nodes[node].shape;
        Region::all(rows, cols)
    }

    /// A region within the limits.
    fn direct(&mut self, node: NodeId, depth: usize, region: &Region, limits: Limits) -> TileId {
        let shape = [region.rows.size, region.cols.size];
        let graph = self.graph;
        let operands = &graph.nodes[node].operands;
        let all = self.all_of(node);
        let operand = |index: usize| operands[index];
        match graph.nodes[node].kind.clone() {
            Kind::Slice => {
                let tile = self.new_tile(graph.nodes[node].element, shape[0], shape[1]);
                let stmt = Stmt::Load {
                    tile,
                    node,
                    region: region.clone(),
                    asked_by: self.sink,
                };
                self.put(depth, stmt, false);
                tile
            }
            Kind::Iota => {
                let tile = self.make(depth, node, What::Node, vec![], shape);
                if region.cols.is_fixed() && region.cols.base == 0 {
                    return tile;
                }
                self.make(
                    depth,
                    node,
                    What::Shift(region.cols.clone()),
                    vec![tile],
                    shape,
                )
            }
            Kind::Full | Kind::Carried => self.make(depth, node, What::Node, vec![], shape),
            Kind::Map => {
                let inputs = operands
                    .iter()
                    .map(|&id| self.tile(id, region, limits))
                    .collect();
                self.make(depth, node, What::Node, inputs, shape)
            }
            Kind::RowExpand => self.expand(node, depth, region, 1, limits),
            Kind::ColExpand => self.expand(node, depth, region, 0, limits),
            Kind::RowReduce => self.reduce(node, depth, region, 1, limits),
            Kind::ColReduce => self.reduce(node, depth, region, 0, limits),
            Kind::Transpose => {
                let input = self.tile(operand(0), &region.swapped(), limits.swapped());
                self.make(depth, node, What::Node, vec![input], shape)
            }
            Kind::Reshape | Kind::Extract(None) | Kind::Insert(None) if *region == all => {
                let inputs = operands
                    .iter()
                    .map(|&id| self.tile(id, &self.all_of(id), limits))
                    .collect();
                self.make(depth, node, What::Node, inputs, shape)
            }
            Kind::Reshape | Kind::Extract(None) | Kind::Insert(None) => {
                self.of_whole(node, depth, region, limits)
            }
            Kind::Gather => {
                let source = Region::new(self.all_of(operand(0)).rows, region.cols.clone());
                let source = self.tile(operand(0), &source, limits);
                let index = region.with(1, Range::fixed(0, 1));
                let index = self.tile(operand(1), &index, limits);
                self.make(depth, node, What::Node, vec![source, index], shape)
            }
            Kind::Concat(dim) => self.concat(node, depth, region, dim, limits),
            Kind::Extract(Some([row, col])) => {
                let source = Region::new(region.rows.shifted(row), region.cols.shifted(col));
                self.tile(operand(0), &source, limits)
            }
            Kind::Insert(Some(offsets)) => self.insert(node, depth, region, offsets, limits),
            Kind::Matmul { acc, transposed } => {
                self.matmul(node, depth, region, acc, transposed, limits)
            }
        }
    }

    /// A broadcast along a dim.
    fn expand(
        &mut self,
        node: NodeId,
        depth: usize,
        region: &Region,
        dim: usize,
        limits: Limits,
    ) -> TileId {
        let operands = &self.graph.nodes[node].operands;
        let last = operands.len() - 1;
        let mut inputs = Vec::new();
        for (index, &id) in operands.iter().enumerate() {
            let vector = region.with(dim, Range::fixed(0, 1));
            let wanted = if index == last { &vector } else { region };
            inputs.push(self.tile(id, wanted, limits));
        }
        self.make(
            depth,
            node,
            What::Node,
            inputs,
            [region.rows.size, region.cols.size],
        )
    }

    fn concat(
        &mut self,
        node: NodeId,
        depth: usize,
        region: &Region,
        dim: usize,
        limits: Limits,
    ) -> TileId {
        let operands = &self.graph.nodes[node].operands;
        let (first, second) = (operands[0], operands[1]);
        let seam = self.graph.nodes[first].shape[dim];
        let range = region.dim(dim);
        let (from, to) = range.hull(&self.plan.loops);
        if to <= seam {
            return self.tile(first, region, limits);
        }
        if from >= seam {
            return self.tile(second, &region.with(dim, range.shifted(-seam)), limits);
        }
        if !range.is_fixed() {
            return self.of_whole(node, depth, region, limits);
        }
        let one = self.tile(
            first,
            &region.with(dim, Range::fixed(from, seam - from)),
            limits,
        );
        let other = self.tile(
            second,
            &region.with(dim, Range::fixed(0, to - seam)),
            limits,
        );
        let shape = [region.rows.size, region.cols.size];
        self.make(
            depth,
            node,
            What::Concat(dim as i64),
            vec![one, other],
            shape,
        )
    }

    fn insert(
        &mut self,
        node: NodeId,
        depth: usize,
        region: &Region,
        offsets: [i64; 2],
        limits: Limits,
    ) -> TileId {
        let operands = &self.graph.nodes[node].operands;
        let (part, whole) = (operands[0], operands[1]);
        // The region of the part, and where it comes to stand in this region.
        let (mut source, mut place) = (region.clone(), region.clone());
        let mut covers = true;
        for (dim, offset) in offsets.into_iter().enumerate() {
            let range = region.dim(dim);
            let (from, to) = range.hull(&self.plan.loops);
            let end = offset + self.graph.nodes[part].shape[dim];
            if to <= offset || from >= end {
                return self.tile(whole, region, limits);
            }
            if offset <= from && to <= end {
                source = source.with(dim, range.shifted(-offset));
                place = place.with(dim, Range::fixed(0, range.size));
            } else if range.is_fixed() {
                let (first, last) = (from.max(offset), to.min(end));
                source = source.with(dim, Range::fixed(first - offset, last - first));
                place = place.with(dim, Range::fixed(first - from, last - first));
                covers = false;
            } else {
                return self.of_whole(node, depth, region, limits);
            }
        }
        let part = self.tile(part, &source, limits);
        if covers {
            return part;
        }
        let whole = self.tile(whole, region, limits);
        let shape = [region.rows.size, region.cols.size];
        self.make(depth, node, What::Insert(place), vec![part, whole], shape)
    }
}
