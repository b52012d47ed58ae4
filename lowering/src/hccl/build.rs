//! The generated project as a program: the system's C++ compiler and the emulation headers.

use super::project::{EMULATION_INCLUDE, EmbeddedFile, ProjectFile, SUPPORT};
use crate::cache::Cache;
use std::{
    env,
    ffi::OsString,
    fmt, fs, io, iter,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
};

/// Of all that is compiled.
const FLAGS: [&str; 4] = ["-std=c++17", "-DASCENDC_CPU_DEBUG", "-pthread", "-Iinclude"];
/// Of the generated code: it mostly calls what is compiled once, so what counts is the time
/// that it takes to compile.
const GENERATED: [&str; 2] = ["-O0", "-DPLD_EMU_CALLS"];
/// Of what is compiled once for all programs.
const SHARED: [&str; 3] = ["-O1", "-DPLD_EMU_BODIES", "-w"];
/// What generated code includes, kernels and host program together.
const PRELUDE: &str = "#include \"kernel_operator.h\"\n#include \"host/runner.h\"\n";
/// All generated code, compiled as one, since the headers cost the most.
const PROGRAM: &str = "#include \"kernels/launch.cpp\"\n#include \"host/program.cpp\"\n";

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
    let shared: Vec<_> = [EMULATION_INCLUDE, SUPPORT]
        .into_iter()
        .flatten()
        .flat_map(|file| [file.path, file.text])
        .chain(compiler.inputs())
        .collect();
    let own = files.iter().flat_map(|file| [&*file.path, &*file.text]);
    let all = own.chain(warnings.iter().copied()).chain(shared.clone());

    cache.file(all, |folder, program| {
        put(&folder.join("include"), EMULATION_INCLUDE)?;
        for file in files {
            write(folder, &file.path, &file.text)?;
        }
        let (prelude, support) = compile_shared(&compiler, cache, &shared)?;
        write(folder, "prelude.h", PRELUDE)?;
        if let Some(prelude) = prelude {
            symlink(prelude, folder.join("prelude.h.gch"))?;
        }
        write(folder, "program.cpp", PROGRAM)?;
        let flags: Vec<_> = GENERATED.iter().chain(warnings).copied().collect();
        let sources = ["-include", "prelude.h", "-c", "program.cpp"];
        compiler.run(folder, &flags, &sources)?;
        symlink(support, folder.join("support.o"))?;
        compiler.run(folder, &[], &["program.o", "support.o", "-o", "program"])?;
        Ok(fs::rename(folder.join("program"), program)?)
    })
}

/// What all programs share, compiled from `sources`: the headers as the compiler has read
/// them, where that helps, and the support files.
fn compile_shared(
    compiler: &Compiler,
    cache: &Cache,
    sources: &[&str],
) -> Result<(Option<PathBuf>, PathBuf), BuildError> {
    // Programs that are built at the same time wait for the first one.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let named = |what| [what].into_iter().chain(sources.iter().copied());
    let prelude = compiler.precompiles.then(|| {
        cache.file(named("prelude"), |folder, file| {
            compile_prelude(compiler, folder, file)
        })
    });
    let support = cache.file(named("support"), |folder, file| {
        compile_support(compiler, folder, file)
    });
    Ok((prelude.transpose()?, support?))
}

fn compile_prelude(compiler: &Compiler, folder: &Path, file: &Path) -> Result<(), BuildError> {
    put_shared(folder)?;
    write(folder, "prelude.h", PRELUDE)?;
    let sources = ["-x", "c++-header", "prelude.h", "-o", "prelude.h.gch"];
    compiler.run(folder, &GENERATED, &sources)?;
    Ok(fs::rename(folder.join("prelude.h.gch"), file)?)
}

fn compile_support(compiler: &Compiler, folder: &Path, file: &Path) -> Result<(), BuildError> {
    put_shared(folder)?;
    let sources = SUPPORT.iter().filter(|file| file.path.ends_with(".cpp"));
    let includes: String = iter::once("kernel_operator.h")
        .chain(sources.map(|file| file.path))
        .map(|path| format!("#include \"{path}\"\n"))
        .collect();
    write(folder, "support.cpp", &includes)?;
    compiler.run(folder, &SHARED, &["-c", "support.cpp"])?;
    Ok(fs::rename(folder.join("support.o"), file)?)
}

fn put_shared(folder: &Path) -> Result<(), BuildError> {
    put(&folder.join("include"), EMULATION_INCLUDE)?;
    put(folder, SUPPORT)
}

struct Compiler {
    command: OsString,
    /// What it says of itself: another version builds another program.
    version: String,
    /// Whether it keeps what it has read of headers, wherever they were.
    precompiles: bool,
}

impl Compiler {
    fn find() -> Result<Self, BuildError> {
        let command = env::var_os("CXX").unwrap_or_else(|| "c++".into());
        let output = match Command::new(&command).arg("--version").output() {
            Ok(output) => output,
            Err(error) => return Err(BuildError::Compiler(command, error)),
        };
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        // Others look for the files again, which lay in a temporary folder.
        let precompiles = version.contains("Free Software Foundation");
        Ok(Self {
            command,
            version,
            precompiles,
        })
    }

    /// What an output depends on beside the sources.
    fn inputs(&self) -> impl Iterator<Item = &str> {
        let flags = [&FLAGS[..], &GENERATED, &SHARED, &[PRELUDE, PROGRAM]];
        let flags = flags.into_iter().flatten().copied();
        flags.chain([self.version.as_str()])
    }

    fn run(&self, folder: &Path, flags: &[&str], arguments: &[&str]) -> Result<(), BuildError> {
        let output = Command::new(&self.command)
            .args(FLAGS)
            .args(flags)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .output()
            .map_err(|error| BuildError::Compiler(self.command.clone(), error))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(BuildError::Rejected(said.trim_end().to_owned()))
    }
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
