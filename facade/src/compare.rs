//! Results against what they should be.

use crate::array::{Array, Number};
use serde::Serialize;
use std::fmt::{self, Display};

/// How far floats may be apart: |is - expected| <= atol + rtol |expected|. Integers are
/// exact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tolerance {
    /// Relative part.
    pub rtol: f64,
    /// Absolute part.
    pub atol: f64,
}

impl Default for Tolerance {
    /// 1e-5 and 1e-8, as NumPy's `allclose`.
    fn default() -> Self {
        Self {
            rtol: 1e-5,
            atol: 1e-8,
        }
    }
}

impl Tolerance {
    /// Whether `is` will do for `expected`. NaN is expected to be NaN.
    fn admits(&self, is: Number, expected: Number) -> bool {
        match (is, expected) {
            (Number::Int(is), Number::Int(expected)) => is == expected,
            (is, expected) => {
                let (is, expected) = (is.as_f64(), expected.as_f64());
                is == expected
                    || is.is_nan() && expected.is_nan()
                    // Infinities are near nothing but themselves.
                    || expected.is_finite()
                        && (is - expected).abs() <= self.atol + self.rtol * expected.abs()
            }
        }
    }
}

/// An argument that is not what it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mismatch {
    /// Number of the argument.
    pub argument: usize,
    /// What it was compared with.
    pub reference: String,
    /// Rank of the first element that differs; `None` in a replicated array.
    pub rank: Option<usize>,
    /// Subscripts of that element, within the rank's slice.
    pub element: Vec<usize>,
    /// Its value.
    pub is: String,
    /// What it should be.
    pub expected: String,
    /// How many elements differ.
    pub differing: usize,
    /// Of how many.
    pub of: usize,
    /// K, if rank r holds what rank (r + K) % n should, for every r.
    pub rotated: Option<usize>,
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self {
            argument,
            reference,
            element,
            is,
            expected,
            differing,
            of,
            ..
        } = self;
        write!(
            f,
            "argument #{argument} differs from {reference} in {differing} of {of} elements: "
        )?;
        if let Some(rank) = self.rank {
            write!(f, "rank {rank}, ")?;
        }
        write!(f, "element {element:?} is {is}, expected {expected}")?;
        if let Some(k) = self.rotated {
            write!(
                f,
                "\nnote: rotated by +{k}: rank r holds what rank (r+{k}) % n should; \
                 pull reads (r+1), push writes to (r+1)"
            )?;
        }
        Ok(())
    }
}

/// What an argument is compared with, and how.
#[derive(Clone, Copy)]
pub(crate) struct Reference<'a> {
    pub(crate) name: &'a str,
    pub(crate) array: &'a Array,
    pub(crate) tolerance: Tolerance,
    /// Ranks that the leading dim counts; `None` for a replicated array.
    pub(crate) ranks: Option<usize>,
}

/// Compares an argument with a reference of the same type and shape.
pub(crate) fn compare(argument: usize, is: &Array, reference: Reference) -> Option<Mismatch> {
    let Reference {
        name,
        array: expected,
        tolerance,
        ranks,
    } = reference;
    if is.bytes() == expected.bytes() {
        return None;
    }
    let admits = |i, j| tolerance.admits(is.get(i), expected.get(j));
    let of = is.len();
    let first = (0..of).find(|&index| !admits(index, index))?;
    let mut element = is.subscripts(first);
    let rank = ranks.map(|_| element.remove(0));
    let rotated = ranks.and_then(|ranks| rotation(ranks, of / ranks.max(1), admits));
    let text = |number: Number| number.to_string();
    Some(Mismatch {
        argument,
        reference: name.to_owned(),
        rank,
        element,
        is: text(is.get(first)),
        expected: text(expected.get(first)),
        differing: (first..of).filter(|&index| !admits(index, index)).count(),
        of,
        rotated,
    })
}

/// The least K > 0 such that slice r is what slice (r + K) % n should be, for all r.
fn rotation(ranks: usize, slice: usize, admits: impl Fn(usize, usize) -> bool) -> Option<usize> {
    (1..ranks).find(|k| {
        (0..ranks).all(|rank| {
            let from = (rank + k) % ranks;
            (0..slice).all(|index| admits(rank * slice + index, from * slice + index))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pld_dialects::types::Element;
    use proptest::prelude::*;

    fn array(element: Element, shape: &[usize], value: impl Fn(usize) -> f64) -> Array {
        let mut array = Array::zeros(element, shape).expect("small");
        array.fill(|index| Number::Float(value(index)));
        array
    }

    fn against<'a>(array: &'a Array, ranks: Option<usize>) -> Reference<'a> {
        Reference {
            name: "golden @g",
            array,
            tolerance: Tolerance::default(),
            ranks,
        }
    }

    /// The message names the first element by rank and subscripts, with both values.
    #[test]
    fn first_difference() {
        let is = array(Element::F32, &[2, 1, 3], |k| k as f64);
        let expected = array(Element::F32, &[2, 1, 3], |k| {
            if k > 3 { -1.5 } else { k as f64 }
        });
        let mismatch = compare(1, &is, against(&expected, Some(2))).expect("they differ");
        insta::assert_snapshot!(mismatch, @"argument #1 differs from golden @g in 2 of 6 elements: rank 1, element [0, 1] is 4, expected -1.5");
        let mismatch = compare(1, &is, against(&expected, None)).expect("they differ");
        assert_eq!((mismatch.rank, mismatch.element), (None, vec![1, 0, 1]));
    }

    /// A pull instead of a push is off by two, whatever the world size is.
    #[test]
    fn wrong_way_round() {
        for n in [3, 4, 7] {
            let x = |rank: usize| (100 * rank) as f64;
            let is = array(Element::F32, &[n, 2], |k| x((k / 2 + 1) % n));
            let expected = array(Element::F32, &[n, 2], |k| x((k / 2 + n - 1) % n));
            let mismatch = compare(1, &is, against(&expected, Some(n))).expect("they differ");
            assert_eq!(mismatch.rotated, Some(2), "n = {n}");
            assert!(mismatch.to_string().contains("rotated by +2"));
        }
    }

    /// Integers have no tolerance, NaN equals NaN, and infinity only itself.
    #[test]
    fn equality() {
        let tolerance = Tolerance {
            rtol: 0.5,
            atol: 10.0,
        };
        let float = Number::Float;
        assert!(!tolerance.admits(Number::Int(100), Number::Int(101)));
        assert!(tolerance.admits(float(f64::NAN), float(f64::NAN)));
        assert!(!tolerance.admits(float(1.0), float(f64::INFINITY)));
        assert!(!tolerance.admits(float(f64::INFINITY), float(1.0)));
        assert!(!tolerance.admits(float(f64::NAN), float(1.0)));
        assert!(tolerance.admits(float(-0.0), float(0.0)));
        assert!(tolerance.admits(float(160.0), float(100.0)));
        assert!(!tolerance.admits(float(161.0), float(100.0)));
    }

    proptest! {
        /// Any rotation of distinct slices is found, and found as the one it is.
        #[test]
        fn rotations(n in 2usize..9, k in 1usize..8, slice in 1usize..4) {
            prop_assume!(k < n);
            let expected = array(Element::I32, &[n, slice], |i| i as f64);
            let is = array(Element::I32, &[n, slice], |i| {
                ((i / slice + k) % n * slice + i % slice) as f64
            });
            let mismatch = compare(0, &is, against(&expected, Some(n))).expect("they differ");
            prop_assert_eq!(mismatch.rotated, Some(k));
            prop_assert_eq!(mismatch.differing, n * slice);
        }
    }
}
