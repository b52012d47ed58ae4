//! What a tool writes of an outcome, as JSON.

use crate::compare::Mismatch;
use crate::cost::Cost;
use crate::diagnostic::{Diagnostic, Error};
use crate::outcome::{Outcome, Verdict, exit_code};
use pld_runtime::{Counters, Finding, WindowInfo};
use serde::Serialize;

/// An outcome, or why there is none, ready for `serde`. `docs/simulator.md` lists the keys.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    /// What the tool exits with.
    pub exit_code: u8,
    /// What there is to say.
    #[serde(flatten)]
    pub content: Content<'a>,
}

/// What a report says.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Content<'a> {
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
        /// The cost card, if asked for.
        cost: Option<&'a Cost>,
        /// What the lowering warned of.
        warnings: &'a [Diagnostic],
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
    /// It was ended from outside.
    Cancelled,
}

impl<'a> Report<'a> {
    /// The report of a result.
    pub fn of(result: &'a Result<Outcome, Error>) -> Self {
        let content = match result {
            Ok(outcome) => Content::Run {
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
                cost: outcome.cost.as_ref(),
                warnings: &outcome.warnings,
            },
            Err(Error::Invalid(diagnostics)) => Content::Invalid { diagnostics },
            Err(Error::Internal(error)) => Content::Internal { error },
            Err(Error::Cancelled) => Content::Cancelled,
        };
        Self {
            exit_code: exit_code(result),
            content,
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
