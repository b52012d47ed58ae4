//! Running text through parser, verifiers and passes, and what they say of it: for the
//! tests in `tests/suite`, which are one binary, since each binary links all of MLIR.

use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
    ir::operation::{OperationLike, OperationPrintingFlags},
};
use pld_dialects::bridge;
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, PoisonError},
};

/// A diagnostic or a note.
#[derive(Clone, Debug)]
pub struct Said {
    /// Whether it is an error or a warning, and no note.
    pub is_finding: bool,
    /// The text, with the code if it has one.
    pub message: String,
    /// Whether it names a place in the text.
    pub is_located: bool,
}

impl Said {
    /// The code at the end of the message, such as `pld-104`.
    pub fn code(&self) -> Option<&str> {
        let (_, code) = self.message.rsplit_once('[')?;
        let code = code.strip_suffix(']')?;
        code.starts_with("pld-").then_some(code)
    }
}

/// What came of a text.
#[derive(Debug)]
pub struct Outcome {
    /// The module after the last pass, printed; `None` if it was refused.
    pub printed: Option<String>,
    /// Diagnostics, each followed by its notes.
    pub said: Vec<Said>,
}

/// A context with the passes registered, single-threaded so that reports come in order.
pub fn context() -> Context {
    bridge::register_upstream_passes();
    pld_passes::register();
    pld_lowering::register();
    let context = pld_dialects::context();
    context.enable_multi_threading(false);
    context
}

/// Parses and verifies `text`, and runs a textual pipeline on it unless that is empty.
pub fn run(context: &Context, text: &str, pipeline: &str) -> Outcome {
    let said = Arc::new(Mutex::new(Vec::new()));
    let log = said.clone();
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        record(
            &diagnostic,
            &mut log.lock().unwrap_or_else(PoisonError::into_inner),
        );
        true
    });
    let printed = bridge::parse_module(context, text.as_bytes(), "text").and_then(|module| {
        let op = module.as_operation();
        let passed = pipeline.is_empty() || bridge::run_pipeline(op, pipeline).is_ok();
        (passed && op.verify()).then(|| op.to_string())
    });
    context.detach_diagnostic_handler(handler);
    let said = std::mem::take(&mut *said.lock().unwrap_or_else(PoisonError::into_inner));
    Outcome { printed, said }
}

/// A valid text written as bytecode, read back and printed; `None` if it does not come back.
pub fn through_bytecode(context: &Context, text: &str) -> Option<String> {
    let handler = context.attach_diagnostic_handler(|_| true);
    let printed = bridge::parse_module(context, text.as_bytes(), "text").and_then(|module| {
        let bytes = bridge::write_bytecode(module.as_operation());
        let again = bridge::parse_module(context, &bytes, "bytecode")?;
        Some(again.as_operation().to_string())
    });
    context.detach_diagnostic_handler(handler);
    printed
}

/// A text in MLIR's generic form; `None` if it is refused.
pub fn generic(context: &Context, text: &str) -> Option<String> {
    let handler = context.attach_diagnostic_handler(|_| true);
    let printed = bridge::parse_module(context, text.as_bytes(), "text").and_then(|module| {
        let flags = OperationPrintingFlags::new().print_generic_operation_form();
        module.as_operation().to_string_with_flags(flags).ok()
    });
    context.detach_diagnostic_handler(handler);
    printed
}

fn record(diagnostic: &Diagnostic, said: &mut Vec<Said>) {
    said.push(Said {
        is_finding: !matches!(diagnostic.severity(), DiagnosticSeverity::Note),
        message: diagnostic.to_string(),
        is_located: bridge::file_position(diagnostic.location()).is_some(),
    });
    for index in 0..diagnostic.note_count() {
        if let Ok(note) = diagnostic.note(index) {
            record(&note, said);
        }
    }
}

/// A path below the root of the repository.
pub fn in_repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// All files below a folder of the repository with this extension, sorted.
pub fn files_below(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![in_repository(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir() else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The text of all files below some folders of the repository, one after another.
pub fn text_below(folders: &[&str], extension: &str) -> String {
    let files = folders
        .iter()
        .flat_map(|folder| files_below(folder, extension));
    files
        .map(|file| std::fs::read_to_string(&file).expect("a readable file"))
        .collect()
}

/// What `mlir-tblgen` makes of a file of `dialects/td`.
pub fn tblgen(flags: &[&str], file: &str) -> String {
    let prefix = std::env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let prefix = Path::new(&prefix);
    let td = in_repository("dialects/td");
    let output = Command::new(prefix.join("bin/mlir-tblgen"))
        .args(flags)
        .arg("-I")
        .arg(&td)
        .arg("-I")
        .arg(prefix.join("include"))
        .arg(td.join(file))
        .output()
        .expect("mlir-tblgen runs, as it did for the build");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The operations of both dialects, such as `pl.load`.
pub fn all_operations() -> Vec<String> {
    // Each class answers `getOperationName` with `::llvm::StringLiteral("pl.load")`.
    ["pl/Pl.td", "pld/Pld.td"]
        .map(|file| tblgen(&["-gen-op-decls"], file))
        .concat()
        .split("StringLiteral(\"")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
        .collect()
}
