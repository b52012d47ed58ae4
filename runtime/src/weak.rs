//! Remote writes that become visible no earlier than the memory model promises.
//!
//! A rank's stores to windows, its own slice included, wait in its store buffer; a notify of its own lets them all out
//! before it changes the cell. Nothing else must, and the end of a dispatch does not. Letting one out early is always
//! allowed, and some seeds do, in any order that keeps overlapping ones apart: full delay exposes readers that come too
//! early, but would hide writers that do.
//!
//! Compiled code stores to the own slice by itself, and only announces it. No other rank runs before the next runtime
//! call that may pause, so there the store is taken back into the buffer: what memory held before was kept.

use crate::copy::{Element, Rect, Side, add, copy};
use crate::window::Place;

/// A store that peers do not see yet.
struct Delayed {
    place: Place,
    rect: Rect,
    pitch: usize,
    /// The rectangle's rows, without gaps.
    data: Vec<u8>,
    element: Option<Element>,
}

impl Delayed {
    /// Whether the spans of the rectangles meet; for strided ones more than their bytes.
    fn meets(&self, place: Place, rect: Rect, pitch: usize) -> bool {
        let end = |place: Place, rect: Rect, pitch| place.offset + rect.span(pitch).unwrap_or(0);
        (self.place.buffer, self.place.rank) == (place.buffer, place.rank)
            && self.place.offset < end(place, rect, pitch)
            && place.offset < end(self.place, self.rect, self.pitch)
    }

    fn apply(mut self) {
        let (from, to) = (self.data(), self.target());
        // SAFETY: the data holds the rectangle's rows, the place was checked when the store was issued, and weak runs have
        // one worker.
        unsafe {
            match self.element {
                None => copy(from, to, self.rect),
                Some(element) => add(from, to, self.rect, element),
            }
        }
    }

    /// Exchanges the data with what memory holds.
    fn swap(&mut self) {
        let mut memory = vec![0; self.data.len()];
        let (data, target) = (self.data(), self.target());
        let kept = Side {
            base: memory.as_mut_ptr(),
            pitch: self.rect.bytes,
        };
        // SAFETY: as in `apply`; both buffers hold the rectangle's rows.
        unsafe {
            copy(target, kept, self.rect);
            copy(data, target, self.rect);
        }
        self.data = memory;
    }

    fn data(&mut self) -> Side {
        Side {
            base: self.data.as_mut_ptr(),
            pitch: self.rect.bytes,
        }
    }

    fn target(&self) -> Side {
        Side {
            base: self.place.pointer,
            pitch: self.pitch,
        }
    }
}

/// A rank's delayed stores, in program order.
pub(crate) struct StoreBuffer {
    entries: Vec<Delayed>,
    /// Announced stores to the own slice. Their data is what memory held before; none of them meets an entry.
    announced: Vec<Delayed>,
    /// `None` delays every store as long as possible.
    random: Option<fastrand::Rng>,
}

impl StoreBuffer {
    /// The buffer of `rank` in a run with `seed`.
    pub(crate) fn new(seed: u64, rank: usize) -> Self {
        let random =
            (seed != 0).then(|| fastrand::Rng::with_seed(seed ^ (rank as u64 + 1).rotate_left(32)));
        Self {
            entries: Vec::new(),
            announced: Vec::new(),
            random,
        }
    }

    /// Issues a store of `rect` of `from` to a `place`.
    ///
    /// # Safety
    /// `from` holds the rectangle, and `place` was checked for it.
    pub(crate) unsafe fn store(
        &mut self,
        from: Side,
        place: Place,
        rect: Rect,
        pitch: usize,
        element: Option<Element>,
    ) {
        let mut entry = Delayed {
            place,
            rect,
            pitch,
            data: vec![0; rect.rows * rect.bytes],
            element,
        };
        // SAFETY: by this function's contract, and the data has room for all rows.
        unsafe { copy(from, entry.data(), rect) };
        self.enter(entry);
    }

    fn enter(&mut self, entry: Delayed) {
        let Delayed {
            place, rect, pitch, ..
        } = entry;
        let blocked = self
            .entries
            .iter()
            .any(|older| older.meets(place, rect, pitch));
        match self.coin() && !blocked {
            true => entry.apply(),
            false => self.entries.push(entry),
        }
    }

    /// Compiled code is about to store to `rect` at `place` of the own slice.
    ///
    /// # Safety
    /// `place` holds the rectangle.
    pub(crate) unsafe fn announce(&mut self, place: Place, rect: Rect, pitch: usize) {
        self.before_load(place, rect, pitch);
        let mut entry = Delayed {
            place,
            rect,
            pitch,
            data: vec![0; rect.rows * rect.bytes],
            element: None,
        };
        // SAFETY: by this function's contract, and the data has room for all rows.
        unsafe { copy(entry.target(), entry.data(), rect) };
        self.announced.push(entry);
    }

    /// Takes announced stores back into the buffer. Must come before another rank can run.
    pub(crate) fn settle(&mut self) {
        // Where they overlap, the oldest knows what memory held before all of them.
        self.announced.iter_mut().rev().for_each(Delayed::swap);
        for entry in std::mem::take(&mut self.announced) {
            self.enter(entry);
        }
    }

    /// The rank is about to load `rect` at `place`, and must see its own stores there.
    pub(crate) fn before_load(&mut self, place: Place, rect: Rect, pitch: usize) {
        let last = self
            .entries
            .iter()
            .rposition(|entry| entry.meets(place, rect, pitch));
        self.entries
            .drain(..last.map_or(0, |last| last + 1))
            .for_each(Delayed::apply);
    }

    /// Lets all stores out.
    pub(crate) fn drain(&mut self) {
        self.settle();
        self.entries.drain(..).for_each(Delayed::apply);
    }

    /// Lets a store out early, if the seed says so and no earlier one is in its way; true if it did.
    pub(crate) fn leak(&mut self) -> bool {
        if self.entries.is_empty() || !self.coin() {
            return false;
        }
        let Some(random) = &mut self.random else {
            return false;
        };
        let index = random.usize(..self.entries.len());
        let Delayed {
            place, rect, pitch, ..
        } = self.entries[index];
        let free = !self.entries[..index]
            .iter()
            .any(|older| older.meets(place, rect, pitch));
        if free {
            self.entries.remove(index).apply();
        }
        free
    }

    fn coin(&mut self) -> bool {
        self.random.as_mut().is_some_and(fastrand::Rng::bool)
    }
}
