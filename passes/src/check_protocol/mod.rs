//! `pld-check-protocol`: what the ranks of a program say to each other, and whether it can go
//! wrong in any schedule.
//!
//! ```text
//!  IR --decode--> code --machine, on n ranks--> skeleton --pld-protocol--> findings --report--> diagnostics
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `decode.rs`, `decode_memory.rs` | the IR as `code.rs` has it: numbered values, effects |
//! | `machine/` | the abstract execution: `interval.rs`, `value.rs`, `memory.rs`, `region.rs`, `cells.rs` |
//! | `extract.rs`, `choices.rs` | all sizes, and all ways through what data decides |
//! | `dump.rs` | skeletons as text |

mod cells;
mod choices;
mod code;
mod decode;
mod decode_memory;
mod dump;
mod extract;
mod interval;
mod machine;
mod memory;
mod region;
mod value;

use extract::{extract, worlds};
use melior::ir::operation::{OperationLike, OperationRef};
use pld_dialects::{
    diag,
    pass::{OptionSpec, Options, Pass, Reported},
};
use std::io::Write;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-check-protocol",
    description: "Report what goes wrong between ranks in some schedule: races on windows, and \
                  on arrays between blocks; waits that are never satisfied; collectives that not \
                  all reach; misused signals; peers that are no ranks. Changes nothing.",
    options: &[SIZES, ENTRY, STEPS, STATES, DUMP],
    run,
};

const SIZES: OptionSpec = OptionSpec {
    name: "sizes",
    description: "world sizes to check, as 2+4; otherwise those up to 4 that the program admits",
    default: "",
};

const ENTRY: OptionSpec = OptionSpec {
    name: "entry",
    description: "the host function to check; otherwise all of them",
    default: "",
};

const STEPS: OptionSpec = OptionSpec {
    name: "steps",
    description: "the most steps of one execution, and of the order of signals",
    default: "10000000",
};

const STATES: OptionSpec = OptionSpec {
    name: "states",
    description: "the most states to look at where the order of signals matters",
    default: "200000",
};

const DUMP: OptionSpec = OptionSpec {
    name: "dump",
    description: "print what each rank does that others can see, instead of checking it: true or false",
    default: "false",
};

/// What the pass is asked for.
struct Wanted<'o> {
    sizes: Vec<u32>,
    entry: &'o str,
    steps: u64,
    states: usize,
    dump: bool,
}

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let wanted = wanted(options).map_err(|message| {
        diag::failure(module.location(), message).emit();
        Reported
    })?;
    let (code, locations) = decode::module(module);
    for (host, function) in code.functions.iter().enumerate() {
        if !decode::is_host(function) || !["", &function.name].contains(&wanted.entry) {
            continue;
        }
        let sizes = match wanted.sizes.is_empty() {
            true => worlds(function, 4),
            false => wanted.sizes.clone(),
        };
        let extracted: Vec<_> = sizes
            .iter()
            .map(|&world| extract(&code, host, world, wanted.steps))
            .collect();
        if wanted.dump {
            let mut out = std::io::stdout().lock();
            for skeleton in extracted.iter().flat_map(|it| &it.skeletons) {
                // Where nobody reads, nobody misses it.
                let _ = out.write_all(dump::text(&function.name, skeleton).as_bytes());
            }
        }
        let _ = (&locations, wanted.states);
    }
    Ok(())
}

fn wanted<'o>(options: &'o Options) -> Result<Wanted<'o>, String> {
    let text = |option: &OptionSpec| options.get(option.name);
    let number = |option: &OptionSpec| {
        let text = text(option);
        text.parse::<u64>()
            .map_err(|_| format!("option {} is '{text}', expected a number", option.name))
    };
    let sizes = text(&SIZES).split('+').filter(|size| !size.is_empty());
    let sizes = sizes.map(|size| match size.parse::<u32>() {
        Ok(size) if size > 0 => Ok(size),
        _ => Err(format!(
            "option sizes has '{size}', expected world sizes such as 2+4"
        )),
    });
    Ok(Wanted {
        sizes: sizes.collect::<Result<_, _>>()?,
        entry: text(&ENTRY).trim_start_matches('@'),
        steps: number(&STEPS)?,
        states: usize::try_from(number(&STATES)?).unwrap_or(usize::MAX),
        dump: match text(&DUMP) {
            "true" => true,
            "false" => false,
            other => return Err(format!("option dump is '{other}', expected true or false")),
        },
    })
}
