//! Findings of the race detector.

use super::access::{Access, AccessKind, Description};
use super::shadow::Conflict;
use super::{Found, Misuse, Races};
use crate::context::Ctx;
use crate::finding::{Details, Finding, RaceAccess, Who};
use crate::run::lock;
use crate::window::Place;

impl Races {
    /// Reports what an access to `place` by `ctx`'s task found.
    pub(crate) fn report(&self, ctx: &Ctx, place: Place, found: Found) {
        let Found {
            by,
            conflicts,
            misuse,
        } = found;
        conflicts
            .into_iter()
            .for_each(|conflict| self.race(ctx, place, conflict, by));
        misuse
            .into_iter()
            .for_each(|misuse| self.misuse(ctx, place, misuse, by));
    }

    /// Reports a race of `newer`, by `ctx`'s task, with an older access, once per pair of sites.
    fn race(&self, ctx: &Ctx, place: Place, conflict: Conflict, newer: Access) {
        let window = place.window();
        let origin = match window {
            Some(_) => place.pointer as usize - place.offset,
            None => conflict.start,
        };
        let bytes = (conflict.start - origin, conflict.end - origin);
        let pair = self.fresh_pair(
            ctx,
            "pld-403",
            window.map(|_| bytes.0),
            conflict.older,
            newer,
        );
        let Some([older, newer]) = pair else { return };
        let owner = place.rank;
        let what = match window {
            Some(window) => {
                format!(
                    "bytes {}..{} of window buffer {window} on rank {owner}",
                    bytes.0, bytes.1
                )
            }
            None => format!("{} bytes of memory of rank {owner}", bytes.1),
        };
        let message = format!(
            "race on {what}: {newer}, not ordered with {}",
            Clause(&older)
        );
        let finding = Finding::new("pld-403", message)
            .at(newer.site.clone())
            .on(Some(newer.rank))
            .note_at(older.site.clone(), format!("{older} here"))
            .note(
                "order them: after the first access its rank notifies, and the other rank waits for that before its own; \
                 or put a barrier between them",
            )
            .details(Details::Race { window, owner, bytes, accesses: [older, newer] });
        ctx.shared().report(finding);
    }

    /// Reports misuse of a cell that `by` completes.
    fn misuse(&self, ctx: &Ctx, place: Place, misuse: Misuse, by: Access) {
        let (older, newer) = match misuse {
            Misuse::Mixed(earlier) | Misuse::LeftOver(earlier) | Misuse::Borrowed(earlier) => {
                (earlier, by)
            }
            Misuse::Overwrite { earlier, later } => (earlier, later),
        };
        let Some([older, newer]) =
            self.fresh_pair(ctx, "pld-407", Some(place.offset), older, newer)
        else {
            return;
        };
        let Place {
            buffer: window,
            rank: owner,
            ..
        } = place;
        let element = place.offset / size_of::<i32>();
        let cell = format!("cell {element} of window buffer {window} on rank {owner}");
        let (what, mend) = match misuse {
            Misuse::Mixed(_) => (
                format!(
                    "{cell} is notified by add and by set: {newer} one way, {} the other",
                    Clause(&older)
                ),
                "use one of the two for all notifies of a cell",
            ),
            Misuse::LeftOver(_) => (
                format!(
                    "{cell} is not zero when its barrier or collective is entered: {newer}, after {}",
                    Clause(&older)
                ),
                "take the count back before the barrier or collective, by a notify of the negative count to the own rank; \
                 or give it a signal of its own",
            ),
            Misuse::Borrowed(_) => (
                format!(
                    "{cell} lets a wait pass by a count of a barrier or collective: {newer}, after {}",
                    Clause(&older)
                ),
                "give the barrier or collective a signal of its own",
            ),
            Misuse::Overwrite { .. } => (
                format!(
                    "a set can overwrite an arrival that rank {owner} has not waited for: {newer}, after {}",
                    Clause(&older)
                ),
                "give each notifier a cell of its own, or let the owner give a credit back before the next set",
            ),
        };
        let finding = Finding::new("pld-407", what)
            .at(newer.site.clone())
            .on(Some(newer.rank))
            .note_at(older.site.clone(), format!("{older} here"))
            .note(mend)
            .details(Details::Signal {
                window,
                owner,
                element,
                accesses: [older, newer],
            });
        ctx.shared().report(finding);
    }

    /// Both accesses, which meet at byte `offset` of a slice or in GM, described, unless their pair of sites has been reported.
    fn fresh_pair(
        &self,
        ctx: &Ctx,
        code: &'static str,
        offset: Option<usize>,
        older: Access,
        newer: Access,
    ) -> Option<[RaceAccess; 2]> {
        let (old, new) = (
            self.descriptions.get(older.what),
            self.descriptions.get(newer.what),
        );
        let pair = (code, old.site.min(new.site), old.site.max(new.site));
        if !lock(&self.seen).insert(pair) {
            return None;
        }
        let describe = |access: Access, what: Description| {
            let (rank, block) = self.rank_and_block(access.task);
            RaceAccess {
                rank,
                block,
                site: ctx.site(what.site),
                access: what.kind,
                start: offset.map(|offset| access.start(offset)),
                rows: what.rows,
                bytes: what.bytes,
                pitch: what.pitch,
            }
        };
        let mut pair = [describe(older, old), describe(newer, new)];
        // What a rank does itself is at odds with another of its tasks only while it is block 0.
        if pair[0].rank == pair[1].rank && older.task != newer.task {
            pair.iter_mut().for_each(|access| {
                access.block.get_or_insert(0);
            });
        }
        Some(pair)
    }
}

/// An access inside a sentence: the same words as its own.
struct Clause<'a>(&'a RaceAccess);

impl std::fmt::Display for Clause<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}", self.0, self.0.site.location())
    }
}

impl std::fmt::Display for RaceAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            rank,
            block,
            site,
            access,
            start,
            rows,
            bytes,
            pitch,
        } = self;
        let verb = match access {
            AccessKind::Read => "reads",
            AccessKind::Write => "writes",
            AccessKind::AtomicAdd => "adds to",
            AccessKind::Notify => "notifies",
            AccessKind::Wait => "waits on",
        };
        write!(f, "{} {verb} ", Who(*rank, *block))?;
        match (rows, start) {
            (1, Some(start)) => write!(f, "bytes {start}..{}", start + bytes)?,
            (1, None) => write!(f, "{bytes} bytes")?,
            _ => write!(f, "{rows} runs of {bytes} bytes, {pitch} apart")?,
        }
        if let (2.., Some(start)) = (rows, start) {
            write!(f, ", from byte {start}")?;
        }
        write!(f, " in '{}'", site.op)
    }
}
