//! `docs/reference` is what `dialects/td` and the tables of passes say. With `PLD_BLESS=1`,
//! as `./x doc` sets it, the pages are written anew.

mod dialect;
mod examples;
mod passes;
mod target;

use pld_suite::{in_repository, text_below};
use std::{collections::BTreeSet, fs};

const OF: &str = "<!-- Written by `./x doc` from ";

/// The pages by path.
fn pages() -> [(&'static str, String); 5] {
    [
        ("docs/reference/pl.md", dialect::page("pl", "pl/Pl.td")),
        ("docs/reference/pld.md", dialect::page("pld", "pld/Pld.td")),
        ("docs/reference/passes.md", passes::page()),
        ("docs/reference/target-a2a3.md", target::page("a2a3")),
        ("docs/reference/target-a5.md", target::page("a5")),
    ]
}

#[test]
fn pages_are_up_to_date() {
    let bless = std::env::var_os("PLD_BLESS").is_some();
    let mut stale = Vec::new();
    for (path, text) in pages() {
        let file = in_repository(path);
        if bless {
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder to write to");
            fs::write(&file, text).expect("the page is written");
        } else if fs::read_to_string(&file).unwrap_or_default() != text {
            stale.push(path);
        }
    }
    assert!(
        stale.is_empty(),
        "docs/reference is stale: run ./x doc ({})",
        stale.join(", ")
    );
}

/// A page that names where it was made changes with the machine.
#[test]
fn pages_name_no_machine() {
    let root = in_repository("").canonicalize().expect("the repository");
    for (path, text) in pages() {
        assert!(!text.contains(&*root.to_string_lossy()), "{path}");
        assert!(!text.contains("/usr/"), "{path}");
    }
}

/// Every operation says what it is: in a line, in sentences, by an example.
#[test]
fn every_operation_is_described() {
    let operations = dialect::all();
    assert!(operations.len() > 80, "{}", operations.len());
    let missing: Vec<_> = operations
        .iter()
        .flat_map(|operation| {
            let name = &operation.name;
            operation
                .missing()
                .into_iter()
                .map(move |what| format!("{name}: no {what} in dialects/td"))
        })
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The codes that an operation lists are those it is seen to report: by the tests of the
/// verifiers and by the page of diagnostics.
#[test]
fn codes_are_true() {
    let mut texts = text_below(&["test/lit/pl", "test/lit/pld"], "mlir");
    texts += &fs::read_to_string(in_repository("docs/diagnostics.md")).expect("the page");
    let seen = reports(&texts);
    assert!(seen.len() > 100, "{}", seen.len());
    let operations = dialect::all();
    let listed: BTreeSet<_> = operations
        .iter()
        .flat_map(|operation| {
            let codes = operation.codes().into_iter();
            codes.map(|code| (operation.name.clone(), code))
        })
        .collect();
    let unlisted: Vec<_> = seen
        .difference(&listed)
        // Where an operation may stand is of the table of levels, limits are of a target.
        .filter(|(_, code)| *code != 103 && code / 100 != 3)
        .map(|(name, code)| format!("{name} reports {code}, which dialects/td does not list"))
        .collect();
    assert!(unlisted.is_empty(), "{}", unlisted.join("\n"));
}

/// Each `'pl.load' op ... [pld-104]` of a text, which stands on one line.
fn reports(text: &str) -> BTreeSet<(String, u16)> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let Some((before, after)) = line.split_once("' op ") else {
            continue;
        };
        let name = before.rsplit('\'').next().unwrap_or_default();
        let code = after.split("[pld-").nth(1).and_then(|rest| rest.get(..3));
        let is_ours = name.starts_with("pl.") || name.starts_with("pld.");
        if let Some(code) = code.and_then(|code| code.parse().ok()).filter(|_| is_ours) {
            found.insert((name.to_owned(), code));
        }
    }
    found
}
