//! What a target can do, as data: sizes, element types of each operation, casts.

use super::statement::Pipe;
use melior::ir::operation::OperationRef;
use pld_dialects::{
    types::Element::{self, BF16, F16, F32, I1, I8, I16, I32, I64},
    view,
};

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
    /// Element types that a DMA adds atomically.
    pub atomic: &'static [Element],
    /// Casts of one instruction.
    pub casts: &'static [(Element, Element, Modes)],
}

const ARITHMETIC: &[Element] = &[I16, F16, I32, F32];
const REAL: &[Element] = &[F16, F32];
/// The instructions work on 16 bits at a time, whatever these bits belong to.
const BITS: &[Element] = &[I1, I8, I16, I32, I64];

const fn vector(op: &'static str, ascendc: &'static str, elements: &'static [Element]) -> VectorOp {
    VectorOp {
        op,
        ascendc,
        elements,
    }
}

/// Atlas A2 and A3: arch 2201.
pub const A2A3: Profile = Profile {
    name: "a2a3",
    // 192 KiB less the 8 KiB that some library functions keep.
    ub_bytes: 184 * 1024,
    align: 32,
    dma_pieces: 4095,
    ranks: 64,
    blocks: 65535,
    cores: 48,
    // The default of HCCL_BUFFSIZE.
    window_bytes: 200 << 20,
    costs: Costs {
        mte: 100,
        v: 40,
        s: 3,
    },
    vector: &[
        vector("pl.add", "Add", ARITHMETIC),
        vector("pl.sub", "Sub", ARITHMETIC),
        vector("pl.mul", "Mul", ARITHMETIC),
        vector("pl.div", "Div", REAL),
        vector("pl.max", "Max", ARITHMETIC),
        vector("pl.min", "Min", ARITHMETIC),
        vector("pl.adds", "Adds", ARITHMETIC),
        vector("pl.muls", "Muls", ARITHMETIC),
        vector("pl.maxs", "Maxs", ARITHMETIC),
        vector("pl.mins", "Mins", ARITHMETIC),
        vector("pl.exp", "Exp", REAL),
        vector("pl.log", "Ln", REAL),
        vector("pl.sqrt", "Sqrt", REAL),
        vector("pl.abs", "Abs", REAL),
        vector("pl.and", "And", BITS),
        vector("pl.or", "Or", BITS),
        vector("pl.not", "Not", &[I8, I16, I32, I64]),
        vector("pl.shl", "ShiftLeft", &[I16, I32]),
        vector("pl.shr", "ShiftRight", &[I16, I32]),
    ],
    reductions: &[
        vector("pl.row_sum", "ReduceSum", &[F32]),
        vector("pl.row_max", "ReduceMax", &[F32]),
        vector("pl.row_min", "ReduceMin", &[F32]),
    ],
    fill: &[I1, I8, I16, F16, BF16, I32, F32],
    moves: &[I8, I16, F16, BF16, I32, F32, I64],
    atomic: &[I8, I16, F16, BF16, I32, F32],
    casts: &[
        (I8, F16, Modes::None),
        (I16, F16, Modes::All),
        (I16, F32, Modes::None),
        (F16, I8, Modes::All),
        (F16, I16, Modes::Rounding),
        (F16, I32, Modes::Rounding),
        (F16, F32, Modes::None),
        (BF16, I32, Modes::Rounding),
        (BF16, F32, Modes::None),
        (I32, I16, Modes::None),
        (I32, F32, Modes::All),
        (I32, I64, Modes::None),
        (F32, I16, Modes::Rounding),
        (F32, F16, Modes::All),
        (F32, BF16, Modes::Rounding),
        (F32, I32, Modes::Rounding),
        (F32, I64, Modes::Rounding),
        (I64, I32, Modes::None),
        (I64, F32, Modes::Rounding),
    ],
};

const PROFILES: &[&Profile] = &[&A2A3];

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
