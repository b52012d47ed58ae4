//! Types as the text spells them, without a context.

use pld_dialects::types::{DYNAMIC, Element};
use std::fmt::{self, Display};

/// A type of a parameter, a tile, a window; made by [`memref`], [`window`], [`tile`],
/// [`tensor`], [`scalar`] and [`index`]. Displays as MLIR spells it.
///
/// ```
/// use pld::{Element, build::{DYNAMIC, tile, window}};
///
/// assert_eq!(tile([8, 64], Element::F32).to_string(), "!pl.tile<8x64xf32>");
/// assert_eq!(window([DYNAMIC, 1], Element::I32).to_string(), "!pld.dtensor<?x1xi32>");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type(String);

impl Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `memref<1x64xf32>`: an array of global memory; [`DYNAMIC`](super::DYNAMIC) is `?`.
pub fn memref(shape: impl AsRef<[i64]>, element: Element) -> Type {
    shaped("memref", shape.as_ref(), element)
}

/// `!pld.dtensor<?x1xi32>`: a view of a window; [`DYNAMIC`](super::DYNAMIC) is `?`.
pub fn window(shape: impl AsRef<[i64]>, element: Element) -> Type {
    shaped("!pld.dtensor", shape.as_ref(), element)
}

/// `!pl.tile<8x64xf32>`: rows and columns on-core.
pub fn tile(shape: [i64; 2], element: Element) -> Type {
    shaped("!pl.tile", &shape, element)
}

/// `tensor<64x64xf32>`: a value of any size in a `pl.at` region.
pub fn tensor(shape: [i64; 2], element: Element) -> Type {
    shaped("tensor", &shape, element)
}

/// `i32`, `f32`: one element.
pub fn scalar(element: Element) -> Type {
    Type(element.to_string())
}

/// `index`: ranks, peers, offsets, sizes.
pub fn index() -> Type {
    Type("index".into())
}

fn shaped(name: &str, shape: &[i64], element: Element) -> Type {
    let extents: String = shape
        .iter()
        .map(|&extent| match extent {
            DYNAMIC => "?x".into(),
            extent => format!("{extent}x"),
        })
        .collect();
    Type(format!("{name}<{extents}{element}>"))
}
