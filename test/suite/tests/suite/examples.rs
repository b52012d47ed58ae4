//! The examples give no reason to warn, and what becomes of programs is valid at each step.

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

/// Programs are compiled without the verifier between passes; here it looks at what each leaves.
#[test]
fn passes_leave_valid_operations() {
    let context = session::context();
    let files = [
        files_below("examples", "mlir"),
        files_below("test/programs", "mlir"),
    ]
    .concat();
    assert!(files.len() > 30, "there are programs");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable program");
        let outcome = session::run(&context, &text, "lower-pld-to-cpu{protocol=false}");
        let is_refused = outcome
            .said
            .iter()
            .any(|said| said.message.contains("[pld-"));
        assert!(
            outcome.printed.is_some() || is_refused,
            "{}: {:#?}",
            file.display(),
            outcome.said
        );
    }
}
