//! The ways a kernel can go, by the number of ranks: which loops run at all, which arms of
//! branches are taken, and whose memory a statement touches there.
//!
//! One rank alone and several ranks are two cases. What orders the accesses of several may not be
//! there for one, which then has other orders, or none to keep: a barrier has no rounds for one
//! rank, and none of the peers of several is the own rank.

use super::{
    super::emit::text::Extent,
    facts::Facts,
    kernel::{Kernel, Memory, Node, Rounds, What, Whose},
    number::{Linear, Number, Ranks},
    places::{Part, Place, Rows},
    sums::{Counter, Counters, Loops, Sum, Sums},
};
use melior::ir::{
    BlockLike, RegionLike, Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{bridge, view};
use std::collections::HashMap;

/// Attribute of a kernel until it is ordered: the numbers of ranks that its program admits.
pub const WORLD_SIZES: &str = "world_sizes";

/// So many loops in each other are looked at round by round. Each of them doubles what there is to
/// walk; deeper ones are taken as they stand, and what is in them may touch any memory.
const MOST_NESTED: usize = 5;

/// The kernel's body in each case.
pub fn of(kernel: &Kernel, function: OperationRef) -> Vec<Vec<Node>> {
    let buffers = Buffers::of(function);
    let ops = kernel.ops.iter().enumerate();
    let loops = Loops::of(ops.map(|(id, &op)| (id, op)));
    let in_case = |ranks| {
        let mut case = Case {
            kernel,
            buffers: &buffers,
            loops: &loops,
            facts: Facts::new(ranks),
            counters: Counters::default(),
            around: Vec::new(),
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

/// The memory that each tensor over global memory is over.
struct Buffers<'c, 'a>(HashMap<usize, Option<Buffer<'c, 'a>>>);

#[derive(Clone, Copy)]
struct Buffer<'c, 'a> {
    /// The own rank's address of it.
    base: Value<'c, 'a>,
    peer: Peer<'c, 'a>,
}

#[derive(Clone, Copy)]
enum Peer<'c, 'a> {
    /// It is the own rank's.
    Own,
    /// It is that of a rank of all.
    Of(Value<'c, 'a>),
    /// It is that of another group's rank.
    Unknown,
}

impl<'c: 'a, 'a> Buffers<'c, 'a> {
    fn of(function: OperationRef<'c, 'a>) -> Self {
        let mut buffers = HashMap::new();
        for line in bridge::collect(function, |name| name == "emitc.verbatim") {
            let text = view::string(&line, "value").unwrap_or_default();
            let address = text.strip_prefix("{}.SetGlobalBuffer(");
            if let (Some(address), Ok(tensor)) = (address, line.operand(0)) {
                buffers
                    .entry(bridge::value_key(tensor))
                    // One that is set twice may be either.
                    .and_modify(|known| *known = None)
                    .or_insert_with(|| Buffer::of(line, address));
            }
        }
        Self(buffers)
    }

    /// The memory that a statement takes, and the number of the operand that is a tensor over it.
    fn buffer(&self, statement: OperationRef<'c, 'a>) -> Option<(Buffer<'c, 'a>, usize)> {
        let found = statement
            .operands()
            .enumerate()
            .find_map(|(index, operand)| {
                let buffer = self.0.get(&bridge::value_key(operand))?;
                Some((*buffer, index))
            });
        found.and_then(|(buffer, index)| Some((buffer?, index)))
    }
}

impl<'c: 'a, 'a> Buffer<'c, 'a> {
    fn of(line: OperationRef<'c, 'a>, address: &str) -> Option<Self> {
        let base = line.operand(1).ok()?;
        let peer = if !address.contains("pld::PeerAddr(") {
            Peer::Own
        } else if address.contains("pld::PeerAddr(ctx, {}, {})") {
            Peer::Of(line.operand(2).ok()?)
        } else {
            Peer::Unknown
        };
        Some(Self { base, peer })
    }
}

/// The index behind the `tensor`-th value of a statement: a value too, or a number.
fn index_of(text: &str, tensor: usize) -> Option<Index> {
    let mut rest = text;
    let mut values = 0;
    loop {
        let at = rest.find('{')?;
        let brace = &rest[at..];
        if let Some(after) = brace.strip_prefix("{}") {
            if values == tensor {
                let (index, _) = after.strip_prefix('[')?.split_once(']')?;
                return match index {
                    "{}" => Some(Index::Value(tensor + 1)),
                    _ => index.parse().ok().map(Index::Number),
                };
            }
            values += 1;
            rest = after;
        } else {
            // A brace of the text is written twice.
            rest = brace.get(2..)?;
        }
    }
}

/// The number of rows and the bytes of each that a DMA moves: what its parameters begin with.
fn rows_of(text: &str) -> Option<[Index; 2]> {
    let copy = text.strip_prefix("AscendC::DataCopyPad(")?;
    let (before, parameters) = copy.split_once(", {{")?;
    let mut values = before.matches("{}").count();
    let mut parameters = parameters.split(", ").map(|parameter| {
        let cast = parameter.strip_prefix("static_cast<uint").map(|_| "({})");
        match cast {
            Some(value) if parameter.ends_with(value) => {
                values += 1;
                Some(Index::Value(values - 1))
            }
            _ => parameter.parse().ok().map(Index::Number),
        }
    });
    Some([parameters.next()??, parameters.next()??])
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Index {
    /// The value of this number.
    Value(usize),
    /// Itself.
    Number(i64),
}

struct Case<'c, 'a, 'k> {
    kernel: &'k Kernel<'c, 'a>,
    buffers: &'k Buffers<'c, 'a>,
    loops: &'k Loops,
    facts: Facts<'c, 'a>,
    counters: Counters<'c, 'a>,
    /// The loops around, the outermost first.
    around: Vec<usize>,
}

impl<'c: 'a, 'a> Case<'c, 'a, '_> {
    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: &Node) -> Node {
        let op = self.kernel.ops[node.id];
        let what = match &node.what {
            What::Statement(scalars, effects, _) => {
                let memory = self.memory(op, effects.gm_extent);
                What::Statement(scalars.clone(), effects.clone(), memory)
            }
            What::Loop(body, rounds) => {
                self.around.push(node.id);
                let rounds = self.rounds(op, &body.rest, *rounds);
                self.around.pop();
                rounds
            }
            What::Branch(arms) => self.branch(op, arms),
        };
        Node { id: node.id, what }
    }

    fn memory(&mut self, statement: OperationRef<'c, 'a>, extent: Option<Extent>) -> Memory {
        let Some((buffer, tensor)) = self.buffers.buffer(statement) else {
            return Memory::default();
        };
        let whose = match buffer.peer {
            Peer::Own => Whose::Own,
            Peer::Unknown => Whose::Any,
            Peer::Of(rank) => match self.facts.is_other(rank) {
                Some(true) => Whose::Other,
                Some(false) => Whose::Own,
                None => Whose::Any,
            },
        };
        let place = (self.around.len() <= MOST_NESTED).then(|| Place {
            ranks: self.facts.ranks(),
            rank: match buffer.peer {
                Peer::Own => Some(Sum::rank(self.facts.ranks())),
                Peer::Of(rank) => Some(self.sums().of_rank(rank)),
                Peer::Unknown => None,
            },
            part: self.part(statement, buffer, tensor, extent),
            loops: self.around.clone(),
        });
        Memory { whose, place }
    }

    fn part(
        &mut self,
        statement: OperationRef<'c, 'a>,
        buffer: Buffer<'c, 'a>,
        tensor: usize,
        extent: Option<Extent>,
    ) -> Option<Part> {
        let text = view::string(&statement, "value")?;
        let extent = extent?;
        let first = self.index(statement, index_of(&text, tensor)?)?;
        let rows = rows_of(&text).and_then(|[count, bytes]| {
            Some(Rows {
                count: self.index(statement, count)?,
                bytes: self.index(statement, bytes)?,
                pitch: extent.pitch,
                element: extent.element,
            })
        });
        Some(Part {
            base: bridge::value_key(buffer.base),
            first,
            span: extent.span,
            rows,
        })
    }

    fn index(&mut self, statement: OperationRef<'c, 'a>, index: Index) -> Option<Sum> {
        Some(match index {
            Index::Number(number) => Sum::of(number),
            Index::Value(operand) => self.sum(statement.operand(operand).ok()?),
        })
    }

    fn sums(&mut self) -> Sums<'_, 'c, 'a> {
        Sums {
            facts: &mut self.facts,
            loops: self.loops,
            counters: &self.counters,
        }
    }

    fn sum(&mut self, value: Value<'c, 'a>) -> Sum {
        self.sums().of(value)
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
        let Some(header) = self.header(op) else {
            let rest = self.nodes(body);
            return What::Loop(Rounds { first: None, rest }, known);
        };
        let Header { step, sums, .. } = &header;
        let ranks = self.facts.ranks();
        let [from, to] = header.bounds.map(|bound| self.facts.number(bound));
        let distance = sums[0]
            .to(&sums[1])
            .and_then(|distance| distance.constant());
        let runs = match distance {
            Some(distance) => Some(distance > 0),
            None => ranks.less(from, to),
        };
        if runs == Some(false) {
            return What::Loop(Rounds::default(), Some(0));
        }
        let after_one = ranks.add(from, Number::exactly(Linear::of(*step)));
        let once = distance.is_some_and(|distance| distance <= *step)
            || ranks.less(after_one, to) == Some(false);
        let known = if once { Some(1) } else { known };
        // A quotient or a rest that is above 0 is that of a number above 0.
        let before = match header.whole {
            Some(whole) => self.facts.at_least(whole, 1),
            None => self.facts.mark(),
        };
        let rounds = self.all_rounds(header, runs == Some(true), body);
        self.facts.end(before);
        What::Loop(rounds, known)
    }

    /// The rounds of a loop that runs.
    fn all_rounds(&mut self, header: Header<'c, 'a>, runs: bool, body: &[Node]) -> Rounds {
        let Header {
            counter,
            bounds,
            step,
            sums: [from_sum, to_sum],
            last,
            ..
        } = header;
        let ranks = self.facts.ranks();
        let [from, to] = bounds.map(|bound| self.facts.number(bound));
        let any = |from: Number| Number {
            least: from.least,
            most: ranks.sub(to, Number::exactly(Linear::of(last))).most,
            after: None,
        };
        let end = Sum::of(-last).and(1, &to_sum).unwrap_or(to_sum);
        self.counters.0.push(Counter {
            node: self.around.last().copied().unwrap_or_default(),
            value: counter,
            step,
            bounds: [from_sum, end],
        });
        let peels = runs && self.around.len() <= MOST_NESTED;
        let first = peels.then(|| self.round(counter, from, body));
        let rest = match first {
            Some(_) => ranks.add(from, Number::exactly(Linear::of(step))),
            None => from,
        };
        let rest = self.round(counter, any(rest), body);
        self.counters.0.pop();
        Rounds { first, rest }
    }

    /// One round, where the counter is such a number.
    fn round(&mut self, counter: Value<'c, 'a>, number: Number, body: &[Node]) -> Vec<Node> {
        let before = self.facts.is(counter, number);
        let nodes = self.nodes(body);
        self.facts.end(before);
        nodes
    }

    /// Of an `emitc.for` whose step is a constant above 0.
    fn header(&mut self, op: OperationRef<'c, 'a>) -> Option<Header<'c, 'a>> {
        if !view::is(&op, "emitc.for") {
            return None;
        }
        let block = op.region(0).ok()?.first_block()?;
        let [from, to] = [op.operand(0).ok()?, op.operand(1).ok()?];
        let step = self.facts.number(op.operand(2).ok()?).constant()?;
        if step <= 0 {
            return None;
        }
        let sums = [from, to].map(|value| self.sum(value));
        let whole = self.sums().whole_steps(&sums[0], &sums[1], to, step);
        let even = whole.is_some() || self.sums().is_even(&sums[0], &sums[1], step);
        Some(Header {
            counter: block.argument(0).ok()?.into(),
            bounds: [from, to],
            step,
            sums,
            last: if even { step } else { 1 },
            whole: whole.or_else(|| self.sums().rest_of_steps(from, to)),
        })
    }
}

/// What an `emitc.for` counts.
struct Header<'c, 'a> {
    counter: Value<'c, 'a>,
    /// From and to.
    bounds: [Value<'c, 'a>; 2],
    step: i64,
    /// The bounds as sums.
    sums: [Sum; 2],
    /// How far below the end the last round is, at least.
    last: i64,
    /// What is above 0 if the loop runs.
    whole: Option<Value<'c, 'a>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index of the tensor, with braces of the text and values before it.
    #[test]
    fn indices() {
        let text = "F({}[512], {}[{}], {{1, {}, 0}});";
        assert_eq!(index_of(text, 0), Some(Index::Number(512)));
        assert_eq!(index_of(text, 1), Some(Index::Value(2)));
        assert_eq!(index_of(text, 3), None);
        assert_eq!(index_of("F({{{}}}, {}[v])", 1), None);
    }

    /// Rows and bytes of them, known and not.
    #[test]
    fn rows() {
        let copy = |parameters: &str| {
            rows_of(&format!(
                "AscendC::DataCopyPad({{}}[{{}}], {{}}, {parameters});"
            ))
        };
        assert_eq!(
            copy("{{4, 256, 0, 0, 0}}"),
            Some([4, 256].map(Index::Number))
        );
        let cast = "{{static_cast<uint16_t>({}), static_cast<uint32_t>({}), 0, 0, 0}}";
        assert_eq!(copy(cast), Some([3, 4].map(Index::Value)));
        assert_eq!(
            copy("{{1, static_cast<uint32_t>({}), 0, 0, 0}}"),
            Some([Index::Number(1), Index::Value(3)])
        );
        assert_eq!(copy("{{x, 256, 0}}"), None);
        assert_eq!(rows_of("AscendC::Add({}, {}, {}, 8);"), None);
    }
}
