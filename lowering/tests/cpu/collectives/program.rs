//! Random programs around one collective, printed.

use crate::cpu::values::{Random, Type};

/// The collectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Allreduce,
    ReduceScatter,
    Broadcast,
    Allgather,
    AllToAll,
    AllToAllV,
}

/// Ways to combine, in the order of the language's names.
pub const REDUCTIONS: [&str; 4] = ["sum", "max", "min", "prod"];

/// Where the collective stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    InCore,
    /// In-core, in a `pl.spmd` of so many blocks.
    Blocks(u64),
    /// On the host, with a signal or without.
    Host {
        signal: bool,
    },
}

/// A random program: each rank stages `%x`, all call the collective, each fetches `%y`; the
/// same `rounds` times.
#[derive(Clone, Debug)]
pub struct Case {
    pub kind: Kind,
    pub place: Where,
    pub world: usize,
    pub element: Type,
    /// Index in [`REDUCTIONS`].
    pub reduction: usize,
    pub algorithm: &'static str,
    pub root: usize,
    /// Extents of what is staged, and of what is fetched.
    pub x: Vec<usize>,
    pub y: Vec<usize>,
    /// Whether what is only read is read from the argument itself.
    pub from_array: bool,
    pub rounds: usize,
}

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len() as u64) as usize]
}

impl Case {
    pub fn random(random: &mut Random) -> Self {
        let kinds = [
            Kind::Allreduce,
            Kind::Allreduce,
            Kind::ReduceScatter,
            Kind::Broadcast,
            Kind::Allgather,
            Kind::AllToAll,
            Kind::AllToAllV,
        ];
        let kind = pick(random, &kinds);
        let world = 1 + random.below(8) as usize;
        let length = match random.below(6) {
            0 => 1,
            1 => 1 + random.below(world as u64) as usize,
            2 => 1 + random.below(64) as usize,
            3 => 4097,
            _ => 1 + random.below(9000) as usize,
        };
        let (x, y) = shapes(random, kind, world, length);
        let place = match random.below(6) {
            0 => Where::Host { signal: true },
            1 => Where::Host { signal: false },
            2 => Where::Blocks(1 + random.below(4)),
            _ => Where::InCore,
        };
        Self {
            kind,
            place,
            world,
            element: pick(random, &Type::NUMBERS),
            reduction: random.below(4) as usize,
            algorithm: pick(random, &["mesh", "ring", "auto"]),
            root: random.below(world as u64) as usize,
            x,
            y,
            from_array: place == Where::InCore && random.below(2) == 0,
            rounds: 1 + random.below(3) as usize,
        }
    }

    /// The text of the module.
    pub fn text(&self) -> String {
        let (x, y) = (self.memref(&self.x), self.memref(&self.y));
        let (n, counts) = (self.world, format!("memref<{}x1xi32>", self.world));
        let [world_x, world_y, world_counts] =
            [&x, &y, &counts].map(|it| it.replacen('<', &format!("<{n}x"), 1));
        let [data, all] = [&self.x, &self.y].map(|shape| self.window(shape));
        let cells = format!("!pld.dtensor<{n}x1xi32>");
        let arguments = "%x, %y, %c, %z, %data, %all, %send, %receive, %signal";
        let types =
            format!("{x}, {y}, {counts}, {counts}, {data}, {all}, {cells}, {cells}, {cells}");
        let parameters = format!(
            "%x: {x}, %y: {y} {{pl.inout}}, %c: {counts}, %z: {counts} {{pl.out}}, %data: {data}, \
             %all: {all}, %send: {cells}, %receive: {cells}, %signal: {cells}"
        );
        let head = format!(
            "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
             %rounds = arith.constant {} : index\n",
            self.rounds
        );
        let kernel = |name: &str, body: &str| {
            let call = format!("func.call @{name}_core({arguments}) : ({types}) -> ()");
            let call = match self.place {
                Where::Blocks(blocks) => format!(
                    "  %blocks = arith.constant {blocks} : index\n  pl.spmd %blocks {{\n    {call}\n  }}\n"
                ),
                _ => format!("  {call}\n"),
            };
            format!(
                "func.func @{name}_core({parameters}) attributes {{pl.incore}} {{\n{head}  \
                 %ctx = pld.get_comm_ctx %signal : {cells}\n  %me = pld.rank %ctx\n  \
                 %block = pl.block_idx\n  %first = arith.cmpi eq, %block, %c0 : index\n{body}  return\n}}\n\
                 func.func @{name}({parameters}) attributes {{pl.device}} {{\n{call}  return\n}}\n"
            )
        };
        let shards = format!(
            "    %xr = pl.shard %x[%r] : {world_x} -> {x}\n    \
             %yr = pl.shard %y[%r] : {world_y} -> {y}\n    \
             %cr = pl.shard %c[%r] : {world_counts} -> {counts}\n    \
             %zr = pl.shard %z[%r] : {world_counts} -> {counts}\n"
        );
        let passed = arguments.replacen("%x, %y, %c, %z", "%xr, %yr, %cr, %zr", 1);
        let dispatch = |name: &str| {
            format!(
                "  scf.for %r = %c0 to %n step %c1 {{\n{shards}    \
                 pld.dispatch @{name}({passed}) on %r : ({types})\n  }}\n"
            )
        };
        let stage = self.stage(&data, &all, &cells);
        let fetch = self.fetch(&data, &all);
        let finish = self.finish(&cells);
        let rounds =
            |round: String| format!("  scf.for %round = %c0 to %rounds step %c1 {{\n{round}  }}\n");
        let (functions, host) = match self.place {
            Where::Host { signal } => {
                let collective = self.collective(&data, &all, &cells, signal);
                let round = dispatch("stage") + &collective + &dispatch("fetch");
                let kernels = [("stage", &stage), ("fetch", &fetch), ("finish", &finish)];
                let kernels = kernels.map(|(name, body)| kernel(name, body));
                (kernels.concat(), rounds(round) + &dispatch("finish"))
            }
            _ => {
                let round = stage + &self.collective(&data, &all, &cells, true) + &fetch;
                let body = rounds(round) + &finish;
                (kernel("whole", &body), dispatch("whole"))
            }
        };
        let alloc = |shape: &[usize], element: &str| {
            let sizes: Vec<_> = shape.iter().map(usize::to_string).collect();
            format!(
                "pld.alloc_window_buffer [{}] of {element}",
                sizes.join(", ")
            )
        };
        let element = self.element.name();
        let views = [
            ("data", alloc(&self.x, element), &data),
            ("all", alloc(&self.y, element), &all),
            ("send", alloc(&[n, 1], "i32"), &cells),
            ("receive", alloc(&[n, 1], "i32"), &cells),
            ("signal", alloc(&[n, 1], "i32"), &cells),
        ];
        let windows: String = views
            .iter()
            .map(|(name, alloc, r#type)| {
                format!(
                    "  %{name}_buffer = {alloc}\n  %{name} = pld.window %{name}_buffer : {}\n",
                    r#type
                )
            })
            .collect();
        format!(
            "{functions}func.func @main(%x: {world_x}, %y: {world_y} {{pl.inout}}, %c: {world_counts}, \
             %z: {world_counts} {{pl.out}}) attributes {{pl.host}} {{\n{head}  %n = pld.world_size\n\
             {windows}{host}  return\n}}\n"
        )
    }

    /// What is staged: the first block writes the own slices.
    fn stage(&self, data: &str, all: &str, cells: &str) -> String {
        let (x, y) = (self.memref(&self.x), self.memref(&self.y));
        let counts = cells.replace("!pld.dtensor", "memref");
        format!(
            "    scf.if %first {{\n      \
             pld.put %x, %data to %me : {x}, {data}\n      \
             pld.put %y, %all to %me : {y}, {all}\n      \
             pld.put %c, %send to %me : {counts}, {cells}\n    }}\n"
        )
    }

    /// What is fetched: the result.
    fn fetch(&self, data: &str, all: &str) -> String {
        let y = self.memref(&self.y);
        let result = match self.kind {
            Kind::Allreduce | Kind::Broadcast => {
                format!("pld.get %data, %y from %me : {data}, {y}")
            }
            Kind::ReduceScatter => format!(
                "pld.get %data[%me, 0], %y[0, 0] sizes [1, {}] from %me : {data}, {y}",
                self.x[1]
            ),
            _ => format!("pld.get %all, %y from %me : {all}, {y}"),
        };
        format!("    scf.if %first {{\n      {result}\n    }}\n")
    }

    /// After the last round, `%z`: the counts that were received; of the other collectives the
    /// cells of the signal.
    fn finish(&self, cells: &str) -> String {
        let counts = cells.replace("!pld.dtensor", "memref");
        let window = match self.kind {
            Kind::AllToAllV => "receive",
            _ => "signal",
        };
        format!(
            "  scf.if %first {{\n    pld.get %{window}, %z from %me : {cells}, {counts}\n  }}\n"
        )
    }

    fn collective(&self, data: &str, all: &str, cells: &str, signal: bool) -> String {
        let (name, kind) = (
            if signal { ", %signal" } else { "" },
            if signal {
                format!(", {cells}")
            } else {
                String::new()
            },
        );
        let (source, from) = if self.from_array {
            ("%x", self.memref(&self.x))
        } else {
            ("%data", data.to_owned())
        };
        let reduction = REDUCTIONS[self.reduction];
        let text = match self.kind {
            Kind::Allreduce => format!(
                "pld.allreduce {reduction} %data{name} {{algorithm = \"{}\"}} : {data}{kind}",
                self.algorithm
            ),
            Kind::ReduceScatter => {
                format!("pld.reduce_scatter {reduction} %data{name} : {data}{kind}")
            }
            Kind::Broadcast => format!(
                "pld.broadcast %data{name} root {} : {data}{kind}",
                self.root
            ),
            Kind::Allgather => {
                format!("pld.allgather {source} into %all{name} : {from}, {all}{kind}")
            }
            Kind::AllToAll => {
                format!("pld.all_to_all {source} into %all{name} : {from}, {all}{kind}")
            }
            Kind::AllToAllV => format!(
                "pld.all_to_all_v {source} into %all{name} counts %send, %receive : {from}, {all}{kind} counts {cells}, {cells}"
            ),
        };
        format!("    {text}\n")
    }

    fn memref(&self, shape: &[usize]) -> String {
        format!("memref<{}>", self.shape(shape))
    }

    fn window(&self, shape: &[usize]) -> String {
        format!("!pld.dtensor<{}>", self.shape(shape))
    }

    fn shape(&self, shape: &[usize]) -> String {
        let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
        extents + self.element.name()
    }
}

/// The extents of what is staged and of what is fetched.
fn shapes(random: &mut Random, kind: Kind, n: usize, length: usize) -> (Vec<usize>, Vec<usize>) {
    let row = (length / 2).max(1);
    match kind {
        Kind::Allreduce | Kind::Broadcast => {
            let a = 1 + random.below(5) as usize;
            let shape = match random.below(4) {
                0 => vec![length],
                1 => vec![length, a],
                2 => vec![a, row, 2],
                _ => vec![a, length],
            };
            (shape.clone(), shape)
        }
        Kind::ReduceScatter => (vec![n, row], vec![1, row]),
        Kind::Allgather => (vec![1, row], vec![n, row]),
        Kind::AllToAll => (vec![n, row], vec![n, row]),
        Kind::AllToAllV => {
            let rows = n * (1 + random.below(6) as usize) + random.below(2) as usize;
            let cols = 1 + random.below(40) as usize;
            (vec![rows, cols], vec![rows, cols])
        }
    }
}
