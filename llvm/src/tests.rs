//! Machines made up: each has some programs, variables and files.

use super::{Llvm, Machine, Missing, find};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

#[derive(Default)]
struct Made {
    variables: BTreeMap<&'static str, &'static str>,
    /// Version and prefix of what is started by that name.
    programs: BTreeMap<&'static str, (&'static str, &'static str)>,
    /// What no prefix has.
    absent: &'static str,
}

impl Machine for Made {
    fn variable(&self, name: &str) -> Option<PathBuf> {
        self.variables.get(name).map(PathBuf::from)
    }

    fn output(&self, program: &Path, argument: &str) -> Option<String> {
        let (version, prefix) = self.programs.get(program.to_str()?)?;
        let said = match argument {
            "--version" => version,
            _ => prefix,
        };
        Some((*said).to_owned())
    }

    fn exists(&self, path: &Path) -> bool {
        self.absent.is_empty() || !path.ends_with(self.absent)
    }
}

const BOTH: [(&str, &str); 2] = [
    ("MLIR_SYS_220_PREFIX", "/opt/llvm"),
    ("TABLEGEN_220_PREFIX", "/opt/llvm"),
];

/// An installation that variables name is taken.
#[test]
fn by_variable() {
    let machine = Made {
        variables: BTreeMap::from(BOTH),
        programs: BTreeMap::from([("/opt/llvm/bin/llvm-config", ("22.1.8", "/opt/llvm"))]),
        ..Made::default()
    };
    let prefix = PathBuf::from("/opt/llvm");
    assert_eq!(find(&machine), Ok(Llvm { prefix }));
}

/// A variable that names another version, or nothing, is refused, whatever else there is.
#[test]
fn a_wrong_variable() {
    let mut machine = Made {
        variables: BTreeMap::from(BOTH),
        programs: BTreeMap::from([
            ("/opt/llvm/bin/llvm-config", ("19.1.7", "/opt/llvm")),
            ("llvm-config-22", ("22.1.8", "/usr/lib/llvm-22")),
        ]),
        ..Made::default()
    };
    let said = find(&machine).expect_err("another version").to_string();
    assert!(
        said.contains("MLIR_SYS_220_PREFIX is /opt/llvm, where LLVM is 19.1.7"),
        "{said}"
    );
    machine.programs.remove("/opt/llvm/bin/llvm-config");
    let said = find(&machine).expect_err("nothing there").to_string();
    assert!(
        said.contains("/opt/llvm/bin/llvm-config cannot be run"),
        "{said}"
    );
    assert!(said.contains("apt-get install llvm-22-dev"), "{said}");
}

/// What PATH or the usual place has is found; the crates that bind LLVM need to be told.
#[test]
fn by_program_or_usual_place() {
    for name in ["llvm-config-22", "/usr/lib/llvm-22/bin/llvm-config"] {
        let machine = Made {
            programs: BTreeMap::from([
                (name, ("22.1.8", "/usr/lib/llvm-22")),
                ("llvm-config", ("14.0.6", "/usr")),
            ]),
            ..Made::default()
        };
        let said = find(&machine).expect_err("no variable").to_string();
        assert!(
            said.contains("TABLEGEN_220_PREFIX = \"/usr/lib/llvm-22\""),
            "{said}"
        );
    }
    let machine = Made {
        programs: BTreeMap::from([("llvm-config", ("22.1.8", "/usr"))]),
        ..Made::default()
    };
    let prefix = PathBuf::from("/usr");
    assert_eq!(find(&machine), Ok(Llvm { prefix }));
}

/// An empty machine: where it was looked for, and one command that installs all.
#[test]
fn nothing_at_all() {
    let said = find(&Made::default()).expect_err("nothing").to_string();
    for part in [
        "MLIR_SYS_220_PREFIX: not set",
        "llvm-config-22: not in PATH",
        "/usr/lib/llvm-22: not there",
        "apt-get install llvm-22-dev libmlir-22-dev mlir-22-tools libclang-22-dev",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

/// An installation without one part: that part, and its package alone.
#[test]
fn parts() {
    for (absent, package) in [
        ("bin/mlir-tblgen", "mlir-22-tools"),
        ("include/mlir-c/IR.h", "libmlir-22-dev"),
        ("lib/libclang.so", "libclang-22-dev"),
    ] {
        let machine = Made {
            variables: BTreeMap::from(BOTH),
            programs: BTreeMap::from([("/opt/llvm/bin/llvm-config", ("22.1.8", "/opt/llvm"))]),
            absent,
        };
        let missing = find(&machine).expect_err("a part is missing");
        assert!(matches!(missing, Missing::Parts(..)), "{missing:?}");
        let said = missing.to_string();
        assert!(said.contains(absent), "{said}");
        assert!(
            said.contains(&format!("apt-get install {package}\n")),
            "{said}"
        );
    }
}
