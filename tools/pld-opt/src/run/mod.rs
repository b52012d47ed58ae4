//! `pld-run`: checks a program, runs it on N simulated ranks, compares the results.

mod cli;
mod crash;
mod output;
mod progress;

use clap::Parser;
use cli::{Cli, Profile, Target};
use output::Exit;
use pld::{Diagnostic, Error, Outcome, Program, Report, Simulation, Source, Verdict};
use pld_dialects::file;
use std::{
    ffi::OsString,
    fs, io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
};

/// Runs the tool; see `--help` for the exit codes.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    crash::install();
    let exit = match Cli::try_parse_from(arguments) {
        Ok(cli) => catch_unwind(AssertUnwindSafe(|| run(&cli))).unwrap_or_else(|_| {
            output::error("internal error: a panic, please report it");
            Exit::Internal
        }),
        Err(error) => {
            // To standard output for --help, else to standard error.
            let _ = error.print();
            if error.use_stderr() {
                Exit::Invalid
            } else {
                Exit::Fine
            }
        }
    };
    ExitCode::from(exit as u8)
}

fn run(cli: &Cli) -> Exit {
    match read(&cli.program) {
        Ok(source) => run_source(cli, &source),
        Err(error) => finish(cli, None, &Err(error)),
    }
}

fn read(program: &Path) -> Result<Source, Error> {
    if program != Path::new("-") {
        return Source::read(program);
    }
    match file::read_all(io::stdin()) {
        Ok(text) => Ok(Source::new("<stdin>", text)),
        Err(error) => {
            let message = format!("cannot read standard input: {error}");
            Err(Diagnostic::error(None, message).into())
        }
    }
}

fn run_source(cli: &Cli, source: &Source) -> Exit {
    let parsed = cli
        .emit_folder()
        .and_then(|folder| Ok((folder, Program::parse(source)?)));
    let result = match parsed {
        Ok((Some(folder), program)) => match emit(cli, source, &program, folder) {
            Ok(()) => return Exit::Fine,
            Err(error) => Err(error),
        },
        Ok((None, program)) => simulate(cli, source, &program),
        Err(error) => Err(error),
    };
    finish(cli, Some(source), &result)
}

/// Says and writes what came of it.
fn finish(cli: &Cli, source: Option<&Source>, result: &Result<Outcome, Error>) -> Exit {
    match result {
        Ok(outcome) => output::outcome(outcome, cli),
        Err(error) => output::failure(error, source),
    }
    let written = write_outputs(cli, result) && write_report(cli, result);
    if !written {
        return Exit::Invalid;
    }
    if let Ok(outcome) = result {
        output::verdict(outcome);
    }
    Exit::of(result)
}

fn simulate(cli: &Cli, source: &Source, program: &Program) -> Result<Outcome, Error> {
    let warnings = program.check()?;
    output::diagnostics(&warnings, Some(source));
    check_target(cli, program)?;
    check_simulator_only(cli)?;
    let finding = cli.replay.as_deref().map(pld::read_finding).transpose()?;
    let world = match (&finding, cli.given_world()) {
        (Some(finding), None) => finding.world as usize,
        _ => cli.world()?,
    };
    let line = progress::Line::new(world, cli.schedules);
    let mut simulation = configure(cli, program, world)?.progress(line.progress());
    if let Some(finding) = &finding {
        simulation = simulation.replay(finding);
    }
    let mut result = match cli.target {
        Target::Simulator => simulation.run(),
        Target::HcclEmu => simulation.emulate(),
    };
    drop(line);
    // Lowering lints once more.
    match &mut result {
        Ok(outcome) => {
            outcome.warnings.retain(|said| !warnings.contains(said));
            output::diagnostics(&outcome.warnings, Some(source));
        }
        Err(Error::Invalid(list)) => list.retain(|said| !warnings.contains(said)),
        Err(Error::Internal(_) | Error::Cancelled) => {}
    }
    result
}

/// What only the simulator can say.
fn check_simulator_only(cli: &Cli) -> Result<(), Error> {
    let asked = [("--trace", cli.trace.is_some()), ("--cost", cli.cost)];
    let first = asked.into_iter().find(|(_, asked)| *asked);
    match first.filter(|_| cli.target == Target::HcclEmu) {
        None => Ok(()),
        Some((option, _)) => {
            let message = format!("{option} needs the simulator, not --target hccl-emu");
            Err(Diagnostic::error(None, message).into())
        }
    }
}

/// The limits of a target bind if code is generated for it or it is asked for; else a line
/// says what it would refuse.
fn check_target(cli: &Cli, program: &Program) -> Result<(), Error> {
    let profile = cli.profile.unwrap_or(Profile::A2a3sim);
    let generates = cli.target == Target::HcclEmu || cli.emit.is_some();
    if profile == Profile::A5sim && cli.target == Target::HcclEmu {
        let message = "--target hccl-emu emulates a2a3sim only: for -p a5sim write the project by --emit hccl DIR";
        return Err(Diagnostic::error(None, message).into());
    }
    let entry = program.entry(cli.entry.as_deref())?;
    let mut refused = program.refused_by(&entry, profile.arch())?;
    if generates || cli.profile.is_some() {
        let world = cli.given_world();
        refused.extend(world.and_then(|world| pld::refuses_world(profile.arch(), world)));
    }
    if refused.is_empty() {
        return Ok(());
    }
    if generates || cli.profile.is_some() {
        return Err(Error::Invalid(refused));
    }
    output::would_refuse(&refused);
    Ok(())
}

fn configure<'p>(cli: &Cli, program: &'p Program, world: usize) -> Result<Simulation<'p>, Error> {
    let mut simulation = Simulation::new(program, world)
        .protocol(cli.checks.protocol)
        .races(cli.checks.races)
        .bounds(!cli.unchecked)
        .schedules(cli.schedules)
        .weak(cli.weak)
        .barrier(cli.barrier)
        .cost(cli.cost)
        .tolerance(cli.rtol, cli.atol);
    if let Some(entry) = &cli.entry {
        simulation = simulation.entry(entry);
    }
    if let Some(file) = &cli.trace {
        simulation = simulation.trace(file);
    }
    if let Some(seed) = cli.seed {
        simulation = simulation.seed(seed);
    }
    for (argument, input) in cli::once("--arg", &cli.arg)? {
        simulation = simulation.input(argument, input);
    }
    for ((argument, dim), extent) in cli::once("--dim", &cli.dim)? {
        simulation = simulation.extent(argument, dim, extent);
    }
    for (argument, file) in cli::once("--expect", &cli.expect)? {
        simulation = simulation.expect(argument, file);
    }
    for argument in cli.outputs()?.into_keys() {
        simulation = simulation.result(argument);
    }
    Ok(simulation)
}

/// Writes the arrays that `--out` asks for, of a run that got to its end.
fn write_outputs(cli: &Cli, result: &Result<Outcome, Error>) -> bool {
    let Ok(outcome) = result else {
        return true;
    };
    if !matches!(outcome.verdict(), Verdict::Agrees | Verdict::Differs) {
        return true;
    }
    cli.out.iter().all(|(argument, path)| {
        let array = outcome.arrays.get(*argument).and_then(Option::as_ref);
        match array.map(|array| array.save(path)) {
            Some(Err(error)) => {
                output::error(&format!("error: {error}"));
                false
            }
            _ => true,
        }
    })
}

fn write_report(cli: &Cli, result: &Result<Outcome, Error>) -> bool {
    let Some(path) = &cli.report else {
        return true;
    };
    let written = Report::of(result)
        .to_json()
        .and_then(|json| fs::write(path, json + "\n").map_err(|error| error.to_string()));
    match written {
        Ok(()) => true,
        Err(error) => {
            output::error(&format!(
                "error: cannot write '{}': {error}",
                path.display()
            ));
            false
        }
    }
}

/// Writes the generated project.
fn emit(cli: &Cli, source: &Source, program: &Program, folder: &Path) -> Result<(), Error> {
    output::diagnostics(&program.check()?, Some(source));
    check_target(cli, program)?;
    let entry = program.entry(cli.entry.as_deref())?;
    if let Some(world) = cli.given_world() {
        entry.admit(world)?;
    }
    if cli.checks.protocol {
        let said = program.check_protocol(&entry, cli.given_world())?;
        output::diagnostics(&said, Some(source));
    }
    let (files, warnings) = program.project(
        &entry,
        cli.barrier,
        cli.profile.unwrap_or(Profile::A2a3sim).arch(),
    )?;
    output::diagnostics(&warnings, Some(source));
    pld::write_project(folder, &files)?;
    output::line(&format!(
        "{} files written to {}",
        files.len(),
        folder.display()
    ));
    Ok(())
}
