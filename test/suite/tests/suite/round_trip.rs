//! The programs of the lit tests come back the same from text and from bytecode.

use pld_suite::{self as session, files_below};

/// The families' own tests hold every operation, attribute and optional part.
#[test]
fn families_survive_text_and_bytecode() {
    let context = session::context();
    let mut count = 0;
    for file in [
        files_below("test/lit/pl", "mlir"),
        files_below("test/lit/pld", "mlir"),
    ]
    .concat()
    {
        let text = std::fs::read_to_string(&file).expect("a readable test");
        for program in text.split("// -----") {
            let Some(printed) = session::run(&context, program, "").printed else {
                continue;
            };
            let again = session::run(&context, &printed, "").printed;
            assert_eq!(again.as_ref(), Some(&printed), "{} as text", file.display());
            let again = session::through_bytecode(&context, program);
            assert_eq!(
                again.as_ref(),
                Some(&printed),
                "{} as bytecode",
                file.display()
            );
            count += 1;
        }
    }
    assert!(count > 15, "only {count} programs are valid");
}
