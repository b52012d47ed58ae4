//! The operations of `pl`, in the order of `dialects/td/pl`.

use super::{
    Body, Cmp, Indices, Part, Round, Scalar, Type, Value,
    body::{MlirType, mlir, split},
};
use melior::ir::{Attribute, ValueLike};
use pld_dialects::{
    emit::Emitter,
    types::{Element, Shaped},
};

/// A method for each operation of one operand or two whose result has the first one's type.
macro_rules! like_first {
    (@method ($first:ident $(, $more:ident)*) $name:ident $what:literal) => {
        #[doc = concat!("`pl.", stringify!($name), "`: ", $what, ".")]
        #[track_caller]
        pub fn $name(&self, $first: Value<'c, 'a> $(, $more: Value<'c, 'a>)*) -> Value<'c, 'a> {
            let operands = [$first $(, $more)*];
            let name = concat!("pl.", stringify!($name));
            self.at().value(name, &operands, $first.r#type(), &[])
        }
    };
    ($operands:tt $($name:ident: $what:literal;)+) => {
        impl<'c, 'a> Body<'c, 'a> {
            $(like_first!(@method $operands $name $what);)+
        }
    };
}

like_first! {
    (lhs, rhs)
    add: "elementwise sum";
    sub: "elementwise difference";
    mul: "elementwise product";
    div: "elementwise quotient; integers truncate";
    max: "elementwise maximum; NaN propagates";
    min: "elementwise minimum; NaN propagates";
    and: "bitwise and";
    or: "bitwise or";
    xor: "bitwise exclusive or";
    shl: "shift left";
    shr: "arithmetic shift right";
    row_expand_add: "add a column along the rows";
    row_expand_sub: "subtract a column along the rows";
    row_expand_mul: "multiply by a column along the rows";
    row_expand_div: "divide by a column along the rows";
    row_expand_max: "maximum with a column along the rows";
    row_expand_min: "minimum with a column along the rows";
    col_expand_add: "add a row along the columns";
    col_expand_sub: "subtract a row along the columns";
    col_expand_mul: "multiply by a row along the columns";
    col_expand_div: "divide by a row along the columns";
    col_expand_max: "maximum with a row along the columns";
    col_expand_min: "minimum with a row along the columns";
}

like_first! {
    (operand)
    neg: "negation";
    abs: "absolute value";
    relu: "maximum with 0";
    exp: "exponential";
    log: "natural logarithm";
    sqrt: "square root";
    rsqrt: "1 / square root";
    recip: "1 / x";
    not: "bitwise complement";
}

macro_rules! with_scalar {
    ($($name:ident: $what:literal;)+) => {
        impl<'c, 'a> Body<'c, 'a> {$(
            #[doc = concat!("`pl.", stringify!($name), "`: ", $what, ".")]
            #[track_caller]
            pub fn $name(
                &self,
                lhs: Value<'c, 'a>,
                rhs: impl Into<Scalar<'c, 'a>>,
            ) -> Value<'c, 'a> {
                let rhs = self.scalar(rhs.into(), element_of(lhs));
                let name = concat!("pl.", stringify!($name));
                self.at().value(name, &[lhs, rhs], lhs.r#type(), &[])
            }
        )+}
    };
}

with_scalar! {
    adds: "sum with a scalar";
    subs: "difference with a scalar on the right";
    muls: "product with a scalar";
    divs: "quotient by a scalar; integers truncate";
    maxs: "maximum with a scalar";
    mins: "minimum with a scalar";
}

macro_rules! reductions {
    ($($name:ident $by:ident: $what:literal;)+) => {
        impl<'c, 'a> Body<'c, 'a> {$(
            #[doc = concat!("`pl.", stringify!($name), "`: ", $what, ".")]
            #[track_caller]
            pub fn $name(&self, source: Value<'c, 'a>) -> Value<'c, 'a> {
                let [rows, cols] = Self::shape(source);
                let shape = reductions!(@shape $by rows cols);
                let result = self.like(source, shape, None);
                self.at().value(concat!("pl.", stringify!($name)), &[source], result, &[])
            }
        )+}
    };
    (@shape row $rows:ident $cols:ident) => {{ let _ = $cols; [$rows, 1] }};
    (@shape col $rows:ident $cols:ident) => {{ let _ = $rows; [1, $cols] }};
}

reductions! {
    row_sum row: "sum of each row, as a column";
    row_max row: "maximum of each row, as a column";
    row_min row: "minimum of each row, as a column";
    row_prod row: "product of each row, as a column";
    col_sum col: "sum of each column, as a row";
    col_max col: "maximum of each column, as a row";
    col_min col: "minimum of each column, as a row";
    col_prod col: "product of each column, as a row";
}

/// The element type of memory, a tile or a tensor; else the type itself.
pub(super) fn element_of<'c>(value: Value<'c, '_>) -> MlirType<'c> {
    let r#type = value.r#type();
    Shaped::of(r#type).map_or(r#type, |shaped| shaped.element_type)
}

/// What follows the memory operand of an access, taken apart.
pub(super) struct Region<'c, 'a> {
    pub operands: Vec<Value<'c, 'a>>,
    /// How many of them are offsets, valid extents, pad values.
    pub counts: [usize; 3],
    pub attributes: Vec<(&'static str, Attribute<'c>)>,
}

impl<'c, 'a> Body<'c, 'a> {
    #[track_caller]
    pub(super) fn access(
        &self,
        memory: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        part: Part<'c, 'a>,
    ) -> Region<'c, 'a> {
        let context = self.at().context;
        let (mut operands, offsets) = split(context, &offsets.entries());
        let mut counts = [operands.len(), 0, 0];
        let mut attributes = vec![("static_offsets", offsets)];
        if let Some(valid) = part.valid {
            let (values, valid) = split(context, &valid);
            counts[1] = values.len();
            operands.extend(values);
            attributes.push(("static_valid", valid));
        }
        if let Some(pad) = part.pad {
            counts[2] = 1;
            operands.push(self.scalar(pad, element_of(memory)));
        }
        if part.atomic {
            attributes.push(("atomic", enumerator(&self.at(), 0)));
        }
        Region {
            operands,
            counts,
            attributes,
        }
    }

    /// `pl.load`: a tile of global memory or of the own window slice.
    #[track_caller]
    pub fn load(
        &self,
        source: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        tile: &Type,
    ) -> Value<'c, 'a> {
        self.load_part(source, offsets, tile, Part::whole())
    }

    /// `pl.load` with `valid` and `pad`.
    #[track_caller]
    pub fn load_part(
        &self,
        source: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        tile: &Type,
        part: Part<'c, 'a>,
    ) -> Value<'c, 'a> {
        let region = self.access(source, offsets, part);
        let [offsets, valid, pad] = region.counts;
        let mut attributes = region.attributes;
        attributes.push(self.segments(&[1, offsets, valid, pad]));
        let operands = [vec![source], region.operands].concat();
        let at = self.at();
        at.value("pl.load", &operands, mlir(&at, tile), &attributes)
    }

    /// `pl.store`: a tile to global memory or to the own window slice.
    #[track_caller]
    pub fn store(
        &self,
        tile: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
    ) {
        self.store_part(tile, destination, offsets, Part::whole());
    }

    /// `pl.store` with `valid` and `atomic add`.
    #[track_caller]
    pub fn store_part(
        &self,
        tile: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        part: Part<'c, 'a>,
    ) {
        let region = self.access(destination, offsets, Part { pad: None, ..part });
        let [offsets, valid, _] = region.counts;
        let mut attributes = region.attributes;
        attributes.push(self.segments(&[1, 1, offsets, valid]));
        let operands = [vec![tile, destination], region.operands].concat();
        self.at().op("pl.store", &operands, &[], &attributes);
    }

    /// `pl.read`: one element.
    #[track_caller]
    pub fn read(&self, source: Value<'c, 'a>, offsets: impl Indices<'c, 'a>) -> Value<'c, 'a> {
        let region = self.access(source, offsets, Part::whole());
        let operands = [vec![source], region.operands].concat();
        self.at()
            .value("pl.read", &operands, element_of(source), &region.attributes)
    }

    /// `pl.write`: one element.
    #[track_caller]
    pub fn write(
        &self,
        value: impl Into<Scalar<'c, 'a>>,
        destination: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
    ) {
        let value = self.scalar(value.into(), element_of(destination));
        let region = self.access(destination, offsets, Part::whole());
        let operands = [vec![value, destination], region.operands].concat();
        self.at().op("pl.write", &operands, &[], &region.attributes);
    }

    /// `pl.dim`: the run-time extent of a memref or window.
    #[track_caller]
    pub fn dim(&self, source: Value<'c, 'a>, dim: i64) -> Value<'c, 'a> {
        let at = self.at();
        let dim = at.int_attr(at.int_type(64), dim);
        at.value("pl.dim", &[source], at.index_type(), &[("dim", dim)])
    }

    /// `pl.shard`: a rank's slice of a world array, its type without the leading dim.
    #[track_caller]
    pub fn shard(&self, source: Value<'c, 'a>, rank: impl Into<Scalar<'c, 'a>>) -> Value<'c, 'a> {
        let rank = self.scalar(rank.into(), self.at().index_type());
        let result = Shaped::of(source.r#type()).map_or(source.r#type(), |shaped| {
            let shape = shaped.shape.get(1..).unwrap_or_default();
            pld_dialects::types::memref(shaped.element_type, shape)
        });
        self.at().value("pl.shard", &[source, rank], result, &[])
    }

    /// `pl.full`: a tile or tensor of one value.
    #[track_caller]
    pub fn full(&self, value: impl Into<Scalar<'c, 'a>>, result: &Type) -> Value<'c, 'a> {
        let at = self.at();
        let result = mlir(&at, result);
        let element = Shaped::of(result).map_or(result, |shaped| shaped.element_type);
        let value = self.scalar(value.into(), element);
        at.value("pl.full", &[value], result, &[])
    }

    /// `pl.iota`: 0, 1, 2, ... along the last dim.
    #[track_caller]
    pub fn iota(&self, result: &Type) -> Value<'c, 'a> {
        let at = self.at();
        at.value("pl.iota", &[], mlir(&at, result), &[])
    }

    /// `pl.cmp`: a mask of i1.
    #[track_caller]
    pub fn cmp(&self, cmp: Cmp, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        let result = self.like(lhs, Self::shape(lhs), Some(Element::I1));
        let at = self.at();
        let predicate = [("predicate", enumerator(&at, cmp as i64))];
        at.value("pl.cmp", &[lhs, rhs], result, &predicate)
    }

    /// `pl.select`: the left value where the mask is 1, else the right one.
    #[track_caller]
    pub fn select(
        &self,
        mask: Value<'c, 'a>,
        lhs: Value<'c, 'a>,
        rhs: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.at()
            .value("pl.select", &[mask, lhs, rhs], lhs.r#type(), &[])
    }

    /// `pl.cast`: to another element type.
    #[track_caller]
    pub fn cast(&self, mode: Round, source: Value<'c, 'a>, to: Element) -> Value<'c, 'a> {
        let result = self.like(source, Self::shape(source), Some(to));
        let at = self.at();
        let mode = [("mode", enumerator(&at, mode as i64))];
        at.value("pl.cast", &[source], result, &mode)
    }
}

/// An enumerator of `dialects/td/Enums.td`.
pub(super) fn enumerator<'c>(at: &Emitter<'c, '_>, value: i64) -> Attribute<'c> {
    at.int_attr(at.int_type(32), value)
}
