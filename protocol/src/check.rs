//! From skeletons to the report.

use crate::rules::{Verdict, judge, outside};
use crate::system::{System, Variant};
use crate::{Figures, Finding, Limits, Note, Report, Severity, Site, Skeleton, What, mend, merge};

/// Checks all skeletons of one program: one for each number of ranks and, where data decides
/// branches that hold signals, for each way through them.
///
/// Sites of two skeletons are the same operation where their [`Site`]s are equal and name a place.
/// Findings of the least world size come first, errors before remarks.
pub fn check(skeletons: &[Skeleton], limits: &Limits) -> Report {
    let mut report = find(skeletons, limits);
    let cost = (report.figures.steps + report.figures.states).saturating_mul(mend::COST);
    if cost <= limits.steps {
        let again = |edited: &[Skeleton]| {
            let again = find(edited, limits);
            (!again.incomplete || report.incomplete).then_some(again.findings)
        };
        let mut findings = std::mem::take(&mut report.findings);
        mend::propose(skeletons, &mut findings, again);
        report.findings = findings;
    }
    report
}

/// The same without mends.
pub fn find(skeletons: &[Skeleton], limits: &Limits) -> Report {
    let mut report = Report::default();
    let mut findings = Vec::new();
    for (at, skeleton) in skeletons.iter().enumerate() {
        let (mut found, notes) = examine(at, skeleton, limits, &mut report.figures);
        found.iter_mut().for_each(|finding| finding.skeleton = at);
        findings.push(found);
        for note in notes {
            merge::note(skeletons, &mut report.notes, note);
        }
    }
    report.findings = merge::findings(skeletons, findings);
    report.incomplete = report.notes.iter().any(|note| note.incomplete);
    report
}

/// The findings of one skeleton, of one precedence.
fn examine(
    at: usize,
    skeleton: &Skeleton,
    limits: &Limits,
    figures: &mut Figures,
) -> (Vec<Finding>, Vec<Note>) {
    let note = |site, text: &str, incomplete| Note {
        skeleton: at,
        world: skeleton.world,
        site,
        text: text.to_string(),
        incomplete,
    };
    let remarks = skeleton.remarks.iter();
    let mut notes: Vec<Note> = remarks
        .map(|remark| note(Some(remark.site), &remark.text, remark.incomplete))
        .collect();
    let events = skeleton
        .processes
        .iter()
        .flat_map(|process| &process.events);
    let accesses = events
        .clone()
        .filter(|event| matches!(event.what, What::Access { .. }))
        .count();
    figures.skeletons += 1;
    figures.accesses += accesses as u64;
    figures.signals += events.count() as u64 - accesses as u64;
    let peers = outside(skeleton);
    if !peers.is_empty() {
        return (peers, notes);
    }
    let mut judged = |variant, both| {
        let system = System::new(skeleton, variant);
        let verdict = judge(&system, limits, both && variant == Variant::Least);
        figures.steps += verdict.steps;
        figures.states += verdict.states;
        for text in &verdict.undecided {
            notes.push(note(None, text, true));
        }
        (system.uncertain, verdict)
    };
    let uncertain = System::new(skeleton, Variant::Least).uncertain;
    let (_, least) = judged(Variant::Least, uncertain);
    let findings = match uncertain {
        false => least.findings,
        true => {
            let (_, most) = judged(Variant::Most, uncertain);
            both(skeleton, least, most)
        }
    };
    (merge::foremost(findings), notes)
}

/// What holds for all data: races that the fewest notifies bring about (more only let more
/// happen), and deadlocks that the most do not prevent. The rest needs certain data.
fn both(skeleton: &Skeleton, least: Verdict, most: Verdict) -> Vec<Finding> {
    let race = |finding: &Finding| matches!(finding.code, 201 | 202 | 203 | 207);
    let rule = |finding: &Finding| finding.code == 206;
    let site = |site: crate::SiteId| -> &Site { &skeleton.sites[site.index()] };
    let mut findings: Vec<Finding> = Vec::new();
    let mut add = |finding: Finding, condition: Option<&str>| {
        let same = |old: &Finding| {
            old.code == finding.code
                && old.a.site == finding.a.site
                && site(old.a.site) == site(finding.a.site)
        };
        if findings.iter().any(same) {
            return;
        }
        let severity = match condition {
            Some(condition) if finding.severity == Severity::Error => Severity::Remark {
                condition: condition.to_string(),
            },
            _ => finding.severity.clone(),
        };
        findings.push(Finding {
            severity,
            ..finding
        });
    };
    let (least_races, least_rest): (Vec<_>, Vec<_>) = least
        .findings
        .into_iter()
        .partition(|finding| race(finding) || rule(finding));
    let (most_races, most_rest): (Vec<_>, Vec<_>) = most.findings.into_iter().partition(race);
    least_races
        .into_iter()
        .for_each(|finding| add(finding, None));
    most_rest.into_iter().for_each(|finding| add(finding, None));
    for finding in least_rest {
        add(
            finding,
            Some("data keeps notifies from happening, or makes them small"),
        );
    }
    for finding in most_races {
        add(
            finding,
            Some("data makes notifies happen, or makes them large"),
        );
    }
    findings
}
