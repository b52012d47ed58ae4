//! Collectives of the host: dispatches of a device function that holds the same one.

use melior::ir::{
    Attribute, Block, BlockLike, BlockRef, Identifier, Region, RegionLike, Type, Value, ValueLike,
    attribute::{DenseI64ArrayAttribute, FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
    operation::{OperationBuilder, OperationLike, OperationRef},
    r#type::FunctionType,
};
use pld_dialects::{
    Kind, bridge, diag,
    emit::Emitter,
    enclosing_function, flow, functions_beside,
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
    signals: Vec<GroupSignal<'c, 'a>>,
}

/// The signal of the collectives of a group in one host function.
struct GroupSignal<'c, 'a> {
    function: OperationRef<'c, 'a>,
    /// `None` for all ranks.
    ranks: Option<Vec<i64>>,
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
            let signal = self.signal(op, ranks.as_deref())?;
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

    /// The signal of collectives of a group without one: a window of a cell for each rank,
    /// allocated before the first of them.
    fn signal(
        &mut self,
        op: OperationRef<'c, 'a>,
        ranks: Option<&[i64]>,
    ) -> Result<Value<'c, 'a>, Reported> {
        let function = enclosing_function(op).ok_or(Reported)?;
        let known = |it: &&GroupSignal| it.function == function && it.ranks.as_deref() == ranks;
        if let Some(signal) = self.signals.iter().find(known) {
            return Ok(signal.window);
        }
        // A window is allocated once, outside of loops and branches.
        let mut before = op;
        while let Some(parent) = before.parent_operation().filter(|&it| it != function) {
            before = parent;
        }
        let at = Emitter::before(before)
            .ok_or(Reported)?
            .with_location(op.location());
        let (extent, count) = match ranks {
            Some(ranks) => (ranks.len() as i64, None),
            None => {
                let world = at.value("pld.world_size", &[], at.index_type(), &[]);
                (DYNAMIC, Some(world))
            }
        };
        let sizes = DenseI64ArrayAttribute::new(at.context, &[extent, 1]).into();
        let element = TypeAttribute::new(at.int_type(32)).into();
        let mut attributes = vec![
            ("static_sizes", sizes),
            ("element_type", element),
            (FROM, at.str_attr(view::name(&op))),
        ];
        let members = ranks.map(<[i64]>::to_vec);
        if let Some(ranks) = ranks {
            let ranks = DenseI64ArrayAttribute::new(at.context, ranks);
            attributes.push(("ranks", ranks.into()));
        }
        let count = count.as_slice();
        let buffer = types::window_buffer(at.context);
        let buffer = at.value("pld.alloc_window_buffer", count, buffer, &attributes);
        let view = types::dtensor(at.context, &[extent, 1], at.int_type(32));
        let window = at.value("pld.window", &[&[buffer], count].concat(), view, &[]);
        self.signals.push(GroupSignal {
            function,
            ranks: members,
            window,
        });
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
        function(&at, &core, Kind::InCore, &key.2, |at, arguments| {
            collective = Some(at.op(key.0, arguments, &[], &key.1));
        });
        function(&at, &device, Kind::Device, &key.2, |at, arguments| {
            let callee = FlatSymbolRefAttribute::new(at.context, &core).into();
            at.op("func.call", arguments, &[], &[("callee", callee)]);
        });
        self.made.push((key, device.clone()));
        Ok((device, collective))
    }
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

/// Appends a function without results.
fn function<'c, 'a>(
    at: &Emitter<'c, 'a>,
    name: &str,
    kind: Kind,
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
