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
//! | `report.rs` | findings as diagnostics and as records |
//! | `mended.rs` | mends as changes of the program's text |

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
mod mended;
mod region;
mod report;
mod value;

use extract::{Extracted, extract, worlds};
use melior::ir::{
    Location,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    pass::{OptionSpec, Options, Pass, Reported},
};
use pld_protocol::{Limits, Record, Report, SiteId, Skeleton};
use report::Reporter;
use std::{collections::HashMap, fs, io::Write};

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pld-check-protocol",
    description: "Report what goes wrong between ranks in some schedule: races on windows, and \
                  on arrays between blocks; waits that are never satisfied; collectives that not \
                  all reach; misused signals; peers that are no ranks. Changes nothing.",
    options: &[SIZES, ENTRY, STEPS, STATES, DUMP, JSON],
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

const JSON: OptionSpec = OptionSpec {
    name: "json",
    description: "a file to write the findings to, which pld-run --replay takes",
    default: "",
};

/// What a run gives to its host function.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Scalars, by the number of the argument.
    pub scalars: HashMap<usize, i64>,
    /// Extents of arrays, by the number of the argument and the dim.
    pub extents: HashMap<(usize, usize), i64>,
}

/// What to check of a program, and how much work it may be.
#[derive(Clone, Debug)]
pub struct Request {
    /// The host function; all of them if it is empty.
    pub entry: String,
    /// World sizes; those up to 4 that a program admits if there are none.
    pub sizes: Vec<u32>,
    /// What is known of the arguments of the entry.
    pub known: Known,
    /// The most steps of an execution.
    pub steps: u64,
    /// What the check may do.
    pub limits: Limits,
    /// Programs that are in no file, by the name that their locations have.
    pub texts: Vec<(String, String)>,
}

impl Default for Request {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            entry: String::new(),
            sizes: Vec::new(),
            known: Known::default(),
            steps: limits.steps,
            limits,
            texts: Vec::new(),
        }
    }
}

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let (request, dump) = wanted(options).map_err(|message| {
        diag::failure(module.location(), message).emit();
        Reported
    })?;
    if dump {
        let mut out = std::io::stdout().lock();
        each_program(module, &request, |program| {
            for skeleton in program.extracted.iter().flat_map(|it| &it.skeletons) {
                // Where nobody reads, nobody misses it.
                let _ = out.write_all(dump::text(program.name, skeleton).as_bytes());
            }
        });
        return Ok(());
    }
    let (records, checked) = check_with_records(module, &request);
    let file = options.get(JSON.name);
    if !file.is_empty() {
        let written = serde_json::to_string_pretty(&records)
            .map_err(|error| error.to_string())
            .and_then(|json| fs::write(file, json + "\n").map_err(|error| error.to_string()));
        if let Err(error) = written {
            diag::failure(module.location(), format!("cannot write '{file}': {error}")).emit();
            return Err(Reported);
        }
    }
    checked
}

/// Checks the host functions of a module, and reports what goes wrong between ranks in some
/// schedule, and what is not decided.
///
/// # Errors
///
/// Something goes wrong for all data.
pub fn check(module: OperationRef, request: &Request) -> Result<(), Reported> {
    check_with_records(module, request).1
}

/// The same, with what is found as data, in the order of the diagnostics that have its codes.
pub fn check_with_records(
    module: OperationRef,
    request: &Request,
) -> (Vec<Record>, Result<(), Reported>) {
    let mut fine = true;
    let mut records = Vec::new();
    each_program(module, request, |program| {
        let skeletons: Vec<Skeleton> = program
            .extracted
            .iter_mut()
            .flat_map(|it| std::mem::take(&mut it.skeletons))
            .collect();
        let report = pld_protocol::check(&skeletons, &request.limits);
        let reporter = Reporter {
            skeletons: &skeletons,
            extracted: program.extracted,
            locations: program.locations,
            host: program.host,
            name: program.name,
            request,
        };
        fine &= reporter.emit(&report, &mut records);
    });
    (records, if fine { Ok(()) } else { Err(Reported) })
}

/// What is wrong with each host function, without mends, and whether all of it was looked at.
fn findings_of(module: OperationRef, request: &Request) -> Vec<(Vec<Skeleton>, Report, bool)> {
    let mut found = Vec::new();
    each_program(module, request, |program| {
        let is_whole = |it: &Extracted| it.given_up.is_empty();
        let is_decided = program.extracted.iter().all(is_whole);
        let skeletons: Vec<Skeleton> = program
            .extracted
            .iter_mut()
            .flat_map(|it| std::mem::take(&mut it.skeletons))
            .collect();
        let report = pld_protocol::find(&skeletons, &request.limits);
        found.push((skeletons, report, is_decided));
    });
    found
}

/// A host function on all its sizes.
struct Program<'p, 'c> {
    name: &'p str,
    host: SiteId,
    locations: &'p [Location<'c>],
    extracted: &'p mut [Extracted],
}

fn each_program<'c>(
    module: OperationRef<'c, '_>,
    request: &Request,
    mut look: impl FnMut(Program<'_, 'c>),
) {
    let mut modules = vec![module];
    modules.extend(bridge::collect(module, |name| name == "builtin.module"));
    modules.dedup();
    for module in modules {
        let (code, locations) = decode::module(module);
        for (host, function) in code.functions.iter().enumerate() {
            let is_wanted = request.entry.is_empty() || request.entry == function.name;
            if !function.is_host() || !is_wanted {
                continue;
            }
            let sizes = match request.sizes.is_empty() {
                true => worlds(function, 4),
                false => request.sizes.clone(),
            };
            let extracted = sizes
                .iter()
                .map(|&world| extract(&code, host, world, &request.known, request.steps));
            look(Program {
                name: &function.name,
                host: function.site,
                locations: &locations,
                extracted: &mut extracted.collect::<Vec<_>>(),
            });
        }
    }
}

/// What the options ask for, and whether for a dump.
fn wanted(options: &Options) -> Result<(Request, bool), String> {
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
    let steps = number(&STEPS)?;
    let states = usize::try_from(number(&STATES)?).unwrap_or(usize::MAX);
    let request = Request {
        entry: text(&ENTRY).trim_start_matches('@').to_owned(),
        sizes: sizes.collect::<Result<_, _>>()?,
        known: Known::default(),
        steps,
        limits: Limits { steps, states },
        texts: Vec::new(),
    };
    match text(&DUMP) {
        "true" => Ok((request, true)),
        "false" => Ok((request, false)),
        other => Err(format!("option dump is '{other}', expected true or false")),
    }
}
