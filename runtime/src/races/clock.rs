//! Happens-before clocks, one component per task.
//!
//! A task's own component, its epoch, stands outside its clock, so all releases between two acquires share one root and
//! copy nothing. It grows at the first event after a release, and a release is an event: an (owner, epoch) has one root,
//! and an acquire of a known epoch can end at once.

use crate::run::lock;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Arc, Mutex, Weak};

const LANES: usize = 64;

type Chunk = [u32; LANES];

/// Epochs of all tasks, copied on write in chunks.
#[derive(Clone)]
pub(crate) struct Root(Arc<Vec<Arc<Chunk>>>);

impl Root {
    pub(crate) fn zero(tasks: usize) -> Self {
        let zero = Arc::new([0; LANES]);
        let chunks = (0..tasks.div_ceil(LANES)).map(|_| Arc::clone(&zero));
        Self(Arc::new(chunks.collect()))
    }

    fn lane(&self, task: u32) -> u32 {
        let task = task as usize;
        let chunk = self.0.get(task / LANES);
        chunk.map_or(0, |chunk| chunk[task % LANES])
    }

    /// Raises a component; true if it grew.
    fn raise(&mut self, task: u32, epoch: u32) -> bool {
        if self.lane(task) >= epoch {
            return false;
        }
        let chunks = Arc::make_mut(&mut self.0);
        let number = task as usize / LANES;
        // Tasks of blocks come later.
        if chunks.len() <= number {
            chunks.resize_with(number + 1, || Arc::new([0; LANES]));
        }
        let chunk = &mut chunks[number];
        Arc::make_mut(chunk)[task as usize % LANES] = epoch;
        true
    }

    /// Joins `other` in; calls `changed` with each chunk that is new here.
    fn join(&mut self, other: &Self, mut changed: impl FnMut(usize)) {
        if Arc::ptr_eq(&self.0, &other.0) {
            return;
        }
        for (i, theirs) in other.0.iter().enumerate() {
            let Some(mine) = self.0.get(i) else {
                Arc::make_mut(&mut self.0).push(Arc::clone(theirs));
                continue;
            };
            if Arc::ptr_eq(mine, theirs) || covers(mine, theirs) {
                continue;
            }
            let mine = &mut Arc::make_mut(&mut self.0)[i];
            if covers(theirs, mine) {
                *mine = Arc::clone(theirs);
            } else {
                let lanes = Arc::make_mut(mine).iter_mut();
                lanes
                    .zip(theirs.iter())
                    .for_each(|(a, b)| *a = (*a).max(*b));
                changed(i);
            }
        }
    }

    fn covered_by(&self, other: &Self) -> bool {
        let mut chunks = self.0.iter().enumerate();
        Arc::ptr_eq(&self.0, &other.0)
            || chunks.all(|(i, mine)| match other.0.get(i) {
                Some(theirs) => Arc::ptr_eq(mine, theirs) || covers(theirs, mine),
                None => covers(&[0; LANES], mine),
            })
    }
}

fn covers(a: &Chunk, b: &Chunk) -> bool {
    a.iter().zip(b).fold(true, |all, (a, b)| all & (a >= b))
}

/// What a release publishes: its task's clock at an epoch.
#[derive(Clone)]
pub(crate) struct Snapshot {
    root: Root,
    pub(crate) owner: u32,
    epoch: u32,
}

impl Snapshot {
    /// Whether the release is ordered before now.
    pub(crate) fn is_known_to(&self, clock: &TaskClock) -> bool {
        clock.knows(self.owner, self.epoch)
    }
}

/// A task's clock.
pub(crate) struct TaskClock {
    pub(crate) task: u32,
    epoch: u32,
    /// The current epoch has been published, so the next event needs a new one.
    released: bool,
    root: Root,
    /// Chunks written since the last release.
    dirty: Vec<usize>,
}

impl TaskClock {
    pub(crate) fn new(task: usize, zero: &Root) -> Self {
        Self {
            task: task as u32,
            epoch: 1,
            released: false,
            root: zero.clone(),
            dirty: Vec::new(),
        }
    }

    /// The epoch of an event that happens now.
    pub(crate) fn event(&mut self) -> u32 {
        if self.released {
            // A task that releases 2^32 times loses precision, not soundness of its reports.
            self.epoch = self.epoch.saturating_add(1);
            self.released = false;
        }
        self.epoch
    }

    /// Whether `task`'s event at `epoch` is ordered before now.
    pub(crate) fn knows(&self, task: u32, epoch: u32) -> bool {
        task == self.task || self.root.lane(task) >= epoch
    }

    pub(crate) fn release(&mut self, interner: &Interner) -> Snapshot {
        let epoch = self.event();
        if !self.dirty.is_empty() {
            interner.intern(&mut self.root, &self.dirty);
            self.dirty.clear();
        }
        self.released = true;
        Snapshot {
            root: self.root.clone(),
            owner: self.task,
            epoch,
        }
    }

    pub(crate) fn acquire(&mut self, snapshot: &Snapshot) {
        if self.knows(snapshot.owner, snapshot.epoch) {
            return;
        }
        self.join(&snapshot.root);
        self.raise(snapshot.owner, snapshot.epoch);
    }

    /// Acquires several releases at once.
    pub(crate) fn acquire_all(&mut self, merged: &Root) {
        if !merged.covered_by(&self.root) {
            self.join(merged);
        }
    }

    fn join(&mut self, other: &Root) {
        let dirty = &mut self.dirty;
        self.root.join(other, |chunk| mark(dirty, chunk));
    }

    fn raise(&mut self, task: u32, epoch: u32) {
        if self.root.raise(task, epoch) {
            mark(&mut self.dirty, task as usize / LANES);
        }
    }
}

fn mark(dirty: &mut Vec<usize>, chunk: usize) {
    if !dirty.contains(&chunk) {
        dirty.push(chunk);
    }
}

/// Releases joined: up to two by owner, more in one root.
#[derive(Clone, Default)]
pub(crate) struct Joined {
    few: smallvec::SmallVec<[Snapshot; 2]>,
    many: Option<Root>,
}

impl Joined {
    pub(crate) fn clear(&mut self) {
        self.few.clear();
        self.many = None;
    }

    pub(crate) fn add(&mut self, snapshot: Snapshot) {
        if let Some(root) = &mut self.many {
            return merge(root, &snapshot);
        }
        // A task's later release covers its earlier ones.
        if let Some(same) = self.few.iter_mut().find(|s| s.owner == snapshot.owner) {
            *same = snapshot;
        } else if self.few.len() < 2 {
            self.few.push(snapshot);
        } else {
            let mut root = snapshot.root.clone();
            merge(&mut root, &snapshot);
            self.few.drain(..).for_each(|s| merge(&mut root, &s));
            self.many = Some(root);
        }
    }

    pub(crate) fn acquired_by(&self, clock: &mut TaskClock) {
        self.few.iter().for_each(|snapshot| clock.acquire(snapshot));
        if let Some(root) = &self.many {
            clock.acquire_all(root);
        }
    }
}

fn merge(root: &mut Root, snapshot: &Snapshot) {
    root.join(&snapshot.root, |_| ());
    root.raise(snapshot.owner, snapshot.epoch);
}

/// Shares equal chunks and roots, without which clocks of thousands of ranks fill the memory. Up to one chunk of ranks
/// there is nothing to gain.
pub(crate) struct Interner(Option<Mutex<Tables>>);

#[derive(Default)]
struct Tables {
    chunks: Table<Chunk>,
    roots: Table<Vec<Arc<Chunk>>>,
    hasher: RandomState,
}

struct Table<T> {
    entries: HashMap<u64, Weak<T>>,
    /// Size at which dead entries are swept.
    limit: usize,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            entries: HashMap::new(),
            limit: 1024,
        }
    }
}

impl<T> Table<T> {
    fn intern(&mut self, value: &mut Arc<T>, hash: u64, equal: impl Fn(&T, &T) -> bool) {
        if self.entries.len() >= self.limit {
            self.entries.retain(|_, entry| entry.strong_count() > 0);
            self.limit = 2 * self.entries.len().max(512);
        }
        match self.entries.get(&hash).and_then(Weak::upgrade) {
            Some(known) if equal(&known, value) => *value = known,
            _ => drop(self.entries.insert(hash, Arc::downgrade(value))),
        }
    }
}

impl Interner {
    pub(crate) fn new(tasks: usize) -> Self {
        Self((tasks > LANES).then(Mutex::default))
    }

    /// Replaces the chunks `dirty` of a root, and the root, by equal ones that are in use already.
    fn intern(&self, root: &mut Root, dirty: &[usize]) {
        let Some(tables) = &self.0 else { return };
        let Tables {
            chunks,
            roots,
            hasher,
        } = &mut *lock(tables);
        let vector = Arc::make_mut(&mut root.0);
        for &i in dirty {
            let hash = hasher.hash_one(*vector[i]);
            chunks.intern(&mut vector[i], hash, |a, b| a == b);
        }
        let pointers: Vec<_> = root.0.iter().map(Arc::as_ptr).collect();
        let mut state = hasher.build_hasher();
        pointers.hash(&mut state);
        let hash = std::hash::Hasher::finish(&state);
        roots.intern(&mut root.0, hash, |a, b| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
        });
    }
}
