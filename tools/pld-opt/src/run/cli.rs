//! The command line.

use clap::{ArgGroup, Parser, ValueEnum};
use pld::{Barrier, Diagnostic, Error, Extent, Input};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    str::FromStr,
};

/// The most ranks that `-n` takes: enough for any machine, and few enough that a slip of the
/// keyboard is an error and no swapping.
const MAX_WORLD: u64 = 1 << 20;

/// What makes no sense without a run.
const OF_A_RUN: [&str; 15] = [
    "replay",
    "arg",
    "dim",
    "out",
    "expect",
    "rtol",
    "atol",
    "unchecked",
    "seed",
    "schedules",
    "report",
    "weak",
    "trace",
    "cost",
    "target",
];

/// Check a distributed tile program, run it on N simulated ranks, compare the results.
#[derive(Debug, Parser)]
#[command(
    name = "pld-run",
    version,
    group(ArgGroup::new("world size").args(["devices", "ranks", "emit", "replay"]).required(true).multiple(true)),
    after_help = "Exit codes: 0 OK, 1 wrong result, 2 the program or the command line is invalid, \
                  3 a run-time finding (deadlock, race, access out of bounds), 4 internal error.\n\n\
                  pld-run --explain CODE prints what a diagnostic code such as pld-104 means."
)]
pub struct Cli {
    /// Program to run: MLIR text or bytecode; - is standard input
    pub program: PathBuf,

    /// Device ids, as 0,1,2,3: rank r is the r-th of them
    #[arg(short = 'd', long, value_name = "LIST", conflicts_with = "ranks")]
    pub devices: Option<Devices>,

    /// Number of ranks; short for -d 0,1,...,N-1
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_WORLD))]
    pub ranks: Option<u64>,

    /// Target profile
    #[arg(short = 'p', long, value_name = "PROFILE")]
    pub profile: Option<Profile>,

    /// Host function to run; otherwise the only one, or @main
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,

    /// What argument I starts as: a .npy file, a number, or one of ramp, iota, zeros, ones,
    /// rank, `random[:SEED]`, `randint:LO:HI`
    #[arg(long, value_name = "I=SPEC", value_parser = pair::<usize, Input>)]
    pub arg: Vec<(usize, Input)>,

    /// What the '?' in dim D of argument I stands for: N, world or K*world
    #[arg(long, value_name = "I.D=N", value_parser = dim)]
    pub dim: Vec<((usize, usize), Extent)>,

    /// Write argument I to a .npy file after the run
    #[arg(long, value_name = "I=FILE", value_parser = pair::<usize, PathBuf>)]
    pub out: Vec<(usize, PathBuf)>,

    /// Compare argument I with a .npy file after the run
    #[arg(long, value_name = "I=FILE", value_parser = pair::<usize, PathBuf>)]
    pub expect: Vec<(usize, PathBuf)>,

    /// Relative tolerance of floats (1e-5, or the golden's pl.rtol)
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub rtol: Option<f64>,

    /// Absolute tolerance of floats (1e-8, or the golden's pl.atol)
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub atol: Option<f64>,

    /// Checks to make, separated by commas: protocol (before the run, for all schedules), races
    /// (of the run); or none
    #[arg(long = "check", value_name = "LIST", default_value = "protocol,races")]
    pub checks: Checks,

    /// Leave out the bounds checks of dynamic accesses
    #[arg(long)]
    pub unchecked: bool,

    /// Fix the schedule; 0 is first in, first out
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    /// Run K schedules, up to the first that goes wrong
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub schedules: u64,

    /// Let writes to windows arrive at other ranks as late as the memory model allows, by seed
    #[arg(long)]
    pub weak: bool,

    /// Write a timeline for Perfetto or Chrome: what each rank does, and what releases its waits
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// Print messages, bytes, communication rounds and window memory
    #[arg(long)]
    pub cost: bool,

    /// Write what came of it as JSON
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Run the order of operations that a finding of the protocol check shows, of a file that
    /// --report or --pld-check-protocol=json=FILE has written; the number of ranks is the finding's
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "schedules", "checks", "target", "barrier"])]
    pub replay: Option<PathBuf>,

    /// Write the generated project into a folder instead of running
    #[arg(long, num_args = 2, value_names = ["hccl", "DIR"], conflicts_with_all = OF_A_RUN)]
    pub emit: Option<Vec<PathBuf>>,

    /// How ranks meet at barriers, those inside collectives too: dissemination (log2 n rounds)
    /// or credit (all to all)
    #[arg(long, value_name = "FORM", default_value_t)]
    pub barrier: Barrier,

    /// What to run on
    #[arg(long, default_value = "simulator")]
    pub target: Target,
}

/// Target profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    A2a3sim,
    A5sim,
}

impl Profile {
    /// What the passes call it.
    pub fn arch(self) -> &'static str {
        match self {
            Self::A2a3sim => "a2a3",
            Self::A5sim => "a5",
        }
    }
}

/// What to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Compiled for this machine, on the simulator
    Simulator,
    /// The generated project, built against the emulation headers
    HcclEmu,
}

/// What `--check` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    pub protocol: bool,
    pub races: bool,
}

impl FromStr for Checks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut checks = Self {
            protocol: false,
            races: false,
        };
        if text == "none" {
            return Ok(checks);
        }
        for name in text.split(',') {
            match name {
                "races" => checks.races = true,
                "protocol" => checks.protocol = true,
                _ => {
                    return Err(format!(
                        "unknown check '{name}', expected protocol or races, or none alone"
                    ));
                }
            }
        }
        Ok(checks)
    }
}

/// What `-d` lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Devices(Vec<u32>);

impl FromStr for Devices {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut devices = Vec::new();
        for id in text.split(',') {
            let id = id
                .trim()
                .parse()
                .map_err(|_| format!("'{id}' is no device id, expected a list such as 0,1"))?;
            if devices.contains(&id) {
                return Err(format!(
                    "device {id} is listed twice; a device holds one rank"
                ));
            }
            devices.push(id);
        }
        Ok(Self(devices))
    }
}

impl Cli {
    /// Where the generated project goes.
    pub fn emit_folder(&self) -> Result<Option<&Path>, Error> {
        match self.emit.as_deref() {
            None => Ok(None),
            Some([what, folder]) if what == Path::new("hccl") => Ok(Some(folder)),
            Some(_) => Err(Diagnostic::error(None, "expected --emit hccl DIR, once").into()),
        }
    }

    /// Number of ranks, if it is given.
    pub fn given_world(&self) -> Option<usize> {
        let listed = self.devices.as_ref().map(|devices| devices.0.len());
        let counted = self.ranks.and_then(|ranks| usize::try_from(ranks).ok());
        listed.or(counted)
    }

    /// Files that `--out` writes, each once.
    pub fn outputs(&self) -> Result<BTreeMap<usize, PathBuf>, Error> {
        let outputs = once("--out", &self.out)?;
        let mut arguments = BTreeMap::new();
        for (argument, path) in &outputs {
            if let Some(other) = arguments.insert(path, argument) {
                let message = format!(
                    "--out writes arguments {other} and {argument} to one file, '{}'",
                    path.display()
                );
                return Err(Diagnostic::error(None, message).into());
            }
        }
        Ok(outputs)
    }

    /// Number of ranks.
    pub fn world(&self) -> Result<usize, Error> {
        self.given_world().ok_or_else(|| {
            Diagnostic::error(None, "no world size is given: -d LIST or -n N").into()
        })
    }
}

/// What a repeatable option is given for.
pub trait Key: Ord + Copy {
    fn name(self) -> String;
}

impl Key for usize {
    fn name(self) -> String {
        format!("argument {self}")
    }
}

impl Key for (usize, usize) {
    fn name(self) -> String {
        let (argument, dim) = self;
        format!("dim {dim} of argument {argument}")
    }
}

/// The entries of a repeatable option, each key once.
pub fn once<K: Key, V: Clone>(option: &str, given: &[(K, V)]) -> Result<BTreeMap<K, V>, Error> {
    let mut entries = BTreeMap::new();
    for (key, value) in given {
        if entries.insert(*key, value.clone()).is_some() {
            let message = format!("{option} is given twice for {}", key.name());
            return Err(Diagnostic::error(None, message).into());
        }
    }
    Ok(entries)
}

/// `KEY=VALUE`.
fn pair<K: FromStr, V: FromStr<Err: ToString>>(text: &str) -> Result<(K, V), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| format!("'{text}' has no '=', expected I=VALUE"))?;
    let key = key
        .parse()
        .map_err(|_| format!("'{key}' is no argument number"))?;
    if value.is_empty() {
        return Err("nothing stands after '='".into());
    }
    Ok((
        key,
        value.parse().map_err(|error: V::Err| error.to_string())?,
    ))
}

/// `I.D=N`.
fn dim(text: &str) -> Result<((usize, usize), Extent), String> {
    let (place, extent): (String, Extent) = pair(text)?;
    let place = place
        .split_once('.')
        .and_then(|(argument, dim)| Some((argument.parse().ok()?, dim.parse().ok()?)));
    let place = place.ok_or_else(|| format!("'{text}' is no dim, expected I.D=N"))?;
    Ok((place, extent))
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 => Ok(value),
        _ => Err(format!(
            "'{text}' is no tolerance, expected a number of at least 0"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Cli, String> {
        let words = ["pld-run", "p.mlir"].into_iter();
        Cli::try_parse_from(words.chain(arguments.split_whitespace()))
            .map_err(|error| error.to_string())
    }

    /// clap's own checks of the definition.
    #[test]
    fn definition() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    /// The documented spellings.
    #[test]
    fn accepted() {
        let cli = parse(
            "-d 0,1,4 -p a2a3sim --entry e --arg 0=x.npy --arg 1=randint:-1:world --arg 2=-7 \
             --dim 0.1=2*world --out 1=y.npy --expect 1=r.npy --rtol 1e-3 --atol 0 --check none \
             --seed 3 --schedules 8 --unchecked --weak --trace t.json --cost --report r.json --barrier credit",
        )
        .expect("is documented");
        assert_eq!(cli.world().expect("three devices"), 3);
        assert_eq!(cli.arg[2], (2, Input::Int(-7)));
        assert_eq!(cli.dim[0], ((0, 1), Extent::World(2)));
        assert!(!cli.checks.races && !cli.checks.protocol && cli.unchecked);
        let both = parse("-n 1").expect("is documented").checks;
        assert!(both.races && both.protocol);
        let one = parse("-n 1 --check protocol")
            .expect("is documented")
            .checks;
        assert!(!one.races && one.protocol);
        assert_eq!(parse("-n 1024").expect("is documented").ranks, Some(1024));
        assert!(parse("--emit hccl out").is_ok());
        assert!(parse("-d 0,1 -p a2a3sim --entry e --emit hccl out").is_ok());
    }

    /// What must be refused, with a word that says why.
    #[test]
    fn refused() {
        for (arguments, why) in [
            ("", "required"),
            ("-d 0,0", "listed twice"),
            ("-d 0,x", "no device id"),
            ("-d 0 -n 1", "cannot be used with"),
            ("-n 0", "not in 1.."),
            ("-n 2000000", "not in 1.."),
            ("-n 1 --check none,races", "none alone"),
            ("-n 1 --check race", "unknown check"),
            ("-n 1 --arg x", "no '='"),
            ("-n 1 --arg x=1", "no argument number"),
            ("-n 1 --arg 0=", "nothing stands after"),
            ("-n 1 --arg 0=randint:1", "no fill"),
            ("-n 1 --dim 0=1", "no dim"),
            ("-n 1 --dim 0.1=x", "no extent"),
            ("-n 1 --rtol=-1", "no tolerance"),
            ("-n 1 --rtol nan", "no tolerance"),
            ("-n 1 --schedules 0", "not in 1.."),
            ("-n 1 -p a9sim", "possible values"),
            ("-n 1 --barrier fence", "dissemination or credit"),
            ("-n 1 --trace", "a value is required"),
            ("--replay f.json --seed 1", "cannot be used with"),
            ("--replay f.json --check none", "cannot be used with"),
            ("--emit hccl out --weak", "cannot be used with"),
            ("--emit hccl out --cost", "cannot be used with"),
            ("--emit hccl out --arg 0=1", "cannot be used with"),
            ("--emit hccl out --out 0=y.npy", "cannot be used with"),
            ("--emit hccl out --schedules 2", "cannot be used with"),
            ("--emit hccl out --target simulator", "cannot be used with"),
        ] {
            let error = parse(arguments).err().unwrap_or_default();
            assert!(error.contains(why), "{arguments}: {error}");
        }
    }
}
