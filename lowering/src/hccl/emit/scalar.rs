//! `arith` as C++ expressions.
//!
//! Integers of 8 to 64 bits wrap: they are computed unsigned and converted back. `index` is
//! int64_t and does not overflow in a program that addresses memory with it. Division and
//! remainder are signed and truncate, as in MLIR. A division by zero and a step that is not above
//! it end the program.

use super::{
    cpp::{self, Side},
    scope::{Scope, unsupported},
    text::{Compare, compare, parse},
};
use melior::ir::{
    Attribute, Type, TypeLike, Value, ValueLike,
    attribute::{AttributeLike, FloatAttribute, IntegerAttribute},
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};
use pld_dialects::{emit::Emitter, pass::Reported, pl::NAME, types::Element, view};

/// Emits an `arith` operation and binds its result.
pub fn emit<'c, 'a>(
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let result: Value = op.result(0).map_err(|_| Reported)?.into();
    let r#type = scope.scalar_type(op, result.r#type())?;
    let name = view::name(&op);
    if name == "arith.constant" {
        let value =
            constant(scope.side, at, op, r#type).ok_or_else(|| unsupported(op, "this constant"))?;
        scope.bind(result, value);
        return Ok(());
    }
    let operands = op
        .operands()
        .map(|value| scope.scalar(op, value))
        .collect::<Result<Vec<_>, _>>()?;
    let source = op.operand(0).map_err(|_| Reported)?.r#type();
    let expression = Expression {
        at,
        scope,
        op,
        source,
        r#type,
    };
    let value = expression
        .emit(name, &operands)
        .ok_or_else(|| unsupported(op, "this form"))?;
    scope.bind(result, value);
    Ok(())
}

fn constant<'c, 'a>(
    side: Side,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    r#type: Type<'c>,
) -> Option<Value<'c, 'a>> {
    let given = op.attribute("value").ok()?;
    let value: Attribute = if let Ok(integer) = IntegerAttribute::try_from(given) {
        if r#type.is_integer() && IntegerType::try_from(r#type).ok()?.width() == 1 {
            given
        } else {
            at.int_attr(r#type, integer.signed_value())
        }
    } else {
        let float = FloatAttribute::try_from(given).ok()?.value();
        match (
            Element::of(FloatAttribute::try_from(given).ok()?.r#type())?,
            side,
        ) {
            (Element::F32, _) => given,
            (Element::F16, Side::Kernel) => {
                let literal = cpp::float_literal(float as f32);
                parse(
                    at.context,
                    &format!(
                        "#emitc.opaque<{:?}>",
                        format!("static_cast<half>({literal})")
                    ),
                )
            }
            (Element::BF16, _) => bits(at, cpp::bf16_bits(float)),
            _ => return None,
        }
    };
    Some(at.value("emitc.constant", &[], r#type, &[("value", value)]))
}

fn bits<'c>(at: &Emitter<'c, '_>, bits: u16) -> Attribute<'c> {
    parse(
        at.context,
        &format!("#emitc.opaque<\"static_cast<uint16_t>({bits})\">"),
    )
}

/// Whether a value is a number of ranks or blocks, which is at least 1.
pub fn is_count(value: Value) -> bool {
    let counts = ["pld.nranks", "pld.world_size", "pl.block_num"];
    view::defining_op(value).is_some_and(|op| counts.contains(&view::name(&op)))
}

/// What a number must be for the program to go on.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Not 0.
    Divisor,
    /// Above 0.
    Step,
}

/// The number, through a call that ends the program if it is not what it must be.
pub fn checked<'c, 'a>(
    at: &Emitter<'c, 'a>,
    side: Side,
    check: Check,
    number: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let (callee, name) = match (side, check) {
        (Side::Kernel, Check::Divisor) => ("pld::Divisor", "divisor"),
        (Side::Host, Check::Divisor) => ("pld::CheckedDivisor", "divisor"),
        (Side::Kernel, Check::Step) => ("pld::Step", "step"),
        (Side::Host, Check::Step) => ("pld::CheckedStep", "step"),
    };
    let attributes = [("callee", at.str_attr(callee)), (NAME, at.str_attr(name))];
    at.value("emitc.call_opaque", &[number], number.r#type(), &attributes)
}

struct Expression<'c, 'a, 'e> {
    at: &'e Emitter<'c, 'a>,
    scope: &'e Scope<'c, 'a>,
    op: OperationRef<'c, 'a>,
    /// Type of the first operand in the program.
    source: Type<'c>,
    /// Emitted type of the result.
    r#type: Type<'c>,
}

impl<'c, 'a> Expression<'c, 'a, '_> {
    fn emit(&self, name: &str, operands: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        let arith = name.strip_prefix("arith.")?;
        let float = Element::of(self.source).is_some_and(Element::is_float);
        if float && Element::of(self.source) != Some(Element::F32) && arith != "select" {
            // Half-width floats are passed on only.
            return None;
        }
        Some(match (arith, operands) {
            ("addi", &[a, b]) => self.wrapping("emitc.add", a, b),
            ("subi", &[a, b]) => self.wrapping("emitc.sub", a, b),
            ("muli", &[a, b]) => self.wrapping("emitc.mul", a, b),
            ("divsi", &[a, b]) => self.plain("emitc.div", a, self.divisor(b)?),
            ("remsi", &[a, b]) => self.plain("emitc.rem", a, self.divisor(b)?),
            ("divui", &[a, b]) => self.unsigned("emitc.div", a, self.divisor(b)?),
            ("remui", &[a, b]) => self.unsigned("emitc.rem", a, self.divisor(b)?),
            ("floordivsi", &[a, b]) => self.rounded_division(a, self.divisor(b)?, Compare::Ne),
            ("ceildivsi", &[a, b]) => self.rounded_division(a, self.divisor(b)?, Compare::Eq),
            ("andi", &[a, b]) => self.plain("emitc.bitwise_and", a, b),
            ("ori", &[a, b]) => self.plain("emitc.bitwise_or", a, b),
            ("xori", &[a, b]) => self.plain("emitc.bitwise_xor", a, b),
            ("shli", &[a, b]) => self.unsigned("emitc.bitwise_left_shift", a, b),
            ("shrui", &[a, b]) => self.unsigned("emitc.bitwise_right_shift", a, b),
            ("shrsi", &[a, b]) => self.plain("emitc.bitwise_right_shift", a, b),
            ("maxsi", &[a, b]) => self.choose(Compare::Gt, a, b),
            ("minsi", &[a, b]) => self.choose(Compare::Lt, a, b),
            ("cmpi", &[a, b]) => self.compare_integers(a, b)?,
            ("select", &[condition, a, b]) => self.conditional(condition, a, b),
            ("index_cast" | "extui" | "index_castui" | "trunci" | "extsi", &[a]) => {
                self.resize(arith, a)?
            }
            ("sitofp", &[a]) => self.to_float(a)?,
            ("addf", &[a, b]) => self.plain("emitc.add", a, b),
            ("subf", &[a, b]) => self.plain("emitc.sub", a, b),
            ("mulf", &[a, b]) => self.plain("emitc.mul", a, b),
            ("divf", &[a, b]) => self.plain("emitc.div", a, b),
            ("negf", &[a]) => self.at.value("emitc.unary_minus", &[a], self.r#type, &[]),
            ("cmpf", &[a, b]) => self.compare_floats(a, b)?,
            ("fptosi", &[a]) => self.cast(a, self.r#type),
            _ => return None,
        })
    }

    /// A divisor, through a call that ends the program at 0 unless it cannot be that.
    fn divisor(&self, emitted: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let given = self.op.operand(1).ok()?;
        let fine = view::constant(given).map_or(is_count(given), |value| value != 0);
        Some(if fine {
            emitted
        } else {
            checked(self.at, self.scope.side, Check::Divisor, emitted)
        })
    }

    fn plain(&self, op: &str, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.at.value(op, &[a, b], self.r#type, &[])
    }

    fn cast(&self, value: Value<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        self.at.value("emitc.cast", &[value], r#type, &[])
    }

    fn conditional(
        &self,
        condition: Value<'c, 'a>,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.at
            .value("emitc.conditional", &[condition, a, b], self.r#type, &[])
    }

    fn choose(&self, when: Compare, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.conditional(compare(self.at, when, a, b), a, b)
    }

    fn width(r#type: Type) -> u32 {
        IntegerType::try_from(r#type).map_or(64, |integer| integer.width())
    }

    /// The unsigned type to compute in. Types narrower than int would be promoted to it.
    fn unsigned_type(&self, r#type: Type) -> Type<'c> {
        IntegerType::unsigned(self.at.context, Self::width(r#type).max(32)).into()
    }

    fn unsigned(&self, op: &str, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        let own = self.r#type;
        // Zero-extend from the own width, then widen.
        let exact = IntegerType::unsigned(self.at.context, Self::width(own).max(8)).into();
        let wide = self.unsigned_type(own);
        let widen = |value| {
            let value = self.cast(value, exact);
            if exact == wide {
                value
            } else {
                self.cast(value, wide)
            }
        };
        let value = self.at.value(op, &[widen(a), widen(b)], wide, &[]);
        self.cast(value, own)
    }

    fn wrapping(&self, op: &str, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        if self.source.is_index() {
            return self.plain(op, a, b);
        }
        if Self::width(self.r#type) == 1 {
            // Sum and difference of bits; the product is `and`.
            let op = if op == "emitc.mul" {
                "emitc.bitwise_and"
            } else {
                "emitc.bitwise_xor"
            };
            return self.plain(op, a, b);
        }
        self.unsigned(op, a, b)
    }

    /// The quotient, one further where the remainder is not 0 and the signs differ (floor) or
    /// agree (ceil).
    fn rounded_division(
        &self,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
        signs: Compare,
    ) -> Value<'c, 'a> {
        let at = self.at;
        let zero = at.value(
            "emitc.constant",
            &[],
            self.r#type,
            &[("value", at.int_attr(self.r#type, 0))],
        );
        let one = at.value(
            "emitc.constant",
            &[],
            self.r#type,
            &[("value", at.int_attr(self.r#type, 1))],
        );
        let quotient = self.plain("emitc.div", a, b);
        let inexact = compare(at, Compare::Ne, self.plain("emitc.rem", a, b), zero);
        let negative = |value| compare(at, Compare::Lt, value, zero);
        let signs = compare(at, signs, negative(a), negative(b));
        let step = at.value("emitc.logical_and", &[inexact, signs], at.int_type(1), &[]);
        let op = if self.op_is("arith.floordivsi") {
            "emitc.sub"
        } else {
            "emitc.add"
        };
        let further = self.plain(op, quotient, one);
        self.conditional(step, further, quotient)
    }

    fn op_is(&self, name: &str) -> bool {
        view::is(&self.op, name)
    }

    fn compare_integers(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        use Compare::*;
        let predicate = usize::try_from(view::integer(&self.op, "predicate")?).ok()?;
        let order = *[Eq, Ne, Lt, Le, Gt, Ge, Lt, Le, Gt, Ge].get(predicate)?;
        if predicate < 2 {
            return Some(compare(self.at, order, a, b));
        }
        let unsigned = predicate >= 6;
        // As a signed number a set bit is -1: the order of bits is the other way round.
        if Self::width(self.source) == 1 && !self.source.is_index() {
            return Some(if unsigned {
                compare(self.at, order, a, b)
            } else {
                compare(self.at, order, b, a)
            });
        }
        if !unsigned {
            return Some(compare(self.at, order, a, b));
        }
        let r#type = IntegerType::unsigned(self.at.context, Self::width(a.r#type())).into();
        Some(compare(
            self.at,
            order,
            self.cast(a, r#type),
            self.cast(b, r#type),
        ))
    }

    fn compare_floats(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        use Compare::*;
        // Ordered predicates 1 to 5 and `une`: C++ has exactly these.
        let order = match view::integer(&self.op, "predicate")? {
            1 => Eq,
            2 => Gt,
            3 => Ge,
            4 => Lt,
            5 => Le,
            13 => Ne,
            _ => return None,
        };
        Some(compare(self.at, order, a, b))
    }

    fn resize(&self, name: &str, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let at = self.at;
        let (from, to) = (
            self.scope.scalar_type(self.op, self.source).ok()?,
            self.r#type,
        );
        let (narrow, wide) = (Self::width(from), Self::width(to));
        if from == to {
            return Some(value);
        }
        if wide == 1 {
            // The low bit.
            let one = at.value(
                "emitc.constant",
                &[],
                from,
                &[("value", at.int_attr(from, 1))],
            );
            let bit = at.value("emitc.bitwise_and", &[value, one], from, &[]);
            return Some(self.cast(bit, to));
        }
        let zero_extends = matches!(name, "extui" | "index_castui");
        if narrow == 1 {
            let value = self.cast(value, to);
            return Some(if zero_extends {
                value
            } else {
                at.value("emitc.unary_minus", &[value], to, &[])
            });
        }
        if zero_extends && wide > narrow {
            let unsigned = IntegerType::unsigned(at.context, narrow).into();
            return Some(self.cast(self.cast(value, unsigned), to));
        }
        Some(self.cast(value, to))
    }

    fn to_float(&self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let float = Type::float32(self.at.context);
        let result = self.op.result(0).ok()?.r#type();
        let value = self.cast(value, float);
        match (Element::of(result)?, self.scope.side) {
            (Element::F32, _) => Some(value),
            (Element::F16, Side::Kernel) => Some(self.cast(value, self.r#type)),
            _ => None,
        }
    }
}
