//! `scf` as C++ control flow. Carried scalars become variables; carried tiles have a place of
//! their own, and the leaf copies them there.

use super::{
    cpp, scalar,
    scalar::{Check, checked, is_count},
    scope::{Scope, unsupported},
};
use crate::hccl::statement::carried;
use melior::ir::{
    Attribute, Block, BlockLike, BlockRef, Region, RegionLike, Type, Value, ValueLike,
    operation::{OperationBuilder, OperationLike, OperationRef},
};
use pld_dialects::{bridge, emit::Emitter, pass::Reported, view};

/// What a kind of function emits for the operations that are neither `arith` nor `scf`.
pub trait Leaf<'c, 'a> {
    /// Emits an operation.
    fn operation(
        &mut self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported>;

    /// Emits what moves the tiles that `op` carries, before it.
    fn carry_tiles(
        &mut self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported>;
}

/// Emits the operations of a block, its terminator's copies included.
pub fn block<'c, 'a>(
    leaf: &mut dyn Leaf<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Result<(), Reported> {
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        let at = at.with_location(op.location());
        let name = view::name(&op);
        match name {
            "scf.for" => for_loop(leaf, scope, &at, op)?,
            "scf.if" => conditional(leaf, scope, &at, op)?,
            "scf.while" => while_loop(leaf, scope, &at, op)?,
            "scf.index_switch" => switch(leaf, scope, &at, op)?,
            "scf.yield" | "scf.condition" | "func.return" => {}
            "ub.poison" => poison(scope, &at, op)?,
            _ if name.starts_with("arith.") => scalar::emit(scope, &at, op)?,
            _ => leaf.operation(scope, &at, op)?,
        }
    }
    Ok(())
}

/// Any value will do.
fn poison<'c, 'a>(
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let result: Value = op.result(0).map_err(|_| Reported)?.into();
    let r#type = scope.scalar_type(op, result.r#type())?;
    let value = at.value(
        "emitc.constant",
        &[],
        r#type,
        &[("value", at.int_attr(r#type, 0))],
    );
    scope.bind(result, value);
    Ok(())
}

/// Variables of the scalars that an operation carries, one per target.
#[derive(Default)]
struct Variables<'c, 'a>(Vec<(Value<'c, 'a>, Value<'c, 'a>)>);

impl<'c, 'a> Variables<'c, 'a> {
    /// Declares variables for `targets`; tiles need none.
    fn declare(
        scope: &Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        targets: impl IntoIterator<Item = Value<'c, 'a>>,
    ) -> Result<Self, Reported> {
        let mut all = Vec::new();
        for target in targets {
            if bridge::is_tile(target.r#type()) {
                continue;
            }
            let r#type = scope.scalar_type(op, target.r#type())?;
            all.push((target, variable(at, r#type)));
        }
        Ok(Self(all))
    }

    /// Assigns what a terminator or a loop's entry carries.
    fn assign(
        &self,
        scope: &Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        for (source, target) in carried(op) {
            if let Some((_, variable)) = self.0.iter().find(|(known, _)| *known == target) {
                let value = scope.scalar(op, source)?;
                at.op("emitc.assign", &[*variable, value], &[], &[]);
            }
        }
        Ok(())
    }

    /// Binds each value to the variable of its target, as it is now.
    fn read(
        &self,
        scope: &mut Scope<'c, 'a>,
        at: &Emitter<'c, 'a>,
        values: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) {
        for &(value, target) in values {
            if let Some((_, variable)) = self.0.iter().find(|(known, _)| *known == target) {
                scope.bind(value, load(at, *variable));
            }
        }
    }
}

fn variable<'c, 'a>(at: &Emitter<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
    let lvalue = cpp::r#type(at.context, &format!("!emitc.lvalue<{type}>"));
    let empty: Attribute = super::text::parse(at.context, "#emitc.opaque<\"\">");
    at.value("emitc.variable", &[], lvalue, &[("value", empty)])
}

fn load<'c, 'a>(at: &Emitter<'c, 'a>, variable: Value<'c, 'a>) -> Value<'c, 'a> {
    let text = variable.r#type().to_string();
    let inner = text.trim_start_matches("!emitc.lvalue<");
    let inner = inner.strip_suffix('>').unwrap_or(inner);
    at.value(
        "emitc.load",
        &[variable],
        cpp::r#type(at.context, inner),
        &[],
    )
}

fn region_block<'c, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Option<BlockRef<'c, 'a>> {
    op.region(index).ok()?.first_block()
}

fn terminator<'c, 'a>(block: BlockRef<'c, 'a>) -> Result<OperationRef<'c, 'a>, Reported> {
    let mut last = block.first_operation().ok_or(Reported)?;
    while let Some(next) = last.next_in_block() {
        last = next;
    }
    Ok(last)
}

/// Emits a block with what its terminator carries.
fn body<'c, 'a>(
    leaf: &mut dyn Leaf<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    source: BlockRef<'c, 'a>,
    variables: &Variables<'c, 'a>,
) -> Result<(), Reported> {
    block(leaf, scope, at, source)?;
    let end = terminator(source)?;
    let at = at.with_location(end.location());
    leaf.carry_tiles(scope, &at, end)?;
    variables.assign(scope, &at, end)
}

/// Builds an operation with one block in each region.
fn build<'c, 'a>(
    at: &Emitter<'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
    attributes: &[(&str, Attribute<'c>)],
    regions: &[&[Type<'c>]],
) -> OperationRef<'c, 'a> {
    let regions: Vec<_> = regions
        .iter()
        .map(|arguments| {
            let region = Region::new();
            let arguments: Vec<_> = arguments
                .iter()
                .map(|&r#type| (r#type, at.location))
                .collect();
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
            .add_attributes(&attributes)
            .add_regions_vec(regions),
    )
}

fn inside<'c, 'a>(
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    region: usize,
) -> Result<Emitter<'c, 'a>, Reported> {
    let block = region_block(op, region).ok_or(Reported)?;
    Ok(Emitter::at_end(at.context, at.location, block))
}

fn end<'c>(at: &Emitter<'c, '_>) {
    at.op("emitc.yield", &[], &[], &[]);
}

fn results<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    op.results().map(Into::into).collect()
}

fn arguments<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    (0..block.argument_count())
        .filter_map(|index| Some(block.argument(index).ok()?.into()))
        .collect()
}

fn for_loop<'c, 'a>(
    leaf: &mut dyn Leaf<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let source = region_block(op, 0).ok_or(Reported)?;
    let arguments = arguments(source);
    let (&counter, carried) = arguments.split_first().ok_or(Reported)?;
    let mut bounds = (0..3)
        .map(|index| scope.scalar(op, op.operand(index).map_err(|_| Reported)?))
        .collect::<Result<Vec<_>, _>>()?;
    let step = op.operand(2).map_err(|_| Reported)?;
    if view::constant(step).map_or(!is_count(step), |step| step <= 0) {
        bounds[2] = checked(at, scope.side, Check::Step, bounds[2]);
    }
    leaf.carry_tiles(scope, at, op)?;
    let variables = Variables::declare(scope, at, op, carried.iter().copied())?;
    variables.assign(scope, at, op)?;
    let emitted = build(at, "emitc.for", &bounds, &[], &[&[bounds[0].r#type()]]);
    let inner = inside(at, emitted, 0)?;
    let own = region_block(emitted, 0)
        .and_then(|block| block.argument(0).ok())
        .ok_or(Reported)?;
    scope.bind(counter, own.into());
    let now: Vec<_> = carried.iter().map(|&value| (value, value)).collect();
    variables.read(scope, &inner, &now);
    body(leaf, scope, &inner, source, &variables)?;
    end(&inner);
    let after: Vec<_> = results(op)
        .into_iter()
        .zip(carried.iter().copied())
        .collect();
    variables.read(scope, at, &after);
    Ok(())
}

fn conditional<'c, 'a>(
    leaf: &mut dyn Leaf<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let condition = scope.scalar(op, op.operand(0).map_err(|_| Reported)?)?;
    let variables = Variables::declare(scope, at, op, results(op))?;
    let then = region_block(op, 0).ok_or(Reported)?;
    let otherwise = region_block(op, 1);
    let emitted = match otherwise {
        Some(_) => build(at, "emitc.if", &[condition], &[], &[&[], &[]]),
        None => build_if_alone(at, condition),
    };
    for (region, source) in [Some(then), otherwise].into_iter().enumerate() {
        if let Some(source) = source {
            let inner = inside(at, emitted, region)?;
            body(leaf, scope, &inner, source, &variables)?;
            end(&inner);
        }
    }
    let after: Vec<_> = results(op)
        .into_iter()
        .map(|value| (value, value))
        .collect();
    variables.read(scope, at, &after);
    Ok(())
}

/// An `emitc.if` whose else region has no block.
fn build_if_alone<'c, 'a>(at: &Emitter<'c, 'a>, condition: Value<'c, 'a>) -> OperationRef<'c, 'a> {
    let region = Region::new();
    region.append_block(Block::new(&[]));
    at.build(
        OperationBuilder::new("emitc.if", at.location)
            .add_operands(&[condition])
            .add_regions([region, Region::new()]),
    )
}

/// `do { before; go = condition; if (go) after; } while (go);`
fn while_loop<'c, 'a>(
    leaf: &mut dyn Leaf<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let (before, after) = (
        region_block(op, 0).ok_or(Reported)?,
        region_block(op, 1).ok_or(Reported)?,
    );
    let (first, second) = (arguments(before), arguments(after));
    leaf.carry_tiles(scope, at, op)?;
    let entering = Variables::declare(scope, at, op, first.iter().copied())?;
    let leaving = Variables::declare(scope, at, op, results(op))?;
    entering.assign(scope, at, op)?;
    let go = variable(at, at.int_type(1));
    let emitted = build(at, "emitc.do", &[], &[], &[&[], &[]]);

    let inner = inside(at, emitted, 0)?;
    let now: Vec<_> = first.iter().map(|&value| (value, value)).collect();
    entering.read(scope, &inner, &now);
    body(leaf, scope, &inner, before, &leaving)?;
    let end_of_before = terminator(before)?;
    let condition = scope.scalar(
        end_of_before,
        end_of_before.operand(0).map_err(|_| Reported)?,
    )?;
    inner.op("emitc.assign", &[go, condition], &[], &[]);
    let again = build_if_alone(&inner, condition);
    let deep = inside(&inner, again, 0)?;
    let passed: Vec<_> = second.iter().copied().zip(results(op)).collect();
    leaving.read(scope, &deep, &passed);
    body(leaf, scope, &deep, after, &entering)?;
    end(&deep);

    let test = inside(at, emitted, 1)?;
    let expression = build_expression(&test, go);
    test.op("emitc.yield", &[expression], &[], &[]);
    let done: Vec<_> = results(op)
        .into_iter()
        .map(|value| (value, value))
        .collect();
    leaving.read(scope, at, &done);
    Ok(())
}

/// The value of a variable as an `emitc.expression`, which a loop's condition has to be.
fn build_expression<'c, 'a>(at: &Emitter<'c, 'a>, variable: Value<'c, 'a>) -> Value<'c, 'a> {
    let region = Region::new();
    let block = region.append_block(Block::new(&[(variable.r#type(), at.location)]));
    let op = at.build(
        OperationBuilder::new("emitc.expression", at.location)
            .add_operands(&[variable])
            .add_results(&[at.int_type(1)])
            .add_regions([region]),
    );
    let _ = block;
    let block = region_block(op, 0).expect("built with a block");
    let inner = Emitter::at_end(at.context, at.location, block);
    let argument = block.argument(0).expect("built with an argument").into();
    let value = load(&inner, argument);
    inner.op("emitc.yield", &[value], &[], &[]);
    op.result(0).expect("built with a result").into()
}

fn switch<'c, 'a>(
    leaf: &mut dyn Leaf<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let selector = scope.scalar(op, op.operand(0).map_err(|_| Reported)?)?;
    let variables = Variables::declare(scope, at, op, results(op))?;
    let cases = op
        .attribute("cases")
        .map_err(|_| unsupported(op, "no cases"))?;
    let regions: Vec<&[Type]> = vec![&[]; op.region_count()];
    let emitted = build(
        at,
        "emitc.switch",
        &[selector],
        &[("cases", cases)],
        &regions,
    );
    for region in 0..op.region_count() {
        let source = region_block(op, region).ok_or(Reported)?;
        let inner = inside(at, emitted, region)?;
        body(leaf, scope, &inner, source, &variables)?;
        end(&inner);
    }
    let after: Vec<_> = results(op)
        .into_iter()
        .map(|value| (value, value))
        .collect();
    variables.read(scope, at, &after);
    Ok(())
}
