//! From the IR to [`Code`]: accesses, transfers, signals and meetings.

use super::{
    code::{Access, Effects, Entry, Meet, Transfer, What},
    decode::{Decoder, element_bits},
};
use melior::ir::{Value, ValueLike, operation::OperationRef};
use pld_dialects::{
    types::{Level, Shaped},
    view::{self, Collective, Mixed, Notify, NotifyKind, Wait, WaitCmp},
};
use pld_protocol::{AccessKind, Cmp};

/// What touches memory: `None` for any other operation.
pub(super) fn access<'c>(
    decoder: &mut Decoder<'c>,
    op: OperationRef<'c, '_>,
) -> Option<(What, Effects)> {
    if let Some(access) = view::Access::of(op) {
        let mut effects = of_memory(access.memory);
        let is_integer = element_bits(access.memory).is_some();
        effects.integers = access.writes && is_integer;
        decoder.code.reads_integers |= is_integer && view::is(&op, "pl.read");
        return Some((What::Access(region(decoder, &access)), effects));
    }
    let transfer = view::Transfer::of(op)?;
    let mut effects = of_memory(transfer.source).join(of_memory(transfer.destination));
    effects.integers = element_bits(transfer.destination).is_some();
    let mut list = |list: &Option<Vec<Mixed>>| list.as_ref().map(|list| decoder.entries(list));
    let (source_offsets, destination_offsets, sizes) = (
        list(&transfer.source_offsets),
        list(&transfer.destination_offsets),
        list(&transfer.sizes),
    );
    let what = What::Transfer(Transfer {
        source: decoder.slot(transfer.source),
        source_offsets,
        destination: decoder.slot(transfer.destination),
        destination_offsets,
        sizes,
        peer: decoder.slot(transfer.peer),
        atomic: transfer.atomic,
        is_put: transfer.is_put,
    });
    Some((what, effects))
}

fn of_memory(memory: Value) -> Effects {
    let is_window = Level::of(memory.r#type()) == Some(Level::Window);
    Effects {
        windows: is_window,
        arrays: !is_window,
        ..Effects::default()
    }
}

fn region(decoder: &mut Decoder, access: &view::Access) -> Access {
    let rank = access.offsets.len();
    let is_scalar = access.is_scalar();
    let tile = Shaped::of(access.value.r#type())
        .filter(|value| value.rank() == 2 && !is_scalar)
        .map_or([1, 1], |value| [value.shape[0], value.shape[1]]);
    let extents = (0..rank)
        .map(|dim| {
            // Leading dims count 1.
            let Some(of_tile) = (dim + 2).checked_sub(rank) else {
                return (Entry::Static(1), 1);
            };
            let valid = access.valid.as_ref().and_then(|valid| valid.get(of_tile));
            let extent = valid.map_or(Entry::Static(tile[of_tile]), |&entry| decoder.entry(entry));
            (extent, tile[of_tile])
        })
        .collect();
    Access {
        memory: decoder.slot(access.memory),
        offsets: decoder.entries(&access.offsets),
        extents,
        peer: access.peer.map(|peer| decoder.slot(peer)),
        kind: match (access.writes, access.atomic) {
            (false, _) => AccessKind::Read,
            (true, false) => AccessKind::Write,
            (true, true) => AccessKind::Atomic,
        },
        value: (is_scalar && access.writes).then(|| decoder.slot(access.value)),
        is_scalar,
    }
}

/// Notify, wait, barriers and collectives.
pub(super) fn signal<'c>(decoder: &mut Decoder<'c>, op: OperationRef<'c, '_>) -> Option<What> {
    if let Some(notify) = Notify::of(op) {
        return Some(What::Notify {
            set: notify.kind == NotifyKind::Set,
            value: decoder.slot(notify.value),
            signal: decoder.slot(notify.signal),
            offsets: decoder.entries(&notify.offsets),
            peer: decoder.slot(notify.peer),
        });
    }
    if let Some(wait) = Wait::of(op) {
        return Some(What::Wait {
            cmp: match wait.cmp {
                WaitCmp::Eq => Cmp::Eq,
                WaitCmp::Ne => Cmp::Ne,
                WaitCmp::Gt => Cmp::Gt,
                WaitCmp::Ge => Cmp::Ge,
                WaitCmp::Lt => Cmp::Lt,
                WaitCmp::Le => Cmp::Le,
            },
            value: decoder.slot(wait.value),
            signal: decoder.slot(wait.signal),
            offsets: decoder.entries(&wait.offsets),
        });
    }
    if view::is(&op, "pl.sync_blocks") {
        return Some(What::SyncBlocks);
    }
    if view::is(&op, "pld.barrier") {
        return Some(What::Meet(Meet {
            signal: decoder.operand(op, 0),
            data: vec![],
            kind: "pld.barrier".into(),
        }));
    }
    let parts = Collective::of(op)?;
    let (send, receive) = parts.counts.unzip();
    let data = [Some(parts.source), parts.destination, send, receive];
    Some(What::Meet(Meet {
        signal: parts.signal.map(|signal| decoder.slot(signal)),
        data: data
            .into_iter()
            .flatten()
            .map(|value| decoder.slot(value))
            .collect(),
        kind: kind(op),
    }))
}

/// A collective with what has to be the same on all ranks.
fn kind(op: OperationRef) -> String {
    let mut kind = view::name(&op).to_owned();
    if let Some(reduce) = view::integer(&op, "op") {
        let name = ["sum", "max", "min", "prod"].get(reduce as usize);
        kind = format!("{kind} {}", name.unwrap_or(&"?"));
    }
    if let Some(root) = view::integer(&op, "root") {
        kind = format!("{kind} root {root}");
    }
    if let Some(algorithm) = view::string(&op, "algorithm") {
        kind = format!("{kind} {{algorithm = \"{algorithm}\"}}");
    }
    kind
}
