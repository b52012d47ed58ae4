//! Random programs over two arrays.

use crate::cpu::values::Random;

/// Extents of the arrays and of all tiles.
pub const ARRAY: [usize; 2] = [9, 41];
pub const TILE: [usize; 2] = [3, 35];
pub const MEMORY: &str = "memref<9x41xf32>";

/// Tiles are numbered.
pub type Tile = usize;

pub struct Access {
    pub array: usize,
    pub offset: [usize; 2],
    pub valid: Option<[usize; 2]>,
}

pub enum Statement {
    Load(Tile, Access),
    Store(Tile, Access, bool),
    Binary(Tile, &'static str, Tile, Tile),
    Scalar(Tile, &'static str, Tile, i32),
    Full(Tile, i32),
    /// Each row of a tile combined with half of what a row of another reduces to: result, sum or
    /// max, what is reduced, how it is combined, with what.
    Rows(Tile, &'static str, Tile, &'static str, Tile),
    /// Rounds; per carried tile its input, argument, yield and result; body.
    Loop(usize, Vec<[Tile; 4]>, Vec<Statement>),
    /// Condition; result; what the branches yield; their bodies.
    If(bool, Tile, [Tile; 2], [Vec<Statement>; 2]),
}

use Statement::{Binary, Full, If, Load, Loop, Rows, Scalar, Store};

/// Makes programs.
pub struct Maker {
    pub random: Random,
    pub next: Tile,
    /// Whether rows are reduced.
    pub rows: bool,
}

impl Maker {
    pub fn tile(&mut self) -> Tile {
        self.next += 1;
        self.next
    }

    fn any(&mut self, known: &[Tile]) -> Tile {
        // Rather a new one.
        let back = self
            .random
            .below(4)
            .min(self.random.below(known.len() as u64)) as usize;
        known[known.len() - 1 - back.min(known.len() - 1)]
    }

    fn access(&mut self) -> Access {
        let mut part = |whole: usize| self.random.below(whole as u64 + 1) as usize;
        // Small steps, so that regions often overlap.
        let offset = [part(2), part(1) * 3];
        let valid = (part(3) == 0).then(|| [part(TILE[0]), part(TILE[1])]);
        Access {
            array: part(1),
            offset,
            valid,
        }
    }

    pub fn block(&mut self, known: &mut Vec<Tile>, depth: usize) -> Vec<Statement> {
        let count = 3 + self.random.below(8);
        (0..count).map(|_| self.statement(known, depth)).collect()
    }

    fn statement(&mut self, known: &mut Vec<Tile>, depth: usize) -> Statement {
        let operation = ["add", "mul"][self.random.below(2) as usize];
        let value = self.random.below(3) as i32 - 1;
        if self.rows && self.random.below(5) == 0 {
            let reduce = ["sum", "max"][self.random.below(2) as usize];
            let (source, own) = (self.any(known), self.any(known));
            let result = self.tile();
            known.push(result);
            return Rows(result, reduce, source, operation, own);
        }
        let statement = match self.random.below(if depth > 0 { 12 } else { 10 }) {
            0..=2 => Load(self.tile(), self.access()),
            3..=5 => return Store(self.any(known), self.access(), self.random.below(5) == 0),
            6 | 7 => Binary(self.tile(), operation, self.any(known), self.any(known)),
            8 => Scalar(self.tile(), operation, self.any(known), value),
            9 => Full(self.tile(), value),
            10 => self.make_loop(known, depth),
            _ => {
                let mut branch = || {
                    let mut inner = known.clone();
                    let body = self.block(&mut inner, depth - 1);
                    (self.any(&inner), body)
                };
                let (one, other) = (branch(), branch());
                let result = self.tile();
                If(
                    self.random.below(2) == 0,
                    result,
                    [one.0, other.0],
                    [one.1, other.1],
                )
            }
        };
        match &statement {
            Load(tile, _) | Binary(tile, ..) | Scalar(tile, ..) | Full(tile, _) => {
                known.push(*tile)
            }
            Loop(_, carried, _) => known.extend(carried.iter().map(|tiles| tiles[3])),
            If(_, result, ..) => known.push(*result),
            Store(..) | Rows(..) => {}
        }
        statement
    }

    fn make_loop(&mut self, known: &[Tile], depth: usize) -> Statement {
        let mut inner = known.to_vec();
        let mut carried: Vec<[Tile; 4]> = (0..self.random.below(4))
            .map(|_| [self.any(known), self.tile(), 0, 0])
            .collect();
        inner.extend(carried.iter().map(|tiles| tiles[1]));
        let body = self.block(&mut inner, depth - 1);
        for tiles in &mut carried {
            tiles[2] = self.any(&inner);
            tiles[3] = self.tile();
        }
        Loop(self.random.below(4) as usize, carried, body)
    }
}
