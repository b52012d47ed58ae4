//! Integers of a kernel as sums of a few values that stand for others.

use super::{
    facts::Facts,
    number::{Linear, Number, Ranks},
};
use melior::ir::{
    BlockLike, Value,
    block::BlockArgument,
    operation::{OperationLike, OperationRef, OperationResult},
};
use pld_dialects::{bridge, view};
use std::{collections::HashMap, rc::Rc};

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The number of ranks.
    Count,
    /// The own rank.
    Rank,
    /// A value of the kernel.
    Value(usize),
}

/// What sums are the same as another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Modulo {
    /// None but itself.
    Nothing,
    /// Those that differ by a multiple of the number of ranks.
    Count,
}

/// A value whose terms are not known.
#[derive(Debug)]
pub struct Symbol {
    pub key: Key,
    /// The loops around its definition, the outermost first.
    pub within: Vec<usize>,
    /// Of a counter: the least step, and the sums that it is between.
    pub counter: Option<(i64, [Sum; 2])>,
    /// The constants that it is between.
    pub range: Option<[i64; 2]>,
    /// What it is in each round of a loop.
    pub table: Option<Table>,
}

/// Values in the rounds of a loop whose bounds are constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The loop.
    pub node: usize,
    /// What it counts in those rounds.
    pub counts: Vec<i64>,
    /// The value in each.
    pub values: Vec<i64>,
}

/// `plus` and each symbol as often as its factor says.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    /// Symbols and their factors.
    pub terms: Vec<(Rc<Symbol>, i64)>,
    /// A number.
    pub plus: i64,
}

impl Sum {
    /// A number.
    pub fn of(plus: i64) -> Self {
        Self {
            terms: Vec::new(),
            plus,
        }
    }

    /// What is the same everywhere in a kernel.
    fn fixed(key: Key, range: Option<[i64; 2]>) -> Self {
        let symbol = Symbol {
            key,
            within: Vec::new(),
            counter: None,
            range,
            table: None,
        };
        Self {
            terms: vec![(Rc::new(symbol), 1)],
            plus: 0,
        }
    }

    /// The number of ranks.
    pub fn count(ranks: Ranks) -> Self {
        Self::fixed(Key::Count, Some([ranks.least, ranks.most]))
    }

    /// The own rank.
    pub fn rank(ranks: Ranks) -> Self {
        Self::fixed(Key::Rank, Some([0, ranks.most - 1]))
    }

    /// The sum of this and `factor` times another.
    pub fn and(&self, factor: i64, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        sum.plus = sum.plus.checked_add(other.plus.checked_mul(factor)?)?;
        for (symbol, of_it) in &other.terms {
            let more = of_it.checked_mul(factor)?;
            match sum
                .terms
                .iter_mut()
                .find(|(known, _)| known.key == symbol.key)
            {
                Some((_, known)) => *known = known.checked_add(more)?,
                None => sum.terms.push((symbol.clone(), more)),
            }
        }
        sum.terms.retain(|(_, factor)| *factor != 0);
        Some(sum)
    }

    /// The number, if it has no terms.
    pub fn constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.plus)
    }

    /// What is to be added to get to another.
    pub fn to(&self, other: &Self) -> Option<Self> {
        other.and(-1, self)
    }
}

/// The loops of a kernel, by operation.
pub struct Loops(HashMap<usize, usize>);

impl Loops {
    /// Among operations, by their numbers.
    pub fn of<'c: 'a, 'a>(ops: impl Iterator<Item = (usize, OperationRef<'c, 'a>)>) -> Self {
        let loops = ops.filter(|(_, op)| matches!(view::name(op), "emitc.for" | "emitc.do"));
        Self(loops.map(|(id, op)| (Self::key(op), id)).collect())
    }

    fn key(op: OperationRef) -> usize {
        op.to_raw().ptr as usize
    }

    /// Those around the definition of a value, the outermost first.
    fn around(&self, value: Value) -> Vec<usize> {
        let block = match (
            OperationResult::try_from(value),
            BlockArgument::try_from(value),
        ) {
            (Ok(result), _) => result.owner().block(),
            (_, Ok(argument)) => Some(bridge::owner_block(argument)),
            _ => None,
        };
        let mut next = block.and_then(|block| block.parent_operation());
        let mut found = Vec::new();
        while let Some(op) = next {
            found.extend(self.0.get(&Self::key(op)));
            next = op.parent_operation();
        }
        found.reverse();
        found
    }
}

/// The counters of the loops around a point, the outermost first.
#[derive(Default)]
pub struct Counters<'c, 'a>(pub Vec<Counter<'c, 'a>>);

/// What a loop counts.
pub struct Counter<'c, 'a> {
    /// The loop.
    pub node: usize,
    /// Its counter.
    pub value: Value<'c, 'a>,
    /// How much it grows, or more.
    pub step: i64,
    /// From the first sum to the second.
    pub bounds: [Sum; 2],
}

/// Rounds of a loop that are looked at one by one.
const MOST_ROUNDS: i64 = 32;

/// Finds the sums that values are.
pub struct Sums<'s, 'c, 'a> {
    /// What is known where they are used.
    pub facts: &'s mut Facts<'c, 'a>,
    /// All loops.
    pub loops: &'s Loops,
    /// The counters of those around.
    pub counters: &'s Counters<'c, 'a>,
}

impl<'c: 'a, 'a> Sums<'_, 'c, 'a> {
    /// The sum that a value is.
    pub fn of(&mut self, value: Value<'c, 'a>) -> Sum {
        self.part(value, Modulo::Nothing, 0)
    }

    /// A sum that differs from a value by a multiple of the number of ranks.
    pub fn of_rank(&mut self, value: Value<'c, 'a>) -> Sum {
        self.part(value, Modulo::Count, 0)
    }

    fn part(&mut self, value: Value<'c, 'a>, modulo: Modulo, depth: u32) -> Sum {
        let terms = self.terms(value, modulo, depth);
        terms.unwrap_or_else(|| self.symbol(value))
    }

    /// What is known by its number alone.
    fn known(&mut self, number: Number, modulo: Modulo) -> Option<Sum> {
        let ranks = self.facts.ranks();
        if number == Number::RANK {
            return Some(Sum::rank(ranks));
        }
        let Linear { ranks: often, plus } = number.value()?;
        match modulo {
            Modulo::Count => Some(Sum::of(plus)),
            Modulo::Nothing => Sum::of(plus).and(often, &Sum::count(ranks)),
        }
    }

    fn terms(&mut self, value: Value<'c, 'a>, modulo: Modulo, depth: u32) -> Option<Sum> {
        let number = self.facts.number(value);
        if let Some(known) = self.known(number, modulo) {
            return Some(known);
        }
        // Others wrap.
        let signed =
            melior::ir::r#type::IntegerType::try_from(melior::ir::ValueLike::r#type(&value));
        signed
            .ok()
            .filter(|r#type| r#type.width() == 64 && !r#type.is_unsigned())?;
        let op = view::defining_op(value).filter(|_| depth < 16)?;
        let operand = |index| op.operand(index).ok();
        let mut inner = |value: Value<'c, 'a>| self.part(value, modulo, depth + 1);
        match view::name(&op) {
            "emitc.add" => inner(operand(0)?).and(1, &inner(operand(1)?)),
            "emitc.sub" => inner(operand(0)?).and(-1, &inner(operand(1)?)),
            "emitc.mul" => {
                let (a, b) = (inner(operand(0)?), inner(operand(1)?));
                match (a.constant(), b.constant()) {
                    (Some(factor), _) => Sum::of(0).and(factor, &b),
                    (_, Some(factor)) => Sum::of(0).and(factor, &a),
                    _ => None,
                }
            }
            // Of what is less than the divisor, the remainder is all.
            "emitc.rem" => {
                let whole = inner(operand(0)?);
                let [a, b] = [operand(0)?, operand(1)?].map(|value| self.facts.number(value));
                let ranks = self.facts.ranks();
                let natural = ranks.less(a, Number::exactly(Linear::of(0))) == Some(false);
                let all = natural && ranks.less(a, b) == Some(true);
                let same = modulo == Modulo::Count && b == Number::exactly(Linear::COUNT);
                (all || same).then_some(whole)
            }
            "emitc.conditional" if modulo == Modulo::Count => {
                let (one, other) = (inner(operand(1)?), inner(operand(2)?));
                (one.to(&other)?.constant() == Some(0)).then_some(one)
            }
            _ => None,
        }
    }

    fn symbol(&mut self, value: Value<'c, 'a>) -> Sum {
        let key = bridge::value_key(value);
        let counters = self.counters;
        let mut around = counters.0.iter().rev();
        let counter = around.find(|counter| counter.value == value);
        let symbol = Symbol {
            key: Key::Value(key),
            within: self.loops.around(value),
            counter: counter.map(|counter| (counter.step, counter.bounds.clone())),
            range: self.facts.range(value),
            table: counters
                .0
                .iter()
                .rev()
                .find_map(|counter| self.table(value, counter)),
        };
        Sum {
            terms: vec![(Rc::new(symbol), 1)],
            plus: 0,
        }
    }

    /// A value in the rounds of a loop, if it is known from the counter alone.
    fn table(&mut self, value: Value<'c, 'a>, counter: &Counter<'c, 'a>) -> Option<Table> {
        let [from, to] = [&counter.bounds[0], &counter.bounds[1]].map(Sum::constant);
        let (from, to, step) = (from?, to?, counter.step);
        let last = to.checked_sub(from)?.div_euclid(step);
        if last >= MOST_ROUNDS {
            return None;
        }
        let [least, most] = self.facts.range(counter.value)?;
        let counts = (0..=last).map(|round| from + round * step);
        let counts: Vec<_> = counts
            .filter(|count| (least..=most).contains(count))
            .collect();
        let value = |&count: &i64| {
            let before = self
                .facts
                .is(counter.value, Number::exactly(Linear::of(count)));
            let value = self.facts.number(value).constant();
            self.facts.end(before);
            value
        };
        Some(Table {
            node: counter.node,
            values: counts.iter().map(value).collect::<Option<_>>()?,
            counts,
        })
    }

    /// Whether a number of whole steps lies between two sums.
    pub fn is_even(&self, from: &Sum, to: &Sum, step: i64) -> bool {
        let distance = from.to(to).and_then(|distance| distance.constant());
        distance.is_some_and(|distance| distance % step == 0)
    }

    /// `x`, if a loop counts from one sum to another that is `x - x % step` further, of which the
    /// end is `y - x % step`.
    pub fn whole_steps(
        &mut self,
        from: &Sum,
        to: &Sum,
        end: Value<'c, 'a>,
        step: i64,
    ) -> Option<Value<'c, 'a>> {
        let (_, rest, whole) = self.without_rest(end, step)?;
        let distance = self.of(whole).and(-1, &self.of(rest))?;
        let even = distance.to(&from.to(to)?)?.constant() == Some(0);
        even.then_some(whole)
    }

    /// `x`, if a loop counts what such a loop has left: from `end - x % step` on.
    pub fn rest_of_steps(
        &mut self,
        from: Value<'c, 'a>,
        end: Value<'c, 'a>,
    ) -> Option<Value<'c, 'a>> {
        let (all, _, whole) = self.without_rest(from, 0)?;
        (all == end).then_some(whole)
    }

    /// `y`, `x % step` and `x`, of `y - x % step`; a step of 0 is any above 0.
    fn without_rest(
        &mut self,
        value: Value<'c, 'a>,
        step: i64,
    ) -> Option<(Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>)> {
        let difference = view::defining_op(value).filter(|op| view::is(op, "emitc.sub"))?;
        let rest = difference.operand(1).ok()?;
        let by = view::defining_op(rest).filter(|op| view::is(op, "emitc.rem"))?;
        let divisor = self.facts.number(by.operand(1).ok()?).constant()?;
        let fits = divisor > 0 && (step == 0 || divisor == step);
        fits.then_some((difference.operand(0).ok()?, rest, by.operand(0).ok()?))
    }
}

impl Symbol {
    /// Whether it is the counter of a loop.
    pub fn counts(&self, of: Option<usize>) -> bool {
        self.counter.is_some() && of.is_some() && self.within.last().copied() == of
    }
}
