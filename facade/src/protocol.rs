//! The protocol check before a run: of its size, with its scalars and extents.

use crate::bind::Value;
use crate::diagnostic::{Diagnostic, Error, Severity};
use crate::entry::Entry;
use crate::simulate::Simulation;
use pld_passes::check_protocol::{Known, Request};

/// More ranks than these are not checked.
pub(crate) const MOST_RANKS: usize = 64;

impl Simulation<'_> {
    /// Checks the entry, if that is wanted, and returns remarks.
    pub(crate) fn check_protocol(
        &self,
        entry: &Entry,
        values: &[Value],
    ) -> Result<Vec<Diagnostic>, Error> {
        if !self.protocol {
            return Ok(Vec::new());
        }
        if self.world > MOST_RANKS {
            let message = format!(
                "the protocol is not checked: the run has {} ranks, the check takes up to {MOST_RANKS}",
                self.world
            );
            let mut skipped = Diagnostic::error(None, message);
            skipped.severity = Severity::Remark;
            return Ok(vec![skipped]);
        }
        let request = Request {
            entry: entry.name.clone(),
            sizes: vec![self.world as u32],
            known: known(entry, values),
            ..Request::default()
        };
        self.program.check_request(&request)
    }
}

/// What the values of arguments say of the program.
fn known(entry: &Entry, values: &[Value]) -> Known {
    let mut known = Known::default();
    for (index, (argument, value)) in entry.arguments.iter().zip(values).enumerate() {
        match value {
            Value::Scalar(bits) if !argument.element.is_float() => {
                let unused = 64 - 8 * argument.element.bytes() as u32;
                let value = (*bits as i64) << unused >> unused;
                known.scalars.insert(index, value);
            }
            Value::Scalar(_) => {}
            Value::Array(array) => {
                let extents = array.shape().iter().enumerate();
                known.extents.extend(
                    extents.filter_map(|(dim, &n)| Some(((index, dim), i64::try_from(n).ok()?))),
                );
            }
        }
    }
    known
}
