//! Where data lies: memory of this rank or of a peer, from an offset on; tiles from and to it.

use super::{
    grid::{Grid, Piece},
    mixed::Arithmetic,
};
use melior::ir::{
    Attribute, Type, Value, ValueLike,
    attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute},
    operation::OperationRef,
};
use pld_dialects::{
    emit::Emitter,
    pld::FROM,
    types::{self, DYNAMIC, Shaped},
    view::Mixed,
};

/// The start of a region.
#[derive(Clone)]
pub(crate) struct Slice<'c, 'a> {
    /// An array or window.
    pub(crate) memory: Value<'c, 'a>,
    /// Where the region starts, one entry per dim.
    pub(crate) offsets: Vec<Mixed<'c, 'a>>,
    /// Whose slice of a window; `None` for memory of this rank.
    pub(crate) peer: Option<Value<'c, 'a>>,
    /// The operation that accesses stand for.
    pub(crate) from: &'static str,
}

impl<'c, 'a> Slice<'c, 'a> {
    /// All of a memory of this rank; `None` if it has no shape.
    pub(crate) fn whole(memory: Value<'c, 'a>, from: &'static str) -> Option<Self> {
        let rank = Shaped::of(memory.r#type())?.rank();
        Some(Self {
            memory,
            offsets: vec![0.into(); rank],
            peer: None,
            from,
        })
    }

    /// The same place on a peer.
    pub(crate) fn on(&self, peer: Value<'c, 'a>) -> Self {
        Self {
            peer: Some(peer),
            ..self.clone()
        }
    }

    /// The same with another offset in dim 0.
    pub(crate) fn row(&self, row: impl Into<Mixed<'c, 'a>>) -> Self {
        let mut moved = self.clone();
        if let Some(first) = moved.offsets.first_mut() {
            *first = row.into();
        }
        moved
    }

    /// The extent of a dim of the memory.
    pub(crate) fn extent(&self, at: &Emitter<'c, 'a>, dim: usize) -> Mixed<'c, 'a> {
        match self.shape().get(dim) {
            Some(&extent) if extent != DYNAMIC => extent.into(),
            _ => {
                let dim = at.int_attr(at.int_type(64), dim as i64);
                let dim = [("dim", dim)];
                Mixed::Dynamic(at.value("pl.dim", &[self.memory], at.index_type(), &dim))
            }
        }
    }

    /// Extents of the memory; [`DYNAMIC`] for `?`.
    pub(crate) fn shape(&self) -> Vec<i64> {
        Shaped::of(self.memory.r#type()).map_or_else(Vec::new, |shaped| shaped.shape)
    }

    /// Its first element.
    pub(crate) fn read(&self, at: &Emitter<'c, 'a>) -> Value<'c, 'a> {
        let (offsets, list) = split(at, &self.offsets);
        let operands = [&[self.memory], &offsets[..]].concat();
        let attributes = [("static_offsets", list), (FROM, at.str_attr(self.from))];
        at.value("pl.read", &operands, self.element(), &attributes)
    }

    /// A piece as a tile; what lies outside of the region is 0.
    pub(crate) fn load(&self, at: &Emitter<'c, 'a>, piece: &Piece<'c, 'a>) -> Value<'c, 'a> {
        let name = match self.peer {
            None => "pl.load",
            Some(_) => "pld.remote_load",
        };
        let [rows, cols] = piece.tile;
        let tile = types::tile(at.context, rows, cols, self.element());
        let (operands, [offsets, valid], mut attributes) = self.list(at, piece);
        let operands = [&[self.memory], &operands[..], self.peer.as_slice()].concat();
        // The empty segment is the pad value.
        let segments = [&[1, offsets, valid, 0], self.peer.map(|_| 1).as_slice()].concat();
        attributes.push(segment_sizes(at, &segments));
        at.value(name, &operands, tile, &attributes)
    }

    /// A tile to where the piece lies; the operation that puts it there.
    pub(crate) fn store(
        &self,
        at: &Emitter<'c, 'a>,
        tile: Value<'c, 'a>,
        piece: &Piece<'c, 'a>,
        atomic: bool,
    ) -> OperationRef<'c, 'a> {
        let name = match self.peer {
            None => "pl.store",
            Some(_) => "pld.remote_store",
        };
        let (operands, [offsets, valid], mut attributes) = self.list(at, piece);
        let operands = [&[tile, self.memory], &operands[..], self.peer.as_slice()].concat();
        let segments = [&[1, 1, offsets, valid], self.peer.map(|_| 1).as_slice()].concat();
        attributes.push(segment_sizes(at, &segments));
        if atomic {
            attributes.push(("atomic", at.int_attr(at.int_type(32), 0)));
        }
        at.op(name, &operands, &[], &attributes)
    }

    pub(crate) fn element(&self) -> Type<'c> {
        let shaped = Shaped::of(self.memory.r#type());
        shaped.expect("checked by the verifier").element_type
    }

    /// The dynamic offsets and valid extents, how many of each, and the attributes.
    fn list(
        &self,
        at: &Emitter<'c, 'a>,
        piece: &Piece<'c, 'a>,
    ) -> (Vec<Value<'c, 'a>>, [i32; 2], Attributes<'c>) {
        let offsets: Vec<_> = self
            .offsets
            .iter()
            .zip(&piece.offsets)
            .map(|(&start, &offset)| at.sum(start, offset))
            .collect();
        let (mut operands, offsets) = split(at, &offsets);
        let mut counts = [operands.len() as i32, 0];
        let mut attributes = vec![("static_offsets", offsets), (FROM, at.str_attr(self.from))];
        if let Some(valid) = &piece.valid {
            let (values, valid) = split(at, valid);
            counts[1] = values.len() as i32;
            operands.extend(values);
            attributes.push(("static_valid", valid));
        }
        (operands, counts, attributes)
    }
}

type Attributes<'c> = Vec<(&'static str, Attribute<'c>)>;

/// The values of a mixed list, and its static part.
fn split<'c, 'a>(
    at: &Emitter<'c, 'a>,
    list: &[Mixed<'c, 'a>],
) -> (Vec<Value<'c, 'a>>, Attribute<'c>) {
    let mut values = Vec::new();
    let numbers: Vec<_> = list
        .iter()
        .map(|entry| match entry.folded() {
            Mixed::Static(number) => number,
            Mixed::Dynamic(value) => {
                values.push(value);
                DYNAMIC
            }
        })
        .collect();
    let numbers = DenseI64ArrayAttribute::new(at.context, &numbers);
    (values, numbers.into())
}

fn segment_sizes<'c>(at: &Emitter<'c, '_>, sizes: &[i32]) -> (&'static str, Attribute<'c>) {
    let sizes = DenseI32ArrayAttribute::new(at.context, sizes);
    ("operandSegmentSizes", sizes.into())
}

/// How [`copy`] goes about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct How {
    /// Add to what is there.
    pub(crate) atomic: bool,
    /// Keep two pieces on-core: the second is loaded before the first is stored, so that a
    /// target whose loads and stores run beside each other can overlap them.
    pub(crate) pipeline: bool,
}

/// Copies pieces of a region, one after another, from number `first` up to `end`.
pub(crate) fn copy<'c, 'a>(
    at: &Emitter<'c, 'a>,
    grid: &Grid<'c, 'a>,
    [first, end]: [Mixed<'c, 'a>; 2],
    from: &Slice<'c, 'a>,
    to: &Slice<'c, 'a>,
    how: How,
) {
    let one_by_one = |first, end| {
        at.for_range(first, end, 1, |at, number| {
            let piece = grid.piece(at, number);
            let tile = from.load(at, &piece);
            to.store(at, tile, &piece, how.atomic);
        });
    };
    if !how.pipeline {
        return one_by_one(first, end);
    }
    let odd = at.remainder(at.difference(end, first), 2.into());
    let even = at.difference(end, odd);
    at.for_range(first, even, 2, |at, number| {
        let pieces = [number, at.sum(number, 1.into())].map(|number| grid.piece(at, number));
        let tiles = pieces.each_ref().map(|piece| from.load(at, piece));
        for (piece, tile) in pieces.iter().zip(tiles) {
            to.store(at, tile, piece, how.atomic);
        }
    });
    one_by_one(even, end);
}
