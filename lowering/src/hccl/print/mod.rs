//! `--mlir-to-ascendc`: emitc files as C++ text.
//!
//! Names come from the attribute `pl.name` and are made unique in each function; constants and
//! expressions that are used once stand where they are used; a comment says which source line a
//! statement comes from.

mod control;
mod expression;
mod function;
mod inline;
mod spelling;

use super::{emit::cpp, names::Names};
pub use expression::is_arithmetic;
use inline::{Binding, Use, binding};
use melior::ir::{
    BlockLike, BlockRef, RegionLike, Type, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    pass::{Reported, Translation},
    pl::{NAME, SOURCE},
    view,
};
pub use spelling::is_number;
use spelling::{opaque_text, type_text};
use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
};

/// The translation.
pub const TRANSLATION: Translation = Translation {
    argument: "mlir-to-ascendc",
    description: "Print the emitc files of --lower-pld-to-hccl as C++, each after a line with its path.",
    run,
};

fn run(module: OperationRef) -> Result<String, Reported> {
    let mut text = String::new();
    for (path, file) in files(module)? {
        let _ = write!(text, "//===- {path}\n{file}");
    }
    Ok(text)
}

/// Path and text of each `emitc.file` of a module.
pub fn files(module: OperationRef) -> Result<Vec<(String, String)>, Reported> {
    let files = bridge::collect(module, |name| name == "emitc.file");
    if files.is_empty() {
        diag::failure(
            module.location(),
            "has no emitc.file to print, expected the result of --lower-pld-to-hccl",
        )
        .emit();
        return Err(Reported);
    }
    files
        .into_iter()
        .map(|file| {
            let path = view::string(&file, "id").unwrap_or_default();
            let mut printer = Printer::default();
            let block = file
                .region(0)
                .ok()
                .and_then(|region| region.first_block())
                .ok_or(Reported)?;
            printer.block(block)?;
            Ok((path, printer.text))
        })
        .collect()
}

/// Column of comments, where the statement is shorter.
const COMMENT: usize = 96;

#[derive(Default)]
struct Printer {
    text: String,
    depth: usize,
    names: Names,
    values: HashMap<usize, String>,
    /// Of those texts that are no names and no literals.
    bindings: HashMap<usize, Binding>,
    uses: HashMap<usize, Use>,
    /// Variables that are assigned to somewhere.
    assigned: HashSet<usize>,
    /// The source line that the last comment named.
    said: Option<String>,
}

impl Printer {
    fn block(&mut self, block: BlockRef) -> Result<(), Reported> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            self.operation(op)?;
        }
        Ok(())
    }

    fn region(&mut self, op: OperationRef, region: usize) -> Result<(), Reported> {
        let block = op
            .region(region)
            .ok()
            .and_then(|region| region.first_block());
        self.depth += 1;
        let result = block.map_or(Ok(()), |block| self.block(block));
        self.depth -= 1;
        result
    }

    /// A line, with a comment where its source line is another than the last one's.
    fn statement(&mut self, op: OperationRef, text: &str) {
        let source = view::string(&op, SOURCE);
        let mut line = String::new();
        for (number, part) in text.lines().enumerate() {
            if number > 0 {
                line.push('\n');
            }
            if !part.is_empty() {
                line.push_str(&"  ".repeat(self.depth));
            }
            line.push_str(part);
        }
        if self.depth > 0 {
            let said = source.filter(|source| self.said.as_ref() != Some(source));
            if let Some(source) = said {
                let width = line.len().max(COMMENT - 1) + 1;
                line = format!("{line:width$}// {source}");
                self.said = Some(source);
            }
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn operation(&mut self, op: OperationRef) -> Result<(), Reported> {
        let name = view::name(&op);
        match name {
            "emitc.func" => return self.function(op),
            "emitc.verbatim" => {
                let text = self.verbatim(op)?;
                self.statement(op, &text);
            }
            "emitc.constant" => {
                let text = self.constant(op)?;
                let sign = text.starts_with('-').then_some(Binding::Loose);
                self.bind_as(op, text, sign.unwrap_or_default());
            }
            "emitc.variable" => self.variable(op)?,
            "emitc.assign" => {
                let text = format!("{} = {};", self.operand(op, 0)?, self.whole_operand(op, 1)?);
                self.statement(op, &text);
            }
            "emitc.return" => {
                let text = match op.operand_count() {
                    // The end of a void function says it all.
                    0 => return Ok(()),
                    _ => format!("return {};", self.whole_operand(op, 0)?),
                };
                self.statement(op, &text);
            }
            "emitc.for" => self.for_loop(op)?,
            "emitc.if" => self.conditional(op)?,
            "emitc.do" => self.do_loop(op)?,
            "emitc.switch" => self.switch(op)?,
            "emitc.yield" => {}
            // The value of a variable that never changes.
            "emitc.load"
                if !self
                    .assigned
                    .contains(&bridge::value_key(op.operand(0).map_err(|_| Reported)?)) =>
            {
                let text = self.operand(op, 0)?;
                self.bind(op, text);
            }
            _ => {
                let text = self.expression(op, name)?;
                if self.is_inlined(op, &text) {
                    self.bind_as(op, text, binding(name));
                } else {
                    self.define(op, &text)?;
                }
            }
        }
        Ok(())
    }

    fn bind(&mut self, op: OperationRef, text: String) {
        self.bind_as(op, text, Binding::Atom);
    }

    fn bind_as(&mut self, op: OperationRef, text: String, binding: Binding) {
        if let Ok(result) = op.result(0) {
            let key = bridge::value_key(result.into());
            self.values.insert(key, text);
            self.bindings.insert(key, binding);
        }
    }

    fn value(&self, op: OperationRef, value: Value) -> Result<String, Reported> {
        let known = self.values.get(&bridge::value_key(value)).cloned();
        known.ok_or_else(|| unprintable(op, "uses a value that has not been printed"))
    }

    /// An operand that stands alone, as between parentheses or commas.
    fn whole_operand(&self, op: OperationRef, index: usize) -> Result<String, Reported> {
        self.operand_within(op, index, Binding::Loose)
    }

    /// An operand beside any operator.
    fn operand(&self, op: OperationRef, index: usize) -> Result<String, Reported> {
        self.operand_within(op, index, Binding::Atom)
    }

    /// An operand, in parentheses if it holds together less than that.
    fn operand_within(
        &self,
        op: OperationRef,
        index: usize,
        loosest: Binding,
    ) -> Result<String, Reported> {
        let value = op.operand(index).map_err(|_| Reported)?;
        let text = self.value(op, value)?;
        let binding = self.bindings.get(&bridge::value_key(value));
        Ok(if binding.is_some_and(|&binding| binding > loosest) {
            format!("({text})")
        } else {
            text
        })
    }

    fn name_of(&mut self, op: OperationRef) -> String {
        let given = view::string(&op, NAME);
        let located = bridge::location_name(op.location()).map(cpp::identifier);
        let name = located.or(given).unwrap_or_else(|| "v".into());
        self.names.fresh(&name)
    }

    /// `const TYPE NAME = TEXT;`, or the text alone for an operation without a used result.
    fn define(&mut self, op: OperationRef, text: &str) -> Result<(), Reported> {
        let Ok(result) = op.result(0) else {
            self.statement(op, &format!("{text};"));
            return Ok(());
        };
        let result: Value = result.into();
        if !bridge::has_uses(result) {
            self.statement(op, &format!("{text};"));
            return Ok(());
        }
        let r#type = self.r#type(op, result.r#type())?;
        let constant = if is_number(result.r#type()) {
            "const "
        } else {
            ""
        };
        let name = self.name_of(op);
        self.statement(op, &format!("{constant}{type} {name} = {text};"));
        self.bind(op, name);
        Ok(())
    }

    fn variable(&mut self, op: OperationRef) -> Result<(), Reported> {
        let result: Value = op.result(0).map_err(|_| Reported)?.into();
        let r#type = self.r#type(op, result.r#type())?;
        let value = opaque_text(op, "value").unwrap_or_default();
        let name = self.name_of(op);
        let text = match value.as_str() {
            "" => format!("{type} {name};"),
            value => format!("{type} {name} = {value};"),
        };
        self.statement(op, &text);
        self.bind(op, name);
        Ok(())
    }

    fn r#type(&self, op: OperationRef, r#type: Type) -> Result<String, Reported> {
        type_text(&r#type.to_string())
            .ok_or_else(|| unprintable(op, &format!("has the type {type}, which is not printed")))
    }
}

fn unprintable(op: OperationRef, what: &str) -> Reported {
    diag::failure(op.location(), format!("'{}' {what}", view::name(&op))).emit();
    Reported
}
