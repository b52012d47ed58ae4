//! What comes of a run.

use crate::array::Array;
use crate::compare::Mismatch;
use crate::cost::Cost;
use crate::diagnostic::{Diagnostic, Error};
use crate::entry::Entry;
use pld_runtime as runtime;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// To its end, and all that was compared agrees.
    Agrees,
    /// To its end, with a wrong result.
    Differs,
    /// With a finding: a deadlock, a race, an access out of bounds.
    Faulty,
    /// With a fault of the tool or the machine.
    Failed,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The entry that ran.
    pub entry: Entry,
    /// The schedule of the last run: the first that went wrong, if one did.
    pub seed: u64,
    /// How many schedules ran.
    pub schedules: u64,
    /// Arrays by argument, as the last run left them; `None` for scalars.
    pub arrays: Vec<Option<Array>>,
    /// What the last run reports.
    pub run: runtime::Report,
    /// What the last run cost, if asked for.
    pub cost: Option<Cost>,
    /// Names of what results were compared with, by argument.
    pub compared: Vec<(usize, String)>,
    /// What differs.
    pub mismatches: Vec<Mismatch>,
    /// What the lowering warned of.
    pub warnings: Vec<Diagnostic>,
}

impl Outcome {
    /// How the run ended.
    pub fn verdict(&self) -> Verdict {
        if self.run.error.is_some() {
            Verdict::Failed
        } else if !self.run.findings.is_empty() {
            Verdict::Faulty
        } else if !self.mismatches.is_empty() {
            Verdict::Differs
        } else {
            Verdict::Agrees
        }
    }

    /// What the run found wrong in the program.
    pub fn findings(&self) -> &[runtime::Finding] {
        &self.run.findings
    }
}

/// The exit code of a tool: 0 all agrees, 1 a wrong result, 2 refused before the run, 3 a
/// finding, 4 a fault of the tool or the machine, 130 ended from outside.
pub fn exit_code(result: &Result<Outcome, Error>) -> u8 {
    match result {
        Ok(outcome) => match outcome.verdict() {
            Verdict::Agrees => 0,
            Verdict::Differs => 1,
            Verdict::Faulty => 3,
            Verdict::Failed => 4,
        },
        Err(Error::Invalid(_)) => 2,
        Err(Error::Internal(_)) => 4,
        Err(Error::Cancelled) => 130,
    }
}
