//! What is known of an integer: bounds that are linear in the number of ranks, and how far it is
//! from the own rank.

/// `ranks * n + plus`, of n ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    /// Factor of the number of ranks.
    pub ranks: i64,
    /// What is added.
    pub plus: i64,
}

impl Linear {
    /// The number of ranks.
    pub const COUNT: Self = Self { ranks: 1, plus: 0 };

    /// A constant.
    pub const fn of(plus: i64) -> Self {
        Self { ranks: 0, plus }
    }

    fn add(self, other: Self) -> Option<Self> {
        Some(Self {
            ranks: self.ranks.checked_add(other.ranks)?,
            plus: self.plus.checked_add(other.plus)?,
        })
    }

    fn scale(self, by: i64) -> Option<Self> {
        Some(Self {
            ranks: self.ranks.checked_mul(by)?,
            plus: self.plus.checked_mul(by)?,
        })
    }

    fn sub(self, other: Self) -> Option<Self> {
        self.add(other.scale(-1)?)
    }
}

/// How many ranks there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// At least so many, which is at least 1.
    pub least: i64,
    /// At most so many.
    pub most: i64,
}

impl Ranks {
    /// A rank is an int32_t.
    pub const MOST: i64 = i32::MAX as i64;

    /// The least that a bound may be.
    pub fn least_of(self, value: Linear) -> Option<i64> {
        let n = if value.ranks >= 0 {
            self.least
        } else {
            self.most
        };
        value.ranks.checked_mul(n)?.checked_add(value.plus)
    }

    /// The most that a bound may be.
    pub fn most_of(self, value: Linear) -> Option<i64> {
        self.least_of(value.scale(-1)?)?.checked_neg()
    }

    /// Whether one is at most the other, whatever the number of ranks.
    fn at_most(self, one: Linear, other: Linear) -> bool {
        let rest = other.sub(one).and_then(|rest| self.least_of(rest));
        rest.is_some_and(|rest| rest >= 0)
    }

    /// A lower bound of what is bounded by either.
    fn lower(self, one: Linear, other: Linear) -> Option<Linear> {
        if self.at_most(one, other) {
            Some(one)
        } else if self.at_most(other, one) {
            Some(other)
        } else {
            let least = self.least_of(one)?.min(self.least_of(other)?);
            Some(Linear::of(least))
        }
    }

    fn upper(self, one: Linear, other: Linear) -> Option<Linear> {
        self.lower(one.scale(-1)?, other.scale(-1)?)?.scale(-1)
    }
}

/// What is known of an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Number {
    /// It is at least this.
    pub least: Option<Linear>,
    /// It is at most this.
    pub most: Option<Linear>,
    /// Modulo n it is the own rank and a number between these.
    pub after: Option<[Linear; 2]>,
}

impl Number {
    /// Exactly this.
    pub const fn exactly(value: Linear) -> Self {
        Self {
            least: Some(value),
            most: Some(value),
            after: None,
        }
    }

    /// The own rank.
    pub const RANK: Self = Self {
        least: Some(Linear::of(0)),
        most: Some(Linear { ranks: 1, plus: -1 }),
        after: Some([Linear::of(0); 2]),
    };

    /// The value, if it is known.
    pub fn value(self) -> Option<Linear> {
        self.least.filter(|_| self.least == self.most)
    }

    /// The value, if it is known and does not depend on the number of ranks.
    pub fn constant(self) -> Option<i64> {
        let value = self.value()?;
        (value.ranks == 0).then_some(value.plus)
    }

    fn bounds(self) -> Option<[Linear; 2]> {
        Some([self.least?, self.most?])
    }
}

/// Arithmetic by the number of ranks.
impl Ranks {
    /// Whether one is less than the other: it surely is, surely is not, or it is not known.
    pub fn less(self, one: Number, other: Number) -> Option<bool> {
        let above = |bound: Linear| bound.add(Linear::of(1));
        if let (Some(most), Some(least)) = (one.most.and_then(above), other.least)
            && self.at_most(most, least)
        {
            return Some(true);
        }
        let (Some(least), Some(most)) = (one.least, other.most) else {
            return None;
        };
        self.at_most(most, least).then_some(false)
    }

    /// Both are known of one number.
    pub fn meet(self, one: Number, other: Number) -> Number {
        let greater = |a: Linear, b: Linear| if self.at_most(a, b) { b } else { a };
        let lesser = |a: Linear, b: Linear| if self.at_most(b, a) { b } else { a };
        let pick = |a: Option<Linear>, b: Option<Linear>, by: &dyn Fn(Linear, Linear) -> Linear| {
            a.zip(b).map(|(a, b)| by(a, b)).or(a).or(b)
        };
        Number {
            least: pick(one.least, other.least, &greater),
            most: pick(one.most, other.most, &lesser),
            after: one.after.or(other.after),
        }
    }

    /// A number that is one or the other.
    pub fn join(self, one: Number, other: Number) -> Number {
        let both = |a: Option<Linear>, b: Option<Linear>| a.zip(b);
        let after = both_ends(one.after, other.after);
        Number {
            least: both(one.least, other.least).and_then(|(a, b)| self.lower(a, b)),
            most: both(one.most, other.most).and_then(|(a, b)| self.upper(a, b)),
            after: after
                .and_then(|[a, b]| Some([self.lower(a[0], b[0])?, self.upper(a[1], b[1])?])),
        }
    }

    /// Sum.
    pub fn add(self, one: Number, other: Number) -> Number {
        let sum = |a: Option<Linear>, b: Option<Linear>| a?.add(b?);
        let after = match (one.after, other.after) {
            (Some(after), None) => shifted(after, other.bounds()),
            (None, Some(after)) => shifted(after, one.bounds()),
            _ => None,
        };
        Number {
            least: sum(one.least, other.least),
            most: sum(one.most, other.most),
            after,
        }
    }

    /// Difference.
    pub fn sub(self, one: Number, other: Number) -> Number {
        let negative = |bound: Option<Linear>| bound.and_then(|bound| bound.scale(-1));
        let opposite = Number {
            least: negative(other.most),
            most: negative(other.least),
            after: None,
        };
        let difference = self.add(one, opposite);
        match other.after {
            None => difference,
            Some(_) => Number {
                after: None,
                ..difference
            },
        }
    }

    /// Product: with a constant, or of two that are at least 0.
    pub fn mul(self, one: Number, other: Number) -> Number {
        let (by, of) = match (one.constant(), other.constant()) {
            (Some(by), _) => (by, other),
            (_, Some(by)) => (by, one),
            _ => {
                let least = [one, other].iter().all(|number| self.is_natural(*number));
                return Number {
                    least: least.then_some(Linear::of(0)),
                    ..Number::default()
                };
            }
        };
        let scaled = |bound: Option<Linear>| bound.and_then(|bound| bound.scale(by));
        let ends = [scaled(of.least), scaled(of.most)];
        let [least, most] = if by >= 0 { ends } else { [ends[1], ends[0]] };
        Number {
            least,
            most,
            after: None,
        }
    }

    /// Quotient, of a number that is at least 0 by one above 0.
    pub fn div(self, one: Number, by: Number) -> Number {
        let above = |by: &Linear| self.at_most(Linear::of(1), *by);
        let Some(by) = by.value().filter(above).filter(|_| self.is_natural(one)) else {
            return Number::default();
        };
        let quotient = |bound: Linear, up: bool| match (by.ranks, by.plus) {
            (1, 0) if bound.plus >= 0 && up => bound.ranks.checked_add(bound.plus / self.least),
            (1, 0) if bound.plus >= 0 => Some(bound.ranks),
            (1, 0) if up || -bound.plus <= self.least => bound.ranks.checked_sub(1),
            (0, by) if by > 0 && up => Some(self.most_of(bound)? / by),
            (0, by) if by > 0 => Some(self.least_of(bound)? / by),
            _ => None,
        };
        let least = one.least.and_then(|bound| quotient(bound, false));
        Number {
            least: Some(Linear::of(least.unwrap_or(0).max(0))),
            most: one
                .most
                .and_then(|bound| quotient(bound, true))
                .map(Linear::of),
            after: None,
        }
    }

    /// Remainder of a division towards 0 by a number above 0.
    pub fn rem(self, one: Number, by: Number) -> Number {
        let Some(by) = by.value().filter(|&by| self.at_most(Linear::of(1), by)) else {
            return Number::default();
        };
        if let (Some(one), 0) = (one.constant(), by.ranks) {
            return Number::exactly(Linear::of(one % by.plus));
        }
        let most = by.sub(Linear::of(1));
        let natural = self.is_natural(one);
        let within = |bound: Linear| most.is_some_and(|most| self.at_most(bound, most));
        if natural && one.most.is_some_and(within) {
            return one;
        }
        Number {
            least: if natural {
                Some(Linear::of(0))
            } else {
                most.and_then(|most| most.scale(-1))
            },
            most,
            after: one.after.filter(|_| by == Linear::COUNT),
        }
    }

    /// `one << by`, of a constant above 0.
    pub fn shift(self, one: Number, by: Number) -> Number {
        let shifted = |bound: Option<i64>| {
            let by = u32::try_from(bound?).ok().filter(|&by| by < 62)?;
            let shifted = one
                .constant()
                .filter(|&one| one > 0)?
                .checked_mul(1 << by)?;
            Some(Linear::of(shifted))
        };
        let natural = self.is_natural(by);
        let least = by
            .least
            .filter(|_| natural)
            .and_then(|least| self.least_of(least));
        let most = by
            .most
            .filter(|_| natural)
            .and_then(|most| self.most_of(most));
        Number {
            least: shifted(least),
            most: shifted(most),
            after: None,
        }
    }

    /// What is known of the number as a type that holds the numbers from `least` to `most`.
    pub fn fit(self, one: Number, least: i64, most: i64) -> Number {
        let low = one.least.and_then(|bound| self.least_of(bound));
        let high = one.most.and_then(|bound| self.most_of(bound));
        let fits = low.is_some_and(|low| low >= least) && high.is_some_and(|high| high <= most);
        if fits { one } else { Number::default() }
    }

    fn is_natural(self, one: Number) -> bool {
        one.least
            .is_some_and(|least| self.at_most(Linear::of(0), least))
    }

    /// Whether a rank is known to be another one than the own: `Some(false)`, if it is the own.
    pub fn is_other(self, rank: Number) -> Option<bool> {
        if self.most == 1 {
            return Some(false);
        }
        let [from, to] = rank.after?;
        if [from, to] == [Linear::of(0); 2] {
            return Some(false);
        }
        let between = |low: Linear, high: Linear| self.at_most(low, from) && self.at_most(to, high);
        let above = between(Linear::of(1), Linear { ranks: 1, plus: -1 });
        let below = between(Linear { ranks: -1, plus: 1 }, Linear::of(-1));
        (above || below).then_some(true)
    }
}

fn both_ends(one: Option<[Linear; 2]>, other: Option<[Linear; 2]>) -> Option<[[Linear; 2]; 2]> {
    Some([one?, other?])
}

/// Modulo n, adding n changes nothing.
fn shifted(after: [Linear; 2], by: Option<[Linear; 2]>) -> Option<[Linear; 2]> {
    let [least, most] = by?;
    if least == most && least.plus == 0 && matches!(least.ranks, -1..=1) {
        return Some(after);
    }
    Some([after[0].add(least)?, after[1].add(most)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of each number of ranks and each rank, and what is known of it.
    #[derive(Clone)]
    struct Known {
        number: Number,
        values: Vec<i64>,
    }

    fn worlds(ranks: Ranks) -> Vec<(i64, i64)> {
        let sizes = ranks.least..=ranks.most;
        sizes
            .flat_map(|n| (0..n).map(move |rank| (n, rank)))
            .collect()
    }

    fn check(ranks: Ranks, known: &Known) {
        for (&(n, rank), &value) in worlds(ranks).iter().zip(&known.values) {
            let at = |bound: Linear| bound.ranks * n + bound.plus;
            let number = known.number;
            assert!(
                number.least.is_none_or(|least| at(least) <= value),
                "{number:?} {value} n={n}"
            );
            assert!(
                number.most.is_none_or(|most| value <= at(most)),
                "{number:?} {value} n={n}"
            );
            if let Some([from, to]) = number.after {
                let mut distances = at(from)..=at(to);
                let reaches = distances.any(|by| (rank + by - value).rem_euclid(n) == 0);
                assert!(reaches, "{number:?} {value} n={n} rank={rank}");
            }
            match ranks.is_other(number) {
                Some(true) => assert_ne!(value.rem_euclid(n), rank, "{number:?} n={n}"),
                Some(false) => assert_eq!(value.rem_euclid(n), rank, "{number:?} n={n}"),
                None => {}
            }
        }
    }

    /// What is known of random sums, products, quotients and so on holds for each rank of each
    /// number of ranks.
    #[test]
    fn what_is_known_holds() {
        let mut seed = 1u64;
        let mut below = move |count: usize| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as usize % count
        };
        for (least, most) in [(1, 1), (1, 6), (2, 6), (3, 4)] {
            let ranks = Ranks { least, most };
            let worlds = worlds(ranks);
            let leaf = |number, value: &dyn Fn(i64, i64) -> i64| Known {
                number,
                values: worlds.iter().map(|&(n, rank)| value(n, rank)).collect(),
            };
            let mut known = vec![
                leaf(Number::RANK, &|_, rank| rank),
                leaf(Number::exactly(Linear::COUNT), &|n, _| n),
            ];
            for constant in [0, 1, 2, 3, 7, -2] {
                known.push(leaf(Number::exactly(Linear::of(constant)), &|_, _| {
                    constant
                }));
            }
            for _ in 0..4000 {
                let [a, b] = [(); 2].map(|()| known[below(known.len())].clone());
                let what = below(8);
                let divides = what != 3 && what != 4 || b.values.iter().all(|&value| value != 0);
                let shifts = what != 5 || b.values.iter().all(|value| (0..8).contains(value));
                if !divides || !shifts {
                    continue;
                }
                let values = |value: &dyn Fn(i64, i64) -> i64| {
                    a.values
                        .iter()
                        .zip(&b.values)
                        .map(|(&a, &b)| value(a, b))
                        .collect()
                };
                let (number, values): (_, Vec<_>) = match what {
                    0 => (ranks.add(a.number, b.number), values(&|a, b| a + b)),
                    1 => (ranks.sub(a.number, b.number), values(&|a, b| a - b)),
                    2 => (ranks.mul(a.number, b.number), values(&|a, b| a * b)),
                    3 => (ranks.div(a.number, b.number), values(&|a, b| a / b)),
                    4 => (ranks.rem(a.number, b.number), values(&|a, b| a % b)),
                    5 => (ranks.shift(a.number, b.number), values(&|a, b| a << b)),
                    6 => (ranks.join(a.number, b.number), values(&|a, b| a.min(b))),
                    _ => (ranks.fit(a.number, -9, 9), a.values.clone()),
                };
                let result = Known { number, values };
                check(ranks, &result);
                for (&a_value, &b_value) in a.values.iter().zip(&b.values) {
                    if let Some(less) = ranks.less(a.number, b.number) {
                        assert_eq!(a_value < b_value, less, "{:?} {:?}", a.number, b.number);
                    }
                }
                if result.values.iter().all(|value| value.abs() < 1000) {
                    let at = below(known.len());
                    // The leaves stay.
                    if known.len() < 40 {
                        known.push(result);
                    } else if at >= 8 {
                        known[at] = result;
                    }
                }
            }
        }
    }

    /// The rank `k` further is another one where k is between 1 and n - 1.
    #[test]
    fn peers() {
        let ranks = Ranks {
            least: 2,
            most: Ranks::MOST,
        };
        let peer = |by| {
            let sum = ranks.add(Number::RANK, Number::exactly(by));
            ranks.is_other(ranks.rem(sum, Number::exactly(Linear::COUNT)))
        };
        assert_eq!(peer(Linear::of(1)), Some(true));
        assert_eq!(peer(Linear { ranks: 1, plus: -1 }), Some(true));
        assert_eq!(peer(Linear::of(2)), None);
        assert_eq!(peer(Linear::COUNT), Some(false));
        assert_eq!(peer(Linear::of(0)), Some(false));
    }
}
