//! What the check answers: plain data, for messages, reports and replay alike.

use crate::{BufferId, Cell, PathId, Run, SiteId};
use serde::{Deserialize, Serialize};

/// How much work the check may do on one skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Events passed over in greedy runs.
    pub steps: u64,
    /// States looked at where the order of signals matters.
    pub states: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 10_000_000,
            states: 200_000,
        }
    }
}

/// The answer for all skeletons of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What goes wrong, errors before remarks.
    pub findings: Vec<Finding>,
    /// What was taken for granted or is not decided.
    pub notes: Vec<Note>,
    /// Whether something was not decided: without findings, the program is then not proved right.
    pub incomplete: bool,
    /// How much work it was.
    pub figures: Figures,
}

/// A remark about the check itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The first skeleton it holds for: a place in the slice that was checked.
    pub skeleton: usize,
    /// Its number of ranks.
    pub world: u32,
    /// The operation, a number of that skeleton's sites, where there is one.
    pub site: Option<SiteId>,
    /// A sentence without a full stop.
    pub text: String,
    /// Whether something is not decided because of it.
    pub incomplete: bool,
}

/// The work of a check, over all skeletons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Skeletons checked.
    pub skeletons: u64,
    /// Notifies, waits and meetings.
    pub signals: u64,
    /// Accesses to windows and shared memory.
    pub accesses: u64,
    /// Events passed over in greedy runs.
    pub steps: u64,
    /// States looked at where the order of signals matters.
    pub states: u64,
}

/// Something that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// 201 to 209.
    pub code: u16,
    /// Whether it holds for all data.
    pub severity: Severity,
    /// The skeleton whose tables the numbers below are of: a place in the slice that was checked.
    pub skeleton: usize,
    /// Its number of ranks: the least at which this goes wrong.
    pub world: u32,
    /// The other numbers of ranks at which it goes wrong.
    pub also_at: Vec<u32>,
    /// The operation that the message stands at.
    pub a: Side,
    /// The operation that it collides with.
    pub b: Option<Side>,
    /// Others that matter: for 207 the second access, for 209 the operation that is stuck.
    pub more: Vec<Side>,
    /// What is wrong, as a sentence without a full stop that names both sides.
    pub text: String,
    /// What is missing between the sides, as a sentence without a full stop.
    pub missing: String,
    /// Who is stuck, where the program does not end; else empty.
    pub stuck: Vec<Stuck>,
    /// The shortest interleaving that shows it: at each step the process of that number goes on
    /// through its next notify, wait or meeting; the last steps of a race are the two accesses.
    pub schedule: Vec<u32>,
    /// The same for reading.
    pub table: Table,
    /// A change that leaves the program without findings of this kind at all sizes checked.
    pub mend: Option<Mend>,
}

/// How sure a finding is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Severity {
    /// It holds for all data.
    Error,
    /// Data decides.
    Remark {
        /// When it happens: goes on after `if`, without a full stop.
        condition: String,
    },
}

/// An operation of one process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// The process.
    pub process: u32,
    /// Its rank in the world.
    pub rank: u32,
    /// Its block, where it is one.
    pub block: Option<u32>,
    /// The operation.
    pub site: SiteId,
    /// How it was reached.
    pub path: PathId,
    /// The iteration of the loops around it, such as `trip 1`; empty outside of loops.
    pub iteration: String,
    /// What it does, such as `reads bytes 0..256 of rank 1's slice of window buffer %0`.
    pub does: String,
    /// The cell, for a notify or wait.
    pub cell: Option<Cell>,
    /// The bytes in common, for the accesses of a race.
    pub bytes: Option<Bytes>,
    /// The value added, set or waited for.
    pub value: Option<i64>,
}

/// Bytes of one slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bytes {
    /// Of which buffer.
    pub buffer: BufferId,
    /// Of whose slice: a world rank.
    pub owner: u32,
    /// Which.
    pub run: Run,
}

/// A process that does not end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stuck {
    /// Where it stands.
    pub at: Side,
    /// For a wait, the value its cell has then.
    pub has: Option<i64>,
    /// What it needs, such as `>= 2`, or who is missing at a meeting.
    pub needs: String,
    /// Notifies to that cell that have not happened, with who is to do them.
    pub from: Vec<Side>,
}

/// An interleaving for reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Who, such as `rank 0` or `rank 0 block 1`.
    pub columns: Vec<String>,
    /// One operation each, from first to last.
    pub rows: Vec<Row>,
}

/// One operation of an interleaving.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Whose.
    pub column: usize,
    /// What of its operation.
    pub moment: Moment,
    /// What, in a few words.
    pub text: String,
    /// Which operation.
    pub site: SiteId,
}

/// A part of an operation in an interleaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// A notify goes out, a wait passes.
    Signal,
    /// A barrier or collective is come to.
    Arrives,
    /// It is left.
    Passes,
    /// Bytes are read or written.
    Access,
    /// One notify or wait of a barrier whose cells others use, too.
    Within,
    /// It is about to be waited for what others do in a barrier or collective.
    Waits,
}

impl Table {
    /// The table as text, a line for each row.
    pub fn text(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter(|row| row.column == column);
            let head = self.columns[column].chars().count();
            cells.fold(head, |width, row| width.max(row.text.chars().count()))
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |text: &dyn Fn(usize) -> String| {
            let cells = widths
                .iter()
                .enumerate()
                .map(|(column, &width)| format!("{:<width$}", text(column)));
            cells.collect::<Vec<_>>().join(" | ").trim_end().to_string()
        };
        let head = line(&|column| self.columns[column].clone());
        let rows = self.rows.iter().map(|row| {
            line(&|column| match column == row.column {
                true => row.text.clone(),
                false => String::new(),
            })
        });
        std::iter::once(head)
            .chain(rows)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// A change of the program that was tried and helps.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Mend {
    /// Move an operation.
    Move {
        /// Which.
        site: SiteId,
        /// Where to.
        to: Anchor,
    },
    /// Add a barrier, on this signal if the program has one that fits.
    Barrier {
        /// A signal's buffer that serves barriers of the same group already.
        signal: Option<BufferId>,
        /// Where.
        at: Anchor,
    },
    /// Notify another cell of the same signal: the row of the sender where the receiver's is
    /// named, or the reverse.
    Cell {
        /// The notify.
        site: SiteId,
        /// The element notified now, on the rank of the finding's side.
        from: u64,
        /// The element that the wait looks at.
        to: u64,
    },
    /// Notify another rank.
    Peer {
        /// The notify.
        site: SiteId,
        /// The rank notified now, by the rank of the finding's side.
        from: u32,
        /// The rank that waits for it.
        to: u32,
    },
    /// Wait for another value.
    Value {
        /// The wait.
        site: SiteId,
        /// What it waits for now.
        from: i64,
        /// What it should wait for.
        to: i64,
    },
    /// `add` instead of `set`.
    Add {
        /// The notify.
        site: SiteId,
    },
    /// Take the operation out of the branch that only some ranks take.
    Hoist {
        /// The operation.
        site: SiteId,
    },
}

/// A place in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Anchor {
    /// Just before the operation.
    Before(SiteId),
    /// Just after it.
    After(SiteId),
}
