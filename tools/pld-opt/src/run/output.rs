//! What `pld-run` says, and its exit codes. A closed pipe is no fault of the program.

use super::cli::Cli;
use pld::{Diagnostic, Error, Outcome, Source, Verdict};
use std::io::{self, Write};

/// Exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Fine = 0,
    Wrong = 1,
    Invalid = 2,
    Finding = 3,
    Internal = 4,
}

impl Exit {
    pub fn of(result: &Result<Outcome, Error>) -> Self {
        match pld::exit_code(result) {
            0 => Self::Fine,
            1 => Self::Wrong,
            2 => Self::Invalid,
            3 => Self::Finding,
            _ => Self::Internal,
        }
    }
}

/// A line on standard output.
pub fn line(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// A line on standard error.
pub fn error(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints diagnostics, with source lines if the source is known.
pub fn diagnostics(diagnostics: &[Diagnostic], source: Option<&Source>) {
    for diagnostic in diagnostics {
        error(&match source {
            Some(source) => source.render(diagnostic),
            None => diagnostic.to_string(),
        });
    }
}

/// Says in a line what the target would refuse of a program that only the simulator runs.
pub fn would_refuse(refused: &[Diagnostic]) {
    // The target's own codes; what else is refused there is not built yet.
    let mut of_target = refused
        .iter()
        .filter(|said| said.code.is_some_and(|code| (301..400).contains(&code.0)));
    if let Some(first) = of_target.next() {
        let more = match of_target.count() {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        error(&format!(
            "note: a2a3sim would refuse this: {}{more}",
            first.headline()
        ));
    }
}

/// Says why there is no outcome.
pub fn failure(failure: &Error, source: Option<&Source>) {
    match failure {
        Error::Invalid(list) => diagnostics(list, source),
        Error::Internal(_) | Error::Cancelled => error(&failure.to_string()),
    }
}

/// Says that all agrees, if it does.
pub fn verdict(outcome: &Outcome) {
    if outcome.verdict() == Verdict::Agrees {
        line(match outcome.compared.is_empty() {
            true => "OK (no golden: nothing was compared)",
            false => "OK",
        });
    }
}

/// Says what went wrong in a run.
pub fn outcome(outcome: &Outcome, cli: &Cli) {
    let run = &outcome.run;
    if let Some(cost) = &outcome.cost {
        line(&cost.to_string());
    }
    if cli.checks.races && run.error.is_none() && run.findings.is_empty() && !run.races_checked {
        error("note: races were not looked for: too many ranks");
    }
    if let Some(message) = &run.error {
        error(&format!("internal error: {message}"));
    }
    for finding in &run.findings {
        error(&finding.to_string());
    }
    for mismatch in &outcome.mismatches {
        error(&format!("error: {mismatch}"));
    }
    if cli.replay.is_some() && matches!(outcome.verdict(), Verdict::Agrees | Verdict::Differs) {
        error(
            "note: the schedule of the finding was followed to its end, and the run found nothing wrong in it",
        );
    }
    if outcome.verdict() != Verdict::Agrees && cli.schedules > 1 {
        error(&format!(
            "note: schedule {} of {}; run it again with --seed {}",
            outcome.schedules, cli.schedules, outcome.seed
        ));
    }
}
