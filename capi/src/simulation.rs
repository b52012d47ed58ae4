//! Simulations: what to run and how, and what came of it.

use crate::{
    artifact::Artifact,
    handle::{Object, lock},
    input::{self, Refusal, Shared, Status, guarded, object},
    module::Movable,
    session::{self, Session},
};
use pld::{
    Diagnostic, Error, Input, Outcome, Progress, Report, Simulation as Run, Source, Verdict,
};
use std::{
    ffi::{c_char, c_int, c_void},
    sync::{Arc, Mutex},
};

/// A step of the builder that a run is made by.
type Step = Box<dyn for<'p> Fn(Run<'p>) -> Run<'p> + Send>;

/// A simulation, and the way to end it while it runs.
pub struct Running {
    simulation: Mutex<Simulation>,
    progress: Arc<Progress>,
}

/// A simulation.
pub struct Simulation {
    session: Shared<Session>,
    source: Source,
    program: Arc<Mutex<Movable>>,
    world: usize,
    steps: Vec<Step>,
    result: Option<Result<Outcome, Error>>,
}

impl Simulation {
    fn push(&mut self, step: impl for<'p> Fn(Run<'p>) -> Run<'p> + Send + 'static) {
        self.steps.push(Box::new(step));
    }

    fn outcome(&self) -> Result<&Outcome, Refusal> {
        match &self.result {
            Some(Ok(outcome)) => Ok(outcome),
            _ => Err(Refusal::Misuse),
        }
    }

    /// What went wrong in the run.
    fn said(outcome: &Outcome) -> Vec<Diagnostic> {
        let mut said = outcome.warnings.clone();
        let messages = outcome.run.error.iter().cloned();
        said.extend(messages.map(|message| Diagnostic::error(None, message)));
        said.extend(outcome.findings().iter().map(Diagnostic::of_finding));
        let differing = outcome.mismatches.iter();
        said.extend(differing.map(|mismatch| Diagnostic::error(None, mismatch.to_string())));
        said
    }
}

/// Runs `body` on a simulation, and tells its session what goes wrong: when the simulation is
/// free again, so that the callback may use it.
fn on_simulation(
    simulation: *const c_void,
    body: impl FnOnce(&mut Simulation) -> Result<Status, Refusal>,
) -> Status {
    saying_simulation(simulation, |simulation| Ok((body(simulation)?, Vec::new())))
}

/// The same where there is something to say of what is not refused, too.
fn saying_simulation(
    simulation: *const c_void,
    body: impl FnOnce(&mut Simulation) -> Result<(Status, Vec<Diagnostic>), Refusal>,
) -> Status {
    guarded(|| {
        let Ok(simulation) = object!(simulation, Simulation) else {
            return Status::Misuse;
        };
        let mut simulation = lock(&simulation.simulation);
        let result = body(&mut simulation);
        if let Ok((status, said)) = &result
            && said.is_empty()
        {
            return *status;
        }
        let (session, source) = (Arc::clone(&simulation.session), simulation.source.clone());
        drop(simulation);
        match result {
            Ok((status, said)) => {
                session::tell(&session, Some(&source), &said);
                status
            }
            Err(refusal) => session::refuse(&session, Some(&source), refusal),
        }
    })
}

/// Adds a step.
fn step(
    simulation: *mut c_void,
    add: impl for<'p> Fn(Run<'p>) -> Run<'p> + Send + 'static,
) -> Status {
    on_simulation(simulation, |simulation| {
        simulation.push(add);
        Ok(Status::Ok)
    })
}

/// # Safety
///
/// `simulation` points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_simulation_create(
    module: *mut c_void,
    world: usize,
    simulation: *mut *mut c_void,
) -> Status {
    guarded(|| {
        let Ok(module) = object!(module, Module) else {
            return Status::Misuse;
        };
        if world == 0 {
            return Status::Misuse;
        }
        let module = lock(&module);
        let progress = Arc::<Progress>::default();
        let watched = Arc::clone(&progress);
        let new = Simulation {
            session: Arc::clone(&module.session),
            source: module.source.clone(),
            program: Arc::clone(&module.program),
            world,
            steps: vec![Box::new(move |run| run.progress(Arc::clone(&watched)))],
            result: None,
        };
        let object = Object::Simulation(Arc::new(Running {
            simulation: Mutex::new(new),
            progress,
        }));
        // SAFETY: as the caller promises.
        match unsafe { input::hand_out(simulation, object) } {
            Ok(()) => Status::Ok,
            Err(_) => Status::Misuse,
        }
    })
}

/// Ends a simulation.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_destroy(simulation: *mut c_void) -> Status {
    input::destroy(simulation, |object| matches!(object, Object::Simulation(_)))
}

/// # Safety
///
/// `name` ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_simulation_entry(
    simulation: *mut c_void,
    name: *const c_char,
) -> Status {
    // SAFETY: as the caller promises.
    match unsafe { input::text(name) } {
        Ok(name) => {
            let name = name.to_owned();
            step(simulation, move |run| run.entry(name.as_str()))
        }
        Err(_) => Status::Misuse,
    }
}

/// Fixes the schedule.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_seed(simulation: *mut c_void, seed: u64) -> Status {
    step(simulation, move |run| run.seed(seed))
}

/// Runs that many schedules.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_schedules(simulation: *mut c_void, count: u64) -> Status {
    step(simulation, move |run| run.schedules(count))
}

/// What is looked for.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_checks(
    simulation: *mut c_void,
    protocol: c_int,
    races: c_int,
    bounds: c_int,
) -> Status {
    step(simulation, move |run| {
        run.protocol(protocol != 0)
            .races(races != 0)
            .bounds(bounds != 0)
    })
}

/// Late remote writes.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_weak(simulation: *mut c_void, weak: c_int) -> Status {
    step(simulation, move |run| run.weak(weak != 0))
}

/// Whether to count what the run costs.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_cost(simulation: *mut c_void, cost: c_int) -> Status {
    step(simulation, move |run| run.cost(cost != 0))
}

/// Tolerances of comparisons.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_tolerance(
    simulation: *mut c_void,
    rtol: f64,
    atol: f64,
) -> Status {
    step(simulation, move |run| run.tolerance(Some(rtol), Some(atol)))
}

/// # Safety
///
/// `shape` points to `rank` extents, `data` to as many elements as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_simulation_input(
    simulation: *mut c_void,
    argument: usize,
    element: u32,
    shape: *const usize,
    rank: usize,
    data: *const c_void,
) -> Status {
    on_simulation(simulation, |simulation| {
        // SAFETY: as the caller promises.
        let array = unsafe { input::array(element, shape, rank, data) }?;
        simulation.push(move |run| run.input(argument, Input::Array(array.clone())));
        Ok(Status::Ok)
    })
}

/// An integer argument.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_input_integer(
    simulation: *mut c_void,
    argument: usize,
    value: i64,
) -> Status {
    step(simulation, move |run| {
        run.input(argument, Input::Int(value))
    })
}

/// A floating-point argument.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_input_float(
    simulation: *mut c_void,
    argument: usize,
    value: f64,
) -> Status {
    step(simulation, move |run| {
        run.input(argument, Input::Float(value))
    })
}

/// # Safety
///
/// `fill` ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_simulation_input_fill(
    simulation: *mut c_void,
    argument: usize,
    fill: *const c_char,
) -> Status {
    on_simulation(simulation, |simulation| {
        // SAFETY: as the caller promises.
        let fill = unsafe { input::text(fill) }?;
        let fill: Input = fill
            .parse()
            .map_err(|error| Diagnostic::error(None, format!("argument #{argument}: {error}")))?;
        simulation.push(move |run| run.input(argument, fill.clone()));
        Ok(Status::Ok)
    })
}

/// # Safety
///
/// `shape` points to `rank` extents, `data` to as many elements as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_simulation_expect(
    simulation: *mut c_void,
    argument: usize,
    element: u32,
    shape: *const usize,
    rank: usize,
    data: *const c_void,
) -> Status {
    on_simulation(simulation, |simulation| {
        // SAFETY: as the caller promises.
        let array = unsafe { input::array(element, shape, rank, data) }?;
        simulation.push(move |run| run.expect_array(argument, array.clone()));
        Ok(Status::Ok)
    })
}

/// Runs.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_run(simulation: *mut c_void) -> Status {
    saying_simulation(simulation, |simulation| {
        simulation.result = None;
        let result = {
            let program = lock(&simulation.program);
            let run = Run::new(&program.0, simulation.world);
            let run = simulation.steps.iter().fold(run, |run, step| step(run));
            run.run()
        };
        let outcome = match &result {
            Ok(outcome) => outcome,
            Err(error) => return Err(Refusal::Said(error.clone())),
        };
        let said = Simulation::said(outcome);
        let status = match outcome.verdict() {
            Verdict::Agrees => Status::Ok,
            Verdict::Differs => Status::WrongResult,
            Verdict::Faulty => Status::Finding,
            Verdict::Failed => Status::Internal,
        };
        simulation.result = Some(result);
        Ok((status, said))
    })
}

/// Ends the run that is on, and each later one.
#[unsafe(no_mangle)]
pub extern "C" fn pld_simulation_cancel(simulation: *mut c_void) -> Status {
    guarded(|| match object!(simulation, Simulation) {
        Ok(simulation) => {
            simulation.progress.cancel();
            Status::Ok
        }
        Err(_) => Status::Misuse,
    })
}

/// # Safety
///
/// `data` and `bytes` point to room for a pointer and a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_simulation_result(
    simulation: *mut c_void,
    argument: usize,
    data: *mut *const c_void,
    bytes: *mut usize,
) -> Status {
    on_simulation(simulation, |simulation| {
        let array = simulation.outcome()?.arrays.get(argument);
        let array = array.and_then(Option::as_ref).ok_or(Refusal::Misuse)?;
        if data.is_null() || bytes.is_null() {
            return Err(Refusal::Misuse);
        }
        // SAFETY: they are not null, so they point to room.
        unsafe {
            data.write(array.bytes().as_ptr().cast());
            bytes.write(array.bytes().len());
        }
        Ok(Status::Ok)
    })
}

/// # Safety
///
/// `artifact` points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_simulation_report(
    simulation: *mut c_void,
    artifact: *mut *mut c_void,
) -> Status {
    on_simulation(simulation, |simulation| {
        let result = simulation.result.as_ref().ok_or(Refusal::Misuse)?;
        let json = Report::of(result).to_json().map_err(Error::Internal)?;
        // SAFETY: as the caller promises.
        unsafe { Artifact::one(json).hand_out(artifact) }?;
        Ok(Status::Ok)
    })
}

/// # Safety
///
/// `artifact` points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_simulation_cost_card(
    simulation: *mut c_void,
    artifact: *mut *mut c_void,
) -> Status {
    on_simulation(simulation, |simulation| {
        let cost = simulation.outcome()?.cost.as_ref().ok_or(Refusal::Misuse)?;
        let text = cost.to_string();
        // SAFETY: as the caller promises.
        unsafe { Artifact::one(text).hand_out(artifact) }?;
        Ok(Status::Ok)
    })
}
