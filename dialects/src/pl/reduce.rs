//! `pl.row_*` and `pl.col_*` reductions: verifier.

use crate::{
    shape::{self, Class, expect_class, expect_element, expect_shape},
    view,
};
use melior::ir::operation::OperationRef;

/// # Verification
///
/// - elements are numbers (105), equal in operand and result (105)
/// - the reduced dim has extent 1 in the result, the other is kept (104)
pub(crate) fn verify(op: OperationRef) -> bool {
    let (Some(source), Some(result)) = (shape::operand(op, 0), shape::result(op)) else {
        return false;
    };
    let rows = view::name(&op).starts_with("pl.row_");
    let expected = if rows {
        [source.shape[0], 1]
    } else {
        [1, source.shape[1]]
    };
    let mend = if rows {
        "a row reduction leaves a column"
    } else {
        "a column reduction leaves a row"
    };
    expect_class(op, "operand", &source, Class::Number)
        & expect_element(
            op,
            "result",
            &result,
            source.element_type,
            "reduce, then convert with pl.cast",
        )
        & expect_shape(op, "result", &result, &expected, mend)
}
