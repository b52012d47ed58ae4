//! A place to build at; constants, integer arithmetic, calls.

use super::{Cmp, Scalar, Type, Value};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, Location, Region, RegionLike, TypeLike, ValueLike,
        attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute, FlatSymbolRefAttribute},
        operation::{OperationBuilder, OperationLike, OperationRef},
    },
};
use pld_dialects::{
    bridge, diag,
    emit::Emitter,
    types::{DYNAMIC, Element, Level, Shaped},
    view::Mixed,
};

pub(super) type MlirType<'c> = melior::ir::Type<'c>;

/// A body of a function or region: operations are appended to it.
#[derive(Clone, Copy)]
pub struct Body<'c, 'a> {
    pub(super) emitter: Emitter<'c, 'a>,
    /// The place of operations, if it is not the line of Rust that asks for them.
    place: Option<Location<'c>>,
}

/// The line of Rust that asked for an operation.
#[track_caller]
pub(super) fn caller(context: &Context) -> Location<'_> {
    let place = std::panic::Location::caller();
    let (line, column) = (place.line() as usize, place.column() as usize);
    Location::new(context, place.file(), line, column)
}

/// The MLIR type; one that cannot be is reported, and becomes `none`.
pub(super) fn mlir<'c>(at: &Emitter<'c, '_>, r#type: &Type) -> MlirType<'c> {
    MlirType::parse(at.context, &r#type.to_string()).unwrap_or_else(|| {
        diag::failure(at.location, format!("there is no type {}", r#type)).emit();
        MlirType::none(at.context)
    })
}

/// A mixed list as its values and the attribute with its numbers.
pub(super) fn split<'c, 'a>(
    context: &'c Context,
    entries: &[Mixed<'c, 'a>],
) -> (Vec<Value<'c, 'a>>, Attribute<'c>) {
    let mut values = Vec::new();
    let numbers: Vec<_> = entries
        .iter()
        .map(|entry| match *entry {
            Mixed::Static(number) => number,
            Mixed::Dynamic(value) => {
                values.push(value);
                DYNAMIC
            }
        })
        .collect();
    (
        values,
        DenseI64ArrayAttribute::new(context, &numbers).into(),
    )
}

macro_rules! integer_arithmetic {
    ($($name:ident: $what:literal;)+) => {
        impl<'c, 'a> Body<'c, 'a> {$(
            #[doc = concat!("`arith.", stringify!($name), "`: ", $what, ".")]
            #[track_caller]
            pub fn $name(
                &self,
                left: impl Into<Scalar<'c, 'a>>,
                right: impl Into<Scalar<'c, 'a>>,
            ) -> Value<'c, 'a> {
                let (left, right) = self.pair(left.into(), right.into());
                self.at().binary(concat!("arith.", stringify!($name)), left, right)
            }
        )+}
    };
}

integer_arithmetic! {
    addi: "sum of integers, as ranks and offsets are";
    subi: "difference";
    muli: "product";
    divsi: "quotient, towards zero";
    remsi: "remainder, of the sign of the left side: write `(rank + n - 1) % n`";
    minsi: "the smaller";
    maxsi: "the greater";
}

impl<'c, 'a> Body<'c, 'a> {
    pub(super) fn new(emitter: Emitter<'c, 'a>) -> Self {
        Self {
            emitter,
            place: None,
        }
    }

    /// The same body for operations that come from this place of a frontend's own source; line
    /// and column count from 1. Regions that are opened by it have the place, too.
    pub fn placed(&self, file: &str, line: usize, column: usize) -> Self {
        Self {
            place: Some(Location::new(self.emitter.context, file, line, column)),
            ..*self
        }
    }

    /// A region of an operation of this body.
    pub(super) fn inner(&self, emitter: Emitter<'c, 'a>) -> Self {
        Self { emitter, ..*self }
    }

    /// The place, with the location of the line that calls: for what has no method here.
    #[track_caller]
    pub fn at(&self) -> Emitter<'c, 'a> {
        let emitter = self.emitter;
        // Not by a closure: the location would be the closure's.
        let line = caller(emitter.context);
        emitter.with_location(self.place.unwrap_or(line))
    }

    /// A constant of type `index`.
    #[track_caller]
    pub fn index(&self, value: i64) -> Value<'c, 'a> {
        self.at().index(value)
    }

    /// A constant of this element type.
    #[track_caller]
    pub fn constant(&self, value: impl Into<Scalar<'c, 'a>>, element: Element) -> Value<'c, 'a> {
        let at = self.at();
        self.scalar(value.into(), element.mlir(at.context))
    }

    /// `arith.cmpi`, signed.
    #[track_caller]
    pub fn cmpi(
        &self,
        cmp: Cmp,
        left: impl Into<Scalar<'c, 'a>>,
        right: impl Into<Scalar<'c, 'a>>,
    ) -> Value<'c, 'a> {
        let (left, right) = self.pair(left.into(), right.into());
        let predicate = match cmp {
            Cmp::Eq => 0,
            Cmp::Ne => 1,
            Cmp::Lt => 2,
            Cmp::Le => 3,
            Cmp::Gt => 4,
            Cmp::Ge => 5,
        };
        self.at().cmpi(predicate, left, right)
    }

    /// `arith.index_cast`: from `index` to an integer type or back.
    #[track_caller]
    pub fn index_cast(&self, value: Value<'c, 'a>, r#type: &Type) -> Value<'c, 'a> {
        let at = self.at();
        at.value("arith.index_cast", &[value], mlir(&at, r#type), &[])
    }

    /// `func.call` of a function without results.
    #[track_caller]
    pub fn call(&self, callee: &str, arguments: &[Value<'c, 'a>]) {
        self.call_for(callee, arguments, &[]);
    }

    /// `func.call` of a function with results of these types.
    #[track_caller]
    pub fn call_for(
        &self,
        callee: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type],
    ) -> Vec<Value<'c, 'a>> {
        let at = self.at();
        let results: Vec<_> = results.iter().map(|it| mlir(&at, it)).collect();
        let callee = FlatSymbolRefAttribute::new(at.context, callee);
        let op = at.op(
            "func.call",
            arguments,
            &results,
            &[("callee", callee.into())],
        );
        let count = results.len();
        (0..count)
            .map(|k| op.result(k).expect("one for each type").into())
            .collect()
    }

    /// A scalar as a value of this type.
    #[track_caller]
    pub(super) fn scalar(&self, scalar: Scalar<'c, 'a>, r#type: MlirType<'c>) -> Value<'c, 'a> {
        let at = self.at();
        let is_float = bridge::is_float(r#type);
        match scalar {
            Scalar::Value(value) => value,
            Scalar::Int(value) if is_float => at.float(r#type, value as f64),
            Scalar::Float(value) if is_float => at.float(r#type, value),
            Scalar::Int(value) if r#type.is_index() || r#type.is_integer() => at.int(r#type, value),
            _ => {
                let message = format!("{scalar:?} is no {type}");
                diag::failure(at.location, message).emit();
                at.index(0)
            }
        }
    }

    /// Two scalars of one type: that of the value among them, else `index`.
    #[track_caller]
    fn pair(&self, left: Scalar<'c, 'a>, right: Scalar<'c, 'a>) -> (Value<'c, 'a>, Value<'c, 'a>) {
        let r#type = match (left, right) {
            (Scalar::Value(value), _) | (_, Scalar::Value(value)) => value.r#type(),
            _ => self.emitter.index_type(),
        };
        (self.scalar(left, r#type), self.scalar(right, r#type))
    }

    /// The type of `value` with another shape, and another element type if one is given.
    #[track_caller]
    pub(super) fn like(
        &self,
        value: Value<'c, 'a>,
        shape: [i64; 2],
        element: Option<Element>,
    ) -> MlirType<'c> {
        let Some(found) = Shaped::of(value.r#type()) else {
            return value.r#type();
        };
        let Some(element) = element.or(found.element()) else {
            return value.r#type();
        };
        let r#type = match found.level {
            Level::Tensor => super::tensor(shape, element),
            _ => super::tile(shape, element),
        };
        mlir(&self.at(), &r#type)
    }

    /// Rows and columns of a tile or tensor; 1 and 1 of what is neither.
    pub(super) fn shape(value: Value<'c, 'a>) -> [i64; 2] {
        let shaped = Shaped::of(value.r#type());
        let shape = shaped.and_then(|shaped| shaped.shape.try_into().ok());
        shape.unwrap_or([1, 1])
    }

    /// The attribute that counts the operands of each segment.
    pub(super) fn segments(&self, sizes: &[usize]) -> (&'static str, Attribute<'c>) {
        let sizes: Vec<_> = sizes.iter().map(|&size| size as i32).collect();
        let sizes = DenseI32ArrayAttribute::new(self.emitter.context, &sizes);
        ("operandSegmentSizes", sizes.into())
    }

    /// An operation with regions of one block each, of these arguments.
    #[track_caller]
    pub(super) fn region_op(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[MlirType<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: &[&[MlirType<'c>]],
    ) -> OperationRef<'c, 'a> {
        let at = self.at();
        let regions: Vec<_> = regions
            .iter()
            .map(|arguments| {
                let arguments: Vec<_> = arguments.iter().map(|&it| (it, at.location)).collect();
                let region = Region::new();
                region.append_block(Block::new(&arguments));
                region
            })
            .collect();
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, value)| (melior::ir::Identifier::new(at.context, name), *value))
            .collect();
        at.build(
            OperationBuilder::new(name, at.location)
                .add_operands(operands)
                .add_results(results)
                .add_attributes(&attributes)
                .add_regions_vec(regions),
        )
    }

    /// Fills the block of a region; `body` gets its arguments.
    pub(super) fn fill(
        &self,
        op: OperationRef<'c, 'a>,
        region: usize,
        body: impl FnOnce(&Self, &[Value<'c, 'a>]),
    ) {
        let block = op.region(region).ok().and_then(|it| it.first_block());
        let block = block.expect("the region was built with a block");
        let arguments: Vec<_> = (0..block.argument_count())
            .map(|k| block.argument(k).expect("is counted").into())
            .collect();
        let inner = Emitter::at_end(self.emitter.context, op.location(), block);
        body(&self.inner(inner), &arguments);
    }
}
