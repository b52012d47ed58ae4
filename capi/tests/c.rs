//! The header and the shared library, from C: built with the system's compiler, run, and run
//! under valgrind where there is one.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
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

/// The C interface as `./x install` leaves it, once for all tests.
fn installed() -> &'static Path {
    static PREFIX: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        let prefix = tempfile::tempdir().expect("a folder");
        let library = library_folder();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        run(Command::new("bash")
            .args(["-euo", "pipefail", "-c"])
            .arg(". \"$root/scripts/install.sh\"; install_c \"$@\"")
            .arg("install")
            .arg(prefix.path())
            .arg(library.join("libpld_c.so"))
            .arg(newest(&library, "libpld_mlir_c-", ".rlib"))
            .env("root", root));
        prefix
    });
    PREFIX.path()
}

/// What cargo built last of a name: older builds lie beside it.
fn newest(folder: &Path, start: &str, end: &str) -> PathBuf {
    let files = std::fs::read_dir(folder).expect("a folder of cargo's");
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    let named = paths.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    });
    let time = |path: &PathBuf| path.metadata().and_then(|it| it.modified()).ok();
    named.max_by_key(time).expect("cargo builds the workspace")
}

/// What pkg-config says of an installed package.
fn package(name: &str, options: &[&str]) -> Vec<String> {
    let output = run(Command::new("pkg-config")
        .env("PKG_CONFIG_PATH", installed().join("lib/pkgconfig"))
        .args(options)
        .arg(name));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.split_whitespace().map(str::to_owned).collect()
}

/// Compiles a C program with what pkg-config says, as strictly as C99 allows.
fn compile(folder: &Path, name: &str, first: &[&str], packages: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.join(name);
    let mut compiler = Command::new("cc");
    compiler
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g"])
        .arg(root.join(format!("tests/{name}.c")))
        .arg("-o")
        .arg(&program)
        .args(first);
    for name in packages {
        // MLIR's headers are not as strict.
        let flags = package(name, &["--cflags"]).into_iter();
        compiler.args(flags.map(|flag| flag.replace("-I", "-isystem")));
        compiler.args(package(name, &["--libs"]));
    }
    run(compiler.arg(format!("-Wl,-rpath,{}/lib", installed().display())));
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
    let program = compile(folder.path(), "shift", &[], &["pld"]);
    let output = run(Command::new(&program).args(arguments(folder.path(), 200)));
    assert_eq!(output.stdout, b"OK\n");
    assert!(folder.path().join("project/README.md").exists());
}

/// Everything that a caller should not do is told by a status.
#[test]
fn misuse() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "abuse", &["-pthread"], &["pld"]);
    let output = run(Command::new(program).arg("40"));
    assert_eq!(output.stdout, b"OK\n");
}

/// A process lives on, and as small, after ten thousand modules that were refused.
#[test]
#[ignore = "half a minute under load"]
fn ten_thousand_broken_modules() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "abuse", &["-pthread"], &["pld"]);
    run(Command::new(program).arg("10000"));
}

/// The first program without an error or a definite leak under valgrind; slow, as all of LLVM is.
#[test]
#[ignore = "minutes under valgrind"]
fn under_valgrind() {
    let Ok(found) = Command::new("valgrind").arg("--version").output() else {
        eprintln!("valgrind is missing: not run under it");
        return;
    };
    assert!(found.status.success());
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "shift", &[], &["pld"]);
    run(Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full"])
        .args([
            "--errors-for-leak-kinds=definite",
            "--show-leak-kinds=definite",
        ])
        .arg(&program)
        .args(arguments(folder.path(), 3)));
}

/// A program on MLIR's own C API and its shared libraries makes types and attributes, runs
/// pipelines and prints code. Beside it in one process is the other interface, with an MLIR of
/// its own.
#[test]
fn a_frontend_on_mlir() {
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = std::env::var("MLIR_SYS_220_PREFIX").expect("cargo's configuration sets it");
    let libraries = format!("-L{prefix}/lib");
    // Of MLIR's C API what this program uses itself.
    let first = [
        "-Wl,--gc-sections",
        &libraries,
        "-lMLIRCAPIArith",
        "-lMLIRCAPIMemRef",
        "-lMLIRCAPISCF",
    ];
    let program = compile(folder.path(), "frontend", &first, &["pld-mlir", "pld"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = root.join("../examples/05_remote_load_store.mlir");
    let output = run(Command::new(&program).arg(example));
    assert_eq!(output.stdout, b"OK\n");
}

/// The package has the version of the crate, and so does the header that it installs.
#[test]
fn one_version() {
    assert_eq!(
        package("pld", &["--modversion"]),
        [env!("CARGO_PKG_VERSION")]
    );
    let header = std::fs::read_to_string(installed().join("include/pld-c/pld.h"));
    let defined = format!("#define PLD_VERSION \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(header.expect("it is installed").contains(&defined));
    // What was linked to one version finds any other of the same major one.
    let library = installed().join("lib/libpld_c.so");
    let entries = run(Command::new("readelf").arg("-d").arg(&library));
    let name = concat!("libpld_c.so.", env!("CARGO_PKG_VERSION_MAJOR"));
    let soname = format!("soname: [{name}]");
    assert!(String::from_utf8_lossy(&entries.stdout).contains(&soname));
    assert!(library.with_file_name(name).exists());
}

/// The archive has no MLIR: the frontend's is used.
#[test]
fn the_archive_is_ours() {
    let prefix = std::env::var("MLIR_SYS_220_PREFIX").expect("cargo's configuration sets it");
    let listed = run(Command::new(Path::new(&prefix).join("bin/llvm-nm"))
        .args(["--defined-only", "--extern-only", "--quiet"])
        .arg(installed().join("lib/libpld_mlir_c.a")));
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let defines = |name: &str| {
        listed
            .lines()
            .any(|line| line.ends_with(&format!(" T {name}")))
    };
    for ours in [
        "mlirGetDialectHandle__pl__",
        "pldTileTypeGet",
        "pldRegisterAllPasses",
    ] {
        assert!(defines(ours), "{ours}");
    }
    for theirs in [
        "mlirContextCreate",
        "_ZN4mlir11MLIRContextC1ENS0_9ThreadingE",
    ] {
        assert!(!defines(theirs), "{theirs}");
    }
}

/// A C++ frontend includes the same header.
#[test]
fn the_header_is_also_cpp() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("a.cpp");
    std::fs::write(
        &source,
        "#include <pld-c/pld.h>\n#include <pld-c/Dialects.h>\n#include <pld-c/Passes.h>\n\
         int main() { return 0; }\n",
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
        .args(
            package("pld-mlir", &["--cflags"])
                .iter()
                .map(|flag| flag.replace("-I", "-isystem")),
        )
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
