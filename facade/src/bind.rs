//! From an entry's signature and what the user gives to arrays and numbers.

use crate::array::{Array, Number, encode};
use crate::diagnostic::Diagnostic;
use crate::entry::{Argument, ArgumentKind, Entry};
use crate::fill::{self, Fill};
use crate::npy;
use pld_dialects::{Direction, types::Element};
use std::{collections::BTreeMap, path::PathBuf, str::FromStr};

/// What an argument starts as.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A fill of an array.
    Fill(Fill),
    /// A `.npy` file.
    File(PathBuf),
    /// An array.
    Array(Array),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

impl FromStr for Input {
    type Err = String;

    /// A fill, else a number, else the path of a file.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<Fill>() {
            Ok(fill) => return Ok(Self::Fill(fill)),
            Err(Some(message)) => return Err(message),
            Err(None) => {}
        }
        if text.is_empty() {
            return Err(format!("expected a number, a .npy file, {}", fill::WORDS));
        }
        let int = text.parse().map(Self::Int);
        Ok(int
            .or_else(|_| text.parse().map(Self::Float))
            .unwrap_or_else(|_| Self::File(text.into())))
    }
}

/// What a `?` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A number.
    Number(usize),
    /// A multiple of the world size.
    World(usize),
}

impl Extent {
    fn value(self, world: usize) -> Option<usize> {
        match self {
            Self::Number(extent) => Some(extent),
            Self::World(factor) => factor.checked_mul(world),
        }
    }
}

impl FromStr for Extent {
    type Err = String;

    /// `N`, `world` or `K*world`.
    fn from_str(text: &str) -> Result<Self, String> {
        let factor = match text {
            "world" => Some("1"),
            _ => text.strip_suffix("*world"),
        };
        let parsed = match factor {
            Some(factor) => factor.parse().map(Self::World),
            None => text.parse().map(Self::Number),
        };
        parsed.map_err(|_| format!("'{text}' is no extent, expected N, world or K*world"))
    }
}

/// An argument's value at the start.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Array(Array),
    Scalar(u64),
}

impl Value {
    pub(crate) fn into_array(self) -> Option<Array> {
        match self {
            Self::Array(array) => Some(array),
            Self::Scalar(_) => None,
        }
    }
}

/// What the user gives for an entry's arguments, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    pub(crate) inputs: BTreeMap<usize, Input>,
    pub(crate) extents: BTreeMap<(usize, usize), Extent>,
}

/// Values for all arguments.
pub(crate) fn bind(entry: &Entry, world: usize, given: &Given) -> Result<Vec<Value>, Diagnostic> {
    for &index in given.inputs.keys() {
        check_index(entry, index)?;
    }
    for &(index, dim) in given.extents.keys() {
        let argument = check_index(entry, index)?;
        if dim >= argument.shape.len() {
            return Err(Diagnostic::input(format!(
                "argument #{index} of @{} is {}, which has no dim {dim}",
                entry.name, argument.type_text
            )));
        }
    }
    let arguments = entry.arguments.iter().enumerate();
    arguments
        .map(|(index, argument)| {
            let binder = Binder {
                argument,
                index,
                world,
                given,
            };
            binder.value().map_err(|fault| {
                let message = format!(
                    "argument #{index} of @{}, {}, {}",
                    entry.name, argument.type_text, fault.message
                );
                let diagnostic = Diagnostic::input(message).at(entry.position.clone());
                match fault.mend {
                    Some(mend) => diagnostic.note(mend),
                    None => diagnostic,
                }
            })
        })
        .collect()
}

/// The argument of this number.
pub(crate) fn check_index(entry: &Entry, index: usize) -> Result<&Argument, Diagnostic> {
    entry.arguments.get(index).ok_or_else(|| {
        let types: Vec<_> = entry
            .arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| format!("#{index} {}", argument.type_text))
            .collect();
        Diagnostic::input(format!("@{} has no argument #{index}", entry.name))
            .at(entry.position.clone())
            .note(format!("its arguments: {}", types.join(", ")))
    })
}

/// Reads a file that stands for `argument`, whose extents are `shape`.
pub(crate) fn read_file(
    argument: &Argument,
    shape: &[usize],
    path: &std::path::Path,
) -> Result<Array, String> {
    let array = npy::read(path, argument.element)?;
    if array.shape() != shape {
        return Err(format!(
            "'{}' has shape {:?}, expected {shape:?}",
            path.display(),
            array.shape()
        ));
    }
    Ok(array)
}

struct Fault {
    message: String,
    mend: Option<String>,
}

impl From<String> for Fault {
    fn from(message: String) -> Self {
        Self {
            message,
            mend: None,
        }
    }
}

fn fault(message: impl Into<String>, mend: impl Into<String>) -> Fault {
    Fault {
        message: message.into(),
        mend: Some(mend.into()),
    }
}

struct Binder<'a> {
    argument: &'a Argument,
    index: usize,
    world: usize,
    given: &'a Given,
}

impl Binder<'_> {
    fn value(&self) -> Result<Value, Fault> {
        let index = self.index;
        let own;
        let input = match (self.given.inputs.get(&index), &self.argument.fill) {
            (Some(input), _) => Some(input),
            (None, Some(fill)) => {
                own = fill
                    .parse::<Input>()
                    .map_err(|error| fault(format!("has a bad pl.arg: {error}"), "mend it"))?;
                if !matches!(own, Input::Fill(_) | Input::Int(_) | Input::Float(_)) {
                    return Err(fault(
                        format!("has pl.arg = \"{fill}\", expected a number or a fill"),
                        format!("fills: {}", fill::WORDS),
                    ));
                }
                Some(&own)
            }
            (None, None) => None,
        };
        if self.argument.kind == ArgumentKind::Scalar {
            return self.scalar(input).map(Value::Scalar);
        }
        if self.argument.direction == Direction::Out && input.is_some() {
            return Err(fault(
                "is pl.out and starts as zeros, but an input is given",
                "give none, or mark it pl.inout",
            ));
        }
        self.array(input).map(Value::Array)
    }

    fn scalar(&self, input: Option<&Input>) -> Result<u64, Fault> {
        let element = self.argument.element;
        let number = match *input.ok_or_else(|| {
            fault(
                "is a scalar without a value",
                format!("give one: --arg {}=NUMBER", self.index),
            )
        })? {
            Input::Int(value) => Number::Int(value),
            Input::Float(value) if element.is_float() => Number::Float(value),
            // An integer that i64 does not hold is read as a float.
            Input::Float(value) if value.is_finite() && value.abs() >= TWO_TO_63 => {
                return Err(format!("is {value}, which its type does not hold").into());
            }
            Input::Float(value) => {
                return Err(format!("is {value}, expected an integer").into());
            }
            _ => {
                return Err(fault(
                    "is a scalar, but got a file or a fill",
                    format!("give a number: --arg {}=NUMBER", self.index),
                ));
            }
        };
        if let Number::Int(value) = number
            && !in_range(element, value)
        {
            return Err(format!("is {value}, which its type does not hold").into());
        }
        Ok(encode(element, number))
    }

    fn array(&self, input: Option<&Input>) -> Result<Array, Fault> {
        let element = self.argument.element;
        let (file, fill) = match input {
            Some(Input::File(path)) => {
                let array = npy::read(path, element).map_err(|error| match path.extension() {
                    Some(_) => Fault::from(format!("is given a file, but {error}")),
                    None => fault(
                        format!("is given a file, but {error}"),
                        format!("expected a .npy file, {}", fill::WORDS),
                    ),
                })?;
                (Some((array, format!("'{}'", path.display()))), None)
            }
            Some(Input::Array(array)) => {
                if array.element() != element {
                    return Err(
                        format!("got an array of {}, expected {element}", array.element()).into(),
                    );
                }
                (Some((array.clone(), "the array".to_owned())), None)
            }
            Some(Input::Fill(fill)) => (None, Some(*fill)),
            Some(Input::Int(_) | Input::Float(_)) => {
                return Err(fault(
                    "is an array, but got a number",
                    format!("expected a .npy file, {}", fill::WORDS),
                ));
            }
            None if self.argument.direction == Direction::Out => (None, Some(Fill::Zeros)),
            None => (None, Some(Fill::Ramp)),
        };
        let shape = self.shape(file.as_ref().map(|(array, _)| array.shape()))?;
        if let Some((array, name)) = file {
            return if array.shape() == shape {
                Ok(array)
            } else {
                Err(format!(
                    "got {name} of shape {:?}, expected {shape:?}",
                    array.shape()
                )
                .into())
            };
        }
        let mut array = Array::zeros(element, &shape)
            .ok_or_else(|| Fault::from(format!("of shape {shape:?} does not fit in memory")))?;
        let slices = match self.argument.kind {
            ArgumentKind::World => self.world,
            _ => 1,
        };
        fill.unwrap_or(Fill::Zeros)
            .apply(&mut array, slices, self.world, self.index)
            .map_err(Fault::from)?;
        Ok(array)
    }

    /// All extents: static, the world size, from `--dim`, or from the file.
    fn shape(&self, file: Option<&[usize]>) -> Result<Vec<usize>, Fault> {
        let Self {
            argument,
            index,
            world,
            given,
        } = *self;
        if let Some(file) = file.filter(|file| file.len() != argument.shape.len()) {
            return Err(format!(
                "got an array of shape {file:?}, expected {} dims",
                argument.shape.len()
            )
            .into());
        }
        let mut shape = Vec::new();
        for (dim, &extent) in argument.shape.iter().enumerate() {
            let own = match dim {
                0 if argument.kind == ArgumentKind::World => Some(world),
                _ => extent,
            };
            let said = match given.extents.get(&(index, dim)) {
                Some(said) => Some(said.value(world).ok_or_else(|| {
                    Fault::from(format!("gets an extent of dim {dim} that is too large"))
                })?),
                None => None,
            };
            if let (Some(own), Some(said)) = (own, said)
                && own != said
            {
                return Err(format!("has extent {own} in dim {dim}, but --dim says {said}").into());
            }
            let bound = own.or(said).or(file.map(|file| file[dim]));
            shape.push(bound.ok_or_else(|| {
                fault(
                    format!("has no extent for '?' in dim {dim}"),
                    format!("give one: --dim {index}.{dim}=N, or a file"),
                )
            })?);
        }
        Ok(shape)
    }
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

fn in_range(element: Element, value: i64) -> bool {
    match element {
        Element::I1 => (0..=1).contains(&value),
        Element::I8 => i8::try_from(value).is_ok(),
        Element::I16 => i16::try_from(value).is_ok(),
        Element::I32 => i32::try_from(value).is_ok(),
        _ => true,
    }
}
