//! The ways a kernel can go, by the number of ranks: which loops run at all, which arms of
//! branches are taken, and whose memory a statement touches there.
//!
//! One rank alone and several ranks are two cases. What orders the accesses of several may not be
//! there for one, which then has other orders, or none to keep: a barrier has no rounds for one
//! rank, and none of the peers of several is the own rank.

use super::{
    facts::Facts,
    kernel::{Kernel, Node, Rounds, What, Whose},
    number::{Linear, Number, Ranks},
};
use melior::ir::{
    BlockLike, RegionLike, Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{bridge, view};
use std::collections::HashMap;

/// Attribute of a kernel until it is ordered: the numbers of ranks that its program admits.
pub const WORLD_SIZES: &str = "world_sizes";

/// The kernel's body in each case.
pub fn of(kernel: &Kernel, function: OperationRef) -> Vec<Vec<Node>> {
    let buffers = Buffers::of(function);
    let in_case = |ranks| {
        let mut case = Case {
            kernel,
            buffers: &buffers,
            facts: Facts::new(ranks),
        };
        case.nodes(&kernel.body)
    };
    all(function).into_iter().map(in_case).collect()
}

/// The numbers of ranks that are looked at apart.
fn all(function: OperationRef) -> Vec<Ranks> {
    let sizes = view::integers(&function, WORLD_SIZES).unwrap_or_default();
    let least = sizes.iter().copied().min().unwrap_or(1).max(1);
    let most = sizes.iter().copied().max().unwrap_or(Ranks::MOST);
    let ranks = |least, most| Ranks { least, most };
    // The context of all ranks is not even a variable where nothing asks it.
    let asks = |op: &OperationRef| {
        let text = view::string(op, "value").unwrap_or_default();
        text.starts_with("auto ctx =")
    };
    let lines = bridge::collect(function, |name| name == "emitc.verbatim");
    if least > 1 || most <= 1 || !lines.iter().any(asks) {
        return vec![ranks(least, most)];
    }
    vec![ranks(1, 1), ranks(2, most)]
}

/// Whose memory each tensor over global memory is.
struct Buffers<'c, 'a>(HashMap<usize, Buffer<'c, 'a>>);

#[derive(Clone, Copy)]
enum Buffer<'c, 'a> {
    /// The own rank's.
    Own,
    /// That of a rank of all.
    Of(Value<'c, 'a>),
    /// It is not known.
    Unknown,
}

impl<'c: 'a, 'a> Buffers<'c, 'a> {
    fn of(function: OperationRef<'c, 'a>) -> Self {
        let mut buffers = HashMap::new();
        for line in bridge::collect(function, |name| name == "emitc.verbatim") {
            let text = view::string(&line, "value").unwrap_or_default();
            let Some(address) = text.strip_prefix("{}.SetGlobalBuffer(") else {
                continue;
            };
            let Ok(tensor) = line.operand(0) else {
                continue;
            };
            let buffer = if !address.contains("pld::PeerAddr(") {
                Buffer::Own
            } else if address.contains("pld::PeerAddr(ctx, {}, {})") {
                line.operand(2).map_or(Buffer::Unknown, Buffer::Of)
            } else {
                Buffer::Unknown
            };
            buffers
                .entry(bridge::value_key(tensor))
                .and_modify(|known| *known = Buffer::Unknown)
                .or_insert(buffer);
        }
        Self(buffers)
    }

    /// The tensor that a statement takes.
    fn buffer(&self, statement: OperationRef<'c, 'a>) -> Buffer<'c, 'a> {
        let mut found = statement
            .operands()
            .filter_map(|operand| self.0.get(&bridge::value_key(operand)));
        found.next().copied().unwrap_or(Buffer::Unknown)
    }
}

struct Case<'c, 'a, 'k> {
    kernel: &'k Kernel<'c, 'a>,
    buffers: &'k Buffers<'c, 'a>,
    facts: Facts<'c, 'a>,
}

impl<'c: 'a, 'a> Case<'c, 'a, '_> {
    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: &Node) -> Node {
        let op = self.kernel.ops[node.id];
        let what = match &node.what {
            What::Statement(scalars, effects, _) => {
                What::Statement(scalars.clone(), effects.clone(), self.whose(op))
            }
            What::Loop(body, rounds) => self.rounds(op, &body.rest, *rounds),
            What::Branch(arms) => self.branch(op, arms),
        };
        Node { id: node.id, what }
    }

    fn whose(&mut self, statement: OperationRef<'c, 'a>) -> Whose {
        match self.buffers.buffer(statement) {
            Buffer::Own => Whose::Own,
            Buffer::Unknown => Whose::Any,
            Buffer::Of(rank) => match self.facts.is_other(rank) {
                Some(true) => Whose::Other,
                Some(false) => Whose::Own,
                None => Whose::Any,
            },
        }
    }

    fn branch(&mut self, op: OperationRef<'c, 'a>, arms: &[Vec<Node>]) -> What {
        let condition = op.operand(0).ok().filter(|_| view::is(&op, "emitc.if"));
        let (Some(condition), [then, otherwise]) = (condition, arms) else {
            return What::Branch(arms.iter().map(|arm| self.nodes(arm)).collect());
        };
        let arms = [(true, then), (false, otherwise)];
        let holds = self.facts.holds(condition);
        let taken = |(is, _): &(bool, &Vec<Node>)| holds.is_none_or(|holds| holds == *is);
        let arms = arms.into_iter().filter(taken).map(|(is, arm)| {
            let before = self.facts.begin(condition, is);
            let nodes = self.nodes(arm);
            self.facts.end(before);
            nodes
        });
        What::Branch(arms.collect())
    }

    fn rounds(&mut self, op: OperationRef<'c, 'a>, body: &[Node], known: Option<u64>) -> What {
        let Some((counter, [from, to, step])) = self.header(op) else {
            return What::Loop(
                Rounds {
                    first: None,
                    rest: self.nodes(body),
                },
                known,
            );
        };
        let ranks = self.facts.ranks();
        let one = Number::exactly(Linear::of(1));
        let runs = ranks.less(from, to);
        if runs == Some(false) {
            return What::Loop(Rounds::default(), Some(0));
        }
        let last = ranks.sub(to, one);
        let from_on = |from: Number| Number {
            least: from.least,
            most: last.most,
            after: None,
        };
        let next = ranks.add(from, step);
        let once = ranks.less(next, to) == Some(false);
        let first = (runs == Some(true)).then(|| {
            let before = self.facts.is(counter, from);
            let nodes = self.nodes(body);
            self.facts.end(before);
            nodes
        });
        let rest = if first.is_some() { next } else { from };
        let before = self.facts.is(counter, from_on(rest));
        let rest = self.nodes(body);
        self.facts.end(before);
        let known = if once { Some(1) } else { known };
        What::Loop(Rounds { first, rest }, known)
    }

    /// Counter and bounds of an `emitc.for` whose step is a constant above 0.
    fn header(&mut self, op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, [Number; 3])> {
        if !view::is(&op, "emitc.for") {
            return None;
        }
        let block = op.region(0).ok()?.first_block()?;
        let counter = block.argument(0).ok()?.into();
        let mut number = |index| Some(self.facts.number(op.operand(index).ok()?));
        let numbers = [number(0)?, number(1)?, number(2)?];
        (numbers[2].constant()? > 0).then_some((counter, numbers))
    }
}
