//! A program: parsed, checked, lowered, run.

use crate::{diagnostic, outcome::Outcome, run};
use pld::{Barrier, ProjectFile, Source};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyList},
};
use std::path::PathBuf;

/// A program of `pl` and `pld` that has been parsed and verified.
#[pyclass(unsendable)]
pub struct Program {
    program: pld::Program,
    source: Source,
}

#[pymethods]
impl Program {
    /// Parses and verifies the text; `name` is the file of its own locations.
    #[new]
    fn new(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let source = Source::new(name, text);
        match pld::Program::parse(&source) {
            Ok(program) => Ok(Self { program, source }),
            Err(error) => Err(diagnostic::raise(py, &source, &error)),
        }
    }

    /// The IR; with `locations` also the lines that it comes from.
    fn text(&self, locations: bool) -> String {
        if locations {
            self.program.text_with_locations()
        } else {
            self.program.to_string()
        }
    }

    /// The text of a copy that this pipeline has lowered.
    fn lowered(&self, py: Python<'_>, pipeline: &str) -> PyResult<String> {
        self.sure(py, self.program.lowered(pipeline))
    }

    /// Lints the program, and returns the warnings.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let said = self.sure(py, self.program.check())?;
        diagnostic::list(py, &self.source, &said)
    }

    /// The names of the host functions.
    fn entries(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let entries = self.sure(py, self.program.entries())?;
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
        let entry = self.sure(py, self.program.entry(Some(entry)))?;
        let mut said = self.sure(py, self.program.refused_by(&entry, arch))?;
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
        Outcome::new(py, &self.source, options.run(&self.program, world))
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
        let entry = self.sure(py, self.program.entry(entry))?;
        let (files, _) = self.sure(py, self.program.project(&entry, barrier, target))?;
        Ok(files)
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
