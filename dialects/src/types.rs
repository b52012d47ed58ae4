//! Types of both dialects, and what the verifiers and lowerings ask of any shaped type.

use crate::bridge;
use melior::{
    Context,
    ir::{
        Type, TypeLike,
        r#type::{IntegerType, MemRefType},
    },
};
use std::fmt::{self, Display};

/// The extent that stands for `?` in a shape.
pub const DYNAMIC: i64 = i64::MIN;

/// Element types of tiles, windows and arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// 32-bit float.
    F32,
    /// IEEE half.
    F16,
    /// bfloat16.
    BF16,
    /// Signed 8-bit integer.
    I8,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// A mask bit, held in a byte.
    I1,
}

impl Element {
    /// Every element type.
    pub const ALL: [Self; 8] = [
        Self::F32,
        Self::F16,
        Self::BF16,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::I1,
    ];

    /// The element type that `type` is, if it is one.
    pub fn of(r#type: Type) -> Option<Self> {
        if r#type.is_f32() {
            return Some(Self::F32);
        } else if r#type.is_f16() {
            return Some(Self::F16);
        } else if r#type.is_bf16() {
            return Some(Self::BF16);
        }
        let integer = IntegerType::try_from(r#type).ok()?;
        if !integer.is_signless() {
            return None;
        }
        match integer.width() {
            1 => Some(Self::I1),
            8 => Some(Self::I8),
            16 => Some(Self::I16),
            32 => Some(Self::I32),
            64 => Some(Self::I64),
            _ => None,
        }
    }

    /// The MLIR type.
    pub fn mlir(self, context: &Context) -> Type<'_> {
        match self {
            Self::F32 => Type::float32(context),
            Self::F16 => Type::float16(context),
            Self::BF16 => Type::bfloat16(context),
            Self::I8 => IntegerType::new(context, 8).into(),
            Self::I16 => IntegerType::new(context, 16).into(),
            Self::I32 => IntegerType::new(context, 32).into(),
            Self::I64 => IntegerType::new(context, 64).into(),
            Self::I1 => IntegerType::new(context, 1).into(),
        }
    }

    /// Size in memory, in bytes.
    pub const fn bytes(self) -> i64 {
        match self {
            Self::I8 | Self::I1 => 1,
            Self::F16 | Self::BF16 | Self::I16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::I64 => 8,
        }
    }

    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F16 | Self::BF16)
    }

    /// Whether memory can be added to atomically in this type.
    pub const fn has_atomic_add(self) -> bool {
        !matches!(self, Self::I64 | Self::I1)
    }

    /// Its spelling in MLIR.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::I1 => "i1",
        }
    }
}

impl Display for Element {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a shaped type is: which memory or value level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `memref`: an array in global memory.
    Memory,
    /// `!pld.dtensor`: a view of a symmetric window.
    Window,
    /// `tensor`: a value of any size in a `pl.at` region.
    Tensor,
    /// `!pl.tile`: a value on-core.
    Tile,
}

impl Level {
    /// The level of a memref, window, tensor or tile.
    pub fn of(r#type: Type) -> Option<Self> {
        bridge::take_apart(r#type).map(|(level, ..)| level)
    }
}

/// A ranked shaped type, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shaped<'c> {
    /// Memory or value level.
    pub level: Level,
    /// Extents; [`DYNAMIC`] for `?`.
    pub shape: Vec<i64>,
    /// Element type as MLIR has it (it need not be an [`Element`]).
    pub element_type: Type<'c>,
}

impl<'c> Shaped<'c> {
    /// Takes `type` apart if it is a memref, window, tensor or tile of known rank.
    pub fn of(r#type: Type<'c>) -> Option<Self> {
        let (level, shape, element_type) = bridge::take_apart(r#type)?;
        Some(Self {
            level,
            shape: shape.to_vec(),
            element_type,
        })
    }

    /// The element type, if it is one of ours.
    pub fn element(&self) -> Option<Element> {
        Element::of(self.element_type)
    }

    /// Number of dims.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of `?` among the extents.
    pub fn dynamic_count(&self) -> usize {
        self.shape
            .iter()
            .filter(|&&extent| extent == DYNAMIC)
            .count()
    }

    /// Number of elements, if all extents are static and it fits 64 bits.
    pub fn static_elements(&self) -> Option<i64> {
        self.shape.iter().try_fold(1i64, |product, &extent| {
            if extent == DYNAMIC {
                None
            } else {
                product.checked_mul(extent)
            }
        })
    }

    /// Number of bytes, if static.
    pub fn static_bytes(&self) -> Option<i64> {
        self.static_elements()?.checked_mul(self.element()?.bytes())
    }

    /// Whether its bytes, each `?` taken as 1, fit 64 bits.
    pub fn is_countable(&self) -> bool {
        is_countable(&self.shape, self.element())
    }

    /// Whether it refers to memory: an array or a window.
    pub fn is_memory(&self) -> bool {
        matches!(self.level, Level::Memory | Level::Window)
    }
}

/// `!pl.tile<ROWSxCOLSxELEMENT>`.
pub fn tile<'c>(context: &'c Context, rows: i64, cols: i64, element: Type<'c>) -> Type<'c> {
    bridge::tile_type(context, &[rows, cols], element)
}

/// `!pld.dtensor<SHAPExELEMENT>`; [`DYNAMIC`] extents print as `?`.
pub fn dtensor<'c>(context: &'c Context, shape: &[i64], element: Type<'c>) -> Type<'c> {
    bridge::dtensor_type(context, shape, element)
}

/// `memref<SHAPExELEMENT>` of identity layout; [`DYNAMIC`] extents print as `?`.
pub fn memref<'c>(element: Type<'c>, shape: &[i64]) -> Type<'c> {
    MemRefType::new(element, shape, None, None).into()
}

/// `!pld.window_buffer`.
pub fn window_buffer(context: &Context) -> Type<'_> {
    bridge::window_buffer_type(context)
}

/// `!pld.comm_ctx`.
pub fn comm_ctx(context: &Context) -> Type<'_> {
    bridge::comm_ctx_type(context)
}

fn is_countable(shape: &[i64], element: Option<Element>) -> bool {
    let bytes = element.map_or(1, Element::bytes);
    let mut extents = shape.iter().filter(|&&extent| extent != DYNAMIC);
    extents
        .try_fold(bytes, |product, &extent| product.checked_mul(extent))
        .is_some()
}

/// Checks the parameters of a shaped type of ours; `kind` is its mnemonic.
pub(crate) fn check_shaped(kind: &str, shape: &[i64], element_type: Type) -> Result<(), String> {
    let element = Element::of(element_type);
    match kind {
        "tile" => {
            if shape.len() != 2 || shape.iter().any(|&extent| extent < 1) {
                return Err("a tile has rank 2 and static extents of at least 1".into());
            }
            if element.is_none() {
                return Err(format!(
                    "element type of a tile is {element_type}, expected f32, f16, bf16, i8, i16, i32, i64 or i1"
                ));
            }
        }
        _ => {
            if shape.is_empty() || shape.iter().any(|&extent| extent != DYNAMIC && extent < 1) {
                return Err(
                    "a window has at least one dim, and extents of at least 1 or '?'".into(),
                );
            }
            if matches!(element, None | Some(Element::I1)) {
                return Err(format!(
                    "element type of a window is {element_type}, expected f32, f16, bf16, i8, i16, i32 or i64"
                ));
            }
        }
    }
    if !is_countable(shape, element) {
        return Err(format!(
            "a {kind} has at most as many bytes as 64 bits can count"
        ));
    }
    Ok(())
}
