//! Random programs as text.

use super::program::{
    Access, MEMORY,
    Statement::{self, Binary, Full, If, Load, Loop, Rows, Scalar, Store},
    Tile,
};
use crate::cpu::values::Random;
use std::fmt::Write;

/// Prints programs.
pub struct Printer<'a> {
    pub random: &'a mut Random,
    pub text: String,
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

    pub fn line(&mut self, line: &str) {
        writeln!(self.text, "  {line}").expect("a string");
    }

    pub fn block(&mut self, block: &[Statement]) {
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
            Rows(result, reduce, source, combine, own) => {
                let column = "!pl.tile<3x1xf32>";
                self.line(&format!(
                    "%c{result} = pl.row_{reduce} %t{source} : !t -> {column}"
                ));
                self.line(&format!("%f{result} = arith.constant 0.5 : f32"));
                self.line(&format!(
                    "%h{result} = pl.muls %c{result}, %f{result} : {column}, f32"
                ));
                self.line(&format!(
                    "%t{result} = pl.row_expand_{combine} %t{own}, %h{result} : !t, {column}"
                ));
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
