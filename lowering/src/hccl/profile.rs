//! What a target can do, as data: sizes, element types of each operation, casts.

mod a2a3;
mod a5;

pub use a2a3::A2A3;
pub use a5::A5;

use super::statement::Pipe;
use melior::ir::operation::OperationRef;
use pld_dialects::{types::Element, view};

/// Rounding of a cast; values are those of the attribute `mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::enum_variant_names,
    reason = "the names are the language's own"
)]
pub enum Round {
    /// Exact where possible, else nearest-even.
    None = 0,
    /// Nearest, ties to even.
    Rint = 1,
    /// Nearest, ties away from zero.
    Round = 2,
    /// Towards minus infinity.
    Floor = 3,
    /// Towards plus infinity.
    Ceil = 4,
    /// Towards zero.
    Trunc = 5,
}

impl Round {
    /// The mode of a `pl.cast`.
    pub fn of(cast: OperationRef) -> Option<Self> {
        const ALL: [Round; 6] = [
            Round::None,
            Round::Rint,
            Round::Round,
            Round::Floor,
            Round::Ceil,
            Round::Trunc,
        ];
        let mode = usize::try_from(view::integer(&cast, "mode")?).ok()?;
        ALL.get(mode).copied()
    }

    /// Its spelling in AscendC.
    pub const fn ascendc(self) -> &'static str {
        match self {
            Self::None => "CAST_NONE",
            Self::Rint => "CAST_RINT",
            Self::Round => "CAST_ROUND",
            Self::Floor => "CAST_FLOOR",
            Self::Ceil => "CAST_CEIL",
            Self::Trunc => "CAST_TRUNC",
        }
    }
}

/// Which rounding modes a cast takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    /// `CAST_NONE` only: the conversion is exact.
    None,
    /// The five roundings, not `CAST_NONE`.
    Rounding,
    /// All six.
    All,
}

impl Modes {
    /// The mode to write for a wanted one. An exact conversion does not care, and `none`
    /// rounds to nearest-even where it rounds.
    pub fn pick(self, wanted: Round) -> Round {
        match (self, wanted) {
            (Self::None, _) => Round::None,
            (Self::Rounding, Round::None) => Round::Rint,
            _ => wanted,
        }
    }
}

/// A vector operation: its name here, in AscendC, and the element types it takes.
#[derive(Debug)]
pub struct VectorOp {
    /// Name in the dialect.
    pub op: &'static str,
    /// Name in AscendC.
    pub ascendc: &'static str,
    /// Element types of the hardware.
    pub elements: &'static [Element],
}

/// What a statement costs on each queue, in units of no clock: a model to compare orders by.
#[derive(Debug)]
pub struct Costs {
    /// A DMA.
    pub mte: u64,
    /// A vector operation.
    pub v: u64,
    /// An access of the scalar unit.
    pub s: u64,
}

impl Costs {
    /// That of a statement on `pipe`.
    pub fn of(&self, pipe: Pipe) -> u64 {
        match pipe {
            Pipe::S => self.s,
            Pipe::V => self.v,
            Pipe::Mte2 | Pipe::Mte3 | Pipe::All => self.mte,
        }
    }
}

/// A target.
#[derive(Debug)]
pub struct Profile {
    /// Name, as the option `arch` has it.
    pub name: &'static str,
    /// What the compiler of kernels calls it.
    pub npu: &'static str,
    /// Unified buffer that a kernel may use, in bytes.
    pub ub_bytes: i64,
    /// Alignment of tiles and of their rows, in bytes.
    pub align: i64,
    /// Pieces of one DMA.
    pub dma_pieces: i64,
    /// Ranks of a communicator that the kernel's context has room for.
    pub ranks: i64,
    /// Blocks of one launch.
    pub blocks: i64,
    /// Vector cores, which run one block each at a time.
    pub cores: i64,
    /// Cube cores, of which each block of a kernel with matrix products takes one.
    pub cube_cores: i64,
    /// Window bytes of one rank.
    pub window_bytes: i64,
    /// What statements cost.
    pub costs: Costs,
    /// Vector operations; shifts by a constant only.
    ///
    /// What the maximum and the minimum make of NaN and of zeros of two signs is nowhere
    /// stated. They are taken to propagate NaN and to order -0 below +0, as the language and
    /// the emulation have it; this has not been seen on hardware. `Reciprocal` and `Rsqrt` are
    /// not here: they approximate.
    pub vector: &'static [VectorOp],
    /// Reductions of the first elements of a tile, of f16 in f32. What they make of NaN and of
    /// zeros is taken to be what the vector operations make of them.
    pub reductions: &'static [VectorOp],
    /// Element types of a fill; 8-bit ones are filled in pairs.
    pub fill: &'static [Element],
    /// Element types that a DMA moves.
    pub moves: &'static [Element],
    /// Element types of the sides of matrix products.
    pub products: &'static [Element],
    /// Element types that a DMA adds atomically.
    pub atomic: &'static [Element],
    /// Casts of one instruction.
    pub casts: &'static [(Element, Element, Modes)],
}

const fn vector(op: &'static str, ascendc: &'static str, elements: &'static [Element]) -> VectorOp {
    VectorOp {
        op,
        ascendc,
        elements,
    }
}

const PROFILES: &[&Profile] = &[&A2A3, &A5];

impl Profile {
    /// The profile of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PROFILES
            .iter()
            .find(|profile| profile.name == name)
            .copied()
    }

    /// The names of all profiles, for a message.
    pub fn names() -> String {
        PROFILES
            .iter()
            .map(|profile| profile.name)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The row of a vector operation.
    pub fn vector_op(&self, op: &str) -> Option<&'static VectorOp> {
        self.vector.iter().find(|row| row.op == op)
    }

    /// The modes of a one-instruction cast.
    pub fn cast(&self, from: Element, to: Element) -> Option<Modes> {
        self.casts
            .iter()
            .find(|row| row.0 == from && row.1 == to)
            .map(|row| row.2)
    }

    /// `bytes` rounded up to the alignment.
    pub fn round_up(&self, bytes: i64) -> i64 {
        (bytes + self.align - 1) / self.align * self.align
    }
}
