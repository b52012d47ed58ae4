//! Leaves out orders that the rest does not need.
//!
//! One that is left out changes what is open behind it, up to where the rest has ordered that as
//! well: from there on all is as before. So each is looked at between those two points alone, as
//! far as whole nodes of the outermost block go.

use super::{
    kernel::Kernel,
    orders::{Orders, Place, Walk},
    state::{Order, State},
};
use std::collections::{BTreeMap, BTreeSet};

/// Orders within one node of the outermost block, of which each takes a walk over all of it.
const MOST_WITHIN: usize = 400;

/// Leaves out, from the end, what the rest does not need.
pub fn prune(kernel: &Kernel, orders: &mut Orders) {
    let all: Vec<_> = orders.all().collect();
    let mut within: BTreeMap<usize, usize> = BTreeMap::new();
    for (place, _) in &all {
        *within.entry(outermost(kernel, *place)).or_default() += 1;
    }
    let is_looked_at = |places: &[Place]| {
        let mut counts = places.iter().map(|&place| outermost(kernel, place));
        counts.all(|node| within.get(&node).is_none_or(|count| *count <= MOST_WITHIN))
    };
    let mut checked = Checked::of(kernel, orders);
    let mut events = BTreeSet::new();
    for &(place, order) in all.iter().rev() {
        let places = match order {
            Order::Set(event) | Order::Wait(event) => {
                if !events.insert(event.number) {
                    continue;
                }
                let ends = [Order::Set(event), Order::Wait(event)];
                let ends = all.iter().filter(|(_, order)| ends.contains(order));
                ends.map(|(place, _)| *place).collect()
            }
            _ => vec![place],
        };
        if is_looked_at(&places) {
            checked.leave_out(order, &places);
        }
    }
    *orders = checked.walk.orders;
}

/// The position of the node of the outermost block that holds a place.
fn outermost(kernel: &Kernel, place: Place) -> usize {
    // Numbers grow, and those within a node follow its own.
    let behind = kernel.body.partition_point(|node| node.id <= place.node);
    behind.saturating_sub(1)
}

/// Orders that suffice.
struct Checked<'k, 'c, 'a> {
    kernel: &'k Kernel<'c, 'a>,
    walk: Walk,
    /// In each case, what may be open before each node of the outermost block, and at its end.
    states: Vec<Vec<State<'k>>>,
}

impl<'k, 'c: 'a, 'a> Checked<'k, 'c, 'a> {
    fn of(kernel: &'k Kernel<'c, 'a>, orders: &Orders) -> Self {
        let mut walk = Walk::check(orders);
        let states = kernel.cases.iter().map(|body| {
            let mut states = vec![State::default()];
            for node in body {
                let mut state = states[states.len() - 1].clone();
                walk.node(node, &mut state);
                states.push(state);
            }
            states
        });
        let states = states.collect();
        Self {
            kernel,
            walk,
            states,
        }
    }

    /// Leaves out an order at a place, or an event at all of its places, unless that leaves
    /// something without order.
    fn leave_out(&mut self, order: Order, places: &[Place]) {
        let saved = self.walk.orders.copy_of(places);
        match order {
            Order::Set(event) | Order::Wait(event) => self.walk.orders.remove_event(event),
            _ => places
                .iter()
                .for_each(|&place| self.walk.orders.remove(place, order)),
        }
        let positions = places.iter().map(|&place| outermost(self.kernel, place));
        let positions: BTreeSet<_> = positions.collect();
        let (Some(&first), Some(&last)) = (positions.first(), positions.last()) else {
            return;
        };
        match self.states_without(first, last) {
            Some(changed) => {
                for (states, changed) in self.states.iter_mut().zip(changed) {
                    let behind = first + 1..first + 1 + changed.len();
                    states.splice(behind, changed);
                }
            }
            None => self.walk.orders.restore(saved),
        }
    }

    /// What may be open behind the node of position `first` and behind those that follow, up to
    /// where all behind `last` is as before; nothing, if an order is missing.
    fn states_without(&mut self, first: usize, last: usize) -> Option<Vec<Vec<State<'k>>>> {
        self.walk.found = false;
        let cases = self.kernel.cases.iter().zip(&self.states);
        let cases = cases.map(|(body, states)| {
            let mut state = states.get(first)?.clone();
            let mut changed = Vec::new();
            for (index, node) in body.iter().enumerate().skip(first) {
                self.walk.node(node, &mut state);
                if self.walk.found {
                    return None;
                }
                if index >= last && state.is_within(states.get(index + 1)?) {
                    break;
                }
                changed.push(state.clone());
            }
            Some(changed)
        });
        cases.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hccl::{
        emit::text::Effects,
        insert_sync::{
            kernel::{Memory, Node, Rounds, What},
            spread,
        },
        profile::A2A3,
        statement::Pipe,
    };

    /// Random numbers.
    struct Random(u64);

    impl Random {
        fn below(&mut self, count: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % count
        }

        fn ranges(&mut self) -> Vec<(i64, i64)> {
            let ranges = (0..self.below(3)).map(|_| {
                let begin = 32 * self.below(6) as i64;
                (begin, begin + 32)
            });
            let mut ranges: Vec<_> = ranges.collect();
            ranges.sort_unstable();
            ranges
        }

        fn statement(&mut self) -> What {
            let pipe = [Pipe::V, Pipe::Mte2, Pipe::Mte3, Pipe::V][self.below(4)];
            let window = (self.below(3) == 0).then(|| "window0".to_owned());
            let (reads, writes) = (self.ranges(), self.ranges());
            let (is_load, is_store) = (pipe == Pipe::Mte2, pipe == Pipe::Mte3);
            let effects = Effects {
                pipe,
                reads: if is_load { vec![] } else { reads },
                scalars: vec![],
                writes: if is_store { vec![] } else { writes },
                gm_read: window.clone().filter(|_| is_load),
                gm_write: window.filter(|_| is_store),
                gm_bytes: None,
                gm_extent: None,
                atomic: false,
                fence: self.below(20) == 0,
            };
            What::Statement(None, Box::new(effects), Memory::default())
        }

        fn nodes(&mut self, next: &mut usize, depth: usize) -> Vec<Node> {
            let count = 2 + self.below(if depth == 0 { 12 } else { 3 });
            let nodes = (0..count).map(|_| {
                let id = *next;
                *next += 1;
                let what = match self.below(if depth < 2 { 7 } else { 5 }) {
                    5 => {
                        let rest = self.nodes(next, depth + 1);
                        let first = (self.below(2) == 0).then(|| rest.clone());
                        What::Loop(Rounds { first, rest }, None)
                    }
                    6 => {
                        let arms = [(); 2].map(|()| self.nodes(next, depth + 1));
                        What::Branch(arms.to_vec())
                    }
                    _ => self.statement(),
                };
                Node { id, what }
            });
            nodes.collect()
        }
    }

    fn suffice(kernel: &Kernel, orders: &Orders) -> bool {
        let mut walk = Walk::check(orders);
        walk.kernel(kernel);
        !walk.found
    }

    /// What is left of random kernels' orders suffices, and no longer without any one of them.
    #[test]
    fn none_can_be_left_out() {
        let costs = &A2A3.costs;
        let mut left = 0;
        for seed in 0..400 {
            let mut random = Random(seed);
            let body = random.nodes(&mut 0, 0);
            let kernel = Kernel {
                ops: Vec::new(),
                cases: vec![body.clone()],
                body,
            };
            let orders = spread::orders(costs, &kernel);
            assert!(suffice(&kernel, &orders), "{seed}: {kernel:?} {orders:?}");
            for (place, order) in orders.all() {
                let mut without = orders.clone();
                match order {
                    Order::Set(event) | Order::Wait(event) => without.remove_event(event),
                    _ => without.remove(place, order),
                }
                let needed = !suffice(&kernel, &without);
                assert!(
                    needed,
                    "{seed}: {place:?} {order:?} of {kernel:?} {orders:?}"
                );
                left += 1;
            }
        }
        assert!(left > 1000, "{left}");
    }
}
