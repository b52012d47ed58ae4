//! Arrays of the language's element types.

use crate::npy;
use half::{bf16, f16};
use pld_dialects::types::Element;
use pld_runtime::round::{bf16_from_f64, f16_from_f64, odd_f64_from_i64};
use std::{
    fmt::{self, Display},
    path::Path,
};

/// A dense array in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    element: Element,
    shape: Vec<usize>,
    /// Whole words, so that any element is aligned; the last one may be in part unused.
    words: Vec<u64>,
}

/// One element: an integer or a float, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}

impl Array {
    /// An array of zeros; `None` if it does not fit in memory.
    pub fn zeros(element: Element, shape: &[usize]) -> Option<Self> {
        let bytes = bytes_of(element, shape)?;
        let count = bytes.div_ceil(8);
        let mut words = Vec::new();
        words.try_reserve_exact(count).ok()?;
        words.resize(count, 0);
        Some(Self {
            element,
            shape: shape.to_vec(),
            words,
        })
    }

    /// An array of these bytes, in the machine's order; `None` if they are not as many as
    /// the shape says.
    pub fn from_bytes(element: Element, shape: &[usize], bytes: &[u8]) -> Option<Self> {
        if bytes_of(element, shape)? != bytes.len() {
            return None;
        }
        let mut array = Self::zeros(element, shape)?;
        array.bytes_mut().copy_from_slice(bytes);
        Some(array)
    }

    /// Element type. An i1 is a byte, 0 or 1.
    pub fn element(&self) -> Element {
        self.element
    }

    /// Extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether it has no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements' bytes, in the machine's order.
    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.byte_len()]
    }

    /// The elements' bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let len = self.byte_len();
        &mut bytemuck::cast_slice_mut(&mut self.words)[..len]
    }

    /// Reads a `.npy` file of this element type.
    ///
    /// # Errors
    ///
    /// Text that names the file, what was expected and what it is.
    pub fn load(path: &Path, element: Element) -> Result<Self, String> {
        npy::read(path, element)
    }

    /// Writes a `.npy` file.
    ///
    /// # Errors
    ///
    /// Text that names the file.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        npy::write(path, self)
    }

    fn byte_len(&self) -> usize {
        self.len() * self.width()
    }

    fn width(&self) -> usize {
        width(self.element)
    }

    /// Address of the first element, for compiled code.
    pub(crate) fn address(&mut self) -> u64 {
        self.words.as_mut_ptr() as u64
    }

    /// Element `index` in row-major order.
    pub(crate) fn get(&self, index: usize) -> Number {
        let width = self.width();
        decode(self.element, &self.bytes()[index * width..][..width])
    }

    /// Fills the array; `value` gives the element at an index, which is then converted to
    /// the element type: floats are rounded to nearest, integers wrap.
    pub(crate) fn fill(&mut self, mut value: impl FnMut(usize) -> Number) {
        let (element, width) = (self.element, self.width());
        for (index, cell) in self.bytes_mut().chunks_exact_mut(width).enumerate() {
            cell.copy_from_slice(&encode(element, value(index)).to_ne_bytes()[..width]);
        }
    }

    /// `index` by dims.
    pub(crate) fn subscripts(&self, mut index: usize) -> Vec<usize> {
        let mut subscripts = vec![0; self.shape.len()];
        for (subscript, &extent) in subscripts.iter_mut().zip(&self.shape).rev() {
            *subscript = index % extent.max(1);
            index /= extent.max(1);
        }
        subscripts
    }
}

pub(crate) fn width(element: Element) -> usize {
    element.bytes() as usize
}

/// Size of an array; `None` if it exceeds what an allocation may have.
pub(crate) fn bytes_of(element: Element, shape: &[usize]) -> Option<usize> {
    let bytes = shape
        .iter()
        .try_fold(width(element), |bytes, &extent| bytes.checked_mul(extent))?;
    (bytes <= isize::MAX as usize - 8).then_some(bytes)
}

/// The bits of a number in an element type, in the low bytes.
pub(crate) fn encode(element: Element, number: Number) -> u64 {
    let (float, int) = match number {
        Number::Int(value) => (odd_f64_from_i64(value), value),
        Number::Float(value) => (value, value as i64),
    };
    match element {
        Element::F32 => (float as f32).to_bits().into(),
        Element::F16 => f16_from_f64(float).to_bits().into(),
        Element::BF16 => bf16_from_f64(float).to_bits().into(),
        Element::I1 => (int & 1) as u64,
        Element::I8 | Element::I16 | Element::I32 | Element::I64 => int as u64,
    }
}

fn decode(element: Element, bytes: &[u8]) -> Number {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_ne_bytes(word);
    match element {
        Element::F32 => Number::Float(f32::from_bits(bits as u32).into()),
        Element::F16 => Number::Float(f16::from_bits(bits as u16).into()),
        Element::BF16 => Number::Float(bf16::from_bits(bits as u16).into()),
        Element::I1 => Number::Int((bits & 1) as i64),
        Element::I8 => Number::Int((bits as i8).into()),
        Element::I16 => Number::Int((bits as i16).into()),
        Element::I32 => Number::Int((bits as i32).into()),
        Element::I64 => Number::Int(bits as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every element type holds small numbers exactly, and nothing spills into the next
    /// element.
    #[test]
    fn elements_round_trip() {
        for element in Element::ALL {
            let mut array = Array::zeros(element, &[3, 5]).expect("small");
            array.fill(|k| Number::Int(k as i64 % 2));
            for k in 0..15 {
                assert_eq!(array.get(k).as_f64(), (k % 2) as f64, "{element} {k}");
            }
        }
    }

    /// Rounding is to nearest even, and integers wrap: what the fills promise.
    #[test]
    fn conversions() {
        let mut array = Array::zeros(Element::BF16, &[1]).expect("small");
        array.fill(|_| Number::Int(257));
        assert_eq!(array.get(0), Number::Float(256.0));
        array.fill(|_| Number::Float(257.0 + 1e-12));
        assert_eq!(array.get(0), Number::Float(258.0), "rounded once");
        let mut array = Array::zeros(Element::I8, &[1]).expect("small");
        array.fill(|_| Number::Int(300));
        assert_eq!(array.get(0), Number::Int(44));
    }

    /// Shapes come from files and the command line: a product that overflows is refused.
    #[test]
    fn huge_shapes() {
        assert!(Array::zeros(Element::F32, &[usize::MAX, 2]).is_none());
        assert!(Array::zeros(Element::I8, &[1 << 62]).is_none());
        let empty = Array::zeros(Element::F32, &[0, 7]).expect("empty");
        assert!(empty.is_empty() && empty.bytes().is_empty());
    }

    #[test]
    fn subscripts() {
        let array = Array::zeros(Element::I8, &[2, 3, 4]).expect("small");
        assert_eq!(array.subscripts(23), [1, 2, 3]);
        assert_eq!(array.subscripts(4), [0, 1, 0]);
    }
}
