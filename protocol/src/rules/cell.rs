//! 206: cells that are both added to and set, and sets that overwrite an unread arrival.

use super::{Case, finding};
use crate::explore::Overwrite;
use crate::system::Act;
use crate::{Finding, witness};

/// Cells that are both set and added to; barriers and collectives add.
pub(super) fn mixed(case: &Case) -> Vec<Finding> {
    let skeleton = case.system.skeleton;
    let cells = case.system.cells.len();
    let (mut adds, mut sets) = (vec![None; cells], vec![None; cells]);
    for (process, line) in case.system.lines.iter().enumerate() {
        for op in &line.ops {
            let first = match op.act {
                Act::Add { cell, .. } => &mut adds[cell as usize],
                Act::Set { cell, .. } => &mut sets[cell as usize],
                Act::Wait { .. } => continue,
            };
            first.get_or_insert((process, op.event as usize));
        }
    }
    let both = adds
        .into_iter()
        .zip(sets)
        .filter_map(|(add, set)| Some((add?, set?)));
    let findings = both.map(|(add, set)| {
        let (add, set) = (skeleton.side(add), skeleton.side(set));
        let text = format!(
            "{} {}, but {} {}: a cell is either added to or set",
            skeleton.who(set.process as usize),
            set.does,
            skeleton.who(add.process as usize),
            add.does
        );
        let missing = "a cell for each, or one kind of notify".to_string();
        let mut found = finding(case.system, 206, set, text, missing);
        found.b = Some(add);
        found
    });
    findings.collect()
}

/// A set that can overwrite what its owner has not seen.
pub(super) fn overwritten(case: &Case, found: &Overwrite) -> Finding {
    let skeleton = case.system.skeleton;
    let later = skeleton.side(case.point(found.later));
    let earlier = skeleton.side(case.point(found.earlier));
    let (first, second) = (
        skeleton.who(earlier.process as usize),
        skeleton.who(later.process as usize),
    );
    let text = format!(
        "{second} {}, which can overwrite what {first} set there before it has been waited for",
        later.does
    );
    let missing = format!(
        "a cell for each sender, `add`, or a wait of {second} for word that what {first} set has been read"
    );
    let mut finding = finding(case.system, 206, later, text, missing);
    finding.b = Some(earlier);
    (finding.schedule, finding.table) = witness::show(case.system, &found.trace, &[]);
    finding
}
