//! How far one sum is from another, of two accesses.

use super::sums::{Sum, Symbol, Table};
use std::rc::Rc;

/// Whose value of a symbol is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Of {
    /// It is the same for both.
    Both,
    /// That of the earlier one.
    Earlier,
    /// That of the later one.
    Later,
    /// How much more the later one is.
    Growth,
}

/// A sum over the values of two accesses.
#[derive(Clone, Debug)]
pub struct Distance {
    crossed: Option<usize>,
    terms: Vec<(Rc<Symbol>, Of, i64)>,
    plus: i64,
}

impl Distance {
    /// Of one access to the other, in a later round of the loop `crossed`, if there is one.
    pub fn between(earlier: &Sum, later: &Sum, crossed: Option<usize>) -> Option<Self> {
        let mut distance = Self::of(later, Of::Later, crossed)?;
        distance.add(-1, earlier, Of::Earlier)?;
        Some(distance)
    }

    /// A sum of one of the accesses alone.
    pub fn of(sum: &Sum, of: Of, crossed: Option<usize>) -> Option<Self> {
        let mut distance = Self {
            crossed,
            terms: Vec::new(),
            plus: 0,
        };
        distance.add(1, sum, of)?;
        Some(distance)
    }

    /// The opposite number.
    pub fn opposite(&self) -> Option<Self> {
        let negative = |(symbol, of, factor): &(Rc<Symbol>, Of, i64)| {
            Some((symbol.clone(), *of, factor.checked_neg()?))
        };
        Some(Self {
            crossed: self.crossed,
            terms: self.terms.iter().map(negative).collect::<Option<_>>()?,
            plus: self.plus.checked_neg()?,
        })
    }

    /// Adds a sum of one of the accesses, or of both.
    pub fn add(&mut self, factor: i64, sum: &Sum, of: Of) -> Option<()> {
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
    pub fn least(mut self) -> Option<i64> {
        const MOST_STEPS: usize = 64;
        self.pair_counters()?;
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

/// What both accesses, the earlier and the later one count in a round of a loop.
#[derive(Clone, Copy, Debug)]
struct Round {
    both: i64,
    earlier: i64,
    later: i64,
}

/// Whether something holds of the values of sums, in all rounds of the one loop that they depend
/// on: not known, if they depend on anything else.
pub fn in_all_rounds(sums: &[Distance], holds: impl Fn(&[i64]) -> Option<bool>) -> Option<bool> {
    let terms = || sums.iter().flat_map(|sum| &sum.terms);
    let tables = |of: Of| {
        terms()
            .filter(move |term| term.1 == of)
            .map(|term| term.0.table.as_ref())
    };
    let Some((symbol, ..)) = terms().next() else {
        let values: Vec<_> = sums.iter().map(|sum| sum.plus).collect();
        return holds(&values);
    };
    let node = symbol.table.as_ref()?.node;
    // What is counted where all tables of these are.
    let counts = |of: Of| -> Option<Vec<i64>> {
        let mut tables = tables(of);
        let Some(first) = tables.next() else {
            return Some(vec![0]);
        };
        let mut counts = first?.counts.clone();
        for table in tables {
            counts.retain(|count| table.is_some_and(|table| table.counts.contains(count)));
        }
        Some(counts)
    };
    if terms().any(|(symbol, of, _)| {
        let other = symbol.table.as_ref().is_none_or(|table| table.node != node);
        other || *of == Of::Growth
    }) {
        return None;
    }
    let (both, earlier, later) = (counts(Of::Both)?, counts(Of::Earlier)?, counts(Of::Later)?);
    let has = |of: Of| terms().any(|term| term.1 == of);
    let crossed = sums.first()?.crossed == Some(node) && has(Of::Earlier) && has(Of::Later);
    let mut values = vec![0; sums.len()];
    for &both in &both {
        for &earlier in &earlier {
            for &later in &later {
                if crossed && later <= earlier {
                    continue;
                }
                let round = Round {
                    both,
                    earlier,
                    later,
                };
                for (value, sum) in values.iter_mut().zip(sums) {
                    *value = sum.at(round)?;
                }
                if !holds(&values)? {
                    return Some(false);
                }
            }
        }
    }
    Some(true)
}

impl Distance {
    /// Its value in a round.
    fn at(&self, round: Round) -> Option<i64> {
        let mut sum = self.plus;
        for (symbol, of, factor) in &self.terms {
            let count = match of {
                Of::Both => round.both,
                Of::Earlier => round.earlier,
                Of::Later => round.later,
                Of::Growth => return None,
            };
            let value = symbol.table.as_ref()?.at(count)?;
            sum = sum.checked_add(factor.checked_mul(value)?)?;
        }
        Some(sum)
    }
}

impl Table {
    fn at(&self, count: i64) -> Option<i64> {
        let round = self.counts.binary_search(&count).ok()?;
        self.values.get(round).copied()
    }
}
