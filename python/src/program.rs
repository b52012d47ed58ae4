//! A program: parsed, checked, lowered, run.

use crate::{diagnostic, outcome::Outcome, run};
use pld::{Barrier, ProjectFile, Source};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyList},
};
use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// A program of `pl` and `pld` that has been parsed and verified. Any thread may use it; one that
/// finds it in use waits.
#[pyclass]
pub struct Program {
    program: Mutex<Movable>,
    source: Source,
}

/// A program that one thread at a time uses.
struct Movable(pld::Program);

// SAFETY: a context of MLIR and its operations may be used from any thread, one at a time; the
// lock around every program sees to that. Nothing of it is kept per thread.
unsafe impl Send for Movable {}

#[pymethods]
impl Program {
    /// Parses and verifies the text; `name` is the file of its own locations.
    #[new]
    fn new(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let source = Source::new(name, text);
        match pld::Program::parse(&source) {
            Ok(program) => Ok(Self {
                program: Mutex::new(Movable(program)),
                source,
            }),
            Err(error) => Err(diagnostic::raise(py, &source, &error)),
        }
    }

    /// The IR; with `locations` also the lines that it comes from.
    fn text(&self, locations: bool) -> String {
        self.with(|program| match locations {
            true => program.text_with_locations(),
            false => program.to_string(),
        })
    }

    /// The text of a copy that this pipeline has lowered.
    fn lowered(&self, py: Python<'_>, pipeline: &str) -> PyResult<String> {
        self.sure(py, self.with(|program| program.lowered(pipeline)))
    }

    /// Lints the program, and returns the warnings.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let said = self.sure(py, self.with(pld::Program::check))?;
        diagnostic::list(py, &self.source, &said)
    }

    /// The names of the host functions.
    fn entries(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let entries = self.sure(py, self.with(pld::Program::entries))?;
        Ok(entries.into_iter().map(|entry| entry.name).collect())
    }

    /// What a target refuses of the program that starts with `entry`, on `world` ranks.
    fn refused_by<'py>(
        &self,
        py: Python<'py>,
        entry: &str,
        arch: &str,
        world: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let refused = self.with(|program| {
            let entry = program.entry(Some(entry))?;
            program.refused_by(&entry, arch)
        });
        let mut said = self.sure(py, refused)?;
        said.extend(pld::refuses_world(arch, world));
        diagnostic::list(py, &self.source, &said)
    }

    /// The files of the AscendC and HCCL project: paths and texts.
    fn project(
        &self,
        py: Python<'_>,
        entry: Option<&str>,
        barrier: Option<&str>,
        target: &str,
    ) -> PyResult<Vec<(String, String)>> {
        let files = self.files(py, entry, barrier, target)?;
        Ok(files
            .into_iter()
            .map(|file| (file.path, file.text))
            .collect())
    }

    /// Writes the project below `folder`.
    fn write_project(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        entry: Option<&str>,
        barrier: Option<&str>,
        target: &str,
    ) -> PyResult<usize> {
        let files = self.files(py, entry, barrier, target)?;
        self.sure(py, pld::write_project(&folder, &files))?;
        Ok(files.len())
    }

    /// Runs on `world` ranks; `options` as `run.rs` lists them.
    fn run(&self, py: Python<'_>, world: usize, options: &Bound<'_, PyDict>) -> PyResult<Outcome> {
        let options = run::Options::of(options)?;
        let run = |progress| self.with(|program| options.run(program, world, progress));
        let result = run::interruptible(py, run)?;
        Outcome::new(py, &self.source, result)
    }
}

impl Program {
    fn files(
        &self,
        py: Python<'_>,
        entry: Option<&str>,
        barrier: Option<&str>,
        target: &str,
    ) -> PyResult<Vec<ProjectFile>> {
        let barrier = self::barrier(barrier)?;
        let project = self.with(|program| {
            let entry = program.entry(entry)?;
            program.project(&entry, barrier, target)
        });
        let (files, _) = self.sure(py, project)?;
        Ok(files)
    }

    /// Uses the program. Nothing in here takes Python's lock while it has this one.
    fn with<R>(&self, body: impl FnOnce(&pld::Program) -> R) -> R {
        let program = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        body(&program.0)
    }

    fn sure<T>(&self, py: Python<'_>, result: Result<T, pld::Error>) -> PyResult<T> {
        result.map_err(|error| diagnostic::raise(py, &self.source, &error))
    }
}

/// The form of barrier of this name; the default without one.
pub fn barrier(name: Option<&str>) -> PyResult<Barrier> {
    name.map_or(Ok(Barrier::default()), |name| {
        let mut all = [Barrier::Dissemination, Barrier::Credit].into_iter();
        all.find(|barrier| barrier.name() == name).ok_or_else(|| {
            PyValueError::new_err(format!(
                "barrier is '{name}', expected dissemination or credit"
            ))
        })
    })
}
