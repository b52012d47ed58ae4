//! What is known of the integers of a kernel at a point of it: from the number of ranks, from the
//! branches taken, and from the loops around.

use super::number::{Linear, Number, Ranks};
use melior::ir::{
    Value, ValueLike,
    attribute::ArrayAttribute,
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};
use pld_dialects::view;
use std::cell::Cell;

/// Operations that are looked at for one answer.
const MOST_STEPS: u32 = 2000;

/// Predicates of `emitc.cmp`, by number.
const PREDICATES: [Predicate; 6] = {
    use Predicate::*;
    [Equal, Unequal, Less, AtMost, Greater, AtLeast]
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Predicate {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Predicate {
    const fn opposite(self) -> Self {
        match self {
            Self::Equal => Self::Unequal,
            Self::Unequal => Self::Equal,
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::Greater,
            Self::Greater => Self::AtMost,
            Self::AtLeast => Self::Less,
        }
    }
}

/// Something known.
enum Fact<'c, 'a> {
    /// A value is such a number.
    Is(Value<'c, 'a>, Number),
    /// Two values differ.
    Differ([Value<'c, 'a>; 2]),
}

/// What is known at a point, the latest last.
pub struct Facts<'c, 'a> {
    ranks: Ranks,
    known: Vec<Fact<'c, 'a>>,
    steps: Cell<u32>,
}

impl<'c: 'a, 'a> Facts<'c, 'a> {
    /// With so many ranks.
    pub const fn new(ranks: Ranks) -> Self {
        Self {
            ranks,
            known: Vec::new(),
            steps: Cell::new(0),
        }
    }

    /// How many ranks there are.
    pub const fn ranks(&self) -> Ranks {
        self.ranks
    }

    /// From here on a value is this number as well. What comes back ends that.
    pub fn is(&mut self, value: Value<'c, 'a>, number: Number) -> usize {
        self.known.push(Fact::Is(value, number));
        self.known.len() - 1
    }

    /// From here on a value is at least this. What comes back ends that.
    pub fn at_least(&mut self, value: Value<'c, 'a>, least: i64) -> usize {
        let before = self.known.len();
        let bound = Number {
            least: Some(Linear::of(least)),
            ..Number::default()
        };
        self.known.push(Fact::Is(value, bound));
        // Of a difference, so is the first side and the second one less.
        let difference = view::defining_op(value).filter(|op| view::is(op, "emitc.sub"));
        let sides = difference.and_then(|op| Some([op.operand(0).ok()?, op.operand(1).ok()?]));
        if let Some([whole, part]) = sides {
            let part = Number {
                least: self.number(part).least,
                ..Number::default()
            };
            let bound = self.ranks.add(bound, part);
            self.known.push(Fact::Is(whole, bound));
        }
        before
    }

    /// From here on a condition is known. What comes back ends that.
    pub fn begin(&mut self, condition: Value<'c, 'a>, holds: bool) -> usize {
        let before = self.known.len();
        self.assume(condition, holds);
        before
    }

    /// Where [`Self::end`] gets back to.
    pub fn mark(&self) -> usize {
        self.known.len()
    }

    /// Forgets what has become known since.
    pub fn end(&mut self, before: usize) {
        self.known.truncate(before);
    }

    fn assume(&mut self, condition: Value<'c, 'a>, holds: bool) {
        let Some((predicate, [a, b])) = comparison(condition) else {
            return;
        };
        let predicate = if holds {
            predicate
        } else {
            predicate.opposite()
        };
        let [x, y] = [a, b].map(|value| self.of(value));
        let above = |number: Number, by: i64| {
            let by = Number::exactly(Linear::of(by));
            self.ranks.add(number, by).least
        };
        let below = |number: Number, by: i64| {
            let by = Number::exactly(Linear::of(by));
            self.ranks.sub(number, by).most
        };
        // (least, most) of each.
        let [for_a, for_b] = match predicate {
            Predicate::Unequal => {
                self.known.push(Fact::Differ([a, b]));
                return;
            }
            Predicate::Equal => {
                let both = self.ranks.meet(x, y);
                self.known.push(Fact::Is(a, both));
                self.known.push(Fact::Is(b, both));
                return;
            }
            Predicate::Less => [(None, below(y, 1)), (above(x, 1), None)],
            Predicate::AtMost => [(None, y.most), (x.least, None)],
            Predicate::Greater => [(above(y, 1), None), (None, below(x, 1))],
            Predicate::AtLeast => [(y.least, None), (None, x.most)],
        };
        for (value, (least, most)) in [(a, for_a), (b, for_b)] {
            let number = Number {
                least,
                most,
                after: None,
            };
            self.known.push(Fact::Is(value, number));
        }
    }

    /// Whether a condition holds, if that is known.
    pub fn holds(&mut self, condition: Value<'c, 'a>) -> Option<bool> {
        self.steps.set(0);
        self.known_condition(condition)
    }

    fn known_condition(&mut self, condition: Value<'c, 'a>) -> Option<bool> {
        let (predicate, [a, b]) = comparison(condition)?;
        let [x, y] = [a, b].map(|value| self.of(value));
        let less = |x, y| self.ranks.less(x, y);
        let not = |known: Option<bool>| known.map(|known| !known);
        let equal = || {
            let apart = less(x, y) == Some(true) || less(y, x) == Some(true);
            let exact = (x.value().is_some() && x.value() == y.value())
                || (less(x, y) == Some(false) && less(y, x) == Some(false));
            match (apart, exact) {
                (true, _) => Some(false),
                (_, true) => Some(true),
                _ => None,
            }
        };
        match predicate {
            Predicate::Equal => equal(),
            Predicate::Unequal => not(equal()),
            Predicate::Less => less(x, y),
            Predicate::AtLeast => not(less(x, y)),
            Predicate::Greater => less(y, x),
            Predicate::AtMost => not(less(y, x)),
        }
    }

    /// Whether a rank is known to be another one than the own: `Some(false)`, if it is the own.
    pub fn is_other(&mut self, rank: Value<'c, 'a>) -> Option<bool> {
        let number = self.number(rank);
        let by_number = self.ranks.is_other(number);
        by_number.or_else(|| self.differs_from_own(rank, number).then_some(true))
    }

    /// Whether a branch has told a rank from the own one.
    fn differs_from_own(&mut self, rank: Value<'c, 'a>, number: Number) -> bool {
        let pairs = self.known.iter().filter_map(|fact| match fact {
            Fact::Differ(pair) => Some(*pair),
            Fact::Is(..) => None,
        });
        let pairs: Vec<_> = pairs.flat_map(|[a, b]| [(a, b), (b, a)]).collect();
        pairs.into_iter().any(|(own, other)| {
            let own = self.number(own);
            let same = other == rank || {
                let other = self.number(other).constant();
                other.is_some() && other == number.constant()
            };
            same && own.after == Number::RANK.after
        })
    }

    /// What is known of an integer.
    pub fn number(&mut self, value: Value<'c, 'a>) -> Number {
        self.steps.set(0);
        self.of(value)
    }

    /// The constants that an integer is between.
    pub fn range(&mut self, value: Value<'c, 'a>) -> Option<[i64; 2]> {
        let number = self.number(value);
        let least = self.ranks.least_of(number.least?)?;
        Some([least, self.ranks.most_of(number.most?)?])
    }

    fn of(&mut self, value: Value<'c, 'a>) -> Number {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MOST_STEPS {
            return Number::default();
        }
        let by_definition = self.defined(value).unwrap_or_default();
        let facts = self.known.iter().filter_map(|fact| match fact {
            Fact::Is(of, number) if *of == value => Some(*number),
            _ => None,
        });
        facts.fold(by_definition, |known, number| {
            self.ranks.meet(known, number)
        })
    }

    fn defined(&mut self, value: Value<'c, 'a>) -> Option<Number> {
        let op = view::defining_op(value)?;
        let name = view::name(&op);
        if name == "emitc.constant" {
            IntegerType::try_from(value.r#type())
                .ok()
                .filter(|r#type| r#type.width() > 1)?;
            return Some(Number::exactly(Linear::of(view::integer(&op, "value")?)));
        }
        if name == "emitc.call_opaque" {
            return self.field(op);
        }
        if name == "emitc.conditional" {
            return self.either(op);
        }
        let mut operand = |index| Some(self.of(op.operand(index).ok()?));
        let one = operand(0)?;
        if name == "emitc.cast" {
            return self.fit(value, one);
        }
        let other = operand(1)?;
        let ranks = self.ranks;
        let number = match name {
            "emitc.add" => ranks.add(one, other),
            "emitc.sub" => ranks.sub(one, other),
            "emitc.mul" => ranks.mul(one, other),
            "emitc.div" => ranks.div(one, other),
            "emitc.rem" => ranks.rem(one, other),
            "emitc.bitwise_left_shift" => ranks.shift(one, other),
            _ => return None,
        };
        self.fit(value, number)
    }

    /// A field of the context of all ranks.
    fn field(&self, op: OperationRef<'c, 'a>) -> Option<Number> {
        let is_cast = view::string(&op, "callee")? == "static_cast<int64_t>";
        let args = ArrayAttribute::try_from(op.attribute("args").ok()?).ok()?;
        let field = args.element(0).ok()?.to_string();
        let number = if field.contains("\"ctx->rankId\"") {
            Number::RANK
        } else if field.contains("\"ctx->rankNum\"") {
            Number::exactly(Linear::COUNT)
        } else {
            return None;
        };
        is_cast.then_some(number)
    }

    fn either(&mut self, op: OperationRef<'c, 'a>) -> Option<Number> {
        let condition = op.operand(0).ok()?;
        if let Some(holds) = self.known_condition(condition) {
            return Some(self.of(op.operand(if holds { 1 } else { 2 }).ok()?));
        }
        let arms = [(true, op.operand(1).ok()?), (false, op.operand(2).ok()?)];
        let [then, otherwise] = arms.map(|(holds, arm)| {
            let before = self.begin(condition, holds);
            let number = self.of(arm);
            self.end(before);
            number
        });
        Some(self.ranks.join(then, otherwise))
    }

    /// Integers wrap where they leave their type; those of 64 bits with a sign count memory and
    /// do not.
    fn fit(&self, value: Value<'c, 'a>, number: Number) -> Option<Number> {
        let r#type = IntegerType::try_from(value.r#type()).ok()?;
        let width = r#type.width();
        if width >= 64 {
            return Some(if r#type.is_unsigned() {
                self.ranks.fit(number, 0, i64::MAX)
            } else {
                number
            });
        }
        let (least, most) = if r#type.is_unsigned() {
            (0, (1 << width) - 1)
        } else {
            (-(1 << (width - 1)), (1 << (width - 1)) - 1)
        };
        Some(self.ranks.fit(number, least, most))
    }
}

fn comparison<'c: 'a, 'a>(condition: Value<'c, 'a>) -> Option<(Predicate, [Value<'c, 'a>; 2])> {
    let op = view::defining_op(condition).filter(|op| view::is(op, "emitc.cmp"))?;
    let predicate = usize::try_from(view::integer(&op, "predicate")?).ok()?;
    let operands = [op.operand(0).ok()?, op.operand(1).ok()?];
    // Unsigned numbers and those of other types are compared by their own rules.
    let signed = |value: &Value| {
        let r#type = IntegerType::try_from(value.r#type());
        r#type.is_ok_and(|r#type| !r#type.is_unsigned() && r#type.width() > 1)
    };
    let predicate = *PREDICATES.get(predicate)?;
    operands.iter().all(signed).then_some((predicate, operands))
}
