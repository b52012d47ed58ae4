//! Diagnostics: a stable code, the entity, what was expected, and a note that mends it.

use crate::bridge;
use melior::ir::{Location, operation::OperationLike};
use std::fmt::{self, Display};

/// A stable diagnostic code, printed as `pld-104`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "pld-{}", self.0)
    }
}

/// How grave a diagnostic is; the values are those of the bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program is refused.
    Error = 0,
    /// The program is odd but goes on.
    Warning = 1,
    /// Something worth knowing.
    Remark = 2,
}

/// A diagnostic in the making. It says nothing until [`Report::emit`].
#[must_use = "a report says nothing until it is emitted"]
pub struct Report<'c> {
    location: Location<'c>,
    severity: Severity,
    message: String,
    notes: Vec<(Location<'c>, String)>,
}

impl<'c> Report<'c> {
    fn new(severity: Severity, location: Location<'c>, message: String) -> Self {
        Self {
            location,
            severity,
            message,
            notes: Vec::new(),
        }
    }

    /// Adds a note at the same place: how to mend it.
    pub fn note(mut self, message: impl Display) -> Self {
        self.notes.push((self.location, message.to_string()));
        self
    }

    /// Adds a note that points at another party.
    pub fn note_at(mut self, location: Location<'c>, message: impl Display) -> Self {
        self.notes.push((location, message.to_string()));
        self
    }

    /// Hands the diagnostic to the context's handlers.
    pub fn emit(self) {
        bridge::emit_diagnostic(
            self.location,
            self.severity as i32,
            &self.message,
            &self.notes,
        );
    }
}

/// An error of an operation: `'pl.load' op MESSAGE [pld-104]`.
pub fn error<'c: 'a, 'a>(
    op: &impl OperationLike<'c, 'a>,
    code: Code,
    message: impl Display,
) -> Report<'c> {
    Report::new(Severity::Error, op.location(), about(op, code, message))
}

/// A warning of an operation.
pub fn warning<'c: 'a, 'a>(
    op: &impl OperationLike<'c, 'a>,
    code: Code,
    message: impl Display,
) -> Report<'c> {
    Report::new(Severity::Warning, op.location(), about(op, code, message))
}

/// An error of a place, without a code: a pass met what it cannot take.
pub fn failure<'c>(location: Location<'c>, message: impl Display) -> Report<'c> {
    Report::new(Severity::Error, location, message.to_string())
}

/// An error of a place, with a code.
pub fn error_at<'c>(location: Location<'c>, code: Code, message: impl Display) -> Report<'c> {
    Report::new(Severity::Error, location, format!("{message} [{code}]"))
}

/// A remark on a place: something worth knowing, which refuses nothing.
pub fn remark_at<'c>(location: Location<'c>, message: impl Display) -> Report<'c> {
    Report::new(Severity::Remark, location, message.to_string())
}

fn about<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>, code: Code, message: impl Display) -> String {
    let name = op.name();
    let name = name.as_string_ref();
    format!("'{}' op {message} [{code}]", name.as_str().unwrap_or("?"))
}
