//! A run on the simulator: inputs in; findings, mismatches and arrays out.

use crate::array::Array;
use crate::bind::{Extent, Given, Input, Value, bind, check_index, read_file};
use crate::compare::{Mismatch, Reference, Tolerance, compare};
use crate::diagnostic::{Diagnostic, Error};
use crate::entry::{ArgumentKind, Entry};
use crate::source::Program;
use pld_lowering::cpu::{self, CompileOptions, Compiled};
use pld_runtime as runtime;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// Stack of a golden: plain code of any depth, and only one of them runs.
const GOLDEN_STACK: usize = 8 << 20;

/// What to run and how; nothing happens before [`Simulation::run`].
pub struct Simulation<'p> {
    pub(crate) program: &'p Program,
    pub(crate) world: usize,
    pub(crate) entry: Option<String>,
    pub(crate) given: Given,
    pub(crate) expected: BTreeMap<usize, PathBuf>,
    pub(crate) results: BTreeSet<usize>,
    pub(crate) rtol: Option<f64>,
    pub(crate) atol: Option<f64>,
    seed: Option<u64>,
    schedules: u64,
    races: bool,
    bounds: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// To its end, and all that was compared agrees.
    Agrees,
    /// To its end, with a wrong result.
    Differs,
    /// With a finding: a deadlock, a race, an access out of bounds.
    Faulty,
    /// With a fault of the tool or the machine.
    Failed,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The entry that ran.
    pub entry: Entry,
    /// The schedule of the last run: the first that went wrong, if one did.
    pub seed: u64,
    /// How many schedules ran.
    pub schedules: u64,
    /// Arrays by argument, as the last run left them; `None` for scalars.
    pub arrays: Vec<Option<Array>>,
    /// What the last run reports.
    pub run: runtime::Report,
    /// Names of what results were compared with, by argument.
    pub compared: Vec<(usize, String)>,
    /// What differs.
    pub mismatches: Vec<Mismatch>,
    /// What the lowering warned of.
    pub warnings: Vec<Diagnostic>,
}

impl Outcome {
    /// How the run ended.
    pub fn verdict(&self) -> Verdict {
        if self.run.error.is_some() {
            Verdict::Failed
        } else if !self.run.findings.is_empty() {
            Verdict::Faulty
        } else if !self.mismatches.is_empty() {
            Verdict::Differs
        } else {
            Verdict::Agrees
        }
    }
}

/// An array that an argument is compared with.
pub(crate) struct Expectation {
    pub(crate) argument: usize,
    pub(crate) name: String,
    pub(crate) array: Array,
    pub(crate) tolerance: Tolerance,
}

impl<'p> Simulation<'p> {
    /// A run of `program` on `world` ranks, with races and bounds checked.
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
            races: true,
            bounds: true,
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
        self.expected.insert(argument, file.into());
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

    /// Compiles and runs.
    ///
    /// # Errors
    ///
    /// A program, an input or an option that is refused before the run.
    pub fn run(&self) -> Result<Outcome, Error> {
        let (entry, values) = self.prepare()?;
        let options = CompileOptions {
            bounds: self.bounds,
            races: self.races,
        };
        let (code, warnings) = self
            .program
            .lower(|module| cpu::compile(module.as_operation(), &options))?;
        let expectations = self.expectations(&entry, &values, &code)?;
        self.schedule(entry, &expectations, warnings, |entry, seed| {
            self.run_once(entry, &code, values.clone(), seed)
        })
    }

    /// Runs one schedule after another, up to the first that goes wrong.
    pub(crate) fn schedule(
        &self,
        entry: Entry,
        expectations: &[Expectation],
        warnings: Vec<Diagnostic>,
        mut run: impl FnMut(&Entry, u64) -> Result<(runtime::Report, Vec<Value>), Error>,
    ) -> Result<Outcome, Error> {
        let first = self.seed.unwrap_or(0);
        let name = |e: &Expectation| (e.argument, e.name.clone());
        let mut outcome = Outcome {
            entry,
            seed: first,
            schedules: 0,
            arrays: Vec::new(),
            run: runtime::Report::default(),
            compared: expectations.iter().map(name).collect(),
            mismatches: Vec::new(),
            warnings,
        };
        for seed in (0..self.schedules).map_while(|k| first.checked_add(k)) {
            let (report, values) = run(&outcome.entry, seed)?;
            outcome.seed = seed;
            outcome.schedules += 1;
            outcome.run = report;
            outcome.arrays = values.into_iter().map(Value::into_array).collect();
            if outcome.verdict() == Verdict::Agrees {
                outcome.mismatches = self.mismatches(&outcome.entry, &outcome.arrays, expectations);
            }
            if outcome.verdict() != Verdict::Agrees {
                break;
            }
        }
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
    ) -> Result<Vec<Expectation>, Error> {
        let mut expectations = self.expected_files(entry, values)?;
        let Some(golden) = &entry.golden else {
            return Ok(expectations);
        };
        let mut values = values.to_vec();
        let options = runtime::Options {
            world: self.world,
            races: false,
            stack_bytes: GOLDEN_STACK,
            ..runtime::Options::default()
        };
        let run = call(code, &golden.name, entry, &mut values, &options)?;
        if let Some(error) = run.error {
            return Err(Error::Internal(format!("golden @{}: {error}", golden.name)));
        }
        if let Some(finding) = run.findings.first() {
            let message = format!("golden @{} fails: {finding}", golden.name);
            return Err(Diagnostic::error(None, message).into());
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
        Ok(expectations)
    }

    pub(crate) fn expected_files(
        &self,
        entry: &Entry,
        values: &[Value],
    ) -> Result<Vec<Expectation>, Error> {
        let mut expectations = Vec::new();
        for (&argument, path) in &self.expected {
            let Value::Array(own) = &values[argument] else {
                continue;
            };
            let array = read_file(&entry.arguments[argument], own.shape(), path).map_err(|e| {
                Diagnostic::input(format!(
                    "expected argument #{argument} of @{}: {e}",
                    entry.name
                ))
            })?;
            expectations.push(Expectation {
                argument,
                name: format!("'{}'", path.display()),
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
        let workers = match std::thread::available_parallelism() {
            Ok(workers) if !fixed => workers.get(),
            _ => 1,
        };
        let options = runtime::Options {
            world: self.world,
            workers,
            seed,
            races: self.races,
            ..runtime::Options::default()
        };
        let report = call(code, &entry.name, entry, &mut values, &options)?;
        Ok((report, values))
    }
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
    Ok(runtime::run(&program, &words(entry, values), options))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Number;
    use crate::source::Source;
    use crate::{Fill, Severity};
    use pld_dialects::types::Element;

    const SHIFT: &str = include_str!("../../examples/05_remote_load_store.mlir");

    /// Scalars, extents and an array that is read and written, each at its place.
    const SIGNATURE: &str = r#"
        func.func @core(%y: memref<1x3xi32> {pl.inout}, %k: i32, %z: memref<?x?xf16>, %w: index)
            attributes {pl.incore} {
          %d0 = pl.dim %z, 0 : memref<?x?xf16>
          %d1 = pl.dim %z, 1 : memref<?x?xf16>
          %old = pl.read %y[0, 0] : memref<1x3xi32>
          %sum = arith.addi %old, %k : i32
          pl.write %sum, %y[0, 0] : memref<1x3xi32>
          %e0 = arith.index_cast %d0 : index to i32
          pl.write %e0, %y[0, 1] : memref<1x3xi32>
          %d1w = arith.addi %d1, %w : index
          %e1 = arith.index_cast %d1w : index to i32
          pl.write %e1, %y[0, 2] : memref<1x3xi32>
          return
        }
        func.func @rank(%y: memref<1x3xi32> {pl.inout}, %k: i32, %z: memref<?x?xf16>, %w: index)
            attributes {pl.device} {
          call @core(%y, %k, %z, %w) : (memref<1x3xi32>, i32, memref<?x?xf16>, index) -> ()
          return
        }
        func.func @main(%k: i32, %y: memref<?x1x3xi32> {pl.inout}, %z: memref<?x?xf16>, %w: index)
            attributes {pl.host} {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = pld.world_size
          scf.for %r = %c0 to %n step %c1 {
            %yr = pl.shard %y[%r] : memref<?x1x3xi32> -> memref<1x3xi32>
            pld.dispatch @rank(%yr, %k, %z, %w) on %r
                : (memref<1x3xi32>, i32, memref<?x?xf16>, index)
          }
          return
        }
    "#;

    fn program(text: &str) -> Program {
        Program::parse(&Source::new("test.mlir", text)).expect("parses")
    }

    fn numbers(outcome: &Outcome, argument: usize) -> Vec<f64> {
        let array = outcome.arrays[argument].as_ref().expect("an array");
        (0..array.len()).map(|k| array.get(k).as_f64()).collect()
    }

    /// An embedder gives arrays and gets arrays.
    #[test]
    fn arrays_in_and_out() {
        let program = program(SHIFT);
        let mut x = Array::zeros(Element::F32, &[3, 1, 64]).expect("small");
        x.fill(|k| Number::Int((k * k % 251) as i64));
        let outcome = Simulation::new(&program, 3)
            .input(0, Input::Array(x.clone()))
            .run()
            .expect("runs");
        assert_eq!(outcome.verdict(), Verdict::Agrees);
        assert_eq!(outcome.compared, [(1, "golden @main_golden".into())]);
        let y = outcome.arrays[1].as_ref().expect("an array");
        let (first, rest) = x.bytes().split_at(64 * 4);
        assert_eq!(y.bytes(), [rest, first].concat());
    }

    /// Every word of a signature reaches the program in its place.
    #[test]
    fn signature() {
        let outcome = Simulation::new(&program(SIGNATURE), 2)
            .input(0, Input::Int(-40))
            .input(1, Input::Fill(Fill::Iota))
            .input(3, Input::Int(1000))
            .extent(2, 0, Extent::Number(5))
            .extent(2, 1, Extent::World(3))
            .run()
            .expect("runs");
        assert_eq!(outcome.run.findings, []);
        assert_eq!(numbers(&outcome, 1), [-40., 5., 1006., -37., 5., 1006.]);
        assert!(outcome.compared.is_empty());
    }

    /// The same seed gives the same outcome, and the schedules go up to the last one asked
    /// for when all agree.
    #[test]
    fn schedules() {
        let program = program(SHIFT);
        let outcome = Simulation::new(&program, 4)
            .seed(11)
            .schedules(5)
            .run()
            .expect("runs");
        assert_eq!((outcome.seed, outcome.schedules), (15, 5));
    }

    /// A file in memory has positions too.
    #[test]
    fn refused_with_position() {
        let text = "func.func @f() attributes {pl.host} {\n  pld.teleport\n}";
        let source = Source::new("memory", text);
        let Err(Error::Invalid(said)) = Program::parse(&source) else {
            panic!("the operation does not exist");
        };
        assert_eq!(said[0].severity, Severity::Error);
        let position = said[0].position.clone().expect("a place");
        assert_eq!(
            (position.file.as_str(), position.line, position.column),
            ("memory", 2, 3)
        );
        assert!(source.render(&said[0]).contains("\n  pld.teleport\n  ^"));
    }

    /// Neither odd bytes nor an empty text may do more than fail.
    #[test]
    fn odd_sources() {
        for text in [&b""[..], b"\0", b"\xff\xfe", b"ML\xefR", b"module {"] {
            let _ = Program::parse(&Source::new("odd", text));
        }
    }
}
