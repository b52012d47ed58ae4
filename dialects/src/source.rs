//! Text that upstream's parser crashes on, found before it sees it.
//!
//! Of an `array<TYPE: ...>` attribute it asks how wide the type is, also of `index`, which
//! has no width: MLIR 22 then reads through a null pointer. Ranks and sizes are `index`, so
//! this is easily written.

use std::collections::HashSet;

/// What the parser would crash on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Where it stands, in bytes.
    pub offset: usize,
    /// What is wrong.
    pub message: &'static str,
    /// How to mend it.
    pub mend: &'static str,
}

/// Finds the first fault of a source; bytecode has none.
pub(crate) fn find(source: &[u8]) -> Option<Fault> {
    // Few programs have such an attribute, and most are long.
    if std::str::from_utf8(source).is_ok_and(|text| !text.contains("array")) {
        return None;
    }
    let mut aliases = HashSet::new();
    let mut before: [&[u8]; 2] = [b"", b""];
    for (offset, token) in tokens(source) {
        let is_index = token == b"index" || aliases.contains(token);
        match before {
            [b"array", b"<"] if is_index => {
                return Some(Fault {
                    offset,
                    message: "an array attribute has elements of index, expected an integer or float type",
                    mend: "write array<i64: ...>, also for ranks and sizes",
                });
            }
            [alias @ [b'!', ..], b"="] if is_index => {
                aliases.insert(alias);
            }
            _ => {}
        }
        before = [before[1], token];
    }
    None
}

/// The words and marks of a source, and where each stands; without comments and blanks.
fn tokens(source: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = source.get(at..).filter(|rest| !rest.is_empty())?;
            let (start, length) = (at, length(rest));
            at += length;
            if !rest.starts_with(b"//") && !rest[0].is_ascii_whitespace() {
                return Some((start, &rest[..length]));
            }
        }
    })
}

/// How long the first token of `rest` is, which is not empty.
fn length(rest: &[u8]) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
    let end = |ends: &dyn Fn(&u8) -> bool| rest.iter().skip(1).position(ends).map(|i| i + 1);
    match rest {
        [b'/', b'/', ..] => end(&|&byte| byte == b'\n').unwrap_or(rest.len()),
        [b'"', ..] => string_length(rest),
        [b'!', ..] => end(&|byte| !is_word(byte)).unwrap_or(rest.len()),
        [first, ..] if is_word(first) => end(&|byte| !is_word(byte)).unwrap_or(rest.len()),
        _ => 1,
    }
}

/// How long a string is, with its quotes; it ends with its line at the latest.
fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(source: &str) -> Option<usize> {
        find(source.as_bytes()).map(|fault| fault.offset)
    }

    /// However it is spaced, and by whatever name.
    #[test]
    fn finds_arrays_of_index() {
        for (source, found) in [
            ("{a = array<index: 1>}", "index"),
            ("array <\n // of what?\n index>", "index"),
            ("!i = index\n!j = !i\narray<!j: 1>", "!j: 1"),
        ] {
            assert_eq!(place(source), source.find(found), "{source}");
        }
    }

    /// Not in comments, strings, other types, or of other elements; and odd ends are no
    /// trouble.
    #[test]
    fn leaves_the_rest_alone() {
        for source in [
            "// array<index: 1>",
            r#""array<index" "\"array<index""#,
            "memref<index> #my.array<index> !my.array<index> my.array<index>",
            "!i = i64\narray<!i: 1>, array<i64: 1>, array<indexed>",
            "array",
            "array<",
            "array \"",
            "array \"\\",
            "array //",
            "array !",
        ] {
            assert_eq!(place(source), None, "{source}");
        }
    }
}
