//! What does not fit on-core.

use super::{
    choose::{Job, TooLarge},
    graph::{Graph, Kind, NodeId},
    tree::{Stmt, TileId},
};
use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{
    diag::{self, Code},
    pass::Reported,
    types::Element,
    view,
};

/// How many tiles a report names.
const MOST_NAMED: usize = 4;

/// On-core bytes of all of a value.
pub(super) fn bytes(graph: &Graph, node: NodeId) -> i64 {
    let [rows, cols] = graph.nodes[node].shape;
    let width = Element::of(graph.nodes[node].element).map_or(1, Element::bytes);
    rows.saturating_mul(cols.saturating_mul(width).saturating_add(31) / 32 * 32)
}

/// Reports a segment whose smallest tiles do not fit (301).
pub(super) fn too_large(
    job: &Job,
    found: &TooLarge,
    alive: &[NodeId],
    anchor: OperationRef,
) -> Reported {
    let mut makers = Vec::new();
    collect(&found.plan.stmts, &mut makers);
    let maker = |tile: TileId| {
        makers
            .iter()
            .find(|(made, _)| *made == tile)
            .map(|(_, node)| *node)
    };
    let mut named: Vec<(NodeId, [i64; 2], i64)> = found
        .alive
        .iter()
        .filter_map(|&tile| {
            let node = maker(tile)?;
            let tile = found.plan.tiles[tile];
            Some((node, [tile.rows, tile.cols], tile.bytes))
        })
        .collect();
    named.extend(
        alive
            .iter()
            .map(|&node| (node, job.graph.nodes[node].shape, bytes(job.graph, node))),
    );
    named.sort_by_key(|&(node, _, bytes)| (std::cmp::Reverse(bytes), node));
    let mended = named
        .iter()
        .find_map(|&(node, ..)| Some((node, mend(&job.graph.nodes[node].kind)?)));
    let largest = named.first().map(|&(node, ..)| node);
    let place = mended.map(|(node, _)| node).or(largest);
    let place = place.map_or(anchor, |node| job.graph.nodes[node].op);
    let held: i64 = alive.iter().map(|&node| bytes(job.graph, node)).sum();
    let message = format!(
        "'{}' op belongs to tensors that need {} bytes on-core at once with the smallest tiles, expected at most {}",
        view::name(&place),
        found.bytes.saturating_add(held),
        job.budget.saturating_add(held),
    );
    let mut report = diag::error_at(place.location(), Code(301), message);
    for &(node, [rows, cols], bytes) in named.iter().take(MOST_NAMED) {
        let node = &job.graph.nodes[node];
        let what = format!(
            "alive at the peak: {rows}x{cols}x{}, {bytes} bytes",
            node.element
        );
        report = report.note_at(node.op.location(), what);
    }
    report
        .note(mended.map_or(
            "a value that is used after its memory may have changed is held whole: assemble it to \
             memory of its own first, and slice that afterwards",
            |(_, mend)| mend,
        ))
        .emit();
    Reported
}

/// What to write instead of an operation that takes its operands whole.
const fn mend(kind: &Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Reshape => {
            "pl.reshape takes all of its operand at once: slice memory of the other shape instead"
        }
        Kind::Gather => {
            "pl.gather takes all rows of its source at once: gather from fewer columns at a time"
        }
        Kind::Extract(None) | Kind::Insert(None) => {
            "a part at a run-time offset takes all of the value at once: give the offset to pl.slice or pl.assemble"
        }
        _ => return None,
    })
}

fn collect(stmts: &[Stmt], found: &mut Vec<(TileId, NodeId)>) {
    for stmt in stmts {
        match stmt {
            Stmt::Load { tile, node, .. } | Stmt::Make { tile, node, .. } => {
                found.push((*tile, *node))
            }
            Stmt::Loop { body, .. } => collect(body, found),
            Stmt::Store { .. } => {}
        }
    }
}
