//! The memory model by brute force: happens-before as explicit sets of events, for comparison with the detector.

use super::access::AccessKind;
use super::cell::Mode;
use crate::wait::Condition;
use std::collections::HashMap;

/// Sets of events, by index.
pub(super) type Past = Vec<bool>;

fn union(into: &mut Past, other: &Past) {
    into.resize(into.len().max(other.len()), false);
    other.iter().enumerate().for_each(|(i, &b)| into[i] |= b);
}

#[derive(Default)]
pub(super) struct History {
    pub(super) value: i32,
    /// Event, value after, mode.
    pub(super) notifies: Vec<(usize, i32, Mode)>,
    /// How many of them the owner has passed.
    pub(super) position: usize,
    /// How many of them its waits have needed.
    pub(super) noticed: usize,
    pub(super) mixed: bool,
    pub(super) waited: bool,
    pub(super) overwritten: bool,
    /// Latest set and the owner's event that took notice of it.
    pub(super) set: Option<(usize, Option<usize>)>,
}

#[derive(Default)]
pub(super) struct Model {
    /// Task and happens-before past of each event.
    pub(super) events: Vec<(usize, Past)>,
    /// Past of each task, its last event included.
    pub(super) tasks: Vec<Past>,
    pub(super) cells: HashMap<(usize, usize), History>,
    /// By rank and byte.
    pub(super) bytes: HashMap<(usize, usize), Vec<(usize, AccessKind)>>,
}

pub(super) fn conflicting(a: AccessKind, b: AccessKind) -> bool {
    use AccessKind::*;
    !matches!(
        (a, b),
        (Read | Wait, Read | Wait) | (AtomicAdd, AtomicAdd) | (Notify | Wait, Notify | Wait)
    )
}

impl Model {
    pub(super) fn event(&mut self, task: usize) -> usize {
        self.events.push((task, self.tasks[task].clone()));
        let event = self.events.len() - 1;
        self.tasks[task].resize(event + 1, false);
        self.tasks[task][event] = true;
        event
    }

    pub(super) fn before(&self, a: usize, b: usize) -> bool {
        self.events[b].1.get(a) == Some(&true)
    }

    /// Records an access; returns the bytes on which it races.
    pub(super) fn touch(
        &mut self,
        event: usize,
        kind: AccessKind,
        rank: usize,
        bytes: impl Iterator<Item = usize>,
    ) -> Vec<usize> {
        let mut racing = Vec::new();
        for byte in bytes {
            let earlier = self.bytes.remove(&(rank, byte)).unwrap_or_default();
            if earlier
                .iter()
                .any(|&(e, k)| conflicting(k, kind) && !self.before(e, event))
            {
                racing.push(byte);
            }
            self.bytes
                .entry((rank, byte))
                .insert_entry(earlier)
                .get_mut()
                .push((event, kind));
        }
        racing
    }

    pub(super) fn notify(
        &mut self,
        event: usize,
        mode: Mode,
        value: i32,
        rank: usize,
        cell: usize,
    ) -> i32 {
        let task = self.events[event].0;
        let mut history = self.cells.remove(&(rank, cell)).unwrap_or_default();
        history.mixed |= history
            .notifies
            .first()
            .is_some_and(|&(_, _, first)| first != mode);
        if mode == Mode::Set {
            let own = (task == rank).then_some(event);
            if let Some((earlier, read)) = history.set.replace((event, own)) {
                let seen = read.is_some_and(|read| self.before(read, event));
                history.overwritten |= self.events[earlier].0 != task && !seen;
            }
        }
        history.value = if mode == Mode::Set {
            value
        } else {
            history.value.wrapping_add(value)
        };
        history.notifies.push((event, history.value, mode));
        if task == rank {
            history.position = history.notifies.len();
            history.noticed = history.position;
        }
        let value = history.value;
        self.cells.insert((rank, cell), history);
        value
    }

    /// What a wait that passes acquires, by the words of the memory model.
    pub(super) fn acquire(&mut self, rank: usize, cell: usize, condition: Condition) {
        let history = self.cells.entry((rank, cell)).or_default();
        let after = |n: usize| if n == 0 { 0 } else { history.notifies[n - 1].1 };
        let run = |from: usize| {
            let run = (from..=history.notifies.len()).find(|&n| condition.holds(after(n)));
            run.unwrap_or(from)
        };
        let is_known = |notify: &(usize, i32, Mode)| self.tasks[rank].get(notify.0) == Some(&true);
        let known = history.notifies.iter().rposition(is_known);
        let known = known.map_or(0, |last| last + 1);
        let position = run(history.position.max(known));
        history.noticed = run(history.noticed);
        history.position = position;
        let chain = &history.notifies[..history.position];
        let start = chain
            .iter()
            .rposition(|&(_, _, mode)| mode == Mode::Set)
            .unwrap_or(0);
        for (event, _, _) in &chain[start..] {
            let mut past = self.events[*event].1.clone();
            past.resize(past.len().max(event + 1), false);
            past[*event] = true;
            union(&mut self.tasks[rank], &past);
        }
    }

    pub(super) fn took_notice(&mut self, event: usize, rank: usize, cell: usize) {
        let history = self.cells.entry((rank, cell)).or_default();
        let behind = history.notifies[history.noticed..]
            .iter()
            .any(|&(_, _, mode)| mode == Mode::Set);
        if let Some((_, read @ None)) = history.set.as_mut().filter(|_| !behind) {
            *read = Some(event);
        }
    }
}
