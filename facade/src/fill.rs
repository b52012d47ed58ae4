//! What fills an array that no file gives.

use crate::array::{Array, Number};
use std::{
    fmt::{self, Display},
    str::FromStr,
};

/// The words of a fill, for messages.
pub(crate) const WORDS: &str = "ramp, iota, zeros, ones, rank, random[:SEED] or randint:LO:HI";

/// A bound of [`Fill::RandInt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A number.
    Number(i64),
    /// The world size.
    World,
}

/// How to fill an array. Values are converted to the element type: floats are rounded to
/// nearest, integers wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Element k of rank r's slice is k + 100 r; of a replicated array k.
    Ramp,
    /// Counts through the whole array.
    Iota,
    /// All 0.
    Zeros,
    /// All 1.
    Ones,
    /// Slice r is all r; 0 in a replicated array.
    Rank,
    /// Uniform in [-1, 1) for floats, in [-100, 100] for integers; the seed is the
    /// argument's number if none is given.
    Random(Option<u64>),
    /// Uniform integers of at least the first and less than the second bound.
    RandInt(Bound, Bound),
}

impl Fill {
    /// Fills `array`, which consists of `slices` equal slices. `argument` seeds what is
    /// random.
    ///
    /// # Errors
    ///
    /// An empty range of integers.
    pub(crate) fn apply(
        self,
        array: &mut Array,
        slices: usize,
        world: usize,
        argument: usize,
    ) -> Result<(), String> {
        let slice = (array.len() / slices.max(1)).max(1);
        let floats = array.element().is_float();
        let int = |value: usize| Number::Int(value as i64);
        match self {
            Self::Ramp => array.fill(|i| int(i % slice + 100 * (i / slice))),
            Self::Iota => array.fill(int),
            Self::Zeros => array.fill(|_| int(0)),
            Self::Ones => array.fill(|_| int(1)),
            Self::Rank => array.fill(|i| int(i / slice)),
            Self::Random(seed) => {
                let mut random = fastrand::Rng::with_seed(seed.unwrap_or(argument as u64));
                array.fill(|_| match floats {
                    true => Number::Float(random.f64() * 2.0 - 1.0),
                    false => Number::Int(random.i64(-100..=100)),
                });
            }
            Self::RandInt(low, high) => {
                let value = |bound| match bound {
                    Bound::Number(value) => value,
                    Bound::World => world as i64,
                };
                let (low, high) = (value(low), value(high));
                if low >= high {
                    return Err(format!(
                        "'{self}' has no value: {low} is not less than {high}"
                    ));
                }
                let mut random = fastrand::Rng::with_seed(argument as u64);
                array.fill(|_| Number::Int(random.i64(low..high)));
            }
        }
        Ok(())
    }
}

impl FromStr for Fill {
    /// Whether it began as a fill; a name that is none may be a file.
    type Err = Option<String>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (word, rest) = match text.split_once(':') {
            Some((word, rest)) => (word, Some(rest)),
            None => (text, None),
        };
        let plain = match word {
            "ramp" => Self::Ramp,
            "iota" => Self::Iota,
            "zeros" => Self::Zeros,
            "ones" => Self::Ones,
            "rank" => Self::Rank,
            "random" => match rest.map(str::parse) {
                None => return Ok(Self::Random(None)),
                Some(Ok(seed)) => return Ok(Self::Random(Some(seed))),
                Some(Err(_)) => return bad(text, "random:SEED with a seed of at least 0"),
            },
            "randint" => {
                let bounds = rest.and_then(|rest| rest.split_once(':'));
                let bounds = bounds.and_then(|(low, high)| Some((bound(low)?, bound(high)?)));
                let Some((low, high)) = bounds else {
                    return bad(text, "randint:LO:HI with integers or 'world'");
                };
                return Ok(Self::RandInt(low, high));
            }
            _ => return Err(None),
        };
        match rest {
            None => Ok(plain),
            Some(_) => bad(text, &format!("'{word}' alone")),
        }
    }
}

fn bad<T>(text: &str, expected: &str) -> Result<T, Option<String>> {
    Err(Some(format!("'{text}' is no fill, expected {expected}")))
}

fn bound(text: &str) -> Option<Bound> {
    match text {
        "world" => Some(Bound::World),
        _ => text.parse().ok().map(Bound::Number),
    }
}

impl Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number(value) => value.fmt(f),
            Self::World => f.write_str("world"),
        }
    }
}

impl Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Ramp => f.write_str("ramp"),
            Self::Iota => f.write_str("iota"),
            Self::Zeros => f.write_str("zeros"),
            Self::Ones => f.write_str("ones"),
            Self::Rank => f.write_str("rank"),
            Self::Random(None) => f.write_str("random"),
            Self::Random(Some(seed)) => write!(f, "random:{seed}"),
            Self::RandInt(low, high) => write!(f, "randint:{low}:{high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pld_dialects::types::Element;

    fn filled(fill: &str, element: Element, slices: usize) -> Vec<f64> {
        let fill: Fill = fill.parse().expect("a fill");
        let mut array = Array::zeros(element, &[2, 1, 3]).expect("small");
        fill.apply(&mut array, slices, 2, 0).expect("not empty");
        (0..6).map(|k| array.get(k).as_f64()).collect()
    }

    /// The words mean what the users' page of the tool says.
    #[test]
    fn values_of_world_arrays() {
        let f32 = Element::F32;
        assert_eq!(filled("ramp", f32, 2), [0., 1., 2., 100., 101., 102.]);
        assert_eq!(filled("iota", f32, 2), [0., 1., 2., 3., 4., 5.]);
        assert_eq!(filled("rank", f32, 2), [0., 0., 0., 1., 1., 1.]);
        assert_eq!(filled("ones", f32, 2), [1.; 6]);
        assert_eq!(filled("zeros", f32, 2), [0.; 6]);
    }

    /// A replicated array has no rank: it is one slice.
    #[test]
    fn values_of_replicated_arrays() {
        assert_eq!(filled("ramp", Element::I32, 1), [0., 1., 2., 3., 4., 5.]);
        assert_eq!(filled("rank", Element::I32, 1), [0.; 6]);
    }

    /// Ranges are as stated, HI excluded, and a seed fixes the values.
    #[test]
    fn random_ranges() {
        for value in filled("random:7", Element::F32, 1) {
            assert!((-1.0..1.0).contains(&value), "{value}");
        }
        for value in filled("random:7", Element::I64, 1) {
            assert!((-100.0..=100.0).contains(&value), "{value}");
        }
        assert_eq!(filled("randint:0:1", Element::I8, 1), [0.; 6]);
        for value in filled("randint:-1:world", Element::F16, 1) {
            assert!([-1.0, 0.0, 1.0].contains(&value), "{value}");
        }
        assert_eq!(
            filled("random:3", Element::F32, 1),
            filled("random:3", Element::F32, 1)
        );
        assert_ne!(
            filled("random:3", Element::F32, 1),
            filled("random:4", Element::F32, 1)
        );
    }

    /// What began as a fill and is none is an error; any other name may be a file.
    #[test]
    fn spellings() {
        for text in ["ramp", "random", "random:5", "randint:-3:world"] {
            assert_eq!(text.parse::<Fill>().expect("a fill").to_string(), text);
        }
        for text in ["ramp:1", "random:x", "randint", "randint:1", "randint:1:x"] {
            assert!(matches!(text.parse::<Fill>(), Err(Some(_))), "{text}");
        }
        assert_eq!("x.npy".parse::<Fill>(), Err(None));
        let mut array = Array::zeros(Element::I8, &[1]).expect("small");
        let empty: Fill = "randint:3:3".parse().expect("a fill");
        assert!(empty.apply(&mut array, 1, 1, 0).is_err());
    }
}
