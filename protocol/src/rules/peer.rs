//! 208: a peer outside of its group.

use super::finding;
use crate::describe::{range, ranks};
use crate::system::{System, Variant};
use crate::{Finding, Skeleton, What};

/// Peers that are out of range for all data.
pub(crate) fn outside(skeleton: &Skeleton) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (process, line) in skeleton.processes.iter().enumerate() {
        for (at, event) in line.events.iter().enumerate() {
            let What::Outside { lo, hi, size } = event.what else {
                continue;
            };
            let op = &skeleton.sites[event.site.index()].op;
            let text = format!(
                "'{op}' on {} names peer {}, but the group has ranks 0..{size}",
                ranks(&[line.rank]),
                range(lo, hi)
            );
            let missing =
                "a peer has to lie in [0, nranks); '%', as `arith.remsi`, keeps the sign of \
                           its first operand: add nranks before it"
                    .to_string();
            let system = System::new(skeleton, Variant::Least);
            findings.push(finding(
                &system,
                208,
                skeleton.side((process, at)),
                text,
                missing,
            ));
        }
    }
    findings
}
