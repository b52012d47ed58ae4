//! What the orders of a kernel cost: the time it takes on ideal queues, by the profile's model.

use super::{
    super::{profile::Costs, statement::Pipe},
    kernel::{Kernel, Node, What},
    orders::{Orders, Place},
    state::{Event, Order},
};

/// Rounds of a loop whose number is not known.
const UNKNOWN_ROUNDS: u64 = 4;
/// Rounds that are played through at most.
const MOST_ROUNDS: u64 = 32;
/// The same of all loops in each other together.
const MOST_TOGETHER: u64 = 32 * 32 * 32;

/// Time units until all that a kernel does is done. Each pipe takes its statements in order,
/// one at a time, and the scalar unit hands them out in no time. Loops run as often as they
/// say, but at most 32 times, and 4 times if they do not say, and in each other as often as leaves
/// it at 32,768 times; the first arm of a branch that does anything is taken.
pub fn makespan(costs: &Costs, kernel: &Kernel, orders: &Orders) -> u64 {
    let mut play = Play {
        costs,
        orders,
        free: [0; 4],
        set: [0; Event::MOST],
        together: 1,
    };
    play.block(&kernel.body);
    play.last()
}

struct Play<'p> {
    costs: &'p Costs,
    orders: &'p Orders,
    /// When each pipe has done what it was handed.
    free: [u64; 4],
    /// When each event was set.
    set: [u64; Event::MOST],
    /// The product of the rounds of the loops around.
    together: u64,
}

impl Play<'_> {
    fn block(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.apply(Place::before(node.id));
            match &node.what {
                What::Statement(scalars, effects, _) => {
                    if scalars.is_some() {
                        self.run(Pipe::S);
                    }
                    self.statement(effects.pipe, effects.fence);
                }
                What::Loop(body, rounds) => {
                    let most = (MOST_TOGETHER / self.together).clamp(1, MOST_ROUNDS);
                    let rounds = rounds.unwrap_or(UNKNOWN_ROUNDS).min(most);
                    let around = self.together;
                    self.together *= rounds.max(1);
                    for _ in 0..rounds {
                        self.block(&body.rest);
                    }
                    self.together = around;
                }
                What::Branch(arms) => {
                    if let Some(arm) = arms.iter().find(|arm| !arm.is_empty()) {
                        self.block(arm);
                    }
                }
            }
            self.apply(Place::after(node.id));
        }
    }

    fn last(&self) -> u64 {
        self.free.into_iter().max().unwrap_or(0)
    }

    fn statement(&mut self, pipe: Pipe, fence: bool) {
        match pipe {
            // A signal goes out by MTE3, between two fences.
            Pipe::All => {
                self.fence();
                self.run(Pipe::Mte3);
            }
            _ => self.run(pipe),
        }
        if fence {
            self.fence();
        }
    }

    /// The pipe starts when it is free and the scalar unit has come so far.
    fn run(&mut self, pipe: Pipe) {
        let start = self.free[pipe as usize].max(self.free[Pipe::S as usize]);
        self.free[pipe as usize] = start + self.costs.of(pipe);
    }

    fn fence(&mut self) {
        self.free = [self.last(); 4];
    }

    fn apply(&mut self, place: Place) {
        for &order in self.orders.at(place) {
            match order {
                // Each pipe is in order with itself here.
                Order::Barrier(_) => {}
                Order::Fence => self.fence(),
                Order::Flag(from, to) => self.wait(to, self.free[from as usize]),
                Order::Set(event) => self.set[event.number] = self.free[event.from as usize],
                Order::Wait(event) => self.wait(event.to, self.set[event.number]),
            }
        }
    }

    fn wait(&mut self, pipe: Pipe, until: u64) {
        let free = &mut self.free[pipe as usize];
        *free = until.max(*free);
    }
}
