//! The examples give no reason to warn.

use pld_suite::{self as session, files_below};

#[test]
fn examples_are_clean() {
    let context = session::context();
    let files = files_below("examples", "mlir");
    assert!(!files.is_empty(), "there are examples");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable example");
        let outcome = session::run(&context, &text, "pld-lint");
        assert!(
            outcome.printed.is_some() && outcome.said.is_empty(),
            "{}: {:#?}",
            file.display(),
            outcome.said
        );
    }
}
