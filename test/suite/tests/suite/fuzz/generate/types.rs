//! Types as the generator keeps them, and what it chooses from.

use std::fmt::{self, Display};

/// Element types of arrays and windows.
pub const ELEMENTS: &[&str] = &["f32", "f16", "bf16", "i8", "i16", "i32", "i64"];
pub const FLOATS: &[&str] = &["f32", "f16", "bf16"];
pub const INTEGERS: &[&str] = &["i8", "i16", "i32", "i64"];
pub const BITS: &[&str] = &["i1", "i8", "i16", "i32", "i64"];
/// What memory adds atomically.
pub const ATOMIC: &[&str] = &["f32", "f16", "bf16", "i8", "i16", "i32"];
/// What no tile or window can hold; a mask only a tile.
pub const ODD_ELEMENTS: &[&str] = &["i1", "f64", "index", "i4", "ui8", "f8E4M3FN", "i128"];

/// Extents.
pub const NUMBERS: &[i64] = &[1, 1, 2, 3, 4, 8, 16, 29, 64];
/// Numbers that arithmetic stumbles over.
pub const ODD_NUMBERS: &[i64] = &[
    -1,
    0,
    1,
    65,
    4097,
    i32::MAX as i64,
    u32::MAX as i64 + 1,
    i64::MAX - 1,
    i64::MAX,
    i64::MIN + 1,
    i64::MIN,
];

/// A type that no argument of a function of a kind has.
#[derive(Clone, Copy)]
pub struct OddType(&'static str);

impl OddType {
    pub const fn into_type(self) -> Type {
        Type::Other(self.0)
    }
}

pub const ODD_TYPES: &[OddType] = &[
    OddType("!pl.tile<8x8xf32>"),
    OddType("tensor<8x8xf32>"),
    OddType("tensor<*xf32>"),
    OddType("memref<*xf32>"),
    OddType("memref<f32>"),
    OddType("memref<8x8xf32, strided<[16, 1]>>"),
    OddType("memref<8x8xf32, 1>"),
    OddType("memref<1x1x1x1x8xf32>"),
    OddType("memref<0x8xf32>"),
    OddType("memref<9223372036854775807x9223372036854775807xf32>"),
    OddType("memref<8x8xf64>"),
    OddType("!pld.dtensor<1x1x1x1x8xf32>"),
    OddType("!pld.comm_ctx"),
    OddType("!pld.window_buffer"),
    OddType("vector<8xf32>"),
    OddType("f64"),
    OddType("none"),
];

/// A type, as far as the generator must know it.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Scalar(&'static str),
    /// An array or a window; `None` for `?`.
    Memory {
        window: bool,
        shape: Vec<Option<i64>>,
        element: &'static str,
    },
    /// A tile or a tensor.
    Value {
        tensor: bool,
        rows: i64,
        cols: i64,
        element: &'static str,
    },
    Other(&'static str),
}

impl Type {
    pub const fn memory(window: bool, shape: Vec<Option<i64>>, element: &'static str) -> Self {
        Self::Memory {
            window,
            shape,
            element,
        }
    }

    /// The extents of memory; none of anything else.
    pub fn extents(&self) -> &[Option<i64>] {
        match self {
            Self::Memory { shape, .. } => shape,
            _ => &[],
        }
    }
}

impl Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Scalar(name) | Self::Other(name) => formatter.write_str(name),
            Self::Memory {
                window,
                shape,
                element,
            } => {
                formatter.write_str(if *window { "!pld.dtensor<" } else { "memref<" })?;
                for extent in shape {
                    match extent {
                        Some(extent) => write!(formatter, "{extent}x")?,
                        None => formatter.write_str("?x")?,
                    }
                }
                write!(formatter, "{element}>")
            }
            Self::Value {
                tensor,
                rows,
                cols,
                element,
            } => {
                let name = if *tensor { "tensor" } else { "!pl.tile" };
                write!(formatter, "{name}<{rows}x{cols}x{element}>")
            }
        }
    }
}
