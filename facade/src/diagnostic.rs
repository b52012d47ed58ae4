//! Diagnostics as values, and their text with the source line and a caret.

use melior::{
    Context,
    diagnostic::{self as mlir, DiagnosticSeverity},
    ir::Location,
};
use pld_dialects::{bridge, diag::Code};
use pld_protocol::Record as ProtocolFinding;
use pld_runtime::{Finding, Site};
use serde::{Serialize, Serializer};
use std::{
    cell::RefCell,
    fmt::{self, Display, Write},
    rc::Rc,
};

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The program or an input is refused.
    Error,
    /// The program is odd but goes on.
    Warning,
    /// Something worth knowing.
    Remark,
}

impl Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Remark => "remark",
        })
    }
}

/// A place in a source file; line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// As the program was named when it was parsed, or as its locations say.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column, in bytes.
    pub column: u32,
}

impl Position {
    pub(crate) fn of(location: Location) -> Option<Self> {
        let (file, line, column) = bridge::file_position(location)?;
        // A whole file has line 0.
        (line > 0).then_some(Self {
            file: file.to_owned(),
            line,
            column,
        })
    }
}

impl Position {
    /// The start of the file that a location is in.
    pub(crate) fn start(location: Location) -> Option<Self> {
        let (file, ..) = bridge::file_position(location)?;
        Some(Self {
            file: file.to_owned(),
            line: 1,
            column: 1,
        })
    }
}

impl Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { file, line, column } = self;
        write!(f, "{file}:{line}:{column}")
    }
}

/// A remark on a diagnostic: another party, or how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The text.
    pub message: String,
    /// Where it points, if anywhere.
    pub position: Option<Position>,
}

/// What a parser, verifier, check or tool says of a program or its inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// The stable code; upstream's own errors have none.
    #[serde(serialize_with = "code_as_text")]
    pub code: Option<Code>,
    /// Which entity, what it is, what was expected; without the code.
    pub message: String,
    /// Where; `None` for what has no place in a file.
    pub position: Option<Position>,
    /// Other parties, and how to mend it.
    pub notes: Vec<Note>,
    /// The same as data, if the protocol check says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Box<ProtocolFinding>>,
}

fn code_as_text<S: Serializer>(code: &Option<Code>, serializer: S) -> Result<S::Ok, S::Error> {
    code.map(|code| code.to_string()).serialize(serializer)
}

impl Diagnostic {
    /// An error.
    pub fn error(code: Option<Code>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            position: None,
            notes: Vec::new(),
            finding: None,
        }
    }

    /// A missing or bad input: pld-405.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::error(Some(Code(405)), message)
    }

    /// A world size that is not admitted: pld-406.
    pub(crate) fn world(message: impl Into<String>) -> Self {
        Self::error(Some(Code(406)), message)
    }

    /// What a run found, as a diagnostic.
    pub fn of_finding(finding: &Finding) -> Self {
        let place = |site: &Option<Site>| {
            site.as_ref().map(|site| Position {
                file: site.file.clone(),
                line: site.line,
                column: site.column,
            })
        };
        let digits = finding.code.strip_prefix("pld-").unwrap_or_default();
        let mut said = Self::error(digits.parse().ok().map(Code), &finding.message);
        said.position = place(&finding.site);
        said.notes = finding
            .notes
            .iter()
            .map(|note| Note {
                message: note.message.clone(),
                position: place(&note.site),
            })
            .collect();
        said
    }

    /// The same at a place.
    pub fn at(mut self, position: Option<Position>) -> Self {
        self.position = position;
        self
    }

    /// The same with a note of no place.
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push(Note {
            message: message.into(),
            position: None,
        });
        self
    }

    fn of(diagnostic: &mlir::Diagnostic) -> Self {
        let whole = text(diagnostic);
        let (message, code) = split_code(&whole);
        Self {
            severity: match diagnostic.severity() {
                DiagnosticSeverity::Error => Severity::Error,
                DiagnosticSeverity::Warning => Severity::Warning,
                DiagnosticSeverity::Note | DiagnosticSeverity::Remark => Severity::Remark,
            },
            code,
            message: message.to_owned(),
            position: Position::of(diagnostic.location()),
            notes: (0..diagnostic.note_count())
                .filter_map(|index| diagnostic.note(index).ok())
                .map(|note| Note {
                    message: text(&note),
                    position: Position::of(note.location()),
                })
                .collect(),
            finding: None,
        }
    }

    /// The first line of the text: `FILE:LINE:COLUMN: error: MESSAGE [pld-104]`.
    pub fn headline(&self) -> String {
        let code = self.code.map_or(String::new(), |code| format!(" [{code}]"));
        let kind = self.severity.to_string();
        prefixed(
            self.position.as_ref(),
            &kind,
            &format!("{}{code}", self.message),
        )
    }

    /// The whole text. `line` gives the source line of a position, to be shown with a
    /// caret below the message, as upstream's tools do.
    pub fn render(&self, line: impl Fn(&Position) -> Option<String>) -> String {
        let mut out = self.headline();
        let mut shown = None;
        let mut show = |out: &mut String, position: &Option<Position>| {
            if position.is_some() && *position != shown {
                out.push_str(&snippet(position, &line));
                shown = position.clone();
            }
        };
        show(&mut out, &self.position);
        for note in &self.notes {
            let text = prefixed(note.position.as_ref(), "note", &note.message);
            let _ = write!(out, "\n{text}");
            show(&mut out, &note.position);
        }
        out
    }
}

impl Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.render(|_| None))
    }
}

/// MLIR's text of a diagnostic; what is no UTF-8 ends it.
fn text(diagnostic: &mlir::Diagnostic) -> String {
    let mut text = String::new();
    let _ = write!(text, "{diagnostic}");
    text
}

/// Splits `MESSAGE [pld-104]`.
fn split_code(text: &str) -> (&str, Option<Code>) {
    let split = || {
        let (message, code) = text.strip_suffix(']')?.rsplit_once(" [pld-")?;
        Some((message, Some(Code(code.parse().ok()?))))
    };
    split().unwrap_or((text, None))
}

fn prefixed(position: Option<&Position>, kind: &str, message: &str) -> String {
    match position {
        Some(position) => format!("{position}: {kind}: {message}"),
        None => format!("{kind}: {message}"),
    }
}

/// The source line and a caret below it, each after a line break.
fn snippet(position: &Option<Position>, line: &impl Fn(&Position) -> Option<String>) -> String {
    let Some((position, text)) = position.as_ref().and_then(|p| Some((p, line(p)?))) else {
        return String::new();
    };
    let column = position.column.saturating_sub(1) as usize;
    let before = text.get(..column.min(text.len())).unwrap_or_default();
    let blank = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' });
    format!("\n{text}\n{}^", blank.collect::<String>())
}

/// Runs `run` and collects what it says of IR in `context`.
pub(crate) fn capture<R>(context: &Context, run: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
    let said = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&said);
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        sink.borrow_mut().push(Diagnostic::of(&diagnostic));
        true
    });
    let result = run();
    context.detach_diagnostic_handler(handler);
    (result, said.take())
}

/// Why there is no outcome.
#[derive(Clone, Debug)]
pub enum Error {
    /// The program, an input or an option is wrong; at least one diagnostic is an error.
    Invalid(Vec<Diagnostic>),
    /// A fault of this library or of the machine.
    Internal(String),
    /// Whoever asked for it wants it no more: [`Progress::cancel`](crate::Progress::cancel).
    Cancelled,
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Invalid(diagnostics) => {
                let lines: Vec<_> = diagnostics.iter().map(Diagnostic::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Self::Internal(message) => write!(f, "internal error: {message}"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Invalid(vec![diagnostic])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: u32) -> Option<Position> {
        Some(Position {
            file: "a.mlir".into(),
            line,
            column,
        })
    }

    /// The code is data for embedders, and stands at the end of the text.
    #[test]
    fn code_is_split_off() {
        assert_eq!(split_code("bad x [pld-104]"), ("bad x", Some(Code(104))));
        assert_eq!(split_code("bad [x]"), ("bad [x]", None));
        assert_eq!(split_code("bad [pld-x]"), ("bad [pld-x]", None));
    }

    /// A note at the same place does not repeat the line; one elsewhere shows its own. A
    /// tab before the caret stays a tab, so that it lines up.
    #[test]
    fn caret_under_the_column() {
        let mut diagnostic = Diagnostic::error(Some(Code(104)), "bad").at(place(1, 3));
        diagnostic.notes = vec![
            Note {
                message: "mend".into(),
                position: place(1, 3),
            },
            Note {
                message: "other".into(),
                position: place(2, 1),
            },
        ];
        let text = diagnostic.render(|p| Some(["\t x", "y"][p.line as usize - 1].to_owned()));
        let lines = [
            "a.mlir:1:3: error: bad [pld-104]",
            "\t x",
            "\t ^",
            "a.mlir:1:3: note: mend",
            "a.mlir:2:1: note: other",
            "y",
            "^",
        ];
        assert_eq!(text, lines.join("\n"));
    }

    /// A column past the end of the line, or inside a character, must not panic.
    #[test]
    fn odd_columns() {
        for column in [0, 2, 3, 99] {
            let diagnostic = Diagnostic::error(None, "bad").at(place(1, column));
            assert!(diagnostic.render(|_| Some("äb".into())).ends_with('^'));
        }
    }
}
