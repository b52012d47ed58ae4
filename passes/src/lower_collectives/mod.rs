//! `pld-lower-collectives`: barriers and collectives to notify, wait and moved tiles.
//!
//! | operation | becomes | file |
//! | --- | --- | --- |
//! | `pld.barrier` in-core | notifies and waits | `barrier.rs` |
//! | any of them on the host | a dispatch of such a one to every rank | `host.rs` |

mod barrier;
mod host;
mod signal;

pub use barrier::{Barrier, OPTION as BARRIER};

use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{
    Kind, bridge, diag,
    emit::Emitter,
    enclosing_function, function_kind,
    pass::{Options, Pass, Reported},
    view,
};
use signal::Signal;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-lower-collectives",
    description: "Lower pld.barrier to notify and wait; after it no collective is left. \
                  Cells are zero again when every rank has passed.",
    options: &[BARRIER],
    run,
};

/// What the pass lowers.
const COLLECTIVES: &[&str] = &["pld.barrier"];

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let form = options.get(BARRIER.name).parse().map_err(|error: String| {
        diag::failure(module.location(), format!("option {error}")).emit();
        Reported
    })?;
    let mut host = host::Functions::default();
    for op in bridge::collect(module, |name| COLLECTIVES.contains(&name)) {
        let kind = enclosing_function(op).and_then(|function| function_kind(&function));
        match kind {
            Some(Kind::InCore) => lower(op, form)?,
            Some(Kind::Host) => {
                if let Some(op) = host.dispatch(module, op)? {
                    lower(op, form)?;
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

/// Replaces a collective of an in-core function.
fn lower(op: OperationRef, form: Barrier) -> Result<(), Reported> {
    let at = Emitter::before(op).ok_or(Reported)?;
    let signal = op.operand(0).map_err(|_| Reported)?;
    let signal = Signal::of(signal, "pld.barrier").ok_or(Reported)?;
    let group = signal.group(&at);
    form.emit(&at, &signal, group);
    bridge::erase(op);
    Ok(())
}
