//! Every synchronisation is needed: without any one of them the emulation reports, or a result
//! is wrong.

use super::{
    harness::{Array, Built, Schedule, built_from, generated, program_files},
    programs::{Entry, entry},
};
use crate::cpu::values::Random;
use pld_lowering::hccl::{Choices, ProjectFile};
use std::{
    collections::{BTreeMap, HashMap},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Removes the mutant of the number in `PLD_MUTANT` at run time, so that one program has them
/// all. It is in the copy that is tested alone.
const HOOK: &str = "
#include <cstdlib>
inline bool pld_keep(int number) {
  static const char* const text = std::getenv(\"PLD_MUTANT\");
  static const int mutant = text ? std::atoi(text) : -1;
  return number != mutant;
}
";

/// What begins a statement that orders others.
const ORDERS: [&str; 7] = [
    "pld::Sync<AscendC::HardEvent::",
    "Sync<AscendC::HardEvent::",
    "AscendC::PipeBarrier<",
    "AscendC::SetAtomicNone();",
    "AscendC::SyncAll<true>();",
    "AscendC::SetFlag<AscendC::HardEvent::",
    "AscendC::WaitFlag<AscendC::HardEvent::",
];

/// Rewrites a project; the mutants, by number: file, line and statement.
fn mutate(files: &mut [ProjectFile]) -> Vec<String> {
    let mut mutants = Vec::new();
    let mut events = HashMap::new();
    for file in files.iter_mut() {
        let kernel = file.path.starts_with("kernels/") && file.path.ends_with(".cpp");
        let common = file.path == "common/pld_comm.h";
        if !kernel && !common {
            continue;
        }
        let mut text = String::new();
        for (index, line) in file.text.lines().enumerate() {
            let statement = line.trim_start();
            let number = |mutants: &mut Vec<String>| {
                mutants.push(format!("{}:{} {statement}", file.path, index + 1));
                mutants.len() - 1
            };
            if statement.starts_with("pld::") && statement.contains("pld::Release::Fence") {
                // The fence is in what is called.
                let number = number(&mut mutants);
                let without = statement.replace("pld::Release::Fence", "pld::Release::None");
                text +=
                    &format!("if (pld_keep({number})) {{ {statement}\n}} else {{ {without}\n}}\n");
            } else if ORDERS.iter().any(|order| statement.starts_with(order))
                && !statement.ends_with("// end of kernel")
            {
                let flag = ["AscendC::SetFlag<", "AscendC::WaitFlag<"]
                    .iter()
                    .find_map(|flag| statement.strip_prefix(flag));
                let number = match flag {
                    // Both ends of an event are one mutant.
                    Some(event) => *events
                        .entry((file.path.clone(), event.to_owned()))
                        .or_insert_with(|| number(&mut mutants)),
                    None => number(&mut mutants),
                };
                text += &format!("if (pld_keep({number})) {line}\n");
            } else {
                text += line;
                text.push('\n');
            }
        }
        if common {
            text = text.replacen("#pragma once\n", &format!("#pragma once\n{HOOK}"), 1);
        }
        file.text = text;
    }
    mutants
}

/// In order, and late by several seeds.
const SCHEDULES: [Schedule; 5] = [
    Schedule {
        weak: false,
        seed: 0,
    },
    Schedule {
        weak: true,
        seed: 3,
    },
    Schedule {
        weak: true,
        seed: 0,
    },
    Schedule {
        weak: true,
        seed: 1,
    },
    Schedule {
        weak: true,
        seed: 2,
    },
];

/// What a run came to.
#[derive(Debug, PartialEq)]
enum End {
    Report,
    Outputs(Vec<Vec<u8>>),
    /// It would not end, or ended otherwise.
    Other(Option<i32>),
}

struct Mutated {
    program: Built,
    /// By world size: arguments, and the outputs without a mutation.
    worlds: Vec<(usize, Vec<Array>, Vec<Vec<u8>>)>,
}

impl Mutated {
    fn of(program: Built, entry: &Entry) -> Self {
        let mut random = Random::new(11);
        let worlds = (1..=4).filter(|&n| entry.admits(n));
        let worlds = worlds.map(|n| {
            let arrays = entry.arguments(n, &mut random);
            let outputs = program.run(n, &arrays, SCHEDULES[0]);
            (n, arrays, outputs)
        });
        let worlds = worlds.collect();
        Self { program, worlds }
    }

    /// Whether a run reports or differs without this one; how it ends otherwise is an error.
    fn catches(&self, mutant: usize) -> Result<bool, String> {
        // Most show at two ranks.
        let mut worlds: Vec<_> = self.worlds.iter().collect();
        worlds.sort_by_key(|(n, ..)| n.abs_diff(2));
        for (n, arrays, expected) in worlds {
            for schedule in SCHEDULES {
                let mut command = self.program.command(*n, arrays, schedule);
                command.env("PLD_MUTANT", mutant.to_string());
                match self.end(command, arrays) {
                    End::Report => return Ok(true),
                    End::Outputs(outputs) if outputs != *expected => return Ok(true),
                    End::Outputs(_) => {}
                    End::Other(code) => {
                        return Err(format!("n={n} {schedule:?}: exit code {code:?}"));
                    }
                }
            }
        }
        Ok(false)
    }

    fn end(&self, mut command: Command, arrays: &[Array]) -> End {
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = command.spawn().expect("the program starts");
        let start = Instant::now();
        let status = loop {
            match run.try_wait().expect("a process") {
                Some(status) => break status,
                None if start.elapsed() > Duration::from_secs(60) => {
                    run.kill().expect("a process of ours");
                    run.wait().expect("a process");
                    return End::Other(None);
                }
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        match status.code() {
            Some(0) => End::Outputs(self.program.outputs(arrays)),
            Some(3) => End::Report,
            code => End::Other(code),
        }
    }
}

/// Which mutants some program caught, and how many there are. What all programs have in common
/// is known by its own name, all else by the program's too.
#[derive(Default)]
struct Tally(BTreeMap<String, bool>);

impl Tally {
    /// Those mutants of an entry that are wanted, by number and text.
    fn add(
        &mut self,
        name: &str,
        text: &str,
        entry_name: &str,
        wanted: impl Fn(usize, &str) -> bool,
    ) {
        let mut files = generated(text, entry_name, Choices::default());
        let mutants = mutate(&mut files);
        let mutated = Mutated::of(built_from(&files), &entry(text, entry_name));
        for (number, what) in mutants.iter().enumerate() {
            if !wanted(number, what) {
                continue;
            }
            let key = match what.strip_prefix("common/") {
                Some(what) => what.to_owned(),
                None => format!("{name} @{entry_name}: {what}"),
            };
            let caught = self.0.entry(key).or_default();
            if !*caught {
                *caught = mutated
                    .catches(number)
                    .unwrap_or_else(|error| panic!("{name} without {what}: {error}"));
            }
        }
    }

    fn survivors(&self) -> Vec<&str> {
        let survivors = self.0.iter().filter(|(_, caught)| !**caught);
        survivors.map(|(what, _)| what.as_str()).collect()
    }
}

/// A part: every fourth of a program that signals and of one with two buffers in turn. None
/// survives.
#[test]
fn some() {
    let mut tally = Tally::default();
    for (file, turn) in [("put_pipelined", 1), ("signal_exchange", 2)] {
        let (name, text) = program_files()
            .into_iter()
            .find(|(name, _)| name == file)
            .expect("a program");
        // What is common to all programs is not used in full by each.
        let own = |what: &str| !what.starts_with("common/");
        tally.add(&name, &text, "main", |number, what| {
            own(what) && number % 4 == turn
        });
    }
    assert!(tally.0.len() > 5, "too few mutants: {:?}", tally.0);
    assert_eq!(tally.survivors(), [""; 0]);
}

/// All programs, each sync of each kernel.
#[test]
#[ignore = "long"]
fn all() {
    let mut tally = Tally::default();
    for (name, text) in program_files() {
        for entry in super::programs::entries(&text) {
            // The kernel of many elements is the one of few, with more rounds.
            if !entry.ends_with("many") && super::programs::is_lowered(&text, &entry) {
                let (start, before) = (Instant::now(), tally.0.len());
                tally.add(&name, &text, &entry, |_, _| true);
                let new = tally.0.len() - before;
                println!("{name} @{entry}: {new} mutants, {:.1?}", start.elapsed());
            }
        }
    }
    let survivors = tally.survivors();
    println!("{} mutants, survivors: {survivors:#?}", tally.0.len());
    let allowed = tally.0.len() / 50;
    assert!(
        survivors.len() <= allowed,
        "{survivors:#?} of {}",
        tally.0.len()
    );
}
