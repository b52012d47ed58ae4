//! Arithmetic on numbers that may be known: of known ones no operation is built.
//!
//! All are sizes or offsets, so none is negative in a program that is right.

use pld_dialects::{emit::Emitter, view::Mixed};

/// Arithmetic on entries of mixed lists.
pub(crate) trait Arithmetic<'c, 'a> {
    fn sum(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a>;
    fn difference(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a>;
    fn product(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a>;
    fn quotient(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a>;
    fn remainder(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a>;
    fn least(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a>;

    /// `body` for each `lower + k * step` below `upper`; without a loop if that is one.
    fn for_range(
        &self,
        lower: Mixed<'c, 'a>,
        upper: Mixed<'c, 'a>,
        step: i64,
        body: impl FnOnce(&Self, Mixed<'c, 'a>),
    );
}

fn fold<'c, 'a>(
    at: &Emitter<'c, 'a>,
    name: &str,
    (a, b): (Mixed<'c, 'a>, Mixed<'c, 'a>),
    known: impl FnOnce(i64, i64) -> Option<i64>,
) -> Mixed<'c, 'a> {
    let (a, b) = (a.folded(), b.folded());
    match (a, b) {
        (Mixed::Static(a), Mixed::Static(b)) if let Some(value) = known(a, b) => value.into(),
        (a, Mixed::Static(0)) if matches!(name, "arith.addi" | "arith.subi") => a,
        (Mixed::Static(0), b) if name == "arith.addi" => b,
        (a, Mixed::Static(1)) if matches!(name, "arith.muli" | "arith.divsi") => a,
        (Mixed::Static(1), b) if name == "arith.muli" => b,
        (_, Mixed::Static(1)) if name == "arith.remsi" => 0.into(),
        _ => at.binary(name, at.mixed(a), at.mixed(b)).into(),
    }
}

impl<'c, 'a> Arithmetic<'c, 'a> for Emitter<'c, 'a> {
    fn sum(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a> {
        fold(self, "arith.addi", (a, b), i64::checked_add)
    }

    fn difference(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a> {
        fold(self, "arith.subi", (a, b), i64::checked_sub)
    }

    fn product(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a> {
        fold(self, "arith.muli", (a, b), i64::checked_mul)
    }

    fn quotient(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a> {
        fold(self, "arith.divsi", (a, b), i64::checked_div)
    }

    fn remainder(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a> {
        fold(self, "arith.remsi", (a, b), i64::checked_rem)
    }

    fn least(&self, a: Mixed<'c, 'a>, b: Mixed<'c, 'a>) -> Mixed<'c, 'a> {
        fold(self, "arith.minsi", (a, b), |a, b| Some(a.min(b)))
    }

    fn for_range(
        &self,
        lower: Mixed<'c, 'a>,
        upper: Mixed<'c, 'a>,
        step: i64,
        body: impl FnOnce(&Self, Mixed<'c, 'a>),
    ) {
        if let (Some(first), Some(end)) = (lower.as_static(), upper.as_static())
            && end.saturating_sub(first) <= step
        {
            if first < end {
                body(self, lower);
            }
            return;
        }
        let (lower, upper) = (self.mixed(lower), self.mixed(upper));
        self.for_loop(lower, upper, self.index(step), |at, index| {
            body(at, index.into());
        });
    }
}
