//! A run as a trace that Perfetto and Chrome's `about:tracing` show: one process per rank
//! with a track for each of its blocks, an arrow from each notify to the wait that it releases.
//!
//! Events are written as they happen, so a long run needs no more memory than a short one.
//! Format: "Trace Event Format", JSON object form, times in microseconds.

use pld_runtime::{
    Access, AccessKind, Action, Details, Event, Finding, Observer, Sent, Signal, Site, WaitingRank,
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write},
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// Operations that are one event; what others are lowered to stands inside a span.
const SINGLE: [&str; 8] = [
    "pl.load",
    "pl.store",
    "pl.read",
    "pl.write",
    "pld.remote_load",
    "pld.remote_store",
    "pld.notify",
    "pld.wait",
];

/// The writer of a trace.
pub(crate) struct Trace<W>(Mutex<State<W>>);

struct State<W> {
    out: W,
    first: bool,
    /// By rank and block.
    tracks: BTreeMap<Place, Track>,
    error: Option<io::Error>,
}

/// Rank and block.
type Place = (usize, usize);

#[derive(Clone, Copy, Default)]
struct Track {
    /// A dispatch or block has not ended.
    running: bool,
    /// The operation that is more than one event and has not ended. Its site, by address in the
    /// table of sites.
    inside: Option<usize>,
    /// End of the last event.
    last: Duration,
}

/// One line of the trace.
#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    cat: &'a str,
    ph: &'a str,
    pid: usize,
    tid: usize,
    ts: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    /// Binds the end of a flow to the slice around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'a str>,
    /// Scope of an instant.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Args<'a>>,
}

#[derive(Default, Serialize)]
struct Args<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sort_index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    op: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
}

impl<'a> Line<'a> {
    fn new(ph: &'a str, (rank, block): Place, at: Duration) -> Self {
        Self {
            name: "",
            cat: "",
            ph,
            pid: rank,
            tid: block,
            ts: micros(at),
            dur: None,
            id: None,
            bp: None,
            s: None,
            args: None,
        }
    }
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

impl<W: Write> Trace<W> {
    /// Starts a trace of a run of `world` ranks.
    pub(crate) fn new(out: W, world: usize) -> Self {
        let mut state = State {
            out,
            first: true,
            tracks: BTreeMap::new(),
            error: None,
        };
        state.write(|out| out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":["));
        for rank in 0..world {
            state.names(rank);
        }
        Self(Mutex::new(state))
    }

    /// Ends it, with what the run found; the first error of writing, if there was one.
    pub(crate) fn finish(&self, findings: &[Finding]) -> io::Result<()> {
        let state = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let end = state.tracks.values().map(|track| track.last).max();
        let end = end.unwrap_or_default();
        for finding in findings {
            if let Details::Deadlock { waiting, .. } = &finding.details {
                waiting.iter().for_each(|wait| state.stuck(wait, end));
            }
        }
        let places: Vec<Place> = state.tracks.keys().copied().collect();
        for place in places {
            state.leave(place);
            let track = state.tracks[&place];
            if track.running {
                state.line(&Line::new("E", place, track.last));
            }
        }
        for finding in findings {
            state.line(&Line {
                name: &format!("{}: {}", finding.code, finding.message),
                cat: "finding",
                s: Some("g"),
                ..Line::new("i", (finding.rank.unwrap_or(0), 0), end)
            });
        }
        state.write(|out| {
            out.write_all(b"\n]}\n")?;
            out.flush()
        });
        state.error.take().map_or(Ok(()), Err)
    }
}

impl<W: Write + Send> Observer for Trace<W> {
    fn event(&self, event: &Event) {
        let state = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.event(event);
    }
}

impl<W> fmt::Debug for Trace<W> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Trace")
    }
}

impl<W: Write> State<W> {
    fn write(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        if self.error.is_none() {
            self.error = write(&mut self.out).err();
        }
    }

    fn line(&mut self, line: &Line) {
        let first = std::mem::replace(&mut self.first, false);
        self.write(|out| {
            out.write_all(if first { b"\n" } else { b",\n" })?;
            serde_json::to_writer(out, line).map_err(io::Error::from)
        });
    }

    /// What the process of a rank is called, and where it stands.
    fn names(&mut self, rank: usize) {
        let named = Args {
            name: Some(&format!("rank {rank}")),
            ..Args::default()
        };
        let sorted = Args {
            sort_index: Some(rank),
            ..Args::default()
        };
        self.line(&metadata("process_name", (rank, 0), named));
        self.line(&metadata("process_sort_index", (rank, 0), sorted));
        self.track((rank, 0));
    }

    /// The track of a block, which is named when it first appears.
    fn track(&mut self, place: Place) -> &mut Track {
        if !self.tracks.contains_key(&place) {
            let named = Args {
                name: Some(&format!("block {}", place.1)),
                ..Args::default()
            };
            self.line(&metadata("thread_name", place, named));
        }
        self.tracks.entry(place).or_default()
    }

    fn event(&mut self, event: &Event) {
        let &Event {
            rank,
            block,
            site,
            start,
            end,
            action,
        } = event;
        let place = (rank, block);
        let location = site.location().to_string();
        self.enter(event, &location);
        let args = Args {
            op: Some(&site.op),
            location: Some(&location),
            ..Args::default()
        };
        match action {
            Action::Begin => self.line(&Line {
                name: &site.op,
                cat: "run",
                args: Some(args),
                ..Line::new("B", place, start)
            }),
            Action::End => self.line(&Line::new("E", place, start)),
            Action::Transfer(access) => self.line(&Line {
                name: name(site, verb(access.kind)),
                cat: "rma",
                dur: Some(micros(end - start)),
                args: Some(transfer(access, args)),
                ..Line::new("X", place, start)
            }),
            Action::Local(access) => self.line(&Line {
                name: name(site, verb(access.kind)),
                cat: "own slice",
                s: Some("t"),
                args: Some(transfer(access, args)),
                ..Line::new("i", place, start)
            }),
            Action::Notify(cell) => self.line(&Line {
                name: name(site, "notify"),
                cat: "signal",
                dur: Some(micros(end - start)),
                args: Some(signal(cell, args)),
                ..Line::new("X", place, start)
            }),
            Action::Wait { cell, released } => {
                self.line(&Line {
                    name: name(site, "wait"),
                    cat: "signal",
                    dur: Some(micros(end - start)),
                    args: Some(signal(cell, args)),
                    ..Line::new("X", place, start)
                });
                if let Some(sent) = released {
                    self.arrow(sent, place, start);
                }
            }
        }
        let track = self.track(place);
        track.last = end;
        track.running = match action {
            Action::Begin => true,
            Action::End => false,
            _ => track.running,
        };
    }

    /// An arrow from a notify to the wait that began at `start`: both ends at once, so that
    /// neither is ever missing.
    fn arrow(&mut self, sent: Sent, place: Place, start: Duration) {
        let end = |ph, bp, place, at| Line {
            name: "releases",
            cat: "signal",
            id: Some(sent.number),
            bp,
            ..Line::new(ph, place, at)
        };
        self.line(&end("s", None, (sent.rank, sent.block), sent.at));
        self.line(&end("f", Some("e"), place, start.max(sent.at)));
    }

    /// A wait that lasted to the end of the run.
    fn stuck(&mut self, wait: &WaitingRank, end: Duration) {
        let location = wait.site.location().to_string();
        let place = (wait.rank, wait.block.unwrap_or(0));
        let start = self.track(place).last;
        self.line(&Line {
            name: "waits for ever",
            cat: "stuck",
            dur: Some(micros(end - start)),
            args: Some(Args {
                op: Some(&wait.site.op),
                location: Some(&location),
                window: Some(wait.window),
                cell: Some(wait.element),
                value: Some(wait.value),
                ..Args::default()
            }),
            ..Line::new("X", place, start)
        });
        self.track(place).last = end;
    }

    /// Opens and closes the spans of operations that are more than one event.
    fn enter(&mut self, event: &Event, location: &str) {
        let address = std::ptr::from_ref(event.site) as usize;
        let span = !matches!(event.action, Action::Begin | Action::End);
        let here = (span && !is_single(event.site)).then_some(address);
        let place = (event.rank, event.block);
        if self.track(place).inside == here {
            return;
        }
        self.leave(place);
        if here.is_some() {
            self.line(&Line {
                name: &event.site.op,
                cat: "collective",
                args: Some(Args {
                    location: Some(location),
                    ..Args::default()
                }),
                ..Line::new("B", place, event.start)
            });
            self.track(place).inside = here;
        }
    }

    fn leave(&mut self, place: Place) {
        let track = self.track(place);
        let last = track.last;
        if track.inside.take().is_some() {
            self.line(&Line::new("E", place, last));
        }
    }
}

fn metadata<'a>(name: &'a str, place: Place, args: Args<'a>) -> Line<'a> {
    Line {
        name,
        cat: "__metadata",
        args: Some(args),
        ..Line::new("M", place, Duration::ZERO)
    }
}

fn is_single(site: &Site) -> bool {
    SINGLE.contains(&site.op.as_str())
}

/// The operation's own name, or of a part of a larger one what it does.
fn name<'a>(site: &'a Site, does: &'a str) -> &'a str {
    if is_single(site) { &site.op } else { does }
}

fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read | AccessKind::Wait => "load",
        AccessKind::Write | AccessKind::Notify => "store",
        AccessKind::AtomicAdd => "atomic add",
    }
}

fn transfer<'a>(access: Access, args: Args<'a>) -> Args<'a> {
    Args {
        peer: Some(access.peer),
        window: Some(access.window),
        offset: Some(access.offset),
        bytes: Some(access.bytes),
        ..args
    }
}

fn signal<'a>(cell: Signal, args: Args<'a>) -> Args<'a> {
    Args {
        peer: Some(cell.peer),
        window: Some(cell.window),
        cell: Some(cell.element),
        value: Some(cell.value),
        ..args
    }
}
