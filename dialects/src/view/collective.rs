//! Collectives.

use super::name;
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};

/// A collective: what it moves and the signal it synchronises by.
#[derive(Clone, Debug)]
pub struct Collective<'c, 'a> {
    /// The window or array that is read; the data in place.
    pub source: Value<'c, 'a>,
    /// The window that is written, if it is another one.
    pub destination: Option<Value<'c, 'a>>,
    /// The signal; absent on the host if the window's tail serves.
    pub signal: Option<Value<'c, 'a>>,
    /// Send and receive counts of an all-to-all-v.
    pub counts: Option<(Value<'c, 'a>, Value<'c, 'a>)>,
}

impl<'c, 'a> Collective<'c, 'a> {
    /// The view of `op`, if it is a collective other than a barrier.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let operand = |index| op.operand(index).ok();
        let (has_destination, has_counts) = match name(&op) {
            "pld.allreduce" | "pld.broadcast" | "pld.reduce_scatter" => (false, false),
            "pld.allgather" | "pld.all_to_all" => (true, false),
            "pld.all_to_all_v" => (true, true),
            _ => return None,
        };
        let fixed = 1 + usize::from(has_destination) + 2 * usize::from(has_counts);
        let count = op.operand_count();
        let has_signal = count == fixed + 1;
        if count != fixed && !has_signal {
            return None;
        }
        let signal_index = 1 + usize::from(has_destination);
        Some(Self {
            source: operand(0)?,
            destination: if has_destination {
                Some(operand(1)?)
            } else {
                None
            },
            signal: if has_signal {
                Some(operand(signal_index)?)
            } else {
                None
            },
            counts: if has_counts {
                Some((operand(count - 2)?, operand(count - 1)?))
            } else {
                None
            },
        })
    }
}
