//! What runtime calls do on a rank: remote memory, atomic adds, signals, polling.

use crate::context::{Ctx, Fault};
use crate::copy::{self, Element, Rect, Side};
use crate::engine::Engine;
use crate::fiber::Pause;
use crate::finding::Finding;
use crate::races::access::AccessKind;
use crate::races::{Mode, Touch, Tracker};
use crate::run::lock;
use crate::wait::{Compare, Condition};
use crate::window::Place;
use std::sync::atomic::{AtomicI32, Ordering};

/// Where a remote operation goes: `shift` bytes into a window's slice on a member of its group.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// The address of the window's slice on the calling rank.
    pub(crate) window: *mut u8,
    pub(crate) shift: i64,
    /// Dense rank in the group.
    pub(crate) peer: i64,
    pub(crate) site: i64,
}

/// A rectangle in the words of a runtime call.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) pitch: i64,
    pub(crate) rows: i64,
    pub(crate) bytes: i64,
}

impl Shape {
    fn rect(self) -> Rect {
        Rect::new(self.rows, self.bytes)
    }

    fn pitch(self) -> usize {
        usize::try_from(self.pitch).unwrap_or(0)
    }
}

pub(crate) const CELL: Rect = Rect {
    rows: 1,
    bytes: size_of::<i32>(),
};

/// Lets another task go first where a random schedule says so.
fn turn(ctx: &Ctx, engine: &Engine) {
    if engine.queues.wants_turn() {
        ctx.pause(Pause::Turn);
    }
}

/// The place of the own slice that starts at `window`.
fn own(ctx: &Ctx, engine: &Engine, window: *mut u8) -> Result<Place, Fault> {
    let place = engine.windows.find(window, ctx.rank()?);
    place.ok_or_else(|| {
        Fault::Error(format!(
            "{} passed an address that belongs to none of its windows",
            ctx.name()
        ))
    })
}

fn reach(
    ctx: &Ctx,
    engine: &Engine,
    target: Target,
    rect: Rect,
    pitch: usize,
) -> Result<Place, Fault> {
    let own = own(ctx, engine, target.window)?;
    let checked = engine.windows.membership(own);
    let place = checked.and_then(|_| {
        engine
            .windows
            .reach(own, target.peer, target.shift, rect, pitch)
    });
    place.map_err(|finding| ctx.fault(finding, target.site))
}

/// Dense rank in, and size of, the group of `window`'s buffer.
pub(crate) fn membership(ctx: &Ctx, window: *mut u8) -> Result<(usize, usize), Fault> {
    let engine = ctx.engine()?;
    let own = own(ctx, engine, window)?;
    engine
        .windows
        .membership(own)
        .map_err(|finding| ctx.fault(finding, ctx.local.borrow().dispatch))
}

/// Copies a rectangle of a peer's slice to `to`.
pub(crate) fn load(ctx: &Ctx, to: Side, target: Target, shape: Shape) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    turn(ctx, engine);
    let rect = shape.rect();
    let place = reach(ctx, engine, target, rect, shape.pitch())?;
    let touch = Touch {
        place,
        rect,
        pitch: shape.pitch(),
        site: target.site,
    };
    record(ctx, engine, AccessKind::Read, touch);
    record_own(ctx, engine, AccessKind::Write, to, rect, target.site)?;
    let from = Side {
        base: place.pointer,
        pitch: shape.pitch(),
    };
    // SAFETY: the source was checked against its buffer; the caller vouches for the destination.
    unsafe { copy::copy(from, to, rect) };
    let counters = &mut ctx.local.borrow_mut().counters;
    counters.loads += 1;
    counters.load_bytes += rect.size();
    Ok(())
}

/// Copies or adds a rectangle to a peer's slice.
pub(crate) fn store(
    ctx: &Ctx,
    from: Side,
    target: Target,
    shape: Shape,
    add: i64,
) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    turn(ctx, engine);
    let rect = shape.rect();
    let element = element(add)?;
    let place = reach(ctx, engine, target, rect, shape.pitch())?;
    let touch = Touch {
        place,
        rect,
        pitch: shape.pitch(),
        site: target.site,
    };
    record_own(ctx, engine, AccessKind::Read, from, rect, target.site)?;
    let kind = element.map_or(AccessKind::Write, |_| AccessKind::AtomicAdd);
    record(ctx, engine, kind, touch);
    let to = Side {
        base: place.pointer,
        pitch: shape.pitch(),
    };
    match element {
        // SAFETY: the destination was checked against its buffer; the caller vouches for the source.
        None => unsafe { copy::copy(from, to, rect) },
        Some(element) => add_to(engine, place.rank, from, to, rect, element),
    }
    engine.quiet.changed();
    let counters = &mut ctx.local.borrow_mut().counters;
    counters.stores += 1;
    counters.store_bytes += rect.size();
    Ok(())
}

/// Atomically adds a rectangle to memory of this rank: its own slice or GM.
pub(crate) fn local_add(
    ctx: &Ctx,
    from: Side,
    to: Side,
    rect: Rect,
    add: i64,
    site: i64,
) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    let element = element(add)?
        .ok_or_else(|| Fault::Error("an atomic add without an element type".into()))?;
    record_own(ctx, engine, AccessKind::Read, from, rect, site)?;
    record_own(ctx, engine, AccessKind::AtomicAdd, to, rect, site)?;
    add_to(engine, ctx.rank()?, from, to, rect, element);
    engine.quiet.changed();
    Ok(())
}

/// Checks an access to a window for races.
fn record(ctx: &Ctx, engine: &Engine, kind: AccessKind, touch: Touch) {
    if let Some(races) = &engine.races {
        tracked(ctx, |tracker| {
            races.report(ctx, touch.place, races.access(tracker, kind, touch))
        });
    }
}

/// Checks an access to local memory for races if it lies in a window.
fn record_own(
    ctx: &Ctx,
    engine: &Engine,
    kind: AccessKind,
    at: Side,
    rect: Rect,
    site: i64,
) -> Result<(), Fault> {
    if engine.races.is_none() || rect.rows == 0 {
        return Ok(());
    }
    if let Some(place) = engine.windows.find(at.base, ctx.rank()?) {
        record(
            ctx,
            engine,
            kind,
            Touch {
                place,
                rect,
                pitch: at.pitch,
                site,
            },
        );
    }
    Ok(())
}

/// Runs `work` on the task's part of the race detector, on a stack with room for a report.
fn tracked<T>(ctx: &Ctx, work: impl FnOnce(&mut Tracker) -> T) -> Option<T> {
    ctx.deep(|| ctx.local.borrow_mut().tracker.as_deref_mut().map(work))
}

fn element(code: i64) -> Result<Option<Element>, Fault> {
    match (code, Element::from_code(code)) {
        (0, _) => Ok(None),
        (_, Some(element)) => Ok(Some(element)),
        _ => Err(Fault::Error(format!(
            "unknown element type {code} of an atomic add"
        ))),
    }
}

/// Adds to `rank`'s memory; adds of several workers to one rank take turns.
fn add_to(engine: &Engine, rank: usize, from: Side, to: Side, rect: Rect, element: Element) {
    let _turn = engine.parallel().then(|| lock(&engine.tasks[rank].adding));
    // SAFETY: both sides were checked, or are vouched for by the caller; other workers' adds are kept out by the lock.
    unsafe { copy::add(from, to, rect, element) };
}

/// An own-slice or GM access of compiled code; `kind` is 0 for a read, 1 for a write, 2 for an atomic add.
pub(crate) fn access(ctx: &Ctx, kind: i64, at: Side, rect: Rect, site: i64) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    let kind = match kind {
        0 => AccessKind::Read,
        1 => AccessKind::Write,
        2 => AccessKind::AtomicAdd,
        _ => return Err(Fault::Error(format!("unknown kind of access {kind}"))),
    };
    if kind != AccessKind::Read {
        engine.quiet.changed();
    }
    record_own(ctx, engine, kind, at, rect, site)
}

fn cell(ctx: &Ctx, place: Place, site: i64) -> Result<&AtomicI32, Fault> {
    if !place.offset.is_multiple_of(size_of::<i32>()) {
        let message = format!(
            "signal cell at byte {} of its window, expected a multiple of 4",
            place.offset
        );
        return Err(ctx.fault(Finding::new("pld-401", message), site));
    }
    // SAFETY: the cell lies in a window, whose slices are 512-byte aligned and live to the end of the run.
    Ok(unsafe { AtomicI32::from_ptr(place.pointer.cast()) })
}

/// Adds `value` to a peer's cell (`op` 0) or sets it (`op` 1), and wakes the peer if that is what it waits for.
pub(crate) fn notify(ctx: &Ctx, op: i64, value: i64, target: Target) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    turn(ctx, engine);
    let place = reach(ctx, engine, target, CELL, 0)?;
    let cell = cell(ctx, place, target.site)?;
    let mode = match op {
        0 => Mode::Add,
        1 => Mode::Set,
        _ => return Err(Fault::Error(format!("unknown notify operation {op}"))),
    };
    let change = || change(cell, mode, value as i32, engine.parallel());
    match &engine.races {
        None => drop(change()),
        Some(races) => {
            let touch = Touch {
                place,
                rect: CELL,
                pitch: 0,
                site: target.site,
            };
            tracked(ctx, |tracker| {
                races.report(ctx, place, races.notify(tracker, mode, touch, change))
            });
        }
    }
    engine.quiet.changed();
    ctx.local.borrow_mut().counters.notifies += 1;
    engine.wake(ctx.worker.get(), place.rank, cell);
    Ok(())
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
    let compare = Compare::from_code(compare)
        .ok_or_else(|| Fault::Error(format!("unknown comparison {compare}")))?;
    let condition = Condition {
        compare,
        value: value as i32,
    };
    let own = own(ctx, engine, window)?;
    let checked = engine.windows.membership(own);
    let place = checked
        .and_then(|_| engine.windows.shifted(own, shift, CELL, 0))
        .map_err(|f| ctx.fault(f, site))?;
    let cell = cell(ctx, place, site)?;
    ctx.local.borrow_mut().counters.waits += 1;
    let touch = Touch {
        place,
        rect: CELL,
        pitch: 0,
        site,
    };
    if let Some(races) = &engine.races {
        tracked(ctx, |tracker| {
            races.report(ctx, place, races.expect(tracker, touch))
        });
    }
    while !passes(ctx, engine, condition, touch, cell) {
        ctx.wait.set(place.pointer as usize, condition, site);
        ctx.pause(Pause::Wait);
    }
    Ok(())
}

fn passes(
    ctx: &Ctx,
    engine: &Engine,
    condition: Condition,
    touch: Touch,
    cell: &AtomicI32,
) -> bool {
    let value = || cell.load(Ordering::SeqCst);
    match &engine.races {
        None => condition.holds(value()),
        Some(races) => {
            let passed = tracked(ctx, |tracker| {
                let found = races.pass(tracker, condition, touch, value);
                found
                    .map(|found| races.report(ctx, touch.place, found))
                    .is_some()
            });
            passed.unwrap_or_else(|| condition.holds(value()))
        }
    }
}

/// Goes once around a loop that may poll.
pub(crate) fn poll(ctx: &Ctx, site: i64) -> Result<(), Fault> {
    ctx.engine()?;
    ctx.wait.site.store(site, Ordering::Relaxed);
    ctx.poll();
    Ok(())
}
