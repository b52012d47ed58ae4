//! Unique names in a function.

use std::collections::HashSet;

/// Names that are taken.
#[derive(Debug, Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// `wanted`, or with a number behind it if it is taken.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 0;
        while !self.0.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}{number}");
        }
        name
    }

    /// Takes every name that a text uses.
    pub fn mention(&mut self, text: &str) {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut before = "";
        let mut rest = text;
        while let Some(start) = rest.find(is_word) {
            before = if start > 0 { &rest[..start] } else { before };
            let word = &rest[start..];
            let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
            // Members and qualified names are no names of their own.
            if !before.ends_with(['.', ':']) && !before.ends_with("->") {
                self.0.insert(word[..end].to_owned());
            }
            rest = &word[end..];
        }
    }

    /// Takes all that another has taken.
    pub fn reserve(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// Whether a name is taken.
    pub fn knows(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name is never given twice, nor one that a text uses.
    #[test]
    fn unique() {
        let mut names = Names::default();
        names.mention("pld::Wait<x>(slot, a.rank, b->own, load1);");
        assert_eq!(names.fresh("rank"), "rank");
        assert_eq!(names.fresh("own"), "own");
        assert_eq!(names.fresh("load"), "load");
        assert_eq!(names.fresh("load"), "load2");
        assert_eq!(names.fresh("slot"), "slot1");
    }
}
