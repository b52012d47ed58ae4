//! Programs of tile operations on tiles of any shapes, each result stored to an array.

use super::harness::{Array, check_against_cpu};
use crate::cpu::{
    harness::kernel,
    values::{Random, Type},
};
use std::fmt::Write;

/// A shape and an element type.
#[derive(Clone, Copy, Debug)]
pub struct Shape(pub Type, pub usize, pub usize);

impl Shape {
    fn text(self) -> String {
        format!("{}x{}x{}", self.1, self.2, self.0.name())
    }

    /// The type of a tile.
    pub fn tile(self) -> String {
        format!("!pl.tile<{}>", self.text())
    }
}

/// A kernel on one rank: its arrays and its body.
#[derive(Default)]
pub struct Tiles {
    inputs: Vec<(String, Shape, Vec<u8>)>,
    outputs: Vec<(String, Shape)>,
    body: String,
}

impl Tiles {
    /// A line of the body.
    pub fn line(&mut self, text: &str) {
        writeln!(self.body, "  {text}").expect("a string");
    }

    /// An input of these elements; the name of its tile.
    pub fn input(&mut self, shape: Shape, code: impl FnMut() -> u64) -> String {
        let name = format!("in{}", self.inputs.len());
        let (array, tile) = (shape.text(), shape.tile());
        self.line(&format!(
            "%{name}_t = pl.load %{name}[0, 0] : memref<{array}> -> {tile}"
        ));
        let codes: Vec<_> = std::iter::repeat_with(code)
            .take(shape.1 * shape.2)
            .collect();
        self.inputs
            .push((name.clone(), shape, shape.0.encode(&codes)));
        format!("%{name}_t")
    }

    /// An input of small numbers, of which many are 0, that are added and multiplied without
    /// rounding while there are few: results do not depend on the order.
    pub fn small(&mut self, shape: Shape, random: &mut Random) -> String {
        let numbers = [1.0, -1.0, 1.0, 0.0, 2.0, -1.0];
        self.input(shape, || {
            let number = numbers[random.below(6) as usize];
            if shape.0.is_float() {
                shape.0.nearest(number)
            } else {
                shape.0.wrap(number as i64)
            }
        })
    }

    /// An input of any bits.
    pub fn any(&mut self, shape: Shape, random: &mut Random) -> String {
        self.input(shape, || shape.0.random(random))
    }

    /// Stores the result of `pl.TEXT`; its name.
    pub fn result(&mut self, text: &str, shape: Shape) -> String {
        let name = format!("out{}", self.outputs.len());
        self.line(&format!("%{name}_t = pl.{text}"));
        let (array, tile) = (shape.text(), shape.tile());
        self.line(&format!(
            "pl.store %{name}_t, %{name}[0, 0] : {tile}, memref<{array}>"
        ));
        self.outputs.push((name.clone(), shape));
        format!("%{name}_t")
    }

    /// The program and its arrays; outputs are empty yet.
    pub fn program(&self) -> (String, Vec<Array>) {
        let inputs = self.inputs.iter().map(|(name, shape, _)| (name, shape));
        let outputs = self.outputs.iter().map(|(name, shape)| (name, shape));
        let all: Vec<_> = inputs
            .map(|(name, shape)| (name, shape.text(), "in"))
            .chain(outputs.map(|(name, shape)| (name, shape.text(), "out")))
            .collect();
        let parameters: Vec<_> = all
            .iter()
            .map(|(name, shape, direction)| (name.as_str(), shape.as_str(), *direction))
            .collect();
        let text = kernel(&parameters, &self.body);
        let extents = |shape: &Shape| [1, shape.1, shape.2];
        let mut arrays: Vec<_> = self
            .inputs
            .iter()
            .map(|(_, shape, bytes)| Array::input(shape.0, &extents(shape), bytes.clone()))
            .collect();
        arrays.extend(self.outputs.iter().map(|(_, shape)| {
            let bytes = vec![0; shape.1 * shape.2 * shape.0.bytes()];
            Array::output(shape.0, &extents(shape), bytes)
        }));
        (text, arrays)
    }

    /// Runs it both ways and compares bits.
    #[track_caller]
    pub fn check(&self) {
        let (text, arrays) = self.program();
        check_against_cpu(&text, 1, arrays);
    }
}
