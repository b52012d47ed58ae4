//! Attributes, by name and by what they hold.

use super::ffi::{array, pldDenseI64ArrayGet, pldOperandSegmentsGet, string_ref, text_of};
use melior::ir::{
    Attribute,
    attribute::AttributeLike,
    operation::{OperationLike, OperationRef},
};

/// The elements of a dense i64 array attribute; `None` for any other attribute.
pub(crate) fn integers<'c>(attribute: Attribute<'c>) -> Option<&'c [i64]> {
    // SAFETY: the attribute is alive, and its elements belong to the context.
    unsafe { array(|elements| pldDenseI64ArrayGet(attribute.to_raw(), elements)) }
}

/// How many operands each segment of an operation of ours has; `None` for one without
/// segments. Not to be kept when the operation changes.
pub(crate) fn operand_segments<'a>(op: OperationRef<'_, 'a>) -> Option<&'a [i32]> {
    // SAFETY: the operation is alive, and owns the sizes.
    unsafe { array(|sizes| pldOperandSegmentsGet(op.to_raw(), sizes)) }
}

/// The text of a string attribute; `None` for any other attribute.
pub fn string_value<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, a string where it is asked for its text, and owned by
    // the context.
    unsafe {
        mlir_sys::mlirAttributeIsAString(raw)
            .then(|| text_of(mlir_sys::mlirStringAttrGetValue(raw)))
    }
}

/// The name in a flat symbol reference; `None` for any other attribute.
pub fn symbol_value<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive, a flat symbol reference where it is asked for its
    // name, and owned by the context.
    unsafe {
        mlir_sys::mlirAttributeIsAFlatSymbolRef(raw)
            .then(|| text_of(mlir_sys::mlirFlatSymbolRefAttrGetValue(raw)))
    }
}

/// An attribute of an operation, inherent or not.
///
/// `OperationLike::attribute` allocates an error where there is none.
pub(crate) fn attribute<'c: 'a, 'a>(
    op: &impl OperationLike<'c, 'a>,
    name: &str,
) -> Option<Attribute<'c>> {
    // SAFETY: the operation is alive; the attribute belongs to the context.
    unsafe {
        Attribute::from_option_raw(mlir_sys::mlirOperationGetAttributeByName(
            op.to_raw(),
            string_ref(name),
        ))
    }
}

/// As [`attribute`], of those only that an operation has besides its inherent ones.
pub(crate) fn discardable_attribute<'c: 'a, 'a>(
    op: &impl OperationLike<'c, 'a>,
    name: &str,
) -> Option<Attribute<'c>> {
    // SAFETY: as above.
    unsafe {
        Attribute::from_option_raw(mlir_sys::mlirOperationGetDiscardableAttributeByName(
            op.to_raw(),
            string_ref(name),
        ))
    }
}

/// Sets an attribute of an operation, or replaces it.
pub fn set_attribute<'c>(op: OperationRef<'c, '_>, name: &str, attribute: Attribute<'c>) {
    // SAFETY: operation, name and attribute are alive.
    unsafe {
        mlir_sys::mlirOperationSetAttributeByName(
            op.to_raw(),
            string_ref(name),
            attribute.to_raw(),
        );
    }
}

/// Removes an attribute of an operation, if it has it.
pub fn remove_attribute(op: OperationRef, name: &str) {
    // SAFETY: operation and name are alive.
    unsafe { mlir_sys::mlirOperationRemoveAttributeByName(op.to_raw(), string_ref(name)) };
}
