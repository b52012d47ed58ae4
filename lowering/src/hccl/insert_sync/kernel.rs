//! A kernel as the walks see it: statements, loops and branches, without what the scalar unit
//! alone does.

use super::{super::emit::text::Effects, cases, places::Place};
use melior::ir::{
    BlockLike, RegionLike, RegionRef, Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::view;

/// A node, by its number in the kernel.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its number.
    pub id: usize,
    /// What it is.
    pub what: What,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum What {
    /// A statement: what the scalar unit reads to issue it, if anything, what it does, and which
    /// memory it touches.
    Statement(Option<Box<Effects>>, Box<Effects>, Memory),
    /// A loop, with its number of rounds if that is known, or 1 if it is not more.
    Loop(Rounds, Option<u64>),
    /// Exactly one of the arms is taken.
    Branch(Vec<Vec<Node>>),
}

/// The rounds of a loop.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    /// The first one, if there surely is one.
    pub first: Option<Vec<Node>>,
    /// Any other one, of which there may be none.
    pub rest: Vec<Node>,
}

/// Which memory is touched.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Whose it is.
    pub whose: Whose,
    /// Where it is, if that is known.
    pub place: Option<Place>,
}

/// Whose slice of a window is touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whose {
    /// The own rank's.
    Own,
    /// Another rank's.
    Other,
    /// That of a rank which may be the own one.
    #[default]
    Any,
}

impl Node {
    /// The blocks in it.
    pub fn blocks(&self) -> &[Vec<Node>] {
        match &self.what {
            What::Statement(..) => &[],
            What::Loop(body, _) => std::slice::from_ref(&body.rest),
            What::Branch(arms) => arms,
        }
    }

    /// Whether the node of this number stands in it, or is it.
    pub fn holds(&self, id: usize) -> bool {
        self.id == id || self.blocks().iter().flatten().any(|node| node.holds(id))
    }
}

/// A kernel.
#[derive(Debug, Default)]
pub struct Kernel<'c, 'a> {
    /// Its operations, by the numbers of the nodes.
    pub ops: Vec<OperationRef<'c, 'a>>,
    /// Its body.
    pub body: Vec<Node>,
    /// Its body in each case of how many ranks there are.
    pub cases: Vec<Vec<Node>>,
}

impl<'c: 'a, 'a> Kernel<'c, 'a> {
    /// Of an `emitc.func`.
    pub fn of(function: OperationRef<'c, 'a>) -> Self {
        let mut kernel = Self::default();
        let body = function.regions().flat_map(|region| kernel.region(region));
        kernel.body = body.collect();
        kernel.cases = cases::of(&kernel, function);
        kernel
    }

    /// Whether there is anything to order. Host functions have nothing.
    pub fn has_statements(&self) -> bool {
        fn any(nodes: &[Node]) -> bool {
            let mut nodes = nodes.iter();
            nodes.any(|node| match &node.what {
                What::Statement(..) => true,
                _ => node.blocks().iter().any(|block| any(block)),
            })
        }
        any(&self.body)
    }

    fn region(&mut self, region: RegionRef<'c, 'a>) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut next = region
            .first_block()
            .and_then(|block| block.first_operation());
        while let Some(op) = next {
            next = op.next_in_block();
            nodes.extend(self.node(op));
        }
        nodes
    }

    fn node(&mut self, op: OperationRef<'c, 'a>) -> Option<Node> {
        let id = self.ops.len();
        self.ops.push(op);
        let what = match view::name(&op) {
            // The body of a do-while runs at least once. Taking it for one that may run no
            // time is only more careful.
            "emitc.for" | "emitc.do" => {
                let body = op.regions().flat_map(|region| self.region(region));
                let body = Rounds {
                    first: None,
                    rest: body.collect(),
                };
                What::Loop(body, rounds(op))
            }
            "emitc.if" | "emitc.switch" => {
                let mut arms: Vec<_> = op.regions().map(|region| self.region(region)).collect();
                // One that is not there does nothing.
                if arms.len() < 2 {
                    arms.push(Vec::new());
                }
                What::Branch(arms)
            }
            _ => {
                let effects = Effects::of(op)?;
                let scalars = !effects.scalars.is_empty();
                let scalars = scalars.then(|| Box::new(effects.of_scalar_unit()));
                What::Statement(scalars, Box::new(effects), Memory::default())
            }
        };
        Some(Node { id, what })
    }
}

/// How often the body of an `emitc.for` runs, if its bounds are constants.
fn rounds(op: OperationRef) -> Option<u64> {
    if rest_of_two(op) {
        return Some(1);
    }
    let known = |index| number(op.operand(index).ok()?);
    let (from, to, step) = (known(0)?, known(1)?, known(2)?);
    let rounds = to
        .saturating_sub(from)
        .checked_add(step - 1)?
        .checked_div(step)?;
    u64::try_from(rounds.max(0)).ok()
}

/// Whether a loop is what is left of one that takes two at a time: from `to - x % 2` to `to`.
fn rest_of_two(op: OperationRef) -> bool {
    let rest = || {
        let from = view::defining_op(op.operand(0).ok()?)?;
        let rest = view::defining_op(from.operand(1).ok()?)?;
        let of_two = view::is(&from, "emitc.sub") && view::is(&rest, "emitc.rem");
        let to_end = from.operand(0).ok()? == op.operand(1).ok()?;
        let numbers = (number(op.operand(2).ok()?)?, number(rest.operand(1).ok()?)?);
        Some(of_two && to_end && numbers == (1, 2))
    };
    view::is(&op, "emitc.for") && rest().unwrap_or(false)
}

/// A constant.
fn number(value: Value) -> Option<i64> {
    view::integer(&view::defining_op(value)?, "value")
}

/// The smallest block that holds both nodes, as the path of loops and branches to it, and the
/// positions in it of what holds them.
pub fn common_block<'k>(body: &'k [Node], one: usize, other: usize) -> Option<Common<'k>> {
    let mut common = Common {
        around: None,
        block: body,
        positions: [0, 0],
    };
    loop {
        let block = common.block;
        let find = |id| block.iter().position(|node| node.holds(id));
        common.positions = [find(one)?, find(other)?];
        let [a, b] = common.positions;
        if a != b {
            return Some(common);
        }
        let node = &block[a];
        let both = |block: &&Vec<Node>| {
            let holds = |id| block.iter().any(|node| node.holds(id));
            holds(one) && holds(other)
        };
        let Some(inner) = node.blocks().iter().find(both) else {
            return Some(common);
        };
        common.around = Some(node);
        common.block = inner;
    }
}

/// See [`common_block`].
pub struct Common<'k> {
    /// The loop or branch that the block is in.
    pub around: Option<&'k Node>,
    /// The block.
    pub block: &'k [Node],
    /// Where the two stand in it.
    pub positions: [usize; 2],
}
