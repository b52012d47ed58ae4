//! What random programs mean, element by element.

use super::program::{
    ARRAY, Access,
    Statement::{self, Binary, Full, If, Load, Loop, Scalar, Store},
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
