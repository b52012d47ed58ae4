//! Atlas A2 and A3: arch 2201.

use super::{Costs, Modes, Profile, vector};
use pld_dialects::types::Element::{self, BF16, F16, F32, I1, I8, I16, I32, I64};

const ARITHMETIC: &[Element] = &[I16, F16, I32, F32];
const REAL: &[Element] = &[F16, F32];
/// The instructions work on 16 bits at a time, whatever these bits belong to.
const BITS: &[Element] = &[I1, I8, I16, I32, I64];

/// The profile.
pub const A2A3: Profile = Profile {
    name: "a2a3",
    npu: "dav-2201",
    // 192 KiB less the 8 KiB that some library functions keep.
    ub_bytes: 184 * 1024,
    align: 32,
    dma_pieces: 4095,
    ranks: 64,
    blocks: 65535,
    cores: 48,
    cube_cores: 24,
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
    // Masks move as their bytes.
    moves: &[I1, I8, I16, F16, BF16, I32, F32, I64],
    products: &[I8, F16, BF16, F32],
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
