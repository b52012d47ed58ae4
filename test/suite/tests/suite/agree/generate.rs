//! Random programs whose ranks, or blocks of ranks, write, read, notify, wait and meet, in loops and
//! branches, in one function or two: right exchanges with mistakes in them, and whatever comes.

use fastrand::Rng;

const PARAMETERS: &str = "\
(%x: memref<1x8xi32>, %y: memref<4x8xi32> {pl.out}, %data: !pld.dtensor<4x8xi32>,
    %sig: !pld.dtensor<4x1xi32>, %bar: !pld.dtensor<?x1xi32>)";

const HEAD: &str = " attributes {pl.incore} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m1 = arith.constant -1 : i32
  %v0 = arith.constant 0 : i32
  %v1 = arith.constant 1 : i32
  %v2 = arith.constant 2 : i32
  %v3 = arith.constant 3 : i32
  %ctx = pld.get_comm_ctx %data : !pld.dtensor<4x8xi32>
  %me = pld.rank %ctx
  %n = pld.nranks %ctx
  %after = arith.addi %me, %c1 : index
  %next = arith.remsi %after, %n : index
  %last = arith.subi %n, %c1 : index
  %before = arith.addi %me, %last : index
  %prev = arith.remsi %before, %n : index
  %own = pl.load %x[0, 0] : memref<1x8xi32> -> !pl.tile<1x8xi32>
  %block = pl.block_idx
  %far = arith.addi %block, %c2 : index
";

const CALLED: &str = "(%x, %y, %data, %sig, %bar) : (memref<1x8xi32>, memref<4x8xi32>,
      !pld.dtensor<4x8xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<?x1xi32>) -> ()\n";

const MAIN: &str = "\
func.func @main(%x: memref<?x1x8xi32>, %y: memref<?x4x8xi32> {pl.out}) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = pld.world_size
  %data_buffer = pld.alloc_window_buffer [4, 8] of i32
  %sig_buffer = pld.alloc_window_buffer [4, 1] of i32
  %bar_buffer = pld.alloc_window_buffer [%n, 1] of i32
  %data = pld.window %data_buffer : !pld.dtensor<4x8xi32>
  %sig = pld.window %sig_buffer : !pld.dtensor<4x1xi32>
  %bar = pld.window %bar_buffer[%n] : !pld.dtensor<?x1xi32>
";

const DISPATCHED: &str = "(%xr, %yr, %data, %sig, %bar) on %r : (memref<1x8xi32>, memref<4x8xi32>,
        !pld.dtensor<4x8xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<?x1xi32>)
  }
";

const TILE: &str = "!pl.tile<1x8xi32>";
const DATA: &str = "!pld.dtensor<4x8xi32>";

/// A statement, or a loop or branch with its bodies.
enum Statement {
    Plain(String),
    Nest {
        head: String,
        /// What the bodies begin and end with.
        open: String,
        close: String,
        bodies: Vec<Vec<Statement>>,
    },
}

use Statement::{Nest, Plain};

/// Draws statements, with names that are used once.
struct Draw<'r> {
    random: &'r mut Rng,
    names: u32,
    /// Two blocks a rank run it.
    is_spmd: bool,
    /// Values that a loop counts up, of the loops around.
    counts: Vec<String>,
    /// Ranks that go from trip to trip, of the loops around.
    carried: Vec<String>,
}

/// A program.
pub fn program(random: &mut Rng) -> String {
    let functions = 1 + usize::from(random.u32(..6) == 0);
    let (mut text, mut main) = (String::new(), MAIN.to_owned());
    for at in 0..functions {
        let is_spmd = random.u32(..6) == 0;
        text += &function(random, at, is_spmd);
        main += &format!(
            "  scf.for %r = %c0 to %n step %c1 {{
    %xr = pl.shard %x[%r] : memref<?x1x8xi32> -> memref<1x8xi32>
    %yr = pl.shard %y[%r] : memref<?x4x8xi32> -> memref<4x8xi32>
    pld.dispatch @device{at}{DISPATCHED}"
        );
        if functions > 1 && random.u32(..3) != 0 {
            main += match random.u32(..2) {
                0 => "  pld.barrier %bar : !pld.dtensor<?x1xi32>\n",
                _ => "  pld.allreduce sum %data : !pld.dtensor<4x8xi32>\n",
            };
        }
    }
    text + &main + "  return\n}\n"
}

/// A function of a rank, and the one that it does its work in.
fn function(random: &mut Rng, number: usize, is_spmd: bool) -> String {
    let mut draw = Draw {
        random,
        names: 0,
        is_spmd,
        counts: Vec::new(),
        carried: Vec::new(),
    };
    let mut body = Vec::new();
    for _ in 0..draw.random.u32(1..4) {
        match draw.random.u32(..11) {
            0..3 => body.extend(draw.some(1)),
            3..5 => body.extend(draw.by_barriers()),
            5..7 => body.extend(draw.by_counts("%v1")),
            7 => body.extend(draw.by_flags()),
            8 => body.push(draw.around()),
            _ => body.push(draw.rounds()),
        }
    }
    for _ in 0..draw.random.u32(..3) {
        draw.spoil(&mut body);
    }
    let mut text = format!("func.func @core{number}{PARAMETERS}{HEAD}");
    body.iter()
        .for_each(|statement| print(statement, 1, &mut text));
    text += "  return\n}\n\n";
    text += &format!("func.func @device{number}{PARAMETERS} attributes {{pl.device}} {{\n");
    text += &match is_spmd {
        true => format!(
            "  %c2 = arith.constant 2 : index\n  pl.spmd %c2 {{\n  func.call @core{number}{CALLED}  }}\n"
        ),
        false => format!("  call @core{number}{CALLED}"),
    };
    text + "  return\n}\n\n"
}

impl Draw<'_> {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.random.usize(..of.len())]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%t{}", self.names)
    }

    /// Where this rank or block writes, and tells of it, so that no other does.
    fn mine(&self) -> &'static str {
        if self.is_spmd { "%block" } else { "%me" }
    }

    /// Where the rank before did.
    fn theirs(&self) -> &'static str {
        if self.is_spmd { "%block" } else { "%prev" }
    }

    fn peer(&mut self) -> String {
        match self.carried.last() {
            Some(carried) if self.random.bool() => carried.clone(),
            _ => self
                .one(&["%next", "%next", "%prev", "%me", "%c0", "%c1"])
                .to_owned(),
        }
    }

    fn index(&mut self) -> String {
        match self.carried.last() {
            Some(carried) if self.random.u32(..4) == 0 => return carried.clone(),
            _ if self.is_spmd && self.random.bool() => return self.one(&["%block", "%far"]).into(),
            _ => {}
        }
        self.one(&["%me", "%next", "%prev", "%c0", "%c0", "%c1"])
            .to_owned()
    }

    /// A row of the result; each block has its own.
    fn row(&mut self) -> &'static str {
        match self.is_spmd {
            true => self.one(&["%block", "%far"]),
            false => self.one(&["%c0", "%c1", "%c2", "%c3"]),
        }
    }

    fn value(&mut self) -> String {
        match self.counts.last() {
            Some(count) if self.random.bool() => count.clone(),
            _ => self
                .one(&["%v0", "%v1", "%v1", "%v1", "%v2", "%v3"])
                .to_owned(),
        }
    }

    fn access(&mut self) -> Statement {
        let (row, peer, name) = (self.index(), self.peer(), self.name());
        let to = self.row();
        Plain(match self.random.u32(..12) {
            0..3 => format!("pl.store %own, %data[{row}, 0] : {TILE}, {DATA}"),
            3..5 => format!(
                "{name} = pl.load %data[{row}, 0] : {DATA} -> {TILE}\n\
                 pl.store {name}, %y[{to}, 0] : {TILE}, memref<4x8xi32>"
            ),
            5..7 => format!(
                "{name} = pld.remote_load %data[{row}, 0] from {peer} : {DATA} -> {TILE}\n\
                 pl.store {name}, %y[{to}, 0] : {TILE}, memref<4x8xi32>"
            ),
            7..9 => format!("pld.remote_store %own, %data[{row}, 0] to {peer} : {TILE}, {DATA}"),
            9 => format!(
                "pld.remote_store %own, %data[{row}, 0] to {peer} atomic add : {TILE}, {DATA}"
            ),
            10 => format!(
                "pld.put %x[0, 0], %data[{row}, 0] sizes [1, 8] to {peer} : memref<1x8xi32>, {DATA}"
            ),
            _ => format!(
                "pld.get %data[{row}, 0], %y[{to}, 0] sizes [1, 8] from {peer} : {DATA}, memref<4x8xi32>"
            ),
        })
    }

    fn notify(&mut self) -> Statement {
        let (index, peer) = (self.index(), self.peer());
        let (op, value) = match self.random.u32(..8) {
            0 => ("set", self.value()),
            1 => ("add", "%m1".to_owned()),
            2 => ("add", "%v2".to_owned()),
            _ => ("add", "%v1".to_owned()),
        };
        notify(op, &value, &index, &peer)
    }

    fn wait(&mut self) -> Statement {
        let index = self.index();
        let compare = self.one(&["ge", "ge", "ge", "ge", "gt", "eq", "ne", "le", "lt"]);
        let value = self.value();
        wait(compare, &value, &index)
    }

    fn barrier(&mut self) -> Statement {
        match self.random.u32(..24) {
            0 => Plain("pld.barrier %sig : !pld.dtensor<4x1xi32>".into()),
            1 => Plain(
                "pld.allreduce sum %data, %bar : !pld.dtensor<4x8xi32>, !pld.dtensor<?x1xi32>"
                    .into(),
            ),
            _ => Plain("pld.barrier %bar : !pld.dtensor<?x1xi32>".into()),
        }
    }

    /// Anything.
    fn some(&mut self, depth: u32) -> Vec<Statement> {
        let count = self.random.u32(1..5);
        let any = |draw: &mut Self| match draw.random.u32(..14) {
            0..6 => draw.access(),
            6..9 => draw.notify(),
            9..11 => draw.wait(),
            11 => draw.barrier(),
            _ if depth == 0 => draw.access(),
            12 => {
                let body = |draw: &mut Self| draw.some(depth - 1);
                draw.repeated(body)
            }
            _ => draw.branch(depth - 1),
        };
        (0..count).map(|_| any(self)).collect()
    }

    fn repeated(&mut self, body: impl FnOnce(&mut Self) -> Vec<Statement>) -> Statement {
        let name = self.name();
        let trips = self.one(&["%c1", "%c2", "%c2", "%c3"]);
        self.counts.push(format!("{name}u"));
        let body = body(self);
        self.counts.pop();
        Nest {
            head: format!("scf.for {name}i = %c0 to {trips} step %c1"),
            open: format!(
                "{name}w = arith.index_cast {name}i : index to i32\n\
                 {name}u = arith.addi {name}w, %v1 : i32"
            ),
            close: String::new(),
            bodies: vec![body],
        }
    }

    /// Goes around the ranks: the peer of a trip is the one after that of the trip before.
    fn around(&mut self) -> Statement {
        let (name, trips) = (self.name(), self.one(&["%c1", "%c2", "%last"]));
        let (carried, row, read) = (format!("{name}p"), self.row(), self.name());
        let mine = self.mine();
        self.carried.push(carried.clone());
        let mut body = vec![Plain(format!(
            "pl.store %own, %data[{mine}, 0] : {TILE}, {DATA}"
        ))];
        body.push(self.barrier());
        body.push(Plain(format!(
            "{read} = pld.remote_load %data[{mine}, 0] from {carried} : {DATA} -> {TILE}\n\
             pl.store {read}, %y[{row}, 0] : {TILE}, memref<4x8xi32>"
        )));
        if self.random.bool() {
            body.extend(self.some(0));
        }
        body.push(self.barrier());
        self.carried.pop();
        Nest {
            head: format!(
                "{name}r = scf.for {name}i = %c0 to {trips} step %c1 iter_args({carried} = %next) -> (index)"
            ),
            open: String::new(),
            close: format!(
                "{name}a = arith.addi {carried}, %c1 : index\n\
                 {name}b = arith.remsi {name}a, %n : index\n\
                 scf.yield {name}b : index"
            ),
            bodies: vec![body],
        }
    }

    fn branch(&mut self, depth: u32) -> Statement {
        let name = self.name();
        let (left, right) = (
            self.one(&["%me", "%me", "%next"]),
            self.one(&["%c0", "%c1"]),
        );
        let compare = self.one(&["eq", "ne", "slt"]);
        let bodies = 1 + self.random.usize(..2);
        Nest {
            head: format!("{name} = arith.cmpi {compare}, {left}, {right} : index\nscf.if {name}"),
            open: String::new(),
            close: String::new(),
            bodies: (0..bodies).map(|_| self.some(depth)).collect(),
        }
    }

    /// Staged, met, read, met again.
    fn by_barriers(&mut self) -> Vec<Statement> {
        let (name, row, mine) = (self.name(), self.row(), self.mine());
        let of_next = if self.is_spmd { mine } else { "%next" };
        vec![
            Plain(format!("pl.store %own, %data[{mine}, 0] : {TILE}, {DATA}")),
            self.barrier(),
            Plain(format!(
                "{name} = pld.remote_load %data[{of_next}, 0] from %next : {DATA} -> {TILE}\n\
                 pl.store {name}, %y[{row}, 0] : {TILE}, memref<4x8xi32>"
            )),
            self.barrier(),
        ]
    }

    /// Pushed to the next rank, notified, waited for, read, and met.
    fn by_counts(&mut self, count: &str) -> Vec<Statement> {
        let (name, row, mine, theirs) = (self.name(), self.row(), self.mine(), self.theirs());
        vec![
            Plain(format!(
                "pld.remote_store %own, %data[{mine}, 0] to %next : {TILE}, {DATA}"
            )),
            notify("add", "%v1", mine, "%next"),
            wait("ge", count, theirs),
            Plain(format!(
                "{name} = pl.load %data[{theirs}, 0] : {DATA} -> {TILE}\n\
                 pl.store {name}, %y[{row}, 0] : {TILE}, memref<4x8xi32>"
            )),
            self.barrier(),
        ]
    }

    /// A flag that the receiver takes back.
    fn by_flags(&mut self) -> Vec<Statement> {
        let (name, row) = (self.name(), self.row());
        let (at, flag) = match self.is_spmd {
            true => ("%block", "%far"),
            false => ("%c0", "%c3"),
        };
        vec![
            Plain(format!(
                "pld.remote_store %own, %data[{at}, 0] to %next : {TILE}, {DATA}"
            )),
            notify("set", "%v1", flag, "%next"),
            wait("eq", "%v1", flag),
            Plain(format!(
                "{name} = pl.load %data[{at}, 0] : {DATA} -> {TILE}\n\
                 pl.store {name}, %y[{row}, 0] : {TILE}, memref<4x8xi32>"
            )),
            notify("set", "%v0", flag, "%me"),
            self.barrier(),
        ]
    }

    /// Rounds of an exchange.
    fn rounds(&mut self) -> Statement {
        self.repeated(|draw| {
            let count = draw.counts.last().cloned().unwrap_or_default();
            match draw.random.u32(..4) {
                0 => draw.by_barriers(),
                1 => draw.by_flags(),
                _ => draw.by_counts(&count),
            }
        })
    }

    /// A statement left out, two swapped, or one put in.
    fn spoil(&mut self, body: &mut Vec<Statement>) {
        let nested = body
            .iter()
            .position(|statement| matches!(statement, Nest { .. }));
        if let Some(at) = nested.filter(|_| self.random.u32(..4) != 0)
            && let Nest { bodies, .. } = &mut body[at]
        {
            let inner = self.random.usize(..bodies.len());
            return self.spoil(&mut bodies[inner]);
        }
        if body.is_empty() {
            return;
        }
        let at = self.random.usize(..body.len());
        match self.random.u32(..6) {
            0..3 => drop(body.remove(at)),
            3 => {
                let other = self.random.usize(..body.len());
                body.swap(at, other);
            }
            4 => body.insert(at, self.access()),
            _ => {
                body[at] = if self.random.bool() {
                    self.notify()
                } else {
                    self.wait()
                }
            }
        }
    }
}

fn notify(op: &str, value: &str, index: &str, peer: &str) -> Statement {
    Plain(format!(
        "pld.notify {op} {value}, %sig[{index}, 0] to {peer} : !pld.dtensor<4x1xi32>"
    ))
}

fn wait(compare: &str, value: &str, index: &str) -> Statement {
    Plain(format!(
        "pld.wait {compare} {value}, %sig[{index}, 0] : !pld.dtensor<4x1xi32>"
    ))
}

fn print(statement: &Statement, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let mut line = |line: &str| {
        text.push_str(&indent);
        text.push_str(line);
        text.push('\n');
    };
    match statement {
        Plain(lines) => lines.lines().for_each(line),
        Nest {
            head,
            open,
            close,
            bodies,
        } => {
            line(&format!("{head} {{"));
            let inside = |lines: &str, text: &mut String| {
                let lines = lines.lines().map(|line| format!("{indent}  {line}\n"));
                text.extend(lines);
            };
            for (at, body) in bodies.iter().enumerate() {
                if at > 0 {
                    text.push_str(&format!("{indent}}} else {{\n"));
                }
                inside(open, text);
                body.iter()
                    .for_each(|statement| print(statement, depth + 1, text));
                inside(close, text);
            }
            text.push_str(&format!("{indent}}}\n"));
        }
    }
}
