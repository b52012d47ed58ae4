//! Values of the abstract execution, and where unknown ones come from.

use super::{code::MemoryType, interval::Interval};
use std::{collections::HashMap, rc::Rc};

/// A value of a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Value {
    /// A float, a tile, or what is not followed.
    #[default]
    Other,
    Int(Int),
    /// An array or window: one of these.
    Memory(Rc<Vec<Memory>>),
    /// A window buffer: a place in the machine's table.
    Buffer(usize),
    /// A communication context, by its window buffer.
    Context(usize),
}

/// An integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int {
    pub range: Interval,
    /// Where it comes from, if it is unknown but the same wherever it comes from there.
    pub origin: Option<Origin>,
}

/// An unknown value: equal ones are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Origin {
    number: u32,
    /// Whether all ranks have the same.
    pub is_shared: bool,
}

/// What an unknown value is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// A scalar argument of the host function.
    Argument(usize),
    /// An extent of an argument.
    Extent(usize, usize),
    /// An element of an array that nobody writes: its number, and byte.
    Element(usize, u64),
    /// Computed of others, by an operation of this name.
    Computed(String, Vec<Part>),
}

/// An operand of what is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Known(i64),
    Unknown(Origin),
}

/// Numbers of all unknown values.
#[derive(Debug, Default)]
pub(super) struct Origins(HashMap<Source, Origin>);

impl Origins {
    pub(super) fn get(&mut self, source: Source, is_shared: bool) -> Origin {
        let number = self.0.len() as u32;
        *self.0.entry(source).or_insert(Origin { number, is_shared })
    }

    /// Of a value that an operation computes; `None` if that of an operand is not known.
    pub(super) fn computed(&mut self, name: &str, operands: &[Int]) -> Option<Origin> {
        let parts = operands.iter().map(|operand| operand.part());
        let parts: Vec<Part> = parts.collect::<Option<_>>()?;
        let is_shared = parts.iter().all(|part| match part {
            Part::Known(_) => true,
            Part::Unknown(origin) => origin.is_shared,
        });
        Some(self.get(Source::Computed(name.to_owned(), parts), is_shared))
    }
}

impl Int {
    pub(super) const fn point(value: i64) -> Self {
        Self::of(Interval::point(value))
    }

    pub(super) const fn of(range: Interval) -> Self {
        Self {
            range,
            origin: None,
        }
    }

    /// Whether it is known, or known where it comes from.
    pub(super) fn is_followed(&self) -> bool {
        self.part().is_some()
    }

    fn part(&self) -> Option<Part> {
        match self.range.as_point() {
            Some(value) => Some(Part::Known(value)),
            None => self.origin.map(Part::Unknown),
        }
    }

    fn join(self, other: Self) -> Self {
        Self {
            range: self.range.join(other.range),
            origin: self.origin.filter(|_| self.origin == other.origin),
        }
    }
}

/// An array or window, or a slice of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Memory {
    pub place: Place,
    /// The byte at which it starts in its buffer.
    pub base: u64,
    /// Its extents, each with where it comes from.
    pub shape: Vec<Int>,
    /// Bytes of an element.
    pub element: u64,
    /// Bits of an integer element.
    pub bits: Option<u32>,
    /// Whether it may start anywhere in its buffer.
    pub is_anywhere: bool,
}

/// Which memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A window buffer, by its place in the machine's table.
    Window(usize),
    /// An array, likewise.
    Array(usize),
}

impl Memory {
    /// Memory of a type, with the sizes of its `?` in order.
    pub(super) fn new(
        place: Place,
        memory: &MemoryType,
        mut sizes: impl Iterator<Item = Int>,
    ) -> Self {
        let any = Int::of(Interval::new(0, i64::MAX));
        let extent = |extent: &Option<i64>| match extent {
            Some(extent) => Int::point(*extent),
            None => sizes.next().unwrap_or(any),
        };
        Self {
            place,
            base: 0,
            shape: memory.shape.iter().map(extent).collect(),
            element: memory.element.bytes() as u64,
            bits: memory.bits(),
            is_anywhere: false,
        }
    }

    /// Bytes of it, if they can be counted.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.shape.iter().try_fold(self.element, |bytes, extent| {
            bytes.checked_mul(u64::try_from(extent.range.as_point()?).ok()?)
        })
    }
}

/// What may be either.
pub(super) fn join(a: &Value, b: &Value) -> Value {
    match (a, b) {
        _ if a == b => a.clone(),
        (Value::Int(a), Value::Int(b)) => Value::Int(a.join(*b)),
        (Value::Memory(a), Value::Memory(b)) => {
            let mut all = a.to_vec();
            all.extend(b.iter().filter(|memory| !a.contains(memory)).cloned());
            Value::Memory(Rc::new(all))
        }
        _ => Value::Other,
    }
}

/// What a value may become when it goes on changing from `before` to `after`: anything.
pub(super) fn widen(before: &Value, after: &Value, bits: u32) -> Value {
    match (before, after) {
        _ if before == after => after.clone(),
        (Value::Int(_), Value::Int(_)) => Value::Int(Int::of(Interval::all(bits))),
        (Value::Memory(_), Value::Memory(_)) => after.clone(),
        _ => Value::Other,
    }
}
