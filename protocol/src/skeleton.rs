//! A program as its peers see it, for one number of ranks: a straight line of events for each
//! process, with no control flow left.

use serde::Serialize;

/// Numbers of the table named by the type.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The place in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An operation of the program: [`Skeleton::sites`].
    SiteId
    /// A window buffer or an array: [`Skeleton::buffers`].
    BufferId
    /// A group of ranks that meet: [`Skeleton::groups`].
    GroupId
    /// How an event was reached: [`Skeleton::paths`].
    PathId
}

/// Everything that matters of one program on one number of ranks.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Skeleton {
    /// The number of ranks.
    pub world: u32,
    /// Operations, named by events; the extraction keeps their locations beside.
    pub sites: Vec<Site>,
    /// What is read and written.
    pub buffers: Vec<Buffer>,
    /// Who meets at barriers and collectives.
    pub groups: Vec<Group>,
    /// Dispatches, calls and loops on the way to an event. Path 0 is the host function itself.
    pub paths: Vec<Path>,
    /// The main line of each rank, in order of ranks, and after them the blocks of each `spmd`.
    pub processes: Vec<Process>,
    /// Every dispatch that takes place, also of functions without events.
    pub dispatched: Vec<Dispatched>,
    /// What the extraction took for granted or could not know.
    pub remarks: Vec<Remark>,
    /// The way taken at branches and loops that data decides and that hold signals. A program
    /// has one skeleton for each combination.
    pub choices: Vec<Choice>,
}

/// An operation of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Site {
    /// Its name, such as `pld.remote_load`.
    pub op: String,
    /// The function that holds it.
    pub function: String,
    /// `file:line:column`, or empty.
    pub place: String,
}

/// What is read and written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Buffer {
    /// As a message names it, such as `window buffer %0` or `argument 1`.
    pub name: String,
    /// Bytes of one rank's slice, `u64::MAX` if unknown.
    pub bytes: u64,
    /// Which kind of memory.
    pub kind: BufferKind,
}

/// Which kind of memory a buffer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum BufferKind {
    /// A symmetric window buffer: every rank of the group has a slice of it.
    Window(GroupId),
    /// Global memory of one rank, which only the blocks of that rank share.
    Memory,
    /// Cells of the check itself (start and end of blocks); messages do not name them.
    Private,
}

/// Ranks that meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Group {
    /// World ranks in the order of their rank inside the group.
    pub members: Vec<u32>,
}

/// One step on the way to an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Path {
    /// The step before; the root has none.
    pub parent: Option<PathId>,
    /// What it is.
    pub step: Step,
}

/// A step on the way to an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Step {
    /// The host function.
    Root,
    /// `pld.dispatch` of the function.
    Dispatch(SiteId, String),
    /// A call of the function, or a region that becomes one (`pl.at`, `pl.spmd`).
    Call(SiteId, String),
    /// Trip number `1` (from 0) of the loop.
    Trip(SiteId, u64),
}

/// A dispatch that takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Dispatched {
    /// On which world rank.
    pub rank: u32,
    /// The path that ends with its [`Step::Dispatch`].
    pub path: PathId,
}

/// One line of events: the main line of a rank, or one block of one `pl.spmd`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Process {
    /// The world rank.
    pub rank: u32,
    /// The block, where it is one.
    pub block: Option<u32>,
    /// What it does, in program order.
    pub events: Vec<Event>,
}

/// One thing that a process does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// What.
    pub what: What,
    /// By which operation.
    pub site: SiteId,
    /// How it was reached.
    pub path: PathId,
    /// Data decides whether it happens at all, or whether it happens there. Never on a wait or
    /// a meeting: where data decides those, each way is a skeleton of its own.
    pub may: bool,
}

impl Event {
    /// Whether it is a barrier, which moves no data.
    pub(crate) fn is_barrier(&self) -> bool {
        matches!(&self.what, What::Meet { kind, .. } if is_barrier(kind))
    }
}

/// Whether that is the kind of a barrier.
pub(crate) fn is_barrier(kind: &str) -> bool {
    kind.starts_with("pld.barrier")
}

/// What an event is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum What {
    /// Bytes read or written.
    Access {
        /// How.
        kind: AccessKind,
        /// Of which buffer.
        buffer: BufferId,
        /// Of whose slice: a world rank.
        owner: u32,
        /// Which bytes.
        runs: Vec<Run>,
    },
    /// `pld.notify add`, a release: the value lies in `lo..=hi`. Where `may` is set, the same
    /// operation has one event for each cell it could reach.
    Add {
        /// To which cell.
        cell: Cell,
        /// Least value.
        lo: i64,
        /// Greatest value.
        hi: i64,
    },
    /// `pld.notify set`, a release, with the value in `lo..=hi`.
    Set {
        /// To which cell.
        cell: Cell,
        /// Least value.
        lo: i64,
        /// Greatest value.
        hi: i64,
    },
    /// `pld.wait`, an acquire, on a cell of its own rank.
    Wait {
        /// On which cell.
        cell: Cell,
        /// The comparison, `cell cmp value`.
        cmp: Cmp,
        /// Least value compared with; equal to `hi` but where data decides it.
        lo: i64,
        /// Greatest value compared with.
        hi: i64,
    },
    /// A barrier or collective: all members of the group meet, acquire and release.
    Meet {
        /// Who.
        group: GroupId,
        /// The signal's buffer; none for a host collective without one.
        signal: Option<BufferId>,
        /// The first byte of the signal view in its buffer; cell r lies 4 r bytes further.
        offset: u64,
        /// What else has to be the same on all ranks: the operation with its attributes, such
        /// as `pld.allreduce sum`.
        kind: String,
    },
    /// The peer (a rank of the group) is out of `0..size` for all data: 208. The last event of
    /// its process.
    Outside {
        /// Least peer.
        lo: i64,
        /// Greatest peer.
        hi: i64,
        /// Ranks of the group.
        size: u32,
    },
    /// A rank that is not of the window's group uses it: 209. The last event of its process.
    Foreign {
        /// The window.
        buffer: BufferId,
    },
}

/// How bytes are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum AccessKind {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Added to atomically: never in conflict with another such.
    Atomic,
}

/// Equal pieces at equal distances: bytes `base + k * stride .. + length` for `k` in `0..count`.
/// Pieces do not overlap (`stride >= length`, or `count == 1`), and none is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Run {
    /// The first byte.
    pub base: u64,
    /// From one piece to the next, in bytes.
    pub stride: u64,
    /// How many pieces.
    pub count: u64,
    /// Bytes of a piece.
    pub length: u64,
}

/// An i32 cell of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Cell {
    /// The window's buffer, or a private one.
    pub buffer: BufferId,
    /// Whose slice: a world rank.
    pub owner: u32,
    /// The first byte in the slice.
    pub offset: u64,
}

/// The comparison of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Cmp {
    Eq,
    Ne,
    Gt,
    Ge,
    Lt,
    Le,
}

impl Cmp {
    /// Whether a wait for `cell cmp value` passes.
    pub fn holds(self, cell: i64, value: i64) -> bool {
        match self {
            Cmp::Eq => cell == value,
            Cmp::Ne => cell != value,
            Cmp::Gt => cell > value,
            Cmp::Ge => cell >= value,
            Cmp::Lt => cell < value,
            Cmp::Le => cell <= value,
        }
    }
}

/// What the extraction took for granted or could not know.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Remark {
    /// Where.
    pub site: SiteId,
    /// What, as a sentence without a full stop.
    pub text: String,
    /// Whether something was left out for it, so that "nothing found" says less.
    pub incomplete: bool,
}

/// The way taken where data decides.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Choice {
    /// The branch or loop.
    pub site: SiteId,
    /// On which rank, or all of them where the condition is the same everywhere.
    pub rank: Option<u32>,
    /// How it reads, such as `the branch is taken` or `the loop runs twice`.
    pub text: String,
}
