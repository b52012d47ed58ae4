//! A frontend in a file: a little language of its own, checked and run by pld. What is wrong
//! with a program, whoever finds it, is said of the program's own lines.
//!
//! ```text
//! cargo run --release -p pld-embed --example toy_frontend
//! ```
//!
//! Every rank has a row `in` and a row `out` of 64 numbers. One statement a line:
//!
//! | statement | meaning |
//! | --- | --- |
//! | `share A` | puts a row where the others can reach it |
//! | `meet` | waits for all ranks |
//! | `A = from K` | the row that the rank K further on shares |
//! | `A = B + C` (also `*`, `max`) | row by row |
//! | `out = A` | the result |

use pld::{
    Element::{F32, I32},
    Error, Input, Program, Simulation, Verdict,
    build::{Body, DYNAMIC, Module, Parameter, Value, input, memref, output, tile, window},
};
use std::collections::HashMap;

const COLS: i64 = 64;

/// The sum of the own row and both neighbours'.
const STENCIL: &str = "\
share in
meet
left = from -1
right = from 1
sides = left + right
all = sides + in
out = all
";

/// The same without waiting: the neighbours may not have shared yet.
const HASTY: &str = "\
share in
right = from 1
out = right
";

pub fn main() -> Result<(), Error> {
    let program = compile("stencil.toy", STENCIL).map_err(Error::Internal)?;
    let outcome = Simulation::new(&program, 3)
        .input(0, "ones".parse::<Input>().map_err(Error::Internal)?)
        .run()?;
    assert_eq!(outcome.verdict(), Verdict::Agrees);
    let sums = outcome.arrays[1].as_ref().expect("an output").bytes();
    assert!(sums.chunks(4).all(|sum| sum == 3f32.to_ne_bytes()));
    println!("stencil.toy: OK");

    // What pld finds is said of the line of the toy program.
    let program = compile("hasty.toy", HASTY).map_err(Error::Internal)?;
    let refused = Simulation::new(&program, 3).run().expect_err("a race");
    let Error::Invalid(said) = refused else {
        return Err(refused);
    };
    let place = said[0].position.as_ref().expect("it has a place");
    assert_eq!((place.file.as_str(), place.line), ("hasty.toy", 2));
    println!("{}", said[0]);

    // And so is what the frontend itself does not understand.
    let said = compile("typo.toy", "share im\n")
        .err()
        .expect("no such row");
    assert_eq!(said, "typo.toy:1: there is no row 'im'");
    println!("{said}");
    Ok(())
}

/// The program of a source; else what is wrong with it.
pub fn compile(file: &str, source: &str) -> Result<Program, String> {
    let mut wrong = None;
    let program = Program::build(|m| {
        m.incore(
            "kernel",
            parameters(),
            |f, [input, output, data, signal]| {
                let mut kernel = Kernel {
                    output,
                    data,
                    signal,
                    rows: HashMap::new(),
                };
                let first = f.placed(file, 1, 1);
                let row = first.load(input, [0, 0], &tile([1, COLS], F32));
                kernel.rows.insert("in".into(), row);
                for (index, line) in source.lines().enumerate() {
                    // Every operation of a statement has its line.
                    let at = f.placed(file, index + 1, 1);
                    if let Err(said) = kernel.statement(&at, line) {
                        wrong.get_or_insert(format!("{file}:{}: {said}", index + 1));
                    }
                }
            },
        );
        around(m);
    });
    match wrong {
        Some(said) => Err(said),
        None => program.map_err(|error| error.to_string()),
    }
}

/// What statements work on.
struct Kernel<'c, 'a> {
    output: Value<'c, 'a>,
    data: Value<'c, 'a>,
    signal: Value<'c, 'a>,
    rows: HashMap<String, Value<'c, 'a>>,
}

impl<'c, 'a> Kernel<'c, 'a> {
    fn statement(&mut self, f: &Body<'c, 'a>, line: &str) -> Result<(), String> {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            [] => {}
            ["share", row] => f.store(self.row(row)?, self.data, [0, 0]),
            ["meet"] => f.barrier(self.signal),
            ["out", "=", row] => f.store(self.row(row)?, self.output, [0, 0]),
            [name, "=", "from", distance] => {
                let row = self.from(f, distance)?;
                self.rows.insert(name.into(), row);
            }
            [name, "=", left, op, right] => {
                let (left, right) = (self.row(left)?, self.row(right)?);
                let row = match op {
                    "+" => f.add(left, right),
                    "*" => f.mul(left, right),
                    "max" => f.max(left, right),
                    _ => return Err(format!("there is no operation '{op}'")),
                };
                self.rows.insert(name.into(), row);
            }
            _ => return Err(format!("'{line}' is no statement")),
        }
        Ok(())
    }

    fn row(&self, name: &str) -> Result<Value<'c, 'a>, String> {
        let row = self.rows.get(name).copied();
        row.ok_or_else(|| format!("there is no row '{name}'"))
    }

    /// The row of a rank further on, or back.
    fn from(&self, f: &Body<'c, 'a>, distance: &str) -> Result<Value<'c, 'a>, String> {
        let distance: i64 = distance
            .parse()
            .map_err(|_| format!("'{distance}' is no distance"))?;
        let ctx = f.get_comm_ctx(self.data);
        let n = f.nranks(ctx);
        // A remainder has the sign of its left side: stay above zero.
        let back = f.remsi(f.index(distance), n);
        let sum = f.addi(f.addi(f.rank(ctx), n), back);
        Ok(f.remote_load(self.data, [0, 0], f.remsi(sum, n), &tile([1, COLS], F32)))
    }
}

/// The device function and the host program around the kernel.
fn around(m: &Module) {
    m.device("per_rank", parameters(), |f, arguments| {
        f.call("kernel", &arguments);
    });
    let world = memref([DYNAMIC, 1, COLS], F32);
    m.host(
        "main",
        [input(world.clone()), output(world)],
        |f, [x, y]| {
            let n = f.world_size();
            let data_buffer = f.alloc_window_buffer([1, COLS], F32);
            let signal_buffer = f.alloc_window_buffer((n, 1), I32);
            f.for_loop(0, n, 1, |f, r| {
                let data = f.window(data_buffer, &window([1, COLS], F32), &[]);
                let signal = f.window(signal_buffer, &window([DYNAMIC, 1], I32), &[n]);
                f.dispatch("per_rank", &[f.shard(x, r), f.shard(y, r), data, signal], r);
            });
        },
    );
}

fn parameters() -> [Parameter; 4] {
    [
        input(memref([1, COLS], F32)),
        output(memref([1, COLS], F32)),
        input(window([1, COLS], F32)),
        input(window([DYNAMIC, 1], I32)),
    ]
}
