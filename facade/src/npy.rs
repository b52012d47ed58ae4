//! NumPy's `.npy` files.
//!
//! NumPy has no bfloat16. A bf16 array travels as the bits of its elements: it is written
//! as `u2`, as generated projects do, and `np.load(f).view(ml_dtypes.bfloat16)` reads it
//! back. `V2`, what NumPy writes for `ml_dtypes.bfloat16`, is read too. An i1 array travels
//! as bool.

use crate::array::{Array, bytes_of, width};
use crate::source::guarded;
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, TypeStr, WriteOptions, WriterBuilder};
use pld_dialects::types::Element;
use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

/// Bytes before the header, at most: magic, version, length.
const START: usize = 12;
/// The longest header that is read; NumPy's own limit.
const MAX_HEADER: usize = 10_000;
/// More than the header of a plain array has; the parser takes twice as long for each.
const MAX_BRACKETS: usize = 8;

/// Reads an array of this element type.
///
/// # Errors
///
/// Text that names the file, what was expected and what it is.
pub(crate) fn read(path: &Path, element: Element) -> Result<Array, String> {
    let name = path.display();
    let file = fs::File::open(path).map_err(|error| format!("'{name}' {}", unreadable(&error)))?;
    parse(file, element).map_err(|error| format!("'{name}' {error}"))
}

/// Writes an array.
///
/// # Errors
///
/// Text that names the file.
pub(crate) fn write(path: &Path, array: &Array) -> Result<(), String> {
    let write = || -> io::Result<()> {
        let shape: Vec<_> = array.shape().iter().map(|&extent| extent as u64).collect();
        let mut file = WriteOptions::new_header_only()
            .dtype(DType::new_scalar(type_str(array.element())?))
            .shape(&shape)
            .writer(io::BufWriter::new(fs::File::create(path)?))
            .write_header_only()?;
        file.write_all(array.bytes())?;
        file.flush()
    };
    write().map_err(|error| format!("cannot write '{}': {error}", path.display()))
}

fn type_str(element: Element) -> io::Result<TypeStr> {
    let order = if cfg!(target_endian = "little") {
        '<'
    } else {
        '>'
    };
    let text = match element {
        Element::F32 => format!("{order}f4"),
        Element::F16 => format!("{order}f2"),
        Element::BF16 => format!("{order}u2"),
        Element::I8 => "|i1".into(),
        Element::I16 => format!("{order}i2"),
        Element::I32 => format!("{order}i4"),
        Element::I64 => format!("{order}i8"),
        Element::I1 => "|b1".into(),
    };
    text.parse().map_err(io::Error::other)
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

/// Reads no more than the header says: a device or pipe may have no end.
fn parse(mut source: impl Read, element: Element) -> Result<Array, String> {
    let start = up_to(&mut source, START + MAX_HEADER)?;
    check_header(&start)?;
    let mut rest = &start[..];
    let header = guarded(|| NpyHeader::from_reader(&mut rest))
        .map_err(|error| error.to_string())
        .and_then(|header| header.map_err(|error| error.to_string()))
        .map_err(|error| format!("has no valid .npy header: {error}"))?;
    let (dtype, shape) = (header.dtype(), header.shape().to_vec());
    let found = || match &dtype {
        DType::Plain(dtype) => format!("{dtype} of shape {shape:?}"),
        other => format!("{} of shape {shape:?}", other.descr()),
    };
    let (DType::Plain(plain), true) = (&dtype, fits(&dtype, element)) else {
        return Err(format!(
            "holds {}, expected dtype {}",
            found(),
            expected_dtypes(element)
        ));
    };
    let extents: Option<Vec<_>> = shape.iter().map(|&e| usize::try_from(e).ok()).collect();
    let too_large = || format!("holds {}, which is too large", found());
    let extents = extents.ok_or_else(too_large)?;
    let bytes = bytes_of(element, &extents).ok_or_else(too_large)?;
    let mut data = rest.to_vec();
    data.extend(up_to(&mut source, bytes.saturating_sub(data.len()))?);
    let Some(data) = data.get(..bytes) else {
        return Err(format!(
            "is truncated: {} takes {bytes} bytes, but {} follow the header",
            found(),
            data.len()
        ));
    };
    let mut array = Array::from_bytes(element, &extents, data).ok_or_else(too_large)?;
    if header.order() == Order::Fortran {
        array = transposed(&array).ok_or_else(too_large)?;
    }
    let swapped = match plain.endianness() {
        Endianness::Little => cfg!(target_endian = "big"),
        Endianness::Big => cfg!(target_endian = "little"),
        Endianness::Irrelevant => false,
    };
    if swapped {
        let width = width(element);
        for cell in array.bytes_mut().chunks_exact_mut(width) {
            cell.reverse();
        }
    }
    Ok(array)
}

/// The next bytes, at most `limit`.
fn up_to(source: &mut impl Read, limit: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    match source.take(limit as u64).read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(unreadable(&error)),
    }
}

/// Refuses what the header parser would take too long or too deep for.
fn check_header(content: &[u8]) -> Result<(), String> {
    let not_npy = || "is no .npy file".to_owned();
    let version = content.strip_prefix(b"\x93NUMPY").ok_or_else(not_npy)?;
    let (length, text) = match version {
        [1, _, a, b, text @ ..] => (u16::from_le_bytes([*a, *b]).into(), text),
        [2 | 3, _, a, b, c, d, text @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, text),
        _ => return Err("is truncated within its header, or of an unknown version".into()),
    };
    if length > MAX_HEADER {
        return Err(format!(
            "has a header of {length} bytes, expected {MAX_HEADER} at most"
        ));
    }
    let Some(text) = text.get(..length) else {
        return Err("is truncated within its header".into());
    };
    let brackets = text.iter().filter(|byte| b"([{".contains(byte)).count();
    if brackets > MAX_BRACKETS {
        return Err("has no header of a plain array".into());
    }
    Ok(())
}

fn fits(dtype: &DType, element: Element) -> bool {
    let DType::Plain(dtype) = dtype else {
        return false;
    };
    let kinds: &[TypeChar] = match element {
        Element::F32 | Element::F16 => &[TypeChar::Float],
        Element::BF16 => &[TypeChar::RawData, TypeChar::Uint],
        Element::I1 => &[TypeChar::Bool],
        Element::I8 | Element::I16 | Element::I32 | Element::I64 => &[TypeChar::Int],
    };
    kinds.contains(&dtype.type_char()) && dtype.num_bytes() == Some(width(element))
}

/// The dtypes that hold an element type, by NumPy's names.
pub(crate) fn expected_dtypes(element: Element) -> &'static str {
    match element {
        Element::F32 => "float32 (f4)",
        Element::F16 => "float16 (f2)",
        Element::BF16 => "bfloat16 (its bits as u2 or V2)",
        Element::I8 => "int8 (i1)",
        Element::I16 => "int16 (i2)",
        Element::I32 => "int32 (i4)",
        Element::I64 => "int64 (i8)",
        Element::I1 => "bool (b1)",
    }
}

/// The array in row-major order whose elements stand in column-major order.
fn transposed(array: &Array) -> Option<Array> {
    let mut result = Array::zeros(array.element(), array.shape())?;
    let (width, shape) = (width(array.element()), array.shape());
    let source = array.bytes();
    let target = result.bytes_mut();
    for (index, cell) in target.chunks_exact_mut(width).enumerate() {
        let (mut at, mut stride) = (0, 1);
        for (subscript, extent) in array.subscripts(index).into_iter().zip(shape) {
            at += subscript * stride;
            stride *= extent;
        }
        cell.copy_from_slice(&source[at * width..][..width]);
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Number;
    use proptest::prelude::*;

    fn file(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let mut text =
            format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
        text.push_str(&" ".repeat((63 - (10 + text.len()) % 64) % 64));
        text.push('\n');
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((text.len() as u16).to_le_bytes());
        file.extend(text.bytes());
        file.extend(data);
        file
    }

    /// What is written is read back, for every element type and odd ranks.
    #[test]
    fn round_trip() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.npy");
        for element in Element::ALL {
            for shape in [&[][..], &[3], &[2, 1, 5], &[0, 4]] {
                let mut array = Array::zeros(element, shape).expect("small");
                array.fill(|k| Number::Int(k as i64 % 2));
                write(&path, &array).expect("writable");
                assert_eq!(read(&path, element).as_ref(), Ok(&array), "{element}");
            }
        }
    }

    /// The header is what NumPy demands: its fields, and data aligned to 64 bytes.
    #[test]
    fn header_for_numpy() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.npy");
        let array = Array::zeros(Element::F32, &[2, 3]).expect("small");
        write(&path, &array).expect("writable");
        let content = fs::read(&path).expect("readable");
        let text = String::from_utf8_lossy(&content[10..content.len() - 24]);
        assert_eq!(&content[..8], b"\x93NUMPY\x01\x00");
        assert_eq!((content.len() - 24) % 64, 0);
        assert!(text.starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3"));
        assert!(text.ends_with('\n'));
    }

    /// bf16 comes as ml_dtypes saves it, or as bits.
    #[test]
    fn bfloat16() {
        let data = [0x80, 0x3f, 0, 0xc0];
        for descr in ["'<V2'", "'|V2'", "'<u2'"] {
            let array = parse(&file(descr, "False", "(2,)", &data)[..], Element::BF16);
            let array = array.expect("two elements");
            assert_eq!(array.get(0), Number::Float(1.0));
            assert_eq!(array.get(1), Number::Float(-2.0));
        }
    }

    /// Files of other machines and of transposed arrays mean the same numbers.
    #[test]
    fn orders() {
        let big = file("'>i2'", "False", "(2,)", &[0, 1, 2, 0]);
        let array = parse(&big[..], Element::I16).expect("two elements");
        assert_eq!(array.get(0), Number::Int(1));
        assert_eq!(array.get(1), Number::Int(512));
        let columns = file("'|i1'", "True", "(2, 3)", &[1, 2, 3, 4, 5, 6]);
        let array = parse(&columns[..], Element::I8).expect("six elements");
        assert_eq!(array.bytes(), [1, 3, 5, 2, 4, 6]);
    }

    /// What has no end is read as far as its header says.
    #[test]
    fn endless() {
        let start = file("'|i1'", "False", "(70000,)", &[1; 8]);
        let array = parse(start.chain(io::repeat(2)), Element::I8).expect("all elements");
        assert_eq!((array.bytes()[7], array.bytes()[8]), (1, 2));
        let none = parse(io::repeat(0), Element::I8);
        assert_eq!(none, Err("is no .npy file".into()));
    }

    /// The header's parser takes exponential time for nested brackets.
    #[test]
    fn nested_header() {
        for depth in [7, 20, 60] {
            let header = file("'<f4'", "False", &"{".repeat(depth), &[]);
            assert!(parse(&header[..], Element::F32).is_err());
        }
    }

    /// Each kind of bad file has its own message, which says what was expected.
    #[test]
    fn bad_files() {
        let error = |content: &[u8]| parse(content, Element::F32).expect_err("is bad");
        insta::assert_snapshot!(
            [
                error(b""),
                error(b"PK\x03\x04"),
                error(b"\x93NUMPY\x01\x00\xff\xff{"),
                error(b"\x93NUMPY\x01"),
                error(b"\x93NUMPY\x09\x00ab"),
                error(&file("'<f4'", "False", "(2, 3)", &[0; 23])),
                error(&file("'<f8'", "False", "(1,)", &[0; 8])),
                error(&file("[('a', '<f4')]", "False", "(1,)", &[0; 4])),
                error(&file("'<f4'", "False", "(-1,)", &[])),
                error(&file("'<f4'", "False", "(9223372036854775807, 2)", &[])),
                error(&file("'<f4'", "False", &"(".repeat(5000), &[])),
                error(&file("'|O'", "False", "(1,)", &[])),
            ]
            .join("\n"),
            @r"
        is no .npy file
        is no .npy file
        has a header of 65535 bytes, expected 10000 at most
        is truncated within its header, or of an unknown version
        is truncated within its header, or of an unknown version
        is truncated: <f4 of shape [2, 3] takes 24 bytes, but 23 follow the header
        holds <f8 of shape [1], expected dtype float32 (f4)
        holds [('a', '<f4'), ] of shape [1], expected dtype float32 (f4)
        has no valid .npy header: dimension cannot be negative
        holds <f4 of shape [9223372036854775807, 2], which is too large
        has no header of a plain array
        holds |O of shape [1], expected dtype float32 (f4)
        "
        );
    }

    proptest! {
        /// No content panics.
        #[test]
        fn any_bytes(mut content: Vec<u8>, magic: bool, v2: bool) {
            if magic {
                let start = [b"\x93NUMPY", &[1 + u8::from(v2), 0][..]].concat();
                content.splice(0..0, start);
            }
            let _ = parse(&content[..], Element::F32);
        }

        /// Nor does a changed byte of a good file.
        #[test]
        fn changed_byte(at in 0usize..152, value: u8) {
            let mut content = file("'<f4'", "False", "(2, 3)", &[0; 24]);
            let len = content.len();
            content[at % len] = value;
            let _ = parse(&content[..], Element::F32);
        }
    }
}
