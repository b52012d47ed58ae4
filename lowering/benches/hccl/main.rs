//! What the kernels of the acceptance programs cost on a2a3, by the model of the profile, and
//! how long it takes to generate them.
//!
//! Orders (flags and barriers) and makespan, by need and with a full barrier behind each
//! statement; on-core memory without and with sharing, and what lives at the same time. Beside
//! each entry stands the only time of this machine: from the parsed module to the text of all
//! files, the least of three.

use pld_dialects::{
    Kind, bridge, function_kind,
    melior::{Context, ir::Module},
    view,
};
use pld_lowering::hccl::{Choices, Measures, measure, project};
use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

const ARCH: &str = "a2a3";

fn main() {
    pld_passes::register();
    pld_lowering::register();
    println!(
        "kernel                              | orders: auto conserv. | makespan: auto conserv. ratio | bytes: spread  shared   bound"
    );
    for path in programs() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&path).expect("a program");
        let context = pld_dialects::context();
        for entry in entries(&context, &text) {
            match measured(&context, &text, &entry) {
                Some(measures) => {
                    let time = generation(&context, &text, &entry);
                    print(&name, &entry, &measures, time);
                }
                None => println!("{name} @{entry}: not lowered to {ARCH}"),
            }
        }
    }
}

fn programs() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/programs");
    let files = fs::read_dir(folder).expect("the programs");
    let mut paths: Vec<_> = files
        .map(|file| file.expect("a file").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "mlir")
        })
        .collect();
    paths.sort();
    paths
}

fn entries(context: &Context, text: &str) -> Vec<String> {
    let module = Module::parse(context, text).expect("parses");
    let functions = bridge::collect(module.as_operation(), |name| name == "func.func");
    let hosts = functions
        .into_iter()
        .filter(|function| function_kind(function) == Some(Kind::Host));
    hosts
        .filter_map(|host| view::string(&host, "sym_name"))
        .collect()
}

fn measured(context: &Context, text: &str, entry: &str) -> Option<Measures> {
    let module = Module::parse(context, text)?;
    let handler = context.attach_diagnostic_handler(|_| true);
    let measures = measure(module.as_operation(), entry, ARCH);
    context.detach_diagnostic_handler(handler);
    measures.ok()
}

/// The least time that it takes to generate the project of an entry.
fn generation(context: &Context, text: &str, entry: &str) -> Duration {
    let time = || {
        let module = Module::parse(context, text).expect("parses");
        let start = Instant::now();
        let files = project(module.as_operation(), entry, Choices::default());
        files.expect("it has been measured");
        start.elapsed()
    };
    let times = [time(), time(), time()];
    times.into_iter().min().unwrap_or_default()
}

fn print(program: &str, entry: &str, measures: &Measures, time: Duration) {
    println!("{program} @{entry}: generated in {} ms", time.as_millis());
    for orderings in &measures.orderings {
        let ((orders, time), (all, longest)) = (orderings.auto, orderings.conservative);
        let name = orderings.kernel.trim_end_matches("_kernel");
        let peak = measures.peaks.iter().find(|peak| peak.function == name);
        let bytes = peak.map_or(String::new(), |peak| {
            format!("{:13} {:7} {:7}", peak.spread, peak.shared, peak.bound)
        });
        println!(
            "  {name:34}| {orders:12} {all:8} | {time:14} {longest:8} {:5.2} | {bytes}",
            time as f64 / longest as f64
        );
    }
}
