//! 206: waits that the counts of a barrier or collective on the same signal let pass.
//!
//! How a barrier counts is its own business, so what a wait outside of it is to see must have been notified for it.

use super::{At, Case, finding};
use crate::class::Orders;
use crate::explore::{Explored, Explorer};
use crate::system::{Act, Key};
use crate::{Cmp, Finding, witness};
use rustc_hash::FxHashSet;

/// The uses of a cell that both a barrier and notifies or waits have.
#[derive(Default)]
struct Shared {
    waits: Vec<(At, Cmp, i64)>,
    /// By notifies, and by barriers.
    direct: Vec<(At, i64)>,
    met: Vec<At>,
}

/// One finding for each operation that waits; and whether some are not decided for want of states, of which `budget` are
/// left.
pub(super) fn all(case: &Case, budget: &mut usize) -> (Vec<Finding>, bool) {
    let mut sites = FxHashSet::default();
    let (mut findings, mut cut) = (Vec::new(), false);
    for (cell, uses) in shared(case).iter().enumerate() {
        let suspects = uses.waits.iter().filter(|wait| !is_sure(case, uses, wait));
        let suspects: Vec<_> = suspects.collect();
        if suspects.is_empty() {
            continue;
        }
        let mut forced = case.orders.general.clone();
        forced[cell] = true;
        let orders = Orders::new(case.system, &forced);
        let mut explorer = Explorer::new(case.system, &orders, *budget);
        for &&(wait, cmp, value) in &suspects {
            let site = case.system.skeleton.event(case.point(wait)).site;
            if sites.contains(&site) {
                continue;
            }
            let found = explorer.stand(wait, &|state| {
                let direct = sum(uses, &state.at);
                cmp.holds(state.value[cell], value) && !cmp.holds(direct, value)
            });
            cut |= found.cut;
            if let Explored {
                met: Some(trace), ..
            } = found
            {
                sites.insert(site);
                findings.extend(report(case, uses, wait, trace));
            }
        }
        *budget = explorer.budget;
    }
    (findings, cut)
}

/// By cell; empty where no barrier adds.
fn shared(case: &Case) -> Vec<Shared> {
    let mut cells: Vec<Shared> = Vec::new();
    cells.resize_with(case.system.cells.len(), Shared::default);
    for (process, line) in case.system.lines.iter().enumerate() {
        for (at, op) in line.ops.iter().enumerate() {
            let uses = &mut cells[op.act.cell() as usize];
            let at = (process, at as u32);
            match (op.act, op.meeting) {
                (Act::Wait { cmp, value, .. }, None) => uses.waits.push((at, cmp, value)),
                (Act::Add { value, .. }, None) => uses.direct.push((at, value)),
                (Act::Add { value: 1.., .. }, Some(_)) => uses.met.push(at),
                _ => {}
            }
        }
    }
    for (uses, key) in cells.iter_mut().zip(&case.system.cells) {
        if uses.met.is_empty() || !matches!(key, Key::Cell(_)) {
            *uses = Shared::default();
        }
    }
    cells
}

/// Whether, wherever a barrier can have added, enough was notified before.
fn is_sure(case: &Case, uses: &Shared, &(wait, cmp, value): &(At, Cmp, i64)) -> bool {
    let frontiers = &case.orders.frontiers;
    let held = frontiers.held(wait.0, wait.1);
    let is_before = |add: At, other: At| match add.0 == other.0 {
        true => add.1 < other.1,
        false => frontiers.before(add, other),
    };
    let own = |add: At| add.0 == wait.0 && add.1 < wait.1;
    let mut credits = uses.met.iter().filter(|met| met.1 < held[met.0]);
    matches!(cmp, Cmp::Ge | Cmp::Gt)
        && credits.all(|&met| {
            let sure = uses.direct.iter().filter(|&&(add, value)| match value < 0 {
                true => own(add) || (add.0 != wait.0 && add.1 < held[add.0]),
                false => own(add) || is_before(add, met),
            });
            let sure = sure.fold(0_i64, |sum, (_, value)| sum.saturating_add(*value));
            cmp.holds(sure, value)
        })
}

/// What notifies have added when everybody is so far.
fn sum(uses: &Shared, at: &[u32]) -> i64 {
    let done = uses
        .direct
        .iter()
        .filter(|((process, op), _)| *op < at[*process]);
    done.fold(0, |sum, (_, value)| sum.saturating_add(*value))
}

fn report(case: &Case, uses: &Shared, wait: At, mut trace: Vec<u32>) -> Option<Finding> {
    let skeleton = case.system.skeleton;
    let mut at = vec![0_u32; case.system.lines.len()];
    trace.iter().for_each(|&process| at[process as usize] += 1);
    let by = uses
        .met
        .iter()
        .rfind(|met| met.0 != wait.0 && met.1 < at[met.0])?;
    let (a, b) = (
        skeleton.side(case.point(wait)),
        skeleton.side(case.point(*by)),
    );
    let (who, other) = (skeleton.who(wait.0), skeleton.who(by.0));
    let text = format!(
        "{who} {}, and {other} {} on the same signal: a count of that can let the wait pass",
        a.does, b.does
    );
    let missing = "a signal of its own for what only some ranks wait for".to_string();
    trace.push(wait.0 as u32);
    let mut found = finding(case.system, 206, a, text, missing);
    found.b = Some(b);
    (found.schedule, found.table) = witness::show(case.system, &trace, &[]);
    Some(found)
}
