//! The check decides what plain search over all interleavings finds: races exactly, deadlocks,
//! overwritten arrivals.

use super::brute::{self, Truth};
use super::random::{Style, skeleton};
use crate::rules::judge;
use crate::system::{System, Variant};
use crate::{Finding, Limits, Side, SiteId, Skeleton};
use fastrand::Rng;
use std::collections::BTreeSet;

/// How many random skeletons of each style.
fn cases() -> u64 {
    let cases = std::env::var("PLD_PROTOCOL_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(1500)
}

/// The event of a side; each event is an operation of its own here.
fn point(skeleton: &Skeleton, side: &Side) -> brute::Point {
    let process = side.process as usize;
    let events = &skeleton.processes[process].events;
    (
        process,
        events
            .iter()
            .position(|event| event.site == side.site)
            .unwrap(),
    )
}

fn pair(skeleton: &Skeleton, finding: &Finding) -> Option<(brute::Point, brute::Point)> {
    let (a, b) = match finding.code {
        201..=203 => (&finding.a, finding.b.as_ref().unwrap()),
        207 => (&finding.more[0], &finding.more[1]),
        _ => return None,
    };
    let (a, b) = (point(skeleton, a), point(skeleton, b));
    Some((a.min(b), a.max(b)))
}

/// The operations that race, as the check says.
pub(crate) fn claimed_pairs(skeleton: &Skeleton) -> BTreeSet<(SiteId, SiteId)> {
    let system = System::new(skeleton, Variant::Least);
    let verdict = judge(&system, &Limits::default(), true);
    let site = |(process, event): brute::Point| skeleton.processes[process].events[event].site;
    let pairs = verdict
        .findings
        .iter()
        .filter_map(|finding| pair(skeleton, finding));
    pairs.map(|(a, b)| (site(a), site(b))).collect()
}

/// What the check says, in the oracle's terms.
pub(crate) fn claim(skeleton: &Skeleton) -> Truth {
    let system = System::new(skeleton, Variant::Least);
    let verdict = judge(&system, &Limits::default(), true);
    assert!(verdict.undecided.is_empty(), "{:?}", verdict.undecided);
    let of = |codes: &[u16]| {
        verdict
            .findings
            .iter()
            .any(|finding| codes.contains(&finding.code))
    };
    let missed = |finding: &&Finding| finding.text.contains("can overwrite");
    Truth {
        races: verdict
            .findings
            .iter()
            .filter_map(|finding| pair(skeleton, finding))
            .collect(),
        deadlock: of(&[204, 209])
            || verdict
                .findings
                .iter()
                .any(|f| f.code == 205 && !f.stuck.is_empty()),
        overwrite: verdict.findings.iter().filter(missed).count() > 0,
    }
}

/// A case in which the check and the search differ, if there is one.
pub(crate) fn difference(style: Style, cases: u64) -> Option<String> {
    let (mut racing, mut dead, mut searched) = (0, 0, 0);
    for seed in 0..cases {
        let skeleton = skeleton(&mut Rng::with_seed(seed), style);
        let Some(mut truth) = brute::search(&skeleton, 30_000) else {
            continue;
        };
        searched += 1;
        racing += u64::from(!truth.races.is_empty());
        dead += u64::from(truth.deadlock);
        let mut claim = claim(&skeleton);
        // Where adds and sets are mixed the rule says so already.
        if mixed(&skeleton) {
            truth.overwrite = false;
            claim.overwrite = false;
        }
        if truth != claim {
            let events: Vec<_> = skeleton
                .processes
                .iter()
                .map(|p| {
                    let events: Vec<_> = p
                        .events
                        .iter()
                        .map(|event| format!("{:?}", event.what))
                        .collect();
                    format!("rank {}:\n  {}", p.rank, events.join("\n  "))
                })
                .collect();
            return Some(format!(
                "seed {seed}\n{}\ntruth {truth:?}\nclaim {claim:?}",
                events.join("\n")
            ));
        }
    }
    if std::env::var_os("PLD_PROTOCOL_CASES").is_some() {
        println!("{style:?}: {searched} searched, {racing} race, {dead} end in deadlock");
    }
    // The cases are worth something only if all kinds are among them.
    assert!(
        searched > cases * 9 / 10,
        "{style:?}: {searched} of {cases} searched"
    );
    assert!(
        racing * 20 > searched,
        "{style:?}: {racing} of {searched} race"
    );
    assert!(
        dead * 20 > searched && dead * 10 < searched * 9,
        "{style:?}: {dead} of {searched} end in deadlock"
    );
    None
}

fn mixed(skeleton: &Skeleton) -> bool {
    let cells = |set: bool| -> BTreeSet<crate::Cell> {
        let events = skeleton.processes.iter().flat_map(|p| &p.events);
        let cells = events.filter_map(move |event| match event.what {
            crate::What::Add { cell, .. } if !set => Some(cell),
            crate::What::Set { cell, .. } if set => Some(cell),
            _ => None,
        });
        cells.collect()
    };
    cells(true).intersection(&cells(false)).next().is_some()
}

fn agrees(style: Style) {
    if let Some(difference) = difference(style, cases()) {
        panic!("{style:?}: {difference}");
    }
}

#[test]
fn monotone_protocols_agree_with_plain_search() {
    agrees(Style::Monotone);
}

#[test]
fn idioms_agree_with_plain_search() {
    agrees(Style::Idioms);
}

#[test]
fn general_protocols_agree_with_plain_search() {
    agrees(Style::General);
}

#[test]
fn flags_agree_with_plain_search() {
    agrees(Style::Flag);
}
