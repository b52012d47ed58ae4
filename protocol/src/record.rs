//! Findings that say all of themselves, without the skeletons that they are about: for reports,
//! and to be replayed.

use crate::{BufferId, Cell, Finding, Moment, Severity, Side, Site, SiteId, Skeleton, What};
use serde::{Deserialize, Serialize};

/// A finding as it is written to a file. `docs/protocol-check.md` lists the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Such as `pld-201`.
    pub code: String,
    /// Whether it goes wrong with any data.
    pub is_error: bool,
    /// What data has to bring about, if it is no error; goes on after `if`.
    pub condition: Option<String>,
    /// The host function.
    pub entry: String,
    /// The least number of ranks at which it goes wrong; all below is about so many.
    pub world: u32,
    /// The others that were looked at.
    pub also_at: Vec<u32>,
    /// What is wrong.
    pub message: String,
    /// What is missing.
    pub expected: String,
    /// The operation that the message stands at.
    pub a: Party,
    /// The one that it collides with.
    pub b: Option<Party>,
    /// Others that matter.
    pub more: Vec<Party>,
    /// Who never goes on.
    pub stuck: Vec<StuckParty>,
    /// The shortest order that shows it.
    pub schedule: Vec<Move>,
    /// Notifies of which data decides whether, or where to, they go.
    pub uncertain: Vec<Operation>,
    /// A change that helps.
    pub mend: Option<Mending>,
}

/// An operation of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// Its name.
    pub op: String,
    /// The function that holds it.
    pub function: String,
    /// Where, if its location says it.
    pub place: Option<Place>,
}

/// A place in a file; line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// As the location names it.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// What one rank does at an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// Its number in the world.
    pub rank: u32,
    /// Its block, where it is one.
    pub block: Option<u32>,
    /// Which operation.
    #[serde(flatten)]
    pub operation: Operation,
    /// The trips of the loops around it, such as `trip 1`.
    pub iteration: String,
    /// What it does, in words.
    pub does: String,
    /// The signal's cell, of a notify or wait.
    pub cell: Option<CellAt>,
    /// The bytes in common, of the sides of a race.
    pub bytes: Option<BytesAt>,
    /// The value added, set or waited for.
    pub value: Option<i64>,
}

/// A cell of a signal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellAt {
    /// The buffer's name in messages.
    pub buffer: String,
    /// The rank whose slice it lies in.
    pub owner: u32,
    /// Which i32 of the buffer.
    pub element: u64,
}

/// Bytes of a slice: `count` pieces of `length`, `stride` apart, from `start`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BytesAt {
    /// The buffer's name in messages.
    pub buffer: String,
    /// The rank whose slice it is.
    pub owner: u32,
    /// The first byte.
    pub start: u64,
    /// From piece to piece.
    pub stride: u64,
    /// How many pieces.
    pub count: u64,
    /// Bytes of each.
    pub length: u64,
}

/// Who never goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StuckParty {
    /// Where it stands.
    pub at: Party,
    /// The value that its cell has.
    pub has: Option<i64>,
    /// What it needs.
    pub needs: String,
    /// Notifies to that cell that do not come.
    pub from: Vec<Party>,
}

/// A step of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Whose.
    pub rank: u32,
    /// Its block, where it is one.
    pub block: Option<u32>,
    /// Which operation.
    #[serde(flatten)]
    pub operation: Operation,
    /// What of it.
    pub moment: Moment,
    /// The same in words.
    pub does: String,
}

/// A change of the program, tried on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mending {
    /// In words.
    pub text: String,
    /// As a unified diff of the program's text, where that is at hand.
    pub diff: Option<String>,
}

impl Record {
    /// The record of a finding in `skeleton`, which is the one that it names, of the host
    /// function `entry`. Its mend is left to who knows the program's text.
    pub fn of(skeleton: &Skeleton, finding: &Finding, entry: &str) -> Self {
        let party = |side: &Side| party(skeleton, side);
        let condition = match &finding.severity {
            Severity::Error => None,
            Severity::Remark { condition } => Some(condition.clone()),
        };
        let steps = finding.schedule.iter().zip(&finding.table.rows);
        let schedule = steps.map(|(&process, row)| {
            let process = &skeleton.processes[process as usize];
            Move {
                rank: process.rank,
                block: process.block,
                operation: operation(skeleton, row.site),
                moment: row.moment,
                does: row.text.clone(),
            }
        });
        let stuck = finding.stuck.iter().map(|stuck| StuckParty {
            at: party(&stuck.at),
            has: stuck.has,
            needs: stuck.needs.clone(),
            from: stuck.from.iter().map(party).collect(),
        });
        Self {
            code: format!("pld-{}", finding.code),
            is_error: condition.is_none(),
            condition,
            entry: entry.to_owned(),
            world: finding.world,
            also_at: finding.also_at.clone(),
            message: finding.text.clone(),
            expected: finding.missing.clone(),
            a: party(&finding.a),
            b: finding.b.as_ref().map(party),
            more: finding.more.iter().map(party).collect(),
            stuck: stuck.collect(),
            schedule: schedule.collect(),
            uncertain: uncertain(skeleton),
            mend: None,
        }
    }
}

fn uncertain(skeleton: &Skeleton) -> Vec<Operation> {
    let events = skeleton.processes.iter().flat_map(|line| &line.events);
    let may = events
        .filter(|event| event.may && matches!(event.what, What::Add { .. } | What::Set { .. }));
    let mut sites: Vec<SiteId> = may.map(|event| event.site).collect();
    sites.sort_unstable();
    sites.dedup();
    sites
        .into_iter()
        .map(|site| operation(skeleton, site))
        .collect()
}

fn operation(skeleton: &Skeleton, site: SiteId) -> Operation {
    let site = &skeleton.sites[site.index()];
    Operation {
        op: site.op.clone(),
        function: site.function.clone(),
        place: site.position(),
    }
}

fn party(skeleton: &Skeleton, side: &Side) -> Party {
    let name = |buffer: BufferId| skeleton.buffers[buffer.index()].name.clone();
    let cell = |cell: Cell| CellAt {
        buffer: name(cell.buffer),
        owner: cell.owner,
        element: cell.offset / 4,
    };
    Party {
        rank: side.rank,
        block: side.block,
        operation: operation(skeleton, side.site),
        iteration: side.iteration.clone(),
        does: side.does.clone(),
        cell: side.cell.map(cell),
        bytes: side.bytes.as_ref().map(|bytes| BytesAt {
            buffer: name(bytes.buffer),
            owner: bytes.owner,
            start: bytes.run.base,
            stride: bytes.run.stride,
            count: bytes.run.count,
            length: bytes.run.length,
        }),
        value: side.value,
    }
}

impl Site {
    /// Its place, if it is one in a file.
    pub fn position(&self) -> Option<Place> {
        let (rest, column) = self.place.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Place {
            file: file.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        })
    }
}
