//! What must hold of every program, and of every well-formed one.

use melior::Context;
use pld_suite::{self as session, Outcome, Said};
use std::{
    collections::BTreeSet,
    fmt::{self, Display},
};

/// Upstream's passes that clean and move code.
const PASSES: &str = "canonicalize,cse,loop-invariant-code-motion,sccp,control-flow-sink,inline";

/// What is never dropped, merged or moved past another.
const COMMUNICATION: &[&str] = &[
    "pld.notify ",
    "pld.wait ",
    "pl.sync_blocks",
    "pld.barrier ",
    "pld.put ",
    "pld.get ",
    "pld.remote_load ",
    "pld.remote_store ",
    "pld.allreduce ",
    "pld.broadcast ",
    "pld.allgather ",
    "pld.reduce_scatter ",
    "pld.all_to_all ",
    "pld.all_to_all_v ",
    "pld.dispatch ",
];

/// How messages begin that upstream generates for our operations from their declarations:
/// these have no code.
const GENERATED: &[&str] = &[
    "operand #",
    "result #",
    "attribute '",
    "requires attribute '",
    "failed to verify that",
    "requires all operands and results to have the same type",
    "requires the same type for all operands and results",
    "expected ",
    "requires ",
    "region #",
    "operand count",
    "'operandSegmentSizes'",
    "invalid properties",
    "using value defined outside",
    "symbol ",
    "operation ",
];

/// What a run of programs has met.
#[derive(Debug, Default)]
pub struct Tally {
    accepted: u64,
    refused: u64,
    codes: BTreeSet<String>,
    operations: BTreeSet<String>,
}

impl Tally {
    fn count(&mut self, text: &str, outcome: &Outcome) {
        let codes = outcome.said.iter().filter_map(Said::code);
        self.codes.extend(codes.map(str::to_owned));
        if outcome.printed.is_none() {
            self.refused += 1;
            return;
        }
        self.accepted += 1;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
        let words = text.split(|c| !is_name(c));
        let ours = words.filter(|word| word.starts_with("pl.") || word.starts_with("pld."));
        for word in ours {
            if !self.operations.contains(word) {
                self.operations.insert(word.into());
            }
        }
    }

    /// Fails if too little was met for the run to say something.
    pub fn expect_variety(&self) {
        if self.refused == 0 {
            let missing: Vec<_> = pld_suite::all_operations()
                .into_iter()
                .filter(|operation| !self.operations.contains(operation))
                .collect();
            assert!(missing.is_empty(), "no program holds {missing:?}");
            return;
        }
        let least = (self.accepted + self.refused) / 33;
        assert!(
            self.accepted >= least && self.refused >= least,
            "too few of a kind: {self}"
        );
        assert!(self.codes.len() >= 9, "too few codes: {self}");
    }
}

impl Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(
            formatter,
            "{} accepted, {} refused with {:?}",
            self.accepted, self.refused, self.codes
        )
    }
}

/// Any program: no crash, errors with a place and a code, and what is accepted prints,
/// parses and verifies again, also after lowering to tiles.
pub fn any(context: &Context, text: &str, tally: &mut Tally) -> Option<String> {
    let outcome = session::run(context, text, "");
    tally.count(text, &outcome);
    if let Some(fault) = misreported(&outcome) {
        return Some(fault);
    }
    outcome.printed.as_ref()?;
    if let Some(fault) = cleaned(context, text, None) {
        return Some(fault);
    }
    checked_and_lowered(context, text)
}

/// A well-formed program: accepted without a word, the same again through text and
/// bytecode, and valid after upstream's passes with its communication as it was.
pub fn sound(context: &Context, text: &str, tally: &mut Tally) -> Option<String> {
    let outcome = session::run(context, text, "");
    tally.count(text, &outcome);
    let Some(printed) = outcome.printed.filter(|_| outcome.said.is_empty()) else {
        return Some(format!("is well formed, but: {:#?}", outcome.said));
    };
    if let Some(fault) = reparsed(context, &printed) {
        return Some(fault);
    }
    match session::through_bytecode(context, &printed) {
        None => return Some("does not survive bytecode".into()),
        Some(again) if again != printed => return Some(format!("is other in bytecode:\n{again}")),
        Some(_) => {}
    }
    if let Some(fault) = cleaned(context, text, Some(&printed)) {
        return Some(fault);
    }
    checked_and_lowered(context, text)
}

/// The check of the protocol has its say, within a budget; lowering to tiles gives what parses.
fn checked_and_lowered(context: &Context, text: &str) -> Option<String> {
    let said = session::run(context, text, "pld-check-protocol{steps=20000 states=1000}");
    if let Some(fault) = misreported(&said) {
        return Some(fault);
    }
    let outcome = session::run(context, text, "lower-pld-to-tile{protocol=false}");
    misreported(&outcome).or_else(|| reparsed(context, &outcome.printed?))
}

/// What is wrong with a valid program after upstream's passes; and with how it communicates
/// then, unless `before` is none.
fn cleaned(context: &Context, text: &str, before: Option<&str>) -> Option<String> {
    let after = session::run(context, text, PASSES);
    let Some(printed) = after.printed else {
        return Some(format!("is invalid after {PASSES}: {:#?}", after.said));
    };
    if let Some(fault) = reparsed(context, &printed) {
        return Some(fault);
    }
    // What a call is inlined to comes on top.
    let before = before.filter(|before| !before.contains("call @"))?;
    let (before, after) = (communication(before), communication(&printed));
    (before != after)
        .then(|| format!("communicates as\n{before:#?}, but after {PASSES} as\n{after:#?}"))
}

/// The communication of a printed module, in order, without the names of values.
fn communication(printed: &str) -> Vec<String> {
    let is_communication = |line: &&str| {
        let op = line.split(" = ").last().unwrap_or(line).trim_start();
        op.starts_with("func.func") || COMMUNICATION.iter().any(|name| op.starts_with(name))
    };
    let lines = printed.lines().filter(is_communication);
    lines.map(without_values).collect()
}

/// A line with `%` for each `%12#3` and `%arg0`.
fn without_values(line: &str) -> String {
    let mut parts = line.trim_start().split('%');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push('%');
        result += part.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_#-".contains(c));
    }
    result
}

/// What is wrong with what was said of a text.
fn misreported(outcome: &Outcome) -> Option<String> {
    for said in &outcome.said {
        if said.message.contains("internal error") {
            return Some(said.message.clone());
        }
        if !said.is_located {
            return Some(format!("no place: {}", said.message));
        }
        if said.is_finding && said.code().is_none() && is_ours(&said.message) {
            return Some(format!("no code: {}", said.message));
        }
    }
    let silent = outcome.printed.is_none() && outcome.said.is_empty();
    silent.then(|| "refused without a word".into())
}

/// Whether a message is of one of our rules.
fn is_ours(message: &str) -> bool {
    let ours = message.starts_with("'pl.") || message.starts_with("'pld.");
    let text = message.split_once("' op ").map(|(_, text)| text);
    ours && text.is_some_and(|text| !GENERATED.iter().any(|start| text.starts_with(start)))
}

/// What is wrong with a printed module when it is parsed.
fn reparsed(context: &Context, printed: &str) -> Option<String> {
    // Upstream's own: a symbol without a name prints as what does not parse.
    if printed.contains("<<INVALID EMPTY SYMBOL>>") {
        return None;
    }
    let again = session::run(context, printed, "");
    match again.printed {
        None => Some(format!(
            "does not parse again: {:#?}\n{printed}",
            again.said
        )),
        Some(second) if second != printed => Some(format!("prints anew as\n{second}")),
        Some(_) => None,
    }
}
