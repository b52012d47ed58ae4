//! A run: options as a dictionary.
//!
//! | key | value |
//! | --- | --- |
//! | `entry`, `trace`, `barrier` | text |
//! | `seed`, `schedules` | integer |
//! | `protocol`, `races`, `bounds`, `weak`, `cost`, `emulate` | truth |
//! | `rtol`, `atol` | float |
//! | `inputs` | by argument: an array `(element, shape, bytes)`, a number, or a fill as text |
//! | `expect` | by argument: an array |
//! | `extents` | by `(argument, dim)`: an extent as text |

use crate::program::barrier;
use pld::{Array, Barrier, Element, Error, Extent, Input, Outcome, Program, Progress, Simulation};
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict},
};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// The stack of the thread that a run is on: as much as that of a process' first.
const STACK: usize = 8 << 20;
/// How often Python is asked for signals meanwhile.
const TICK: Duration = Duration::from_millis(50);

/// Runs `body` on a thread of its own; other threads of Python go on meanwhile. A signal whose
/// handler raises, as Ctrl-C's does, cancels it.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    body: impl FnOnce(Arc<Progress>) -> T + Send,
) -> PyResult<T> {
    let progress = Arc::<Progress>::default();
    let (done, end) = mpsc::channel::<()>();
    py.detach(move || {
        thread::scope(|scope| {
            let watched = Arc::clone(&progress);
            let run = move || {
                let _dropped_at_the_end = done;
                body(watched)
            };
            let run = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, run)?;
            let mut raised = Ok(());
            while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals());
                    if raised.is_err() {
                        progress.cancel();
                    }
                }
            }
            let result = run
                .join()
                .map_err(|_| PyRuntimeError::new_err("internal error: the run panicked"))?;
            raised.map(|()| result)
        })
    })
}

/// An array as plain types.
type Plain<'py> = (String, Vec<usize>, Bound<'py, PyBytes>);

/// What a run is asked to do.
#[derive(Default)]
pub struct Options {
    entry: Option<String>,
    trace: Option<PathBuf>,
    barrier: Barrier,
    seed: Option<u64>,
    schedules: Option<u64>,
    protocol: Option<bool>,
    races: Option<bool>,
    bounds: Option<bool>,
    weak: bool,
    cost: bool,
    emulate: bool,
    rtol: Option<f64>,
    atol: Option<f64>,
    inputs: Vec<(usize, Input)>,
    expect: Vec<(usize, Array)>,
    extents: Vec<((usize, usize), Extent)>,
}

impl Options {
    pub fn of(given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut options = Self::default();
        for (key, value) in given {
            let key: String = key.extract()?;
            if value.is_none() {
                continue;
            }
            match key.as_str() {
                "entry" => options.entry = Some(value.extract()?),
                "trace" => options.trace = Some(value.extract()?),
                "barrier" => options.barrier = barrier(Some(&value.extract::<String>()?))?,
                "seed" => options.seed = Some(value.extract()?),
                "schedules" => options.schedules = Some(value.extract()?),
                "protocol" => options.protocol = Some(value.extract()?),
                "races" => options.races = Some(value.extract()?),
                "bounds" => options.bounds = Some(value.extract()?),
                "weak" => options.weak = value.extract()?,
                "cost" => options.cost = value.extract()?,
                "emulate" => options.emulate = value.extract()?,
                "rtol" => options.rtol = Some(value.extract()?),
                "atol" => options.atol = Some(value.extract()?),
                "inputs" => options.inputs = by_argument(&value, input)?,
                "expect" => options.expect = by_argument(&value, array)?,
                "extents" => options.extents = extents(&value)?,
                _ => return Err(PyTypeError::new_err(format!("unknown option '{key}'"))),
            }
        }
        Ok(options)
    }

    /// Runs a program.
    pub fn run(
        self,
        program: &Program,
        world: usize,
        progress: Arc<Progress>,
    ) -> Result<Outcome, Error> {
        let mut run = Simulation::new(program, world)
            .progress(progress)
            .protocol(self.protocol.unwrap_or(true))
            .races(self.races.unwrap_or(true))
            .bounds(self.bounds.unwrap_or(true))
            .schedules(self.schedules.unwrap_or(1))
            .weak(self.weak)
            .cost(self.cost)
            .barrier(self.barrier)
            .tolerance(self.rtol, self.atol);
        if let Some(entry) = self.entry {
            run = run.entry(entry);
        }
        if let Some(trace) = self.trace {
            run = run.trace(trace);
        }
        if let Some(seed) = self.seed {
            run = run.seed(seed);
        }
        for (argument, input) in self.inputs {
            run = run.input(argument, input);
        }
        for (argument, array) in self.expect {
            run = run.expect_array(argument, array);
        }
        for ((argument, dim), extent) in self.extents {
            run = run.extent(argument, dim, extent);
        }
        if self.emulate {
            run.emulate()
        } else {
            run.run()
        }
    }
}

fn by_argument<'py, T>(
    value: &Bound<'py, PyAny>,
    read: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<(usize, T)>> {
    let entries: HashMap<usize, Bound<'py, PyAny>> = value.extract()?;
    entries
        .into_iter()
        .map(|(argument, value)| Ok((argument, read(&value)?)))
        .collect()
}

fn input(value: &Bound<'_, PyAny>) -> PyResult<Input> {
    if let Ok(text) = value.extract::<String>() {
        let fill = text.parse::<Input>();
        return fill.map_err(|error| PyValueError::new_err(error.to_string()));
    }
    if let Ok(number) = value.extract::<i64>() {
        return Ok(Input::Int(number));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Input::Float(number));
    }
    array(value).map(Input::Array)
}

fn array(value: &Bound<'_, PyAny>) -> PyResult<Array> {
    let (name, shape, bytes): Plain<'_> = value.extract()?;
    let element = Element::ALL
        .into_iter()
        .find(|element| element.to_string() == name)
        .ok_or_else(|| PyValueError::new_err(format!("unknown element type '{name}'")))?;
    Array::from_bytes(element, &shape, bytes.as_bytes()).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{} bytes are no array of {name} and shape {shape:?}",
            bytes.as_bytes().len()
        ))
    })
}

fn extents(value: &Bound<'_, PyAny>) -> PyResult<Vec<((usize, usize), Extent)>> {
    let entries: HashMap<(usize, usize), String> = value.extract()?;
    entries
        .into_iter()
        .map(|(dim, text)| {
            let extent = text.parse().map_err(PyValueError::new_err)?;
            Ok((dim, extent))
        })
        .collect()
}
