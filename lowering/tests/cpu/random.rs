//! Random programs over two arrays that may be one, compared with an interpreter: groups,
//! slots, overlaps and carried tiles in combinations that nobody thought of.

use super::{
    harness::{assert_fine, bytes, compiled, kernel, numbers, run_main},
    values::Random,
};
use pld_lowering::cpu::CompileOptions;
use std::{collections::HashMap, fmt::Write};

/// Extents of the arrays and of all tiles.
const ARRAY: [usize; 2] = [9, 41];
const TILE: [usize; 2] = [3, 35];
const MEMORY: &str = "memref<9x41xf32>";

/// Tiles are numbered.
type Tile = usize;

struct Access {
    array: usize,
    offset: [usize; 2],
    valid: Option<[usize; 2]>,
}

enum Statement {
    Load(Tile, Access),
    Store(Tile, Access, bool),
    Binary(Tile, &'static str, Tile, Tile),
    Scalar(Tile, &'static str, Tile, i32),
    Full(Tile, i32),
    /// Rounds; per carried tile its input, argument, yield and result; body.
    Loop(usize, Vec<[Tile; 4]>, Vec<Statement>),
    /// Condition; result; what the branches yield; their bodies.
    If(bool, Tile, [Tile; 2], [Vec<Statement>; 2]),
}

use Statement::{Binary, Full, If, Load, Loop, Scalar, Store};

/// Makes programs.
struct Maker {
    random: Random,
    next: Tile,
}

impl Maker {
    fn tile(&mut self) -> Tile {
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

    fn block(&mut self, known: &mut Vec<Tile>, depth: usize) -> Vec<Statement> {
        let count = 3 + self.random.below(8);
        (0..count).map(|_| self.statement(known, depth)).collect()
    }

    fn statement(&mut self, known: &mut Vec<Tile>, depth: usize) -> Statement {
        let operation = ["add", "mul"][self.random.below(2) as usize];
        let value = self.random.below(3) as i32 - 1;
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
            Store(..) => {}
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

/// Prints programs.
struct Printer<'a> {
    random: &'a mut Random,
    text: String,
}

impl Printer<'_> {
    /// A number, as itself or as a value known at run time only.
    fn number(&mut self, value: usize) -> String {
        if self.random.below(2) == 0 {
            format!("%i{value}")
        } else {
            value.to_string()
        }
    }

    fn access(&mut self, access: &Access) -> String {
        let mut pair = |pair: [usize; 2]| {
            let [one, other] = pair.map(|value| self.number(value));
            format!("[{one}, {other}]")
        };
        let valid = access.valid.map(|valid| format!(" valid {}", pair(valid)));
        format!(
            "%m{}{}{}",
            access.array,
            pair(access.offset),
            valid.unwrap_or_default()
        )
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "  {line}").expect("a string");
    }

    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Load(tile, access) => {
                let access = self.access(access);
                self.line(&format!("%t{tile} = pl.load {access} : {MEMORY} -> !t"));
            }
            Store(tile, access, atomic) => {
                let (access, add) = (
                    self.access(access),
                    if *atomic { " atomic add" } else { "" },
                );
                self.line(&format!("pl.store %t{tile}, {access}{add} : !t, {MEMORY}"));
            }
            Binary(tile, name, a, b) => {
                self.line(&format!("%t{tile} = pl.{name} %t{a}, %t{b} : !t"));
            }
            Scalar(tile, name, a, value) => {
                self.line(&format!("%s{tile} = arith.constant {value}.0 : f32"));
                self.line(&format!("%t{tile} = pl.{name}s %t{a}, %s{tile} : !t, f32"));
            }
            Full(tile, value) => {
                self.line(&format!("%s{tile} = arith.constant {value}.0 : f32"));
                self.line(&format!("%t{tile} = pl.full %s{tile} : !t"));
            }
            Loop(rounds, carried, body) => {
                let list = |item: &dyn Fn(&[Tile; 4]) -> String| {
                    carried.iter().map(item).collect::<Vec<_>>().join(", ")
                };
                let types = list(&|_| "!t".into());
                let (head, arguments, end) = if carried.is_empty() {
                    (String::new(), String::new(), String::new())
                } else {
                    (
                        format!("{} = ", list(&|tiles| format!("%t{}", tiles[3]))),
                        format!(
                            " iter_args({}) -> ({types})",
                            list(&|tiles| format!("%t{} = %t{}", tiles[1], tiles[0]))
                        ),
                        format!(
                            "scf.yield {} : {types}",
                            list(&|tiles| format!("%t{}", tiles[2]))
                        ),
                    )
                };
                // Any number that no enclosing loop has.
                let counter = self.text.len();
                self.line(&format!(
                    "{head}scf.for %j{counter} = %i0 to %i{rounds} step %i1{arguments} {{"
                ));
                self.block(body);
                self.line(&end);
                self.line("}");
            }
            If(condition, result, yields, bodies) => {
                let condition = if *condition { "%yes" } else { "%no" };
                self.line(&format!("%t{result} = scf.if {condition} -> (!t) {{"));
                self.block(&bodies[0]);
                self.line(&format!("scf.yield %t{} : !t", yields[0]));
                self.line("} else {");
                self.block(&bodies[1]);
                self.line(&format!("scf.yield %t{} : !t", yields[1]));
                self.line("}");
            }
        }
    }
}

/// Runs programs.
struct Interpreter {
    arrays: [Vec<f32>; 2],
    /// Both arrays are the first.
    one: bool,
    tiles: HashMap<Tile, Vec<f32>>,
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

    fn block(&mut self, block: &[Statement]) {
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

/// Random programs do what an interpreter of them does.
#[test]
fn random_programs_equal_the_interpreter() {
    for seed in 0..30 {
        let mut maker = Maker {
            random: Random::new(seed),
            next: 0,
        };
        let mut known = vec![maker.tile()];
        let mut program = vec![Full(known[0], 1)];
        program.extend(maker.block(&mut known, 2));
        program.extend(maker.block(&mut known, 2));
        let mut printer = Printer {
            random: &mut maker.random,
            text: String::from("  %yes = arith.constant true\n  %no = arith.constant false\n"),
        };
        for i in 0..=TILE[1] {
            printer.line(&format!("%k{i} = pl.read %k[0, {i}] : memref<1x36xi32>"));
            printer.line(&format!("%i{i} = arith.index_cast %k{i} : i32 to index"));
        }
        printer.block(&program);
        let parameters = [
            ("k", "1x36xi32", "in"),
            ("m0", "9x41xf32", "inout"),
            ("m1", "9x41xf32", "inout"),
        ];
        let text = kernel(&parameters, &printer.text);
        let text = format!("!t = !pl.tile<{}x{}xf32>\n{text}", TILE[0], TILE[1]);
        for one in [false, true] {
            let text = match one {
                true => text.replace("@d(%k_r, %m0_r, %m1_r)", "@d(%k_r, %m0_r, %m0_r)"),
                false => text.clone(),
            };
            let start: Vec<f32> = (0..ARRAY[0] * ARRAY[1])
                .map(|i| (i % 7) as f32 - 3.0)
                .collect();
            let mut interpreter = Interpreter {
                arrays: [start.clone(), start.clone()],
                one,
                tiles: HashMap::new(),
            };
            interpreter.block(&program);
            let indices: Vec<i32> = (0..=TILE[1] as i32).collect();
            let mut arrays = [bytes(&indices), bytes(&start), bytes(&start)];
            let code = compiled(&text, CompileOptions::default());
            assert_fine(&run_main(&code, 1, &mut arrays));
            for (index, expected) in interpreter.arrays.iter().enumerate() {
                let found = numbers::<f32>(&arrays[index + 1]);
                let differ = found
                    .iter()
                    .zip(expected)
                    .position(|(a, b)| a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan()));
                assert_eq!(
                    differ, None,
                    "seed {seed}, one array: {one}, array {index}\n{text}"
                );
            }
        }
    }
}
