//! What random tensor programs mean: each statement at its place, on whole tensors.

use super::program::{
    Id, Make,
    Statement::{self, Assemble, If, Loop, Write},
};
use std::collections::HashMap;

/// A tensor: rows, columns, elements.
#[derive(Clone, Debug)]
pub struct Tensor {
    shape: [usize; 2],
    data: Vec<f32>,
}

impl Tensor {
    fn new(shape: [usize; 2], element: impl Fn(usize, usize) -> f32) -> Self {
        let [rows, cols] = shape;
        let data = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        Self {
            shape,
            data: data.map(|(row, col)| element(row, col)).collect(),
        }
    }

    fn at(&self, row: usize, col: usize) -> f32 {
        self.data[row * self.shape[1] + col]
    }
}

/// Runs programs.
pub struct Interpreter<'p> {
    pub array: [usize; 2],
    pub arrays: [Vec<f32>; 2],
    /// Both arrays are the first.
    pub one: bool,
    pub shapes: &'p [[usize; 2]],
    pub tensors: HashMap<Id, Tensor>,
}

/// The larger one, where 0 is above -0.
fn larger(a: f32, b: f32) -> f32 {
    if a > b || a == b && b.is_sign_negative() {
        a
    } else {
        b
    }
}

fn combine(how: &str, a: f32, b: f32) -> f32 {
    match how {
        "add" | "sum" => a + b,
        "sub" => a - b,
        "mul" => a * b,
        "max" => larger(a, b),
        _ => -larger(-a, -b),
    }
}

impl Interpreter<'_> {
    fn place(&self, row: usize, col: usize) -> usize {
        row * self.array[1] + col
    }

    pub fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Make(id, make, operands) => {
                let value = self.make(self.shapes[*id], *make, operands);
                self.tensors.insert(*id, value);
            }
            Assemble(id, array, [top, left]) => {
                let value = self.tensors[id].clone();
                for row in 0..value.shape[0] {
                    for col in 0..value.shape[1] {
                        let place = self.place(top + row, left + col);
                        self.arrays[if self.one { 0 } else { *array }][place] = value.at(row, col);
                    }
                }
            }
            Write(array, [row, col], value) => {
                let place = self.place(*row, *col);
                self.arrays[if self.one { 0 } else { *array }][place] = *value as f32;
            }
            Loop(rounds, carried, body) => {
                let mut values: Vec<_> = carried
                    .iter()
                    .map(|ids| self.tensors[&ids[0]].clone())
                    .collect();
                for _ in 0..*rounds {
                    self.tensors
                        .extend(carried.iter().map(|ids| ids[1]).zip(values));
                    self.block(body);
                    values = carried
                        .iter()
                        .map(|ids| self.tensors[&ids[2]].clone())
                        .collect();
                }
                self.tensors
                    .extend(carried.iter().map(|ids| ids[3]).zip(values));
            }
            If(condition, result, yields, bodies) => {
                let side = usize::from(!condition);
                self.block(&bodies[side]);
                let value = self.tensors[&yields[side]].clone();
                self.tensors.insert(*result, value);
            }
        }
    }

    fn make(&self, shape: [usize; 2], make: Make, operands: &[Id]) -> Tensor {
        let of = |index: usize| &self.tensors[&operands[index]];
        let new = |element: &dyn Fn(usize, usize) -> f32| Tensor::new(shape, element);
        let fold = |how: &str, elements: &mut dyn Iterator<Item = f32>| {
            let start = if how == "sum" { Some(-0.0) } else { None };
            let all = start.into_iter().chain(elements);
            all.reduce(|a, b| combine(how, a, b)).expect("an element")
        };
        match make {
            Make::Slice(array, [top, left]) => {
                let array = &self.arrays[if self.one { 0 } else { array }];
                new(&|row, col| array[self.place(top + row, left + col)])
            }
            Make::Full(value) => new(&|_, _| value as f32),
            Make::Binary(how) => {
                new(&|row, col| combine(how, of(0).at(row, col), of(1).at(row, col)))
            }
            Make::Scalar(how, value) => {
                new(&|row, col| combine(how, of(0).at(row, col), value as f32))
            }
            Make::Unary(how) => new(&|row, col| match (how, of(0).at(row, col)) {
                ("neg", value) => -value,
                ("abs", value) => value.abs(),
                (_, value) => larger(value, 0.0),
            }),
            Make::Choose => new(&|row, col| {
                let less = of(0).at(row, col) < of(1).at(row, col);
                of(if less { 2 } else { 3 }).at(row, col)
            }),
            Make::Row(how) => {
                new(&|row, _| fold(how, &mut (0..of(0).shape[1]).map(|col| of(0).at(row, col))))
            }
            Make::Col(how) => {
                new(&|_, col| fold(how, &mut (0..of(0).shape[0]).map(|row| of(0).at(row, col))))
            }
            Make::RowExpand(None) => new(&|row, _| of(0).at(row, 0)),
            Make::ColExpand(None) => new(&|_, col| of(0).at(0, col)),
            Make::RowExpand(Some(how)) => {
                new(&|row, col| combine(how, of(0).at(row, col), of(1).at(row, 0)))
            }
            Make::ColExpand(Some(how)) => {
                new(&|row, col| combine(how, of(0).at(row, col), of(1).at(0, col)))
            }
            Make::Transpose => new(&|row, col| of(0).at(col, row)),
            Make::Reshape => new(&|row, col| of(0).data[row * shape[1] + col]),
            Make::Concat(dim) => new(&|row, col| {
                let seam = of(0).shape[dim];
                match dim {
                    0 if row >= seam => of(1).at(row - seam, col),
                    1 if col >= seam => of(1).at(row, col - seam),
                    _ => of(0).at(row, col),
                }
            }),
            Make::Extract([top, left], _) => new(&|row, col| of(0).at(top + row, left + col)),
            Make::Insert([top, left], _) => new(&|row, col| {
                let part = of(0);
                let inside = (top..top + part.shape[0]).contains(&row)
                    && (left..left + part.shape[1]).contains(&col);
                if inside {
                    part.at(row - top, col - left)
                } else {
                    of(1).at(row, col)
                }
            }),
        }
    }
}
