//! Spellings in C++: types, constants, names.

use melior::{
    Context,
    ir::{Type, TypeLike},
};
use pld_dialects::types::Element;

/// Parses a type that is known to be well formed.
///
/// # Panics
///
/// If it is not: an error of the caller.
pub fn r#type<'c>(context: &'c Context, text: &str) -> Type<'c> {
    Type::parse(context, text).expect("a well-formed type")
}

/// An opaque C++ type.
pub fn opaque<'c>(context: &'c Context, spelling: &str) -> Type<'c> {
    r#type(context, &format!("!emitc.opaque<{spelling:?}>"))
}

/// The element type of tiles and of global tensors.
pub const fn element(element: Element) -> &'static str {
    match element {
        Element::F32 => "float",
        Element::F16 => "half",
        Element::BF16 => "bfloat16_t",
        Element::I8 | Element::I1 => "int8_t",
        Element::I16 => "int16_t",
        Element::I32 => "int32_t",
        Element::I64 => "int64_t",
    }
}

/// The element type that data is moved and filled as. bf16 travels as its bits: the core has
/// no bf16 scalars.
pub const fn moved(element: Element) -> &'static str {
    match element {
        Element::BF16 => "uint16_t",
        other => self::element(other),
    }
}

/// Where code runs: 16-bit floats are values on the device and bits on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The AI core.
    Kernel,
    /// The host CPU.
    Host,
}

/// The emitc type of a scalar; `None` if it has none.
pub fn scalar<'c>(context: &'c Context, side: Side, r#type: Type<'c>) -> Option<Type<'c>> {
    if r#type.is_index() {
        return Some(self::r#type(context, "i64"));
    }
    Some(match (Element::of(r#type)?, side) {
        (Element::F16, Side::Kernel) => opaque(context, "half"),
        (Element::F16 | Element::BF16, _) => self::r#type(context, "ui16"),
        _ => r#type,
    })
}

/// The C++ spelling of the type of a scalar argument.
pub fn scalar_name(r#type: Type) -> Option<&'static str> {
    if r#type.is_index() {
        return Some("int64_t");
    }
    Some(match Element::of(r#type)? {
        Element::F16 | Element::BF16 => "uint16_t",
        Element::I1 => "bool",
        other => element(other),
    })
}

/// A float literal that reads back as the same f32.
pub fn float_literal(value: f32) -> String {
    if value.is_nan() {
        "__builtin_nanf(\"\")".into()
    } else if value.is_infinite() {
        format!("{}__builtin_inff()", if value < 0.0 { "-" } else { "" })
    } else {
        format!("{value:?}f")
    }
}

/// The bits of the bf16 nearest to a value (which an attribute of type bf16 holds exactly).
pub fn bf16_bits(value: f64) -> u16 {
    ((value as f32).to_bits() >> 16) as u16
}

/// What of an identifier any text makes. Alone it may be a keyword or begin with a digit.
pub fn word(text: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    text.chars().map(kept).collect()
}

/// A C++ identifier made of any text.
pub fn identifier(text: &str) -> String {
    let mut name = word(text);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if name.starts_with("__") {
        name.insert(0, 'v');
    }
    if KEYWORDS.contains(&name.as_str()) || is_of_others(&name) {
        name.push('_');
    }
    name
}

/// Whether a name looks like a macro, a type of a C header or one of ours that has a number.
fn is_of_others(name: &str) -> bool {
    let letters = name.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_macro = letters > 1 && !name.bytes().any(|c| c.is_ascii_lowercase());
    let ours = ["ctx", "read_slot_", "write_slot_"];
    is_macro || name.ends_with("_t") || ours.iter().any(|prefix| name.starts_with(prefix))
}

/// Words that no identifier may be: keywords of C++, macros and namespaces of its headers, and
/// names that the generated files use.
const KEYWORDS: &[&str] = &[
    "AscendC",
    "Main",
    "WindowBytes",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "arena",
    "asm",
    "assert",
    "auto",
    "bitand",
    "bitor",
    "blocks",
    "bool",
    "break",
    "bytes",
    "case",
    "catch",
    "char",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "half",
    "if",
    "inline",
    "int",
    "kProgram",
    "linux",
    "long",
    "main",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "pipe",
    "pld",
    "poll_slot",
    "private",
    "protected",
    "public",
    "rank",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signal_slot",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "stderr",
    "stdin",
    "stdout",
    "stream",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "workspace",
    "world",
    "xor",
    "xor_eq",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of any text are identifiers, and no keywords.
    #[test]
    fn identifiers() {
        assert_eq!(identifier("shift_by_load"), "shift_by_load");
        assert_eq!(identifier("a.b-c"), "a_b_c");
        assert_eq!(identifier("0"), "_0");
        assert_eq!(identifier(""), "_");
        assert_eq!(identifier("float"), "float_");
        assert_eq!(identifier("NULL"), "NULL_");
        assert_eq!(identifier("N"), "N");
        assert_eq!(identifier("uint8_t"), "uint8_t_");
        assert_eq!(identifier("__gm__"), "v__gm__");
    }

    /// Literals keep every bit of an f32.
    #[test]
    fn floats() {
        for value in [0.0, -0.0, 1.5, 1e-45, f32::MAX, 0.1] {
            let text = float_literal(value);
            let back: f32 = text.trim_end_matches('f').parse().unwrap();
            assert_eq!(back.to_bits(), value.to_bits());
        }
        assert_eq!(float_literal(f32::NEG_INFINITY), "-__builtin_inff()");
    }
}
