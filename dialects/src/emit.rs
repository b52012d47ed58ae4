//! Building operations one after another: a cursor in a block, and short forms of the
//! upstream operations that every lowering needs.

use crate::{bridge, view::Mixed};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, BlockRef, Identifier, Location, Region, RegionLike, Type,
        Value,
        attribute::{FloatAttribute, IntegerAttribute, StringAttribute},
        operation::{OperationBuilder, OperationLike, OperationRef},
        r#type::IntegerType,
    },
};

/// A place to insert operations at, and the location they get.
#[derive(Clone, Copy)]
pub struct Emitter<'c, 'a> {
    /// The context.
    pub context: &'c Context,
    /// Location of what is built.
    pub location: Location<'c>,
    block: BlockRef<'c, 'a>,
    before: Option<OperationRef<'c, 'a>>,
}

impl<'c, 'a> Emitter<'c, 'a> {
    /// Inserts before `op`, with its location. `None` if it stands in no block.
    pub fn before(op: OperationRef<'c, 'a>) -> Option<Self> {
        Some(Self {
            context: bridge::context_of(&op),
            location: op.location(),
            block: op.block()?,
            before: Some(op),
        })
    }

    /// Appends to `block`.
    pub fn at_end(context: &'c Context, location: Location<'c>, block: BlockRef<'c, 'a>) -> Self {
        Self {
            context,
            location,
            block,
            before: None,
        }
    }

    /// The operation that it builds in.
    pub fn parent(&self) -> Option<OperationRef<'c, 'a>> {
        self.block.parent_operation()
    }

    /// The same place with another location.
    pub fn with_location(self, location: Location<'c>) -> Self {
        Self { location, ..self }
    }

    /// Builds and inserts an operation.
    ///
    /// # Panics
    ///
    /// If the operation cannot be built from these parts: an error of the caller, which
    /// the pass driver turns into a diagnostic.
    pub fn build(&self, builder: OperationBuilder<'c>) -> OperationRef<'c, 'a> {
        let operation = builder.build().expect("parts of the operation fit");
        match self.before {
            Some(before) => self.block.insert_operation_before(before, operation),
            None => self.block.append_operation(operation),
        }
    }

    /// Inserts `name` with these operands, result types and attributes.
    pub fn op(
        &self,
        name: &str,
        operands: &[Value<'c, '_>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> OperationRef<'c, 'a> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, value)| (Identifier::new(self.context, name), *value))
            .collect();
        self.build(
            OperationBuilder::new(name, self.location)
                .add_operands(operands)
                .add_results(results)
                .add_attributes(&attributes),
        )
    }

    /// As [`Emitter::op`], for an operation of one result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, '_>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Value<'c, 'a> {
        let op = self.op(name, operands, &[result], attributes);
        op.result(0).expect("one result was asked for").into()
    }

    /// `index`.
    pub fn index_type(&self) -> Type<'c> {
        Type::index(self.context)
    }

    /// A signless integer type.
    pub fn int_type(&self, bits: u32) -> Type<'c> {
        IntegerType::new(self.context, bits).into()
    }

    /// An integer attribute of a type.
    pub fn int_attr(&self, r#type: Type<'c>, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(r#type, value).into()
    }

    /// A string attribute.
    pub fn str_attr(&self, text: &str) -> Attribute<'c> {
        StringAttribute::new(self.context, text).into()
    }

    /// `arith.constant` of an integer or index type.
    pub fn int(&self, r#type: Type<'c>, value: i64) -> Value<'c, 'a> {
        self.value(
            "arith.constant",
            &[],
            r#type,
            &[("value", self.int_attr(r#type, value))],
        )
    }

    /// `arith.constant` of `index`.
    pub fn index(&self, value: i64) -> Value<'c, 'a> {
        self.int(self.index_type(), value)
    }

    /// `arith.constant` of a float type.
    pub fn float(&self, r#type: Type<'c>, value: f64) -> Value<'c, 'a> {
        let attribute = FloatAttribute::new(self.context, r#type, value).into();
        self.value("arith.constant", &[], r#type, &[("value", attribute)])
    }

    /// A binary operation whose result has the type of its left operand, as `arith.addi`.
    pub fn binary(&self, name: &str, left: Value<'c, '_>, right: Value<'c, '_>) -> Value<'c, 'a> {
        use melior::ir::ValueLike;
        self.value(name, &[left, right], left.r#type(), &[])
    }

    /// The entry of a mixed list as an `index` value.
    pub fn mixed(&self, entry: Mixed<'c, 'a>) -> Value<'c, 'a> {
        match entry {
            Mixed::Static(value) => self.index(value),
            Mixed::Dynamic(value) => value,
        }
    }

    /// `arith.cmpi` with a predicate of `arith::CmpIPredicate`: 0 eq, 1 ne, 2 slt, 3 sle,
    /// 4 sgt, 5 sge.
    pub fn cmpi(&self, predicate: i64, left: Value<'c, '_>, right: Value<'c, '_>) -> Value<'c, 'a> {
        let attribute = self.int_attr(self.int_type(64), predicate);
        self.value(
            "arith.cmpi",
            &[left, right],
            self.int_type(1),
            &[("predicate", attribute)],
        )
    }

    /// `scf.for %i = lower to upper step step`; `body` gets an emitter inside and `%i`.
    pub fn for_loop(
        &self,
        lower: Value<'c, '_>,
        upper: Value<'c, '_>,
        step: Value<'c, '_>,
        body: impl FnOnce(&Emitter<'c, 'a>, Value<'c, 'a>),
    ) -> OperationRef<'c, 'a> {
        let block = Block::new(&[(self.index_type(), self.location)]);
        let region = Region::new();
        region.append_block(block);
        let op = self.build(
            OperationBuilder::new("scf.for", self.location)
                .add_operands(&[lower, upper, step])
                .add_regions([region]),
        );
        self.fill(op, 0, |inner, block| {
            body(inner, block.argument(0).expect("the loop counter").into());
        });
        op
    }

    /// `scf.if` without results or else.
    pub fn if_then(
        &self,
        condition: Value<'c, '_>,
        body: impl FnOnce(&Emitter<'c, 'a>),
    ) -> OperationRef<'c, 'a> {
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let op = self.build(
            OperationBuilder::new("scf.if", self.location)
                .add_operands(&[condition])
                .add_regions([region, Region::new()]),
        );
        self.fill(op, 0, |inner, _| body(inner));
        op
    }

    /// Fills the only block of a region of `op` and ends it with `scf.yield`.
    fn fill(
        &self,
        op: OperationRef<'c, 'a>,
        region: usize,
        body: impl FnOnce(&Emitter<'c, 'a>, BlockRef<'c, 'a>),
    ) {
        let block = op
            .region(region)
            .ok()
            .and_then(|region| region.first_block());
        let block = block.expect("the region was built with a block");
        let inner = Emitter::at_end(self.context, self.location, block);
        body(&inner, block);
        inner.op("scf.yield", &[], &[], &[]);
    }
}
