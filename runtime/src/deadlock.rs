//! The report of a run that cannot go on.

use crate::context::state;
use crate::engine::{Engine, Task};
use crate::finding::{Details, Finding, Peering, PollingRank, WaitingRank};
use crate::ranks::RankSet;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// Describes the ranks that have not ended; called when none of them can run.
pub(crate) fn describe(engine: &Engine) -> Box<Finding> {
    let stuck = |wanted: fn(u8) -> bool| {
        let tasks = engine.tasks.iter().enumerate();
        tasks.filter(move |(_, task)| wanted(task.ctx.state.load(Ordering::SeqCst)))
    };
    let waiting: Vec<_> = stuck(|now| now == state::WAITING)
        .filter_map(|(rank, task)| waiting(engine, rank, task))
        .collect();
    let polling: Vec<_> = stuck(|now| matches!(now, state::READY | state::RUNNING))
        .map(|(rank, task)| PollingRank {
            rank,
            site: engine.site(task.ctx.wait.site.load(Ordering::Relaxed)),
        })
        .collect();
    let windows: BTreeSet<_> = waiting.iter().map(|wait| wait.window).collect();
    let peers = windows
        .into_iter()
        .map(|window| peering(engine, window))
        .collect();
    let message = match (waiting.len(), polling.len()) {
        (n, 0) => format!("deadlock: {} for ever", ranks(n, "waits", "wait")),
        (0, n) => format!("deadlock: {} for ever", ranks(n, "polls", "poll")),
        (n, m) => format!(
            "deadlock: {} and {} for ever",
            ranks(n, "waits", "wait"),
            ranks(m, "polls", "poll")
        ),
    };
    let is_at_barrier = |wait: &WaitingRank| wait.site.is_barrier();
    let mut finding = Finding::new("pld-402", message);
    finding.site = waiting
        .first()
        .map(|w| w.site.clone())
        .or_else(|| polling.first().map(|p| p.site.clone()));
    if !polling.is_empty() {
        finding = finding
            .note("a poll orders nothing and wakes nobody: wait for a signal with 'pld.wait'");
    }
    if waiting.iter().any(is_at_barrier) {
        finding = finding.note(
            "every rank of the window's group must reach each 'pld.barrier', as often as the others",
        );
    }
    if !waiting.iter().all(is_at_barrier) {
        finding = finding.note(
            "each wait needs a notify to this very cell, on this rank, from a rank that gets there without this wait",
        );
    }
    finding.details(Details::Deadlock {
        waiting,
        polling,
        peers,
    })
}

fn ranks(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 rank {one}"),
        _ => format!("{n} ranks {many}"),
    }
}

fn waiting(engine: &Engine, rank: usize, task: &Task) -> Option<WaitingRank> {
    let record = &task.ctx.wait;
    let cell = record.cell()?;
    let place = engine.windows.find(cell.as_ptr().cast(), rank)?;
    let condition = record.condition();
    Some(WaitingRank {
        rank,
        site: engine.site(record.site.load(Ordering::Relaxed)),
        window: place.buffer,
        element: place.offset / size_of::<i32>(),
        value: cell.load(Ordering::SeqCst),
        comparison: condition.compare.symbol(),
        expected: condition.value,
    })
}

fn peering(engine: &Engine, window: usize) -> Peering {
    let ended = |rank: &usize| engine.tasks[*rank].ctx.state.load(Ordering::SeqCst) == state::DONE;
    let group: Vec<usize> = engine.windows.group(window).collect();
    Peering {
        window,
        alive: group
            .iter()
            .copied()
            .filter(|rank| !ended(rank))
            .collect::<RankSet>(),
        ended: group.iter().copied().filter(ended).collect::<RankSet>(),
    }
}
