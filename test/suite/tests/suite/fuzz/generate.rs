//! Random modules, made operation by operation so that every rule of the language is kept;
//! or, with an oddity above 0, broken now and then: another operand, extent, element type,
//! number or place than the one asked for.

mod communicate;
mod compute;
mod control;
mod host;
mod memory;
mod types;

use fastrand::Rng;
use std::fmt::Write;
pub use types::Type;
use types::{ELEMENTS, NUMBERS, ODD_ELEMENTS, ODD_NUMBERS, ODD_TYPES};

/// What runs a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Host,
    Device,
    InCore,
}

/// A function that others may call: its parameters, and which of them it writes.
#[derive(Clone, Debug)]
struct Callee {
    name: String,
    kind: Kind,
    parameters: Vec<Value>,
    returns: bool,
}

/// A value in scope.
#[derive(Clone, Debug)]
struct Value {
    name: String,
    of: Type,
    /// Whether it may be stored to, if it is memory.
    writable: bool,
}

/// A module of one to four functions. `oddity` is the percentage of choices that break a rule.
pub fn module(random: &mut Rng, oddity: u8) -> String {
    let mut text = String::new();
    let mut callees = Vec::new();
    let calls = random.bool();
    for index in 0..random.usize(1..=4) {
        let kind = [Kind::InCore, Kind::InCore, Kind::Device, Kind::Host][random.usize(..4)];
        let known = if calls || kind == Kind::Host {
            callees.clone()
        } else {
            Vec::new()
        };
        let function = Function::new(random, oddity, kind, known);
        callees.push(function.write(index, &mut text));
    }
    text
}

struct Function<'r> {
    random: &'r mut Rng,
    oddity: u8,
    kind: Kind,
    callees: Vec<Callee>,
    /// Whether the code is in `pl.at`, where values are tensors.
    in_at: bool,
    in_spmd: bool,
    depth: usize,
    arguments: Vec<Value>,
    directions: Vec<&'static str>,
    /// What is allocated and viewed before all else.
    prologue: String,
    /// Results of the prologue, in scope everywhere.
    early: Vec<Value>,
    values: Vec<Value>,
    body: String,
    next: usize,
}

impl<'r> Function<'r> {
    fn new(random: &'r mut Rng, oddity: u8, kind: Kind, callees: Vec<Callee>) -> Self {
        Self {
            random,
            oddity,
            kind,
            callees,
            in_at: false,
            in_spmd: false,
            depth: 0,
            arguments: Vec::new(),
            directions: Vec::new(),
            prologue: String::new(),
            early: Vec::new(),
            values: Vec::new(),
            body: String::new(),
            next: 0,
        }
    }

    fn write(mut self, index: usize, text: &mut String) -> Callee {
        for _ in 0..self.random.usize(1..10) {
            self.operation();
        }
        let returns = self.kind == Kind::InCore && self.chance(30) || self.odd();
        let (result, end) = if returns {
            let value = self.scalar("index");
            (" -> index", format!("  return {} : index\n", value.name))
        } else {
            ("", "  return\n".to_owned())
        };
        let mut kind = match self.kind {
            Kind::Host => "pl.host",
            Kind::Device => "pl.device",
            Kind::InCore => "pl.incore",
        };
        if self.odd() {
            let odd = [
                "pl.device, pl.host",
                "pl.unknown",
                "pl.incore = 1",
                "pld.from = 3",
            ];
            kind = odd[self.random.usize(..odd.len())];
        }
        let arguments = self.arguments.iter().zip(&self.directions);
        let arguments: Vec<_> = arguments
            .map(|(value, direction)| format!("{}: {}{direction}", value.name, value.of))
            .collect();
        let _ = write!(
            text,
            "func.func @f{index}({}){result} attributes {{{kind}}} {{\n{}{}{end}}}\n",
            arguments.join(", "),
            self.prologue,
            self.body
        );
        Callee {
            name: format!("@f{index}"),
            kind: self.kind,
            parameters: self.arguments,
            returns,
        }
    }

    /// One operation, with what it needs before it.
    fn operation(&mut self) {
        let kind = if self.odd() {
            [Kind::Host, Kind::Device, Kind::InCore][self.random.usize(..3)]
        } else if self.in_at {
            Kind::InCore
        } else {
            self.kind
        };
        match (kind, self.random.u8(..20)) {
            (_, 0) => self.index_arithmetic(),
            (_, 1 | 2) => self.control(),
            (_, 3) => self.choose(),
            (Kind::Host, 4..=8) => self.dispatch(),
            (Kind::Host, 9..=14) => self.collective(),
            (Kind::Host, 15) => self.barrier(),
            (Kind::Host, 16) => self.view(),
            (Kind::Host, _) => self.memref_operation(),
            (Kind::Device, 4..=7) => self.call(),
            (Kind::Device, 8..=11) => self.at(),
            (Kind::Device, 12..=14) => self.spmd(),
            (Kind::Device, 15 | 16) => self.query(),
            (Kind::Device, _) => self.memref_operation(),
            (Kind::InCore, 4..=9) => self.compute(),
            (Kind::InCore, 10 | 11) => self.memory_operation(),
            (Kind::InCore, 12 | 13) => self.remote(),
            (Kind::InCore, 14 | 15) => self.signal(),
            (Kind::InCore, 16) => self.transfer(),
            (Kind::InCore, 17) => self.collective(),
            (Kind::InCore, 18) => self.query(),
            (Kind::InCore, _) => self.call(),
        }
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.random.u8(..100) < percent
    }

    /// Whether to break a rule here.
    fn odd(&mut self) -> bool {
        let oddity = self.oddity;
        oddity > 0 && self.chance(oddity)
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.usize(..list.len())]
    }

    /// An element type of `list`, or an odd one.
    fn element(&mut self, list: &[&'static str]) -> &'static str {
        if self.odd() {
            self.pick(&[ELEMENTS, ODD_ELEMENTS].concat())
        } else {
            self.pick(list)
        }
    }

    /// A number from 0 to `most`, or an odd one.
    fn number(&mut self, most: i64) -> i64 {
        if self.odd() {
            self.pick(ODD_NUMBERS)
        } else if self.chance(50) {
            0
        } else {
            self.random.i64(0..=most.max(0))
        }
    }

    fn extent(&mut self) -> i64 {
        if self.odd() {
            self.pick(ODD_NUMBERS)
        } else {
            self.pick(NUMBERS)
        }
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "{:1$}{text}", "", 2 * self.depth + 2);
    }

    /// Writes an operation of one result.
    fn result(&mut self, of: Type, text: &str) -> Value {
        let value = Value {
            name: self.name(),
            of,
            writable: false,
        };
        self.line(&format!("{} = {text}", value.name));
        self.values.push(value.clone());
        value
    }

    /// A new argument of the function.
    fn argument(&mut self, of: Type, writable: bool) -> Value {
        let of = if self.odd() {
            self.pick(ODD_TYPES).into_type()
        } else {
            of
        };
        let is_array = matches!(of, Type::Memory { window: false, .. });
        let directions: &[&str] = match (is_array, writable) {
            (false, _) => &[""],
            (true, false) => &["", "", " {pl.in}"],
            (true, true) => &[" {pl.out}", " {pl.inout}"],
        };
        let odd = [
            " {pl.out, pl.inout}",
            " {pl.output}",
            " {pl.arg = 1}",
            " {pl.out = 1}",
        ];
        let direction = if self.odd() {
            self.pick(&odd)
        } else {
            self.pick(directions)
        };
        let value = Value {
            name: self.name(),
            of,
            writable,
        };
        self.arguments.push(value.clone());
        self.directions.push(direction);
        value
    }

    /// A value in scope that fits; or any, oddly.
    fn find(&mut self, fits: impl Fn(&Value) -> bool) -> Option<Value> {
        let anything = self.odd();
        let all = self.arguments.iter().chain(&self.early).chain(&self.values);
        let fit: Vec<_> = all.filter(|value| anything || fits(value)).collect();
        let index = self.random.usize(..fit.len().max(1));
        fit.get(index).map(|&value| value.clone())
    }

    /// A scalar of this type: in scope, an argument or a constant.
    fn scalar(&mut self, of: &'static str) -> Value {
        match self.random.u8(..4) {
            0 => self.argument(Type::Scalar(of), false),
            1 if of != "i1" => {
                let number = self.random.u8(..4);
                let point = if of.contains('f') { ".0" } else { "" };
                let text = format!("arith.constant {number}{point} : {of}");
                self.result(Type::Scalar(of), &text)
            }
            _ => {
                let found = self.find(|value| value.of == Type::Scalar(of));
                found.unwrap_or_else(|| self.argument(Type::Scalar(of), false))
            }
        }
    }

    /// Runs `inner` in a scope of its own, indented.
    fn nested(&mut self, inner: impl FnOnce(&mut Self)) {
        let scope = self.values.len();
        self.depth += 1;
        inner(self);
        self.depth -= 1;
        self.values.truncate(scope);
    }

    /// As [`Self::nested`], but oddly its values are used outside as well. Not for one of
    /// several regions: upstream's parser frees those of an operation it refuses one by
    /// one, also if they use each other's values.
    fn leaking(&mut self, inner: impl FnOnce(&mut Self)) {
        let mut inside = Vec::new();
        self.nested(|function| {
            let scope = function.values.len();
            inner(function);
            inside = function.values.split_off(scope);
        });
        if self.odd() {
            self.values.append(&mut inside);
        }
    }

    fn operations(&mut self) {
        for _ in 0..self.random.usize(1..4) {
            self.operation();
        }
    }
}
