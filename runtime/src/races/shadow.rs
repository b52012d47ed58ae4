//! What is known of a rank's window memory: byte-exact segments in pages, and its signal cells.

use super::access::{Access, AccessKind, Accesses};
use super::cell::Cell;
use super::clock::TaskClock;
use rustc_hash::FxHashMap;

const PAGE: usize = 4096;
/// Bytes of a signal cell.
const CELL: u16 = 4;

/// Bytes `[start, end)` of a page with one history.
#[derive(Clone, Debug)]
struct Segment {
    start: u16,
    end: u16,
    write: Option<Access>,
    /// Of a few ranks, kept in place.
    reads: Accesses<[Access; 3]>,
    adds: Accesses,
}

/// An older access that conflicts with a new one and is not ordered with it, at absolute addresses `[start, end)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) older: Access,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// One new plain access and the place where conflicts are collected.
pub(crate) struct Probe<'a> {
    pub(crate) kind: AccessKind,
    pub(crate) access: Access,
    pub(crate) clock: &'a TaskClock,
    pub(crate) conflicts: &'a mut Vec<Conflict>,
}

impl Segment {
    fn new(start: u16, end: u16) -> Self {
        Self {
            start,
            end,
            write: None,
            reads: Accesses::default(),
            adds: Accesses::default(),
        }
    }

    fn conflict(&self, kind: AccessKind, clock: &TaskClock) -> Option<Access> {
        let write = || self.write.filter(|write| !write.before(clock));
        let reads = || self.reads.unordered(clock);
        let adds = || self.adds.unordered(clock);
        match kind {
            AccessKind::Read | AccessKind::Wait => write().or_else(adds),
            AccessKind::AtomicAdd => write().or_else(reads),
            AccessKind::Write | AccessKind::Notify => write().or_else(reads).or_else(adds),
        }
    }

    /// Checks bytes `[start, end)` of `page`, which this segment covers in part, against its accesses.
    fn check(&self, page: usize, start: u16, end: u16, probe: &mut Probe) {
        if let Some(older) = self.conflict(probe.kind, probe.clock) {
            let start = page + usize::from(self.start.max(start));
            let end = page + usize::from(self.end.min(end));
            probe.conflicts.push(Conflict { older, start, end });
        }
    }

    fn apply(&mut self, page: usize, probe: &mut Probe) {
        self.check(page, self.start, self.end, probe);
        match probe.kind {
            AccessKind::Read => self.reads.insert(probe.access, probe.clock),
            AccessKind::AtomicAdd => self.adds.insert(probe.access, probe.clock),
            _ => {
                self.write = Some(probe.access);
                self.reads.clear();
                self.adds.clear();
            }
        }
    }

    fn continues(&self, next: &Self) -> bool {
        self.end == next.start
            && self.write == next.write
            && self.reads == next.reads
            && self.adds == next.adds
    }
}

/// What is known of one page.
#[derive(Default)]
pub(crate) struct Page {
    /// Sorted and disjoint; what no segment covers was never accessed.
    segments: Vec<Segment>,
    /// Where the last access was, and the next one probably is or follows.
    recent: usize,
    /// By offset.
    cells: Vec<(u16, Box<Cell>)>,
}

impl Page {
    fn access(&mut self, base: usize, start: u16, end: u16, probe: &mut Probe) {
        self.check_cells(base, start, end, probe);
        let is_whole = |segment: &Segment| segment.start == start && segment.end == end;
        let guesses = [self.recent + 1, self.recent, 0];
        let guess = guesses
            .into_iter()
            .find(|&i| self.segments.get(i).is_some_and(is_whole));
        let first = guess.unwrap_or_else(|| self.segments.partition_point(|s| s.end <= start));
        self.recent = first;
        if let Some(segment) = self.segments.get_mut(first).filter(|s| is_whole(s)) {
            return segment.apply(base, probe);
        }
        let mut i = first;
        if self.segments.get(i).is_some_and(|s| s.start < start) {
            self.split(i, start);
            i += 1;
        }
        let covered = i;
        let mut at = start;
        while at < end {
            let next = self.segments.get(i).map_or(end, |s| s.start.min(end));
            if at < next {
                self.segments.insert(i, Segment::new(at, next));
            } else if self.segments[i].end > end {
                self.split(i, end);
            }
            self.segments[i].apply(base, probe);
            at = self.segments[i].end;
            i += 1;
        }
        self.merge(covered, i);
    }

    fn split(&mut self, i: usize, at: u16) {
        let mut rest = self.segments[i].clone();
        rest.start = at;
        self.segments[i].end = at;
        self.segments.insert(i + 1, rest);
    }

    /// Joins equal neighbours among the segments from `first` up to `end`, which one access covers. Others have not this
    /// access, so none of them is equal.
    fn merge(&mut self, first: usize, end: usize) {
        for i in (first + 1..end).rev() {
            if self.segments[i - 1].continues(&self.segments[i]) {
                self.segments[i - 1].end = self.segments[i].end;
                self.segments.remove(i);
            }
        }
    }

    /// Plain accesses against signal accesses of cells.
    fn check_cells(&mut self, base: usize, start: u16, end: u16, probe: &mut Probe) {
        let first = self
            .cells
            .partition_point(|(offset, _)| offset + CELL <= start);
        for (offset, cell) in self.cells[first..]
            .iter()
            .take_while(|(offset, _)| *offset < end)
        {
            let waits = || match probe.kind {
                AccessKind::Read => None,
                _ => cell.waits.unordered(probe.clock),
            };
            if let Some(older) = cell.notifies.unordered(probe.clock).or_else(waits) {
                let start = base + usize::from(start.max(*offset));
                let end = base + usize::from(end.min(offset + CELL));
                probe.conflicts.push(Conflict { older, start, end });
            }
        }
    }

    /// The signal cell at `address`.
    pub(crate) fn cell(&mut self, address: usize) -> &mut Cell {
        let offset = (address % PAGE) as u16;
        let known = self
            .cells
            .binary_search_by_key(&offset, |(offset, _)| *offset);
        let index = known.unwrap_or_else(|index| {
            self.cells.insert(index, (offset, Box::default()));
            index
        });
        &mut self.cells[index].1
    }

    /// Checks a signal access of the cell at `address` against plain accesses.
    pub(crate) fn check_signal(&self, address: usize, probe: &mut Probe) {
        let start = (address % PAGE) as u16;
        let first = self.segments.partition_point(|s| s.end <= start);
        let touching = self.segments[first..]
            .iter()
            .take_while(|s| s.start < start + CELL);
        touching
            .for_each(|segment| segment.check(address / PAGE * PAGE, start, start + CELL, probe));
    }
}

/// The shadow of one rank's window memory, as lazy as the memory itself.
#[derive(Default)]
pub(crate) struct Shadow {
    pages: Vec<Page>,
    /// Numbers of pages by address.
    numbers: FxHashMap<usize, usize>,
    /// The address and number of the last page asked for.
    last: Option<(usize, usize)>,
}

impl Shadow {
    /// Checks and records an access to the bytes `[start, end)`, absolute addresses.
    pub(crate) fn access(&mut self, start: usize, end: usize, probe: &mut Probe) {
        let mut at = start;
        while at < end {
            let base = at / PAGE * PAGE;
            let stop = end.min(base + PAGE);
            let page = self.page(at);
            page.access(base, (at - base) as u16, (stop - base) as u16, probe);
            at = stop;
        }
    }

    /// The page of the byte at `address`.
    pub(crate) fn page(&mut self, address: usize) -> &mut Page {
        let base = address / PAGE * PAGE;
        let number = match self.last {
            Some((last, number)) if last == base => number,
            _ => {
                let number = *self.numbers.entry(base).or_insert(self.pages.len());
                if number == self.pages.len() {
                    self.pages.push(Page::default());
                }
                self.last = Some((base, number));
                number
            }
        };
        &mut self.pages[number]
    }
}
