//! The orders of a kernel, and the walk that finds out what is missing.

use super::super::statement::Pipe;
use super::{
    kernel::{Kernel, Node, Rounds, What},
    state::{Event, Order, State, Touch},
};
use std::collections::{BTreeMap, BTreeSet};

/// Where an order stands: before or after the node of a number, and at which place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The node.
    pub node: usize,
    /// Whether it stands after it.
    pub after: bool,
}

impl Place {
    /// Before a node.
    pub const fn before(node: usize) -> Self {
        Self { node, after: false }
    }

    /// After a node.
    pub const fn after(node: usize) -> Self {
        Self { node, after: true }
    }
}

/// The orders of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders(BTreeMap<Place, Vec<Order>>);

impl Orders {
    /// Those at a place, in order.
    pub fn at(&self, place: Place) -> &[Order] {
        self.0.get(&place).map_or(&[], Vec::as_slice)
    }

    /// All of them.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = (Place, Order)> + '_ {
        let each = |(&place, orders): (&Place, &'_ Vec<Order>)| {
            let orders: Vec<_> = orders.iter().map(|&order| (place, order)).collect();
            orders
        };
        self.0.iter().flat_map(each)
    }

    /// Adds one behind those at its place.
    pub fn push(&mut self, place: Place, order: Order) {
        self.0.entry(place).or_default().push(order);
    }

    /// Adds one before those at its place.
    pub fn push_front(&mut self, place: Place, order: Order) {
        self.0.entry(place).or_default().insert(0, order);
    }

    /// Removes the first of this kind at a place.
    pub fn remove(&mut self, place: Place, order: Order) {
        if let Some(orders) = self.0.get_mut(&place)
            && let Some(at) = orders.iter().position(|&other| other == order)
        {
            orders.remove(at);
        }
    }

    /// Those at some places, for [`Self::restore`].
    pub fn copy_of(&self, places: &[Place]) -> Vec<(Place, Vec<Order>)> {
        let of = |&place: &Place| (place, self.at(place).to_vec());
        places.iter().map(of).collect()
    }

    /// Sets those at some places to what they were.
    pub fn restore(&mut self, saved: Vec<(Place, Vec<Order>)>) {
        self.0.extend(saved);
    }

    /// Removes both ends of an event, wherever they are.
    pub fn remove_event(&mut self, event: Event) {
        for orders in self.0.values_mut() {
            orders.retain(|&order| order != Order::Set(event) && order != Order::Wait(event));
        }
    }

    /// The events, by number.
    pub fn events(&self) -> Vec<Event> {
        let events: BTreeMap<_, _> = self
            .all()
            .filter_map(|(_, order)| match order {
                Order::Set(event) => Some((event.number, event)),
                _ => None,
            })
            .collect();
        events.into_values().collect()
    }

    /// Flags, events and barriers; an event counts once, however often it is set.
    pub fn count(&self) -> usize {
        let others = self
            .all()
            .filter(|(_, order)| !matches!(order, Order::Set(_) | Order::Wait(_)));
        others.count() + self.events().len()
    }

    /// Adds what is missing.
    pub fn complete(&mut self, kernel: &Kernel) {
        let mut walk = Walk::over(self);
        walk.kernel(kernel);
        *self = walk.orders;
    }

    /// Numbers of the signals that need a fence before them.
    pub fn releases(&self, kernel: &Kernel) -> BTreeSet<usize> {
        let mut walk = Walk::over(self);
        walk.kernel(kernel);
        walk.releases
    }

    /// For each flag, by the statement behind it and its pipes, the statements that it is for.
    pub fn sources(&self, kernel: &Kernel) -> BTreeMap<FlagAt, BTreeSet<usize>> {
        let mut walk = Walk::over(self);
        walk.sources = Some(BTreeMap::new());
        walk.kernel(kernel);
        walk.sources.unwrap_or_default()
    }
}

/// A flag before a statement: its number, and the numbers of the pipes.
pub type FlagAt = (usize, u8, u8);

/// A walk only adds to the orders and starts from what is there, so that a loop may be walked
/// until nothing is added.
pub struct Walk {
    /// The orders, and what is added.
    pub orders: Orders,
    only_checks: bool,
    /// Whether something was missing.
    pub found: bool,
    sources: Option<BTreeMap<FlagAt, BTreeSet<usize>>>,
    releases: BTreeSet<usize>,
}

impl Walk {
    fn over(orders: &Orders) -> Self {
        Self {
            orders: orders.clone(),
            only_checks: false,
            found: false,
            sources: None,
            releases: BTreeSet::new(),
        }
    }

    /// One that looks whether something is missing, and goes no further than to the first.
    pub fn check(orders: &Orders) -> Self {
        let mut walk = Self::over(orders);
        walk.only_checks = true;
        walk
    }

    /// In each case of how many ranks there are.
    pub fn kernel(&mut self, kernel: &Kernel) {
        for body in &kernel.cases {
            self.block(body, &mut State::default());
        }
    }

    fn block<'k>(&mut self, nodes: &'k [Node], state: &mut State<'k>) {
        for node in nodes {
            if self.only_checks && self.found {
                return;
            }
            self.node(node, state);
        }
    }

    /// Walks a node.
    pub fn node<'k>(&mut self, node: &'k Node, state: &mut State<'k>) {
        match &node.what {
            What::Statement(scalars, effects, memory) => {
                let scalars = scalars.as_deref().map(Touch::from);
                self.statement(node.id, scalars, Touch::of(effects, memory), state);
            }
            What::Loop(body, rounds) => {
                self.apply(Place::before(node.id), state);
                self.rounds(node.id, body, *rounds, state);
            }
            What::Branch(arms) => {
                self.apply(Place::before(node.id), state);
                self.arms(arms, state);
            }
        }
        self.apply(Place::after(node.id), state);
    }

    fn apply(&mut self, place: Place, state: &mut State) {
        for &order in self.orders.at(place) {
            state.apply(order);
        }
    }

    fn statement<'k>(
        &mut self,
        id: usize,
        scalars: Option<Touch<'k>>,
        touch: Touch<'k>,
        state: &mut State<'k>,
    ) {
        // The scalar unit first reads what it issues the statement with.
        let own = scalars.map(|scalars| (2 * id + 1, scalars));
        let parts = own.into_iter().chain([(2 * id, touch)]);
        let pipe = touch.effects.pipe;
        let place = Place::before(id);
        for &order in self.orders.at(place) {
            if let (Some(sources), Order::Flag(from, to)) = (&mut self.sources, order) {
                let key = (id, from as u8, to as u8);
                for (_, touch) in parts.clone().filter(|(_, touch)| touch.effects.pipe == to) {
                    let found = state.sources(from, touch).map(|number| number / 2);
                    sources.entry(key).or_default().extend(found);
                }
            }
            state.apply(order);
        }
        if pipe == Pipe::All && state.needs_release() {
            self.releases.insert(id);
        }
        // A fence of its own (a notify) needs nothing before it.
        if pipe != Pipe::All {
            for (_, touch) in parts.clone() {
                for order in state.missing(touch) {
                    self.found = true;
                    if self.only_checks {
                        return;
                    }
                    self.orders.push(place, order);
                    state.apply(order);
                }
            }
        }
        for (number, touch) in parts {
            state.issue(number, touch);
        }
    }

    /// A round may not be there, or come again after itself: walks it until its end leaves
    /// nothing open that was not open at its start.
    fn rounds<'k>(
        &mut self,
        node: usize,
        body: &'k Rounds,
        rounds: Option<u64>,
        state: &mut State<'k>,
    ) {
        if let Some(first) = &body.first {
            self.block(first, state);
            state.cross(node);
        }
        let rounds = rounds.map(|rounds| rounds.saturating_sub(u64::from(body.first.is_some())));
        if rounds == Some(0) {
            return;
        }
        loop {
            let entry = state.clone();
            self.block(&body.rest, state);
            if self.only_checks && self.found {
                return;
            }
            state.cross(node);
            state.join(&entry);
            if rounds.is_some_and(|rounds| rounds <= 1) || state.is_within(&entry) {
                return;
            }
        }
    }

    fn arms<'k>(&mut self, arms: &'k [Vec<Node>], state: &mut State<'k>) {
        let before = std::mem::take(state);
        for arm in arms {
            let mut taken = before.clone();
            self.block(arm, &mut taken);
            state.join(&taken);
        }
    }
}
