//! Each rule of the verifiers and of the lint is broken by lit tests in several ways.

use pld_suite::files_below;
use std::collections::{BTreeMap, BTreeSet};

/// The rules that verifiers and lint find.
const CODES: std::ops::RangeInclusive<u16> = 101..=113;
/// How many programs break each, at least.
const LEAST: usize = 3;

/// The codes of the findings that a lit test expects, and the operation each is of.
fn expected(text: &str) -> Vec<(u16, Option<String>)> {
    let finding = |line: &str| {
        let (_, rest) = line
            .split_once("expected-error")
            .or_else(|| line.split_once("expected-warning"))?;
        let (_, message) = rest.split_once("{{")?;
        let (_, code) = message.rsplit_once("[pld-")?;
        let code = code.get(..3)?.parse().ok()?;
        let operation = message
            .strip_prefix('\'')
            .and_then(|rest| rest.split_once('\''));
        Some((code, operation.map(|(name, _)| name.to_owned())))
    };
    text.lines().filter_map(finding).collect()
}

/// Tests of verifiers end in `-invalid`; those of the lint are its own.
fn programs() -> Vec<String> {
    files_below("test/lit", "mlir")
        .into_iter()
        .filter(|file| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            name.ends_with("-invalid") || name.starts_with("lint")
        })
        .map(|file| std::fs::read_to_string(file).expect("a readable test"))
        .flat_map(|text| {
            text.split("// -----")
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_rule_is_broken_in_several_ways() {
    let mut breaking: BTreeMap<u16, usize> = BTreeMap::new();
    for program in programs() {
        let codes: BTreeSet<_> = expected(&program)
            .into_iter()
            .map(|(code, _)| code)
            .collect();
        for code in codes {
            *breaking.entry(code).or_default() += 1;
        }
    }
    let few: Vec<_> = CODES
        .filter(|code| breaking.get(code).copied().unwrap_or(0) < LEAST)
        .collect();
    assert!(
        few.is_empty(),
        "{few:?} have fewer than {LEAST} of {breaking:?}"
    );
}

/// A verifier that is never seen to refuse anything may as well be missing.
#[test]
fn every_operation_is_refused_somewhere() {
    let refused: BTreeSet<_> = programs()
        .iter()
        .flat_map(|program| expected(program))
        .filter_map(|(_, operation)| operation)
        .collect();
    let missing: Vec<_> = pld_suite::all_operations()
        .into_iter()
        .filter(|operation| !refused.contains(operation))
        .collect();
    assert!(missing.is_empty(), "no program has a wrong {missing:?}");
}
