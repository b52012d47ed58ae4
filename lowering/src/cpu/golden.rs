//! Goldens: upstream code behind the one signature, whose own loads and stores are checked as
//! those of programs are.

use super::{
    frame::{Frame, Shared},
    function::{self, Role},
    host::malformed,
    llvm::Llvm,
    memory::check_dim,
    plan::Slots,
    scalar,
};
use melior::ir::{
    ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    Kind, bridge,
    emit::Emitter,
    pass::Reported,
    types::{DYNAMIC, Shaped},
    view::{self, Mixed},
};
use std::cell::RefCell;

pub(super) fn lower<'c, 'a>(
    shared: &Shared<'c, 'a>,
    function: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let ops = bridge::collect(function, |_| true);
    let opened = function::open(function, Role::Golden)?;
    let frame = Frame {
        shared,
        // It runs where the host function does.
        kind: Kind::Host,
        in_blocks: false,
        ctx: opened.ctx,
        site: None,
        arena: None,
        slots: Slots::default(),
        direct: RefCell::default(),
        entry: opened.entry,
    };
    for op in ops.into_iter().filter(|&op| !is_in_linalg(op)) {
        scalar::guard(&frame, op)?;
        if shared.bounds {
            check_access(&frame, op)?;
        }
    }
    Ok(())
}

/// Bodies of linalg operations hold arithmetic only.
fn is_in_linalg(op: OperationRef) -> bool {
    let parents = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
    let mut names = parents.map(|op| view::name(&op));
    names.any(|name| name.starts_with("linalg."))
}

/// `memref.load` and `memref.store`: each index is below the extent.
fn check_access<'c, 'a>(
    frame: &Frame<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Reported> {
    let memory = match view::name(&op) {
        "memref.load" => 0,
        "memref.store" => 1,
        _ => return Ok(()),
    };
    let at = Emitter::before(op).ok_or(Reported)?;
    let array = op.operand(memory).map_err(|_| malformed(op))?;
    let Some(shaped) = Shaped::of(array.r#type()) else {
        return Ok(());
    };
    let indices = op.operands().skip(memory + 1);
    for (dim, (index, &known)) in indices.zip(&shaped.shape).enumerate() {
        let extent = if known == DYNAMIC {
            let dim = at.index(dim as i64);
            at.to_i64(at.value("memref.dim", &[array, dim], at.index_type(), &[]))
        } else {
            at.word(known)
        };
        let index = Mixed::Dynamic(index).folded();
        if index
            .as_static()
            .is_some_and(|index| (0..known).contains(&index))
        {
            continue;
        }
        // As what is not known, so that a constant index is checked, too.
        check_dim(frame, &at, op, dim, index, 1.into(), (DYNAMIC, extent));
    }
    Ok(())
}
