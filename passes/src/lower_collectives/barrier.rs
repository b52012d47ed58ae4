//! The barrier, in two forms. In both all cells are zero again when every rank has passed.
//!
//! **Credit.** Add 1 to the own cell on every peer, wait until each peer's cell here is at
//! least 1, take 1 back from each.
//!
//! **Dissemination.** In round k tell the rank 2^k after, and wait for the rank 2^k before;
//! ceil(log2 n) rounds. After round k a rank has heard, through others, of the 2^(k+1) ranks
//! up to itself, so after the last one of all.
//!
//! Both take counts back one by one, because a cell can hold two: a rank that has passed may
//! be in the next barrier, and add to a cell that its slower peer has not cleared. No rank is
//! two barriers ahead, since passing one takes all ranks to have entered it, and so to have
//! left the one before. The distances 2^k < n differ, so a barrier uses a cell once, and its
//! counts arrive in the sender's order: the first count is this barrier's, and taking 1 back
//! leaves the next one's.
//!
//! The cell is that of the sender's rank, or, where such cells would take more than a page of
//! memory, that of the round: it has one sender as well, and a rank then touches one page of its
//! slice and not one for each round.

use super::signal::{Group, Signal};
use melior::ir::Value;
use pld_dialects::{emit::Emitter, pass::OptionSpec};
use std::{fmt, str::FromStr};

/// The most rounds of a barrier: a count of ranks has no more bits.
const ROUNDS: i64 = 31;

/// Option: which form barriers have, those inside collectives too.
pub const OPTION: OptionSpec = OptionSpec {
    name: "barrier",
    description: "how ranks meet: dissemination (in log2 n rounds) or credit (all to all)",
    default: "dissemination",
};

/// How the ranks of a group meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Barrier {
    /// Notifies of every rank: log2 n, in as many rounds.
    #[default]
    Dissemination,
    /// Notifies of every rank: one for each peer, in one round.
    Credit,
}

impl Barrier {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dissemination => "dissemination",
            Self::Credit => "credit",
        }
    }

    /// The cell in which rank `rank` tells a neighbour of its steps, apart from the barriers'.
    pub(super) fn step_cell<'c, 'a>(
        self,
        at: &Emitter<'c, 'a>,
        group: Group<'c, 'a>,
        rank: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        match self {
            Self::Dissemination => group.cell(at, rank, at.index(ROUNDS)),
            Self::Credit => rank,
        }
    }

    /// Emits a barrier of the signal's group.
    pub(super) fn emit<'c, 'a>(
        self,
        at: &Emitter<'c, 'a>,
        signal: &Signal<'c, 'a>,
        group: Group<'c, 'a>,
    ) {
        match self {
            Self::Dissemination => dissemination(at, signal, group),
            Self::Credit => credit(at, signal, group),
        }
    }
}

impl fmt::Display for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Barrier {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Dissemination, Self::Credit];
        let known = all.into_iter().find(|form| form.name() == text);
        known.ok_or_else(|| format!("barrier is '{text}', expected dissemination or credit"))
    }
}

/// +1 and -1.
fn counts<'c, 'a>(at: &Emitter<'c, 'a>) -> [Value<'c, 'a>; 2] {
    [1, -1].map(|value| at.int(at.int_type(32), value))
}

fn credit<'c, 'a>(at: &Emitter<'c, 'a>, signal: &Signal<'c, 'a>, group: Group<'c, 'a>) {
    let [credit, debit] = counts(at);
    let for_peers = |body: &dyn Fn(&Emitter<'c, 'a>, Value<'c, 'a>)| {
        group.for_each(at, |at, peer| {
            let other = at.cmpi(1, peer, group.me);
            at.if_then(other, |at| body(at, peer));
        });
    };
    for_peers(&|at, peer| signal.add(at, credit, group.me, peer));
    for_peers(&|at, peer| signal.wait_for(at, credit, peer));
    for_peers(&|at, peer| signal.add(at, debit, peer, group.me));
}

fn dissemination<'c, 'a>(at: &Emitter<'c, 'a>, signal: &Signal<'c, 'a>, group: Group<'c, 'a>) {
    let [credit, debit] = counts(at);
    let one = at.index(1);
    // No more rounds than peers.
    let peers = at.binary("arith.subi", group.count, one);
    let rounds = at.binary("arith.minsi", peers, at.index(ROUNDS));
    at.for_loop(at.index(0), rounds, one, |at, round| {
        let distance = at.binary("arith.shli", one, round);
        let in_group = at.cmpi(2, distance, group.count);
        at.if_then(in_group, |at| {
            let (to, from) = (group.after(at, distance), group.before(at, distance));
            let [tells, hears] = [group.me, from].map(|rank| group.cell(at, rank, round));
            signal.add(at, credit, tells, to);
            signal.wait_for(at, credit, hears);
            signal.add(at, debit, hears, group.me);
        });
    });
}
