//! `pld-lower-collectives`: barriers and collectives to notify, wait and moved tiles.
//!
//! | operation | becomes | file |
//! | --- | --- | --- |
//! | `pld.barrier` in-core | notifies and waits | `barrier.rs` |
//! | a collective in-core | a barrier, what moves the data, a barrier | `exchange.rs`, `allreduce.rs` |
//! | ... in what `pl.spmd` runs | the same, done by one block while the others wait | `blocks.rs` |
//! | any of them on the host | a dispatch of such a one to every rank | `host.rs` |
//! | ... that HCCL has, where it is wanted | what it is | `kept.rs` |

mod allreduce;
mod barrier;
mod blocks;
mod exchange;
mod host;
mod kept;
mod protocol;
mod reduce;
mod ring;
mod signal;

pub use barrier::{Barrier, OPTION as BARRIER};
pub use kept::OPTION as KEPT;

use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{
    Kind, bridge, diag,
    emit::Emitter,
    enclosing_function, function_kind,
    pass::{Options, Pass, Reported},
    view::{self, Collective},
};
use protocol::Protocol;
use signal::Signal;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-lower-collectives",
    description: "Lower barriers and collectives to notify, wait and loops that move tiles; after \
                  it none is left, but for those of the host that are to be kept. Cells are zero again when every rank has passed. A collective \
                  of the host without a signal gets a small window of its own.",
    options: &[BARRIER, KEPT],
    run,
};

/// What a collective does between its barriers.
type Body = for<'c, 'a> fn(
    &Emitter<'c, 'a>,
    &Protocol<'c, 'a>,
    OperationRef<'c, 'a>,
    &Collective<'c, 'a>,
) -> Result<(), Reported>;

const BARRIER_OP: &str = "pld.barrier";

/// What the pass lowers beside barriers.
const COLLECTIVES: &[(&str, Body)] = &[
    ("pld.allreduce", allreduce::allreduce),
    ("pld.reduce_scatter", allreduce::reduce_scatter),
    ("pld.broadcast", exchange::broadcast),
    ("pld.allgather", exchange::allgather),
    ("pld.all_to_all", exchange::all_to_all),
    ("pld.all_to_all_v", exchange::all_to_all_v),
];

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let form = options.get(BARRIER.name).parse().map_err(|error: String| {
        diag::failure(module.location(), format!("option {error}")).emit();
        Reported
    })?;
    let keeps = match options.get(KEPT.name) {
        "kernel" => false,
        "hccl" => true,
        other => {
            let message = format!("option collectives is '{other}', expected kernel or hccl");
            diag::failure(module.location(), message).emit();
            return Err(Reported);
        }
    };
    let is_ours = |name: &str| name == BARRIER_OP || COLLECTIVES.iter().any(|row| row.0 == name);
    let in_blocks = blocks::reached(module);
    let mut host = host::Functions::default();
    for op in bridge::collect(module, is_ours) {
        let function = enclosing_function(op);
        let name = function.and_then(|function| view::string(&function, "sym_name"));
        match function.and_then(|function| function_kind(&function)) {
            Some(Kind::InCore) if name.is_some_and(|name| in_blocks.contains(&name)) => {
                let at = Emitter::before(op).ok_or(Reported)?;
                blocks::once_per_rank(&at, |at| lower(at, op, form))?;
                bridge::erase(op);
            }
            Some(Kind::InCore) => replace(op, form)?,
            Some(Kind::Host) if keeps && kept::is_kept(op) => {}
            Some(Kind::Host) => {
                if let Some(op) = host.dispatch(module, op)? {
                    replace(op, form)?;
                }
            }
            _ => {
                let name = view::name(&op);
                let message = format!("'{name}' must stand in a pl.incore or pl.host function");
                diag::failure(op.location(), message).emit();
                return Err(Reported);
            }
        }
    }
    Ok(())
}

/// Replaces a barrier or collective of an in-core function.
fn replace(op: OperationRef, form: Barrier) -> Result<(), Reported> {
    let at = Emitter::before(op).ok_or(Reported)?;
    lower(&at, op, form)?;
    bridge::erase(op);
    Ok(())
}

/// Emits what a barrier or collective is made of.
fn lower<'c, 'a>(
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    form: Barrier,
) -> Result<(), Reported> {
    let begin = |window, name| {
        let signal = Signal::of(window, name).ok_or(Reported)?;
        let group = signal.group(at);
        let protocol = Protocol {
            signal,
            group,
            form,
        };
        protocol.barrier(at);
        Ok(protocol)
    };
    let name = view::name(&op);
    match COLLECTIVES.iter().find(|row| row.0 == name) {
        None => {
            begin(op.operand(0).map_err(|_| Reported)?, BARRIER_OP)?;
        }
        Some((name, body)) => {
            let parts = Collective::of(op).ok_or(Reported)?;
            let protocol = begin(parts.signal.ok_or(Reported)?, name)?;
            body(at, &protocol, op, &parts)?;
            protocol.barrier(at);
        }
    }
    Ok(())
}
