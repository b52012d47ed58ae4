//! What the kernels of the acceptance programs cost on a2a3, by the model of the profile: no
//! times of this machine.
//!
//! Orders (flags and barriers) and makespan, by need and with a full barrier behind each
//! statement; on-core memory without and with sharing, and what lives at the same time.

use pld_dialects::{
    Kind, bridge, function_kind,
    melior::{Context, ir::Module},
    view,
};
use pld_lowering::hccl::{Measures, measure};
use std::{fs, path::PathBuf};

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
                Some(measures) => print(&name, &entry, &measures),
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

fn print(program: &str, entry: &str, measures: &Measures) {
    println!("{program} @{entry}");
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
