//! Types and literals in C++.

use melior::ir::{
    Type, TypeLike,
    attribute::IntegerAttribute,
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};

/// The text of an `#emitc.opaque` attribute.
pub(super) fn opaque_text(op: OperationRef, attribute: &str) -> Option<String> {
    opaque(&op.attribute(attribute).ok()?.to_string())
}

pub(super) fn opaque(printed: &str) -> Option<String> {
    let inner = printed
        .strip_prefix("#emitc.opaque<\"")?
        .strip_suffix("\">")?;
    Some(unescape(inner))
}

/// What MLIR escapes in a printed string.
pub(super) fn unescape(text: &str) -> String {
    text.replace("\\22", "\"")
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
        .replace("\\5C", "\\")
}

/// Whether values of a type are constants once defined.
pub fn is_number(r#type: Type) -> bool {
    r#type.is_integer()
        || r#type.is_f32()
        || matches!(type_text(&r#type.to_string()).as_deref(), Some("half"))
}

pub(super) fn type_text(printed: &str) -> Option<String> {
    let between = |prefix: &str| {
        printed
            .strip_prefix(prefix)?
            .strip_suffix('>')
            .map(str::to_owned)
    };
    if let Some(inner) = between("!emitc.lvalue<") {
        return type_text(&inner);
    }
    if let Some(inner) = between("!emitc.ptr<") {
        return Some(format!("{}*", type_text(&inner)?));
    }
    if let Some(inner) =
        between("!emitc.opaque<\"").and_then(|inner| inner.strip_suffix('"').map(str::to_owned))
    {
        return Some(unescape(&inner));
    }
    Some(
        match printed {
            "i1" => "bool",
            "i8" => "int8_t",
            "i16" => "int16_t",
            "i32" => "int32_t",
            "i64" | "index" => "int64_t",
            "ui8" => "uint8_t",
            "ui16" => "uint16_t",
            "ui32" => "uint32_t",
            "ui64" => "uint64_t",
            "f32" => "float",
            _ => return None,
        }
        .into(),
    )
}

/// An integer literal; narrow ones with their type, since templates look at it.
pub(super) fn integer_text(r#type: Type, value: IntegerAttribute) -> String {
    let Ok(integer) = IntegerType::try_from(r#type) else {
        return value.signed_value().to_string();
    };
    if integer.width() == 1 {
        return (value.signed_value() != 0).to_string();
    }
    let text = match value.signed_value() {
        i64::MIN => "INT64_MIN".into(),
        -2147483648 if integer.width() == 32 => "INT32_MIN".into(),
        value => value.to_string(),
    };
    match integer.width() {
        8 | 16 => format!("static_cast<int{}_t>({text})", integer.width()),
        _ => text,
    }
}
