//! The generated project as a program: the system's C++ compiler and the emulation headers.

use super::project::{EMULATION_INCLUDE, EmbeddedFile, ProjectFile, SUPPORT};
use crate::cache::Cache;
use std::{
    env,
    ffi::OsString,
    fmt, fs, io,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

const FLAGS: [&str; 5] = [
    "-std=c++17",
    "-O1",
    "-DASCENDC_CPU_DEBUG",
    "-pthread",
    "-Iinclude",
];

/// Why a project was not built.
#[derive(Debug)]
pub enum BuildError {
    /// There is no such C++ compiler.
    Compiler(OsString, io::Error),
    /// What the compiler says of the project.
    Rejected(String),
    /// A file that cannot be read or written.
    File(io::Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compiler(name, error) => {
                write!(f, "cannot start the C++ compiler {name:?}: {error}")
            }
            Self::Rejected(said) => write!(f, "the generated project does not compile:\n{said}"),
            Self::File(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

/// The emulated program of a project (of [`super::project`]), from the cache if it was built
/// before. `warnings` are the compiler's flags for the generated code, such as `-Wall`.
///
/// The compiler is `CXX`, or else `c++`; it has to know C++17.
///
/// # Errors
///
/// See [`BuildError`].
pub fn build(
    cache: &Cache,
    files: &[ProjectFile],
    warnings: &[&str],
) -> Result<PathBuf, BuildError> {
    let compiler = Compiler::find()?;
    let support = [EMULATION_INCLUDE, SUPPORT].into_iter().flatten();
    let support: Vec<_> = support
        .flat_map(|file| [file.path, file.text])
        .chain(compiler.inputs())
        .collect();
    let own = files.iter().flat_map(|file| [&*file.path, &*file.text]);
    let all = own.chain(warnings.iter().copied()).chain(support.clone());

    cache.file(all, |folder, program| {
        put(&folder.join("include"), EMULATION_INCLUDE)?;
        for file in files {
            write(folder, &file.path, &file.text)?;
        }
        let sources = ["-c", "kernels/launch.cpp", "host/program.cpp"];
        let compiling = compiler.start(folder, warnings, &sources)?;
        // Meanwhile; most often it is there.
        let support = cache.file(support, |folder, object| {
            compile_support(&compiler, folder, object)
        });
        finish(compiling)?;
        fs::copy(support?, folder.join("support.o"))?;
        let objects = ["launch.o", "program.o", "support.o", "-o", "program"];
        finish(compiler.start(folder, &[], &objects)?)?;
        Ok(fs::rename(folder.join("program"), program)?)
    })
}

/// Compiles the support files as one, since the headers cost the most.
fn compile_support(compiler: &Compiler, folder: &Path, object: &Path) -> Result<(), BuildError> {
    put(&folder.join("include"), EMULATION_INCLUDE)?;
    put(folder, SUPPORT)?;
    let sources = SUPPORT.iter().filter(|file| file.path.ends_with(".cpp"));
    let includes: String = sources
        .map(|file| format!("#include \"{}\"\n", file.path))
        .collect();
    write(folder, "support.cpp", &includes)?;
    finish(compiler.start(folder, &["-w"], &["-c", "support.cpp"])?)?;
    Ok(fs::rename(folder.join("support.o"), object)?)
}

struct Compiler {
    command: OsString,
    /// What it says of itself: another version builds another program.
    version: String,
}

impl Compiler {
    fn find() -> Result<Self, BuildError> {
        let command = env::var_os("CXX").unwrap_or_else(|| "c++".into());
        match Command::new(&command).arg("--version").output() {
            Ok(output) => Ok(Self {
                version: String::from_utf8_lossy(&output.stdout).into_owned(),
                command,
            }),
            Err(error) => Err(BuildError::Compiler(command, error)),
        }
    }

    /// What an output depends on beside the sources.
    fn inputs(&self) -> impl Iterator<Item = &str> {
        FLAGS.into_iter().chain([self.version.as_str()])
    }

    fn start(
        &self,
        folder: &Path,
        warnings: &[&str],
        arguments: &[&str],
    ) -> Result<Child, BuildError> {
        Command::new(&self.command)
            .args(FLAGS)
            .args(warnings)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| BuildError::Compiler(self.command.clone(), error))
    }
}

fn finish(compiling: Child) -> Result<(), BuildError> {
    let output = compiling.wait_with_output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(BuildError::Rejected(said.trim_end().to_owned()))
}

fn put(folder: &Path, files: &[EmbeddedFile]) -> Result<(), BuildError> {
    let mut files = files.iter();
    files.try_for_each(|file| write(folder, file.path, file.text))
}

fn write(folder: &Path, path: &str, text: &str) -> Result<(), BuildError> {
    let path = folder.join(path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(fs::write(path, text)?)
}
