//! Accesses as the race detector keeps them: small, with the description interned.

use super::clock::TaskClock;
use crate::run::lock;
use rustc_hash::FxHashMap;
use serde::Serialize;
use smallvec::{Array, SmallVec};
use std::sync::Mutex;

/// What an access does to its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// Plain read.
    Read,
    /// Plain write.
    Write,
    /// Adds element by element; such accesses do not conflict with each other.
    AtomicAdd,
    /// A notify's change of its cell.
    Notify,
    /// A wait's read of its cell.
    Wait,
}

/// Who accessed when, and from where on; `what` is the number of its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) task: u32,
    pub(crate) epoch: u32,
    pub(crate) what: u32,
    /// The low half of the offset of its first byte in the slice.
    pub(crate) low: u32,
}

impl Access {
    /// The offset of the first byte in the slice of an access, of less than 4 GiB, that covers the byte at `offset`.
    pub(crate) fn start(self, offset: usize) -> usize {
        offset - (offset as u32).wrapping_sub(self.low) as usize
    }

    pub(crate) fn before(self, clock: &TaskClock) -> bool {
        clock.knows(self.task, self.epoch)
    }
}

/// Accesses of one kind to the same bytes, none of which stands for another.
///
/// As many as `A` has room for are kept in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accesses<A: Array<Item = Access> = [Access; 1]>(SmallVec<A>);

impl<A: Array<Item = Access>> Default for Accesses<A> {
    fn default() -> Self {
        Self(SmallVec::new())
    }
}

impl<A: Array<Item = Access>> Accesses<A> {
    /// Sets up to this size are kept minimal; larger ones are pruned only when they would grow, to stay linear.
    const SMALL: usize = 4;

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// An access that is not ordered before now.
    pub(crate) fn unordered(&self, clock: &TaskClock) -> Option<Access> {
        self.0.iter().copied().find(|access| !access.before(clock))
    }

    /// Adds the access of `clock`'s task. What is ordered before it is dropped: whatever races with that later on races
    /// with the new access as well.
    pub(crate) fn insert(&mut self, access: Access, clock: &TaskClock) {
        if self.0.last() == Some(&access) {
            return;
        }
        if self.0.len() <= Self::SMALL || self.0.len() == self.0.capacity() {
            self.0.retain(|old| !old.before(clock));
        }
        self.0.push(access);
    }
}

/// How an access touches a window, wherever it starts: `rows` runs of `bytes` bytes, `pitch` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Description {
    pub(crate) kind: AccessKind,
    pub(crate) site: i64,
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
    pub(crate) pitch: usize,
}

/// All descriptions of a run, numbered.
#[derive(Default)]
pub(crate) struct Descriptions(Mutex<(FxHashMap<Description, u32>, Vec<Description>)>);

/// A task's most recent descriptions, looked up without a lock.
#[derive(Default)]
pub(crate) struct Recent([Option<(Description, u32)>; 8]);

impl Descriptions {
    pub(crate) fn number(&self, description: Description, recent: &mut Recent) -> u32 {
        let slot = &mut recent.0[description.site as usize % 8];
        if let Some((_, number)) = slot.filter(|(known, _)| *known == description) {
            return number;
        }
        let (numbers, all) = &mut *lock(&self.0);
        let number = *numbers.entry(description).or_insert_with(|| {
            all.push(description);
            all.len() as u32 - 1
        });
        *slot = Some((description, number));
        number
    }

    pub(crate) fn get(&self, number: u32) -> Description {
        lock(&self.0).1[number as usize]
    }
}
