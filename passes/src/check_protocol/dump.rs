//! A skeleton as text, for looking at and for tests.

use pld_protocol::{AccessKind, Cell, Cmp, Event, PathId, Run, Skeleton, Step, What};
use std::fmt::Write;

/// The text of a skeleton: a line for each event.
pub(super) fn text(name: &str, skeleton: &Skeleton) -> String {
    let mut out = format!("@{name} on {} ranks", skeleton.world);
    for choice in &skeleton.choices {
        let rank = choice
            .rank
            .map_or(String::new(), |rank| format!(" on rank {rank}"));
        let _ = write!(out, ", {}{rank}", choice.text);
    }
    out.push('\n');
    for remark in &skeleton.remarks {
        let _ = writeln!(out, "  remark: {}", remark.text);
    }
    for process in &skeleton.processes {
        let _ = write!(out, "  rank {}", process.rank);
        if let Some(block) = process.block {
            let _ = write!(out, " block {block}");
        }
        out.push('\n');
        for event in &process.events {
            let _ = writeln!(out, "    {}", line(skeleton, event));
        }
    }
    out
}

fn line(skeleton: &Skeleton, event: &Event) -> String {
    let may = if event.may { "may " } else { "" };
    let name = |buffer: pld_protocol::BufferId| &skeleton.buffers[buffer.index()].name;
    let cell = |cell: &Cell| format!("{}@{}+{}", name(cell.buffer), cell.owner, cell.offset);
    let what = match &event.what {
        What::Access {
            kind,
            buffer,
            owner,
            runs,
        } => {
            let kind = match kind {
                AccessKind::Read => "read",
                AccessKind::Write => "write",
                AccessKind::Atomic => "atomic",
            };
            format!("{kind} {}@{owner} {}", name(*buffer), bytes(runs))
        }
        What::Add { cell: at, lo, hi } => format!("add {} to {}", range(*lo, *hi), cell(at)),
        What::Set { cell: at, lo, hi } => format!("set {} in {}", range(*lo, *hi), cell(at)),
        What::Wait {
            cell: at,
            cmp,
            lo,
            hi,
        } => format!("wait {} {} {}", cell(at), comparison(*cmp), range(*lo, *hi)),
        What::Meet {
            group,
            signal,
            offset,
            kind,
        } => {
            let members = &skeleton.groups[group.index()].members;
            let signal = signal.map_or(String::new(), |it| format!(" by {}+{offset}", name(it)));
            format!("meet {kind} {members:?}{signal}")
        }
        What::Outside { lo, hi, size } => format!("peer {} outside of {size}", range(*lo, *hi)),
        What::Foreign { buffer } => format!("foreign {}", name(*buffer)),
    };
    format!("{may}{what}{}", trips(skeleton, event.path))
}

/// The trips of the loops around, from the outermost.
fn trips(skeleton: &Skeleton, mut path: PathId) -> String {
    let mut trips = Vec::new();
    loop {
        let step = &skeleton.paths[path.index()];
        if let Step::Trip(_, trip) = step.step {
            trips.push(trip.to_string());
        }
        match step.parent {
            Some(parent) => path = parent,
            None => break,
        }
    }
    trips.reverse();
    if trips.is_empty() {
        String::new()
    } else {
        format!(" trip {}", trips.join("."))
    }
}

fn bytes(runs: &[Run]) -> String {
    let run = |run: &Run| {
        let first = format!("{}..{}", run.base, run.base + run.length);
        match run.count {
            1 => first,
            count => format!("{first} x{count} by {}", run.stride),
        }
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

fn range(lo: i64, hi: i64) -> String {
    match lo == hi {
        true => lo.to_string(),
        false => format!("{lo}..={hi}"),
    }
}

fn comparison(cmp: Cmp) -> &'static str {
    match cmp {
        Cmp::Eq => "==",
        Cmp::Ne => "!=",
        Cmp::Gt => ">",
        Cmp::Ge => ">=",
        Cmp::Lt => "<",
        Cmp::Le => "<=",
    }
}
