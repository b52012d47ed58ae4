//! Random modules, operation by operation. Mostly operands have the types that an operation
//! asks for; now and then anything goes.

use fastrand::Rng;
use std::fmt::Write;

const ELEMENTS: &[&str] = &[
    "f32", "f16", "bf16", "i8", "i16", "i32", "i64", "i1", "f64", "index",
];
const EXTENTS: &[&str] = &["1", "1", "2", "8", "64", "?", "0", "9223372036854775807"];
const OFFSETS: &[&str] = &["0", "0", "0", "1", "7", "64", "-1", "9223372036854775807"];
const FUNCTIONS: usize = 4;

/// A module of functions of random kinds that call each other.
pub fn module(random: &mut Rng) -> String {
    let sane = random.u8(..100) < 60;
    let mut text = String::new();
    for index in 0..random.usize(1..=FUNCTIONS) {
        Function::new(random, index, sane).write(&mut text);
    }
    text
}

struct Function<'r> {
    random: &'r mut Rng,
    index: usize,
    /// Whether it keeps to the rules as far as this generator knows them.
    sane: bool,
    kind: &'static str,
    /// Values in scope: name and type.
    values: Vec<(String, String)>,
    body: String,
    next: usize,
}

impl<'r> Function<'r> {
    fn new(random: &'r mut Rng, index: usize, sane: bool) -> Self {
        let kinds = [
            "pl.incore",
            "pl.incore",
            "pl.incore",
            "pl.device",
            "pl.host",
        ];
        let kind = kinds[random.usize(..kinds.len())];
        Self {
            random,
            index,
            sane,
            kind,
            values: Vec::new(),
            body: String::new(),
            next: 0,
        }
    }

    fn write(mut self, text: &mut String) {
        let mut arguments = Vec::new();
        for _ in 0..self.random.usize(..5) {
            let r#type = self.argument_type();
            let direction = if r#type.starts_with("memref") && self.chance(60) {
                self.pick(&[" {pl.out}", " {pl.inout}", " {pl.in}"])
            } else {
                ""
            };
            let name = self.fresh(&r#type);
            arguments.push(format!("{name}: {type}{direction}"));
        }
        for (r#type, constant) in [("index", "1"), ("i32", "1"), ("f32", "1.0")] {
            let name = self.fresh(r#type);
            let _ = writeln!(self.body, "  {name} = arith.constant {constant} : {type}");
        }
        for _ in 0..self.random.usize(..12) {
            self.operation(0);
        }
        let kind = if self.bad() {
            self.pick(&[
                "",
                "pl.device, pl.host",
                "pl.unknown",
                "pld.world_sizes = array<i64>",
            ])
        } else {
            self.kind
        };
        let _ = write!(
            text,
            "func.func @f{}({}) attributes {{{kind}}} {{\n{}  return\n}}\n",
            self.index,
            arguments.join(", "),
            self.body
        );
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.random.u8(..100) < percent
    }

    /// Whether to break a rule here.
    fn bad(&mut self) -> bool {
        !self.sane && self.chance(15)
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        // Of these lists the oddities stand last.
        let count = if self.sane {
            list.len().div_ceil(2)
        } else {
            list.len()
        };
        list[self.random.usize(..count)]
    }

    fn fresh(&mut self, r#type: &str) -> String {
        let name = format!("%v{}", self.next);
        self.next += 1;
        self.values.push((name.clone(), r#type.into()));
        name
    }

    /// A value whose type begins so, or (rarely) any.
    fn value(&mut self, prefix: &str) -> Option<(String, String)> {
        let anything = self.bad();
        let fit: Vec<_> = self
            .values
            .iter()
            .filter(|(_, r#type)| anything || r#type.starts_with(prefix))
            .cloned()
            .collect();
        (!fit.is_empty()).then(|| fit[self.random.usize(..fit.len())].clone())
    }

    fn memory(&mut self) -> Option<(String, String)> {
        let prefix = if self.random.bool() {
            "memref"
        } else {
            "!pld.dtensor"
        };
        self.value(prefix)
    }

    fn shape(&mut self, ranks: std::ops::RangeInclusive<usize>) -> String {
        let ranks = if self.bad() { 0..=5 } else { ranks };
        let mut shape = String::new();
        for _ in 0..self.random.usize(ranks) {
            shape += self.pick(EXTENTS);
            shape.push('x');
        }
        shape + self.pick(ELEMENTS)
    }

    fn argument_type(&mut self) -> String {
        if self.bad() {
            return self
                .pick(&[
                    "!pl.tile<8x8xf32>",
                    "tensor<8x8xf32>",
                    "f64",
                    "!pld.comm_ctx",
                ])
                .into();
        }
        match self.random.u8(..5) {
            0 | 1 => format!("memref<{}>", self.shape(1..=4)),
            2 => format!("!pld.dtensor<{}>", self.shape(1..=4)),
            3 => "!pld.dtensor<?x1xi32>".into(),
            _ => self.pick(&["index", "i32", "f32", "i64", "bf16"]).into(),
        }
    }

    /// A list of offsets, as long as the type has dims.
    fn offsets(&mut self, r#type: &str) -> String {
        let inside = r#type.split_once('<').map_or("", |(_, rest)| rest);
        let dims = if self.bad() {
            self.random.usize(..6)
        } else {
            inside.matches('x').count()
        };
        let dims = if inside.ends_with("index>") {
            dims.saturating_sub(1)
        } else {
            dims
        };
        let entries: Vec<_> = (0..dims)
            .map(|_| match self.value("index") {
                Some((name, _)) if self.chance(40) => name,
                _ => self.pick(OFFSETS).to_owned(),
            })
            .collect();
        format!("[{}]", entries.join(", "))
    }

    fn tile_of(&mut self, memory: &str) -> String {
        let element = memory
            .trim_end_matches('>')
            .rsplit(['x', '<'])
            .next()
            .unwrap_or("f32");
        let element = if self.bad() {
            self.pick(ELEMENTS)
        } else {
            element
        };
        let shapes = ["1x1", "1x2", "1x8", "8x64", "9223372036854775807x2", "0x1"];
        format!("!pl.tile<{}x{element}>", self.pick(&shapes))
    }

    fn valid(&mut self) -> String {
        if self.chance(70) {
            return String::new();
        }
        let (rows, cols) = (self.pick(OFFSETS), self.pick(OFFSETS));
        format!(" valid [{rows}, {cols}]")
    }

    fn line(&mut self, depth: usize, text: std::fmt::Arguments) {
        let _ = writeln!(self.body, "{:1$}{text}", "", 2 * depth + 2);
    }

    fn operation(&mut self, depth: usize) {
        // A value that is not there leaves the line out.
        let _ = match self.random.u8(..16) {
            0 | 1 => self.load(depth),
            2 | 3 => self.store(depth),
            4 => self.compute(depth),
            5 => self.signal(depth),
            6 => self.barrier(depth),
            7 => self.query(depth),
            8 | 9 => self.region(depth),
            10 => self.call(depth),
            11 | 12 => self.windows(depth),
            13 => self.scalar(depth),
            14 => self.choose(depth),
            _ => self.shard(depth),
        };
    }

    fn is_in_core(&mut self) -> Option<()> {
        (self.kind == "pl.incore" || self.bad()).then_some(())
    }

    fn load(&mut self, depth: usize) -> Option<()> {
        self.is_in_core()?;
        let remote = self.random.bool();
        let (memory, of) = if remote {
            self.value("!pld.dtensor")?
        } else {
            self.memory()?
        };
        let (offsets, valid, tile) = (self.offsets(&of), self.valid(), self.tile_of(&of));
        let (name, from) = if remote {
            (
                "pld.remote_load",
                format!(" from {}", self.value("index")?.0),
            )
        } else {
            ("pl.load", String::new())
        };
        let result = self.fresh(&tile);
        self.line(
            depth,
            format_args!("{result} = {name} {memory}{offsets}{valid}{from} : {of} -> {tile}"),
        );
        Some(())
    }

    fn store(&mut self, depth: usize) -> Option<()> {
        self.is_in_core()?;
        let (tile, tile_type) = self.value("!pl.tile")?;
        let remote = self.random.bool();
        let (memory, of) = if remote {
            self.value("!pld.dtensor")?
        } else {
            self.memory()?
        };
        let (offsets, valid) = (self.offsets(&of), self.valid());
        let atomic = if self.chance(20) { " atomic add" } else { "" };
        let (name, to) = if remote {
            (
                "pld.remote_store",
                format!(" to {}", self.value("index")?.0),
            )
        } else {
            ("pl.store", String::new())
        };
        self.line(
            depth,
            format_args!("{name} {tile}, {memory}{offsets}{valid}{to}{atomic} : {tile_type}, {of}"),
        );
        Some(())
    }

    fn compute(&mut self, depth: usize) -> Option<()> {
        self.is_in_core()?;
        if self.random.bool() {
            let (scalar, of) = self.value("f32")?;
            let tile = self.tile_of(&of);
            let result = self.fresh(&tile);
            self.line(depth, format_args!("{result} = pl.full {scalar} : {tile}"));
            return Some(());
        }
        let (tile, of) = self.value("!pl.tile")?;
        if self.random.bool() {
            let to = self.tile_of("f16");
            let mode = self.pick(&["none", "rint", "round", "floor", "ceil", "trunc", "up"]);
            let result = self.fresh(&to);
            self.line(
                depth,
                format_args!("{result} = pl.cast {mode} {tile} : {of} -> {to}"),
            );
        } else {
            let name = self.pick(&["add", "mul", "sub", "frob"]);
            let result = self.fresh(&of);
            self.line(
                depth,
                format_args!("{result} = pl.{name} {tile}, {tile} : {of}"),
            );
        }
        Some(())
    }

    fn signal(&mut self, depth: usize) -> Option<()> {
        self.is_in_core()?;
        let (signal, of) = self.value("!pld.dtensor")?;
        let (offsets, value) = (self.offsets(&of), self.value("i32")?.0);
        if self.random.bool() {
            let (kind, peer) = (self.pick(&["add", "set", "sub"]), self.value("index")?.0);
            self.line(
                depth,
                format_args!("pld.notify {kind} {value}, {signal}{offsets} to {peer} : {of}"),
            );
        } else {
            let cmp = self.pick(&["ge", "eq", "ne", "gt", "lt", "le", "xx"]);
            self.line(
                depth,
                format_args!("pld.wait {cmp} {value}, {signal}{offsets} : {of}"),
            );
        }
        Some(())
    }

    fn barrier(&mut self, depth: usize) -> Option<()> {
        let (signal, of) = self.value("!pld.dtensor<?x1xi32>")?;
        self.line(depth, format_args!("pld.barrier {signal} : {of}"));
        Some(())
    }

    fn query(&mut self, depth: usize) -> Option<()> {
        if self.kind == "pl.host" {
            let result = self.fresh("index");
            self.line(depth, format_args!("{result} = pld.world_size"));
            return Some(());
        }
        let (window, of) = self.value("!pld.dtensor")?;
        let ctx = self.fresh("!pld.comm_ctx");
        self.line(
            depth,
            format_args!("{ctx} = pld.get_comm_ctx {window} : {of}"),
        );
        let name = self.pick(&["rank", "nranks"]);
        let result = self.fresh("index");
        self.line(depth, format_args!("{result} = pld.{name} {ctx}"));
        let dim = self.pick(OFFSETS);
        let result = self.fresh("index");
        self.line(
            depth,
            format_args!("{result} = pl.dim {window}, {dim} : {of}"),
        );
        Some(())
    }

    fn region(&mut self, depth: usize) -> Option<()> {
        if depth > 2 {
            return None;
        }
        let scope = self.values.len();
        let (low, high, step) = (
            self.value("index")?.0,
            self.value("index")?.0,
            self.value("index")?.0,
        );
        if self.random.bool() {
            let counter = self.fresh("index");
            self.line(
                depth,
                format_args!("scf.for {counter} = {low} to {high} step {step} {{"),
            );
        } else {
            let condition = self.fresh("i1");
            self.line(
                depth,
                format_args!("{condition} = arith.cmpi slt, {low}, {high} : index"),
            );
            self.line(depth, format_args!("scf.if {condition} {{"));
        }
        for _ in 0..self.random.usize(..5) {
            self.operation(depth + 1);
        }
        if !self.bad() {
            self.values.truncate(scope);
        }
        self.line(depth, format_args!("}}"));
        Some(())
    }

    fn call(&mut self, depth: usize) -> Option<()> {
        let callee = self.random.usize(..FUNCTIONS + 1);
        let arguments: Vec<_> = (0..self.random.usize(..3))
            .filter_map(|_| self.value(""))
            .collect();
        let (names, types): (Vec<_>, Vec<_>) = arguments.into_iter().unzip();
        let (names, types) = (names.join(", "), types.join(", "));
        if self.kind == "pl.host" {
            let rank = self.value("index")?.0;
            self.line(
                depth,
                format_args!("pld.dispatch @f{callee}({names}) on {rank} : ({types})"),
            );
        } else {
            self.line(
                depth,
                format_args!("func.call @f{callee}({names}) : ({types}) -> ()"),
            );
        }
        Some(())
    }

    fn windows(&mut self, depth: usize) -> Option<()> {
        if self.kind != "pl.host" && !self.bad() {
            return None;
        }
        let sizes = [
            "[1, 64]",
            "[8]",
            "[64, 64]",
            "[]",
            "[0]",
            "[9223372036854775807, 2]",
        ];
        let groups = [
            "",
            "",
            "",
            " {ranks = array<i64: 0, 1>}",
            " {ranks = array<i64: -9223372036854775808>}",
            " {ranks = array<i64>}",
        ];
        let (sizes, group, element) = (self.pick(&sizes), self.pick(&groups), self.pick(ELEMENTS));
        let buffer = self.fresh("!pld.window_buffer");
        self.line(
            depth,
            format_args!("{buffer} = pld.alloc_window_buffer {sizes} of {element}{group}"),
        );
        let of = if self.random.bool() {
            "!pld.dtensor<?x1xi32>".into()
        } else {
            format!("!pld.dtensor<{}>", self.shape(1..=4))
        };
        let count = of.matches('?').count();
        let extents: Vec<_> = (0..count)
            .filter_map(|_| Some(self.value("index")?.0))
            .collect();
        let extents = if count > 0 {
            format!("[{}]", extents.join(", "))
        } else {
            String::new()
        };
        let view = self.fresh(&of);
        self.line(
            depth,
            format_args!("{view} = pld.window {buffer}{extents} : {of}"),
        );
        Some(())
    }

    fn scalar(&mut self, depth: usize) -> Option<()> {
        let (left, right) = (self.value("index")?.0, self.value("index")?.0);
        let name = self.pick(&["addi", "muli", "remsi", "divsi", "addf"]);
        let result = self.fresh("index");
        self.line(
            depth,
            format_args!("{result} = arith.{name} {left}, {right} : index"),
        );
        Some(())
    }

    /// One of two values of a type, by a branch.
    fn choose(&mut self, depth: usize) -> Option<()> {
        let (left, of) = self.value("")?;
        let (right, _) = self.value(&of)?;
        let (low, high) = (self.value("index")?.0, self.value("index")?.0);
        let condition = self.fresh("i1");
        self.line(
            depth,
            format_args!("{condition} = arith.cmpi slt, {low}, {high} : index"),
        );
        let result = self.fresh(&of);
        if self.random.bool() {
            self.line(
                depth,
                format_args!("{result} = arith.select {condition}, {left}, {right} : {of}"),
            );
        } else {
            self.line(depth, format_args!("{result} = scf.if {condition} -> {of} {{ scf.yield {left} : {of} }} else {{ scf.yield {right} : {of} }}"));
        }
        Some(())
    }

    fn shard(&mut self, depth: usize) -> Option<()> {
        if self.kind != "pl.host" && !self.bad() {
            return None;
        }
        let (array, of) = self.value("memref")?;
        let rank = self.value("index")?.0;
        let (_, rest) = of.split_once('x').filter(|(_, rest)| rest.contains('x'))?;
        let slice = format!("memref<{rest}");
        let result = self.fresh(&slice);
        self.line(
            depth,
            format_args!("{result} = pl.shard {array}[{rank}] : {of} -> {slice}"),
        );
        Some(())
    }
}
