//! Structured control flow. A body is a closure; what it gives is what its region yields.

use super::{
    Scalar, Type, Value,
    body::{Body, mlir},
};
use melior::ir::{
    Attribute, ValueLike, attribute::DenseI64ArrayAttribute, operation::OperationRef,
};

impl<'c, 'a> Body<'c, 'a> {
    /// `scf.for`, upwards.
    #[track_caller]
    pub fn for_loop(
        &self,
        lower: impl Into<Scalar<'c, 'a>>,
        upper: impl Into<Scalar<'c, 'a>>,
        step: impl Into<Scalar<'c, 'a>>,
        body: impl FnOnce(&Self, Value<'c, 'a>),
    ) {
        self.for_carrying(lower, upper, step, [], |f, i, []| {
            body(f, i);
            []
        });
    }

    /// `scf.for` with values that go from one turn to the next: `body` gets them and gives
    /// them anew; the last ones are the results.
    #[track_caller]
    pub fn for_carrying<const N: usize>(
        &self,
        lower: impl Into<Scalar<'c, 'a>>,
        upper: impl Into<Scalar<'c, 'a>>,
        step: impl Into<Scalar<'c, 'a>>,
        start: [Value<'c, 'a>; N],
        body: impl FnOnce(&Self, Value<'c, 'a>, [Value<'c, 'a>; N]) -> [Value<'c, 'a>; N],
    ) -> [Value<'c, 'a>; N] {
        let index = self.emitter.index_type();
        // Not by a closure: the location would be the closure's.
        let mut operands = vec![
            self.scalar(lower.into(), index),
            self.scalar(upper.into(), index),
            self.scalar(step.into(), index),
        ];
        operands.extend(start);
        let types = start.map(|value| value.r#type());
        let arguments = [&[index][..], &types].concat();
        let op = self.region_op("scf.for", &operands, &types, &[], &[&arguments]);
        self.fill(op, 0, |inner, arguments| {
            let carried = std::array::from_fn(|k| arguments[k + 1]);
            inner.give(body(inner, arguments[0], carried));
        });
        results_of(op)
    }

    /// `scf.if` without results.
    #[track_caller]
    pub fn if_then(&self, condition: Value<'c, 'a>, then: impl FnOnce(&Self)) {
        self.at()
            .if_then(condition, |inner| then(&self.inner(*inner)));
    }

    /// `scf.if` without results, with both branches.
    #[track_caller]
    pub fn if_else(
        &self,
        condition: Value<'c, 'a>,
        then: impl FnOnce(&Self),
        other: impl FnOnce(&Self),
    ) {
        let op = self.region_op("scf.if", &[condition], &[], &[], &[&[], &[]]);
        self.fill(op, 0, |inner, _| {
            then(inner);
            inner.give([]);
        });
        self.fill(op, 1, |inner, _| {
            other(inner);
            inner.give([]);
        });
    }

    /// `scf.if` with results of these types, which both branches give.
    #[track_caller]
    pub fn if_giving<const N: usize>(
        &self,
        condition: Value<'c, 'a>,
        results: [&Type; N],
        then: impl FnOnce(&Self) -> [Value<'c, 'a>; N],
        other: impl FnOnce(&Self) -> [Value<'c, 'a>; N],
    ) -> [Value<'c, 'a>; N] {
        let types = results.map(|it| mlir(&self.emitter, it));
        let op = self.region_op("scf.if", &[condition], &types, &[], &[&[], &[]]);
        self.fill(op, 0, |inner, _| inner.give(then(inner)));
        self.fill(op, 1, |inner, _| inner.give(other(inner)));
        results_of(op)
    }

    /// `scf.while` with values that go from one turn to the next: as long as `condition` of
    /// them holds, `body` gives them anew; those that it does not hold of are the results.
    #[track_caller]
    pub fn while_carrying<const N: usize>(
        &self,
        start: [Value<'c, 'a>; N],
        condition: impl FnOnce(&Self, [Value<'c, 'a>; N]) -> Value<'c, 'a>,
        body: impl FnOnce(&Self, [Value<'c, 'a>; N]) -> [Value<'c, 'a>; N],
    ) -> [Value<'c, 'a>; N] {
        let types = start.map(|value| value.r#type());
        let op = self.region_op("scf.while", &start, &types, &[], &[&types, &types]);
        self.fill(op, 0, |inner, arguments| {
            let carried = std::array::from_fn(|k| arguments[k]);
            let goes_on = condition(inner, carried);
            let operands = [&[goes_on], &carried[..]].concat();
            inner.emitter.op("scf.condition", &operands, &[], &[]);
        });
        self.fill(op, 1, |inner, arguments| {
            let carried = std::array::from_fn(|k| arguments[k]);
            inner.give(body(inner, carried));
        });
        results_of(op)
    }

    /// `scf.index_switch` with results of these types: `body` is called for each of `cases`, and
    /// with `None` for all other values.
    #[track_caller]
    pub fn index_switch<const N: usize>(
        &self,
        selector: Value<'c, 'a>,
        results: [&Type; N],
        cases: &[i64],
        mut body: impl FnMut(&Self, Option<i64>) -> [Value<'c, 'a>; N],
    ) -> [Value<'c, 'a>; N] {
        let types = results.map(|it| mlir(&self.emitter, it));
        let list: Attribute = DenseI64ArrayAttribute::new(self.emitter.context, cases).into();
        let regions = vec![&[][..]; 1 + cases.len()];
        let attributes = [("cases", list)];
        let op = self.region_op(
            "scf.index_switch",
            &[selector],
            &types,
            &attributes,
            &regions,
        );
        let all = [None].into_iter().chain(cases.iter().copied().map(Some));
        for (region, case) in all.enumerate() {
            self.fill(op, region, |inner, _| inner.give(body(inner, case)));
        }
        results_of(op)
    }

    /// `scf.yield`.
    fn give<const N: usize>(&self, values: [Value<'c, 'a>; N]) {
        self.emitter.op("scf.yield", &values, &[], &[]);
    }
}

/// The results of an operation that was built with so many.
fn results_of<'c, 'a, const N: usize>(op: OperationRef<'c, 'a>) -> [Value<'c, 'a>; N] {
    std::array::from_fn(|k| op.result(k).expect("one for each value").into())
}
