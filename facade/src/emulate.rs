//! A run of the generated project: built with the system's C++ compiler against the
//! emulation headers, started as a process, read back from its files.

use crate::array::Array;
use crate::bind::Value;
use crate::diagnostic::{Diagnostic, Error};
use crate::entry::{ArgumentKind, Entry};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::simulate::{Expected, Simulation};
use pld_dialects::{Direction, diag::Code, types::Element};
use pld_lowering::{
    Cache,
    cpu::{self, CompileOptions},
    hccl::{self, BuildError, ProjectFile},
};
use pld_runtime::{self as runtime, Details, Finding, Note};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{self, Command, Output, Stdio},
    thread,
    time::Duration,
};

/// What is generated for.
const ARCH: &str = "a2a3";
/// Codes that generated programs report.
const CODES: [&str; 4] = ["pld-401", "pld-404", "pld-406", "pld-408"];
/// What a finding of the emulation has for a code.
const CODE: &str = "emulation";

impl Simulation<'_> {
    /// Generates the project, builds and runs it, with the inputs and comparisons of
    /// [`Simulation::run`]. Schedule 0 is the plain one; others delay and reorder what the
    /// hardware may, by seed.
    ///
    /// The program is built once: the user's cache folder (`PLD_CACHE_DIR`) keeps it.
    ///
    /// # Errors
    ///
    /// As [`Simulation::run`], what the target cannot do, and a missing C++ compiler.
    pub fn emulate(&self) -> Result<Outcome, Error> {
        if let Some(refused) = refuses_world(ARCH, self.world) {
            return Err(refused.into());
        }
        let (entry, values) = self.prepare()?;
        let mut warnings = self.check_protocol(&entry, &values)?;
        let (files, said) = self.program.project(&entry, self.barrier, ARCH)?;
        warnings.extend(said);
        let folder = tempfile::tempdir()
            .map_err(|error| Error::Internal(format!("cannot make a temporary folder: {error}")))?;
        let cache = Cache::open().map_err(BuildError::File)?;
        let build = Build {
            // Another compiler may warn of what is no fault.
            program: hccl::build(&cache, &files, &["-w"])?,
            files: &files,
            folder: folder.path(),
            world: self.world,
            weak: self.weak,
            progress: &self.progress,
        };
        let expected = match &entry.golden {
            None => Expected::Arrays(self.expected_files(&entry, &values)?),
            Some(golden) => {
                let options = CompileOptions {
                    roots: vec![golden.name.clone()],
                    ..CompileOptions::default()
                };
                let (code, _) = self
                    .program
                    .lower(|module| cpu::compile(module.as_operation(), &options))?;
                self.expectations(&entry, &values, &code)?
            }
        };
        self.schedule(entry, expected, warnings, |entry, seed| {
            build.run(entry, &values, seed)
        })
    }
}

/// The built program and where its arguments lie.
struct Build<'a> {
    program: PathBuf,
    /// The project it was built from.
    files: &'a [ProjectFile],
    folder: &'a Path,
    world: usize,
    weak: bool,
    progress: &'a Progress,
}

impl Build<'_> {
    /// Runs one schedule.
    fn run(
        &self,
        entry: &Entry,
        values: &[Value],
        seed: u64,
    ) -> Result<(runtime::Report, Vec<Value>), Error> {
        let mut command = Command::new(&self.program);
        command.arg("-n").arg(self.world.to_string());
        for (index, value) in values.iter().enumerate() {
            command.args(self.arguments(entry, index, value)?);
        }
        if self.weak || seed != 0 {
            command.env("PLD_EMU_WEAK", "1");
        }
        command.env("PLD_EMU_SEED", seed.to_string());
        // It may run for ever, but not longer than this process.
        command.env("PLD_EMU_PARENT", process::id().to_string());
        let output = self.output(&mut command)?;
        // The emulation looks for them always.
        let mut report = runtime::Report {
            races_checked: true,
            ..runtime::Report::default()
        };
        match output.status.code() {
            Some(0) => return Ok((report, self.results(entry, values)?)),
            Some(2) => return Err(Diagnostic::input(refusal(&text(&output.stderr))).into()),
            Some(3) => report.findings = findings(&with_sources(&text(&output.stderr), self.files)),
            _ => report.error = Some(failed(&output)),
        }
        Ok((report, values.to_vec()))
    }

    /// Runs a command to its end, or to that of the simulation.
    fn output(&self, command: &mut Command) -> Result<Output, Error> {
        /// Much less than a run takes.
        const PAUSE: Duration = Duration::from_millis(2);
        let failed = |error| machine(&self.program, error);
        let said = self.folder.join("stderr");
        let stderr = File::create(&said).map_err(failed)?;
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .map_err(failed)?;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if self.progress.is_cancelled() {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                return Err(Error::Cancelled);
            }
            thread::sleep(PAUSE);
        };
        Ok(Output {
            status,
            stdout: Vec::new(),
            stderr: fs::read(&said).map_err(|error| machine(&said, error))?,
        })
    }

    fn file(&self, argument: usize, what: &str) -> PathBuf {
        self.folder.join(format!("{what}{argument}.npy"))
    }

    /// The command-line words that hand over an argument.
    fn arguments(&self, entry: &Entry, index: usize, value: &Value) -> Result<Vec<String>, Error> {
        let argument = &entry.arguments[index];
        let mut words = Vec::new();
        let mut give = |option: &str, value: String| {
            words.extend([option.to_owned(), format!("{index}{value}")]);
        };
        match value {
            Value::Scalar(bits) => give("--arg", format!("={}", scalar(argument.element, *bits))),
            Value::Array(array) => {
                if argument.direction != Direction::Out {
                    let path = self.file(index, "in");
                    array.save(&path).map_err(Error::Internal)?;
                    give("--arg", format!("={}", path.display()));
                }
                if argument.direction != Direction::In {
                    give("--out", format!("={}", self.file(index, "out").display()));
                }
                if argument.direction == Direction::Out {
                    let own = usize::from(argument.kind == ArgumentKind::World);
                    for (dim, extent) in argument.shape.iter().enumerate().skip(own) {
                        if extent.is_none() {
                            give("--dim", format!(".{dim}={}", array.shape()[dim]));
                        }
                    }
                }
            }
        }
        Ok(words)
    }

    /// The arguments after the run.
    fn results(&self, entry: &Entry, values: &[Value]) -> Result<Vec<Value>, Error> {
        let read = |(index, value): (usize, &Value)| {
            let argument = &entry.arguments[index];
            match value {
                Value::Array(_) if argument.direction != Direction::In => {
                    let path = self.file(index, "out");
                    let array = Array::load(&path, argument.element).map_err(Error::Internal)?;
                    Ok(Value::Array(array))
                }
                value => Ok(value.clone()),
            }
        };
        values.iter().enumerate().map(read).collect()
    }
}

/// A scalar as the project reads it.
fn scalar(element: Element, bits: u64) -> String {
    match Array::from_bytes(
        element,
        &[],
        &bits.to_ne_bytes()[..element.bytes() as usize],
    ) {
        Some(array) => array.get(0).to_string(),
        None => bits.to_string(),
    }
}

/// What the target `arch`, as `a2a3`, would refuse of a number of ranks: pld-304.
pub fn refuses_world(arch: &str, world: usize) -> Option<Diagnostic> {
    let most = hccl::most_ranks(arch).filter(|&most| world > most)?;
    let message =
        format!("the world has {world} ranks, but a communicator of {arch} has at most {most}");
    Some(
        Diagnostic::error(Some(Code(304)), message)
            .note("run fewer ranks, or on the simulator without -p"),
    )
}

/// Why the generated program took no command line.
fn refusal(said: &str) -> String {
    let reason = said.lines().find_map(|line| line.strip_prefix("error: "));
    format!(
        "the generated program refuses its command line: {}",
        reason.unwrap_or(said)
    )
}

/// The text with the program's line behind each line of generated code, as in
/// `kernels/f_kernel.cpp:12 (f.mlir:3)`.
fn with_sources(said: &str, files: &[ProjectFile]) -> String {
    let word = |word: &str| match source_of(word, files) {
        Some(source) => format!("{word} ({source})"),
        None => word.to_owned(),
    };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    said.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The program's line behind `PATH:LINE` of a generated file: that of the last comment, since
/// a statement has one only if its line is another than the last one's.
fn source_of<'a>(place: &str, files: &'a [ProjectFile]) -> Option<&'a str> {
    let (path, line) = place.rsplit_once(':')?;
    let file = files.iter().find(|file| file.path == path)?;
    let lines: Vec<_> = file.text.lines().take(line.parse().ok()?).collect();
    let in_function = lines.into_iter().rev().take_while(|line| *line != "}");
    in_function
        .filter_map(|line| line.rsplit_once("// ").map(|(_, comment)| comment))
        .find(|comment| is_source(comment))
}

fn is_source(comment: &str) -> bool {
    let number = comment.rsplit_once(':').map(|(_, number)| number);
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// What the generated code says of a rule that is broken: the message and its code.
fn broken_rule(line: &str) -> Option<Finding> {
    let (message, code) = line
        .strip_prefix("error: ")?
        .strip_suffix(']')?
        .rsplit_once(" [")?;
    let code = CODES.into_iter().find(|known| *known == code)?;
    Some(Finding {
        code,
        ..finding(message)
    })
}

/// The findings in what the generated program printed.
fn findings(said: &str) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for line in said.lines() {
        if let Some(message) = line.strip_prefix("pld-emu: error: ") {
            findings.push(finding(message));
        } else if let Some(found) = broken_rule(line) {
            // Every rank runs the host code.
            if !findings.contains(&found) {
                findings.push(found);
            }
        } else if let (Some(message), Some(last)) =
            (line.strip_prefix("pld-emu: note: "), findings.last_mut())
        {
            last.notes.push(Note {
                message: message.to_owned(),
                site: None,
            });
        }
    }
    if findings.is_empty() {
        findings.push(finding(said));
    }
    findings
}

fn finding(message: &str) -> Finding {
    Finding {
        code: CODE,
        message: message.to_owned(),
        site: None,
        rank: None,
        notes: Vec::new(),
        details: Details::None,
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Self {
        let message = error.to_string();
        match error {
            BuildError::Compiler(..) => Diagnostic::error(None, message)
                .note("set CXX to a C++17 compiler")
                .into(),
            BuildError::Rejected(_) | BuildError::File(_) => Self::Internal(message),
        }
    }
}

fn failed(output: &Output) -> String {
    format!(
        "the generated program ended with {}:\n{}",
        output.status,
        text(&output.stderr)
    )
}

fn machine(path: &Path, error: std::io::Error) -> Error {
    Error::Internal(format!("{}: {error}", path.display()))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each error of the emulation is a finding of its own, with the notes below it.
    #[test]
    fn findings_from_text() {
        let said = "noise\n\
                    pld-emu: error: rank 0 block 0: race at k.cpp:3\n\
                    pld-emu: note: the other access at k.cpp:5\n\
                    pld-emu: error: rank 1 block 0: left over at k.cpp:9";
        let found = findings(said);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].message, "rank 0 block 0: race at k.cpp:3");
        assert_eq!(found[0].notes[0].message, "the other access at k.cpp:5");
        assert!(found[1].notes.is_empty());
    }

    /// A rule that the host code finds broken is told once, with its code and the line of the
    /// program that the nearest comment above names.
    #[test]
    fn broken_rules() {
        let file = ProjectFile {
            path: "host/program.cpp".into(),
            text: "int f() {\n  a;  // p.mlir:7\n}\nint g() {\n  b;  // p.mlir:9\n  c;\n  d;  // p.mlir:10\n}"
                .into(),
        };
        let said = "error: shard 5 is out of bounds at host/program.cpp:6 [pld-401]\n\
                    error: shard 5 is out of bounds at host/program.cpp:6 [pld-401]";
        let found = findings(&with_sources(said, &[file]));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, "pld-401");
        assert_eq!(
            found[0].message,
            "shard 5 is out of bounds at host/program.cpp:6 (p.mlir:9)"
        );
    }

    /// A report that is not understood is shown rather than lost.
    #[test]
    fn other_text() {
        assert_eq!(findings("boom")[0].message, "boom");
    }

    /// Scalars reach the project with their exact value.
    #[test]
    fn scalars() {
        assert_eq!(
            scalar(Element::F32, u64::from(0.1f32.to_bits())),
            "0.10000000149011612"
        );
        assert_eq!(scalar(Element::I32, (-7i64) as u64), "-7");
        assert_eq!(scalar(Element::I64, u64::MAX), "-1");
    }
}
