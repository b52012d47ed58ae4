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
    fs,
    num::NonZero,
    process::{Command, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

/// Removes the mutant of the number in `PLD_MUTANT` at run time, so that one program has them
/// all, and says once that a core came by. It is in the copy that is tested alone.
const HOOK: &str = "
#include <cstdio>
#include <cstdlib>
inline bool pld_keep(int number) {
  static const char* const text = std::getenv(\"PLD_MUTANT\");
  static const int mutant = text ? std::atoi(text) : -1;
  if (number != mutant) return true;
  static const int said = std::fputs(\"removed\\n\", stderr);
  return said < 0;
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

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// No run comes by where it is: the program says nothing of it.
    Unreached,
    /// All runs end as without it.
    Survives,
    /// A run reports, or an output differs.
    Caught,
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
        let mut worlds: Vec<_> = worlds.collect();
        // Most show at two ranks.
        worlds.sort_by_key(|(n, ..)| n.abs_diff(2));
        Self { program, worlds }
    }

    /// The fates of mutants, by as many processes as there are processors.
    fn fates(&self, mutants: &[usize]) -> Vec<(usize, Fate)> {
        let next = Mutex::new(mutants.iter().copied());
        let fates = Mutex::new(Vec::new());
        let work = || {
            let program = self.program.beside();
            loop {
                let Some(mutant) = next.lock().expect("no panic").next() else {
                    return;
                };
                let fate = self.fate(&program, mutant);
                fates.lock().expect("no panic").push((mutant, fate));
            }
        };
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
                scope.spawn(work);
            }
        });
        fates.into_inner().expect("no panic")
    }

    /// Up to the first run that shows the mutant.
    fn fate(&self, program: &Built, mutant: usize) -> Fate {
        let mut fate = Fate::Unreached;
        for (n, arrays, expected) in &self.worlds {
            for schedule in SCHEDULES {
                let mut command = program.command(*n, arrays, schedule);
                command.env("PLD_MUTANT", mutant.to_string());
                let (code, said) = end(command, program);
                match code {
                    Some(0) if program.outputs(arrays) == *expected => {}
                    Some(0 | 3) => return Fate::Caught,
                    _ => panic!("mutant {mutant}, n={n} {schedule:?}: exit code {code:?}: {said}"),
                }
                if said.contains("removed\n") {
                    fate = Fate::Survives;
                }
            }
        }
        fate
    }
}

/// The exit code and the messages of a run; no code if it would not end, which the emulation
/// sees at once where all ranks wait.
fn end(mut command: Command, program: &Built) -> (Option<i32>, String) {
    let messages = program.file("messages");
    let file = fs::File::create(&messages).expect("a file");
    let mut run = command
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    let code = loop {
        match run.try_wait().expect("a process") {
            Some(status) => break status.code(),
            None if start.elapsed() > Duration::from_secs(60) => {
                run.kill().expect("a process of ours");
                run.wait().expect("a process");
                break None;
            }
            None => thread::sleep(Duration::from_millis(1)),
        }
    };
    (code, fs::read_to_string(messages).unwrap_or_default())
}

/// The fates of mutants. What all programs have in common is known by its own name and has its
/// best fate in any of them; all else is known by the program's name, too.
#[derive(Default)]
struct Tally(BTreeMap<String, Fate>);

impl Tally {
    /// Adds those mutants of an entry that are wanted, by number and text.
    fn add(
        &mut self,
        name: &str,
        text: &str,
        entry_name: &str,
        wanted: impl Fn(usize, &str) -> bool,
    ) {
        let mut files = generated(text, entry_name, Choices::default());
        let mutants = mutate(&mut files);
        let key = |what: &str| match what.strip_prefix("common/") {
            Some(what) => what.to_owned(),
            None => format!("{name} @{entry_name}: {what}"),
        };
        let open: Vec<_> = mutants
            .iter()
            .enumerate()
            .filter(|(number, what)| {
                wanted(*number, what) && self.0.get(&key(what)) != Some(&Fate::Caught)
            })
            .map(|(number, _)| number)
            .collect();
        let mutated = Mutated::of(built_from(&files), &entry(text, entry_name));
        for (number, fate) in mutated.fates(&open) {
            let best = self.0.entry(key(&mutants[number])).or_insert(fate);
            *best = fate.max(*best);
        }
    }

    fn of(&self, wanted: Fate) -> Vec<&str> {
        let those = self.0.iter().filter(|(_, fate)| **fate == wanted);
        those.map(|(what, _)| what.as_str()).collect()
    }
}

/// A part: all of a program that signals, and every fourth of one with two buffers in turn. None
/// survives.
#[test]
fn some() {
    let mut tally = Tally::default();
    for (file, step) in [("get_ring", 1), ("put_pipelined", 4)] {
        let (name, text) = program_files()
            .into_iter()
            .find(|(name, _)| name == file)
            .expect("a program");
        // What is common to all programs is not used in full by each.
        let own = |what: &str| !what.starts_with("common/");
        tally.add(&name, &text, "main", |number, what| {
            own(what) && number % step == 1 % step
        });
    }
    assert!(tally.0.len() > 8, "too few mutants: {:?}", tally.0);
    assert_eq!(tally.of(Fate::Survives), [""; 0]);
}

/// All programs, each sync of each kernel: all that are reached show. With `PLD_MUTANTS=NAME`
/// only the program of that name, and only what is its own.
#[test]
#[ignore = "long"]
fn all() {
    let mut tally = Tally::default();
    let only = std::env::var("PLD_MUTANTS").ok();
    println!("| program | mutants | shown | unreached | surviving | time |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (name, text) in program_files() {
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        for entry in super::programs::entries(&text) {
            // The kernel of many elements is the one of few, with more rounds.
            if !entry.ends_with("many") && super::programs::is_lowered(&text, &entry) {
                let (start, mut own) = (Instant::now(), Tally::default());
                // What all have in common need not be shown twice.
                own.0.clone_from(&tally.0);
                own.add(&name, &text, &entry, |_, _| true);
                let prefix = format!("{name} @{entry}: ");
                let count = |fate: Fate| {
                    let of = own.of(fate).into_iter();
                    of.filter(|what| what.starts_with(&prefix)).count()
                };
                let counts = [Fate::Caught, Fate::Unreached, Fate::Survives].map(count);
                println!(
                    "| `{name}` `@{entry}` | {} | {} | {} | {} | {:.1?} |",
                    counts.iter().sum::<usize>(),
                    counts[0],
                    counts[1],
                    counts[2],
                    start.elapsed()
                );
                tally = own;
            }
        }
    }
    let is_asked_for = |what: &&str| only.is_none() || what.contains(" @");
    let survivors = tally.of(Fate::Survives).into_iter().filter(is_asked_for);
    println!(
        "{} mutants show; unreached: {:#?}",
        tally.of(Fate::Caught).len(),
        tally.of(Fate::Unreached)
    );
    assert_eq!(survivors.collect::<Vec<_>>(), [""; 0]);
}
