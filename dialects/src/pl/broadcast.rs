//! `pl.row_expand*` and `pl.col_expand*`: verifier.

use crate::{
    shape::{self, Class, expect_class, expect_element, expect_shape},
    view,
};
use melior::ir::operation::OperationRef;

/// # Verification
///
/// - elements are numbers (105), equal in all operands and the result (105)
/// - the vector is a column of the rows, or a row of the columns (104)
pub(crate) fn verify(op: OperationRef) -> bool {
    let name = view::name(&op);
    let plain = name.ends_with("_expand");
    let vector = shape::operand(op, usize::from(!plain));
    let (Some(vector), Some(whole)) = (vector, shape::result(op)) else {
        return false;
    };
    let rows = name.starts_with("pl.row_");
    let expected = if rows {
        [whole.shape[0], 1]
    } else {
        [1, whole.shape[1]]
    };
    let mend = if rows {
        "along rows goes a column, one value per row"
    } else {
        "along columns goes a row, one value per column"
    };
    expect_class(op, "result", &whole, Class::Number)
        & expect_element(
            op,
            "vector",
            &vector,
            whole.element_type,
            "convert it with pl.cast",
        )
        & expect_shape(op, "vector", &vector, &expected, mend)
}
