//! What comes of a run, as plain types.

use crate::diagnostic;
use pld::{Report, Source, Verdict};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList},
};

/// What came of a run.
#[pyclass]
pub struct Outcome {
    /// `agrees`, `differs`, `faulty` or `failed`.
    #[pyo3(get)]
    verdict: String,
    /// What a tool exits with.
    #[pyo3(get)]
    exit_code: u8,
    /// What went wrong, as text.
    #[pyo3(get)]
    problems: Vec<String>,
    /// The codes of the findings.
    #[pyo3(get)]
    codes: Vec<String>,
    /// The cost card, as text.
    #[pyo3(get)]
    cost: Option<String>,
    /// The schedule of the last run.
    #[pyo3(get)]
    seed: u64,
    /// What was compared: argument and reference.
    #[pyo3(get)]
    compared: Vec<(usize, String)>,
    /// All of it as JSON.
    #[pyo3(get)]
    json: String,
    /// Diagnostics of the lowering, as dictionaries.
    #[pyo3(get)]
    warnings: Py<PyList>,
    arrays: Vec<Option<pld::Array>>,
}

impl Outcome {
    pub fn new(
        py: Python<'_>,
        source: &Source,
        result: Result<pld::Outcome, pld::Error>,
    ) -> PyResult<Self> {
        let exit_code = pld::exit_code(&result);
        let json = Report::of(&result).to_json().unwrap_or_default();
        let outcome = result.map_err(|error| diagnostic::raise(py, source, &error))?;
        let warnings = diagnostic::list(py, source, &outcome.warnings)?.unbind();
        let mut problems: Vec<_> = outcome.run.error.iter().cloned().collect();
        problems.extend(outcome.findings().iter().map(ToString::to_string));
        let differing = outcome.mismatches.iter();
        problems.extend(differing.map(|mismatch| format!("error: {mismatch}")));
        let verdict = match outcome.verdict() {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::Faulty => "faulty",
            Verdict::Failed => "failed",
        };
        let codes = outcome.findings().iter();
        let codes = codes.map(|finding| finding.code.to_string()).collect();
        Ok(Self {
            verdict: verdict.to_owned(),
            exit_code,
            problems,
            codes,
            cost: outcome.cost.as_ref().map(ToString::to_string),
            seed: outcome.seed,
            compared: outcome.compared,
            json,
            warnings,
            arrays: outcome.arrays,
        })
    }
}

#[pymethods]
impl Outcome {
    /// The bytes of an argument's array after the run; none for a scalar.
    fn array<'py>(&self, py: Python<'py>, argument: usize) -> Option<Bound<'py, PyBytes>> {
        let array = self.arrays.get(argument)?.as_ref()?;
        Some(PyBytes::new(py, array.bytes()))
    }
}
