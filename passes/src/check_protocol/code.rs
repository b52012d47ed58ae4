//! A program in a form that runs quickly, many times: functions of plain operations, values
//! numbered by slots.

use super::interval::{Binary, Predicate};
use pld_dialects::{Kind, types::Element};
use pld_protocol::{AccessKind, Cmp, Site, SiteId};

/// The place of a value in the frame of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(pub u32);

/// A number that is known, or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Static(i64),
    Dynamic(Slot),
}

/// The functions of a module.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub functions: Vec<Function>,
    /// Operations that events and remarks name.
    pub sites: Vec<Site>,
    /// Whether integers are ever read from memory: only then is memory followed.
    pub reads_integers: bool,
}

/// A function, its numbers and effects.
#[derive(Debug)]
pub(super) struct Function {
    pub name: String,
    pub kind: Option<Kind>,
    /// Whether it has a body, also one that is not followed.
    pub is_defined: bool,
    pub site: SiteId,
    pub parameters: Vec<Parameter>,
    /// Slots of a frame.
    pub slots: u32,
    /// `None` for a declaration, or what has no structured control flow.
    pub body: Option<Body>,
    /// `pld.world_sizes`.
    pub world_sizes: Option<Vec<i64>>,
    /// The greatest rank in a group of a window buffer.
    pub greatest_member: Option<i64>,
}

/// An argument of a function.
#[derive(Debug)]
pub(super) struct Parameter {
    pub slot: Slot,
    /// The bits of an integer.
    pub bits: Option<u32>,
    /// The type of an array.
    pub array: Option<MemoryType>,
    /// Whether nobody writes the array.
    pub is_input: bool,
    /// Whether it has a slice for each rank.
    pub is_sharded: bool,
}

/// The type of an array or window; `None` for `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MemoryType {
    pub shape: Vec<Option<i64>>,
    pub element: Element,
}

impl MemoryType {
    /// The bits of an integer element.
    pub(super) fn bits(&self) -> Option<u32> {
        integer_bits(self.element)
    }
}

/// The bits of integers of an element type.
pub(super) fn integer_bits(element: Element) -> Option<u32> {
    match element {
        Element::I1 => Some(1),
        element if element.is_float() => None,
        element => Some(element.bytes() as u32 * 8),
    }
}

/// A block of operations.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub arguments: Vec<Slot>,
    pub operations: Vec<Operation>,
    /// What its terminator hands on.
    pub yields: Vec<Slot>,
    pub effects: Effects,
}

/// What of an operation can be seen by others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Signals, meetings, dispatches, blocks.
    pub signals: bool,
    /// Accesses to windows.
    pub windows: bool,
    /// Accesses to arrays.
    pub arrays: bool,
    /// Integers written to memory.
    pub integers: bool,
}

impl Effects {
    pub(super) fn join(self, other: Self) -> Self {
        Self {
            signals: self.signals | other.signals,
            windows: self.windows | other.windows,
            arrays: self.arrays | other.arrays,
            integers: self.integers | other.integers,
        }
    }
}

/// A value that an operation defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub slot: Slot,
    /// The bits of an integer.
    pub bits: Option<u32>,
    /// Whether it matters: an integer with uses, or a reference.
    pub is_needed: bool,
}

/// An operation.
#[derive(Debug)]
pub(super) struct Operation {
    pub site: SiteId,
    pub results: Vec<Definition>,
    pub what: What,
    /// With its bodies and callees.
    pub effects: Effects,
}

/// What an operation does; its results are beside.
#[derive(Debug)]
pub(super) enum What {
    Constant(i64),
    Binary(Binary, Slot, Slot),
    Compare(Predicate, Slot, Slot),
    Select(Slot, Slot, Slot),
    /// To another width; whether the number has a sign.
    Resize {
        from: Slot,
        bits: u32,
        signed: bool,
    },
    /// Anything.
    Unknown,
    WorldSize,
    Context(Slot),
    Rank(Slot),
    Nranks(Slot),
    BlockIndex,
    BlockNumber,
    Dim(Slot, Entry),
    AllocWindow {
        sizes: Vec<Entry>,
        element: Element,
        ranks: Option<Vec<i64>>,
    },
    View {
        buffer: Slot,
        sizes: Vec<Slot>,
        shape: MemoryType,
    },
    Alloc {
        sizes: Vec<Slot>,
        shape: MemoryType,
    },
    Cast {
        from: Slot,
        shape: MemoryType,
    },
    Shard(Slot, Slot),
    Access(Access),
    Transfer(Transfer),
    Notify {
        set: bool,
        value: Slot,
        signal: Slot,
        offsets: Vec<Entry>,
        peer: Slot,
    },
    Wait {
        cmp: Cmp,
        value: Slot,
        signal: Slot,
        offsets: Vec<Entry>,
    },
    Meet(Meet),
    SyncBlocks,
    Dispatch {
        callee: usize,
        arguments: Vec<Slot>,
        rank: Slot,
    },
    Call {
        callee: usize,
        arguments: Vec<Slot>,
    },
    For {
        lower: Slot,
        upper: Slot,
        step: Slot,
        initial: Vec<Slot>,
        body: Body,
    },
    /// `before` yields the condition, then what it hands on.
    While {
        initial: Vec<Slot>,
        before: Body,
        after: Body,
    },
    /// One of `bodies`; the number of the one that a value chooses, the last for any other.
    Branch {
        on: Slot,
        cases: Vec<i64>,
        bodies: Vec<Body>,
        is_if: bool,
    },
    /// `pl.at`.
    At(Body),
    Spmd {
        count: Slot,
        body: Body,
    },
}

/// A region of one memory that is read or written.
#[derive(Debug)]
pub(super) struct Access {
    pub memory: Slot,
    pub offsets: Vec<Entry>,
    /// One entry per dim; the greatest that each may be.
    pub extents: Vec<(Entry, i64)>,
    pub peer: Option<Slot>,
    pub kind: AccessKind,
    /// A scalar that is written.
    pub value: Option<Slot>,
    /// Whether it is a scalar.
    pub is_scalar: bool,
}

/// A bulk transfer.
#[derive(Debug)]
pub(super) struct Transfer {
    pub source: Slot,
    pub source_offsets: Option<Vec<Entry>>,
    pub destination: Slot,
    pub destination_offsets: Option<Vec<Entry>>,
    pub sizes: Option<Vec<Entry>>,
    pub peer: Slot,
    pub atomic: bool,
    pub is_put: bool,
}

/// A barrier or collective.
#[derive(Debug)]
pub(super) struct Meet {
    pub signal: Option<Slot>,
    /// Windows that it reads and writes.
    pub data: Vec<Slot>,
    pub kind: String,
}

impl Function {
    /// Whether it is a host function that can run.
    pub(super) fn is_host(&self) -> bool {
        self.kind == Some(Kind::Host) && self.is_defined
    }
}

impl Code {
    /// Says of all operations what they do through their bodies and callees; until now they have
    /// what they do themselves.
    pub(super) fn settle(&mut self) {
        let mut known = vec![Effects::default(); self.functions.len()];
        loop {
            let mut changed = false;
            for (function, known_of_it) in self.functions.iter_mut().zip(0..) {
                let effects = match &mut function.body {
                    Some(body) => body.settle(&known),
                    None => Effects::default(),
                };
                changed |= std::mem::replace(&mut known[known_of_it], effects) != effects;
            }
            if !changed {
                return;
            }
        }
    }
}

impl Body {
    fn settle(&mut self, known: &[Effects]) -> Effects {
        let mut all = Effects::default();
        for operation in &mut self.operations {
            let mut effects = operation.effects;
            if let What::Call { callee, .. } = operation.what {
                effects = effects.join(known[callee]);
            }
            for body in operation.what.bodies() {
                effects = effects.join(body.settle(known));
            }
            operation.effects = effects;
            all = all.join(effects);
        }
        self.effects = all;
        all
    }
}

impl What {
    /// The bodies that it holds.
    fn bodies(&mut self) -> Vec<&mut Body> {
        match self {
            Self::For { body, .. } | Self::At(body) | Self::Spmd { body, .. } => vec![body],
            Self::While { before, after, .. } => vec![before, after],
            Self::Branch { bodies, .. } => bodies.iter_mut().collect(),
            _ => vec![],
        }
    }
}
