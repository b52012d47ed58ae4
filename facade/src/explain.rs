//! What each diagnostic code means: the sections of `docs/diagnostics.md`.

use crate::Code;

const PAGE: &str = include_str!("../diagnostics.md");

/// What `code` means, as plain text: the rule, a program that breaks it, what is said of it,
/// and the mended program. `None` for a code that nothing reports.
///
/// ```
/// use pld::{Code, explain};
///
/// let text = explain(Code(104)).expect("a known code");
/// assert!(text.starts_with("pld-104: "));
/// assert_eq!(explain(Code(0)), None);
/// ```
pub fn explain(code: Code) -> Option<String> {
    let (_, section) = sections().find(|(found, _)| *found == code)?;
    Some(plain(section))
}

/// The codes that [`explain`] knows, in ascending order.
pub fn codes() -> Vec<Code> {
    sections().map(|(code, _)| code).collect()
}

/// Each section, from the text of its heading on.
fn sections() -> impl Iterator<Item = (Code, &'static str)> {
    PAGE.split("\n## ").filter_map(|section| {
        let number = section.strip_prefix("pld-")?.get(..3)?;
        Some((Code(number.parse().ok()?), section))
    })
}

/// Markdown without its fences: the lines between them are indented instead.
fn plain(section: &str) -> String {
    let mut text = String::new();
    let mut fenced = false;
    for line in section.trim_end().lines() {
        if line.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced && !line.is_empty() {
            text += "    ";
        }
        text += line;
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every section is found by its code, and none runs into the next.
    #[test]
    fn sections_are_whole() {
        let codes = codes();
        assert!(codes.len() > 20 && codes.is_sorted(), "{codes:?}");
        for code in codes {
            let text = explain(code).expect("a section");
            assert!(text.starts_with(&format!("{code}: ")), "{text}");
            assert!(text.contains(&format!("[{code}]")), "{text}");
            assert!(!text.contains("```") && !text.contains("\n## "), "{text}");
        }
    }
}
