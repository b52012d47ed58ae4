//! Words for events.

use crate::{
    AccessKind, BufferId, BufferKind, Bytes, Cell, Cmp, PathId, Run, Side, Skeleton, Step, What,
};

/// An event: its process and its place there.
pub(crate) type Point = (usize, usize);

impl Skeleton {
    pub(crate) fn event(&self, (process, event): Point) -> &crate::Event {
        &self.processes[process].events[event]
    }

    pub(crate) fn side(&self, point: Point) -> Side {
        let event = self.event(point);
        let process = &self.processes[point.0];
        let (cell, value) = match event.what {
            What::Add { cell, lo, hi }
            | What::Set { cell, lo, hi }
            | What::Wait { cell, lo, hi, .. } => (Some(cell), (lo == hi).then_some(lo)),
            _ => (None, None),
        };
        Side {
            process: point.0 as u32,
            rank: process.rank,
            block: process.block,
            site: event.site,
            path: event.path,
            iteration: self.iteration(event.path),
            does: self.does(point, None),
            cell,
            bytes: None,
            value,
        }
    }

    /// The side of a race over these bytes.
    pub(crate) fn racing_side(&self, point: Point, buffer: BufferId, owner: u32, run: Run) -> Side {
        Side {
            does: self.does(point, Some((buffer, owner, run))),
            bytes: Some(Bytes { buffer, owner, run }),
            ..self.side(point)
        }
    }

    /// `rank 1`, or `rank 1 block 2`.
    pub(crate) fn who(&self, process: usize) -> String {
        let crate::Process { rank, block, .. } = self.processes[process];
        match block {
            Some(block) => format!("rank {rank} block {block}"),
            None => format!("rank {rank}"),
        }
    }

    /// The trips of the loops around an event, from outside, below its dispatch.
    pub(crate) fn trips(&self, path: PathId) -> Vec<u64> {
        let mut trips = Vec::new();
        for step in self.steps(path) {
            match step {
                Step::Trip(_, trip) => trips.push(*trip),
                Step::Dispatch(..) => break,
                Step::Root | Step::Call(..) => {}
            }
        }
        trips.reverse();
        trips
    }

    /// The steps of a path, innermost first.
    pub(crate) fn steps(&self, path: PathId) -> impl Iterator<Item = &Step> {
        let get = |path: PathId| self.paths.get(path.index());
        std::iter::successors(get(path), move |path| path.parent.and_then(get))
            .map(|path| &path.step)
    }

    fn iteration(&self, path: PathId) -> String {
        let trips = self
            .trips(path)
            .into_iter()
            .map(|trip| format!("trip {trip}"));
        trips.collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn is_private(&self, buffer: BufferId) -> bool {
        self.buffers[buffer.index()].kind == BufferKind::Private
    }

    /// `rank 1's slice of window buffer %0`.
    fn slice(&self, buffer: BufferId, owner: u32, rank: u32) -> String {
        let buffer = &self.buffers[buffer.index()];
        match buffer.kind {
            BufferKind::Window(_) if owner == rank => format!("its own slice of {}", buffer.name),
            BufferKind::Window(_) => format!("rank {owner}'s slice of {}", buffer.name),
            BufferKind::Memory | BufferKind::Private => buffer.name.clone(),
        }
    }

    fn cell(&self, cell: Cell, rank: u32) -> String {
        let slice = self.slice(cell.buffer, cell.owner, rank);
        format!("cell {} of {slice}", cell.offset / 4)
    }

    fn does(&self, point: Point, bytes: Option<(BufferId, u32, Run)>) -> String {
        let rank = self.processes[point.0].rank;
        match &self.event(point).what {
            What::Access {
                kind,
                buffer,
                owner,
                runs,
            } => {
                let verb = match kind {
                    AccessKind::Read => "reads",
                    AccessKind::Write => "writes",
                    AccessKind::Atomic => "adds atomically to",
                };
                let all = || {
                    let base = runs.iter().map(|run| run.base).min().unwrap_or(0);
                    let end = runs.iter().map(Run::end).max().unwrap_or(0);
                    (base, end)
                };
                let (base, end) = bytes.map_or_else(all, |(_, _, run)| (run.base, run.end()));
                let slice = self.slice(*buffer, *owner, rank);
                match end {
                    u64::MAX => format!("{verb} bytes of {slice}"),
                    _ => format!("{verb} bytes {base}..{end} of {slice}"),
                }
            }
            What::Add { cell, lo, hi } => {
                format!("adds {} to {}", range(*lo, *hi), self.cell(*cell, rank))
            }
            What::Set { cell, lo, hi } => {
                format!("sets {} to {}", self.cell(*cell, rank), range(*lo, *hi))
            }
            What::Wait { cell, cmp, lo, hi } => {
                format!(
                    "waits for {} {}",
                    self.cell(*cell, rank),
                    needs(*cmp, *lo, *hi)
                )
            }
            What::Meet { kind, signal, .. } => match signal {
                Some(signal) => format!("calls {kind} on {}", self.buffers[signal.index()].name),
                None => format!("calls {kind}"),
            },
            What::Outside { lo, hi, size } => {
                format!("names peer {} of {size} ranks", range(*lo, *hi))
            }
            What::Foreign { buffer } => {
                format!("uses {}", self.buffers[buffer.index()].name)
            }
        }
    }

    /// A few words for a table.
    pub(crate) fn brief(&self, point: Point) -> String {
        match &self.event(point).what {
            What::Add { cell, lo, hi } => {
                format!(
                    "notify add {} cell {} of rank {}",
                    range(*lo, *hi),
                    cell.offset / 4,
                    cell.owner
                )
            }
            What::Set { cell, lo, hi } => {
                format!(
                    "notify set {} cell {} of rank {}",
                    range(*lo, *hi),
                    cell.offset / 4,
                    cell.owner
                )
            }
            What::Wait { cell, cmp, lo, hi } => {
                format!("wait cell {} {}", cell.offset / 4, needs(*cmp, *lo, *hi))
            }
            What::Meet { kind, .. } => kind.clone(),
            _ => self.does(point, None),
        }
    }
}

pub(crate) fn range(lo: i64, hi: i64) -> String {
    match lo == hi {
        true => lo.to_string(),
        false => format!("{lo}..={hi}"),
    }
}

pub(crate) fn needs(cmp: Cmp, lo: i64, hi: i64) -> String {
    let cmp = match cmp {
        Cmp::Eq => "==",
        Cmp::Ne => "!=",
        Cmp::Gt => ">",
        Cmp::Ge => ">=",
        Cmp::Lt => "<",
        Cmp::Le => "<=",
    };
    format!("{cmp} {}", range(lo, hi))
}

/// `0`, `0 and 2`, `0, 1 and 2`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `rank 0`, `ranks 0 and 2`.
pub(crate) fn ranks(ranks: &[u32]) -> String {
    let names: Vec<String> = ranks.iter().map(u32::to_string).collect();
    match names.len() {
        1 => format!("rank {}", names[0]),
        _ => format!("ranks {}", list(&names)),
    }
}
