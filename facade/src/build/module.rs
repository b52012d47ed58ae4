//! Functions of a module.

use super::{Body, Type, Value, body};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, BlockRef, Identifier, Location, Region, RegionLike,
        attribute::{
            ArrayAttribute, DenseI64ArrayAttribute, DictionaryAttribute, StringAttribute,
            TypeAttribute,
        },
        operation::{OperationBuilder, OperationLike, OperationRef},
        r#type::FunctionType,
    },
};
use pld_dialects::{Kind, bridge, emit::Emitter};

/// A parameter of a function: its type and, of a `memref`, its direction.
#[derive(Clone, Debug)]
pub struct Parameter {
    r#type: Type,
    direction: Option<&'static str>,
    fill: Option<String>,
}

impl Parameter {
    fn new(r#type: Type, direction: Option<&'static str>) -> Self {
        Self {
            r#type,
            direction,
            fill: None,
        }
    }

    /// What fills it if a run gives no input: a word of `pld-run --arg`, as `ramp`.
    pub fn fill(mut self, word: impl Into<String>) -> Self {
        self.fill = Some(word.into());
        self
    }
}

/// A `memref` that is read, a window or a scalar.
pub fn input(r#type: Type) -> Parameter {
    Parameter::new(r#type, None)
}

/// A `memref` that is written.
pub fn output(r#type: Type) -> Parameter {
    Parameter::new(r#type, Some("pl.out"))
}

/// A `memref` that is read and written.
pub fn inout(r#type: Type) -> Parameter {
    Parameter::new(r#type, Some("pl.inout"))
}

/// A module in the making: what [`Program::build`](crate::Program::build) hands over.
#[derive(Clone, Copy)]
pub struct Module<'c, 'a> {
    context: &'c Context,
    block: BlockRef<'c, 'a>,
}

impl<'c, 'a> Module<'c, 'a> {
    pub(crate) fn new(context: &'c Context, block: BlockRef<'c, 'a>) -> Self {
        Self { context, block }
    }

    /// A `pl.incore` function: runs on the AI core.
    #[track_caller]
    pub fn incore<const N: usize>(
        &self,
        name: &str,
        parameters: [Parameter; N],
        body: impl FnOnce(&Body<'c, 'a>, [Value<'c, 'a>; N]),
    ) -> Function<'c, 'a> {
        self.function(Some(Kind::InCore), name, parameters, &[], |f, arguments| {
            body(f, arguments);
            Vec::new()
        })
    }

    /// A `pl.device` function: one per rank, what a host dispatches.
    #[track_caller]
    pub fn device<const N: usize>(
        &self,
        name: &str,
        parameters: [Parameter; N],
        body: impl FnOnce(&Body<'c, 'a>, [Value<'c, 'a>; N]),
    ) -> Function<'c, 'a> {
        self.function(Some(Kind::Device), name, parameters, &[], |f, arguments| {
            body(f, arguments);
            Vec::new()
        })
    }

    /// A `pl.host` function: the host CPU, once per program.
    #[track_caller]
    pub fn host<const N: usize>(
        &self,
        name: &str,
        parameters: [Parameter; N],
        body: impl FnOnce(&Body<'c, 'a>, [Value<'c, 'a>; N]),
    ) -> Function<'c, 'a> {
        self.function(Some(Kind::Host), name, parameters, &[], |f, arguments| {
            body(f, arguments);
            Vec::new()
        })
    }

    /// A function of any kind or of none; `body` gives the values that it returns, which
    /// have the types `results`.
    #[track_caller]
    pub fn function<const N: usize>(
        &self,
        kind: Option<Kind>,
        name: &str,
        parameters: [Parameter; N],
        results: &[Type],
        body: impl FnOnce(&Body<'c, 'a>, [Value<'c, 'a>; N]) -> Vec<Value<'c, 'a>>,
    ) -> Function<'c, 'a> {
        let location = body::caller(self.context);
        let at = Emitter::at_end(self.context, location, self.block);
        let types: Vec<_> = parameters
            .iter()
            .map(|parameter| body::mlir(&at, &parameter.r#type))
            .collect();
        let results: Vec<_> = results.iter().map(|it| body::mlir(&at, it)).collect();
        let signature = FunctionType::new(self.context, &types, &results);
        let mut attributes = vec![
            ("sym_name", at.str_attr(name)),
            ("function_type", TypeAttribute::new(signature.into()).into()),
        ];
        attributes.extend(kind.map(|kind| (kind.attribute(), Attribute::unit(self.context))));
        if parameters
            .iter()
            .any(|it| !it.attributes(self.context).is_empty())
        {
            let all: Vec<_> = parameters
                .iter()
                .map(|it| DictionaryAttribute::new(self.context, &it.attributes(self.context)))
                .map(Attribute::from)
                .collect();
            attributes.push(("arg_attrs", ArrayAttribute::new(self.context, &all).into()));
        }
        let named: Vec<_> = attributes
            .into_iter()
            .map(|(name, value)| (Identifier::new(self.context, name), value))
            .collect();
        let arguments: Vec<_> = types.iter().map(|&it| (it, location)).collect();
        let region = Region::new();
        region.append_block(Block::new(&arguments));
        let op = at.build(
            OperationBuilder::new("func.func", location)
                .add_attributes(&named)
                .add_regions([region]),
        );
        let block = op.region(0).ok().and_then(|region| region.first_block());
        let block = block.expect("the region was built with a block");
        let inner = Emitter::at_end(self.context, location, block);
        let arguments = std::array::from_fn(|index| {
            let argument = block.argument(index);
            argument.expect("one for each parameter").into()
        });
        let returned = body(&Body::new(inner), arguments);
        inner.op("func.return", &returned, &[], &[]);
        Function {
            context: self.context,
            op,
        }
    }
}

impl Parameter {
    fn attributes<'c>(&self, context: &'c Context) -> Vec<(Identifier<'c>, Attribute<'c>)> {
        let direction = self.direction.map(|it| (it, Attribute::unit(context)));
        let fill = self.fill.as_deref();
        let fill = fill.map(|it| ("pl.arg", StringAttribute::new(context, it).into()));
        let all = direction.into_iter().chain(fill);
        all.map(|(name, value)| (Identifier::new(context, name), value))
            .collect()
    }
}

/// A function that has been built.
#[derive(Clone, Copy)]
pub struct Function<'c, 'a> {
    context: &'c Context,
    op: OperationRef<'c, 'a>,
}

impl<'c, 'a> Function<'c, 'a> {
    /// States the world sizes that a host function is written for.
    pub fn world_sizes(&self, sizes: &[i64]) {
        let sizes = DenseI64ArrayAttribute::new(self.context, sizes);
        bridge::set_attribute(self.op, "pld.world_sizes", sizes.into());
    }

    /// The operation, for what has no method here.
    pub fn op(&self) -> OperationRef<'c, 'a> {
        self.op
    }

    /// Where it was built.
    pub fn location(&self) -> Location<'c> {
        self.op.location()
    }
}
