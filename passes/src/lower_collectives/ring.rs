//! Steps round a ring, in which each rank waits for the rank before it only.
//!
//! Twice n - 1 steps. Each tells the next rank of its end, by adding 1 to this rank's cell
//! there; step k begins when the previous rank has told of k steps. The counts are taken back
//! at once, when the last of them has been waited for: the previous rank may have entered the
//! barrier that follows by then, whose count in this cell is left standing. In a group of many
//! ranks, whose barriers have cells by round, the steps have a cell behind those.

use super::protocol::Protocol;
use melior::ir::Value;
use pld_dialects::emit::Emitter;

pub(super) struct Ring<'c, 'a, 'p> {
    protocol: &'p Protocol<'c, 'a>,
    /// The rank before this one, which it waits for.
    pub(super) previous: Value<'c, 'a>,
    next: Value<'c, 'a>,
    /// Where this rank tells the next one, and where it is told.
    tells: Value<'c, 'a>,
    hears: Value<'c, 'a>,
    /// Steps of each half.
    half: Value<'c, 'a>,
    /// Ends that are told: of all steps but the last, after which nobody waits.
    told: Value<'c, 'a>,
}

impl<'c, 'a, 'p> Ring<'c, 'a, 'p> {
    pub(super) fn new(at: &Emitter<'c, 'a>, protocol: &'p Protocol<'c, 'a>) -> Self {
        let (group, one) = (protocol.group, at.index(1));
        let half = at.binary("arith.subi", group.count, one);
        let steps = at.binary("arith.addi", half, half);
        let previous = group.before(at, one);
        let cell = |rank| protocol.form.step_cell(at, group, rank);
        Self {
            protocol,
            previous,
            tells: cell(group.me),
            hears: cell(previous),
            next: group.after(at, one),
            half,
            told: at.binary("arith.subi", steps, one),
        }
    }

    /// The first n - 1 steps; `body` gets their numbers, from 0 on.
    pub(super) fn steps(
        &self,
        at: &Emitter<'c, 'a>,
        body: impl FnOnce(&Emitter<'c, 'a>, Value<'c, 'a>),
    ) {
        at.for_loop(at.index(0), self.half, at.index(1), |at, step| {
            self.step(at, step, |at| body(at, step));
        });
    }

    /// The other n - 1, again from 0 on.
    pub(super) fn more_steps(
        &self,
        at: &Emitter<'c, 'a>,
        body: impl FnOnce(&Emitter<'c, 'a>, Value<'c, 'a>),
    ) {
        at.for_loop(at.index(0), self.half, at.index(1), |at, step| {
            let number = at.binary("arith.addi", self.half, step);
            self.step(at, number, |at| body(at, step));
        });
    }

    fn step(
        &self,
        at: &Emitter<'c, 'a>,
        number: Value<'c, 'a>,
        body: impl FnOnce(&Emitter<'c, 'a>),
    ) {
        let signal = &self.protocol.signal;
        signal.wait_for(at, as_count(at, number), self.hears);
        body(at);
        at.if_then(at.cmpi(2, number, self.told), |at| {
            let one = at.int(at.int_type(32), 1);
            signal.add(at, one, self.tells, self.next);
        });
    }

    /// Takes the counts back.
    pub(super) fn end(&self, at: &Emitter<'c, 'a>) {
        let Protocol { signal, group, .. } = self.protocol;
        at.if_then(at.cmpi(4, self.told, at.index(0)), |at| {
            let none = at.int(at.int_type(32), 0);
            let back = at.binary("arith.subi", none, as_count(at, self.told));
            signal.add(at, back, self.hears, group.me);
        });
    }
}

/// A number as a signal's value.
fn as_count<'c, 'a>(at: &Emitter<'c, 'a>, number: Value<'c, 'a>) -> Value<'c, 'a> {
    at.value("arith.index_cast", &[number], at.int_type(32), &[])
}
