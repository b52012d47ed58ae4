//! Rectangles of bytes: copies and element-wise adds.

use half::{bf16, f16};
use std::sync::LazyLock;

/// `rows` runs of `bytes` bytes; the pitch between runs belongs to each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
}

impl Rect {
    /// From the words of a runtime call; a negative extent counts as empty.
    pub(crate) fn new(rows: i64, bytes: i64) -> Self {
        let extent = |n: i64| usize::try_from(n).unwrap_or(0);
        match (extent(rows), extent(bytes)) {
            (0, _) | (_, 0) => Self { rows: 0, bytes: 0 },
            (rows, bytes) => Self { rows, bytes },
        }
    }

    /// The maximal contiguous runs at `pitch`, as offset and length.
    pub(crate) fn runs(self, pitch: usize) -> impl Iterator<Item = (usize, usize)> {
        let Self { rows, bytes } = self.joined([pitch; 2]);
        (0..rows).map(move |row| (row * pitch, bytes))
    }

    /// Payload, without what lies between the runs.
    pub(crate) fn size(self) -> u64 {
        (self.rows * self.bytes) as u64
    }

    /// From the first byte to behind the last one, at `pitch` bytes from run to run; `None` on overflow.
    pub(crate) fn span(self, pitch: usize) -> Option<usize> {
        match self.rows {
            0 => Some(0),
            rows => (rows - 1).checked_mul(pitch)?.checked_add(self.bytes),
        }
    }

    /// One run where both sides are contiguous.
    fn joined(self, pitches: [usize; 2]) -> Self {
        match pitches.iter().all(|&pitch| pitch == self.bytes) {
            true => Self {
                rows: self.rows.min(1),
                bytes: self.rows * self.bytes,
            },
            false => self,
        }
    }
}

/// One side of a copy.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) base: *mut u8,
    pub(crate) pitch: usize,
}

/// Copies `rect` from `from` to `to`.
///
/// # Safety
/// Both sides hold the rectangle. They may overlap, and run by run the result is that of a memmove. Where another
/// thread accesses the same bytes the simulated program has a race, and the bytes are torn as on a device.
pub(crate) unsafe fn copy(from: Side, to: Side, rect: Rect) {
    let rect = rect.joined([from.pitch, to.pitch]);
    for row in 0..rect.rows {
        // SAFETY: the row lies within both sides.
        unsafe {
            move_bytes(
                to.base.wrapping_add(row * to.pitch),
                from.base.wrapping_add(row * from.pitch),
                rect.bytes,
            );
        }
    }
}

/// What `rep movsb` is not used for: less than the 2,112 bytes from which glibc 2.36 prefers it to
/// vectors where the CPU calls it fast, and whole lines of the cache.
const PIECE: usize = 2048;

/// Whether `rep movsb` is slow: on AMD's Zen 3 it takes 20 times as long as vectors if the target
/// lies 16 bytes behind the source within a page, as an array of the C library does behind a
/// window. <https://sourceware.org/bugzilla/show_bug.cgi?id=30994>
static IN_PIECES: LazyLock<bool> = LazyLock::new(|| {
    #[cfg(target_arch = "x86_64")]
    {
        let vendor = std::arch::x86_64::__cpuid(0);
        let words = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        words.concat() == b"AuthenticAMD"
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
});

/// The `memcpy` and `memmove` of compiled code.
///
/// # Safety
/// As for C's `memmove`.
pub(crate) unsafe extern "C" fn move_bytes(to: *mut u8, from: *const u8, bytes: usize) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe {
        if bytes > PIECE && *IN_PIECES {
            move_by(to, from, bytes, PIECE);
        } else {
            std::ptr::copy(from, to, bytes);
        }
    }
    to
}

/// A memmove by pieces of so many bytes, at least one.
///
/// # Safety
/// As for C's `memmove`.
unsafe fn move_by(to: *mut u8, from: *const u8, bytes: usize, piece: usize) {
    // Pieces go upwards, so not where the target starts within the source.
    let ahead = (to as usize).wrapping_sub(from as usize);
    let piece = if ahead < bytes { bytes } else { piece };
    for start in (0..bytes).step_by(piece) {
        // SAFETY: the piece is part of both; what it overwrites has been read.
        unsafe {
            std::ptr::copy(
                from.wrapping_add(start),
                to.wrapping_add(start),
                piece.min(bytes - start),
            );
        }
    }
}

/// Element types of an atomic add, by their code in runtime calls (0 stands for no add).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    F32 = 1,
    F16,
    Bf16,
    I8,
    I16,
    I32,
}

impl Element {
    pub(crate) fn from_code(code: i64) -> Option<Self> {
        let all = [
            Self::F32,
            Self::F16,
            Self::Bf16,
            Self::I8,
            Self::I16,
            Self::I32,
        ];
        all.get(usize::try_from(code).ok()?.checked_sub(1)?)
            .copied()
    }
}

/// Adds `rect` of `from` to `to`, element by element. Integers wrap; f16 and bf16 are added in f32 and rounded once.
///
/// # Safety
/// Both sides hold the rectangle; no other thread writes these bytes of `to` meanwhile.
pub(crate) unsafe fn add(from: Side, to: Side, rect: Rect, element: Element) {
    let rect = rect.joined([from.pitch, to.pitch]);
    for row in 0..rect.rows {
        let source = from.base.wrapping_add(row * from.pitch);
        let target = to.base.wrapping_add(row * to.pitch);
        // SAFETY: the row lies within both sides.
        unsafe {
            match element {
                Element::F32 => add_row(source, target, rect.bytes, |a: f32, b: f32| a + b),
                Element::F16 => add_row(source, target, rect.bytes, |a: f16, b: f16| a + b),
                Element::Bf16 => add_row(source, target, rect.bytes, |a: bf16, b: bf16| a + b),
                Element::I8 => add_row(source, target, rect.bytes, i8::wrapping_add),
                Element::I16 => add_row(source, target, rect.bytes, i16::wrapping_add),
                Element::I32 => add_row(source, target, rect.bytes, i32::wrapping_add),
            }
        }
    }
}

/// # Safety
/// `bytes` bytes behind both pointers, at any alignment; `T` is plain data.
unsafe fn add_row<T: Copy>(
    source: *const u8,
    target: *mut u8,
    bytes: usize,
    sum: impl Fn(T, T) -> T,
) {
    let (source, target) = (source.cast::<T>(), target.cast::<T>());
    for i in 0..bytes / size_of::<T>() {
        // SAFETY: element i lies within the run.
        unsafe {
            let value = sum(
                target.add(i).read_unaligned(),
                source.add(i).read_unaligned(),
            );
            target.add(i).write_unaligned(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn side(memory: &mut [u8], offset: usize, pitch: usize) -> Side {
        Side {
            base: memory[offset..].as_mut_ptr(),
            pitch,
        }
    }

    fn added<T: Copy + PartialEq + std::fmt::Debug>(element: Element, a: T, b: T) -> T {
        let (mut source, mut target) = ([b; 3], [a; 3]);
        let rect = Rect {
            rows: 1,
            bytes: size_of::<[T; 3]>(),
        };
        let one = |p: *mut T| Side {
            base: p.cast(),
            pitch: 0,
        };
        // SAFETY: both arrays hold the one row.
        unsafe {
            add(
                one(source.as_mut_ptr()),
                one(target.as_mut_ptr()),
                rect,
                element,
            )
        };
        assert_eq!(target[0], target[2], "every element of the row is added");
        target[1]
    }

    /// Each element type adds in its own arithmetic: integers wrap, short floats round to nearest even.
    #[test]
    fn adds_each_element_type() {
        assert_eq!(added(Element::F32, 1.5f32, 2.25), 3.75);
        assert_eq!(added(Element::I8, 127i8, 2), -127);
        assert_eq!(added(Element::I16, i16::MAX, 1), i16::MIN);
        assert_eq!(added(Element::I32, i32::MAX, 1), i32::MIN);
        let h = f16::from_f32;
        assert_eq!(added(Element::F16, h(2048.0), h(1.0)), h(2048.0));
        assert_eq!(added(Element::F16, h(2048.0), h(3.0)), h(2052.0));
        assert_eq!(added(Element::F16, f16::MAX, f16::MAX), f16::INFINITY);
        let b = bf16::from_f32;
        assert_eq!(added(Element::Bf16, b(256.0), b(1.0)), b(256.0));
        assert_eq!(added(Element::Bf16, b(256.0), b(3.0)), b(260.0));
    }

    /// Codes count from 1, in the order of the table of symbols.
    #[test]
    fn element_codes() {
        assert_eq!(Element::from_code(1), Some(Element::F32));
        assert_eq!(Element::from_code(6), Some(Element::I32));
        assert!(
            [0, 7, -1]
                .iter()
                .all(|&code| Element::from_code(code).is_none())
        );
    }

    proptest! {
        /// Pieces give what one memmove does, also where target and source overlap, either way.
        #[test]
        fn pieces_are_a_memmove(from in 0usize..40, to in 0usize..40, bytes in 0usize..60, piece in 1usize..20) {
            let mut bytes_of: Vec<u8> = (0..100).collect();
            let mut expected = bytes_of.clone();
            expected.copy_within(from..from + bytes, to);
            let base = bytes_of.as_mut_ptr();
            // SAFETY: both places are within the 100 bytes.
            unsafe { move_by(base.wrapping_add(to), base.wrapping_add(from), bytes, piece) };
            prop_assert_eq!(bytes_of, expected);
        }

        /// A copy moves exactly the rectangle, whatever the pitches.
        #[test]
        fn copies_the_rectangle(rows in 0usize..5, bytes in 1usize..9, gap in 0usize..4, gap2 in 0usize..4, at in 0usize..5) {
            let (p, q) = (bytes + gap, bytes + gap2);
            let mut from: Vec<u8> = (0..100).collect();
            let mut to = vec![200u8; 100];
            let mut expected = to.clone();
            for r in 0..rows {
                for i in 0..bytes {
                    expected[at + r * q + i] = from[r * p + i];
                }
            }
            // SAFETY: 4 rows of at most 8 + 3 bytes behind offset 4 lie within 100 bytes.
            unsafe { copy(side(&mut from, 0, p), side(&mut to, at, q), Rect::new(rows as i64, bytes as i64)) };
            prop_assert_eq!(to, expected);
        }
    }
}
