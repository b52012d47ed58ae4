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
        // What is wrong with a broken program the lint or a verifier says, or only a run.
        if session::run(&context, &text, "pld-lint").printed.is_none() {
            continue;
        }
        let outcome = session::run(&context, &text, "lower-pld-to-cpu{protocol=false}");
        assert!(
            outcome.printed.is_some(),
            "{}: {:#?}",
            file.display(),
            outcome.said
        );
    }
}
