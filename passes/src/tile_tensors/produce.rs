//! A region of a value, of regions of what it is made of.
//!
//! It is made once for each scope that it belongs to: what does not depend on a loop is made
//! before it. No operation computes on more rows and columns at once than the limits; a larger
//! region is put together by a loop, a larger reduction accumulates over one.

use super::{
    graph::{Kind, NodeId},
    planner::{Limits, Planner},
    region::{Range, Region, blocks},
    tree::{Identity, Stmt, TileId, What},
};

impl Planner<'_, '_, '_> {
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
