//! The tensor values of a function: what each is made of.

use melior::ir::{
    BlockLike, RegionLike, Type, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    pass::Reported,
    types::{Level, Shaped},
    view::{self, Mixed},
};
use std::collections::{BTreeSet, HashMap};

/// A tensor value.
pub(super) type NodeId = usize;

/// What a region of a value is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A region of memory.
    Slice,
    /// One scalar everywhere.
    Full,
    /// Numbers of the columns.
    Iota,
    /// The same region of each operand.
    Map,
    /// The same region of the operands but the last, of which a column.
    RowExpand,
    /// The same region of the operands but the last, of which a row.
    ColExpand,
    /// All columns of the operand.
    RowReduce,
    /// All rows of the operand.
    ColReduce,
    Transpose,
    Reshape,
    /// All rows of the first operand, those columns; the same rows of the index.
    Gather,
    Concat(usize),
    /// Offsets; none if they are known at run time only.
    Extract(Option<[i64; 2]>),
    Insert(Option<[i64; 2]>),
    /// Whether there is an accumulator, and which operands are transposed.
    Matmul {
        acc: bool,
        transposed: [bool; 2],
    },
    /// A tile already: what a region of `scf` takes or gives.
    Carried,
}

/// A tensor value, taken apart.
pub(super) struct Node<'c, 'a> {
    /// What makes it; for an argument of a region, what holds the region.
    pub(super) op: OperationRef<'c, 'a>,
    pub(super) kind: Kind,
    /// Tensors that it is made of.
    pub(super) operands: Vec<NodeId>,
    pub(super) shape: [i64; 2],
    pub(super) element: Type<'c>,
}

/// All tensor values of a function, each behind what it is made of.
pub(super) struct Graph<'c, 'a> {
    pub(super) nodes: Vec<Node<'c, 'a>>,
    ids: HashMap<usize, NodeId>,
    /// Rows and columns at which a value is put together of others.
    cuts: Vec<[BTreeSet<i64>; 2]>,
}

impl<'c, 'a> Graph<'c, 'a> {
    pub(super) fn of(function: OperationRef<'c, 'a>) -> Result<Self, Reported> {
        let mut graph = Self {
            nodes: Vec::new(),
            ids: HashMap::new(),
            cuts: Vec::new(),
        };
        for op in bridge::collect(function, |_| true) {
            for result in op.results() {
                graph.add(op, result.into(), false)?;
            }
            for region in op.regions() {
                let block = region.first_block();
                let count = block.map_or(0, |block| block.argument_count());
                for argument in (0..count).filter_map(|index| block?.argument(index).ok()) {
                    graph.add(op, argument.into(), true)?;
                }
            }
        }
        Ok(graph)
    }

    pub(super) fn id(&self, value: Value) -> Option<NodeId> {
        self.ids.get(&bridge::value_key(value)).copied()
    }

    /// Where to cut a dim of a value, so that each part of a concatenation or insertion is
    /// made by itself.
    pub(super) fn cuts(&self, node: NodeId, dim: usize) -> &BTreeSet<i64> {
        &self.cuts[node][dim]
    }

    fn add(
        &mut self,
        op: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        argument: bool,
    ) -> Result<(), Reported> {
        let shaped = Shaped::of(value.r#type()).filter(|shaped| shaped.level == Level::Tensor);
        let Some(shaped) = shaped else {
            return Ok(());
        };
        let kind = if argument {
            Some(Kind::Carried)
        } else {
            kind(op)
        };
        let (Some(kind), &[rows, cols]) = (kind, &shaped.shape[..]) else {
            let name = view::name(&op);
            let message = format!(
                "'{name}' op makes a tensor, which --pl-tile-tensors does not know how to tile"
            );
            diag::failure(op.location(), message)
                .note("compute tensors of rank 2 by operations of pl, and carry them by scf only")
                .emit();
            return Err(Reported);
        };
        let operands = if kind == Kind::Carried {
            vec![]
        } else {
            op.operands()
                .filter_map(|operand| self.id(operand))
                .collect()
        };
        let node = Node {
            op,
            kind,
            operands,
            shape: [rows, cols],
            element: shaped.element_type,
        };
        self.cuts.push([0, 1].map(|dim| self.made_cuts(&node, dim)));
        self.ids.insert(bridge::value_key(value), self.nodes.len());
        self.nodes.push(node);
        Ok(())
    }

    fn made_cuts(&self, node: &Node, dim: usize) -> BTreeSet<i64> {
        let of = |operand: usize, dim: usize| {
            let id = node.operands.get(operand);
            id.map_or_else(BTreeSet::new, |&id| self.cuts[id][dim].clone())
        };
        let all = |dim: usize| -> BTreeSet<i64> {
            (0..node.operands.len())
                .flat_map(|operand| of(operand, dim))
                .collect()
        };
        let extent = |operand: usize| {
            node.operands
                .get(operand)
                .map_or(0, |&id| self.nodes[id].shape[dim])
        };
        let shifted = |cuts: BTreeSet<i64>, by: i64| cuts.into_iter().map(move |cut| cut + by);
        let found: BTreeSet<i64> = match (&node.kind, dim) {
            (Kind::Map, _) => all(dim),
            (Kind::RowExpand, 0) | (Kind::ColExpand, 1) => all(dim),
            (Kind::RowExpand | Kind::ColExpand, _) if node.operands.len() > 1 => of(0, dim),
            (Kind::RowReduce, 0) | (Kind::ColReduce, 1) => of(0, dim),
            (Kind::Transpose, _) => of(0, 1 - dim),
            (Kind::Gather, 0) => of(1, 0),
            (Kind::Gather, _) => of(0, 1),
            (Kind::Concat(joined), _) if *joined == dim => {
                let first = extent(0);
                of(0, dim)
                    .into_iter()
                    .chain([first])
                    .chain(shifted(of(1, dim), first))
                    .collect()
            }
            (Kind::Concat(_), _) => all(dim),
            (Kind::Extract(Some(offsets)), _) => shifted(of(0, dim), -offsets[dim]).collect(),
            (Kind::Insert(Some(offsets)), _) => {
                let offset = offsets[dim];
                let ends = [offset, offset + extent(0)];
                of(1, dim)
                    .into_iter()
                    .chain(ends)
                    .chain(shifted(of(0, dim), offset))
                    .collect()
            }
            _ => BTreeSet::new(),
        };
        found
            .into_iter()
            .filter(|cut| (1..node.shape[dim]).contains(cut))
            .collect()
    }
}

/// The kind of what an operation makes, if it is one that makes tensors.
fn kind(op: OperationRef) -> Option<Kind> {
    let offsets = |first| {
        let offsets = view::offsets(op, first)?;
        let fixed: Vec<_> = offsets.iter().map(Mixed::as_static).collect();
        Some(match fixed[..] {
            [Some(row), Some(col)] => Some([row, col]),
            _ => None,
        })
    };
    let has = |name: &str| op.has_attribute(name);
    Some(match view::name(&op) {
        "pl.slice" => Kind::Slice,
        "pl.full" => Kind::Full,
        "pl.iota" => Kind::Iota,
        "pl.row_sum" | "pl.row_max" | "pl.row_min" | "pl.row_prod" => Kind::RowReduce,
        "pl.col_sum" | "pl.col_max" | "pl.col_min" | "pl.col_prod" => Kind::ColReduce,
        "pl.transpose" => Kind::Transpose,
        "pl.reshape" => Kind::Reshape,
        "pl.gather" => Kind::Gather,
        "pl.concat" => Kind::Concat(usize::try_from(view::integer(&op, "dim")?).ok()?),
        "pl.extract_slice" => Kind::Extract(offsets(1)?),
        "pl.insert_slice" => Kind::Insert(offsets(2)?),
        name @ ("pl.matmul" | "pl.matmul_acc") => Kind::Matmul {
            acc: name == "pl.matmul_acc",
            transposed: [has("transpose_a"), has("transpose_b")],
        },
        name if name.starts_with("pl.row_expand") => Kind::RowExpand,
        name if name.starts_with("pl.col_expand") => Kind::ColExpand,
        name if name.starts_with("pl.") || name == "arith.select" => Kind::Map,
        name if name.starts_with("scf.") => Kind::Carried,
        _ => return None,
    })
}
