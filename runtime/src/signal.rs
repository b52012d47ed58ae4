//! What runtime calls do with signals: notify, wait, poll.

use crate::context::{Ctx, Fault};
use crate::device::{CELL, Target, delayed, own, reach, settle, tracked, turn};
use crate::engine::Engine;
use crate::fiber::Pause;
use crate::finding::Finding;
use crate::history::Arrival;
use crate::observe::{Action, Signal};
use crate::races::{Mode, Touch};
use crate::replay::{Call, follow};
use crate::wait::{Compare, Condition};
use crate::weak::StoreBuffer;
use crate::window::Place;
use std::sync::atomic::{AtomicI32, Ordering};

#[inline(always)]
fn cell(ctx: &Ctx, place: Place, site: i64) -> Result<&AtomicI32, Fault> {
    if !place.offset.is_multiple_of(CELL.bytes) {
        let message = format!(
            "signal cell at byte {} of its window, expected a multiple of 4",
            place.offset
        );
        return Err(ctx.fault(Finding::new("pld-401", message), site));
    }
    // SAFETY: the cell lies in a window, whose slices are aligned to lines and live to the end of the run.
    Ok(unsafe { AtomicI32::from_ptr(place.pointer.cast()) })
}

fn touch(ctx: &Ctx, place: Place, site: i64) -> Touch {
    Touch {
        place,
        rect: CELL,
        pitch: 0,
        site,
        in_barrier: ctx.shared().is_barrier(site),
    }
}

/// Adds `value` to a peer's cell (`op` 0) or sets it (`op` 1), and wakes the peer if that is what it waits for.
pub(crate) fn notify(ctx: &Ctx, op: i64, value: i64, target: Target) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    turn(ctx, engine);
    follow(ctx, engine, target.site, Call::Notify)?;
    let start = engine.now();
    let mode = match op {
        0 => Mode::Add,
        1 => Mode::Set,
        _ => return Err(Fault::Error(format!("unknown notify operation {op}"))),
    };
    let place = reach(ctx, engine, target, CELL, 0)?;
    let cell = cell(ctx, place, target.site)?;
    delayed(ctx, engine, StoreBuffer::drain);
    let change = || change(cell, mode, value as i32, engine.parallel());
    let mut value = 0;
    let mut change = || {
        value = change();
        value
    };
    match &engine.races {
        None => drop(change()),
        Some(races) => {
            let touch = touch(ctx, place, target.site);
            tracked(ctx, |tracker| {
                races.report(ctx, place, races.notify(tracker, mode, touch, change))
            });
        }
    }
    engine.quiet.changed();
    let own = place.rank == ctx.rank()?;
    let rounds = {
        let counters = &mut ctx.local.borrow_mut().counters;
        match own {
            true => counters.own_notifies += 1,
            false => counters.notifies += 1,
        }
        counters.rounds + u32::from(!own)
    };
    if let Some(history) = &engine.history {
        let rank = ctx.rank()?;
        let sent =
            (!own).then(|| history.sent(rank, ctx.block.get().index, start.unwrap_or_default()));
        let arrival = Arrival {
            mode,
            value,
            rounds,
            sent,
        };
        history.notified(place.rank, place.pointer as usize, arrival);
    }
    let action = || Action::Notify(signal(place, value));
    engine.tell(ctx, target.site, start, action);
    engine.wake(ctx.worker.get(), place.rank, cell);
    Ok(())
}

fn signal(place: Place, value: i32) -> Signal {
    Signal {
        peer: place.rank,
        window: place.buffer,
        element: place.offset / CELL.bytes,
        value,
    }
}

/// Changes a cell and returns its new value; without other workers plain accesses do.
fn change(cell: &AtomicI32, mode: Mode, value: i32, parallel: bool) -> i32 {
    match (mode, parallel) {
        (Mode::Add, true) => return cell.fetch_add(value, Ordering::SeqCst).wrapping_add(value),
        (Mode::Add, false) => {
            let sum = cell.load(Ordering::Relaxed).wrapping_add(value);
            cell.store(sum, Ordering::Relaxed);
            return sum;
        }
        (Mode::Set, true) => cell.store(value, Ordering::SeqCst),
        (Mode::Set, false) => cell.store(value, Ordering::Relaxed),
    }
    value
}

/// Returns once the own cell compares to `value` as `compare` says.
pub(crate) fn wait(
    ctx: &Ctx,
    compare: i64,
    value: i64,
    window: *mut u8,
    shift: i64,
    site: i64,
) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    turn(ctx, engine);
    follow(ctx, engine, site, Call::Wait)?;
    let start = engine.now();
    let compare = Compare::from_code(compare)
        .ok_or_else(|| Fault::Error(format!("unknown comparison {compare}")))?;
    let condition = Condition {
        compare,
        value: value as i32,
    };
    let own = own(ctx, engine, window, site)?;
    let place = engine
        .windows
        .shifted(own, shift, CELL, 0)
        .map_err(|finding| ctx.fault(finding, site))?;
    let cell = cell(ctx, place, site)?;
    ctx.local.borrow_mut().counters.waits += 1;
    engine.crew.waited(ctx.worker.get());
    while !passes(ctx, engine, condition, touch(ctx, place, site), cell) {
        // SAFETY: cells of windows live to the end of the run.
        unsafe { ctx.wait.set(cell, condition, site) };
        ctx.pause(Pause::Wait);
    }
    if let Some(history) = &engine.history {
        let (rounds, released) = history.passed(place.rank, place.pointer as usize, condition);
        {
            let counters = &mut ctx.local.borrow_mut().counters;
            counters.rounds = counters.rounds.max(rounds);
        }
        let action = || Action::Wait {
            cell: signal(place, cell.load(Ordering::Relaxed)),
            released,
        };
        engine.tell(ctx, site, start, action);
    }
    Ok(())
}

#[inline(always)]
fn passes(
    ctx: &Ctx,
    engine: &Engine,
    condition: Condition,
    touch: Touch,
    cell: &AtomicI32,
) -> bool {
    let value = || cell.load(Ordering::SeqCst);
    let Some(races) = &engine.races else {
        return condition.holds(value());
    };
    let passed = tracked(ctx, |tracker| {
        let (passed, found) = races.wait(tracker, condition, touch, value);
        races.report(ctx, touch.place, found);
        passed
    });
    passed.unwrap_or_else(|| condition.holds(value()))
}

/// Goes once around a loop that may poll.
pub(crate) fn poll(ctx: &Ctx, site: i64) -> Result<(), Fault> {
    settle(ctx, ctx.engine()?);
    ctx.wait.site.store(site, Ordering::Relaxed);
    ctx.poll();
    Ok(())
}
