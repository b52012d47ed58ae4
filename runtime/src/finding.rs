//! What a run reports, as plain data, and its text.

use crate::races::access::AccessKind;
use crate::ranks::RankSet;
use crate::run::Site;
use serde::Serialize;
use std::fmt;

/// Waiting ranks that the text lists in full; the data holds all of them.
const LISTED: usize = 16;

/// One fault of the simulated program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The stable code, e.g. `pld-402`.
    pub code: &'static str,
    /// What is wrong: which entity, what it is, what was expected; without the code.
    pub message: String,
    /// The op that met the fault, where one did.
    pub site: Option<Site>,
    /// The rank that met the fault; `None` for the host and for faults of several ranks.
    pub rank: Option<usize>,
    /// The other parties, and how to mend the fault.
    pub notes: Vec<Note>,
    pub details: Details,
}

/// A remark on a finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    pub message: String,
    pub site: Option<Site>,
}

/// The numbers behind a finding's message.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Details {
    #[default]
    None,
    /// An access of `size` elements at `offset` of a dimension of `extent` elements; `dim` is `None` for a peer.
    Bounds {
        dim: Option<i64>,
        offset: i64,
        size: i64,
        extent: i64,
    },
    /// Ranks that nothing can wake. A group's members stand once per window, not once per waiting rank.
    Deadlock {
        waiting: Vec<WaitingRank>,
        polling: Vec<PollingRank>,
        meeting: Vec<MeetingBlock>,
        peers: Vec<Peering>,
    },
    /// Two accesses to the bytes `[start, end)` of a window's slice on rank `owner`, older one first. In GM, which has
    /// no window, the bytes count from the first one of both.
    Race {
        window: Option<usize>,
        owner: usize,
        bytes: (usize, usize),
        accesses: [RaceAccess; 2],
    },
    /// Two notifies of i32 cell `element` on rank `owner` that must not meet, older one first.
    Signal {
        window: usize,
        owner: usize,
        element: usize,
        accesses: [RaceAccess; 2],
    },
}

/// One side of a race: `rows` runs of `bytes` bytes, `pitch` bytes apart, from byte `start` of the slice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaceAccess {
    pub rank: usize,
    /// Where it is known that one of several blocks did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    pub site: Site,
    pub access: AccessKind,
    /// `None` in GM.
    pub start: Option<usize>,
    pub rows: usize,
    pub bytes: usize,
    pub pitch: usize,
}

/// A rank stuck at a wait.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WaitingRank {
    pub rank: usize,
    /// If it is one of several blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    pub site: Site,
    /// Number of the window buffer, in order of allocation.
    pub window: usize,
    /// Index of the cell, counted in i32 elements of the buffer.
    pub element: usize,
    /// The cell's value at the end of the run.
    pub value: i32,
    /// `==`, `!=`, `>`, `>=`, `<` or `<=`.
    pub comparison: &'static str,
    pub expected: i32,
}

/// A rank that polls memory which nothing changes any more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PollingRank {
    pub rank: usize,
    /// If it is one of several blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    pub site: Site,
}

/// A block that meets others of its rank, which do not come.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeetingBlock {
    pub rank: usize,
    pub block: usize,
    pub site: Site,
    /// How many blocks have come.
    pub arrived: usize,
    /// How many blocks the rank has.
    pub blocks: usize,
}

/// A rank, or one of its blocks, in a sentence.
pub(crate) struct Who(pub(crate) usize, pub(crate) Option<usize>);

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}", self.0)?;
        self.1.map_or(Ok(()), |block| write!(f, ", block {block}"))
    }
}

/// Who could still notify the cells of one window: nobody but members of its group that have not ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Peering {
    pub window: usize,
    /// Members that have not ended; each of them waits or polls itself.
    pub alive: RankSet,
    pub ended: RankSet,
}

impl Finding {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            code,
            message: message.into(),
            site: None,
            rank: None,
            notes: Vec::new(),
            details: Details::None,
        })
    }

    pub(crate) fn at(mut self: Box<Self>, site: Site) -> Box<Self> {
        self.site = Some(site);
        self
    }

    pub(crate) fn on(mut self: Box<Self>, rank: Option<usize>) -> Box<Self> {
        self.rank = rank;
        self
    }

    pub(crate) fn note(mut self: Box<Self>, message: impl Into<String>) -> Box<Self> {
        self.notes.push(Note {
            message: message.into(),
            site: None,
        });
        self
    }

    pub(crate) fn note_at(
        mut self: Box<Self>,
        site: Site,
        message: impl Into<String>,
    ) -> Box<Self> {
        self.notes.push(Note {
            message: message.into(),
            site: Some(site),
        });
        self
    }

    pub(crate) fn details(mut self: Box<Self>, details: Details) -> Box<Self> {
        self.details = details;
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        prefix(f, self.site.as_ref())?;
        write!(f, "error: {} [{}]", self.message, self.code)?;
        if let Details::Deadlock {
            waiting,
            polling,
            meeting,
            peers,
        } = &self.details
        {
            stuck_ranks(f, waiting, polling, peers)?;
            for block in meeting.iter().take(LISTED) {
                write!(f, "\n{block}")?;
            }
        }
        for note in &self.notes {
            writeln!(f)?;
            prefix(f, note.site.as_ref())?;
            write!(f, "note: {}", note.message)?;
        }
        Ok(())
    }
}

fn prefix(f: &mut fmt::Formatter<'_>, site: Option<&Site>) -> fmt::Result {
    site.map_or(Ok(()), |site| write!(f, "{}: ", site.location()))
}

fn stuck_ranks(
    f: &mut fmt::Formatter<'_>,
    waiting: &[WaitingRank],
    polling: &[PollingRank],
    peers: &[Peering],
) -> fmt::Result {
    for wait in waiting.iter().take(LISTED) {
        write!(f, "\n{wait}{}", Reach { wait, peers })?;
    }
    for poll in polling.iter().take(LISTED.saturating_sub(waiting.len())) {
        write!(
            f,
            "\n{}: note: {} polls in '{}', and nothing changes what it reads",
            poll.site.location(),
            Who(poll.rank, poll.block),
            poll.site.op
        )?;
    }
    let stuck = waiting.len() + polling.len();
    if stuck > LISTED {
        write!(f, "\nnote: and {} more", stuck - LISTED)?;
    }
    Ok(())
}

impl fmt::Display for WaitingRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rank,
            block,
            site,
            window,
            element,
            value,
            comparison,
            expected,
        } = self;
        write!(
            f,
            "{}: note: {} waits in '{}' on cell {element} of window buffer {window}: \
             expects {comparison} {expected}, has {value}",
            site.location(),
            Who(*rank, *block),
            site.op
        )
    }
}

impl fmt::Display for MeetingBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rank,
            block,
            site,
            arrived,
            blocks,
        } = self;
        write!(
            f,
            "{}: note: {} waits in '{}' for the other blocks of its rank: {arrived} of {blocks} have come",
            site.location(),
            Who(*rank, Some(*block)),
            site.op
        )
    }
}

/// The half-sentence on who could still have notified a waiting rank.
struct Reach<'a> {
    wait: &'a WaitingRank,
    peers: &'a [Peering],
}

impl fmt::Display for Reach<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(peering) = self.peers.iter().find(|p| p.window == self.wait.window) else {
            return Ok(());
        };
        let others = peering.alive.len() - usize::from(peering.alive.contains(self.wait.rank));
        if others == 0 {
            return write!(
                f,
                "; no notify can reach it: every other rank of the group has ended"
            );
        }
        write!(
            f,
            "; only ranks that are stuck themselves could notify it: {}",
            peering.alive
        )?;
        if !peering.ended.is_empty() {
            write!(f, " (ended: {})", peering.ended)?;
        }
        Ok(())
    }
}
