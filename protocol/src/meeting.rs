//! Barriers and collectives: which of their cells others use too, and which comes when.

use crate::{BufferId, BufferKind, Cell, GroupId, Skeleton, What};
use rustc_hash::{FxHashMap, FxHashSet};

/// Cells that are not only one barrier's, on whatever rank: direct notifies and waits use them,
/// or the barriers of two overlapping signals.
pub(crate) fn direct(skeleton: &Skeleton) -> FxHashSet<(BufferId, u64)> {
    let mut direct = FxHashSet::default();
    let mut signals: FxHashSet<(BufferId, GroupId, u64)> = FxHashSet::default();
    for event in skeleton.processes.iter().flat_map(|p| &p.events) {
        match event.what {
            What::Add { cell, .. } | What::Set { cell, .. } | What::Wait { cell, .. } => {
                direct.insert((cell.buffer, cell.offset));
            }
            What::Meet {
                group,
                signal: Some(signal),
                offset,
                ..
            } => {
                signals.insert((signal, group, offset));
            }
            _ => {}
        }
    }
    let mut used: FxHashSet<(BufferId, u64)> = FxHashSet::default();
    for (signal, group, offset) in signals {
        for k in 0..skeleton.groups[group.index()].members.len() as u64 {
            let cell = (signal, offset + 4 * k);
            if !used.insert(cell) {
                direct.insert(cell);
            }
        }
    }
    direct
}

/// The number of each meeting, by process and event: a rank counts those of one group and
/// signal, over all its processes in the order in which its forks and joins let them run.
pub(crate) fn numbers(skeleton: &Skeleton) -> FxHashMap<(u32, u32), u32> {
    let mut numbers = FxHashMap::default();
    let mut counts: FxHashMap<(u32, GroupId, Option<BufferId>, u64), u32> = FxHashMap::default();
    let mut values: FxHashMap<Cell, i64> = FxHashMap::default();
    let mut at = vec![0; skeleton.processes.len()];
    let private = |cell: Cell| skeleton.buffers[cell.buffer.index()].kind == BufferKind::Private;
    // A second round without regard to forks numbers what can never run.
    for blocking in [true, false] {
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for (index, process) in skeleton.processes.iter().enumerate() {
                while let Some(event) = process.events.get(at[index]) {
                    match event.what {
                        What::Wait { cell, cmp, hi, .. }
                            if blocking
                                && private(cell)
                                && !cmp.holds(values.get(&cell).copied().unwrap_or(0), hi) =>
                        {
                            break;
                        }
                        What::Add { cell, hi, .. } if private(cell) => {
                            *values.entry(cell).or_default() += hi;
                        }
                        What::Meet {
                            group,
                            signal,
                            offset,
                            ..
                        } => {
                            let count = counts
                                .entry((process.rank, group, signal, offset))
                                .or_default();
                            numbers.insert((index as u32, at[index] as u32), *count);
                            *count += 1;
                        }
                        _ => {}
                    }
                    at[index] += 1;
                    moved = true;
                }
            }
        }
    }
    numbers
}
