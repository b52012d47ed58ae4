//! Diagnostics as dictionaries, and the exception that carries them.

use pld::{Code, Diagnostic, Error, Position, Source};
use pyo3::{
    create_exception,
    exceptions::{PyException, PyKeyboardInterrupt, PyRuntimeError},
    prelude::*,
    types::{PyDict, PyList},
};

create_exception!(
    pld,
    Refused,
    PyException,
    "A program or an input that is refused: its text, and the diagnostics."
);

/// The page of a code such as `104` or `pld-104`, if there is one.
#[pyfunction]
pub fn explain(code: &str) -> Option<String> {
    let digits = code.strip_prefix("pld-").unwrap_or(code);
    pld::explain(Code(digits.parse().ok()?))
}

/// Diagnostics as dictionaries.
pub fn list<'py>(
    py: Python<'py>,
    source: &Source,
    diagnostics: &[Diagnostic],
) -> PyResult<Bound<'py, PyList>> {
    let all: PyResult<Vec<_>> = diagnostics
        .iter()
        .map(|diagnostic| dictionary(py, source, diagnostic))
        .collect();
    PyList::new(py, all?)
}

fn dictionary<'py>(
    py: Python<'py>,
    source: &Source,
    diagnostic: &Diagnostic,
) -> PyResult<Bound<'py, PyDict>> {
    let entries = PyDict::new(py);
    entries.set_item("severity", diagnostic.severity.to_string())?;
    entries.set_item("code", diagnostic.code.map(|code| code.to_string()))?;
    entries.set_item("message", &diagnostic.message)?;
    entries.set_item("position", place(diagnostic.position.as_ref()))?;
    let notes = diagnostic
        .notes
        .iter()
        .map(|note| (&note.message, place(note.position.as_ref())));
    entries.set_item("notes", notes.collect::<Vec<_>>())?;
    entries.set_item("text", source.render(diagnostic))?;
    Ok(entries)
}

fn place(position: Option<&Position>) -> Option<(&str, u32, u32)> {
    position.map(|at| (at.file.as_str(), at.line, at.column))
}

/// The exception of an error.
pub fn raise(py: Python<'_>, source: &Source, error: &Error) -> PyErr {
    match error {
        Error::Internal(message) => PyRuntimeError::new_err(message.clone()),
        Error::Cancelled => PyKeyboardInterrupt::new_err(()),
        Error::Invalid(diagnostics) => match list(py, source, diagnostics) {
            Ok(list) => {
                let text: Vec<_> = diagnostics.iter().map(|said| source.render(said)).collect();
                Refused::new_err((text.join("\n"), list.unbind()))
            }
            Err(error) => error,
        },
    }
}
