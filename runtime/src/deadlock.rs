//! The report of a run that cannot go on.

use crate::blocks::Block;
use crate::context::state;
use crate::engine::{Engine, Task};
use crate::finding::{Details, Finding, MeetingBlock, Peering, PollingRank, WaitingRank};
use crate::ranks::RankSet;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// Describes the ranks that have not ended; called when none of them can run.
pub(crate) fn describe(engine: &Engine) -> Box<Finding> {
    let stuck = |wanted: fn(u8) -> bool| {
        let ranks = engine
            .all_tasks()
            .filter_map(|task| Some((task.ctx.rank().ok()?, task)));
        ranks.filter(move |(_, task)| wanted(task.ctx.state.load(Ordering::SeqCst)))
    };
    let mut waiting: Vec<_> = stuck(|now| now == state::WAITING)
        .filter_map(|(rank, task)| waiting(engine, rank, task))
        .collect();
    waiting.sort_by_key(|wait| (wait.rank, wait.block));
    let mut meeting: Vec<_> = stuck(|now| now == state::WAITING)
        .filter_map(|(rank, task)| meeting_block(engine, rank, task))
        .collect();
    meeting.sort_by_key(|block| (block.rank, block.block));
    let polling: Vec<_> = stuck(|now| matches!(now, state::READY | state::RUNNING))
        .map(|(rank, task)| PollingRank {
            rank,
            block: block_of(task),
            site: engine.site(task.ctx.wait.site.load(Ordering::Relaxed)),
        })
        .collect();
    let windows: BTreeSet<_> = waiting.iter().map(|wait| wait.window).collect();
    let peers = windows
        .into_iter()
        .map(|window| peering(engine, window))
        .collect();
    let waiters = waiting.iter().map(|wait| wait.rank);
    let waiters: BTreeSet<_> = waiters
        .chain(meeting.iter().map(|block| block.rank))
        .collect();
    let pollers: BTreeSet<_> = polling.iter().map(|poll| poll.rank).collect();
    let message = match (waiters.len(), pollers.len()) {
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
        .or_else(|| meeting.first().map(|m| m.site.clone()))
        .or_else(|| polling.first().map(|p| p.site.clone()));
    if !polling.is_empty() {
        finding = finding.note(
            "no other rank changes what the loop reads; a poll orders nothing and wakes nobody: wait for a signal with \
             'pld.wait'",
        );
    }
    if let Some(wait) = waiting.iter().find(|wait| is_at_barrier(wait)) {
        finding = finding.note(format!(
            "every rank of the window's group must reach each '{}', as often as the others",
            wait.site.op
        ));
    }
    if !waiting.iter().all(is_at_barrier) {
        finding = finding.note(
            "each wait needs a notify to this very cell, on this rank, from a rank that gets there without this wait",
        );
    }
    if !meeting.is_empty() {
        finding = finding.note(
            "every block of a rank must come equally often to where its blocks meet: do not branch on the block's number around it",
        );
    }
    finding.details(Details::Deadlock {
        waiting,
        polling,
        meeting,
        peers,
    })
}

fn ranks(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 rank {one}"),
        _ => format!("{n} ranks {many}"),
    }
}

/// The block of its rank that a task runs, if there are several.
fn block_of(task: &Task) -> Option<usize> {
    let Block { index, count } = task.ctx.block.get();
    (count > 1).then_some(index)
}

/// A block that waits for others of its rank.
fn meeting_block(engine: &Engine, rank: usize, task: &Task) -> Option<MeetingBlock> {
    let (record, team) = (&task.ctx.wait, engine.team(rank));
    record.is_on(&team.meetings).then(|| MeetingBlock {
        rank,
        block: task.ctx.block.get().index,
        site: engine.site(record.site.load(Ordering::Relaxed)),
        arrived: team.arrived(),
        blocks: task.ctx.block.get().count,
    })
}

fn waiting(engine: &Engine, rank: usize, task: &Task) -> Option<WaitingRank> {
    let record = &task.ctx.wait;
    let cell = record.cell()?;
    let place = engine.windows.find(cell.as_ptr().cast(), rank)?;
    let condition = record.condition();
    Some(WaitingRank {
        rank,
        block: block_of(task),
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
