//! Scalars of the abstract execution: intervals of integers of a width.

/// All numbers from `lo` to `hi`, which is not less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Interval {
    pub lo: i64,
    pub hi: i64,
}

/// What is computed of two integers of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    DivS,
    CeilDivS,
    FloorDivS,
    RemS,
    DivU,
    CeilDivU,
    RemU,
    MinS,
    MaxS,
    MinU,
    MaxU,
    And,
    Or,
    Xor,
    Shl,
    ShrS,
    ShrU,
}

/// A comparison, in the order of `arith.cmpi`'s attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Predicate {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

impl Interval {
    pub(super) const fn point(value: i64) -> Self {
        Self {
            lo: value,
            hi: value,
        }
    }

    pub(super) const fn new(lo: i64, hi: i64) -> Self {
        Self { lo, hi }
    }

    /// All numbers that `bits` hold: signed, but for a single bit, which is 0 or 1.
    pub(super) fn all(bits: u32) -> Self {
        match bits {
            0 | 1 => Self::new(0, 1),
            2..64 => Self::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            _ => Self::new(i64::MIN, i64::MAX),
        }
    }

    pub(super) fn as_point(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// The least interval that holds both.
    pub(super) fn join(self, other: Self) -> Self {
        Self::new(self.lo.min(other.lo), self.hi.max(other.hi))
    }

    /// What both hold, if anything.
    pub(super) fn meet(self, other: Self) -> Option<Self> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Self::new(lo, hi))
    }

    /// The numbers of an interval of any size as `bits` hold them.
    pub(super) fn wrap(lo: i128, hi: i128, bits: u32) -> Self {
        let all = Self::all(bits);
        if lo >= i128::from(all.lo) && hi <= i128::from(all.hi) {
            return Self::new(lo as i64, hi as i64);
        }
        if lo == hi {
            return Self::point(wrapped(lo, bits));
        }
        all
    }

    /// `self OP other`, both of `bits`. What has no result, such as a division by zero, may be
    /// anything.
    pub(super) fn binary(self, op: Binary, other: Self, bits: u32) -> Self {
        if let (Some(a), Some(b)) = (self.as_point(), other.as_point()) {
            return match exact(op, a, b, bits) {
                Some(value) => Self::wrap(value, value, bits),
                None => Self::all(bits),
            };
        }
        self.spread(op, other, bits)
            .unwrap_or_else(|| Self::all(bits))
    }

    /// As [`Self::binary`] where not both are known; `None` for anything.
    fn spread(self, op: Binary, other: Self, bits: u32) -> Option<Self> {
        use Binary::*;
        let corners = |compute: fn(i128, i128) -> i128| {
            let mut lo = i128::MAX;
            let mut hi = i128::MIN;
            for a in [self.lo, self.hi] {
                for b in [other.lo, other.hi] {
                    let value = compute(a.into(), b.into());
                    (lo, hi) = (lo.min(value), hi.max(value));
                }
            }
            Self::wrap(lo, hi, bits)
        };
        let both_natural = self.lo >= 0 && other.lo >= 0;
        Some(match op {
            Add => corners(|a, b| a + b),
            Sub => corners(|a, b| a - b),
            Mul => corners(|a, b| a * b),
            MinS => corners(i128::min),
            MaxS => corners(i128::max),
            MinU if both_natural => corners(i128::min),
            MaxU if both_natural => corners(i128::max),
            DivS if other.lo > 0 => corners(|a, b| a / b),
            DivU if both_natural && other.lo > 0 => corners(|a, b| a / b),
            CeilDivS | FloorDivS if other.lo > 0 => {
                let round = if op == CeilDivS { ceil_div } else { floor_div };
                corners(round)
            }
            CeilDivU if both_natural && other.lo > 0 => corners(ceil_div),
            RemS if other.lo > 0 => self.remainder(other.hi),
            RemU if both_natural && other.lo > 0 => self.remainder(other.hi),
            And if both_natural => Self::new(0, self.hi.min(other.hi)),
            Or | Xor if both_natural => {
                let top = self.hi | other.hi;
                let ones = (1u64 << (64 - top.leading_zeros())) - 1;
                Self::new(0, ones as i64).meet(Self::all(bits))?
            }
            Shl if both_natural && other.hi < 63 => corners(|a, b| a << b),
            ShrS if other.lo >= 0 && other.hi < i64::from(bits) => corners(|a, b| a >> b),
            ShrU if both_natural && other.hi < i64::from(bits) => corners(|a, b| a >> b),
            _ => return None,
        })
    }

    /// The remainder by a positive number of at most `most`: with the sign of the dividend.
    fn remainder(self, most: i64) -> Self {
        let least = if self.lo < 0 { -(most - 1) } else { 0 };
        let greatest = if self.hi > 0 { most - 1 } else { 0 };
        // A small number is its own remainder only by a number known to be greater.
        Self::new(least.max(self.lo.min(0)), greatest.min(self.hi.max(0)))
    }

    /// 1, 0, or both.
    pub(super) fn compare(self, predicate: Predicate, other: Self) -> Self {
        use Predicate::*;
        let (a, b) = (self, other);
        let natural = a.lo >= 0 && b.lo >= 0;
        if let (Some(a), Some(b)) = (a.as_point(), b.as_point()) {
            let (ua, ub) = (a as u64, b as u64);
            return Self::point(i64::from(match predicate {
                Eq => a == b,
                Ne => a != b,
                Slt => a < b,
                Sle => a <= b,
                Sgt => a > b,
                Sge => a >= b,
                Ult => ua < ub,
                Ule => ua <= ub,
                Ugt => ua > ub,
                Uge => ua >= ub,
            }));
        }
        let (yes, no) = match predicate {
            Eq => (false, a.meet(b).is_none()),
            Ne => (a.meet(b).is_none(), false),
            Slt => (a.hi < b.lo, a.lo >= b.hi),
            Sle => (a.hi <= b.lo, a.lo > b.hi),
            Sgt => (a.lo > b.hi, a.hi <= b.lo),
            Sge => (a.lo >= b.hi, a.hi < b.lo),
            Ult if natural => (a.hi < b.lo, a.lo >= b.hi),
            Ule if natural => (a.hi <= b.lo, a.lo > b.hi),
            Ugt if natural => (a.lo > b.hi, a.hi <= b.lo),
            Uge if natural => (a.lo >= b.hi, a.hi < b.lo),
            Ult | Ule | Ugt | Uge => (false, false),
        };
        match (yes, no) {
            (true, _) => Self::point(1),
            (_, true) => Self::point(0),
            _ => Self::new(0, 1),
        }
    }
}

/// The low bits of a number, signed but for a single bit.
fn wrapped(value: i128, bits: u32) -> i64 {
    let low = value as i64;
    match bits {
        0 | 1 => low & 1,
        2..64 => (low << (64 - bits)) >> (64 - bits),
        _ => low,
    }
}

/// A number as `bits` hold it without a sign.
fn unsigned(value: i64, bits: u32) -> i128 {
    match bits {
        0..64 => i128::from(value as u64 & ((1 << bits) - 1)),
        _ => i128::from(value as u64),
    }
}

fn ceil_div(a: i128, b: i128) -> i128 {
    -(-a).div_euclid(b)
}

fn floor_div(a: i128, b: i128) -> i128 {
    a.div_euclid(b)
}

/// The result for two numbers, before it is wrapped; `None` where there is none.
fn exact(op: Binary, a: i64, b: i64, bits: u32) -> Option<i128> {
    use Binary::*;
    let (sa, sb) = (i128::from(a), i128::from(b));
    let (ua, ub) = (unsigned(a, bits), unsigned(b, bits));
    let shift = u32::try_from(b).ok().filter(|&shift| shift < bits);
    Some(match op {
        Add => sa + sb,
        Sub => sa - sb,
        Mul => sa * sb,
        DivS => sa.checked_div(sb)?,
        RemS => sa.checked_rem(sb)?,
        CeilDivS | FloorDivS => {
            // By a negative number: both with the other sign.
            let (sa, sb) = if sb < 0 { (-sa, -sb) } else { (sa, sb) };
            if sb == 0 {
                return None;
            }
            if op == CeilDivS {
                ceil_div(sa, sb)
            } else {
                floor_div(sa, sb)
            }
        }
        DivU => ua.checked_div(ub)?,
        RemU => ua.checked_rem(ub)?,
        CeilDivU if ub == 0 => return None,
        CeilDivU => ceil_div(ua, ub),
        MinS => sa.min(sb),
        MaxS => sa.max(sb),
        MinU => ua.min(ub),
        MaxU => ua.max(ub),
        And => sa & sb,
        Or => sa | sb,
        Xor => sa ^ sb,
        Shl => sa << shift?,
        ShrS => sa >> shift?,
        ShrU => ua >> shift?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BINARY: [Binary; 20] = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::DivS,
        Binary::CeilDivS,
        Binary::FloorDivS,
        Binary::RemS,
        Binary::DivU,
        Binary::CeilDivU,
        Binary::RemU,
        Binary::MinS,
        Binary::MaxS,
        Binary::MinU,
        Binary::MaxU,
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::Shl,
        Binary::ShrS,
        Binary::ShrU,
    ];

    /// Whatever the numbers are, their result lies in the interval of the results; of all
    /// intervals of 4 bits, so that wrapping is met everywhere.
    #[test]
    fn holds_all_results() {
        let bits = 4;
        let all = Interval::all(bits);
        let intervals: Vec<Interval> = (all.lo..=all.hi)
            .flat_map(|lo| (lo..=all.hi).map(move |hi| Interval::new(lo, hi)))
            .collect();
        for op in BINARY {
            for &a in &intervals {
                for &b in &intervals {
                    let result = a.binary(op, b, bits);
                    for x in a.lo..=a.hi {
                        for y in b.lo..=b.hi {
                            let one = Interval::point(x).binary(op, Interval::point(y), bits);
                            // Without a result, anything may be.
                            let has_result = one.as_point().is_some();
                            assert!(
                                !has_result || result.meet(one).is_some(),
                                "{op:?} {a:?} {b:?}: {x} {y}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// The same for comparisons.
    #[test]
    fn compares() {
        use Predicate::*;
        for predicate in [Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge] {
            for a in -3..4 {
                for b in -3..4 {
                    let one = Interval::point(a).compare(predicate, Interval::point(b));
                    for (lo, hi) in [(a - 1, a), (a, a + 1), (a - 1, a + 1)] {
                        let wide = Interval::new(lo, hi).compare(predicate, Interval::point(b));
                        assert!(wide.meet(one).is_some(), "{predicate:?} {a} {b}");
                    }
                }
            }
        }
    }

    /// What peers are computed by: known where its operands are, with MLIR's signs.
    #[test]
    fn peers() {
        let rem = |a, b| Interval::point(a).binary(Binary::RemS, Interval::point(b), 64);
        assert_eq!(rem(-1, 4), Interval::point(-1));
        assert_eq!(rem(5, 4), Interval::point(1));
        let any = Interval::all(64).binary(Binary::RemS, Interval::point(4), 64);
        assert_eq!(any, Interval::new(-3, 3));
        let natural = Interval::new(0, i64::MAX).binary(Binary::RemS, Interval::point(4), 64);
        assert_eq!(natural, Interval::new(0, 3));
        // No overflow, whatever stands at the ends.
        let top = Interval::all(64);
        for op in BINARY {
            for other in [top, Interval::point(i64::MIN), Interval::point(-1)] {
                let _ = top.binary(op, other, 64);
                let _ = Interval::point(i64::MIN).binary(op, other, 64);
            }
        }
    }
}
