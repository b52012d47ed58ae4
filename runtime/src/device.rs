//! What runtime calls do with memory on a rank: remote loads and stores, atomic adds.

use crate::blocks::Block;
use crate::context::{Ctx, Fault};
use crate::copy::{self, Element, Rect, Side};
use crate::engine::Engine;
use crate::fiber::Pause;
use crate::observe::{Access, Action};
use crate::races::access::AccessKind;
use crate::races::{Touch, Tracker};
use crate::replay::{Call, follow};
use crate::run::lock;
use crate::weak::StoreBuffer;
use crate::window::Place;
use std::time::Duration;

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
#[inline(always)]
pub(crate) fn turn(ctx: &Ctx, engine: &Engine) {
    ctx.check_stopped();
    engine.crew.admit();
    settle(ctx, engine);
    if engine.queues.wants_turn() {
        ctx.pause(Pause::Turn);
    }
    if delayed(ctx, engine, StoreBuffer::leak) == Some(true) {
        engine.quiet.changed();
    }
}

/// Works on the task's delayed stores, if the run delays any.
#[inline(always)]
pub(crate) fn delayed<T>(
    ctx: &Ctx,
    engine: &Engine,
    work: impl FnOnce(&mut StoreBuffer) -> T,
) -> Option<T> {
    if !engine.delays {
        return None;
    }
    ctx.local.borrow_mut().delayed.as_mut().map(work)
}

/// Takes the stores of compiled code into the store buffer, if there is one; before other tasks can run.
#[inline(always)]
pub(crate) fn settle(ctx: &Ctx, engine: &Engine) {
    delayed(ctx, engine, StoreBuffer::settle);
}

/// The place of the own slice that starts at `window`, of whose group the rank must be a member.
#[inline(always)]
pub(crate) fn own(ctx: &Ctx, engine: &Engine, window: *mut u8, site: i64) -> Result<Place, Fault> {
    match engine.windows.find(window, ctx.rank()?) {
        Some(place) if engine.windows.is_member(place) => Ok(place),
        Some(place) => Err(ctx.fault(engine.windows.outsider(place), site)),
        None => Err(Fault::Error(format!(
            "{} passed an address that belongs to none of its windows",
            ctx.name()
        ))),
    }
}

#[inline(always)]
pub(crate) fn reach(
    ctx: &Ctx,
    engine: &Engine,
    target: Target,
    rect: Rect,
    pitch: usize,
) -> Result<Place, Fault> {
    let own = own(ctx, engine, target.window, target.site)?;
    let place = engine
        .windows
        .reach(own, target.peer, target.shift, rect, pitch);
    place.map_err(|finding| ctx.fault(finding, target.site))
}

/// Dense rank in, and size of, the group of `window`'s buffer.
pub(crate) fn membership(ctx: &Ctx, window: *mut u8) -> Result<(usize, usize), Fault> {
    let engine = ctx.engine()?;
    let site = ctx.local.borrow().dispatch;
    let own = own(ctx, engine, window, site)?;
    Ok(engine.windows.membership(own))
}

/// Copies a rectangle of a peer's slice to `to`.
pub(crate) fn load(ctx: &Ctx, to: Side, target: Target, shape: Shape) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    let (touch, start) = begin_load(ctx, engine, target, shape)?;
    own_access(ctx, engine, AccessKind::Write, to, touch.rect, target.site)?;
    show_own(ctx, engine, touch);
    let from = Side {
        base: touch.place.pointer,
        pitch: touch.pitch,
    };
    // SAFETY: the source was checked against its buffer; the caller vouches for the destination.
    unsafe { copy::copy(from, to, touch.rect) };
    moved(ctx, engine, AccessKind::Read, touch, start)
}

/// As [`load`], but for the copy: returns where the data is, for the caller to read at once.
pub(crate) fn load_in_place(ctx: &Ctx, target: Target, shape: Shape) -> Result<*mut u8, Fault> {
    let engine = ctx.engine()?;
    let (touch, start) = begin_load(ctx, engine, target, shape)?;
    show_own(ctx, engine, touch);
    moved(ctx, engine, AccessKind::Read, touch, start)?;
    Ok(touch.place.pointer)
}

/// Finds and checks what a remote load reads, and when that began.
#[inline(always)]
fn begin_load(
    ctx: &Ctx,
    engine: &Engine,
    target: Target,
    shape: Shape,
) -> Result<(Touch, Option<Duration>), Fault> {
    turn(ctx, engine);
    follow(ctx, engine, target.site, Call::Access)?;
    let start = engine.now();
    let rect = shape.rect();
    let touch = Touch {
        place: reach(ctx, engine, target, rect, shape.pitch())?,
        rect,
        pitch: shape.pitch(),
        site: target.site,
        in_barrier: false,
    };
    record(ctx, engine, AccessKind::Read, touch);
    Ok((touch, start))
}

/// Lets the rank's own delayed stores be seen by its load.
#[inline(always)]
fn show_own(ctx: &Ctx, engine: &Engine, touch: Touch) {
    delayed(ctx, engine, |delayed| {
        delayed.before_load(touch.place, touch.rect, touch.pitch);
    });
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
    follow(ctx, engine, target.site, Call::Access)?;
    let start = engine.now();
    let rect = shape.rect();
    let element = element(add)?;
    let place = reach(ctx, engine, target, rect, shape.pitch())?;
    let touch = Touch {
        place,
        rect,
        pitch: shape.pitch(),
        site: target.site,
        in_barrier: false,
    };
    own_access(ctx, engine, AccessKind::Read, from, rect, target.site)?;
    let kind = element.map_or(AccessKind::Write, |_| AccessKind::AtomicAdd);
    record(ctx, engine, kind, touch);
    match &mut ctx.local.borrow_mut().delayed {
        // SAFETY: the destination was checked against its buffer; the caller vouches for the source.
        Some(delayed) => unsafe {
            delayed.store(from, place, rect, shape.pitch(), element);
        },
        None => {
            let to = Side {
                base: place.pointer,
                pitch: shape.pitch(),
            };
            // SAFETY: as above; other workers' adds are kept out by the lock.
            unsafe { apply(engine, place.rank, from, to, rect, element) };
        }
    }
    engine.quiet.changed();
    moved(ctx, engine, kind, touch, start)
}

/// Counts a remote operation, and tells of it.
fn moved(
    ctx: &Ctx,
    engine: &Engine,
    kind: AccessKind,
    touch: Touch,
    start: Option<Duration>,
) -> Result<(), Fault> {
    let own = touch.place.rank == ctx.rank()?;
    let bytes = touch.rect.size();
    ctx.local.borrow_mut().counters.transfer(kind, own, bytes);
    let action = || Action::Transfer(seen(kind, touch));
    engine.tell(ctx, touch.site, start, action);
    Ok(())
}

fn seen(kind: AccessKind, touch: Touch) -> Access {
    let Touch { place, rect, .. } = touch;
    Access {
        kind,
        peer: place.rank,
        window: place.buffer,
        offset: place.offset,
        bytes: rect.size(),
    }
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
    follow(ctx, engine, site, Call::Access)?;
    let element = element(add)?;
    if element.is_none() {
        return Err(Fault::Error("an atomic add without an element type".into()));
    }
    own_access(ctx, engine, AccessKind::Read, from, rect, site)?;
    own_access(ctx, engine, AccessKind::AtomicAdd, to, rect, site)?;
    record_gm(ctx, engine, AccessKind::AtomicAdd, to, rect, site)?;
    let place = engine.windows.find(to.base, ctx.rank()?);
    match (&mut ctx.local.borrow_mut().delayed, place) {
        // SAFETY: the caller vouches for both sides.
        (Some(delayed), Some(place)) => unsafe {
            delayed.store(from, place, rect, to.pitch, element);
        },
        // SAFETY: as above.
        _ => unsafe { apply(engine, ctx.rank()?, from, to, rect, element) },
    }
    engine.quiet.changed();
    Ok(())
}

/// Checks an access to a window for races.
fn record(ctx: &Ctx, engine: &Engine, kind: AccessKind, touch: Touch) {
    let Some(races) = &engine.races else { return };
    let found = {
        let tracker = &mut ctx.local.borrow_mut().tracker;
        let tracker = tracker.as_deref_mut();
        tracker.map(|tracker| races.access(tracker, kind, touch))
    };
    // Only a report needs much of a stack.
    if let Some(found) = found.filter(|found| !found.is_empty()) {
        ctx.deep(|| races.report(ctx, touch.place, found));
    }
}

/// Takes note of an access to local memory if it lies in a window: for races, and for what is delayed.
fn own_access(
    ctx: &Ctx,
    engine: &Engine,
    kind: AccessKind,
    at: Side,
    rect: Rect,
    site: i64,
) -> Result<Option<Touch>, Fault> {
    if !engine.follows_own() || rect.rows == 0 {
        return Ok(None);
    }
    let Some(place) = engine.windows.find(at.base, ctx.rank()?) else {
        return Ok(None);
    };
    let touch = Touch {
        place,
        rect,
        pitch: at.pitch,
        site,
        in_barrier: false,
    };
    record(ctx, engine, kind, touch);
    if let Some(delayed) = &mut ctx.local.borrow_mut().delayed {
        match kind {
            // SAFETY: the caller vouches for the rectangle.
            AccessKind::Write => unsafe { delayed.announce(place, rect, at.pitch) },
            AccessKind::Read => delayed.before_load(place, rect, at.pitch),
            // Goes through the buffer by itself.
            _ => {}
        }
    }
    Ok(Some(touch))
}

/// Checks an access to GM for races. Only the blocks of a rank share it, and only while there are several.
fn record_gm(
    ctx: &Ctx,
    engine: &Engine,
    kind: AccessKind,
    at: Side,
    rect: Rect,
    site: i64,
) -> Result<(), Fault> {
    if engine.races.is_none() || rect.rows == 0 || ctx.block.get() == Block::ONLY {
        return Ok(());
    }
    let rank = ctx.rank()?;
    if engine.windows.find(at.base, rank).is_none() {
        let touch = Touch {
            place: Place::in_gm(rank, at.base),
            rect,
            pitch: at.pitch,
            site,
            in_barrier: false,
        };
        record(ctx, engine, kind, touch);
    }
    Ok(())
}

/// Runs `work` on the task's part of the race detector, on a stack with room for a report.
pub(crate) fn tracked<T>(ctx: &Ctx, work: impl FnOnce(&mut Tracker) -> T) -> Option<T> {
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

/// Writes or adds to `rank`'s memory; adds of several workers to one rank take turns.
///
/// # Safety
/// Both sides hold the rectangle.
unsafe fn apply(
    engine: &Engine,
    rank: usize,
    from: Side,
    to: Side,
    rect: Rect,
    element: Option<Element>,
) {
    let Some(element) = element else {
        // SAFETY: by this function's contract.
        return unsafe { copy::copy(from, to, rect) };
    };
    let _turn = engine.parallel().then(|| lock(&engine.tasks[rank].adding));
    // SAFETY: as above, and the lock keeps other workers' adds out.
    unsafe { copy::add(from, to, rect, element) };
}

/// An own-slice or GM access of compiled code; `kind` is 0 for a read, 1 for a write, 2 for an atomic add.
pub(crate) fn access(ctx: &Ctx, kind: i64, at: Side, rect: Rect, site: i64) -> Result<(), Fault> {
    let engine = ctx.engine()?;
    follow(ctx, engine, site, Call::Access)?;
    let kind = match kind {
        0 => AccessKind::Read,
        1 => AccessKind::Write,
        2 => AccessKind::AtomicAdd,
        _ => return Err(Fault::Error(format!("unknown kind of access {kind}"))),
    };
    if kind != AccessKind::Read {
        engine.quiet.changed();
    }
    let start = engine.now();
    if let Some(touch) = own_access(ctx, engine, kind, at, rect, site)? {
        engine.tell(ctx, site, start, || Action::Local(seen(kind, touch)));
    }
    record_gm(ctx, engine, kind, at, rect, site)
}
