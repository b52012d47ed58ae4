//! Coroutine stacks: equal slots of one mapping, so that tens of thousands fit the kernel's limit on mappings.
//!
//! Below each stack lies a guard, wide enough for the frames of compiled code, which does not probe its stack. It is of
//! the best kind the kernel offers:
//!
//! | guard | limit |
//! | --- | --- |
//! | `madvise(MADV_GUARD_INSTALL)`, Linux 6.13 | none: no extra mapping |
//! | `mprotect` | about 30,000 slots: two mappings each |
//! | a canary word | none; found at the next suspension, when the neighbour's stack may already be damaged |
//!
//! Runtime calls also compare the stack pointer with the slot's floor, so none of them overflows by itself.

use crate::memory::Mapping;
use crate::run::lock;
use corosensei::stack::{Stack, StackPointer};
use std::sync::Mutex;

pub(crate) const PAGE: usize = 4096;

/// Bytes of a guard.
const GUARD: usize = 4 * PAGE;

/// Linux 6.13 and later; not in `libc` yet for every target.
const MADV_GUARD_INSTALL: libc::c_int = 102;

/// `mprotect` splits a mapping in two per slot, and a process may have about 65,530.
const PROTECTED_SLOTS: usize = 30_000;

const CANARY: u64 = 0x5afe_57ac_c0ff_ee00;

/// How the lowest bytes of a slot are guarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Guard {
    Advice,
    Protection,
    Canary,
}

/// Hands out stacks of one size.
pub(crate) struct Slab {
    mapping: Mapping,
    slot_bytes: usize,
    state: Mutex<SlabState>,
}

struct SlabState {
    free: Vec<(usize, Guard)>,
    fresh: usize,
    slots: usize,
    guard: Guard,
}

/// One stack, to be given back with [`Slab::put`].
pub(crate) struct Slot {
    index: usize,
    limit: usize,
    base: usize,
    guard: Guard,
}

// SAFETY: the usable part lies above a guard, which is checked on suspension where the kernel has none to offer; base and
// limit are page-aligned ends of memory that the slab keeps mapped.
unsafe impl Stack for Slot {
    fn base(&self) -> StackPointer {
        StackPointer::new(self.base).unwrap_or(StackPointer::MIN)
    }

    fn limit(&self) -> StackPointer {
        StackPointer::new(self.limit).unwrap_or(StackPointer::MIN)
    }
}

impl Slot {
    /// The addresses `[low, high)` whose access means that this stack overflowed.
    pub(crate) fn guard_range(&self) -> (usize, usize) {
        (self.limit, self.limit + GUARD)
    }

    pub(crate) fn top(&self) -> usize {
        self.base
    }

    pub(crate) fn sentinel(&self) -> Sentinel {
        Sentinel((self.guard == Guard::Canary).then_some(canary(self.limit)))
    }
}

/// The highest word of an unguarded guard, which an overflow meets first.
fn canary(limit: usize) -> usize {
    limit + GUARD - size_of::<u64>()
}

/// Address of the canary word of a stack that the kernel does not guard.
#[derive(Clone, Copy)]
pub(crate) struct Sentinel(Option<usize>);

impl Sentinel {
    /// False if something wrote over the end of the stack.
    pub(crate) fn intact(self) -> bool {
        // SAFETY: a canary slot's guard is mapped and readable as long as its slab lives.
        self.0
            .is_none_or(|word| unsafe { (word as *const u64).read_volatile() } == CANARY)
    }
}

impl Slab {
    /// Address space for `slots` stacks of `stack_bytes`, or `None` if the system refuses.
    pub(crate) fn new(slots: usize, stack_bytes: usize, best: Guard) -> Option<Self> {
        let stack_bytes = stack_bytes.max(4 * PAGE).checked_next_multiple_of(PAGE)?;
        let slot_bytes = stack_bytes.checked_add(GUARD)?;
        let mapping = Mapping::new(slots.max(1).checked_mul(slot_bytes)?)?.small_pages();
        let state = Mutex::new(SlabState {
            free: Vec::new(),
            fresh: 0,
            slots,
            guard: best,
        });
        Some(Self {
            mapping,
            slot_bytes,
            state,
        })
    }

    /// A stack nobody uses, or `None` if all are in use.
    pub(crate) fn take(&self) -> Option<Slot> {
        let mut state = lock(&self.state);
        if let Some((index, guard)) = state.free.pop() {
            return Some(self.slot(index, guard));
        }
        if state.fresh == state.slots {
            return None;
        }
        let index = state.fresh;
        state.fresh += 1;
        if state.guard == Guard::Protection && index >= PROTECTED_SLOTS {
            state.guard = Guard::Canary;
        }
        state.guard = self.install(index, state.guard);
        Some(self.slot(index, state.guard))
    }

    /// Whether a stack is one of these.
    pub(crate) fn holds(&self, slot: &Slot) -> bool {
        let offset = slot.limit.wrapping_sub(self.mapping.base() as usize);
        offset / self.slot_bytes < lock(&self.state).slots
    }

    pub(crate) fn put(&self, slot: Slot) {
        lock(&self.state).free.push((slot.index, slot.guard));
    }

    fn slot(&self, index: usize, guard: Guard) -> Slot {
        let limit = self.mapping.base() as usize + index * self.slot_bytes;
        Slot {
            index,
            limit,
            base: limit + self.slot_bytes,
            guard,
        }
    }

    /// Guards a fresh slot by `guard` or the next kind that works, which it returns.
    fn install(&self, index: usize, guard: Guard) -> Guard {
        let guarded = self.mapping.base().wrapping_add(index * self.slot_bytes);
        // SAFETY: the bytes belong to a slot that no coroutine uses yet.
        let advise = || unsafe { libc::madvise(guarded.cast(), GUARD, MADV_GUARD_INSTALL) };
        // SAFETY: as above.
        let protect = || unsafe { libc::mprotect(guarded.cast(), GUARD, libc::PROT_NONE) };
        if guard == Guard::Advice && advise() == 0 {
            return Guard::Advice;
        }
        if guard <= Guard::Protection && protect() == 0 {
            return Guard::Protection;
        }
        let word = canary(guarded as usize) as *mut u64;
        // SAFETY: the word is mapped, writable and unused.
        unsafe { word.write_volatile(CANARY) };
        Guard::Canary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overflow::{AlternateStack, Running, install, watched};
    use corosensei::{Coroutine, CoroutineResult};

    fn dive(depth: u64) -> u64 {
        let frame = std::hint::black_box([depth; 128]);
        if depth == 0 {
            frame[0]
        } else {
            dive(depth - 1) + frame[127]
        }
    }

    fn overflows(slot: Slot, depth: u64) -> bool {
        use crate::fiber::End;
        let (sentinel, guard) = (slot.sentinel(), slot.guard_range());
        let mut coroutine = Coroutine::<(), (), End, Slot>::with_stack(slot, move |_, ()| {
            std::hint::black_box(dive(depth));
            End::Done
        });
        let running = Running {
            trap: coroutine.trap_handler(),
            guard,
        };
        let end = watched(running, || coroutine.resume(()));
        !matches!(end, CoroutineResult::Return(End::Done)) || !sentinel.intact()
    }

    /// Each kind of guard notices an overflow, and none cries without one.
    #[test]
    fn every_guard_notices_overflow() {
        install();
        let _stack = AlternateStack::ensure();
        for guard in [Guard::Advice, Guard::Protection, Guard::Canary] {
            // The canary's overflow runs into the slot below, which therefore exists.
            let slab = Slab::new(4, 64 * 1024, guard).unwrap();
            let unused: Vec<_> = (0..3).map(|_| slab.take().unwrap()).collect();
            assert!(!overflows(slab.take().unwrap(), 10), "{guard:?}");
            drop(unused);
            let slab = Slab::new(4, 64 * 1024, guard).unwrap();
            let _unused: Vec<_> = (0..3).map(|_| slab.take().unwrap()).collect();
            assert!(overflows(slab.take().unwrap(), 75), "{guard:?}");
        }
    }

    /// Slots do not overlap, come back after use, and end.
    #[test]
    fn slots_are_reused() {
        let slab = Slab::new(2, 1, Guard::Advice).unwrap();
        let (a, b) = (slab.take().unwrap(), slab.take().unwrap());
        assert!(a.top() <= b.guard_range().0 && b.top() - b.guard_range().1 >= 3 * PAGE);
        assert!(slab.take().is_none());
        let top = a.top();
        slab.put(a);
        assert_eq!(slab.take().unwrap().top(), top);
    }

    /// Protected pages would exceed the kernel's limit on mappings; the slab then falls back by itself.
    #[test]
    fn protection_ends_where_mappings_do() {
        let slab = Slab::new(PROTECTED_SLOTS + 2, 4 * PAGE, Guard::Protection).unwrap();
        let slots: Vec<_> = (0..PROTECTED_SLOTS + 2)
            .map(|_| slab.take().unwrap())
            .collect();
        assert_eq!(slots[PROTECTED_SLOTS - 1].guard, Guard::Protection);
        assert_eq!(slots[PROTECTED_SLOTS + 1].guard, Guard::Canary);
    }
}
