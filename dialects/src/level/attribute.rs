//! Attributes of ours on functions, arguments and results.

use super::{Kind, LEVEL_RULE, arg_attribute_of, body, function_kind, signature};
use crate::{diag, view};
use melior::ir::{
    Attribute, TypeLike,
    attribute::{
        AttributeLike, DenseI64ArrayAttribute, FlatSymbolRefAttribute, FloatAttribute,
        StringAttribute,
    },
    operation::{OperationLike, OperationRef},
};

/// Attributes that passes of ours set and later ones read.
const INTERNAL: &[&str] = &[
    crate::pld::FROM,
    crate::pld::REFUSED,
    crate::pld::SITES,
    crate::pld::BYTES,
    crate::pld::OFFSET,
    crate::pl::TENSORS,
    crate::pl::UB,
    crate::pl::EFFECTS,
    crate::pl::NAME,
    crate::pl::SOURCE,
];

/// Attributes of a `func.func`.
const OF_FUNCTIONS: &[&str] = &[
    "pl.host",
    "pl.device",
    "pl.incore",
    "pl.golden",
    "pl.rtol",
    "pl.atol",
    "pld.world_sizes",
];

/// Directions of an argument.
const DIRECTIONS: [&str; 3] = ["pl.in", "pl.out", "pl.inout"];

/// Checks a discardable `pl.` or `pld.` attribute of an operation (103).
pub(crate) fn op_attribute(op: OperationRef, name: &str, attribute: Attribute) -> bool {
    let refuse = |message: String, mend: &str| {
        diag::error(&op, LEVEL_RULE, message).note(mend).emit();
        false
    };
    if INTERNAL.contains(&name) {
        return true;
    }
    if !OF_FUNCTIONS.contains(&name) {
        return refuse(
            format!("has the unknown attribute '{name}'"),
            &format!("known: {}", OF_FUNCTIONS.join(", ")),
        );
    }
    if !view::is(&op, "func.func") {
        return refuse(
            format!("has the attribute '{name}', expected it on func.func only"),
            "remove it",
        );
    }
    of_function(op, name, attribute, &refuse)
}

/// Checks a known attribute of a `func.func`.
fn of_function(
    op: OperationRef,
    name: &str,
    attribute: Attribute,
    refuse: &dyn Fn(String, &str) -> bool,
) -> bool {
    match name {
        "pl.golden"
            if !attribute.is_unit() && FlatSymbolRefAttribute::try_from(attribute).is_err() =>
        {
            refuse(
                format!(
                    "attribute '{name}' is {attribute}, expected no value or the entry's @name"
                ),
                "write pl.golden or pl.golden = @entry",
            )
        }
        "pl.golden" if function_kind(&op).is_some() => refuse(
            format!("has the attribute '{name}', expected it on a function without a kind"),
            "write the golden as a function of its own, in upstream operations",
        ),
        "pl.golden" => true,
        "pl.rtol" | "pl.atol" if FloatAttribute::try_from(attribute).is_err() => refuse(
            format!("attribute '{name}' is {attribute}, expected a float"),
            "write for example pl.rtol = 1.0e-5",
        ),
        "pl.rtol" | "pl.atol" => true,
        "pld.world_sizes" => {
            let sizes = DenseI64ArrayAttribute::try_from(attribute);
            let fine = sizes.is_ok_and(|sizes| {
                !sizes.is_empty()
                    && (0..sizes.len()).all(|i| sizes.element(i).is_ok_and(|size| size > 0))
            });
            let fine = fine
                || refuse(
                    format!(
                        "attribute '{name}' is {attribute}, expected world sizes of at least 1"
                    ),
                    "write for example pld.world_sizes = array<i64: 2, 4>",
                );
            let on_host = function_kind(&op) == Some(Kind::Host)
                || refuse(
                    format!("has the attribute '{name}', expected it on a pl.host function"),
                    "move it there",
                );
            fine && on_host
        }
        _ if !attribute.is_unit() => refuse(
            format!("attribute '{name}' is {attribute}, expected no value"),
            "write the name alone",
        ),
        _ => {
            let kinds: Vec<_> = Kind::ALL
                .into_iter()
                .filter(|kind| op.has_attribute(kind.attribute()))
                .collect();
            if kinds.len() > 1 {
                // Reported once, for the first of them.
                return kinds[0].attribute() != name
                    || refuse(
                        format!("is both {} and {}", kinds[0], kinds[1]),
                        "keep one kind",
                    );
            }
            body::verify(op, kinds[0])
        }
    }
}

/// Checks a `pl.` or `pld.` attribute of a function argument (103).
pub(crate) fn arg_attribute(
    op: OperationRef,
    argument: usize,
    name: &str,
    attribute: Attribute,
) -> bool {
    let refuse = |message: String, mend: &str| {
        diag::error(&op, LEVEL_RULE, format!("argument #{argument} {message}"))
            .note(mend)
            .emit();
        false
    };
    if INTERNAL.contains(&name) {
        return true;
    }
    if name == "pl.arg" {
        return StringAttribute::try_from(attribute).is_ok()
            || refuse(
                format!("has pl.arg = {attribute}, expected a string"),
                "write for example pl.arg = \"ramp\"",
            );
    }
    if !DIRECTIONS.contains(&name) {
        return refuse(
            format!("has the unknown attribute '{name}'"),
            "known: pl.in, pl.out, pl.inout, pl.arg",
        );
    }
    if !attribute.is_unit() {
        return refuse(
            format!("has {name} = {attribute}, expected no value"),
            "write the name alone",
        );
    }
    let r#type = signature(&op).and_then(|signature| signature.input(argument).ok());
    if !r#type.is_some_and(|r#type| r#type.is_mem_ref()) {
        return refuse(
            format!("is {name}, expected a direction on a memref only"),
            "remove it",
        );
    }
    let given: Vec<_> = DIRECTIONS
        .into_iter()
        .filter(|&name| arg_attribute_of(&op, argument, name).is_some())
        .collect();
    given.len() == 1
        || given.first() != Some(&name)
        || refuse(
            format!("is both {} and {}", given[0], given[1]),
            "keep one direction",
        )
}

/// Refuses a `pl.` or `pld.` attribute of a function result: there is none (103).
pub(crate) fn result_attribute(op: OperationRef, result: usize, name: &str) -> bool {
    diag::error(
        &op,
        LEVEL_RULE,
        format!("result #{result} has the unknown attribute '{name}'"),
    )
    .note("attributes of ours stand on functions and arguments: remove it")
    .emit();
    false
}
