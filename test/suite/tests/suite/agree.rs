//! Random programs, taken through the protocol check and through the simulator, which share no
//! code: what the simulator finds in some schedule, prompt or late, the check finds; what the
//! check calls wrong, a replay of its own schedule shows; and what it calls right ends in every
//! schedule with the same results.
//!
//! `PLD_AGREE_CASES` sets how many programs the long run takes, `PLD_AGREE_SEED` where they start.

mod generate;

use fastrand::Rng;
use pld::{
    Array, Barrier, Code, Diagnostic, Error, Outcome, Program, Severity, Simulation, Source,
    Verdict,
};
use std::{collections::BTreeMap, env, num::NonZero, ops::Range, sync::Mutex, thread};

/// Programs of the short and of the long run.
const SHORT: u64 = 60;
const LONG: u64 = 100_000;

/// The argument that programs write.
const RESULT: usize = 1;

/// What became of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Agreed {
    /// Right, and all schedules end alike.
    Right,
    /// Wrong, and the replay shows it.
    Wrong,
    /// Not decided.
    Undecided,
    /// Refused for something else.
    NoProgram,
}

fn found(outcome: &Outcome) -> String {
    let said: Vec<_> = outcome.findings().iter().map(ToString::to_string).collect();
    said.join("\n")
}

fn is_of_check(said: &Diagnostic) -> bool {
    matches!(said.code, Some(Code(201..=209)))
}

/// Whether the check and the simulator agree, or how they differ, with barriers of this form.
fn agree(text: &str, world: usize, schedules: u64, barrier: Barrier) -> Result<Agreed, String> {
    let program = Program::parse(&Source::new("random.mlir", text));
    let program = program.map_err(|error| format!("it is no program: {error}"))?;
    let entry = program.entry(None).map_err(|error| error.to_string())?;
    let (said, is_wrong) = match program.check_protocol(&entry, Some(world)) {
        Ok(said) => (said, false),
        Err(Error::Invalid(said)) => (said, true),
        Err(error) => return Err(error.to_string()),
    };
    if is_wrong && !said.iter().any(is_of_check) {
        return Ok(Agreed::NoProgram);
    }
    if said.iter().any(|said| said.severity == Severity::Remark) {
        let remark = said.iter().find(|said| said.severity == Severity::Remark);
        let remark = remark.map(Diagnostic::headline).unwrap_or_default();
        return match remark.contains("not fully explored") {
            true => Ok(Agreed::Undecided),
            false => Err(format!("data decides nothing, yet: {remark}")),
        };
    }
    let plain = || {
        Simulation::new(&program, world)
            .protocol(false)
            .barrier(barrier)
    };
    let run = |simulation: Simulation| simulation.run().map_err(|error| error.to_string());
    if is_wrong {
        for finding in said.iter().filter_map(|said| said.finding.as_deref()) {
            let shown = run(plain().replay(finding)).map_err(|why| {
                format!(
                    "{}: {}\nis not replayed: {why}",
                    finding.code, finding.message
                )
            })?;
            if shown.verdict() != Verdict::Faulty {
                return Err(format!(
                    "{}: {}\nis not shown by its replay",
                    finding.code, finding.message
                ));
            }
        }
    }
    // What a right program leaves in any schedule.
    let mut result: Option<Array> = None;
    let rest = [(false, schedules), (true, schedules.div_ceil(2))];
    for (weak, schedules) in std::iter::once((false, 1)).chain(rest) {
        let mut simulation = plain().seed(0).schedules(schedules).weak(weak);
        if let Some(result) = &result {
            simulation = simulation.expect_array(RESULT, result.clone());
        }
        let outcome = run(simulation)?;
        let weak = if weak { ", weak" } else { "" };
        let how = format!("with seed {}{weak}", outcome.seed);
        match outcome.verdict() {
            Verdict::Agrees if is_wrong => {}
            Verdict::Agrees => result = outcome.arrays.into_iter().nth(RESULT).flatten(),
            Verdict::Differs => return Err(format!("it is called right, yet differs {how}")),
            Verdict::Faulty if !is_wrong => {
                return Err(format!(
                    "it is called right, yet {how}: {}",
                    found(&outcome)
                ));
            }
            Verdict::Faulty => {
                let is_stuck = outcome.findings().iter().any(|it| it.code == "pld-402");
                let mut codes = said.iter().filter_map(|said| said.code);
                if is_stuck && codes.all(|Code(code)| matches!(code, 201..=203 | 207)) {
                    return Err(format!("it only races, yet {how}: {}", found(&outcome)));
                }
            }
            Verdict::Failed => return Err(format!("{how}: {:?}", outcome.run.error)),
        }
    }
    Ok(if is_wrong {
        Agreed::Wrong
    } else {
        Agreed::Right
    })
}

fn setting(name: &str, default: u64) -> u64 {
    let given = env::var(name).ok().and_then(|value| value.parse().ok());
    given.unwrap_or(default)
}

/// What has been found so far.
#[derive(Default)]
struct Found {
    table: BTreeMap<Agreed, u64>,
    differ: Vec<String>,
}

fn run(seeds: Range<u64>, schedules: u64) {
    let (seeds, found) = (Mutex::new(seeds), Mutex::new(Found::default()));
    let next = || seeds.lock().expect("no panic").next();
    let work = || {
        while let Some(seed) = next() {
            let mut random = Rng::with_seed(seed);
            let world = random.usize(2..4);
            let text = generate::program(&mut random);
            // Replays take the form of credits, whose code is there then.
            let forms = [Barrier::Dissemination, Barrier::Credit];
            let result = agree(&text, world, schedules, forms[(seed % 2) as usize]);
            let mut found = found.lock().expect("no panic");
            match result {
                Ok(agreed) => *found.table.entry(agreed).or_default() += 1,
                Err(why) => {
                    let differs = format!("seed {seed}, {world} ranks: {why}\n{text}");
                    found.differ.push(differs);
                }
            }
            if found.differ.len() >= 5 {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    let Found { table, differ } = found.into_inner().expect("no panic");
    println!("{table:?}");
    assert!(differ.is_empty(), "{}", differ.join("\n----\n"));
    let right = table.get(&Agreed::Right).copied().unwrap_or(0);
    let all: u64 = table.values().sum();
    // A test of only wrong, or only right, programs says little.
    let is_one_sided = right * 20 <= all || right * 20 >= 19 * all;
    assert!(all < SHORT || !is_one_sided, "{table:?}");
}

/// Some, in a few schedules.
#[test]
fn some_programs() {
    run(0..SHORT, 6);
}

/// Many, in more.
#[test]
#[ignore = "hours"]
fn many_programs() {
    let start = setting("PLD_AGREE_SEED", 0);
    run(start..start + setting("PLD_AGREE_CASES", LONG), 10);
}
