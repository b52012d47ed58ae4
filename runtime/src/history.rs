//! Which notifies a wait was released by, for traces and for counting communication rounds.
//!
//! A wait takes the shortest run of notifies that makes its condition true, in the cell's own order and from the owner's
//! position on, as the memory model says.

use crate::races::Mode;
use crate::run::lock;
use crate::wait::Condition;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Notifies beyond the position that are kept apart; more are folded, oldest first.
const PENDING: usize = 1024;

/// A notify on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// World rank that sent it.
    pub rank: usize,
    /// Block of that rank.
    pub block: usize,
    /// When its op began, from the start of the ranks.
    pub at: Duration,
    /// Counts the notifies of the run.
    pub number: u64,
}

/// What a notify brings to its cell.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) mode: Mode,
    /// The cell's value after it.
    pub(crate) value: i32,
    /// Longest chain of notifies and waits that ends in it.
    pub(crate) rounds: u32,
    /// `None` if the cell is the sender's own, which is no communication.
    pub(crate) sent: Option<Sent>,
}

#[derive(Default)]
struct Cell {
    /// What stands at the owner's position.
    rounds: u32,
    value: i32,
    /// The latest notify up to there that has released no wait.
    sent: Option<Sent>,
    pending: VecDeque<Arrival>,
}

impl Cell {
    fn fold(&mut self, count: usize) {
        for arrival in self.pending.drain(..count) {
            self.rounds = match arrival.mode {
                Mode::Add => self.rounds.max(arrival.rounds),
                Mode::Set => arrival.rounds,
            };
            self.value = arrival.value;
            self.sent = arrival.sent.or(self.sent);
        }
    }
}

/// The signal cells of a run.
pub(crate) struct History {
    /// By rank and address.
    cells: Vec<Mutex<FxHashMap<usize, Cell>>>,
    sent: AtomicU64,
}

impl History {
    pub(crate) fn new(ranks: usize) -> Self {
        Self {
            cells: (0..ranks).map(|_| Mutex::default()).collect(),
            sent: AtomicU64::new(0),
        }
    }

    /// A notify that a block of `rank` sends.
    pub(crate) fn sent(&self, rank: usize, block: usize, at: Duration) -> Sent {
        let number = self.sent.fetch_add(1, Ordering::Relaxed);
        Sent {
            rank,
            block,
            at,
            number,
        }
    }

    pub(crate) fn notified(&self, owner: usize, address: usize, arrival: Arrival) {
        let mut cells = lock(&self.cells[owner]);
        let cell = cells.entry(address).or_default();
        cell.pending.push_back(arrival);
        let passed = match arrival.sent {
            None => cell.pending.len(),
            Some(_) => cell.pending.len().saturating_sub(PENDING),
        };
        cell.fold(passed);
    }

    /// A wait of the owner that passes: the rounds that led to it, and the notify that released it.
    pub(crate) fn passed(
        &self,
        owner: usize,
        address: usize,
        condition: Condition,
    ) -> (u32, Option<Sent>) {
        let mut cells = lock(&self.cells[owner]);
        let cell = cells.entry(address).or_default();
        if !condition.holds(cell.value) {
            let run = cell
                .pending
                .iter()
                .position(|arrival| condition.holds(arrival.value));
            cell.fold(run.map_or(0, |last| last + 1));
        }
        (cell.rounds, cell.sent.take())
    }
}
