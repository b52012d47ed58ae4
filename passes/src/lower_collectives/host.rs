//! Collectives of the host: dispatches of a device function that holds the same one.

use melior::ir::{
    Attribute, Block, BlockLike, BlockRef, Identifier, Region, RegionLike, Type, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
    operation::{OperationBuilder, OperationLike, OperationRef},
    r#type::FunctionType,
};
use pld_dialects::{
    Kind, bridge, diag,
    emit::Emitter,
    flow, functions_beside,
    pass::Reported,
    pld::FROM,
    types::{self, DYNAMIC},
    view::{self, AllocWindowBuffer, Collective},
};

/// What tells two collectives apart: name, attributes, types of operands.
type Key<'c> = (&'c str, Vec<(&'static str, Attribute<'c>)>, Vec<Type<'c>>);

/// The device functions made, one for each kind of collective, and the signals of those that
/// have none.
#[derive(Default)]
pub(super) struct Functions<'c, 'a> {
    made: Vec<(Key<'c>, String)>,
    signals: Vec<TailSignal<'c, 'a>>,
}

/// The signal of the collectives of one window buffer that name none.
struct TailSignal<'c, 'a> {
    buffer: OperationRef<'c, 'a>,
    window: Value<'c, 'a>,
}

impl<'c, 'a> Functions<'c, 'a> {
    /// Replaces a collective of the host by dispatches to the ranks of its group.
    /// The collective in that device function, if it is a new one.
    pub(super) fn dispatch(
        &mut self,
        module: OperationRef<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<Option<OperationRef<'c, 'a>>, Reported> {
        let mut operands: Vec<_> = op.operands().collect();
        let parts = Collective::of(op);
        let window = parts.as_ref().map(|it| it.destination.unwrap_or(it.source));
        let window = window.or(operands.first().copied()).ok_or(Reported)?;
        let ranks = group_of(op, window)?;
        if let Some(parts) = parts.filter(|parts| parts.signal.is_none()) {
            let signal = self.signal(op, window)?;
            operands.insert(1 + usize::from(parts.destination.is_some()), signal);
        }
        let (name, made) = self.function(module, op, &operands)?;
        let at = Emitter::before(op).ok_or(Reported)?;
        let dispatch = |at: &Emitter<'c, 'a>, rank: Value<'c, 'a>| {
            let callee = FlatSymbolRefAttribute::new(at.context, &name).into();
            let from = at.str_attr(view::name(&op));
            let operands = [&operands[..], &[rank]].concat();
            let attributes = [("callee", callee), (FROM, from)];
            at.op("pld.dispatch", &operands, &[], &attributes);
        };
        match ranks {
            Some(ranks) => ranks.iter().for_each(|&rank| dispatch(&at, at.index(rank))),
            None => {
                let count = at.value("pld.world_size", &[], at.index_type(), &[]);
                at.for_loop(at.index(0), count, at.index(1), dispatch);
            }
        }
        bridge::erase(op);
        Ok(made)
    }

    /// The signal of a collective without one: a cell for each rank in the tail of the buffer
    /// that its window is of. Where it may be of several, that of any of them serves: all ranks
    /// of a group run the same host function.
    fn signal(
        &mut self,
        op: OperationRef<'c, 'a>,
        window: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Reported> {
        let mut buffers = flow::roots(window)
            .into_iter()
            .filter_map(view::defining_op);
        let Some(buffer) = buffers.find(|&buffer| is_seen_by(buffer, op)) else {
            let name = view::name(&op);
            let message = format!("'{name}' has a window whose buffer is allocated in a branch");
            diag::failure(op.location(), message)
                .note("allocate it outside of the branch, or name a signal")
                .emit();
            return Err(Reported);
        };
        if let Some(known) = self.signals.iter().find(|known| known.buffer == buffer) {
            return Ok(known.window);
        }
        let ranks = AllocWindowBuffer::of(buffer).ok_or(Reported)?.ranks;
        let next = buffer.next_in_block().ok_or(Reported)?;
        let at = Emitter::before(next)
            .ok_or(Reported)?
            .with_location(op.location());
        let (extent, count) = match ranks {
            Some(ranks) => (ranks.len() as i64, None),
            None => {
                let world = at.value("pld.world_size", &[], at.index_type(), &[]);
                (DYNAMIC, Some(world))
            }
        };
        let view = types::dtensor(at.context, &[extent, 1], at.int_type(32));
        let operands: Vec<_> = buffer.results().map(Into::into).chain(count).collect();
        let attributes = [
            ("tail", Attribute::unit(at.context)),
            (FROM, at.str_attr(view::name(&op))),
        ];
        let window = at.value("pld.window", &operands, view, &attributes);
        self.signals.push(TailSignal { buffer, window });
        Ok(window)
    }

    /// The name of the device function that is `op` on operands of these types, and the
    /// collective in it if it is new.
    fn function(
        &mut self,
        module: OperationRef<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<(String, Option<OperationRef<'c, 'a>>), Reported> {
        let attributes = ["op", "algorithm", "root"]
            .into_iter()
            .filter_map(|name| Some((name, op.attribute(name).ok()?)))
            .collect();
        let types: Vec<_> = operands.iter().map(|value| value.r#type()).collect();
        let key: Key = (view::name(&op), attributes, types);
        if let Some((_, name)) = self.made.iter().find(|(known, _)| *known == key) {
            return Ok((name.clone(), None));
        }
        let body = module
            .region(0)
            .ok()
            .and_then(|region| region.first_block())
            .ok_or(Reported)?;
        let base = format!("host_{}", key.0.trim_start_matches("pld."));
        let [core, device] = [format!("{base}_core"), base].map(|base| fresh(body, &base));
        let at = Emitter::at_end(bridge::context_of(&op), op.location(), body);
        let mut collective = None;
        let from = at.str_attr(key.0);
        function(&at, &core, Kind::InCore, from, &key.2, |at, arguments| {
            collective = Some(at.op(key.0, arguments, &[], &key.1));
        });
        function(&at, &device, Kind::Device, from, &key.2, |at, arguments| {
            let callee = FlatSymbolRefAttribute::new(at.context, &core).into();
            at.op("func.call", arguments, &[], &[("callee", callee)]);
        });
        self.made.push((key, device.clone()));
        Ok((device, collective))
    }
}

/// Whether results of `earlier`, which stands before `op`, can be used there.
fn is_seen_by<'c, 'a>(earlier: OperationRef<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let mut around = std::iter::successors(Some(op), |op| op.parent_operation());
    around.any(|op| op.block() == earlier.block())
}

/// A name for a function that no other has.
fn fresh(module: BlockRef, base: &str) -> String {
    let taken = module.first_operation().map(functions_beside);
    let taken = taken.unwrap_or_default();
    let names = std::iter::once(base.to_owned()).chain((1..).map(|i| format!("{base}_{i}")));
    let mut free = names.filter(|name| !taken.contains_key(name));
    free.next().unwrap_or_default()
}

/// The group of the buffer that a host value views; `None` for all ranks. A value that may
/// view several has one only if they agree.
fn group_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    window: Value<'c, 'a>,
) -> Result<Option<Vec<i64>>, Reported> {
    let mut groups = flow::roots(window).into_iter().map(|buffer| {
        let alloc = view::defining_op(buffer).and_then(AllocWindowBuffer::of);
        alloc.and_then(|alloc| alloc.ranks)
    });
    let group = groups.next().flatten();
    if groups.all(|other| other == group) {
        return Ok(group);
    }
    let name = view::name(&op);
    let what = format!(
        "'{name}' has a window that may be of buffers of different groups, expected one group"
    );
    diag::failure(op.location(), what)
        .note("write one for each group, in the branch that chooses it")
        .emit();
    Err(Reported)
}

/// Appends a function without results, which stands for an operation `from`.
fn function<'c, 'a>(
    at: &Emitter<'c, 'a>,
    name: &str,
    kind: Kind,
    from: Attribute<'c>,
    arguments: &[Type<'c>],
    body: impl FnOnce(&Emitter<'c, 'a>, &[Value<'c, 'a>]),
) {
    let typed: Vec<_> = arguments.iter().map(|&it| (it, at.location)).collect();
    let region = Region::new();
    region.append_block(Block::new(&typed));
    let id = |name| Identifier::new(at.context, name);
    let signature = FunctionType::new(at.context, arguments, &[]);
    let name = StringAttribute::new(at.context, name).into();
    let signature = TypeAttribute::new(signature.into()).into();
    let unit = Attribute::unit(at.context);
    let op = at.build(
        OperationBuilder::new("func.func", at.location)
            .add_attributes(&[
                (id("sym_name"), name),
                (id("function_type"), signature),
                (id(kind.attribute()), unit),
                (id(FROM), from),
            ])
            .add_regions([region]),
    );
    let block = op.region(0).ok().and_then(|region| region.first_block());
    let block = block.expect("the function was built with a block");
    let inner = Emitter::at_end(at.context, at.location, block);
    let arguments: Vec<_> = (0..arguments.len())
        .filter_map(|index| Some(block.argument(index).ok()?.into()))
        .collect();
    body(&inner, &arguments);
    inner.op("func.return", &[], &[], &[]);
}
