//! The plan of a segment: loads, tile operations, stores, and loops of them.

use super::{
    graph::NodeId,
    region::{Bounds, LoopId, Range, Region},
};
use melior::ir::Type;
use std::collections::HashMap;

/// A tile of the plan.
pub(super) type TileId = usize;

/// Type of a tile, and what it takes on-core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile<'c> {
    pub(super) rows: i64,
    pub(super) cols: i64,
    pub(super) element: Type<'c>,
    /// Rows are padded to whole blocks on-core. 0 if it is held from before.
    pub(super) bytes: i64,
}

/// What changes nothing when it is combined with a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Identity {
    /// For what is written over.
    Zero,
    /// Of a sum: plus 0 would turn -0 into 0.
    MinusZero,
    One,
    Least,
    Most,
}

/// What an operation on tiles does.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// What the node does, by its own name and with its own scalars.
    Node,
    /// Another operation, with the attributes of the node.
    Named(String),
    /// A fill.
    Identity(Identity),
    /// The region of the operand.
    Extract(Region),
    /// The first operand put into the second at the start of the region.
    Insert(Region),
    Concat(i64),
    /// Adds where the range starts.
    Shift(Range),
    /// To the element type of the result, rounding to nearest-even.
    Cast,
}

/// A tile that a loop carries on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub(super) init: TileId,
    pub(super) argument: TileId,
    pub(super) next: TileId,
    pub(super) result: TileId,
}

#[derive(Clone, Debug)]
pub(super) enum Stmt {
    /// Of a region of a slice, first asked for by a sink (none: by a value that is held).
    Load {
        tile: TileId,
        node: NodeId,
        region: Region,
        asked_by: Option<usize>,
    },
    Make {
        tile: TileId,
        what: What,
        node: NodeId,
        inputs: Vec<TileId>,
        /// The operand whose memory the result takes over.
        in_place: Option<TileId>,
    },
    Store {
        sink: usize,
        tile: TileId,
        region: Region,
    },
    Loop {
        id: LoopId,
        carried: Vec<Carried>,
        body: Vec<Stmt>,
    },
}

/// A plan.
#[derive(Default)]
pub(super) struct Plan<'c> {
    pub(super) tiles: Vec<Tile<'c>>,
    pub(super) loops: Vec<Bounds>,
    pub(super) stmts: Vec<Stmt>,
    /// Tiles that are held from before.
    pub(super) outer: HashMap<TileId, NodeId>,
    /// Values that the plan leaves behind.
    pub(super) held: Vec<(NodeId, TileId)>,
}

/// What a plan costs, in bytes moved and operations run; less is better.
pub(super) type Cost = (i64, i64);

impl Plan<'_> {
    pub(super) fn cost(&self) -> Cost {
        self.cost_of(&self.stmts)
    }

    fn cost_of(&self, stmts: &[Stmt]) -> Cost {
        stmts.iter().fold((0i64, 0i64), |(bytes, steps), stmt| {
            let (more_bytes, more_steps) = match stmt {
                Stmt::Load { tile, .. } | Stmt::Store { tile, .. } => (self.tiles[*tile].bytes, 1),
                Stmt::Make { .. } => (0, 1),
                Stmt::Loop { id, body, .. } => {
                    let Bounds { from, to, step } = self.loops[*id];
                    let (bytes, steps) = self.cost_of(body);
                    let turns = (to - from) / step;
                    (bytes.saturating_mul(turns), steps.saturating_mul(turns))
                }
            };
            (
                bytes.saturating_add(more_bytes),
                steps.saturating_add(more_steps),
            )
        })
    }

    /// The most bytes that are alive at one time, and the tiles that are then.
    pub(super) fn peak(&self) -> (i64, Vec<TileId>) {
        let mut lives = Lives::default();
        lives.walk(&self.stmts);
        for (_, tile) in &self.held {
            lives.touch(*tile);
        }
        let mut events: Vec<(usize, bool, TileId)> = Vec::new();
        for (&tile, &(first, last)) in &lives.spans {
            events.push((first, false, tile));
            events.push((last + 1, true, tile));
        }
        // At one place, deaths come first.
        events.sort_unstable_by_key(|&(place, dies, tile)| (place, !dies, tile));
        let (mut live, mut most, mut at) = (0i64, 0i64, 0);
        for &(place, dies, tile) in &events {
            let bytes = self.tiles[tile].bytes;
            live = if dies {
                live - bytes
            } else {
                live.saturating_add(bytes)
            };
            if live > most {
                (most, at) = (live, place);
            }
        }
        let alive = lives
            .spans
            .iter()
            .filter(|(_, span)| span.0 <= at && at <= span.1);
        let mut alive: Vec<_> = alive.map(|(&tile, _)| tile).collect();
        alive.sort_unstable_by_key(|&tile| (std::cmp::Reverse(self.tiles[tile].bytes), tile));
        (most, alive)
    }
}

/// From when to when tiles live, those that share memory as one.
#[derive(Default)]
struct Lives {
    spans: HashMap<TileId, (usize, usize)>,
    home: HashMap<TileId, TileId>,
    place: usize,
}

impl Lives {
    fn walk(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.place += 1;
            match stmt {
                Stmt::Load { tile, .. } | Stmt::Store { tile, .. } => self.touch(*tile),
                Stmt::Make {
                    tile,
                    inputs,
                    in_place,
                    ..
                } => {
                    inputs.iter().for_each(|&input| self.touch(input));
                    if let Some(from) = in_place {
                        self.share(*tile, *from);
                    }
                    self.touch(*tile);
                }
                Stmt::Loop { carried, body, .. } => {
                    for tiles in carried {
                        self.touch(tiles.init);
                        self.share(tiles.argument, tiles.init);
                        self.share(tiles.result, tiles.init);
                    }
                    let start = self.place;
                    self.walk(body);
                    self.place += 1;
                    // What was there before the loop and is used in it lives to its end.
                    for (first, last) in self.spans.values_mut() {
                        if *first <= start && *last > start {
                            *last = self.place;
                        }
                    }
                    for tiles in carried {
                        self.touch(tiles.init);
                    }
                }
            }
        }
    }

    fn share(&mut self, tile: TileId, with: TileId) {
        let home = *self.home.get(&with).unwrap_or(&with);
        self.home.insert(tile, home);
    }

    fn touch(&mut self, tile: TileId) {
        let tile = *self.home.get(&tile).unwrap_or(&tile);
        let place = self.place;
        self.spans.entry(tile).or_insert((place, place)).1 = place;
    }
}
