//! What a statement or a value is made of: texts with values in them, constants, operators and
//! calls.

use super::{
    Printer,
    inline::{Binding, binding},
    spelling::{integer_text, opaque, opaque_text},
    unprintable,
};
use crate::hccl::emit::cpp;
use melior::ir::{
    ValueLike,
    attribute::{ArrayAttribute, FloatAttribute, IntegerAttribute},
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};
use pld_dialects::{pass::Reported, view};

impl Printer {
    pub(super) fn verbatim(&self, op: OperationRef) -> Result<String, Reported> {
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
                text.push_str(&if stands_alone(&text, after) {
                    self.whole_operand(op, next)?
                } else {
                    self.operand(op, next)?
                });
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

    pub(super) fn constant(&self, op: OperationRef) -> Result<String, Reported> {
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

    pub(super) fn expression(&mut self, op: OperationRef, name: &str) -> Result<String, Reported> {
        use Binding::*;
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
            "emitc.unary_minus" => return Ok(format!("-({})", self.whole_operand(op, 0)?)),
            "emitc.logical_not" => return Ok(format!("!{}", self.operand(op, 0)?)),
            "emitc.load" => return self.operand(op, 0),
            "emitc.cast" => {
                let r#type = self.r#type(op, op.result(0).map_err(|_| Reported)?.r#type())?;
                return Ok(format!(
                    "static_cast<{type}>({})",
                    self.whole_operand(op, 0)?
                ));
            }
            "emitc.conditional" => {
                let condition = self.operand_within(op, 0, Comparison)?;
                // Of two literals, one says the type.
                let literals = [1, 2].map(|index| is_literal(op, index)) == [true, true];
                let first = if literals {
                    self.wide_operand(op, 1, Sum)?
                } else {
                    self.operand_within(op, 1, Sum)?
                };
                let second = self.operand_within(op, 2, Sum)?;
                return Ok(format!("{condition} ? {first} : {second}"));
            }
            "emitc.call_opaque" => return self.call(op),
            _ => {
                return Err(unprintable(
                    op,
                    "is no operation that --lower-pld-to-hccl leaves",
                ));
            }
        };
        // As much as can stand beside the operator and be read, and give no warning.
        let (left, right) = match binding(name) {
            Product => (Product, Atom),
            Sum => (Sum, Product),
            Comparison => (Sum, Sum),
            _ if name.starts_with("emitc.logical") => (Comparison, Comparison),
            _ => (Atom, Atom),
        };
        // An int becomes wide beside what is wide, but for what it is shifted by.
        let left = if is_literal(op, 1) || name.ends_with("shift") {
            self.wide_operand(op, 0, left)?
        } else {
            self.operand_within(op, 0, left)?
        };
        let right = self.operand_within(op, 1, right)?;
        Ok(format!("{left} {symbol} {right}"))
    }

    /// An operand; a literal of 64 bits as such, since C++ would take it as an int.
    fn wide_operand(
        &self,
        op: OperationRef,
        index: usize,
        loosest: Binding,
    ) -> Result<String, Reported> {
        let value = op.operand(index).map_err(|_| Reported)?;
        let wide = IntegerType::try_from(value.r#type()).is_ok_and(|integer| integer.width() == 64);
        Ok(if wide && is_literal(op, index) {
            format!("int64_t{{{}}}", self.whole_operand(op, index)?)
        } else {
            self.operand_within(op, index, loosest)?
        })
    }

    pub(super) fn call(&self, op: OperationRef) -> Result<String, Reported> {
        let callee = view::string(&op, "callee").unwrap_or_default();
        let operands = (0..op.operand_count()).map(|index| self.whole_operand(op, index));
        let mut arguments = operands.collect::<Result<Vec<_>, _>>()?;
        arguments.extend(literal_arguments(op));
        Ok(format!("{callee}({})", arguments.join(", ")))
    }
}

fn is_literal(op: OperationRef, index: usize) -> bool {
    let operand = op.operand(index).ok().and_then(view::defining_op);
    operand.is_some_and(|op| view::is(&op, "emitc.constant"))
}

/// Whether a value between these texts needs no parentheses, whatever it is.
fn stands_alone(before: &str, after: &str) -> bool {
    let before = before.trim_end().ends_with(['(', '[', '{', ',', '=']);
    before && after.trim_start().starts_with([')', ']', '}', ',', ';'])
}

/// Whether an operation computes a number from numbers and does nothing else.
pub fn is_arithmetic(name: &str) -> bool {
    let operators = [
        "emitc.add",
        "emitc.sub",
        "emitc.mul",
        "emitc.div",
        "emitc.rem",
        "emitc.bitwise_and",
        "emitc.bitwise_or",
        "emitc.bitwise_xor",
        "emitc.bitwise_left_shift",
        "emitc.bitwise_right_shift",
        "emitc.logical_and",
        "emitc.logical_or",
        "emitc.logical_not",
        "emitc.cmp",
        "emitc.unary_minus",
        "emitc.cast",
        "emitc.conditional",
    ];
    operators.contains(&name)
}

/// The literal arguments of a call. Ours have either these or operands.
pub(super) fn literal_arguments(op: OperationRef) -> Vec<String> {
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
