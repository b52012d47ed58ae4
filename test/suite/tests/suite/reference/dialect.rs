//! The page of a dialect: what `mlir-tblgen` makes of `dialects/td`, with an index, and with
//! links to the kinds of function and to the codes.

use pld::Code;
use pld_dialects::kinds_for;
use pld_suite::tblgen;

/// An operation as its section describes it.
pub struct Operation {
    pub name: String,
    section: String,
}

impl Operation {
    /// What its description lacks.
    pub fn missing(&self) -> Vec<&'static str> {
        let description = self.description();
        let (text, example) = description
            .split_once("```mlir\n")
            .unwrap_or((&description, ""));
        let shows_it = example
            .split(|c: char| c.is_whitespace())
            .any(|word| word == self.name);
        [
            ("summary", self.section.lines().any(is_summary)),
            ("description", text.trim().ends_with('.')),
            ("example of it", shows_it),
            ("line 'Codes: ...'", self.codes_line().is_some()),
        ]
        .into_iter()
        .filter_map(|(what, found)| (!found).then_some(what))
        .collect()
    }

    /// Its example.
    pub fn example(&self) -> String {
        let description = self.description();
        let block = description.split_once("```mlir\n").map_or("", |x| x.1);
        block.split("```").next().unwrap_or_default().to_owned()
    }

    /// What stands between the syntax and the traits.
    fn description(&self) -> String {
        let rest = self.section.split_once("operation ::=").map_or("", |x| x.1);
        let rest = rest.split_once("\n```\n").map_or("", |x| x.1);
        let ends = ["\nTraits: ", "\nInterfaces: ", "\n#####"];
        let end = ends.iter().filter_map(|end| rest.find(end)).min();
        rest[..end.unwrap_or(rest.len())].to_owned()
    }

    /// The paragraph on its codes.
    fn codes_line(&self) -> Option<&str> {
        let start = self.section.find("\nCodes: ")? + 1;
        let rest = &self.section[start..];
        Some(&rest[..rest.find("\n\n").unwrap_or(rest.len())])
    }

    /// The codes it lists.
    pub fn codes(&self) -> Vec<u16> {
        let words = self.codes_line().unwrap_or_default();
        words
            .split(|c: char| !c.is_ascii_digit())
            .filter(|word| word.len() == 3)
            .filter_map(|word| word.parse().ok())
            .collect()
    }
}

fn is_summary(line: &str) -> bool {
    line.len() > 2 && line.starts_with('_') && line.ends_with('_')
}

/// All operations of both dialects.
pub fn all() -> Vec<Operation> {
    let pages = [raw("pl", "pl/Pl.td"), raw("pld", "pld/Pld.td")];
    pages.iter().flat_map(|page| operations(page)).collect()
}

fn raw(dialect: &str, file: &str) -> String {
    tblgen(&["-gen-dialect-doc", &format!("-dialect={dialect}")], file)
}

fn operations(page: &str) -> Vec<Operation> {
    let sections = page.split("\n#### `").skip(1);
    sections
        .filter_map(|section| {
            let (name, _) = section.split_once('`')?;
            let end = section.find("\n### ").or_else(|| section.find("\n## "));
            Some(Operation {
                name: name.into(),
                section: section[..end.unwrap_or(section.len())].into(),
            })
        })
        .collect()
}

/// The page, ready to be written.
pub fn page(dialect: &str, file: &str) -> String {
    let raw = raw(dialect, file);
    let mut page = raw.clone();
    for operation in operations(&raw) {
        if let Some(line) = operation.codes_line() {
            let old = operation
                .section
                .replace(line, &linked(&operation.name, line));
            page = page.replace(&operation.section, &old);
        }
    }
    let (_, page) = page
        .split_once("-->\n")
        .expect("a first line by mlir-tblgen");
    let page = page.replace("[TOC]\n", &index(&raw));
    let mut text = format!("{}dialects/td/{dialect}; edit that. -->\n", super::OF);
    let mut blank = false;
    for line in page.lines() {
        // C++ classes are of no use here, nor are several blank lines.
        let line = match line.split_once(" (::pl") {
            Some((heading, _)) if line.starts_with("####") => heading,
            _ => line.trim_end(),
        };
        if !(line.is_empty() && blank) {
            text += line;
            text.push('\n');
        }
        blank = line.is_empty();
    }
    text.trim_end().to_owned() + "\n"
}

/// Where an operation stands and what it reports, each code with a link to its section.
fn linked(name: &str, line: &str) -> String {
    let kinds: Vec<_> = kinds_for(name)
        .iter()
        .map(|kind| format!("`{kind}`"))
        .collect();
    let mut text = format!("In {} functions. ", kinds.join(" or "));
    let mut word = String::new();
    for c in line.chars().chain([' ']) {
        if c.is_ascii_digit() {
            word.push(c);
            continue;
        }
        text += &link(&word);
        word.clear();
        text.push(c);
    }
    text.trim_end().to_owned()
}

/// A code as a link, if it has a section.
fn link(word: &str) -> String {
    let code = word.parse().ok().map(Code);
    match code.and_then(pld::explain) {
        Some(section) => {
            let heading = section.lines().next().unwrap_or_default();
            format!("[{word}](../diagnostics.md#{})", anchor(heading))
        }
        None => word.into(),
    }
}

/// What a heading is linked by.
fn anchor(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The families and their operations, in the order of the page.
fn index(page: &str) -> String {
    let mut text = String::new();
    let from = page.find("\n## Operations").unwrap_or(0);
    let to = page.find("\n## Types").unwrap_or(page.len());
    for line in page[from..to].lines() {
        if let Some(family) = line.strip_prefix("### ") {
            text += &format!("\n- [{family}](#{}):", anchor(family));
        } else if let Some(name) = line.strip_prefix("#### `") {
            let name = name.split('`').next().unwrap_or_default();
            let comma = if text.ends_with(':') { "" } else { "," };
            text += &format!("{comma}\n  [`{name}`](#{})", anchor(name));
        }
    }
    text.trim_start().to_owned() + "\n"
}
