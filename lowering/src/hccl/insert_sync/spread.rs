//! Takes flags apart: set behind the statement that they are for, waited for before the one
//! that needs it, so that what comes between overlaps. Then leaves out what is not needed.

use super::{
    super::{profile::Costs, statement::Pipe},
    cost::makespan,
    kernel::{Kernel, What, common_block},
    orders::{FlagAt, Orders, Place},
    prune::prune,
    state::{Event, Order},
};
use std::collections::{BTreeMap, BTreeSet};

/// Events between two pipes: the two others are for flags that are waited for at once, here
/// and within the target's own functions.
const MOST_PER_PAIR: usize = 6;
/// Orders of a kernel of which flags are taken apart: each takes walks over all of it.
const MOST_ORDERS: usize = 400;

/// Orders that suffice, of which none can be left out.
pub fn orders(costs: &Costs, kernel: &Kernel) -> Orders {
    let mut orders = Orders::default();
    orders.complete(kernel);
    if orders.count() <= MOST_ORDERS {
        spread(costs, kernel, &mut orders);
    }
    prune(kernel, &mut orders);
    orders
}

/// A full barrier behind each statement.
pub fn conservative(kernel: &Kernel) -> Orders {
    fn fences(nodes: &[super::kernel::Node], orders: &mut Orders) {
        for node in nodes {
            if let What::Statement(_, effects, _) = &node.what
                && !effects.fence
            {
                orders.push(Place::after(node.id), Order::Fence);
            }
            node.blocks().iter().for_each(|block| fences(block, orders));
        }
    }
    let mut orders = Orders::default();
    fences(&kernel.body, &mut orders);
    // What the scalar unit reads to issue a statement is one with it.
    orders.complete(kernel);
    orders
}

fn spread(costs: &Costs, kernel: &Kernel, orders: &mut Orders) {
    let mut tried = BTreeSet::new();
    let mut time = makespan(costs, kernel, orders);
    while let Some((flag, sources)) = untried(kernel, orders, &tried) {
        tried.insert(flag);
        let Some(candidate) = taken_apart(kernel, orders, flag, &sources) else {
            continue;
        };
        let better = makespan(costs, kernel, &candidate);
        if better < time {
            time = better;
            *orders = candidate;
        }
    }
}

/// The first flag between queues that has not been tried.
fn untried(
    kernel: &Kernel,
    orders: &Orders,
    tried: &BTreeSet<FlagAt>,
) -> Option<(FlagAt, BTreeSet<usize>)> {
    let sources: BTreeMap<_, _> = orders.sources(kernel);
    let scalar = Pipe::S as u8;
    sources.into_iter().find(|((id, from, to), sources)| {
        let flag = (*id, *from, *to);
        *from != scalar && *to != scalar && !sources.is_empty() && !tried.contains(&flag)
    })
}

fn taken_apart(
    kernel: &Kernel,
    orders: &Orders,
    (id, from, to): FlagAt,
    sources: &BTreeSet<usize>,
) -> Option<Orders> {
    let (from, to) = (pipe(from)?, pipe(to)?);
    let place = Place::before(id);
    let event = event(orders, from, to)?;
    let set = setting(kernel, id, sources)?;
    let mut candidate = orders.clone();
    candidate.remove(place, Order::Flag(from, to));
    candidate.push_front(place, Order::Wait(event));
    candidate.push_front(Place::after(set.after), Order::Set(event));
    if let Some(around) = set.around {
        candidate.push(Place::before(around), Order::Set(event));
        candidate.push_front(Place::after(around), Order::Wait(event));
    }
    candidate.complete(kernel);
    Some(candidate)
}

fn pipe(number: u8) -> Option<Pipe> {
    [Pipe::V, Pipe::Mte2, Pipe::Mte3]
        .into_iter()
        .find(|&pipe| pipe as u8 == number)
}

/// A new one, if there may be one more.
fn event(orders: &Orders, from: Pipe, to: Pipe) -> Option<Event> {
    let taken = orders.events();
    let of_pair = taken
        .iter()
        .filter(|event| (event.from, event.to) == (from, to));
    if of_pair.count() >= MOST_PER_PAIR {
        return None;
    }
    let is_free = |number: &usize| taken.iter().all(|event| event.number != *number);
    let number = (0..Event::MOST).find(is_free)?;
    Some(Event { number, from, to })
}

/// Where an event is set.
struct Setting {
    /// The node behind which.
    after: usize,
    /// The loop, if it is waited for in its next round: set before it, too, and waited for
    /// once more behind it.
    around: Option<usize>,
}

/// Behind the last of the `sources` before the statement in its block; else, of the next round
/// of the loop around the block, behind the last one.
fn setting(kernel: &Kernel, id: usize, sources: &BTreeSet<usize>) -> Option<Setting> {
    let own = common_block(&kernel.body, id, id)?;
    let own_position = own.positions[0];
    let positions: Vec<_> = sources
        .iter()
        .filter_map(|&source| own.block.iter().position(|node| node.holds(source)))
        .collect();
    let before = positions.iter().filter(|&&at| at < own_position).max();
    if let Some(&at) = before {
        return Some(Setting {
            after: own.block[at].id,
            around: None,
        });
    }
    let around = own
        .around
        .filter(|node| matches!(node.what, What::Loop(..)))?;
    let &at = positions.iter().max()?;
    Some(Setting {
        after: own.block[at].id,
        around: Some(around.id),
    })
}
