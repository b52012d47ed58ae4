//! Random programs whose ranks write, read, notify, wait and meet, in loops and branches: right
//! exchanges with mistakes in them, and whatever comes.

use fastrand::Rng;

const HEAD: &str = "\
func.func @core(%x: memref<1x8xi32>, %y: memref<4x8xi32> {pl.out}, %data: !pld.dtensor<4x8xi32>,
    %sig: !pld.dtensor<4x1xi32>, %bar: !pld.dtensor<?x1xi32>) attributes {pl.incore} {
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
";

const TAIL: &str = "\
  return
}

func.func @device(%x: memref<1x8xi32>, %y: memref<4x8xi32> {pl.out}, %data: !pld.dtensor<4x8xi32>,
    %sig: !pld.dtensor<4x1xi32>, %bar: !pld.dtensor<?x1xi32>) attributes {pl.device} {
  call @core(%x, %y, %data, %sig, %bar) : (memref<1x8xi32>, memref<4x8xi32>,
      !pld.dtensor<4x8xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<?x1xi32>) -> ()
  return
}

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
  scf.for %r = %c0 to %n step %c1 {
    %xr = pl.shard %x[%r] : memref<?x1x8xi32> -> memref<1x8xi32>
    %yr = pl.shard %y[%r] : memref<?x4x8xi32> -> memref<4x8xi32>
    pld.dispatch @device(%xr, %yr, %data, %sig, %bar) on %r : (memref<1x8xi32>, memref<4x8xi32>,
        !pld.dtensor<4x8xi32>, !pld.dtensor<4x1xi32>, !pld.dtensor<?x1xi32>)
  }
  return
}
";

/// A statement, or a loop or branch with its bodies.
enum Statement {
    Plain(String),
    Nest {
        head: String,
        bodies: Vec<Vec<Statement>>,
    },
}

use Statement::{Nest, Plain};

/// Draws statements, with names that are used once.
struct Draw<'r> {
    random: &'r mut Rng,
    names: u32,
    /// Values that a loop counts up, of the loops around.
    counts: Vec<String>,
}

/// A program.
pub fn program(random: &mut Rng) -> String {
    let mut draw = Draw {
        random,
        names: 0,
        counts: Vec::new(),
    };
    let mut body = Vec::new();
    for _ in 0..draw.random.u32(1..4) {
        match draw.random.u32(..10) {
            0..3 => body.extend(draw.some(1)),
            3..5 => body.extend(draw.by_barriers()),
            5..7 => body.extend(draw.by_counts("%v1")),
            7 => body.extend(draw.by_flags()),
            _ => body.push(draw.rounds()),
        }
    }
    for _ in 0..draw.random.u32(..3) {
        draw.spoil(&mut body);
    }
    let mut text = HEAD.to_owned();
    body.iter()
        .for_each(|statement| print(statement, 1, &mut text));
    text + TAIL
}

impl Draw<'_> {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.random.usize(..of.len())]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%t{}", self.names)
    }

    fn peer(&mut self) -> &'static str {
        self.one(&["%next", "%next", "%prev", "%me", "%c0", "%c1"])
    }

    fn index(&mut self) -> &'static str {
        self.one(&["%me", "%next", "%prev", "%c0", "%c0", "%c1"])
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
        let (data, tile) = ("!pld.dtensor<4x8xi32>", "!pl.tile<1x8xi32>");
        let (row, peer, name) = (self.index(), self.peer(), self.name());
        let to = self.random.u32(..4);
        Plain(match self.random.u32(..12) {
            0..3 => format!("pl.store %own, %data[{row}, 0] : {tile}, {data}"),
            3..5 => format!(
                "{name} = pl.load %data[{row}, 0] : {data} -> {tile}\n\
                 pl.store {name}, %y[{to}, 0] : {tile}, memref<4x8xi32>"
            ),
            5..7 => format!(
                "{name} = pld.remote_load %data[{row}, 0] from {peer} : {data} -> {tile}\n\
                 pl.store {name}, %y[{to}, 0] : {tile}, memref<4x8xi32>"
            ),
            7..9 => format!("pld.remote_store %own, %data[{row}, 0] to {peer} : {tile}, {data}"),
            9 => format!(
                "pld.remote_store %own, %data[{row}, 0] to {peer} atomic add : {tile}, {data}"
            ),
            10 => format!(
                "pld.put %x[0, 0], %data[{row}, 0] sizes [1, 8] to {peer} : memref<1x8xi32>, {data}"
            ),
            _ => format!(
                "pld.get %data[{row}, 0], %y[{to}, 0] sizes [1, 8] from {peer} : {data}, memref<4x8xi32>"
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
        notify(op, &value, index, peer)
    }

    fn wait(&mut self) -> Statement {
        let index = self.index();
        let compare = self.one(&["ge", "ge", "ge", "ge", "gt", "eq", "ne", "le", "lt"]);
        let value = self.value();
        wait(compare, &value, index)
    }

    fn barrier(&mut self) -> Statement {
        match self.random.u32(..24) {
            0 => Plain("pld.barrier %sig : !pld.dtensor<4x1xi32>".into()),
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
        let mut inner = vec![Plain(format!(
            "{name}w = arith.index_cast {name}i : index to i32\n\
             {name}u = arith.addi {name}w, %v1 : i32"
        ))];
        inner.extend(body(self));
        self.counts.pop();
        Nest {
            head: format!("scf.for {name}i = %c0 to {trips} step %c1"),
            bodies: vec![inner],
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
            bodies: (0..bodies).map(|_| self.some(depth)).collect(),
        }
    }

    /// Staged, met, read, met again.
    fn by_barriers(&mut self) -> Vec<Statement> {
        let name = self.name();
        let (data, tile) = ("!pld.dtensor<4x8xi32>", "!pl.tile<1x8xi32>");
        vec![
            Plain(format!("pl.store %own, %data[%me, 0] : {tile}, {data}")),
            self.barrier(),
            Plain(format!(
                "{name} = pld.remote_load %data[%next, 0] from %next : {data} -> {tile}\n\
                 pl.store {name}, %y[0, 0] : {tile}, memref<4x8xi32>"
            )),
            self.barrier(),
        ]
    }

    /// Pushed to the next rank, notified, waited for, read, and met.
    fn by_counts(&mut self, count: &str) -> Vec<Statement> {
        let name = self.name();
        let (data, tile) = ("!pld.dtensor<4x8xi32>", "!pl.tile<1x8xi32>");
        vec![
            Plain(format!(
                "pld.remote_store %own, %data[%me, 0] to %next : {tile}, {data}"
            )),
            notify("add", "%v1", "%me", "%next"),
            wait("ge", count, "%prev"),
            Plain(format!(
                "{name} = pl.load %data[%prev, 0] : {data} -> {tile}\n\
                 pl.store {name}, %y[1, 0] : {tile}, memref<4x8xi32>"
            )),
            self.barrier(),
        ]
    }

    /// A flag that the receiver takes back.
    fn by_flags(&mut self) -> Vec<Statement> {
        let name = self.name();
        let (data, tile) = ("!pld.dtensor<4x8xi32>", "!pl.tile<1x8xi32>");
        vec![
            Plain(format!(
                "pld.remote_store %own, %data[%c0, 0] to %next : {tile}, {data}"
            )),
            notify("set", "%v1", "%c3", "%next"),
            wait("eq", "%v1", "%c3"),
            Plain(format!(
                "{name} = pl.load %data[%c0, 0] : {data} -> {tile}\n\
                 pl.store {name}, %y[2, 0] : {tile}, memref<4x8xi32>"
            )),
            notify("set", "%v0", "%c3", "%me"),
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
            && let Nest { head, bodies } = &mut body[at]
        {
            // The first statement of a loop defines its count.
            let is_loop = head.starts_with("scf.for");
            let inner = self.random.usize(..bodies.len());
            let first = bodies[inner]
                .drain(..usize::from(is_loop))
                .collect::<Vec<_>>();
            self.spoil(&mut bodies[inner]);
            bodies[inner].splice(..0, first);
            return;
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
        Nest { head, bodies } => {
            line(&format!("{head} {{"));
            for (at, body) in bodies.iter().enumerate() {
                if at > 0 {
                    text.push_str(&format!("{indent}}} else {{\n"));
                }
                body.iter()
                    .for_each(|statement| print(statement, depth + 1, text));
            }
            text.push_str(&format!("{indent}}}\n"));
        }
    }
}
