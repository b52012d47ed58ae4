//! The search, over a [`Machine`] that tests can make up.

use std::{
    fmt::{self, Display},
    path::{Path, PathBuf},
    process::Command,
};

/// The version that all of pld is built on.
const MAJOR: &str = "22";

/// Variables that name the prefix of an installation: for what binds MLIR, and for what reads
/// `.td` files.
pub const VARIABLES: [&str; 2] = ["MLIR_SYS_220_PREFIX", "TABLEGEN_220_PREFIX"];

/// Where packages of Debian, Fedora and Homebrew put LLVM 22.
const USUAL: [&str; 4] = [
    "/usr/lib/llvm-22",
    "/usr/lib64/llvm22",
    "/opt/homebrew/opt/llvm@22",
    "/usr/local/opt/llvm@22",
];

/// What the search asks a machine.
pub trait Machine {
    /// An environment variable that is set and not empty.
    fn variable(&self, name: &str) -> Option<PathBuf>;
    /// What `program argument` prints, if it can be run and succeeds.
    fn output(&self, program: &Path, argument: &str) -> Option<String>;
    /// Whether there is such a file.
    fn exists(&self, path: &Path) -> bool;
}

/// The machine that this runs on.
#[derive(Clone, Copy, Debug)]
pub struct Host;

impl Machine for Host {
    fn variable(&self, name: &str) -> Option<PathBuf> {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    }

    fn output(&self, program: &Path, argument: &str) -> Option<String> {
        let output = Command::new(program).arg(argument).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
}

/// An installation of LLVM and MLIR 22.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Llvm {
    /// The folder that holds `bin`, `include` and `lib`.
    pub prefix: PathBuf,
}

/// Why there is none that can be used, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// None was found; the places that were looked at.
    All(Vec<String>),
    /// What a variable names is no installation of this version; the version found there.
    Wrong(&'static str, PathBuf, Option<String>),
    /// The installation lacks files; each with Debian's package of it.
    Parts(PathBuf, Vec<(&'static str, &'static str)>),
    /// It was found, but these variables have to say so to the crates that bind it.
    Variables(PathBuf, Vec<&'static str>),
}

impl Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::All(looked) => {
                writeln!(out, "LLVM and MLIR {MAJOR} were not found; looked at")?;
                for place in looked {
                    writeln!(out, "  {place}")?;
                }
                install(out, PARTS.iter().map(|(_, package)| *package))?;
                write!(
                    out,
                    "\nor set {} and {} to the prefix of an installation",
                    VARIABLES[0], VARIABLES[1]
                )
            }
            Self::Wrong(variable, prefix, found) => {
                let prefix = prefix.display();
                match found {
                    Some(version) => write!(
                        out,
                        "{variable} is {prefix}, where LLVM is {version}; expected {MAJOR}.x"
                    ),
                    None => {
                        writeln!(
                            out,
                            "{variable} is {prefix}, but {prefix}/bin/llvm-config cannot be run; \
                             expected the prefix of LLVM {MAJOR}, such as {}",
                            USUAL[0]
                        )?;
                        install(out, PARTS.iter().map(|(_, package)| *package))
                    }
                }
            }
            Self::Parts(prefix, parts) => {
                writeln!(out, "LLVM {MAJOR} in {} lacks", prefix.display())?;
                for (file, _) in parts {
                    writeln!(out, "  {file}")?;
                }
                install(out, parts.iter().map(|(_, package)| *package))
            }
            Self::Variables(prefix, variables) => {
                let prefix = prefix.display();
                writeln!(
                    out,
                    "LLVM {MAJOR} is in {prefix}, but the crates that bind it look for a \
                     variable; put into .cargo/config.toml"
                )?;
                write!(out, "  [env]")?;
                for variable in variables {
                    write!(out, "\n  {variable} = \"{prefix}\"")?;
                }
                Ok(())
            }
        }
    }
}

fn install<'a>(out: &mut fmt::Formatter, packages: impl Iterator<Item = &'a str>) -> fmt::Result {
    let mut packages: Vec<_> = packages.collect();
    packages.dedup();
    writeln!(
        out,
        "on Debian and Ubuntu: apt-get install {}",
        packages.join(" ")
    )?;
    write!(
        out,
        "(releases without these packages get them from https://apt.llvm.org)"
    )
}

/// What the build uses of a prefix, and Debian's packages of it.
const PARTS: [(&str, &str); 6] = [
    ("bin/llvm-config", "llvm-22-dev"),
    ("include/llvm/IR/Module.h", "llvm-22-dev"),
    ("include/mlir-c/IR.h", "libmlir-22-dev"),
    ("lib/libMLIRIR.a", "libmlir-22-dev"),
    ("bin/mlir-tblgen", "mlir-22-tools"),
    ("lib/libclang.so", "libclang-22-dev"),
];

/// Finds LLVM and MLIR 22.
///
/// # Errors
///
/// There is none, or it cannot be used as it is; the error says how to mend it.
pub fn find(machine: &impl Machine) -> Result<Llvm, Missing> {
    let prefix = prefix(machine)?;
    let missing: Vec<_> = PARTS
        .into_iter()
        .filter(|(file, _)| !has(machine, &prefix, file))
        .collect();
    if !missing.is_empty() {
        return Err(Missing::Parts(prefix, missing));
    }
    // Without a variable those crates take the llvm-config of PATH.
    let plain = machine.output(Path::new("llvm-config"), "--version");
    if !plain.is_some_and(|version| is_ours(&version)) {
        let unset = |name: &&str| machine.variable(name).is_none();
        let unset: Vec<_> = VARIABLES.into_iter().filter(unset).collect();
        if !unset.is_empty() {
            return Err(Missing::Variables(prefix, unset));
        }
    }
    Ok(Llvm { prefix })
}

/// libclang may be elsewhere, where `LIBCLANG_PATH` says.
fn has(machine: &impl Machine, prefix: &Path, file: &str) -> bool {
    machine.exists(&prefix.join(file))
        || (file.starts_with("lib/libclang") && machine.variable("LIBCLANG_PATH").is_some())
}

fn prefix(machine: &impl Machine) -> Result<PathBuf, Missing> {
    let version_in = |prefix: &Path| machine.output(&prefix.join("bin/llvm-config"), "--version");
    let mut looked = Vec::new();
    for variable in VARIABLES {
        // What is named is taken or refused, never passed over.
        if let Some(prefix) = machine.variable(variable) {
            return match version_in(&prefix) {
                Some(version) if is_ours(&version) => Ok(prefix),
                found => Err(Missing::Wrong(variable, prefix, found)),
            };
        }
        looked.push(format!("{variable}: not set"));
    }
    for program in ["llvm-config-22", "llvm-config"] {
        match machine.output(Path::new(program), "--version") {
            Some(version) if is_ours(&version) => {
                if let Some(prefix) = machine.output(Path::new(program), "--prefix") {
                    return Ok(prefix.into());
                }
                looked.push(format!("{program}: has no prefix"));
            }
            Some(version) => looked.push(format!("{program}: is of LLVM {version}")),
            None => looked.push(format!("{program}: not in PATH")),
        }
    }
    for prefix in USUAL {
        match version_in(Path::new(prefix)) {
            Some(version) if is_ours(&version) => return Ok(prefix.into()),
            Some(version) => looked.push(format!("{prefix}: is LLVM {version}")),
            None => looked.push(format!("{prefix}: not there")),
        }
    }
    Err(Missing::All(looked))
}

fn is_ours(version: &str) -> bool {
    version.split('.').next() == Some(MAJOR)
}
