//! Which tiles must be in memory, and from when to when.

use super::{
    body::{Body, edges, joined, tile_values},
    groups::{Groups, row_wise},
    products,
    slots::{Holds, Slot},
    stages::Stages,
};
use std::collections::HashSet;

use melior::ir::{Value, ValueLike};
use pld_dialects::{
    bridge,
    types::Shaped,
    view::{self, Access},
};

/// All slots that a function needs, not placed yet.
pub(super) fn tiles(body: &Body, groups: &Groups, direct: &HashSet<usize>) -> Vec<Slot> {
    let mut wanted = Vec::new();
    for number in 0..body.ops.len() {
        let op = body.ops[number];
        if direct.contains(&number) {
            continue;
        }
        wanted.extend(products::packed(body, number));
        let joined = joined(op);
        if joined.is_empty() {
            for tile in tile_values(op) {
                if needs_slot(body, groups, number, tile) {
                    wanted.push(kept(body, groups, number, &[tile]));
                }
            }
        } else {
            // Written on the way in, so alive from the operation itself to its end.
            for tiles in joined {
                let mut slot = kept(body, groups, number, &tiles);
                slot.last = slot.last.max(body.ends[number]);
                wanted.push(slot);
            }
            wanted.extend(temps(body, number));
        }
    }
    for members in &groups.members {
        wanted.extend(rows(body, groups, members));
    }
    for &store in &groups.fallbacks {
        if let Some(access) = Access::of(body.ops[store]) {
            let (first, last) = span(groups, store);
            wanted.push(Slot {
                holds: Holds::Fallback(store),
                bytes: bytes(access.value),
                first,
                last,
                offset: 0,
            });
        }
    }
    wanted
}

/// The rows that a group keeps from one strip loop to a later one, of tiles without a slot.
fn rows(body: &Body, groups: &Groups, members: &[usize]) -> Vec<Slot> {
    let ops: Vec<_> = members.iter().map(|&member| body.ops[member]).collect();
    let forms = ops.iter().filter_map(|&op| row_wise(op));
    let Some(form) = forms.reduce(|all, form| all.with(form).unwrap_or(all)) else {
        return Vec::new();
    };
    let stages = Stages::of(&ops, form.columns());
    let mut rows = Vec::new();
    for (&member, planned) in members.iter().zip(&stages.ops) {
        let tile = tile_values(body.ops[member]).first().copied();
        let Some(tile) =
            tile.filter(|&tile| planned.kept && !needs_slot(body, groups, member, tile))
        else {
            continue;
        };
        let (first, last) = span(groups, member);
        rows.push(Slot {
            holds: Holds::Row(member),
            bytes: bytes(tile).map(|bytes| bytes / form.rows),
            first,
            last,
            offset: 0,
        });
    }
    rows
}

/// Whether a tile must be in memory: not if only its own group uses it, or if it is cheaply
/// made again.
fn needs_slot(body: &Body, groups: &Groups, number: usize, tile: Value) -> bool {
    let Some(group) = groups.of.get(&number) else {
        return true;
    };
    let remade = view::is(&body.ops[number], "pl.full");
    body.uses(tile)
        .iter()
        .any(|user| match groups.of.get(user) {
            Some(other) => other != group && !remade,
            None => true,
        })
}

/// The slot of tiles that operation `number` makes, alive until their last use.
fn kept(body: &Body, groups: &Groups, number: usize, tiles: &[Value]) -> Slot {
    let (first, mut last) = span(groups, number);
    for &tile in tiles {
        for &usage in body.uses(tile) {
            let (_, usage) = span(groups, usage);
            last = last.max(body.kept_until(number, usage));
        }
    }
    Slot {
        holds: Holds::Tiles(tiles.iter().map(|&tile| bridge::value_key(tile)).collect()),
        bytes: tiles.first().and_then(|&tile| bytes(tile)),
        first,
        last,
        offset: 0,
    }
}

/// First and last operation of the nest that an operation is part of.
fn span(groups: &Groups, number: usize) -> (usize, usize) {
    let members = groups.of.get(&number).map(|&group| &groups.members[group]);
    let ends = members.and_then(|members| Some((*members.first()?, *members.last()?)));
    ends.unwrap_or((number, number))
}

/// Several tiles that flow along one edge may have changed places: they flow through these.
fn temps(body: &Body, number: usize) -> Vec<Slot> {
    let edges = edges(body.ops[number]);
    let widest = edges.into_iter().max_by_key(|edge| edge.tiles.len());
    let Some(edge) = widest.filter(|edge| edge.tiles.len() > 1) else {
        return Vec::new();
    };
    // One size for all, since the edges of a while loop carry different tiles.
    let most = edges_tiles(body, number).filter_map(bytes).max();
    edge.tiles
        .iter()
        .map(|_| Slot {
            holds: Holds::Temp(number),
            bytes: most,
            first: number,
            last: body.ends[number],
            offset: 0,
        })
        .collect()
}

fn edges_tiles<'c, 'a>(
    body: &Body<'c, 'a>,
    number: usize,
) -> impl Iterator<Item = Value<'c, 'a>> + use<'c, 'a> {
    let edges = edges(body.ops[number]);
    edges
        .into_iter()
        .flat_map(|edge| edge.tiles.into_iter().map(|(_, tile)| tile))
}

fn bytes(tile: Value) -> Option<i64> {
    Shaped::of(tile.r#type())?.static_bytes()
}
