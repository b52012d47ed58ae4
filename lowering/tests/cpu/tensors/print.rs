//! Random tensor programs as text.

use super::program::{
    Id, Make,
    Statement::{self, Assemble, If, Loop, Write},
};
use crate::cpu::values::Random;
use std::fmt::Write as _;

/// Prints programs.
pub struct Printer<'p> {
    pub random: &'p mut Random,
    pub memory: String,
    pub shapes: &'p [[usize; 2]],
    pub text: String,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "  {line}").expect("a string");
    }

    fn r#type(&self, id: Id) -> String {
        let [rows, cols] = self.shapes[id];
        format!("tensor<{rows}x{cols}xf32>")
    }

    /// Offsets, as numbers or values known at run time only.
    fn offsets(&mut self, offsets: [usize; 2], dynamic: bool) -> String {
        let [row, col] = offsets.map(|value| {
            if !dynamic {
                return value.to_string();
            }
            let name = self.text.len();
            self.line(&format!(
                "%k{name} = pl.read %k[0, {value}] : memref<1x301xi32>"
            ));
            self.line(&format!(
                "%i{name} = arith.index_cast %k{name} : i32 to index"
            ));
            format!("%i{name}")
        });
        format!("[{row}, {col}]")
    }

    fn place(&mut self, array: usize, offsets: [usize; 2]) -> String {
        let dynamic = self.random.below(3) == 0;
        format!("%m{array}{}", self.offsets(offsets, dynamic))
    }

    pub fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Make(id, make, operands) => self.make(*id, *make, operands),
            Assemble(id, array, offsets) => {
                let place = self.place(*array, *offsets);
                let line = format!(
                    "pl.assemble %t{id}, {place} : {}, {}",
                    self.r#type(*id),
                    self.memory
                );
                self.line(&line);
            }
            Write(array, offsets, value) => {
                let (place, name) = (self.place(*array, *offsets), self.text.len());
                self.line(&format!("%w{name} = arith.constant {value}.0 : f32"));
                let line = format!("pl.write %w{name}, {place} : {}", self.memory);
                self.line(&line);
            }
            Loop(rounds, carried, body) => {
                let list = |item: &dyn Fn(&[Id; 4]) -> String| {
                    carried.iter().map(item).collect::<Vec<_>>().join(", ")
                };
                let types = list(&|ids| self.r#type(ids[0]));
                let results = list(&|ids| format!("%t{}", ids[3]));
                let inits = list(&|ids| format!("%t{} = %t{}", ids[1], ids[0]));
                let yields = list(&|ids| format!("%t{}", ids[2]));
                let name = self.text.len();
                let (head, arguments, end) = if carried.is_empty() {
                    (String::new(), String::new(), String::new())
                } else {
                    (
                        format!("{results} = "),
                        format!(" iter_args({inits}) -> ({types})"),
                        format!("scf.yield {yields} : {types}"),
                    )
                };
                self.line(&format!(
                    "%k{name} = pl.read %k[0, {rounds}] : memref<1x301xi32>"
                ));
                self.line(&format!(
                    "%i{name} = arith.index_cast %k{name} : i32 to index"
                ));
                self.line(&format!(
                    "{head}scf.for %j{name} = %c0 to %i{name} step %c1{arguments} {{"
                ));
                self.block(body);
                self.line(&end);
                self.line("}");
            }
            If(condition, result, yields, bodies) => {
                let condition = if *condition { "%yes" } else { "%no" };
                let r#type = self.r#type(*result);
                self.line(&format!("%t{result} = scf.if {condition} -> ({type}) {{"));
                for (side, body) in bodies.iter().enumerate() {
                    self.block(body);
                    self.line(&format!("scf.yield %t{} : {type}", yields[side]));
                    self.line(if side == 0 { "} else {" } else { "}" });
                }
            }
        }
    }

    fn make(&mut self, id: Id, make: Make, operands: &[Id]) {
        let result = self.r#type(id);
        let names: Vec<_> = operands.iter().map(|id| format!("%t{id}")).collect();
        let types: Vec<_> = operands.iter().map(|&id| self.r#type(id)).collect();
        let (all, of) = (names.join(", "), types.join(", "));
        let scalar = |printer: &mut Self, value: i32| {
            printer.line(&format!("%s{id} = arith.constant {value}.0 : f32"))
        };
        let text = match make {
            Make::Slice(array, offsets) => {
                let place = self.place(array, offsets);
                format!("pl.slice {place} : {} -> {result}", self.memory)
            }
            Make::Full(value) => {
                scalar(self, value);
                format!("pl.full %s{id} : {result}")
            }
            Make::Binary(how) => format!("pl.{how} {all} : {result}"),
            Make::Scalar(how, value) => {
                scalar(self, value);
                format!("pl.{how}s {all}, %s{id} : {result}, f32")
            }
            Make::Unary(how) => format!("pl.{how} {all} : {result}"),
            Make::Choose => {
                let mask = result.replace("f32", "i1");
                self.line(&format!(
                    "%mask{id} = pl.cmp lt, {}, {} : {result} -> {mask}",
                    names[0], names[1]
                ));
                format!(
                    "pl.select %mask{id}, {}, {} : {mask}, {result}",
                    names[2], names[3]
                )
            }
            Make::Row(how) => format!("pl.row_{how} {all} : {of} -> {result}"),
            Make::Col(how) => format!("pl.col_{how} {all} : {of} -> {result}"),
            Make::RowExpand(None) => format!("pl.row_expand {all} : {of} -> {result}"),
            Make::ColExpand(None) => format!("pl.col_expand {all} : {of} -> {result}"),
            Make::RowExpand(Some(how)) => format!("pl.row_expand_{how} {all} : {of}"),
            Make::ColExpand(Some(how)) => format!("pl.col_expand_{how} {all} : {of}"),
            Make::Transpose => format!("pl.transpose {all} : {of} -> {result}"),
            Make::Reshape => format!("pl.reshape {all} : {of} -> {result}"),
            Make::Concat(dim) => format!("pl.concat {all} dim {dim} : {of} -> {result}"),
            Make::Extract(offsets, dynamic) => {
                let offsets = self.offsets(offsets, dynamic);
                format!("pl.extract_slice {all}{offsets} : {of} -> {result}")
            }
            Make::Insert(offsets, dynamic) => {
                let offsets = self.offsets(offsets, dynamic);
                format!(
                    "pl.insert_slice {} into {}{offsets} : {} into {result}",
                    names[0], names[1], types[0]
                )
            }
        };
        self.line(&format!("%t{id} = {text}"));
    }
}
