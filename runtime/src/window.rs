//! Symmetric window buffers: layout, groups and bounds.
//!
//! A buffer is one lazily committed mapping; rank r's slice starts at `base + r * stride`, for every rank of the world.

use crate::copy::Rect;
use crate::finding::{Details, Finding};
use crate::group::Group;
use crate::memory::Mapping;
use crate::ranks::RankSet;
use crate::run::{Shared, Site};
use serde::Serialize;

/// The least a window buffer costs on a rank, in bytes.
const FLOOR: usize = 4096;
/// Data is padded to whole lines, and the signal tail has one line per rank of the group.
const LINE: usize = 64;
/// Costs are multiples of this.
const GRAIN: usize = 512;

/// Bytes that a buffer of `data` bytes takes on each rank of a group of `ranks`; `None` on overflow.
fn cost(data: usize, ranks: usize) -> Option<usize> {
    let used = data
        .checked_next_multiple_of(LINE)?
        .checked_add(LINE.checked_mul(ranks)?)?;
    used.max(FLOOR).checked_next_multiple_of(GRAIN)
}

/// Bytes from rank to rank in this machine's memory, as few as possible: the tail is the target's. A line between slices
/// keeps the same cells of thousands of ranks from sharing a few sets of the cache.
fn stride(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(LINE)?.checked_add(LINE)
}

/// Buffers up to this size, over all ranks, may be committed in huge pages, without which accesses to the cells of many
/// ranks spend their time on address translation.
const HUGE_UP_TO: usize = 256 << 20;

/// A window buffer as the report shows it; sizes are bytes per rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WindowInfo {
    /// What the program asked for.
    pub bytes: usize,
    /// What the buffer costs: the data and the signal tail, at least 4096.
    pub cost: usize,
    /// Offset in each rank's window memory.
    pub offset: usize,
    /// World ranks that share the buffer.
    pub group: RankSet,
    /// The buffer whose signal tail this is: it costs nothing more.
    pub tail_of: Option<usize>,
    pub site: Site,
}

impl WindowInfo {
    /// Whether the buffer costs more than its data and signal tail, since it is a small one.
    pub fn at_floor(&self) -> bool {
        let used = self.bytes.next_multiple_of(LINE) + LINE * self.group.len();
        self.cost == FLOOR && used < FLOOR
    }
}

struct Buffer {
    memory: Mapping,
    bytes: usize,
    cost: usize,
    stride: usize,
    group: Group,
    tail_of: Option<usize>,
    site: i64,
}

impl Buffer {
    fn slice(&self, rank: usize) -> *mut u8 {
        self.memory.base().wrapping_add(rank * self.stride)
    }

    /// Offset of `address` in `rank`'s slice, if it lies there.
    fn offset(&self, address: usize, rank: usize) -> Option<usize> {
        address
            .checked_sub(self.slice(rank) as usize)
            .filter(|&offset| offset < self.stride)
    }
}

/// A place in some rank's slice.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) buffer: usize,
    /// World rank of the slice.
    pub(crate) rank: usize,
    /// Bytes from the start of the slice.
    pub(crate) offset: usize,
    pub(crate) pointer: *mut u8,
}

impl Place {
    const GM: usize = usize::MAX;

    /// A place in plain memory of a rank: its offset is its address.
    pub(crate) fn in_gm(rank: usize, pointer: *mut u8) -> Self {
        Self {
            buffer: Self::GM,
            rank,
            offset: pointer as usize,
            pointer,
        }
    }

    /// The window buffer's number; `None` in plain memory.
    pub(crate) fn window(self) -> Option<usize> {
        (self.buffer != Self::GM).then_some(self.buffer)
    }
}

/// All buffers of a run; fixed once the host phase is over.
pub(crate) struct Windows {
    buffers: Vec<Buffer>,
    /// Signal tails that the host views, apart from the data that few of them stand behind. They come behind all
    /// buffers, so that those keep their numbers.
    tails: Vec<Buffer>,
    world: usize,
}

impl Windows {
    pub(crate) fn new(world: usize) -> Self {
        Self {
            buffers: Vec::new(),
            tails: Vec::new(),
            world,
        }
    }

    /// A new buffer of `bytes` on every rank of `group` (empty: all ranks); returns its handle.
    pub(crate) fn alloc(
        &mut self,
        bytes: i64,
        group: &[i64],
        site: i64,
    ) -> Result<i64, Box<Finding>> {
        let size = usize::try_from(bytes).map_err(|_| {
            Finding::new(
                "pld-404",
                format!("window buffer has {bytes} bytes, expected at least 0"),
            )
            .note("check the sizes that the host computes")
        })?;
        let group = if group.is_empty() {
            Group::World(self.world)
        } else {
            Group::new(group, self.world)?
        };
        let cost = cost(size, group.len()).ok_or_else(|| self.too_large(bytes))?;
        let buffer = self.buffer(size, cost, group, site)?;
        self.buffers.push(buffer);
        Ok(self.buffers.len() as i64 - 1)
    }

    fn buffer(
        &self,
        bytes: usize,
        cost: usize,
        group: Group,
        site: i64,
    ) -> Result<Buffer, Box<Finding>> {
        let stride = stride(bytes);
        let whole = stride.and_then(|stride| stride.checked_mul(self.world));
        let memory = whole.and_then(Mapping::new);
        let (Some(stride), Some(whole), Some(memory)) = (stride, whole, memory) else {
            return Err(self.too_large(bytes as i64));
        };
        Ok(Buffer {
            memory: match whole <= HUGE_UP_TO {
                true => memory.huge_pages(),
                false => memory.small_pages(),
            },
            bytes,
            cost,
            stride,
            group,
            tail_of: None,
            site,
        })
    }

    fn too_large(&self, bytes: i64) -> Box<Finding> {
        let ranks = self.world;
        let message =
            format!("window buffer of {bytes} bytes on each of {ranks} ranks is too large");
        Finding::new("pld-404", message)
            .note("more than this machine can address; use smaller windows or fewer ranks")
    }

    /// The handle of a view of `bytes` of the signal tail of a buffer.
    pub(crate) fn tail(
        &mut self,
        buffer: i64,
        bytes: i64,
        site: i64,
    ) -> Result<*mut u8, Box<Finding>> {
        let (number, of) = self.known(buffer)?;
        let whole = LINE * of.group.len();
        let Some(size) = usize::try_from(bytes).ok().filter(|&size| size <= whole) else {
            let message = format!("window view of {bytes} bytes does not fit a tail of {whole}");
            return Err(Finding::new("pld-404", message)
                .note("a tail has 64 bytes for each rank of the group"));
        };
        let seen = |tail: &&Buffer| tail.tail_of == Some(number) && size <= tail.bytes;
        if let Some(tail) = self.tails.iter().find(seen) {
            return Ok(tail.slice(0));
        }
        let tail = self.buffer(whole, 0, of.group.clone(), site)?;
        let base = tail.slice(0);
        self.tails.push(Buffer {
            tail_of: Some(number),
            ..tail
        });
        Ok(base)
    }

    /// Numbers the tails; the host phase is over.
    pub(crate) fn close(&mut self) {
        self.buffers.append(&mut self.tails);
    }

    fn known(&self, handle: i64) -> Result<(usize, &Buffer), Box<Finding>> {
        let number = usize::try_from(handle).ok();
        let known = number.and_then(|number| Some((number, self.buffers.get(number)?)));
        known.ok_or_else(|| Finding::new("pld-404", format!("no window buffer {handle}")))
    }

    /// The handle of a view of `bytes` of a buffer: rank 0's slice.
    pub(crate) fn view(&self, buffer: i64, bytes: i64) -> Result<*mut u8, Box<Finding>> {
        let (_, buffer) = self.known(buffer)?;
        match usize::try_from(bytes) {
            Ok(size) if size <= buffer.bytes => Ok(buffer.slice(0)),
            _ => Err(Finding::new(
                "pld-404",
                format!(
                    "window view of {bytes} bytes does not fit its buffer of {} bytes",
                    buffer.bytes
                ),
            )
            .note("allocate the buffer as large as its largest view")),
        }
    }

    /// World rank `rank`'s slice of the view with handle `view`; `Ok(None)` if that is no view.
    pub(crate) fn on_rank(
        &self,
        view: *const u8,
        rank: i64,
    ) -> Result<Option<*mut u8>, Box<Finding>> {
        let all = self.buffers.iter().chain(&self.tails);
        let found = all
            .enumerate()
            .find_map(|(number, buffer)| Some((number, buffer, buffer.offset(view as usize, 0)?)));
        let Some((number, buffer, offset)) = found else {
            return Ok(None);
        };
        let rank = usize::try_from(rank)
            .ok()
            .filter(|&rank| rank < self.world)
            .ok_or_else(|| self.no_rank(rank))?;
        match buffer.group.dense(rank) {
            Some(_) => Ok(Some(buffer.slice(rank).wrapping_add(offset))),
            None => Err(outsider(rank, number, &buffer.group)),
        }
    }

    pub(crate) fn no_rank(&self, rank: i64) -> Box<Finding> {
        Finding::new(
            "pld-406",
            format!("rank {rank} does not exist in a world of {}", self.world),
        )
        .note("dispatch to ranks from 0 to world_size - 1 only")
    }

    /// The place of an address in `rank`'s own slices.
    #[inline]
    pub(crate) fn find(&self, address: *const u8, rank: usize) -> Option<Place> {
        self.buffers.iter().enumerate().find_map(|(index, buffer)| {
            let offset = buffer.offset(address as usize, rank)?;
            Some(Place {
                buffer: index,
                rank,
                offset,
                pointer: buffer.slice(rank).wrapping_add(offset),
            })
        })
    }

    /// Whether the rank of a place shares its buffer.
    #[inline]
    pub(crate) fn is_member(&self, own: Place) -> bool {
        self.buffers[own.buffer].group.dense(own.rank).is_some()
    }

    /// Dense rank of a member in, and size of, the group that shares `own`'s buffer.
    pub(crate) fn membership(&self, own: Place) -> (usize, usize) {
        let group = &self.buffers[own.buffer].group;
        (group.dense(own.rank).unwrap_or(0), group.len())
    }

    /// From a place in the own slice to `shift` bytes behind the same place in the slice of the group's member `peer`,
    /// where `rect` must fit.
    #[inline(always)]
    pub(crate) fn reach(
        &self,
        own: Place,
        peer: i64,
        shift: i64,
        rect: Rect,
        pitch: usize,
    ) -> Result<Place, Box<Finding>> {
        let group = &self.buffers[own.buffer].group;
        let rank = group
            .member(peer)
            .ok_or_else(|| bad_peer(peer, group.len()))?;
        self.shifted(Place { rank, ..own }, shift, rect, pitch)
    }

    /// `shift` bytes behind a place, in the slice of the place's rank, where `rect` must fit.
    #[inline(always)]
    pub(crate) fn shifted(
        &self,
        from: Place,
        shift: i64,
        rect: Rect,
        pitch: usize,
    ) -> Result<Place, Box<Finding>> {
        let buffer = &self.buffers[from.buffer];
        let offset = usize::try_from(shift)
            .ok()
            .and_then(|shift| from.offset.checked_add(shift));
        let end = offset
            .zip(rect.span(pitch))
            .and_then(|(offset, span)| offset.checked_add(span));
        match offset.zip(end) {
            Some((offset, end)) if end <= buffer.bytes => Ok(Place {
                offset,
                pointer: buffer.slice(from.rank).wrapping_add(offset),
                ..from
            }),
            _ => Err(outside(shift, rect, pitch, buffer.bytes)),
        }
    }

    /// A rank uses a window of a group that it is no member of.
    pub(crate) fn outsider(&self, place: Place) -> Box<Finding> {
        outsider(place.rank, place.buffer, &self.buffers[place.buffer].group)
    }

    /// World ranks that share a buffer, ascending.
    pub(crate) fn group(&self, buffer: usize) -> impl Iterator<Item = usize> {
        self.buffers[buffer].group.ranks()
    }

    pub(crate) fn describe(&self, shared: &Shared) -> Vec<WindowInfo> {
        let mut next = 0;
        let info = |buffer: &Buffer| {
            let offset = next;
            next += buffer.cost;
            let Buffer {
                bytes,
                cost,
                group,
                tail_of,
                site,
                ..
            } = buffer;
            WindowInfo {
                bytes: *bytes,
                cost: *cost,
                offset,
                group: group.ranks().collect(),
                tail_of: *tail_of,
                site: shared.site(*site),
            }
        };
        self.buffers.iter().map(info).collect()
    }
}

fn outsider(rank: usize, buffer: usize, group: &Group) -> Box<Finding> {
    let group: RankSet = group.ranks().collect();
    let message = format!("rank {rank} uses window buffer {buffer} of the group of ranks {group}");
    Finding::new("pld-406", message)
        .note("dispatch functions that use the window to the members of its group only")
}

#[cold]
fn bad_peer(peer: i64, ranks: usize) -> Box<Finding> {
    Finding::new("pld-401", format!("peer {peer} is out of bounds, expected 0 <= peer < {ranks}"))
        .note("the remainder of a negative number is negative: write (rank + n - k) % n for k ranks to the left")
        .details(Details::Bounds { dim: None, offset: peer, size: 1, extent: ranks as i64 })
}

#[cold]
fn outside(offset: i64, rect: Rect, pitch: usize, extent: usize) -> Box<Finding> {
    let size = rect.span(pitch).map_or(i64::MAX, |span| span as i64);
    let message = format!(
        "access of {size} bytes at byte {offset} reaches beyond its window buffer of {extent} bytes"
    );
    Finding::new("pld-401", message)
        .note("keep offset + size within the window")
        .details(Details::Bounds {
            dim: None,
            offset,
            size,
            extent: extent as i64,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The budget rule: 1 KiB costs 4 KiB up to 48 ranks, then the signal tail shows.
    #[test]
    fn layout_rule() {
        assert_eq!(cost(1024, 2), Some(4096));
        assert_eq!(cost(1024, 48), Some(4096));
        assert_eq!(cost(1024, 49), Some(4608));
        assert_eq!(cost(0, 1), Some(4096));
        assert_eq!(cost(4096, 1), Some(4608));
        assert_eq!(cost(1 << 20, 4), Some((1 << 20) + 512));
        assert_eq!(cost(usize::MAX, 1), None);
    }
}
