//! Where in memory a statement touches it, as a sum of values of the kernel.
//!
//! Two accesses are apart if the distance of their first elements is at least what one of them
//! spans. Values that are the same for both cancel. What a loop counts does not, between two
//! rounds, but it has grown by a step or more from the earlier to the later one; and what is left
//! lies between the bounds of its loop, or of what else is known of it.
//!
//! Nor do two accesses meet in memory of different ranks. A rank is a sum too, modulo the number n
//! of ranks: two differ if they are 1 to n - 1 apart.

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
enum Key {
    /// The number of ranks.
    Count,
    /// The own rank.
    Rank,
    /// A value of the kernel.
    Value(usize),
}

/// A value whose terms are not known.
#[derive(Debug)]
pub struct Symbol {
    key: Key,
    /// The loops around its definition, the outermost first.
    within: Vec<usize>,
    /// Of a counter: the least step, and the sums that it is between.
    counter: Option<(i64, [Sum; 2])>,
    /// The constants that it is between.
    range: Option<[i64; 2]>,
}

/// `plus` and each symbol as often as its factor says.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    terms: Vec<(Rc<Symbol>, i64)>,
    plus: i64,
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
        };
        Self {
            terms: vec![(Rc::new(symbol), 1)],
            plus: 0,
        }
    }

    /// The number of ranks.
    fn count(ranks: Ranks) -> Self {
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

/// What the counters of the loops around a point count: from the first sum to the second.
#[derive(Default)]
pub struct Counters(pub Vec<(usize, i64, [Sum; 2])>);

/// Finds the sums that values are.
pub struct Sums<'s, 'c, 'a> {
    /// What is known where they are used.
    pub facts: &'s mut Facts<'c, 'a>,
    /// All loops.
    pub loops: &'s Loops,
    /// Those around, by the keys of their counters.
    pub counters: &'s Counters,
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
        let counter = self.counters.0.iter().rev().find(|(of, ..)| *of == key);
        let symbol = Symbol {
            key: Key::Value(key),
            within: self.loops.around(value),
            counter: counter.map(|(_, step, bounds)| (*step, bounds.clone())),
            range: self.facts.range(value),
        };
        Sum {
            terms: vec![(Rc::new(symbol), 1)],
            plus: 0,
        }
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

/// What sums are the same as another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Modulo {
    /// None but itself.
    Nothing,
    /// Those that differ by a multiple of the number of ranks.
    Count,
}

/// Where a statement touches memory.
#[derive(Clone, Debug)]
pub struct Place {
    /// How many ranks there may be.
    pub ranks: Ranks,
    /// The rank whose memory it is, modulo the number of ranks, if that is known.
    pub rank: Option<Sum>,
    /// What of it, if that is known.
    pub part: Option<Part>,
    /// The loops around, the outermost first.
    pub loops: Vec<usize>,
}

/// A part of an array or of a slice of a window.
#[derive(Clone, Debug)]
pub struct Part {
    /// The address that it counts from.
    pub base: usize,
    /// The first element.
    pub first: Sum,
    /// Elements from the first to past the last, at most.
    pub span: i64,
}

impl Place {
    /// Whether nothing is touched by both: by this one earlier and by `later`, in a later round of
    /// the loop `crossed` if there is one, and else in the same round of all loops around both.
    pub fn is_apart(&self, later: &Self, crossed: Option<usize>) -> bool {
        let of_others = self.rank.as_ref().zip(later.rank.as_ref());
        let parts = self.part.as_ref().zip(later.part.as_ref());
        of_others.is_some_and(|(one, other)| differ(one, other, crossed, self.ranks))
            || parts.is_some_and(|(one, other)| one.is_apart(other, crossed))
    }
}

/// Whether two ranks differ.
fn differ(earlier: &Sum, later: &Sum, crossed: Option<usize>, ranks: Ranks) -> bool {
    let Some(distance) = Distance::between(earlier, later, crossed) else {
        return false;
    };
    let is_above_0 = |distance: Distance| distance.least().is_some_and(|least| least > 0);
    // By one to n - 1 this way, or that way.
    let way = |distance: Distance| {
        let rest = distance.opposite().and_then(|mut rest| {
            rest.add(1, &Sum::count(ranks), Of::Both)?;
            Some(rest)
        });
        is_above_0(distance) && rest.is_some_and(is_above_0)
    };
    let opposite = distance.opposite();
    way(distance) || opposite.is_some_and(way)
}

impl Part {
    fn is_apart(&self, later: &Self, crossed: Option<usize>) -> bool {
        if self.base != later.base {
            return false;
        }
        let distance = Distance::between(&self.first, &later.first, crossed);
        let at_least = |distance: Option<Distance>, span| {
            distance
                .and_then(Distance::least)
                .is_some_and(|least| least >= span)
        };
        let opposite = distance.as_ref().and_then(Distance::opposite);
        at_least(distance, self.span) || at_least(opposite, later.span)
    }
}

/// Whose value of a symbol is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Of {
    Both,
    Earlier,
    Later,
    /// How much more the later one is.
    Growth,
}

/// A sum over the values of two accesses.
#[derive(Clone, Debug)]
struct Distance {
    crossed: Option<usize>,
    terms: Vec<(Rc<Symbol>, Of, i64)>,
    plus: i64,
}

impl Distance {
    fn between(earlier: &Sum, later: &Sum, crossed: Option<usize>) -> Option<Self> {
        let mut distance = Self {
            crossed,
            terms: Vec::new(),
            plus: 0,
        };
        distance.add(1, later, Of::Later)?;
        distance.add(-1, earlier, Of::Earlier)?;
        distance.pair_counters()?;
        Some(distance)
    }

    fn opposite(&self) -> Option<Self> {
        let negative = |(symbol, of, factor): &(Rc<Symbol>, Of, i64)| {
            Some((symbol.clone(), *of, factor.checked_neg()?))
        };
        Some(Self {
            crossed: self.crossed,
            terms: self.terms.iter().map(negative).collect::<Option<_>>()?,
            plus: self.plus.checked_neg()?,
        })
    }

    fn add(&mut self, factor: i64, sum: &Sum, of: Of) -> Option<()> {
        self.plus = self.plus.checked_add(sum.plus.checked_mul(factor)?)?;
        for (symbol, of_it) in &sum.terms {
            let varies = self
                .crossed
                .is_some_and(|crossed| symbol.within.contains(&crossed));
            let of = if varies { of } else { Of::Both };
            self.add_term(symbol.clone(), of, of_it.checked_mul(factor)?)?;
        }
        Some(())
    }

    fn add_term(&mut self, symbol: Rc<Symbol>, of: Of, factor: i64) -> Option<()> {
        let same = |term: &&mut (Rc<Symbol>, Of, i64)| term.0.key == symbol.key && term.1 == of;
        match self.terms.iter_mut().find(same) {
            Some(term) => term.2 = term.2.checked_add(factor)?,
            None => self.terms.push((symbol, of, factor)),
        }
        self.terms.retain(|(_, _, factor)| *factor != 0);
        Some(())
    }

    /// The counter of the loop that was crossed has grown.
    fn pair_counters(&mut self) -> Option<()> {
        let of_crossed = |wanted: Of| {
            let is = |(symbol, of, _): &&(Rc<Symbol>, Of, i64)| {
                *of == wanted && symbol.counts(self.crossed)
            };
            self.terms.iter().find(is).cloned()
        };
        let (Some((symbol, _, factor)), Some(_)) = (of_crossed(Of::Later), of_crossed(Of::Earlier))
        else {
            return Some(());
        };
        self.add_term(symbol.clone(), Of::Later, factor.checked_neg()?)?;
        self.add_term(symbol.clone(), Of::Earlier, factor)?;
        self.add_term(symbol, Of::Growth, factor)
    }

    /// A lower bound.
    fn least(mut self) -> Option<i64> {
        const MOST_STEPS: usize = 64;
        for _ in 0..MOST_STEPS {
            // A counter of an inner loop is between sums of outer ones.
            let counters = self.terms.iter().enumerate();
            let counters = counters.filter(|(_, (symbol, ..))| symbol.counter.is_some());
            let Some((at, _)) = counters.max_by_key(|(_, (symbol, ..))| symbol.within.len()) else {
                return self.least_of_rest();
            };
            let (symbol, of, factor) = self.terms.swap_remove(at);
            let (step, [from, to]) = symbol.counter.as_ref()?;
            match (of, factor > 0) {
                (Of::Growth, true) => self.add(factor, &Sum::of(*step), of)?,
                (Of::Growth, false) => {
                    self.add(factor, to, of)?;
                    self.add(factor.checked_neg()?, from, of)?;
                }
                // A later round is not the first.
                (Of::Later, true) if symbol.counts(self.crossed) => {
                    self.add(factor, &from.and(1, &Sum::of(*step))?, of)?;
                }
                (_, true) => self.add(factor, from, of)?,
                (_, false) => self.add(factor, to, of)?,
            }
        }
        None
    }

    fn least_of_rest(&self) -> Option<i64> {
        let mut least = self.plus;
        for (symbol, _, factor) in &self.terms {
            let bound = symbol.range?[usize::from(*factor < 0)];
            least = least.checked_add(factor.checked_mul(bound)?)?;
        }
        Some(least)
    }
}

impl Symbol {
    /// Whether it is the counter of a loop.
    fn counts(&self, of: Option<usize>) -> bool {
        self.counter.is_some() && of.is_some() && self.within.last().copied() == of
    }
}
