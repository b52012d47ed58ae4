//! Valid and invalid programs of the lit tests and examples, changed at random.

use fastrand::Rng;
use pld_suite::{self as session, files_below};

/// Numbers that arithmetic stumbles over.
const NUMBERS: &[&str] = &[
    "-1",
    "0",
    "1",
    "2",
    "65",
    "4097",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775806",
    "9223372036854775807",
    "-9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
];

pub struct Corpus {
    programs: Vec<Vec<String>>,
    /// Every distinct word of the programs.
    words: Vec<String>,
}

impl Corpus {
    /// Programs as they are written, and where they are valid in the generic form as well,
    /// in which lists and operands can disagree.
    pub fn new() -> Self {
        let context = session::context();
        let files = ["test/lit/pl", "test/lit/pld", "test/lit/passes", "examples"]
            .iter()
            .flat_map(|folder| files_below(folder, "mlir"));
        let mut programs: Vec<Vec<String>> = Vec::new();
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a readable program");
            for part in text.split("// -----") {
                let code = part
                    .lines()
                    .filter(|line| !line.trim_start().starts_with("//"));
                programs.push(code.flat_map(words).collect());
                if let Some(generic) = session::generic(&context, part) {
                    programs.push(generic.lines().flat_map(words).collect());
                }
            }
        }
        assert!(programs.len() > 100, "the lit tests are there");
        let mut all: Vec<_> = programs.iter().flatten().cloned().collect();
        all.sort();
        all.dedup();
        Self {
            programs,
            words: all,
        }
    }

    /// One program with one to four changes.
    pub fn mutate(&self, random: &mut Rng) -> String {
        let words = self.programs[random.usize(..self.programs.len())].clone();
        self.changed(words, random)
    }

    /// A program from elsewhere with one to four changes.
    pub fn mutate_text(&self, text: &str, random: &mut Rng) -> String {
        self.changed(text.lines().flat_map(words).collect(), random)
    }

    fn changed(&self, mut words: Vec<String>, random: &mut Rng) -> String {
        for _ in 0..random.usize(1..5) {
            self.change(&mut words, random);
        }
        words.concat()
    }

    fn change(&self, words: &mut Vec<String>, random: &mut Rng) {
        if words.is_empty() {
            return;
        }
        let at = random.usize(..words.len());
        let other = random.usize(..words.len());
        match random.u8(..12) {
            0..=2 => self.change_number(words, random),
            3 => {
                words.remove(at);
            }
            4 => words.insert(at, words[other].clone()),
            5 => words.swap(at, other),
            6 => words[at] = words[other].clone(),
            7 => words[at] = self.like(&words[at], random),
            8..=10 => {
                // Everywhere, so that uses still fit.
                let (old, new) = (words[at].clone(), self.like(&words[at], random));
                for word in words.iter_mut().filter(|word| **word == old) {
                    word.clone_from(&new);
                }
            }
            _ => change_line(words, at, random),
        }
    }

    /// A word of the same sort: another value, type, operation, number or mark.
    fn like(&self, word: &str, random: &mut Rng) -> String {
        let sort = |word: &str| (word.chars().next().map(sort_of), word.contains('.'));
        let alike: Vec<_> = self
            .words
            .iter()
            .filter(|other| sort(other) == sort(word))
            .collect();
        if alike.is_empty() {
            return word.into();
        }
        alike[random.usize(..alike.len())].clone()
    }

    /// Replaces a number, also one among the extents of a type.
    fn change_number(&self, words: &mut [String], random: &mut Rng) {
        let has_digit = |word: &String| word.starts_with(|c: char| c.is_ascii_digit() || c == '?');
        let numbers: Vec<_> = (0..words.len()).filter(|&i| has_digit(&words[i])).collect();
        if numbers.is_empty() {
            return;
        }
        let word = &mut words[numbers[random.usize(..numbers.len())]];
        let mut extents: Vec<_> = word.split('x').map(str::to_owned).collect();
        let at = random.usize(..extents.len());
        if has_digit(&extents[at]) {
            let number = NUMBERS[random.usize(..NUMBERS.len())];
            extents[at] = if random.u8(..8) == 0 { "?" } else { number }.into();
        }
        *word = extents.join("x");
    }
}

/// Letters are alike, and so are digits; of marks each stands for itself.
fn sort_of(first: char) -> char {
    match first {
        c if c.is_alphabetic() => 'a',
        c if c.is_ascii_digit() || c == '?' => '0',
        c => c,
    }
}

/// Deletes or doubles the line around a word.
fn change_line(words: &mut Vec<String>, at: usize, random: &mut Rng) {
    let start = words[..at]
        .iter()
        .rposition(|word| word == "\n")
        .map_or(0, |i| i + 1);
    let end = words[at..]
        .iter()
        .position(|word| word == "\n")
        .map_or(words.len(), |i| at + i + 1);
    if random.bool() {
        words.drain(start..end);
    } else {
        let line = words[start..end].to_vec();
        words.splice(start..start, line);
    }
}

/// Splits a line into words, marks and blanks; ends with a line break.
fn words(line: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || "_.%@!?".contains(c);
    let mut words: Vec<String> = Vec::new();
    for c in line.chars() {
        match words.last_mut() {
            Some(last) if is_word(c) && last.ends_with(is_word) => last.push(c),
            _ => words.push(c.into()),
        }
    }
    words.push("\n".into());
    words
}
