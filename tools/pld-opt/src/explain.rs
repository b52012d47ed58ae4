//! `--explain CODE`, which every tool takes: what a diagnostic code means.

use pld::Code;
use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

/// Answers `--explain CODE` if the command line asks for it: 0, or 2 for a command line that
/// cannot be meant.
pub fn main(arguments: &[OsString]) -> Option<ExitCode> {
    let options: Vec<_> = arguments
        .iter()
        .skip(1)
        .map(|argument| argument.to_string_lossy())
        .collect();
    let words: Vec<_> = options.iter().map(AsRef::as_ref).collect();
    let text = match answer(&words)? {
        Ok(text) => text,
        Err(message) => {
            eprintln!("error: {message}");
            return Some(ExitCode::from(2));
        }
    };
    // A reader that has gone away, as `head`, is no error.
    let _ = io::stdout().write_all(text.as_bytes());
    Some(ExitCode::SUCCESS)
}

/// The text to print or what is wrong; `None` if `--explain` is not asked for.
fn answer(words: &[&str]) -> Option<Result<String, String>> {
    let asks = |word: &&str| {
        let name = word.split('=').next();
        matches!(name, Some("--explain" | "-explain"))
    };
    let option = words.iter().find(|word| asks(word))?;
    let code = match (words, option.split_once('=')) {
        ([_, code], None) => code,
        ([_], Some((_, code))) if !code.is_empty() => code,
        ([_], _) => return Some(Err(format!("{option} needs a code\n{}", known()))),
        _ => {
            let message = "--explain takes one code and no other argument stands beside it";
            return Some(Err(message.into()));
        }
    };
    let text = parse(code).and_then(pld::explain);
    Some(text.ok_or_else(|| format!("no code is '{code}'\n{}", known())))
}

/// `pld-104`, `104`, or as a message ends, `[pld-104]`.
fn parse(text: &str) -> Option<Code> {
    let text = text.trim_start_matches('[').trim_end_matches(']');
    let number = text.strip_prefix("pld-").unwrap_or(text);
    number.parse().ok().map(Code)
}

/// A line on each hundred of codes.
fn known() -> String {
    let codes = pld::codes();
    let lines = codes.chunk_by(|a, b| a.0 / 100 == b.0 / 100).map(|codes| {
        let codes: Vec<_> = codes.iter().map(Code::to_string).collect();
        format!("note: known: {}", codes.join(" "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The documented spellings, and a code copied from a message with its brackets.
    #[test]
    fn spellings() {
        let expected = pld::explain(Code(104)).expect("a known code");
        for words in [
            &["--explain", "pld-104"][..],
            &["--explain", "104"],
            &["--explain=104"],
            &["-explain", "[pld-104]"],
        ] {
            assert_eq!(answer(words), Some(Ok(expected.clone())), "{words:?}");
        }
    }

    /// What cannot be meant says so; what does not ask is left to the tool.
    #[test]
    fn refused() {
        for (words, why) in [
            (&["--explain"][..], "needs a code"),
            (&["--explain="], "needs a code"),
            (&["--explain", "pld-999"], "no code is 'pld-999'"),
            (&["--explain", "-1"], "no code is '-1'"),
            (&["--explain", "104", "x.mlir"], "one code"),
            (&["x.mlir", "--explain=104"], "one code"),
        ] {
            let Some(Err(message)) = answer(words) else {
                panic!("{words:?} is taken");
            };
            assert!(message.contains(why), "{message}");
        }
        assert_eq!(answer(&["x.mlir", "--explainer"]), None);
    }
}
