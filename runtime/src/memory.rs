//! Plain memory: lazily committed mappings, zeroed blocks, and the stack-like arena of tile slots.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Alignment of every pointer handed to compiled code, in bytes: one vector of 16 f32.
pub(crate) const ALIGN: usize = 64;

/// Blocks from this size on are mapped, so that untouched pages cost nothing.
const MAPPED_FROM: usize = 1 << 16;

/// Anonymous zero pages, committed at the first touch.
pub(crate) struct Mapping {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a mapping is plain memory owned by this value; who may touch which bytes is its user's contract.
unsafe impl Send for Mapping {}
// SAFETY: as above; a shared reference only gives out the address.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `bytes` zero bytes, or `None` if the system refuses.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let bytes = bytes.max(1);
        // SAFETY: an anonymous private mapping at an address of the kernel's choice touches no other memory.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return None;
        }
        Some(Self {
            base: NonNull::new(base.cast())?,
            bytes,
        })
    }

    /// Keeps huge pages away, which would commit 2 MiB per touch.
    pub(crate) fn small_pages(self) -> Self {
        // SAFETY: advice about pages this value owns; it changes no contents.
        unsafe { libc::madvise(self.base.as_ptr().cast(), self.bytes, libc::MADV_NOHUGEPAGE) };
        self
    }

    /// Asks for huge pages, where the system has some.
    pub(crate) fn huge_pages(self) -> Self {
        // SAFETY: as in `small_pages`.
        unsafe { libc::madvise(self.base.as_ptr().cast(), self.bytes, libc::MADV_HUGEPAGE) };
        self
    }

    pub(crate) fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: exactly the pages mapped in `new`; nothing refers to them any more.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

/// Zeroed memory of a fixed size.
pub(crate) enum Block {
    Mapped(Mapping),
    Heap(Heap),
}

impl Block {
    pub(crate) fn zeroed(bytes: usize) -> Option<Self> {
        if bytes >= MAPPED_FROM {
            return Mapping::new(bytes).map(Self::Mapped);
        }
        Heap::new(bytes, true).map(Self::Heap)
    }

    pub(crate) fn base(&self) -> *mut u8 {
        match self {
            Self::Mapped(mapping) => mapping.base(),
            Self::Heap(heap) => heap.base.as_ptr(),
        }
    }
}

/// An aligned heap allocation.
pub(crate) struct Heap {
    base: NonNull<u8>,
    layout: Layout,
}

// SAFETY: owned plain memory, like a `Box<[u8]>`.
unsafe impl Send for Heap {}
// SAFETY: as above; a shared reference only gives out the address.
unsafe impl Sync for Heap {}

impl Heap {
    fn new(bytes: usize, zeroed: bool) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), ALIGN).ok()?;
        // SAFETY: the layout's size is not zero.
        let base = unsafe {
            if zeroed {
                alloc_zeroed(layout)
            } else {
                alloc(layout)
            }
        };
        Some(Self {
            base: NonNull::new(base)?,
            layout,
        })
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this very layout.
        unsafe { dealloc(self.base.as_ptr(), self.layout) };
    }
}

/// Memory that grows and shrinks like a stack, in chunks that never move.
#[derive(Default)]
pub(crate) struct Arena {
    chunks: Vec<Chunk>,
    /// The chunk that the next push tries first.
    top: usize,
}

struct Chunk {
    heap: Heap,
    used: usize,
}

const FIRST_CHUNK: usize = 16 * 1024;

impl Arena {
    /// `bytes` of undefined contents, or `None` when memory is exhausted.
    pub(crate) fn push(&mut self, bytes: usize) -> Option<*mut u8> {
        let bytes = slot(bytes)?;
        while let Some(chunk) = self.chunks.get_mut(self.top) {
            if chunk.heap.layout.size() - chunk.used >= bytes {
                let pointer = chunk.heap.base.as_ptr().wrapping_add(chunk.used);
                chunk.used += bytes;
                return Some(pointer);
            }
            // A chunk too small for this push stays unused until the stack is below it again.
            self.top += 1;
        }
        let last = self
            .chunks
            .last()
            .map_or(FIRST_CHUNK / 2, |c| c.heap.layout.size());
        let heap = Heap::new(bytes.max(last.saturating_mul(2)), false)?;
        let pointer = heap.base.as_ptr();
        self.chunks.push(Chunk { heap, used: bytes });
        Some(pointer)
    }

    /// Gives back the newest `bytes`, which must be the size of the newest push; false if they were never pushed.
    pub(crate) fn pop(&mut self, bytes: usize) -> bool {
        let Some(bytes) = slot(bytes) else {
            return false;
        };
        self.top = self.top.min(self.chunks.len().saturating_sub(1));
        while self.top > 0 && self.chunks[self.top].used == 0 {
            self.top -= 1;
        }
        match self.chunks.get_mut(self.top) {
            Some(chunk) if chunk.used >= bytes => {
                chunk.used -= bytes;
                true
            }
            _ => false,
        }
    }

    /// Forgets all pushes and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.chunks.iter_mut().for_each(|chunk| chunk.used = 0);
        self.top = 0;
    }
}

fn slot(bytes: usize) -> Option<usize> {
    bytes.max(1).checked_next_multiple_of(ALIGN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots are aligned, do not overlap, and a popped slot is the next one handed out, across chunk ends too.
    #[test]
    fn arena_is_a_stack() {
        let mut arena = Arena::default();
        let sizes = [1, 64, 100, 16_000, 40_000, 8, 200_000, 3];
        for _ in 0..3 {
            let slots: Vec<_> = sizes
                .iter()
                .map(|&b| (arena.push(b).unwrap() as usize, b))
                .collect();
            for (i, &(start, bytes)) in slots.iter().enumerate() {
                assert_eq!(start % ALIGN, 0);
                assert!(
                    slots[..i]
                        .iter()
                        .all(|&(s, b)| s + b <= start || start + bytes <= s)
                );
            }
            for &(start, bytes) in slots.iter().rev() {
                assert!(arena.pop(bytes));
                assert_eq!(arena.push(bytes).unwrap() as usize, start);
                assert!(arena.pop(bytes));
            }
        }
        assert!(!arena.pop(1), "nothing is left to pop");
    }

    /// Small and mapped blocks are zero, since GM starts at zero on either path.
    #[test]
    fn blocks_are_zero() {
        for bytes in [0, 1, 4096, MAPPED_FROM, 1 << 20] {
            let block = Block::zeroed(bytes).unwrap();
            assert_eq!(block.base() as usize % ALIGN, 0);
            // SAFETY: the block holds `bytes` initialised bytes.
            let contents = unsafe { std::slice::from_raw_parts(block.base(), bytes) };
            assert!(contents.iter().all(|&b| b == 0));
        }
    }
}
