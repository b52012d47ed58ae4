//! Remote writes that become visible no earlier than the memory model promises.
//!
//! A rank's stores to peers wait in its store buffer; a notify of its own lets them all out before it changes the cell.
//! Nothing else must, and the end of a dispatch does not. Letting one out early is always allowed, and some seeds do, in
//! any order that keeps overlapping ones apart: full delay exposes readers that come too early, but would hide writers
//! that do. Stores to the own slice take effect at once, since the rank itself may read them by ordinary loads.

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
        let from = Side {
            base: self.data.as_mut_ptr(),
            pitch: self.rect.bytes,
        };
        let to = Side {
            base: self.place.pointer,
            pitch: self.pitch,
        };
        // SAFETY: the data holds the rectangle's rows, the place was checked when the store was issued, and weak runs have
        // one worker.
        unsafe {
            match self.element {
                None => copy(from, to, self.rect),
                Some(element) => add(from, to, self.rect, element),
            }
        }
    }
}

/// A rank's delayed stores, in program order.
pub(crate) struct StoreBuffer {
    entries: Vec<Delayed>,
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
            random,
        }
    }

    /// Issues a store of `rect` of `from` to a peer's `place`.
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
        let mut data = vec![0; rect.rows * rect.bytes];
        // SAFETY: by this function's contract, and the data has room for all rows.
        unsafe {
            copy(
                from,
                Side {
                    base: data.as_mut_ptr(),
                    pitch: rect.bytes,
                },
                rect,
            )
        };
        let entry = Delayed {
            place,
            rect,
            pitch,
            data,
            element,
        };
        let blocked = self
            .entries
            .iter()
            .any(|older| older.meets(place, rect, pitch));
        match self.coin() && !blocked {
            true => entry.apply(),
            false => self.entries.push(entry),
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
