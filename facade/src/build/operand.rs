//! What the methods of a [`Body`](super::Body) take: scalars, lists of offsets, and the parts
//! of an operation that may be left out.

use super::Value;
use pld_dialects::view::Mixed;

/// A scalar operand: a value, or a number that becomes a constant of the type that is needed.
#[derive(Clone, Copy, Debug)]
pub enum Scalar<'c, 'a> {
    /// A value.
    Value(Value<'c, 'a>),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

impl<'c, 'a> From<Value<'c, 'a>> for Scalar<'c, 'a> {
    fn from(value: Value<'c, 'a>) -> Self {
        Self::Value(value)
    }
}

impl From<i32> for Scalar<'_, '_> {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<i64> for Scalar<'_, '_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Scalar<'_, '_> {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

/// Offsets, sizes or extents, numbers and `index` values mixed: `[0, 0]`, `[i, j]`, `(i, 0)`.
pub trait Indices<'c, 'a> {
    /// The entries.
    fn entries(self) -> Vec<Mixed<'c, 'a>>;
}

impl<'c, 'a, T: Into<Mixed<'c, 'a>>, const N: usize> Indices<'c, 'a> for [T; N] {
    fn entries(self) -> Vec<Mixed<'c, 'a>> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<'c, 'a> Indices<'c, 'a> for Vec<Mixed<'c, 'a>> {
    fn entries(self) -> Vec<Mixed<'c, 'a>> {
        self
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)+) => {$(
        impl<'c, 'a, $($name: Into<Mixed<'c, 'a>>),+> Indices<'c, 'a> for ($($name,)+) {
            #[expect(non_snake_case, reason = "entries are named as their types")]
            fn entries(self) -> Vec<Mixed<'c, 'a>> {
                let ($($name,)+) = self;
                vec![$($name.into()),+]
            }
        }
    )+};
}
tuples! { A B; A B C; A B C D; }

/// What part of a tile an access covers, and how: for the `_part` forms of load and store.
///
/// ```text
/// %t = pl.load %x[%i, 0] valid [%r, 29] pad(%v : f32) : ...
///      f.load_part(x, (i, 0), t, Part::valid((r, 29)).pad(v))
/// ```
#[derive(Clone, Debug, Default)]
pub struct Part<'c, 'a> {
    pub(super) valid: Option<Vec<Mixed<'c, 'a>>>,
    pub(super) pad: Option<Scalar<'c, 'a>>,
    pub(super) atomic: bool,
}

impl<'c, 'a> Part<'c, 'a> {
    /// The whole tile.
    pub fn whole() -> Self {
        Self::default()
    }

    /// These rows and columns of the tile.
    pub fn valid(extents: impl Indices<'c, 'a>) -> Self {
        Self {
            valid: Some(extents.entries()),
            ..Self::default()
        }
    }

    /// What a load fills the rest with; 0 if it is not said.
    pub fn pad(self, value: impl Into<Scalar<'c, 'a>>) -> Self {
        Self {
            pad: Some(value.into()),
            ..self
        }
    }

    /// Makes a store add to what is there.
    pub fn atomic_add(self) -> Self {
        Self {
            atomic: true,
            ..self
        }
    }
}

/// What `pld.put` and `pld.get` move, and how.
///
/// ```text
/// pld.put %x[0, 0], %w[8, 0] sizes [8, 64] to %peer atomic add {chunk_rows = 4} : ...
///      f.put(x, w, peer, Transfer::region([0, 0], [8, 0], [8, 64]).chunk_rows(4).atomic_add())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Transfer<'c, 'a> {
    /// Source offsets, destination offsets, sizes.
    pub(super) region: Option<[Vec<Mixed<'c, 'a>>; 3]>,
    pub(super) chunk_rows: Option<i64>,
    pub(super) chunk_cols: Option<i64>,
    pub(super) pipeline: bool,
    pub(super) atomic: bool,
}

impl<'c, 'a> Transfer<'c, 'a> {
    /// The whole slice.
    pub fn whole() -> Self {
        Self::default()
    }

    /// A region of this size, from an offset of the source to an offset of the destination.
    pub fn region(
        source: impl Indices<'c, 'a>,
        destination: impl Indices<'c, 'a>,
        sizes: impl Indices<'c, 'a>,
    ) -> Self {
        Self {
            region: Some([source.entries(), destination.entries(), sizes.entries()]),
            ..Self::default()
        }
    }

    /// Rows of the staging tile.
    pub fn chunk_rows(self, rows: i64) -> Self {
        Self {
            chunk_rows: Some(rows),
            ..self
        }
    }

    /// Columns of the staging tile.
    pub fn chunk_cols(self, cols: i64) -> Self {
        Self {
            chunk_cols: Some(cols),
            ..self
        }
    }

    /// Uses two staging tiles in turn; both chunks must be given.
    pub fn pipeline(self) -> Self {
        Self {
            pipeline: true,
            ..self
        }
    }

    /// Makes a put add to what is there; a get has no such form and ignores it.
    pub fn atomic_add(self) -> Self {
        Self {
            atomic: true,
            ..self
        }
    }
}

/// What a comparison of scalars or of tiles asks: signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// How `pl.cast` rounds; values are those of the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// Exact where possible, else to nearest, ties to even.
    None = 0,
    /// To nearest, ties to even.
    Rint = 1,
    /// To nearest, ties away from zero.
    Round = 2,
    /// Down.
    Floor = 3,
    /// Up.
    Ceil = 4,
    /// Towards zero.
    Trunc = 5,
}

/// How a collective combines ranks; values are those of the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    /// Sum.
    Sum = 0,
    /// Maximum.
    Max = 1,
    /// Minimum.
    Min = 2,
    /// Product.
    Prod = 3,
}
