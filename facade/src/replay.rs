//! What the protocol check has found, read from a file, and run.

use crate::diagnostic::{Diagnostic, Error, Severity};
use crate::outcome::Outcome;
use crate::simulate::Simulation;
use pld_dialects::file;
use pld_lowering::Barrier;
use pld_protocol::{Moment, Operation, Place, Record};
use pld_runtime::{Part, Replay, Site, Turn};
use serde_json::Value;
use std::{path::Path, sync::Arc};

/// Reads a finding of the protocol check: from a file that holds one, from a list of them, or from
/// a report of a run that was refused for one; the first if there are several.
///
/// # Errors
///
/// A file that cannot be read, or holds none.
pub fn read_finding(path: &Path) -> Result<Record, Error> {
    let refuse = |why: String| -> Error {
        let message = format!("finding '{}': {why}", path.display());
        Diagnostic::error(None, message).into()
    };
    let text = file::read(path).map_err(|error| refuse(error.to_string()))?;
    let json: Value = serde_json::from_slice(&text).map_err(|error| refuse(error.to_string()))?;
    let found = finding_in(&json).ok_or_else(|| {
        let why = "it holds no finding of the protocol check, expected what pld-run --report or \
                   --pld-check-protocol=json=FILE writes";
        refuse(why.into())
    })?;
    let finding: Record =
        serde_json::from_value(found.clone()).map_err(|error| refuse(error.to_string()))?;
    match finding.world {
        0 => Err(refuse("it is about 0 ranks, expected at least 1".into())),
        _ => Ok(finding),
    }
}

fn finding_in(json: &Value) -> Option<&Value> {
    match json {
        Value::Array(all) => all.iter().find_map(finding_in),
        Value::Object(keys) if keys.contains_key("schedule") => Some(json),
        Value::Object(keys) => ["diagnostics", "warnings", "finding"]
            .iter()
            .find_map(|key| finding_in(keys.get(*key)?)),
        _ => None,
    }
}

/// The order of operations that a finding shows.
pub(crate) fn script(finding: &Record) -> Arc<Replay> {
    let moves = finding.schedule.iter();
    // Who has come to a barrier leaves it as soon as it can.
    let moves = moves.filter(|step| step.moment != Moment::Passes);
    let steps = moves.map(|step| Turn {
        rank: step.rank as usize,
        block: step.block.unwrap_or(0) as usize,
        site: site(&step.operation),
        part: match step.moment {
            Moment::Within => Part::Call,
            Moment::Waits => Part::Waits,
            _ => Part::Whole,
        },
    });
    Arc::new(Replay {
        steps: steps.collect(),
        uncertain: finding.uncertain.iter().map(site).collect(),
    })
}

fn site(operation: &Operation) -> Site {
    let (file, line, column) = match &operation.place {
        Some(Place { file, line, column }) => (file.as_str(), *line, *column),
        // As compiled code has what is nowhere.
        None => ("?", 0, 0),
    };
    Site {
        op: operation.op.clone(),
        file: file.to_owned(),
        line,
        column,
    }
}

impl Simulation<'_> {
    /// Runs the order of operations that a finding of the protocol check shows, in which it goes
    /// wrong: without the protocol check, with races looked for, in one schedule. A program that
    /// does not follow that order is refused. The inputs have to be those that the check knew.
    pub fn replay(mut self, finding: &Record) -> Self {
        self.protocol = false;
        self.races = true;
        // The check takes barriers for what this form does.
        self.barrier = Barrier::Credit;
        self.entry.get_or_insert_with(|| finding.entry.clone());
        self.replayed = Some((script(finding), finding.world as usize));
        self
    }

    /// Whether the run is of the size that a finding is about.
    pub(crate) fn admit_replay(&self) -> Result<(), Error> {
        match self.replayed {
            Some((_, world)) if world != self.world => Err(Diagnostic::world(format!(
                "the finding to replay is about {world} ranks, the run has {}",
                self.world
            ))
            .into()),
            _ => Ok(()),
        }
    }
}

/// A run that left its order is none of the finding, unless it went wrong before that.
pub(crate) fn followed(mut outcome: Outcome) -> Result<Outcome, Error> {
    let Some(why) = outcome.run.strayed.take() else {
        return Ok(outcome);
    };
    let mut said = Diagnostic::error(
        None,
        format!("the program does not follow the schedule of the finding: {why}"),
    )
    .note("replay a finding on the program, the entry and the inputs that it was found with");
    if outcome.run.findings.is_empty() {
        return Err(said.into());
    }
    said.severity = Severity::Warning;
    outcome.warnings.push(said);
    Ok(outcome)
}
