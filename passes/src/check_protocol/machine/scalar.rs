//! Scalars, and what is asked of windows, arrays and ranks.

use super::{Frame, Machine, define, entry, forget, get, int, memories};
use crate::check_protocol::{
    code::{Operation, What},
    interval::Interval,
    value::{Int, Value, join},
};

impl Machine<'_> {
    /// An operation without effects.
    pub(super) fn scalar(&mut self, frame: &mut Frame, operation: &Operation) {
        match self.computed(frame, operation) {
            Some(value) => define(frame, &operation.results, vec![value]),
            None => forget(frame, &operation.results),
        }
    }

    fn computed(&mut self, frame: &Frame, operation: &Operation) -> Option<Value> {
        let bits = operation.results.first()?.bits;
        let known = |value: i64| Some(Value::Int(Int::point(value)));
        match operation.what {
            What::Constant(value) => {
                let value = i128::from(value);
                Some(Value::Int(Int::of(Interval::wrap(value, value, bits?))))
            }
            What::Binary(op, a, b) => {
                let (a, b) = (int(frame, a), int(frame, b));
                let range = a.range.binary(op, b.range, bits?);
                Some(self.followed(range, || format!("{op:?}"), &[a, b]))
            }
            What::Compare(predicate, a, b) => {
                let (a, b) = (int(frame, a), int(frame, b));
                let range = a.range.compare(predicate, b.range);
                Some(self.followed(range, || format!("{predicate:?}"), &[a, b]))
            }
            What::Resize {
                from,
                bits: from_bits,
                signed,
            } => {
                let from = int(frame, from);
                let range = resize(from.range, from_bits, bits?, signed);
                Some(self.followed(range, || format!("to {bits:?} {signed}"), &[from]))
            }
            What::Select(on, a, b) => {
                let on = int(frame, on);
                let (a, b) = (get(frame, a), get(frame, b));
                Some(match on.range.as_point() {
                    Some(0) => b,
                    Some(_) => a,
                    None => match (join(&a, &b), &a, &b) {
                        (Value::Int(joined), Value::Int(a), Value::Int(b)) => {
                            self.followed(joined.range, || "select".into(), &[on, *a, *b])
                        }
                        (joined, ..) => joined,
                    },
                })
            }
            What::WorldSize => known(self.world.into()),
            What::Context(window) => Some(match memories(frame, window)?.first()?.place {
                super::super::value::Place::Window(window) => Value::Context(window),
                super::super::value::Place::Array(_) => Value::Other,
            }),
            What::Rank(context) => {
                let Value::Context(window) = get(frame, context) else {
                    return None;
                };
                let rank = self.rank();
                let members = &self.windows[window].members;
                known(members.iter().position(|&member| member == rank)? as i64)
            }
            What::Nranks(context) => {
                let Value::Context(window) = get(frame, context) else {
                    return None;
                };
                known(self.windows[window].members.len() as i64)
            }
            What::BlockIndex => known(self.block().0),
            What::BlockNumber => known(self.block().1),
            What::Dim(memory, dim) => {
                let memories = memories(frame, memory)?;
                let dim = usize::try_from(entry(frame, dim).range.as_point()?).ok()?;
                let mut extents = memories.iter().map(|memory| memory.shape.get(dim).copied());
                let first = Value::Int(extents.next()??);
                extents.try_fold(first, |all, extent| Some(join(&all, &Value::Int(extent?))))
            }
            What::Cast { from, ref shape } => {
                let mut memories = memories(frame, from)?.to_vec();
                for memory in &mut memories {
                    for (extent, stated) in memory.shape.iter_mut().zip(&shape.shape) {
                        if let Some(stated) = *stated {
                            *extent = Int::point(stated);
                        }
                    }
                }
                Some(Value::Memory(memories.into()))
            }
            What::Shard(memory, rank) => self.shard(&memories(frame, memory)?, int(frame, rank)),
            _ => None,
        }
    }

    /// A value with where it comes from, unless it is known.
    fn followed(&mut self, range: Interval, name: impl FnOnce() -> String, of: &[Int]) -> Value {
        let mut value = Int::of(range);
        if range.as_point().is_none() && of.iter().all(|int| int.is_followed()) {
            value.origin = self.origins.computed(&name(), of);
        }
        Value::Int(value)
    }

    /// The number of this block, and how many there are.
    fn block(&self) -> (i64, i64) {
        let block = self.here.as_ref().and_then(|here| here.block.as_ref());
        block.map_or((0, 1), |block| (block.index.into(), block.count.into()))
    }
}

/// A number as another width holds it.
fn resize(range: Interval, from: u32, to: u32, signed: bool) -> Interval {
    // A single bit is 1 or 0 here, and -1 where it has a sign.
    let range = match (from, signed) {
        (1, true) if to > 1 => Interval::new(-range.hi, -range.lo),
        (_, false) if from > 1 && range.lo < 0 => match range.as_point() {
            Some(value) if from < 64 => Interval::point(value & ((1 << from) - 1)),
            _ if from < 64 => Interval::new(0, (1 << from) - 1),
            _ => range,
        },
        _ => range,
    };
    Interval::wrap(range.lo.into(), range.hi.into(), to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What zero and sign extension make of negative numbers and of a single bit.
    #[test]
    fn resizes() {
        let point = Interval::point;
        assert_eq!(resize(point(-1), 8, 32, false), point(255));
        assert_eq!(resize(point(-1), 8, 32, true), point(-1));
        assert_eq!(resize(point(1), 1, 32, true), point(-1));
        assert_eq!(resize(point(1), 1, 32, false), point(1));
        assert_eq!(resize(point(256), 32, 8, true), point(0));
        assert_eq!(
            resize(Interval::new(-1, 1), 8, 16, false),
            Interval::new(0, 255)
        );
        assert_eq!(resize(Interval::new(0, 300), 32, 8, true), Interval::all(8));
    }
}
