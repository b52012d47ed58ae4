//! Mutants of good programs: a barrier, notify or wait left out, two statements swapped, another
//! peer, cell, value or comparison. What the check of the protocol calls clean has no race and no
//! deadlock in any schedule that is tried; so it misses nothing that the simulator can see.

use pld::{Code, Diagnostic, Error, Program, Severity, Simulation, Source, Verdict};
use pld_suite::in_repository;
use std::{collections::BTreeMap, fs};

/// Programs whose ranks meet by their own notifies, waits and barriers, or by collectives.
const PROGRAMS: &[&str] = &[
    "../../examples/04_barrier",
    "../../examples/05_remote_load_store",
    "all_to_all",
    "all_to_all_v",
    "allgather",
    "broadcast",
    "reduce_scatter",
    "rmsnorm_allreduce",
    "all_to_all_hand",
    "allgather_hand",
    "allreduce_hand",
    "allreduce_ring_hand",
    "broadcast_hand",
    "collective_reuse",
    "epochs",
    "get_ring",
    "in_loop",
    "push_scaled",
    "put_atomic",
    "put_chunked",
    "put_dynamic",
    "put_pipelined",
    "put_ring",
    "reduce_scatter_hand",
    "remote_store_atomic_i32",
    "remote_store_halves",
    "signal_exchange",
    "subgroup",
    "two_windows",
];

/// Operations that order others.
const SYNCS: [&str; 9] = [
    "pld.barrier ",
    "pld.notify ",
    "pld.wait ",
    "pld.allreduce ",
    "pld.allgather ",
    "pld.broadcast ",
    "pld.reduce_scatter ",
    "pld.all_to_all ",
    "pld.all_to_all_v ",
];

/// How the check says that it has given up on some orders.
const UNEXPLORED: &str = "not fully explored";

/// A program with one change.
struct Mutant {
    program: &'static str,
    kind: &'static str,
    /// From 1.
    line: usize,
    text: String,
}

/// How the check and the simulator agree on a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    /// No program: a name is used before its definition, say.
    NoProgram,
    /// An error of the check.
    Found,
    /// A remark of it.
    Remark,
    /// Clean, and so it runs.
    Clean,
}

fn all() -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for &program in PROGRAMS {
        let path = in_repository(&format!("test/programs/{program}.mlir"));
        let text = fs::read_to_string(path).expect("the program is there");
        let lines = statements(&text);
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        let mut add = |kind, line: usize, changed: Vec<String>| {
            mutants.push(Mutant {
                program,
                kind,
                line: line + 1,
                text: changed.join("\n"),
            });
        };
        for line in 0..lines.len() {
            for (kind, change) in changes(&lines, line) {
                add(kind, line, change);
            }
        }
    }
    mutants
}

/// The lines of a program, with those joined that are one statement.
fn statements(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let goes_on = line.trim_start().starts_with([':', '!', '('])
            || line.trim_start().starts_with("memref<");
        match lines.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.push(' ');
                last.push_str(line.trim_start());
            }
            None => lines.push(line.to_owned()),
        }
    }
    lines
}

/// What can be changed at a line, each with the lines that come of it.
fn changes(lines: &[&str], at: usize) -> Vec<(&'static str, Vec<String>)> {
    let mut changes = Vec::new();
    let line = lines[at];
    let own = |lines: &[&str]| -> Vec<String> { lines.iter().map(|line| (*line).into()).collect() };
    if !is_statement(lines, at) {
        return changes;
    }
    let with = |replaced: String| {
        let mut changed = own(lines);
        changed[at] = replaced;
        changed
    };
    let is_sync = SYNCS.iter().any(|sync| line.contains(sync));
    if is_sync {
        changes.push(("drop", with(String::new())));
    }
    let has_sync = |at: usize| SYNCS.iter().any(|sync| lines[at].contains(sync));
    for next in (at + 1..lines.len()).take(3) {
        let alike = is_statement(lines, next) && indent(line) == indent(lines[next]);
        if alike && (has_sync(at) || has_sync(next)) {
            let mut changed = own(lines);
            changed.swap(at, next);
            changes.push(("swap", changed));
        }
    }
    for (kind, marker) in [("peer", " to %"), ("peer", " from %"), ("cell", "[%")] {
        if kind == "cell" && !is_sync {
            continue;
        }
        let Some((head, tail)) = line.split_once(marker) else {
            continue;
        };
        let end = tail.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (name, rest) = tail.split_at(end.unwrap_or(tail.len()));
        for other in ranks(&lines[..at]) {
            if other != name {
                changes.push((kind, with(format!("{head}{marker}{other}{rest}"))));
            }
        }
    }
    for to in ["gt", "eq", "ne", "le"] {
        if line.contains("wait ge") {
            let other = line.replacen("wait ge", &format!("wait {to}"), 1);
            changes.push(("comparison", with(other)));
        }
    }
    if line.contains("notify add") {
        let other = line.replacen("notify add", "notify set", 1);
        changes.push(("comparison", with(other)));
    }
    for marker in ["notify add %", "wait ge %"] {
        let Some((head, tail)) = line.split_once(marker) else {
            continue;
        };
        let rest = tail.find(',').map_or("", |end| &tail[end..]);
        for value in [-2, -1, 0, 2, 3, 4, 5, 100] {
            let constant = format!("    %mutant = arith.constant {value} : i32\n");
            changes.push((
                "value",
                with(format!("{constant}{head}{marker}mutant{rest}")),
            ));
        }
    }
    changes
}

/// A line that is a statement of `pl` or `pld`.
fn is_statement(lines: &[&str], at: usize) -> bool {
    let line = lines[at].trim_start();
    let op = line.split_once(" = ").map_or(line, |(_, op)| op);
    (op.starts_with("pl.") || op.starts_with("pld.")) && line.contains(" : ")
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Names of ranks that the function has defined by then.
fn ranks<'a>(before: &[&'a str]) -> Vec<&'a str> {
    let start = before
        .iter()
        .rposition(|line| line.starts_with("func.func"));
    let mut names: Vec<_> = before[start.unwrap_or(0)..]
        .iter()
        .filter_map(|line| line.trim_start().strip_prefix('%')?.split_once(" = "))
        .filter(|(_, op)| {
            let ops = [
                "arith.remsi ",
                "pld.rank ",
                "arith.constant 0 : index",
                "arith.constant 1 : index",
            ];
            ops.iter().any(|start| op.starts_with(start))
        })
        .map(|(name, _)| name)
        .collect();
    names.dedup();
    names
}

/// Checks a mutant at some sizes, and runs what passes in many schedules.
fn agree(mutant: &Mutant, schedules: u64) -> Result<Agreement, String> {
    let source = Source::new(format!("{}.mlir", mutant.program), mutant.text.as_str());
    let Ok(program) = Program::parse(&source) else {
        return Ok(Agreement::NoProgram);
    };
    let entries = program.entries().map_err(|error| error.to_string())?;
    let mut worst = Agreement::NoProgram;
    for entry in &entries {
        for world in [2, 3, 4] {
            if entry.admit(world).is_err() {
                continue;
            }
            let run = Simulation::new(&program, world).entry(&entry.name);
            let one = match run.schedules(schedules).run() {
                Err(Error::Invalid(said)) => refused(&said),
                Err(error) => return Err(error.to_string()),
                Ok(outcome) => match outcome.verdict() {
                    Verdict::Agrees | Verdict::Differs => Agreement::Clean,
                    _ if outcome.warnings.iter().any(is_remark) => Agreement::Remark,
                    _ => {
                        let said: Vec<_> =
                            outcome.findings().iter().map(ToString::to_string).collect();
                        return Err(format!("on {world} ranks: {}", said.join("\n")));
                    }
                },
            };
            worst = match (worst, one) {
                // One finding is enough, a clean size is not.
                (Agreement::Found, _) | (_, Agreement::Found) => Agreement::Found,
                (first, second) => first.max(second),
            };
        }
    }
    Ok(worst)
}

fn refused(said: &[Diagnostic]) -> Agreement {
    let is_found = |said: &Diagnostic| matches!(said.code, Some(Code(201..=209)));
    match said.iter().any(is_found) {
        true => Agreement::Found,
        false => Agreement::NoProgram,
    }
}

fn is_remark(said: &Diagnostic) -> bool {
    said.severity == Severity::Remark
}

/// Runs mutants, and prints what became of them, by kind.
fn run(mutants: &[&Mutant], schedules: u64) {
    let mut table: BTreeMap<_, BTreeMap<Agreement, usize>> = BTreeMap::new();
    let mut missed = Vec::new();
    for mutant in mutants {
        match agree(mutant, schedules) {
            Ok(agreement) => {
                *table
                    .entry(mutant.kind)
                    .or_default()
                    .entry(agreement)
                    .or_default() += 1;
            }
            Err(fault) => missed.push(format!(
                "{}:{}: {} is called clean, yet {fault}",
                mutant.program, mutant.line, mutant.kind
            )),
        }
    }
    for (kind, counts) in &table {
        println!("{kind}: {counts:?}");
    }
    assert!(
        missed.is_empty(),
        "{}:\n{}",
        missed.len(),
        missed.join("\n")
    );
    let programs = table
        .values()
        .flatten()
        .filter(|(agreement, _)| **agreement != Agreement::NoProgram);
    let remarks = table
        .values()
        .filter_map(|counts| counts.get(&Agreement::Remark));
    println!(
        "{} programs, {} remarks",
        programs.map(|(_, count)| count).sum::<usize>(),
        remarks.sum::<usize>()
    );
    let found: usize = table
        .values()
        .filter_map(|counts| counts.get(&Agreement::Found))
        .sum();
    assert!(
        found * 4 > mutants.len(),
        "{found} of {} are found",
        mutants.len()
    );
}

/// What the check decides of the acceptance programs and the examples: everything, without a
/// remark, at all sizes up to 4.
#[test]
fn programs_are_decided() {
    let (mut programs, mut remarks, mut cut) = (0, Vec::new(), 0);
    for folder in ["examples", "test/programs"] {
        let files = fs::read_dir(in_repository(folder)).expect("the folder is there");
        for file in files.map(|file| file.expect("a file").path()) {
            if file.extension().is_none_or(|extension| extension != "mlir") {
                continue;
            }
            let source = Source::read(&file).expect("it can be read");
            let program = Program::parse(&source).expect("it is a program");
            for entry in program.entries().expect("it has entries") {
                let said = program.check_protocol(&entry, None);
                let said = said.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                programs += 1;
                cut += usize::from(said.iter().any(|said| said.message.contains(UNEXPLORED)));
                remarks.extend(said.iter().map(Diagnostic::headline));
            }
        }
    }
    println!(
        "{programs} entries, {} remarks, {cut} not fully explored",
        remarks.len()
    );
    assert!(programs > 40 && remarks.is_empty(), "{remarks:?}");
}

/// Some of them, in a few schedules.
#[test]
fn some_mutants() {
    let all = all();
    let mut random = fastrand::Rng::with_seed(1);
    let some = random.choose_multiple(&all, 40);
    run(&some, 8);
}

/// At least five hundred, in a hundred schedules each.
#[test]
#[ignore = "minutes"]
fn all_mutants() {
    let all = all();
    assert!(all.len() >= 500, "{}", all.len());
    run(&all.iter().collect::<Vec<_>>(), 100);
}
