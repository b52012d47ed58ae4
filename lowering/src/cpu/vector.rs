//! Operations on the vectors of a strip, and how elements are held in them.

use super::llvm::{Llvm, Number, vector_type};
use melior::ir::{
    Attribute, Type, Value, ValueLike,
    attribute::{DenseElementsAttribute, DenseI64ArrayAttribute, IntegerAttribute},
};
use pld_dialects::{emit::Emitter, types::Element};

/// Predicates of `arith.cmpi`.
pub(super) mod int {
    pub(in super::super) const EQ: i64 = 0;
    pub(in super::super) const NE: i64 = 1;
    pub(in super::super) const LT: i64 = 2;
    pub(in super::super) const LE: i64 = 3;
    pub(in super::super) const GT: i64 = 4;
    pub(in super::super) const GE: i64 = 5;
    pub(in super::super) const ULT: i64 = 6;
    pub(in super::super) const UGT: i64 = 8;
    pub(in super::super) const UGE: i64 = 9;
}

/// Predicates of `arith.cmpf`; the last two are true for NaN, the others false.
pub(super) mod float {
    pub(in super::super) const EQ: i64 = 1;
    pub(in super::super) const GT: i64 = 2;
    pub(in super::super) const GE: i64 = 3;
    pub(in super::super) const LT: i64 = 4;
    pub(in super::super) const LE: i64 = 5;
    pub(in super::super) const UNEQUAL_OR_UNORDERED: i64 = 13;
    pub(in super::super) const UNORDERED: i64 = 14;
}

/// An emitter of operations on vectors of one length.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'e, 'c, 'a> {
    pub(super) at: &'e Emitter<'c, 'a>,
    pub(super) lanes: i64,
}

impl<'c, 'a> Lanes<'_, 'c, 'a> {
    pub(super) fn ints(&self, bits: u32) -> Type<'c> {
        vector_type(self.at.int_type(bits), self.lanes)
    }

    pub(super) fn floats(&self) -> Type<'c> {
        self.of(Element::F32)
    }

    /// A vector of an element type of ours, as MLIR has it.
    pub(super) fn of(&self, element: Element) -> Type<'c> {
        vector_type(element.mlir(self.at.context), self.lanes)
    }

    /// One integer in all lanes.
    pub(super) fn int(&self, bits: u32, value: i64) -> Value<'c, 'a> {
        let element = self.at.int_type(bits);
        self.at.splat(self.ints(bits), element, Number::Int(value))
    }

    /// 0, 1, 2 and so on, as integers of a type.
    pub(super) fn counting(&self, element: Element) -> Value<'c, 'a> {
        let r#type = storage(self.at, element);
        let numbers: Vec<Attribute> = (0..self.lanes)
            .map(|number| IntegerAttribute::new(r#type, number).into())
            .collect();
        let vector = vector_type(r#type, self.lanes);
        let numbers = DenseElementsAttribute::new(vector, &numbers).expect("a vector is shaped");
        self.at.constant(vector, numbers.into())
    }

    /// Lanes of two vectors of one length and this element type, by their numbers: those of
    /// the second follow.
    pub(super) fn shuffle(
        &self,
        element: Element,
        [first, second]: [Value<'c, 'a>; 2],
        lanes: &[i64],
    ) -> Value<'c, 'a> {
        let mask = DenseI64ArrayAttribute::new(self.at.context, lanes).into();
        let result = vector_type(storage(self.at, element), lanes.len() as i64);
        let attributes = [("mask", mask)];
        self.at
            .value("vector.shuffle", &[first, second], result, &attributes)
    }

    /// The only lane of a vector in all lanes.
    pub(super) fn repeat(&self, element: Element, one: Value<'c, 'a>) -> Value<'c, 'a> {
        if self.lanes == 1 {
            return one;
        }
        let lanes = vec![0; self.lanes.unsigned_abs() as usize];
        self.shuffle(element, [one, one], &lanes)
    }

    /// One f32 in all lanes.
    pub(super) fn float(&self, value: f64) -> Value<'c, 'a> {
        let element = Element::F32.mlir(self.at.context);
        self.at.splat(self.floats(), element, Number::Float(value))
    }

    /// An operation of one operand and this result type.
    pub(super) fn to(&self, name: &str, value: Value<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        self.at.value(name, &[value], r#type, &[])
    }

    /// An operation of one operand and its type.
    pub(super) fn unary(&self, name: &str, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to(name, value, value.r#type())
    }

    pub(super) fn binary(
        &self,
        name: &str,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.at.binary(name, left, right)
    }

    /// `a * b + c`, rounded once.
    pub(super) fn fma(
        &self,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
        c: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.at.value("math.fma", &[a, b, c], c.r#type(), &[])
    }

    /// A polynomial of f32, coefficients from the highest power down to that of the constant.
    pub(super) fn polynomial(&self, x: Value<'c, 'a>, coefficients: &[f64]) -> Value<'c, 'a> {
        let mut terms = coefficients.iter().map(|&value| self.float(value));
        let highest = terms.next().unwrap_or_else(|| self.float(0.0));
        terms.fold(highest, |sum, term| self.fma(sum, x, term))
    }

    fn compare(&self, name: &str, predicate: i64, operands: [Value<'c, 'a>; 2]) -> Value<'c, 'a> {
        let predicate = self.at.int_attr(self.at.int_type(64), predicate);
        let attributes = [("predicate", predicate)];
        self.at.value(name, &operands, self.ints(1), &attributes)
    }

    /// `arith.cmpi`; the predicate is one of [`int`].
    pub(super) fn cmpi(
        &self,
        predicate: i64,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.compare("arith.cmpi", predicate, [left, right])
    }

    /// `arith.cmpf`; the predicate is one of [`float`].
    pub(super) fn cmpf(
        &self,
        predicate: i64,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.compare("arith.cmpf", predicate, [left, right])
    }
}

/// The type that an element has in vectors and in memory: a bf16 is its bits, since LLVM
/// rounds it by calls of a library; a mask bit is a byte.
pub(super) fn storage<'c>(at: &Emitter<'c, '_>, element: Element) -> Type<'c> {
    match element {
        Element::BF16 => at.int_type(16),
        Element::I1 => at.int_type(8),
        other => other.mlir(at.context),
    }
}

/// A scalar of the program in the form of [`storage`].
pub(super) fn scalar<'c, 'a>(
    at: &Emitter<'c, 'a>,
    value: Value<'c, 'a>,
    element: Element,
) -> Value<'c, 'a> {
    match element {
        Element::BF16 => at.value("arith.bitcast", &[value], storage(at, element), &[]),
        Element::I1 => at.value("arith.extui", &[value], storage(at, element), &[]),
        _ => value,
    }
}
