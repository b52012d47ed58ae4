//! A run on the simulator: inputs in; findings, mismatches and arrays out.

use crate::array::Array;
use crate::bind::{Extent, Given, Input, Value, bind, check_index, read_file};
use crate::compare::{Mismatch, Reference, Tolerance, compare};
use crate::cost::Cost;
use crate::diagnostic::{Diagnostic, Error};
use crate::entry::{Argument, ArgumentKind, Entry};
use crate::outcome::{Outcome, Verdict};
use crate::progress::{Phase, Progress};
use crate::replay::followed;
use crate::source::Program;
use crate::trace::Trace;
use pld_lowering::{
    Barrier,
    cpu::{self, CompileOptions, Compiled},
};
use pld_runtime as runtime;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::BufWriter,
    num::NonZero,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Stack of a golden: plain code of any depth, and only one of them runs.
const GOLDEN_STACK: usize = 8 << 20;

/// What to run and how; nothing happens before [`Simulation::run`].
pub struct Simulation<'p> {
    pub(crate) program: &'p Program,
    pub(crate) world: usize,
    pub(crate) entry: Option<String>,
    pub(crate) given: Given,
    pub(crate) expected: BTreeMap<usize, Wanted>,
    pub(crate) results: BTreeSet<usize>,
    pub(crate) rtol: Option<f64>,
    pub(crate) atol: Option<f64>,
    seed: Option<u64>,
    schedules: u64,
    pub(crate) protocol: bool,
    pub(crate) races: bool,
    bounds: bool,
    pub(crate) weak: bool,
    pub(crate) barrier: Barrier,
    pub(crate) cost: bool,
    /// The order to follow, and the size it is about.
    pub(crate) replayed: Option<(Arc<runtime::Replay>, usize)>,
    trace: Option<PathBuf>,
    pub(crate) progress: Arc<Progress>,
}

/// What an argument is to be compared with.
pub(crate) enum Wanted {
    File(PathBuf),
    Array(Array),
}

/// An array that an argument is compared with.
pub(crate) struct Expectation {
    pub(crate) argument: usize,
    pub(crate) name: String,
    pub(crate) array: Array,
    pub(crate) tolerance: Tolerance,
}

/// What results should be.
pub(crate) enum Expected {
    /// By argument.
    Arrays(Vec<Expectation>),
    /// Nobody knows: this came of the golden.
    Fault(runtime::Report),
}

impl<'p> Simulation<'p> {
    /// A run of `program` on `world` ranks, with protocol, races and bounds checked.
    pub fn new(program: &'p Program, world: usize) -> Self {
        Self {
            program,
            world,
            entry: None,
            given: Given::default(),
            expected: BTreeMap::new(),
            results: BTreeSet::new(),
            rtol: None,
            atol: None,
            seed: None,
            schedules: 1,
            protocol: true,
            races: true,
            bounds: true,
            weak: false,
            barrier: Barrier::default(),
            cost: false,
            replayed: None,
            trace: None,
            progress: Arc::default(),
        }
    }

    /// Runs this host function.
    pub fn entry(mut self, name: impl Into<String>) -> Self {
        self.entry = Some(name.into());
        self
    }

    /// What an argument starts as.
    pub fn input(mut self, argument: usize, input: Input) -> Self {
        self.given.inputs.insert(argument, input);
        self
    }

    /// What a `?` of an argument stands for.
    pub fn extent(mut self, argument: usize, dim: usize, extent: Extent) -> Self {
        self.given.extents.insert((argument, dim), extent);
        self
    }

    /// Compares an argument with a `.npy` file after the run.
    pub fn expect(mut self, argument: usize, file: impl Into<PathBuf>) -> Self {
        self.expected.insert(argument, Wanted::File(file.into()));
        self
    }

    /// Compares an argument with an array after the run.
    pub fn expect_array(mut self, argument: usize, array: Array) -> Self {
        self.expected.insert(argument, Wanted::Array(array));
        self
    }

    /// Says that an argument's array will be asked of the outcome, so that the run is
    /// refused if there will be none.
    pub fn result(mut self, argument: usize) -> Self {
        self.results.insert(argument);
        self
    }

    /// Tolerances that go before those of the golden.
    pub fn tolerance(mut self, rtol: Option<f64>, atol: Option<f64>) -> Self {
        (self.rtol, self.atol) = (rtol, atol);
        self
    }

    /// Fixes the schedule. 0 is first in, first out.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Runs that many schedules, from the seed on, up to the first that goes wrong.
    pub fn schedules(mut self, schedules: u64) -> Self {
        self.schedules = schedules.max(1);
        self
    }

    /// Whether to check before the run what ranks say to each other, for all schedules.
    pub fn protocol(mut self, protocol: bool) -> Self {
        self.protocol = protocol;
        self
    }

    /// Whether to look for races.
    pub fn races(mut self, races: bool) -> Self {
        self.races = races;
        self
    }

    /// Whether to check dynamic accesses against their bounds.
    pub fn bounds(mut self, bounds: bool) -> Self {
        self.bounds = bounds;
        self
    }

    /// Makes stores to windows visible to other ranks no earlier than the memory model
    /// promises: schedule 0 delays each to the rank's next notify, others some. A program
    /// that works only by luck goes wrong.
    pub fn weak(mut self, weak: bool) -> Self {
        self.weak = weak;
        self
    }

    /// How ranks meet at barriers, those inside collectives too.
    pub fn barrier(mut self, barrier: Barrier) -> Self {
        self.barrier = barrier;
        self
    }

    /// Counts what the run costs; see [`Outcome::cost`].
    pub fn cost(mut self, cost: bool) -> Self {
        self.cost = cost;
        self
    }

    /// Writes a trace of the last schedule that runs, for Perfetto or Chrome.
    pub fn trace(mut self, file: impl Into<PathBuf>) -> Self {
        self.trace = Some(file.into());
        self
    }

    /// Keeps `progress` up to date, and ends when it says so.
    pub fn progress(mut self, progress: Arc<Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// Compiles and runs.
    ///
    /// # Errors
    ///
    /// A program, an input or an option that is refused before the run.
    pub fn run(&self) -> Result<Outcome, Error> {
        self.admit_replay()?;
        let (entry, values) = self.prepare()?;
        let mut warnings = self.check_protocol(&entry, &values)?;
        let golden = entry.golden.as_ref().map(|golden| golden.name.clone());
        let options = CompileOptions {
            roots: golden.into_iter().chain([entry.name.clone()]).collect(),
            bounds: self.bounds,
            // Whoever follows accesses to the own slice has to be told of them.
            races: self.races || self.weak || self.trace.is_some(),
            barrier: self.barrier,
            keep: true,
            ..CompileOptions::default()
        };
        let (code, said) = self
            .program
            .lower(|module| cpu::compile(module.as_operation(), &options))?;
        warnings.extend(said);
        let expected = self.expectations(&entry, &values, &code)?;
        let outcome = self.schedule(entry, expected, warnings, |entry, seed| {
            self.run_once(entry, &code, values.clone(), seed)
        })?;
        followed(outcome)
    }

    /// Runs one schedule after another, up to the first that goes wrong.
    pub(crate) fn schedule(
        &self,
        entry: Entry,
        expected: Expected,
        warnings: Vec<Diagnostic>,
        mut run: impl FnMut(&Entry, u64) -> Result<(runtime::Report, Vec<Value>), Error>,
    ) -> Result<Outcome, Error> {
        let first = self.seed.unwrap_or(0);
        let (expectations, fault) = match expected {
            Expected::Arrays(expectations) => (expectations, None),
            Expected::Fault(report) => (Vec::new(), Some(report)),
        };
        let name = |e: &Expectation| (e.argument, e.name.clone());
        let mut outcome = Outcome {
            entry,
            seed: first,
            schedules: 0,
            arrays: Vec::new(),
            run: fault.unwrap_or_default(),
            cost: None,
            compared: expectations.iter().map(name).collect(),
            mismatches: Vec::new(),
            warnings,
        };
        if outcome.verdict() != Verdict::Agrees {
            return Ok(outcome);
        }
        for seed in (0..self.schedules).map_while(|k| first.checked_add(k)) {
            outcome.schedules += 1;
            self.progress.enter(Phase::Running(outcome.schedules))?;
            let (report, values) = run(&outcome.entry, seed)?;
            self.progress.enter(Phase::Comparing)?;
            outcome.seed = seed;
            outcome.run = report;
            outcome.arrays = values.into_iter().map(Value::into_array).collect();
            if outcome.verdict() == Verdict::Agrees {
                outcome.mismatches =
                    self.mismatches(&outcome.entry, &outcome.arrays, &expectations);
            }
            if outcome.verdict() != Verdict::Agrees {
                break;
            }
        }
        outcome.cost = self.cost.then(|| Cost::of(&outcome.run));
        Ok(outcome)
    }

    /// The entry, and what its arguments start as.
    pub(crate) fn prepare(&self) -> Result<(Entry, Vec<Value>), Error> {
        let entry = self.program.entry(self.entry.as_deref())?;
        entry.admit(self.world)?;
        let values = bind(&entry, self.world, &self.given)?;
        for &argument in self.expected.keys().chain(&self.results) {
            if check_index(&entry, argument)?.kind == ArgumentKind::Scalar {
                let message = format!(
                    "argument #{argument} of @{} is a scalar, expected an array for a result",
                    entry.name
                );
                return Err(Diagnostic::input(message).at(entry.position).into());
            }
        }
        Ok((entry, values))
    }

    /// What results should be: from files, and from the golden, which gets its own copies
    /// of the inputs.
    pub(crate) fn expectations(
        &self,
        entry: &Entry,
        values: &[Value],
        code: &Compiled,
    ) -> Result<Expected, Error> {
        let mut expectations = self.expected_files(entry, values)?;
        let Some(golden) = &entry.golden else {
            return Ok(Expected::Arrays(expectations));
        };
        self.progress.enter(Phase::Golden)?;
        let mut values = values.to_vec();
        let options = runtime::Options {
            world: self.world,
            races: false,
            progress: Some(Arc::clone(&self.progress.run)),
            stack_bytes: GOLDEN_STACK,
            ..runtime::Options::default()
        };
        let mut run = call(code, &golden.name, entry, &mut values, &options)?;
        if let Some(error) = run.error {
            return Err(Error::Internal(format!("golden @{}: {error}", golden.name)));
        }
        if let Some(finding) = run.findings.first_mut() {
            finding.notes.push(runtime::Note {
                message: format!("in golden @{}, so nothing was run", golden.name),
                site: None,
            });
            return Ok(Expected::Fault(run));
        }
        let tolerance = self.tolerance_over(golden.rtol, golden.atol);
        for (argument, value) in values.into_iter().enumerate() {
            let written = entry.arguments[argument].direction != pld_dialects::Direction::In;
            if let (Value::Array(array), true) = (value, written) {
                expectations.push(Expectation {
                    argument,
                    name: format!("golden @{}", golden.name),
                    array,
                    tolerance,
                });
            }
        }
        Ok(Expected::Arrays(expectations))
    }

    pub(crate) fn expected_files(
        &self,
        entry: &Entry,
        values: &[Value],
    ) -> Result<Vec<Expectation>, Error> {
        let mut expectations = Vec::new();
        for (&argument, expected) in &self.expected {
            let Value::Array(own) = &values[argument] else {
                continue;
            };
            let told = &entry.arguments[argument];
            let (name, array) = match expected {
                Wanted::File(path) => (
                    format!("'{}'", path.display()),
                    read_file(told, own.shape(), path),
                ),
                Wanted::Array(array) => (
                    "what is expected".to_owned(),
                    same_kind(told, own.shape(), array),
                ),
            };
            let array = array.map_err(|e| {
                Diagnostic::input(format!(
                    "expected argument #{argument} of @{}: {e}",
                    entry.name
                ))
            })?;
            expectations.push(Expectation {
                argument,
                name,
                array,
                tolerance: self.tolerance_over(None, None),
            });
        }
        Ok(expectations)
    }

    fn tolerance_over(&self, rtol: Option<f64>, atol: Option<f64>) -> Tolerance {
        let default = Tolerance::default();
        Tolerance {
            rtol: self.rtol.or(rtol).unwrap_or(default.rtol),
            atol: self.atol.or(atol).unwrap_or(default.atol),
        }
    }

    fn mismatches(
        &self,
        entry: &Entry,
        arrays: &[Option<Array>],
        expectations: &[Expectation],
    ) -> Vec<Mismatch> {
        let compare_one = |expectation: &Expectation| {
            let array = arrays[expectation.argument].as_ref()?;
            let world = entry.arguments[expectation.argument].kind == ArgumentKind::World;
            let reference = Reference {
                name: &expectation.name,
                array: &expectation.array,
                tolerance: expectation.tolerance,
                ranks: world.then_some(self.world),
            };
            compare(expectation.argument, array, reference)
        };
        expectations.iter().filter_map(compare_one).collect()
    }

    fn run_once(
        &self,
        entry: &Entry,
        code: &Compiled,
        mut values: Vec<Value>,
        seed: u64,
    ) -> Result<(runtime::Report, Vec<Value>), Error> {
        let fixed = self.seed.is_some() || self.schedules > 1;
        // Asking reads files, which takes a share of a short run.
        let workers = match fixed {
            true => 1,
            false => std::thread::available_parallelism().map_or(1, NonZero::get),
        };
        let mut options = runtime::Options {
            world: self.world,
            workers,
            seed,
            races: self.races,
            weak: self.weak,
            rounds: self.cost,
            replay: self.replayed.as_ref().map(|(script, _)| Arc::clone(script)),
            progress: Some(Arc::clone(&self.progress.run)),
            ..runtime::Options::default()
        };
        let Some(path) = &self.trace else {
            let report = call(code, &entry.name, entry, &mut values, &options)?;
            return Ok((report, values));
        };
        let file = File::create(path).map_err(|error| unwritten(path, &error))?;
        let trace = Arc::new(Trace::new(BufWriter::new(file), self.world));
        options.observer = Some(trace.clone());
        let report = call(code, &entry.name, entry, &mut values, &options)?;
        trace
            .finish(&report.findings)
            .map_err(|error| unwritten(path, &error))?;
        Ok((report, values))
    }
}

/// The array, if it could be the argument.
fn same_kind(argument: &Argument, shape: &[usize], array: &Array) -> Result<Array, String> {
    if array.element() == argument.element && array.shape() == shape {
        return Ok(array.clone());
    }
    Err(format!(
        "the array is of {} and shape {:?}, expected {} and {shape:?}",
        array.element(),
        array.shape(),
        argument.element
    ))
}

fn unwritten(path: &Path, error: &std::io::Error) -> Error {
    Diagnostic::error(None, format!("cannot write '{}': {error}", path.display())).into()
}

/// Calls compiled code with the signature of `entry`.
fn call(
    code: &Compiled,
    name: &str,
    entry: &Entry,
    values: &mut [Value],
    options: &runtime::Options,
) -> Result<runtime::Report, Error> {
    let function = code
        .function(name)
        .ok_or_else(|| Error::Internal(format!("@{name} was not compiled")))?;
    let program = runtime::Program {
        entry: function,
        sites: code.sites(),
    };
    let report = runtime::run(&program, &words(entry, values), options);
    match report.cancelled {
        true => Err(Error::Cancelled),
        false => Ok(report),
    }
}

/// An array is its address, then its dynamic extents; a scalar its bits.
fn words(entry: &Entry, values: &mut [Value]) -> Vec<u64> {
    let mut words = Vec::new();
    for (argument, value) in entry.arguments.iter().zip(values) {
        match value {
            Value::Scalar(bits) => words.push(*bits),
            Value::Array(array) => {
                words.push(array.address());
                let extents = argument.shape.iter().zip(array.shape());
                words.extend(
                    extents
                        .filter(|(extent, _)| extent.is_none())
                        .map(|(_, &extent)| extent as u64),
                );
            }
        }
    }
    words
}
