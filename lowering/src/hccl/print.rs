//! `--mlir-to-ascendc`: emitc files as C++ text.
//!
//! Names come from the attribute `pl.name` and are made unique in each function; constants
//! stand where they are used; a comment says which source line a statement comes from.

use super::emit::cpp;
use super::names::Names;
use melior::ir::{
    BlockLike, BlockRef, RegionLike, Type, TypeLike, Value, ValueLike,
    attribute::{ArrayAttribute, FloatAttribute, IntegerAttribute},
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};
use pld_dialects::{
    arg_attribute_of, bridge, diag,
    pass::{Reported, Translation},
    pl::{NAME, SOURCE},
    view,
};
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
                self.bind(op, text);
            }
            "emitc.variable" => self.variable(op)?,
            "emitc.assign" => {
                let text = format!("{} = {};", self.operand(op, 0)?, self.operand(op, 1)?);
                self.statement(op, &text);
            }
            "emitc.return" => {
                let text = match op.operand_count() {
                    // The end of a void function says it all.
                    0 => return Ok(()),
                    _ => format!("return {};", self.operand(op, 0)?),
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
                self.define(op, &text)?;
            }
        }
        Ok(())
    }

    fn function(&mut self, op: OperationRef) -> Result<(), Reported> {
        self.names = Names::default();
        self.values.clear();
        self.said = None;
        let mut mentioned = Names::default();
        self.assigned.clear();
        for inner in bridge::collect(op, |_| true) {
            match view::name(&inner) {
                "emitc.verbatim" => {
                    mentioned.mention(&view::string(&inner, "value").unwrap_or_default())
                }
                "emitc.call_opaque" => {
                    mentioned.mention(&view::string(&inner, "callee").unwrap_or_default());
                    literal_arguments(inner)
                        .iter()
                        .for_each(|argument| mentioned.mention(argument));
                }
                "emitc.assign" => {
                    let variable = inner.operand(0).map_err(|_| Reported)?;
                    self.assigned.insert(bridge::value_key(variable));
                }
                _ => {}
            }
        }
        self.names.reserve(&mentioned);
        let block = op
            .region(0)
            .ok()
            .and_then(|region| region.first_block())
            .ok_or(Reported)?;
        let mut parameters = Vec::new();
        for index in 0..block.argument_count() {
            let argument: Value = block.argument(index).map_err(|_| Reported)?.into();
            let r#type = self.r#type(op, argument.r#type())?;
            let wanted = arg_attribute_of(&op, index, NAME).and_then(bridge::string_value);
            let wanted = wanted.unwrap_or("arg").to_owned();
            // Texts may speak of a parameter by its own name.
            let spoken = mentioned.knows(&wanted);
            let name = if spoken {
                wanted
            } else {
                self.names.fresh(&wanted)
            };
            let used = spoken || bridge::has_uses(argument);
            parameters.push(if used {
                format!("{type} {name}")
            } else {
                r#type
            });
            self.values.insert(bridge::value_key(argument), name);
        }
        let result = pld_dialects::signature(&op).and_then(|signature| signature.result(0).ok());
        let result = match result {
            Some(r#type) => self.r#type(op, r#type)?,
            None => "void".into(),
        };
        let name = view::string(&op, "sym_name").unwrap_or_default();
        let head = format!(
            "{}{result} {name}({}) {{",
            specifiers(op),
            parameters.join(", ")
        );
        self.statement(op, &head);
        self.region(op, 0)?;
        self.statement(op, "}");
        if op.next_in_block().is_some() {
            self.text.push('\n');
        }
        Ok(())
    }

    fn bind(&mut self, op: OperationRef, text: String) {
        if let Ok(result) = op.result(0) {
            self.values.insert(bridge::value_key(result.into()), text);
        }
    }

    fn value(&self, op: OperationRef, value: Value) -> Result<String, Reported> {
        let known = self.values.get(&bridge::value_key(value)).cloned();
        known.ok_or_else(|| unprintable(op, "uses a value that has not been printed"))
    }

    fn operand(&self, op: OperationRef, index: usize) -> Result<String, Reported> {
        self.value(op, op.operand(index).map_err(|_| Reported)?)
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

    fn verbatim(&self, op: OperationRef) -> Result<String, Reported> {
        let format = view::string(&op, "value").unwrap_or_default();
        if op.operand_count() == 0 {
            return Ok(format);
        }
        let mut text = String::new();
        let mut next = 0;
        let mut rest = format.as_str();
        while let Some(brace) = rest.find('{') {
            text.push_str(&rest[..brace]);
            rest = &rest[brace..];
            if let Some(after) = rest.strip_prefix("{{") {
                text.push('{');
                rest = after;
            } else if let Some(after) = rest.strip_prefix("{}") {
                text.push_str(&self.operand(op, next)?);
                next += 1;
                rest = after;
            } else {
                text.push('{');
                rest = &rest[1..];
            }
        }
        text.push_str(rest);
        Ok(text)
    }

    fn constant(&self, op: OperationRef) -> Result<String, Reported> {
        if let Some(text) = opaque_text(op, "value") {
            return Ok(text);
        }
        let attribute = op.attribute("value").map_err(|_| Reported)?;
        if let Ok(integer) = IntegerAttribute::try_from(attribute) {
            let r#type = op.result(0).map_err(|_| Reported)?.r#type();
            return Ok(integer_text(r#type, integer));
        }
        match FloatAttribute::try_from(attribute) {
            Ok(float) => Ok(cpp::float_literal(float.value() as f32)),
            Err(_) => Err(unprintable(
                op,
                "has a constant of a kind that is not printed",
            )),
        }
    }

    fn expression(&mut self, op: OperationRef, name: &str) -> Result<String, Reported> {
        let symbol = match name {
            "emitc.add" => "+",
            "emitc.sub" => "-",
            "emitc.mul" => "*",
            "emitc.div" => "/",
            "emitc.rem" => "%",
            "emitc.bitwise_and" => "&",
            "emitc.bitwise_or" => "|",
            "emitc.bitwise_xor" => "^",
            "emitc.bitwise_left_shift" => "<<",
            "emitc.bitwise_right_shift" => ">>",
            "emitc.logical_and" => "&&",
            "emitc.logical_or" => "||",
            "emitc.cmp" => {
                let predicate =
                    view::integer(&op, "predicate").and_then(|p| usize::try_from(p).ok());
                let symbols = ["==", "!=", "<", "<=", ">", ">="];
                *predicate
                    .and_then(|predicate| symbols.get(predicate))
                    .ok_or_else(|| unprintable(op, "compares in a way that is not printed"))?
            }
            "emitc.unary_minus" => return Ok(format!("-({})", self.operand(op, 0)?)),
            "emitc.logical_not" => return Ok(format!("!{}", self.operand(op, 0)?)),
            "emitc.load" => return self.operand(op, 0),
            "emitc.cast" => {
                let r#type = self.r#type(op, op.result(0).map_err(|_| Reported)?.r#type())?;
                return Ok(format!("static_cast<{type}>({})", self.operand(op, 0)?));
            }
            "emitc.conditional" => {
                let part = |index| self.operand(op, index);
                return Ok(format!("{} ? {} : {}", part(0)?, part(1)?, part(2)?));
            }
            "emitc.call_opaque" => return self.call(op),
            _ => {
                return Err(unprintable(
                    op,
                    "is no operation that --lower-pld-to-hccl leaves",
                ));
            }
        };
        let left = self.wide_operand(op, 0)?;
        Ok(format!("{left} {symbol} {}", self.operand(op, 1)?))
    }

    /// The left operand; a literal of 64 bits as such, since C++ would take it as an int.
    fn wide_operand(&self, op: OperationRef, index: usize) -> Result<String, Reported> {
        let value = op.operand(index).map_err(|_| Reported)?;
        let text = self.value(op, value)?;
        let literal = view::defining_op(value).is_some_and(|op| view::is(&op, "emitc.constant"));
        let wide = IntegerType::try_from(value.r#type()).is_ok_and(|integer| integer.width() == 64);
        Ok(if literal && wide {
            format!("int64_t{{{text}}}")
        } else {
            text
        })
    }

    fn call(&self, op: OperationRef) -> Result<String, Reported> {
        let callee = view::string(&op, "callee").unwrap_or_default();
        Ok(format!("{callee}({})", literal_arguments(op).join(", ")))
    }

    fn for_loop(&mut self, op: OperationRef) -> Result<(), Reported> {
        let block = op
            .region(0)
            .ok()
            .and_then(|region| region.first_block())
            .ok_or(Reported)?;
        let counter: Value = block.argument(0).map_err(|_| Reported)?.into();
        let r#type = self.r#type(op, counter.r#type())?;
        let name =
            bridge::location_name(counter.location()).map_or_else(|| "i".into(), cpp::identifier);
        let name = self.names.fresh(&name);
        let (from, to, step) = (
            self.operand(op, 0)?,
            self.operand(op, 1)?,
            self.operand(op, 2)?,
        );
        let step = if step == "1" {
            format!("++{name}")
        } else {
            format!("{name} += {step}")
        };
        self.statement(
            op,
            &format!("for ({type} {name} = {from}; {name} < {to}; {step}) {{"),
        );
        self.values.insert(bridge::value_key(counter), name);
        self.region(op, 0)?;
        self.statement(op, "}");
        Ok(())
    }

    fn conditional(&mut self, op: OperationRef) -> Result<(), Reported> {
        let head = format!("if ({}) {{", self.operand(op, 0)?);
        self.statement(op, &head);
        self.region(op, 0)?;
        let otherwise = op.region(1).ok().and_then(|region| region.first_block());
        let empty = otherwise
            .and_then(|block| block.first_operation())
            .is_none_or(|first| view::is(&first, "emitc.yield"));
        if !empty {
            self.statement(op, "} else {");
            self.region(op, 1)?;
        }
        self.statement(op, "}");
        Ok(())
    }

    /// The condition is an expression of one variable.
    fn do_loop(&mut self, op: OperationRef) -> Result<(), Reported> {
        self.statement(op, "do {");
        self.region(op, 0)?;
        let test = op
            .region(1)
            .ok()
            .and_then(|region| region.first_block()?.first_operation());
        let test =
            test.filter(|test| view::is(test, "emitc.expression") && test.operand_count() == 1);
        let test = test.ok_or_else(|| unprintable(op, "has a condition that is no variable"))?;
        let text = format!("}} while ({});", self.operand(test, 0)?);
        self.statement(op, &text);
        Ok(())
    }

    fn switch(&mut self, op: OperationRef) -> Result<(), Reported> {
        let head = format!("switch ({}) {{", self.operand(op, 0)?);
        self.statement(op, &head);
        let cases = view::integers(&op, "cases").unwrap_or_default();
        let labels = cases
            .iter()
            .map(|case| format!("case {case}: {{"))
            .chain(["default: {".into()]);
        self.depth += 1;
        for (index, label) in labels.enumerate() {
            // The default region comes first in the operation, last in the text.
            let region = if index == cases.len() { 0 } else { index + 1 };
            self.statement(op, &label);
            self.region(op, region)?;
            self.depth += 1;
            self.statement(op, "break;");
            self.depth -= 1;
            self.statement(op, "}");
        }
        self.depth -= 1;
        self.statement(op, "}");
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

/// The literal arguments of a call; ours have no others.
fn literal_arguments(op: OperationRef) -> Vec<String> {
    let list = op
        .attribute("args")
        .ok()
        .and_then(|args| ArrayAttribute::try_from(args).ok());
    list.map_or_else(Vec::new, |list| {
        (0..list.len())
            .filter_map(|index| opaque(&list.element(index).ok()?.to_string()))
            .collect()
    })
}

fn specifiers(op: OperationRef) -> String {
    let list = op
        .attribute("specifiers")
        .ok()
        .and_then(|list| ArrayAttribute::try_from(list).ok());
    let Some(list) = list else {
        return String::new();
    };
    (0..list.len())
        .filter_map(|index| bridge::string_value(list.element(index).ok()?))
        .map(|specifier| format!("{specifier} "))
        .collect()
}

/// The text of an `#emitc.opaque` attribute.
fn opaque_text(op: OperationRef, attribute: &str) -> Option<String> {
    opaque(&op.attribute(attribute).ok()?.to_string())
}

fn opaque(printed: &str) -> Option<String> {
    let inner = printed
        .strip_prefix("#emitc.opaque<\"")?
        .strip_suffix("\">")?;
    Some(unescape(inner))
}

/// What MLIR escapes in a printed string.
fn unescape(text: &str) -> String {
    text.replace("\\22", "\"")
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
        .replace("\\5C", "\\")
}

/// Whether values of a type are constants once defined.
fn is_number(r#type: Type) -> bool {
    r#type.is_integer()
        || r#type.is_f32()
        || matches!(type_text(&r#type.to_string()).as_deref(), Some("half"))
}

fn type_text(printed: &str) -> Option<String> {
    let between = |prefix: &str| {
        printed
            .strip_prefix(prefix)?
            .strip_suffix('>')
            .map(str::to_owned)
    };
    if let Some(inner) = between("!emitc.lvalue<") {
        return type_text(&inner);
    }
    if let Some(inner) = between("!emitc.ptr<") {
        return Some(format!("{}*", type_text(&inner)?));
    }
    if let Some(inner) =
        between("!emitc.opaque<\"").and_then(|inner| inner.strip_suffix('"').map(str::to_owned))
    {
        return Some(unescape(&inner));
    }
    Some(
        match printed {
            "i1" => "bool",
            "i8" => "int8_t",
            "i16" => "int16_t",
            "i32" => "int32_t",
            "i64" | "index" => "int64_t",
            "ui8" => "uint8_t",
            "ui16" => "uint16_t",
            "ui32" => "uint32_t",
            "ui64" => "uint64_t",
            "f32" => "float",
            _ => return None,
        }
        .into(),
    )
}

/// An integer literal; narrow ones with their type, since templates look at it.
fn integer_text(r#type: Type, value: IntegerAttribute) -> String {
    let Ok(integer) = IntegerType::try_from(r#type) else {
        return value.signed_value().to_string();
    };
    if integer.width() == 1 {
        return (value.signed_value() != 0).to_string();
    }
    let text = match value.signed_value() {
        i64::MIN => "INT64_MIN".into(),
        -2147483648 if integer.width() == 32 => "INT32_MIN".into(),
        value if value < 0 => format!("({value})"),
        value => value.to_string(),
    };
    match integer.width() {
        8 | 16 => format!("static_cast<int{}_t>({text})", integer.width()),
        _ => text,
    }
}
