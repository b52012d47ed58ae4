//! Window buffers and windows.

use super::{Mixed, integers, is, mixed};
use crate::bridge;
use melior::ir::{
    Type,
    operation::{OperationLike, OperationRef},
};

/// `pld.alloc_window_buffer SIZES of ELEMENT`.
#[derive(Clone, Debug)]
pub struct AllocWindowBuffer<'c, 'a> {
    /// Extents in elements.
    pub sizes: Vec<Mixed<'c, 'a>>,
    /// Element type.
    pub element_type: Type<'c>,
    /// World ranks of the group; all ranks if absent.
    pub ranks: Option<Vec<i64>>,
}

impl<'c, 'a> AllocWindowBuffer<'c, 'a> {
    /// The view of `op`, if it allocates a window buffer.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        if !is(&op, "pld.alloc_window_buffer") {
            return None;
        }
        let element_type = bridge::attribute(&op, "element_type")?;
        Some(Self {
            sizes: mixed(op, "static_sizes", 0..op.operand_count())?,
            element_type: melior::ir::attribute::TypeAttribute::try_from(element_type)
                .ok()?
                .value(),
            ranks: integers(&op, "ranks"),
        })
    }

    /// Bytes of data, if all sizes are static.
    pub fn static_bytes(&self) -> Option<i64> {
        let element = crate::types::Element::of(self.element_type)?;
        self.sizes
            .iter()
            .try_fold(element.bytes(), |product, size| {
                product.checked_mul(size.as_static()?)
            })
    }

    /// Bytes of the tail, if the group is stated.
    pub fn tail_bytes(&self) -> Option<i64> {
        let ranks = i64::try_from(self.ranks.as_ref()?.len()).ok()?;
        ranks.checked_mul(crate::pld::TAIL_LINE)
    }
}

/// Whether a `pld.window` views its buffer's tail.
pub fn is_tail<'c: 'a, 'a>(window: &OperationRef<'c, 'a>) -> bool {
    bridge::attribute(window, "tail").is_some()
}
