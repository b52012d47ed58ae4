//! The operations of `pld` but the collectives, in the order of `dialects/td/pld`.

use super::{
    Body, Indices, NotifyKind, Part, Scalar, Transfer, Type, Value, WaitCmp,
    body::{mlir, split},
    pl::enumerator,
};
use melior::ir::{
    Attribute,
    attribute::{DenseI64ArrayAttribute, FlatSymbolRefAttribute, TypeAttribute},
};
use pld_dialects::types::{self, Element};

impl<'c, 'a> Body<'c, 'a> {
    /// `pld.alloc_window_buffer`: one symmetric buffer on every rank.
    #[track_caller]
    pub fn alloc_window_buffer(
        &self,
        sizes: impl Indices<'c, 'a>,
        element: Element,
    ) -> Value<'c, 'a> {
        self.alloc(sizes, element, None)
    }

    /// `pld.alloc_window_buffer` for a group of ranks.
    #[track_caller]
    pub fn alloc_window_buffer_of(
        &self,
        sizes: impl Indices<'c, 'a>,
        element: Element,
        ranks: &[i64],
    ) -> Value<'c, 'a> {
        self.alloc(sizes, element, Some(ranks))
    }

    #[track_caller]
    fn alloc(
        &self,
        sizes: impl Indices<'c, 'a>,
        element: Element,
        ranks: Option<&[i64]>,
    ) -> Value<'c, 'a> {
        let at = self.at();
        let (sizes, numbers) = split(at.context, &sizes.entries());
        let element = TypeAttribute::new(element.mlir(at.context));
        let mut attributes = vec![("static_sizes", numbers), ("element_type", element.into())];
        attributes.extend(ranks.map(|ranks| {
            let ranks = DenseI64ArrayAttribute::new(at.context, ranks);
            ("ranks", ranks.into())
        }));
        let result = types::window_buffer(at.context);
        at.value("pld.alloc_window_buffer", &sizes, result, &attributes)
    }

    /// `pld.window`: a view of a buffer; one size for each `?` of its type.
    #[track_caller]
    pub fn window(
        &self,
        buffer: Value<'c, 'a>,
        window: &Type,
        sizes: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let at = self.at();
        let operands = [&[buffer], sizes].concat();
        at.value("pld.window", &operands, mlir(&at, window), &[])
    }

    /// `pld.window` with `tail`: a view of the signals behind a buffer's data, with an extent
    /// per `?` of the type.
    #[track_caller]
    pub fn window_tail(
        &self,
        buffer: Value<'c, 'a>,
        window: &Type,
        sizes: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let at = self.at();
        let operands = [&[buffer], sizes].concat();
        let tail = [("tail", Attribute::unit(at.context))];
        at.value("pld.window", &operands, mlir(&at, window), &tail)
    }

    /// `pld.world_size`: the ranks of the program.
    #[track_caller]
    pub fn world_size(&self) -> Value<'c, 'a> {
        let at = self.at();
        at.value("pld.world_size", &[], at.index_type(), &[])
    }

    /// `pld.get_comm_ctx`: what [`Body::rank`] and [`Body::nranks`] are asked of.
    #[track_caller]
    pub fn get_comm_ctx(&self, window: Value<'c, 'a>) -> Value<'c, 'a> {
        let at = self.at();
        let result = types::comm_ctx(at.context);
        at.value("pld.get_comm_ctx", &[window], result, &[])
    }

    /// `pld.rank`: this rank, dense inside the window's group.
    #[track_caller]
    pub fn rank(&self, ctx: Value<'c, 'a>) -> Value<'c, 'a> {
        let at = self.at();
        at.value("pld.rank", &[ctx], at.index_type(), &[])
    }

    /// `pld.nranks`: the ranks of the window's group.
    #[track_caller]
    pub fn nranks(&self, ctx: Value<'c, 'a>) -> Value<'c, 'a> {
        let at = self.at();
        at.value("pld.nranks", &[ctx], at.index_type(), &[])
    }

    /// `pld.dispatch`: starts a device function on a rank.
    #[track_caller]
    pub fn dispatch(
        &self,
        callee: &str,
        arguments: &[Value<'c, 'a>],
        rank: impl Into<Scalar<'c, 'a>>,
    ) {
        let rank = self.rank_operand(rank);
        let at = self.at();
        let operands = [arguments, &[rank]].concat();
        let callee = FlatSymbolRefAttribute::new(at.context, callee);
        at.op("pld.dispatch", &operands, &[], &[("callee", callee.into())]);
    }

    /// `pld.notify`: changes a cell of a peer's signal; release.
    #[track_caller]
    pub fn notify(
        &self,
        kind: NotifyKind,
        value: impl Into<Scalar<'c, 'a>>,
        signal: Value<'c, 'a>,
        cell: impl Indices<'c, 'a>,
        peer: impl Into<Scalar<'c, 'a>>,
    ) {
        let value = self.scalar(value.into(), self.at().int_type(32));
        let peer = self.rank_operand(peer);
        let at = self.at();
        let (cell, numbers) = split(at.context, &cell.entries());
        let operands = [vec![value, signal], cell, vec![peer]].concat();
        let kind = enumerator(&at, kind as i64);
        let attributes = [("op", kind), ("static_offsets", numbers)];
        at.op("pld.notify", &operands, &[], &attributes);
    }

    /// `pld.wait`: until a cell of the own signal compares so; acquire.
    #[track_caller]
    pub fn wait(
        &self,
        cmp: WaitCmp,
        value: impl Into<Scalar<'c, 'a>>,
        signal: Value<'c, 'a>,
        cell: impl Indices<'c, 'a>,
    ) {
        let value = self.scalar(value.into(), self.at().int_type(32));
        let at = self.at();
        let (cell, numbers) = split(at.context, &cell.entries());
        let operands = [vec![value, signal], cell].concat();
        let cmp = enumerator(&at, cmp as i64);
        let attributes = [("cmp", cmp), ("static_offsets", numbers)];
        at.op("pld.wait", &operands, &[], &attributes);
    }

    /// `pld.barrier`: of all ranks of the signal's group.
    #[track_caller]
    pub fn barrier(&self, signal: Value<'c, 'a>) {
        self.at().op("pld.barrier", &[signal], &[], &[]);
    }

    /// `pld.remote_load`: a tile of a peer's slice.
    #[track_caller]
    pub fn remote_load(
        &self,
        source: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        peer: impl Into<Scalar<'c, 'a>>,
        tile: &Type,
    ) -> Value<'c, 'a> {
        self.remote_load_part(source, offsets, peer, tile, Part::whole())
    }

    /// `pld.remote_load` with `valid` and `pad`.
    #[track_caller]
    pub fn remote_load_part(
        &self,
        source: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        peer: impl Into<Scalar<'c, 'a>>,
        tile: &Type,
        part: Part<'c, 'a>,
    ) -> Value<'c, 'a> {
        let peer = self.rank_operand(peer);
        let region = self.access(source, offsets, part);
        let [offsets, valid, pad] = region.counts;
        let mut attributes = region.attributes;
        attributes.push(self.segments(&[1, offsets, valid, pad, 1]));
        let operands = [vec![source], region.operands, vec![peer]].concat();
        let at = self.at();
        at.value("pld.remote_load", &operands, mlir(&at, tile), &attributes)
    }

    /// `pld.remote_store`: a tile into a peer's slice; in [`Body::core_group`] a tensor.
    #[track_caller]
    pub fn remote_store(
        &self,
        tile: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        peer: impl Into<Scalar<'c, 'a>>,
    ) {
        self.remote_store_part(tile, destination, offsets, peer, Part::whole());
    }

    /// `pld.remote_store` with `valid` and `atomic add`.
    #[track_caller]
    pub fn remote_store_part(
        &self,
        tile: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        offsets: impl Indices<'c, 'a>,
        peer: impl Into<Scalar<'c, 'a>>,
        part: Part<'c, 'a>,
    ) {
        let peer = self.rank_operand(peer);
        let region = self.access(destination, offsets, Part { pad: None, ..part });
        let [offsets, valid, _] = region.counts;
        let mut attributes = region.attributes;
        attributes.push(self.segments(&[1, 1, offsets, valid, 1]));
        let operands = [vec![tile, destination], region.operands, vec![peer]].concat();
        self.at()
            .op("pld.remote_store", &operands, &[], &attributes);
    }

    /// `pld.put`: memory into a peer's slice.
    #[track_caller]
    pub fn put(
        &self,
        source: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        peer: impl Into<Scalar<'c, 'a>>,
        transfer: Transfer<'c, 'a>,
    ) {
        let peer = self.rank_operand(peer);
        self.transfer("pld.put", [source, destination, peer], transfer);
    }

    /// `pld.get`: a peer's slice into memory.
    #[track_caller]
    pub fn get(
        &self,
        source: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        peer: impl Into<Scalar<'c, 'a>>,
        transfer: Transfer<'c, 'a>,
    ) {
        let peer = self.rank_operand(peer);
        let transfer = Transfer {
            atomic: false,
            ..transfer
        };
        self.transfer("pld.get", [source, destination, peer], transfer);
    }

    #[track_caller]
    fn transfer(
        &self,
        name: &str,
        [source, destination, peer]: [Value<'c, 'a>; 3],
        transfer: Transfer<'c, 'a>,
    ) {
        let at = self.at();
        let mut attributes = Vec::new();
        let mut values = [const { Vec::new() }; 3];
        if let Some(region) = transfer.region {
            let names = [
                "static_source_offsets",
                "static_destination_offsets",
                "static_sizes",
            ];
            for ((name, entries), values) in names.into_iter().zip(&region).zip(&mut values) {
                let (dynamic, numbers) = split(at.context, entries);
                *values = dynamic;
                attributes.push((name, numbers));
            }
        }
        let [from, to, sizes] = values;
        let i64_attr = |value| at.int_attr(at.int_type(64), value);
        attributes.extend(transfer.chunk_rows.map(|it| ("chunk_rows", i64_attr(it))));
        attributes.extend(transfer.chunk_cols.map(|it| ("chunk_cols", i64_attr(it))));
        if transfer.pipeline {
            attributes.push(("pipeline", Attribute::unit(at.context)));
        }
        if transfer.atomic {
            attributes.push(("atomic", enumerator(&at, 0)));
        }
        attributes.push(self.segments(&[1, from.len(), 1, to.len(), sizes.len(), 1]));
        let operands = [vec![source], from, vec![destination], to, sizes, vec![peer]].concat();
        at.op(name, &operands, &[], &attributes);
    }

    #[track_caller]
    fn rank_operand(&self, rank: impl Into<Scalar<'c, 'a>>) -> Value<'c, 'a> {
        self.scalar(rank.into(), self.at().index_type())
    }
}
