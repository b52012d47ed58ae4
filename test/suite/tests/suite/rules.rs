//! Each rule of the verifiers and of the lint is broken by lit tests in ways that differ in
//! kind. A program says in which way, by a line such as `// kind 104: in-core dynamic last`:
//! where the code stands, and by the words below what breaks the rule.

use pld_suite::files_below;
use std::collections::BTreeSet;

/// The rules that verifiers and lint find, and the words that their programs need: each
/// place that can break it; `static` and `dynamic` where what breaks it, or stands beside it,
/// can be a number of the text or a value of the run; `first` and `last` where it can be in
/// one of several operands, arguments, entries or dims; and the loops of an allocation.
const RULES: &[(u16, &str)] = &[
    (101, "host device in-core at first last"),
    (102, "host static dynamic for while nested"),
    (103, "host device in-core at none first last"),
    (104, "host in-core at static dynamic first last"),
    (105, "host in-core at first last"),
    (106, "in-core at static dynamic"),
    (107, "in-core at static dynamic first last"),
    (108, "host device in-core at first last"),
    (109, "in-core at static dynamic"),
    (110, "host device in-core first last"),
    (111, "host device in-core static dynamic first last"),
    (112, "host device in-core first last"),
    (113, "in-core at static dynamic first last"),
];
/// Where code stands: in a function of this kind or of none, or in `pl.at`.
const PLACES: &[&str] = &["host", "device", "in-core", "at", "none"];
/// How many kinds of program break each, at least.
const LEAST: usize = 3;

/// A finding that a lit test expects.
struct Finding {
    code: u16,
    /// The operation it is of.
    operation: Option<String>,
    /// The line it is of, among those of the program.
    line: usize,
}

impl Finding {
    /// The finding that line `index` of a program expects.
    fn of(line: &str, index: usize) -> Option<Self> {
        let (_, rest) = line
            .split_once("expected-error")
            .or_else(|| line.split_once("expected-warning"))?;
        let (place, message) = rest.split_once("{{")?;
        let (_, code) = message.rsplit_once("[pld-")?;
        let operation = message
            .strip_prefix('\'')
            .and_then(|rest| rest.split_once('\''));
        let below = place.trim().strip_prefix("@+").map_or("0", str::trim);
        Some(Self {
            code: code.get(..3)?.parse().ok()?,
            operation: operation.map(|(name, _)| name.to_owned()),
            line: index + below.parse::<usize>().ok()?,
        })
    }

    fn all(program: &str) -> Vec<Self> {
        let lines = program.lines().enumerate();
        lines
            .filter_map(|(index, line)| Self::of(line, index))
            .collect()
    }
}

/// The place of a line: what the function around it is, unless `pl.at` is nearer.
fn place(program: &str, line: usize) -> &'static str {
    let lines: Vec<_> = program.lines().collect();
    let Some(start) = lines[..=line]
        .iter()
        .rposition(|line| line.starts_with("func.func"))
    else {
        return "none";
    };
    if lines[start..line]
        .iter()
        .any(|line| line.contains("pl.at "))
    {
        return "at";
    }
    let mut code = lines[start..=line].to_vec();
    code.retain(|line| !line.trim_start().starts_with("//"));
    let code = code.join("\n");
    let kinds = [
        ("pl.host", "host"),
        ("pl.device", "device"),
        ("pl.incore", "in-core"),
    ];
    let kind = |(name, place)| code.contains(name).then_some(place);
    kinds.into_iter().find_map(kind).unwrap_or("none")
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

/// The kinds that a program says it is of, by code: the place and the other words, sorted.
fn kinds(program: &str) -> Vec<(u16, Vec<String>)> {
    let kind = |line: &str| {
        let (code, words) = line.strip_prefix("// kind ")?.split_once(": ")?;
        let mut words: Vec<_> = words.split(' ').map(str::to_owned).collect();
        words.sort();
        Some((code.parse().expect("a code"), words))
    };
    program.lines().filter_map(kind).collect()
}

#[test]
fn every_rule_is_broken_in_ways_that_differ() {
    let mut found = BTreeSet::new();
    for program in programs() {
        let findings = Finding::all(&program);
        for (code, words) in kinds(&program) {
            let places: Vec<_> = findings
                .iter()
                .filter(|finding| finding.code == code)
                .map(|finding| place(&program, finding.line))
                .collect();
            assert!(!places.is_empty(), "nothing breaks {code}:\n{program}");
            let stated = words.iter().find(|word| PLACES.contains(&word.as_str()));
            let stated = stated.expect("a place");
            assert!(
                places.contains(&stated.as_str()),
                "{code} stands in {places:?}:\n{program}"
            );
            found.insert((code, words));
        }
    }
    for &(code, needed) in RULES {
        let ways: Vec<_> = found.iter().filter(|(of, _)| *of == code).collect();
        assert!(ways.len() >= LEAST, "{code} is broken only by {ways:?}");
        let words: BTreeSet<&str> = ways
            .iter()
            .flat_map(|(_, words)| words.iter().map(String::as_str))
            .collect();
        let needed: BTreeSet<&str> = needed.split(' ').collect();
        assert_eq!(words, needed, "the kinds of programs that break {code}");
    }
}

/// A verifier that is never seen to refuse anything may as well be missing.
#[test]
fn every_operation_is_refused_somewhere() {
    let refused: BTreeSet<_> = programs()
        .iter()
        .flat_map(|program| Finding::all(program))
        .filter_map(|finding| finding.operation)
        .collect();
    let missing: Vec<_> = pld_suite::all_operations()
        .into_iter()
        .filter(|operation| !refused.contains(operation))
        .collect();
    assert!(missing.is_empty(), "no program has a wrong {missing:?}");
}
