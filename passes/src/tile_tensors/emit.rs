//! From a plan to operations.

use super::{
    graph::{Graph, Kind, NodeId},
    order::Sink,
    region::{LoopId, Range, Region},
    tree::{Carried, Identity, Plan, Stmt, TileId, What},
};
use melior::ir::{
    Attribute, Block, BlockLike, Location, Region as Body, RegionLike, Type, Value,
    attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute},
    operation::{OperationBuilder, OperationLike, OperationRef},
};
use pld_dialects::{
    emit::Emitter,
    pass::Reported,
    types::{self, DYNAMIC, Element},
    view::{self, Access, Mixed},
};
use std::collections::HashMap;

/// Attributes that an operation on tiles has of the one on tensors.
const KEPT: &[&str] = &[
    "predicate",
    "mode",
    "transpose_a",
    "transpose_b",
    "static_offsets",
];

/// `rint` of `pl.cast`.
const NEAREST_EVEN: i64 = 1;

/// Emits one plan.
pub(super) struct Emission<'g, 'c, 'a> {
    pub(super) graph: &'g Graph<'c, 'a>,
    pub(super) sinks: &'g [Sink<'c, 'a>],
    pub(super) plan: &'g Plan<'c>,
    tiles: HashMap<TileId, Value<'c, 'a>>,
    counters: HashMap<LoopId, Value<'c, 'a>>,
}

impl<'g, 'c, 'a> Emission<'g, 'c, 'a> {
    /// Emits the plan before `anchor`; `held` has the values from before, and gets those that
    /// the plan leaves.
    pub(super) fn run(
        graph: &'g Graph<'c, 'a>,
        sinks: &'g [Sink<'c, 'a>],
        plan: &'g Plan<'c>,
        anchor: OperationRef<'c, 'a>,
        held: &mut HashMap<NodeId, Value<'c, 'a>>,
    ) -> Result<(), Reported> {
        let mut emission = Self {
            graph,
            sinks,
            plan,
            tiles: HashMap::new(),
            counters: HashMap::new(),
        };
        for (&tile, node) in &plan.outer {
            emission
                .tiles
                .insert(tile, *held.get(node).ok_or(Reported)?);
        }
        let at = Emitter::before(anchor).ok_or(Reported)?;
        emission.stmts(&at, &plan.stmts)?;
        for &(node, tile) in &plan.held {
            held.insert(node, emission.tile(tile)?);
        }
        Ok(())
    }

    fn stmts(&mut self, at: &Emitter<'c, 'a>, stmts: &[Stmt]) -> Result<(), Reported> {
        stmts.iter().try_for_each(|stmt| self.stmt(at, stmt))
    }

    fn tile(&self, tile: TileId) -> Result<Value<'c, 'a>, Reported> {
        self.tiles.get(&tile).copied().ok_or(Reported)
    }

    fn tile_type(&self, at: &Emitter<'c, 'a>, tile: TileId) -> Type<'c> {
        let tile = self.plan.tiles[tile];
        types::tile(at.context, tile.rows, tile.cols, tile.element)
    }

    fn stmt(&mut self, at: &Emitter<'c, 'a>, stmt: &Stmt) -> Result<(), Reported> {
        match stmt {
            Stmt::Load {
                tile, node, region, ..
            } => {
                let op = self.graph.nodes[*node].op;
                let at = at.with_location(op.location());
                let access = Access::of(op).ok_or(Reported)?;
                let (offsets, dynamic) = self.offsets(&at, &access, region);
                let operands = [&[access.memory][..], &dynamic].concat();
                let segments = [1, dynamic.len() as i32, 0, 0];
                let attributes = [("static_offsets", offsets), segment_sizes(&at, &segments)];
                let value = at.value(
                    "pl.load",
                    &operands,
                    self.tile_type(&at, *tile),
                    &attributes,
                );
                self.tiles.insert(*tile, value);
            }
            Stmt::Make {
                tile,
                what,
                node,
                inputs,
                ..
            } => {
                let inputs: Vec<_> = inputs
                    .iter()
                    .map(|&input| self.tile(input))
                    .collect::<Result<_, _>>()?;
                let at = at.with_location(self.graph.nodes[*node].op.location());
                let value = self.make(&at, what, *node, &inputs, self.tile_type(&at, *tile));
                self.tiles.insert(*tile, value);
            }
            Stmt::Store { sink, tile, region } => self.store(at, *sink, self.tile(*tile)?, region),
            Stmt::Loop { id, carried, body } => self.emit_loop(at, *id, carried, body)?,
        }
        Ok(())
    }

    fn make(
        &self,
        at: &Emitter<'c, 'a>,
        what: &What,
        node: NodeId,
        inputs: &[Value<'c, 'a>],
        result: Type<'c>,
    ) -> Value<'c, 'a> {
        let node = &self.graph.nodes[node];
        match what {
            What::Node => {
                let mut inputs = inputs.iter();
                let is_tensor = |value: Value| self.graph.id(value).is_some();
                let operands: Vec<_> = node
                    .op
                    .operands()
                    .map(|operand| {
                        if is_tensor(operand) {
                            *inputs.next().unwrap_or(&operand)
                        } else {
                            operand
                        }
                    })
                    .collect();
                at.value(view::name(&node.op), &operands, result, &kept(node.op))
            }
            What::Named(name) => {
                let attributes = if matches!(node.kind, Kind::Matmul { .. }) {
                    kept(node.op)
                } else {
                    vec![]
                };
                at.value(name, inputs, result, &attributes)
            }
            What::Identity(identity) => {
                let value = scalar(at, *identity, node.element, result);
                at.value("pl.full", &[value], result, &[])
            }
            What::Extract(region) => {
                let (offsets, dynamic) = self.part(at, region);
                let operands = [inputs, &dynamic].concat();
                at.value(
                    "pl.extract_slice",
                    &operands,
                    result,
                    &[("static_offsets", offsets)],
                )
            }
            What::Insert(region) => {
                let (offsets, dynamic) = self.part(at, region);
                let operands = [inputs, &dynamic].concat();
                at.value(
                    "pl.insert_slice",
                    &operands,
                    result,
                    &[("static_offsets", offsets)],
                )
            }
            What::Concat(dim) => {
                let dim = at.int_attr(at.int_type(64), *dim);
                at.value("pl.concat", inputs, result, &[("dim", dim)])
            }
            What::Shift(range) => {
                let by = at.mixed(self.offset(at, Mixed::Static(0), range));
                let by = at.value("arith.index_cast", &[by], node.element, &[]);
                at.value("pl.adds", &[inputs[0], by], result, &[])
            }
            What::Cast => {
                let mode = at.int_attr(at.int_type(32), NEAREST_EVEN);
                at.value("pl.cast", inputs, result, &[("mode", mode)])
            }
        }
    }

    fn store(&self, at: &Emitter<'c, 'a>, sink: usize, tile: Value<'c, 'a>, region: &Region) {
        let Sink { op, access, .. } = &self.sinks[sink];
        let at = at.with_location(op.location());
        let (offsets, dynamic) = self.offsets(&at, access, region);
        let mut operands = [&[tile, access.memory][..], &dynamic].concat();
        let mut segments = vec![1, 1, dynamic.len() as i32];
        let mut attributes = vec![("static_offsets", offsets)];
        let (valid, dynamic) = split(&at, access.valid.as_deref().unwrap_or_default());
        operands.extend(&dynamic);
        segments.push(dynamic.len() as i32);
        if access.valid.is_some() {
            attributes.push(("static_valid", valid));
        }
        if let Ok(atomic) = op.attribute("atomic") {
            attributes.push(("atomic", atomic));
        }
        let name = match access.peer {
            Some(peer) => {
                operands.push(peer);
                segments.push(1);
                "pld.remote_store"
            }
            None => "pl.store",
        };
        attributes.push(segment_sizes(&at, &segments));
        at.op(name, &operands, &[], &attributes);
    }

    fn emit_loop(
        &mut self,
        at: &Emitter<'c, 'a>,
        id: LoopId,
        carried: &[Carried],
        body: &[Stmt],
    ) -> Result<(), Reported> {
        let at = &at.with_location(self.place(body).unwrap_or(at.location));
        let bounds = self.plan.loops[id];
        let mut operands: Vec<_> = [bounds.from, bounds.to, bounds.step]
            .map(|number| at.index(number))
            .into();
        let mut arguments = vec![(at.index_type(), at.location)];
        let mut results = Vec::new();
        for tiles in carried {
            operands.push(self.tile(tiles.init)?);
            let r#type = self.tile_type(at, tiles.argument);
            arguments.push((r#type, at.location));
            results.push(r#type);
        }
        let region = Body::new();
        region.append_block(Block::new(&arguments));
        let builder = OperationBuilder::new("scf.for", at.location)
            .add_operands(&operands)
            .add_results(&results)
            .add_regions([region]);
        let op = at.build(builder);
        let block = op
            .region(0)
            .ok()
            .and_then(|region| region.first_block())
            .ok_or(Reported)?;
        let argument = |index: usize| block.argument(index).map(Value::from).map_err(|_| Reported);
        self.counters.insert(id, argument(0)?);
        for (index, tiles) in carried.iter().enumerate() {
            self.tiles.insert(tiles.argument, argument(index + 1)?);
        }
        let inner = Emitter::at_end(at.context, at.location, block);
        self.stmts(&inner, body)?;
        let next: Vec<_> = carried
            .iter()
            .map(|tiles| self.tile(tiles.next))
            .collect::<Result<_, _>>()?;
        inner.op("scf.yield", &next, &[], &[]);
        for (index, tiles) in carried.iter().enumerate() {
            let result = op.result(index).map_err(|_| Reported)?;
            self.tiles.insert(tiles.result, result.into());
        }
        Ok(())
    }

    /// The place in the program of a loop: that of the first thing in it.
    fn place(&self, body: &[Stmt]) -> Option<Location<'c>> {
        body.iter().find_map(|stmt| match stmt {
            Stmt::Store { sink, .. } => Some(self.sinks[*sink].op.location()),
            Stmt::Load { node, .. } | Stmt::Make { node, .. } => {
                Some(self.graph.nodes[*node].op.location())
            }
            Stmt::Loop { body, .. } => self.place(body),
        })
    }

    /// Where a region starts in memory: the attribute, and values of dynamic entries.
    fn offsets(
        &self,
        at: &Emitter<'c, 'a>,
        access: &Access<'c, 'a>,
        region: &Region,
    ) -> (Attribute<'c>, Vec<Value<'c, 'a>>) {
        let rank = access.offsets.len();
        let entries: Vec<_> = access
            .offsets
            .iter()
            .enumerate()
            .map(|(dim, &offset)| match (dim + 2).checked_sub(rank) {
                Some(inner) => self.offset(at, offset.folded(), region.dim(inner)),
                None => offset.folded(),
            })
            .collect();
        split(at, &entries)
    }

    /// Where a region starts in a tile.
    fn part(&self, at: &Emitter<'c, 'a>, region: &Region) -> (Attribute<'c>, Vec<Value<'c, 'a>>) {
        let entry = |range| self.offset(at, Mixed::Static(0), range);
        split(at, &[entry(&region.rows), entry(&region.cols)])
    }

    /// An offset and where a range starts, added up.
    fn offset(&self, at: &Emitter<'c, 'a>, offset: Mixed<'c, 'a>, range: &Range) -> Mixed<'c, 'a> {
        let number = range.base + offset.as_static().unwrap_or(0);
        let counters = range
            .loops
            .iter()
            .filter_map(|id| self.counters.get(id).copied());
        let value = match offset {
            Mixed::Dynamic(value) => Some(value),
            Mixed::Static(_) => None,
        };
        let sum = value
            .into_iter()
            .chain(counters)
            .reduce(|sum, more| at.binary("arith.addi", sum, more));
        match sum {
            None => Mixed::Static(number),
            Some(sum) if number == 0 => Mixed::Dynamic(sum),
            Some(sum) => Mixed::Dynamic(at.binary("arith.addi", sum, at.index(number))),
        }
    }
}

/// A mixed list as its attribute and the values of its dynamic entries.
fn split<'c, 'a>(
    at: &Emitter<'c, 'a>,
    entries: &[Mixed<'c, 'a>],
) -> (Attribute<'c>, Vec<Value<'c, 'a>>) {
    let numbers: Vec<_> = entries
        .iter()
        .map(|entry| entry.as_static().unwrap_or(DYNAMIC))
        .collect();
    let values = entries.iter().filter_map(|entry| match entry {
        Mixed::Dynamic(value) => Some(*value),
        Mixed::Static(_) => None,
    });
    (
        DenseI64ArrayAttribute::new(at.context, &numbers).into(),
        values.collect(),
    )
}

fn segment_sizes<'c>(at: &Emitter<'c, '_>, sizes: &[i32]) -> (&'static str, Attribute<'c>) {
    (
        "operandSegmentSizes",
        DenseI32ArrayAttribute::new(at.context, sizes).into(),
    )
}

fn kept<'c>(op: OperationRef<'c, '_>) -> Vec<(&'static str, Attribute<'c>)> {
    KEPT.iter()
        .filter_map(|&name| Some((name, op.attribute(name).ok()?)))
        .collect()
}

/// The scalar of a fill; of f32 where the result is, whatever the node's own elements are.
fn scalar<'c, 'a>(
    at: &Emitter<'c, 'a>,
    identity: Identity,
    own: Type<'c>,
    tile: Type<'c>,
) -> Value<'c, 'a> {
    let element = types::Shaped::of(tile).map_or(own, |tile| tile.element_type);
    let known = Element::of(element).unwrap_or(Element::F32);
    if known.is_float() {
        let number = match identity {
            Identity::Zero => 0.0,
            Identity::MinusZero => -0.0,
            Identity::One => 1.0,
            Identity::Least => f64::NEG_INFINITY,
            Identity::Most => f64::INFINITY,
        };
        return at.float(element, number);
    }
    let least = i64::MIN >> (64 - 8 * known.bytes());
    let number = match identity {
        Identity::Zero | Identity::MinusZero => 0,
        Identity::One => 1,
        Identity::Least => least,
        Identity::Most => !least,
    };
    at.int(element, number)
}
