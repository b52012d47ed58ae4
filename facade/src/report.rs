//! What a tool writes of an outcome, as JSON.

use crate::compare::Mismatch;
use crate::diagnostic::{Diagnostic, Error};
use crate::simulate::{Outcome, Verdict};
use pld_runtime::{Counters, Finding, WindowInfo};
use serde::Serialize;

/// An outcome, or why there is none, ready for `serde`.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Report<'a> {
    /// The program ran.
    Run {
        /// How it ended.
        verdict: Verdict,
        /// The host function.
        entry: &'a str,
        /// The schedule of the last run.
        seed: u64,
        /// How many schedules ran.
        schedules: u64,
        /// What was compared: argument and reference.
        compared: &'a [(usize, String)],
        /// What differs.
        mismatches: &'a [Mismatch],
        /// What the last run met.
        findings: &'a [Finding],
        /// A fault of the tool or the machine.
        error: Option<&'a str>,
        /// Whether races were looked for.
        races_checked: bool,
        /// Window buffers, in order of allocation.
        windows: &'a [WindowInfo],
        /// What each rank did.
        counters: &'a [Counters],
    },
    /// It was refused before it ran.
    Invalid {
        /// Why.
        diagnostics: &'a [Diagnostic],
    },
    /// A fault of the tool or the machine before it ran.
    Internal {
        /// Which.
        error: &'a str,
    },
}

impl<'a> Report<'a> {
    /// The report of a result.
    pub fn of(result: &'a Result<Outcome, Error>) -> Self {
        match result {
            Ok(outcome) => Self::Run {
                verdict: outcome.verdict(),
                entry: &outcome.entry.name,
                seed: outcome.seed,
                schedules: outcome.schedules,
                compared: &outcome.compared,
                mismatches: &outcome.mismatches,
                findings: &outcome.run.findings,
                error: outcome.run.error.as_deref(),
                races_checked: outcome.run.races_checked,
                windows: &outcome.run.windows,
                counters: &outcome.run.counters,
            },
            Err(Error::Invalid(diagnostics)) => Self::Invalid { diagnostics },
            Err(Error::Internal(error)) => Self::Internal { error },
        }
    }

    /// The report as indented JSON.
    ///
    /// # Errors
    ///
    /// Text of the serializer's error.
    pub fn to_json(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map_err(|error| error.to_string())
    }
}
