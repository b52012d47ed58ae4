//! The operations of `pl` that rearrange values, multiply matrices, or open a region.

use super::{
    Body, Indices, Scalar, Type, Value,
    body::{mlir, split},
    pl::enumerator,
};
use melior::ir::{Attribute, ValueLike};
use pld_dialects::types::Element;

impl<'c, 'a> Body<'c, 'a> {
    /// `pl.row_expand`: a column along the rows, to so many columns.
    #[track_caller]
    pub fn row_expand(&self, source: Value<'c, 'a>, cols: i64) -> Value<'c, 'a> {
        let result = self.like(source, [Self::shape(source)[0], cols], None);
        self.at().value("pl.row_expand", &[source], result, &[])
    }

    /// `pl.col_expand`: a row along the columns, to so many rows.
    #[track_caller]
    pub fn col_expand(&self, source: Value<'c, 'a>, rows: i64) -> Value<'c, 'a> {
        let result = self.like(source, [rows, Self::shape(source)[1]], None);
        self.at().value("pl.col_expand", &[source], result, &[])
    }

    /// `pl.slice`: a region of memory as a tensor, in [`Body::core_group`].
    #[track_caller]
    pub fn slice(
        &self,
        source: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        tensor: &Type,
    ) -> Value<'c, 'a> {
        let at = self.at();
        let (offsets, numbers) = split(at.context, &offsets.entries());
        let operands = [vec![source], offsets].concat();
        let attributes = [("static_offsets", numbers)];
        at.value("pl.slice", &operands, mlir(&at, tensor), &attributes)
    }

    /// `pl.assemble`: a tensor to a region of memory, in [`Body::core_group`].
    #[track_caller]
    pub fn assemble(
        &self,
        value: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
    ) {
        let at = self.at();
        let (offsets, numbers) = split(at.context, &offsets.entries());
        let operands = [vec![value, destination], offsets].concat();
        at.op(
            "pl.assemble",
            &operands,
            &[],
            &[("static_offsets", numbers)],
        );
    }

    /// `pl.extract_slice`: a part of this shape.
    #[track_caller]
    pub fn extract_slice(
        &self,
        source: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        shape: [i64; 2],
    ) -> Value<'c, 'a> {
        let result = self.like(source, shape, None);
        let at = self.at();
        let (offsets, numbers) = split(at.context, &offsets.entries());
        let operands = [vec![source], offsets].concat();
        let attributes = [("static_offsets", numbers)];
        at.value("pl.extract_slice", &operands, result, &attributes)
    }

    /// `pl.insert_slice`: `destination` with a part replaced by `source`.
    #[track_caller]
    pub fn insert_slice(
        &self,
        source: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
    ) -> Value<'c, 'a> {
        let at = self.at();
        let (offsets, numbers) = split(at.context, &offsets.entries());
        let operands = [vec![source, destination], offsets].concat();
        let attributes = [("static_offsets", numbers)];
        let result = destination.r#type();
        at.value("pl.insert_slice", &operands, result, &attributes)
    }

    /// `pl.concat`: side by side along a dim, 0 or 1.
    #[track_caller]
    pub fn concat(&self, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>, dim: i64) -> Value<'c, 'a> {
        let mut shape = Self::shape(lhs);
        if let Some(extent) = usize::try_from(dim).ok().and_then(|dim| shape.get_mut(dim)) {
            *extent = extent.saturating_add(Self::shape(rhs)[dim as usize]);
        }
        let result = self.like(lhs, shape, None);
        let at = self.at();
        let dim = at.int_attr(at.int_type(64), dim);
        at.value("pl.concat", &[lhs, rhs], result, &[("dim", dim)])
    }

    /// `pl.reshape`: the same elements, in row-major order.
    #[track_caller]
    pub fn reshape(&self, source: Value<'c, 'a>, shape: [i64; 2]) -> Value<'c, 'a> {
        let result = self.like(source, shape, None);
        self.at().value("pl.reshape", &[source], result, &[])
    }

    /// `pl.transpose`: rows become columns.
    #[track_caller]
    pub fn transpose(&self, source: Value<'c, 'a>) -> Value<'c, 'a> {
        let [rows, cols] = Self::shape(source);
        let result = self.like(source, [cols, rows], None);
        self.at().value("pl.transpose", &[source], result, &[])
    }

    /// `pl.gather`: the rows of `source` that `index`, a column of i32, names.
    #[track_caller]
    pub fn gather(&self, source: Value<'c, 'a>, index: Value<'c, 'a>) -> Value<'c, 'a> {
        let shape = [Self::shape(index)[0], Self::shape(source)[1]];
        let result = self.like(source, shape, None);
        self.at().value("pl.gather", &[source, index], result, &[])
    }

    /// `pl.matmul`; `transposed` says of each operand whether it is `transpose_a` or
    /// `transpose_b`.
    #[track_caller]
    pub fn matmul(
        &self,
        lhs: Value<'c, 'a>,
        rhs: Value<'c, 'a>,
        transposed: [bool; 2],
    ) -> Value<'c, 'a> {
        let rows = Self::shape(lhs)[usize::from(transposed[0])];
        let cols = Self::shape(rhs)[usize::from(!transposed[1])];
        let of_integers = Element::of(super::pl::element_of(lhs)) == Some(Element::I8);
        let element = if of_integers {
            Element::I32
        } else {
            Element::F32
        };
        let result = self.like(lhs, [rows, cols], Some(element));
        let attributes = self.transposes(transposed);
        self.at()
            .value("pl.matmul", &[lhs, rhs], result, &attributes)
    }

    /// `pl.matmul_acc`: as [`Body::matmul`], plus `acc`.
    #[track_caller]
    pub fn matmul_acc(
        &self,
        acc: Value<'c, 'a>,
        lhs: Value<'c, 'a>,
        rhs: Value<'c, 'a>,
        transposed: [bool; 2],
    ) -> Value<'c, 'a> {
        let attributes = self.transposes(transposed);
        let operands = [acc, lhs, rhs];
        self.at()
            .value("pl.matmul_acc", &operands, acc.r#type(), &attributes)
    }

    #[track_caller]
    fn transposes(&self, transposed: [bool; 2]) -> Vec<(&'static str, Attribute<'c>)> {
        let unit = Attribute::unit(self.at().context);
        let names = ["transpose_a", "transpose_b"].into_iter().zip(transposed);
        names
            .filter_map(|(name, is_set)| is_set.then_some((name, unit)))
            .collect()
    }

    /// `pl.at core_group`: tensor-level code on the AI core, in a device function.
    #[track_caller]
    pub fn core_group(&self, body: impl FnOnce(&Self)) {
        let level = [("level", enumerator(&self.at(), 0))];
        let op = self.region_op("pl.at", &[], &[], &level, &[&[]]);
        self.fill(op, 0, |inner, _| body(inner));
    }

    /// `pl.spmd`: so many blocks run the body at once.
    #[track_caller]
    pub fn spmd(&self, count: impl Into<Scalar<'c, 'a>>, body: impl FnOnce(&Self)) {
        let count = self.scalar(count.into(), self.at().index_type());
        let op = self.region_op("pl.spmd", &[count], &[], &[], &[&[]]);
        self.fill(op, 0, |inner, _| body(inner));
    }

    /// `pl.block_idx`: the number of this block.
    #[track_caller]
    pub fn block_idx(&self) -> Value<'c, 'a> {
        let at = self.at();
        at.value("pl.block_idx", &[], at.index_type(), &[])
    }

    /// `pl.block_num`: the number of blocks.
    #[track_caller]
    pub fn block_num(&self) -> Value<'c, 'a> {
        let at = self.at();
        at.value("pl.block_num", &[], at.index_type(), &[])
    }

    /// `pl.sync_blocks`: all blocks of the rank meet.
    #[track_caller]
    pub fn sync_blocks(&self) {
        self.at().op("pl.sync_blocks", &[], &[], &[]);
    }
}
