//! `pld-lower-collectives`: barriers to notify and wait.
//!
//! | operation | becomes |
//! | --- | --- |
//! | `pld.barrier` in-core | add 1 to the own cell on every peer; wait for each peer's cell here; take 1 back |
//! | `pld.barrier` on the host | a dispatch of such a barrier to every rank |

use melior::ir::{
    Attribute, Block, BlockLike, BlockRef, Location, Region, RegionLike, Type, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
    operation::{OperationBuilder, OperationLike, OperationRef},
    r#type::FunctionType,
};
use pld_dialects::{
    Kind, bridge, diag,
    emit::Emitter,
    enclosing_function, flow, function_kind, functions_beside,
    pass::{Options, Pass, Reported},
    pld::FROM,
    types::{self, Shaped},
    view::{self, NotifyKind, WaitCmp},
};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-lower-collectives",
    description: "Lower pld.barrier to notify and wait; after it no collective is left. \
                  Cells are zero again when every rank has passed.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    let barriers = bridge::collect(module, |name| name == "pld.barrier");
    let mut host_barriers = HostBarriers::default();
    for op in barriers {
        let kind = enclosing_function(op).and_then(|function| function_kind(&function));
        match kind {
            Some(Kind::InCore) => lower_in_core(op)?,
            Some(Kind::Host) => host_barriers.lower(module, op)?,
            _ => {
                diag::failure(
                    op.location(),
                    "'pld.barrier' must stand in a pl.incore or pl.host function",
                )
                .emit();
                return Err(Reported);
            }
        }
    }
    Ok(())
}

/// Emits operations that stand for one barrier.
struct Barrier<'c, 'a> {
    signal: Value<'c, 'a>,
    window: Shaped<'c>,
}

impl<'c, 'a> Barrier<'c, 'a> {
    /// The self-clearing credit barrier: add 1 to the own cell on every peer, wait until
    /// each peer's cell here is at least 1, subtract 1 from each of the own cells.
    ///
    /// A faster peer can add a credit of the next call before this one has taken its own
    /// back; `ge` accepts that, and the subtraction leaves it standing.
    fn emit(&self, at: &Emitter<'c, 'a>) {
        let ctx = at.value(
            "pld.get_comm_ctx",
            &[self.signal],
            types::comm_ctx(at.context),
            &[],
        );
        let me = at.value("pld.rank", &[ctx], at.index_type(), &[]);
        let count = at.value("pld.nranks", &[ctx], at.index_type(), &[]);
        let (zero, one) = (at.index(0), at.index(1));
        let credit = at.int(at.int_type(32), 1);
        let debit = at.int(at.int_type(32), -1);
        let for_peers = |body: &dyn Fn(&Emitter<'c, 'a>, Value<'c, 'a>)| {
            at.for_loop(zero, count, one, |at, peer| {
                let other = at.cmpi(1, peer, me);
                at.if_then(other, |at| body(at, peer));
            });
        };
        for_peers(&|at, peer| self.notify(at, credit, me, peer));
        for_peers(&|at, peer| self.wait(at, credit, peer));
        for_peers(&|at, peer| self.notify(at, debit, peer, me));
    }

    /// The cell of rank `index`: element `index` of the signal, in row-major order.
    fn cell(&self, at: &Emitter<'c, 'a>, index: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let mut rest = index;
        let mut cell = Vec::new();
        for dim in (0..self.window.rank()).rev() {
            let size = self.window.shape[dim];
            let zero = || at.index(0);
            if dim == 0 {
                cell.push(rest);
            } else if size == 1 {
                cell.push(zero());
            } else {
                let size = match size {
                    types::DYNAMIC => {
                        let dim = at.int_attr(at.int_type(64), dim as i64);
                        at.value("pl.dim", &[self.signal], at.index_type(), &[("dim", dim)])
                    }
                    size => at.index(size),
                };
                cell.push(at.binary("arith.remsi", rest, size));
                rest = at.binary("arith.divsi", rest, size);
            }
        }
        cell.reverse();
        cell
    }

    fn notify(
        &self,
        at: &Emitter<'c, 'a>,
        value: Value<'c, 'a>,
        cell: Value<'c, 'a>,
        peer: Value<'c, 'a>,
    ) {
        let cell = self.cell(at, cell);
        let operands: Vec<_> = [&[value, self.signal], &cell[..], &[peer]].concat();
        at.op(
            "pld.notify",
            &operands,
            &[],
            &self.attributes(at, "op", NotifyKind::Add as i64),
        );
    }

    fn wait(&self, at: &Emitter<'c, 'a>, value: Value<'c, 'a>, cell: Value<'c, 'a>) {
        let cell = self.cell(at, cell);
        let operands: Vec<_> = [&[value, self.signal], &cell[..]].concat();
        at.op(
            "pld.wait",
            &operands,
            &[],
            &self.attributes(at, "cmp", WaitCmp::Ge as i64),
        );
    }

    fn attributes(
        &self,
        at: &Emitter<'c, 'a>,
        kind: &'static str,
        value: i64,
    ) -> [(&'static str, Attribute<'c>); 3] {
        let dynamic = vec![types::DYNAMIC; self.window.rank()];
        [
            (kind, at.int_attr(at.int_type(32), value)),
            (
                "static_offsets",
                melior::ir::attribute::DenseI64ArrayAttribute::new(at.context, &dynamic).into(),
            ),
            (FROM, at.str_attr("pld.barrier")),
        ]
    }
}

fn operand<'c, 'a>(op: OperationRef<'c, 'a>) -> Result<Barrier<'c, 'a>, Reported> {
    let signal = op.operand(0).map_err(|_| Reported)?;
    let window = Shaped::of(signal.r#type()).ok_or(Reported)?;
    Ok(Barrier { signal, window })
}

fn lower_in_core(op: OperationRef) -> Result<(), Reported> {
    let barrier = operand(op)?;
    let at = Emitter::before(op).ok_or(Reported)?;
    barrier.emit(&at);
    bridge::erase(op);
    Ok(())
}

/// Barriers on the host: for each type of signal one device function that holds one.
#[derive(Default)]
struct HostBarriers<'c> {
    made: Vec<(Type<'c>, String)>,
}

impl<'c> HostBarriers<'c> {
    fn lower<'a>(
        &mut self,
        module: OperationRef<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Result<(), Reported> {
        let signal = op.operand(0).map_err(|_| Reported)?;
        let name = self.function(module, op, signal.r#type())?;
        let ranks = group_of(op, signal)?;
        let at = Emitter::before(op).ok_or(Reported)?;
        let dispatch = |at: &Emitter<'c, 'a>, rank: Value<'c, 'a>| {
            let callee = FlatSymbolRefAttribute::new(at.context, &name).into();
            at.op(
                "pld.dispatch",
                &[signal, rank],
                &[],
                &[("callee", callee), (FROM, at.str_attr("pld.barrier"))],
            );
        };
        match ranks {
            Some(ranks) => ranks.iter().for_each(|&rank| dispatch(&at, at.index(rank))),
            None => {
                let count = at.value("pld.world_size", &[], at.index_type(), &[]);
                at.for_loop(at.index(0), count, at.index(1), dispatch);
            }
        }
        bridge::erase(op);
        Ok(())
    }

    /// The name of the device function that is a barrier on a signal of this type.
    fn function(
        &mut self,
        module: OperationRef<'c, '_>,
        op: OperationRef<'c, '_>,
        r#type: Type<'c>,
    ) -> Result<String, Reported> {
        if let Some((_, name)) = self.made.iter().find(|(known, _)| *known == r#type) {
            return Ok(name.clone());
        }
        let body = module
            .region(0)
            .ok()
            .and_then(|region| region.first_block())
            .ok_or(Reported)?;
        let taken = body
            .first_operation()
            .map(functions_beside)
            .unwrap_or_default();
        let fresh = |base: &str| {
            let candidates = (0..).map(|i| {
                if i == 0 {
                    base.to_owned()
                } else {
                    format!("{base}_{i}")
                }
            });
            candidates
                .into_iter()
                .find(|name| !taken.contains_key(name))
                .unwrap_or_default()
        };
        let (core, device) = (fresh("host_barrier_core"), fresh("host_barrier"));
        let location = op.location();
        let context = bridge::context_of(&op);
        function(
            context,
            location,
            body,
            &core,
            Kind::InCore,
            r#type,
            |at, signal| {
                Barrier {
                    signal,
                    window: Shaped::of(r#type).expect("checked by the verifier"),
                }
                .emit(at);
            },
        );
        function(
            context,
            location,
            body,
            &device,
            Kind::Device,
            r#type,
            |at, signal| {
                let callee = FlatSymbolRefAttribute::new(at.context, &core).into();
                at.op("func.call", &[signal], &[], &[("callee", callee)]);
            },
        );
        self.made.push((r#type, device.clone()));
        Ok(device)
    }
}

/// The group of the buffer that a host value views; `None` for all ranks. A value that may
/// view several has one only if they agree.
fn group_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    signal: Value<'c, 'a>,
) -> Result<Option<Vec<i64>>, Reported> {
    let mut groups = flow::roots(signal).into_iter().map(|buffer| {
        let alloc = view::defining_op(buffer).and_then(view::AllocWindowBuffer::of);
        alloc.and_then(|alloc| alloc.ranks)
    });
    let group = groups.next().flatten();
    if groups.all(|other| other == group) {
        return Ok(group);
    }
    let message = "'pld.barrier' has a signal that may be of buffers of different groups, \
                   expected one group";
    diag::failure(op.location(), message)
        .note("write a barrier for each group, in the branch that chooses it")
        .emit();
    Err(Reported)
}

/// Appends a function of one argument and no results.
fn function<'c>(
    context: &'c melior::Context,
    location: Location<'c>,
    module: BlockRef<'c, '_>,
    name: &str,
    kind: Kind,
    argument: Type<'c>,
    body: impl for<'a> FnOnce(&Emitter<'c, 'a>, Value<'c, 'a>),
) {
    let region = Region::new();
    let block = region.append_block(Block::new(&[(argument, location)]));
    {
        let at = Emitter::at_end(context, location, block);
        body(
            &at,
            block
                .argument(0)
                .expect("the block has one argument")
                .into(),
        );
        at.op("func.return", &[], &[], &[]);
    }
    let id = |name| melior::ir::Identifier::new(context, name);
    let signature = FunctionType::new(context, &[argument], &[]);
    let op = OperationBuilder::new("func.func", location)
        .add_attributes(&[
            (id("sym_name"), StringAttribute::new(context, name).into()),
            (
                id("function_type"),
                TypeAttribute::new(signature.into()).into(),
            ),
            (id(kind.attribute()), Attribute::unit(context)),
        ])
        .add_regions([region])
        .build()
        .expect("a function of one argument");
    module.append_operation(op);
}
