//! A new operation is in every room: what td/ defines has a verifier, a level, a lit test,
//! and a lowering for each target.

use pld_suite::{all_operations, in_repository, text_below};

/// Where an operation must be mentioned besides the dialects themselves: each lowering's
/// folder, in code or in the table of what becomes of it; or the passes before.
const LOWERINGS: &[&str] = &["lowering/src/cpu", "lowering/src/hccl"];
const PASSES: &str = "passes/src";

/// Whether `text` holds `word`, and not as part of a longer one.
fn mentions(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

fn read(path: &str) -> String {
    std::fs::read_to_string(in_repository(path)).expect("a source file")
}

#[test]
fn every_operation_is_in_every_room() {
    let operations = all_operations();
    assert!(operations.len() > 20, "{operations:?}");
    let levels = read("dialects/src/level/mod.rs");
    let verifiers = read("dialects/src/verify.rs");
    let tests = text_below(&["test/lit/pl", "test/lit/pld"], "mlir");
    let mut missing = Vec::new();
    for operation in &operations {
        let quoted = format!("\"{operation}\"");
        let mut require = |found: bool, place: &str| {
            if !found {
                missing.push(format!("{operation}: {place}"));
            }
        };
        require(
            levels.contains(&quoted),
            "no kinds in dialects/src/level/mod.rs",
        );
        require(
            verifiers.contains(&quoted),
            "no row in dialects/src/verify.rs",
        );
        require(
            mentions(&tests, operation),
            "no lit test below test/lit/pl or test/lit/pld",
        );
        for lowering in LOWERINGS {
            let sources = text_below(&[lowering, PASSES], "rs");
            require(
                mentions(&sources, operation),
                &format!("no lowering in {lowering}"),
            );
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn mentions_are_whole_words() {
    assert!(mentions("a pl.add b", "pl.add"));
    assert!(!mentions("a pl.adds b", "pl.add"));
    assert!(!mentions("a xpl.add b", "pl.add"));
}
