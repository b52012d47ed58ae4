//! Random tensor-level programs over two arrays, whose numbers stay integers that f32 holds
//! exactly.

use crate::cpu::values::Random;

/// Tensors are numbered.
pub type Id = usize;

/// What makes a tensor of others.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    Slice(usize, [usize; 2]),
    Full(i32),
    Binary(&'static str),
    Scalar(&'static str, i32),
    Unary(&'static str),
    /// Where the first is less than the second the third, else the fourth.
    Choose,
    Row(&'static str),
    Col(&'static str),
    RowExpand(Option<&'static str>),
    ColExpand(Option<&'static str>),
    Transpose,
    Reshape,
    Concat(usize),
    /// Offsets, and whether they are known at run time only.
    Extract([usize; 2], bool),
    Insert([usize; 2], bool),
}

pub enum Statement {
    Make(Id, Make, Vec<Id>),
    Assemble(Id, usize, [usize; 2]),
    /// Array, place, number.
    Write(usize, [usize; 2], i32),
    /// Rounds; per carried tensor its input, argument, yield and result; body.
    Loop(usize, Vec<[Id; 4]>, Vec<Self>),
    /// Condition; result; what the branches yield; their bodies.
    If(bool, Id, [Id; 2], [Vec<Self>; 2]),
}

/// Makes programs.
pub struct Maker {
    pub random: Random,
    /// Extents of both arrays.
    pub array: [usize; 2],
    pub shapes: Vec<[usize; 2]>,
    /// The largest number that a tensor may hold.
    pub bounds: Vec<u64>,
    /// The numbers below, in order.
    pub body: Vec<Statement>,
}

/// What arrays hold at most.
const STORED: u64 = 64;
/// What operations give at most: a sum of this many times the largest extent is exact.
const MOST: u64 = 1 << 13;

impl Maker {
    fn pick(&mut self, below: usize) -> usize {
        self.random.below(below as u64) as usize
    }

    fn new_id(&mut self, shape: [usize; 2], bound: u64) -> Id {
        self.shapes.push(shape);
        self.bounds.push(bound);
        self.shapes.len() - 1
    }

    fn make(&mut self, make: Make, operands: &[Id], shape: [usize; 2], bound: u64) -> Id {
        let id = self.new_id(shape, bound);
        self.body.push(Statement::Make(id, make, operands.to_vec()));
        id
    }

    /// The value, or one that is no larger than `most`.
    fn bounded(&mut self, id: Id, most: u64) -> Id {
        if self.bounds[id] <= most {
            return id;
        }
        let (shape, least) = (self.shapes[id], -(most as i32));
        let low = self.make(Make::Scalar("max", least), &[id], shape, self.bounds[id]);
        self.make(Make::Scalar("min", most as i32), &[low], shape, most)
    }

    pub fn slice(&mut self) -> Id {
        let [rows, cols] = self.array;
        let shape = [self.pick(rows) + 1, self.pick(cols) + 1];
        self.slice_of(shape)
    }

    fn slice_of(&mut self, shape: [usize; 2]) -> Id {
        let (array, offset) = (self.pick(2), self.offset(shape));
        self.make(Make::Slice(array, offset), &[], shape, STORED)
    }

    /// Often at the corner, so that regions are the same or overlap.
    fn offset(&mut self, shape: [usize; 2]) -> [usize; 2] {
        [0, 1].map(|dim| {
            let room = self.array[dim] - shape[dim];
            match self.pick(3) {
                0 => self.pick(room + 1),
                1 => room.min(1),
                _ => 0,
            }
        })
    }

    fn any(&mut self, known: &[Id]) -> Id {
        let back = self.pick(4).min(self.pick(known.len()));
        known[known.len() - 1 - back]
    }

    /// A tensor of this shape.
    fn like(&mut self, known: &[Id], shape: [usize; 2]) -> Id {
        let fitting: Vec<Id> = known
            .iter()
            .copied()
            .filter(|&id| self.shapes[id] == shape)
            .collect();
        match self.pick(5) {
            0 => self.make(Make::Full(2), &[], shape, 2),
            1..=3 if !fitting.is_empty() => fitting[self.pick(fitting.len())],
            _ if shape[0] <= self.array[0] && shape[1] <= self.array[1] => self.slice_of(shape),
            _ => self.make(Make::Full(-1), &[], shape, 1),
        }
    }

    pub fn block(&mut self, known: &mut Vec<Id>, depth: usize, count: usize) {
        for _ in 0..count {
            match self.pick(if depth > 0 { 16 } else { 14 }) {
                0..=3 => self.assemble(known),
                4 => {
                    let place = [self.pick(self.array[0]), self.pick(self.array[1])];
                    let (array, value) = (self.pick(2), self.pick(9) as i32);
                    self.body.push(Statement::Write(array, place, value));
                }
                5 | 6 => {
                    let slice = self.slice();
                    known.push(slice);
                }
                14 => self.make_loop(known, depth),
                15 => self.branch(known, depth),
                _ => {
                    let value = self.compute(known);
                    known.push(value);
                }
            }
        }
    }

    fn assemble(&mut self, known: &[Id]) {
        let id = self.any(known);
        let shape = self.shapes[id];
        if shape[0] <= self.array[0] && shape[1] <= self.array[1] {
            let id = self.bounded(id, STORED);
            let (array, offset) = (self.pick(2), self.offset(shape));
            self.body.push(Statement::Assemble(id, array, offset));
        }
    }

    fn compute(&mut self, known: &[Id]) -> Id {
        let a = self.any(known);
        let a = self.bounded(a, MOST);
        let [rows, cols] = self.shapes[a];
        let bound = self.bounds[a];
        let combine = ["add", "sub", "max", "min"][self.pick(4)];
        let scale = ["add", "mul"][self.pick(2)];
        let unary = ["neg", "abs", "relu"][self.pick(3)];
        let both = |other: u64| bound + other;
        match self.pick(16) {
            0 | 1 => {
                let b = self.like(known, [rows, cols]);
                self.make(
                    Make::Binary(combine),
                    &[a, b],
                    [rows, cols],
                    both(self.bounds[b]),
                )
            }
            2 => self.make(Make::Scalar(scale, 2), &[a], [rows, cols], 2 * bound + 2),
            3 => self.make(Make::Unary(unary), &[a], [rows, cols], bound),
            4 => {
                let others = [0; 3].map(|_| self.like(known, [rows, cols]));
                let most = others
                    .iter()
                    .map(|&id| self.bounds[id])
                    .max()
                    .unwrap_or(0)
                    .max(bound);
                self.make(
                    Make::Choose,
                    &[others[0], others[1], a, others[2]],
                    [rows, cols],
                    most,
                )
            }
            5 | 6 => {
                let how = ["sum", "max", "min"][self.pick(3)];
                self.make(Make::Row(how), &[a], [rows, 1], bound * cols as u64)
            }
            7 => {
                let how = ["sum", "max", "min"][self.pick(3)];
                self.make(Make::Col(how), &[a], [1, cols], bound * rows as u64)
            }
            8 => {
                let b = self.like(known, [rows, 1]);
                self.make(
                    Make::RowExpand(Some(combine)),
                    &[a, b],
                    [rows, cols],
                    both(self.bounds[b]),
                )
            }
            9 => {
                let b = self.like(known, [1, cols]);
                self.make(
                    Make::ColExpand(Some(combine)),
                    &[a, b],
                    [rows, cols],
                    both(self.bounds[b]),
                )
            }
            10 if cols == 1 => {
                let width = self.pick(self.array[1]) + 1;
                self.make(Make::RowExpand(None), &[a], [rows, width], bound)
            }
            10 if rows == 1 => {
                let height = self.pick(self.array[0]) + 1;
                self.make(Make::ColExpand(None), &[a], [height, cols], bound)
            }
            10 if rows.max(cols) <= 70 => self.make(Make::Transpose, &[a], [cols, rows], bound),
            11 if rows * cols <= 400 => {
                let heights: Vec<_> = (1..=self.array[0])
                    .filter(|height| rows * cols % height == 0)
                    .collect();
                let height = heights[self.pick(heights.len())];
                self.make(Make::Reshape, &[a], [height, rows * cols / height], bound)
            }
            12 if rows < self.array[0] => {
                let b = self.like(known, [(self.array[0] - rows).min(9), cols]);
                let height = rows + self.shapes[b][0];
                self.make(
                    Make::Concat(0),
                    &[a, b],
                    [height, cols],
                    both(self.bounds[b]),
                )
            }
            13 if cols < self.array[1] => {
                let b = self.like(known, [rows, (self.array[1] - cols).min(33)]);
                let width = cols + self.shapes[b][1];
                self.make(
                    Make::Concat(1),
                    &[a, b],
                    [rows, width],
                    both(self.bounds[b]),
                )
            }
            14 => {
                let shape = [self.pick(rows) + 1, self.pick(cols) + 1];
                let offset = [
                    self.pick(rows - shape[0] + 1),
                    self.pick(cols - shape[1] + 1),
                ];
                let dynamic = self.pick(3) == 0;
                self.make(Make::Extract(offset, dynamic), &[a], shape, bound)
            }
            _ => {
                let shape = [self.pick(rows) + 1, self.pick(cols) + 1];
                let offset = [
                    self.pick(rows - shape[0] + 1),
                    self.pick(cols - shape[1] + 1),
                ];
                let b = self.like(known, shape);
                let dynamic = self.pick(3) == 0;
                self.make(
                    Make::Insert(offset, dynamic),
                    &[b, a],
                    [rows, cols],
                    both(self.bounds[b]),
                )
            }
        }
    }

    /// What `fill` adds to the program, as a body of its own.
    fn inside(&mut self, fill: impl FnOnce(&mut Self)) -> Vec<Statement> {
        let outside = std::mem::take(&mut self.body);
        fill(self);
        std::mem::replace(&mut self.body, outside)
    }

    fn make_loop(&mut self, known: &mut Vec<Id>, depth: usize) {
        let count = self.pick(3);
        let mut carried = Vec::new();
        for _ in 0..count {
            let init = self.any(known);
            let init = self.bounded(init, 8);
            let argument = self.new_id(self.shapes[init], 8);
            carried.push([init, argument, 0, 0]);
        }
        let mut inner = known.clone();
        inner.extend(carried.iter().map(|tensors| tensors[1]));
        let count = 2 + self.pick(4);
        let body = self.inside(|maker| {
            maker.block(&mut inner, depth - 1, count);
            for tensors in &mut carried {
                let next = maker.like(&inner, maker.shapes[tensors[0]]);
                tensors[2] = maker.bounded(next, 8);
            }
        });
        for tensors in &mut carried {
            tensors[3] = self.new_id(self.shapes[tensors[0]], 8);
            known.push(tensors[3]);
        }
        let rounds = self.pick(4);
        self.body.push(Statement::Loop(rounds, carried, body));
    }

    fn branch(&mut self, known: &mut Vec<Id>, depth: usize) {
        let shape = {
            let some = self.any(known);
            self.shapes[some]
        };
        let mut yields = [0; 2];
        let bodies = [0, 1].map(|side| {
            let mut inner = known.clone();
            let count = 1 + self.pick(3);
            self.inside(|maker| {
                maker.block(&mut inner, depth - 1, count);
                let value = maker.like(&inner, shape);
                yields[side] = maker.bounded(value, 8);
            })
        });
        let result = self.new_id(shape, 8);
        known.push(result);
        let condition = self.pick(2) == 0;
        self.body
            .push(Statement::If(condition, result, yields, bodies));
    }
}
