//! Where data decides: an error holds whatever it decides, and nothing that it can bring about
//! goes unsaid.

use super::brute;
use super::random::{Style, skeleton};
use crate::*;
use fastrand::Rng;

/// The skeletons that a skeleton with notifies that may happen stands for.
fn choices(skeleton: &Skeleton) -> Vec<Skeleton> {
    let mut all = vec![skeleton.clone()];
    for process in 0..skeleton.processes.len() {
        for at in (0..skeleton.processes[process].events.len()).rev() {
            if !skeleton.processes[process].events[at].may {
                continue;
            }
            all = all
                .into_iter()
                .flat_map(|with| {
                    let (mut with, mut without) = (with.clone(), with);
                    with.processes[process].events[at].may = false;
                    without.processes[process].events.remove(at);
                    [with, without]
                })
                .collect();
        }
    }
    all
}

#[test]
fn errors_hold_for_all_data_and_silence_too() {
    let (mut sure, mut unsure, mut clean) = (0, 0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::with_seed(seed);
        let mut skeleton = skeleton(&mut rng, Style::Monotone);
        let mut left = 3;
        for event in skeleton
            .processes
            .iter_mut()
            .flat_map(|process| &mut process.events)
        {
            if matches!(event.what, What::Add { .. }) && left > 0 && rng.bool() {
                event.may = true;
                left -= 1;
            }
        }
        if left == 3 {
            continue;
        }
        let report = check(std::slice::from_ref(&skeleton), &Limits::default());
        let choices = choices(&skeleton);
        let truths: Option<Vec<_>> = choices
            .iter()
            .map(|choice| brute::search(choice, 30_000))
            .collect();
        let Some(truths) = truths else { continue };
        let errors: Vec<&Finding> = report
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .collect();
        for finding in &errors {
            for (truth, choice) in truths.iter().zip(&choices) {
                let site =
                    |(process, event): brute::Point| choice.processes[process].events[event].site;
                let sides = match finding.code {
                    204 | 205 => {
                        assert!(truth.deadlock, "seed {seed}: {}", finding.text);
                        continue;
                    }
                    207 => (finding.more[0].site, finding.more[1].site),
                    _ => (finding.a.site, finding.b.as_ref().unwrap().site),
                };
                let races = |&(a, b): &(brute::Point, brute::Point)| {
                    (site(a), site(b)) == sides || (site(b), site(a)) == sides
                };
                assert!(
                    truth.races.iter().any(races),
                    "seed {seed}: {}",
                    finding.text
                );
            }
        }
        let right = truths
            .iter()
            .all(|truth| truth.races.is_empty() && !truth.deadlock);
        assert_eq!(report.findings.is_empty(), right, "seed {seed}");
        match (report.findings.is_empty(), errors.is_empty()) {
            (true, _) => clean += 1,
            (_, true) => unsure += 1,
            _ => sure += 1,
        }
    }
    assert!(
        sure > 20 && unsure > 20 && clean > 20,
        "{sure} {unsure} {clean}"
    );
}
