//! `pl-tile-tensors`: tensors to loops of tiles.
//!
//! | step | file |
//! | --- | --- |
//! | what each tensor is made of | `graph.rs` |
//! | what may be moved where | `order.rs`, `alias.rs` |
//! | regions of values to loads, tile operations and loops | `planner.rs`, `reduce.rs`, `region.rs` |
//! | what a plan needs and costs | `tree.rs` |
//! | the shape of tiles | `choose.rs` |
//! | operations | `emit.rs` |

mod alias;
mod choose;
mod emit;
mod graph;
mod order;
mod planner;
mod produce;
mod reduce;
mod region;
mod report;
mod tree;

use alias::Aliases;
use choose::Job;
use emit::Emission;
use graph::{Graph, Kind as Made, NodeId};
use melior::ir::{
    BlockLike, BlockRef, RegionLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use order::Order;
use pld_dialects::{
    Kind, bridge, diag, function_kind,
    pass::{OptionSpec, Options, Pass, Reported},
    pl::TENSORS,
    types, view,
};
use std::collections::{HashMap, HashSet};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-tile-tensors",
    description: "Lower tensors in pl.incore functions to loops of tiles that fit the budget: a \
                  value is loaded, computed and stored tile by tile, with whole rows where they \
                  fit. Reads and writes keep their order; a value that cannot be read again is \
                  held on-core (pld-301 if it does not fit). A reduction over more than a tile \
                  combines its blocks first to last. Expects pl.at outlined; after it no tensor \
                  is left.",
    options: &[BUDGET],
    run,
};

/// Option: on-core memory. A kernel has 184 KiB on an a2a3; the rest is for what the target's
/// own forms of operations need besides.
const BUDGET: OptionSpec = OptionSpec {
    name: "budget",
    description: "bytes of on-core memory for tiles",
    default: "131072",
};

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let text = options.get(BUDGET.name);
    let Some(budget) = text.parse().ok().filter(|&budget: &i64| budget > 0) else {
        let message = format!("option budget is '{text}', expected a number of bytes above 0");
        diag::failure(module.location(), message).emit();
        return Err(Reported);
    };
    let aliases = Aliases::of(module);
    let functions = bridge::collect(module, |name| name == "func.func");
    for function in functions {
        if function_kind(&function) == Some(Kind::InCore) {
            tile(function, &aliases, budget)?;
            bridge::remove_attribute(function, TENSORS);
        }
    }
    Ok(())
}

fn tile<'c, 'a>(
    function: OperationRef<'c, 'a>,
    aliases: &Aliases<'c, 'a>,
    budget: i64,
) -> Result<(), Reported> {
    let graph = Graph::of(function)?;
    if graph.nodes.is_empty() {
        return Ok(());
    }
    let ops = bridge::collect(function, |_| true);
    let block = function
        .region(0)
        .ok()
        .and_then(|region| region.first_block());
    let mut tiling = Tiling {
        graph: &graph,
        aliases,
        held: HashMap::new(),
    };
    tiling.block(block.ok_or(Reported)?, budget)?;
    // From the last on, so that nothing is used any more.
    for op in ops.into_iter().rev() {
        let makes_tensor = op.results().any(|result| graph.id(result.into()).is_some());
        let is_scf = view::name(&op).starts_with("scf.");
        if makes_tensor && !is_scf || order::sink(&graph, op).is_some() {
            bridge::erase(op);
        }
    }
    Ok(())
}

/// Tiles one function.
struct Tiling<'g, 'c, 'a> {
    graph: &'g Graph<'c, 'a>,
    aliases: &'g Aliases<'c, 'a>,
    /// Values that are tiles by now.
    held: HashMap<NodeId, Value<'c, 'a>>,
}

impl<'c, 'a> Tiling<'_, 'c, 'a> {
    fn block(&mut self, block: BlockRef<'c, 'a>, budget: i64) -> Result<(), Reported> {
        let order = Order::of(self.graph, self.aliases, block);
        for (number, segment) in order.segments.iter().enumerate() {
            let alive = order
                .lives
                .iter()
                .filter(|(_, life)| life.0 < number && number <= life.1);
            let alive: Vec<NodeId> = alive.map(|(&node, _)| node).collect();
            let outer: HashSet<NodeId> = self.held.keys().copied().collect();
            let job = Job {
                graph: self.graph,
                aliases: self.aliases,
                sinks: &segment.sinks,
                holds: &segment.holds,
                outer: &outer,
                budget: budget - self.bytes(&alive),
            };
            let plan = job
                .choose()
                .map_err(|too_large| report::too_large(&job, &too_large, &alive, segment.anchor))?;
            Emission::run(
                self.graph,
                &segment.sinks,
                &plan,
                segment.anchor,
                &mut self.held,
            )?;
            let mut inside = alive;
            inside.extend(&segment.holds);
            self.enter(segment.anchor, budget - self.bytes(&inside))?;
        }
        Ok(())
    }

    fn bytes(&self, nodes: &[NodeId]) -> i64 {
        nodes
            .iter()
            .map(|&node| report::bytes(self.graph, node))
            .sum()
    }

    /// Makes tiles of the tensors that an operation of `scf` takes and gives, and goes on
    /// inside.
    fn enter(&mut self, op: OperationRef<'c, 'a>, budget: i64) -> Result<(), Reported> {
        if !view::name(&op).starts_with("scf.") {
            return Ok(());
        }
        for (index, operand) in op.operands().enumerate().collect::<Vec<_>>() {
            let tile = self.graph.id(operand).and_then(|id| self.held.get(&id));
            if let Some(&tile) = tile {
                bridge::set_operand(op, index, tile);
            }
        }
        let blocks: Vec<_> = op
            .regions()
            .filter_map(|region| region.first_block())
            .collect();
        let arguments = blocks.iter().flat_map(|block| {
            (0..block.argument_count())
                .filter_map(|index| block.argument(index).ok().map(Value::from))
        });
        let values: Vec<Value> = op.results().map(Value::from).chain(arguments).collect();
        let mut carried = 0;
        for value in values {
            let Some(id) = self
                .graph
                .id(value)
                .filter(|&id| self.graph.nodes[id].kind == Made::Carried)
            else {
                continue;
            };
            let node = &self.graph.nodes[id];
            let [rows, cols] = node.shape;
            value.set_type(types::tile(
                bridge::context_of(&op),
                rows,
                cols,
                node.element,
            ));
            self.held.insert(id, value);
            if !value.is_block_argument() {
                carried += report::bytes(self.graph, id);
            }
        }
        for block in blocks {
            let outside = self.held.clone();
            self.block(block, budget - carried)?;
            // What was made inside is not seen from outside.
            self.held = outside;
        }
        Ok(())
    }
}
