//! What runs over more than a tile holds: reductions, and sums of products.
//!
//! Order: blocks one after another, each reduced as a tile and then combined with what came
//! before. Sums and products of 16-bit floats are combined in f32 and rounded once, as those
//! of a tile are.

use super::{
    graph::{Graph, NodeId},
    planner::{Limits, Planner},
    region::{Range, Region, blocks},
    tree::{Identity, TileId, What},
};
use melior::ir::Type;
use pld_dialects::{bridge, types::Element, view};

/// What combines two results of a reduction, and what changes nothing.
fn combination(name: &str) -> (&'static str, Identity) {
    match &name[name.len().saturating_sub(4)..] {
        "_max" => ("pl.max", Identity::Least),
        "_min" => ("pl.min", Identity::Most),
        "prod" => ("pl.mul", Identity::One),
        _ => ("pl.add", Identity::MinusZero),
    }
}

/// The element type that parts of a reduction are combined in.
fn accumulated<'c>(graph: &Graph<'c, '_>, node: NodeId, combine: &str) -> Type<'c> {
    let element = graph.nodes[node].element;
    let narrow = matches!(Element::of(element), Some(Element::F16 | Element::BF16));
    if narrow && matches!(combine, "pl.add" | "pl.mul") {
        Element::F32.mlir(bridge::context_of(&graph.nodes[node].op))
    } else {
        element
    }
}

impl<'c> Planner<'_, 'c, '_> {
    /// A region of a reduction along a dim.
    pub(super) fn reduce(
        &mut self,
        node: NodeId,
        depth: usize,
        region: &Region,
        dim: usize,
        limits: Limits,
    ) -> TileId {
        let graph = self.graph;
        let source = graph.nodes[node].operands[0];
        let extent = graph.nodes[source].shape[dim];
        let shape = [region.rows.size, region.cols.size];
        let limit = limits.dim(dim);
        if extent <= limit {
            let all = region.with(dim, Range::fixed(0, extent));
            let input = self.tile(source, &all, limits);
            return self.make(depth, node, What::Node, vec![input], shape);
        }
        let name = view::name(&graph.nodes[node].op);
        let (combine, identity) = combination(name);
        let element = accumulated(graph, node, combine);
        let widens = element != graph.nodes[node].element;
        let start = self.make_of(
            element,
            depth,
            node,
            What::Identity(identity),
            vec![],
            shape,
        );
        let cuts: Vec<i64> = graph.cuts(source, dim).iter().copied().collect();
        let total = self.fold(
            depth,
            blocks(extent, cuts, limit),
            start,
            |planner, depth, offset, id, size, acc| {
                let block = region.with(dim, Range::fixed(0, 0).part(offset, id, size));
                let mut input = planner.tile(source, &block, limits);
                if widens {
                    let shape = [block.rows.size, block.cols.size];
                    input = planner.make_of(element, depth, node, What::Cast, vec![input], shape);
                }
                let part = planner.make_of(
                    element,
                    depth,
                    node,
                    What::Named(name.into()),
                    vec![input],
                    shape,
                );
                planner.accumulate(
                    depth,
                    node,
                    What::Named(combine.into()),
                    vec![acc, part],
                    acc,
                )
            },
        );
        if !widens {
            return total;
        }
        self.make(depth, node, What::Cast, vec![total], shape)
    }

    /// A region of a matrix product, its sums in blocks of the depth.
    pub(super) fn matmul(
        &mut self,
        node: NodeId,
        depth: usize,
        region: &Region,
        has_acc: bool,
        transposed: [bool; 2],
        limits: Limits,
    ) -> TileId {
        let graph = self.graph;
        let operands = &graph.nodes[node].operands;
        let first = usize::from(has_acc);
        let (a, b) = (operands[first], operands[first + 1]);
        let extent = graph.nodes[a].shape[usize::from(!transposed[0])];
        let shape = [region.rows.size, region.cols.size];
        let factors = |planner: &mut Self, range: &Range| {
            let of = |rows: &Range, cols: &Range, swap: bool| {
                let region = Region::new(rows.clone(), cols.clone());
                if swap { region.swapped() } else { region }
            };
            // A factor is as deep as the block, whatever the limit of rows or columns.
            let free = Limits {
                rows: limits.rows.max(range.size),
                cols: limits.cols.max(range.size),
                ..limits
            };
            let left = planner.tile(a, &of(&region.rows, range, transposed[0]), free);
            let right = planner.tile(b, &of(range, &region.cols, transposed[1]), free);
            [left, right]
        };
        if extent <= limits.depth {
            let acc = has_acc.then(|| self.tile(operands[0], region, limits));
            let factors = factors(self, &Range::fixed(0, extent));
            let inputs = acc.into_iter().chain(factors).collect();
            return self.make(depth, node, What::Node, inputs, shape);
        }
        let start = if has_acc {
            self.tile(operands[0], region, limits)
        } else {
            self.make(depth, node, What::Identity(Identity::Zero), vec![], shape)
        };
        let blocks = blocks(extent, [], limits.depth);
        self.fold(
            depth,
            blocks,
            start,
            |planner, depth, offset, id, size, acc| {
                let [left, right] = factors(planner, &Range::fixed(0, 0).part(offset, id, size));
                planner.accumulate(
                    depth,
                    node,
                    What::Named("pl.matmul_acc".into()),
                    vec![acc, left, right],
                    acc,
                )
            },
        )
    }
}
