//! One finding for what is one mistake: over ranks, iterations, data and numbers of ranks.

use crate::describe::list;
use crate::{Finding, Note, Severity, Site, SiteId, Skeleton};
use std::cmp::Reverse;

/// What is reported first; the rest often only follows from it.
fn order(code: u16) -> u32 {
    match code {
        208 => 0,
        209 => 1,
        205 => 2,
        206 => 3,
        204 => 4,
        _ => 5,
    }
}

/// The findings of the highest order, errors if there are any; one for each pair of operations.
pub(crate) fn foremost(mut findings: Vec<Finding>) -> Vec<Finding> {
    let sure = |finding: &Finding| finding.severity == Severity::Error;
    if findings.iter().any(sure) {
        findings.retain(sure);
    }
    let first = findings.iter().map(|finding| order(finding.code)).min();
    findings.retain(|finding| Some(order(finding.code)) == first);
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let key = |finding: &Finding| {
            (
                finding.code,
                finding.a.site,
                finding.b.as_ref().map(|b| b.site),
            )
        };
        if kept.iter().all(|old| key(old) != key(&finding)) {
            kept.push(finding);
        }
    }
    kept
}

/// An operation, over skeletons.
#[derive(PartialEq, Eq, Clone)]
pub(crate) struct Where<'a>(&'a Site, Option<SiteId>);

fn place(skeleton: &Skeleton, site: SiteId) -> Where<'_> {
    let named = &skeleton.sites[site.index()];
    Where(named, named.place.is_empty().then_some(site))
}

pub(crate) type Mistake<'a> = (u16, Where<'a>, Option<Where<'a>>);

/// What makes two findings the same mistake.
pub(crate) fn mistake<'a>(skeletons: &'a [Skeleton], finding: &Finding) -> Mistake<'a> {
    let skeleton = &skeletons[finding.skeleton];
    let b = finding.b.as_ref().map(|b| place(skeleton, b.site));
    (finding.code, place(skeleton, finding.a.site), b)
}

/// Merges what is found in the skeletons, one list each.
pub(crate) fn findings(skeletons: &[Skeleton], found: Vec<Vec<Finding>>) -> Vec<Finding> {
    let mut worlds: Vec<u32> = skeletons.iter().map(|skeleton| skeleton.world).collect();
    worlds.sort_unstable();
    worlds.dedup();
    let mut merged: Vec<Finding> = Vec::new();
    for world in worlds {
        for finding in scenarios(skeletons, world, &found) {
            let key = mistake(skeletons, &finding);
            let same = |old: &&mut Finding| mistake(skeletons, old) == key;
            match merged.iter_mut().find(same) {
                Some(old) if old.severity == finding.severity => old.also_at.push(world),
                // What is sure at more ranks is an error there.
                Some(old) if finding.severity == Severity::Error => {
                    let mut also_at = std::mem::take(&mut old.also_at);
                    also_at.insert(0, old.world);
                    *old = Finding { also_at, ..finding };
                }
                Some(old) => old.also_at.push(world),
                None => merged.push(finding),
            }
        }
    }
    merged.sort_by_key(|finding| Reverse(finding.severity == Severity::Error));
    merged
}

/// The findings at one number of ranks: sure if they are in all ways through what data decides.
fn scenarios(skeletons: &[Skeleton], world: u32, found: &[Vec<Finding>]) -> Vec<Finding> {
    let all: Vec<usize> = (0..skeletons.len())
        .filter(|&at| skeletons[at].world == world)
        .collect();
    let mut merged: Vec<(Finding, Vec<usize>)> = Vec::new();
    for &at in &all {
        for finding in &found[at] {
            let key = mistake(skeletons, finding);
            match merged
                .iter_mut()
                .find(|(old, _)| mistake(skeletons, old) == key)
            {
                Some((old, ways)) => {
                    if old.severity == Severity::Error && finding.severity != Severity::Error {
                        old.severity = finding.severity.clone();
                    }
                    ways.push(at);
                }
                None => merged.push((finding.clone(), vec![at])),
            }
        }
    }
    let sure = |(mut finding, ways): (Finding, Vec<usize>)| {
        if ways.len() < all.len() && finding.severity == Severity::Error {
            let condition = condition(&skeletons[ways[0]]);
            finding.severity = Severity::Remark { condition };
        }
        finding
    };
    merged.into_iter().map(sure).collect()
}

/// The way through what data decides, in words.
fn condition(skeleton: &Skeleton) -> String {
    let choices = skeleton.choices.iter().map(|choice| match choice.rank {
        Some(rank) => format!("{} on rank {rank}", choice.text),
        None => choice.text.clone(),
    });
    list(&choices.collect::<Vec<_>>())
}

/// Adds a note unless it is there already for another number of ranks.
pub(crate) fn note(skeletons: &[Skeleton], notes: &mut Vec<Note>, note: Note) {
    let site = |note: &Note| note.site.map(|site| place(&skeletons[note.skeleton], site));
    if notes
        .iter()
        .all(|old| old.text != note.text || site(old) != site(&note))
    {
        notes.push(note);
    }
}
