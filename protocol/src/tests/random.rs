//! Random skeletons, small enough to be searched through.

use super::build::*;
use crate::*;
use fastrand::Rng;

/// Which signals a random skeleton uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Positive adds and `ge`.
    Monotone,
    /// Owners that take back what they waited for, exact waits, rising sets.
    Idioms,
    /// Anything.
    General,
    /// A flag set, waited for and reset in turn, with mistakes.
    Flag,
}

pub(crate) fn skeleton(rng: &mut Rng, style: Style) -> Skeleton {
    match style {
        Style::Flag => flag(rng),
        _ => free(rng, style),
    }
}

fn data(rng: &mut Rng, world: u32) -> What {
    let kind = [
        AccessKind::Read,
        AccessKind::Write,
        AccessKind::Write,
        AccessKind::Atomic,
    ];
    let (base, length) = (rng.u64(0..2), rng.u64(1..3));
    let kind = kind[rng.usize(..kind.len())];
    access(kind, rng.u32(..world.min(2)), base, length)
}

fn free(rng: &mut Rng, style: Style) -> Skeleton {
    let world = rng.u32(2..4);
    let mut build = Build::new(world);
    let cells = rng.u64(1..3);
    let mut meetings = rng.usize(..6).saturating_sub(4);
    let total = rng.u32(5..9) + if world == 3 { 3 } else { 0 };
    let setter = rng.u32(..world);
    let mut level = 1;
    for _ in 0..total {
        let me = rng.u32(..world);
        let peer = rng.u32(..world);
        let index = rng.u64(..cells);
        let what = match rng.u32(..10) {
            0..4 => data(rng, world),
            4..8 => match style {
                Style::Monotone | Style::Flag => add(peer, index, rng.i64(1..3)),
                Style::Idioms => match (rng.u32(..4), me == peer) {
                    (0, true) => add(peer, index, -rng.i64(1..3)),
                    (1, _) if me == setter => {
                        level += rng.i64(0..2);
                        set(peer, 5, level)
                    }
                    _ => add(peer, index, rng.i64(1..3)),
                },
                Style::General => match rng.u32(..4) {
                    0 => add(peer, index, rng.i64(-1..3)),
                    1 => set(peer, index, rng.i64(0..3)),
                    _ => add(peer, index, rng.i64(1..3)),
                },
            },
            _ if meetings > 0 && rng.bool() => {
                meetings -= 1;
                let skipped = if rng.u32(..8) == 0 { me } else { world };
                for rank in (0..world).filter(|&rank| rank != skipped) {
                    build.push(rank as usize, meet("pld.barrier"));
                }
                continue;
            }
            _ => match style {
                Style::Monotone | Style::Flag => {
                    let cmp = [Cmp::Ge, Cmp::Gt][usize::from(rng.u32(..5) == 0)];
                    wait(me, index, cmp, rng.i64(0..4))
                }
                Style::Idioms => {
                    let index = if rng.u32(..4) == 0 { 5 } else { index };
                    let cmp = [Cmp::Ge, Cmp::Gt, Cmp::Eq, Cmp::Ne][rng.usize(..4)];
                    let value = if cmp == Cmp::Ne { 0 } else { rng.i64(0..4) };
                    wait(me, index, cmp, value)
                }
                Style::General => {
                    let all = [Cmp::Eq, Cmp::Ne, Cmp::Gt, Cmp::Ge, Cmp::Lt, Cmp::Le];
                    wait(me, index, all[rng.usize(..6)], rng.i64(0..3))
                }
            },
        };
        build.push(me as usize, what);
    }
    build.0
}

/// Rounds of a hand-shake: data, flag set; waited for, data read, reset, answered. Then a few
/// operations are dropped or swapped.
fn flag(rng: &mut Rng) -> Skeleton {
    let mut build = Build::new(2);
    let rounds = rng.i64(1..4);
    let exact = [Cmp::Eq, Cmp::Ne, Cmp::Ge];
    let cmp = exact[rng.usize(..3)];
    let sent = if cmp == Cmp::Ne { 0 } else { 1 };
    let counted = rng.bool();
    for round in 1..=rounds {
        build.push(0, write(1));
        build.push(0, set(1, 0, 1));
        match counted {
            true => build.push(0, wait(0, 0, Cmp::Ge, round)),
            false => build.push(0, wait(0, 0, Cmp::Eq, 1)),
        };
        if !counted {
            build.push(0, set(0, 0, 0));
        }
        build.push(1, wait(1, 0, cmp, sent));
        build.push(1, read(1));
        build.push(1, set(1, 0, 0));
        match counted {
            true => build.push(1, add(0, 0, 1)),
            false => build.push(1, set(0, 0, 1)),
        };
    }
    for _ in 0..rng.usize(..3) {
        let events = &mut build.0.processes[rng.usize(..2)].events;
        if events.len() < 2 {
            continue;
        }
        let at = rng.usize(..events.len() - 1);
        match rng.bool() {
            true => events.swap(at, at + 1),
            false => drop(events.remove(at)),
        }
    }
    build.0
}

/// Phases of accesses with barriers between them, and a notify here and there.
pub(crate) fn phases(rng: &mut Rng) -> Skeleton {
    let world = rng.u32(2..4);
    let mut build = Build::new(world);
    for _ in 0..rng.u32(1..4) {
        for rank in 0..world {
            for _ in 0..rng.u32(..3) {
                let what = match rng.u32(..6) {
                    0 => add(rng.u32(..world), 0, 1),
                    1 => wait(rank, 0, Cmp::Ge, 1),
                    _ => data(rng, world),
                };
                build.push(rank as usize, what);
            }
            build.push(rank as usize, meet("pld.barrier"));
        }
    }
    build.0
}
