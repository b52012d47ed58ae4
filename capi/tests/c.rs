//! The header and the shared library, from C: built with the system's compiler, run, and run
//! under valgrind where there is one.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Where cargo put the library: beside this test.
fn library_folder() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its file");
    let folder = test.parent().expect("it lies in a folder").to_owned();
    assert!(folder.join("libpld_c.so").exists(), "{}", folder.display());
    folder
}

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the command can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    output
}

/// Compiles the C program against the header, as strictly as C99 allows.
fn compile(folder: &Path, extra: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.join("shift");
    let library = library_folder();
    run(Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g"])
        .args(extra)
        .arg("-I")
        .arg(root.join("include"))
        .arg(root.join("tests/shift.c"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&library)
        .arg("-lpld_c")
        .arg(format!("-Wl,-rpath,{}", library.display())));
    program
}

fn arguments(folder: &Path, broken: u32) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = root.join("../examples/05_remote_load_store.mlir");
    vec![
        program.display().to_string(),
        folder.join("project").display().to_string(),
        broken.to_string(),
    ]
}

/// Every function, every kind of misuse, and two hundred broken modules.
#[test]
fn a_c_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), &[]);
    let output = run(Command::new(&program).args(arguments(folder.path(), 200)));
    assert_eq!(output.stdout, b"OK\n");
    assert!(folder.path().join("project/README.md").exists());
}

/// The same without an error or a definite leak under valgrind; slow, as all of LLVM is.
#[test]
#[ignore = "minutes under valgrind"]
fn under_valgrind() {
    let Ok(found) = Command::new("valgrind").arg("--version").output() else {
        eprintln!("valgrind is missing: not run under it");
        return;
    };
    assert!(found.status.success());
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), &[]);
    run(Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
        .args([
            "--errors-for-leak-kinds=definite",
            "--show-leak-kinds=definite",
        ])
        .arg(&program)
        .args(arguments(folder.path(), 3)));
}

/// A C++ frontend includes the same header.
#[test]
fn the_header_is_also_cpp() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("a.cpp");
    std::fs::write(
        &source,
        "#include <pld-c/pld.h>\nint main() { return 0; }\n",
    )
    .expect("written");
    run(Command::new("c++")
        .args([
            "-std=c++17",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsyntax-only",
            "-I",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(&source));
}

/// What the library shows is ours, all that the header declares, and nothing of LLVM.
#[test]
fn exports() {
    let library = library_folder().join("libpld_c.so");
    let listed = run(Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library));
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let shown: Vec<_> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    let foreign: Vec<_> = shown
        .iter()
        .filter(|name| !name.starts_with("pld"))
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    let header = include_str!("../include/pld-c/pld.h");
    let declared: Vec<_> = header
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .zip(header.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|(name, with_next)| name.starts_with("pld_") && with_next.ends_with('('))
        .map(|(name, _)| name)
        .collect();
    assert!(declared.len() >= 30, "{declared:?}");
    for name in declared {
        assert!(shown.contains(&name), "{name} is declared and not exported");
    }
}
