//! Skeletons in a few words.

use crate::*;

/// A window of data and one of signals, a slice of each for every rank, and one line per rank.
/// Each event is an operation of its own unless it is said to be one seen before.
pub(crate) struct Build(pub(crate) Skeleton);

pub(crate) const DATA: BufferId = BufferId(0);
pub(crate) const SIGNAL: BufferId = BufferId(1);
pub(crate) const PRIVATE: BufferId = BufferId(2);
pub(crate) const OTHER_SIGNAL: BufferId = BufferId(3);

pub(crate) fn run(base: u64, length: u64) -> Vec<Run> {
    vec![Run {
        base,
        stride: length,
        count: 1,
        length,
    }]
}

pub(crate) fn access(kind: AccessKind, owner: u32, base: u64, length: u64) -> What {
    What::Access {
        kind,
        buffer: DATA,
        owner,
        runs: run(base, length),
    }
}

pub(crate) fn read(owner: u32) -> What {
    access(AccessKind::Read, owner, 0, 256)
}

pub(crate) fn write(owner: u32) -> What {
    access(AccessKind::Write, owner, 0, 256)
}

pub(crate) fn cell(owner: u32, index: u64) -> Cell {
    Cell {
        buffer: SIGNAL,
        owner,
        offset: 4 * index,
    }
}

pub(crate) fn add(owner: u32, index: u64, value: i64) -> What {
    What::Add {
        cell: cell(owner, index),
        lo: value,
        hi: value,
    }
}

pub(crate) fn set(owner: u32, index: u64, value: i64) -> What {
    What::Set {
        cell: cell(owner, index),
        lo: value,
        hi: value,
    }
}

pub(crate) fn wait(owner: u32, index: u64, cmp: Cmp, value: i64) -> What {
    What::Wait {
        cell: cell(owner, index),
        cmp,
        lo: value,
        hi: value,
    }
}

pub(crate) fn meet(kind: &str) -> What {
    meet_on(OTHER_SIGNAL, kind)
}

pub(crate) fn meet_on(signal: BufferId, kind: &str) -> What {
    What::Meet {
        group: GroupId(0),
        signal: Some(signal),
        offset: 0,
        kind: kind.to_string(),
    }
}

impl Build {
    pub(crate) fn new(world: u32) -> Build {
        let buffer = |name: &str, bytes, kind| Buffer {
            name: name.to_string(),
            bytes,
            kind,
        };
        let window = BufferKind::Window(GroupId(0));
        let dispatched = Step::Dispatch(SiteId(0), "core".to_string());
        Build(Skeleton {
            world,
            sites: vec![site("pld.dispatch", "main", 1)],
            buffers: vec![
                buffer("window buffer %data", 4096, window),
                buffer("window buffer %signal", 4096, window),
                buffer("", 64, BufferKind::Private),
                buffer("window buffer %other", 4096, window),
            ],
            groups: vec![Group {
                members: (0..world).collect(),
            }],
            paths: vec![
                Path {
                    parent: None,
                    step: Step::Root,
                },
                Path {
                    parent: Some(PathId(0)),
                    step: dispatched,
                },
            ],
            processes: (0..world)
                .map(|rank| Process {
                    rank,
                    block: None,
                    events: Vec::new(),
                })
                .collect(),
            dispatched: (0..world)
                .map(|rank| Dispatched {
                    rank,
                    path: PathId(1),
                })
                .collect(),
            ..Skeleton::default()
        })
    }

    /// Appends an event, an operation of line `line`; the same line is the same operation.
    pub(crate) fn at(&mut self, process: usize, line: u32, what: What) -> &mut Event {
        let op = match &what {
            What::Access { .. } => "pl.load".to_string(),
            What::Add { .. } | What::Set { .. } => "pld.notify".to_string(),
            What::Wait { .. } => "pld.wait".to_string(),
            What::Meet { kind, .. } => kind.clone(),
            What::Outside { .. } | What::Foreign { .. } => "pld.remote_load".to_string(),
        };
        let wanted = site(&op, "core", line);
        let known = self.0.sites.iter().position(|site| *site == wanted);
        let id = known.unwrap_or_else(|| {
            self.0.sites.push(wanted);
            self.0.sites.len() - 1
        });
        let events = &mut self.0.processes[process].events;
        events.push(Event {
            what,
            site: SiteId(id as u32),
            path: PathId(1),
            may: false,
        });
        events.last_mut().unwrap()
    }

    /// Appends an event that is an operation of its own.
    pub(crate) fn push(&mut self, process: usize, what: What) -> &mut Event {
        let line = 1000 * (process as u32 + 1) + self.0.processes[process].events.len() as u32;
        self.at(process, line, what)
    }
}

fn site(op: &str, function: &str, line: u32) -> Site {
    Site {
        op: op.to_string(),
        function: function.to_string(),
        place: format!("t.mlir:{line}:1"),
    }
}

/// The line of a finding's side.
pub(crate) fn line(skeleton: &Skeleton, side: &Side) -> u32 {
    let place = &skeleton.sites[side.site.index()].place;
    place.split(':').nth(1).unwrap().parse().unwrap()
}

pub(crate) fn checked(build: &Build) -> Report {
    check(std::slice::from_ref(&build.0), &Limits::default())
}

/// Codes and lines of the findings.
pub(crate) fn found(build: &Build) -> Vec<(u16, u32, Option<u32>)> {
    let report = checked(build);
    assert!(!report.incomplete, "{:?}", report.notes);
    let errors = report
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let places = errors.map(|finding| {
        let b = finding.b.as_ref().map(|b| line(&build.0, b));
        (finding.code, line(&build.0, &finding.a), b)
    });
    places.collect()
}

/// Stage, barrier, load from the next rank: the order of the lines 10, 20, 30 given.
pub(crate) fn staged(order: [u32; 3], world: u32) -> Build {
    let mut build = Build::new(world);
    for rank in 0..world {
        for at in order {
            let what = match at {
                10 => write(rank),
                20 => meet("pld.barrier"),
                _ => read((rank + 1) % world),
            };
            build.at(rank as usize, at, what);
        }
    }
    build
}
