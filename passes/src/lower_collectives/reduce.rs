//! How tiles of several ranks are combined.
//!
//! Sums and products of f16 and all of bf16 are computed in f32 and rounded where they are
//! stored: by the mesh once, by the ring at each hop.

use super::protocol::Protocol;
use crate::lower_transfers::{grid::Piece, slice::Slice};
use melior::ir::{
    Block, BlockLike, Region, RegionLike, Type, Value, ValueLike,
    operation::{OperationBuilder, OperationLike, OperationRef},
};
use pld_dialects::{
    emit::Emitter,
    types::{self, Element, Shaped},
    view,
};

/// A way to combine, and the element type to compute in.
pub(super) struct Reduction<'c> {
    op: &'static str,
    /// What memory holds.
    element: Type<'c>,
    /// What is computed in.
    computed: Type<'c>,
}

/// Rounding of a cast; values are those of the attribute.
const EXACT: i64 = 0;
const NEAREST: i64 = 1;

impl<'c> Reduction<'c> {
    /// The reduction that `op` asks for, of data of this element type; `None` if it has none.
    pub(super) fn of(op: OperationRef<'c, '_>, element: Type<'c>) -> Option<Self> {
        let names = ["pl.add", "pl.max", "pl.min", "pl.mul"];
        let kind = usize::try_from(view::integer(&op, "op")?).ok()?;
        let name = *names.get(kind)?;
        let rounds = matches!(name, "pl.add" | "pl.mul");
        let wide = match Element::of(element)? {
            Element::BF16 => true,
            Element::F16 => rounds,
            _ => false,
        };
        let computed = if wide {
            Element::F32.mlir(pld_dialects::bridge::context_of(&op))
        } else {
            element
        };
        Some(Self {
            op: name,
            element,
            computed,
        })
    }

    /// Bytes of an element that is computed in.
    pub(super) fn bytes(&self) -> i64 {
        Element::of(self.computed).map_or(1, Element::bytes)
    }

    /// A piece, in the type that is computed in.
    pub(super) fn load<'a>(
        &self,
        at: &Emitter<'c, 'a>,
        slice: &Slice<'c, 'a>,
        piece: &Piece<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.cast(at, slice.load(at, piece), self.computed, EXACT)
    }

    pub(super) fn combine<'a>(
        &self,
        at: &Emitter<'c, 'a>,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        at.binary(self.op, a, b)
    }

    /// Stores a result, rounded to what memory holds.
    pub(super) fn store<'a>(
        &self,
        at: &Emitter<'c, 'a>,
        tile: Value<'c, 'a>,
        slice: &Slice<'c, 'a>,
        piece: &Piece<'c, 'a>,
    ) {
        slice.store(at, self.rounded(at, tile), piece, false);
    }

    /// A result, rounded to what memory holds.
    pub(super) fn rounded<'a>(&self, at: &Emitter<'c, 'a>, tile: Value<'c, 'a>) -> Value<'c, 'a> {
        self.cast(at, tile, self.element, NEAREST)
    }

    fn cast<'a>(
        &self,
        at: &Emitter<'c, 'a>,
        tile: Value<'c, 'a>,
        to: Type<'c>,
        mode: i64,
    ) -> Value<'c, 'a> {
        let shaped = Shaped::of(tile.r#type()).expect("a tile has a shape");
        if shaped.element_type == to {
            return tile;
        }
        let result = types::tile(at.context, shaped.shape[0], shaped.shape[1], to);
        let mode = at.int_attr(at.int_type(32), mode);
        at.value("pl.cast", &[tile], result, &[("mode", mode)])
    }

    /// A piece of all ranks' slices combined, from rank 0 on.
    pub(super) fn over_ranks<'a>(
        &self,
        at: &Emitter<'c, 'a>,
        protocol: &Protocol<'c, 'a>,
        data: &Slice<'c, 'a>,
        piece: &Piece<'c, 'a>,
    ) -> Value<'c, 'a> {
        let [zero, one] = [0, 1].map(|number| at.index(number));
        let first = self.load(at, &data.on(zero), piece);
        carry(
            at,
            [one, protocol.group.count, one],
            first,
            |at, peer, sum| {
                let next = self.load(at, &data.on(peer), piece);
                self.combine(at, sum, next)
            },
        )
    }
}

/// `scf.for` of bounds `[lower, upper, step]` that carries one value.
fn carry<'c, 'a>(
    at: &Emitter<'c, 'a>,
    [lower, upper, step]: [Value<'c, 'a>; 3],
    first: Value<'c, 'a>,
    body: impl FnOnce(&Emitter<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>,
) -> Value<'c, 'a> {
    let r#type = first.r#type();
    let region = Region::new();
    let arguments = [(at.index_type(), at.location), (r#type, at.location)];
    region.append_block(Block::new(&arguments));
    let op = at.build(
        OperationBuilder::new("scf.for", at.location)
            .add_operands(&[lower, upper, step, first])
            .add_results(&[r#type])
            .add_regions([region]),
    );
    let block = op.region(0).ok().and_then(|region| region.first_block());
    let block = block.expect("the loop was built with a block");
    let argument = |index| {
        block
            .argument(index)
            .expect("built with two arguments")
            .into()
    };
    let inner = Emitter::at_end(at.context, at.location, block);
    let next = body(&inner, argument(0), argument(1));
    inner.op("scf.yield", &[next], &[], &[]);
    op.result(0).expect("built with one result").into()
}
