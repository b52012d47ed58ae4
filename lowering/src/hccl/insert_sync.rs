//! `pl-insert-sync`: orders the statements of a kernel.
//!
//! Statements of one pipe start in order but may overlap; those of different pipes are not
//! ordered at all. A walk keeps, for each access, the pipes that know it complete. Where a
//! statement conflicts with an access that its pipe does not know complete, the missing order
//! is inserted just before it:
//!
//! | conflict | inserted |
//! | --- | --- |
//! | between pipes | a flag, set and waited for: `pld::Sync<HardEvent::A_B>()` |
//! | V after V: read or write after write | `PipeBarrier<PIPE_V>` |
//! | MTE2 after MTE2: write after write on-core | `PipeBarrier<PIPE_MTE2>` |
//! | MTE3 after MTE3: write after write in global memory, not both atomic | `PipeBarrier<PIPE_MTE3>` |
//!
//! Branches join what both arms leave open. A loop may run no time, so what is open before
//! it stays open after it; its body is walked until nothing is missing between iterations.

use super::{emit::text::Effects, statement::Pipe};
use melior::ir::{
    BlockLike, RegionLike, RegionRef,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pass::{Options, Pass, Reported},
    pl::EFFECTS,
    view,
};
use std::collections::HashMap;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-insert-sync",
    description: "Insert flags and pipe barriers between the statements of each kernel, by the \
                  attribute pl.effects, which is removed. After it every conflict is ordered, \
                  whichever way branches and loops go.",
    options: &[],
    run,
};

fn run(module: OperationRef, _: &Options) -> Result<(), Reported> {
    for function in bridge::collect(module, |name| name == "emitc.func") {
        let mut orders = Orders::default();
        orders.walk_regions(function, &mut State::default());
        for statement in bridge::collect(function, |_| true) {
            orders.insert(statement)?;
            bridge::remove_attribute(statement, EFFECTS);
        }
    }
    Ok(())
}

/// An access that some pipe may not know complete.
#[derive(Clone, Debug, PartialEq)]
struct Access {
    effects: Effects,
    /// The statement, so that a loop's second walk finds it again.
    id: usize,
    /// Pipes that know it complete, by number.
    known: [bool; 4],
}

/// What is open at a point of the walk.
#[derive(Clone, Debug, Default, PartialEq)]
struct State(Vec<Access>);

/// An order to insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Flag(Pipe, Pipe),
    Barrier(Pipe),
}

impl Order {
    fn text(self) -> String {
        match self {
            Self::Flag(from, to) => format!(
                "pld::Sync<AscendC::HardEvent::{}_{}>();",
                from.name(),
                to.name()
            ),
            Self::Barrier(pipe) => format!("AscendC::PipeBarrier<PIPE_{}>();", pipe.name()),
        }
    }
}

impl State {
    /// What must be inserted before a statement: for its latest conflict first, since that
    /// order covers earlier ones on the way.
    fn missing(&self, next: &Effects) -> Vec<Order> {
        let to = next.pipe;
        let mut state = self.clone();
        state.pass_on(to);
        let mut orders = Vec::new();
        let is_open =
            |access: &&Access| !access.known[to as usize] && conflict(&access.effects, next);
        while let Some(access) = state.0.iter().rev().find(is_open) {
            let from = access.effects.pipe;
            let order = if from == to {
                Order::Barrier(to)
            } else {
                Order::Flag(from, to)
            };
            orders.push(order);
            state.apply(order);
        }
        orders
    }

    /// After an order, its destination knows what its source knew, and the source's own.
    fn apply(&mut self, order: Order) {
        let (from, to) = match order {
            Order::Flag(from, to) => (from, to),
            Order::Barrier(pipe) => (pipe, pipe),
        };
        for access in &mut self.0 {
            if access.effects.pipe == from || access.known[from as usize] {
                access.known[to as usize] = true;
            }
        }
        self.forget();
    }

    /// What the scalar unit knows complete is so when it issues to `pipe`. Its own accesses are
    /// known to itself alone, until a flag.
    fn pass_on(&mut self, pipe: Pipe) {
        for access in &mut self.0 {
            let passed_on = access.effects.pipe != Pipe::S && pipe != Pipe::All;
            if passed_on && access.known[Pipe::S as usize] {
                access.known[pipe as usize] = true;
            }
        }
    }

    /// Issues a statement.
    fn issue(&mut self, id: usize, effects: &Effects) {
        self.pass_on(effects.pipe);
        if effects.fence {
            return self.0.clear();
        }
        self.forget();
        let mut known = [false; 4];
        // The scalar unit is in order with itself.
        known[Pipe::S as usize] = effects.pipe == Pipe::S;
        self.0
            .retain(|access| access.id != id || access.known != known);
        self.0.push(Access {
            effects: effects.clone(),
            id,
            known,
        });
    }

    /// Drops what every pipe knows complete.
    fn forget(&mut self) {
        self.0.retain(|access| access.known.contains(&false));
    }

    /// What may be open when either may have happened.
    fn join(&mut self, other: &Self) {
        for access in &other.0 {
            if !self.0.contains(access) {
                self.0.push(access.clone());
            }
        }
    }
}

fn overlap(one: &[(i64, i64)], other: &[(i64, i64)]) -> bool {
    one.iter()
        .any(|a| other.iter().any(|b| a.0 < b.1 && b.0 < a.1))
}

fn same(one: &Option<String>, other: &Option<String>) -> bool {
    one.is_some() && one == other
}

/// Whether two statements, in this order, must not overlap in time.
fn conflict(first: &Effects, second: &Effects) -> bool {
    let write_write = overlap(&first.writes, &second.writes);
    let read_after_write = overlap(&first.writes, &second.reads);
    let write_after_read = overlap(&first.reads, &second.writes);
    let gm_write_write = same(&first.gm_write, &second.gm_write)
        && !(first.atomic && second.atomic && first.pipe == second.pipe);
    match (first.pipe, second.pipe) {
        (Pipe::S, Pipe::S) => false,
        (Pipe::V, Pipe::V) => write_write || read_after_write,
        (Pipe::Mte2, Pipe::Mte2) => write_write,
        (Pipe::Mte3, Pipe::Mte3) => gm_write_write,
        _ => {
            write_write
                || read_after_write
                || write_after_read
                || gm_write_write
                || same(&first.gm_write, &second.gm_read)
                || same(&first.gm_read, &second.gm_write)
        }
    }
}

/// What to insert before each statement. A walk only adds to it and starts from what is
/// there, so that a loop may be walked until nothing is added.
#[derive(Default)]
struct Orders(HashMap<usize, Vec<Order>>);

impl Orders {
    fn insert(&self, statement: OperationRef) -> Result<(), Reported> {
        let orders = self.0.get(&id(statement)).into_iter().flatten();
        for order in orders {
            let at = Emitter::before(statement).ok_or(Reported)?;
            super::emit::text::line(&at, order.text());
        }
        Ok(())
    }

    fn walk_regions(&mut self, op: OperationRef, state: &mut State) {
        for region in op.regions() {
            self.walk_region(region, state);
        }
    }

    /// False if the region is empty.
    fn walk_region(&mut self, region: RegionRef, state: &mut State) -> bool {
        let first = region
            .first_block()
            .and_then(|block| block.first_operation());
        let mut next = first;
        while let Some(op) = next {
            next = op.next_in_block();
            self.walk(op, state);
        }
        first.is_some()
    }

    fn walk(&mut self, op: OperationRef, state: &mut State) {
        match view::name(&op) {
            // The body runs at least once. Taking it for one that may run no time is only
            // more careful.
            "emitc.for" | "emitc.do" => self.walk_loop(op, state),
            "emitc.if" | "emitc.switch" => self.walk_branches(op, state),
            _ => self.statement(op, state),
        }
    }

    fn statement(&mut self, op: OperationRef, state: &mut State) {
        let Some(effects) = Effects::of(op) else {
            return;
        };
        let id = id(op);
        // A fence of its own (a notify) needs nothing before it.
        if effects.pipe == Pipe::All {
            return state.issue(id, &effects);
        }
        let orders = self.0.entry(id).or_default();
        orders.iter().for_each(|&order| state.apply(order));
        // The scalar unit first reads what it issues the statement with. No statement has an
        // odd address.
        let scalars = (!effects.scalars.is_empty()).then(|| (id + 1, effects.of_scalar_unit()));
        let parts: Vec<_> = scalars.into_iter().chain([(id, effects)]).collect();
        for (_, effects) in &parts {
            for order in state.missing(effects) {
                orders.push(order);
                state.apply(order);
            }
        }
        for (id, effects) in &parts {
            state.issue(*id, effects);
        }
    }

    /// The body may run no time, or again after itself: walks it until its end leaves
    /// nothing open that was not open at its start.
    fn walk_loop(&mut self, op: OperationRef, state: &mut State) {
        loop {
            let entry = state.clone();
            self.walk_regions(op, state);
            state.join(&entry);
            if subset(state, &entry) {
                return;
            }
        }
    }

    fn walk_branches(&mut self, op: OperationRef, state: &mut State) {
        let before = std::mem::take(state);
        let mut arms = 0;
        for region in op.regions() {
            let mut arm = before.clone();
            arms += usize::from(self.walk_region(region, &mut arm));
            state.join(&arm);
        }
        // An `if` without an else may do nothing.
        if arms < 2 {
            state.join(&before);
        }
    }
}

fn id(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

fn subset(one: &State, other: &State) -> bool {
    one.0.iter().all(|access| other.0.contains(access))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(pipe: Pipe, reads: &[(i64, i64)], writes: &[(i64, i64)]) -> Effects {
        Effects {
            pipe,
            reads: reads.to_vec(),
            scalars: vec![],
            writes: writes.to_vec(),
            gm_read: None,
            gm_write: None,
            atomic: false,
            fence: false,
        }
    }

    /// What the scalar unit reads to issue a statement orders it after the read's source, and
    /// before whatever overwrites it later.
    #[test]
    fn scalars_of_a_statement() {
        let by_column = Effects {
            scalars: vec![(0, 32)],
            ..effects(Pipe::V, &[(32, 64)], &[(64, 96)])
        };
        let mut state = State::default();
        state.issue(2, &effects(Pipe::V, &[], &[(0, 32)]));
        let read = by_column.of_scalar_unit();
        assert_eq!(state.missing(&read), [Order::Flag(Pipe::V, Pipe::S)]);
        state.apply(Order::Flag(Pipe::V, Pipe::S));
        state.issue(4, &read);
        assert_eq!(state.missing(&by_column), []);
        state.issue(6, &by_column);
        assert_eq!(
            state.missing(&effects(Pipe::V, &[], &[(0, 32)])),
            [Order::Flag(Pipe::S, Pipe::V)]
        );
    }

    /// A load, a computation on it and a store need one flag each; a second store of the
    /// same tile needs none.
    #[test]
    fn a_chain() {
        let mut state = State::default();
        let mut step = |id, effects: Effects| {
            let orders = state.missing(&effects);
            orders.iter().for_each(|&order| state.apply(order));
            state.issue(id, &effects);
            orders
        };
        assert_eq!(step(1, effects(Pipe::Mte2, &[], &[(0, 32)])), []);
        assert_eq!(
            step(2, effects(Pipe::V, &[(0, 32)], &[(32, 64)])),
            [Order::Flag(Pipe::Mte2, Pipe::V)]
        );
        assert_eq!(
            step(3, effects(Pipe::Mte3, &[(32, 64)], &[])),
            [Order::Flag(Pipe::V, Pipe::Mte3)]
        );
        assert_eq!(step(4, effects(Pipe::Mte3, &[(32, 64)], &[])), []);
        // The load is known to V, and through V to MTE3; MTE2 itself may write its tile only
        // after V has read it.
        assert_eq!(
            step(5, effects(Pipe::Mte2, &[], &[(0, 32)])),
            [Order::Flag(Pipe::V, Pipe::Mte2)]
        );
    }
}
