//! Loops and branches: those that are known run; those that data decides are taken as a whole
//! where they hold no signals, and are ways of their own where they do.

use super::{Done, Frame, Machine, define, forget, get, int, set, unknown, yields};
use crate::check_protocol::{
    code::{Body, Definition, Operation, Slot, What},
    interval::{Binary, Interval},
    value::{Int, Value, join, widen},
};
use pld_protocol::{SiteId, Step};

/// Loops of more trips are taken as a whole if they hold no signals.
const MOST_TRIPS: i64 = 1 << 16;
/// Trips that a loop with signals is tried with.
const TRIED: [i64; 3] = [0, 1, 2];
/// Rounds after which what goes on changing may be anything.
const ROUNDS: u32 = 3;

impl<'p> Machine<'p> {
    pub(super) fn for_loop(&mut self, frame: &mut Frame, operation: &'p Operation) -> Done {
        let What::For {
            lower,
            upper,
            step,
            initial,
            body,
        } = &operation.what
        else {
            return Ok(());
        };
        let bounds = [int(frame, *lower), int(frame, *upper), int(frame, *step)];
        let trips = trips(bounds);
        let initial: Vec<Value> = initial.iter().map(|&slot| get(frame, slot)).collect();
        let known = trips.as_point();
        let is_short = known.is_some_and(|trips| trips <= MOST_TRIPS);
        if !is_short && !operation.effects.signals {
            let counter = counter(bounds, trips);
            return self.whole_for(frame, operation, body, counter, initial);
        }
        let trips = match known {
            Some(trips) => trips,
            None => self.choose_trips(operation.site, bounds, trips),
        };
        let mut carried = initial;
        for trip in 0..trips {
            let counter = bounds[0].range.binary(
                Binary::Add,
                bounds[2]
                    .range
                    .binary(Binary::Mul, Interval::point(trip), 64),
                64,
            );
            let counter = Value::Int(Int::of(counter));
            begin(frame, body, Some(counter), carried);
            self.inside(Step::Trip(operation.site, trip as u64), |machine| {
                machine.body(frame, body, operation.site)
            })?;
            carried = yields(frame, body);
        }
        define(frame, &operation.results, carried);
        Ok(())
    }

    /// How often a loop with signals runs where data decides.
    fn choose_trips(&mut self, site: SiteId, bounds: [Int; 3], trips: Interval) -> i64 {
        let mut tried: Vec<i64> = TRIED
            .into_iter()
            .filter(|&trip| trips.lo <= trip && trip <= trips.hi)
            .collect();
        if tried.is_empty() {
            tried.push(trips.lo);
        }
        if trips.hi > tried[tried.len() - 1] {
            self.cells.is_cut = true;
            let text = "data decides how often it runs, of which 0, 1 and 2 times are looked at";
            self.remark(site, text.into(), true);
        }
        let followed = bounds.iter().all(Int::is_followed);
        let origin = followed.then(|| self.origins.computed("trips", &bounds));
        let text = |option: usize| times(tried[option.min(tried.len() - 1)]);
        let rank = self.rank();
        let option = self
            .choices
            .choose(origin.flatten(), tried.len(), site, rank, text);
        tried[option.min(tried.len() - 1)]
    }

    /// All trips of a loop at once.
    fn whole_for(
        &mut self,
        frame: &mut Frame,
        operation: &'p Operation,
        body: &'p Body,
        counter: Interval,
        initial: Vec<Value>,
    ) -> Done {
        let site = operation.site;
        let after = self.whole(&operation.results, initial, |machine, carried| {
            let counter = Value::Int(Int::of(counter));
            begin(frame, body, Some(counter), carried);
            machine.body(frame, body, site)?;
            Ok(yields(frame, body))
        })?;
        define(frame, &operation.results, after);
        Ok(())
    }

    /// Runs a trip until what its values may be changes no more, and then once so that it is
    /// seen. Returns what they may be after any number of trips.
    fn whole(
        &mut self,
        results: &[Definition],
        mut carried: Vec<Value>,
        mut trip: impl FnMut(&mut Self, Vec<Value>) -> Done<Vec<Value>>,
    ) -> Done<Vec<Value>> {
        let (widened, changed) = (self.widen, self.changed);
        self.may += 1;
        self.dry += 1;
        for round in 0..=2 * ROUNDS {
            self.widen = widened || round >= ROUNDS;
            self.changed = false;
            let next = trip(self, carried.clone())?;
            let mut joined = joined(&carried, &next);
            if round >= ROUNDS {
                for (index, value) in joined.iter_mut().enumerate() {
                    let bits = results.get(index).and_then(|result| result.bits);
                    *value = widen(&carried[index], value, bits.unwrap_or(64));
                }
            }
            if joined == carried && !self.changed {
                break;
            }
            carried = joined;
        }
        self.dry -= 1;
        self.widen = widened;
        self.changed = changed;
        let next = trip(self, carried.clone())?;
        self.may -= 1;
        Ok(joined(&carried, &next))
    }

    pub(super) fn while_loop(&mut self, frame: &mut Frame, operation: &'p Operation) -> Done {
        let What::While {
            initial,
            before,
            after,
        } = &operation.what
        else {
            return Ok(());
        };
        let site = operation.site;
        let mut carried: Vec<Value> = initial.iter().map(|&slot| get(frame, slot)).collect();
        let mut chosen = None;
        for trip in 0.. {
            begin(frame, before, None, carried.clone());
            // Of a loop taken as a whole, the condition is seen below.
            let known = self.condition(frame, before, site, operation)?;
            let goes_on = match known {
                Some(goes_on) => goes_on,
                None if operation.effects.signals => {
                    let trips = match chosen {
                        Some(trips) => trips,
                        None => {
                            let any = Int::of(Interval::new(trip, i64::MAX));
                            let bounds = [Int::point(0), any, Int::point(1)];
                            self.choose_trips(site, bounds, any.range)
                        }
                    };
                    chosen = Some(trips);
                    trip < trips
                }
                None => return self.whole_while(frame, operation, carried),
            };
            let handed: Vec<Value> = yields(frame, before).into_iter().skip(1).collect();
            if !goes_on {
                define(frame, &operation.results, handed);
                return Ok(());
            }
            begin(frame, after, None, handed);
            self.inside(Step::Trip(site, trip as u64), |machine| {
                machine.body(frame, after, site)
            })?;
            carried = yields(frame, after);
        }
        Ok(())
    }

    /// Runs the first region of a loop, and says whether it goes on, if that is known. A region
    /// without signals is tried first, so that nothing is seen twice.
    fn condition(
        &mut self,
        frame: &mut Frame,
        before: &'p Body,
        site: SiteId,
        operation: &Operation,
    ) -> Done<Option<bool>> {
        let decided = |frame: &Frame| {
            let condition = before.yields.first().map(|&slot| int(frame, slot));
            condition.and_then(|condition| condition.range.as_point().map(|value| value != 0))
        };
        let mut tried = frame.to_vec();
        if !operation.effects.signals {
            self.dry += 1;
            let done = self.body(&mut tried, before, site);
            self.dry -= 1;
            done?;
            if decided(&tried).is_none() {
                return Ok(None);
            }
        }
        self.body(frame, before, site)?;
        Ok(decided(frame))
    }

    fn whole_while(
        &mut self,
        frame: &mut Frame,
        operation: &'p Operation,
        carried: Vec<Value>,
    ) -> Done {
        let What::While { before, after, .. } = &operation.what else {
            return Ok(());
        };
        let site = operation.site;
        let mut handed: Option<Vec<Value>> = None;
        // Types of what is carried are not at hand: 64 bits hold all.
        self.whole(&[], carried, |machine, carried| {
            begin(frame, before, None, carried);
            machine.body(frame, before, site)?;
            let next: Vec<Value> = yields(frame, before).into_iter().skip(1).collect();
            handed = Some(match &handed {
                Some(all) => joined(all, &next),
                None => next.clone(),
            });
            begin(frame, after, None, next);
            machine.body(frame, after, site)?;
            Ok(yields(frame, after))
        })?;
        match handed {
            Some(handed) => define(frame, &operation.results, handed),
            None => forget(frame, &operation.results),
        }
        Ok(())
    }

    pub(super) fn branch(&mut self, frame: &mut Frame, operation: &'p Operation) -> Done {
        let What::Branch {
            on,
            cases,
            bodies,
            is_if,
        } = &operation.what
        else {
            return Ok(());
        };
        let site = operation.site;
        let value = int(frame, *on);
        let open: Vec<usize> = match value.range.as_point() {
            Some(value) => vec![taken(cases, value)],
            None => (0..bodies.len())
                .filter(|&body| match cases.get(body) {
                    Some(&case) => value.range.meet(Interval::point(case)).is_some(),
                    None => true,
                })
                .collect(),
        };
        if let [only] = open[..] {
            return self.take(frame, operation, &bodies[only]);
        }
        if operation.effects.signals {
            let chosen = open[self.choose_branch(site, value, cases, &open, *is_if)];
            let known = match cases.get(chosen) {
                Some(&case) => Some(case),
                None => is_if.then_some(0),
            };
            if let Some(known) = known {
                set(frame, *on, Value::Int(Int::point(known)));
            }
            return self.take(frame, operation, &bodies[chosen]);
        }
        self.any_of(frame, operation, open.iter().map(|&body| &bodies[body]))
    }

    fn choose_branch(
        &mut self,
        site: SiteId,
        value: Int,
        cases: &[i64],
        open: &[usize],
        is_if: bool,
    ) -> usize {
        let origin = match is_if {
            true => value.origin,
            // Cases of another switch have other numbers.
            false => value
                .is_followed()
                .then(|| self.origins.computed(&format!("{cases:?}"), &[value]))
                .flatten(),
        };
        let text = |option: usize| match (is_if, open[option.min(open.len() - 1)]) {
            (true, 0) => "the branch is taken".to_owned(),
            (true, _) => "the branch is not taken".to_owned(),
            (false, body) => match cases.get(body) {
                Some(case) => format!("case {case} is taken"),
                None => "the default is taken".to_owned(),
            },
        };
        let rank = self.rank();
        self.choices.choose(origin, open.len(), site, rank, text)
    }

    fn take(&mut self, frame: &mut Frame, operation: &'p Operation, body: &'p Body) -> Done {
        self.body(frame, body, operation.site)?;
        let values = yields(frame, body);
        define(frame, &operation.results, values);
        Ok(())
    }

    /// One of several bodies, without signals: each may run.
    fn any_of<'b>(
        &mut self,
        frame: &mut Frame,
        operation: &Operation,
        bodies: impl Iterator<Item = &'b Body>,
    ) -> Done
    where
        'p: 'b,
        'b: 'p,
    {
        let mut results: Option<Vec<Value>> = None;
        for body in bodies {
            self.may += 1;
            self.body(frame, body, operation.site)?;
            self.may -= 1;
            let values = yields(frame, body);
            results = Some(match results {
                Some(all) => joined(&all, &values),
                None => values,
            });
        }
        let unknown = || operation.results.iter().map(unknown).collect();
        define(frame, &operation.results, results.unwrap_or_else(unknown));
        Ok(())
    }
}

/// Sets the arguments of a body: the counter of a loop, if it has one, and what it carries.
fn begin(frame: &mut Frame, body: &Body, counter: Option<Value>, carried: Vec<Value>) {
    let values = counter.into_iter().chain(carried);
    for (&slot, value) in body.arguments.iter().zip(values) {
        set_argument(frame, slot, value);
    }
}

fn set_argument(frame: &mut Frame, slot: Slot, value: Value) {
    set(frame, slot, value);
}

fn joined(a: &[Value], b: &[Value]) -> Vec<Value> {
    a.iter().zip(b).map(|(a, b)| join(a, b)).collect()
}

/// The number of the body that a value takes: the last for what is no case.
fn taken(cases: &[i64], value: i64) -> usize {
    let case = cases.iter().position(|&case| case == value);
    case.unwrap_or(cases.len())
}

/// How often a loop runs.
fn trips([lower, upper, step]: [Int; 3]) -> Interval {
    if step.range.lo < 1 {
        return Interval::new(0, i64::MAX);
    }
    let count = |from: i64, to: i64, step: i64| {
        let distance = i128::from(to) - i128::from(from);
        let step = i128::from(step);
        ((distance + step - 1).div_euclid(step)).clamp(0, i64::MAX.into()) as i64
    };
    let least = count(lower.range.hi, upper.range.lo, step.range.hi);
    let most = count(lower.range.lo, upper.range.hi, step.range.lo);
    Interval::new(least, most)
}

/// What the counter of a loop may be.
fn counter([lower, upper, step]: [Int; 3], trips: Interval) -> Interval {
    let last = match (lower.range.as_point(), step.range.as_point()) {
        (Some(lower), Some(step)) => {
            let steps = trips.hi.saturating_sub(1).max(0);
            lower.saturating_add(step.saturating_mul(steps))
        }
        _ => i64::MAX,
    };
    let last = last.min(upper.range.hi.saturating_sub(1));
    Interval::new(lower.range.lo, last.max(lower.range.lo))
}

fn times(trips: i64) -> String {
    match trips {
        0 => "the loop does not run".into(),
        1 => "the loop runs once".into(),
        2 => "the loop runs twice".into(),
        trips => format!("the loop runs {trips} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(lower: i64, upper: Interval, step: i64) -> [Int; 3] {
        [Int::point(lower), Int::of(upper), Int::point(step)]
    }

    /// Exact where the bounds are known, and without overflow at the ends.
    #[test]
    fn counts_trips() {
        let point = Interval::point;
        for (lower, upper, step, expected) in [
            (0, point(10), 3, point(4)),
            (0, point(0), 1, point(0)),
            (5, point(2), 1, point(0)),
            (0, Interval::new(1, 7), 2, Interval::new(1, 4)),
            (i64::MIN, point(i64::MAX), 1, point(i64::MAX)),
        ] {
            assert_eq!(trips(bounds(lower, upper, step)), expected);
        }
        let any = trips(bounds(0, point(4), 0));
        assert_eq!(any, Interval::new(0, i64::MAX));
    }

    /// The counter of a loop taken as a whole reaches its last value, no further.
    #[test]
    fn counter_of_all_trips() {
        let bounds = bounds(1, Interval::new(2, 8), 3);
        assert_eq!(counter(bounds, trips(bounds)), Interval::new(1, 7));
    }
}
