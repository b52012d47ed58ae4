//! What random programs mean, element by element.

use super::program::{
    ARRAY, Access,
    Statement::{self, Binary, Full, If, Load, Loop, Rows, Scalar, Store},
    TILE, Tile,
};
use std::collections::HashMap;

/// Runs programs.
pub struct Interpreter {
    pub arrays: [Vec<f32>; 2],
    /// Both arrays are the first.
    pub one: bool,
    pub tiles: HashMap<Tile, Vec<f32>>,
}

impl Interpreter {
    /// Pairs of an element of the tile and one of the array.
    fn elements(access: &Access) -> Vec<(usize, usize)> {
        let [rows, columns] = access.valid.unwrap_or(TILE);
        let place = |row: usize, column: usize| {
            let [top, left] = access.offset;
            (
                row * TILE[1] + column,
                (row + top) * ARRAY[1] + column + left,
            )
        };
        (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (row, column)))
            .map(|(row, column)| place(row, column))
            .collect()
    }

    fn array(&mut self, access: &Access) -> &mut Vec<f32> {
        &mut self.arrays[if self.one { 0 } else { access.array }]
    }

    pub fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let of = |name: &str, a: f32, b: f32| if name == "add" { a + b } else { a * b };
        match statement {
            Load(tile, access) => {
                let mut value = vec![0.0; TILE[0] * TILE[1]];
                for (element, place) in Self::elements(access) {
                    value[element] = self.array(access)[place];
                }
                self.tiles.insert(*tile, value);
            }
            Store(tile, access, atomic) => {
                let value = self.tiles[tile].clone();
                for (element, place) in Self::elements(access) {
                    let cell = &mut self.array(access)[place];
                    *cell = if *atomic {
                        *cell + value[element]
                    } else {
                        value[element]
                    };
                }
            }
            Binary(tile, name, a, b) => {
                let pairs = self.tiles[a].iter().zip(&self.tiles[b]);
                let value = pairs.map(|(&a, &b)| of(name, a, b)).collect();
                self.tiles.insert(*tile, value);
            }
            Scalar(tile, name, a, scalar) => {
                let value = self.tiles[a]
                    .iter()
                    .map(|&a| of(name, a, *scalar as f32))
                    .collect();
                self.tiles.insert(*tile, value);
            }
            Full(tile, value) => {
                self.tiles
                    .insert(*tile, vec![*value as f32; TILE[0] * TILE[1]]);
            }
            Rows(result, reduce, source, combine, own) => {
                let rows = self.tiles[source]
                    .chunks(TILE[1])
                    .map(|row| reduced(reduce, row));
                let own = self.tiles[own].chunks(TILE[1]);
                let value = own
                    .zip(rows)
                    .flat_map(|(own, row)| own.iter().map(move |&a| of(combine, a, row * 0.5)))
                    .collect();
                self.tiles.insert(*result, value);
            }
            Loop(rounds, carried, body) => {
                let mut values: Vec<_> = carried
                    .iter()
                    .map(|tiles| self.tiles[&tiles[0]].clone())
                    .collect();
                for _ in 0..*rounds {
                    for (tiles, value) in carried.iter().zip(values) {
                        self.tiles.insert(tiles[1], value);
                    }
                    self.block(body);
                    values = carried
                        .iter()
                        .map(|tiles| self.tiles[&tiles[2]].clone())
                        .collect();
                }
                for (tiles, value) in carried.iter().zip(values) {
                    self.tiles.insert(tiles[3], value);
                }
            }
            If(condition, result, yields, bodies) => {
                let branch = usize::from(!condition);
                self.block(&bodies[branch]);
                let value = self.tiles[&yields[branch]].clone();
                self.tiles.insert(*result, value);
            }
        }
    }
}

/// What a row comes to, in the order that the lowering documents.
fn reduced(reduce: &str, row: &[f32]) -> f32 {
    let (start, combine): (f32, fn(f32, f32) -> f32) = match reduce {
        "sum" => (-0.0, |a, b| a + b),
        _ => (f32::NEG_INFINITY, maximum),
    };
    let mut sets = [[start; 16]; 4];
    for (index, &value) in row.iter().enumerate() {
        let lane = &mut sets[index / 16 % 4][index % 16];
        *lane = combine(*lane, value);
    }
    let [a, b, c, d] = sets;
    let mut lanes: Vec<_> = (0..16)
        .map(|i| combine(combine(a[i], b[i]), combine(c[i], d[i])))
        .collect();
    while lanes.len() > 1 {
        let upper = lanes.split_off(lanes.len() / 2);
        lanes
            .iter_mut()
            .zip(upper)
            .for_each(|(a, b)| *a = combine(*a, b));
    }
    lanes[0]
}

/// NaN wins; of 0 and -0 the second.
fn maximum(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        f32::NAN
    } else if a > b {
        a
    } else {
        b
    }
}
